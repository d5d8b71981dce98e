# Timers, and the interrupts that come with it.
sleep 0.3
