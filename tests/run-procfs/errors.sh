#!/bin/bash
# Files that cannot be: the message says why; whichever one fails, nothing stays
# kernels: all
# timeout: 360
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe procfs("../x").read { } probe procfs("a//b").write { } probe procfs.umask(01000).read { } probe procfs.read.maxsize(0) { } probe procfs("x").write { println($text) }  ' 2>err; grep -q "not '../x'" err && grep -q "a umask is from 0 to 0777" err && grep -q "maxsize is from 1 to 1048576, not 0" err && [[ $(grep -c ': error:' err) -ge 4 ]] || { cat err; exit 1; }; "$TAPC" $TAPC_ARGS -p4 -m t_fails -e 'probe procfs("a").read { $value = "1" } probe procfs("d/b").write { } probe netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4") { } probe netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV6") { }'
. "$SRC/tests/lib/session.sh"
no_files() { [[ ! -e /proc/systemtap/t_fails ]] || fail "$1: files stay"; }
each_fails t_fails 20 no_files
[[ $k -ge 5 && $k -lt 20 ]]
