#!/bin/bash
# One module serves all values of a script's options: they are set when it is started, and the second run takes the
# module from the cache
# sanitizers: no
fail() { echo "$*"; cat out err; exit 1; }
# a tapc whose virtual machine prints the command that would run in it
mkdir -p tree/vm
cp "$TAPC" "$(dirname "$TAPC")/taprun" tree/ 2>/dev/null || { echo "tapc cannot be copied"; exit 77; }
ln -s "$(dirname "$TAPC")/share" tree/share
touch tree/tapc-build-tree
cat >tree/vm/vm <<'V'
#!/bin/sh
while [ "$1" != -- ]; do
	[ "$1" != --remove ] || rm -r "$2"
	shift
done
printf '<%s>' "$@"
V
chmod +x tree/vm/vm
# another script each time this test runs, for the cache
cat >x.stp <<S
global pid = @option("pid|p", 0, "only this process", "0.."), name = @option("name", "", "only this program")
global unused = @option("unused", 1, "read by no handler")
probe begin { println(pid, name, "$PWD"); exit() }
S
# run WORD...: sets said to what comes after the module
run()
{
	# shellcheck disable=SC2086
	tree/tapc $TAPC_ARGS --vm -v x.stp "$@" >out 2>err || { grep -q '^tapc: error: --vm needs' err && { cat err; exit 77; }; fail "$*"; }
	said=$(sed 's/.*module.ko>//' out)
}
run -p 5 --unused=7
[[ $said = '<pid=5><unused=7>' ]] && grep -q 'Pass 4: built' err || fail "the first run"
run --pid=0x10 --unused 2
[[ $said = '<pid=16><unused=2>' ]] && grep -q 'Pass 4: the same as before' err || fail "another value"
run --name 'two words'
[[ $said = '<name=two words>' ]] && grep -q 'Pass 4: took the module from the cache' err || fail "another option"
run
[[ -z $said ]] || fail "no option"
# shellcheck disable=SC2086
tree/tapc $TAPC_ARGS --vm -v x.stp --pid=-1 >out 2>err && fail "a wrong value for a module in the cache"
grep -q "option '--pid' takes a number of at least 0, not '-1'" err || fail "a wrong value"
exit 0
