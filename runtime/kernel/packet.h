/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets: whether a struct sk_buff matches a filter (tap_packet_matches in tap_script.h). In any handler. */
#ifndef TAP_PACKET_H
#define TAP_PACKET_H

#include <linux/skbuff.h>

#include "session.h"

/* Copies the struct, so that the kernel's own functions can find headers in it. False: it cannot be read. */
bool tap_packet_copy(struct tap_context *c, struct sk_buff *to, s64 skb);
/* The address of the network header, and in *LEFT how many bytes of the linear part follow. 0: it is not known yet, or
 * not any more. */
unsigned long tap_packet_network(const struct sk_buff *skb, u32 *left);

#endif
