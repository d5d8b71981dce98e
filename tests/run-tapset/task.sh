printf 'the quick brown fox' >f
nice -n 5 dd if=f of=/dev/null bs=13 count=1 2>/dev/null
sleep 1
