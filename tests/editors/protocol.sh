#!/bin/bash
# The language server: what does not follow the protocol gets its errors and changes nothing; edits in UTF-16; diagnostics;
# a translator that fails ends with its process
# sanitizers: no
"$TAPC" --language-server </dev/null 2>err
[[ $? = 2 ]] && { cat err; exit 77; }
PYTHONPATH=$SRC/tests/editors python3 "$SRC/tests/editors/protocol.py" || { cat err; exit 1; }
grep -q '/x.stp: a change that the editor sent is not valid' err || { echo "the wrong changes are not reported"; exit 1; }
