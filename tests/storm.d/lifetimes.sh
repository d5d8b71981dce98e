#!/bin/bash
# Every file of a session, held in every way, while the session ends in every way: an open file keeps the module
# counts: cells
# count: 1170
# shellcheck disable=SC2154 # set by tests/lib/storm.sh

prepare()
{
	module t_lifetimes <"$storms/lifetimes.stp"
	program lifetimes adversary/lifetimes.c "$SRC"/tests/adversary/{client,party,session,ways}.c "$SRC/runtime/staging/common/protocol.c"
	program silent adversary/silent.c
}

begin()
{
	modprobe fuse
	export SPLAT=$kernel_splat
}

# One round is one way of ending, all of them make the matrix, which begins with the end FIRST; or the given CELLS of it
# (--set CELLS=control/*/stop).
ends=(stop close rmmod kill-loader kill-holder kill-both delete delete-early tapd-end tapd-client tapd-process
	tapd-killed tapd-told)
round()
{
	local cells=${CELLS:-*/${ends[($1 - 1 + ${FIRST:-0}) % ${#ends[@]}]}}

	./lifetimes --silent ./silent --taprun "$TAPRUN" --tapd "$BUILD/tapd" ./t_lifetimes.ko "$cells" | tee cells
	did "$(grep -cE '^(not )?ok ' cells)"
	storm_stopped=${storm_stopped:+before}	# on a signal it ends immediately: all lines are of complete cells
	! grep -q '^not ok' cells || complaint "$(grep -c '^not ok' cells) cells of $cells"
}
