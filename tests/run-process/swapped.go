// Calls a function that swaps out the first pages of the heap before it returns. In them is what describes the goroutine.
package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

const (
	pageout = 21 // MADV_PAGEOUT
	size    = 64 << 10
	arena   = 64 << 20 // the alignment of the heap: heapArenaBytes
)

var (
	onHeap *int
	start  uintptr
)

//go:noinline
func called(n int) int {
	syscall.RawSyscall(syscall.SYS_MADVISE, start, size, pageout)
	return n + 1
}

func main() {
	var sum int

	onHeap = new(int)
	start = uintptr(unsafe.Pointer(onHeap)) &^ (arena - 1)
	for n := 0; n < 200; n++ {
		sum += called(n)
	}
	fmt.Println(sum)
}
