#!/bin/bash
# --sign-module appends a signature that openssl verifies, also to the module tap_gate within; without key or certificate one line says what to do
# shellcheck disable=SC2086 # options are a list of words
# default: no
set -e
options="$TAPC_ARGS -p4 -m t_signed"
"$TAPC" $options -e 'probe begin { exit() }' >/dev/null 2>err || { echo "no kernel to build for: $(head -n 1 err)"; exit 77; }
cp t_signed.ko plain.ko
mkdir mok
openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test/ -outform DER -keyout mok/signing_key.pem \
	-out mok/signing_key.x509 2>/dev/null
# Modules have the versions of all that the runtime imports, and another test may make it grow meanwhile.
for _ in 1 2 3 4 5; do
	"$TAPC" $options --sign-module=mok -e 'probe begin { exit() }' >/dev/null
	mv t_signed.ko signed.ko
	"$TAPC" $options -e 'probe begin { exit() }' >/dev/null
	! cmp -s plain.ko t_signed.ko || break
	mv t_signed.ko plain.ko
done
openssl x509 -inform DER -in mok/signing_key.x509 -out certificate.pem
# verify PLAIN SIGNED
verify()
{
	python3 - "$@" <<-'END'
	import struct, sys
	plain, signed = (open(name, 'rb').read() for name in sys.argv[1:])
	assert signed.startswith(plain) and signed.endswith(b'~Module signature appended~\n')
	info = signed[-28 - 12:-28]
	size = struct.unpack('>I', info[8:])[0]		# struct module_signature; its id_type 2 is PKCS#7
	assert info[2] == 2 and len(signed) == len(plain) + size + 12 + 28
	open('signature', 'wb').write(signed[len(plain):len(plain) + size])
	END
	openssl cms -verify -binary -inform DER -in signature -content "$1" -certfile certificate.pem -nointern -noverify \
		-out /dev/null 2>err || { cat err; exit 1; }
}
verify plain.ko signed.ko
# gate FILE OPTION...: the module tap_gate in a script's module
gate()
{
	"$TAPC" $options -DTAP_DIRECT "${@:2}" -e 'global n probe kernel.function("vfs_read").return { n++ }' >/dev/null
	objcopy --dump-section .tap_gate="$1" t_signed.ko
}
gate plain_gate.ko
gate gate.ko --sign-module=mok
verify plain_gate.ko gate.ko
# Its error message; nothing if it succeeds
wrong() { rm -f t_signed.ko; "$TAPC" $options "$@" -e 'probe begin { exit() }' >out 2>err || cat err; }
mkdir none
wrong --sign-module=none | grep -qx "tapc: error: --sign-module: no signing_key.pem and signing_key.x509 in none; openssl req creates them, and mokutil --import enrolls the certificate"
cp mok/signing_key.x509 none/signing_key.x509
echo nonsense >none/signing_key.pem
wrong --sign-module=none | grep -q "^tapc: error: /.*/scripts/sign-file cannot sign the module: "
# a key of another certificate
openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other/ -outform DER -keyout none/signing_key.pem \
	-out /dev/null 2>/dev/null
wrong --sign-module=none | grep -q "sign-file cannot sign the module: "
[[ ! -e t_signed.ko ]] || { echo "a module is left that is not signed"; exit 1; }
