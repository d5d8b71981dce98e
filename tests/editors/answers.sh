#!/bin/bash
# The language server's answers about the language, the library and a kernel: completion, hover, definition, references,
# rename, outline, formatting
# sanitizers: no
"$TAPC" --language-server </dev/null 2>err
[[ $? != 2 ]] || { cat err; exit 77; }
[[ -n $KREL ]] || { echo "no kernel was fetched"; exit 77; }
PYTHONPATH=$SRC/tests/editors python3 "$SRC/tests/editors/answers.py" || { cat err; exit 1; }
