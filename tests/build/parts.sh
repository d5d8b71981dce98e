#!/bin/bash
# The runtime's sources are compiled when a script first needs them. A script's module has the same functions and data from a
# runtime that has only these, one that grew, and a larger one. Runs that need different parts at the same time, a killed run
# and a damaged object lose nothing.
# sanitizers: no
# timeout: 900
# default: no

shared=$XDG_CACHE_HOME
export XDG_CACHE_HOME=$PWD/cache
kernels=$PWD/cache/tapc/kernels
hello='probe begin { println("x"); exit() }'
reads='global a; probe kernel.function("vfs_read") { a[execname()] <<< $count } probe end { print(@hist_log(a["x"])) }'
calls='probe syscall.open* { println(argstr) } probe timer.profile { println(pid()) }'
files='probe procfs("x").read { $value = "1" } probe begin { print_ubacktrace() }'

fail() { echo "$1"; tail -n 20 -- *.err; exit 1; }

build()
{
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -v -p4 -m tap_parts -e "$2" >"$1.out" 2>"$1.err" || return
	mv tap_parts.ko "$1.ko"
	! grep 'not complete\|kbuild builds' "$1.err"	# all parts were found in the text
}

# the number of compiled sources, and of all
parts() { wc -l <"$(echo "$kernels"/*/parts)"; }
all()
{
	(cd "$(dirname "$TAPC")/share/runtime" &&
		find -L core kernel tapsets -name '*.c' ! -name '*_compile.c' ! -name '*simulate*' | wc -l)
}

# The compiler orders instructions differently where it has read precompiled headers.
same()
{
	for name; do
		nm "$name.ko" | sed 's/^[0-9a-f]* *//' | sort >"$name.names"
	done
	diff "$1.names" "$2.names" >names.diff || fail "$1 and $2 are different modules"
}
# until the entries are gone, the same script would be taken from the cache
forget() { rm -rf cache/tapc/entries/*; }

build first "$hello" || fail "the first script"
few=$(parts)
((few > 1 && few * 3 < $(all))) || fail "the first script compiled $few of $(all) sources"
grep -q '^tapc: building the runtime' first.err || fail "no progress"

build second "${hello/x/another}" || fail "the second script"
(($(parts) == few)) || fail "a script that needed nothing new"
! grep 'building' second.err || fail "it built something"

build reads "$reads" & one=$!
build calls "$calls" & other=$!
wait $one || fail "one of two at once"
wait $other || fail "the other of two at once"
grown=$(parts)
((grown > few && grown < $(all))) || fail "$grown parts of $(all), $few before"
forget
build hello "$hello" || fail "from a runtime that grew"
same first hello

forget
for object in "$kernels"/*.build/core/map.o; do
	printf X | dd of="$object" bs=1 seek=300 conv=notrunc 2>/dev/null
done
# on a terminal the progress moves
TERM=xterm script -qec "$TAPC $TAPC_ARGS -p4 -m tap_parts -e 'probe timer.s(1) { println(ctime(0), ip_ntop(1)) }'" \
	/dev/null >terminal.out 2>terminal.err || fail "after damage"
grep -q $'\r.*building the runtime for kernel .*: [1-9][0-9]* of [1-9]' terminal.out || fail "no moving progress"
(($(parts) >= grown)) || fail "a damaged object: $(parts) parts, $grown before"
forget
build again "$reads" || fail "from a runtime that was repaired"
same reads again

build killed "$files" & pid=$!
while [[ -e $(echo "$kernels"/*.build/clean) ]] && kill -0 $pid; do
	sleep 0.1
done
pkill -9 -P $pid
wait $pid && fail "not killed"
build repaired "$files" || fail "after a killed run"
(($(parts) > grown)) || fail "a killed run: $(parts) parts, $grown before"

XDG_CACHE_HOME=$shared build shared "$reads" || fail "from the runtime of all tests"
same reads shared
exit 0
