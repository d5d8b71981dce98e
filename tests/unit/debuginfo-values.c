/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables in the middle of functions of real programs, while they run: DWARF's locations lead to the values that
 * gdb shows, through registers, frames, pieces, members and pointers.
 *
 *	debuginfo-values [-n PLACES] [-s SEED] [-l LIBRARY] PROGRAM [ARGUMENT...]
 *
 * examines that program, or one of its libraries; without arguments it uses programs that are available. */
#include "debuginfo-image.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "arch/arches.h"
#include "debuginfo/chain.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/program/program.h"
#include "base/map.h"
#include "debuginfo/location.h"
#include "tests/unit/support/location_evaluate.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/location_part.h"
#include "debuginfo/symbols/symbols.h"

/* gdb stops at the given addresses, writes "stop PID", registers and rows "PATH VALUE", and waits for a line. */
static const char script[] =
"import gdb\n"
"gdb.execute('set pagination off')\n"
"gdb.execute('set confirm off')\n"
"gdb.execute('set breakpoint pending on')\n"
"scalar = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_PTR)\n"
"compound = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)\n"
"registers = 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip fs_base'.split()\n"
"out = open(FROM_GDB, 'w')\n"
"answers = open(TO_GDB)\n"
"def rows(path, v, depth):\n"
"    t = v.type.strip_typedefs()\n"
"    if t.code in scalar and t.sizeof <= 8:\n"
"        try: out.write('%s %d\\n' % (path, int(v)))\n"
"        except (gdb.error, OverflowError): out.write('%s -\\n' % path)\n"
"        if t.code == gdb.TYPE_CODE_PTR and depth and t.target().strip_typedefs().code in compound:\n"
"            members(path + '->', v.dereference(), depth - 1)\n"
"    elif t.code in compound and depth:\n"
"        members(path + '.', v, depth - 1)\n"
"    elif t.code == gdb.TYPE_CODE_ARRAY and depth:\n"
"        for i in range(0, min(t.range()[1], 2) + 1): rows('%s[%d]' % (path, i), v[i], depth - 1)\n"
"def members(path, v, depth):\n"
"    for f in v.type.strip_typedefs().fields()[:12]:\n"
"        if f.name and hasattr(f, 'bitpos'):\n"
"            try: rows(path + f.name, v[f], depth)\n"
"            except gdb.error: pass\n"
"def stop():\n"
"    f = gdb.selected_frame()\n"
"    out.write('stop %d\\n' % gdb.selected_inferior().pid)\n"
"    for r in registers: out.write('%x\\n' % (int(f.read_register(r)) & 0xffffffffffffffff))\n"
"    b = gdb.block_for_pc(f.pc())\n"
"    seen = set()\n"
"    while b and not b.is_static and not b.is_global:\n"
"        for s in b:\n"
"            if not (s.is_variable or s.is_argument) or s.name in seen or '.' in s.name: continue\n"
"            seen.add(s.name)\n"
"            try: rows(s.name, s.value(f), 3)\n"
"            except gdb.error: out.write('%s -\\n' % s.name)\n"
"        if b.function: break\n"
"        b = b.superblock\n"
"    out.write('.\\n')\n"
"    out.flush()\n"
"    return answers.readline()\n"
"try:\n"
"    gdb.execute('tbreak ' + ('main' if gdb.lookup_global_symbol('main') else '__libc_start_main'))\n"
"    gdb.execute('run ' + ARGUMENTS + ' > /dev/null 2>&1 < /dev/null')\n"
"    out.write('at %d\\n' % gdb.selected_inferior().pid)\n"
"    out.flush()\n"
"    points = {int(p, 16): gdb.Breakpoint('*0x' + p, internal=True) for p in answers.readline().split()}\n"
"    hits = {}\n"
"    while points:\n"
"        gdb.execute('continue')\n"
"        if not gdb.selected_inferior().pid: break\n"
"        pc = gdb.selected_frame().pc()\n"
"        hits[pc] = hits.get(pc, 0) + 1\n"
"        if stop() != 'on\\n': break\n"
"        if hits[pc] > 1 and pc in points: points.pop(pc).delete()\n"
"    gdb.execute('kill')\n"
"except gdb.error as e: print(e)\n"
"out.write('end\\n')\n"
"out.close()\n";

