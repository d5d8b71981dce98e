/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs in each form that distributions ship (stripped, with debug files found in each way, split, compressed,
 * shared by dwz) all give the same answers; also their .plt, static markers and C++ names. */
#include "debuginfo-image.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "arch/arches.h"
#include "debuginfo/chain.h"
#include "debuginfo/program/program.h"
#include "debuginfo/debuginfo.h"
#include "tests/unit/support/location_evaluate.h"
#include "debuginfo/program/facts.h"
#include "debuginfo/program/find.h"
#include "debuginfo/program/mark.h"
#include "debuginfo/program/name.h"
#include "debuginfo/program/plt.h"
#include "debuginfo/symbols/symbols.h"
#include "debuginfo/type_name.h"

static const char program[] =
"#include <stdio.h>\n"
"#include <stdlib.h>\n"
"struct item { int count; struct item *next; };\n"
"enum level { LOW = 3, HIGH = 1000 };\n"
"int table[5] = { 1, 2, 3, 4, 5 };\n"
"static long hidden = 77;\n"
"static __attribute__((noinline, noclone)) int inner(struct item *item, int by)\n"
"{\n"
"	int sum = item->count * by;\n"
"	hidden += sum;\n"
"	return sum + table[by % 5];\n"
"}\n"
"__attribute__((noinline)) int outer(int n, enum level level)\n"
"{\n"
"	struct item item = { n + level, 0 };\n"
"	return inner(&item, n) + atoi(\"3\");\n"
"}\n"
"int main(int argc, char **argv)\n"
"{\n"
"	printf(\"%d %s\\n\", outer(argc, HIGH), getenv(\"HOME\") ? \"y\" : \"n\");\n"
"	return argv[0] == 0;\n"
"}\n";

static bool run(const char *fmt, ...)
{
	va_list ap;
	char *command;

	va_start(ap, fmt);
	command = arena_vprintf(arena, fmt, ap);
	va_end(ap);
	return system(arena_printf(arena, "cd %s && %s", scratch, command)) == 0;
}

static bool has(const char *program_name)
{
	return run("command -v %s >/dev/null", program_name);
}

static struct debuginfo *open_program(const char *path)
{
	struct debuginfo_request r = { .release = "none", .sysroot = scratch };

	return debuginfo_program(arena, &r, path);
}

static struct debuginfo *open_arm64(const char *path)
{
	struct debuginfo_request r = { .release = "none", .sysroot = scratch, .arch = arch_find("arm64") };

	return debuginfo_program(arena, &r, path);
}

/* How much can be known. */
enum { EXPORTED, SYMBOLS, DWARF };

static struct symbol function_named(struct debuginfo *d, const char *name)
{
	struct symbols found = { 0 };

	if (debuginfo_functions(d, name, &found) == DEBUGINFO_FOUND && found.list.n == 1)
		return found.list.items[0];
	return (struct symbol){ 0 };
}

static void check_symbols(struct debuginfo *d, const char *how, int known)
{
	struct symbol inner = function_named(d, "inner"), outer = function_named(d, "outer"), at;
	uint64_t offset = 0;
	struct debuginfo_facts facts;

	check(outer.name && outer.size && outer.flags & SYMBOL_FUNCTION, "%s: outer: %s", how, debuginfo_reason(d));
	check((inner.name != NULL) == (known >= SYMBOLS), "%s: inner: %s", how, debuginfo_reason(d));
	check(debuginfo_symbol_at(d, NULL, outer.offset + 2, &at) == DEBUGINFO_FOUND && str_equal(at.name, "outer"),
	      "%s: at outer: %s", how, debuginfo_reason(d));
	check(program_file_offset(d, outer.address, &offset) && offset && (outer.address - offset) % 4096 == 0,
	      "%s: offset %llx", how, (unsigned long long)offset);
	check(debuginfo_facts(d, &facts) == DEBUGINFO_FOUND && facts.build_id_size == 20 &&
	      !!facts.lacks == (known == EXPORTED), "%s: facts: %s", how, facts.lacks ? facts.lacks : "");
	check(!function_named(d, "absent").name && strstr(debuginfo_reason(d), "absent"), "%s: absent", how);
}

static void check_variable(const struct debug_place *p, const char *how, const char *name, const char *type)
{
	struct debug_variable v;

	check(debuginfo_variable(p, name, &v) == DEBUGINFO_FOUND && v.location.kind != LOCATION_NOWHERE, "%s: %s: %s",
	      how, name, debuginfo_reason(p->image));
	check(v.type && str_equal(debug_type_text(arena, v.type), type), "%s: %s: %s", how, name,
	      v.type ? debug_type_text(arena, v.type) : "no type");
}

