/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damaged programs, modules and their debug information: every question is answered, in bounded time and memory.
 *
 *	debuginfo-mutants [COUNT [SEED [VERBOSE]]]
 *
 * Each mutant is examined in a separate process and reported by its number: COUNT 1 and that SEED create the same
 * one again. tests/fuzz/debuginfo runs this for a long time. */
#include "debuginfo-image.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "arch/arches.h"
#include "debuginfo/chain.h"
#include "debuginfo/dwarf/inlines.h"
#include "debuginfo/dwarf/lines.h"
#include "debuginfo/program/program.h"
#include "debuginfo/debuginfo.h"
#include "tests/unit/support/location_evaluate.h"
#include "debuginfo/location_part.h"
#include "debuginfo/program/facts.h"
#include "debuginfo/program/mark.h"
#include "debuginfo/program/plt.h"
#include "debuginfo/symbols/symbols.h"
#include "debuginfo/type_name.h"

/* Everything in little code: inlined functions, pieces, nested types, cyclic types, loops. */
static const char program[] =
"#include <stdlib.h>\n"
"struct node { struct node *next; union { int i; char c[4]; } u; unsigned bits : 5; int more[3][2]; };\n"
"typedef struct node node_t; enum color { RED = -1, BLUE = 70000 };\n"
"int counter = 4; static volatile int sink; node_t nodes[3]; static __thread long each;\n"
"static inline int twice(const struct node *n, int by) { int r = n->u.i * by; sink = r; return r + n->more[1][0]; }\n"
"__attribute__((noinline)) int walk(struct node *n, enum color c, short most)\n"
"{ int sum = 0; struct node copy = *n; for (struct node *e = n; e && sum < most; e = e->next) {\n"
"    int least = sum < counter ? sum : counter; sum += twice(e, c) + least; sink = sum; } each += sum;\n"
"  copy.u.i = sum; sink = copy.bits; if (sum > 7) goto out; sum = twice(&copy, 3); out: sink = sum; return sum; }\n"
"int main(int argc, char **argv) { struct { long a, b; } two = { argc, 7 }; nodes[0].next = &nodes[1];\n"
"  sink = (int)(two.a + two.b); return walk(nodes, argc > 1 ? RED : BLUE, 12) + (argv[0] == 0) + atoi(\"0\"); }\n";

static size_t read_all;			/* so that no read is optimised away */

static void look_at_text(const char *s)
{
	read_all += s ? strlen(s) : 0;
}

static void look_at_type(const struct debug_type *t, int depth)
{
	struct debug_member m;
	const char *name;
	int64_t value;

	if (!t || depth > 3)
		return;
	look_at_text(debug_type_text(arena, t));
	debug_type_real(t);
	for (size_t i = 0; i < debug_type_member_count(t) && i < 20; i++)
		if (debug_type_member_at(t, i, &m)) {
			look_at_text(m.name);
			look_at_type(m.type, depth + 1);
		}
	for (size_t i = 0; i < debug_type_enumerator_count(t) && i < 20; i++)
		if (debug_type_enumerator_at(t, i, &name, &value))
			look_at_text(name);
	debug_type_member(t, "next", &m);
	debug_type_suggest(t, "nex");
	look_at_type(debug_type_target(t), depth + 1);
}

static bool some_register(void *data, unsigned number, uint64_t *value)
{
	(void)data;
	*value = number * 0x1000;
	return number < 16;
}

static bool some_memory(void *data, uint64_t address, unsigned size, uint64_t *value)
{
	(void)data, (void)size;
	*value = address;
	return true;
}

static bool some_address(void *data, const struct location_step *step, uint64_t *value)
{
	(void)data;
	*value = (uint64_t)step->value;
	return true;
}

