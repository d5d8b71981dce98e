# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Memory of a session.

prepare_memory()
{
	compile load < <(script load.stp) && job memory.tapc 300 <<-EOF
	measure memory taprun $scratch/bin/load.ko
	EOF
	job memory.bare <<-EOF
	measure memory sh -c 'insmod /bin/bare.ko; echo on; trap "rmmod bare; exit" INT; while :; do read x <>/run/fifo; done'
	EOF
	has_bpftrace || return 0
	script load.bt >"$scratch/bin/load.kprobe.bt"
	job memory.kprobe 300 <<-EOF
	measure memory bpftrace -B line $scratch/bin/load.kprobe.bt
	EOF
}

collect_memory()
{
	local peer

	for peer in tapc bare kprobe; do
		keep $peer memory "$(result memory.$peer 1)"
	done
}

# The cost of a session with the array of NAME.stp, of which little is used.
prepare_array()
{
	local name=${1%-*}

	compile "$name" < <(script "$name.stp") && job "$1.tapc" 300 <<-EOF
	measure memory taprun $scratch/bin/$name.ko
	EOF
	has_bpftrace || return 0
	script "$name.bt" >"$scratch/bin/$name.bt"
	job "$1.kprobe" 300 <<-EOF
	export BPFTRACE_MAP_KEYS_MAX=${1#*-}
	measure memory bpftrace -B line $scratch/bin/$name.bt
	EOF
}

collect_array()
{
	keep tapc "$1" "$(result "$1.tapc" 1)"
	keep kprobe "$1" "$(result "$1.kprobe" 1)"
}

memory_prepare() { prepare_memory; }
memory_collect() { collect_memory; }
array_prepare() { for_each prepare_array $(rows array); }
array_collect() { for_each collect_array $(rows array); }
