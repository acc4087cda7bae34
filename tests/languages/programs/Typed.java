public class Typed {
	public static void main(String[] args) throws Exception {
		System.out.println(System.in.readAllBytes().length);
	}
}