enum { REGISTERS = 16, PC = REGISTERS, FS_BASE, REGISTERS_ALL };

/* The program at a stop. */
struct target {
	pid_t pid;
	int memory;
	uint64_t registers[REGISTERS_ALL];
	uint64_t bias;			/* of the file that is examined */
};

static bool get_register(void *data, unsigned number, uint64_t *value)
{
	struct target *t = data;

	if (number < REGISTERS)
		*value = t->registers[number];
	return number < REGISTERS;
}

static bool get_memory(void *data, uint64_t address, unsigned size, uint64_t *value)
{
	struct target *t = data;

	*value = 0;
	return pread(t->memory, value, size, (off_t)address) == (ssize_t)size;
}

static bool get_address(void *data, const struct location_step *step, uint64_t *value)
{
	struct target *t = data;

	*value = (uint64_t)step->value + t->bias;
	return step->op == LOCATION_ADDRESS;
}

/* ---- "file->f_path.mnt[1]" ---- */

struct value {
	const struct debug_type *type;
	struct location location;
	uint32_t bit_offset, bit_size;
	const char *why_not;
};

static bool run_steps(struct target *t, const struct location *l, uint64_t *value, const char **reason)
{
	const struct location_state state = { get_register, get_memory, get_address, 0, arch_host(), t };

	return location_evaluate(l->steps.items, l->steps.n, &state, value, reason);
}

static bool number_of(struct target *t, const struct value *v, uint64_t *out, const char **reason)
{
	const struct debug_type *real = debug_type_real(v->type);
	uint32_t bits = v->bit_size ? v->bit_size : 8 * (uint32_t)real->size, shift;
	struct location l = v->location;
	uint64_t address;

	if (l.kind == LOCATION_IN_PIECES)
		l = location_part(arena, &l, 0, v->type, v->bit_offset, v->bit_size);
	*reason = l.reason ? l.reason : "it is a pointer that was optimized out";
	if (l.kind == LOCATION_IS_VALUE)
		return run_steps(t, &l, out, reason);
	if (l.kind != LOCATION_IN_MEMORY || !run_steps(t, &l, &address, reason))
		return false;
	*reason = "memory cannot be read";
	if (!get_memory(t, address, (v->bit_offset + bits + 7) / 8, out))
		return false;
	shift = 64 - bits;
	*out = *out >> v->bit_offset << shift;
	*out = real->is_signed ? (uint64_t)((int64_t)*out >> shift) : *out >> shift;
	return true;
}

/* The member NAME of the value, or of its target. */
static bool follow_member(struct target *t, struct value *v, const char *name, bool through_pointer)
{
	struct location at = v->location;
	const struct debug_type *type = v->type;
	struct debug_member m;
	uint64_t address;

	if (through_pointer)
		type = debug_type_target(debug_type_real(type));
	if (!debug_type_member(debug_type_real(type), name, &m)) {
		/* gdb also has the types of other files. */
		v->why_not = debug_type_real(type)->size ? "there is no such member" : "its type is only declared";
		return false;
	}
	if (through_pointer && at.kind == LOCATION_POINTS_TO) {
		v->location = location_pointee(arena, &at, (int64_t)m.offset, m.type, m.bit_offset, m.bit_size);
	} else if (through_pointer) {
		if (!number_of(t, v, &address, &v->why_not))
			return false;
		at = (struct location){ .kind = LOCATION_IN_MEMORY };
		location_add(arena, &at, LOCATION_CONST, (int64_t)address);
	}
	if (v->location.kind != LOCATION_POINTS_TO && (!through_pointer || at.kind == LOCATION_IN_MEMORY))
		v->location = location_part(arena, &at, (int64_t)m.offset, m.type, m.bit_offset, m.bit_size);
	v->type = m.type;
	v->bit_offset = m.bit_offset;
	v->bit_size = m.bit_size;
	return true;
}

