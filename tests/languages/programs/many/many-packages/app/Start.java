package app;

import part.Part;

public class Start {
	public static void main(String[] args) {
		System.out.println("42 of " + Part.name());
	}
}
