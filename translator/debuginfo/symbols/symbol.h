/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A symbol: its place, and what can be said from its name and flags. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_SYMBOL_H
#define TAPC_DEBUGINFO_SYMBOLS_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum symbol_flags {
	SYMBOL_FUNCTION = 1 << 0,
	SYMBOL_DATA = 1 << 1,		/* or a linker script's name for a place */
	SYMBOL_GLOBAL = 1 << 2,
	SYMBOL_WEAK = 1 << 3,
	SYMBOL_PERCPU = 1 << 4,		/* data: the CPU's per-CPU offset must be added */
	SYMBOL_FTRACE = 1 << 5,		/* the compiler left a call for ftrace at its entry */
	SYMBOL_ABSOLUTE = 1 << 6,	/* address and offset are a number that is not relocated */
	SYMBOL_CHOOSER = 1 << 7,	/* a resolver: it returns the function that the name stands for (IFUNC) */
};

/* Why a symbol cannot be probed. */
enum symbol_obstacle {
	OBSTACLE_NONE,
	OBSTACLE_DATA,			/* not code */
	OBSTACLE_INIT,			/* __init: runs once, then its memory is freed */
	OBSTACLE_EXIT,			/* __exit code of built-in code: discarded at boot */
	OBSTACLE_PADDING,		/* __pfx_, __cfi_: bytes before a function, never executed */
	OBSTACLE_NOINSTR,		/* noinstr */
	OBSTACLE_KPROBES,		/* __kprobes */
	OBSTACLE_ENTRY,			/* entry code of exceptions and system calls */
	OBSTACLE_LISTED,		/* NOKPROBE_SYMBOL */
};

/* Clones of a function by the compiler: a dot and a suffix are appended to the name. */
enum symbol_clone {
	CLONE_NONE,
	CLONE_ISRA,			/* parameters were removed or changed: arguments are not known */
	CLONE_CONSTPROP,		/* constant parameters were removed */
	CLONE_PART,			/* a part of the body: not an entry of the function */
	CLONE_COLD,			/* the unlikely part of the body: not an entry */
	CLONE_LLVM,			/* .llvm.HASH: only renamed */
	CLONE_LTO,			/* .lto_priv: only renamed */
	CLONE_OTHER,
};

struct symbol {
	const char *name;
	const char *module;		/* NULL: the kernel itself */
	const char *section;		/* module: offset is relative to it; NULL in the kernel */
	int64_t offset;			/* kernel: from TAP_ANCHOR */
	uint64_t address;		/* as linked; comparable within one image */
	uint64_t size;			/* up to the next symbol if the table has no sizes */
	uint32_t flags;			/* SYMBOL_... */
	uint32_t site;			/* with SYMBOL_FTRACE: offset of the call in the function,
					 * in bytes; also 0 if the running kernel lists names only */
	enum symbol_obstacle obstacle;
	enum symbol_clone clone;
};

struct symbols { VEC(struct symbol) list; };

/* Why the symbol cannot be probed, to follow "'NAME' "; NULL for OBSTACLE_NONE. */
const char *symbol_obstacle_text(enum symbol_obstacle obstacle);
enum symbol_clone symbol_clone(const char *name);
/* Length of the name without the compiler's suffixes. */
size_t symbol_base_length(const char *name);

#endif
