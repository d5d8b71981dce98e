#!/bin/bash
# -DTAP_DIRECT on kernels where no function can call a handler directly: -L says why
# default: no
. "$SRC/tests/lib/kernels.sh"
failed="" found=""
for kernel in 5.10 arm64; do
	kernel_fetched $kernel || continue
	found+=" $kernel"
	release=$(kernel_release $kernel)
	machine=x86_64 why="not on this kernel ($release): Linux 6.1 is the first one that can"
	[[ $kernel != arm64 ]] || machine=arm64 why='not on this architecture (arm64)'
	said=$("$TAPC" --sysroot "$(kernel_prefix $kernel)" -r "$release" -a $machine -DTAP_DIRECT \
		-L 'kernel.function("vfs_read")' 2>err | sed -n 's/^\tno direct calls: //p' | sort -u)
	[[ $said = "$why" ]] || { echo "$kernel: '$said', expected '$why'"; cat err; failed=1; }
done
[[ $found ]] || { echo "neither 5.10 nor arm64 is fetched"; exit 77; }
[[ -z $failed ]]
