#!/bin/bash
# .takes: functions with a pointer to a struct as one of the arguments that are in registers
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" 2>&1; }
# the first, the second, the third argument; a const one; no such argument
for name in ip_rcv tcp_rcv_established ip_output dev_queue_xmit_nit skb_queue_tail ipv6_skip_exthdr sk_setup_caps vfs_read; do
	echo "$name: $(tapc -l "kernel.function(\"$name\").takes(\"sk_buff\")" | grep -c '^kernel')"
done
echo "vfs_read: $(tapc -l 'kernel.function("vfs_read").takes("file")' | grep -c '^kernel')"
tapc -p2 -e 'probe kernel.function("vfs_read").takes("sk_buff") { }' | sed -n 's/^[^ ]* note: \(no argument of .*\)/\1/p'
all=$(tapc -l 'kernel.function("ip_*").call' | grep -c '^kernel')
some=$(tapc -l 'kernel.function("ip_*").takes("sk_buff")' | grep -c '^kernel')
((some > 50 && some < all)) || echo "$some of $all"
tapc -p2 -e 'probe kernel.function("ip_*").takes("sk_buff") { println(taken_argument()) }' >/dev/null || echo "does not translate"
tapc -p2 -e 'probe kernel.function("ip_*").takes("no_such_struct") { }' | grep -o 'none of the .* can be probed' | sed 's/[0-9][0-9]*/N/'
