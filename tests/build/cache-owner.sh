#!/bin/bash
# A cache, a folder of temporary files or of tapsets is used only if no other user could have written to it, and is otherwise
# never changed: root with the HOME of another user runs none of that user's modules
# default: no
# sanitizers: no
if [[ $1 != inside ]]; then
	[[ $EUID = 0 ]] || { echo "needs root, who becomes another user"; exit 77; }
	unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
	here=$(mktemp -d /tmp/tapc-owner.XXXXXX) && chmod 755 "$here" || exit
	unshare -m bash "$0" inside "$here"
	status=$?
	rm -rf --one-file-system "$here"
	exit $status
fi
here=$2
cd "$here" || exit
set -e
mkdir home home/{root,bob} build etc
chown 1001:1001 home/bob
printf '%s\n' "root:x:0:0::$here/home/root:/bin/sh" "bob:x:1001:1001::$here/home/bob:/bin/sh" >etc/passwd
printf '%s\n' root:x:0: bob:x:1001: team:x:2000:bob >etc/group
mount --bind etc/passwd /etc/passwd
mount --bind etc/group /etc/group
mount --bind "$BUILD" build
unset XDG_CACHE_HOME XDG_CONFIG_HOME TMPDIR
export HOME=$here/home/root

fail() { echo "$*"; head -n 20 out err; exit 1; }
bob() { setpriv --reuid 1001 --regid 1001 --clear-groups "$@"; }

# cache WHAT: a cache with an entry in x/.cache/tapc, all of it root's
cache()
{
	rm -rf x
	mkdir -p x/.cache/tapc/{entries,kernels}
	: >x/.cache/tapc/entries/entry
	what=$1
}
state() { find x ! -name debuginfod -printf '%p %U:%G %m %l\n' | sort; }
# --clean-cache removes the entries of the cache in use
clean() { (umask 077; HOME=$here/x XDG_CACHE_HOME='' "$@" build/tapc --clean-cache >out 2>err) || fail "$what: status $?"; }
# refused REASON [AS...]
refused()
{
	local before reason=$1

	shift
	before=$(state)
	clean "$@"
	[[ $(state) = "$before" ]] || fail "$what: changed: $(diff <(echo "$before") <(state))"
	grep -q "warning: the cache '$here/x/.cache/tapc' is not used: .*$reason" err || fail "$what: not reported: $reason"
	[[ $(wc -l <err) = 1 ]] || fail "$what: reported more than once"
}
used()
{
	clean "$@"
	[[ ! -s err ]] || fail "$what: complaints"
	[[ ! -e x/.cache/tapc/entries/entry ]] || fail "$what: not used"
}

cache "root's own"; used
cache "readable for all"; chmod 755 x/.cache/tapc{,/entries}; used
[[ $(stat -c %a x/.cache/tapc) = 755 ]] || fail "its mode was changed"
cache "a link of root's above it"; mv x/.cache y; ln -s ../y x/.cache; used; rm -r y
cache "below a folder like /tmp"; chmod 1777 x; used
cache "below one that all may write"; chmod 777 x; refused "any user can write to '$here/x'"
cache "below a group's"; chgrp 2000 x; chmod 770 x; refused "a group of users can write to '$here/x'"
cache "another's home"; chown 1001 x; refused "'$here/x' belongs to bob (user 1001)"
cache "another's .cache"; chown 1001 x/.cache; refused "'$here/x/.cache' belongs to bob"
cache "another's"; chown 1001 x/.cache/tapc; refused "tapc' belongs to bob"
cache "another's entries"; chown 1001 x/.cache/tapc/entries; refused "tapc/entries' belongs to bob"
cache "another's kernels"; chown 1001 x/.cache/tapc/kernels; refused "tapc/kernels' belongs to bob"
cache "entries that all may write"; chmod 1777 x/.cache/tapc/entries; refused "any user can write to"
cache "a link"; mv x/.cache/tapc x/tapc; ln -s ../tapc x/.cache/tapc; refused "tapc' is a link"
cache "linked entries"; mv x/.cache/tapc/entries x; ln -s ../../entries x/.cache/tapc; refused "entries' is a link"
cache "another's link above it"; mv x/.cache x/y; ln -s y x/.cache; chown -h 1001 x/.cache; refused "the link .* belongs to bob"
cache "a file in its place"; rm -r x/.cache/tapc; : >x/.cache/tapc; refused 'Not a directory'
cache "another's file"; chown 1001 x/.cache/tapc/entries/entry
used
grep -q "$here/home/root/.cache/tapc' is used instead" <(HOME=$here/home/bob build/tapc --clean-cache 2>&1) || fail "not root's own"
[[ -d home/root/.cache/tapc/entries ]] || fail "root's own is not made"
[[ $(find home/bob | wc -l) = 1 ]] || fail "something is in bob's home"

