/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meaning of a symbol's name and obstacle. */
#include "symbol.h"

#include <string.h>

#include "base/util.h"

const char *symbol_obstacle_text(enum symbol_obstacle obstacle)
{
	static const char *const texts[] = {
		[OBSTACLE_NONE] = NULL,
		[OBSTACLE_DATA] = "is data, not code",
		[OBSTACLE_INIT] = "is __init: it ran at boot and its memory was freed",
		[OBSTACLE_EXIT] = "is __exit code that is built in: it is discarded at boot",
		[OBSTACLE_PADDING] = "is padding before a function: it never runs",
		[OBSTACLE_NOINSTR] = "is noinstr: the kernel allows no probes there",
		[OBSTACLE_KPROBES] = "belongs to the kernel's own handling of probes",
		[OBSTACLE_ENTRY] = "is entry code of exceptions or system calls: the kernel allows no "
				   "probes there",
		[OBSTACLE_LISTED] = "is on the kernel's list of functions without probes "
				    "(NOKPROBE_SYMBOL)",
	};

	return texts[obstacle];
}

static const struct {
	const char *suffix;
	enum symbol_clone clone;
} clones[] = {
	{ ".cold", CLONE_COLD },
	{ ".part", CLONE_PART },
	{ ".isra", CLONE_ISRA },
	{ ".constprop", CLONE_CONSTPROP },
	{ ".llvm.", CLONE_LLVM },
	{ ".lto_priv", CLONE_LTO },
};

size_t symbol_base_length(const char *name)
{
	size_t n = strlen(name);
	const char *dot = n ? strchr(name + 1, '.') : NULL;

	return dot ? (size_t)(dot - name) : n;
}

/* If there are several suffixes ("f.isra.0.cold"), the first one in the order above decides. */
enum symbol_clone symbol_clone(const char *name)
{
	const char *suffix = name + symbol_base_length(name);

	if (!*suffix)
		return CLONE_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(clones); i++)
		if (strstr(suffix, clones[i].suffix))
			return clones[i].clone;
	return CLONE_OTHER;
}
