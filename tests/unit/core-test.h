/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests and fuzzers of runtime/core: a host made of plain variables (core-host.c),
 * checks that count failures, and a generator of repeatable random numbers. */
#ifndef TAP_CORE_TEST_H
#define TAP_CORE_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tap_script.h"
#include "core/host.h"
#include "core/regex.h"

extern _Thread_local u32 host_cpu;	/* the CPU that this thread represents */
extern u32 host_cpus;			/* number of CPUs, up to 64 */
extern u64 host_offline;		/* bit i: CPU i is offline */
extern u64 host_skipped, host_steps;
extern char host_printed[200];	/* the last text that core has printed */
extern s64 host_stop_after;		/* tap_host_go_on returns false after this many calls; -1: never */
extern bool host_groups_wanted;
extern s64 host_allocations, host_fail_allocation;	/* open allocations; fail the Nth from now on, -1: none */
extern struct tap_limits *host_limits;	/* tap_script.limits */

struct tap_context *host_context(void);	/* fresh: no error, empty scratch */
char *host_cells(u32 i);		/* for tap_stat_read_cells: 4 levels per CPU */

extern int failures;
void fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define CHECK(condition) \
	do { if (!(condition)) fail(__FILE__, __LINE__, "%s", #condition); } while (0)
#define CHECK_LONG(value, wanted) do { \
	long long v_ = (value), w_ = (wanted); \
	if (v_ != w_) fail(__FILE__, __LINE__, "%s is %lld, not %lld", #value, v_, w_); } while (0)
#define CHECK_TEXT(value, wanted) do { struct tap_string v_ = (value); const char *w_ = (wanted); \
	if (v_.size != strlen(w_) || memcmp(v_.data, w_, v_.size) || v_.data[v_.size]) \
		fail(__FILE__, __LINE__, "%s is '%.*s', not '%s'", #value, (int)v_.size, v_.data, w_); \
	} while (0)
int report(const char *name);		/* the last line of main: return report("core-x"); */

u64 random_next(void);
void random_start(u64 seed);
static inline u64 random_below(u64 n) { return random_next() % n; }
s64 random_long(void);			/* small, large and extreme ones */

static inline struct tap_string text_of(const char *s)
{
	return (struct tap_string){ s, (u32)strlen(s) };
}

#endif
