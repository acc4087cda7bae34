package part;

public class Part {
	public static String name() {
		return "a part";
	}
}
