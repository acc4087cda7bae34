// One act of a contestant's program, by its name.
import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class Acts {
	static long deep(long n) {
		return n == 0 ? 0 : deep(n - 1) + 1;
	}

	static void threads() throws Exception {
		long[] part = new long[4];
		Thread[] all = new Thread[4];
		for (int i = 0; i < 4; i++) {
			int at = i;
			all[i] = new Thread(() -> { for (int k = 1; k <= 1000; k++) part[at] += k; });
			all[i].start();
		}
		for (Thread t : all)
			t.join();
		System.out.println(Arrays.stream(part).sum());
	}

	static void memory() {
		List<byte[]> all = new ArrayList<>();
		for (;;)
			all.add(new byte[1 << 20]);
	}

	static void writeTmp() throws IOException {
		Files.writeString(Path.of("/tmp/act.txt"), "kept");
		System.out.println(Files.readString(Path.of("/tmp/act.txt")));
	}

	static void reach(int port) {
		try (Socket s = new Socket("127.0.0.1", port)) {
			System.out.println("connected");
		} catch (IOException | SecurityException e) {
			System.out.println("refused");
		}
	}

	static void child() throws Exception {
		try {
			Process p = new ProcessBuilder("/bin/sh", "-c", "exit 7").start();
			System.out.println("child " + p.waitFor());
		} catch (IOException | SecurityException e) {
			System.out.println("refused");
		}
	}

	static void unicode() throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		PrintStream out = new PrintStream(System.out, true, "UTF-8");
		for (String line; (line = in.readLine()) != null;)
			out.println("ä€😀 " + line);
	}

	public static void main(String[] args) throws Exception {
		switch (args.length > 0 ? args[0] : "hello") {
		case "hello": System.out.println("hello, world"); break;
		case "deep": System.out.println(deep(100000)); break;
		case "endless": System.out.println(deep(-1)); break;
		case "memory": memory(); break;
		case "loop": for (;;) { }
		case "error": throw new IllegalStateException("uncaught");
		case "exit3": System.exit(3); break;
		case "threads": threads(); break;
		case "missing":
			try (FileReader f = new FileReader("missing.txt")) {
				System.out.println("there");
			} catch (FileNotFoundException e) {
				System.out.println("missing");
			}
			break;
		case "tmp": writeTmp(); break;
		case "socket": reach(Integer.parseInt(args[1])); break;
		case "fork": child(); break;
		case "unicode": unicode(); break;
		}
	}
}
