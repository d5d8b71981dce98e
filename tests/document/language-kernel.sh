#!/bin/bash
# sanitizers: no
# the examples of the language reference that probe a kernel are translated
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
. "$SRC/tests/lib/document.sh"
document_run "$SRC/doc/language.md" kernel
