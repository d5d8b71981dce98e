/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that the editor has open, and positions in them: the protocol counts lines and UTF-16 units from 0, the
 * translator bytes. */
#ifndef TAPC_SERVER_DOCUMENT_H
#define TAPC_SERVER_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/arena.h"

/* A text with the offsets of its lines. */
struct lines {
	const char *text;
	size_t size;
	uint32_t *starts;		/* malloc */
	size_t n;
};

struct document {
	struct document *next;
	char *uri, *path;		/* malloc; path: for messages, the URI if it is not that of a file */
	struct lines lines;		/* their text is malloc */
	json_int_t version;
	bool has_version;
	bool is_dirty;			/* its diagnostics have not been sent */
	struct timespec changed;	/* when, CLOCK_MONOTONIC */
};

/* The open document of this URI, or NULL. */
struct document *document_find(struct document *list, const char *uri);
/* Adds an empty document to LIST, or empties it. */
struct document *document_open(struct document **list, const char *uri);
void document_set(struct document *d, const char *text, size_t size);
/* Applies one element of contentChanges; false if it is not valid. */
bool document_change(struct document *d, const json_t *change);
void document_close(struct document **list, struct document *d);

/* The lines of a text that outlives them. */
void lines_open(struct lines *l, const char *text, size_t size);
void lines_close(struct lines *l);
/* The offset of a Position; after the end of a line that is shorter, the line's end. False if it is not a position. */
bool lines_offset(const struct lines *l, const json_t *position, uint32_t *offset);
json_t *lines_position(const struct lines *l, uint32_t offset);
json_t *lines_range(const struct lines *l, uint32_t start, uint32_t end);

/* "/a b" for "file:///a%20b"; NULL: not a file of this machine. */
char *uri_path(const char *uri);
const char *path_uri(struct arena *a, const char *path);

#endif
