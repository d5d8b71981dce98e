#!/bin/bash
# Under a real systemd: tapd by its socket with no rights beyond its unit's, a script as a service that is killed and restarted, one by a timer
# and one by a real cron, whose runs do not pile up; all are logged
# timeout: 1500
# default: no
# shellcheck disable=SC2086
[[ -x $BUILD/tapd ]] || { echo "tapd is not built"; exit 77; }
for program in /lib/systemd/systemd /usr/sbin/cron; do
	[[ -x $program ]] || { echo "no $program"; exit 77; }
done
fail() { echo "$*"; tail -n 80 log; exit 1; }
make -s -C "$BUILD" install DESTDIR="$PWD/root" >log 2>&1 || fail "make install"
"$TAPC" $TAPC_ARGS -p4 -m t_any -e 'probe begin { println("begin") }' >log 2>&1 || fail "a module"

cat >guest <<'EOS'
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
unset TAPD_SOCKET
[[ $(ps -p 1 -o comm=) = systemd ]] || fail "the first process is $(ps -p 1 -o comm=)"
(cd root/usr/local && cp -r bin sbin lib /usr/local/ && mkdir -p /usr/local/share && cp -r share/tapc /usr/local/share/)
rm -rf root
make_users
mkdir -p /etc/tapc/scripts /var/cache/tapc /var/log/tapc
mkdir -p /var/cache/tapc/kernels && mount --bind "$CACHE/tapc/kernels" /var/cache/tapc/kernels	# the runtime built for this kernel
no_module() { ! grep -q '^tap_' /proc/modules; }
unit() { systemctl show -P "$2" "$1"; }
is() { [[ $(unit "$1" "$2") = "$3" ]]; }
count() { [[ $(cat $2 2>/dev/null | grep -cx "$1") = "$3" ]]; }
trap '(($? == 0)) || journalctl --no-pager | tail -n 30' EXIT

# tapd: nothing runs until a client connects
systemctl daemon-reload
systemctl enable --now tapd.socket tapd-metrics.socket 2>err || fail "enable" "$(cat err)"
is tapd.socket UnitFileState enabled && is tapd.service ActiveState inactive || fail "the socket's state"
[[ $(as ann taprun -c true ./t_any.ko) = begin ]] || fail "ann"
refused 'neither in group tapdev' eve ./t_any.ko
is tapd.service ActiveState active || fail "tapd is $(unit tapd.service ActiveState)"
status=/proc/$(unit tapd.service MainPID)/status
[[ $(awk '/^(CapBnd|CapPrm|NoNewPrivs|Seccomp):/ { print $2 }' $status | tr '\n' ' ') = \
	'0000000400010000 0000000400010000 1 2 ' ]] || fail "tapd's rights" "$(cat $status)"
# the view of its process: separate namespaces, read-only files, no home directories
tapd=$(unit tapd.service MainPID)
[[ $(readlink /proc/$tapd/ns/mnt) != $(readlink /proc/self/ns/mnt) ]] || fail "tapd is not in a separate mount namespace"
[[ $(readlink /proc/$tapd/ns/net) != $(readlink /proc/self/ns/net) ]] || fail "tapd is not in a separate network namespace"
inside() { nsenter --target $tapd --mount setpriv --bounding-set -all,+sys_module,+syslog --inh-caps -all "$@" 2>/dev/null; }
inside touch /tmp/by-tapd && [[ ! -e /tmp/by-tapd ]] || fail "tapd's /tmp"
for place in / /etc /usr /var /home /root /run /run/user; do
	! inside touch $place/x || fail "tapd may write to $place"
done
[[ -z $(inside ls /root) ]] || fail "tapd sees /root"
recorded() { journalctl -q SYSLOG_IDENTIFIER=tapd | grep -q "$1"; }
wait_until recorded "load module=t_any user=ann uid=$(id -u ann) .*by=developer outcome=loaded"
wait_until recorded "end module=t_any user=ann .*outcome=unloaded"
wait_until recorded "to eve .*neither in group"
# a client whose module exceeds its memory: it is killed, tapd and another user's session stay
systemctl set-property --runtime tapd.service MemoryMax=30M
as ann taprun -c 'until test -e /run/enough; do sleep 0.1; done' ./t_any.ko >out & session=$!
wait_until contains out begin
{ cat t_any.ko; head -c 35000000 /dev/zero; } >large.ko
as ann taprun -R -c true ./large.ko 2>err && fail "35 MB"
grep -q 'tapd, which loads modules for users, does not answer' err || fail "35 MB" "$(cat err)"
wait_until recorded 'which served a client, was killed by signal 9'
rm large.ko
touch /run/enough
wait $session && [[ $(unit tapd.service MainPID) = "$tapd" ]] || fail "tapd ended because of one client" "$(cat out)"
rm /run/enough
curl -sS http://127.0.0.1:9435/metrics | tail -n 1 | grep -qx '# EOF' || fail "metrics"
is tapd-metrics.service ActiveState active || fail "tapd-metrics"

# installed below directories that the units hide
for prefix in /home/tapc /tmp/tapc; do
	mkdir $prefix && cp -r /usr/local/sbin $prefix/
	for unit in tapd tapd-metrics; do
		sed "s#/usr/local/sbin#$prefix/sbin#" /usr/local/lib/systemd/system/$unit.service >/etc/systemd/system/$unit.service
	done
	systemctl daemon-reload
	systemctl stop tapd.service tapd-metrics.service 2>err || fail "stop" "$(cat err)"
	[[ $(as ann taprun -c true ./t_any.ko) = begin ]] || fail "tapd in $prefix"
	tapd=$(unit tapd.service MainPID)
	[[ $(readlink /proc/$tapd/exe) = $prefix/sbin/tapd ]] || fail "tapd is $(readlink /proc/$tapd/exe)"
	for place in /home $prefix/sbin; do
		! inside touch $place/x || fail "tapd may write to $place"
	done
	[[ $(inside ls /home /root | sort -u | tr '\n' ' ') != *ann* ]] || fail "tapd sees homes"
	curl -sS http://127.0.0.1:9435/metrics | tail -n 1 | grep -qx '# EOF' || fail "metrics in $prefix"
	rm -r $prefix
