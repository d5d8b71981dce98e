#include <sys/syscall.h>
#include <unistd.h>

struct pair { long first, second; };

__attribute__((noipa)) long ten(long a, long b, long c, long d, long e, long f, long g, int h, long i, long j)
{
	return a + b + c + d + e + f + g + h + i + j;
}

__attribute__((noipa)) struct pair pair(struct pair p, int last)
{
	return (struct pair){ p.second, p.first + last };
}

int main(void)
{
	long sum = ten(11, 2, 3, 4, 5, 6, 7, -8, -9, 1L << 40);
	struct pair p = pair((struct pair){ 71, -72 }, sum == (1L << 40) + 21 ? 5 : 0);

	for (int i = 1; i <= 40; i++) {
		syscall(SYS_lseek, 7, 1000 + i, SEEK_CUR);
		syscall(SYS_write, 7, "", 2000 + i);
	}
	return p.first != -72 || p.second != 76;
}
