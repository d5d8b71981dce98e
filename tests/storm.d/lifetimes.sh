#!/bin/bash
# Every file of a session, held in every way, while the session ends in every way: who has a file open has the module
# counts: cells
# count: 1170

prepare()
{
	module t_lifetimes <"$storms/lifetimes.stp"
	program lifetimes adversary/lifetimes.c "$SRC"/tests/adversary/{client,party,session,ways}.c "$SRC/runtime/staging/common/protocol.c"
	program silent adversary/silent.c
}

begin()
{
	modprobe fuse
	export SPLAT=$guest_splat
}

# One round is one end, all ends make the matrix, which begins with the end FIRST; or those CELLS of it (--set
# CELLS=control/*/stop).
ends=(stop close rmmod kill-loader kill-holder kill-both delete delete-early tapd-end tapd-client tapd-process
	tapd-killed tapd-told)
round()
{
	local cells=${CELLS:-*/${ends[($1 - 1 + ${FIRST:-0}) % ${#ends[@]}]}}

	./lifetimes --silent ./silent --taprun "$TAPRUN" --tapd "$BUILD/tapd" ./t_lifetimes.ko "$cells" | tee cells
	did "$(grep -cE '^(not )?ok ' cells)"
	storm_stopped=${storm_stopped:+before}	# when told to stop it ends at once: all lines are of whole cells
	! grep -q '^not ok' cells || complaint "$(grep -c '^not ok' cells) cells of $cells"
}
