/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.data("variable").write and .rw, kernel.data(ADDRESS)..., with .length(N): accesses to kernel memory,
 * reported by the machine's debug registers. The address of a variable is kept as the distance from the anchor; a
 * number is an address of the running kernel.
 *
 * process("path").data... is the same for the variables of a program, in its processes only; a number is an address
 * as linked. It is a separate family, because the runtime follows processes in the rows of process probes.
 *
 * x86 has four such registers, shared by all debuggers of the system. Accesses to a program's memory by the
 * script's own handlers are not reported. QEMU without KVM is less exact than hardware: if several registers watch
 * one address, it reports one of them, and at a single step, which follows each uprobe, it reports the last access
 * again. */
#include "points/family.h"

#include <string.h>

#include "arch/arches.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/program/program.h"
#include "points/place_row.h"
#include "points/program_files.h"
#include "source/target_host.h"
#include "debuginfo/images.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/symbols/symbols.h"

enum { WRITE, READ_WRITE };
enum { LONGEST = 8 };

#define SHAPES(data, what) \
	{ data ".write", "each write to " what, WRITE }, \
	{ data ".rw", "each access to " what, READ_WRITE }, \
	{ data ".length(number).write", "each write to some bytes of " what, WRITE }, \
	{ data ".length(number).rw", "each access to some bytes of " what, READ_WRITE }

static const struct point_shape shapes[] = {
	SHAPES("kernel.data(string)", "a variable of the kernel"),
	SHAPES("kernel.data(number)", "an address"),
	{ NULL, NULL, 0 },
};

#define PROCESS_SHAPES(process) \
	SHAPES(process ".data(string)", "a variable of a program"), \
	SHAPES(process ".data(number)", "an address of a program, as linked")

static const struct point_shape process_shapes[] = {
	PROCESS_SHAPES("process"),
	PROCESS_SHAPES("process(string)"),
	PROCESS_SHAPES("process(number)"),
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_watch,
	ROW_MEMBER(tap_watch, offset),
	ROW_MEMBER(tap_watch, absolute),
	ROW_MEMBER(tap_watch, length),
	ROW_MEMBER(tap_watch, reads));

static const struct row_layout process_layout = ROW_LAYOUT(tap_process,
	ROW_MEMBER(tap_process, kind),
	ROW_MEMBER(tap_process, pid),
	ROW_MEMBER(tap_process, path),
	ROW_MEMBER(tap_process, within),
	ROW_SYMBOL(tap_process, follow, tap_perf_threads, tap_process_follow),
	ROW_HEX(tap_process, code),
	ROW_POINTER(tap_process, watch, &layout),
	PLACE_ROW_PROGRAM);

const struct probe_family watch_family, watch_process_family;

/* Where the memory is, for both families. */
struct memory {
	const char *symbol;		/* the variable; NULL: an address */
	uint64_t address;		/* as linked */
	struct tap_watch row;
};

/* Debug registers can watch 1, 2, 4 or 8 bytes, aligned. The largest length that fits into SIZE. */
static int64_t length_within(uint64_t address, uint64_t size)
{
	int64_t length = LONGEST;

	while (length > 1 && ((uint64_t)length > size || address % (uint64_t)length))
		length /= 2;
	return length;
}

static bool find_variable(struct debuginfo *image, const struct point_component *data, struct memory *m,
			  uint64_t *size, struct sites *sites)
{
	struct symbols found = { 0 };
	const char *name = data->text;

	if (debuginfo_data(image, name, &found) != DEBUGINFO_FOUND) {
		sites_reason(sites, "%s", debuginfo_reason(image));
		return false;
	}
	if (found.list.n > 1) {
		sites_reason(sites, "%zu variables are named '%s': give an address", found.list.n, name);
		return false;
	}
	if (found.list.items[0].flags & SYMBOL_PERCPU) {
		sites_reason(sites, "'%s' is a per-CPU variable: give the address of one instance", name);
		return false;
	}
	m->symbol = found.list.items[0].name;
	m->row.offset = found.list.items[0].offset;
	m->address = found.list.items[0].address;
	*size = found.list.items[0].size;
	return true;
}

static bool is_length_good(int64_t length, uint64_t address, struct sites *sites)
{
	if ((length == 1 || length == 2 || length == 4 || length == 8) && address % (uint64_t)length == 0)
		return true;
	sites_reason(sites, "expected 1, 2, 4 or 8 bytes at a multiple of that length, found %lld at 0x%llx",
		     (long long)length, (unsigned long long)address);
	return false;
}

