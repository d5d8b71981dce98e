#!/bin/bash
# bpftrace, ftrace, perf probes and a livepatch are attached to and removed from the same functions: all count the same
# counts: rounds
# memory: 1536
# count: 20

prepare()
{
	mkdir patch
	cat >patch/storm_patch.c <<-'END'
		#include <linux/module.h>
		#include <linux/livepatch.h>
		#include <linux/seq_file.h>
		static int patched(struct seq_file *m, void *v)
		{
			seq_puts(m, "patched\n");
			return 0;
		}
		static struct klp_func functions[] = { { .old_name = "cmdline_proc_show", .new_func = patched }, { } };
		static struct klp_object objects[] = { { .funcs = functions }, { } };
		static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };
		static int __init start(void) { return klp_enable_patch(&patch); }
		static void __exit stop(void) { }
		module_init(start);
		module_exit(stop);
		MODULE_LICENSE("GPL");
		MODULE_DESCRIPTION("for tests");
		MODULE_INFO(livepatch, "Y");
	END
	echo 'obj-m := storm_patch.o' >patch/Kbuild
	# shellcheck disable=SC2086
	make -s -C "$SYSROOT/lib/modules/$KREL/build" M="$PWD/patch" $KERNEL_MAKE_ARGS modules >patch/log 2>&1 ||
		{ tail patch/log; echo "storm: no livepatch"; }
	module t_tracers <<-'END'
		global entries, returns, shown
		probe begin { println("begin") }
		probe kernel.function("write_null") { if (execname() == "counted") entries++ }
		probe kernel.function("write_null").return { if (execname() == "counted") returns++ }
		probe kernel.function("cmdline_proc_show") { shown++ }
		probe kernel.function("cmdline_proc_show").return { shown++ }
		probe end { printf("%d %d\n", entries, returns) }
	END
	cp "$(type -P dd)" counted
}

begin() { tracing=/sys/kernel/tracing; }

# One of the others; each continues until it is stopped.
other_begin()
{
	case $1 in
	bpftrace)
		type -P bpftrace >/dev/null && setsid bpftrace -e 'kprobe:write_null { @e = count() } kretprobe:write_null { @r = count() }
			tracepoint:sched:sched_switch { @s = count() }' >bpf.out 2>&1 &
		;;
	function) echo write_null >"$tracing"/set_ftrace_filter; echo function >"$tracing"/current_tracer ;;
	graph) echo write_null >"$tracing"/set_graph_function; echo function_graph >"$tracing"/current_tracer ;;
	kprobe)
		echo 'p:storm/e write_null' >>"$tracing"/kprobe_events; echo 'r:storm/r write_null' >>"$tracing"/kprobe_events
		echo 1 >"$tracing"/events/storm/enable
		;;
	livepatch) [[ ! -e patch/storm_patch.ko ]] || insmod patch/storm_patch.ko ;;
	esac
}

other_end()
{
	case $1 in
	bpftrace) pkill -INT -x bpftrace ;;
	function | graph) echo nop >"$tracing"/current_tracer; : >"$tracing"/set_ftrace_filter; : >"$tracing"/set_graph_function ;;
	kprobe) echo 0 >"$tracing"/events/storm/enable; : >"$tracing"/kprobe_events ;;
	livepatch)
		[[ -d /sys/kernel/livepatch/storm_patch ]] || return
		echo 0 >/sys/kernel/livepatch/storm_patch/enabled
		wait_until eval '[[ ! -d /sys/kernel/livepatch/storm_patch ]]'
		wait_until rmmod storm_patch
		;;
	esac 2>/dev/null
}

round()
{
	local others first writes=$((RANDOM % 200 + 50))

	read -r -d '' -a others < <(shuf -e -n $((RANDOM % 3 + 1)) bpftrace function kprobe livepatch graph)
	first=$((RANDOM % 2))
	((!first)) || for other in "${others[@]}"; do other_begin "$other"; done
	start ./t_tracers.ko
	printed begin
	((first)) || for other in "${others[@]}"; do other_begin "$other"; done
	./counted if=/dev/zero of=/dev/null bs=1 count=$writes status=none
	cat /proc/cmdline >/dev/null
	first=$((RANDOM % 2))
	((!first)) || for other in "${others[@]}"; do other_end "$other"; done
	# shellcheck disable=SC2154
	kill -INT "$pid"
	wait_for "$pid" || complaint "taprun with ${others[*]}: $? $(cat err)"
	((first)) || for other in "${others[@]}"; do other_end "$other"; done
	[[ $(tail -n 1 out) = "$writes $writes" ]] || complaint "with ${others[*]}: $writes writes, $(tail -n 1 out)"
	echo "${others[*]}: $writes writes, seen $(tail -n 1 out)"
	did 1
}

finish()
{
	local other

	for other in bpftrace function kprobe livepatch graph; do
		other_end $other
	done
	# it loses a SIGINT that comes while it does not wait for events
	while pkill -INT -x bpftrace; do sleep 1; done
}
