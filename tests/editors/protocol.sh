#!/bin/bash
# The language server: what does not follow the protocol gets its errors and changes nothing; edits in UTF-16; diagnostics;
# a translator that fails ends with its process
# sanitizers: no
"$TAPC" --language-server </dev/null 2>err
[[ $? = 2 ]] && { cat err; exit 77; }
echo 'probe begin { }' >x.stp
for script in x.stp '-e probe'; do
	# shellcheck disable=SC2086
	"$TAPC" --language-server $script </dev/null 2>err
	[[ $? = 2 ]] && grep -q -e '--language-server serves the scripts that an editor opens: it takes none' err ||
		{ echo "$script is accepted"; cat err; exit 1; }
done
PYTHONPATH=$SRC/tests/editors python3 "$SRC/tests/editors/protocol.py" || { cat err; exit 1; }
grep -q '/x.stp: a change that the editor sent is not valid' err || { echo "the wrong changes are not reported"; exit 1; }
