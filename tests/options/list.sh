#!/bin/bash
# -l and -L list places, sorted, each once; nothing found is status 1
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" >out 2>err; }
fail() { echo "$*"; head -n 20 out err; exit 1; }
tapc -l 'kernel.function("vfs_r*")' || fail -l
grep -q '^kernel.function("vfs_read")' out && grep -q 'vfs_readlink' out && ! grep -q vfs_write out || fail -l
[[ $(sort out | uniq -d) = '' ]] || fail "twice"
tapc -l 'module("dummy").function("dummy_*")' && grep -q dummy_setup out || fail "a module's"
tapc -l 'kernel.function("no_such_function_*")'
[[ $? = 1 && ! -s out ]] || fail "nothing found"
tapc -l 'timer.s(1)' && grep -q 'timer.s(1)' out || fail timer
tapc -L 'kernel.function("vfs_read")' && grep -q vfs_read out || fail -L
