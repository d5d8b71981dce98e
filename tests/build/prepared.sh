#!/bin/bash
# tapc --prepare=system builds the runtime for all users, for a kernel that need not run: another user's first script is
# linked with it and compiles nothing of it. A place that others can write to is not used, and nothing is built there.
# An interrupted or concurrent run does no harm. The hooks of kernel packages in debian/ call it and never fail.
# sanitizers: no
# default: no
[[ $EUID = 0 ]] || { echo "needs root, who becomes another user"; exit 77; }
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
[[ $KREL != "$(uname -r)" ]] || { echo "kernel $KREL is running"; exit 77; }
umask 077		# what is built for all users does not depend on it
export TAPC_PREPARED=$PWD/prepared TAPC_RUNTIME=$PWD/runtime
kernels=$TAPC_PREPARED/$KREL/kernels
chmod 755 .

fail() { head -n 5 -- *.err; echo "$*"; exit 1; }

# The smallest runtime that links, to save time: what begin probes and println need.
mkdir runtime
cp -rL "$BUILD"/share/runtime/{abi,core,kernel,tapsets} runtime/
rm -f runtime/kernel/{syscalls,user}/*.c
find runtime/tapsets -name '*.c' ! -name logging.c -delete
find runtime/kernel/probes -name '*.c' ! -name begin.c -delete
chmod -R a+rX runtime

# shellcheck disable=SC2086
prepare() { "$TAPC" $TAPC_ARGS --prepare=system >"$1.out" 2>"$1.err"; }
# The kernel's headers are below root's home, so bob may read it. make fails: the runtime cannot be built.
mkdir bin home
printf '#!/bin/sh\nexit 1\n' >bin/make
chmod -R 755 bin
chown 1001:1001 home
bob()
{
	local name=$1

	shift
	(cd home && TMPDIR=$PWD XDG_CACHE_HOME=$PWD/cache setpriv --reuid 1001 --regid 1001 --clear-groups --securebits +no_setuid_fixup --inh-caps \
		+dac_read_search --ambient-caps +dac_read_search "$@") >"$name.out" 2>"$name.err"
}
# shellcheck disable=SC2086
script() { bob "$1" env PATH="$PWD/bin:$PATH" "$TAPC" $TAPC_ARGS -v -p4 -m prepared -e "probe begin { println(\"$1\"); exit() }"; }
used() { grep -q "note: the runtime for kernel $KREL is in $kernels/" "$1.err"; }

prepare killed & pid=$!
until [[ -n $(compgen -G "$kernels/*.build/core/*.o") ]] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
pkill -9 -P $pid
wait $pid && fail "not killed"
! script early || fail "an unfinished runtime was used"
[[ -n $(compgen -G "$kernels/.tmp-*") ]] || fail "the killed run left nothing: was it killed?"
old=$kernels/0123456789abcdef0123456789abcdef
mkdir "$old"
prepare one & pid=$!
prepare two || fail "one of two at once"
wait $pid || fail "the other of two at once"
built=$(echo "$kernels"/*)
[[ -s $built/libtap.a && $(find "$kernels" -mindepth 1 -maxdepth 1 | wc -l) = 1 ]] || { ls -A "$kernels"; fail "leftovers"; }
! find "$TAPC_PREPARED" ! -perm -444 -o -type d ! -perm -111 | grep . || fail "not readable for all"
# shellcheck disable=SC2015
(($(cat one.err two.err | grep -c 'building the runtime') == 1)) && prepare again && [[ ! -s again.err ]] || fail "built twice"

script first || fail "another user's first script"
used first && ! grep building first.err || fail "not from the prepared runtime"
[[ -s home/prepared.ko ]] || fail "no module"
# /bin and /usr/bin are one directory, and scripts of packages have another PATH than users
ln -s "$(dirname "$(type -P make)")" same
PATH=$PWD/same:$PATH script same || fail "the compiler's directory by another name"
used same || fail "the compiler's directory by another name: not from the prepared runtime"
# kbuild, for C in a script, only reads there
before=$(find "$TAPC_PREPARED" -printf '%p %T@\n')
# shellcheck disable=SC2086
bob embedded "$TAPC" $TAPC_ARGS -v -g -p4 -m embedded -e 'function f:long() %{ STAP_RETVALUE = 1; %} probe begin { println(f()) }' ||
	fail "C in a script"
used embedded || fail "C in a script: not from the prepared runtime"
[[ $(find "$TAPC_PREPARED" -printf '%p %T@\n') = "$before" ]] || fail "something was written"
# shellcheck disable=SC2086
! bob write "$TAPC" $TAPC_ARGS --poison-cache --prepare=system || fail "another user wrote to it"
grep -q "^tapc: error: cannot lock $kernels/.*: Permission denied" write.err || fail "no reason"
# shellcheck disable=SC2086
! TAPC_PREPARED=$PWD/new bob create "$TAPC" $TAPC_ARGS --prepare=system || fail "another user created it"
grep -q "^tapc: error: cannot write $PWD/new/$KREL/kernels: Permission denied" create.err || fail "no reason"
# shellcheck disable=SC2086
! bob disabled env PATH="$PWD/bin:$PATH" "$TAPC" $TAPC_ARGS -v --disable-cache -p4 -m x -e 'probe begin { }' || fail "--disable-cache"

# refused NAME REASON: users do not use it, and root does not build there
refused()
{
	! script "$1" || fail "$1: used"
	grep -q "note: the runtime in $kernels/.* is not used: $2" "$1.err" || fail "$1: no reason"
	grep -q 'building the runtime' "$1.err" || fail "$1: not built for the user"
}
chmod 777 "$TAPC_PREPARED/$KREL"; refused writable "any user can write to '$TAPC_PREPARED/$KREL'"
! prepare open || fail "root built in a directory of others"
grep -q "the runtime is not built for all users: any user can write to '$TAPC_PREPARED/$KREL'" open.err || fail "root: no reason"
chmod 755 "$TAPC_PREPARED/$KREL"; chown 1002 "$built"; refused stranger "'$built' belongs to user 1002"
chown 0 "$built"; chown 1002 "$built/libtap.a"; refused file "a file is damaged, or other users can write to it"
chown 0 "$built/libtap.a"; cp "$built/recipe" .; echo >>"$built/recipe"; refused damaged "a file is damaged, or other users can write to it"
cat recipe >"$built/recipe"
script sound && used sound || fail "safe again, and not used"

# The hooks of kernel packages.
printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$TAPC" "$TAPC_ARGS" >bin/tapc
chmod +x bin/tapc
rm bin/make
touch -d @0 "$built/manifest"		# its time is that of the last use
hook() { PATH=$PWD/bin:$PATH sh "$SRC/debian/kernel-$1" "$2" /boot/vmlinuz >"$3.out" 2>"$3.err" && [[ ! -s $3.out ]] || fail "hook $3"; }
hook prepared "$KREL" ready
hook prepared 9.9.9-none headers
hook prepared '' release
[[ $(stat -c %Y "$built/manifest") != 0 ]] || fail "the hook did nothing"
[[ ! -s ready.err && ! -s headers.err && ! -s release.err && ! -e $TAPC_PREPARED/9.9.9-none ]] || fail "complaints"
chmod 777 "$TAPC_PREPARED/$KREL"
hook prepared "$KREL" failing
[[ $(wc -l <failing.err) = 1 ]] && grep -q "^tapc: the runtime for kernel $KREL is not prepared: .*any user can write" failing.err ||
	fail "the hook's reason"
mkdir "$TAPC_PREPARED/other" outside
hook removed ../outside outside
hook removed '' none
DEB_MAINT_PARAMS="'upgrade' '1.0'" hook removed "$KREL" upgrade
[[ -e outside && -e $TAPC_PREPARED/other && -e $built ]] || fail "the hook removed too much"
# kernel-install(8) of other distributions runs the same hooks.
install -D "$SRC/debian/kernel-prepared" "$SRC/debian/kernel-removed" -t libexec
plugin() { PATH=$PWD/bin:$PATH TAPC_HOOKS=$PWD/libexec sh "$SRC/rpm/90-tapc.install" "$@"; }
chmod 755 "$TAPC_PREPARED/$KREL"
touch -d @0 "$built/manifest"
plugin add "$KREL" /boot/entry /boot/vmlinuz && [[ $(stat -c %Y "$built/manifest") != 0 ]] || fail "kernel-install did not prepare"
plugin inspect "$KREL" && [[ -e $built ]] || fail "kernel-install: another verb"
plugin remove other /boot/entry && [[ ! -e $TAPC_PREPARED/other && -e $built ]] || fail "kernel-install did not remove"
mkdir "$TAPC_PREPARED/other"
DEB_MAINT_PARAMS="'remove'" hook removed "$KREL" remove
[[ ! -e $TAPC_PREPARED/$KREL && -e $TAPC_PREPARED/other ]] || fail "the hook removed nothing"
exit 0
