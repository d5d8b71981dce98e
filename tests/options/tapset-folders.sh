#!/bin/bash
# Tapset folders: -I before the user's before the shipped ones, directories of the kernel's release and the machine
# first; folders by subject; PATH has the names of programs
release=$(uname -r) base=$(uname -r) machine=$(uname -m)
base=${base%%-*}
add() { mkdir -p "$(dirname "$1")"; echo "function ${3:-which}:string () { return \"$2\" }" >"$1"; }
own=config/tapc/tapsets
add dir/w.stp dir
add dir/subject/o.stp subject other
add dir/"$machine"/w.stp machine
add dir/"${base%.*}"/w.stp minor
add dir/"$base"/w.stp base
add dir/"$release"/w.stp release
add dir/"$release"/"$machine"/w.stp exact
add dir/0.1/w.stp wrong
add dir/ia64/w.stp wrong
add $own/w.stp own
add $own/h.stp mine humane
add $own/e.stp "not the shipped one" cmdline_str
mkdir -p dir/PATH/usr/bin
echo 'probe cat.start = process("cat").begin { }' >dir/PATH/usr/bin/cat.stp
export XDG_CONFIG_HOME=$PWD/config

shows()	# WHAT SCRIPT [OPTION...]
{
	local what=$1 script=$2 shown

	shift 2
	shown=$("$TAPC" --simulate "$@" -e "probe begin { println($script) exit() }") && [[ $shown = "$what" ]] ||
		{ echo "$script $*: '$shown', not '$what'"; exit 1; }
}
for want in exact release base minor machine dir; do
	shows $want 'which()' -I dir
	rm "$(grep -rl "\"$want\"" dir)"
done
shows subject 'other()' -I dir
shows own 'which()'
shows mine 'humane()'
shows 'not the shipped one' 'cmdline_str()'
# instead of the shipped library
add other/o.stp another
echo 'function in_c:long () %{ STAP_RETURN(77); %}' >other/d.stp
echo '@define mine %( "mine" %)' >other/m.stpm
for variable in SYSTEMTAP_TAPSET TAPC_TAPSET; do
	export $variable="$PWD"/other
	shown=$("$TAPC" -g --simulate -T 1 -e 'probe begin { println(which(), @mine, in_c(), cmdline_str()) }') &&
		[[ $shown = "ownmine77not the shipped one" ]] || { echo "$variable: $shown"; exit 1; }
	"$TAPC" --simulate -e 'probe begin { exit() }' >parsed 2>&1 && { echo "$variable: the shipped one is there"; exit 1; }
	grep -q "unknown function 'exit'\|no function 'exit'" parsed || { cat parsed; exit 1; }
	export $variable=
done
SYSTEMTAP_TAPSET=$PWD/none TAPC_TAPSET=$PWD/other "$TAPC" -p1 -e 'probe begin { println(which()) }' >parsed || exit
SYSTEMTAP_TAPSET=$PWD/none "$TAPC" -p1 -e 'probe begin { }' 2>&1 >parsed |
	grep -q "cannot read the tapset folder '$PWD/none' of SYSTEMTAP_TAPSET: No such" || exit
"$TAPC" -I dir -l cat.start | grep -qx cat.start || exit
"$TAPC" -I missing -p1 -e 'probe begin { }' 2>&1 >parsed | grep -q "cannot read the tapset folder 'missing': No such"
