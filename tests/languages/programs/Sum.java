import java.io.*;
import java.util.*;

public class Sum {
	public static void main(String[] args) throws IOException {
		StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
		PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
		in.nextToken();
		int n = (int)in.nval;
		long sum = 0;
		while (n-- > 0) {
			in.nextToken();
			sum += (long)in.nval;
			out.println(sum);
		}
		out.flush();
	}
}
