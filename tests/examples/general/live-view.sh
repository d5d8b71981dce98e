dd if=/dev/zero of=/dev/null bs=1 count=321 status=none
cat /proc/*/t_live_view/busy
echo reset >$(echo /proc/*/t_live_view/busy)
dd if=/dev/zero of=/dev/null bs=1 count=45 status=none
cat /proc/*/t_live_view/busy
