/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths of a kernel's files, and of the data that is read from them and kept between runs. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_FILES_H
#define TAPC_DEBUGINFO_SYMBOLS_FILES_H

#include "debuginfo/handle.h"

/* The first existing path of N FORMATS, in which @ is the release, in the sysroot; NULL: none exists. */
const char *first_file_of_release(struct debuginfo *d, const char *const *formats, size_t n);

/* The kernel's images: the packed one that is booted; the one with debug information; the one for
 * building modules, with BTF only. NULL if it does not exist. */
const char *kernel_image_path(struct debuginfo *d);
const char *debug_image_path(struct debuginfo *d);
const char *headers_image_path(struct debuginfo *d);

/* The build-id of the running kernel, and its size; 0: it cannot be read. */
size_t running_kernel_build_id(struct debuginfo *d, const uint8_t **id);

/* The path of the kept WHAT of D; NULL without a cache. */
const char *debuginfo_kept_path(struct debuginfo *d, const char *what);
/* The path of the kept BTF of the kernel's image; NULL without a cache. */
const char *btf_kept_path(struct debuginfo *d);
void btf_keep(struct debuginfo *d, struct bytes btf);

#endif
