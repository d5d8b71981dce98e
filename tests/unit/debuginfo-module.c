/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules are found by name, and their functions are at the place in their sections that they
 * have after loading: generated modules, compressed or not, listed or not, loaded or not. */
#include "debuginfo-image.h"
#include "debuginfo/symbols/symbols.h"

enum { TEXT = 1, UNLIKELY, INIT, NOINSTR_TEXT, DATA, NOTE, SYMTAB, STRTAB, MCOUNT, RELA_MCOUNT, LIST,
       RELA_LIST, MODINFO, PARTS };

static void put_symbol(struct part *parts, const char *name, int type, int bind, unsigned section,
		       uint64_t value, uint64_t size)
{
	Elf64_Sym s = { .st_name = (uint32_t)parts[STRTAB].content.b.n,
			.st_info = (unsigned char)ELF64_ST_INFO(bind, type),
			.st_shndx = (uint16_t)section, .st_value = value, .st_size = size };

	if (!*name)
		s.st_name = 0;
	else
		put(&parts[STRTAB].content, name, strlen(name) + 1);
	put(&parts[SYMTAB].content, &s, sizeof(s));
}

static void put_relocation(struct part *rela, unsigned symbol, int64_t addend)
{
	Elf64_Rela r = { .r_offset = rela->content.b.n / sizeof(r) * 8,
			 .r_info = ELF64_R_INFO((uint64_t)symbol, R_X86_64_64), .r_addend = addend };

	put(&rela->content, &r, sizeof(r));
}

static void fill(struct part *p, size_t n)
{
	while (p->content.b.n < n)
		put_byte(&p->content, 0x90);
}

static struct buffer make_module(void)
{
	struct part *parts = arena_array(arena, struct part, PARTS);
	uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

	add_part(arena, &parts[TEXT], ".text", SHT_PROGBITS, code, 0);
	add_part(arena, &parts[UNLIKELY], ".text.unlikely", SHT_PROGBITS, code, 0);
	add_part(arena, &parts[INIT], ".init.text", SHT_PROGBITS, code, 0);
	add_part(arena, &parts[NOINSTR_TEXT], ".noinstr.text", SHT_PROGBITS, code, 0);
	add_part(arena, &parts[DATA], ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0);
	add_part(arena, &parts[NOTE], ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0);
	add_part(arena, &parts[SYMTAB], ".symtab", SHT_SYMTAB, 0, 0);
	add_part(arena, &parts[STRTAB], ".strtab", SHT_STRTAB, 0, 0);
	add_part(arena, &parts[MCOUNT], "__mcount_loc", SHT_PROGBITS, SHF_ALLOC, 0);
	add_part(arena, &parts[RELA_MCOUNT], ".rela__mcount_loc", SHT_RELA, 0, 0);
	add_part(arena, &parts[LIST], "_kprobe_blacklist", SHT_PROGBITS, SHF_ALLOC, 0);
	add_part(arena, &parts[RELA_LIST], ".rela_kprobe_blacklist", SHT_RELA, 0, 0);
	add_part(arena, &parts[MODINFO], ".modinfo", SHT_PROGBITS, SHF_ALLOC, 0);
	for (int i = TEXT; i <= DATA; i++)
		fill(&parts[i], 0x200);
	put_build_id(&parts[NOTE].content);
	parts[SYMTAB].link = STRTAB;
	put_byte(&parts[STRTAB].content, 0);
	put_symbol(parts, "", 0, 0, 0, 0, 0);
	put_symbol(parts, "", STT_SECTION, STB_LOCAL, TEXT, 0, 0);			/* 1 */
	put_symbol(parts, "demo_open", STT_FUNC, STB_LOCAL, TEXT, 0x10, 0x30);		/* 2 */
	put_symbol(parts, "__pfx_demo_open", STT_FUNC, STB_LOCAL, TEXT, 0, 0x10);
	put_symbol(parts, "demo_read", STT_FUNC, STB_GLOBAL, TEXT, 0x40, 0x40);		/* 4 */
	put_symbol(parts, "demo_read.cold", STT_FUNC, STB_LOCAL, UNLIKELY, 0x20, 8);
	put_symbol(parts, "demo_rare", STT_FUNC, STB_LOCAL, UNLIKELY, 0x40, 0x10);	/* 6 */
	put_symbol(parts, "init_module", STT_FUNC, STB_GLOBAL, INIT, 0, 0x20);
	put_symbol(parts, "demo_careful", STT_FUNC, STB_LOCAL, NOINSTR_TEXT, 0, 0x20);
	put_symbol(parts, "demo_listed", STT_FUNC, STB_LOCAL, TEXT, 0x80, 0x20);	/* 9 */
	put_symbol(parts, "demo_assembly", STT_NOTYPE, STB_GLOBAL, TEXT, 0xc0, 0);
	put_symbol(parts, "demo_table", STT_OBJECT, STB_LOCAL, DATA, 8, 16);
	put_symbol(parts, "printk", STT_NOTYPE, STB_GLOBAL, SHN_UNDEF, 0, 0);
	put_symbol(parts, ".Lhere", STT_NOTYPE, STB_LOCAL, TEXT, 0x18, 0);
	put_relocation(&parts[RELA_MCOUNT], 1, 0x14);
	put_relocation(&parts[RELA_MCOUNT], 4, 4);
	put_relocation(&parts[RELA_MCOUNT], 6, 0);
	put_relocation(&parts[RELA_LIST], 9, 0);
	put(&parts[MODINFO].content, "name=demo", 10);
	return make_elf(arena, parts, PARTS, ET_REL);
}

