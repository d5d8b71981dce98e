#!/bin/bash
# A call path by direct calls shows what it shows by return hooks: functions, arguments, callers, errors; and calls that are slow
# default: no
# kernels: all
# hardened: no, a kernel of clang has no direct calls
dir=$(mktemp -d /tmp/callpath.XXXXXX) && trap 'rm -r "$dir"' EXIT || exit
cp "$(type -P dd)" "$dir/p1" && cp "$(type -P sleep)" "$dir/p2" || exit
echo hidden >"$dir/secret"
chmod 600 "$dir/secret"
chmod 755 "$dir" "$dir"/p?
cat >work <<END2
cd $dir
for i in 1 2 3; do
	./p1 if=none of=/dev/null
	./p1 if=/dev/zero of=/dev/full bs=1 count=1
	./p1 if=. of=/dev/null
	./p1 if=/etc/passwd of=/dev/null bs=10 count=20
	chroot --userspec=65534:65534 / $dir/p1 if=$dir/secret of=/dev/null
done 2>/dev/null
./p2 0.2
END2
# pointers and file descriptors differ; on a busy machine any call may be slow, but one that sleeps is
same() { sed -E "$([[ $slow = 0 ]] || echo '/sleep/!d; ')s/0x[0-9a-f]{6,}/PTR/g; s/=-?[0-9]{4,}/=NUMBER/g" "$1"; }
supported=
[[ $(uname -m) = x86_64 && $(uname -r) != 5.10* ]] && supported=1
for slow in 0 100000000; do
	for how in hooked direct; do
		"$TAPRUN" -v -c 'bash work' ./t_$how.ko slow=$slow >$how 2>$how.err || { cat $how $how.err; exit 1; }
		same $how >$how.same
	done
	found=$(sed -n 's/.* \([0-9]*\) of them by direct calls/\1/p' direct.err)
	echo "slow=$slow: ${found:-0} places by direct calls, $(wc -l <direct) lines"
	[[ -z $supported || ${found:-0} -ge 20 ]] || { cat direct.err; exit 1; }
	! grep 'direct calls' hooked.err || exit
	diff hooked.same direct.same || exit
	grep -q 'gaps$' direct && ! grep -v ', 0 gaps$' <(grep 'gaps$' direct) || { tail direct; exit 1; }
	! grep 'at no time' direct || exit
	if [[ $slow = 0 ]]; then
		grep -q '^EACCES' direct && grep -q '^ENOENT' direct && grep -q '^generic_permission(' direct || { grep '[0-9] gaps' direct | sort | uniq -c; exit 1; }
	else
		grep -q '^do_nanosleep(.* = 4096 by ' direct || { cat direct; exit 1; }
	fi
done
