#!/bin/bash
# -o, -b, --flame and --lock in a directory where all users may create files: no link, hard link, pipe or file of another user is used
# host: "$TAPC" $TAPC_ARGS -p4 -m t_public -e 'probe begin { println("main;read 1"); exit() }'
. "$SRC/tests/lib/session.sh"
id eve >/dev/null 2>&1 || useradd -M eve
# the kernel's protection is off, which is its default unless a distribution enables it
for word in symlinks hardlinks fifos regular; do
	echo 0 >/proc/sys/fs/protected_$word
done
mkdir -p /run/public /run/mine
mount -t tmpfs -o mode=1777 none /run/public
echo precious >/run/public/roots
chmod 600 /run/public/roots
echo precious >/run/mine/file
ln -s /run/public/link /run/mine/to-link
setpriv --reuid eve --regid eve --clear-groups bash -c 'cd /run/public
	ln -s /run/mine/file link; ln roots second; mkfifo pipe; echo eves >file; ln -s file own; for i in 0 1 2 3; do ln -s link link_cpu$i; done
	ln -s /run/mine/new dangling' || fail "eve cannot"
refused()
{
	timeout 60 "$TAPRUN" "$@" ./t_public.ko >out 2>err
	[[ $? = 8 ]] && grep -q "another user's or has several links, in a sticky directory" err ||
		fail "not refused: $*" "$(cat out err)"
	[[ $(cat /run/public/roots /run/mine/file) = $'precious\nprecious' && $(</run/public/file) = eves ]] || fail "written to: $*"
	[[ ! -e /run/mine/new ]] || fail "made: $*"
	gone t_public || fail "left: $*"
}
for name in link second pipe file own dangling ../mine/to-link; do
	refused -o /run/public/$name
	refused --lock /run/public/$name
done
refused --flame /run/public/link
refused -b -o /run/public/link

# the user's own files work as before: also links, and standard output by its name
ln -s /run/mine/file /run/public/good
for name in /run/public/good /run/public/new /run/mine/other; do
	"$TAPRUN" -o $name ./t_public.ko 2>err || fail "$name: $?" "$(cat err)"
	[[ $(<$name) = 'main;read 1' ]] || fail "$name" "$(cat $name)"
done
[[ $(</run/mine/file) = 'main;read 1' ]] || fail "own link"
[[ $("$TAPRUN" -o /dev/stdout ./t_public.ko) = 'main;read 1' ]] || fail "/dev/stdout"
(cd /run/mine && "$TAPRUN" -o here --lock lock "$OLDPWD/t_public.ko") && [[ -s /run/mine/here ]] || fail "relative"
umount /run/public
