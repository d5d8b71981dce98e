# The change in /proc/interrupts during the workload, for hardirqs.check: "counted IRQ FROM TO".
counts() { awk '$1 ~ /^[0-9]+:$/ { print $1 + 0, $2 + $3 }' /proc/interrupts; }
counts >before
cat /usr/bin/python3 >/dev/null
counts >after
while read -r irq from; do
	to=$(awk -v irq="$irq" '$1 == irq { print $2 }' after)
	[ "$from" = "$to" ] || echo "counted $irq $((to - from))"
done <before
