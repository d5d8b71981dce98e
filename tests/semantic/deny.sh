#!/bin/bash
# Returns of functions that have hung machines are refused by name, with the reason and its source; patterns skip them
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" 2>&1; }
refused()
{
	echo "$1:"
	tapc -p2 -e "probe $1 { }" | sed -n 's/^[^ ]* note: \(.* may not be probed \)/  \1/p'
}
refused 'kernel.function("do_exit").return'
refused 'kernel.function("_raw_spin_lock").return'
refused 'kprobe.function("__switch_to").return'
for point in 'kernel.function("do_exit")' 'kernel.function("_raw_spin_lock").call' 'kernel.function("vfs_read").return'; do
	tapc -l "$point" >/dev/null || echo "$point is refused"
done
echo "by a pattern: $(tapc -l 'kernel.function("_raw_spin_*").return' | grep -c '^kernel.function')"
tapc -l 'kernel.function("do_e*").return' | grep 'do_exit'
# each line of the list has a source
entries=$(tr -d '\n' <"$SRC/translator/probes/deny.def" | grep -o 'DENY("[^"]*",[^"]*"[^"]*",[^"]*"[^"][^"]*")')
(($(grep -c . <<<"$entries") == $(grep -c '^DENY(' "$SRC/translator/probes/deny.def"))) || echo "a line without a source"
(($(grep -c . <<<"$entries") > 10)) || echo "a short list"
