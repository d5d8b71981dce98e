# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# tapc --interactive in a terminal of tmux. Each terminal has a separate server, named after the process of the test:
# kill-server answers before the old one has closed its socket.

terminals=0
socket=
terminal() { tmux -u -L "$socket" -f /dev/null "$@"; }
keys() { terminal send-keys "$@"; }
fail() { echo "$*"; terminal kill-server 2>/dev/null; exit 1; }

# sees PATTERN...: wait until each is in a line of the screen, two minutes at most
sees_now()
{
	local pattern

	terminal capture-pane -p >shown || return
	for pattern; do
		grep -q -- "$pattern" shown || return
	done
}
sees()
{
	local end=$((SECONDS + ${patience:-120} * ${SLOW:-1}))

	while ((SECONDS < end)); do
		! sees_now "$@" || return 0
		sleep 0.05
	done
	fail "never seen: $*" "$(cat shown)"
}

# begin ARGUMENT...: a shell in a new terminal; its status will be in the file status
begin()
{
	rm -f status
	socket=t_shell_$$_$((terminals++))
	# shellcheck disable=SC2086
	terminal new-session -d -x 110 -y 30 sh -c 'trap : INT; "$@"; echo $? >status; read -r line' sh "$TAPC" $TAPC_ARGS -i "$@" || fail tmux
	sees 'lists the commands' '^tapc> *$'
}

# left STATUS: tapc has ended with it
left()
{
	local end=$((SECONDS + ${patience:-120} * ${SLOW:-1}))

	while [[ ! -s status ]] && ((SECONDS < end)); do sleep 0.05; done
	[[ $(cat status) = "$1" ]] || fail "status $(cat status), not $1" "$(terminal capture-pane -p)"
	terminal kill-server
}
