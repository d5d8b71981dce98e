/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild's records of 5.10, 6.1 and 6.12 are parsed; anything else is rejected. */
#include "build/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "scratch.h"

static unsigned count, failures;
static struct arena *arena;
static char *dir;

static void check(bool good, const char *claim)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", ++count, claim);
	failures += !good;
}

static void put(const char *name, const char *text)
{
	if (!file_write(arena_printf(arena, "%s/%s", dir, name), text, strlen(text)))
		exit(2);
}

static bool is(const struct step *s, const char *words)
{
	struct text t;

	text_init(&t, arena);
	for (size_t i = 0; i < s->n; i++)
		text_printf(&t, "%s[%s]", i ? " " : "", s->items[i]);
	if (!str_equal(t.s, words))
		printf("# %s\n# instead of %s\n", t.s, words);
	return str_equal(t.s, words);
}

static void test_5_10(void)
{
	struct recipe r;

	put("surroundings", "/usr/src/headers\n/b\n-Werror=format  -Werror=x\nARCH=x86\n");
	put(".script.o.cmd",
	    "cmd_/b/script.o := gcc-12 -Wp,-MMD,/b/.script.o.d -MD -MF /b/d -nostdinc -isystem /gcc/include -I./include "
	    "-I/b -I/b/abi -I/b/kernel -I/b/other -include a.h -D__KERNEL__ -D\"BUILD(s)=$(pound)s\" -O2 -DX='\"y z\"' -DV=$$v "
	    "-DKBUILD_MODNAME='\"n\"' -c -o /b/script.o /b/script.c\n\nsource_/b/script.o := /b/script.c\n");
	put(".n.o.cmd", "cmd_/b/n.o := ld -m elf_x86_64   -r -o /b/n.o /b/script.o /b/kernel/main.o\n");
	put(".n.ko.cmd", "cmd_/b/n.ko := ld -r -m elf_x86_64 --build-id=sha1  -T scripts/module.lds "
	    "-o /b/n.ko /b/n.o /b/n.mod.o;  true\n");
	check(recipe_record(&r, arena, dir, "n", "make -f x\n   ./objtool orc generate --module /b/kernel/main.o\n"
			    "   ./objtool orc generate --module --no-fp /b/script.o\n  ld -r x\n"),
	      "5.10 is understood");
	check(is(&r.compile, "[gcc-12] [-nostdinc] [-D__KERNEL__] [-DBUILD(s)=#s] [-O2] [-DX=\"y z\"] [-DV=$v] [-c]"),
	      "the compiler's options are kept, those for kernel headers are not");
	check(is(&r.compile_embedded, "[gcc-12] [-nostdinc] [-isystem] [/gcc/include] [-I./include] [-I/b/other] [-include] "
		 "[a.h] [-D__KERNEL__] [-DBUILD(s)=#s] [-O2] [-DX=\"y z\"] [-DV=$v] [-DKBUILD_MODNAME=\"n\"] [-c] "
		 "[-Werror=format] [-Werror=x]"),
	      "for C of the user these are kept, too, but for the runtime's");
	check(is(&r.check, "[./objtool] [orc] [generate] [--module] [--no-fp]") && !r.check_linked,
	      "objtool is found in what make printed");
	check(is(&r.final, "[ld] [-r] [-m] [elf_x86_64] [--build-id=sha1] [-T] [scripts/module.lds]"),
	      "the last link is kept without its files");
	check(str_equal(r.dir, "/usr/src/headers") && is(&r.environment, "[ARCH=x86]"),
	      "directory and environment are kept");
}

static void test_6_1(void)
{
	struct recipe r, again;

	put(".script.o.cmd", "cmd_/b/script.o := gcc-12 -O2 -c -o /b/script.o /b/script.c   ; "
	    "./objtool --orc   --module /b/script.o\n");
	check(recipe_record(&r, arena, dir, "n", "") && is(&r.check, "[./objtool] [--orc] [--module]") &&
	      !r.check_linked, "6.1 records objtool with the object");
	check(recipe_read(&again, arena, recipe_write(&r, arena)) && again.compile.n == r.compile.n &&
	      again.compile_embedded.n == r.compile_embedded.n &&
	      is(&again.final, "[ld] [-r] [-m] [elf_x86_64] [--build-id=sha1] [-T] [scripts/module.lds]") &&
	      str_equal(again.dir, r.dir) && again.environment.n == 1, "a recipe written is read");
}

static void test_6_12(void)
{
	struct recipe r, again;

	put("surroundings", arena_printf(arena, "%s\n.\n\n", dir));
	put(".script.o.cmd", "savedcmd_script.o := gcc-12 -O2 -I./. -I././abi -I././kernel -I/h/include -c -o script.o script.c\n");
	put(".n.o.cmd", "savedcmd_n.o := ld -m elf_x86_64 -r -o n.o @n.mod  ; /h/objtool --ibt --link n.o\n");
	check(recipe_record(&r, arena, dir, "n", "") && is(&r.check, "[/h/objtool] [--ibt] [--link]") &&
	      r.check_linked, "with IBT objtool takes what was linked");
	check(is(&r.compile_embedded, "[gcc-12] [-O2] [-I/h/include] [-c]"), "relative names are the runtime's, too");
	check(str_equal(r.dir, ""), "commands of the module's own directory run in the template's");
	check(recipe_read(&again, arena, recipe_write(&r, arena)) && again.check_linked,
	      "this survives writing");
}

static void test_unknown(void)
{
	struct recipe r;

	put(".n.ko.cmd", "cmd_/b/n.ko := ld -r -o /b/n.ko /b/n.o; make -f arch/x/Makefile.postlink /b/n.ko\n");
	check(!recipe_record(&r, arena, dir, "n", ""), "an unknown step is refused");
	put(".n.ko.cmd", "");
	check(!recipe_record(&r, arena, dir, "n", ""), "a missing record is refused");
	check(!recipe_read(&r, arena, "dir /x\ncompile gcc\n"), "an incomplete recipe is refused");
	check(!recipe_read(&r, arena, "dir /x\nbogus gcc\n"), "a damaged recipe is refused");
}

int main(void)
{
	arena = arena_open();
	dir = scratch_template("tapc-unit-recipe");
	if (!mkdtemp(dir))
		return 2;
	test_5_10();
	test_6_1();
	test_6_12();
	test_unknown();
	dir_remove(dir);
	arena_close(arena);
	printf("1..%u\n", count);
	return failures ? 1 : 0;
}
