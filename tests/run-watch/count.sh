for i in 11 12 13 14 15 16 0; do echo $i >/proc/sys/kernel/panic; done
for i in 1 2 3; do cat /proc/sys/kernel/panic >/dev/null; done
for i in 0 0 0 0; do echo 0 >/proc/sys/kernel/panic_print; done
