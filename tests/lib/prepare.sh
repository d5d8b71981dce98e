# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# What the function prepare() of a storm compiles with: in tests/storm, and in a test that does a part of a storm, which
# must define die().

# module NAME [OPTION...]: NAME.stp or the text on standard input as module NAME.ko.
module()
{
	local name=$1 script=$1.stp

	shift
	[[ -e $script ]] || cat >"$script"
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m "$name" "$@" "$script" >"$name.log" 2>&1 </dev/null && return
	tail -n 20 "$name.log"
	die "$name.stp cannot be compiled for $KREL"
}

# program NAME SOURCE [OPTION...]: for the machine of the guest, see build_cross in tests/run
program()
{
	local name=$1 source=$2

	shift 2
	PATH=${TAPRUN%/*}/tools:$PATH gcc -std=gnu11 -D_GNU_SOURCE= -O1 -g -pthread -I"$SRC/runtime" -I"$SRC/runtime/abi" \
		-I"$SRC/runtime/staging" -o "$name" "$SRC/tests/$source" "$@" || die "$source cannot be compiled"
}
