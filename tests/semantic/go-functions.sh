#!/bin/bash
# Functions of a program written in Go: those whose returns are not all known are refused, and one that begins with a loop gets a warning
[[ $(uname -m) = x86_64 ]] || { echo "the program is in assembler for x86-64"; exit 77; }
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
cat >go.s <<'EOF'
	.text
	.globl main
	.type main, @function
main:	xor %eax, %eax
	ret
	.macro function name
	.type "\name", @function
"\name":
	.endm
	.macro done name
	.size "\name", .-"\name"
	.endm
	function runtime.text
	function main.deep
	cmp $1, %eax
	jne 1f
	ret
1:	repz ret
	done main.deep
	function main.tail
	cmp $1, %eax
	je main.deep
	ret
	done main.tail
	function main.round
	dec %eax
	jne main.round
	ret
	done main.round
	function main.away
	jmp *%rax
	done main.away
	function main.stop
	ud2
	done main.stop
	function main.odd
	nop
	.byte 0x06
	ret
	done main.odd
	function runtime.etext
	nop
	.section .gopclntab, "a"
	.long 0xfffffff1
	.section .note.GNU-stack, "", @progbits
EOF
gcc -o go go.s || exit
failed=0
says()	# FUNCTION TEXT
{
	"$TAPC" $TAPC_ARGS -p2 -e "probe process(\"./go\").function(\"$1\") { }" >out 2>err
	grep -qF "$2" out err || { echo "for $1 no '$2':"; cat out err; failed=1; }
}
returns()
{
	"$TAPC" $TAPC_ARGS -p2 -e "probe process(\"./go\").function(\"$1\").return { $3 }" >out 2>err
	grep -qF "$2" out err || { echo "for the return of $1 no '$2':"; cat out err; failed=1; }
}
returns main.deep 'function("main.deep").return'
returns main.deep "no variable '\$return'" 'println($return)'
returns main.round 'function("main.round").return'
returns main.tail "'main.tail' jumps to another function at +0x3: where it returns is not known"
returns main.away "'main.away' leaves by an indirect jump at +0x0: where it returns is not known"
returns main.stop "'main.stop' has no return instruction: it does not return"
returns main.odd "'main.odd' contains an unknown instruction at +0x1: where it returns is not known"
says main.round "'main.round' jumps back to its first instruction: each round of that loop is a hit"
[[ $("$TAPC" $TAPC_ARGS -l 'process("./go").function("main.*").return' | grep -c return) = 2 ]] ||
	{ echo "main.* matches others than main.deep and main.round"; failed=1; }
exit $failed
