/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries as images: every question of debuginfo.h, place.h and type.h can be asked
 * of them, and some more. A place's and a symbol's offset is the address that the file gives it, and
 * there are no sections; uprobes count from the start of the file: program_file_offset().
 *
 * Symbols come from .symtab, else from the debug file's, else from .gnu_debugdata, and from .dynsym; DWARF
 * from the file itself, or from its debug file: by build-id, by .gnu_debuglink, or from a debuginfod
 * server when DEBUGINFOD_URLS names one. */
#ifndef TAPC_DEBUGINFO_PROGRAM_H
#define TAPC_DEBUGINFO_PROGRAM_H

#include "debuginfo/debuginfo.h"
#include "base/location.h"

/* The file PATH, below the request's sysroot. Never NULL; what cannot be read shows with the first
 * question. Closed with debuginfo_close(). */
struct debuginfo *debuginfo_program(struct arena *a, const struct debuginfo_request *request,
				    const char *path);

/* Where the program NAME is, with the sysroot: as it stands when it has a slash, else in PATH; NULL:
 * nowhere. A shared library ("libc.so.6", "libc.so.*", "libc"): where the loader would look. */
const char *program_find(struct arena *a, const struct debuginfo_request *request, const char *name);
/* ARCH: of the program that is to use it; NULL: the request's, or else of its 32-bit programs. */
const char *program_find_library(struct arena *a, const struct debuginfo_request *request, const char *name,
				 const struct arch *arch);
/* Is PATH an ELF file for programs of ARCH? */
bool program_is_of(const char *path, const struct arch *arch);

struct program_facts {
	const char *path;		/* with the sysroot */
	bool is_library;		/* no program interpreter, and no entry: only to be mapped by others */
	bool is_fixed;			/* ET_EXEC: addresses are those at run time */
	const char *debug_path;		/* what DWARF comes from; NULL: there is none */
	uint64_t tls_size, tls_align;	/* of the thread's storage; 0: none */
};
enum debuginfo_answer program_facts(struct debuginfo *d, struct program_facts *facts);

/* Between addresses and places in the file, as its segments have them: CODE: one that is executed. */
bool program_file_offset(struct debuginfo *d, uint64_t address, uint64_t *offset);
bool program_address(struct debuginfo *d, uint64_t offset, uint64_t *address);

/* Is the function at ADDRESS entered by a call, so that it has a return address to be replaced? False for the
 * program's entry and for what is jumped to. */
bool program_is_called(struct debuginfo *d, uint64_t address);

/* The lowest address of code: what the kernel calls a program's start_code, as linked. */
bool program_code_start(struct debuginfo *d, uint64_t *address);

/* What the dynamic loader is told. PATH: folders, with colons between and $ORIGIN for that of the file; NULL: only
 * where libraries are in general. ABSENT: there is nothing to load. */
struct program_links {
	VEC(const char *) libraries;	/* "libc.so.6" */
	const char *path;
};
enum debuginfo_answer program_links(struct debuginfo *d, struct program_links *links);

/* The build-id, and where in the file it is. False: there is none. */
bool program_build_id(struct debuginfo *d, const uint8_t **id, size_t *size, uint64_t *offset);

/* A C++ (or Rust) name as it is written: "std::ostream::flush()"; NULL: it is none, or nothing can tell (it
 * takes libstdc++, which is loaded when the first is asked for). */
const char *program_demangle(struct arena *a, const char *name);

/* A call into another file goes through here. */
struct program_plt {
	const char *name;		/* of the function that is called */
	uint64_t address, offset;	/* of the entry; offset: in the file */
};
struct program_plts { VEC(struct program_plt) list; };
enum debuginfo_answer program_plts(struct debuginfo *d, const char *pattern, struct program_plts *found);

/* An argument of a static marker (sys/sdt.h): "-4@%edi". */
struct program_argument {
	const char *text;
	uint8_t size;			/* bytes */
	bool is_signed, is_float;
	struct location location;	/* IS_VALUE: extended; IN_MEMORY: SIZE bytes are there */
};

struct program_mark {
	const char *provider, *name;
	uint64_t address, offset;	/* offset: in the file */
	uint64_t semaphore;		/* offset in the file of the counter of its users, two bytes; 0: none */
	VEC(struct program_argument) arguments;
};
struct program_marks { VEC(struct program_mark) list; };
/* Those that match both patterns (PROVIDER may be NULL), in the order of the file. */
enum debuginfo_answer program_marks(struct debuginfo *d, const char *provider, const char *pattern,
				    struct program_marks *found);

#endif
