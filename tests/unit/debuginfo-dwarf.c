/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program, compiled in several ways, stops itself at several places: the location of each variable in DWARF
 * evaluates to the value that gdb shows. Registers and memory are from the process that gdb has stopped: in another
 * one, variables without a value yet would differ. */
#include "debuginfo-image.h"

#include "arch/arches.h"
#include "debuginfo/handle.h"
#include "debuginfo/dwarf/dwarf.h"
#include "tests/unit/support/location_evaluate.h"

static const char program[] =
"#include <stdlib.h>\n"
"#include <string.h>\n"
"#define STOP __asm__ volatile(\"int3\" ::: \"memory\")\n"
"#define USE(x) __asm__ volatile(\"\" :: \"r\"(x))\n"
"struct two { int a; short b; }; struct wide { long a, b; };\n"
"enum color { RED, GREEN = -5, BLUE = 70000 }; union u { int i; char c[4]; };\n"
"typedef unsigned char byte; typedef enum color color;\n"
"static int counter = 12; int visible = -7; static const char *name = \"x\"; volatile int sink;\n"
"__attribute__((noinline)) int leaf(int a, unsigned char b, signed char c, short d, long e,\n"
"	unsigned long f, int g, byte h, color i, _Bool j)\n"
"{ int sum = a + b + c; long twice = 2 * e; STOP; sink = sum; STOP; { unsigned sum = g * 3u; int inner = d;\n"
"  STOP; sink = sum + inner; } USE(twice); USE(f); STOP; return a + h + i + j; }\n"
"static inline __attribute__((always_inline)) int inlined(int x, struct two *t)\n"
"{ int y = x * 3 + t->a; STOP; sink = y; return y ^ t->b; }\n"
"__attribute__((noinline)) long loop(int n, const int *values)\n"
"{ long total = 0; for (int i = 0; i < n; i++) { int v = values[i]; total += v * i; STOP; }\n"
"  struct two t = { n, (short)total }; int k = inlined(n, &t), constant = 4711; STOP; USE(constant);\n"
"  return total + k; }\n"
"__attribute__((noinline)) long byvalue(struct two s, struct wide w, union u v, int last)\n"
"{ int first = s.a, low = v.i; long far = w.a + w.b; STOP; USE(first); USE(low); USE(last); return far; }\n"
"__attribute__((noinline)) int recurse(int depth)\n"
"{ char buffer[depth + 8]; int before = depth * 2; memset(buffer, depth, sizeof(buffer)); STOP;\n"
"  int r = depth ? recurse(depth - 1) : 0; STOP; return r + before + buffer[3]; }\n"
"int main(int argc, char **argv)\n"
"{ static int kept = 5; int values[] = { 3, -1, 4, -1, 5 };\n"
"  int r = leaf(-3, 200, -100, -30000, 1l << 40, ~0ul, 77, 250, GREEN, argc > 0); STOP;\n"
"  long l = loop(5, values); STOP; kept += counter++ + visible;\n"
"  l += byvalue((struct two){ 9, 8 }, (struct wide){ 1l << 33, 5 }, (union u){ .i = 99 }, -1); STOP;\n"
"  r += recurse(3); STOP; return r + (int)l + kept + (name == 0) + (argv == 0) > 1 ? 0 : 0; }\n";

static const char script[] =
"import gdb\n"
"gdb.execute('set pagination off')\n"
"gdb.execute('run > /dev/null')\n"
"n = 0\n"
"scalar = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL)\n"
"out = open(OUT, 'w')\n"
"names = 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15'.split()\n"
"mask = (1 << 64) - 1\n"
"def address(text): return int(gdb.parse_and_eval('(long)' + text)) & mask\n"
"def memory(start, end):\n"
"    out.write('m %x %s\\n' % (start, bytes(gdb.selected_inferior().read_memory(start, end - start)).hex()))\n"
"while gdb.selected_inferior().pid:\n"
"    f = gdb.selected_frame()\n"
"    b = f.block()\n"
"    out.write('r %x %s\\n' % (f.pc(), ' '.join('%x' % address('$' + r) for r in names)))\n"
"    memory(address('$rsp') - 256, address('$rsp') + 1024)\n"
"    memory(address('&__data_start'), address('&_end'))\n"
"    seen = set()\n"
"    while b and not b.is_static and not b.is_global:\n"
"        for s in b:\n"
"            if not (s.is_variable or s.is_argument) or s.name in seen: continue\n"
"            seen.add(s.name)\n"
"            if s.type.strip_typedefs().code not in scalar: continue\n"
"            try: v = str(int(s.value(f)))\n"
"            except gdb.error: v = '-'\n"
"            out.write('v %d %s %s\\n' % (n, s.name, v))\n"
"        if b.function: break\n"
"        b = b.superblock\n"
"    n += 1\n"
"    gdb.execute('continue')\n"
"out.write('end\\n')\n"
"out.close()\n";

