static volatile int variable;

__attribute__((noinline, noclone, noipa)) static int inner(volatile int *p)
{
	return *p;
}

__attribute__((noinline, noclone, noipa)) static int outer(void)
{
	return inner(&variable) + 1;
}

int main(void)
{
	return outer() - 1;
}