static void look_at_location(const struct location *l, int depth)
{
	const struct location_state state = { some_register, some_memory, some_address, 0x7000, arch_host(), NULL };
	const char *reason;
	uint64_t value;

	if (depth > 4)
		return;
	if (l->kind == LOCATION_NOWHERE)
		look_at_text(l->reason);
	if (l->kind == LOCATION_IN_MEMORY || l->kind == LOCATION_IS_VALUE)
		location_evaluate(l->steps.items, l->steps.n, &state, &value, &reason);
	vec_each (p, &l->pieces)
		look_at_location(&p->location, depth + 1);
	if (l->pointee)
		look_at_location(l->pointee, depth + 1);
}

static void look_at_variable(const struct debug_variable *v)
{
	struct location part;
	struct debug_member m;

	look_at_text(v->name);
	look_at_text(v->file);
	look_at_type(v->type, 0);
	look_at_location(&v->location, 0);
	if (v->type && debug_type_member(debug_type_real(v->type), "u", &m)) {
		part = location_part(arena, &v->location, (int64_t)m.offset, m.type, m.bit_offset, m.bit_size);
		look_at_location(&part, 0);
		part = location_pointee(arena, &v->location, (int64_t)m.offset, m.type, m.bit_offset, m.bit_size);
		look_at_location(&part, 0);
	}
}

static void look_at_places(debug_places *l)
{
	size_t n = 0;

	vec_each (p, l) {
		debug_variables variables = { 0 };
		struct debug_variable v;

		if (n++ > 60)
			break;
		look_at_text(p->function);
		look_at_text(p->caller);
		look_at_text(p->file);
		debuginfo_variables(p, VARIABLES_PARAMETERS | VARIABLES_LOCALS, &variables);
		for (size_t i = 0; i < variables.n && i < 30; i++)
			look_at_variable(&variables.items[i]);
		if (debuginfo_variable(p, "n", &v) == DEBUGINFO_FOUND)
			look_at_variable(&v);
		if (debuginfo_return(p, &v) == DEBUGINFO_FOUND)
			look_at_variable(&v);
	}
}

static void look_at_lines(struct debuginfo *d)
{
	struct source_inlines inlines;
	struct source_lines lines;

	debuginfo_lines(d, &lines);
	for (size_t i = 0; i < lines.n; i++)
		look_at_text(lines.list[i].file);
	debuginfo_inlines(d, &inlines);
	for (size_t i = 0; i < inlines.n; i++) {
		look_at_text(inlines.list[i].function);
		look_at_text(inlines.list[i].file);
		if (inlines.list[i].outer > i)
			abort();
	}
	for (size_t i = 0; i < inlines.call_count; i++)
		if (inlines.calls[i].inlined >= inlines.n)
			abort();
	free(lines.list);
	free(inlines.list);
	free(inlines.calls);
}

static void ask(struct debuginfo *d, bool is_program)
{
	struct symbols symbols = { 0 };
	debug_places l = { 0 };
	struct program_plts plts = { 0 };
	struct program_marks marks = { 0 };
	struct program_facts facts;
	struct debuginfo_facts known;
	struct debug_variable v;
	const struct debug_type *t;
	struct debug_place p;
	int64_t value;

	debuginfo_functions(d, "*", &symbols);
	debuginfo_data(d, "*", &symbols);
	vec_each (s, &symbols.list)
		look_at_text(s->name);
	if (is_program)
		program_facts(d, &facts);
	debuginfo_facts(d, &known);
	debuginfo_function_places(d, "*", NULL, PLACE_CALL | PLACE_INLINE | PLACE_RETURN, &l);
	debuginfo_function_places(d, "walk", "*.c", PLACE_CALL, &l);
	look_at_places(&l);
	l.n = 0;
	debuginfo_line_places(d, "*", "*.c", 1, 100, false, false, &l);
	debuginfo_line_places(d, "walk", NULL, 1, 1, true, true, &l);
	debuginfo_label_places(d, "*", NULL, "*", &l);
	look_at_places(&l);
	if (debuginfo_place_at(d, NULL, 0x1170, &p) == DEBUGINFO_FOUND ||
	    debuginfo_place_at(d, ".text", 0x20, &p) == DEBUGINFO_FOUND) {
		l.n = 0;
		*vec_add(arena, &l) = p;
		look_at_places(&l);
	}
	if (debuginfo_type(d, "struct node", &t) == DEBUGINFO_FOUND)
		look_at_type(t, 0);
	if (debuginfo_type(d, "node_t", &t) == DEBUGINFO_FOUND)
		look_at_type(t, 0);
	debuginfo_enumerator(d, "BLUE", &value);
	if (debuginfo_global(d, "nodes", NULL, &v) == DEBUGINFO_FOUND)
		look_at_variable(&v);
	if (debuginfo_global(d, "each", "*.c", &v) == DEBUGINFO_FOUND)
		look_at_variable(&v);
	if (is_program) {
		program_plts(d, "*", &plts);
		program_marks(d, NULL, "*", &marks);
	}
	look_at_lines(d);
	look_at_text(debuginfo_reason(d));
}

