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
	/* the same for a file of TOTAL bytes from a server; TOTAL 0: over */
	void (*fetched)(void *data, size_t done, size_t total);
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
/* A program or shared library: the file PATH, in the request's sysroot; see program/program.h. Never NULL; if it cannot
 * be read, the first query says so. Closed with debuginfo_close(). */
struct debuginfo *debuginfo_program(struct arena *a, const struct debuginfo_request *request,
				    const char *path);
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
/* The architecture of D's code: registers, pointers and arguments of a 32-bit program differ from its kernel's. */
const struct arch *debuginfo_arch(const struct debuginfo *d);

#endif