static bool follow_element(struct value *v, unsigned i)
{
	const struct debug_type *element = debug_type_target(debug_type_real(v->type));

	v->location = location_part(arena, &v->location, (int64_t)(i * debug_type_real(element)->size), element,
				    0, 0);
	v->type = element;
	return true;
}

static bool follow_path(struct target *t, struct value *v, const char *path)
{
	while (*path) {
		bool through_pointer = str_starts(path, "->");
		size_t n;

		if (*path == '[') {
			follow_element(v, (unsigned)atoi(path + 1));
			path += strcspn(path, "]") + 1;
			continue;
		}
		path += through_pointer ? 2 : 1;
		n = strcspn(path, ".-[");
		if (!follow_member(t, v, arena_strndup(arena, path, n), through_pointer))
			return false;
		path += n;
	}
	return true;
}

/* ---- rows ---- */

struct counts {
	unsigned same, absent, missing, wrong, extra, stops;
	struct map reasons;		/* number of variables that only gdb has, by reason */
};

static void add_missing(struct counts *c, const char *reason)
{
	uintptr_t n = (uintptr_t)map_get(&c->reasons, reason);

	c->missing++;
	map_set(&c->reasons, reason, (void *)(n + 1));
}

/* Limits of these tests: gdb reads a value from the caller's frame that we cannot read; and gdb shows 0 for a
 * pointer that it makes up and for a missing piece. */
static bool is_known_gap(const char *reason, const char *shown)
{
	if (strstr(reason, "optimized this part of it out") || strstr(reason, "it is a pointer"))
		return str_equal(shown, "0");
	return strstr(reason, "@entry") || strstr(reason, "only the caller") ||
	       strstr(reason, "only declared") ||
	       strstr(reason, "no value yet") ||
	       strstr(reason, "floating-point") || strstr(reason, "probes cannot read");
}

static void check_row(struct target *t, struct debuginfo *d, const char *what, char *row, struct counts *c)
{
	struct debug_place p = { .image = d, .function = "it", .offset = (int64_t)(t->registers[PC] - t->bias) }, at;
	char *shown = strrchr(row, ' ');
	size_t n = strcspn(row, " .-[");
	struct debug_variable v;
	struct value value = { 0 };
	uint64_t number = 0, expected;
	bool known = false;

	*shown++ = '\0';
	/* At an entry the calling convention also matters. */
	if (debuginfo_place_at(d, NULL, p.offset, &at) == DEBUGINFO_FOUND && at.at_entry)
		p = at;
	if (debuginfo_variable(&p, arena_strndup(arena, row, n), &v) != DEBUGINFO_FOUND) {
		/* For a scope in several pieces gdb also includes the gaps; and at an entry gdb includes variables
		 * that are inlined there, which we do not. */
		c->absent++;
		check(str_equal(shown, "-") || p.at_entry, "%s: %llx: %s is %s: %s", what,
		      (unsigned long long)p.offset, row, shown, debuginfo_reason(d));
		return;
	}
	value.type = v.type;
	value.location = v.location;
	if (v.location.kind == LOCATION_NOWHERE)
		value.why_not = v.location.reason;
	else if (follow_path(t, &value, row + n))
		known = number_of(t, &value, &number, &value.why_not);
	if (str_equal(shown, "-")) {
		/* gdb has no value for a pointer that it would have to make up, nor for memory that is not mapped. */
		c->absent++;
		c->extra += known;
		/* gdb does not use the calling convention for parameters. */
		check(!known || (p.at_entry && v.is_parameter), "%s: %llx: %s is %llx, gdb has no value", what,
		      (unsigned long long)p.offset, row, (unsigned long long)number);
		return;
	}
	if (!known) {
		check(is_known_gap(value.why_not, shown), "%s: %llx: %s is %s, not: %s", what,
		      (unsigned long long)p.offset, row, shown, value.why_not);
		add_missing(c, value.why_not);
		return;
	}
	expected = shown[0] == '-' ? (uint64_t)strtoll(shown, NULL, 10) : strtoull(shown, NULL, 10);
	c->wrong += number != expected;
	c->same += number == expected;
	check(number == expected, "%s: %llx: %s is %llx, not %llx", what, (unsigned long long)p.offset, row,
	      (unsigned long long)expected, (unsigned long long)number);
}

