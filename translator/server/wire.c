/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The base protocol of the Language Server Protocol 3.17: a header of lines "Name: value" that end in CR LF, an empty
 * line, and a body of Content-Length bytes. Neither reading nor writing waits: the server polls, and writes only what
 * the peer takes. */
#include "wire.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fatal.h"

enum { LONGEST_HEADER = 4096, PIECE = 64 << 10 };

static void reserve(struct bytes *b, size_t n)
{
	size_t room = b->room ? b->room : PIECE;

	while (room - b->n < n)
		room *= 2;
	if (room == b->room)
		return;
	b->s = realloc(b->s, room);
	if (!b->s)
		fatal("out of memory: a request of %zu bytes", room);
	b->room = room;
}

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	reserve(b, n);
	memcpy(b->s + b->n, data, n);
	b->n += n;
}

static void remove_first(struct bytes *b, size_t n)
{
	memmove(b->s, b->s + n, b->n - n);
	b->n -= n;
	if (!b->n && b->room > PIECE) {
		free(b->s);
		*b = (struct bytes){ 0 };
	}
}

void wire_open(struct wire *w, int in, int out)
{
	*w = (struct wire){ .in = in, .out = out, .out_flags = fcntl(out, F_GETFL) };
	fcntl(out, F_SETFL, w->out_flags | O_NONBLOCK);
}

void wire_close(struct wire *w)
{
	fcntl(w->out, F_SETFL, w->out_flags);
	free(w->received.s);
	free(w->unsent.s);
}

/* ---- input ---- */

/* Drops bytes of a message that is too large. */
static void skip(struct wire *w)
{
	size_t n = w->received.n < w->skip ? w->received.n : w->skip;

	if (n)
		remove_first(&w->received, n);
	w->skip -= n;
}

void wire_receive(struct wire *w)
{
	ssize_t n;

	if (w->taken)
		remove_first(&w->received, w->taken);
	w->taken = 0;
	reserve(&w->received, PIECE);
	n = read(w->in, w->received.s + w->received.n, PIECE);
	if (n > 0)
		w->received.n += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		w->ended = true;
	skip(w);
}

/* The end of the header, after its empty line; NULL: it is not complete. */
static const char *header_end(const char *p, size_t n)
{
	const char *end = n ? memmem(p, n < LONGEST_HEADER ? n : LONGEST_HEADER, "\r\n\r\n", 4) : NULL;

	return end ? end + 4 : NULL;
}

static const char name[] = "content-length:";

static bool line_length(const char *line, size_t n, uint64_t *length)
{
	const char *p = line + sizeof(name) - 1, *end = line + n;

	if (n < sizeof(name) - 1 || strncasecmp(line, name, sizeof(name) - 1) != 0)
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (p == end || end - p > 18)
		return false;
	for (*length = 0; p < end; p++) {
		if (!isdigit((unsigned char)*p))
			return false;
		*length = *length * 10 + (uint64_t)(*p - '0');
	}
	return true;
}

static bool content_length(const char *p, const char *end, uint64_t *length)
{
	bool found = false;

	while (p < end) {
		const char *line_end = memmem(p, (size_t)(end - p), "\r\n", 2);

		found |= line_length(p, (size_t)(line_end - p), length);
		p = line_end + 2;
	}
	return found;
}

/* The length in the header before was wrong, and this is the rest of its body with the next header: where that begins.
 * Without one, END. */
static const char *next_header(const char *p, const char *end)
{
	for (p++; (size_t)(end - p) > strlen(name); p++)
		if (strncasecmp(p, name, strlen(name)) == 0)
			return p;
	return end;
}

enum wire_event wire_next(struct wire *w, const char **text, size_t *size)
{
	const char *p = w->received.s + w->taken, *body;
	size_t n = w->received.n - w->taken;
	uint64_t length;

	if (w->skip)
		return WIRE_NOTHING;
	body = header_end(p, n);
	if (!body && n < LONGEST_HEADER)
		return WIRE_NOTHING;
	if (!body) {			/* not a header at all */
		w->taken += n;
		return WIRE_BAD_HEADER;
	}
	if (!content_length(p, body, &length)) {
		w->taken += (size_t)(next_header(p, body) - p);
		return WIRE_BAD_HEADER;
	}
	n -= (size_t)(body - p);
	if (length > WIRE_LARGEST) {
		w->taken += (size_t)(body - p);
		w->skip = length;
		remove_first(&w->received, w->taken);
		w->taken = 0;
		skip(w);
		return WIRE_TOO_LARGE;
	}
	if (n < length)
		return WIRE_NOTHING;
	*text = body;
	*size = length;
	w->taken += (size_t)(body - p) + length;
	return WIRE_MESSAGE;
}

/* ---- output ---- */

void wire_send(struct wire *w, const char *text, size_t size)
{
	char header[64];

	if (w->broken)
		return;
	bytes_add(&w->unsent, header, (size_t)snprintf(header, sizeof(header), "Content-Length: %zu\r\n\r\n", size));
	bytes_add(&w->unsent, text, size);
}

void wire_flush(struct wire *w)
{
	while (w->unsent.n && !w->broken) {
		ssize_t n = write(w->out, w->unsent.s, w->unsent.n);

		if (n > 0)
			remove_first(&w->unsent, (size_t)n);
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			w->broken = true;
	}
}
