# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Answers of language servers on this machine: tapc's, and SystemTap's in its chroot (tests/peer makes it).

. "$SRC/tests/lib/systemtap.sh"

# editor_measure PEER COMMAND...
editor_measure()
{
	local peer=$1 row ms

	shift
	(cd "$scratch" && timeout 600 python3 "$parts/editor.py" "$SRC/tests/editors" "$@") >"$scratch/editor.$peer" ||
		progress "the language server of $peer has failed"
	while read -r row ms; do
		keep "$peer" "$row" "$ms"
	done <"$scratch/editor.$peer"
}

editor_here()
{
	local says

	editor_measure tapc "$build/tapc" --language-server --sysroot "$prefix" -r "$release"
	if ! systemtap_fetched; then
		progress "no SystemTap: tests/peer fetches it"
		return
	fi
	says=$(cd "$scratch" && systemtap_run "$scratch" stap --language-server </dev/null 2>&1)
	if [[ $says = *'not supported'* ]]; then
		progress "SystemTap's language server is not in Debian's package: $says"
		return
	fi
	export -f systemtap_run systemtap_dir
	export kernels_dir systemtap_suite
	editor_measure bare bash -c 'systemtap_run "$@"' bash "$scratch" stap --language-server -r "$release"
}
