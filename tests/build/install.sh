#!/bin/bash
# make install DESTDIR=... leaves a tapc that works from there, and the uninstalled one works from its build tree
# default: no
# sanitizers: no
set -e
. "$SRC/tests/lib/tapset-scripts.sh"
make -s -C "$BUILD" install DESTDIR="$PWD/root" >log 2>&1 || { tail -n 20 log; exit 1; }
tapc=$(find root -path '*/bin/tapc')
[[ -x $tapc && -n $(find root -path '*/bin/taprun') && -z $(find root -perm /6000) ]]
! grep -rIl "$SRC" root || { echo "files that name the source tree"; exit 1; }
mkdir elsewhere
cd elsewhere
export XDG_CACHE_HOME=$PWD/cache
# shellcheck disable=SC2086
"../$tapc" $TAPC_ARGS -v -p4 -m tap_inst -e 'probe begin { println(execname()); exit() }' >out 2>err || { cat err; exit 1; }
[[ $(<out) = tap_inst.ko && -s tap_inst.ko ]]
# the gallery is included, without its tests
examples=$(dirname "$(find ../root -name macros.stpm)")/../examples
[[ $(cd "$examples" && find . -name '*.stp' | wc -l) = $(cd "$SRC/examples" && find . -name '*.stp' | wc -l) ]]
[[ -x $examples/syscall/opensnoop.stp && -s $examples/README.md && -z $(find "$examples" -name '*.check' -o -name '*.sh') ]]
# and its scripts are tools, each with a page of the manual
"../$tapc" --tools >tools
[[ $(wc -l <tools) = $(find "$examples" -name '*.stp' | wc -l) ]] || { echo "--tools"; cat tools; exit 1; }
"../$tapc" opensnoop --help | grep -q '^Usage: tapc opensnoop'
pages=$(dirname "$(find ../root -path '*/man1/tapc-opensnoop.1')")
sed 's/ .*//; s/.*/tapc-&.1:.TH tapc-& 1 /' tools | sort >wanted
(cd "$pages" && grep -o '^\.TH tapc-[^ ]* 1 ' tapc-*.1) | sort | diff wanted - || { echo "pages of tools"; exit 1; }
# syntax files for editors
for file in vim/vimfiles/{ftdetect,ftplugin,indent,syntax}/tapc.vim emacs/site-lisp/tapc-mode.el \
	tapc/vscode/{package.json,language-configuration.json,syntaxes/tapc.tmLanguage.json}; do
	[[ -s $(find ../root -path "*/share/$file") ]] || { echo "no $file"; exit 1; }
done
# the page that a failure's last line names
for pass in 1 2 3 4 5; do
	link=$(find ../root -name "error::pass$pass.7tap")
	[[ -s $link && -s ${link%/man7/*}/$(sed 's/^\.so //' "$link") ]] || { echo "no page error::pass$pass"; exit 1; }
	grep -q "^\.B Pass $pass:" "${link%/*}/error-pass.7" || { echo "nothing about pass $pass"; exit 1; }
done
each_tapset_works "../$tapc" "$(dirname "$(find ../root -name macros.stpm)")"
# the sources of the runtime must be the installed ones
if command -v strace >/dev/null; then
	# shellcheck disable=SC2086
	strace -f -o trace -e trace=openat "../$tapc" $TAPC_ARGS -p2 -e 'probe begin { println(execname()) }' >/dev/null 2>&1 || :
	! grep "$SRC/tapsets" trace || exit 1
fi
# shellcheck disable=SC2086
# shellcheck disable=SC2153
"$TAPC" $TAPC_ARGS -p4 -m tap_tree -e 'probe begin { println(execname()); exit() }' >/dev/null
make -s -C "$BUILD" uninstall DESTDIR="$OLDPWD/root" >>log 2>&1 || exit 0
left=$(find "$OLDPWD/root" -type f)
[[ -z $left ]] || { echo "left by uninstall: $left"; exit 1; }
