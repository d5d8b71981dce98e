#!/bin/bash
# A module that is linked by replay equals the one that kbuild builds from the same script: the same sections,
# relocations, symbols and modinfo; only the versions of imports may be more.
set -e

script='global n; probe begin { n = 1; printf("%d %s\n", n, "x"); exit() } probe timer.s(1) { println(n) }'

facts()
{
	readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | grep -v __versions |
		awk '/BITS|NOTE|RELA?|NULL/ { print $1, $2, $5, $7 }' | sort
	readelf -rW "$1" | grep -v '^Relocation section' | awk '{ print $3, $5, $6, $7 }' | sort
	readelf -sW "$1" | grep -v ____versions | awk '{ print $3, $4, $5, $6, $8 }' | sort
	modinfo "$1" | grep -v ^filename
}

# the 64 bytes of a version: checksum and name
versions()
{
	objcopy -O binary -j __versions "$1" "$1.versions" 2>/dev/null && strings "$1.versions" | sort
}

# ways SCRIPT: the file names "kbuild", if it was built by that, or "kbuild*"
ways()
{
	local dir

	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -g -k -p4 -m tap_test -e "$1" >/dev/null 2>err || { cat err >&2; return 1; }
	dir=$(sed -n 's/^Keeping temporary directory "\(.*\)"$/\1/p' err)
	(cd "$dir" && echo kbuild*)
	rm -r "$dir"
}
# same SCRIPT: by both ways
same()
{
	[[ $(ways "$1") = 'kbuild*' ]] || { echo "built by kbuild: $1"; exit 1; }
	mv tap_test.ko replay.ko
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -g -p4 --kbuild -m tap_test -e "$1" >/dev/null
	mv tap_test.ko kbuild.ko

	facts replay.ko >replay.facts
	facts kbuild.ko >kbuild.facts
	[[ $(wc -l <kbuild.facts) -gt 30 ]]
	diff replay.facts kbuild.facts
	if versions kbuild.ko >/dev/null; then
		versions replay.ko >/dev/null
		missing=$(comm -13 <(versions replay.ko) <(versions kbuild.ko))
		[[ -z $missing ]] || { echo "without versions: $missing"; exit 1; }
	fi
	! readelf -SW replay.ko | grep -E '\.BTF|\.debug_|__mcount_loc'
}
same "$script"
# C of the user may import what the runtime imports
same '%{ #include <linux/slab.h>
	static int unused(void); %}
	function f:long(a:long) %{ /* pure */ char b[8]; snprintf(b, sizeof(b), "%lld", STAP_ARG_a); STAP_RETVALUE = b[0]; %}
	probe begin { println(f(7)); exit() }'
# for other imports and for exports kbuild computes the versions
import='function f:long() %{ STAP_RETVALUE = (long)&jiffies_64_to_clock_t; %} probe begin { println(f()); exit() }'
export='%{ int tap_test_exported; EXPORT_SYMBOL_GPL(tap_test_exported); %} probe begin { exit() }'
for other in "$import" "$export"; do
	[[ $(ways "$other") = kbuild ]] || { echo "not built by kbuild: $other"; exit 1; }
done
# what the runtime has, too
ways '%{ void tap_backlog_drop(void); void tap_backlog_drop(void) { } %} probe begin { exit() }' >out 2>&1 && exit 1
grep -q 'multiple definition' out && grep -q "error: the script's C code cannot be built for kernel" out || { cat out; exit 1; }
