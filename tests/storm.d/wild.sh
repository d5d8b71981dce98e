#!/bin/bash
# Random scripts, whose library functions get the results of others and edge values, in handlers of all kinds, are loaded and unloaded
# counts: loads
# count: 200
. "$SRC/tests/storm.d/families.sh"
WEATHER=${WEATHER:-programs io network forks}	# those in which handlers have the most hits

# Eight scripts by the storm's seed.
prepare()
{
	local i

	families_programs
	"$TAPC" --dump-functions >functions || die "no list of functions"
	for ((i = 0; i < 8; i++)); do
		wild_module "t_wild$i" $((${seed:-1} * 8 + i))
	done
}

# wild_module NAME SEED: without the lines that this kernel has no function for, or that take -g
wild_module()
{
	local name=$1 lines

	python3 "$SRC/tests/storm.d/wild.py" "$2" functions >"$name.stp" || die "no script"
	# shellcheck disable=SC2086,SC2046
	until "$TAPC" $TAPC_ARGS -p3 $(directive "$name.stp" tapc) "$name.stp" >/dev/null 2>"$name.errors"; do
		lines=$(sed -n "s/^$name.stp:\([0-9]*\):.* error: .*/\1d/p" "$name.errors" | sort -u)
		[[ -n $lines ]] && ! sed -n "${lines//d/p}" "$name.stp" | grep -v '^	if (!randint(4)) try' || { cat "$name.errors"; die "$name.stp has other errors"; }
		sed -i "$lines" "$name.stp"
	done
	# shellcheck disable=SC2046
	module "$name" -w --suppress-handler-errors -DMAXSKIPPED=100000000 -DMAXACTION=100000 $(directive "$name.stp" tapc)
}
