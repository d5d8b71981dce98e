/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ways of packets through the kernel's functions: which struct sk_buff are followed, and what they are now. For
 * tapset functions, in any handler. */
#ifndef TAP_PACKETPATH_H
#define TAP_PACKETPATH_H

#include "session.h"

/* The number of a packet that is followed; 0: it is not. */
s64 tap_packetpath_number(s64 skb);
/* Follows a packet from now on. Returns its number, from 1. */
s64 tap_packetpath_follow(s64 skb);
/* TO is a copy of FROM. Returns its number; 0: FROM is not followed, or TO is NULL or an error. */
s64 tap_packetpath_copied(s64 from, s64 to);
/* The struct is freed. */
void tap_packetpath_forget(s64 skb);
/* ns since the packet, or the one that it is a copy of, was first followed. */
s64 tap_packetpath_ns(s64 skb);
/* How many were not followed to their ends, as there were too many at once. */
s64 tap_packetpath_lost(void);

/* "10.1.0.2:4000 > 10.1.0.1:80 TCP", from the current headers; empty: they are not known. */
struct tap_string tap_packetpath_text(struct tap_context *c, s64 skb);
/* The name of the device; empty: it has none. */
struct tap_string tap_packetpath_device(struct tap_context *c, s64 skb);
/* The inode number of the network namespace of the device, or of the socket; 0: not known. */
s64 tap_packetpath_netns(struct tap_context *c, s64 skb);

/* The argument that .takes() selected; 0 at other probes. */
s64 tap_packetpath_taken(struct tap_context *c);

#endif