cache "bob's"; chown -R 1001:1001 x; chmod 775 x; used bob
cache "root's for bob"; refused 'Permission denied' bob
cache "a group's for bob"; chown -R 1001:2000 x; chmod 775 x; refused 'a group of users' bob

# The module itself: an entry under the script's key is not used.
what=module
mkdir -p warm/tapc
cp -r "$BUILD/tests/cache/tapc/kernels" warm/tapc/ 2>/dev/null || :
e='probe begin { exit() }'
module() { build/tapc $TAPC_ARGS -v -p4 -m t_owner -e "$e" >out 2>err || fail "$what: status $?"; }
if [[ -n $KREL ]]; then
	for _ in first second; do
		XDG_CACHE_HOME=$here/warm module
	done
	grep -q 'took the module from the cache' err || fail "not kept"
	mkdir -p home/root/.cache
	rm -rf home/root/.cache/tapc
	cp -r warm/tapc home/root/.cache/
	rm -rf home/root/.cache/tapc/entries
	# A directory of root that others may write to, with their directories in it.
	rm -rf home/bob/.cache
	mkdir home/bob/.cache public
	chmod 1777 public
	cp -r warm/tapc/* public/
	chown -R 1001:1001 public/* home/bob/.cache
	ln -s "$here/public" home/bob/.cache/tapc
	HOME=$here/home/bob module
	! grep -q 'took the module from the cache' err || fail "another's module was taken"
	grep -q "cache '$here/home/bob/.cache/tapc' is not used: " err || fail "not reported"
	[[ $(stat -c %a public) = 1777 ]] || fail "the mode of a linked folder was changed"
	what="another's entry in root's own"
	chown 1001 home/root/.cache/tapc/entries/*
	module
	! grep -q 'took the module from the cache' err || fail "another's entry was taken"
	what="another's runtime in root's own"
	rm -rf home/root/.cache/tapc/entries
	chown 1001 home/root/.cache/tapc/kernels/*/libtap.a
	mkdir bin
	printf '#!/bin/sh\nexit 1\n' >bin/make
	chmod +x bin/make
	! PATH=$here/bin:$PATH build/tapc $TAPC_ARGS -v -p4 -m t_owner -e "$e" >out 2>err || fail "built without make?"
	grep -q 'building the runtime' err || fail "another's runtime was taken"
fi

# Temporary files.
what=TMPDIR
simulated() { TMPDIR=$1 "${@:2}" build/tapc -k --simulate -e 'probe begin { println("ran") exit() }' >out 2>err || fail "TMPDIR $1"; }
mkdir tmp
simulated "$here/tmp"
grep -q "Keeping temporary directory \"$here/tmp/" err || fail "TMPDIR is not used"
for sign in ' ' : % '#' '$' "'" ';' = ',' \\; do
	mkdir "a${sign}b"; simulated "$here/a${sign}b"
	grep -qF "TMPDIR is not used: make(1) cannot use '$here/a${sign}b'" err || fail "TMPDIR with '$sign'"
	grep -q 'Keeping temporary directory "/tmp/' err || fail "not /tmp for '$sign'"
	rm -rf "a${sign}b" $(sed -n 's/Keeping temporary directory "\(.*\)"/\1/p' err)
done
mkdir a+b@c; simulated "$here/a+b@c"; grep -q "\"$here/a+b@c/" err || fail "TMPDIR with + and @"
chmod 1777 tmp; simulated "$here/tmp"; grep -q "\"$here/tmp/" err || fail "TMPDIR like /tmp"
chmod 777 tmp; simulated "$here/tmp"
grep -q "TMPDIR is not used: any user can write to '$here/tmp'; /tmp is used instead" err || fail "TMPDIR for any user"
grep -q 'Keeping temporary directory "/tmp/' err || fail "not /tmp"
chmod 755 tmp; chown 1001 tmp; simulated "$here/tmp"; grep -q "'$here/tmp' belongs to bob" err || fail "another's TMPDIR"
simulated "$here/tmp" bob; grep -q "\"$here/tmp/" err || fail "bob's own TMPDIR"
[[ $(<out) = ran ]] || fail "did not run"
rm -rf $(sed -n 's/Keeping temporary directory "\(.*\)"/\1/p' err)

# Tapsets, which may contain C.
what=tapsets
mkdir -p conf/tapc/tapsets
echo 'function from_conf() { return 1 }' >conf/tapc/tapsets/own.stp
uses() { XDG_CONFIG_HOME=$here/conf build/tapc -p2 -e 'probe begin { println(from_conf()) }' >out 2>err; }
uses || fail "own tapsets"
chown 1001 conf/tapc
! uses || fail "another's tapsets were read"
grep -q "tapsets in .* are not used: '$here/conf/tapc' belongs to bob" err || fail "another's tapsets"
