package main

import "fmt"

func main() {
	fmt.Println("42 of", name())
}
