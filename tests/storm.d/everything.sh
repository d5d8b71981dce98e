#!/bin/bash
# All functions, returns, tracepoints and system calls are probed under load, at the end all at once: no place is harmful
# counts: sessions
# memory: 2048
# count: 8
# shellcheck disable=SC2154 # set by tests/lib/storm.sh

prepare()
{
	program storm run-process/storm.c
	module t_entry_all <<<'global n probe kernel.function("*") { n++ } probe end { printf("%d hits\n", n) }'
	module t_return_all -D MAXSKIPPED=0 <<<'global n probe kernel.function("*").return { n++ } probe end { printf("%d hits\n", n) }'
	module t_trace_all <<<'global n probe kernel.trace("*") { n++ } probe end { printf("%d hits\n", n) }'
	module t_syscall_all <<<'global n probe syscall.* { n++ } probe end { printf("%d hits\n", n) }'
}

begin()
{
	. "$SRC/tests/lib/weather.sh"
	./storm stop & pid_storm=$!
}

# run_session MODULE SECONDS: reports what it did, and what went wrong in the file wrong. Only functions are counted as places.
run_session()
{
	local module=$1 status places

	"$TAPRUN" -v -w -T "$2" "./$module.ko" >"$module.out" 2>"$module.err"
	status=$?
	places=$(grep -o '[0-9]* places probed, [0-9]* failed' "$module.err") &&
		[[ $module = t_@(trace|syscall)_all || $places = [1-9]* ]] &&
		{ grep -q 'too many skipped' "$module.err" ||
		  { ((status == 0)) && grep -q '^[1-9][0-9]* hits$' "$module.out"; }; } ||
		{ echo "$module: $status"; cat "$module.out" "$module.err"; } >>wrong
	echo "$module: status $status, $places, $(tail -n 1 "$module.out") $(grep '^ERROR' "$module.err")"
}

# Four rounds with one session each, then one with all.
round()
{
	local module pids=() modules=(t_{entry,return,trace,syscall}_all)

	weather_change forks programs io memory modules namespaces mounts network sysctl
	echo "weather:$weather_now"
	if (($1 % 5)); then
		run_session "${modules[($1 + SEED) % 4]}" "${BREATH:-10}"
		did 1
	else
		for module in "${modules[@]}"; do
			run_session "$module" "${BREATH:-10}" & pids+=($!)
		done
		wait_for "${pids[@]}"
		did 4
	fi
	[[ ! -s wrong ]] || complaint "$(cat wrong)"
}

finish()
{
	weather_end
	touch stop
	wait "$pid_storm" || complaint "a program failed: $?"
	"$TAPRUN" -d '*'
}
