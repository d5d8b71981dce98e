/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What passes between tapd and its clients, over a socket of whole packets (SOCK_SEQPACKET): each packet
 * is one struct tapd_head and what follows it. A connection is one request:
 *
 *	LOAD	struct tapd_load, then nothing or the module's signature (64 bytes, ed25519). BYTES packets
 *		follow, until all of the module has been sent.
 *	ATTACH	the rest is a module's name: its session, which nobody has open.
 *	REMOVE	the same; the session must be over, or detached, and the peer's own.
 *
 * No packet to the daemon carries a descriptor. A client may pass a file of his own file system, and whoever
 * has received that waits for this file system when he closes it, for ever if it likes, and kill -9 does not
 * help. So the daemon gives the kernel no room for descriptors, and does not take a packet that has some.
 *
 * The daemon answers with any number of MESSAGEs and then with SESSION (LOAD, ATTACH) or DONE. It may do so
 * before it has read what was sent: then further packets are met with EPIPE. SESSION
 * carries two descriptors: the module's file control, and its directory /proc/tap:NAME, whose other
 * files are the peer's from now on. So everything that a session does, from starting it to formatting
 * what it prints, is done by the client with the client's rights; tapd checks, loads and unloads.
 *
 * When the client is done with the session it sends END, and gets DONE when the module is unloaded, or
 * DETACH, and gets DONE when the session goes on without it. When it goes away without a word, the
 * daemon stops the session and unloads the module. Numbers are in the machine's byte order. */
#ifndef STAGING_PROTOCOL_H
#define STAGING_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "module.h"

#define TAPD_SOCKET "/run/tapd.sock"
#define TAPD_MAGIC 0x64706174u		/* "tapd" */
#define TAPD_VERSION 2

enum tapd_kind {
	TAPD_LOAD = 1, TAPD_ATTACH, TAPD_REMOVE, TAPD_END, TAPD_DETACH, TAPD_BYTES,	/* to the daemon */
	TAPD_MESSAGE = 64,	/* syslog's priority as a byte, then text without a newline */
	TAPD_SESSION,		/* struct tapd_session, with two descriptors */
	TAPD_DONE,		/* an enum tap_status as a byte */
};

enum { TAPD_RENAME = 1 };	/* with LOAD: under another, unique name */

struct tapd_head {
	uint32_t magic;
	uint16_t version;
	uint8_t kind, flags;
};

enum { TAPD_SIGNATURE_SIZE = 64, TAPD_MOST = 8192, TAPD_PIECE = 8000 };	/* bytes: of a packet, of one of BYTES */

struct tapd_load {
	uint64_t size;			/* of the module, in bytes */
};

struct tapd_session {
	char name[MODULE_NAME_SIZE];	/* the module's, with a NUL */
	uint64_t memory;		/* the limits that were set, 0: none */
	uint32_t seconds, reserved;
};

/* ---- sending and receiving, for both sides ---- */

struct tapd_packet {
	struct tapd_head head;
	union {
		char text[TAPD_MOST];
		struct tapd_load load;
		struct tapd_session session;
	};
	uint32_t size;			/* of what follows the head; a NUL is behind it */
	int fds[2];			/* -1: none; the receiver's */
};

/* 0 or errno. FDS: COUNT of them, at most 2. */
int protocol_send(int socket, enum tapd_kind kind, unsigned flags, const void *data, uint32_t size,
		  const int *fds, unsigned count);
/* 0 or errno: ENOTCONN when the other side has gone, EPROTO when it sends nonsense. */
int protocol_receive(int socket, struct tapd_packet *p);
/* The daemon's way of receiving: EPROTO, too, for a packet with descriptors, which stays where it is. */
int protocol_receive_plain(int socket, struct tapd_packet *p);
/* Nothing more is taken from the other side, and what it has sent is thrown away, up to the first packet with
 * descriptors. True: there is none, so closing the socket waits for nobody. */
bool protocol_shut(int socket);
void protocol_close_fds(struct tapd_packet *p);

#endif
