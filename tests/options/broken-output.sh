#!/bin/bash
# Output that cannot be written is a failure, not silence
[[ -w /dev/full ]] || { echo "no /dev/full"; exit 77; }
"$TAPC" -h >/dev/full 2>err && { echo "-h"; exit 1; }
"$TAPC" -p1 -e 'probe begin { }' >/dev/full 2>err && { echo "-p1"; exit 1; }
exit 0
