#!/bin/bash
# tapc, bpftrace, perf and strace count the same events of one process at the same time: system calls, switches, page faults, calls of a function, block requests
# default: no
# timeout: 600
. "$SRC/tests/lib/session.sh"
for tool in bpftrace perf strace; do
	type -P $tool >/dev/null || { echo "no $tool"; exit 77; }
done
tracing=/sys/kernel/tracing
modprobe null_blk nr_devices=1 || { echo 'no null_blk'; exit 77; }
trap 'kill $(jobs -p) 2>/dev/null; wait; echo -:peers/write_null >>$tracing/kprobe_events; rmmod null_blk' EXIT
# for perf, whose own way needs debug information
echo 'p:peers/write_null write_null' >>$tracing/kprobe_events || exit

mkfifo input
./counted /dev/nullb0 <input >output &
target=$!
exec 3>input
asleep() { grep -q '^State:.S' /proc/$target/status && grep -q counted /proc/$target/comm; }
wait_until asleep

# Events before all are attached would be counted by some: strace, which wakes its target, begins first and ends last.
strace -c -U name,calls -o strace.out -p $target 2>strace.err &
strace=$!
wait_until contains strace.err attached
wait_until asleep

calls='getppid write openat close pwrite64 clock_nanosleep'
others='sched:sched_switch exceptions:page_fault_user peers:write_null block:block_getrq'
# shellcheck disable=SC2046,SC2086
perf stat -x ' ' -o perf.out -p $target $(printf -- '-e syscalls:sys_enter_%s ' $calls) $(printf -- '-e %s ' $others) 2>perf.err &
perf=$!
for call in $calls; do
	echo "tracepoint:syscalls:sys_enter_$call /pid == $target/ { @[\"$call\"] = count(); }"
done >program.bt
cat >>program.bt <<END
tracepoint:sched:sched_switch /tid == $target/ { @["sched_switch"] = count(); }
tracepoint:exceptions:page_fault_user /pid == $target/ { @["page_fault_user"] = count(); }
tracepoint:block:block_getrq /pid == $target/ { @["block_getrq"] = count(); }
kprobe:write_null /pid == $target/ { @["write_null"] = count(); }
BEGIN { printf("attached\\n"); }
END
bpftrace program.bt >bpf.out 2>bpf.err &
bpf=$!
start -x $target ./t_peers.ko
printed attached
wait_until contains bpf.out attached
# perf does not tell, but has opened all its counters
counts() { [[ $(readlink /proc/$perf/fd/* | grep -c perf_event) = $(wc -w <<<"$calls $others") ]]; }
wait_until counts
wait_until asleep

echo >&3
wait_until contains output 'done'
wait_until asleep
kill -INT $pid $perf $bpf
# bpftrace loses a SIGINT that comes while it does not wait for events; it catches SIGINT until it has seen one.
noticed() { ((!(0x$(sed -n 's/^SigCgt:\t//p' /proc/$bpf/status 2>/dev/null) & 2))); }
until patience=10 within noticed; do
	kill -INT $bpf
done
wait $pid $perf $bpf
kill -TERM $strace
wait $strace
exec 3>&-
wait $target || fail "counted: status $?"

grep -v attached out | sort >tapc.counts
sed -n 's/^@\[\(.*\)\]: \([0-9]*\)$/\1 \2/p' bpf.out | sort >bpf.counts
awk '/^[0-9]/ { sub(/.*:(sys_enter_)?/, "", $2); print $2, $1 }' perf.out | sort >perf.counts
sort strace.out | awk -v names="$calls" 'index(" " names " ", " " $1 " ") { print $1, $2 }' >strace.counts
echo tapc
cat tapc.counts
for peer in bpf perf; do
	diff tapc.counts $peer.counts >difference || fail "$peer: $(cat difference $peer.err $peer.out)"
done
grep -vE '^(sched_switch|page_fault_user|block_getrq|write_null) ' tapc.counts | diff - strace.counts || fail "strace: $(cat strace.out)"
for count in 'getppid 100' 'write 51' 'openat 7' 'close 7' 'pwrite64 64' 'clock_nanosleep 20' 'write_null 50' 'block_getrq 64'; do
	grep -qx "$count" tapc.counts || fail "not $count"
done
awk '{ n[$1] = $2 } END { exit !(n["page_fault_user"] >= 300 && n["sched_switch"] > 20) }' tapc.counts
