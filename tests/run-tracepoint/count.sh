exec 3>/dev/null
for ((i = 0; i < 500; i++)); do echo 123456 >&3; done
for ((i = 0; i < 20; i++)); do /bin/true; done
