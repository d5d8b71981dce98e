# Nothing is left behind in the temporary directory; -k keeps the C and the program.
mkdir tmp
export TMPDIR=$PWD/tmp
"$TAPC" --simulate -e 'probe begin { println("one") }' || exit 1
"$TAPC" --simulate -e 'probe begin { println(1 / zero) }' 2>/dev/null
[ -z "$(ls tmp)" ] || { ls tmp; exit 1; }
"$TAPC" --simulate -k -G number=5 -e 'global number, text = "x"; probe begin { println(number, text) }' 2>err || exit 1
program=$(echo tmp/tapc*/script)
[ "$("$program")" = 5x ] || exit 1
[ "$("$program" number=7 text=yz)" = 7yz ] || exit 1
"$program" none=1 2>err && exit 1
"$program" number=x 2>err && exit 1
exit 0
