#!/bin/bash
# A storm of forks under probes of fork, exec and exit: each is counted
# default: no
# kernels: all
cat >storm <<'X'
#!/bin/bash
for ((i = 0; i < 150; i++)); do (:) & (:) & wait; done
X
chmod +x storm
result=$("$TAPRUN" -c ./storm ./t_forks.ko)
echo "$result"
[[ $result = '300 300 301' ]]
