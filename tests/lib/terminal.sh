# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Commands in a terminal of tmux, whose screen is compared. Each terminal has a separate server, named after the process
# of the test: kill-server answers before the old one has closed its socket.

. "$SRC/tests/lib/session.sh"
terminals=0
socket=
terminal() { tmux -u -L "$socket" -f /dev/null "$@"; }
keys() { terminal send-keys "$@"; }
shown() { terminal capture-pane -p >shown; }
fail() { echo "$*"; terminal kill-server 2>/dev/null; exit 1; }

# sees PATTERN...: wait until each is in a line of the screen
sees() { within sees_now "$@" || fail "never seen: $*" "$(cat shown)"; }
sees_now()
{
	local pattern

	shown || return
	for pattern; do
		grep -q -- "$pattern" shown || return
	done
}

# in_terminal COMMAND...: in a new terminal; the terminal's modes are saved before and after
in_terminal()
{
	rm -f before after left_with
	socket=t_$$_$((terminals++))
	terminal new-session -d -x 110 -y 30 sh -c \
		'trap : INT; stty -g >before; "$@"; echo $? >left_with; stty -g >after; read -r line' sh "$@" || fail tmux
}

# shell ARGUMENT...: tapc --interactive in a new terminal
shell()
{
	# shellcheck disable=SC2086
	in_terminal "$TAPC" $TAPC_ARGS -i "$@"
	sees 'lists the commands' '^tapc> *$'
}

# left STATUS: the command has ended with it, and has restored the modes
left()
{
	within test -s after || fail "not ended" "$(shown; cat shown)"
	[[ $(cat left_with) = "$1" ]] || fail "status $(cat left_with), not $1" "$(shown; cat shown)"
	cmp before after || fail "modes of the terminal"
	shown
	terminal kill-server
}
