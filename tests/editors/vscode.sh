#!/bin/bash
# The parts that VS Code is made of, fetched by npm: its client of the protocol drives the language server, and its TextMate
# engine reads the gallery and the library with the grammar
# default: no
# sanitizers: no
# timeout: 900
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
type -P npm >/dev/null || install_packages npm
type -P npm node >/dev/null || { echo "no npm and nodejs"; exit 77; }
modules=$(dirname "$kernels_dir")/npm
# locked: the lock file has the checksums of all packages
parts=$SRC/tests/editors/vscode
if ! cmp -s "$parts/package-lock.json" "$modules/package-lock.json" || [[ ! -e $modules/node_modules/.package-lock.json ]]; then
	mkdir -p "$modules" && cp "$parts"/package*.json "$modules/" || exit
	(cd "$modules" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund) >npm.log 2>&1 ||
		{ rm -f "$modules/package-lock.json"; echo "npm cannot fetch the packages: $(tail -n 1 npm.log)"; exit 77; }
fi
export NODE_PATH=$modules/node_modules
node "$parts/grammar.js" "$SRC/editors/vscode" "$SRC"/examples/*/*.stp "$SRC"/tapsets/*.stp* || exit 1
"$TAPC" --language-server </dev/null 2>err
[[ $? != 2 ]] || { cat err; echo "the grammar is right, but tapc has no language server"; exit 77; }
timeout 200 node "$parts/client.js" "$TAPC" --language-server