/* What gdb printed of one stop. */
struct target {
	uint64_t pc, registers[16];
	struct {
		uint64_t address;
		const char *hex;	/* ends with the line */
	} ranges[2];
	size_t n_ranges;
};

static bool get_register(void *data, unsigned number, uint64_t *value)
{
	const struct target *t = data;

	if (number >= ARRAY_SIZE(t->registers))
		return false;
	*value = t->registers[number];
	return true;
}

static bool get_memory(void *data, uint64_t address, unsigned size, uint64_t *value)
{
	const struct target *t = data;

	*value = 0;
	for (size_t i = 0; i < t->n_ranges; i++) {
		uint64_t at = address - t->ranges[i].address;

		if (address < t->ranges[i].address || at + size > strcspn(t->ranges[i].hex, "\n") / 2)
			continue;
		for (unsigned byte = 0; byte < size; byte++) {
			char digits[3] = { t->ranges[i].hex[2 * (at + byte)], t->ranges[i].hex[2 * (at + byte) + 1] };

			*value |= (uint64_t)strtoul(digits, NULL, 16) << 8 * byte;
		}
		return true;
	}
	return false;
}

static bool get_address(void *data, const struct location_step *step, uint64_t *value)
{
	(void)data;
	*value = (uint64_t)step->value;
	return step->op == LOCATION_ADDRESS;
}

static int64_t extended(uint64_t v, const struct debug_type *t)
{
	unsigned shift = t->size < 8 ? 64 - 8 * (unsigned)t->size : 0;

	return t->is_signed ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
}

static bool evaluate(struct target *t, const struct debug_variable *v, int64_t *value)
{
	const struct location_state state = { get_register, get_memory, get_address, 0, arch_host(), t };
	const struct debug_type *type = debug_type_real(v->type);
	const char *reason;
	uint64_t bits;

	if (v->location.kind != LOCATION_IN_MEMORY && v->location.kind != LOCATION_IS_VALUE)
		return false;
	if (!location_evaluate(v->location.steps.items, v->location.steps.n, &state, &bits, &reason)) {
		check(false, "%s: %s", v->name, reason);
		return false;
	}
	if (v->location.kind == LOCATION_IN_MEMORY &&
	    !get_memory(t, bits, (unsigned)type->size, &bits)) {
		check(false, "%s is not in memory at %llx", v->name, (unsigned long long)bits);
		return false;
	}
	*value = extended(bits, type);
	check(v->location.kind == LOCATION_IN_MEMORY || *value == (int64_t)bits, "%s is extended", v->name);
	return true;
}

struct counts {
	unsigned same, missing, absent;
};

/* ROW is, for example, "3 total -17", for the stop that the target is at. */
static void check_row(struct target *t, struct debuginfo *d, const char *how, const char *row,
		      struct counts *counts)
{
	char name[64], shown[64];
	struct debug_place p = { .image = d, .function = "it", .offset = (int64_t)t->pc };
	struct debug_variable v;
	unsigned stop;
	int64_t value;
	bool known;

	if (sscanf(row, "%u %63s %63s", &stop, name, shown) != 3) {
		check(false, "%s: gdb printed %.40s", how, row);
		return;
	}
	if (debuginfo_variable(&p, name, &v) != DEBUGINFO_FOUND) {
		check(false, "%s: stop %u: %s: %s", how, stop, name, debuginfo_reason(d));
		return;
	}
	known = evaluate(t, &v, &value);
	if (str_equal(shown, "-")) {
		check(!known, "%s: stop %u: %s has a value", how, stop, name);
		counts->absent++;
	} else if (!known) {
		check(v.location.reason && strstr(v.location.reason, "@entry"), "%s: stop %u: %s is %s, not %s", how,
		      stop, name, shown, v.location.reason ? v.location.reason : "in pieces");
		counts->missing++;
	} else {
		check((uint64_t)value == (shown[0] == '-' ? (uint64_t)strtoll(shown, NULL, 10) :
					  strtoull(shown, NULL, 10)),
		      "%s: stop %u: %s is %s, not %lld", how, stop, name, shown, (long long)value);
		counts->same++;
	}
}

