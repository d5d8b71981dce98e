#!/bin/bash
# A storm of forks under probes of fork, exec and exit: each is counted
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_forks -e 'global fork, ends, ret probe kernel.function("kernel_clone") { if (execname() == "storm") fork++ } probe kernel.function("kernel_clone").return { if (execname() == "storm") ret++ } probe kernel.function("do_exit") { if (execname() == "storm") ends++ } probe end { printf("%d %d %d\n", fork, ret, ends) }'
cat >storm <<'X'
#!/bin/bash
for ((i = 0; i < 150; i++)); do (:) & (:) & wait; done
X
chmod +x storm
result=$("$TAPRUN" -c ./storm ./t_forks.ko)
echo "$result"
[[ $result = '300 300 301' ]]
