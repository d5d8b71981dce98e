/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of an image: the kernel or one of its modules.
 *
 * A handle is opened for a target and asked questions; behind it is a chain of back ends (symbol
 * tables, BTF) that open when a question first needs them. Every answer is one of
 *
 *	FOUND	here it is;
 *	ABSENT	there is no such thing, or nothing that could tell: not an error by itself;
 *	BROKEN	something is there that should tell and is damaged or contradicts itself;
 *
 * and after ABSENT or BROKEN debuginfo_reason() says why, in one line fit to be a note. Nothing here
 * prints or exits. Usable without a script. */
#ifndef TAPC_DEBUGINFO_H
#define TAPC_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct arch;

/* Places in the kernel are kept as the distance from this function, never as an address: the module
 * loader resolves it (it is exported), and so the distance holds under KASLR. The runtime
 * (kernel/compat.h) subtracts from the same one. */
#define TAP_ANCHOR "register_kprobe"

enum debuginfo_answer { DEBUGINFO_FOUND, DEBUGINFO_ABSENT, DEBUGINFO_BROKEN };

struct debuginfo;

struct debuginfo_request {
	const char *release;		/* "6.1.0-56-amd64" */
	const char *sysroot;		/* where the target's files are; "" or NULL: / */
	const char *path;		/* folders of the target's programs; NULL: PATH */
	const struct arch *arch;	/* NULL: this machine's */
	bool is_running_kernel;		/* /proc and /sys of this machine speak of it */
	const char *cache;		/* a directory of ours for indexes; made when it is not there. NULL:
					 * everything is read anew */
	/* Called before work that takes long: "reading the symbols of ...". May be NULL. */
	void (*progress)(void *data, const char *what);
	void *progress_data;
	/* Called with each file that answers depend on, also with one that is not there. May be NULL. */
	void (*uses)(void *data, const char *path);
	void *uses_data;
};

/* ---- handles ---- */

/* The kernel proper. Never NULL; what cannot be read shows with the first question. Texts and arrays
 * in answers live in A or in the handle, so close it last. */
struct debuginfo *debuginfo_kernel(struct arena *a, const struct debuginfo_request *request);
/* A module of KERNEL by name, where '-' and '_' are the same, or by the path of its file. Closed with the kernel's handle, which
 * remembers it: the second call costs nothing. NULL, with the kernel's debuginfo_reason(), when
 * there is no such module. */
struct debuginfo *debuginfo_module(struct debuginfo *kernel, const char *name);
void debuginfo_close(struct debuginfo *kernel);

/* Why the last question to D was not answered with FOUND; "" after FOUND. */
const char *debuginfo_reason(const struct debuginfo *d);
/* The module's name with '_'; NULL for the kernel. */
const char *debuginfo_module_name(const struct debuginfo *d);

struct module_names { VEC(const char *) list; };
/* Names (with '_') of the modules that match PATTERN, sorted: those in modules.dep, and for the
 * running kernel those that are loaded from elsewhere. Of a module's path the path. */
enum debuginfo_answer debuginfo_modules(struct debuginfo *kernel, const char *pattern,
					struct module_names *found);

/* Is D of programs, so that what its types describe lies in a process's memory, not the kernel's? */
bool debuginfo_is_user(const struct debuginfo *d);
/* D is an object that was compiled from user headers, for their types. */
void debuginfo_set_user(struct debuginfo *d);

/* ---- symbols ---- */

enum symbol_flags {
	SYMBOL_FUNCTION = 1 << 0,
	SYMBOL_DATA = 1 << 1,		/* or a name of the linker script's for a place */
	SYMBOL_GLOBAL = 1 << 2,
	SYMBOL_WEAK = 1 << 3,
	SYMBOL_PERCPU = 1 << 4,		/* data: the CPU's distance is to be added */
	SYMBOL_FTRACE = 1 << 5,		/* the compiler left a call for ftrace at its entry */
	SYMBOL_ABSOLUTE = 1 << 6,	/* address and offset are a number that is never relocated */
	SYMBOL_CHOOSER = 1 << 7,	/* it returns the function that the name stands for (IFUNC) */
};

/* What forbids to put a probe on a symbol. */
enum symbol_obstacle {
	OBSTACLE_NONE,
	OBSTACLE_DATA,			/* no code */
	OBSTACLE_INIT,			/* __init: runs once, and then its memory is given back */
	OBSTACLE_EXIT,			/* __exit of something built in: thrown away at boot */
	OBSTACLE_PADDING,		/* __pfx_, __cfi_: bytes before a function, never executed */
	OBSTACLE_NOINSTR,		/* noinstr */
	OBSTACLE_KPROBES,		/* __kprobes */
	OBSTACLE_ENTRY,			/* entry code of exceptions and system calls */
	OBSTACLE_LISTED,		/* NOKPROBE_SYMBOL */
};

