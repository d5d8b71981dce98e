#!/bin/bash
# Modules of every probe family are loaded and unloaded, several at once, under all kinds of background load
# counts: loads
# count: 200
# shellcheck disable=SC2154 # set by tests/lib/storm.sh

families=$SRC/tests/storm.d/families

prepare()
{
	local script name arch why

	families_programs
	arch=$(kernel_arch "${kernel%+*}")
	for script in "$families"/*.stp; do
		name=$(basename "$script" .stp)
		[[ $kernel = *+debug ]] || ! directive "$script" debuginfo >/dev/null || continue
		if why=$(directive "$script" "$arch"); then
			echo "storm: $name is left out on $arch: ${why#no, }"
			continue
		fi
		cp "$script" "t_$name.stp"
		# shellcheck disable=SC2046
		module "t_$name" $(directive "$script" tapc)
	done
	rm -f t_*.stp
}

families_programs()
{
	program storm run-process/storm.c
	program stepper run-session/start-fails.c
	program outlived run-session/outlived.c
	program cycles adversary/cycles.c "$SRC"/tests/adversary/{party,session}.c
}

begin()
{
	. "$SRC/tests/lib/weather.sh"
	choose_modules
	families_begin outlived
	expected
	trace_modules
	change_weather
}

# From here on the guest reads these from its memory.
copy_to_memory()
{
	local file

	for file; do
		cp "$file" copy && mv copy "$file"
	done
}

# Sets modules to those of MODULES, words that may be patterns, or to all.
choose_modules()
{
	local module

	# shellcheck disable=SC2206
	modules=(${MODULES:-t_*.ko})
	for module in "${modules[@]}"; do
		[[ -e $module ]] || complaint "there is no $module for this kernel"
	done
}

# Put the address of a function of this kernel into the module that probes an address.
place_absolute()
{
	local address

	[[ -e t_absolute.ko ]] || return 0
	address=$(awk '$3 == "write_null" { print $1; exit }' /proc/kallsyms)
	perl -pi -e "BEGIN { \$to = pack('Q<', 0x$address) } s/\x88\x77\x66\x55\x44\x33\x22\x11/\$to/g" t_absolute.ko
	"$SRC/tests/modules/sign" t_absolute.ko
}

# families_to_memory [PROGRAM]: the modules, and the programs that they probe
families_to_memory()
{
	copy_to_memory ./*.ko storm stepper "$@"
	place_absolute
}

# families_begin [PROGRAM]: with a copy of it, too; background activity for the probes to hit is niced.
families_begin()
{
	cp "$TAPRUN" taprun
	families_to_memory "$@"
	ip link set lo up
	nice -n 19 ./storm stop 50 & pid_storm=$!
	nice -n 19 ./stepper 1000000000 & pid_stepper=$!
}

# Failures that are not the session's fault: memory, CPU hotplug, places in modules that are being unloaded, an error
# that the script begin raises on purpose, scripts whose handlers had no time, those that cannot be for one cgroup, and those
# that print nothing for a timeline, and signed modules under another name.
expected()
{
	printf '%s\n' 'cannot allocate' 'out of memory' 'no memory' 'too many skipped' 'skipped probes' hotplug 'is going' \
		'division by 0' 'follows all threads' 'prints nothing for this --output' \
		'would invalidate its signature' >expected
}

# The kernel counts loads and unloads.
trace_modules()
{
	tracing=/sys/kernel/tracing/instances/storm
	mkdir $tracing
	echo 1 >$tracing/events/module/module_load/enable
	echo 1 >$tracing/events/module/module_free/enable
	loads=0 unloads=0
}

count_modules()
{
	local now

	now=$(grep -c 'module_load: t_' "$tracing"/trace)
	((loads += now))
	did "$now"
	((unloads += $(grep -c 'module_free: t_' "$tracing"/trace)))
	echo >"$tracing"/trace
}

# One weather; BREATH is its duration. WEATHER, if set, are the only ones, as words.
round()
{
	./cycles --taprun ./taprun --seconds "${BREATH:-30}" --workers "${WORKERS:-3}" --seed $((SEED + $1)) --expected expected "${modules[@]}" \
		>cycles.out 2>&1 || complaint "weather$weather_now: $(cat cycles.out)"
	count_modules
	rm -f cycles.*.trace*
	echo "weather$weather_now: $(tail -n 1 cycles.out)"
	change_weather
}

change_weather()
{
	local kinds

	read -r -a kinds <<<"$WEATHER"
	weather_change "${kinds[@]}"
}

finish()
{
	weather_end
	touch stop
	kill "$pid_stepper"
	wait "$pid_storm" || complaint "a probed program failed: $?"
	"$TAPRUN" -d '*'
	wait_until eval '! grep -q "^t_" /proc/modules'
	count_modules
	echo "storm: $loads loads, $unloads unloads"
	((loads == unloads)) || complaint "$loads loads, but $unloads unloads"
	rmdir "$tracing"
}
