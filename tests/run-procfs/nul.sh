cd /proc/systemtap/*/ || exit
printf 'ab\0cd' >f
printf '\0x' >f
echo >end
