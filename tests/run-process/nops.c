/* A marker that is passed 1000 times. Prints which instruction the first and the second nop are while it is probed. */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <stdio.h>

TAPC_SDT_SEMAPHORE(shapes, pass);

__attribute__((noipa, aligned(64))) void pass(int i)
{
	STAP_PROBE1(shapes, pass, i);
}

static const char *what(const unsigned char *code)
{
	switch (*code) {
	case 0x90: return "nop";
	case 0xcc: return "breakpoint";
	case 0x48: return "call";	/* after the stack pointer is moved below the red zone */
	case 0x66: return "nop10";
	}
	return "no nop";
}

int main(void)
{
	const unsigned char *code = (const unsigned char *)pass;

	/* -fcf-protection's landing pad */
	if (code[0] == 0xf3)
		code += 4;
	for (int i = 1; i <= 1000; i++)
		pass(i);
	printf("%s %s %ld\n", what(code), what(code + 1), TAPC_SDT_ENABLED(shapes, pass));
	return 0;
}
