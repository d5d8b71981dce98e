/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a script is for. */
#include "target_host.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "gap.h"
#include "options.h"
#include "base/util.h"

/* The release that a build tree makes; its file kernel.release lacks Debian's suffix. */
static const char *release_of_tree(struct arena *a, const char *build)
{
	const char *text = file_read(a, arena_printf(a, "%s/include/generated/utsrelease.h", build), NULL);
	const char *quote = text ? strchr(text, '"') : NULL;

	return quote ? arena_strndup(a, quote + 1, strcspn(quote + 1, "\"")) : NULL;
}

static bool read_build_tree(struct target_host *h, struct arena *a, const char *dir)
{
	h->build = dir;
	h->release = release_of_tree(a, dir);
	if (h->release)
		return true;
	error_print("'%s' is not a kernel build tree: it has no include/generated/utsrelease.h; "
		    "build the kernel or run 'make modules_prepare' there", dir);
	return false;
}

/* "6.1.0-56-amd64" -> "6.1.0" */
static const char *version_of(struct arena *a, const char *release)
{
	return arena_strndup(a, release, strspn(release, "0123456789."));
}

/* -a also accepts the kernel's names of architectures. */
static const char *machine_of(const char *arch)
{
	return str_equal(arch, "x86") ? "x86_64" : str_equal(arch, "aarch64") ? "arm64" : arch;
}

const char *target_host_vm_kernel(struct arena *a, const char *sysroot)
{
	const char *newest = NULL;
	glob_t found;

	if (glob(arena_printf(a, "%s/lib/modules/*/build", sysroot), 0, NULL, &found) != 0)
		return NULL;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *release = arena_strdup(a, found.gl_pathv[i]);

		*strrchr(release, '/') = '\0';
		release = strrchr(release, '/') + 1;
		if (file_exists(arena_printf(a, "%s/boot/vmlinuz-%s", sysroot, release)) &&
		    (!newest || strverscmp(release, newest) > 0))
			newest = release;
	}
	globfree(&found);
	return newest;
}

void target_host_no_vm_kernel(const struct target_host *h, struct gap *g)
{
	struct utsname here;

	uname(&here);
	gap_found(g, ADVICE_VM_KERNEL, str_equal(here.machine, "aarch64") ? "arm64" : "amd64",
		  "--vm needs an installed kernel with its headers, and none was found");
	g->root = h->sysroot;
}

static bool choose_vm_kernel(struct target_host *h, const struct options *o)
{
	struct gap gap = { 0 };

	if (!o->vm || o->release)
		return true;
	h->release = o->vm_kernel ? o->vm_kernel : target_host_vm_kernel(o->arena, h->sysroot);
	if (h->release)
		return true;
	target_host_no_vm_kernel(h, &gap);
	return gap_print(&gap);
}

static const char *without_slash(struct arena *a, const char *path)
{
	size_t n = strlen(path);

	while (n && path[n - 1] == '/')
		n--;
	return arena_strndup(a, path, n);
}

bool target_host_find(struct target_host *h, const struct options *o)
{
	struct utsname here;

	uname(&here);
	*h = (struct target_host){ .release = o->release ? o->release : arena_strdup(o->arena, here.release),
				   .sysroot = without_slash(o->arena, o->sysroot ? o->sysroot : ""),
				   .path = o->target_path };
	if (o->release && o->release[0] == '/' && !read_build_tree(h, o->arena, o->release))
		return false;
	if (!h->release[0] || (!h->build && strchr(h->release, '/'))) {
		error_print("'%s' is neither a kernel release nor the absolute path of a build tree", h->release);
		return false;
	}
	if (!choose_vm_kernel(h, o))
		return false;
	h->version = version_of(o->arena, h->release);
	h->machine = machine_of(o->arch ? o->arch : arena_strdup(o->arena, here.machine));
	/* With a build tree, an equal release is not proof: the tree may have been rebuilt since. */
	h->is_running = !*h->sysroot && !h->build && str_equal(h->release, here.release) &&
			str_equal(h->machine, machine_of(here.machine)) && !o->vm;
	return true;
}

static const char *read_config(struct target_host *h, struct arena *a)
{
	const char *places[] = {
		h->build ? arena_printf(a, "%s/.config", h->build) : NULL,
		arena_printf(a, "%s/boot/config-%s", h->sysroot, h->release),
		arena_printf(a, "%s/lib/modules/%s/config", h->sysroot, h->release),
		arena_printf(a, "%s/lib/modules/%s/build/.config", h->sysroot, h->release),
		arena_printf(a, "%s/usr/src/linux-headers-%s/.config", h->sysroot, h->release),
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const char *text = places[i] ? file_read(a, places[i], NULL) : NULL;

		if (text)
			return text;
	}
	return "";
}

/* Each line follows a newline. */
static const char *config_text(struct target_host *h, struct arena *a)
{
	if (!h->config)
		h->config = arena_printf(a, "\n%s", read_config(h, a));
	return h->config;
}

bool target_host_has_config(struct target_host *h, struct arena *a)
{
	return config_text(h, a)[1];
}

const char *target_host_config(struct target_host *h, struct arena *a, const char *name)
{
	char *start = arena_printf(a, "\n%s=", name);
	const char *found = strstr(config_text(h, a), start);

	if (!found)
		return NULL;
	found += strlen(start);
	return arena_strndup(a, found, strcspn(found, "\n"));
}
