/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a generated kernel are read correctly from each form that kernels use. */
#include "debuginfo-image.h"
#include "debuginfo/symbols/symbols.h"

static struct fake fake;

static const struct symbol *find(const struct symbols *s, const char *name)
{
	vec_each (i, &s->list)
		if (str_equal(i->name, name))
			return i;
	return NULL;
}

static struct debuginfo *open_kernel(bool is_running, bool with_cache)
{
	struct debuginfo_request r = {
		.release = "1.2.3-test", .sysroot = scratch, .is_running_kernel = is_running,
		.cache = with_cache ? arena_printf(arena, "%s/cache", scratch) : NULL,
	};

	return debuginfo_kernel(arena, &r);
}

static bool is_expected_site(uint64_t address)
{
	vec_each (s, &fake.sites)
		if (*s - 4 == address)
			return true;
	return false;
}

static enum symbol_obstacle expected_obstacle(const struct fake_symbol *s)
{
	if (str_starts(s->name, "__pfx_"))
		return OBSTACLE_PADDING;
	if (str_starts(s->name, "noinstr_"))
		return OBSTACLE_NOINSTR;
	if (str_starts(s->name, "kprobes_"))
		return OBSTACLE_KPROBES;
	if (str_starts(s->name, "init_"))
		return OBSTACLE_INIT;
	return s->address == fake.listed ? OBSTACLE_LISTED : OBSTACLE_NONE;
}

static bool is_expected_function(const struct fake_symbol *s)
{
	return strchr("tTW", s->letter) && !str_ends(s->name, "_text_start") &&
	       !str_ends(s->name, "_text_end") && s->name[0] != '\0' &&
	       !str_equal(s->name, "_text") && !str_equal(s->name, "_stext") &&
	       !str_equal(s->name, "_etext") && !str_equal(s->name, "_sinittext") &&
	       !str_equal(s->name, "_einittext") && !str_equal(s->name, "data_like_text");
}

/* Exactly the functions of the truth are found, with their distances from the anchor. */
static void check_functions(struct debuginfo *d, const char *form)
{
	struct symbols all = { 0 };
	uint64_t anchor = TEXT_AT + 0x1000 + 777 * FUNCTION_SIZE;
	size_t expected = 0;

	if (debuginfo_functions(d, "*", &all) != DEBUGINFO_FOUND) {
		check(false, "%s: found, not '%s'", form, debuginfo_reason(d));
		return;
	}
	vec_each (s, &fake.symbols) {
		size_t same = 0;

		if (!is_expected_function(s))
			continue;
		expected++;
		vec_each (f, &all.list)
			same += str_equal(f->name, s->name) &&
				f->offset == (int64_t)(s->address - anchor) &&
				f->obstacle == expected_obstacle(s);
		check(same == 1, "%s: %s is there once, not %zu times", form, s->name, same);
	}
	check(all.list.n == expected, "%s: %zu functions, not %zu", form, all.list.n, expected);
}

static void check_sites(struct debuginfo *d, const char *form, unsigned into)
{
	struct symbols all = { 0 };
	size_t wrong = 0;

	debuginfo_functions(d, "function_*", &all);
	vec_each (s, &all.list)
		wrong += !!(s->flags & SYMBOL_FTRACE) !=
			 is_expected_site(s->address - fake.slide) ||
			 (s->flags & SYMBOL_FTRACE && s->site != into);
	check(all.list.n > 1000 && !wrong, "%s: %zu ftrace sites are wrong", form, wrong);
}

static void put_kernel(enum layout layout, const char *how)
{
	struct buffer vmlinux = make_kernel(&fake, layout);
	struct buffer image = make_bzimage(arena, &vmlinux, how);

	put_file("boot/vmlinuz-1.2.3-test", image.b.items, image.b.n);
}

