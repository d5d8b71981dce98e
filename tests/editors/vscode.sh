#!/bin/bash
# The parts that VS Code is made of, fetched by npm: its client of the protocol drives the language server, and its TextMate
# engine reads the gallery and the library with the grammar
# default: no
# sanitizers: no
# timeout: 900
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/npm.sh"
parts=$SRC/tests/editors/vscode
npm_modules "$parts"
export NODE_PATH=$modules/node_modules
node "$parts/grammar.js" "$SRC/editors/vscode" "$SRC"/examples/*/*.stp "$SRC"/tapsets/*.stp* || exit 1
"$TAPC" --language-server </dev/null 2>err
[[ $? != 2 ]] || { cat err; echo "the grammar is right, but tapc has no language server"; exit 77; }
timeout 200 node "$parts/client.js" "$TAPC" --language-server
