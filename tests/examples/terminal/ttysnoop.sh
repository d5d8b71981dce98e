script -qec 'echo the first line; seq 3' /dev/null </dev/null >/dev/null
