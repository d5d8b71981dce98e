/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a script is for. */
#include "target_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "translation.h"
#include "util.h"

static bool read_build_tree(struct target_host *h, struct translation *t, const char *dir)
{
	char *release = file_read(t->arena, arena_printf(t->arena, "%s/include/config/kernel.release", dir),
				  NULL);

	if (!release) {
		fprintf(stderr, "tapc: error: '%s' is no kernel build tree: it has no "
			"include/config/kernel.release\n", dir);
		return false;
	}
	release[strcspn(release, "\n")] = '\0';
	h->release = release;
	h->build = dir;
	return true;
}

/* "6.1.0-56-amd64" -> "6.1.0" */
static const char *version_of(struct arena *a, const char *release)
{
	return arena_strndup(a, release, strspn(release, "0123456789."));
}

/* -a takes the kernel's names too. */
static const char *machine_of(const char *arch)
{
	return str_equal(arch, "x86") ? "x86_64" : str_equal(arch, "aarch64") ? "arm64" : arch;
}

bool target_host_find(struct target_host *h, struct translation *t)
{
	const struct options *o = t->options;
	struct utsname here;

	uname(&here);
	*h = (struct target_host){ .release = o->release ? o->release : arena_strdup(t->arena, here.release),
				   .sysroot = o->sysroot ? o->sysroot : "" };
	if (o->release && strchr(o->release, '/') && !read_build_tree(h, t, o->release))
		return false;
	h->version = version_of(t->arena, h->release);
	h->machine = machine_of(o->arch ? o->arch : arena_strdup(t->arena, here.machine));
	h->is_running = !*h->sysroot && str_equal(h->release, here.release) &&
			str_equal(h->machine, machine_of(here.machine)) && !o->vm;
	return true;
}

static const char *read_config(struct target_host *h, struct translation *t)
{
	struct arena *a = t->arena;
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

const char *target_host_config(struct target_host *h, struct translation *t, const char *name)
{
	char *start = arena_printf(t->arena, "\n%s=", name);
	const char *found;

	if (!h->config)
		h->config = arena_printf(t->arena, "\n%s", read_config(h, t));
	found = strstr(h->config, start);
	if (!found)
		return NULL;
	found += strlen(start);
	return arena_strndup(t->arena, found, strcspn(found, "\n"));
}
