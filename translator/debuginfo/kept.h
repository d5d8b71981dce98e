/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are kept between runs; used only if undamaged. */
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

/* Map PATH: false if it does not exist, belongs to another user, has another format, or is damaged or truncated. */
bool kept_open(struct kept_file *f, const char *path);
void kept_close(struct kept_file *f);
/* Write CONTENT to PATH, completely or not at all; false and errno on failure. */
bool kept_save(const char *path, const void *content, size_t size);

#endif
