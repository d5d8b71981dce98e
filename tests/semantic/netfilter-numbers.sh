#!/bin/bash
# In guru mode a hook and its family may be numbers or PF_ names; those without hooks in the kernel are refused
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
fail() { echo "$*"; cat err; exit 1; }
# shellcheck disable=SC2086
try() { "$TAPC" $TAPC_ARGS -p2 "${@:3}" -e "probe netfilter.pf(\"$1\").hook(\"$2\") { println(1) }" >out 2>err; }
for pair in 2:0 PF_INET:4 AF_INET6:NF_IP6_FORWARD PF_BRIDGE:NF_BR_FORWARD 3:2 NFPROTO_INET:3; do
	try "${pair%:*}" "${pair#*:}" -g || fail "$pair with -g"
	[[ $pair != [2P]* ]] || { try "${pair%:*}" "${pair#*:}" && fail "$pair without -g"; grep -q 'guru mode (-g)' err; } || fail "$pair: no -g"
done
for pair in 5:0 0:0 99:0 2:5 2:-1 3:3 7:5 NFPROTO_BRIDGE:NF_BR_BROUTING 2:1x PF_INET:; do
	try "${pair%:*}" "${pair#*:}" -g && fail "$pair was taken"
done
exit 0
