package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(len(text))
}
