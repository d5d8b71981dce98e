#!/bin/bash
# The metrics page has each session's statistics and what its script exports, in the OpenMetrics format, with few privileges
. "$SRC/tests/lib/session.sh"
start ./t_metrics.ko
printed begin
dd if=/dev/zero of=/dev/null bs=1 count=123 status=none
setpriv --bounding-set -all,+dac_read_search --inh-caps -all --no-new-privs "$BUILD/tapd" --metrics /run/metrics.sock 2>log &
tapd=$!
wait_until test -S /run/metrics.sock
# in the presence of silent clients and invalid requests
python3 - <<'END' || fail "nonsense"
import socket
idle = socket.socket(socket.AF_UNIX); idle.connect('/run/metrics.sock')
for request in b'', b'\0' * 100000, b'POST /metrics HTTP/1.1\r\n\r\n', b'GET / HTTP/1.0\r\n\r\n':
	s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect('/run/metrics.sock')
	try:
		s.sendall(request); s.shutdown(socket.SHUT_WR)
		answer = s.recv(100)
	except OSError:
		answer = b''
	assert not answer or b'404' in answer, answer
END
curl -sS --unix-socket /run/metrics.sock http://localhost/metrics >page || fail "curl: $?" "$(cat log)"
python3 - <<'END' || fail "$(cat page)"
import re
lines = open('page').read().split('\n')
assert lines[-2:] == ['# EOF', '']
samples, types = {}, {}
for line in lines[:-2]:
	if line.startswith('# TYPE '):
		name, kind = line.split()[2:]
		assert name not in types, name
		types[name] = kind
	elif not line.startswith('# HELP '):
		m = re.fullmatch(r'([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*)\} ([0-9]+)', line)
		assert m, line
		samples[m[1], m[2]] = int(m[3])
		assert m[1] in types or (m[1].endswith('_total') and types[m[1][:-6]] == 'counter'), line
assert samples['writes_total', 'who="ab"'] == 123
hits = [v for (n, l), v in samples.items() if n == 'tapc_probe_hits_total' and 'write_null' in l and 'session="t_metrics"' in l]
assert len(hits) == 1 and hits[0] >= 123, hits
assert samples['tapc_session_memory_bytes', 'session="t_metrics"'] > 0
END
kill -TERM $tapd
wait $tapd || fail "tapd: $?"
[[ ! -s log ]] || fail "$(cat log)"
kill -TERM $pid
wait $pid
