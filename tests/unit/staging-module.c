// SPDX-License-Identifier: GPL-2.0-or-later
/* Module files: a valid one is read correctly; invalid ones are rejected and do not crash us. */
#include "common/module.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/message.h"
#include "common/output.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

enum { MODINFO = 1, THIS_MODULE, STRTAB, SHSTRTAB, SECTIONS };

/* The minimum that looks like a tapc module for this machine. */
struct image {
	ElfW(Ehdr) e;
	ElfW(Shdr) sh[SECTIONS];
	char modinfo[128], this_module[512], strtab[64], shstrtab[128];
};

static unsigned this_machine(void)
{
	struct utsname u;

	uname(&u);
	if (strcmp(u.machine, "x86_64") == 0)
		return EM_X86_64;
	return strcmp(u.machine, "aarch64") == 0 ? EM_AARCH64 : 0;
}

static void section(struct image *m, int n, const char *name, const char *data, size_t size)
{
	static size_t at;

	if (n == MODINFO)
		at = 1;
	strcpy(m->shstrtab + at, name);
	m->sh[n] = (ElfW(Shdr)){ .sh_name = (unsigned)at, .sh_type = SHT_PROGBITS,
				 .sh_offset = (size_t)(data - (char *)m), .sh_size = size };
	at += strlen(name) + 1;
}

static void make(struct image *m, const char *name, const char *release)
{
	*m = (struct image){ .e = { .e_type = ET_REL, .e_machine = (ElfW(Half))this_machine(),
				    .e_shentsize = sizeof(ElfW(Shdr)), .e_shnum = SECTIONS,
				    .e_shstrndx = SHSTRTAB, .e_shoff = offsetof(struct image, sh) } };
	memcpy(m->e.e_ident, ELFMAG, SELFMAG);
	m->e.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	section(m, MODINFO, ".modinfo", m->modinfo, sizeof(m->modinfo));
	section(m, THIS_MODULE, ".gnu.linkonce.this_module", m->this_module, sizeof(m->this_module));
	section(m, STRTAB, ".strtab", m->strtab, sizeof(m->strtab));
	section(m, SHSTRTAB, ".shstrtab", m->shstrtab, sizeof(m->shstrtab));
	memcpy(m->modinfo, "license=GPL", 12);
	sprintf(m->modinfo + 12, "vermagic=%s SMP mod_unload ", release);
	strcpy(m->this_module + 24, name);
	memcpy(m->strtab, "\0printk\0my_tap_script\0", 23);
}

static bool parse(struct module *m, void *data, size_t size)
{
	*m = (struct module){ .path = "test.ko", .data = data, .size = size };
	return module_parse(m);
}

static void reads_a_good_one(void)
{
	struct utsname u;
	struct image i;
	struct module m;

	uname(&u);
	make(&i, "tap_abc", u.release);
	CHECK(parse(&m, &i, sizeof(i)));
	CHECK(strcmp(m.name, "tap_abc") == 0 && !m.is_signed);
	CHECK(m.name_at == offsetof(struct image, this_module) + 24);
	CHECK(module_fits_kernel(&m));
	CHECK(module_rename(&m));
	CHECK(strncmp(m.name, "tap_abc_", 8) == 0 && strcmp(i.this_module + 24, m.name) == 0);

	make(&i, "a_very_long_name_of_a_module_that_fills_all_that_there_", u.release);
	CHECK(parse(&m, &i, sizeof(i)) && strlen(m.name) == 55);
	CHECK(module_rename(&m) && strlen(m.name) == 55);

	make(&i, "tap_abc", "1.2.3-other");
	CHECK(parse(&m, &i, sizeof(i)) && !module_fits_kernel(&m));
}

static void knows_signatures(void)
{
	static const char mark[] = "~Module signature appended~\n";
	struct {
		struct image i;
		char mark[sizeof(mark) - 1];
	} s;
	struct module m;

	make(&s.i, "tap_abc", "1");
	memcpy(s.mark, mark, sizeof(s.mark));
	CHECK(parse(&m, &s, sizeof(s.i) + sizeof(s.mark)) && m.is_signed);
	CHECK(!module_rename(&m));
}

