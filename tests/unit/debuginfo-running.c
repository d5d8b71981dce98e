/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel (kallsyms, tracefs, debugfs) and its boot image agree on names, addresses,
 * ftrace sites and blacklist, for the kernel and for each loaded module. Requires root, and the
 * image in TAPC_KERNELS/RELEASE or /: meant for guests. */
#include "debuginfo-image.h"
#include "debuginfo/symbols/symbols.h"

#include <sys/mount.h>
#include <sys/utsname.h>

static struct debuginfo *open_kernel(const char *release, const char *root, bool is_running)
{
	struct debuginfo_request r = { .release = release, .sysroot = root, .is_running_kernel = is_running };

	return debuginfo_kernel(arena, &r);
}

static bool is_same_place(const struct symbol *a, const struct symbol *b)
{
	return str_equal(a->name, b->name) && a->offset == b->offset &&
	       (!a->section || str_equal(a->section, b->section));
}

/* Init code no longer has ftrace sites; the kernel has no list of what cannot be probed for other reasons. */
static bool is_comparable(const struct symbol *s)
{
	return s->obstacle == OBSTACLE_NONE || s->obstacle == OBSTACLE_LISTED;
}

struct differences { size_t places, sites, extra_sites, obstacles; };

static void differ(size_t *n, const char *what, const struct symbol *a, const struct symbol *b)
{
	if ((*n)++ < 10)
		printf("# %s: %s %+lld flags %x %x obstacle %d %d\n", what, a->name, (long long)a->offset,
		       a->flags, b ? b->flags : 0, a->obstacle, b ? (int)b->obstacle : -1);
}

/* Both are sorted by name, then address. */
static struct differences compare(const struct symbols *running, const struct symbols *image)
{
	struct differences n = { 0 };
	size_t i = 0, k = 0;

	while (i < running->list.n && k < image->list.n) {
		const struct symbol *a = &running->list.items[i], *b = &image->list.items[k];
		bool has_a, has_b;

		if (!is_same_place(a, b)) {
			differ(&n.places, "not at the same place", a, b);
			if (strcmp(a->name, b->name) <= 0)
				i++;
			else
				k++;
			continue;
		}
		has_a = a->flags & SYMBOL_FTRACE;
		has_b = b->flags & SYMBOL_FTRACE;
		if (is_comparable(a) && has_a && !has_b)
			differ(&n.extra_sites, "no ftrace site in the image", a, b);
		if (is_comparable(a) && !has_a && has_b)
			differ(&n.sites, "no ftrace site in the running kernel", a, b);
		if (a->obstacle != b->obstacle)
			differ(&n.obstacles, "not the same obstacle", a, b);
		i++;
		k++;
	}
	n.places += running->list.n - i + image->list.n - k;
	return n;
}

static void compare_images(struct debuginfo *running, struct debuginfo *image, const char *what)
{
	struct symbols a = { 0 }, b = { 0 };
	struct debuginfo_facts x, y;
	struct differences n;

	debuginfo_facts(running, &x);
	debuginfo_facts(image, &y);
	check(x.build_id_size && x.build_id_size == y.build_id_size &&
	      !memcmp(x.build_id, y.build_id, x.build_id_size), "%s: the same build-id", what);
	check(x.notes_offset == y.notes_offset && x.notes_size == y.notes_size, "%s: notes", what);
	debuginfo_functions(running, "*", &a);
	debuginfo_functions(image, "*", &b);
	n = compare(&a, &b);
	printf("# %s: %zu functions in %s, %zu in %s; lacks: %s\n", what, a.list.n, x.source, b.list.n, y.source,
	       x.lacks ? x.lacks : "nothing");
	check(a.list.n && n.places == 0, "%s: %zu are not at the same place", what, n.places);
	if (x.lacks)		/* only names: before 6.5 */
		check(n.sites + n.extra_sites < b.list.n / 100, "%s: %zu and %zu ftrace sites differ", what,
		      n.sites, n.extra_sites);
	else
		check(n.sites == 0 && n.extra_sites == 0, "%s: %zu and %zu ftrace sites differ", what,
		      n.sites, n.extra_sites);
	if (x.blacklist)
		check(n.obstacles == 0, "%s: %zu obstacles differ", what, n.obstacles);
}

/* The kernel lists a module's symbols in a different order, so each is looked up. */
static void compare_module(struct debuginfo *running, struct debuginfo *image, const char *name)
{
	struct debuginfo *x = debuginfo_module(running, name), *y = debuginfo_module(image, name);
	struct symbols a = { 0 };
	size_t missing = 0;

	if (!x || !y) {
		printf("# %s: %s%s\n", name, debuginfo_reason(running), debuginfo_reason(image));
		return;
	}
	if (debuginfo_functions(x, "*", &a) != DEBUGINFO_FOUND) {
		check(false, "%s: %s", name, debuginfo_reason(x));
		return;
	}
	vec_each (s, &a.list) {
		struct symbols same = { 0 };
		bool found = false;

		debuginfo_functions(y, s->name, &same);
		vec_each (t, &same.list)
			found |= is_same_place(s, t);
		if (!found && s->obstacle != OBSTACLE_INIT)
			differ(&missing, name, s, NULL);
	}
	check(a.list.n && !missing, "%s: %zu of %zu are not at the same place", name, missing, a.list.n);
}

int main(void)
{
	struct module_names loaded = { 0 };
	struct debuginfo *running, *image;
	struct symbols some = { 0 };
	const char *root;
	struct utsname u;

	scratch_open();
	if (uname(&u) < 0)
		return 2;
	root = kernels_dir() ? arena_printf(arena, "%s/%s", kernels_dir(), u.release) : "";
	image = open_kernel(u.release, dir_exists(root) ? root : "", false);
	if (geteuid() || debuginfo_functions(image, TAP_ANCHOR, &some) != DEBUGINFO_FOUND) {
		printf("needs root and the image of kernel %s: %s\n", u.release, debuginfo_reason(image));
		return 77;
	}
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	/* A different release name hides the files, so that the running kernel answers. */
	running = open_kernel("none", "", true);
	compare_images(running, image, "kernel");
	debuginfo_modules(running, "*", &loaded);
	printf("# %zu modules are loaded\n", loaded.list.n);
	vec_each (name, &loaded.list)
		compare_module(running, image, *name);
	return report();
}
