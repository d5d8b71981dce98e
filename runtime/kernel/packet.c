// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets and filters: a struct sk_buff is copied, and its bytes are read by no-fault copies.
 *
 * A filter is for packets on Ethernet. On the way through the kernel a packet often has no link layer header, or one of
 * its last link, so the filter reads one that is made: the addresses are those of the header that precedes the network
 * header, if it is there, and otherwise 0; the type is that of the packet. After it come the packet's bytes from the
 * network header on, in the linear part and in pages (not those of a fragment list). */
#include "packet.h"

#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/mm.h>

#include "compat.h"
#include "context.h"
#include "core/filter.h"
#include "memory.h"

enum {
	TAG = 4,			/* bytes of a VLAN tag */
	HEAD = 128,			/* bytes that are read at once: what most filters need */
};

struct packet {
	struct tap_filter_packet filter;
	struct tap_context *c;
	struct sk_buff skb;		/* a copy */
	unsigned long network;
	u32 made;			/* bytes of the link layer header in HEAD */
	u32 linear;			/* bytes after the network header in the linear part */
	u32 head_size;
	u8 head[HEAD];
};

bool tap_packet_copy(struct tap_context *c, struct sk_buff *to, s64 skb)
{
	return skb && tap_memory_copy(c, to, skb, sizeof(*to), false);
}

unsigned long tap_packet_network(const struct sk_buff *skb, u32 *left)
{
	unsigned long head = (unsigned long)skb->head, tail = (unsigned long)skb_tail_pointer(skb), at;

	if (skb->network_header)
		at = head + skb->network_header;
	else if (skb_mac_header_was_set(skb))	/* a driver has passed it on */
		at = (unsigned long)skb->data;
	else
		return 0;
	if (!head || at < head || at >= tail || skb->data_len > skb->len)
		return 0;
	*left = tail - at;
	return at;
}

/* ---- bytes ---- */

/* AT: bytes after the linear part. */
static bool packet_read_pages(const struct packet *p, u32 at, u8 *to, u32 size)
{
	unsigned long shared = (unsigned long)skb_shinfo(&p->skb), start;
	u8 count;

	if (at + size > p->skb.data_len ||
	    !tap_memory_copy(p->c, &count, shared + offsetof(struct skb_shared_info, nr_frags), 1, false))
		return false;
	for (u32 i = 0; i < count && i < MAX_SKB_FRAGS && size; i++) {
		skb_frag_t one;
		u32 part;

		start = shared + offsetof(struct skb_shared_info, frags[i]);
		if (!tap_memory_copy(p->c, &one, start, sizeof(one), false))
			return false;
		if (at >= skb_frag_size(&one)) {
			at -= skb_frag_size(&one);
			continue;
		}
		part = min(size, skb_frag_size(&one) - at);
		start = (unsigned long)skb_frag_address_safe(&one);
		if (!start || !tap_memory_copy(p->c, to, start + at, part, false))
			return false;
		to += part;
		size -= part;
		at = 0;
	}
	return !size;
}

static bool packet_read(const struct tap_filter_packet *filter, u32 at, u8 *to, u32 size)
{
	const struct packet *p = container_of(filter, struct packet, filter);
	u32 part;

	if (at > INT_MAX)
		return false;
	if (at + size <= p->head_size) {
		memcpy(to, p->head + at, size);
		return true;
	}
	if (at < p->made) {
		memcpy(to, p->head + at, p->made - at);
		to += p->made - at;
		size -= p->made - at;
		at = p->made;
	}
	at -= p->made;
	part = at < p->linear ? min(size, p->linear - at) : 0;
	if (part && !tap_memory_copy(p->c, to, p->network + at, part, false))
		return false;
	return part == size || packet_read_pages(p, at + part - p->linear, to + part, size - part);
}

/* ---- the link layer header ---- */

/* The type that belongs to the network header. 0: the bytes there are no such header. */
static u16 packet_type(const struct packet *p)
{
	u8 version = 0;
	u16 type = be16_to_cpu(p->skb.protocol);

	if (!tap_memory_copy(p->c, &version, p->network, 1, false))
		return 0;
	version >>= 4;
	if (!type)
		type = version == 4 ? ETH_P_IP : version == 6 ? ETH_P_IPV6 : 0;
	return (type == ETH_P_IP && version != 4) || (type == ETH_P_IPV6 && version != 6) ? 0 : type;
}

static void packet_put(struct packet *p, u16 value)
{
	p->head[p->made++] = value >> 8;
	p->head[p->made++] = value;
}

/* False: it cannot be read. */
static bool packet_make_link(struct packet *p, bool sees_tags)
{
	long distance = p->network - (unsigned long)p->skb.head - p->skb.mac_header;
	u16 type = packet_type(p);

	if (!type)
		return false;
	if (skb_mac_header_was_set(&p->skb) && distance >= ETH_HLEN && distance <= ETH_HLEN + 2 * TAG &&
	    !tap_memory_copy(p->c, p->head, (unsigned long)p->skb.head + p->skb.mac_header, 2 * ETH_ALEN, false))
		return false;
	p->made = 2 * ETH_ALEN;
	if (sees_tags && skb_vlan_tag_present(&p->skb)) {
		packet_put(p, be16_to_cpu(p->skb.vlan_proto));
		packet_put(p, skb_vlan_tag_get(&p->skb));
	}
	packet_put(p, type);
	return true;
}

bool tap_packet_matches(struct tap_context *c, const struct tap_filter *filter, s64 skb)
{
	char *top = c->scratch;
	struct packet *p = tap_scratch(c, sizeof(*p));
	bool matches = false;
	u32 first;

	if (!p)
		return false;
	memset(p, 0, sizeof(*p));
	p->c = c;
	p->filter.read = packet_read;
	if (!tap_packet_copy(c, &p->skb, skb))
		goto out;
	p->network = tap_packet_network(&p->skb, &p->linear);
	if (!p->network || !packet_make_link(p, filter->sees_tags))
		goto out;
	first = min_t(u32, p->linear, HEAD - p->made);
	if (!tap_memory_copy(c, p->head + p->made, p->network, first, false))
		goto out;
	p->head_size = p->made + first;
	p->filter.size = p->made + p->linear + p->skb.data_len;
	matches = tap_filter_matches(filter, &p->filter);
out:
	c->scratch = top;
	return matches;
}
