#!/bin/bash
# No handler of a tool of the gallery has MAXACTION or MAXACTION_INTERRUPTIBLE as its bound: with full arrays the tool would end without its results
# default: no
# sanitizers: no
# shellcheck disable=SC2086
status=0
while read -r script; do
	arguments=()
	eval "arguments=($(sed -n 's/^# args: //p' "$script"))"
	"$TAPC" $TAPC_ARGS --bound "$script" "${arguments[@]}" >bound 2>err || { cat err; status=1; }
	! grep -B 1 'is the limit$' bound || status=1
done < <(grep -l foreach "$SRC"/examples/*/*.stp)
exit $status
