/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host of core in tests: see core-test.h. */
#include <stdarg.h>
#include "../core-test.h"
#include "core/add.h"
#include "core/format.h"

_Thread_local u32 host_cpu;
u32 host_cpus = 4;
u64 host_offline, host_skipped, host_steps;
char host_printed[200];
s64 host_stop_after = -1;
bool host_groups_wanted = true;
s64 host_allocations, host_fail_allocation = -1;
int failures;

enum { STRING = 512, SCRATCH = 1 << 20, CELLS = 1 << 16 };

/* Not really const: tests change the limits. */
struct tap_script host_script = {
	.limits = { .string = STRING, .map_entries = 2048, .scratch = SCRATCH },
};
extern const struct tap_script tap_script __attribute__((alias("host_script")));
struct tap_limits *host_limits = &host_script.limits;

static char scratch[SCRATCH] __attribute__((aligned(16)));
static char cells[64 * 4][CELLS] __attribute__((aligned(16)));
static char groups_text[65536];
static struct tap_groups groups = { .text = groups_text };
static char error_text[256];
static struct tap_context context;

struct tap_context *host_context(void)
{
	context = (struct tap_context){ .scratch = scratch, .scratch_end = scratch + SCRATCH };
	return &context;
}

char *host_cells(u32 i)
{
	return i < host_cpus * 4 ? cells[i] : NULL;
}

void *tap_alloc(u64 size)
{
	if (host_fail_allocation >= 0 && host_fail_allocation-- == 0)
		return NULL;
	host_allocations++;
	return calloc(1, size);
}

void tap_free(void *memory)
{
	host_allocations -= memory != NULL;
	free(memory);
}

u32 tap_host_cpus(void) { return host_cpus; }
bool tap_host_cpu_online(u32 cpu) { return !(host_offline >> cpu & 1); }
u32 tap_host_cpu(void) { return host_cpu; }
unsigned long tap_host_irq_save(void) { return 0; }
void tap_host_irq_restore(unsigned long flags) { (void)flags; }
void tap_host_relax(void) { }

bool tap_host_go_on(struct tap_context *c)
{
	host_steps++;
	if (host_stop_after < 0 || host_stop_after-- > 0)
		return true;
	tap_error(c, "stopped");
	return false;
}

void tap_host_skipped(struct tap_context *c)
{
	(void)c;
	__atomic_fetch_add(&host_skipped, 1, __ATOMIC_RELAXED);
}

void tap_map_add_stat_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value)
{
	if (!add_number(m, host_cpu, key, value))
		tap_add_other_number(c, m, key, value);
}

void tap_map_add_stat_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value)
{
	if (key.size > SHORT_TEXT || !add_text(m, host_cpu, short_slot(key.data, (u32)key.size), value))
		tap_add_other_text(c, m, key, value);
}

struct tap_groups *tap_host_groups(struct tap_context *c)
{
	(void)c;
	return host_groups_wanted ? &groups : NULL;
}

void *tap_scratch_slow(struct tap_context *c, u32 size)
{
	(void)size;
	tap_error(c, "no scratch");
	return NULL;
}

void tap_no_actions(struct tap_context *c)
{
	tap_error(c, "MAXACTION exceeded");
}

void tap_print_text(struct tap_context *c, u32 kind, struct tap_string text)
{
	(void)c;
	(void)kind;
	snprintf(host_printed, sizeof(host_printed), "%.*s", (int)text.size, text.data);
}

void tap_error(struct tap_context *c, const char *format, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, format);
	tap_format_arguments(error_text, sizeof(error_text), format, args);
	va_end(args);
	c->error = error_text;
}

void fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("not ok %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	if (++failures >= 20)
		exit(1);
}

int report(const char *name)
{
	if (host_allocations)
		fail(name, 0, "%lld allocations left", host_allocations);
	if (!failures)
		printf("ok %s\n", name);
	return failures ? 1 : 0;
}

static u64 state = 88172645463325252ull;

void random_start(u64 seed)
{
	state = seed * 2654435769ull + 88172645463325252ull;
}

u64 random_next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

s64 random_long(void)
{
	static const s64 extremes[] = {
		0, 1, -1, 9, 10, -10, 255, 256, 0x7fffffff, 0x80000000ll, -0x80000000ll,
		(s64)(~0ull >> 1), (s64)(1ull << 63), (s64)(1ull << 63) + 1, 1ll << 62,
	};
	u64 r = random_next();

	switch (r % 4) {
	case 0: return extremes[random_below(sizeof(extremes) / sizeof(*extremes))];
	case 1: return (s64)random_below(200) - 100;
	case 2: return (s64)(random_next() >> random_below(64));
	default: return -(s64)(random_next() >> 1 >> random_below(63));
	}
}
