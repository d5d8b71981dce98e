sleep 0.2
bpftool -V >/dev/null 2>&1 || exit 0
