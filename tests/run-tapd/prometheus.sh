#!/bin/bash
# A real Prometheus scrapes the metrics page: the metrics exported by a script, a session's statistics, and no errors
# timeout: 400
# packages: prometheus
# default: no
. "$SRC/tests/lib/session.sh"
type -P prometheus >/dev/null || { echo "prometheus is not installed"; exit 77; }
start ./t_export.ko
printed begin
dd if=/dev/zero of=/dev/null bs=1 count=123 status=none
"$BUILD/tapd" --metrics 9435 2>log &
tapd=$!
cat >prometheus.yml <<-'END'
	global: { scrape_interval: 1s }
	scrape_configs: [{ job_name: tapc, static_configs: [{ targets: ['127.0.0.1:9435'] }] }]
END
prometheus --config.file=prometheus.yml --storage.tsdb.path=/run/prometheus \
	--web.listen-address=127.0.0.1:9090 --log.level=warn 2>prometheus.log &
prometheus=$!
# value QUERY: prints its one value, or nothing
value()
{
	curl -sS --get http://127.0.0.1:9090/api/v1/query --data-urlencode "query=$1" 2>/dev/null |
		sed -n 's/.*"value":\[[^,]*,"\([0-9.e+]*\)"\].*/\1/p'
}
has() { [[ $(value "$1") = "$2" ]]; }
wait_until has 'writes_total{job="tapc",who="dd"}' 123
has 'up{job="tapc"}' 1 || fail "up" "$(cat prometheus.log)"
has 'tapc_probe_hits_total{session="t_export",probe=~".*write_null.*"} >= bool 123' 1 || fail "hits"
has 'tapc_session_lost_records_total{session="t_export"} + 1' 1 || fail "lost"
dd if=/dev/zero of=/dev/null bs=1 count=77 status=none
wait_until has 'writes_total{job="tapc",who="dd"}' 200
curl -sS http://127.0.0.1:9090/api/v1/targets | grep -q '"lastError":""' || fail "a scrape failed"
kill -TERM $prometheus $tapd
wait $prometheus
wait $tapd || fail "tapd: $?"
[[ ! -s log ]] || fail "$(cat log)"
kill -TERM $pid
wait $pid
