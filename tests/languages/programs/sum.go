package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Scan()
	n, _ := strconv.Atoi(in.Text())
	sum := 0
	for ; n > 0 && in.Scan(); n-- {
		x, _ := strconv.Atoi(in.Text())
		sum += x
		fmt.Fprintln(out, sum)
	}
}
