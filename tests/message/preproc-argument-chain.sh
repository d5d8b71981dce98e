# an error in a pasted argument shows where it was pasted
cp "$SRC"/tests/message/preproc-argument-chain.stp .
! "$TAPC" -p1 preproc-argument-chain.stp 'x = (3 + )' 2>&1
