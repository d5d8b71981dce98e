/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image in memory: the kernel as boot loaders load it, unpacked, or a module's file. */
#ifndef TAPC_DEBUGINFO_IMAGE_H
#define TAPC_DEBUGINFO_IMAGE_H

#include <elf.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/unpack.h"

struct image_section {
	const char *name;
	uint64_t address, size;
	uint32_t type;
	uint64_t flags;			/* SHF_... */
	uint32_t link, info;
	uint64_t entry_size;
	struct bytes bytes;		/* size 0 for .bss and the like */
};

struct image {
	const char *path;
	struct bytes bytes;		/* owned */
	struct image_section *sections;	/* in the order of the file; NULL: a raw image */
	size_t section_count;
	/* A raw image has no sections: its first byte is at this address, once that is known. */
	uint64_t raw_base;
	/* Of a raw image whose pointers its loader fills in: Elf64_Rela of base-relative ones, sorted by address. */
	struct bytes relocations;
	uint16_t machine;		/* EM_... */
	bool is_narrow;			/* of 32 bits, see staging/elf_wide.h */
	bool is_relocatable;		/* a module */
};

/* Read PATH: ELF, packed ELF, or one of the boot formats (x86 bzImage, arm64 Image, EFI zboot).
 * ABSENT when there is no such file. Kernels have 64 bits; programs may have 32, and are ELF. */
enum debuginfo_answer image_open(struct arena *a, const char *path, struct image *image,
				 const char **reason);
enum debuginfo_answer image_open_program(struct arena *a, const char *path, struct image *image,
					 const char **reason);
/* The same of bytes of a program in memory, which IMAGE owns from then on, or which are gone. */
enum debuginfo_answer image_of_bytes(struct arena *a, const char *name, struct bytes bytes,
				     struct image *image, const char **reason);
void image_close(struct image *image);

/* The ELF header, and segment number I; false: there is none. */
bool image_header(const struct image *image, Elf64_Ehdr *h);
bool image_segment(const struct image *image, size_t i, Elf64_Phdr *segment);

const struct image_section *image_section(const struct image *image, const char *name);
/* SIZE bytes as they are at ADDRESS when the image is loaded; NULL when it does not hold them. */
const uint8_t *image_at(const struct image *image, uint64_t address, uint64_t size);

/* The pointer at ADDRESS when the image is loaded where it was linked for; 0: none is there. */
uint64_t image_pointer(const struct image *image, uint64_t address);
/* Of a raw image with relocations: *VALUE is the pointer AT bytes from its start, which leads to near its start.
 * Sets raw_base. False: there is no such pointer. */
bool image_place_raw(struct image *image, uint64_t at, uint64_t *value);

/* Addresses of the *N functions of a raw image that ftrace can hook; NULL: they are not found. */
uint64_t *image_patchable(struct arena *a, const struct image *image, size_t *n);

/* The kernel's notes, at *ADDRESS; size 0: they cannot be told. Of a raw image the one with the build-id. */
struct bytes image_notes(const struct image *image, uint64_t *address);

/* The kernel's or the module's BTF; size 0: it has none. */
struct bytes image_btf(const struct image *image);

/* The build-id in the notes at DATA; 0 when there is none. */
size_t notes_build_id(const struct bytes *notes, const uint8_t **build_id);
size_t image_build_id(const struct image *image, const uint8_t **build_id);

#endif
