// What a Go program may do in a contest: each step must succeed.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func recovers() (caught bool) {
	defer func() { caught = recover() != nil }()
	var nowhere *int
	*nowhere = 1
	return
}

func main() {
	var group sync.WaitGroup
	for i := 0; i < 100; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			b := make([]byte, 1<<20)
			b[5] = 1
		}()
	}
	group.Wait()
	runtime.GC()
	must(os.WriteFile("life.txt", []byte("hello"), 0o600))
	_, err := os.ReadDir(".")
	must(err)
	must(os.Remove("life.txt"))
	select {
	case <-time.After(time.Millisecond):
	}
	big := make([]int64, 30<<20)
	n := 0
	_, err = fmt.Scan(&n)
	must(err)
	if !recovers() || big[7] != 0 {
		panic("no")
	}
	fmt.Println("good", n)
}
