/* Markers with arguments of all types, for C and C++; the second half of the program is shapes-more.c. */
#include <sys/sdt.h>
#include <stddef.h>

#include "shapes.h"

enum level { LOW = -1, HIGH = 3 };
enum size { SMALL, LARGE };
struct fields {
	unsigned int small : 3;
	int medium : 7;
	long large : 40;
	int whole : 32;
	unsigned long rest : 64;
};

char letters[10] = "letters";
extern char unknown_size[];
volatile int changing = 5;
int evaluated;

TAPC_SDT_DECLARE_SEMAPHORE(shapes, counted);

#ifdef __cplusplus
enum class scoped : unsigned char { ONE = 1, MOST = 200 };

template <class T> static inline void generic(T value, T &reference)
{
	STAP_PROBE2(shapes, generic, value, reference);
}

struct object {
	int member;
	object() : member(3) { STAP_PROBE1(shapes, constructor, this); }
	void call()
	{
		auto inner = [this](int x) { STAP_PROBE2(shapes, lambda, member, x); };
		inner(4);
	}
	operator int() const { return member; }
};

namespace deep {
static void __attribute__((noinline)) only_cxx()
{
	object o;
	double d = 1.5;

	o.call();
	generic('c', letters[0]);
	generic(d, d);
	generic<const char *>(letters, *new const char *(letters));
	STAP_PROBE4(shapes, cxx, scoped::MOST, nullptr, true, wchar_t(1));
}
}
#endif

static int once(void)
{
	return ++evaluated;
}

void __attribute__((noinline)) numbers(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i,
				       unsigned int u, long l, unsigned long ul, long long ll, unsigned long long ull)
{
	STAP_PROBE11(shapes, numbers, c, sc, uc, s, us, i, u, l, ul, ll, ull);
}

void __attribute__((noinline)) more(float f, double d, long double ld, __int128 wide, unsigned __int128 uwide, bool b,
				    enum level level, enum size size, const long fixed, volatile short *shifting)
{
	STAP_PROBE10(shapes, more, f, d, ld, wide, uwide, b, level, size, fixed, *shifting);
}

struct incomplete;

void __attribute__((noinline)) addresses(char *p, const void *v, struct fields *f, struct incomplete *unknown)
{
	char local[4] = "abc";

	STAP_PROBE8(shapes, addresses, p, v, f, unknown, letters, unknown_size, &numbers, local);
	STAP_PROBEV(shapes, constants, 5, 'c', 6ul, "text", (void *)NULL, -7l);
	STAP_PROBE5(shapes, fields, f->small, f->medium, f->large, f->whole, f->rest);
	STAP_PROBE1(shapes, changing, changing);
}

/* what only a statement of the program uses */
static void parts(int a, long b)
{
	__asm__ __volatile__ ("nop\n" STAP_PROBE_ASM(shapes, statement, STAP_PROBE_ASM_TEMPLATE(2)) "nop"
			      : : STAP_PROBE_ASM_OPERANDS(2, a, b));
}

int main(int argc, char **argv)
{
	struct fields f = { 5, -3, -123456789012, -9, 10 };
	short shifting = 11;

	(void)argv;
	STAP_PROBE(shapes, empty);
	STAP_PROBEV(shapes, empty);
	DTRACE_PROBE(shapes, empty);
	DTRACE_PROBE12(shapes, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, argc);
	STAP_PROBE1(shapes, once, once());
	if (argc > 1)
		STAP_PROBE1(shapes, branch, argc);
	else
		STAP_PROBE(shapes, branch);
	if (TAPC_SDT_ENABLED(shapes, counted))
		SECOND_COUNTED(once());
	numbers('c', -1, 255, -300, 60000, -100000, 4000000000u, -(1L << 40), 1UL << 63, -5, ~0ull);
	more(1.5f, 2.5, 3.5, -1, 1, true, LOW, LARGE, -12, &shifting);
	addresses(letters, &f, &f, 0);
	parts(argc, 6);
	inline_in_both(argc);
	second_file(argc);
#ifdef __cplusplus
	deep::only_cxx();
#endif
	return evaluated != 1;
}
