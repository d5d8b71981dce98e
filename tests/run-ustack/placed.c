/* Code at a known place, and data in another segment. */
int data = 1;

__attribute__((noipa)) void here(int *address)
{
	++*address;
}

int main(void)
{
	here(&data);
	return 0;
}
