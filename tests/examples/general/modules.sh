modprobe nlmon
rmmod nlmon
