cd /proc/systemtap/*/ || exit
echo 5 >"do"
echo 6 >"do"
cat cve_enabled_p cve_fix_p cve_trace_p metrics
echo 0 >cve_fix_p
echo 7 >"do"
cat metrics
echo -1 >pause
echo 8 >"do"
cat cve_enabled_p cve_tmpdisabled_s metrics
echo 1 >pause
until grep -q 1 cve_enabled_p; do sleep 0.1; done
cat cve_tmpdisabled_s
