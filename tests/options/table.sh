#!/bin/bash
# Every option of the tables is in the help, in the manual and in the completion of each shell, and in none twice
set -e
fail() { echo "$*"; exit 1; }
make -s -C "$BUILD" doc/tapc.1 doc/taprun.8 >log 2>&1 || { cat log; exit 1; }
made=$BUILD
[[ -e $made/doc/tapc.1 ]] || made=$SRC		# of a tarball, which has them
"$TAPC" -h >tapc.help
"$TAPRUN" -h >taprun.help

# check PROGRAM PAGE TABLE...
check()
{
	local program=$1 page=$2 n=0 spelling letter name help

	shift 2
	sed -n '/^\\fB/{ s/\\f.//g; s/\\-/-/g; p }' "$made/doc/$page" >"$program".manual
	awk -v make=list -f "$SRC/doc/options.awk" "$@" >"$program".rows
	while IFS='|' read -r letter name help; do
		n=$((n + 1))
		grep -qF -- "$help" "$program".help || fail "$program.help: not '$help'"
		for spelling in ${letter:+-$letter} ${name:+--$name}; do
			for file in $program.help $program.manual; do
				[[ $(grep -cE -- "^ *(-., )?$spelling( |,|\[|\$)" "$file") = 1 ]] || fail "$file: not one $spelling"
			done
			grep -q -- "[ ']${spelling}[ ']" "$made/completion/bash/$program" || fail "bash: $program $spelling"
			grep -qF -- "'*$spelling" "$made/completion/zsh/_$program" || fail "zsh: $program $spelling"
		done
		[[ -z $letter ]] || grep -q -- "^complete -c $program -s $letter " "$made/completion/fish/$program.fish" ||
			fail "fish: $program -$letter"
		[[ -z $name ]] || grep -qE -- "^complete -c $program (-s . )?-l $name " "$made/completion/fish/$program.fish" ||
			fail "fish: $program --$name"
	done <"$program".rows
	# the compiler's reading of the table and awk's have as many
	[[ $n -ge 25 && $(grep -cE '^  -' "$program".help) = "$n" ]] || fail "$program.help has others, too"
	[[ $(wc -l <"$program".manual) = "$n" ]] || fail "$program.manual has others, too"
}
common=$SRC/runtime/staging/common/options.def
check tapc tapc.1 "$SRC/translator/source/options.def" "$common"
check taprun taprun.8 "$common" "$SRC/runtime/staging/session/options.def"
if type -P man >/dev/null; then
	for page in tapc.1 taprun.8; do
		LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$made/doc/$page" 2>err >/dev/null
		[[ ! -s err ]] || fail "$(cat err)"
	done
fi
# a name that is nearly right
! "$TAPC" -p1 --kbiuld -e 'probe begin { }' 2>err || fail --kbiuld
grep -qF "unknown option '--kbiuld'; did you mean '--kbuild'?" err || fail "$(cat err)"
