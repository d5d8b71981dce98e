#!/bin/bash
# $NAME of an enumerator is its value if a function is probed, and @defined; elsewhere the message suggests @enum; it
# cannot be changed
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
# shellcheck disable=SC2086
ask() { "$TAPC" $TAPC_ARGS "$@" >out 2>err; }
fail() { echo "$*"; cat out err; exit 1; }
value=$("$TAPC" $TAPC_ARGS -p2 -e 'probe begin { println(@enum("PIDTYPE_SID")) }' | sed -n 's/^.*println(\([0-9]*\)).*$/\1/p')
[[ -n $value ]] || fail "@enum"
ask -p2 -e 'probe kernel.function("vfs_read") { println($PIDTYPE_SID, @defined($PIDTYPE_SID), @defined($PIDTYPE_SIX)) }' &&
	grep -q "println($value, 1, 0)" out || fail "where a function is probed"
ask -p3 -e 'probe kernel.function("vfs_read").return { println($PIDTYPE_SID, $return) }' && grep -q "k0 = ${value}ll" out || fail "at a return"
! ask -p2 -e 'probe begin { println($PIDTYPE_SID) }' && grep -q "note: there is an enumerator of that name: @enum(\"PIDTYPE_SID\")" err || fail "elsewhere"
for e in '$PIDTYPE_SID = 5' '$PIDTYPE_SID++' '$PIDTYPE_SID += 1'; do
	ask -g -p3 -e "probe kernel.function(\"vfs_read\") { $e }"
	[[ $? = 3 ]] && grep -qF "'\$PIDTYPE_SID' is an enumerator: it cannot be written to" err || fail "$e"
done
! ask -p2 -e 'probe kernel.function("vfs_read") { println($PIDTYPE_SIX) }' && grep -q 'it has: $file' err || fail "neither"
