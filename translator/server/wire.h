/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The base protocol: messages with a header, over a pair of descriptors. */
#ifndef TAPC_SERVER_WIRE_H
#define TAPC_SERVER_WIRE_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
	char *s;			/* malloc */
	size_t n, room;
};

void bytes_add(struct bytes *b, const void *data, size_t n);

/* Larger messages are skipped. */
enum { WIRE_LARGEST = 64 << 20 };

struct wire {
	int in, out;
	struct bytes received, unsent;
	size_t taken;			/* bytes of RECEIVED that belong to messages returned before */
	size_t skip;			/* bytes of a message that is too large, still to come */
	int out_flags;			/* of its file, to be restored: it may be a terminal */
	bool ended, broken;		/* end of input; the peer no longer reads */
};

enum wire_event {
	WIRE_NOTHING,			/* no complete message */
	WIRE_MESSAGE,
	WIRE_BAD_HEADER,		/* no valid length: the header is skipped */
	WIRE_TOO_LARGE,			/* the message is skipped */
};

void wire_open(struct wire *w, int in, int out);
void wire_close(struct wire *w);
/* Reads what has arrived, after poll(2). */
void wire_receive(struct wire *w);
/* Takes the next message. *TEXT is valid until the next call of wire_receive. */
enum wire_event wire_next(struct wire *w, const char **text, size_t *size);
/* Adds a message to the output; wire_flush writes as much of it as the peer accepts without waiting. */
void wire_send(struct wire *w, const char *text, size_t size);
void wire_flush(struct wire *w);

#endif
