#!/bin/bash
# Parts of packets are followed: segments that are made of a large TCP packet, fragments of a datagram, as many as the
# kernel counts. The options and the second argument of `packets`.
# default: no
# kernels: all
[[ ! -e no-libpcap ]] || { echo "this build has no libpcap"; exit 77; }
modprobe veth || { echo "the kernel lacks a module"; exit 77; }
run() { env PYTHONPATH="$SRC/tests/lib" python3 "$SRC/tests/run-tapset/packetpath-parts.py" "$@"; }
export -f run
export SRC

"$TAPRUN" -c "bash -c 'run parts'" ./t_parts.ko >parts 2>parts.err || { cat parts.err; exit 1; }
[[ ! -s parts.err ]] || { cat parts.err; exit 1; }
run judge <parts >verdict || { cat parts verdict; exit 1; }

# ways through the named functions only, and the ends
"$TAPRUN" -c "bash -c 'run closed 1'" ./t_drops.ko >ways || exit
sed -n 's/.*UDP  *//p' ways | grep -vE '^[a-z0-9_]*udp[a-z0-9_]*rcv[a-z0-9_]*$|^veth_|^DROPPED (.* )?in (__udp4_lib|udp)_rcv$|^freed$|^consumed$' &&
	{ cat ways; exit 1; }
sed -n 's/.*UDP  *//p' ways | grep -qx udp_rcv || { cat ways; exit 1; }
# drops only, with stacks, two of three
"$TAPRUN" -c "bash -c 'run closed 3'" ./t_drops.ko only_drops=1 stack=1 most=2 >drops || exit
[[ $(grep -cE '> 10.1.0.1:5032 .* DROPPED (.* )?in (__udp4_lib|udp)_rcv$' drops) = 2 && $(grep -c ' : udp_rcv+0x\| : __udp4_lib_rcv+0x' drops) -ge 2 ]] &&
	! grep -E 'UDP +[a-z]' drops || { cat drops; exit 1; }
