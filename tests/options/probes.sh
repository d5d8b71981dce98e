#!/bin/bash
# Probe points that SystemTap documents exist with their variables: probes.names has all of both. "missing": not
# implemented yet; "elsewhere": this kernel lacks the event, and the message says so; "systemtap": a marker in
# SystemTap's programs, which may or may not be installed here; x-: the variable x is not implemented yet.
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
set -e
names=$SRC/tests/options/probes.names
tapc() { "$TAPC" $TAPC_ARGS -p2 "$@"; }

grep -v -e ' missing$' -e ' elsewhere$' -e ' systemtap$' "$names" | awk '{
	text = "probe " $1 " {"
	for (i = 2; i <= NF; i++)
		if ($i !~ /-$/) text = text " println(" $i ")"
	print text " }"
}' >here.stp
[[ $(wc -l <here.stp) -gt 200 ]]
tapc here.stp >/dev/null

sed -n 's/ elsewhere$/ { }/p' "$names" | sed 's/^/probe /' >elsewhere.stp
! tapc elsewhere.stp >/dev/null 2>err || exit 1
[[ $(grep -c 'error: no place to probe' err) -eq $(wc -l <elsewhere.stp) ]]
! grep 'unknown probe point' err || exit 1

sed -n 's/ systemtap$/ { }/p' "$names" | sed 's/^/probe /' >systemtap.stp
tapc systemtap.stp >/dev/null 2>err || grep -q "error: no place to probe for 'stap" err
! grep -e 'unknown probe point' -e 'no variable' err
