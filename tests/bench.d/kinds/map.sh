# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Maps and sorting: loops in a begin handler; bpftrace walks through arguments.

prepare_map()
{
	sed "s/SIZE/$1/g" "$parts/map.stp" | compile "map$1" -D MAXMAPENTRIES="$1" "${patient[@]}" &&
		job "map-$1.tapc" <<-EOF
		taprun $scratch/bin/map$1.ko
		EOF
	has_bpftrace || return 0
	script map.bt >"$scratch/bin/map.bt"
	script nothing.bt >"$scratch/bin/nothing.bt"
	job "map-$1.kprobe" 300 <<-EOF
	export BPFTRACE_MAP_KEYS_MAX=$1
	bpftrace -c '$scratch/bin/measure walk /run/none $1 1' $scratch/bin/nothing.bt >/dev/null
	bpftrace -c '$scratch/bin/measure walk /run/with $1 1' $scratch/bin/map.bt >/dev/null
	paste /run/none /run/with | awk '{ print \$3 - \$1, \$4 - \$2 }'
	EOF
}

collect_map()
{
	local peer

	for peer in tapc kprobe; do
		keep $peer "insert-$1" "$(result "map-$1.$peer" 1)"
		keep $peer "update-$1" "$(result "map-$1.$peer" 2)"
	done
}

prepare_sort()
{
	sed "s/SIZE/$1/g" "$parts/sort.stp" | compile "sort$1" -D MAXMAPENTRIES="$1" "${patient[@]}" &&
		job "sort-$1.tapc" <<-EOF
		taprun $scratch/bin/sort$1.ko
		EOF
}

collect_sort()
{
	keep tapc "sort-$1" "$(result "sort-$1.tapc" 1)"
	keep tapc "limit-$1" "$(result "sort-$1.tapc" 2)"
}

# The longest delay of an interrupt.
prepare_gap()
{
	script gap.stp | sed "s/SIZE/$1/g" | compile "gap$1" -D MAXMAPENTRIES="$1" "${patient[@]}" &&
		job "gap-$1.tapc" <<-EOF
		taprun -c 'measure flood 100 0' $scratch/bin/gap$1.ko
		EOF
}

collect_gap() { keep tapc "gap-$1" "$(result "gap-$1.tapc" 1)"; }

map_prepare() { for_each prepare_map $(sizes map); }
map_collect() { for_each collect_map $(sizes map); }
sort_prepare() { for_each prepare_sort $(sizes sort); }
sort_collect() { for_each collect_sort $(sizes sort); }
gap_prepare() { for_each prepare_gap $(sizes gap); }
gap_collect() { for_each collect_gap $(sizes gap); }
