/* A program for -m32, and for comparison without it. The script checks what each probe should see. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __i386__
#define WORD ".4byte"
#define WIDE "m"		/* only half of a register pair would be described */
#else
#define WORD ".8byte"
#define WIDE "nor"
#endif
#define MARK(name, arguments, ...) __asm__ volatile ("990: nop\n" \
	".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n" \
	"992: .balign 4\n993: " WORD " 990b, _.stapsdt.base, 0\n.asciz \"demo\"\n.asciz \"" name "\"\n" \
	".asciz \"" arguments "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n" \
	: : __VA_ARGS__)
#define KEPT __attribute__((noipa))

struct point {
	int x, y;
};
struct item {
	char c;
	long number;
	long long wide;
	char *name;
	unsigned low : 3, high : 5;
	struct point at;
	struct item *next;
};

/* All in one page, which is mapped when a handler reads it. */
static char first_name[] = "first", second_name[] = "second", text[] = "text";
struct item second = { 'b', -2, -2000000000000ll, second_name, 5, 17, { 3, 4 }, NULL };
struct item first = { 'a', -1, 1000000000001ll, first_name, 2, 30, { 1, 2 }, &second };
struct item *items[2] = { &first, &second };
static volatile int kept = 77;
volatile int numbers[4] = { 10, -20, 30, -40 };
__thread int own = 31;

KEPT long take(int a, long b, long long c, const char *s, struct point p, short d, struct item *i)
{
	own++;
	return a + b + (long)c + s[0] + p.x + d + i->c;
}

KEPT long long wide_result(long long n) { return -n; }
KEPT char narrow_result(int n) { return (char)n; }
KEPT struct point struct_result(int n) { return (struct point){ n, n + 1 }; }
KEPT struct item *pointer_result(struct item *i) { return i->next; }

static inline __attribute__((always_inline)) int inlined(int n)
{
	kept += n;
	return kept;
}

KEPT void marks(int n, int *array, long long wide)
{
	MARK("values", "-4@%0 4@%1 -4@%2 2@%3 -1@%4", "r"(-n), "r"(0x1234), "nor"(kept), "r"((short)n), "q"((char)-3));
	MARK("memory", "-4@%0 -4@%1 -8@%2 -4@$-5", "m"(array[n]), "m"(numbers[3]), WIDE(wide));
}

int main(void)
{
	long sum;

	first.c = text[0] - ('t' - 'a');
	sum = take(-1, -2, -3000000000ll, text, (struct point){ 5, 6 }, -7, &first);

	sum += (long)wide_result(5000000000ll) + narrow_result(-4) + struct_result(8).y +
	       (pointer_result(&first) != NULL);
	sum += inlined(getppid() < 0);
	marks(2, (int *)numbers, -6000000000ll);
	return own != 32 || !sum;
}