/* Find the memory that POINT means in IMAGE; false with reasons. */
static bool find_memory(const struct point *point, const struct point_shape *shape, struct debuginfo *image,
			struct memory *m, struct sites *sites)
{
	const struct point_component *data = point_component(point, "data");
	const struct point_component *length = point_component(point, "length");
	const struct arch *arch = arch_find(sites->images->host->machine);
	uint64_t size = 1;
	int64_t n;

	if (arch && !arch->watches_memory) {
		sites_reason(sites, "%s kernels step over a watched access only for perf and debuggers; a module's "
			     "would be hit forever: probe the functions that write it",
			     arch->kernel);
		return false;
	}
	*m = (struct memory){ .address = (uint64_t)data->number };
	m->row = (struct tap_watch){ .absolute = !data->is_string, .offset = data->number,
				     .reads = shape->what == READ_WRITE };
	if (data->is_string && !find_variable(image, data, m, &size, sites))
		return false;
	n = length ? length->number : length_within(m->address, size);
	m->row.length = (u32)n;
	return is_length_good(n, m->address, sites);
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct debuginfo *kernel = point_component(point, "data")->is_string ? images_kernel(sites->images) : NULL;
	struct memory *m = arena_new(sites->arena, struct memory);
	struct site *s;

	if (!find_memory(point, shape, kernel, m, sites))
		return false;
	s = site_add(sites, &watch_family, point, shape);
	s->symbol = m->symbol;
	s->data = &m->row;
	return true;
}

/* The row as far as it is known before the program's build-id is read. */
static struct tap_process *row_of(struct sites *sites, const char *path, const struct point_component *process)
{
	struct tap_process *row = arena_new(sites->arena, struct tap_process);

	*row = (struct tap_process){ .kind = TAP_PROCESS_FOLLOWED, .path = path, .within = path,
				     .pid = process->is_string ? 0 : process->number };
	return row;
}

static bool resolve_in_program(const struct point *point, const struct point_shape *shape, const char *path,
			       struct sites *sites)
{
	struct tap_process *row = row_of(sites, path, &point->components.items[0]);
	struct debuginfo *image = images_program(sites->images, path);
	struct debug_place *place = arena_new(sites->arena, struct debug_place);
	struct memory *m = arena_new(sites->arena, struct memory);
	uint64_t code;
	struct site *s;

	if (!program_code_start(image, &code)) {
		sites_reason(sites, "%s", debuginfo_reason(image));
		return false;
	}
	if (!find_memory(point, shape, image, m, sites))
		return false;
	m->row.offset = (int64_t)m->address;
	row->code = code;
	row->watch = &m->row;
	*place = (struct debug_place){ .image = image };
	s = site_add(sites, &watch_process_family, point_met(sites, point, "process", path), shape);
	s->symbol = m->symbol;
	s->data = row;
	s->place = place;		/* for its variables */
	s->in_user = true;
	return true;
}

static bool resolve_process(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	program_files paths = { 0 };
	bool found = false;

	if (!program_find_process(sites, &point->components.items[0], &paths))
		return false;
	vec_each(path, &paths)
		found |= resolve_in_program(point, shape, *path, sites);
	return found;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	(void)site, (void)out;
	sites_reason(sites, "a watched variable has no '$%s': read it with @var(\"name\")", name);
	return false;
}

static const void *describe_process(const struct site *const *sites, size_t n, struct arena *a)
{
	struct tap_process *row = arena_new(a, struct tap_process);

	(void)n;
	*row = *(const struct tap_process *)sites[0]->data;
	place_row_program(row, sites[0]->place->image);
	return row;
}

const struct probe_family watch_family = {
	.name = "watch",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_watch",
	.where = &layout,
	.variable = variable,
	.by = { "a debug register of each CPU", 0, false },
	.row_bytes = 1024,
};

const struct probe_family watch_process_family = {
	.name = "process.data",
	.shapes = process_shapes,
	.resolve = resolve_process,
	.runtime_ops = "tap_process",
	.where = &process_layout,
	.describe = describe_process,
	.by = { "a debug register of each thread", 0, false },
	.row_bytes = 2048,
	.session_bytes = 640 << 10,
	.program_bytes = 513 << 10,
};
