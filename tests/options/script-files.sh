#!/bin/bash
# A script that does not exist, is a folder, cannot be read, is empty or binary: one message with its name, status 3
fails()		# STATUS PATTERN ARGUMENT...
{
	local status=$1 pattern=$2

	shift 2
	"$TAPC" "$@" >out 2>err </dev/null
	[[ $? = "$status" && ! -s out ]] && grep -q -- "$pattern" err && [[ $(wc -l <err) -le 6 ]] && return
	echo "tapc $*: expected $status and '$pattern'"
	head -c 2000 err
	exit 1
}
mkdir folder; : >empty.stp; echo '# nothing' >comment.stp
head -c 3000 /bin/sh >binary.stp
fails 3 "absent.stp.*No such file" -p1 absent.stp
fails 3 "folder.*[Ii]s a directory" -p1 folder
fails 3 "binary.stp" -p1 binary.stp
fails 3 "empty.stp" -p2 empty.stp
fails 3 "comment.stp" -p2 comment.stp
fails 3 "input\|stdin" -p2 -
fails 3 "folder/x" -p1 folder/x
fails 2 "no script" -p1
