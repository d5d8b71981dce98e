/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.data("variable").write and .rw, kernel.data(ADDRESS)..., with .length(N): who touches memory of
 * the kernel, told by the machine's debug registers. A variable's address is kept as the distance from
 * the anchor; a number is an address of the running kernel. */
#include "family.h"

#include "debuginfo/debuginfo.h"
#include "target_host.h"
#include "translation.h"
#include "util.h"

#include "tap_script.h"

enum { WRITE, READ_WRITE };
enum { LONGEST = 8 };

#define SHAPES(what, argument) \
	{ "kernel.data(" argument ").write", "each write to " what, WRITE }, \
	{ "kernel.data(" argument ").rw", "each access to " what, READ_WRITE }, \
	{ "kernel.data(" argument ").length(number).write", "each write to some bytes of " what, WRITE }, \
	{ "kernel.data(" argument ").length(number).rw", "each access to some bytes of " what, READ_WRITE }

static const struct point_shape shapes[] = {
	SHAPES("a variable of the kernel", "string"),
	SHAPES("an address", "number"),
	{ NULL, NULL, 0 },
};

const struct probe_family watch_family;

/* What debug registers can watch: 1, 2, 4 or 8 bytes, aligned. The most that fit into SIZE. */
static int64_t length_within(uint64_t address, uint64_t size)
{
	int64_t length = LONGEST;

	while (length > 1 && ((uint64_t)length > size || address % (uint64_t)length))
		length /= 2;
	return length;
}

static bool find_variable(const struct point_component *data, struct site *s, uint64_t *address,
			  uint64_t *size, struct sites *sites)
{
	struct debuginfo *kernel = sites_kernel(sites);
	struct symbols found = { 0 };
	const char *name = data->text;

	if (debuginfo_data(kernel, name, &found) != DEBUGINFO_FOUND) {
		sites_reason(sites, "%s", debuginfo_reason(kernel));
		return false;
	}
	if (found.list.n > 1) {
		sites_reason(sites, "there are %zu variables '%s': give an address", found.list.n, name);
		return false;
	}
	if (found.list.items[0].flags & SYMBOL_PERCPU) {
		sites_reason(sites, "'%s' is one variable for each CPU: give the address of one", name);
		return false;
	}
	s->symbol = found.list.items[0].name;
	s->offset = found.list.items[0].offset;
	*address = found.list.items[0].address;
	*size = found.list.items[0].size;
	return true;
}

static bool is_length_good(int64_t length, uint64_t address, struct sites *sites)
{
	if ((length == 1 || length == 2 || length == 4 || length == 8) && address % (uint64_t)length == 0)
		return true;
	sites_reason(sites, "what can be watched is 1, 2, 4 or 8 bytes at a multiple of that, not %lld at 0x%llx",
		     (long long)length, (unsigned long long)address);
	return false;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *data = point_component(point, "data");
	const struct point_component *length = point_component(point, "length");
	struct site s = { .absolute = !data->is_string, .offset = data->number }, *added;
	uint64_t address = (uint64_t)data->number, size = 1;

	if (data->is_string && !find_variable(data, &s, &address, &size, sites))
		return false;
	s.value[0] = length ? length->number : length_within(address, size);
	if (!is_length_good(s.value[0], address, sites))
		return false;
	added = site_add(sites, &watch_family, point, shape);
	added->absolute = s.absolute;
	added->symbol = s.symbol;
	added->offset = s.offset;
	added->value[0] = s.value[0];
	return true;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	(void)site, (void)out;
	sites_reason(sites, "a watched variable is no function: no '$%s'; @var(\"name\") reads it", name);
	return false;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct site *s = sites[0];

	(void)n, (void)number, (void)declarations;
	text_printf(where, "&(const struct tap_watch){ .offset = %lldll, .absolute = %s, .length = %lld, .reads = %s }",
		    (long long)s->offset, s->absolute ? "true" : "false", (long long)s->value[0],
		    s->shape->what == READ_WRITE ? "true" : "false");
}

const struct probe_family watch_family = {
	.name = "watch",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_watch",
	.describe = describe,
	.variable = variable,
};
