// Calls a function that swaps out the first pages of the heap before it returns. In them is what describes the goroutine.
package main

import (
	"fmt"
	"os"
	"syscall"
)

const (
	pageout = 21 // MADV_PAGEOUT
	size    = 64 << 10
)

var start uintptr

//go:noinline
func called(n int) int {
	syscall.RawSyscall(syscall.SYS_MADVISE, start, size, pageout)
	return n + 1
}

func main() {
	var room [64]byte
	var sum int

	maps, err := os.ReadFile("/proc/self/maps")
	for at := 0; err == nil && start == 0 && at < len(maps)-2; at++ {
		if at == 0 || maps[at-1] == '\n' {
			copy(room[:], maps[at:])
			if string(room[:2]) == "c0" || string(room[:2]) == "40" {
				fmt.Sscanf(string(room[:]), "%x-", &start)
			}
		}
	}
	if start == 0 {
		panic("no heap")
	}
	for n := 0; n < 200; n++ {
		sum += called(n)
	}
	fmt.Println(sum)
}
