#!/bin/bash
# BPF's direct calls and ours: a function has room for one; a session that finds a BPF program there uses ftrace
# default: no
# host: type -P bpftrace >/dev/null || { echo "no bpftrace"; exit 77; }
dd='dd if=/dev/zero of=/dev/null bs=7 count=100 status=none'
program='kfunc:write_null /args->count == 7/ { @n = count(); }'
export dd
bpf() { bpftrace -q -e "$program" -c "$1" 2>bpf.err; }

[[ $(bpf "/bin/$dd") = *'@n: 100'* ]] || { cat bpf.err; exit 1; }
# the program is there first
cat >both <<-END
	#!/bin/bash
	'$TAPRUN' -v -c '$dd' $PWD/t_bpf.ko >session 2>session.err
END
out=$(bpf "/bin/bash $PWD/both")
echo "$out; $(cat session)"
[[ $out = *'@n: 100'* && $(cat session) = 100 ]] || { cat bpf.err session.err; exit 1; }
grep -q 'no direct calls: another user of ftrace, such as a BPF program, has the function' session.err || { cat session.err; exit 1; }
# the session is there first: the program is refused, and the session goes on
"$TAPRUN" -c "bpftrace -q -e '$program' -c '/bin/$dd' >refused 2>&1; $dd" ./t_bpf.ko >session || exit
cat refused session
grep -q 100 session || exit
# and no trace of it is left
[[ $(bpf "/bin/$dd") = *'@n: 100'* ]] || { cat bpf.err; exit 1; }
