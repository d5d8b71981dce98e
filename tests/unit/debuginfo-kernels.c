/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each kernel available for tests (TAPC_KERNELS): its exported symbols, as listed by
 * Module.symvers, are all found in its boot image and in its modules, with ftrace sites. */
#include "debuginfo-image.h"

#include "arch/arches.h"
#include "debuginfo/place.h"
#include "debuginfo/symbols/symbols.h"
#include "debuginfo/tracepoint.h"

#include <dirent.h>
#include <time.h>

static const char *release, *cache;
static bool is_small;		/* built by tests/lib/build-kernel.sh with only what guests need */

static double milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct debuginfo *open_kernel(const char *prefix)
{
	struct debuginfo_request r = { .release = release, .sysroot = prefix, .cache = cache };

	return debuginfo_kernel(arena, &r);
}

static bool has_symbol(struct debuginfo *d, const char *name)
{
	struct symbols found = { 0 };

	return debuginfo_functions(d, name, &found) == DEBUGINFO_FOUND ||
	       debuginfo_data(d, name, &found) == DEBUGINFO_FOUND;
}

/* "0x6ebe366f\tksys_write\tvmlinux\tEXPORT_SYMBOL_GPL\t" */
static void check_exports(struct debuginfo *kernel, const char *prefix, const char *of)
{
	const char *path = arena_printf(arena, "%s/lib/modules/%s/build/Module.symvers", prefix, release);
	const char *text = file_read(arena, path, NULL), *base = path_base(of);
	struct debuginfo *d = str_equal(of, "vmlinux") ? kernel : debuginfo_module(kernel, base);
	size_t seen = 0;

	check(text && d, "%s: Module.symvers and %s are there", release, of);
	for (const char *p = text; d && p && *p; p = strchrnul(p, '\n'), p += *p == '\n') {
		const char *name = strchr(p, '\t'), *end = name ? strchr(name + 1, '\t') : NULL;

		if (!end || strncmp(end + 1, of, strlen(of)) || end[1 + strlen(of)] != '\t')
			continue;
		name = arena_strndup(arena, name + 1, (size_t)(end - name - 1));
		check(has_symbol(d, name), "%s: %s has %s", release, of, name);
		seen++;
	}
	check(seen > 0, "%s: %s exports something", release, of);
}

static void check_anchor(struct debuginfo *d)
{
	struct symbols found = { 0 };
	struct debuginfo_facts facts;
	struct symbol at;

	debuginfo_functions(d, TAP_ANCHOR, &found);
	check(found.list.n == 1 && found.list.items[0].offset == 0, "%s: the anchor", release);
	debuginfo_facts(d, &facts);
	check(facts.ftrace_sites && facts.blacklist && !facts.lacks, "%s: all facts are available", release);
	check(facts.build_id_size == 20 && facts.notes_size > 36, "%s: build-id and notes", release);
	found.list.n = 0;
	debuginfo_functions(d, "vfs_read", &found);
	check(found.list.n == 1 && found.list.items[0].flags & SYMBOL_FTRACE &&
	      found.list.items[0].obstacle == OBSTACLE_NONE, "%s: vfs_read", release);
	check(found.list.n && debuginfo_symbol_at(d, NULL, found.list.items[0].offset + 9, &at) ==
	      DEBUGINFO_FOUND && str_equal(at.name, "vfs_read"), "%s: inside of vfs_read", release);
	found.list.n = 0;
	debuginfo_functions(d, "get_kprobe", &found);
	check(found.list.n == 1 && found.list.items[0].obstacle == OBSTACLE_LISTED,
	      "%s: get_kprobe is listed", release);
	found.list.n = 0;
	debuginfo_functions(d, "start_kernel", &found);
	check(found.list.n == 1 && found.list.items[0].obstacle == OBSTACLE_INIT, "%s: __init", release);
}

static void check_functions(struct debuginfo *d)
{
	struct symbols all = { 0 };
	size_t sites = 0;

	debuginfo_functions(d, "*", &all);
	vec_each (s, &all.list)
		sites += !!(s->flags & SYMBOL_FTRACE);
	check(all.list.n > (is_small ? 20000 : 40000) && sites > (is_small ? 15000 : 30000),
	      "%s: %zu functions, %zu sites", release, all.list.n, sites);
}

