# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Attaching many functions, and many other places.

# Globs that match about this many kernel functions.
globs()
{
	case $1 in
	1) echo "$function" ;;
	100) echo 'vfs_* ksys_*' ;;
	1000) echo 'tcp_* ip* vfs_*' ;;
	10000) echo 'a* b* c* d*' ;;
	esac
}

# points FORMAT GLOB...: joined by commas
points()
{
	local format=$1 text

	shift
	# shellcheck disable=SC2059
	printf -v text "$format, " "$@"
	echo "${text%, }"
}

prepare_attach()
{
	local n=$1 list

	read -ra list < <(globs "$n")
	echo "probe begin { println(\"on\") } probe $(points 'kernel.function("%s").call' "${list[@]}") { }" |
		compile "attach$n" && session_job "attach-$n.tapc" "taprun $scratch/bin/attach$n.ko"
	job "attach-$n.bare" <<-EOF
	insmod $scratch/bin/bare.ko mode=ftrace functions=$(IFS=:; echo "${list[*]}")
	cat /sys/module/bare/parameters/attach_ns >/run/attach
	rmmod bare
	dmesg | sed -n 's/.*bare: detached in \([0-9]*\) ns.*/\1/p' | tail -n 1 >/run/detach
	paste /run/attach /run/detach | awk '{ print \$1 / 1e6, \$2 / 1e6 }'
	EOF
	if has_bpftrace && ((n <= 1000)); then	# its maximum, and these take minutes
		printf 'interval:ms:1 { printf("on\\n"); } %s { }\n' "$(points 'kprobe:%s' "${list[@]}")" \
			>"$scratch/bin/attach$n.bt"
		job "attach-$n.kprobe" 300 <<-EOF
		export BPFTRACE_MAX_PROBES=20000
		measure session bpftrace -B line $scratch/bin/attach$n.bt
		EOF
	fi
}

collect_attach()
{
	local peer

	for peer in tapc bare kprobe; do
		keep $peer "attach-$1" "$(result "attach-$1.$peer" 1)"
		keep $peer "detach-$1" "$(result "attach-$1.$peer" 2)"
	done
}

# Many places other than kernel functions at once: WHAT is the part after "attach-" and "detach-".
prepare_spread()
{
	local root=$prefix

	case $1 in
	user) make_many ;;
	places) root=$debug ;;
	esac
	compile "spread_$1" --sysroot "$root" < <(script "attach-$1.stp") &&
		session_job "attach-$1.tapc" "taprun $scratch/bin/spread_$1.ko"
	has_bpftrace && [[ -e $parts/attach-$1.bt ]] || return 0
	bpftrace_points "$1" >"$scratch/bin/spread_$1.bt"
	job "attach-$1.kprobe" 300 <<-EOF
	export BPFTRACE_MAX_PROBES=20000
	ulimit -n 20000
	measure session bpftrace --unsafe -B line $scratch/bin/spread_$1.bt
	EOF
}

# The script, in which a word stands for a list of points.
bpftrace_points()
{
	local text

	text=$(script "attach-$1.bt")
	[[ $text != *PLACES* ]] || text=${text/PLACES/$(places 600)}
	[[ $text != *PACKETS* ]] || text=${text/PACKETS/$(packet_functions)}
	echo "$text"
}

# This many places within functions: after the 5 bytes at the entry that ftrace uses.
places()
{
	translate -l 'kernel.function("tcp_*").call, kernel.function("s*").call' |
		sed -n 's/kernel.function("\([a-z0-9_]*\)["@].*/kprobe:\1+5/p' | sort -u | head -n "$1" |
		paste -s -d ,
}

# All functions that take packets.
packet_functions()
{
	translate -l 'kernel.function("*").takes("sk_buff")' | sed 's/kernel.function("\([^"]*\)".*/kprobe:\1/' | paste -s -d ,
}

# A program of 1,000 functions.
make_many()
{
	{
		seq -f '__attribute__((noinline)) int many_%g(int n) { return n; }' 1000
		echo 'int main(void) { return 0; }'
	} >"$scratch/many.c"
	"${CC:-cc}" -w -O1 -static -o "$scratch/bin/many" "$scratch/many.c"
}

spreads() { rows spread | sed 's/.*-//' | sort -u; }
attach_prepare() { for_each prepare_attach $(sizes attach); }
attach_collect() { for_each collect_attach $(sizes attach); }
spread_prepare() { for_each prepare_spread $(spreads); }
spread_collect() { for_each collect_attach $(spreads); }
