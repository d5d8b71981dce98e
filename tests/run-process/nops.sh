#!/bin/bash
# Markers of our sys/sdt.h: all hits are counted, as bpftrace counts them; Linux 7.2 replaces a probed nop of ten bytes by a call, and
# of two nops each kernel gets the one that it likes
# default: no
# kernels: all 7.2
# arm64: no, there is one nop
. "$SRC/tests/lib/session.sh"
sort -V -C <<<"7.2"$'\n'"$KREL" && calls=yes || calls=
for nop in 1 11; do
	"$TAPRUN" -c "./nops$nop" "./t_nops$nop.ko" >out 2>err || fail "$nop: $?" "$(cat out err)"
	case $nop$calls in
	1 | 1yes) first=breakpoint ;;
	11yes) first='nop call' ;;
	11) first='breakpoint nop10' ;;
	esac
	[[ $(sed -n 1p out) = "$first "* && $(sed -n 1p out) = *' 1' ]] || fail "TAPC_SDT_NOP=$nop: not $first" "$(cat out err)"
	[[ $(sed -n 2p out) =~ ^'1000 hits 500500 sum, at pass+0x'[04]/0x[0-9a-f]+' '.*$ && ! -s err ]] || fail "TAPC_SDT_NOP=$nop" "$(cat out err)"
done
[[ $(./nops11) = 'nop nop10 0' ]] || fail "a nop is not as before" "$(./nops11)"
[[ $KREL = 6.1.* ]] || exit 0
type -P bpftrace >/dev/null || { echo "the counts are right, but there is no bpftrace to compare them with"; exit 77; }
for nop in 1 11; do
	BPFTRACE_MAX_PROBES=1 bpftrace -c "./nops$nop" -e "usdt:./nops$nop:shapes:pass { @n = count(); @sum = sum(arg0); }" >out 2>err ||
		fail "bpftrace: $nop" "$(cat out err)"
	grep -qx '@n: 1000' out && grep -qx '@sum: 500500' out || fail "bpftrace: $nop" "$(cat out err)"
done
exit 0
