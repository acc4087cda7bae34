package main

func name() string {
	return "a part"
}
