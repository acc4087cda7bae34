/** What a Java program may do: each step must succeed, or fail with IOException where it is the policy's to refuse. */
import java.io.*;
import java.nio.channels.Pipe;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

public class Life {
	static int deeper(int n) {
		return deeper(n + 1) + 1;
	}

	static void must(boolean truth) {
		if (!truth)
			throw new AssertionError();
	}

	static void threads() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Future<Integer>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++)
			all.add(pool.submit(() -> {
				int sum = 0;
				for (int k = 0; k < 3000000; k++)
					sum += k ^ sum;
				return sum;
			}));
		for (Future<Integer> f : all)
			f.get();
		pool.shutdown();
	}

	static void memory() {
		for (int i = 0; i < 400; i++)
			must((new byte[1 << 20])[3] == 0);
		System.gc();
		int caught = 0;
		try {
			deeper(0);
		} catch (StackOverflowError e) {
			caught++;
		}
		try {
			must((new int[Integer.MAX_VALUE - 8]).length > 0);
		} catch (OutOfMemoryError e) {
			caught++;
		}
		must(caught == 2);
	}

	static void files() throws IOException {
		Files.writeString(Path.of("life.txt"), "hello");
		must(Files.readString(Path.of("life.txt")).equals("hello"));
		must(Files.list(Path.of(".")).count() > 1);
		Files.delete(Path.of("life.txt"));
		Pipe.open().source().close();
	}

	static void refused() throws Exception {
		try {
			new java.net.Socket("127.0.0.1", 80).close();
			must(false);
		} catch (IOException e) {
		}
		try {
			new ProcessBuilder("true").start().waitFor();
		} catch (IOException e) {
		}
	}

	public static void main(String[] arguments) throws Exception {
		threads();
		memory();
		files();
		refused();
		Thread.sleep(1);
		System.out.println("good " + new Scanner(System.in).nextInt());
	}
}