static struct debuginfo *open_kernel(bool is_running)
{
	struct debuginfo_request r = { .release = "1.2.3-test", .sysroot = scratch,
				       .is_running_kernel = is_running,
				       .cache = arena_printf(arena, "%s/cache", scratch) };

	return debuginfo_kernel(arena, &r);
}

static struct symbol one(struct debuginfo *m, const char *name)
{
	struct symbols found = { 0 };

	if (debuginfo_functions(m, name, &found) == DEBUGINFO_FOUND && found.list.n == 1)
		return found.list.items[0];
	printf("# %s: %s\n", name, debuginfo_reason(m));
	return (struct symbol){ .name = "", .section = "" };
}

static void check_symbol(struct debuginfo *m, const char *name, const char *section, int64_t offset,
			 uint64_t size, int site, enum symbol_obstacle obstacle)
{
	struct symbol s = one(m, name);

	check(str_equal(s.section, section) && s.offset == offset && s.size == size,
	      "%s is in %s at %lld", name, s.section, (long long)s.offset);
	check(!!(s.flags & SYMBOL_FTRACE) == (site >= 0) && (site < 0 || (int)s.site == site),
	      "%s: ftrace site %x %u", name, s.flags, s.site);
	check(s.obstacle == obstacle, "%s: obstacle %d", name, s.obstacle);
	check(s.module && str_equal(s.module, "demo_mod"), "%s: of module", name);
}

