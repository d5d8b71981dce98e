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
	struct bytes bytes;		/* size 0 for .bss and similar sections */
};

struct image {
	const char *path;
	struct bytes bytes;		/* owned */
	struct image_section *sections;	/* in file order; NULL: a raw image */
	size_t section_count;
	/* A raw image has no sections: this is the address of its first byte, once known. */
	uint64_t raw_base;
	/* Relocations of a raw image whose pointers are filled in by its loader: base-relative
	 * Elf64_Rela, sorted by address. */
	struct bytes relocations;
	uint16_t machine;		/* EM_... */
	bool is_narrow;			/* 32-bit, see staging/elf_wide.h */
	bool is_relocatable;		/* a module */
};

/* Read PATH: ELF, packed ELF, or one of the boot formats (x86 bzImage, arm64 Image, EFI zboot).
 * ABSENT if the file does not exist. Kernels are 64-bit ELF; programs are 32-bit or 64-bit ELF. */
enum debuginfo_answer image_open(struct arena *a, const char *path, struct image *image,
				 const char **reason);
enum debuginfo_answer image_open_program(struct arena *a, const char *path, struct image *image,
					 const char **reason);
/* The same for a program's bytes in memory. IMAGE takes ownership of them, and releases them on failure. */
enum debuginfo_answer image_of_bytes(struct arena *a, const char *name, struct bytes bytes,
				     struct image *image, const char **reason);
void image_close(struct image *image);

/* The ELF header, and segment number I; false: it does not exist. */
bool image_header(const struct image *image, Elf64_Ehdr *h);
bool image_segment(const struct image *image, size_t i, Elf64_Phdr *segment);

const struct image_section *image_section(const struct image *image, const char *name);
/* The SIZE bytes that are at ADDRESS when the image is loaded; NULL: the image does not contain them. */
const uint8_t *image_at(const struct image *image, uint64_t address, uint64_t size);

/* The pointer at ADDRESS in an image that is loaded at its link address; 0: no pointer is there. */
uint64_t image_pointer(const struct image *image, uint64_t address);
/* For a raw image with relocations: find the pointer that is AT bytes from the start and points
 * near the start, return it in *VALUE and set raw_base. False: no such pointer was found. */
bool image_place_raw(struct image *image, uint64_t at, uint64_t *value);

/* Addresses of the *N functions of a raw image that ftrace can hook; NULL: not found. */
uint64_t *image_patchable(struct arena *a, const struct image *image, size_t *n);

/* The kernel's notes, with their address in *ADDRESS; size 0: not found. For a raw image, only the
 * note with the build-id. */
struct bytes image_notes(const struct image *image, uint64_t *address);

/* The BTF of the kernel or module; size 0: it has no BTF. */
struct bytes image_btf(const struct image *image);

/* The build-id in NOTES; returns its size, 0: no build-id was found. */
size_t notes_build_id(const struct bytes *notes, const uint8_t **build_id);
size_t image_build_id(const struct image *image, const uint8_t **build_id);

#endif
