#!/bin/bash
# What threads wait for: chains that are known, and times that add up to the wall time.
# kernels: all

ip link set lo up && modprobe loop || exit
truncate -s 8M disk
device=$(losetup -f)
losetup "$device" disk || exit
"$TAPRUN" -w -c "./chains $device" ./t_waits.ko top=500 >waits 2>waits.err || { cat waits waits.err; exit 1; }
losetup -d "$device"
cat waits.err
[[ ! -s waits.err ]] || exit

# all time of a thread is that on a CPU, in which it was runnable, or waited; and it is all the time that it lived
awk '$1 == "lived" { lived[$2] = $3; most[$2] = $4 }
     $1 in lived && NF == 5 { sum = $3 + $4 + $5
	if (sum < $2 * 0.99 || sum > $2 * 1.01 || $2 < lived[$1] * 0.99) { print "time of " $1 ": " $0 ", lived " lived[$1]; bad = 1 }
	# for its death, after it was joined, it needs a CPU, and the emulator one of the host
	if ($2 > most[$1] * 1.01 + $4 + 20000) { print $1 " lived at most " most[$1] ": " $0; bad = 1 }
	seen++ }
     END { exit bad || seen < 28 }' waits || { head -40 waits; exit 1; }

# LEAST CHAIN: a thread waits for at least so many us by this chain
expected='270000 p4 in clock_nanosleep <- timer hrtimer_wakeup
240000 p3 in read <- p4 in clock_nanosleep <- timer hrtimer_wakeup
240000 p2 in read <- p3 in read <- p4 in clock_nanosleep <- timer hrtimer_wakeup
240000 p1 in read <- p2 in read <- p3 in read <- p4 in clock_nanosleep <- timer hrtimer_wakeup
160000 c1 in read <- c2 in clock_nanosleep <- timer hrtimer_wakeup
80000 c1 in read <- c2 runs
240000 f1 in futex <- f2 in clock_nanosleep <- timer hrtimer_wakeup
240000 s1 in recvfrom <- s2 in clock_nanosleep <- timer hrtimer_wakeup
300 d1 in pread64 <- disk loop0
380000 h1 in futex <- h2 in clock_nanosleep <- timer hrtimer_wakeup
150000 e1 in read <- e0 in clock_nanosleep <- timer hrtimer_wakeup
150000 e7 in read <- e6 in read <- e5 in read <- e4 in read <- e3 in read <- e2 in read <- e1 in read <- e0 in clock_nanosleep <- timer hrtimer_wakeup
150000 e8 in read <- e7 in read <- e6 in read <- e5 in read <- e4 in read <- e3 in read <- e2 in read <- e1 in read <- no room for more
150000 e9 in read <- e8 in read <- e7 in read <- e6 in read <- e5 in read <- e4 in read <- e3 in read <- e2 in read <- no room for more'
# the holder of a lock is known since 6.1
holder='lock held by '
[[ $(uname -r) != 5.* ]] || holder=
# threads execute softirqs with PREEMPT_RT
[[ $(uname -v) = *PREEMPT_RT* ]] || expected+=$'\n200000 n1 in recvfrom <- network lo'
expected+=$'\n'"180000 l1 in write <- ${holder}l2 in write <- l3 in clock_nanosleep <- timer hrtimer_wakeup"
bad=0
while read -r least chain; do
	awk -v least="$least" -v chain="$chain" '{ n = $1; us = $2; sub(/^ *[0-9]+ +[0-9]+ +[0-9]+  /, "") }
		$0 == chain { found = us }
		END { if (found < least) { print chain ": " found " us, not " least; exit 1 } }' waits || bad=1
done <<<"$expected"
grep -qE ' w1 in write <- ([a-z_]+ runs|kworker .*)$' waits || { echo 'no work'; bad=1; }
((bad == 0))

fail() { echo "$*"; exit 1; }
run() { "$TAPRUN" -w "$@" >out 2>err || fail "$*: $(cat out err)"; }

# where it waited, as lines for a flame graph, and as a timeline: the timer is within the wait
run -c "sleep 0.5" ./t_waits.ko stack=1 top=500
grep -A 9 '^sleep in clock_nanosleep <- timer hrtimer_wakeup: 1 waits, [0-9]\{6\} us' out | grep -q nanosleep || fail "stack: $(cat out)"
# interrupts that have threads have different ones
[[ $(uname -v) != *PREEMPT_RT* ]] || grep -q '^sleep in [a-z]* <- irq/[0-9]*-.* <- interrupt: ' out || fail "interrupts: $(cat out)"
run -c "sleep 0.5" ./t_waits.ko folded=1
grep -q '^sleep;.*nanosleep.*;clock_nanosleep;timer hrtimer_wakeup [0-9]\{6\}$' out || fail "folded: $(cat out)"
run -c "sleep 0.5" ./t_waits.ko draw=1 min_us=300000
sed -n 's/^span \(.*\) [0-9]\{9\} ns, [0-9]* ns ago \[wait [0-9]*: sleep [0-9]*\]$/\1/p' out >names
diff - names <<<'timer hrtimer_wakeup
sleep in clock_nanosleep' || fail "draw: $(cat out)"

# a lock that is never given back
./chains lock &
run -c 'touch go; exec sleep 3' ./t_waits.ko "only_pid=$!" top=500
kill -9 $!
[[ ! $holder ]] || grep -qE '^ *1 +[0-9]{7,} +[0-9]+  l1 in write <- lock held by l2 in write <- not woken up$' out || fail "lock: $(cat out)"

# only some of them; a thread that sleeps all the time
sleep 1000 &
run -T 1 ./t_waits.ko "only_pid=$!"
grep -qE '^ *1 +[0-9]{6,} +[0-9]+  sleep <- not woken up$' out || fail "pid: $(cat out)"
[[ $(awk 'NF == 5' out) = sleep* && $(grep -c . out) = 4 ]] || fail "only pid: $(cat out)"
kill $!
run -c "sleep 0.2" ./t_waits.ko only_name=no-such-thread
[[ $(grep -c . out) = 2 ]] || fail "name: $(cat out)"
run -c "sleep 0.05" ./t_waits.ko min_us=5000000 depth=1
grep -qE '^ *[0-9]+ +[0-9]{5,} +[0-9]+  sleep: shorter waits$' out || fail "min-us: $(cat out)"
