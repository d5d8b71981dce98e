#!/bin/bash
# -o on a disk that gets full: reported once, status 8, nothing stays loaded; the same for a file that cannot be created
. "$SRC/tests/lib/session.sh"
mkdir small && mount -t tmpfs -o size=100k none small || exit 77
trap 'umount -l small' EXIT
timeout 30 "$TAPRUN" -o small/out ./t_full.ko 2>err
status=$?
[[ $status = 8 ]] && grep -qi "no space left" err || fail "status $status" "$(cat err)"
[[ $(wc -l <err) -le 4 ]] || fail "$(cat err)"
[[ $(head -n 1 small/out) = "0 "* ]] || fail "nothing in it"
gone t_full || fail "still loaded"
"$TAPRUN" -o no/such/folder/out ./t_full.ko 2>err
status=$?
[[ $status = 8 ]] && grep -q "no/such/folder" err || fail "status $status" "$(cat err)"
gone t_full
