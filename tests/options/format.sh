#!/bin/bash
# tapc --format: printing, checking, writing; errors leave files as they are
fail() { echo "$*"; exit 1; }
# runs STATUS ARGUMENT...: leaves out and err
runs()
{
	local status=$1

	shift
	"$TAPC" "$@" >out 2>err
	[[ $? = "$status" ]] || { cat out err; fail "tapc $*: expected status $status"; }
}
says() { grep -qF -- "$1" err || { cat err; fail "expected '$1'"; }; }

printf 'probe begin{exit()}\n' >bad.stp
printf 'probe begin { exit() }\n' >good.stp
cp good.stp good.before

# print
runs 0 --format bad.stp
cmp -s out good.stp || fail "printed: $(<out)"
runs 0 --format=print bad.stp good.stp
[[ $(wc -l <out) = 2 ]] || fail "two files: $(<out)"
for input in '' -; do
	runs 0 --format $input <bad.stp
	cmp -s out good.stp || fail "standard input: $(<out)"
done
runs 0 --format -e 'probe begin{exit()}'
cmp -s out good.stp || fail "-e: $(<out)"

# check
runs 0 --format=check good.stp
[[ ! -s out ]] || fail "check of a formatted file: $(<out)"
printf '\nglobal  a\n' >>good.stp
runs 1 --format=check bad.stp good.before good.stp
[[ $(<out) = 'bad.stp:1: not formatted
good.stp:3: not formatted' ]] || fail "check: $(<out)"
runs 1 --format=check - <bad.stp
[[ $(<out) = '<stdin>:1: not formatted' ]] || fail "check: $(<out)"

# write: with the mode, by links, only if something changes
chmod 751 bad.stp
ln -s bad.stp link.stp
touch -d 2001-01-01 good.before
runs 0 --format=write link.stp good.before
[[ ! -s out && -L link.stp && $(stat -c %a bad.stp) = 751 ]] || fail "written: $(ls -l)"
cmp -s bad.stp good.before || fail "written: $(<bad.stp)"
[[ $(stat -c %y good.before) = 2001* ]] || fail "good.before was written"
[[ $(ls) = $'bad.stp\nerr\ngood.before\ngood.stp\nlink.stp\nout' ]] || fail "left over: $(ls)"
mkfifo pipe
(cat good.stp >pipe) &
runs 8 --format=write pipe
says "cannot rewrite pipe: it is not a regular file"
wait
mkdir locked
printf 'global  a\n' >locked/a.stp
chmod 555 locked
if [[ $(id -u) != 0 ]]; then
	runs 8 --format=write locked/a.stp
	says "cannot rewrite locked/a.stp: Permission denied"
fi
chmod 755 locked

# line ends and byte order mark remain, also those in embedded C; bytes that are not UTF-8 in comments and strings
printf '\xef\xbb\xbfprobe begin{\r\n# c\r\nexit()}\r\n%%{ a\r\nb %%}\r\n' >crlf.stp
runs 0 --format crlf.stp
printf '\xef\xbb\xbfprobe begin\r\n{\r\n\t# c\r\n\texit()\r\n}\r\n%%{ a\r\nb %%}\r\n' | cmp -s - out || fail "$(od -c out)"
printf '# \xff\xfe\nglobal  a="\xff"' >bytes.stp
runs 0 --format bytes.stp
printf '# \xff\xfe\nglobal a = "\xff"\n' | cmp -s - out || fail "$(od -c out)"

# errors
broken()		# TEXT MESSAGE
{
	# shellcheck disable=SC2059
	printf "$1" >broken.stp
	cp broken.stp before
	runs 3 --format=write broken.stp good.before
	says "$2"
	[[ ! -s out ]] || fail "printed: $(<out)"
	cmp -s broken.stp before || fail "changed: $(<broken.stp)"
	runs 3 --format broken.stp
	[[ ! -s out ]] || fail "printed: $(<out)"
}
broken 'probe begin { println("a) }\n' 'broken.stp:1:23: error: unterminated string'
broken 'global  a\n/* b\n' 'broken.stp:2:1: error: unterminated comment'
broken 'probe begin { if }\n' "broken.stp:1:18: error: expected '('"
broken 'probe begin { a\n' "error: expected a statement or '}'"
broken 'probe begin { \xff }\n' 'byte 0xff is not UTF-8 text'
broken 'probe begin { a\0b }\n' 'zero byte'
broken '%( 1 == 1 %%? probe begin { }\n' 'error:'
broken 'probe begin { @no_such_macro }\n' 'no_such_macro'
runs 3 --format absent.stp
says "cannot read the script 'absent.stp': No such file or directory"
runs 3 --format locked
says "cannot read the script 'locked': Is a directory"
runs 2 --format=nicely good.stp
says "--format takes print, check or write, not 'nicely'"
runs 2 --format=write -
says "--format=write needs files: standard input cannot be rewritten"
runs 2 --format=write -e 'probe begin { }'
says "--format=write needs files: the text of -e cannot be rewritten"
[[ ! -e /dev/full ]] || { "$TAPC" --format good.before >/dev/full 2>err; [[ $? = 8 ]] || fail "/dev/full"; }
exit 0