/* ---- stops ---- */

static bool read_line(FILE *f, char *line, size_t size)
{
	if (!fgets(line, (int)size, f))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* The address at which PATH is mapped, minus the address in the file. */
static uint64_t bias_of(pid_t pid, const char *path, bool is_fixed)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	FILE *maps = fopen(arena_printf(arena, "/proc/%d/maps", pid), "r");
	uint64_t bias = 0;
	char line[4096];

	while (!is_fixed && maps && read_line(maps, line, sizeof(line))) {
		unsigned long long start, offset;

		if (real && str_ends(line, real) && sscanf(line, "%llx-%*x %*s %llx", &start, &offset) == 2 &&
		    !offset) {
			bias = start;
			break;
		}
	}
	if (maps)
		fclose(maps);
	return bias;
}

/* Writes the addresses of COUNT random lines of the file, and of some functions. */
static void choose_points(struct debuginfo *d, unsigned count, uint64_t bias, FILE *to)
{
	VEC(Dwarf_Addr) all = { 0 };
	struct symbols functions = { 0 };
	Dwarf_CU *cu = NULL;
	uint8_t kind;
	Dwarf_Die unit, split;

	while (dwarf_get_units(d->dwarf->dw, cu, &cu, NULL, &kind, &unit, &split) == 0) {
		Dwarf_Lines *lines;
		size_t n;

		if (dwarf_getsrclines(&unit, &lines, &n))
			continue;
		for (size_t i = 0; i < n; i++) {
			Dwarf_Line *line = dwarf_onesrcline(lines, i);
			bool is_statement, is_end;
			Dwarf_Addr at;

			if (dwarf_linebeginstatement(line, &is_statement) == 0 && is_statement &&
			    dwarf_lineendsequence(line, &is_end) == 0 && !is_end &&
			    dwarf_lineaddr(line, &at) == 0 && at && dwarf_haspc(&unit, at) > 0)
				*vec_add(arena, &all) = at;
		}
	}
	debuginfo_functions(d, "*", &functions);
	for (unsigned i = 0; i < count && all.n; i++)
		fprintf(to, "%llx ", (unsigned long long)(all.items[random_below((uint32_t)all.n)] + bias));
	for (unsigned i = 0; i < count / 4 && functions.list.n; i++)
		fprintf(to, "%llx ", (unsigned long long)bias +
			functions.list.items[random_below((uint32_t)functions.list.n)].address);
	fputc('\n', to);
	fflush(to);
}

static void check_stop(struct target *t, struct debuginfo *d, const char *what, FILE *from, struct counts *c)
{
	char line[4096];

	for (size_t i = 0; i < REGISTERS_ALL && read_line(from, line, sizeof(line)); i++)
		t->registers[i] = strtoull(line, NULL, 16);
	c->stops++;
	while (read_line(from, line, sizeof(line)) && !str_equal(line, "."))
		check_row(t, d, what, line, c);
}

struct subject {
	const char *name, *program, *library, *arguments;
	unsigned places;
};

static void converse(struct debuginfo *d, const struct subject *s, FILE *to, FILE *from, struct counts *c)
{
	const char *file = s->library ? s->library : s->program;
	struct target t = { .memory = -1 };
	char line[4096];
	GElf_Ehdr header;

	while (read_line(from, line, sizeof(line)) && !str_equal(line, "end")) {
		if (str_starts(line, "at ")) {
			t.pid = atoi(line + 3);
			t.memory = open(arena_printf(arena, "/proc/%d/mem", t.pid), O_RDONLY | O_CLOEXEC);
			gelf_getehdr(d->dwarf->elf, &header);
			t.bias = bias_of(t.pid, file, header.e_type == ET_EXEC);
			choose_points(d, s->places, t.bias, to);
		} else if (str_starts(line, "stop ")) {
			check_stop(&t, d, s->name, from, c);
			fputs(c->stops < 2 * s->places ? "on\n" : "enough\n", to);
			fflush(to);
		}
	}
	if (t.memory >= 0)
		close(t.memory);
}

