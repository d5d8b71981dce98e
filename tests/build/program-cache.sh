#!/bin/bash
# A cached module is not used if its script names a program that has changed: one in another directory, or rebuilt, is
# different
set -e

mkdir one two
echo 'int main(void) { return 0; }' >one/program.c
echo 'int f(void) { return 1; } int main(void) { return f(); }' >two/program.c
for dir in one two one; do
	gcc -g -o $dir/program $dir/program.c
	# shellcheck disable=SC2086
	(cd $dir && "$TAPC" $TAPC_ARGS -p4 -m named -e 'probe process("./program").begin { exit() }
		probe process("./program").function("main") { exit() }' >/dev/null)
	grep -aq "$PWD/$dir/program" $dir/named.ko || { echo "$dir: not its own"; exit 1; }
	cp -p two/program.c one/program.c
done
id=$(readelf -n one/program | sed -n 's/.*Build ID: //p')
od -An -v -tx1 one/named.ko | tr -d ' \n' | grep -q "$id" || { echo "not of the new one"; exit 1; }
