#!/bin/bash
# tapc --format on all scripts of the tree: formatting again changes nothing, the tokens and comments are the same ones
# (as another tokenizer sees them), and so is the tree that -p1 prints. Scripts with errors are reported and not changed.
# default: no
# sanitizers: no
type python3 >/dev/null || { echo "no python3"; exit 77; }
fail() { echo "$*"; exit 1; }

# the tokens and comments of FILE, one a line; white space at the ends of a comment's lines does not count
cat >tokens.py <<'END'
import re, sys

TOKEN = re.compile(rb'''(?P<blank>[ \t-\r]+)|(?P<comment>\#[^\n]*|//[^\n]*|/\*.*?\*/)|(?P<c>%\{.*?%\})|"(?:[^"\\]|\\.)*"
	|[$@]\#|[$@]?\d+\w*|@?[\w$]+|<<<|>>>|<<=|>>=|%[(?:)]|[-+*/%.&|^=!<>]=|->|\+\+|--|<<|>>|=~|!~|&&|\|\||.''', re.X | re.S)

def tokens(name):
	text = open(name, 'rb').read().removeprefix(b'\xef\xbb\xbf')
	for match in TOKEN.finditer(text):
		if match['comment']:
			yield b' '.join(match['comment'].split())
		elif not match['blank']:
			yield match[0]

failed = False
for name in sys.stdin.read().split():
	before, after = (list(tokens(folder + '/' + name)) for folder in sys.argv[1:])
	if before != after:
		failed = True
		print(name, next((pair for pair in zip(before, after) if pair[0] != pair[1]), 'length'))
sys.exit(failed)
END

(cd "$SRC" && find examples -name '*.stp' -exec "$TAPC" --format=check {} +) >out 2>&1 ||
	{ cat out; fail "tapc --format=write formats these"; }

mkdir before
(cd "$SRC" && find examples tapsets tests -name '*.stp' -o -name '*.stpm') | LC_ALL=C sort >all
(cd "$SRC" && tar cf - -T -) <all | tar xf - -C before
cp -r before after
chmod -R u+w after
(cd after && xargs "$TAPC" --format=write) <all >out 2>err
status=$?
[[ ! -s out && ( $status = 123 || $status = 0 ) ]] || { cat out err; fail "--format=write: status $status"; }
! grep -B2 -A2 -e defect -e '^tapc:' err || fail "see above"
sed -n 's/^\([^ ]*\.stpm\{0,1\}\):[0-9]*:[0-9]*: error: .*/\1/p' err | LC_ALL=C sort -u >wrong
LC_ALL=C comm -23 all wrong >right
echo "$(wc -l <right) formatted, $(wc -l <wrong) with errors" >counts
[[ $(wc -l <right) -ge 300 && $(wc -l <wrong) -ge 20 ]] || fail "$(<counts)"
# no tokens in a branch that is not taken; macros of a library that -I would name
! grep -v -e ^tests/message -e ^tests/semantic -e parse/condition-lazy -e parse/library-macro -e run-language/macro-library wrong || { cat err; fail "these have no errors"; }
while read -r file; do
	cmp -s "before/$file" "after/$file" || fail "$file has an error but was changed"
done <wrong

(cd after && xargs "$TAPC" --format=check) <right >out 2>&1 || { head out; fail "formatting again changes these"; }
python3 tokens.py before after <right || fail "these have other tokens"

# print FOLDER: what -p1 prints of the scripts, and their number
print()
{
	local n=0

	while read -r file; do
		"$TAPC" --sysroot=/none -r 6.1.0 -a x86_64 -w -g -p1 "$1/$file" 1 2 3 4 2>/dev/null || continue
		n=$((n + 1))
	done < <(grep -e ^examples/ -e ^tests/parse/ -e ^tests/run-language/ right | grep '\.stp$')
	echo "$n scripts"
}
print before >before.out &
print after >after.out
wait
cmp before.out after.out || { diff -U 3 before.out after.out | head -n 40; fail "-p1 prints something else"; }
[[ $(tail -n 1 after.out) =~ ^[1-9][0-9]{2,}' scripts'$ ]] || fail "-p1 printed $(tail -n 1 after.out)"
