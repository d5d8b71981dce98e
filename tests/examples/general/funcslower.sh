# Two of five exceed the limit, and more on a very slow machine.
for i in 0.01 0.05 0.001 0.06 0.01; do busybox sleep $i; done
