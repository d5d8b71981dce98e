#!/bin/bash
# tapc --sign writes signatures that openssl verifies, and reports errors in a key or a module
set -e
[[ -x $BUILD/tapd ]] || { echo "tapd is not built"; exit 77; }
"$TAPC" $TAPC_ARGS -p4 -m t_sign -e 'probe begin { exit() }' >/dev/null 2>err || { echo "no kernel to build for: $(head -n 1 err)"; exit 77; }
openssl genpkey -algorithm ed25519 -out key.pem
openssl pkey -in key.pem -pubout -out key.pub
"$TAPC" --sign key.pem t_sign.ko
openssl pkeyutl -verify -rawin -pubin -inkey key.pub -in t_sign.ko -sigfile t_sign.ko.sig
openssl genpkey -algorithm RSA -out rsa.pem 2>/dev/null
# Its error message; nothing if it succeeds
wrong() { "$TAPC" --sign "$@" >out 2>err || cat err; }
wrong rsa.pem t_sign.ko | grep -q "'rsa.pem' is not a private ed25519 key"
openssl pkey -in key.pem -outform DER -out key.der
for other in key.pub key.der t_sign.ko; do
	wrong $other t_sign.ko | grep -q "'$other' is not a private ed25519 key"
done
mkdir taken.ko.sig && cp t_sign.ko taken.ko
wrong key.pem taken.ko | grep -q "cannot write 'taken.ko.sig': "
wrong none.pem t_sign.ko | grep -q "cannot read the key"
wrong key.pem none.ko | grep -q "cannot read module"
wrong key.pem key.pem | grep -q "not an ELF file"
wrong key.pem | grep -q "expected a key and modules to sign"
