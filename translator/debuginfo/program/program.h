/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries as images: all queries of debuginfo.h, place.h and type.h work on
 * them, and some more. The offset of a place or symbol is its address in the file, and there are no
 * sections; uprobes use offsets in the file: program_file_offset().
 *
 * Symbols come from .symtab, or else from the debug file's, or else from .gnu_debugdata, and from
 * .dynsym; DWARF comes from the file itself, or from its debug file: by build-id, by
 * .gnu_debuglink, or from a debuginfod server if DEBUGINFOD_URLS names one. */
#ifndef TAPC_DEBUGINFO_PROGRAM_H
#define TAPC_DEBUGINFO_PROGRAM_H

#include "debuginfo/debuginfo.h"
#include "base/location.h"

/* The file PATH, in the request's sysroot. Never NULL; if it cannot be read, the first query says
 * so. Closed with debuginfo_close(). */
struct debuginfo *debuginfo_program(struct arena *a, const struct debuginfo_request *request,
				    const char *path);

/* The path of the program NAME, including the sysroot: NAME itself if it has a slash, else found in PATH; NULL:
 * not found. A shared library ("libc.so.6", "libc.so.*", "libc") is searched where the loader would look. */
const char *program_find(struct arena *a, const struct debuginfo_request *request, const char *name);
/* ARCH: the architecture of the program that uses the library; NULL: that of the request, or else
 * of its 32-bit programs. */
const char *program_find_library(struct arena *a, const struct debuginfo_request *request, const char *name,
				 const struct arch *arch);
/* Is PATH an ELF file for programs of ARCH? */
bool program_is_of(const char *path, const struct arch *arch);

struct program_facts {
	const char *path;		/* including the sysroot */
	bool is_library;		/* no program interpreter and no entry: only mapped by other programs */
	bool is_fixed;			/* ET_EXEC: addresses are the same at run time */
	const char *debug_path;		/* the file with its DWARF; NULL: it has no DWARF */
	uint64_t tls_size, tls_align;	/* thread-local storage; 0: none */
};
enum debuginfo_answer program_facts(struct debuginfo *d, struct program_facts *facts);

/* Convert between addresses and offsets in the file by the program's segments; program_address
 * prefers an executable one. */
bool program_file_offset(struct debuginfo *d, uint64_t address, uint64_t *offset);
bool program_address(struct debuginfo *d, uint64_t offset, uint64_t *address);

/* Is the function at ADDRESS entered by a call, so that it has a return address that can be
 * replaced? False for the program's entry and for code that is reached by a jump. */
bool program_is_called(struct debuginfo *d, uint64_t address);

/* The lowest address of code, as linked: the kernel's start_code of the program. */
bool program_code_start(struct debuginfo *d, uint64_t *address);

/* Instructions for the dynamic loader. PATH: directories separated by colons, with $ORIGIN for the
 * directory of the file; NULL: only the default library directories. ABSENT: no libraries are needed. */
struct program_links {
	VEC(const char *) libraries;	/* "libc.so.6" */
	const char *path;
};
enum debuginfo_answer program_links(struct debuginfo *d, struct program_links *links);

/* The build-id and its offset in the file. False: the file has no build-id. */
bool program_build_id(struct debuginfo *d, const uint8_t **id, size_t *size, uint64_t *offset);

/* A demangled C++ or Rust name: "std::ostream::flush()"; NULL: not a mangled name, or the demangler
 * is not available (it is in libstdc++, which is loaded on first use). */
const char *program_demangle(struct arena *a, const char *name);

/* An entry for calls into another file. */
struct program_plt {
	const char *name;		/* the function that is called */
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
	uint64_t semaphore;		/* offset in the file of its two-byte use counter; 0: it has none */
	VEC(struct program_argument) arguments;
};
struct program_marks { VEC(struct program_mark) list; };
/* Markers that match both patterns (PROVIDER may be NULL), in file order. */
enum debuginfo_answer program_marks(struct debuginfo *d, const char *provider, const char *pattern,
				    struct program_marks *found);

#endif
