exec 3>/dev/null
i=0
while [ $i -lt 500 ]; do echo 123456 >&3; i=$((i + 1)); done
while [ $i -lt 520 ]; do /bin/true; i=$((i + 1)); done
