# the command ends at once, which is what taprun waits for; the sleeping processes continue
setsid sleep 20 </dev/null >/dev/null 2>&1 &
setsid sleep 20 </dev/null >/dev/null 2>&1 &