done
rm /etc/systemd/system/tapd{,-metrics}.service
systemctl daemon-reload
systemctl stop tapd.service tapd-metrics.service 2>err || fail "stop" "$(cat err)"

# a service: if killed, it is restarted; if stopped, it ends properly
cat >/etc/tapc/scripts/ticks.stp <<'END'
probe begin { println("begin") }
probe timer.ms(100) { println("tick") }
probe end { println("end") }
END
echo "OPTIONS=$TAPC_ARGS" >/etc/tapc/scripts/ticks.conf
mkdir -p /etc/systemd/system/tap@.service.d /etc/systemd/system/tap@soon.timer.d
printf '[Service]\nRestartSec=1100ms\n' >/etc/systemd/system/tap@.service.d/soon.conf
printf '[Timer]\nOnCalendar=\nRandomizedDelaySec=0\nOnActiveSec=100ms\nAccuracySec=1ms\n' >/etc/systemd/system/tap@soon.timer.d/soon.conf
systemctl daemon-reload
XDG_CACHE_HOME=/var/cache tapc $TAPC_ARGS -v -p4 /etc/tapc/scripts/ticks.stp 2>err || fail "ticks" "$(cat err)"
! grep -q 'building the runtime' err || fail "the runtime was not in the cache" "$(cat err)"
systemctl start tap@ticks.service || fail "tap@ticks"
wait_until eval 'grep -qs tick /var/log/tapc/ticks-*'
systemctl kill -s KILL tap@ticks.service
wait_until count begin '/var/log/tapc/ticks-*' 2
is tap@ticks.service NRestarts 1 || fail "restarted $(unit tap@ticks.service NRestarts) times"
[[ $(grep -c '^tap_' /proc/modules) = 1 ]] || fail "a killed session is still there" "$(cat /proc/modules)"
systemctl stop tap@ticks.service
[[ $(cat /var/log/tapc/ticks-* | tail -n 1) = end && $(cat /var/log/tapc/ticks-* | grep -cx end) = 1 ]] || fail "its end" "$(tail /var/log/tapc/ticks-*)"
is tap@ticks.service Result success || fail "its result: $(unit tap@ticks.service Result)"
wait_until no_module
# it has started when its probes are armed: the first write after that is counted
echo 'global n probe kernel.function("write_null") { if (execname() == "dd") n++ } probe end { printf("%d writes\n", n) }' \
	>/etc/tapc/scripts/armed.stp
cp /etc/tapc/scripts/{ticks,armed}.conf
systemctl start tap@armed.service || fail "tap@armed"
dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
systemctl stop tap@armed.service
[[ $(cat /var/log/tapc/armed-*) = '100 writes' ]] || fail "started before its probes" "$(cat /var/log/tapc/armed-*)"
wait_until no_module
# a wrong script is not tried again
echo 'probe begin { println(nothing()) }' >/etc/tapc/scripts/wrong.stp
cp /etc/tapc/scripts/{ticks,wrong}.conf
systemctl start tap@wrong.service 2>/dev/null && fail "tap@wrong has started"
wait_until is tap@wrong.service ActiveState failed
is tap@wrong.service ExecMainStatus 3 && is tap@wrong.service NRestarts 0 || fail "tap@wrong"
wait_until eval 'journalctl -q -u tap@wrong.service | grep -q "unknown function .nothing."'

# the timer
echo 'probe begin { println("by the clock"); exit() }' >/etc/tapc/scripts/soon.stp
cp /etc/tapc/scripts/{ticks,soon}.conf
systemctl start tap@soon.timer || fail "tap@soon.timer"
wait_until count 'by the clock' '/var/log/tapc/soon-*' 1
wait_until is tap@soon.service ActiveState inactive
is tap@soon.service Result success || fail "tap@soon"

# cron: two jobs with the same lock, one of which ends immediately
cat >/etc/cron.d/tapc <<END
PATH=/usr/local/bin:/usr/bin:/bin
XDG_CACHE_HOME=/var/cache
@reboot root tapc $TAPC_ARGS --lock /run/lock/ticks -o /var/log/tapc/cron.log -c 'until test -e /run/enough; do sleep 0.1; done' /etc/tapc/scripts/ticks.stp; echo \$? >>/run/cron
@reboot root tapc $TAPC_ARGS --lock /run/lock/ticks -o /var/log/tapc/cron.log -c 'until test -e /run/enough; do sleep 0.1; done' /etc/tapc/scripts/ticks.stp; echo \$? >>/run/cron
END
systemctl start cron.service || fail "cron"
wait_until count 7 /run/cron 1
wait_until grep -qs tick /var/log/tapc/cron.log
touch /run/enough
wait_until count 0 /run/cron 1
[[ $(head -n 1 /var/log/tapc/cron.log) = begin && $(tail -n 1 /var/log/tapc/cron.log) = end ]] ||
	fail "cron's run" "$(cat /var/log/tapc/cron.log)"
wait_until no_module
EOS
$VM --systemd --timeout 900 -- env SRC="$SRC" BUILD="$BUILD" TAPRUN=/usr/local/bin/taprun TAPC_ARGS="$TAPC_ARGS" \
	CACHE="${XDG_CACHE_HOME:-$HOME/.cache}" bash ./guest >log 2>&1 || fail "status $?"
