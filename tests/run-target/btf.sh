#!/bin/bash
# With only BTF the same scripts give the same values as with DWARF
# kernels: 6.12
# timeout: 720
[[ -s options ]] || { tail -n 1 no-btf; exit 77; }
bad=0
for t in members returns types arguments entry faults; do
	here=$SRC/tests/run-target/$t
	filter="cat"
	[[ ! -e $here.filter ]] || filter=$(<"$here.filter")
	"$TAPRUN" -c "insmod $BUILD/modules/vars/$KREL-btf/vars.ko && rmmod vars" ./t_$t.ko 2>$t.err | bash -c "$filter" >$t.got
	# multidimensional arrays are flat in BTF
	diff <(sed 's/\[\[1, 2, 3\], \[40, 50, 60\]\]/[1, 2, 3, 40, 50, 60]/' "$here.out") $t.got || { echo "$t differs"; cat $t.err; bad=1; }
done
exit $bad
