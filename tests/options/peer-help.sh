#!/bin/bash
# the list of SystemTap's options is complete, compared with those that stap and staprun list
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/systemtap.sh"
systemtap_fetched || { echo "no SystemTap: tests/peer fetches it"; exit 77; }
list=$SRC/tests/options/peer-options.list
chroot "$(systemtap_dir)" stap --help >stap 2>&1 || { cat stap; exit 1; }
chroot "$(systemtap_dir)" staprun -h >staprun 2>&1
for program in stap staprun; do
	options=$(sed -n 's/^ \{0,3\}\(-[^ =,[]*\)\( \(--[^ =,[]*\)\)\{0,1\}.*/\1 \3/p' $program)
	[[ $(wc -w <<<"$options") -ge 18 ]] || { cat $program; exit 1; }
	for option in $options; do
		grep -q -- "^$program $option " "$list" || { echo "$program: $option is not in the list"; exit 1; }
	done
done
