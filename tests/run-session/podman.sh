#!/bin/bash
# --container finds a container of Podman by the name that it was given
# default: no
# timeout: 600
# arm64: no, there is no program of that machine here
. "$SRC/tests/lib/session.sh"
for program in podman crun busybox; do
	type -P $program >/dev/null || { echo "no $program here"; exit 77; }
done
mkdir -p /sys/fs/cgroup /var/lib/containers /run/containers /var/tmp
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup || fail "no cgroups"
for dir in /var/lib/containers /run/containers /var/tmp; do
	mount -t tmpfs none $dir || fail "cannot mount $dir"
done
options='--storage-driver vfs --cgroup-manager cgroupfs --events-backend file'

mkdir -p root/bin root/tmp root/proc root/sys root/dev
cp "$(type -P busybox)" root/bin/busybox
cp member root/bin/member
# shellcheck disable=SC2086 # lists of options
{
	tar -C root -c . | podman $options import - localhost/box || fail "import"
	for name in web other; do
		[[ $name = web ]] && rm='' || rm=--rm
		podman $options run -d --name $name --network none $rm localhost/box /bin/busybox sleep 10000 || fail "run"
	done
}
for name in web other; do
	start --container=$name ./t_podman.ko
	wait_until grep -qx on out
	./member 5000001 5
	# shellcheck disable=SC2086
	podman $options exec web /bin/member 5000002 7 && podman $options exec other /bin/member 5000003 9 || fail "exec"
	kill -INT "$pid"
	wait "$pid" || fail "taprun: $?" "$(cat out err)"
	[[ $name = web ]] && hits='5000002 7' || hits='5000003 9'
	diff - out <<<$'on\n'"$hits"$'\nodd 0' || fail "$name"
done
# shellcheck disable=SC2086
podman $options stop -t 0 web other >/dev/null || fail "stop"
"$TAPRUN" --container=web ./t_podman.ko 2>err
[[ $? = 6 ]] && grep -q "^ERROR: the container 'web' (--container) does not run" err || fail "stopped" "$(cat err)"
# shellcheck disable=SC2086
removed() { ! podman $options container exists other; }
wait_until removed
"$TAPRUN" --container=other ./t_podman.ko 2>err
[[ $? = 6 ]] && grep -q "^ERROR: no container 'other' (--container)" err || fail "removed" "$(cat err)"
