/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host functions that runtime/core needs (core/host.h), the functions of the ABI that are
 * one line on top of core, and access to memory that may be unmapped. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "simulate.h"
#include "tap_embedded.h"
#include "core/add.h"
#include "core/host.h"
#include "core/stat.h"

void *tap_alloc(u64 size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p) {
		fputs("ERROR: out of memory\n", stderr);
		exit(8);	/* TAP_STATUS_HOST */
	}
	return p;
}

void tap_free(void *memory)
{
	free(memory);
}

u32 tap_host_cpus(void) { return TAP_CPUS; }
u32 tap_host_cpu(void) { return frame.cpu; }
unsigned long tap_host_irq_save(void) { return 0; }
void tap_host_irq_restore(unsigned long flags) { (void)flags; }
void tap_host_relax(void) { }

bool tap_host_cpu_online(u32 cpu)
{
	return cpu < TAP_CPUS;
}

bool tap_host_go_on(struct tap_context *c)
{
	(void)c;
	return true;
}

void tap_host_skipped(struct tap_context *c)
{
	(void)c;
	broken("an update was dropped, though nothing runs beside it");
}

struct tap_groups *tap_host_groups(struct tap_context *c)
{
	(void)c;
	return &frame.groups;
}

/* ---- functions of the ABI on top of core ---- */

/* A simulation has no packets. */
bool tap_packet_matches(struct tap_context *c, const struct tap_filter *filter, s64 skb)
{
	(void)c;
	(void)filter;
	(void)skb;
	return false;
}

const struct tap_stat *tap_stat_read(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape)
{
	return tap_stat_read_cells(c, frame_cells, cell, shape);
}

void tap_stat_clear(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape)
{
	(void)c;
	tap_stat_clear_cells(frame_cells, cell, shape);
}

s64 tap_counter_read(u32 cell)
{
	return tap_counter_read_cells(frame_cells, cell);
}

void tap_map_add_stat_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value)
{
	if (!add_number(m, frame.cpu, key, value))
		tap_add_other_number(c, m, key, value);
}

void tap_map_add_stat_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value)
{
	if (key.size > SHORT_TEXT || !add_text(m, frame.cpu, short_slot(key.data, (u32)key.size), value))
		tap_add_other_text(c, m, key, value);
}

s64 tap_target(void)
{
	return session.target;
}

/* ---- memory: this process's, by a system call that returns an error on a fault ---- */

bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user)
{
	struct iovec here = { to, size }, there = { (void *)(unsigned long)from, size };

	(void)c, (void)user;
	if (!size || process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size)
		return true;
	memset(to, 0, size);
	return false;
}

struct tap_string tap_memory(struct tap_context *c, s64 address, s64 size, bool user)
{
	char *to;

	if (size < 0)
		size = 0;
	if (size >= tap_script.limits.string)
		size = tap_script.limits.string - 1;
	to = tap_scratch(c, (u32)size + 1);
	if (!to)
		return TAP_EMPTY;
	to[size] = 0;
	if (tap_memory_copy(c, to, (u64)address, (u64)size, user))
		return (struct tap_string){ to, (u32)size };
	tap_error(c, "%s read fault [man error::fault] at 0x%llx", user ? "user" : "kernel",
		  (unsigned long long)address);
	return TAP_EMPTY;
}
