# the command goes on: what taprun waits for is its end, so this leaves the sleepers to themselves
setsid sleep 20 </dev/null >/dev/null 2>&1 &
setsid sleep 20 </dev/null >/dev/null 2>&1 &