/* ---- damage ---- */

/* The sections worth damaging, and the headers. */
static const char *const targets[] = {
	".debug_info", ".debug_info", ".debug_abbrev", ".debug_abbrev", ".debug_loclists", ".debug_loc", ".debug_line",
	".debug_rnglists", ".debug_ranges", ".debug_str", ".debug_str_offsets", ".debug_addr", ".debug_aranges",
	".debug_line_str", ".eh_frame", ".eh_frame_hdr", ".symtab", ".strtab", ".dynsym", ".rela.plt", ".plt.sec",
	".note.gnu.build-id", ".gnu_debugaltlink", "headers", "headers", "anything",
};

/* Finds NAME in the file. */
static bool find_part(const uint8_t *file, size_t size, const char *name, size_t *at, size_t *n)
{
	Elf64_Ehdr h;

	memcpy(&h, file, sizeof(h));
	*at = 0;
	*n = str_equal(name, "headers") ? sizeof(h) : size;
	if (str_equal(name, "headers") && random_below(2)) {
		*at = h.e_shoff;
		*n = h.e_shnum * sizeof(Elf64_Shdr);
	}
	if (name[0] != '.')
		return true;
	for (size_t i = 0; i < h.e_shnum; i++) {
		Elf64_Shdr s, names;

		memcpy(&s, file + h.e_shoff + i * sizeof(s), sizeof(s));
		memcpy(&names, file + h.e_shoff + h.e_shstrndx * sizeof(s), sizeof(s));
		if (s.sh_type != SHT_NOBITS && str_equal((const char *)file + names.sh_offset + s.sh_name, name)) {
			*at = s.sh_offset;
			*n = s.sh_size;
			return s.sh_size > 0;
		}
	}
	return false;
}

static size_t damage(const uint8_t *good, uint8_t *file, size_t size)
{
	static const uint64_t numbers[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff,
					    0xfffffffffffffff0, 0x7fffffffffffffff, 0xffffffffffffffff };
	uint32_t times = 1 + random_below(6);
	size_t at, n;

	for (uint32_t i = 0; i < times; i++) {
		uint32_t width = 1u << random_below(4), where;

		while (!find_part(good, size, targets[random_below(ARRAY_SIZE(targets))], &at, &n))
			;
		where = (uint32_t)at + random_below((uint32_t)n);
		if (where + 8 > size)
			continue;
		switch (random_below(3)) {
		case 0: memcpy(file + where, &numbers[random_below(ARRAY_SIZE(numbers))], width); break;
		case 1: file[where] ^= (uint8_t)(1 << random_below(8)); break;
		default: file[where] = (uint8_t)random_below(256); break;
		}
	}
	return random_below(25) ? size : random_below((uint32_t)size);
}

/* ---- in turn ---- */

static unsigned crashed, slow;

static bool is_module(const char *path)
{
	return str_ends(path, ".ko");
}

