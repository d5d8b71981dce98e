/* A program with the markers of markers.d, and one without semaphores. */
#include "markers.h"

enum level { LOW = -2, HIGH = 5 };
struct fields {
	int a : 3;
	unsigned int b : 5;
	long c : 40;
	unsigned long d : 33;
};

volatile int passed = 7;
int computed;

static int costly(void)
{
	return ++computed;
}

static inline void start(int id, const char *path)
{
	SHAPES_REQUEST_START(id, path);
}

__attribute__((noipa)) void many(signed char c, unsigned char uc, short s, unsigned short us, int i, unsigned int u,
				 long l, unsigned long ul, _Bool b, enum level e, int *p, const char *text)
{
	SHAPES_MANY(c, uc, s, us, i, u, l, ul, b, e, p, text);
}

__attribute__((noipa)) void fields(struct fields *f)
{
	SHAPES_FIELDS(f->a, f->b, f->c, f->d);
}

int main(void)
{
	struct fields f = { -3, 30, -123456789012, 0x1fffffff0 };
	int number = 42;
	/* on the stack, whose pages are in memory */
	char text[] = "the last one", first[] = "first", second[] = "second", third[] = "third";

	start(passed, first);
	start(-1, second);
	if (SHAPES_REQUEST_START_ENABLED())
		start(costly(), third);
	if (SHAPES_NEVER_ENABLED())
		SHAPES_NEVER(costly());
	many(-100, 200, -30000, 60000, -2000000000, 4000000000, -1L << 60, ~0UL, passed == 7, LOW, &number, text);
	fields(&f);
	SHAPES_IDLE();
	return computed != 1;
}
