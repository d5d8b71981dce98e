/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tap_gate is built by kbuild once for each kernel and runtime, when a script first needs it. */
#include "gate.h"

#include <stdio.h>
#include <string.h>

#include "cache.h"
#include "kernel_target.h"
#include "object.h"
#include "template.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"
#include "source/options.h"

bool gate_is_wanted(const char *script)
{
	return strstr(script, "\nTAP_GATED_");
}

static bool write_file(struct arena *a, const char *dir, const char *name, const struct template_source *s)
{
	const char *path = arena_printf(a, "%s/%s", dir, name);
	const char *parent = arena_strndup(a, path, (size_t)(strrchr(path, '/') - path));

	return s->text && dir_make(parent, 0700) && file_write(path, s->text, s->size);
}

static bool write_sources(struct template *tp, const char *dir)
{
	static const char own[] = "kernel/gate/";

	vec_each(s, &tp->sources) {
		bool is_kbuild = str_equal(s->name, "kernel/gate/Kbuild");

		if (!is_kbuild && !str_starts(s->name, own) && !str_ends(s->name, ".h") && !str_ends(s->name, ".def"))
			continue;
		if (!write_file(tp->arena, dir, is_kbuild ? "Kbuild" : s->name, s))
			return false;
	}
	return true;
}

static void look_for_gate(void *found, const char *name, bool defined)
{
	*(bool *)found |= defined && str_equal(name, "tap_gate");
}

/* For a kernel without what it needs the module is empty. */
static char *build(struct template *tp, const char *dir, size_t *size)
{
	struct arena *a = tp->arena;
	const char *tree = arena_printf(a, "%s/gate", dir);
	bool found = false;
	char *image, *log = "";

	if (!write_sources(tp, tree))
		return NULL;
	if (kernel_target_make(tp->target, a, tree, NULL, 0, NULL, &log) != 0) {
		if (options_verbose(tp->options, 4))
			fprintf(stderr, "tapc: note: tap_gate cannot be built for kernel %s:\n%s", tp->target->release, log);
		return NULL;
	}
	image = file_read(a, arena_printf(a, "%s/tap_gate.ko", tree), size);
	if (image && object_symbols(image, *size, look_for_gate, &found) && !found)
		*size = 0;
	return image;
}

const char *gate_image(struct template *tp, const char *dir, size_t *size)
{
	struct cache_key key;
	const char *name;
	char *image;

	if (!str_equal(tp->target->arch, "x86"))
		return NULL;
	cache_key_init(&key);
	cache_key_string(&key, "tap_gate");
	cache_key_string(&key, template_key(tp));
	name = cache_key_hex(tp->arena, &key);
	image = cache_get(tp->cache, name, size);
	if (!image) {
		image = build(tp, dir, size);
		if (image)
			cache_put(tp->cache, name, image, *size);
	}
	return image && *size ? image : NULL;
}
