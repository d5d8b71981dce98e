/* A marker in assembler. */
#include <sys/sdt.h>
	.text
	.globl in_assembler
in_assembler:
#ifdef __aarch64__
	STAP_PROBE_ASM(shapes, assembler, 8@x0 -4@x1)
#else
	STAP_PROBE_ASM(shapes, assembler, 8@%rdi -4@%esi)
#endif
	ret
	.section .note.GNU-stack, "", %progbits
