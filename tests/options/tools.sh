#!/bin/bash
# tapc NAME runs a script of the gallery, wherever tapc is run; --tools lists all of them; each has help
# sanitizers: no
fail() { echo "$*"; cat out err; exit 1; }
"$TAPC" --tools >out 2>err || fail --tools
[[ ! -s err && $(wc -l <out) = $(find "$SRC/examples" -name '*.stp' | wc -l) ]] || fail "not a line for each"
! grep -v '^[a-z0-9-]\+  *[A-Z].*?$' out >bad || { cat bad; fail "not a name and a question"; }
LC_ALL=C sort -c out 2>err || fail "not sorted"
grep -q '^opensnoop  *Which files are opened, by which program, and does it succeed?$' out || fail opensnoop
sed 's/ .*//' out >names
mkdir help
while read -r name; do
	"$TAPC" "$name" --help >"help/$name" 2>err && [[ ! -s err ]] || fail "$name --help"
	help=$'\n'$(<"help/$name")
	[[ $help = *$'\n'"Usage: tapc $name"* && $help = *' --help '* && $help =~ $'\n'[A-Z] ]] || fail "$name --help" "$help"
done <names
# --json is an option of all of them, and means what --output=json does
while read -r name; do
	read -r -a args < <(sed -n '/^# args: /{s///p;q}' "$SRC"/examples/*/"$name".stp)
	"$TAPC" -p1 "$name" --json "${args[@]}" >out 2>err && [[ ! -s err ]] || fail "$name --json"
	! grep -q '@option("json["|]' out || fail "$name has another --json"
done <names
for form in --json --output=json; do
	"$TAPC" --check -e 'probe begin { println("x") }' "$form" >"checked$form" 2>err && [[ ! -s err ]] || fail "--check $form"
done
grep -q '^{"type":"bound"' checked--json && cmp checked--json checked--output=json || fail "--check --json"
# a page of the manual for each, with all of its options
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS --man-pages pages >out 2>err || fail --man-pages
[[ $(find pages -name 'tapc-*.1' | wc -l) = $(wc -l <names) ]] || fail "a page for each"
while read -r name; do
	page=$(<"pages/tapc-$name.1") found=
	while read -r line; do
		[[ $line =~ ^(-., )?' '*(--[a-z-]+) ]] || continue
		option=${BASH_REMATCH[2]}
		[[ $option != --help ]] || found=1
		[[ $page = *"${option//-/\\-}"* ]] || fail "pages/tapc-$name.1 has no $option"
	done <"help/$name"
	[[ $found ]] || fail "no options in the help of $name"
	[[ $page = *$'\n'".B tapc $name"$'\n'* && $page = *$'\n.SH DESCRIPTION'* && $page = *$'?\n'* ]] || fail "pages/tapc-$name.1"
done <names
! type -P groff >/dev/null || [[ -z $(groff -man -ww -z pages/*.1 2>&1 | tee out) ]] || fail groff
"$TAPC" -p1 opensnoop -p 5 -x >out 2>err && grep -q '^probe syscall.open' out && [[ ! -s err ]] || fail "by its name"

# wrong FILE MESSAGE
wrong()
{
	"$TAPC" "$1" -T 1 >out 2>err
	[[ $? = 3 && ! -s out && $(head -n 1 err) = "tapc: error: $2" ]] || fail "$1: expected: $2"
}
wrong opensnop "there is no script 'opensnop', and no tool of this name; did you mean 'opensnoop'?"
wrong opensnoop.stp "there is no script 'opensnoop.stp', and no tool of this name; did you mean 'opensnoop'?"
wrong zzzzzzzzzzz "there is no script 'zzzzzzzzzzz', and no tool of this name; tapc --tools lists them"
wrong zzzzzzzzzzz.stp "cannot read the script 'zzzzzzzzzzz.stp': No such file or directory"
wrong ./opensnoop "cannot read the script './opensnoop': No such file or directory"
wrong '' "there is no script '', and no tool of this name; tapc --tools lists them"

# the tool is meant if there is a file of its name, too
echo 'probe begin { println("a file") }' | tee profile >myscript
"$TAPC" -p1 profile >out 2>err && ! grep -q 'a file' out || fail "a file of a tool's name"
[[ $(<err) = "tapc: note: 'profile' is tapc's tool; ./profile is the file in this directory" ]] || fail "no note"
"$TAPC" -p1 --quiet profile >out 2>err && [[ ! -s err ]] || fail "a note with --quiet"
for file in ./profile myscript; do
	"$TAPC" -p1 "$file" >out 2>err && grep -q 'a file' out && [[ ! -s err ]] || fail "$file"
done
mkdir tree
touch tree/tapc-build-tree
cp "$TAPC" tree/tapc || exit 1
tree/tapc --tools >out 2>err
[[ $? = 8 && $(<err) = "tapc: error: there are no tools in '$PWD/tree/share/examples'" ]] || fail "without the gallery"
exit 0
