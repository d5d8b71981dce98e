/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the files of a kernel are, and where what is read from them is kept between runs. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_FILES_H
#define TAPC_DEBUGINFO_SYMBOLS_FILES_H

#include "debuginfo/handle.h"

/* The first that exists of N FORMATS, where @ is the release, below the sysroot; NULL: none does. */
const char *first_file_of_release(struct debuginfo *d, const char *const *formats, size_t n);

/* Where the kernel's images are: packed, to boot; with debug information; with BTF only, for building
 * modules. NULL when there is none. */
const char *kernel_image_path(struct debuginfo *d);
const char *debug_image_path(struct debuginfo *d);
const char *headers_image_path(struct debuginfo *d);

/* The size and the bytes of the build-id of the kernel that runs; 0: it cannot be read. */
size_t running_kernel_build_id(struct debuginfo *d, const uint8_t **id);

/* Where WHAT of D is kept between runs; NULL without a cache. */
const char *debuginfo_kept_path(struct debuginfo *d, const char *what);
/* Where the BTF of the kernel's image is kept; NULL without a cache. */
const char *btf_kept_path(struct debuginfo *d);
void btf_keep(struct debuginfo *d, struct bytes btf);

#endif