static void test_layouts(void)
{
	static const char *const forms[] = { "5.10", "6.2", "6.12", "6.16", "7.2", "whole addresses" };

	for (int i = 0; i < LAYOUTS; i++)
		for (int all = 0; all < 2; all++) {
			struct debuginfo *d;

			/* 6.16 and later: per-CPU variables have ordinary addresses. */
			fake = fake_open(arena, all && i != LAYOUT_6_16 && i != LAYOUT_7_2);
			put_kernel((enum layout)i, "gzip");
			d = open_kernel(false, false);
			if (fake.has_data)
				check_sites(d, forms[i], 4);
			else
				fake.listed = 0;	/* nothing refers to the tables */
			check_functions(d, forms[i]);
			debuginfo_close(d);
		}
}

static void test_packings(void)
{
	static const char *const readable[] = { "gzip", "xz", "zstd", "lz4" };
	static const char *const others[] = { "lzo", "bzip2" };

	fake = fake_open(arena, true);
	for (size_t i = 0; i < ARRAY_SIZE(readable); i++) {
		struct debuginfo *d;

		put_kernel(LAYOUT_6_12, readable[i]);
		d = open_kernel(false, false);
		check_functions(d, readable[i]);
		debuginfo_close(d);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct debuginfo *d;
		struct symbols none = { 0 };

		put_kernel(LAYOUT_6_12, others[i]);
		d = open_kernel(false, false);
		check(debuginfo_functions(d, "*", &none) == DEBUGINFO_BROKEN &&
		      strstr(debuginfo_reason(d), others[i]), "%s is refused by name: %s", others[i],
		      debuginfo_reason(d));
		debuginfo_close(d);
	}
}

static void test_questions(void)
{
	struct debuginfo *d;
	struct debuginfo_facts facts;
	struct symbols found = { 0 };
	struct symbol at;

	fake = fake_open(arena, true);
	put_kernel(LAYOUT_6_12, "zstd");
	d = open_kernel(false, false);
	debuginfo_facts(d, &facts);
	check(facts.build_id_size == 20 && !memcmp(facts.build_id, fake_build_id, 20), "build-id");
	check(facts.notes_size == 36 && facts.ftrace_sites && facts.blacklist && !facts.lacks, "facts");
	check(debuginfo_functions(d, "same_name", &found) == DEBUGINFO_FOUND && found.list.n == 20,
	      "a static name that is there 20 times is found 20 times");
	check(found.list.items[0].offset < found.list.items[19].offset, "in the order of addresses");
	found.list.n = 0;
	check(debuginfo_functions(d, "function_10[0-4]?", &found) == DEBUGINFO_FOUND &&
	      found.list.n == 50, "a set in a pattern");
	found.list.n = 0;
	check(debuginfo_functions(d, "function_00*", &found) == DEBUGINFO_FOUND && found.list.n == 99,
	      "a prefix");
	found.list.n = 0;
	check(debuginfo_functions(d, "*_1999", &found) == DEBUGINFO_FOUND && found.list.n == 2, "an end");
	check(find(&found, "__pfx_function_1999")->obstacle == OBSTACLE_PADDING, "padding is seen");
	found.list.n = 0;
	debuginfo_functions(d, "function_1050.isra.0", &found);
	check(found.list.n == 1 && found.list.items[0].clone == CLONE_ISRA, "a clone by its full name");
	found.list.n = 0;
	check(debuginfo_functions(d, "funktion_0001", &found) == DEBUGINFO_ABSENT &&
	      strstr(debuginfo_reason(d), "'funktion_0001'"), "absent: %s", debuginfo_reason(d));
	check(str_equal(debuginfo_suggest(d, "funktion_0001"), "function_0001"), "suggestion");
	check(debuginfo_functions(d, "data_1", &found) == DEBUGINFO_ABSENT, "data is no function");
	check(debuginfo_data(d, "data_1", &found) == DEBUGINFO_FOUND, "data is data");
	found.list.n = 0;
	check(debuginfo_data(d, "cpu_number", &found) == DEBUGINFO_FOUND &&
	      found.list.items[0].flags & SYMBOL_PERCPU && found.list.items[0].address == 0x100,
	      "a per-CPU variable");
	check(debuginfo_symbol_at(d, NULL, 0, &at) == DEBUGINFO_FOUND && str_equal(at.name, TAP_ANCHOR),
	      "the anchor is at 0");
	check(debuginfo_symbol_at(d, NULL, FUNCTION_SIZE + 17, &at) == DEBUGINFO_FOUND &&
	      str_equal(at.name, "function_0778") && at.size == 48, "inside of a function");
	check(debuginfo_symbol_at(d, NULL, 1 << 30, &at) == DEBUGINFO_ABSENT, "nowhere");
	check(debuginfo_symbol_at(d, NULL, -(1 << 30), &at) == DEBUGINFO_ABSENT, "before all");
	debuginfo_close(d);
}

