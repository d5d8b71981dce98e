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
#include "points/place_search.h"
#include "points/program_files.h"
#include "source/target_host.h"
#include "source/translation.h"
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

const struct probe_family watch_family, watch_process_family;

/* The family's data of a site in a program. */
struct watched_program {
	const char *path;
	struct debuginfo *image;
	int64_t pid;
	uint64_t code;			/* see program_code_start */
};

/* Debug registers can watch 1, 2, 4 or 8 bytes, aligned. The largest length that fits into SIZE. */
static int64_t length_within(uint64_t address, uint64_t size)
{
	int64_t length = LONGEST;

	while (length > 1 && ((uint64_t)length > size || address % (uint64_t)length))
		length /= 2;
	return length;
}

static bool find_variable(struct debuginfo *image, const struct point_component *data, struct site *s,
			  uint64_t *address, uint64_t *size, struct sites *sites)
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
	sites_reason(sites, "expected 1, 2, 4 or 8 bytes at a multiple of that length, found %lld at 0x%llx",
		     (long long)length, (unsigned long long)address);
	return false;
}

/* Find the memory that POINT means in IMAGE, as a site that belongs to no family yet; false with reasons. */
static bool find_memory(const struct point *point, struct debuginfo *image, struct site *s,
			uint64_t *address, struct sites *sites)
{
	const struct point_component *data = point_component(point, "data");
	const struct point_component *length = point_component(point, "length");
	const struct arch *arch = arch_find(sites->translation->target->machine);
	uint64_t size = 1;

	if (arch && !arch->watches_memory) {
		sites_reason(sites, "%s kernels step over a watched access only for perf and debuggers; a module's "
			     "would be hit forever: probe the functions that write it",
			     arch->kernel);
		return false;
	}
	*s = (struct site){ .absolute = !data->is_string, .offset = data->number };
	*address = (uint64_t)data->number;
	if (data->is_string && !find_variable(image, data, s, address, &size, sites))
		return false;
	s->value[0] = length ? length->number : length_within(*address, size);
	return is_length_good(s->value[0], *address, sites);
}

static struct site *add_site(const struct probe_family *family, const struct point *point,
			     const struct point_shape *shape, const struct site *memory, struct sites *sites)
{
	struct site *s = site_add(sites, family, point, shape);

	s->absolute = memory->absolute;
	s->symbol = memory->symbol;
	s->offset = memory->offset;
	s->value[0] = memory->value[0];
	return s;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct debuginfo *kernel = point_component(point, "data")->is_string ? sites_kernel(sites) : NULL;
	struct site memory;
	uint64_t address;

	if (!find_memory(point, kernel, &memory, &address, sites))
		return false;
	add_site(&watch_family, point, shape, &memory, sites);
	return true;
}

static bool resolve_in_program(const struct point *point, const struct point_shape *shape, const char *path,
			       struct sites *sites)
{
	struct watched_program *program = arena_new(sites->arena, struct watched_program);
	const struct point_component *process = &point->components.items[0];
	struct debug_place *place = arena_new(sites->arena, struct debug_place);
	struct site memory, *s;
	uint64_t address;

	*program = (struct watched_program){ .path = path, .image = sites_program(sites, path),
					     .pid = process->is_string ? 0 : process->number };
	if (!program_code_start(program->image, &program->code)) {
		sites_reason(sites, "%s", debuginfo_reason(program->image));
		return false;
	}
	if (!find_memory(point, program->image, &memory, &address, sites))
		return false;
	*place = (struct debug_place){ .image = program->image };
	s = add_site(&watch_process_family, point_met(sites, point, "process", path), shape, &memory, sites);
	s->offset = (int64_t)address;
	s->data = program;
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

static void write_memory(const struct site *s, struct text *where)
{
	text_printf(where, "&(const struct tap_watch){ .offset = %lldll, .absolute = %s, .length = %lld, .reads = %s }",
		    (long long)s->offset, s->absolute ? "true" : "false", (long long)s->value[0],
		    s->shape->what == READ_WRITE ? "true" : "false");
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	(void)n, (void)number, (void)declarations;
	write_memory(sites[0], where);
}

static void describe_process(const struct site *const *sites, size_t n, unsigned number,
			     struct text *declarations, struct text *where)
{
	const struct watched_program *program = sites[0]->data;
	struct text path;

	(void)n, (void)number;
	text_init(&path, where->arena);
	text_c_escape(&path, program->path, strlen(program->path));
	text_add(declarations, "extern const struct tap_process_follow tap_perf_threads;\n");
	text_printf(where, "&(const struct tap_process){ .kind = TAP_PROCESS_FOLLOWED, .pid = %lld, .path = \"%s\", "
		    ".within = \"%s\",\n\t\t\t.follow = &tap_perf_threads, .code = 0x%llxull, .watch = ",
		    (long long)program->pid, path.s, path.s, (unsigned long long)program->code);
	write_memory(sites[0], where);
	place_write_program_id(where, program->image);
	text_add(where, " }");
}

const struct probe_family watch_family = {
	.name = "watch",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_watch",
	.describe = describe,
	.variable = variable,
	.by = { "a debug register of each CPU", 0 },
	.row_bytes = 1024,
};

const struct probe_family watch_process_family = {
	.name = "process.data",
	.shapes = process_shapes,
	.resolve = resolve_process,
	.runtime_ops = "tap_process",
	.describe = describe_process,
	.by = { "a debug register of each thread", 0 },
	.row_bytes = 2048,
	.session_bytes = 640 << 10,
	.program_bytes = 513 << 10,
};
