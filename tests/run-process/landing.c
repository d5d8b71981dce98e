/* Functions that begin with a landing pad (-fcf-protection). Prints where the breakpoint is. */
#include <stdio.h>

volatile int sink;

__attribute__((noipa)) void leaf(int n) { sink += n; }

/* Begins with a push, since N lives across the call. */
__attribute__((noipa)) int pushes(int n) { leaf(n); return n + 1; }

/* Pushes a register whose encoding has a prefix. */
int pushes_high(int n);
asm(".text; .globl pushes_high; .type pushes_high, @function\n"
    "pushes_high: .cfi_startproc; endbr64; push %r12; .cfi_adjust_cfa_offset 8; mov %edi, %eax; pop %r12; .cfi_adjust_cfa_offset -8; ret; .cfi_endproc; .size pushes_high, . - pushes_high");

/* The head of its loop follows the pad. */
int loops(int n);
asm(".globl loops; .type loops, @function\n"
    "loops: .cfi_startproc; endbr64; 1: dec %edi; jnz 1b; mov $7, %eax; ret; .cfi_endproc; .size loops, . - loops");

static const char *place(int (*f)(int))
{
	const volatile unsigned char *code = (const volatile unsigned char *)f;

	return code[0] == 0xcc ? "at the pad" : code[4] == 0xcc ? "after the pad" : "nowhere";
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i <= 10; i++)
		sum += pushes(i) + pushes_high(i) + loops(i);
	printf("pushes: %s\npushes_high: %s\nloops: %s\n", place(pushes), place(pushes_high), place(loops));
	printf("sum %d\n", sum);
	return 0;
}
