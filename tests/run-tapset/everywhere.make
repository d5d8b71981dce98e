# Makes the module. A few functions are about other kernels: they are left out here, and there must be few of them.
without=()
while :; do
	python3 everywhere.py "$SRC/tapsets" everywhere.stp "${without[@]}" || exit
	cat everywhere.probes >>everywhere.stp
	options="$TAPC_ARGS --no-global-var-display -w -D MAXSKIPPED=100000000 -D MAXACTION=100000"
	"$TAPC" $options -p4 -m t_everywhere everywhere.stp >tapc.out 2>errors && break
	names=$(sed -n 's/^everywhere.stp:\([0-9]*\):.* error: .*/\1/p' errors | sort -nu |
		while read -r line; do sed -n "$line{s/.*try { \(if (\)\?\([A-Za-z0-9_]*\)(.*/\2/p}" everywhere.stp; done)
	[[ -n $names ]] || { cat errors; exit 1; }
	without+=($names)
done
echo "without ${without[*]}"
((${#without[@]} <= 40))
