#!/bin/bash
# --remote, with sshd in two guests of different kernels: the same script at once on both, built for each;
# a host that cannot be reached or that dies does not affect the others; SIGINT stops all
# timeout: 1200
# default: no
# shellcheck disable=SC2086
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/ssh.sh"
second=5.10
if ! kernel_prefix $second >/dev/null 2>&1; then
	echo "kernel $second is not fetched"
	exit 77
fi

prepare_sshd "mkdir -p /usr/local/bin; ln -sf $BUILD/taprun /usr/local/bin/taprun"
ports=($((20000 + $$ % 20000)) $((20001 + $$ % 20000)))
cat >ssh_config <<-EOS
	Host one
	Port ${ports[0]}
	Host two
	Port ${ports[1]}
	Host none
	Port 1
	Host *
	HostName 127.0.0.1
	User root
	IdentityFile $PWD/key
	StrictHostKeyChecking no
	UserKnownHostsFile /dev/null
	LogLevel ERROR
	ServerAliveInterval 2
EOS
printf '#!/bin/sh\nexec ssh -F %s "$@"\n' "$PWD/ssh_config" >ssh
chmod +x ssh
export TAPC_SSH=$PWD/ssh

# one sysroot for both kernels
mkdir -p sysroot/lib/modules sysroot/boot
# shellcheck disable=SC2153
for kernel in "$KREL" "$(kernel_release $second)"; do
	prefix=$(kernel_prefix "$kernel")
	ln -s "$prefix/lib/modules/$kernel" sysroot/lib/modules/
	ln -s "$prefix"/boot/* sysroot/boot/
done

"$SRC/tests/vm" --kernel "$KREL" --timeout 900 --forward ${ports[0]} -- sh "$PWD/serve" >one.log 2>&1 &
vms=($!)
"$SRC/tests/vm" --kernel $second --timeout 900 --forward ${ports[1]} -- sh "$PWD/serve" >two.log 2>&1 &
vms+=($!)
finish() { kill "${vms[@]}" 2>/dev/null; wait; }
trap finish EXIT
fail() { echo "$*"; tail -n 20 out err one.log two.log; exit 1; }

for host in one two; do
	wait_for_sshd ./ssh -o ConnectTimeout=5 $host true || fail "no sshd on $host"
done
tapc() { "$TAPC" --quiet --sysroot "$PWD/sysroot" -B CC=gcc-12 "$@" >out 2>err; }

# both kernels, each line with its host's name, the worst status
cat >both.stp <<-'EOS'
	probe begin { printf("kernel %s of 6: %s %d words\n", %( kernel_v >= "6.0" %? "not before" %: "before" %), @1, $# + (@2 == "")) }
	probe kernel.function("vfs_read") { if (pid() == target()) reads++ }
	probe end { println(reads > 0, " it's read"); delete reads }
	global reads
EOS
tapc --remote one --remote two -c 'cat /proc/version' both.stp "it's" "$HOME" || fail "two hosts: status $?"
[[ $(grep -cx "one: kernel not before of 6: it's 2 words" out) = 1 ]] || fail "the first host"
[[ $(grep -cx "two: kernel before of 6: it's 2 words" out) = 1 ]] || fail "the second host"
[[ $(grep -c "^one: 1 it's read\$" out) = 1 && $(grep -c "^two: 1 it's read\$" out) = 1 ]] || fail "end"
[[ $(grep -c 'Linux version' out) = 2 && ! -s err ]] || fail "the command"

# one host: as if it were local
tapc --remote one -e 'probe begin { print("a"); print("b\n"); error("enough") }'
[[ $? = 1 && $(<out) = ab ]] || fail "one host"
grep -q '^ERROR: enough' err || fail "its error"

# a host that does not exist; a wrong script
tapc --remote none --remote two -e 'probe begin { println("up"); exit() }'
[[ $? = 5 && $(<out) = "two: up" ]] || fail "a host that is not there"
grep -qx 'tapc: error: none: cannot connect' err || fail "a host that is not there"
! tapc --remote one --remote two -e 'probe begin { println(nothing()) }' || fail "a wrong script"
[[ $(grep -c "^tapc: error: \(one\|two\): no module for its kernel" err) = 2 && ! -s out ]] || fail "a wrong script"

# SIGINT, of all processes as a terminal sends it: the last output of all arrives, nothing is left
set -m
"$TAPC" --sysroot "$PWD/sysroot" -B CC=gcc-12 --remote one --remote two -m t_remote \
	-e 'probe begin { println("up") } probe end { println("down") }' >out 2>err &
session=$!
until [[ $(grep -c up out) = 2 ]]; do
	sleep 0.3
	kill -0 $session || fail "did not start"
done
kill -INT -- -$session
wait $session || fail "SIGINT: status $?"
[[ $(sort out | tr '\n' ,) = "one: down,one: up,two: down,two: up," ]] || fail "SIGINT"
for host in one two; do
	! ./ssh $host cat /proc/modules | grep t_remote || fail "left on $host"
done

# one dies: the other continues
"$TAPC" --sysroot "$PWD/sysroot" -B CC=gcc-12 --remote one --remote two \
	-e 'probe timer.ms(200) { println("tick") } probe end { println("down") }' >out 2>err &
session=$!
until [[ $(grep -c 'two: tick' out) -gt 1 ]]; do
	sleep 0.3
	kill -0 $session || fail "did not start"
done
kill -TERM ${vms[1]}
for ((i = 0; i < 100; i++)); do
	! grep -q 'two: the connection was lost' err || break
	sleep 0.3
done
((i < 100)) || fail "the dead host is not reported"
ticks=$(grep -c 'one: tick' out)
sleep 2
[[ $(grep -c 'one: tick' out) -gt $ticks ]] || fail "the other has stopped"
kill -INT $session
wait $session
[[ $? = 5 ]] || fail "its status"
[[ $(tail -n 1 out) = "one: down" ]] || fail "the other's end"
