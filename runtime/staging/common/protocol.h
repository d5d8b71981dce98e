/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol between tapd and its clients, over a SOCK_SEQPACKET socket. Each packet is a struct tapd_head
 * and its data. A connection is one request:
 *
 *	LOAD	struct tapd_load, then optionally the module's signature (64 bytes, ed25519). BYTES packets follow
 *		until the whole module has been sent.
 *	ATTACH	the name of a module whose session is not open.
 *	REMOVE	the name of a module whose session is over or detached, and belongs to the peer.
 *	ASK	no data: may the peer load any module? The answer is DONE, with the reason if not.
 *
 * Packets to the daemon carry no descriptors. A client could pass a file of its own file system (FUSE), and a
 * process that has received such a descriptor waits for that file system when it closes it, possibly forever
 * and deaf to kill -9. So the daemon gives the kernel no room for descriptors, and does not accept a packet
 * that has any.
 *
 * The daemon answers with any number of MESSAGE packets and then with SESSION (LOAD, ATTACH) or DONE. It may do
 * so before it has read the whole request; further packets then fail with EPIPE. SESSION carries two
 * descriptors: the module's control file, and its directory /proc/tap:NAME, whose other files belong to the
 * peer from now on. So everything that a session does, from starting it to formatting its output, is done by
 * the client with the client's rights; tapd checks, loads and unloads.
 *
 * When the client has finished with the session it sends END, and receives DONE when the module has been
 * unloaded. Or it sends DETACH, and receives DONE, and the session goes on without it. If the client
 * disconnects without either, the daemon stops the session and unloads the module. Numbers are in the machine's
 * byte order. */
#ifndef STAGING_PROTOCOL_H
#define STAGING_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/tap_version.h"
#include "module.h"

#define TAPD_SOCKET "/run/tapd.sock"
#define TAPD_MAGIC 0x64706174u		/* "tapd" */

enum tapd_kind {
	TAPD_LOAD = 1, TAPD_ATTACH, TAPD_REMOVE, TAPD_END, TAPD_DETACH, TAPD_BYTES, TAPD_ASK,	/* to the daemon */
	TAPD_MESSAGE = 64,	/* syslog's priority as a byte, then text without a newline */
	TAPD_SESSION,		/* struct tapd_session, with two descriptors */
	TAPD_DONE,		/* an enum tap_status as a byte */
};

enum { TAPD_RENAME = 1 };	/* with LOAD: load under another, unique name */

struct tapd_head {
	uint32_t magic;
	uint16_t version;
	uint8_t kind, flags;
};

enum { TAPD_SIGNATURE_SIZE = 64, TAPD_MOST = 8192, TAPD_PIECE = 8000 };	/* bytes of a packet, of one BYTES packet */

struct tapd_load {
	uint64_t size;			/* size of the module in bytes */
};

struct tapd_session {
	char name[MODULE_NAME_SIZE];	/* of the module, NUL-terminated */
	uint64_t memory;		/* the limits that were set; 0: no limit */
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
	uint32_t size;			/* of the data after the head; a NUL follows the data */
	int fds[2];			/* -1: none; the receiver closes them */
};

/* 0 or errno. FDS has COUNT descriptors, at most 2. */
int protocol_send(int socket, enum tapd_kind kind, unsigned flags, const void *data, uint32_t size,
		  const int *fds, unsigned count);
/* 0 or errno: ENOTCONN if the peer has gone, EPROTO if it sent garbage. */
int protocol_receive(int socket, struct tapd_packet *p);
/* How the daemon receives. Fails with EPROTO also for a packet with descriptors, which it leaves in the socket. */
int protocol_receive_plain(int socket, struct tapd_packet *p);
/* Accepts nothing more from the peer and discards the packets it has sent, up to the first one with
 * descriptors. True if no packet has descriptors, so that closing the socket waits for no file system. */
bool protocol_shut(int socket);
void protocol_close_fds(struct tapd_packet *p);

#endif
