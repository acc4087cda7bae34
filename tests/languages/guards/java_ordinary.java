// what: what solutions use: lambdas, joined strings, records, enums, switches over strings, generic arrays, threads
import java.io.*;
import java.math.BigInteger;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.*;
import java.util.stream.*;
public class java_ordinary {
	enum Color { RED, GREEN }
	record Point(int x, int y) implements Comparable<Point> { public int compareTo(Point o) { return Integer.compare(x, o.x); } }
	sealed interface Shape permits Circle, Square { }
	record Circle(int r) implements Shape { }
	record Square(int a) implements Shape { }
	static <T> T[] make(Class<T> type, int n) { @SuppressWarnings("unchecked") T[] a = (T[]) java.lang.reflect.Array.newInstance(type, n); return a; }
	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		StreamTokenizer tokens = new StreamTokenizer(in);
		Map<String, List<Integer>> map = new TreeMap<>(Comparator.comparing(String::length).thenComparing(Function.identity()));
		map.computeIfAbsent("a", k -> new ArrayList<>()).add(1);
		Runnable r = (Runnable & Serializable) () -> System.out.println("run " + map + args.length);
		Thread t = new Thread(null, r, "main", 1 << 28); t.start(); t.join();
		ExecutorService pool = Executors.newFixedThreadPool(2); pool.submit(() -> 1).get(); pool.shutdown();
		switch ("x") { case "x": break; default: throw new IllegalStateException(); }
		switch (Color.RED) { case RED -> { } case GREEN -> { } }
		Object o = new Circle(1);
		if (o instanceof Circle c && c.r() == 1) System.out.println(c + " " + c.hashCode() + new Point(1, 2).compareTo(new Point(2, 1)));
		String s = IntStream.range(0, 9).mapToObj(Integer::toString).collect(Collectors.joining(","));
		assert s.length() > 0 : "assertion " + s;
		long free = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
		System.out.printf("%s %d %s %s%n", s, new AtomicLong(3).get(), BigInteger.TEN.pow(20), o.getClass().getSimpleName() + make(String.class, 2).length);
		if (new File("input.txt").exists()) System.setIn(new FileInputStream("input.txt"));
		new Object() { void go() { System.out.println(free > 0 ? EnumSet.allOf(Color.class) : Files.exists(Paths.get("x"))); } }.go();
		System.exit(0);
	}
}
