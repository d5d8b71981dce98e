#!/bin/bash
two=/tmp/cgroup-2
one=/tmp/cgroup-1
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
other=fedcba98765432100123456789abcdef0123456789abcdef0123456789abcdef
long=$(printf 'l%.0s' {1..150})
cp /bin/true a_member
mkdir -p "$two" "$one"
mount -t cgroup2 none "$two" || exit 1
mount -t cgroup -o pids none "$one" || exit 1

# member ROOT PATH: a process there; the cgroups are removed afterwards
member()
{
	mkdir -p "$1/$2" || exit 1
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$1/cgroup.procs" && exec ./a_member' sh "$1/$2" || exit 1
	(cd "$1" && until [[ -z $2 ]] || rmdir -p "$2"; do sleep 0.1; done 2>/dev/null)
}
member "$two" ''
member "$two" system.slice/docker-$id.scope
member "$two" docker/$id
member "$two" docker/$id/init
member "$two" machine.slice/libpod-$id.scope/container
member "$two" machine.slice/libpod-conmon-$id.scope
member "$two" kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0aa11bb2_3c4d_5e6f_7081_92a3b4c5d6e7.slice/cri-containerd-$id.scope
member "$two" kubepods/besteffort/pod0aa11bb2-3c4d-5e6f-7081-92a3b4c5d6e7/$id
member "$two" kubepods.slice/kubepods-pod0123456789abcdef0123456789abcdef.slice/crio-$id.scope
member "$two" lxc.payload.web-1/system.slice/nginx.service
member "$two" lxc.monitor.web-1
member "$two" 'machine.slice/machine-deb\x2done.scope/payload'
member "$two" machine.slice/systemd-nspawn@deb-one.service/payload
member "$two" system.slice/docker-$id.scope/docker/$other
member "$two" user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope
member "$two" "$long/$long/last.name"
member "$one" docker/$id
member "$one" system.slice/nginx.service
umount "$two" "$one"
