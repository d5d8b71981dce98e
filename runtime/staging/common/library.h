/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Libraries that few sessions need are loaded when they are needed: linked, each would cost every session memory and
 * time. For a library SQLite with the functions that are used,
 *
 *	#define SQLITE(X) X(sqlite3_exec) X(sqlite3_close)
 *	LIBRARY(sqlite, "libsqlite3.so.0", SQLITE)
 *
 * defines sqlite_load(), which is called before each use, looks for the library once, and returns false if it is not
 * there; and sqlite.sqlite3_exec and so on. A static taprun is linked with them. */
#ifndef STAGING_LIBRARY_H
#define STAGING_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the COUNT functions NAMES of the library FILE, and sets TO[i]. False: one is not there. */
bool library_load(const char *file, const char *const *names, size_t count, void *to);

#define LIBRARY_POINTER(function) __typeof__(&(function)) function;
#define LIBRARY_ADDRESS(function) function,
#define LIBRARY_NAME(function) #function,

/* The same, but never linked. */
#define LIBRARY_LOADED(name, file, functions) \
	static struct { functions(LIBRARY_POINTER) } name; \
	static bool name##_load(void) \
	{ \
		static const char *const names[] = { functions(LIBRARY_NAME) }; \
		static enum { UNKNOWN, MISSING, LOADED } state; \
		if (state == UNKNOWN) \
			state = library_load(file, names, sizeof(names) / sizeof(*names), &(name)) ? LOADED : MISSING; \
		return state == LOADED; \
	}

#ifdef LIBRARIES_LINKED
#define LIBRARY(name, file, functions) \
	static const struct { functions(LIBRARY_POINTER) } name = { functions(LIBRARY_ADDRESS) }; \
	static bool name##_load(void) { return true; }
#else
#define LIBRARY LIBRARY_LOADED
#endif

#endif
