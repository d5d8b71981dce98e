#!/bin/bash
# tapc -i in a terminal: Ctrl-C ends a script in a virtual machine (:vm) and a simulation, each after its end probes, and not the prompt; nothing is left
# timeout: 600
type tmux >/dev/null || { echo "no tmux"; exit 77; }
mkdir tmp
export TMPDIR=$PWD/tmp XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} LC_ALL=C.UTF-8
export XDG_STATE_HOME=$PWD
. "$SRC/tests/lib/terminal.sh"
patience=240
begin
keys 'probe begin { printf("%s\n", "it " . "begins") }' Enter
keys 'probe end { printf("%s\n", "the " . "end") }' Enter
keys ':vm' Enter
sees '^it begins$'
keys C-c
sees '^the end$' '^tapc> *$'
# the script is there, and so are the other commands
keys 'list 2' Enter
sees '^  2     probe end { '
keys 'set --simulate' Enter run Enter
tries=0
until [[ $(terminal capture-pane -p | grep -c '^it begins$') = 2 ]]; do
	((tries++ < 1000)) || fail "no simulation" "$(cat shown)"
	sleep 0.1
done
keys C-c
until [[ $(terminal capture-pane -p | grep -c '^the end$') = 2 ]]; do
	((tries++ < 1000)) || fail "no end of the simulation" "$(terminal capture-pane -p)"
	sleep 0.1
done
# while it boots: the second Ctrl-C ends the guest
keys unset Enter ':vm' Enter
sees '^tapc> :vm *$'
until compgen -G "$TMPDIR/tapc-vm.*" >/dev/null; do
	((tries++ < 2000)) || fail "no guest" "$(terminal capture-pane -p)"
	sleep 0.1
done
keys C-c
sleep 0.5
keys C-c
sees '^tapc> *$'
keys '= 6 * 7' Enter
sees '^42$'
keys quit Enter
left 130	# of the interrupted guest
# the compiler that the interrupted guest was started with may still be removing its files
files() { find tmp -mindepth 1 -not -path '*/tmux*'; }
end=$((SECONDS + 60))
while [[ -n $(files) ]] && ((SECONDS < end)); do sleep 0.1; done
[[ -z $(files) ]] || fail "left: $(files)"
exit 0
