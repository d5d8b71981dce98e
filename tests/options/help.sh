#!/bin/bash
# -h names every option with its letter, -V the version; both on stdout, status 0
set -e
"$TAPC" -h >out 2>err
[[ ! -s err ]]
for option in -e -E -I -D -G -g -c -x -T -o -S -b -s -F -t -w -W -p -v -k -m -r -a -B -h -V \
	--vm --sysroot --simulate --kbuild --disable-cache --clean-cache --color --sessions --detach --attach --stop --sign --output; do
	grep -q -- "$option" out || { echo "$option is not in -h"; exit 1; }
done
[[ $("$TAPC" -V) =~ ^tapc\ [0-9]+\.[0-9] ]]
"$TAPC" --help >/dev/null
"$TAPC" --version >/dev/null
