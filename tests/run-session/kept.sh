#!/bin/bash
# A module built by tapc -p4 stores -b, -d, --ldd, -s and -t: it runs as if taprun were given them
# kernels: all
"$TAPRUN" ./t_kept.ko >out 2>err || exit 1
cat out err
[[ $(<out) = hello ]] || exit 1
grep -q "made with -b: with -o FILE" err || exit 1
grep -q "cannot open '$PWD/./absent' (--image)" err || exit 1
grep -q 'begin, .*hits: 1,' err || exit 1
"$TAPRUN" -o result ./t_kept.ko 2>/dev/null || exit 1
[[ $(cat result_cpu*) = hello && ! -e result ]] || { ls; exit 1; }
"$TAPRUN" ./t_plain.ko >out 2>err || exit 1
[[ $(<out) = hello && ! -s err ]] || { cat err; exit 1; }

# A flight recorder allocates its buffers at once: 3 MB are rounded up to 4; taprun's own -s precedes.
buffers()
{
	"$TAPRUN" -F "$@" ./t_buffer.ko >/dev/null || exit 1
	"$TAPRUN" --sessions | awk '$1 == "t_buffer" { sub("K", "", $9); print $9 }'
	"$TAPRUN" --stop t_buffer >/dev/null
}
kept=$(buffers) given=$(buffers -s 1)
echo "with the module's -s: $kept, with -s 1: $given"
cpus=$(nproc)
((kept >= 4096 * cpus && given >= 1024 * cpus && given < 4096 * cpus)) || exit 1
