#!/bin/bash
# In which function a system call's error began: failures that the kernel injects into allocations and functions.
# kernels: debug
mount -t debugfs none /sys/kernel/debug 2>/dev/null
here=$PWD
cd /sys/kernel/debug/failslab || { echo "the kernel injects no failures"; exit 77; }
echo 0 >ignore-gfp-wait
echo 0 >verbose
echo 0 >../fail_page_alloc/ignore-gfp-wait
echo 0 >../fail_page_alloc/verbose
cd ../fail_function || exit
echo __x64_sys_personality >inject || exit
printf %#x -5 >__x64_sys_personality/retval
echo 100 >probability
echo -1 >./times
echo 0 >verbose
cd "$here" || exit

# CALL ERROR FUNCTION: FUNCTION is a regular expression: what the compiler has inlined or split differs
expected='openat ENOMEM getname_flags(.part.0)?
epoll_create1 ENOMEM ep_alloc|do_epoll_create
eventfd2? ENOMEM do_eventfd
inotify_init1 ENOMEM __fsnotify_alloc_group|fsnotify_alloc(_user)?_group|inotify_new_group|do_inotify_init
timerfd_create ENOMEM __x64_sys_timerfd_create|__do_sys_timerfd_create
pipe2? ENFILE create_pipe_files
socket ENFILE __sock_create
mmap2? ENOMEM mmap_region
personality EIO __x64_sys_personality'
"$TAPRUN" -c ./injected ./t_why.ko >why 2>why.err || { cat why.err; exit 1; }
echo >/sys/kernel/debug/fail_function/inject
awk '/^injected\(/ { sub(/\(.*/, "", $2); gsub(/[()]/, "", $NF); call = $2 " " $NF; next }
     /^  -> / { sub(/\(.*/, "", $2); if (call != "") print call, $2; call = "" }' why >found
bad=0
while read -r call error function; do
	grep -qxE "$call $error ($function)" found || { echo "not found: $call $error $function"; bad=1; }
done <<<"$expected"
((bad == 0)) || { cat found; grep -v '^  by' why; exit 1; }
! grep -n incomplete why
