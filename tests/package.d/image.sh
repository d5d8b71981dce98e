# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Containerfile makes an image; podman runs it by the command in doc/fleet.md, and its script traces the machine
# No registry: the base image is a base system without its kernel. --isolation=chroot: crun refuses the machine's cgroups if
# they are of both versions.
# shellcheck disable=SC2032
image() { buildah --root "$PWD/store" --runroot "$PWD/run" "$@"; }

base_image()
{
	local container

	tar -C "$(debian_dir bookworm)" --exclude='./boot/*' --exclude='./usr/lib/modules/*' --exclude='./var/cache/apt/*' \
		-c -f base.tar . && container=$(image from scratch) && image add -q "$container" base.tar / &&
		image commit -q "$container" localhost/debian:bookworm && image rm "$container" && rm base.tar
}

build_image() { image bud --isolation=chroot -t tapc --build-arg BASE=localhost/debian:bookworm source/tapc-*/; }

# The machine has podman and the headers of its kernel, and nothing of tapc.
machine()
{
	in_root "$root" sh -ec 'apt-get -q update
		apt-get -qy install --no-install-recommends podman crun linux-headers-$(dpkg --print-architecture)
		! command -v tapc
		printf "[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n" >/etc/containers/containers.conf
		printf "[storage]\ndriver = \"vfs\"\nrunroot = \"/run/storage\"\ngraphroot = \"/var/storage\"\n" >/etc/containers/storage.conf'
}

# Without emulation: the runtime in the volume that doc/fleet.md names, and a module that was built elsewhere.
prepare()
{
	local dir

	for dir in $mounts; do
		mkdir -p "$mounted$dir" && mount --bind -o ro "$root$dir" "$mounted$dir" || return
	done
	mkdir -p "$root/cache" "$mounted/root/.cache/tapc" && mount --bind "$root/cache" "$mounted/root/.cache/tapc" &&
		in_root "$mounted" tapc --prepare -r "$krel" &&
		in_root "$mounted" tapc -r "$krel" -p4 -m elsewhere -e 'probe begin { println("elsewhere"); exit() }' &&
		mkdir -p "$root/modules" && mv "$mounted/elsewhere.ko" "$root/modules/" &&
		umount -l "$mounted/root/.cache/tapc" || return
	for dir in $mounts; do
		umount -l "$mounted$dir" || return
	done
}

# The options of podman in the document, from "podman run" to the name of the image.
documented()
{
	sed -n '/^    podman run /,/^        tapc /{s/\\$//; s/^ *podman run//; s/^ *tapc .*//; s/ -it / /; p}' "$SRC/doc/fleet.md" | tr -s '\n ' ' '
}

check base debian_fetch bookworm || return
mkdir source
tar -xf "$scratch"/source/tapc-*.tar.xz -C source
check base-image base_image || return
check build build_image || return
figure "$(image images --format '{{.Name}} {{.Size}}' | tr '\n' ' ')"
debian_fresh bookworm "$PWD/machine" || die "no overlay in $PWD"
root=$PWD/machine/root krel=$(debian_release "$root")
options=$(documented) mounts=$(documented | grep -o -- '-v [^:]*' | cut -d' ' -f2)
check documented test "$(wc -w <<<"$mounts")" = 3 || return
check machine machine || return
mounted=$(image mount "$(image from localhost/tapc)") || die "no container in $PWD"
check entry-point eval 'image inspect --type image --format "{{.OCIv1.Config.Entrypoint}}" localhost/tapc | grep -Fx "[tapc]"'
check prepare prepare || return
mkdir "$root/image" && mount --bind "$mounted" "$root/image" || die "no mount in $root"
# --rootfs and the name of the program: a guest need not copy the image
check guest debian_guest "$root" '
	mount -t tmpfs tmpfs /var/tmp
	cp /bin/cat /usr/bin/on_the_machine
	while :; do on_the_machine /proc/version; sleep 0.2; done >/dev/null &
	podman run '"$options"' -v /cache:/root/.cache/tapc --rootfs /image tapc --check-host
	echo "check-host $?"
	podman run '"$options"' -v /cache:/root/.cache/tapc --rootfs /image tapc -v -T 300 -e "
		probe kernel.function(\"vfs_read\") { n[execname()]++ } global n
		probe timer.s(5) { if (n[\"on_the_machine\"]) { println(\"traced on_the_machine\"); exit() } }"
	echo "traced $?"
	podman run '"$options"' -v /modules:/modules:ro --rootfs /image taprun /modules/elsewhere.ko
	echo "taprun $?"
	podman run --rm --network=none --rootfs /image tapc --check-host
	echo "without $?"
	grep -c . /proc/modules
	grep ^tap_ /proc/modules || echo unloaded
	kill $!'
check check-host grep -x 'check-host 0' guest.log
check traced eval 'grep -x "traced 0" guest.log && grep -x "traced on_the_machine" guest.log'
check prebuilt eval 'grep -x elsewhere guest.log && grep -x "taprun 0" guest.log'
check without eval 'grep -x "without 4" guest.log && grep "^missing *headers" guest.log && grep "^missing *rights" guest.log'
check unloaded grep -x unloaded guest.log
sed 's/^/    /' guest.log