static void ask_in_child(const char *path, uint64_t seed, bool is_verbose)
{
	pid_t pid;
	int status = 0;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct rlimit seconds = { 20, 20 }, none = { 0, 0 };
		struct debuginfo_request r = { .release = "none", .sysroot = scratch };
		struct symbols found = { 0 };
		struct debuginfo *kernel, *d;
		bool good;

		setrlimit(RLIMIT_CPU, &seconds);
		setrlimit(RLIMIT_CORE, &none);
		if (!is_verbose && !freopen("/dev/null", "w", stderr))
			_exit(1);
		kernel = is_module(path) ? debuginfo_kernel(arena, &r) : debuginfo_program(arena, &r, path);
		d = is_module(path) ? debuginfo_module(kernel, "demo") : kernel;
		if (d)
			ask(d, d == kernel);
		/* An undamaged file must not be reported as damaged. */
		good = seed || (d && debuginfo_functions(d, "walk", &found) == DEBUGINFO_FOUND);
		debuginfo_close(kernel);
		_exit(good ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		slow++;
	else
		crashed += status != 0;
	check(status == 0, "mutant %llu: %s %d", (unsigned long long)seed, WIFSIGNALED(status) ? "signal" : "exit",
	      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static const char *const seeds[] = {
	"gcc -O2 -gdwarf-5 -g3",
	"gcc -O2 -gdwarf-4",
	"clang -O2 -gdwarf-5",
	"gcc -O0 -gdwarf-5 -gz=zlib",
	"gcc -O2 -gdwarf-4 -fdebug-types-section",
	"gcc -O2 -gdwarf-4 -c",
	"clang -O2 -gdwarf-5 -c",
	"clang -O1 -gdwarf-4",
	"gcc -O2 -gdwarf-5 -gsplit-dwarf",
};

static bool is_object(size_t i)
{
	return str_ends(seeds[i], " -c");
}

static const char *path_of(size_t i)
{
	return is_object(i) ? "/lib/modules/none/kernel/demo.ko" : "/mutant";
}

static bool make_seed(size_t i)
{
	return system(arena_printf(arena, "cd %s && %s -w -fPIE %s -o seed-%zu seed.c >/dev/null 2>&1", scratch, seeds[i],
				   is_object(i) ? "" : "-pie", i)) == 0;
}

int main(int argc, char **argv)
{
	unsigned count_wanted = argc > 1 ? (unsigned)atoi(argv[1]) : 350;
	uint64_t first = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	uint8_t *good[ARRAY_SIZE(seeds)] = { NULL };
	size_t sizes[ARRAY_SIZE(seeds)], seeds_n = 0;
	struct rusage usage;
	const char *path;
	time_t start = time(NULL);

	scratch_open();
	put_text("seed.c", program);
	put_text("lib/modules/none/modules.dep", "kernel/demo.ko:\n");
	put_text("lib/modules/none/kernel/demo.ko", "");
	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++) {
		if (make_seed(i)) {
			good[i] = (uint8_t *)file_read(arena, arena_printf(arena, "%s/seed-%zu", scratch, i),
						       &sizes[i]);
			path = path_of(i);
			file_write(arena_printf(arena, "%s%s", scratch, path), good[i], sizes[i]);
			ask_in_child(path, 0, true);
		}
		seeds_n += good[i] != NULL;
	}
	if (!seeds_n) {
		printf("no compiler\n");
		scratch_close();
		return 77;
	}
	for (uint64_t seed = first; seed < first + count_wanted; seed++) {
		size_t i = seed % ARRAY_SIZE(seeds), size;
		uint8_t *copy;

		if (!good[i])
			continue;
		random_state = seed * 7919;
		copy = malloc(sizes[i] + 8);
		memcpy(copy, good[i], sizes[i]);
		size = damage(good[i], copy, sizes[i]);
		path = path_of(i);
		file_write(arena_printf(arena, "%s%s", scratch, path), copy, size);
		free(copy);
		ask_in_child(path, seed, argc > 3);
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%u mutants of %zu programs: %u crashed, %u endless, %ld MB at most, %.0f s\n", count_wanted, seeds_n,
	       crashed, slow, usage.ru_maxrss / 1024, difftime(time(NULL), start));
	if (argc <= 4)
		scratch_close();
	return report();
}
