#!/bin/bash
# A full disk is named, and nothing is left on it.
if [[ $(id -u) != 0 ]] || ! command -v unshare >/dev/null || ! unshare -m true 2>/dev/null; then
	echo "needs root and mount name spaces"
	exit 77
fi
mkdir small
# a separate namespace: the mount vanishes with it, whatever happens
# shellcheck disable=SC2016
unshare -m bash -c '
	mount -t tmpfs -o size=400k none small || exit 77
	XDG_CACHE_HOME=$PWD/small "$TAPC" $TAPC_ARGS -p4 -m tap_test -e "probe begin { exit() }" 2>err >out
	status=$?
	[[ $status != 0 ]] || { echo "no failure"; exit 1; }
	grep -qi "no space left" err || { cat err; exit 1; }
	left=$(find small -type f; find small -name ".tmp*")
	[[ -z $left ]] || { echo "left: $left"; exit 1; }
'
