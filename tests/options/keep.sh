#!/bin/bash
# -k keeps the temporary directory and names it; without it nothing is left, even after an error
# default: no
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
export TMPDIR=$PWD/tmp
mkdir tmp
# shellcheck disable=SC2086
run() { "$TAPC" $TAPC_ARGS -p4 -m tap_keep "$@" >out 2>err; }
run --disable-cache -e 'probe begin { exit() }' || { cat err; exit 1; }
[[ -z $(ls tmp) ]] || { echo "left: $(ls tmp)"; exit 1; }
run -k -e 'probe begin { exit() }' || { cat err; exit 1; }
dir=$(sed -n 's/^Keeping temporary directory "\(.*\)"$/\1/p' err)
[[ -d $dir ]] && ls "$dir"/*.c >/dev/null || { cat err; exit 1; }
rm -rf "$dir"
run -g -e 'function f() %{ syntax error %} probe begin { f() }'
[[ $? = 4 ]] || { echo "status of broken C"; cat err; exit 1; }
[[ -z $(ls tmp) ]] || { echo "left after an error: $(ls tmp)"; exit 1; }