static void check_dwarf(struct debuginfo *d, const char *how)
{
	debug_places l = { 0 };
	struct debug_variable v;
	uint64_t word = debuginfo_arch(d)->word;
	const struct debug_type *t;
	struct debug_member m;
	int64_t number = 0;

	check(debuginfo_function_places(d, "inner", "item.c", PLACE_CALL, &l) == DEBUGINFO_FOUND && l.n == 1,
	      "%s: place of inner: %s", how, debuginfo_reason(d));
	if (!l.n)
		return;
	check(str_ends(l.items[0].file, "item.c") && l.items[0].line == 7 && !l.items[0].section,
	      "%s: %s:%u", how, l.items[0].file, l.items[0].line);
	check_variable(&l.items[0], how, "item", "struct item *");
	check_variable(&l.items[0], how, "by", "int");
	check_variable(&l.items[0], how, "hidden", "long int");
	l.n = 0;
	check(debuginfo_line_places(d, "*", "item.c", 15, 16, false, false, &l) == DEBUGINFO_FOUND && l.n == 2,
	      "%s: lines: %zu %s", how, l.n, debuginfo_reason(d));
	check(debuginfo_type(d, "struct item", &t) == DEBUGINFO_FOUND && debug_type_member(t, "next", &m) &&
	      m.offset == word && debug_type_target(m.type)->size == 2 * word,
	      "%s: type: %s", how, debuginfo_reason(d));
	check(debuginfo_enumerator(d, "HIGH", &number) == DEBUGINFO_FOUND && number == 1000, "%s: HIGH: %s", how,
	      debuginfo_reason(d));
	check(debuginfo_global(d, "table", NULL, &v) == DEBUGINFO_FOUND && v.location.kind == LOCATION_IN_MEMORY &&
	      v.type->count == 5, "%s: table: %s", how, debuginfo_reason(d));
	check(debuginfo_global(d, "hidden", "item.c", &v) == DEBUGINFO_FOUND, "%s: hidden: %s", how,
	      debuginfo_reason(d));
	check(debuginfo_global(d, "hidden", "other.c", &v) == DEBUGINFO_ABSENT, "%s: not of other.c", how);
}

static void check_program(const char *path, const char *how, int known)
{
	struct debuginfo *d = open_program(path);
	struct program_facts facts;
	debug_places l = { 0 };
	struct program_plts plts = { 0 };

	check(program_facts(d, &facts) == DEBUGINFO_FOUND && !facts.is_library && !facts.is_fixed &&
	      (facts.debug_path != NULL) == (known == DWARF), "%s: debug file %s: %s", how,
	      facts.debug_path ? facts.debug_path : "none", debuginfo_reason(d));
	check_symbols(d, how, known);
	check(program_plts(d, "ato*", &plts) == DEBUGINFO_ABSENT ||
	      (plts.list.n == 1 && str_equal(plts.list.items[0].name, "atoi")), "%s: plt", how);
	check(debuginfo_function_places(d, "outer", NULL, PLACE_CALL | PLACE_RETURN, &l) == DEBUGINFO_FOUND &&
	      l.n == 2 && l.items[0].at_entry && l.items[1].at_return, "%s: place of outer: %zu", how, l.n);
	if (known == DWARF) {
		check_dwarf(d, how);
	} else if (l.n) {
		struct debug_variable v;

		check(debuginfo_variable(&l.items[0], "n", &v) == DEBUGINFO_ABSENT && *debuginfo_reason(d) &&
		      !strstr(debuginfo_reason(d), "BTF"), "%s: reason: %s", how, debuginfo_reason(d));
	}
	debuginfo_close(d);
}

static bool compile(const char *flags)
{
	return run("rm -rf usr .debug *.dwo item item.debug && gcc -g -O1 -fPIE -pie -rdynamic -Wl,--build-id=sha1 %s "
		   "-o item item.c 2>compile.log", flags);
}

static const char *build_id(const char *path)
{
	struct debuginfo *d = open_program(path);
	struct debuginfo_facts facts;
	struct text hex;

	text_init(&hex, arena);
	if (debuginfo_facts(d, &facts) == DEBUGINFO_FOUND)
		for (uint32_t i = 0; i < facts.build_id_size; i++)
			text_printf(&hex, "%02x", facts.build_id[i]);
	debuginfo_close(d);
	return hex.n ? hex.s : "none";
}

static void put_by_build_id(const char *from)
{
	const char *id = build_id("/item");

	run("mkdir -p usr/lib/debug/.build-id/%.2s && cp %s usr/lib/debug/.build-id/%.2s/%s.debug", id, from, id, id + 2);
}

/* ---- forms ---- */

