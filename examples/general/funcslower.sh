# Two of five are too long, unless the machine is so slow that the others are, too.
for i in 0.01 0.05 0.001 0.06 0.01; do busybox sleep $i; done
