# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests that connect to guests by ssh, see --forward of tests/vm.

# prepare_sshd COMMAND: creates `key`, and `serve` for a guest, in the current directory: sshd for root with that key,
# after COMMAND
prepare_sshd()
{
	ssh-keygen -q -t ed25519 -N '' -f key && cp key.pub authorized
	cat >serve <<-EOS
		modprobe virtio_net
		ip addr add 10.0.2.15/24 dev eth0 && ip link set eth0 up
		mkdir -p /run/sshd
		$1
		exec /usr/sbin/sshd -D -e -f $PWD/sshd_config
	EOS
	cat >sshd_config <<-EOS
		HostKey $PWD/key
		AuthorizedKeysFile $PWD/authorized
		StrictModes no
		UsePAM no
		PidFile none
		PermitRootLogin yes
		Subsystem sftp internal-sftp
	EOS
}

# wait_for_sshd COMMAND...: false if it does not succeed within some minutes
wait_for_sshd()
{
	local i

	for ((i = 0; i < 100; i++)); do
		"$@" 2>/dev/null && return
		sleep 1
	done
	return 1
}
