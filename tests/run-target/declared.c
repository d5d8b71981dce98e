/* A variable that is not defined in C. */
asm(".pushsection .data\n.globl by_hand\n.type by_hand, @object\n.size by_hand, 4\nby_hand:\n.long -77\n.popsection");
extern int by_hand;

__attribute__((noinline)) int look(int n)
{
	asm volatile("" : "+r"(n));
	return n + by_hand;
}

int main(void)
{
	return look(3) == 0;
}
