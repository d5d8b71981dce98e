#!/bin/bash
# Without privileges: one line says what is missing and what to do; sessions of other users cannot be read
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_user -e 'probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
chmod -R a+rX .
as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
as_user "$TAPRUN" ./t_user.ko >out 2>err
[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] && grep -q 'loading modules needs root or CAP_SYS_MODULE; use sudo tapc' err || fail "$(cat out err)"
setpriv --bounding-set -sys_module --inh-caps -sys_module "$TAPRUN" ./t_user.ko >out 2>err
[[ $? = 5 ]] && grep -q 'loading modules needs CAP_SYS_MODULE, which this root lacks (a container, or a service with restricted capabilities); run it on the host' err || fail "$(cat err)"
start ./t_user.ko
printed
for file in control meta cpu0; do
	as_user cat /proc/tap:t_user/$file >/dev/null 2>&1 && fail "$file can be read"
done
kill -TERM $pid
wait $pid
