#!/bin/bash
# -DTAP_DIRECT: -L and -v say why a function cannot call a handler directly
# shellcheck disable=SC2086 # options are a list of words
"$TAPC" $TAPC_ARGS -l 'kernel.function("vfs_read")' >out 2>err || { echo "no kernel to look at: $(head -n 1 err)"; exit 77; }
failed=
# reason POINT: what -L says of the point's places, each reason once
reason() { "$TAPC" $TAPC_ARGS -DTAP_DIRECT -L "$1" 2>/dev/null | sed -n 's/^\tno direct calls: //p' | sort -u | paste -sd '|'; }
expect() { [[ $2 = "$3" ]] || { echo "$1: '$2', expected '$3'"; failed=1; }; }
expect entry "$(reason 'kernel.function("vfs_read")')" ''
expect return "$(reason 'kernel.function("vfs_read").return')" ''
expect arguments "$(reason 'kernel.function("do_mmap").return')" 'the function has more arguments than registers for them'
expect 'the entry of that' "$(reason 'kernel.function("do_mmap").call')" ''
expect varargs "$(reason 'kernel.function("seq_printf").return')" 'the function takes any number of arguments'
expect tracepoint "$(reason 'kernel.trace("sched_switch")')" ''
expect 'switched off' "$("$TAPC" $TAPC_ARGS -DTAP_DIRECT -DTAP_NO_DIRECT -L 'kernel.function("seq_printf").return' | grep -c 'direct calls')" 0
[[ $TAPC_ARGS = *-DTAP_DIRECT* ]] || expect 'not asked for' "$("$TAPC" $TAPC_ARGS -L 'kernel.function("seq_printf").return' | grep -c 'direct calls')" 0

# handlers SCRIPT: what -v says
handlers() { "$TAPC" $TAPC_ARGS -DTAP_DIRECT -g -v -p3 -e "$1" 2>&1 >/dev/null | grep 'direct calls' | paste -sd '|'; }
expect plain "$(handlers 'global n probe kernel.function("vfs_read"), kernel.function("vfs_read").return { n++ }')" ''
expect stack "$(handlers 'probe kernel.function("vfs_read") { print_backtrace() }')" ''
expect 'stack at a return' "$(handlers 'probe kernel.function("vfs_read").return { print_backtrace() }')" \
	'kernel.function("vfs_read").return: no direct calls: a function that the handler calls reads registers'
expect registers "$(handlers 'probe kernel.function("vfs_read") { print_regs() }')" \
	'kernel.function("vfs_read"): no direct calls: the handler reads all registers'
expect set "$(handlers 'probe kernel.function("vfs_read") { $count = 0 }')" \
	'kernel.function("vfs_read"): no direct calls: the handler assigns to a target variable'
expect timer "$(handlers 'global n probe timer.s(1) { n++ }')" ''
# rows of several places
found=$(handlers 'global n probe kernel.function("_dev_*").return { n++ }')
[[ $found =~ 'kernel.function("_dev_'[a-z]*'").return and '[1-9]*' more: no direct calls: the function takes any number of arguments' ]] ||
	{ echo "several: $found"; failed=1; }
[[ -z $failed ]]
