/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug information and symbols of an image: the kernel or one of its modules.
 *
 * A handle is opened for a target and then queried; its back ends (symbol tables, DWARF, BTF) are
 * opened when a query first needs them. Every answer is one of
 *
 *	FOUND	the result is valid;
 *	ABSENT	the image has no such thing, or no source could answer: not an error in itself;
 *	BROKEN	a source exists, but is damaged or contradicts itself;
 *
 * and after ABSENT or BROKEN debuginfo_reason() says why, in one line that can be shown as a note.
 * Nothing here prints or exits. Usable without a script. */
#ifndef TAPC_DEBUGINFO_H
#define TAPC_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct arch;

/* Places in the kernel are stored as the distance from this function, never as an address: it is
 * exported, so the module loader resolves it, and the distance is valid under KASLR. The runtime
 * (kernel/compat.h) subtracts from the same function. */
#define TAP_ANCHOR "register_kprobe"

enum debuginfo_answer { DEBUGINFO_FOUND, DEBUGINFO_ABSENT, DEBUGINFO_BROKEN };

struct debuginfo;

struct debuginfo_request {
	const char *release;		/* "6.1.0-56-amd64" */
	const char *sysroot;		/* root of the target's files; "" or NULL: / */
	const char *path;		/* directories of the target's programs; NULL: PATH */
	const struct arch *arch;	/* NULL: this machine's */
	bool is_running_kernel;		/* /proc and /sys of this machine describe it */
	const char *cache;		/* a directory of this user for indexes, created if missing;
					 * NULL: everything is read again in each run */
	/* Called before slow work: "reading the symbols of ...". May be NULL. */
	void (*progress)(void *data, const char *what);
	void *progress_data;
	/* Called with each file that answers depend on, including files that do not exist. May be NULL. */
	void (*uses)(void *data, const char *path);
	void *uses_data;
};

/* ---- handles ---- */

/* The kernel itself. Never NULL; if it cannot be read, the first query says so. Strings and arrays
 * in answers are in A or in the handle, so close it last. */
struct debuginfo *debuginfo_kernel(struct arena *a, const struct debuginfo_request *request);
/* A module of KERNEL by name ('-' and '_' are the same) or by the path of its file. It is cached in
 * the kernel's handle and closed with it. NULL, with the kernel's debuginfo_reason(): no such module. */
struct debuginfo *debuginfo_module(struct debuginfo *kernel, const char *name);
void debuginfo_close(struct debuginfo *kernel);

/* Why the last query of D was not answered with FOUND; "" after FOUND. */
const char *debuginfo_reason(const struct debuginfo *d);
/* The module's name with '_'; NULL for the kernel. */
const char *debuginfo_module_name(const struct debuginfo *d);

struct module_names { VEC(const char *) list; };
/* Names (with '_') of the modules that match PATTERN, sorted: those in modules.dep and, for the running
 * kernel, those that were loaded from elsewhere. If PATTERN is the path of a module, the result is that path. */
enum debuginfo_answer debuginfo_modules(struct debuginfo *kernel, const char *pattern,
					struct module_names *found);

/* Does D describe programs, so that its types describe user memory? */
bool debuginfo_is_user(const struct debuginfo *d);
/* Mark D as an object that was compiled from user headers for their types. */
void debuginfo_set_user(struct debuginfo *d);

/* ---- symbols ---- */

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

/* The architecture of D's code: registers, pointers and arguments of a 32-bit program differ from its kernel's. */
const struct arch *debuginfo_arch(const struct debuginfo *d);

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

/* Append the functions, or data, that match PATTERN (a name or a glob) to FOUND, sorted by name,
 * then address, including those with an obstacle. Several static symbols may have the same name,
 * and several names the same address. */
enum debuginfo_answer debuginfo_functions(struct debuginfo *d, const char *pattern,
					  struct symbols *found);
enum debuginfo_answer debuginfo_data(struct debuginfo *d, const char *pattern, struct symbols *found);
/* The function that contains a place: an offset from the anchor, or in a module's SECTION. */
enum debuginfo_answer debuginfo_symbol_at(struct debuginfo *d, const char *section, int64_t offset,
					  struct symbol *found);
/* A function with a name similar to NAME, for "did you mean"; NULL: none is similar. */
const char *debuginfo_suggest(struct debuginfo *d, const char *name);

/* Why the symbol cannot be probed, to follow "'NAME' "; NULL for OBSTACLE_NONE. */
const char *symbol_obstacle_text(enum symbol_obstacle obstacle);
enum symbol_clone symbol_clone(const char *name);
/* Length of the name without the compiler's suffixes. */
size_t symbol_base_length(const char *name);

/* Properties of the symbol table. False in a member: not known, rather than no. */
struct debuginfo_facts {
	const char *source;		/* "/boot/vmlinuz-6.1.0-56-amd64": the file that symbols are from */
	const char *lacks;		/* what the source does not have: "which functions ...";
					 * NULL: it has everything */
	bool ftrace_sites;		/* SYMBOL_FTRACE is valid */
	bool blacklist;			/* OBSTACLE_LISTED is valid */
	const uint8_t *build_id;
	uint32_t build_id_size;		/* 0: not known */
	/* Kernel: the place of its notes, to compare the build-id at load. Size 0: not known. */
	int64_t notes_offset;		/* from TAP_ANCHOR */
	uint64_t notes_size;
};
enum debuginfo_answer debuginfo_facts(struct debuginfo *d, struct debuginfo_facts *facts);

/* ---- tracepoints ---- */

struct tracepoint {
	const char *name;
	const char *system;		/* "sched"; NULL: not known */
	const char *module;		/* NULL: the kernel itself */
};
struct tracepoints { VEC(struct tracepoint) list; };

/* Append the tracepoints of an image whose names match PATTERN to FOUND, sorted by name. */
enum debuginfo_answer debuginfo_tracepoints(struct debuginfo *d, const char *pattern,
					    struct tracepoints *found);

/* A tracepoint with a name similar to NAME, or NULL. */
const char *debuginfo_suggest_tracepoint(struct debuginfo *d, const char *name);

/* ---- prototypes, from BTF ---- */

struct parameter {
	const char *name;		/* "" if BTF has no name */
	const char *type;		/* as C text: "struct file *" */
};

struct prototype {
	const char *name;
	const char *returns;		/* "void" if it returns nothing */
	bool is_variadic;
	VEC(struct parameter) parameters;
};

struct prototypes { VEC(struct prototype) list; };

/* Prototypes of functions that match PATTERN, sorted by name. A name of several functions with
 * different prototypes is missing: the kernel's build leaves it out. */
enum debuginfo_answer debuginfo_prototypes(struct debuginfo *d, const char *pattern,
					   struct prototypes *found);

#endif