static void refuses_others(void)
{
	struct image i;
	struct module m;

	CHECK(!parse(&m, &i, 0));
	make(&i, "x", "1"), i.e.e_machine ^= 1, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.e.e_type = ET_DYN, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.e.e_shoff = sizeof(i) - 8, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.e.e_shoff = ~0ul - 8, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.e.e_shstrndx = 77, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.strtab[12] = 'x', CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "", "1"), CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.sh[THIS_MODULE].sh_offset = ~0ul, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), i.sh[THIS_MODULE].sh_size = 25, CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), memset(i.this_module, 'a', sizeof(i.this_module));
	CHECK(!parse(&m, &i, sizeof(i)));
	make(&i, "x", "1"), memset(i.modinfo, 'a', sizeof(i.modinfo));
	CHECK(parse(&m, &i, sizeof(i)) && !m.vermagic);
}

/* A key may occur several times, and the first invalid entry ends the search. */
static void lists_info(void)
{
	static const char text[] = "tap_image=/a b\0tap_images=/no\0tap_image=/c\0tap_ldd=y\0tap_image=cut";
	struct module m = { .info = text, .info_size = sizeof(text) - 1 };
	const char *first = module_info(&m, "tap_image", NULL), *second = first ? module_info(&m, "tap_image", first) : NULL;

	CHECK(first && !strcmp(first, "/a b"));
	CHECK(second && !strcmp(second, "/c"));
	CHECK(!second || !module_info(&m, "tap_image", second));
	CHECK(module_info(&m, "tap_ldd", NULL) && !module_info(&m, "tap_bulk", NULL));
}

/* Truncated at any point and with any byte changed: only valid memory is read (the sanitizer
 * checks that). */
static void survives_damage(void)
{
	struct image i;
	struct module m;

	make(&i, "tap_abc", "1");
	for (size_t n = 0; n <= sizeof(i); n++) {
		char *copy = malloc(n ? n : 1);

		memcpy(copy, &i, n);
		parse(&m, copy, n);
		free(copy);
	}
	srand(1);
	for (int n = 0; n < 200000; n++) {
		char *copy = malloc(sizeof(i));

		memcpy(copy, &i, sizeof(i));
		for (int k = rand() % 4; k >= 0; k--) {
			size_t most = rand() % 2 ? sizeof(i.e) + sizeof(i.sh) : sizeof(i);

			copy[(unsigned)rand() % most] = (char)rand();
		}
		if (parse(&m, copy, sizeof(i)))
			CHECK(strlen(m.name) < MODULE_NAME_SIZE &&
			      m.name_at + MODULE_NAME_SIZE <= m.size);
		free(copy);
	}
}

static void takes_names(void)
{
	char name[MODULE_NAME_SIZE];

	CHECK(module_name_of("/tmp/x-y.ko", name) && strcmp(name, "x_y") == 0);
	CHECK(module_name_of("x", name) && strcmp(name, "x") == 0);
	CHECK(!module_name_of("", name) && !module_name_of(".", name) && !module_name_of("..", name));
	CHECK(!module_name_of("a b", name) && !module_name_of("x/", name));
	CHECK(!module_name_of("a23456789012345678901234567890123456789012345678901234567890", name));
}

static void reads_files(void)
{
	struct module m;

	CHECK(!module_read(&m, "/nonexistent"));
	CHECK(!module_read(&m, "/"));
	module_free(&m);
	CHECK(!module_read(&m, "/dev/zero"));
	module_free(&m);
	CHECK(!module_read(&m, "/etc/passwd"));
	module_free(&m);
}

static struct output nowhere = { .fd = -1, .error = 1 };	/* messages are expected */

int main(void)
{
	output_take_messages(&nowhere);
	if (!this_machine())
		return 77;
	reads_a_good_one();
	knows_signatures();
	refuses_others();
	lists_info();
	survives_damage();
	takes_names();
	reads_files();
	return failures != 0;
}
