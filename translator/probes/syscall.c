/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.syscall("openat") and .return: system calls as user programs make them, by name (wildcards too),
 * those of 32-bit programs as well. This is the ground on which the tapset's syscall.* stand: the kernel
 * tells of all calls at two places, and the runtime looks up in a table by number who wants one. */
#include "family.h"

#include <string.h>

#include "arch.h"
#include "target_place.h"
#include "translation.h"
#include "util.h"

#include "tap_script.h"

enum { ENTRY, RETURN };

static const struct point_shape shapes[] = {
	{ "kernel.syscall(string)", "system calls, when a program makes them", ENTRY },
	{ "kernel.syscall(string).return", "system calls, when they are done", RETURN },
	{ NULL, NULL, 0 },
};

const struct probe_family syscall_family;

static const struct call {
	const char *name;
	int x86_64, i386, aarch64;
} calls[] = {
#define SYSCALL(name, x86_64, i386, aarch64) { #name, x86_64, i386, aarch64 },
#include "arch/syscalls.def"
#undef SYSCALL
};

static void numbers(const struct arch *arch, const struct call *c, int *number, int *compat)
{
	bool is_x86 = str_equal(arch->name, "x86_64");

	*number = is_x86 ? c->x86_64 : c->aarch64;
	*compat = is_x86 ? c->i386 : -1;
}

/* The point as pp() shows it, with a byte 1 for the name. */
static const char *site_name(const struct point_shape *shape)
{
	return shape->what == RETURN ? "kernel.syscall(\"\1\").return" : "kernel.syscall(\"\1\")";
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct arch *arch = target_arch(sites->translation);
	const struct point_component *c = point_component(point, "syscall");
	const char *names[ARRAY_SIZE(calls)], *near;

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int number, compat;
		struct site *s;

		names[i] = calls[i].name;
		numbers(arch, &calls[i], &number, &compat);
		if (!glob_match(c->text, calls[i].name) || (number < 0 && compat < 0))
			continue;
		s = site_add(sites, &syscall_family, point, shape);
		s->symbol = s->shown = calls[i].name;
		s->name = site_name(shape);
		s->value[0] = number;
		s->value[1] = compat;
	}
	if (sites->list.n)
		return true;
	sites_reason(sites, "%s has no system call '%s'", arch->name, c->text);
	near = nearest_name(c->text, names, ARRAY_SIZE(names));
	if (near)
		sites_reason(sites, "did you mean '%s'?", near);
	return false;
}

/* ---- variables ---- */

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	*out = (struct site_variable){ .type = TYPE_LONG };
	if (!strncmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '6' && !name[4])
		out->get = arena_printf(sites->arena, "(s64)tap_given(c, %d)", 8 * (name[3] - '1'));
	else if (str_equal(name, "syscall") || str_equal(name, "nr"))
		out->get = "(s64)tap_given(c, 48)";
	else if (str_equal(name, "compat"))
		out->get = "(s64)tap_given(c, 56)";
	else if (str_equal(name, "return") && site->shape->what == RETURN)
		out->get = "(s64)tap_given(c, 64)";
	else if (str_equal(name, "name"))
		out->get = "tap_syscall_name(c)", out->type = TYPE_STRING;
	if (out->get)
		return true;
	sites_reason(sites, "a system call has $arg1 to $arg6, $syscall, $compat, $name%s",
		     site->shape->what == RETURN ? " and $return" : "");
	return false;
}

/* ---- rows ---- */

static bool groups(const struct site *site, const struct site *other)
{
	return site->shape == other->shape;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	text_printf(declarations, "static const struct tap_syscall syscalls_%u[] = {\n", number);
	for (size_t i = 0; i < n; i++)
		text_printf(declarations, "\t{ .site = { .symbol = \"%s\" }, .number = %lld, .compat = %lld },\n",
			    sites[i]->symbol, (long long)sites[i]->value[0], (long long)sites[i]->value[1]);
	text_add(declarations, "};\n");
	text_printf(where, "&(const struct tap_syscalls){ .calls = syscalls_%u, .count = %zu, .returns = %s }",
		    number, n, sites[0]->shape->what == RETURN ? "true" : "false");
}

const struct probe_family syscall_family = {
	.name = "syscall",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_syscall",
	.describe = describe,
	.groups = groups,
	.variable = variable,
};