/* What registers, pointers and arguments are like there: of a program for 32 bits not as in its kernel. */
const struct arch *debuginfo_arch(const struct debuginfo *d);

/* Copies that the compiler makes of a function: the name goes on after a dot. */
enum symbol_clone {
	CLONE_NONE,
	CLONE_ISRA,			/* parameters were removed or changed: arguments unknown */
	CLONE_CONSTPROP,		/* parameters that are constant were removed */
	CLONE_PART,			/* a part of the body: no entry of the function */
	CLONE_COLD,			/* the unlikely part of the body: no entry */
	CLONE_LLVM,			/* .llvm.HASH: renamed only */
	CLONE_LTO,			/* .lto_priv: renamed only */
	CLONE_OTHER,
};

struct symbol {
	const char *name;
	const char *module;		/* NULL: the kernel proper */
	const char *section;		/* module: offset counts from its start; NULL in the kernel */
	int64_t offset;			/* kernel: from TAP_ANCHOR */
	uint64_t address;		/* as linked; to compare inside of one image */
	uint64_t size;			/* up to the next symbol, where the table has no sizes */
	uint32_t flags;			/* SYMBOL_... */
	uint32_t site;			/* with SYMBOL_FTRACE: of the call, bytes into the function; 0 also
					 * where the running kernel tells names only */
	enum symbol_obstacle obstacle;
	enum symbol_clone clone;
};

struct symbols { VEC(struct symbol) list; };

/* Add the functions, or data, that match PATTERN (a name or a glob) to FOUND, sorted by name, then
 * address: all of them, also those with an obstacle. A static name may be there many times, and
 * several names may have one address. */
enum debuginfo_answer debuginfo_functions(struct debuginfo *d, const char *pattern,
					  struct symbols *found);
enum debuginfo_answer debuginfo_data(struct debuginfo *d, const char *pattern, struct symbols *found);
/* The function that a place is in: an offset from the anchor, or into a module's SECTION. */
enum debuginfo_answer debuginfo_symbol_at(struct debuginfo *d, const char *section, int64_t offset,
					  struct symbol *found);
/* A function whose name is near to NAME, for "did you mean"; NULL when there is none. */
const char *debuginfo_suggest(struct debuginfo *d, const char *name);

/* Why no probe can be there, to go on after "'NAME' "; NULL for OBSTACLE_NONE. */
const char *symbol_obstacle_text(enum symbol_obstacle obstacle);
enum symbol_clone symbol_clone(const char *name);
/* Length of the name without the compiler's suffixes. */
size_t symbol_base_length(const char *name);

/* What the symbol table can tell. False in a member: it is not known, not that there are none. */
struct debuginfo_facts {
	const char *source;		/* "/boot/vmlinuz-6.1.0-56-amd64": where symbols come from */
	const char *lacks;		/* what the source does not tell: "which functions ..."; NULL:
					 * nothing */
	bool ftrace_sites;		/* SYMBOL_FTRACE means something */
	bool blacklist;			/* OBSTACLE_LISTED means something */
	const uint8_t *build_id;
	uint32_t build_id_size;		/* 0: not known */
	/* Kernel: where its notes are, to compare the build-id at load. Size 0: not known. */
	int64_t notes_offset;		/* from TAP_ANCHOR */
	uint64_t notes_size;
};
enum debuginfo_answer debuginfo_facts(struct debuginfo *d, struct debuginfo_facts *facts);

/* ---- tracepoints ---- */

struct tracepoint {
	const char *name;
	const char *system;		/* "sched"; NULL: not known */
	const char *module;		/* NULL: the kernel proper */
};
struct tracepoints { VEC(struct tracepoint) list; };

/* Add the tracepoints of an image whose names match PATTERN to FOUND, sorted by name. */
enum debuginfo_answer debuginfo_tracepoints(struct debuginfo *d, const char *pattern,
					    struct tracepoints *found);

/* One whose name is near to NAME, or NULL. */
const char *debuginfo_suggest_tracepoint(struct debuginfo *d, const char *name);

/* ---- prototypes, from BTF ---- */

struct parameter {
	const char *name;		/* "" where BTF has none */
	const char *type;		/* as C text: "struct file *" */
};

struct prototype {
	const char *name;
	const char *returns;		/* "void" when nothing */
	bool is_variadic;
	VEC(struct parameter) parameters;
};

struct prototypes { VEC(struct prototype) list; };

/* Prototypes of functions that match PATTERN, sorted by name. A name that stands for functions with
 * different prototypes is not there: the kernel's build leaves it out. */
enum debuginfo_answer debuginfo_prototypes(struct debuginfo *d, const char *pattern,
					   struct prototypes *found);

#endif
