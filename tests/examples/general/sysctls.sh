# Write the current values.
for setting in kernel/panic vm/swappiness; do
	old=$(cat /proc/sys/$setting)
	echo "$old" >/proc/sys/$setting
done
