#!/bin/bash
# a system call matched by a pattern has the name that scripts use; given by another name it keeps that name
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
list() { "$TAPC" $TAPC_ARGS -l "$1"; }
for pair in 'pread*=pread preadv preadv2' 'pwrite*=pwrite pwritev pwritev2' '*fstatat*=fstatat' 'mmap*=mmap2' '*llseek=llseek' \
	    'umount*=umount'; do
	shown=$(list "syscall.${pair%%=*}" | sed 's/^syscall\.//' | tr '\n' ' ')
	[[ ${shown% } = "${pair#*=}" ]] || { echo "${pair%%=*}: $shown"; exit 1; }
done
[[ $(list syscall.pread64) = syscall.pread64 && $(list syscall.pread) = syscall.pread ]] || exit
[[ $(list 'kernel.syscall("pread6*")') = 'kernel.syscall("pread64")' ]]