static void check_module(struct debuginfo *m)
{
	struct symbols all = { 0 };
	struct debuginfo_facts facts;
	struct symbol at;

	check_symbol(m, "demo_open", ".text", 0x10, 0x30, 4, OBSTACLE_NONE);
	check_symbol(m, "__pfx_demo_open", ".text", 0, 0x10, -1, OBSTACLE_PADDING);
	check_symbol(m, "demo_read", ".text", 0x40, 0x40, 4, OBSTACLE_NONE);
	check_symbol(m, "demo_read.cold", ".text.unlikely", 0x20, 8, -1, OBSTACLE_NONE);
	check_symbol(m, "demo_rare", ".text.unlikely", 0x40, 0x10, 0, OBSTACLE_NONE);
	check_symbol(m, "init_module", ".init.text", 0, 0x20, -1, OBSTACLE_INIT);
	check_symbol(m, "demo_careful", ".noinstr.text", 0, 0x20, -1, OBSTACLE_NOINSTR);
	check_symbol(m, "demo_listed", ".text", 0x80, 0x20, -1, OBSTACLE_LISTED);
	check_symbol(m, "demo_assembly", ".text", 0xc0, 0, -1, OBSTACLE_NONE);
	check(debuginfo_functions(m, "*", &all) == DEBUGINFO_FOUND && all.list.n == 9, "no others");
	check(debuginfo_functions(m, "printk", &all) == DEBUGINFO_ABSENT, "nothing undefined");
	all.list.n = 0;
	check(debuginfo_data(m, "demo_*", &all) == DEBUGINFO_FOUND && all.list.n == 1 &&
	      str_equal(all.list.items[0].section, ".data"), "data");
	check(debuginfo_symbol_at(m, ".text", 0x48, &at) == DEBUGINFO_FOUND &&
	      str_equal(at.name, "demo_read"), "in .text");
	check(debuginfo_symbol_at(m, ".text.unlikely", 0x48, &at) == DEBUGINFO_FOUND &&
	      str_equal(at.name, "demo_rare"), "in .text.unlikely");
	check(debuginfo_symbol_at(m, ".text.unlikely", 0x10, &at) == DEBUGINFO_ABSENT, "between");
	check(debuginfo_symbol_at(m, ".other", 0x10, &at) == DEBUGINFO_ABSENT, "no section");
	debuginfo_facts(m, &facts);
	check(facts.build_id_size == 20 && facts.ftrace_sites && facts.blacklist && !facts.lacks, "facts");
}

static void put_module(const char *name, const char *how)
{
	struct buffer elf = make_module(), packed;

	if (how)
		packed = pack(arena, &elf, how);
	else
		packed = elf;
	put_file(arena_printf(arena, "lib/modules/1.2.3-test/kernel/drivers/%s", name),
		 packed.b.items, packed.b.n);
}