static void test_clones(void)
{
	check(symbol_clone("f") == CLONE_NONE && symbol_clone(".f") == CLONE_NONE, "no clone");
	check(symbol_clone("f.isra.0.cold") == CLONE_COLD && symbol_clone("f.cold") == CLONE_COLD, "cold");
	check(symbol_clone("f.part.0") == CLONE_PART, "part");
	check(symbol_clone("f.constprop.0.isra.1") == CLONE_ISRA, "isra");
	check(symbol_clone("f.llvm.123") == CLONE_LLVM, "llvm");
	check(symbol_clone("f.lto_priv.0") == CLONE_LTO && symbol_clone("f.7") == CLONE_OTHER, "others");
	check(symbol_base_length("f.isra.0") == 1 && symbol_base_length("abc") == 3, "base");
}

/* ---- as text ---- */

static void put_tracefs(bool with_addresses)
{
	struct text names, addresses, list;

	text_init(&names, arena);
	text_init(&addresses, arena);
	text_init(&list, arena);
	vec_each (s, &fake.symbols)
		if (is_expected_function(s) && is_expected_site(s->address) &&
		    !str_starts(s->name, "alias")) {
			text_printf(&names, "%s\n", s->name);
			text_printf(&addresses, "%016llx %s\n",
				    (unsigned long long)(s->address + 4 + fake.slide), s->name);
		}
	text_add(&names, "function_0000 [strange_module]\n");
	text_printf(&list, "0x%016llx-0x%016llx\tfunction_1234\n",
		    (unsigned long long)(fake.listed + fake.slide),
		    (unsigned long long)(fake.listed + fake.slide + FUNCTION_SIZE));
	put_text("sys/kernel/tracing/available_filter_functions", names.s);
	put_text("sys/kernel/tracing/available_filter_functions_addrs", with_addresses ? addresses.s : "");
	put_text("sys/kernel/debug/kprobes/blacklist", list.s);
}

