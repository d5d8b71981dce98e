# SPDX-License-Identifier: GPL-2.0-or-later
# An NFSv4 server with one export, ./share, and its client at ./mnt, in one guest and without daemons: the answers that
# these would give to the kernel are written in advance. nfs_serve, nfs_mount, nfs_unserve.

nfs_serve()
{
	ip link set lo up
	modprobe -a nfsd nfsv4
	mkdir -p share mnt /var/lib/nfs/v4recovery
	mount -t tmpfs none share
	[ -e /proc/fs/nfsd/threads ] || mount -t nfsd none /proc/fs/nfsd
	far=$(($(date +%s) + 100000))
	echo "nfsd 127.0.0.1 $far here" >/proc/net/rpc/auth.unix.ip/channel
	# any port, asynchronous, no subtree check, an fsid (0: the root of NFSv4); include/uapi/linux/nfsd/export.h
	echo "here $PWD/share $far $((0x2 | 0x10 | 0x400 | 0x2000)) 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
	printf 'here 1 \\x00000000 %s %s\n' "$far" "$PWD/share" >/proc/net/rpc/nfsd.fh/channel
	# the versions that would need rpcbind; the kernel may not support version 2 at all
	echo -2 >/proc/fs/nfsd/versions 2>/dev/null
	echo -3 >/proc/fs/nfsd/versions
	# no grace period for former clients: none, or the shortest possible
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo "tcp 2049" >/proc/fs/nfsd/portlist
	echo 2 >/proc/fs/nfsd/threads
	echo Y 2>/dev/null >/proc/fs/nfsd/v4_end_grace
}

nfs_mount() { mount -i -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1 127.0.0.1:/ mnt; }

nfs_unserve()
{
	echo 0 >/proc/fs/nfsd/threads
	umount share
}
