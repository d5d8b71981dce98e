#include <setjmp.h>

static jmp_buf back;
volatile int sink;

__attribute__((noipa)) int work(int n) { sink += n; return 2 * n; }
__attribute__((noipa)) int deep(int n)
{
	int below = n ? deep(n - 1) : 0;

	sink = n;
	return n ? below + 10 : 0;
}
__attribute__((noipa)) void jump(int n)
{
	if (n)
		jump(n - 1);
	longjmp(back, 1);
}
__attribute__((noipa)) int late(int n) { return sink += n; }

int main(void)
{
	for (int i = 0; i < 1000; i++)
		work(i);
	for (int i = 0; i < 5; i++)
		deep(30);
	for (volatile int i = 0; i < 40; i++) {
		if (!setjmp(back))
			jump(i);
		late(7);
	}
	return 0;
}
