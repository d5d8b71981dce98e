i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done