static void check_subject(const struct subject *s)
{
	const char *file = s->library ? s->library : s->program, *reason;
	const char *from_gdb = arena_printf(arena, "%s/from", scratch), *to_gdb = arena_printf(arena, "%s/to", scratch);
	struct debuginfo_request r = { .release = "none", .sysroot = "" };
	struct debuginfo *d = debuginfo_program(arena, &r, file);
	struct counts c = { 0 };
	FILE *to, *from;
	pid_t pid;

	if (dwarf_open(d, &reason) != DEBUGINFO_FOUND) {
		check(false, "%s: %s", s->name, reason);
		return;
	}
	map_init(&c.reasons, arena);
	put_text("script.py", arena_printf(arena, "FROM_GDB = '%s'\nTO_GDB = '%s'\nARGUMENTS = open('%s/arguments').read()\n%s",
					    from_gdb, to_gdb, scratch, script));
	put_text("arguments", s->arguments ? s->arguments : "");
	unlink(from_gdb);
	unlink(to_gdb);
	if (mkfifo(from_gdb, 0600) || mkfifo(to_gdb, 0600)) {
		check(false, "fifos");
		return;
	}
	/* Opening blocks until both ends are opened. */
	alarm(300);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", arena_printf(arena, "exec gdb -nx -batch -x %s/script.py %s "
							  ">%s/gdb.log 2>&1", scratch, s->program, scratch), NULL);
		_exit(127);
	}
	from = fopen(from_gdb, "r");
	to = fopen(to_gdb, "w");
	if (from && to)
		converse(d, s, to, from, &c);
	fclose(to);
	fclose(from);
	waitpid(pid, NULL, 0);
	printf("%s: %u stops: %u the same, %u wrong, %u only gdb has, %u neither has\n", s->name, c.stops, c.same,
	       c.wrong, c.missing, c.absent - c.extra);
	for (struct map_entry *e = c.reasons.entries; e < c.reasons.entries + c.reasons.n; e++)
		printf("  %lu: %s\n", (unsigned long)(uintptr_t)e->value, e->key);
	check(c.same > 100, "%s: enough are known", s->name);
	debuginfo_close(d);
}

static bool compiled(const char *command)
{
	return system(arena_printf(arena, "cd %s && %s", scratch, command)) == 0;
}

/* Structs that optimisation splits, pointers that it removes, arguments by value. */
static const char program[] =
"#include <stdio.h>\n"
"#include <stdlib.h>\n"
"#include <string.h>\n"
"struct point { int x, y; }; struct range { long from, to; const char *name; };\n"
"struct bits { unsigned a : 3; int b : 7; unsigned long c : 40; struct point at; };\n"
"struct node { struct node *next; struct point p; short tags[4]; union { long l; char c[8]; } u; };\n"
"static __thread int depth; static volatile long sink;\n"
"static inline int area(const struct point *p, const struct point *q)\n"
"{ int w = q->x - p->x, h = q->y - p->y; sink += w; if (w < 0) w = -w; sink += h; return w * h; }\n"
"static inline void widen(struct range *r, long by)\n"
"{ r->from -= by; sink += r->from; r->to += by; sink += r->to; if (r->to < r->from) r->to = r->from; }\n"
"__attribute__((noinline)) struct range make(long n, const char *name)\n"
"{ struct range r = { n, 2 * n, name }; widen(&r, n / 3); sink += r.to; widen(&r, 5); return r; }\n"
"__attribute__((noinline)) int boxes(struct point a, struct point b, int n)\n"
"{ struct point p = { a.x + n, b.y - n }, q = { b.x, a.y }; int total = 0;\n"
"  for (int i = 0; i < n; i++) { struct point r = { p.x + i, q.y * i };\n"
"    total += area(&p, &r); p.x ^= total; sink += p.y; total += area(&r, &q); } sink += q.x; return total; }\n"
"__attribute__((noinline)) long packed(struct bits b, struct range r)\n"
"{ struct bits c = b; c.a++; sink += c.a; c.b -= 3; sink += c.b; c.c += (unsigned long)r.from; sink += (long)c.c;\n"
"  c.at.x = b.at.y; sink += c.at.x; return c.a + c.b + (long)c.c + c.at.x + r.to; }\n"
"__attribute__((noinline)) struct node *build(int n)\n"
"{ struct node *head = 0; for (int i = 0; i < n; i++) { struct node *e = calloc(1, sizeof(*e));\n"
"    e->next = head; e->p.x = i; e->p.y = -i; e->tags[1] = (short)(i * 3); e->u.l = i + 0x4142; head = e; }\n"
"  sink += n; return head; }\n"
"__attribute__((noinline)) long walk(const struct node *e, int most)\n"
"{ long sum = 0; unsigned char seen = 0; depth++;\n"
"  while (e && seen < most) { struct point p = e->p; const short *tags = e->tags; seen++; sink += p.x;\n"
"    sum += p.x * tags[1] + e->u.c[0]; sink += p.y; e = e->next; } int least = sum < most ? (int)sum : most;\n"
"  sink += least; depth--; return sum + least; }\n"
"int main(void)\n"
"{ long l = 0; for (int i = 1; i < 40; i++) { struct range r = make(i * 7, \"name\");\n"
"    struct bits b = { .a = i & 7, .b = -i, .c = 1ul << i, .at = { i, -i } };\n"
"    l += boxes((struct point){ i, 3 * i }, (struct point){ -i, i }, i % 5) + packed(b, r);\n"
"    l += walk(build(i), i / 2); sink += l; } return l == 42; }\n";

