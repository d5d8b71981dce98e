#!/bin/bash
# A script that was built before is checked as at first if its options differ: wrong ones are refused, valid ones take effect
# sanitizers: no
cat >plain.stp <<'S'
global q
probe begin { q += 3 }
probe end { println(q) }
S
cat >own.stp <<'S'
global count = @option("count", 5, "how many")
probe begin { println(count); exit() }
S
echo 'probe process.begin { println(pid()) }' >process.stp
echo 'probe kernel.function("vfs_read").call { println($no_such_thing) }' >missing.stp
build()		# build NAME OPTION...: its status, and the module's inputs when it was built
{
	local name=$1

	shift
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -p4 -m x "$@" "$name.stp" >out 2>err </dev/null
	echo "$name $*: $?"
	grep -o "^tapc: error: unknown option '[^']*'\|error: no variable '[^']*'" err
	[[ ! -e x.ko ]] || sum=$(md5sum <x.ko)
	rm -f x.ko
}
build plain --dry-run
build plain
build plain
build plain --dry-run
build plain --use-nothing
build own --count=5
five=$sum
build own --cuont=5
build own --count=6
[[ $sum != "$five" ]] || echo "another value, the same module"
build process
any=$sum
build process -c /bin/true
[[ $sum != "$any" ]] || echo "with -c the module for any process"
build missing --skip-badvars
build missing
exit 0
