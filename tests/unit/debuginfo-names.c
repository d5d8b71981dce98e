/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names in a debug information file are those that libdw finds by walking over everything, for programs of all
 * the forms that compilers write, and for this program; the cached index is reused, and rebuilt if it is damaged or
 * belongs to another file. */
#include "debuginfo-image.h"

#include <time.h>

#include "debuginfo/handle.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/dwarf/names.h"

/* ---- names from libdw ---- */

typedef name_list lines;

static void add_copy(lines *out, Dwarf_Die *die, const char *outer)
{
	Dwarf_Addr entry;
	int line = 0;

	if (!dwarf_diename(die) || !dwarf_entry_of(die, &entry))
		return;
	dwarf_decl_line(die, &line);
	*vec_add(arena, out) = arena_printf(arena, "%s %s:%d %llx in %s", dwarf_diename(die),
					    path_base(dwarf_file_of(die) ? dwarf_file_of(die) : "?"), line,
					    (unsigned long long)entry, outer ? outer : "nothing");
}

static void walk_scope(lines *out, Dwarf_Die *scope, const char *outer)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			add_copy(out, &die, outer);
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine || dwarf_tag(&die) == DW_TAG_lexical_block)
			walk_scope(out, &die, outer);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static const char *kind_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type: case DW_TAG_class_type: return "struct";
	case DW_TAG_union_type: return "union";
	case DW_TAG_enumeration_type: return "enum";
	case DW_TAG_typedef: case DW_TAG_base_type: return "typedef";
	case DW_TAG_variable:
		return dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value) ? "global" : NULL;
	}
	return NULL;
}

static void add_thing(lines *out, Dwarf_Die *die)
{
	Dwarf_Die child;
	const char *kind = !dwarf_hasattr(die, DW_AT_declaration) ? kind_of(die) :
			   dwarf_tag(die) == DW_TAG_variable ? "declared" : NULL;

	if (kind && dwarf_diename(die))
		*vec_add(arena, out) = arena_printf(arena, "%s %s", kind, dwarf_diename(die));
	if (!kind || !str_equal(kind, "enum") || dwarf_child(die, &child))
		return;
	do
		*vec_add(arena, out) = arena_printf(arena, "enumerator %s", dwarf_diename(&child));
	while (dwarf_siblingof(&child, &child) == 0);
}

