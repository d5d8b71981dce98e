# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Costs of a hit: a row is NAME.stp and NAME.bt with the same probe. NAME-direct is NAME with direct calls.

# hit_job NAME VERB COMMAND: cost of a call of VERB while COMMAND, which gets `measure VERB` as arguments, probes it
hit_job()
{
	job "$1" <<-EOF
	rm -f /run/with
	measure $2 /run/none
	$3
	cat /run/none /run/with | awk 'NR == 1 { none = \$1; next } { print \$1 - none }'
	EOF
}

prepare_hit()
{
	local row=$1 verb mode

	verb=$(hit_verb "$row")
	compile "$row" --sysroot "$(hit_sysroot "$row")" $([[ $row != *-direct ]] || echo -DTAP_DIRECT) \
		< <(script "${row%-direct}.stp") &&
		hit_job "$row.tapc" "$verb" \
			"taprun -c '$scratch/bin/measure $verb /run/with' $scratch/bin/${row//-/_}.ko >/dev/null"
	for mode in $(hit_bare "$row"); do
		hit_job "$row.bare.$mode" "$verb" "$(hit_bare_command "$mode" "$verb")"
	done
	[[ $row != *-direct && -e $(file_of "$row.bt") ]] && has_bpftrace || return 0
	script "$row.bt" >"$scratch/bin/$row.kprobe.bt"
	script "$row.bt" | to_kfunc >"$scratch/bin/$row.kfunc.bt"
	for mode in kprobe kfunc; do
		[[ $mode = kprobe || $verb = calls ]] || continue
		hit_job "$row.$mode" "$verb" \
			"bpftrace -c '$scratch/bin/measure $verb /run/with' $scratch/bin/$row.$mode.bt >/dev/null"
	done
}

# The probed call.
hit_verb()
{
	case $1 in
	uprobe_landing) echo landing ;;
	uprobe* | uretprobe) echo user ;;
	tracepoint) echo renames ;;
	waits | recorded) echo switches ;;
	openat | opensnoop) echo opens ;;
	*) echo calls ;;
	esac
}

# The address of the function `probed` in its file, for the bare module.
hit_place()
{
	local address text offset

	address=$(nm "$scratch/bin/measure" | awk '$3 == "probed" { print $1 }')
	read -r text offset < <(readelf -SW "$scratch/bin/measure" |
		sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p')
	echo "path=$scratch/bin/measure place=$((0x$address - 0x$text + 0x$offset))"
}

# Local variables need debug information.
hit_sysroot()
{
	case $1 in
	statement) echo "$debug" ;;
	*) echo "$prefix" ;;
	esac
}

# hit_bare_command MODE VERB: what measures /run/with; trace-cmd and perf keep the last events in memory, as the recorder does
hit_bare_command()
{
	local events='-e sched:sched_switch -e sched:sched_waking'

	case $1 in
	trace-cmd) echo "trace-cmd start -b 16384 $events; measure $2 /run/with; trace-cmd reset" ;;
	graph) echo "trace-cmd start -p function_graph -l $function; measure $2 /run/with; trace-cmd reset" ;;
	perf) echo "perf record -q -a --overwrite $events -o /run/perf.data -- measure $2 /run/with" ;;
	*) echo "insmod $scratch/bin/bare.ko mode=$1 $([[ $2 != user ]] || hit_place); measure $2 /run/with; rmmod bare" ;;
	esac
}

# The variants of the bare module for a row, or other programs; if there are several the table shows all.
hit_bare()
{
	case $1 in
	entry | counter) echo ftrace regs kprobe ;;
	return) echo kretprobe ;;
	latency) echo latency ;;
	tracepoint) echo tracepoint ;;
	uprobe) echo uprobe ;;
	uretprobe) echo uretprobe ;;
	slices) ! type -P trace-cmd >/dev/null || echo graph ;;
	recorded) type -P trace-cmd perf | xargs -rn 1 basename ;;
	esac
}

collect_hit()
{
	local row=$1 peer mode all=

	for peer in tapc kprobe kfunc; do
		keep $peer "$row" "$(result "$row.$peer" 1)"
	done
	for mode in $(hit_bare "$row"); do
		all+=/$(result "$row.bare.$mode" 1)
	done
	keep bare "$row" "${all#/}"
}

hit_prepare() { for_each prepare_hit $(rows hit); }
hit_collect() { for_each collect_hit $(rows hit); }
