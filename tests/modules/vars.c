// SPDX-License-Identifier: GPL-2.0-or-later
/* A module whose functions are called with known values, once each, when it is loaded: for the tests of target
 * variables. It is built with DWARF. */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#define KEPT __attribute__((noipa))

enum vars_color { VARS_RED = 3, VARS_GREEN = 7, VARS_BLUE = -2 };

struct vars_bits {
	unsigned int low : 3;
	int negative : 5;
	unsigned long long wide : 40;
	_Bool yes : 1;
	unsigned char : 0;
	signed char tail : 4;
};

struct vars_point {
	short x, y;
};

struct vars_inner {
	union {
		u32 word;
		u8 bytes[4];
		struct {
			u16 first, second;
		};
	};
	struct vars_point points[3];
};

struct vars {
	s8 tiny;
	u8 byte;
	s16 small;
	u16 half;
	int number;
	unsigned int word;
	s64 big;
	u64 huge;
	_Bool truth;
	char letter;
	enum vars_color color;
	char name[16];
	const char *text;
	const char *broken;
	int table[2][3];
	struct vars_inner inner;
	struct vars_bits bits;
	struct vars *next;
	struct vars **link;
	int (*call)(int);
	int *numbers;
	union {
		int anonymous;
		char letters[4];
	};
	int flexible[];
};

int vars_global = -12345;
static volatile u16 vars_static[4] = { 11, 22, 33, 44 };
struct vars_point vars_origin = { -1, 2 };
const char *vars_title = "a title";
char vars_label[24] = "a label";
DEFINE_PER_CPU(int, vars_cpu);
static struct vars *volatile vars_first;

KEPT int vars_callback(int n)
{
	barrier();
	return n + 1;
}

KEPT int vars_numbers(s8 a, u8 b, s16 c, u16 d, int e, unsigned int f, s64 g, u64 h)
{
	barrier();
	return a + b + c + d + e + f + g + h;
}

KEPT int vars_walk(struct vars *v, int index, enum vars_color color, struct vars **link, const char *name)
{
	int sum = 0;
	struct vars_point local = { 5, -6 };
	volatile int on_stack = index * 100;

	for (int i = 0; i < 3; i++)
		sum += v->table[1][i];
	OPTIMIZER_HIDE_VAR(sum);
	asm volatile("" : : "r" (&local), "r" (color), "r" (link), "r" (name) : "memory");
	sum += on_stack + local.x;				/* a line to probe */
	vars_callback(sum);
	return sum + v->number;
}

KEPT s8 vars_return_s8(void) { barrier(); return -5; }
KEPT u8 vars_return_u8(void) { barrier(); return 250; }
KEPT s16 vars_return_s16(void) { barrier(); return -500; }
KEPT u16 vars_return_u16(void) { barrier(); return 60000; }
KEPT int vars_return_int(void) { barrier(); return -70000; }
KEPT unsigned int vars_return_uint(void) { barrier(); return 4000000000u; }
KEPT s64 vars_return_s64(void) { barrier(); return -5000000000ll; }
KEPT u64 vars_return_u64(void) { barrier(); return 0xfedcba9876543210ull; }
KEPT bool vars_return_bool(int n) { barrier(); return n == 4; }
KEPT void vars_return_void(void) { barrier(); }
KEPT struct vars *vars_return_pointer(struct vars *v) { barrier(); return v->next; }
KEPT enum vars_color vars_return_enum(void) { barrier(); return VARS_BLUE; }
KEPT const char *vars_return_text(struct vars *v) { barrier(); return v->text; }
KEPT struct vars_point vars_return_struct(struct vars *v) { barrier(); return v->inner.points[1]; }

KEPT int vars_recursive(int depth, int twice)
{
	int below = 0;

	barrier();
	if (depth)
		below = vars_recursive(depth - 1, twice * 2);
	barrier();
	return below + depth;
}

/* Reads the values that a script in guru mode has written. */
KEPT int vars_written(struct vars *v, int given)
{
	barrier();
	return given + v->number + v->bits.negative + v->bits.low + v->half + v->tiny;
}

static int __init vars_init(void)
{
	struct vars *v = kzalloc(sizeof(*v) + 4 * sizeof(int), GFP_KERNEL);
	struct vars *next = kzalloc(sizeof(*next), GFP_KERNEL);
	int cpu, result;

	if (!v || !next)
		return -ENOMEM;
	*v = (struct vars){
		.tiny = -8, .byte = 200, .small = -3000, .half = 50000, .number = -100000, .word = 3000000000u,
		.big = -6000000000ll, .huge = 0xffffffffffffff00ull, .truth = true, .letter = 'Q',
		.color = VARS_GREEN, .name = "first", .text = "pointed to", .broken = (void *)16,
		.table = { { 1, 2, 3 }, { 40, 50, 60 } },
		.inner = { .word = 0x44332211, .points = { { 1, 2 }, { 3, -4 }, { 5, 6 } } },
		.bits = { .low = 5, .negative = -7, .wide = 0xabcdef0123, .yes = true, .tail = -3 },
		.next = next, .call = vars_callback, .anonymous = 0x64636261,
	};
	for (int i = 0; i < 4; i++)
		v->flexible[i] = 1000 + i;
	v->link = &v->next;
	v->numbers = v->flexible;
	*next = (struct vars){ .number = 77, .name = "second", .link = &next->next, .letter = '\n' };
	vars_first = v;
	for_each_possible_cpu(cpu)
		per_cpu(vars_cpu, cpu) = 4711;
	vars_numbers(-1, 255, -2, 65535, -3, 4294967295u, -4, 0xfffffffffffffffbull);
	vars_walk(v, 2, VARS_BLUE, &v->next, "a name");
	vars_return_s8(); vars_return_u8(); vars_return_s16(); vars_return_u16();
	vars_return_int(); vars_return_uint(); vars_return_s64(); vars_return_u64();
	vars_return_bool(4); vars_return_bool(5); vars_return_void();
	vars_return_pointer(v); vars_return_enum(); vars_return_text(v); vars_return_struct(v);
	vars_recursive(3, 1);
	result = vars_written(v, 1);
	pr_info("vars: written %d, number %d, bits %d %d, half %u, tiny %d, x %d, table %d, static %u, global %d, cpu %d\n",
		result, v->number, v->bits.low, v->bits.negative, v->half, v->tiny, v->inner.points[1].x,
		v->table[1][2], vars_static[2], vars_global, this_cpu_read(vars_cpu));
	vars_first = NULL;
	kfree(next);
	kfree(v);
	return 0;
}
module_init(vars_init);

static void __exit vars_exit(void) { }
module_exit(vars_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("known values, for tests");
