# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Programs of npm for tests, kept next to the kernels. Needs packages.sh and kernels.sh.

# npm_modules DIR: sets $modules, where the packages of DIR/package.json are; the lock file has the checksums of all of them.
# Otherwise the test is skipped.
npm_modules()
{
	local parts=$1

	type -P npm >/dev/null || install_packages npm
	type -P npm node >/dev/null || { echo "no npm and nodejs"; exit 77; }
	modules=$(dirname "$kernels_dir")/npm-$(basename "$parts")
	if cmp -s "$parts/package-lock.json" "$modules/package-lock.json" && [[ -e $modules/node_modules/.package-lock.json ]]; then
		return
	fi
	mkdir -p "$modules" && cp "$parts"/package*.json "$modules/" || exit
	(cd "$modules" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund) >npm.log 2>&1 ||
		{ rm -f "$modules/package-lock.json"; echo "npm cannot fetch the packages: $(tail -n 1 npm.log)"; exit 77; }
}
