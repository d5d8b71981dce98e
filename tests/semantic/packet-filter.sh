#!/bin/bash
# @packet_matches: libpcap's mistakes are reported at the filter; equal filters are one program
shows() { "$TAPC" --simulate -e "$1" "${@:2}" 2>&1; }
out=$(shows 'probe begin { println(@packet_matches(0, "tcp prot 80")) }')
[[ $out != *"built without packet filters"* ]] || { echo "this build has no libpcap"; exit 77; }
expect() { [[ $2 = *"$1"* ]] || printf '%s\nhas no "%s"\n' "$2" "$1"; }
out=$(shows 'probe begin { println(@packet_matches(0, "tcp prot 80")) }')
expect '1:42: error: in the packet filter '\''tcp prot 80'\'': ' "$out"
out=$(shows 'probe begin { println(@packet_matches(0, @1)) }' 'host 1.2.3.400')
expect 'error: in the packet filter '\''host 1.2.3.400'\'': ' "$out"
out=$(shows 'probe begin { println(@packet_matches(0, "ip and arp")) }')
expect 'error: in the packet filter '\''ip and arp'\'': expression rejects all packets' "$out"
out=$(shows 'probe begin { println(@packet_matches("x", "ip")) }')
expect 'expected long, found string' "$out"
out=$(shows 'probe begin { println(@packet_matches(0, "i" . "p")) }')
expect 'usage: @packet_matches(skb, "filter")' "$out"

c=$("$TAPC" -p3 --simulate -e 'probe begin { s = "tcp"; println(@packet_matches(0, "tcp"), @packet_matches(1, "tcp"),
	@packet_matches(1, @1), s) }' 'vlan 5' 2>&1) || printf '%s\n' "$c"
expect 'tap_packet_matches(c, &filter_0, 1ll)' "$c"
expect 'filter_1 = { filter_steps_1, ' "$c"
[[ $c != *filter_2* ]] || echo "equal filters are two programs"
