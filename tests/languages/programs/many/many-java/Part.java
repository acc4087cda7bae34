class Part {
	static String name() {
		return "a part";
	}
}
