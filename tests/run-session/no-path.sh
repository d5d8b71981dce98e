#!/bin/bash
# Without PATH, as from a service or cron, or with an empty one, what taprun runs finds programs, and so do their children; a PATH that is
# there stays
# host: "$TAPC" $TAPC_ARGS -p4 -m t_path -e 'probe begin { system("printenv PATH") }'
. "$SRC/tests/lib/session.sh"
usual=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# found WORDS... PATH: by env WORDS, the command of -c and that of system() have PATH
found()
{
	local wanted=${*: -1}

	env "${@:1:$#-1}" "$TAPRUN" -c 'printenv PATH' ./t_path.ko >out 2>err || fail "$*: $?" "$(cat out err)"
	[[ $(<out) = "$wanted"$'\n'"$wanted" ]] || fail "$*" "$(cat out err)"
}
found -u PATH $usual
found PATH= $usual
found -i $usual
found PATH=/usr/bin:/bin /usr/bin:/bin