static void walk_unit(Dwarf_Die *scope, lines *functions, lines *things)
{
	Dwarf_Addr entry;
	Dwarf_Die die;

	if (dwarf_child(scope, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_entry_of(&die, &entry)) {
			add_copy(functions, &die, NULL);
			walk_scope(functions, &die, dwarf_diename(&die));
		}
		if (dwarf_tag(&die) == DW_TAG_namespace)
			walk_unit(&die, functions, things);
		add_thing(things, &die);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void walk_all(struct dwarf_file *f, lines *functions, lines *things)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (dwarf_get_units(f->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0) {
		dwarf_whole_unit(&unit);
		walk_unit(&unit, functions, things);
	}
}

/* ---- names from the index ---- */

static void list_names(struct dwarf_file *f, const struct dwarf_names *x, lines *functions, lines *things)
{
	static const char *const kinds[] = { "struct", "union", "enum", "typedef", "global", "enumerator", "declared" };

	for (size_t i = 0; i < x->function_count; i++) {
		const struct names_function *n = &x->functions[i];

		for (uint32_t j = 0; j < n->copy_count; j++) {
			const struct names_copy *c = &x->copies[n->first_copy + j];
			Dwarf_Die die;

			*vec_add(arena, functions) = arena_printf(arena, "%s %s:%u %llx in %s",
				names_text(x, n->name), n->file ? path_base(names_text(x, n->file)) : "?", n->line,
				(unsigned long long)c->address,
				c->outer ? names_text(x, x->functions[c->outer - 1].name) : "nothing");
			check(c->function == i && dwarf_die(f, c->die, &die) && dwarf_diename(&die) &&
			      str_equal(dwarf_diename(&die), names_text(x, n->name)), "the DIE of %s",
			      names_text(x, n->name));
			if (!c->outer)
				check(names_at(x, c->address)->address == c->address &&
				      names_at(x, c->address + 1)->address == c->address, "%s by its address",
				      names_text(x, n->name));
		}
	}
	for (size_t i = 0; i < x->thing_count; i++) {
		const struct names_thing *t = &x->things[i];
		size_t n;

		*vec_add(arena, things) = arena_printf(arena, "%s %s", kinds[t->kind], names_text(x, t->name));
		check(names_find(x, t->kind, names_text(x, t->name), &n) <= t && n, "%s is found",
		      names_text(x, t->name));
	}
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts and removes duplicates: a place may be described in several units. */
static void sort_lines(lines *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->items, l->n, sizeof(*l->items), compare);
	for (size_t i = 0; i < l->n; i++)
		if (!n || !str_equal(l->items[n - 1], l->items[i]))
			l->items[n++] = l->items[i];
	l->n = n;
}

static void check_same(const char *how, const char *what, lines *wanted, lines *got)
{
	size_t i = 0, j = 0;
	unsigned shown = 0;

	sort_lines(wanted);
	sort_lines(got);
	while (i < wanted->n || j < got->n) {
		int order = i == wanted->n ? 1 : j == got->n ? -1 : strcmp(wanted->items[i], got->items[j]);

		if (order && shown++ < 5)
			check(false, "%s: %s %s: %s", how, what, order < 0 ? "lacks" : "has too much",
			      order < 0 ? wanted->items[i] : got->items[j]);
		i += order <= 0;
		j += order >= 0;
	}
	check(!shown, "%s: %u %s differ", how, shown, what);
}

static struct debuginfo *open_program(const char *path, const char *cache)
{
	struct debuginfo_request r = { .release = "none", .sysroot = scratch, .cache = cache };
	struct debuginfo *d = debuginfo_kernel(arena, &r);
	const char *reason;

	d->dwarf_opened = true;
	d->dwarf_reason = "";
	d->dwarf_answer = dwarf_open_file(d, path, &reason);
	check(d->dwarf_answer == DEBUGINFO_FOUND, "%s is opened", path);
	return d;
}

static void check_file(const char *how, const char *path, size_t least)
{
	struct debuginfo *d = open_program(path, NULL);
	const struct dwarf_names *x = d->dwarf ? dwarf_names_all(d) : NULL;
	lines functions = { 0 }, things = { 0 }, named = { 0 }, named_things = { 0 };

	check(x && !x->is_damaged, "%s: has names", how);
	if (!x)
		return;
	walk_all(d->dwarf, &functions, &things);
	list_names(d->dwarf, x, &named, &named_things);
	check_same(how, "functions", &functions, &named);
	check_same(how, "things", &things, &named_things);
	check(named.n >= least, "%s: %zu functions", how, named.n);
	printf("%s: %zu functions, %zu things\n", how, named.n, named_things.n);
	debuginfo_close(d);
}

/* ---- programs ---- */

static const char header[] =
"enum color { RED, GREEN, BLUE };\n"
"struct pair { int a; union { int b; char c[4]; } u; };\n"
"typedef struct pair pair_t; union both { long l; double d; };\n"
"extern int shared; extern int visible;\n"
"static inline __attribute__((always_inline)) int twice(int x) { return 2 * x + shared; }\n"
"static inline __attribute__((always_inline)) int fourfold(int x) { return twice(twice(x)); }\n"
"int other(struct pair *p, int n);\n";

static const char first[] =
"#include <stdlib.h>\n#include <string.h>\n#include \"h.h\"\n"
"int shared = 5, visible; static enum color color = BLUE; static union both both;\n"
"static __attribute__((noinline)) int rare(int n) { if (n > 3) abort(); return n; }\n"
"int main(int argc, char **argv) { struct pair p = { argc, { 3 } }; static int count;\n"
"	count += fourfold(argc); if (__builtin_expect(argc > 100, 0)) { memset(&p, 0, sizeof(p)); rare(argc); }\n"
"	return other(&p, count) + rare(argc > 2) + color + (int)both.l + (argv == 0); }\n";

static const char second[] =
"#include \"h.h\"\n"
"static int hidden(struct pair *p) { return twice(p->a) + visible; }\n"
"int other(struct pair *p, int n) { { int inner = fourfold(n); if (inner > 9) return hidden(p); }\n"
"	return p->u.b + n; }\n";

static bool run(const char *text)
{
	return system(text) == 0;
}

static void check_program(const char *compiler, const char *flags)
{
	const char *how = arena_printf(arena, "%s %s", compiler, flags);

	if (!run(arena_printf(arena, "command -v %s >/dev/null", compiler)))
		return;
	if (!run(arena_printf(arena, "cd %s && %s %s -g -w -o program first.c second.c", scratch, compiler,
			      flags))) {
		check(false, "%s compiles", how);
		return;
	}
	check_file(how, arena_printf(arena, "%s/program", scratch), 5);
}

/* ---- the cache ---- */

static double milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static size_t open_kept(const char *path, const char *cache, bool *is_kept, double *time)
{
	struct debuginfo *d = open_program(path, cache);
	double start = milliseconds();
	const struct dwarf_names *x = d->dwarf ? dwarf_names_all(d) : NULL;
	size_t n = x ? x->function_count : 0;

	*time = milliseconds() - start;
	*is_kept = x && x->file.data;
	debuginfo_close(d);
	return n;
}

static void check_kept(const char *program)
{
	const char *cache = arena_printf(arena, "%s/cache", scratch);
	double first_time, second_time, time;
	bool is_kept;
	size_t n = open_kept(program, cache, &is_kept, &first_time);

	check(n && !is_kept, "made");
	check(open_kept(program, cache, &is_kept, &second_time) == n && is_kept, "taken from the cache");
	printf("made in %.1f ms, taken from the cache in %.1f ms\n", first_time, second_time);
	run(arena_printf(arena, "for f in %s/names-*; do printf x | dd of=$f bs=1 seek=5000 conv=notrunc "
			 "status=none; done", cache));
	check(open_kept(program, cache, &is_kept, &time) == n && !is_kept, "damaged: rebuilt");
	check(open_kept(program, cache, &is_kept, &time) == n && is_kept, "and kept");
	run(arena_printf(arena, "for f in %s/names-*; do truncate -s -100 $f; done", cache));
	check(open_kept(program, cache, &is_kept, &time) == n && !is_kept, "truncated: rebuilt");
	/* The same build-id with different debug information. */
	run(arena_printf(arena, "cd %s && gcc -O1 -g -w -Wl,--build-id=0x1234567890 -o same first.c second.c && "
			 "gcc -O2 -g -w -Wl,--build-id=0x1234567890 -o same2 first.c second.c", scratch));
	check(open_kept(arena_printf(arena, "%s/same", scratch), cache, &is_kept, &time) && !is_kept, "one build");
	check(open_kept(arena_printf(arena, "%s/same2", scratch), cache, &is_kept, &time) && !is_kept,
	      "another build with its build-id");
}

/* ---- damage ---- */

static void damage(uint8_t *data, size_t size)
{
	for (uint32_t n = 1 + random_below(8); n; n--) {
		uint8_t *p = data + 64 + random_below((uint32_t)size - 64);

		*p = random_below(2) ? (uint8_t)random_below(256) : (uint8_t)(*p + (random_below(2) ? 1 : 255));
	}
}

/* Names may or may not be found; it only matters that it ends. */
static void check_damaged(unsigned rounds)
{
	const char *sound = arena_printf(arena, "%s/sound", scratch);
	unsigned made = 0, partly = 0;
	uint8_t *data;
	size_t size;

	check(run(arena_printf(arena, "cd %s && gcc -O2 -g -w -c -o sound first.c && objcopy --only-keep-debug sound",
			       scratch)), "compiles");
	data = (uint8_t *)file_read(arena, sound, &size);
	for (unsigned i = 0; data && i < rounds; i++) {
		uint8_t *copy = arena_alloc(arena, size);
		const struct dwarf_names *x;
		struct debuginfo_request r = { .release = "none", .sysroot = scratch };
		struct debuginfo *d = debuginfo_kernel(arena, &r);
		const char *path = arena_printf(arena, "%s/damaged", scratch), *reason;

		memcpy(copy, data, size);
		damage(copy, size);
		file_write(path, copy, size);
		d->dwarf_opened = true;
		d->dwarf_reason = "";
		d->dwarf_answer = dwarf_open_file(d, path, &reason);
		x = d->dwarf_answer == DEBUGINFO_FOUND ? dwarf_names_all(d) : NULL;
		made += x && !x->is_damaged;
		partly += x && x->is_damaged;
		debuginfo_close(d);
	}
	printf("%u damaged files: %u read, %u in part\n", rounds, made, partly);
	check(made > rounds / 10 && partly > rounds / 50, "damage is met and survived");
}

int main(void)
{
	static const char *const flags[] = {
		"-O0 -gdwarf-4", "-O0 -gdwarf-5", "-O2 -gdwarf-3", "-O2 -gdwarf-4", "-O2 -gdwarf-5",
		"-O2 -gdwarf-4 -gz", "-O2 -gdwarf-5 -gz", "-O2 -ffunction-sections", "-O2 -no-pie",
		"-O2 -gdwarf-5 -gsplit-dwarf", "-O2 -gdwarf-4 -gsplit-dwarf", "-O2 -flto",
		"-O2 -gdwarf-4 -fdebug-types-section", "-O2 -gdwarf64 -gdwarf-5",
	};

	scratch_open();
	put_text("h.h", header);
	put_text("first.c", first);
	put_text("second.c", second);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		check_program("gcc", flags[i]);
		check_program("clang", flags[i]);
	}
	check_file("this program", "/proc/self/exe", 1000);
	check_kept("/proc/self/exe");
	check_damaged(2000);
	scratch_close();
	return report();
}
