/* A 32-bit program: addresses and sizes in what its arguments point to are in the upper half of its words. */
#define _GNU_SOURCE
#include <stdint.h>
#include <unistd.h>

/* uapi/asm/unistd_32.h */
enum { SETRLIMIT = 75, RT_SIGACTION = 174, SIGALTSTACK = 186, SENDMSG = 370 };

int main(void)
{
	char data[] = "here";		/* the stack ends below 4 GB */
	unsigned char address[16] = { 2, 0, 0, 80, 127, 0, 0, 1 };
	uint32_t vector[] = { (uint32_t)data, 4 };
	uint32_t message[7] = { (uint32_t)address, sizeof(address), (uint32_t)vector, 1 };
	uint32_t limits[] = { 3000000000u, ~0u };
	uint32_t action[5] = { 0xc0001000, 0x10000000 };
	uint32_t stack[] = { 0xd0002000, 2, 3000000000u };

	syscall(SENDMSG, -1, message, 0);
	syscall(SETRLIMIT, 0, limits);
	syscall(RT_SIGACTION, 10, action, 0, 8);
	syscall(SIGALTSTACK, stack, 0);
	return 0;
}