static void test_whole(void)
{
	static const char *const forms[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gz=zlib", "-gdwarf-4 -gsplit-dwarf",
					     "-gdwarf-5 -gsplit-dwarf", "-gdwarf-4 -fdebug-types-section",
					     "-gdwarf-5 -fdebug-types-section", "-gdwarf-5 -flto",
					     "-m32 -gdwarf-4", "-m32 -gdwarf-5 -gz=zlib" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (str_starts(forms[i], "-m32") && !arch_host()->narrow)
			continue;
		else if (compile(forms[i]))
			check_program("/item", forms[i], DWARF);
		else
			check(false, "%s compiles", forms[i]);
}

static void test_stripped(void)
{
	const char *id;

	compile("-gdwarf-5");
	run("objcopy --only-keep-debug item item.debug && cp item whole && strip item");
	check_program("/item", "stripped", EXPORTED);
	put_by_build_id("item.debug");
	check_program("/item", "by build-id", DWARF);
	/* Of a different build. */
	id = build_id("/item");
	run("gcc -g -O2 -DOTHER -fPIE -pie -Wl,--build-id=0x1234567812345678123456781234567812345678 -o other item.c");
	run("cp other usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	check_program("/item", "another build", EXPORTED);
	run("rm -rf usr && objcopy --add-gnu-debuglink=item.debug item");
	check_program("/item", "beside it", DWARF);
	run("mkdir -p .debug && mv item.debug .debug/");
	check_program("/item", "in .debug", DWARF);
	run("mkdir -p bin usr/lib/debug/bin && cp item bin/item && mv .debug/item.debug usr/lib/debug/bin/");
	check_program("/bin/item", "in /usr/lib/debug", DWARF);
	run("echo >> usr/lib/debug/bin/item.debug; objcopy --remove-section=.note.gnu.build-id bin/item");
	run("rm -rf usr bin");
	/* As in Fedora. */
	if (has("xz") && run("cp whole item && nm item | grep -v dynsym | awk '$2 ~ /[Tt]/ { print $3 }' > keep && "
			     "objcopy -S --remove-section=.gdb_index --remove-section=.comment --keep-symbols=keep item mini && "
			     "strip --strip-all -o item whole && xz -kf mini && objcopy --add-section .gnu_debugdata=mini.xz item"))
		check_program("/item", "mini debug information", SYMBOLS);
}

static void test_checksum(void)
{
	struct debuginfo *d;
	struct program_facts facts;

	compile("-gdwarf-5 -Wl,--build-id=none");
	run("objcopy --only-keep-debug item item.debug && strip item && objcopy --add-gnu-debuglink=item.debug item");
	d = open_program("/item");
	check(program_facts(d, &facts) == DEBUGINFO_FOUND && facts.debug_path, "by link and checksum: %s",
	      debuginfo_reason(d));
	debuginfo_close(d);
	run("echo >> item.debug");
	d = open_program("/item");
	check(program_facts(d, &facts) == DEBUGINFO_FOUND && !facts.debug_path, "not with another checksum");
	debuginfo_close(d);
}

/* Two programs, so that they share something. */
static void test_shared(void)
{
	if (!has("dwz"))
		return;
	compile("-gdwarf-5");
	run("gcc -g -gdwarf-5 -O1 -DSECOND -fPIE -pie -o second item.c");
	if (!run("dwz -m shared.debug -M %s/shared.debug item second 2>/dev/null", scratch) &&
	    !run("dwz -m shared.debug -r item second 2>/dev/null"))
		return;
	check_program("/item", "shared by dwz", DWARF);
}

/* ---- servers ---- */

static void test_server(void)
{
	char port[16];
	pid_t pid;

	if (!has("debuginfod") || getenv("DEBUGINFOD_URLS"))
		return;
	compile("-gdwarf-5");
	run("rm -rf served client && mkdir served && objcopy --only-keep-debug item served/item.debug && strip item");
	snprintf(port, sizeof(port), "%d", 20000 + getpid() % 20000);
	put_text("server.log", "");
	pid = fork();
	if (!pid) {
		run("exec debuginfod -d :memory: -p %s -F served >server.log 2>&1", port);
		_exit(127);
	}
	setenv("DEBUGINFOD_URLS", arena_printf(arena, "http://127.0.0.1:%s", port), 1);
	setenv("DEBUGINFOD_CACHE_PATH", arena_printf(arena, "%s/client", scratch), 1);
	for (int i = 0; i < 100 && !run("grep -q 'groomed\\|fts traversing\\|scanned' server.log"); i++)
		usleep(100000);
	for (int i = 0; i < 20; i++) {
		struct debuginfo *d = open_program("/item");
		struct program_facts facts;
		bool found = program_facts(d, &facts) == DEBUGINFO_FOUND && facts.debug_path;

		debuginfo_close(d);
		if (found)
			break;
		run("rm -rf client");
		usleep(200000);
	}
	check_program("/item", "from a server", DWARF);
	unsetenv("DEBUGINFOD_URLS");
	run("pkill -P %d 2>/dev/null; true", pid);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

/* ---- markers ---- */

/* As sys/sdt.h writes them, with operands that identify themselves. */
static const char markers[] =
"#define MARK(provider, name, semaphore, arguments) __asm__ volatile (\"990: nop\\n\" \\\n"
"	\".pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"\\n.balign 4\\n.4byte 992f-991f,994f-993f,3\\n991: .asciz \\\"stapsdt\\\"\\n\" \\\n"
"	\"992: .balign 4\\n993: .8byte 990b, _.stapsdt.base, \" semaphore \"\\n.asciz \\\"\" provider \"\\\"\\n.asciz \\\"\" name \"\\\"\\n\" \\\n"
"	\".asciz \\\"\" arguments \"\\\"\\n994: .balign 4\\n.popsection\\n\" \\\n"
"	\".ifndef _.stapsdt.base\\n.pushsection .stapsdt.base,\\\"aG\\\",\\\"progbits\\\",.stapsdt.base,comdat\\n\" \\\n"
"	\".weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n_.stapsdt.base: .space 1\\n.size _.stapsdt.base, 1\\n.popsection\\n.endif\\n\")\n"
"__attribute__((section(\".probes\"))) unsigned short demo_begin_semaphore = 0;\n"
"int counter = 5; int counters[4] = { 1, 2, 3, 4 };\n"
"int main(int argc, char **argv)\n"
"{\n"
"	MARK(\"demo\", \"begin\", \"demo_begin_semaphore\", \"-4@%edi 8@%rsi 2@%ax -1@%bh 8@$-7 4@$0x10 8f@%xmm0\");\n"
"	MARK(\"demo\", \"end\", \"0\", \"4@-16(%rbp) 8@8(%rax,%rbx,4) 4@counter(%rip) -4@counters+8(%rip) 8@(%rsp) %rdx\");\n"
"	MARK(\"other\", \"none\", \"0\", \"\");\n"
"	MARK(\"other\", \"odd\", \"0\", \"4@%nothing 8@%fs:16 4@nothere(%rip) 4@(%rax,, 3@%eax\");\n"
"	return argc + (argv == 0) + counter + counters[2];\n"
"}\n";

static bool fake_register(void *data, unsigned number, uint64_t *value)
{
	(void)data;
	*value = 0x1122334455667788ull + 0x100 * number;
	return number < 32;
}

static bool fake_address(void *data, const struct location_step *step, uint64_t *value)
{
	(void)data;
	*value = (uint64_t)step->value;
	return step->op == LOCATION_ADDRESS;
}

static const struct arch *marked;	/* the architecture of the operands; NULL: this machine's */

static void check_argument(const struct program_mark *m, size_t i, enum location_kind kind, unsigned size,
			   uint64_t expected)
{
	const struct location_state state = { .reg = fake_register, .address = fake_address,
					      .arch = marked ? marked : arch_host() };
	const struct program_argument *x = i < m->arguments.n ? &m->arguments.items[i] : NULL;
	const char *reason = "";
	uint64_t value = 0;

	check(x && x->location.kind == kind && (kind == LOCATION_NOWHERE || x->size == size), "argument %zu of %s: %s",
	      i, m->name, x && x->location.reason ? x->location.reason : "");
	if (x && kind != LOCATION_NOWHERE)
		check(location_evaluate(x->location.steps.items, x->location.steps.n, &state, &value, &reason) &&
		      value == expected, "argument %zu of %s, %s: %llx, not %llx: %s", i, m->name, x->text,
		      (unsigned long long)value, (unsigned long long)expected, reason);
}

static uint64_t address_of(struct debuginfo *d, const char *name)
{
	struct symbols found = { 0 };

	return debuginfo_data(d, name, &found) == DEBUGINFO_FOUND ? found.list.items[0].address : 0;
}

static void test_marks(void)
{
	struct debuginfo *d;
	struct program_marks l = { 0 };
	const struct program_mark *begin, *end, *odd;
	uint64_t where = 0;

	put_text("marks.c", markers);
	if (!run("gcc -O1 -fPIE -pie -o marks marks.c 2>compile.log")) {
		check(false, "markers compile");
		return;
	}
	d = open_program("/marks");
	check(program_marks(d, NULL, "*", &l) == DEBUGINFO_FOUND && l.list.n == 4, "marks: %zu: %s", l.list.n,
	      debuginfo_reason(d));
	if (l.list.n != 4)
		return;
	begin = &l.list.items[0];
	end = begin + 1;
	odd = begin + 3;
	check(str_equal(begin->provider, "demo") && str_equal(begin->name, "begin"), "demo.begin");
	check(begin->address >= function_named(d, "main").address && program_file_offset(d, begin->address, &where) &&
	      where == begin->offset, "begin is in main");
	check(program_file_offset(d, address_of(d, "demo_begin_semaphore"), &where) && begin->semaphore == where &&
	      !end->semaphore, "semaphore at %llx", (unsigned long long)begin->semaphore);
	check(begin->arguments.n == 7 && end->arguments.n == 6 && !begin[2].arguments.n, "arguments: %zu %zu",
	      begin->arguments.n, end->arguments.n);
	check_argument(begin, 0, LOCATION_IS_VALUE, 4, 0x55667c88);		/* edi: register 5 */
	check_argument(begin, 1, LOCATION_IS_VALUE, 8, 0x1122334455667b88);
	check_argument(begin, 2, LOCATION_IS_VALUE, 2, 0x7788);
	check_argument(begin, 3, LOCATION_IS_VALUE, 1, 0x7a);			/* bh: bits 8 to 15 of register 3 */
	check_argument(begin, 4, LOCATION_IS_VALUE, 8, (uint64_t)-7);
	check_argument(begin, 5, LOCATION_IS_VALUE, 4, 16);
	check_argument(begin, 6, LOCATION_NOWHERE, 0, 0);
	check(begin->arguments.items[0].is_signed && !begin->arguments.items[1].is_signed, "signs");
	check_argument(end, 0, LOCATION_IN_MEMORY, 4, 0x1122334455667788 + 0x600 - 16);
	check_argument(end, 1, LOCATION_IN_MEMORY, 8, 8 + 0x1122334455667788 + 4 * (0x1122334455667788ull + 0x300));
	check_argument(end, 2, LOCATION_IN_MEMORY, 4, address_of(d, "counter"));
	check_argument(end, 3, LOCATION_IN_MEMORY, 4, address_of(d, "counters") + 8);
	check_argument(end, 4, LOCATION_IN_MEMORY, 8, 0x1122334455667788 + 0x700);
	check_argument(end, 5, LOCATION_IS_VALUE, 8, 0x1122334455667788 + 0x100);
	for (size_t i = 0; i < odd->arguments.n; i++)
		check_argument(odd, i, LOCATION_NOWHERE, 0, 0);
	l.list.n = 0;
	check(program_marks(d, "oth*", "n*", &l) == DEBUGINFO_FOUND && l.list.n == 1, "by patterns");
	check(program_marks(d, "demo", "none", &l) == DEBUGINFO_ABSENT && strstr(debuginfo_reason(d), "no static marker"),
	      "absent: %s", debuginfo_reason(d));
	debuginfo_close(d);
}

/* A file for the other architecture. */
static void test_arm64_marks(void)
{
	char *text = arena_strdup(arena, markers), *p = strstr(text, "-4@%edi"), *q = strchr(p, '"');
	char *r = strstr(q, "4@-16(%rbp)"), *s = strchr(r, '"');
	const char *const operands = "-4@w2 8@x3 8@[x4, 16] 4@[x5] 8@[x1,x2,lsl 3] 4@[x1, w2, sxtw #2] -8@-5 4@wzr "
				     "8f@d0 8@[nothing]";
	const char *const others = "-4@x19 4@[sp] -4@[sp, 12] 8@[x6, #-16] 1@[x29, -1] 8@#77 "
				   "4@[x7, #:lo12:counter] -4@[x7, #:lo12:counters+8] 4@[x7, #:lo12:.LANCHOR0]";
	struct program_marks l = { 0 };
	struct debuginfo *d;
	uint64_t page = 0x1122334455667788ull + 0x100 * 7;

	if (!run("aarch64-linux-gnu-gcc --version >compile.log 2>&1")) {
		printf("no compiler for arm64: its markers are not tried\n");
		return;
	}
	put_text("arm64.c", arena_printf(arena, "%.*s%s%.*s%s%s", (int)(p - text), text, operands, (int)(r - q) + 1,
					 q - 1, others, s - 1));
	if (!run("aarch64-linux-gnu-gcc -O1 -fPIE -pie -o arm64 arm64.c 2>compile.log")) {
		check(false, "markers of arm64 compile");
		return;
	}
	check(program_marks(open_program("/arm64"), "demo", "begin", &l) == DEBUGINFO_BROKEN && !l.list.n,
	      "arm64: of another machine");
	d = open_arm64("/arm64");
	check(program_marks(d, "demo", "begin", &l) == DEBUGINFO_FOUND && l.list.items[0].arguments.n == 10 &&
	      program_marks(d, "demo", "end", &l) == DEBUGINFO_FOUND && l.list.items[1].arguments.n == 9,
	      "arm64: %zu", l.list.n ? l.list.items[0].arguments.n : 0);
	if (l.list.n != 2)
		return;
	marked = arch_find("arm64");
	check_argument(l.list.items, 0, LOCATION_IS_VALUE, 4, 0x55667988);
	check_argument(l.list.items, 1, LOCATION_IS_VALUE, 8, 0x1122334455667a88);
	check_argument(l.list.items, 2, LOCATION_IN_MEMORY, 8, 0x1122334455667b88 + 16);
	check_argument(l.list.items, 3, LOCATION_IN_MEMORY, 4, 0x1122334455667c88);
	check_argument(l.list.items, 4, LOCATION_IN_MEMORY, 8, 0x1122334455667888 + 8 * 0x1122334455667988ull);
	check_argument(l.list.items, 5, LOCATION_IN_MEMORY, 4, 0x1122334455667888 + 4 * 0x55667988ull);
	check_argument(l.list.items, 6, LOCATION_IS_VALUE, 8, (uint64_t)-5);
	check_argument(l.list.items, 7, LOCATION_IS_VALUE, 4, 0);
	check_argument(l.list.items, 8, LOCATION_NOWHERE, 0, 0);
	check_argument(l.list.items, 9, LOCATION_NOWHERE, 0, 0);
	check_argument(&l.list.items[1], 0, LOCATION_IS_VALUE, 4, 0x55668a88);
	check_argument(&l.list.items[1], 1, LOCATION_IN_MEMORY, 4, 0x1122334455669688);
	check_argument(&l.list.items[1], 2, LOCATION_IN_MEMORY, 4, 0x1122334455669688 + 12);
	check_argument(&l.list.items[1], 3, LOCATION_IN_MEMORY, 8, 0x1122334455667d88 - 16);
	check_argument(&l.list.items[1], 4, LOCATION_IN_MEMORY, 1, 0x1122334455669488 - 1);
	check_argument(&l.list.items[1], 5, LOCATION_IS_VALUE, 8, 77);
	check_argument(&l.list.items[1], 6, LOCATION_IN_MEMORY, 4, page + (address_of(d, "counter") & 0xfff));
	check_argument(&l.list.items[1], 7, LOCATION_IN_MEMORY, 4, page + ((address_of(d, "counters") + 8) & 0xfff));
	check_argument(&l.list.items[1], 8, LOCATION_NOWHERE, 0, 0);
	marked = NULL;
	debuginfo_close(d);
}

/* A 32-bit program; a symbol made by the linker is the start of its .text. */
static void test_i386_marks(void)
{
	char *text = arena_strdup(arena, markers), *p = strstr(text, "-4@%edi"), *q = strchr(p, '"');
	char *r = strstr(q, "4@-16(%rbp)"), *s = strchr(r, '"');
	const char *const operands = "-4@%edi 4@%eax 2@%ax -1@%bh 8@$-7 4@$0x10 8f@%st 8@%eax 4@%rax 4@%r8d 1@%sil";
	const char *const others = "4@-16(%ebp) 8@8(%eax,%ebx,4) 4@counter@GOTOFF(%ebx) -4@12+counters@GOTOFF(%ecx) "
				   "8@(%esp) 4@4+counters %edx 4@counter@GOT(%ebx) 4@counter+counters";
	struct program_marks l = { 0 };
	struct program_mark *begin, *end;
	struct debuginfo *d;
	uint64_t table;

	if (!arch_host()->narrow)
		return;
	text = arena_printf(arena, "%.*s%s%.*s%s%s", (int)(p - text), text, operands, (int)(r - q) + 1,
			    q - 1, others, s - 1);
	strstr(text, ".8byte")[1] = '4';
	put_text("i386.c", text);
	if (!run("gcc -m32 -O1 -fPIE -pie -o i386 i386.c 2>compile.log")) {
		check(false, "markers of i386 compile");
		return;
	}
	d = open_program("/i386");
	if (program_marks(d, "demo", "*", &l) != DEBUGINFO_FOUND || l.list.n != 2) {
		check(false, "i386: %zu: %s", l.list.n, debuginfo_reason(d));
		return;
	}
	begin = &l.list.items[0];
	end = begin + 1;
	marked = debuginfo_arch(d);
	table = address_of(d, "_GLOBAL_OFFSET_TABLE_");
	check(marked->word == 4 && table && begin->semaphore && begin->arguments.n == 11 && end->arguments.n == 9,
	      "i386: %zu %zu", begin->arguments.n, end->arguments.n);
	check_argument(begin, 0, LOCATION_IS_VALUE, 4, 0x55667e88);		/* edi: register 7 */
	check_argument(begin, 1, LOCATION_IS_VALUE, 4, 0x55667788);
	check_argument(begin, 2, LOCATION_IS_VALUE, 2, 0x7788);
	check_argument(begin, 3, LOCATION_IS_VALUE, 1, 0x7a);			/* bh: bits 8 to 15 of register 3 */
	check_argument(begin, 4, LOCATION_IS_VALUE, 8, (uint64_t)-7);
	check_argument(begin, 5, LOCATION_IS_VALUE, 4, 16);
	for (size_t i = 6; i < begin->arguments.n; i++)
		check_argument(begin, i, LOCATION_NOWHERE, 0, 0);
	check_argument(end, 0, LOCATION_IN_MEMORY, 4, 0x55667c88 - 16);
	check_argument(end, 1, LOCATION_IN_MEMORY, 8, (uint32_t)(8 + 0x55667788 + 4 * 0x55667a88ull));
	check_argument(end, 2, LOCATION_IN_MEMORY, 4, (uint32_t)(address_of(d, "counter") - table + 0x55667a88));
	check_argument(end, 3, LOCATION_IN_MEMORY, 4, (uint32_t)(address_of(d, "counters") + 12 - table + 0x55667888));
	check_argument(end, 4, LOCATION_IN_MEMORY, 8, 0x55667b88);
	check_argument(end, 5, LOCATION_IN_MEMORY, 4, address_of(d, "counters") + 4);
	check_argument(end, 6, LOCATION_IS_VALUE, 4, 0x55667988);
	for (size_t i = 7; i < end->arguments.n; i++)
		check_argument(end, i, LOCATION_NOWHERE, 0, 0);
	marked = NULL;
	debuginfo_close(d);
}

/* Files that no kernel here can run are rejected by name. */
static void test_refused(void)
{
	struct debuginfo *d;
	struct symbols found = { 0 };
	uint8_t header[64] = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT,
			       [16] = ET_EXEC, [18] = EM_X86_64 };

	/* One section header, which is not read. */
	header[32] = 52 - 40;
	header[46] = 40;
	header[48] = 1;
	put_file("narrow", header, sizeof(header));
	d = open_program("/narrow");
	check(debuginfo_functions(d, "*", &found) == DEBUGINFO_BROKEN && strstr(debuginfo_reason(d), "x32 ABI"), "x32: %s",
	      debuginfo_reason(d));
	debuginfo_close(d);
	header[18] = EM_ARM;
	put_file("narrow", header, sizeof(header));
	d = open_arm64("/narrow");
	check(debuginfo_functions(d, "*", &found) == DEBUGINFO_BROKEN && strstr(debuginfo_reason(d), "a 32-bit program"),
	      "arm: %s", debuginfo_reason(d));
	debuginfo_close(d);
}

/* ---- .plt ---- */

static void test_plt(void)
{
	static const char *const forms[] = { "-Wl,-z,lazy", "-Wl,-z,now", "-Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt",
					     "-m32 -Wl,-z,lazy", "-m32 -Wl,-z,now",
					     "-m32 -fcf-protection=full -Wl,-z,ibtplt" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct program_plts l = { 0 };
		struct debuginfo *d;
		char *shown, *p;

		if ((str_starts(forms[i], "-m32") && !arch_host()->narrow) || !compile(forms[i]) || !run("objdump -d item | grep '@plt>:$' > plts"))
			continue;
		shown = file_read(arena, arena_printf(arena, "%s/plts", scratch), NULL);
		d = open_program("/item");
		check(program_plts(d, "*", &l) == DEBUGINFO_FOUND && l.list.n >= 2, "%s: %zu", forms[i], l.list.n);
		vec_each (x, &l.list) {
			p = strstr(shown, arena_printf(arena, "%0*llx <%s@plt>", 2 * debuginfo_arch(d)->word,
						       (unsigned long long)x->address, x->name));
			check(p != NULL, "%s: %s at %llx", forms[i], x->name, (unsigned long long)x->address);
		}
		debuginfo_close(d);
	}
}

/* ---- C++ ---- */

static const char cpp[] =
"#include <string>\n"
"namespace shop { template <class T> struct Cart { T sum; __attribute__((noinline)) void add(T t); };\n"
"template <class T> void Cart<T>::add(T t) { sum += t; }\n"
"__attribute__((noinline)) int price(const std::string &s, int n) { return (int)s.size() * n; }\n"
"__attribute__((noinline)) int price(int n) { return n * 3; } }\n"
"__attribute__((noinline)) bool operator<(const shop::Cart<int> &a, const shop::Cart<int> &b) { return a.sum < b.sum; }\n"
"int main(int argc, char **) { shop::Cart<int> c{ 1 }, d{ argc }; c.add(shop::price(\"x\", argc)); return c < d ? shop::price(argc) : 0; }\n";

static void check_name(struct debuginfo *d, const char *pattern, size_t n)
{
	struct symbols found = { 0 };

	debuginfo_functions(d, pattern, &found);
	check(found.list.n == n, "%s: %zu, not %zu: %s", pattern, found.list.n, n, debuginfo_reason(d));
}

static void test_cpp(void)
{
	struct debuginfo *d;

	put_text("shop.cc", cpp);
	if (!has("g++") || !run("g++ -g -O1 -o shop shop.cc 2>compile.log") ||
	    !program_demangle(arena, "_ZN4shop5priceEi"))
		return;
	check(str_equal(program_demangle(arena, "_ZN4shop5priceEi"), "shop::price(int)"), "demangled");
	check(!program_demangle(arena, "main") && !program_demangle(arena, "_Zx"), "no C++ names");
	d = open_program("/shop");
	check_name(d, "shop::price", 2);
	check_name(d, "shop::price(int)", 1);
	check_name(d, "_ZN4shop5priceEi", 1);
	check_name(d, "price", 2);
	check_name(d, "shop::Cart<int>::add", 1);
	check_name(d, "shop::*", 3);
	check_name(d, "operator<", 1);
	check_name(d, "nothing::here", 0);
	debuginfo_close(d);
}

static void test_absent(void)
{
	struct debuginfo *d = open_program("/nowhere");
	struct symbols found = { 0 };
	struct program_marks marks = { 0 };
	struct program_facts facts;

	check(debuginfo_functions(d, "*", &found) == DEBUGINFO_ABSENT && strstr(debuginfo_reason(d), "No such file"),
	      "no file: %s", debuginfo_reason(d));
	check(program_facts(d, &facts) == DEBUGINFO_ABSENT && program_marks(d, NULL, "*", &marks) == DEBUGINFO_ABSENT,
	      "nothing of it");
	debuginfo_close(d);
	d = open_program("/item.c");
	check(debuginfo_functions(d, "*", &found) == DEBUGINFO_BROKEN, "a source is no program: %s",
	      debuginfo_reason(d));
	debuginfo_close(d);
}

/* In the form in which linkers write them into .symtab. */
static void test_versions(void)
{
	struct symbols found = { 0 };
	struct debuginfo *d;

	put_text("versions.c", "int old(int x) { return x; } int new(int x) { return x + 1; }\n"
		 "__asm__(\".symver old,both@V_1.0\"); __asm__(\".symver new,both@@V_2.0\");\n");
	put_text("versions.map", "V_1.0 { };\nV_2.0 { } V_1.0;\n");
	if (!run("gcc -shared -fPIC -O1 -Wl,--version-script=versions.map -o versions.so versions.c 2>compile.log"))
		return;
	d = open_program("/versions.so");
	check(debuginfo_functions(d, "both", &found) == DEBUGINFO_FOUND && found.list.n == 2 &&
	      found.list.items[0].clone == CLONE_NONE, "versions: %zu: %s", found.list.n, debuginfo_reason(d));
	debuginfo_close(d);
}

static void test_find(void)
{
	struct debuginfo_request r = { .sysroot = "" };
	const char *found;

	check(program_find(arena, &r, "sh") && program_find(arena, &r, "/bin/sh") &&
	      !program_find(arena, &r, "/bin/no"), "programs");
	found = program_find_library(arena, &r, "libc.so.6", NULL);
	check(found && str_ends(found, "/libc.so.6"), "libc.so.6: %s", found ? found : "none");
	found = program_find_library(arena, &r, "libz", NULL);
	check(!found || strstr(found, "/libz.so"), "libz: %s", found ? found : "none");
	if (arch_host()->narrow) {
		found = program_find_library(arena, &r, "libc.so.6", arch_host()->narrow);
		check(found && program_is_of(found, arch_host()->narrow) && !program_is_of(found, arch_host()),
		      "libc.so.6 of 32 bits: %s", found ? found : "none");
	}
}

int main(void)
{
	scratch_open();
	put_text("item.c", program);
	if (!has("gcc") || !has("objcopy")) {
		printf("gcc or objcopy is missing\n");
		scratch_close();
		return 77;
	}
	test_whole();
	test_stripped();
	test_checksum();
	test_shared();
	test_server();
	test_plt();
	test_marks();
	test_arm64_marks();
	test_i386_marks();
	test_refused();
	test_cpp();
	test_absent();
	test_versions();
	test_find();
	scratch_close();
	return report();
}
