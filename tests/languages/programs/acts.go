// One act of a contestant's program, by its name.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
)

func deep(n int64) int64 {
	if n == 0 {
		return 0
	}
	return deep(n-1) + 1
}

func memory() {
	var all [][]byte
	for {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 1
		}
		all = append(all, block)
	}
}

func threads() {
	var wait sync.WaitGroup
	var part [4]int
	for i := range part {
		wait.Add(1)
		go func(at int) {
			for k := 1; k <= 1000; k++ {
				part[at] += k
			}
			wait.Done()
		}(i)
	}
	wait.Wait()
	fmt.Println(part[0] + part[1] + part[2] + part[3])
}

func main() {
	act := "hello"
	if len(os.Args) > 1 {
		act = os.Args[1]
	}
	switch act {
	case "hello":
		fmt.Println("hello, world")
	case "deep":
		fmt.Println(deep(100000))
	case "endless":
		fmt.Println(deep(-1))
	case "memory":
		memory()
	case "loop":
		for {
		}
	case "error":
		panic("uncaught")
	case "exit3":
		os.Exit(3)
	case "threads":
		threads()
	case "missing":
		if _, err := os.Open("missing.txt"); err != nil {
			fmt.Println("missing")
		}
	case "tmp":
		os.WriteFile("/tmp/act.txt", []byte("kept"), 0600)
		text, err := os.ReadFile("/tmp/act.txt")
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	case "unicode":
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Println("ä€😀", in.Text())
		}
	}
}
