/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sources of a runtime a script needs. */
#include "build/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/util.h"

static unsigned count, failures;
static struct arena *arena;
static struct template_sources sources;

static void add(const char *name, const char *text)
{
	*vec_add(arena, &sources) = (struct template_source){ .name = name, .text = text, .size = strlen(text) };
}

static void check(bool good, const char *claim)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", ++count, claim);
	failures += !good;
}

static void needs(const char *script, const char *names, const char *claim)
{
	struct map needed;
	struct text t;
	bool good;

	map_init(&needed, arena);
	parts_of_script(&needed, &sources, script);
	text_init(&t, arena);
	for (size_t i = 0; i < needed.n; i++)
		text_printf(&t, "%s%s", i ? " " : "", needed.entries[i].key);
	good = str_equal(t.s, names);
	check(good, claim);
	if (!good)
		printf("# %s\n# instead of %s\n", t.s, names);
}

int main(void)
{
	arena = arena_open();
	add("abi/tap_script.h", "void tap_print(int);\n"
				"#define TAP_PRINT(x) \\\n\ttap_print(x)\n#define printed(x) TAP_PRINT(x)\n"
				"static inline void tap_shortcut(int x)\n{\n\tif (x)\n\t\ttap_slow(x);\n}\n"
				"struct tap_row { int tap_print; };\n");
	add("core/print.c", "#include \"tap_slow.h\"\n/* calls tap_row */\nvoid tap_print(int x)\n{\n"
			    "\t\"tap_slow\"; // tap_slow\n}\n");
	add("core/slow.c", "const struct tap_row tap_slow_row = {\n\t.f = tap_helper,\n};\n"
			   "__printf(1, 2) static int tap_local(void) { }\nvoid tap_slow(int) { }\n");
	add("core/values.c", "int tap_array[3] = { 1 }, x;\nstruct tap_cells tap_cells;\nstatic int tap_local;\n"
			     "extern int tap_far;\n");
	add("kernel/far.c", "int tap_far = 1;\nint tap_local(void)\n{\n}\n");
	add("kernel/helper.c", "int tap_helper(void (*f)(void))\n{\n}\n");
	add("kernel/direct.h", "bool tap_may(int x,\n\t\tint y) __weak;\nbool tap_must(void);\n"
			       "static inline bool tap_can(void)\n{\n\treturn tap_may && tap_may(1, 2);\n}\n");
	add("kernel/direct.c", "bool tap_may(int x, int y)\n{\n}\nbool tap_must(void)\n{\n}\n");
	add("kernel/hook.c", "int tap_hook(void)\n{\n\treturn tap_can() && tap_may(3, 4);\n}\n");
	add("kernel/tag.c", "void tap_tag(int)\n{\n}\n");
	add("kernel/main.c", "#pragma weak tap_service\nint tap_main(struct tap_tag *t)\n{\n\treturn !!&tap_service;\n}\n");
	add("kernel/place.c", "int tap_place(void)\n{\n\treturn tap_main(0);\n}\n");
	add("kernel/probes/kernel.c", "int tap_kernel(void)\n{\n\treturn tap_place();\n}\n");
	add("kernel/service.c", "struct tap_row tap_service = { 1 };\n");
	add("kernel/syscalls/a.c", "int tap_call(void)\n{\n}\n");
	add("kernel/syscalls/b.c", "KIND(b)\n");
	parts_add_units(arena, &sources);
	check(str_equal(parts_source(&sources, "base.c")->text, "#include \"kernel/main.c\"\n"),
	      "the base is main.c and what it needs");
	check(str_equal(parts_source(&sources, "functions.c")->text,
			"#include \"kernel/place.c\"\n#include \"kernel/probes/kernel.c\"\n"),
	      "the next unit is its root and what this needs, but not the base");
	needs("tap_place", "base.c functions.c", "a file of a unit: all of it");
	needs("tap_kernel", "base.c functions.c", "the same for its root");
	needs("", "base.c", "every module needs main.c, without what it declares weak");
	needs("tap_print(1);", "base.c core/print.c", "a function; not what comments and strings mention");
	needs("TAP_PRINT(1);", "base.c core/print.c", "a macro's function");
	needs("printed(1);", "base.c core/print.c", "that of a macro for embedded C");
	needs("tap_shortcut(1)", "base.c core/slow.c kernel/far.c kernel/helper.c", "an inline function's functions, and theirs");
	needs("tap_slow_row", "base.c core/slow.c kernel/far.c kernel/helper.c", "an object, and a name that may be shared");
	needs("tap_array tap_cells", "base.c core/values.c kernel/far.c", "an array, an object of its struct's name");
	needs("tap_far", "base.c kernel/far.c", "not what a file only declares");
	needs("tap_local", "base.c kernel/far.c", "not what is local to a file");
	needs("tap_service", "base.c kernel/service.c", "a weak name that the script mentions");
	needs("tap_hook", "base.c kernel/hook.c", "not what a header declares weak");
	needs("tap_hook tap_must", "base.c kernel/direct.c kernel/hook.c", "another function of that file");
	needs("tap_may", "base.c kernel/direct.c", "what a header declares weak and the script mentions");
	needs("tap_tag(1); struct tap_far *x;", "base.c kernel/tag.c", "a function, not a struct of a function's name");
	needs("tap_call", "base.c kernel/syscalls/a.c kernel/syscalls/b.c", "a group");
	needs("tap_row tap_absent other \"tap_print\" /* tap_print */", "base.c", "no definition");
	add("kernel/torn.c", "int tap_torn(int x) { \"");
	needs("tap_torn", "base.c", "a text without an end");
	printf("1..%u\n", count);
	arena_close(arena);
	return failures != 0;
}
