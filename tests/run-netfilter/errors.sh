#!/bin/bash
# Hooks that do not exist: the message lists the existing ones
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_X") { } probe netfilter.hook("NF_ARP_IN").pf("NFPROTO_IPV4") { } probe netfilter.hook("NF_ARP_IN").pf("NFPROTO_ARP").priority("HIGH") { }' 2>err; grep -q "no protocol family 'NFPROTO_X': use" err && grep -q "NFPROTO_IPV4 has no hook 'NF_ARP_IN'" err && grep -q "no priority 'HIGH'" err && "$TAPC" $TAPC_ARGS -p2 -e 'probe netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4") { $verdict = 0 }' 2>>err; grep -q "needs guru mode" err || { cat err; exit 1; }
# Translated on the host; nothing is loaded.
exit 0