static void check_module(struct debuginfo *kernel)
{
	struct debuginfo *m = debuginfo_module(kernel, "tun");
	struct symbols found = { 0 };
	struct module_names names = { 0 };
	struct debuginfo_facts facts;

	check(debuginfo_modules(kernel, "*", &names) == DEBUGINFO_FOUND && names.list.n > (is_small ? 0 : 500),
	      "%s: modules", release);
	if (!m) {
		check(false, "%s: tun: %s", release, debuginfo_reason(kernel));
		return;
	}
	check(debuginfo_functions(m, "tun_get_user", &found) == DEBUGINFO_FOUND &&
	      str_equal(found.list.items[0].section, ".text") &&
	      found.list.items[0].flags & SYMBOL_FTRACE, "%s: a function of tun", release);
	debuginfo_facts(m, &facts);
	check(facts.build_id_size == 20, "%s: build-id of tun", release);
}

static void test_kernel(const char *prefix)
{
	double start = milliseconds(), cold, warm;
	struct debuginfo *d = open_kernel(prefix);

	check(has_symbol(d, "vfs_read"), "%s: cold: %s", release, debuginfo_reason(d));
	cold = milliseconds() - start;
	check_exports(d, prefix, "vmlinux");
	debuginfo_close(d);
	start = milliseconds();
	d = open_kernel(prefix);
	check(has_symbol(d, "vfs_read"), "%s: warm", release);
	warm = milliseconds() - start;
	check_anchor(d);
	check_functions(d);
	check_module(d);
	if (!is_small)
		check_exports(d, prefix, "drivers/net/tun");
	debuginfo_close(d);
	printf("# %s: %.0f ms cold, %.2f ms warm\n", release, cold, warm);
}

/* Debian's images for arm64 and riscv64 are not ELF files, and have no data symbols: relocations lead to the events of
 * arm64's. Of riscv64's neither the build-id nor the events' systems are found. */
static void test_raw_kernel(const char *prefix, const char *arch, bool has_facts)
{
	struct debuginfo_request r = { .release = release, .sysroot = prefix, .cache = cache,
				       .arch = arch_find(arch) };
	struct debuginfo *d = debuginfo_kernel(arena, &r);
	struct tracepoints found = { 0 };
	struct symbols function = { 0 };
	struct debuginfo_facts facts;
	size_t known = 0;

	check(has_symbol(d, "vfs_read"), "%s: %s", release, debuginfo_reason(d));
	debuginfo_facts(d, &facts);
	check(!has_facts || (facts.build_id_size == 20 && facts.notes_size == 36), "%s: build-id and its note",
	      release);
	debuginfo_functions(d, "vfs_read", &function);
	check(facts.ftrace_sites && function.list.n == 1 && function.list.items[0].flags & SYMBOL_FTRACE,
	      "%s: its sites", release);
	check_functions(d);
	debuginfo_tracepoints(d, "*", &found);
	vec_each(t, &found.list) {
		if (!has_facts)
			break;
		known += t->system != NULL;
		if (str_equal(t->name, "sched_switch"))
			check(t->system && str_equal(t->system, "sched"), "%s: sched_switch", release);
	}
	check(found.list.n > 400 && (!has_facts || found.list.n - known < 40), "%s: %zu of %zu systems", release,
	      known, found.list.n);
	debuginfo_close(d);
}

int main(void)
{
	const char *dir;
	DIR *d;
	unsigned kernels = 0;

	scratch_open();
	dir = kernels_dir();
	d = dir ? opendir(dir) : NULL;
	cache = arena_printf(arena, "%s/cache", scratch);
	for (struct dirent *e; d && (e = readdir(d));) {
		const char *prefix = arena_printf(arena, "%s/%s", dir, e->d_name);

		if (e->d_type == DT_LNK || !file_exists(arena_printf(arena, "%s/boot/vmlinuz-%s", prefix, e->d_name)))
			continue;
		release = arena_strdup(arena, e->d_name);
		is_small = strstr(release, "-tapc-");
		if (str_ends(release, "-arm64"))
			test_raw_kernel(prefix, "arm64", true);
		else if (str_ends(release, "-riscv64"))
			test_raw_kernel(prefix, "riscv64", false);
		else
			test_kernel(prefix);
		kernels++;
	}
	if (d)
		closedir(d);
	scratch_close();
	if (!kernels) {
		printf("no kernels are here: tests/vm --fetch gets them\n");
		return 77;
	}
	return report();
}
