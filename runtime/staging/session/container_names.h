/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that Docker and Podman give to containers, which are in their files. */
#ifndef STAGING_CONTAINER_NAMES_H
#define STAGING_CONTAINER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { CONTAINER_ID_DIGITS = 64 };	/* hexadecimal, small letters */

struct container_names {
	char **ids;			/* of the containers with the name, which may have ended */
	size_t count;
	char *unreadable;		/* the first file that cannot be read, and why; NULL: none */
};

/* Whether the library that reads the files is there. */
bool container_names_supported(void);

/* Finds all containers NAME of root, or of the user who runs this. No file is not a problem. */
void container_names_find(struct container_names *found, const char *name);
void container_names_free(struct container_names *found);

/* Whether the N bytes of S are an ID. */
bool container_is_id(const char *s, size_t n);

#endif
