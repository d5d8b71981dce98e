// What goroutines.script measures: the program prints what it should find. Goroutines by the thousand, which grow their
// stacks, move between threads, panic, recover and end in the middle of calls while garbage is collected.
package main

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	workers = 2000
	depth   = 60
)

type pair struct {
	a int32
	b int64
}

type shape interface{ area(scale int) int }
type square struct{ side int }

var calls, arguments, results sync.Map

func count(name string, argument, result int) {
	add := func(m *sync.Map, n int) {
		v, _ := m.LoadOrStore(name, new(int64))
		atomic.AddInt64(v.(*int64), int64(n))
	}
	add(&calls, 1)
	add(&arguments, argument)
	add(&results, result)
}

//go:noinline
func add(a, b int) int { return a + b }

//go:noinline
func named(a int, s string) (n int, err error) {
	if a%2 != 0 {
		return -a, errors.New("odd")
	}
	n = a + len(s)
	return
}

//go:noinline
func pairs(p pair, q *pair) (pair, string) {
	return pair{p.a + q.a, p.b - q.b}, "result"[:p.a&3+1]
}

//go:noinline
func small(a int8, b uint16, c bool, f float64) (int8, uint16, bool, float64) {
	return -a, b + 65000, !c, f + 1
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r int) (s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff, gg, hh, ii, jj int) {
	return r, q, p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a
}

//go:noinline
func arrays(a [2]int, _ int, b uint8, _ [3]byte, _ string, d [2]uint8) (c [2]int, e uint8) {
	return [2]int{a[1], a[0]}, b + d[1]
}

//go:noinline
func choose(n int) int {
	switch n % 10 {
	case 0:
		return add(n, 1)
	case 1:
		return n * 3
	case 2:
		return n - 7
	case 3:
		return n ^ 5
	case 4:
		return n + 100
	case 5:
		return n << 2
	case 6:
		return -n
	case 7:
		return n / 3
	case 8:
		return add(n, 2)
	}
	return 0
}

//go:noinline
func deep(n int) int {
	var room [40]int
	room[n%40] = n
	if n == 0 {
		return 1
	}
	return deep(n-1) + room[n%40] - n + 1
}

//go:noinline
func fails(n int) int {
	if n%3 == 0 {
		panic("three")
	}
	return n * 2
}

//go:noinline
func recovers(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = -n
		}
	}()
	return fails(n)
}

//go:noinline
func ends(n int) int {
	if n >= 0 {
		runtime.Goexit()
	}
	return n
}

//go:noinline
func waits(n int, c chan int) int {
	runtime.Gosched()
	return n + <-c
}

//go:noinline
func (s square) area(scale int) int { return s.side * s.side * scale }

func check(good bool) {
	if !good {
		panic("wrong result")
	}
}

func work(i int, garbage *[]byte) {
	count("add", i*2+i+1, add(i, i+1))
	n, err := named(i, "text")
	check((err != nil) == (i%2 != 0))
	odd := i % 2
	count("named", i*3+4, n*2+odd)
	p, s := pairs(pair{int32(i), int64(-i)}, &pair{1, 1 << 40})
	count("pairs", i*3-i, int(p.a)+int(p.b)+len(s))
	a, b, c, f := small(int8(i), uint16(i), i%5 == 0, float64(i))
	check(f == float64(i)+1)
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	count("small", int(int8(i))+int(uint16(i))+flag(i%5 == 0), int(a)+int(b)+flag(c))
	s1, _, _, _, _, _, y1, _, _, b1, _, _, _, _, _, _, _, j1 := many(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, i+18)
	count("many", i+12+(i+18), s1+y1+b1+j1*5)
	x, d := arrays([2]int{i, i * 2}, 77, uint8(i), [3]byte{7, 7, 7}, "seven", [2]uint8{3, 1})
	count("arrays", i+i*2*3+int(uint8(i)), x[0]*2+x[1]+int(d))
	count("choose", i, choose(i))
	if i%10 == 0 {
		count("add", i*2+1, i+1)
	} else if i%10 == 8 {
		count("add", i*2+2, i+2)
	}
	if i%10 == 0 {
		check(deep(depth) == depth+1)
		for n := 0; n <= depth; n++ {
			count("deep", n, n+1)
		}
	}
	r := recovers(i)
	count("recovers", i, r)
	if i%3 == 0 {
		count("fails", i, 0)
	} else {
		count("fails", i, i*2)
	}
	var sh shape = square{i}
	count("area", i+3, sh.area(3))
	*garbage = make([]byte, 4096)
}

func main() {
	var all, ready sync.WaitGroup
	channel := make(chan int)

	runtime.GOMAXPROCS(4)
	for i := 0; i < workers; i++ {
		all.Add(1)
		ready.Add(1)
		go func(i int) {
			var garbage []byte

			defer all.Done()
			work(i, &garbage)
			ready.Done()
			count("waits", i, waits(i, channel)-i)
			if i%20 == 0 {
				count("ends", i, 0)
				ends(i)
			}
		}(i)
	}
	ready.Wait()
	runtime.GC()
	for i := 0; i < workers; i++ {
		channel <- 5
	}
	all.Wait()
	for _, name := range []string{"add", "named", "pairs", "small", "many", "arrays", "choose", "deep", "recovers", "fails", "area", "waits", "ends"} {
		number := func(m *sync.Map) string {
			v, _ := m.Load(name)
			return strconv.FormatInt(*v.(*int64), 10)
		}
		os.Stdout.WriteString(name + ": " + number(&calls) + " calls, arguments " + number(&arguments) + ", results " + number(&results) + "\n")
	}
}
