#!/bin/bash
# Options after #!/path/tapc are passed as one word; only limits in a script's line "# tapc:" take effect, unless the
# command line sets them
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
fail() { echo "$*"; head -n 20 out err; exit 1; }
printf '#!%s -p2 -D MAXSTRINGLEN=100\t-w \nprobe begin { n = 1; printdln(" ", $#, @1) }\n' "$TAPC" >direct.stp
chmod +x direct.stp
# shellcheck disable=SC2086
{
./direct.stp $TAPC_ARGS word >out 2>err && [[ ! -s err ]] && grep -q 'printdln(" ", 1, "word")' out || fail "as a program"
# the same word on a command line is not split: there is no such first line
"$TAPC" '-p2 -w' ./direct.stp >out 2>err && fail "another word"
cat >limits.stp <<'S'
#!/usr/bin/env tapc
# The required limits are given here.
# tapc: -g -D MAXACTION=4321 -DMAXNESTING=21 -D NOT_A_LIMIT=7 -o /dev/full
probe begin { println("x"); exit() }
# tapc: -D MAXACTION=1111
S
"$TAPC" $TAPC_ARGS -p3 limits.stp >out 2>err && grep -q '= 4321' out && grep -q 'nesting = 21,' out && ! grep -q 1111 out || fail "limits"
"$TAPC" $TAPC_ARGS -p3 -D MAXACTION=777 limits.stp >out 2>err && grep -q '= 777' out && ! grep -q '= 4321' out && grep -q 'nesting = 21,' out || fail "the command line's"
sed -i '3s/NESTING=21/NESTING=0/' limits.stp
"$TAPC" $TAPC_ARGS -p3 limits.stp >out 2>err
[[ $? = 3 ]] && grep -q "MAXNESTING takes a number from 1 to 1000, not '0'" err || fail "a bad one"
# a line cannot request privileges
sed -i '3s/ -DMAXNESTING=0//; 4s/println("x")/%{ %}/' limits.stp
"$TAPC" $TAPC_ARGS -p2 limits.stp >out 2>err
[[ $? = 3 ]] && grep -q 'guru mode' err || fail "guru"
}
