#!/bin/bash
# Secure Boot with module.sig_enforce: modules signed by tapc --sign-module with an enrolled key run, also with direct calls at returns; unsigned ones are refused before they are built, by one line that says what to do
# default: no
# timeout: 600
for tool in sbsign openssl; do
	type -P "$tool" >/dev/null || { echo "no $tool: apt-get install ovmf sbsigntool"; exit 77; }
done
key=/usr/share/ovmf/PkKek-1-snakeoil
[[ -e $key.key ]] || { echo "no test key: apt-get install ovmf"; exit 77; }
mkdir mok other
openssl rsa -in $key.key -passin pass:snakeoil -out mok/signing_key.pem 2>/dev/null &&
	openssl x509 -in $key.pem -outform DER -out mok/signing_key.x509 || exit
openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other/ -outform DER -keyout other/signing_key.pem \
	-out other/signing_key.x509 2>/dev/null
script='global n probe kernel.function("write_null") { if (execname() == "dd") n++ } probe end { println(n, " writes") }'
gated='global n probe kernel.function("write_null").return { if (execname() == "dd") n++ } probe end { println(n, " writes") }'
make() { "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m "$@" || exit; }
make t_plain -e "$script"
make t_enrolled --sign-module=mok -e "$script"
make t_other --sign-module=other -e "$script"
make t_gated --sign-module=mok -DTAP_DIRECT -e "$gated"
cat >guest <<'OUTER'
fail() { echo "$*"; cat out err; exit 1; }
[[ $(od -An -tu1 -j4 /sys/firmware/efi/efivars/SecureBoot-*) -eq 1 ]] || fail "no Secure Boot"
grep -q '\[integrity\]' /sys/kernel/security/lockdown || fail "not locked down"
refused()	# PATTERN COMMAND...
{
	"${@:2}" >out 2>err
	[[ $? = 5 && ! -s out ]] && grep -q "$1" err || fail "not refused: ${*:2}"
	[[ -z $(ls -d /proc/tap:* 2>/dev/null) ]] || fail "left in /proc"
}
unsigned='this kernel takes only signed modules (module.sig_enforce); sign it with an enrolled key (tapc --sign-module'
refused "^ERROR: $unsigned" "$TAPRUN" ./t_plain.ko
[[ $(wc -l <err) = 1 ]] || fail "more than one line"
refused "^tapc: error: $unsigned" "$TAPC" -v -e 'probe begin { exit() }'
! grep -q 'Pass 4\|building the runtime' err || fail "built although it was not needed"
refused "cannot load module '.*': its signature is missing or not trusted by this kernel: sign it with an enrolled key" "$TAPRUN" ./t_other.ko
"$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 status=none' ./t_enrolled.ko >out 2>err &&
	[[ $(<out) = '300 writes' && ! -s err ]] || fail "with the enrolled key"
"$TAPRUN" -v -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 status=none' ./t_gated.ko >out 2>err &&
	[[ $(<out) = '300 writes' ]] && grep -qx 'taprun: 1 of them by direct calls' err || fail "direct calls at returns"
! grep '^t_\|^tap_gate' /proc/modules
OUTER
# shellcheck disable=SC2086
$VM --secure-boot --append module.sig_enforce=1 -- env TAPC="$TAPC" TAPRUN="$TAPRUN" bash -c '
	modprobe efivarfs; mount -t efivarfs none /sys/firmware/efi/efivars; exec bash ./guest'
