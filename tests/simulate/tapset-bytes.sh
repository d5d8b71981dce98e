#!/bin/bash
# functions of the library that scripts of SystemTap use for their output print the same bytes: colours, numbers as bytes,
# file types
run() { "$TAPC" --simulate -w -e "$1" 2>&1; }
check() { [[ $1 = "$2" ]] || { printf 'not %q\nbut %q\n' "$2" "$1"; exit 1; }; }

check "$(run 'probe begin { ansi_set_color(31, 40); ansi_set_color(32, 41, 0); ansi_set_color3(33, 42, 1); ansi_reset_color() exit() }')" \
	$'\e[40;31m\e[41;32m\e[42;33;1m\e[0;0m'
[[ $(printf '\1\2' | od -An -tu2) = *513* ]] || { echo "a little-endian machine is needed"; exit 77; }
check "$(run 'probe begin { stp_print_binary(0, 1, 1, 1, 1); stp_print_binary(2, 0x4142, -1, 3, 4); stp_print_binary(4, 1, 2, 3, 4) exit() }' |
	od -An -v -tx1 | tr -d ' \n')" \
	4241000000000000ffffffffffffffff0100000000000000020000000000000003000000000000000400000000000000
check "$(run 'probe begin { try { stp_print_binary(5, 1, 2, 3, 4) } catch (e) { println(e) } exit() }')" \
	'stp_print_binary prints 0 to 4 numbers, not 5'
check "$(run 'probe begin { println(ftype(0100644), ftype(040755), ftype(0120777), ftype(0), ftype(-1)) exit() }')" \
	'0100644 (ISREG)040755 (ISDIR)0120777 (ISLNK)00 (Unknown)037777777777 (Unknown)'