/* A running kernel gives the same answers as its image. */
static void test_running(void)
{
	struct buffer notes = { .a = arena };
	struct debuginfo *d;
	struct debuginfo_facts facts;
	struct symbols none = { 0 };

	fake = fake_open(arena, true);
	fake.slide = 0x1c000000;
	put_kernel(LAYOUT_6_12, "gzip");
	put_build_id(&notes);
	put_file("sys/kernel/notes", notes.b.items, notes.b.n);
	put_text("proc/kallsyms", fake_kallsyms(&fake, false));
	put_tracefs(true);
	d = open_kernel(true, false);
	check_functions(d, "running");
	check_sites(d, "running", 4);
	debuginfo_facts(d, &facts);
	check(facts.build_id_size == 20 && str_equal(facts.source, "/proc/kallsyms"), "its facts");
	debuginfo_close(d);

	/* A list of names only is not exact: the image is better, but the list is better than
	 * nothing. */
	put_tracefs(false);
	d = open_kernel(true, false);
	debuginfo_facts(d, &facts);
	check(str_equal(facts.source, "/boot/vmlinuz-1.2.3-test"), "not by names");
	debuginfo_close(d);
	rename(arena_printf(arena, "%s/boot", scratch), arena_printf(arena, "%s/toob", scratch));
	d = open_kernel(true, false);
	check_sites(d, "running, names only", 0);
	debuginfo_close(d);
	rename(arena_printf(arena, "%s/toob", scratch), arena_printf(arena, "%s/boot", scratch));

	/* Only kallsyms: the image of the same build provides the rest. */
	dir_remove(arena_printf(arena, "%s/sys/kernel/tracing", scratch));
	d = open_kernel(true, false);
	fake.slide = 0;
	check_sites(d, "running, without tracefs", 4);
	debuginfo_facts(d, &facts);
	check(str_equal(facts.source, "/boot/vmlinuz-1.2.3-test"), "from the image");
	debuginfo_close(d);

	put_text("proc/kallsyms", fake_kallsyms(&fake, true));
	d = open_kernel(true, false);
	check_functions(d, "running, addresses hidden");
	debuginfo_close(d);

	/* The image of a different build is not used. */
	notes.b.items[16]++;
	put_file("sys/kernel/notes", notes.b.items, notes.b.n);
	d = open_kernel(true, false);
	check(debuginfo_functions(d, "*", &none) == DEBUGINFO_ABSENT &&
	      strstr(debuginfo_reason(d), "kptr_restrict") &&
	      strstr(debuginfo_reason(d), "build-id differs"), "other build: %s", debuginfo_reason(d));
	debuginfo_close(d);
	put_text("proc/kallsyms", fake_kallsyms(&fake, false));
	d = open_kernel(true, false);
	debuginfo_facts(d, &facts);
	check(str_equal(facts.source, "/proc/kallsyms") && facts.lacks && facts.blacklist,
	      "what is lacking is said");
	debuginfo_close(d);
	dir_remove(arena_printf(arena, "%s/sys", scratch));
	dir_remove(arena_printf(arena, "%s/proc", scratch));
}

static void test_system_map(void)
{
	struct debuginfo *d;
	struct symbols none = { 0 };
	char *map;

	fake = fake_open(arena, true);
	dir_remove(arena_printf(arena, "%s/boot", scratch));
	map = fake_kallsyms(&fake, false);
	*strstr(map, "ffffffffc0001000") = '\0';
	put_text("boot/System.map-1.2.3-test", map);
	d = open_kernel(false, false);
	fake.listed = 0;
	check_functions(d, "System.map");
	debuginfo_close(d);
	put_text("boot/System.map-1.2.3-test", "ffffffffffffffff B The real System.map is in the "
		 "linux-image-<version>-dbg package\n");
	d = open_kernel(false, false);
	check(debuginfo_functions(d, "*", &none) == DEBUGINFO_ABSENT &&
	      strstr(debuginfo_reason(d), "only refers to a debug package"), "Debian's: %s",
	      debuginfo_reason(d));
	debuginfo_close(d);
	put_text("boot/System.map-1.2.3-test", "not a map\n");
	d = open_kernel(false, false);
	check(debuginfo_functions(d, "*", &none) == DEBUGINFO_BROKEN, "no map: %s", debuginfo_reason(d));
	debuginfo_close(d);
	dir_remove(arena_printf(arena, "%s/boot", scratch));
}

static void test_no_kprobes(void)
{
	struct debuginfo *d;
	struct symbols none = { 0 };

	fake = fake_open(arena, true);
	vec_each (s, &fake.symbols)
		if (str_equal(s->name, TAP_ANCHOR))
			strcpy(s->name, "something_else");
	put_kernel(LAYOUT_6_12, "gzip");
	d = open_kernel(false, false);
	check(debuginfo_functions(d, "*", &none) == DEBUGINFO_ABSENT &&
	      strstr(debuginfo_reason(d), "no kprobes"), "no kprobes: %s", debuginfo_reason(d));
	debuginfo_close(d);
}

int main(void)
{
	scratch_open();
	test_layouts();
	test_packings();
	test_questions();
	test_clones();
	test_running();
	test_system_map();
	test_no_kprobes();
	scratch_close();
	return report();
}
