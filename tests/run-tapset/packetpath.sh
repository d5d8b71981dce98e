#!/bin/bash
# The ways of packets through a bridge, a translation of addresses, veths and a vxlan, with copies, and the reasons of six
# drops, as often as the kernel counts them.
# default: no
# kernels: all
# needs: linux 6.1, earlier kernels have no reasons for some of them
# hardened: no, clang inlines other functions
[[ ! -e no-libpcap ]] || { echo "this build has no libpcap"; exit 77; }
type nft >/dev/null 2>&1 || { echo "nft is missing"; exit 77; }
modprobe -a veth bridge vxlan nf_tables nft_chain_nat nft_masq || { echo "the kernel lacks a module"; exit 77; }

for way in usual all; do
	"$TAPRUN" -c "env PYTHONPATH=$SRC/tests/lib python3 $SRC/tests/run-tapset/packetpath.py" ./t_$way.ko >$way 2>$way.err || { cat $way.err; exit 1; }
	[[ ! -s $way.err ]] || { cat $way.err; exit 1; }
	awk -v way=$way '
	function drops(reason, wanted) {
		if (dropped[reason] != wanted || !wanted)
			bad = bad sprintf("%s: %d drops, the kernel counts %d\n", reason, dropped[reason], wanted)
	}
	/^kernel / { kernel[$2] = $3; next }
	/^got / { got = got " " $2; next }
	$1 == "us" { next }
	{
		line = $0
		if (!match(line, / [0-9]+ [0-9.]+:[0-9]+ > [0-9.]+:[0-9]+ UDP +[a-zA-Z_]/))
			next
		text = substr(line, RSTART + 1)
		split(text, word, " ")
		number = word[1]
		packet = word[2] " > " word[4]
		gsub(/:[0-9]+ >/, " >", packet)
		sub(/^.* UDP +/, "", text)
		name = text
		sub(/[ :].*/, "", name)
		if (text ~ /^DROPPED /) {
			split(text, word, " ")
			dropped[word[2] " " packet]++
		}
		# until its headers are written, a packet has those that an earlier one left in its memory
		if (first[number] == "" && name == "ip_output")
			first[number] = packet
		if (first[number] == "10.1.0.2 > 10.2.0.2:5001" && name ~ \
		    /^(ip_output|veth_xmit|br_handle_frame_finish|ip_rcv|ip_forward|udp_rcv|udp_queue_rcv_skb|freed)$/)
			by_bridge = by_bridge " " name
		if (first[number] == "10.1.0.2 > 10.9.0.2:5001" && name ~ /^(ip_forward|vxlan_xmit|veth_xmit|vxlan_rcv|udp_rcv)$/)
			by_tunnel = by_tunnel " " packet " " name
		if (text ~ /^skb_clone: the copy is /)
			copies[substr(text, 24) + 0] = packet
		if (number in copies && name == "consumed" && packet == copies[number])
			consumed++
	}
	END {
		drops("SKB_DROP_REASON_NETFILTER_DROP 10.2.0.1 > 10.2.0.2:5010", kernel["rule"])
		drops("SKB_DROP_REASON_NO_SOCKET 10.2.0.1 > 10.2.0.2:5011", kernel["UdpNoPorts"])
		drops("SKB_DROP_REASON_SOCKET_RCVBUFF 10.2.0.1 > 10.2.0.2:5012", kernel["UdpRcvbufErrors"])
		drops("SKB_DROP_REASON_UDP_CSUM 10.2.0.1 > 10.2.0.2:5001", kernel["UdpInCsumErrors"])
		drops("SKB_DROP_REASON_IP_RPFILTER 10.66.0.1 > 10.2.0.2:5013", kernel["TcpIPReversePathFilter"])
		drops("SKB_DROP_REASON_IP_INNOROUTES 10.1.0.2 > 10.77.0.1:5014", kernel["IpInNoRoutes"])
		if (got != " 10.2.0.1 10.9.0.1")
			bad = bad "got" got "\n"
		wanted = " ip_output veth_xmit br_handle_frame_finish ip_rcv ip_forward ip_output veth_xmit ip_rcv udp_rcv" \
			" udp_queue_rcv_skb freed"
		if (by_bridge != wanted)
			bad = bad "by the bridge:" by_bridge "\n"
		outer = " 10.2.0.1 > 10.2.0.2:4789 "
		wanted = " 10.1.0.2 > 10.9.0.2:5001 veth_xmit 10.1.0.2 > 10.9.0.2:5001 ip_forward" \
			" 10.9.0.1 > 10.9.0.2:5001 vxlan_xmit" outer "veth_xmit" outer "udp_rcv" outer "vxlan_rcv" \
			" 10.9.0.1 > 10.9.0.2:5001 udp_rcv"
		if (by_tunnel != wanted)
			bad = bad "by the tunnel:" by_tunnel "\n"
		# the questions by ARP of the client and of the router for the other end of the tunnel
		if (consumed != 2)
			bad = bad consumed + 0 " copies were followed\n"
		printf "%s", bad
		exit bad != ""
	}' $way || { echo "$way"; exit 1; }
done
