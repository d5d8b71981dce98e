#!/bin/bash
# The machine goes down in the middle of a cron job: after the next boot its lock is free, its files cause no trouble, and the module comes from the existing cache
# default: no
# timeout: 900
# shellcheck disable=SC2086
fail() { echo "$*"; tail -n 80 log jobs/*/{out,err,stdout,stderr} 2>/dev/null; exit 1; }
mkdir -p jobs/{1,2} jobs/cache/tapc/{entries,kernels}
cat >jobs/writes.stp <<'END'
global n
probe begin { println("begin") }
probe kernel.function("write_null") { if (execname() == "dd") n++ }
probe end { println(n, " writes") }
END
# the runtime is there, but no module; other tests may be building others meanwhile
"$TAPC" $TAPC_ARGS -p4 -m t_any jobs/writes.stp >log 2>&1 || fail "no runtime"
for runtime in "$XDG_CACHE_HOME"/tapc/kernels/*; do
	[[ $runtime = *.build ]] || cp -r "$runtime" jobs/cache/tapc/kernels/
done
cat >jobs/1/script <<END
cd $PWD/jobs
export XDG_CACHE_HOME=$PWD/jobs/cache
"$TAPC" $TAPC_ARGS -v --lock lock -o 1/out writes.stp 2>1/err &
for i in \$(seq 1200); do grep -qs begin 1/out && break; sleep 0.1; done
grep -q begin 1/out
END
cat >jobs/2/script <<END
cd $PWD/jobs
export XDG_CACHE_HOME=$PWD/jobs/cache
"$TAPC" $TAPC_ARGS -v --lock lock -o 2/out -c 'dd if=/dev/zero of=/dev/null bs=1 count=70 status=none' writes.stp 2>2/err || exit
! grep '^tap_' /proc/modules
END
# --batch runs directories with a cmd
boot()
{
	mv jobs/$1/script jobs/$1/cmd
	echo 300 >jobs/$1/timeout
	$VM --batch "$PWD/jobs" >>log 2>&1 && [[ $(<jobs/$1/status) = 0 && ! -e jobs/$1/trouble ]] || fail "boot $1"
	mv jobs/$1/cmd jobs/$1/script
}
boot 1
boot 2
grep -q 'Pass 4: built the module' jobs/1/err || fail "the first was not built"
[[ $(<jobs/1/out) = begin ]] || fail "the first did not stop in the middle"
grep -q 'Pass 4: took the module from the cache' jobs/2/err || fail "the second was not from the cache"
[[ $(<jobs/2/out) = $'begin\n70 writes' ]] || fail "the second"
