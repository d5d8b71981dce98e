#!/bin/bash
# With --cgroup or --container only tasks of that cgroup and those below hit probes of every family, from when they are moved there until they are moved away; mistakes get a message
# default: no
# kernels: all
# timeout: 300
. "$SRC/tests/lib/session.sh"
one=/tmp/cgroup-1
two=/tmp/cgroup-2
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
similar=0124456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
box=system.slice/docker-$id.scope
mkdir -p "$one" "$two"
mount -t cgroup2 none "$two" || fail "cannot mount version 2"
mount -t cgroup -o pids none "$one" || fail "cannot mount version 1"
mkdir -p "$two/$box/inner/most" "$two/other/docker-conmon-$id.scope" "$two/lxc.payload.web" "$one/docker/$id"

mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)

# refused MODULE OPTION MESSAGE...
refused()
{
	"$TAPRUN" "$2" "./$1.ko" >out 2>err
	[[ $? = 6 ]] && grep -qxF -- "ERROR: ${*:3}" err || fail "$2: expected ${*:3}" "$(cat out err)"
}
refused t_scope --cgroup=/no "no cgroup '/no' (--cgroup): expected a directory below $mount"
refused t_scope --cgroup=/tmp "no cgroup '/tmp' (--cgroup): expected a directory below $mount"
refused t_scope "--cgroup=$two/cgroup.procs" "no cgroup '$two/cgroup.procs' (--cgroup): expected a directory below $mount"
refused t_scope "--cgroup=$one" "'$one' (--cgroup) is a cgroup of version 1: expected one of version 2, below $mount"
ln -sf loop /tmp/loop
refused t_scope --cgroup=../../../../tmp/loop "cannot open the cgroup '$mount/../../../../tmp/loop' (--cgroup): Too many levels of symbolic links"
rm /tmp/loop
deep=$(printf 'x/%.0s' {1..70})
mkdir -p "$two/$deep"
refused t_scope "--cgroup=$two/$deep" "the cgroup '$two/$deep' (--cgroup) is too deep: expected at most 60 levels"
find "$two/x" -depth -type d -exec rmdir {} +
none="no container 'fedc' (--container): no cgroup below $mount is named after it, and Docker and Podman have none of this name"
# taprun is linked without jansson for arm64
[[ $(uname -m) = x86_64 ]] ||
	none="no container 'fedc' (--container): no cgroup below $mount is named after it; taprun has no jansson, so it needs the ID of a container of Docker and Podman, which 'docker inspect' or 'podman inspect' prints"
refused t_scope --container=fedc "$none"
refused t_scope --container= "$(sed 's/ERROR: //; s/fedc//' err)"
mkdir "$two/system.slice/docker-$similar.scope" "$two/other/$id"
refused t_scope "--container=${similar}0" "$(sed "s/ERROR: //; s/''/'${similar}0'/" err)"
"$TAPRUN" --container=012 ./t_scope.ko 2>err
[[ $? = 6 ]] && grep -qE "^ERROR: '012' \(--container\) may be 3 containers: .*$id.*, .*, \.\.\.$" err || fail "ambiguous" "$(cat err)"
rmdir "$two/system.slice/docker-$similar.scope"
"$TAPRUN" "--container=$id" ./t_scope.ko 2>err
one_of="'$id' (--container) may be 2 containers: docker-$id.scope, $id"
other_of="'$id' (--container) may be 2 containers: $id, docker-$id.scope"
grep -qxF -e "ERROR: $one_of" -e "ERROR: $other_of" err || fail "ambiguous" "$(cat err)"
rmdir "$two/other/$id"

