# The serial port raises an interrupt when its driver may continue writing.
grep ttyS /proc/interrupts
for _ in 1 2 3 4 5 6 7 8; do echo >/dev/ttyS0; sleep 0.01; done
grep ttyS /proc/interrupts
