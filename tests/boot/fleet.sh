#!/bin/bash
# The playbook for fleets, from this machine by ssh to a guest: a static taprun, the module for its kernel, JSON back;
# only a host that does not exist fails
# timeout: 900
# default: no
# packages: ansible-core
# shellcheck disable=SC2086
. "$SRC/tests/lib/ssh.sh"
. "$SRC/tests/lib/configure.sh"
type -P ansible-playbook >/dev/null || { echo "ansible-core is not installed"; exit 77; }
fail() { echo "$*"; tail -n 30 log guest.log; exit 1; }
mkdir -p modules/"$KREL" static
(cd static && "$SRC/configure" -q --cache-file="$(configure_cache)" --disable-translator --without-tapd --enable-static-taprun 2>&1 && make -s -j2 taprun) >log 2>&1 ||
	fail "a static taprun"
(cd modules/"$KREL" && "$TAPC" $TAPC_ARGS -p4 -m t_fleet \
	-e 'global n probe begin { println("begin") } probe kernel.function("vfs_read") { n++ } probe end { println("end") }') >log 2>&1 ||
	fail "a module"
prepare_sshd
port=$((20000 + $$ % 20000))
$VM --timeout 900 --forward $port -- sh "$PWD/serve" >guest.log 2>&1 &
vm=$!
trap 'kill $vm 2>/dev/null; wait' EXIT
options="-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -i $PWD/key"
wait_for_sshd ssh $options -p $port -o ConnectTimeout=5 root@127.0.0.1 true || fail "no sshd in the guest"

cat >hosts <<-EOS
	here ansible_port=$port
	away ansible_port=1
	[all:vars]
	ansible_host=127.0.0.1
	ansible_user=root
	ansible_ssh_common_args='$options'
	ansible_python_interpreter=/usr/bin/python3
EOS
export ANSIBLE_LOCALHOST_WARNING=false ANSIBLE_HOME=$PWD/ansible ANSIBLE_NOCOLOR=1 LC_ALL=C.UTF-8
play() { ansible-playbook -i hosts "$SRC/doc/fleet.yml" -e modules="$PWD/modules" -e taprun="$PWD/static/taprun" -e results="$PWD/results" "$@" >log 2>&1; }
play -e script=t_fleet -e seconds=1
[[ $? = 4 ]] || fail "status, with a host that is away"
grep -Eq '^here .*unreachable=0 +failed=0' log && grep -Eq '^away .*unreachable=1' log || fail "the recap"
[[ -s results/here.json && ! -e results/away.json ]] || fail "the results"
python3 - <<'END' || fail "$(cat results/here.json)"
import json
objects = [json.loads(line) for line in open('results/here.json')]
assert objects[0]['type'] == 'start' and objects[-1] == {'type': 'exit', 'status': 0}
assert [o['text'] for o in objects if o['type'] == 'text'] == ['begin\n', 'end\n']
assert [o['value'] > 0 for o in objects if o['type'] == 'global'] == [True]
END
ssh $options -p $port root@127.0.0.1 "! grep t_fleet /proc/modules && test -e /lib/modules/$KREL/tapc/t_fleet.ko" || fail "afterwards"