# Names, in files as these programs have them. There may be some on this machine.
if [[ $(uname -m) = x86_64 ]]; then
	docker=/var/lib/docker podman=/var/lib/containers/storage short_lived=/run/containers/storage
	stores=("$docker" "$podman" "$short_lived" /etc/docker /etc/containers)
	mkdir -p "${stores[@]}"
	for dir in "${stores[@]}"; do
		mount -t tmpfs none "$dir" || fail "cannot mount $dir"
	done
	gone=$(printf '9%.0s' {1..64})
	mkdir -p "$docker/containers/"{"$id","$similar","$gone",broken} "$podman/overlay-containers" "$short_lived/vfs-containers"
	docker_file()
	{
		cat >"$docker/containers/$1/config.v2.json" <<-END
			{"StreamConfig":{},"State":{"Running":true,"Pid":1},"ID":"$1","Managed":false,"Name":"$2","Driver":"overlay2"}
		END
	}
	podman_file()
	{
		echo "[{\"id\":\"$gone\",\"names\":[\"old\"],\"layer\":\"1\"},{\"id\":\"$1\",\"names\":[$2],\"image\":\"2\"}]" >"$3"
	}
	docker_file $id /box
	docker_file $similar /like
	docker_file "$gone" /ended
	refused t_scope --container=ended "the container 'ended' (--container) does not run: no cgroup below $mount is named after its ID $gone"
	refused t_scope --container=/box "${none/fedc//box}"
	podman_file $similar '"other","like"' "$podman/overlay-containers/containers.json"
	podman_file "$gone" '"ended","box-2"' "$short_lived/vfs-containers/volatile-containers.json"
	refused t_scope --container=box-2 "the container 'box-2' (--container) does not run: no cgroup below $mount is named after its ID $gone"
	refused t_scope --container=ended "the container 'ended' (--container) does not run: no cgroup below $mount is named after its ID $gone"
	mkdir "$two/system.slice/libpod-$similar.scope" "$two/other/libpod-$gone.scope"
	docker_file $similar /box
	"$TAPRUN" --container=box ./t_scope.ko 2>err
	[[ $? = 6 ]] && grep -qxE "ERROR: 'box' \(--container\) may be 2 containers: .*, .*" err || fail "ambiguous name" "$(cat err)"
	docker_file $similar /like
	rmdir "$two/system.slice/libpod-$similar.scope" "$two/other/libpod-$gone.scope"
	refused t_scope --container=like "the container 'like' (--container) does not run: no cgroup below $mount is named after its ID $similar"
	# what is no JSON, no ID, or of another type
	docker_file $similar '/x\"'
	echo '[{"id":1,"names":["web-1"]},{"id":"short","names":["web-1"]},{"id":"'"$gone"'","names":"web-1"},7]' >"$podman/overlay-containers/containers.json"
	refused t_scope --container=web-1 "${none/fedc/web-1}"
	echo '{"ID":' >"$docker/containers/broken/config.v2.json"
	refused t_scope --container=web-1 "${none/fedc/web-1}; cannot read $docker/containers/broken/config.v2.json: not valid JSON"
	ln -sf loop "$docker/containers/broken/config.v2.json"
	ln -sf config.v2.json "$docker/containers/broken/loop"
	refused t_scope --container=web-1 "${none/fedc/web-1}; cannot read $docker/containers/broken/config.v2.json: Too many levels of symbolic links"
	rm "$docker/containers/broken/config.v2.json"
	# where the configuration says
	echo "{\"data-root\":\"$podman/moved\"}" >/etc/docker/daemon.json
	mkdir "$podman/moved" "$podman/graph"
	mv "$docker/containers" "$podman/moved"
	printf '[storage]\n# graphroot = "/x"\n  graphroot = "%s"\n' "$podman/graph" >/etc/containers/storage.conf
	mkdir "$podman/graph/vfs-containers"
	podman_file $id '"pod"' "$podman/graph/vfs-containers/containers.json"
	named=(--container=box --container=pod)
fi
refused t_all --cgroup=/ "the script follows all threads (waits_start(), recorder_start()), so it cannot have --cgroup or --container"
unshare -m sh -c 'umount -a -t cgroup2; exec "$@"' sh "$TAPRUN" --cgroup=/ ./t_scope.ko 2>err
grep -qxF "ERROR: --cgroup and --container need cgroups of version 2, which are not mounted: mount -t cgroup2 none /sys/fs/cgroup" err ||
	fail "without a mount" "$(cat err)"

# Programs with steps outside and inside.
members()
{
	mkdir -p "$two/$box/inner/most"
	./member 5000001 100 && ./member 5000002 "$two/$box" 7 && ./member 5000003 "$two/$box/inner/most" 11 &&
	./member 5000004 4 "$two/system.slice" 5 "$two/$box" 13 "$two/other" 6 "$two/$box/inner" 17 "$two" 8 &&
	./member 5000005 "$two/lxc.payload.web" 9 || fail "member"
}
run()
{
	start "$@"
	wait_until grep -qx on out
}
ended()
{
	kill -INT "$pid"
	wait "$pid" || fail "taprun: $?" "$(cat out err)"
}
# check TAG:STEPS...: each kind of probe was hit so often. Some kinds are counted without a tag.
check()
{
	local sum=0 tag kind

	for tag in "$@"; do
		sum=$((sum + ${tag#*:}))
		for kind in 1 2 4 5 7 8; do
			echo "$kind:${tag/:/ }"
		done
	done >expected
	printf '%s\n' "3:0 $sum" "6:0 $sum" >>expected
	diff <(sort expected) <(grep -E '^[1-8]:' out | sort) || fail "$what" "$(cat out err)"
	grep -qx 'odd 0' out || fail "$what" "$(cat out)"
}

for what in "--cgroup=$two/$box" "--cgroup=/$box" "--cgroup=$box" "--container=$id" --container=0123 "${named[@]}"; do
	run "$what" ./t_scope.ko inside=docker-
	members
	wait_until grep -qx tick out
	ended
	check 5000002:7 5000003:11 5000004:30
done
what=--container=web
run $what ./t_scope.ko inside=lxc.payload.web
members
ended
check 5000005:9
what=--cgroup=/
run $what ./t_scope.ko
members
ended
check 5000001:100 5000002:7 5000003:11 5000004:53 5000005:9

# Another cgroup of the same name is another one. A cgroup that is gone has no tasks.
what=removed
run "--cgroup=/$box" ./t_scope.ko inside=docker-
./member 5000001 "$two/$box" 3 || fail "member"
for dir in inner/most inner ""; do
	wait_until rmdir "$two/$box${dir:+/$dir}"
done
members
ended
check 5000001:3

# direct RESULT OPTION...: with an option, functions that would be called directly are not
direct()
{
	local result=$1

	shift
	run "$@" ./t_direct.ko
	members
	ended
	grep -qx "$result" out || fail "direct calls $*: expected $result" "$(cat out err)"
}
direct '180 180'
direct '48 48' "--cgroup=/$box"

rmdir "$one/docker/$id" "$one/docker"
find "$two"/{system.slice,other,lxc.payload.web} -depth -type d -exec rmdir {} +
umount "$one" "$two"
[[ ${#stores[@]} = 0 ]] || umount "${stores[@]}"
