cd /proc/systemtap/*/ || exit
cat a/b
printf 'hello' >a/b
cat a/b
cat a/c
echo text >w
stat -c '%A %n' a/b a/c w command
wc -c <"command"
tail -n 1 command
