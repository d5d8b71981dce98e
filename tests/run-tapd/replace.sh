#!/bin/bash
# A user's session takes the place of another one of the user's, or copies its globals; those of other users it can neither read nor end
# arm64: no, tapd is not built for it
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
start_tapd
write() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
usermod -G tapdev eve
as ann "$TAPRUN" ./t_old.ko >old.out 2>old.err & old=$!
wait_until contains old.out 'old begins'
write 20
as ann "$TAPRUN" --values-of=t_old ./t_values.ko >out 2>err || fail "--values-of: $?" "$(cat err log)"
[[ $(<out) = 'n is 20' ]] || fail "--values-of" "$(cat out)"

# other users' sessions are not for her
for option in values-of replace; do
	as eve "$TAPRUN" --$option=t_old ./t_values.ko >out 2>err
	[[ $? = 5 && ! -s out ]] && grep -q "the session 't_old': Permission denied" err || fail "--$option by eve" "$(cat out err)"
	gone t_values || fail "left by --$option"
done
write 3
as ann "$TAPRUN" --replace=t_old ./t_new.ko >new.out 2>new.err & new=$!
wait_until contains new.out 'new begins'
wait $old || fail "the old session: $?" "$(cat old.err)"
grep -q 'old ends' old.out && fail "its end probes ran" "$(cat old.out)"
gone t_old || fail "t_old is left"
write 4
pkill -INT -u ann taprun
wait $new || fail "the new session: $?" "$(cat new.err)"
[[ $(<new.out) = $'new begins 23\nnew ends 27' ]] || fail "the values" "$(cat new.out)"
gone t_new || fail "t_new is left"

# a member of tapusr runs a trusted module with the values that its script has given, and reads them from its output only
mkdir -p "$(realpath /lib/modules)/$KREL/tapc"
cp t_old.ko t_values.ko "$(realpath /lib/modules)/$KREL/tapc/"
as bob "$TAPRUN" ./t_old.ko >bob.out 2>bob.err & old=$!
wait_until contains bob.out 'old begins'
as bob "$TAPRUN" --values-of=t_old ./t_values.ko >out 2>err
[[ $? = 5 && ! -s out ]] && grep -q "the session 't_old': Permission denied" err || fail "a member of tapusr" "$(cat out err)"
as bob bash -c '! true <>/proc/tap:t_old/globals' 2>err || fail "a member of tapusr can write globals"
pkill -INT -u bob taprun
wait $old || fail "bob's session: $?" "$(cat bob.err)"
stop_tapd