/* Compiled in each way that distributions use. */
static void check_compiled(unsigned places)
{
	static const char *const compilers[] = { "gcc", "clang" };
	static const char *const flags[] = { "-O1 -gdwarf-4", "-O2 -gdwarf-5 -pie -fPIE", "-O3 -gdwarf-4 -pie -fPIE",
					     "-O2 -gdwarf-5 -gz -fomit-frame-pointer",
					     "-Os -gdwarf-5 -flto -fno-omit-frame-pointer" };

	put_text("values.c", program);
	for (size_t c = 0; c < ARRAY_SIZE(compilers); c++)
		for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
			struct subject s = { .places = places };

			s.name = arena_printf(arena, "%s %s", compilers[c], flags[i]);
			s.program = arena_printf(arena, "%s/values", scratch);
			if (!compiled(arena_printf(arena, "command -v %s >/dev/null", compilers[c])))
				continue;
			if (compiled(arena_printf(arena, "%s %s -g -w -o values values.c 2>compile.log || "
						  "! grep -q 'LLVMgold\\|linker' compile.log", compilers[c], flags[i])) &&
			    file_exists(s.program))
				check_subject(&s);
			unlink(s.program);
		}
}

/* A program built with this test, from many files. */
static void check_ourselves(void)
{
	static const struct subject s = { .name = "tapc", .program = "./tapc", .places = 200,
		.arguments = "-p2 -e 'global a; probe begin { a[1, \"x\"] = 2 + 3; printf(\"%d %s\\n\", 4, \"y\") }'" };

	if (file_exists(s.program))
		check_subject(&s);
}

int main(int argc, char **argv)
{
	struct subject s = { .places = 200 };
	int option;

	if (system("command -v gdb >/dev/null") != 0) {
		printf("gdb is missing\n");
		return 77;
	}
	signal(SIGPIPE, SIG_IGN);
	while ((option = getopt(argc, argv, "+n:s:l:")) != -1) {
		if (option == 'n')
			s.places = (unsigned)atoi(optarg);
		else if (option == 's')
			random_state = (uint64_t)atoll(optarg);
		else
			s.library = optarg;
	}
	scratch_open();
	if (optind < argc) {
		s.name = s.program = argv[optind];
		s.arguments = "";
		while (++optind < argc)
			s.arguments = arena_printf(arena, "%s '%s'", s.arguments, argv[optind]);
		check_subject(&s);
	} else {
		check_compiled(60);
		check_ourselves();
	}
	scratch_close();
	return report();
}