static void test_places(void)
{
	static const struct { const char *file, *how, *dep; } cases[] = {
		{ "demo-mod.ko", NULL, "kernel/drivers/demo-mod.ko: kernel/lib/other.ko\n" },
		{ "demo_mod.ko.gz", "gzip", "kernel/lib/other.ko:\nkernel/drivers/demo_mod.ko.gz:\n" },
		{ "demo-mod.ko.xz", "xz", "kernel/drivers/demo-mod.ko.xz:" },
		{ "demo_mod.ko.zst", "zstd", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct debuginfo *kernel, *m;
		struct module_names names = { 0 };

		dir_remove(arena_printf(arena, "%s/lib", scratch));
		put_module(cases[i].file, cases[i].how);
		if (cases[i].dep)
			put_text("lib/modules/1.2.3-test/modules.dep", cases[i].dep);
		kernel = open_kernel(false);
		m = debuginfo_module(kernel, i % 2 ? "demo-mod" : "demo_mod");
		check(m != NULL, "%s is found: %s", cases[i].file, debuginfo_reason(kernel));
		if (m) {
			check_module(m);
			check(debuginfo_module(kernel, "demo_mod") == m, "and remembered");
		}
		check(debuginfo_modules(kernel, "demo-*", &names) == DEBUGINFO_FOUND &&
		      names.list.n == 1 && str_equal(names.list.items[0], "demo_mod"), "and listed");
		debuginfo_close(kernel);
	}
}

static void test_absent(void)
{
	struct debuginfo *kernel;
	struct module_names names = { 0 };

	put_text("lib/modules/1.2.3-test/modules.builtin", "kernel/fs/ext9.ko\nkernel/demo-in.ko\n");
	kernel = open_kernel(false);
	check(!debuginfo_module(kernel, "demo"), "not by half of its name");
	check(strstr(debuginfo_reason(kernel), "no module 'demo'"), "%s", debuginfo_reason(kernel));
	check(!debuginfo_module(kernel, "demo-in") && strstr(debuginfo_reason(kernel), "built into"),
	      "%s", debuginfo_reason(kernel));
	check(!debuginfo_module(kernel, "../../etc/passwd"), "a path is no name");
	check(!debuginfo_module(kernel, ""), "nothing is no name");
	check(debuginfo_modules(kernel, "z*", &names) == DEBUGINFO_ABSENT, "no match");
	debuginfo_close(kernel);
	dir_remove(arena_printf(arena, "%s/lib", scratch));
	kernel = open_kernel(false);
	check(!debuginfo_module(kernel, "demo_mod") && strstr(debuginfo_reason(kernel), "is missing"),
	      "%s", debuginfo_reason(kernel));
	debuginfo_close(kernel);
}

/* Loaded from an unknown file, or from one replaced since: the kernel provides the symbols. */
static void test_loaded(void)
{
	struct buffer notes = { .a = arena };
	struct debuginfo *kernel, *m;
	struct module_names names = { 0 };
	struct debuginfo_facts facts;

	put_text("sys/module/demo_mod/initstate", "live\n");
	put_text("sys/module/ext9/parameters/x", "1\n");
	put_text("sys/module/demo_mod/sections/.text", "0xffffffffc0100000\n");
	put_text("sys/module/demo_mod/sections/.text.unlikely", "0xffffffffc0102000\n");
	put_text("sys/module/demo_mod/sections/.data", "0xffffffffc0104000\n");
	put_build_id(&notes);
	put_file("sys/module/demo_mod/notes/.note.gnu.build-id", notes.b.items, notes.b.n);
	put_text("proc/kallsyms", "ffffffff81000000 T _text\n"
		 "ffffffffc0100010 t demo_open\t[demo_mod]\n"
		 "ffffffffc0100040 T demo_read\t[demo_mod]\n"
		 "ffffffffc0200040 T demo_read\t[demo_mode]\n"
		 "ffffffffc0102040 t demo_rare\t[demo_mod]\n"
		 "ffffffffc0104008 d demo_table\t[demo_mod]\n");
	kernel = open_kernel(true);
	check(debuginfo_modules(kernel, "*", &names) == DEBUGINFO_FOUND && names.list.n == 1, "listed");
	m = debuginfo_module(kernel, "demo-mod");
	check(m != NULL, "a module without a file: %s", debuginfo_reason(kernel));
	if (m) {
		check_symbol(m, "demo_open", ".text", 0x10, 0x30, -1, OBSTACLE_NONE);
		check_symbol(m, "demo_rare", ".text.unlikely", 0x40, 0, -1, OBSTACLE_NONE);
		debuginfo_facts(m, &facts);
		check(facts.build_id_size == 20 && facts.lacks, "facts");
	}
	check(!debuginfo_module(kernel, "ext9"), "built in is not loaded");
	debuginfo_close(kernel);

	put_module("demo_mod.ko", NULL);
	put_text("lib/modules/1.2.3-test/modules.dep", "kernel/drivers/demo_mod.ko:\n");
	kernel = open_kernel(true);
	m = debuginfo_module(kernel, "demo_mod");
	debuginfo_facts(m, &facts);
	check(strstr(facts.source, "demo_mod.ko"), "its file, if it is the one: %s", facts.source);
	debuginfo_close(kernel);
	notes.b.items[16]++;
	put_file("sys/module/demo_mod/notes/.note.gnu.build-id", notes.b.items, notes.b.n);
	kernel = open_kernel(true);
	m = debuginfo_module(kernel, "demo_mod");
	debuginfo_facts(m, &facts);
	check(str_equal(facts.source, "/proc/kallsyms"), "else what the kernel tells: %s", facts.source);
	debuginfo_close(kernel);
}

int main(void)
{
	scratch_open();
	test_places();
	test_absent();
	test_loaded();
	scratch_close();
	return report();
}
