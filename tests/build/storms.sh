#!/bin/bash
# The modules of the storm families find places to probe on each kernel that is fetched
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/judge.sh"
. "$SRC/tests/lib/kernel-tests.sh"
. "$SRC/tests/lib/prepare.sh"
. "$SRC/tests/storm.d/families.sh"

bad=0 translated=0 tapc=$TAPC
die() { echo "$*"; bad=1; }

# Nothing is compiled.
translate()
{
	((++translated))
	"$tapc" "${@/#-p4/-p2}"
}
TAPC=translate

for kernel in $(kernel_suite long); do
	kernel_fetched "$kernel" && kernel_environment "$kernel" || continue
	[[ -e $TAPRUN ]] || continue	# for another machine, and not built
	mkdir "$kernel" && cd "$kernel" || exit
	prepare
	cd ..
done
((translated)) || { echo "no kernel is fetched"; exit 77; }
exit $bad
