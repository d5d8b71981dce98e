/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are kept between runs: used only when whole. */
#ifndef TAPC_DEBUGINFO_KEPT_H
#define TAPC_DEBUGINFO_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "debuginfo/unpack.h"

struct kept_file {
	struct bytes content;		/* 16-byte aligned */
	void *data;
	size_t size;
};

/* Map PATH: false when it is not there, not ours, of another format, damaged or cut off. */
bool kept_open(struct kept_file *f, const char *path);
void kept_close(struct kept_file *f);
/* Write CONTENT as PATH, whole or not at all; false and errno. */
bool kept_save(const char *path, const void *content, size_t size);

#endif
