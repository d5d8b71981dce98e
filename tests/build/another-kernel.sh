#!/bin/bash
# A script for a kernel that is not running: reported before anything is loaded, with --vm as advice
[[ $KREL != "$(uname -r)" ]] || { echo "kernel $KREL is running"; exit 77; }
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -e 'probe begin { exit() }' >out 2>err
[[ $? = 5 && ! -s out && $(wc -l <err) = 2 ]] && grep -q "kernel $(uname -r) is running, not $KREL: --vm " err && exit 0
cat err
exit 1