static void check_stops(struct debuginfo *d, const char *how, const char *shown, struct counts *counts)
{
	struct target t = { 0 };

	for (; *shown && !str_starts(shown, "end"); shown += strcspn(shown, "\n") + 1)
		if (*shown == 'r') {
			char *rest;

			t.pc = strtoull(shown + 2, &rest, 16);
			for (size_t i = 0; i < ARRAY_SIZE(t.registers); i++)
				t.registers[i] = strtoull(rest, &rest, 16);
			t.n_ranges = 0;
		} else if (*shown == 'm' && t.n_ranges < ARRAY_SIZE(t.ranges)) {
			char *hex;

			t.ranges[t.n_ranges].address = strtoull(shown + 2, &hex, 16);
			t.ranges[t.n_ranges++].hex = hex + 1;
		} else {
			check_row(&t, d, how, shown + 2, counts);
		}
	check(str_starts(shown, "end"), "%s: gdb printed all", how);
}

/* The compiler decides what to inline, and the lines and their order. */
static void check_places(struct debuginfo *d, const char *how)
{
	debug_places l = { 0 };

	check(debuginfo_function_places(d, "inlined", NULL, PLACE_INLINE, &l) == DEBUGINFO_FOUND && l.n >= 1 &&
	      l.items[0].caller && str_equal(l.items[0].caller, "loop") &&
	      str_equal(l.items[0].function, "inlined"), "%s: inlined in loop: %s", how, debuginfo_reason(d));
	l.n = 0;
	debuginfo_function_places(d, "l*", "program.c", PLACE_CALL | PLACE_RETURN, &l);
	check(l.n == 4 && str_equal(l.items[0].function, "leaf") && l.items[0].at_entry &&
	      l.items[1].at_return && str_equal(l.items[2].function, "loop"), "%s: l*: %zu", how, l.n);
	l.n = 0;
	check(debuginfo_function_places(d, "l*", "other.c", PLACE_CALL, &l) == DEBUGINFO_ABSENT,
	      "%s: not there", how);
	check(debuginfo_line_places(d, "loop", "program.c", 0, 3, true, false, &l) == DEBUGINFO_FOUND &&
	      l.n >= 2 && l.n <= 4, "%s: lines of loop: %zu", how, l.n);
	l.n = 0;
	check(debuginfo_line_places(d, "loop", "program.c", 1, 1, false, true, &l) == DEBUGINFO_FOUND &&
	      l.n == 1 && l.items[0].line >= 16 && l.items[0].line <= 17, "%s: nearest: %zu, line %u", how, l.n,
	      l.n ? l.items[0].line : 0);
	l.n = 0;
	check(debuginfo_label_places(d, "loop", NULL, "*", &l) == DEBUGINFO_ABSENT && *debuginfo_reason(d),
	      "%s: no labels", how);
}

static bool run(const char *text)
{
	return system(text) == 0;
}

static void check_program(const char *compiler, const char *flags)
{
	const char *how = arena_printf(arena, "%s %s", compiler, flags), *reason;
	const char *path = arena_printf(arena, "%s/program", scratch), *shown;
	struct debuginfo_request r = { .release = "none", .sysroot = scratch };
	struct debuginfo *d = debuginfo_kernel(arena, &r);
	struct counts counts = { 0 };

	if (!run(arena_printf(arena, "command -v %s >/dev/null", compiler)))
		return;
	if (!run(arena_printf(arena, "cd %s && %s %s -g -no-pie -w -o program program.c", scratch, compiler,
			      flags))) {
		check(false, "%s compiles", how);
		return;
	}
	if (!run(arena_printf(arena, "cd %s && gdb -nx -batch -x script.py program >gdb.log 2>&1", scratch)))
		printf("# gdb failed\n");
	shown = file_read(arena, arena_printf(arena, "%s/shown", scratch), NULL);
	check(shown && dwarf_open_file(d, path, &reason) == DEBUGINFO_FOUND, "%s: opened", how);
	if (!shown || !d->dwarf)
		return;
	d->dwarf_opened = true;
	d->dwarf_answer = DEBUGINFO_FOUND;
	d->dwarf_reason = "";
	check_stops(d, how, shown, &counts);
	check_places(d, how);
	printf("%s: %u the same, %u only gdb has, %u neither has\n", how, counts.same, counts.missing,
	       counts.absent);
	check(counts.same > 60, "%s: enough are known", how);
	debuginfo_close(d);
}

int main(void)
{
	static const char *const flags[] = { "-O0 -gdwarf-4", "-O0 -gdwarf-5", "-O1 -gdwarf-5",
					     "-O2 -gdwarf-4", "-O2 -gdwarf-5", "-Os -gdwarf-5", "-O3 -gdwarf-5" };

	if (!run("command -v gdb >/dev/null")) {
		printf("gdb is missing\n");
		return 77;
	}
	scratch_open();
	put_text("program.c", program);
	put_text("script.py", arena_printf(arena, "OUT = '%s/shown'\n%s", scratch, script));
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		check_program("gcc", flags[i]);
		check_program("clang", flags[i]);
	}
	scratch_close();
	return report();
}
