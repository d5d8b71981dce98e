// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets that are followed: a table of the addresses of struct sk_buff. A packet stays in it while its headers change,
 * and copies of it are added, until the struct is freed.
 *
 * The table is static. A place belongs to the handler that has reserved it until the address is stored, so no lock is
 * needed. If all places of a bucket are taken, the oldest packet there is given up: it may have been freed where no
 * probe has seen it. */
#include "packetpath.h"

#include <linux/err.h>
#include <linux/hash.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/kernel.h>
#include <linux/netdevice.h>
#include <linux/ptrace.h>
#include <net/sock.h>

#include "clock.h"
#include "compat.h"
#include "context.h"
#include "memory.h"
#include "packet.h"
#include "probe.h"

enum {
	BUCKET_BITS = 8, WAYS = 8,
	PLACES = WAYS << BUCKET_BITS,
	RESERVED = 1,			/* an address that no packet has */
	MOST_TEXT = 128,		/* bytes of tap_packetpath_text() */
	MOST_HEADERS = 8,		/* extension headers of IPv6 */
};

struct followed {
	unsigned long skb;
	u32 number;
	u64 since;
};

static struct followed places[PLACES];
static atomic_t last_number;
static atomic64_t lost;

static struct followed *packetpath_bucket(unsigned long skb)
{
	return &places[hash_long(skb, BUCKET_BITS) * WAYS];
}

static struct followed *packetpath_find(unsigned long skb)
{
	struct followed *first = packetpath_bucket(skb);

	for (u32 i = 0; i < WAYS && skb > RESERVED; i++)
		if (smp_load_acquire(&first[i].skb) == skb)
			return &first[i];
	return NULL;
}

/* NULL: other handlers were faster. */
static struct followed *packetpath_reserve(unsigned long skb)
{
	struct followed *first = packetpath_bucket(skb), *oldest = first;
	unsigned long owner;

	for (u32 i = 0; i < WAYS; i++) {
		if (!READ_ONCE(first[i].skb) && !cmpxchg(&first[i].skb, 0, RESERVED))
			return &first[i];
		if ((s32)(READ_ONCE(first[i].number) - READ_ONCE(oldest->number)) < 0)
			oldest = &first[i];
	}
	owner = READ_ONCE(oldest->skb);
	atomic64_inc(&lost);
	return owner > RESERVED && cmpxchg(&oldest->skb, owner, RESERVED) == owner ? oldest : NULL;
}

static s64 packetpath_add(unsigned long skb, u64 since)
{
	struct followed *f = skb > RESERVED ? packetpath_reserve(skb) : NULL;
	u32 number;

	if (!f)
		return 0;
	number = atomic_inc_return(&last_number);
	WRITE_ONCE(f->number, number);
	WRITE_ONCE(f->since, since);
	smp_store_release(&f->skb, skb);
	return number;
}

s64 tap_packetpath_number(s64 skb)
{
	const struct followed *f = packetpath_find(skb);

	return f ? READ_ONCE(f->number) : 0;
}

s64 tap_packetpath_follow(s64 skb)
{
	return tap_packetpath_number(skb) ?: packetpath_add(skb, tap_clock());
}

void tap_packetpath_forget(s64 skb)
{
	struct followed *f = packetpath_find(skb);

	if (f)
		cmpxchg(&f->skb, (unsigned long)skb, 0);
}

s64 tap_packetpath_copied(s64 from, s64 to)
{
	const struct followed *f = packetpath_find(from);

	if (!f || IS_ERR_OR_NULL((void *)(unsigned long)to))
		return 0;
	tap_packetpath_forget(to);
	return packetpath_add(to, READ_ONCE(f->since));
}

s64 tap_packetpath_ns(s64 skb)
{
	const struct followed *f = packetpath_find(skb);

	return f ? tap_clock() - READ_ONCE(f->since) : 0;
}

s64 tap_packetpath_lost(void)
{
	return atomic64_read(&lost);
}

/* ---- what a packet is ---- */

struct protocol {
	u8 number;
	const char *name;
};

static const char *packetpath_protocol(u8 number)
{
	static const struct protocol list[] = {
		{ IPPROTO_TCP, "TCP" }, { IPPROTO_UDP, "UDP" }, { IPPROTO_ICMP, "ICMP" }, { IPPROTO_ICMPV6, "ICMPv6" },
		{ IPPROTO_GRE, "GRE" }, { IPPROTO_IPIP, "IPIP" }, { IPPROTO_IPV6, "IPv6" }, { IPPROTO_ESP, "ESP" },
		{ IPPROTO_SCTP, "SCTP" }, { IPPROTO_IGMP, "IGMP" }, { IPPROTO_UDPLITE, "UDPLITE" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(list); i++)
		if (list[i].number == number)
			return list[i].name;
	return NULL;
}

static bool packetpath_has_ports(u8 protocol)
{
	return protocol == IPPROTO_TCP || protocol == IPPROTO_UDP || protocol == IPPROTO_SCTP ||
	       protocol == IPPROTO_UDPLITE;
}

/* AT: the header after that of IP; 0: it is not in this fragment. */
static u32 packetpath_print(struct tap_context *c, char *text, const char *source, const char *destination, u8 protocol,
			    unsigned long at)
{
	const char *name = packetpath_protocol(protocol);
	__be16 ports[2];
	u32 size;

	if (at && packetpath_has_ports(protocol) && tap_memory_copy(c, ports, at, sizeof(ports), false))
		size = scnprintf(text, MOST_TEXT, "%s:%u > %s:%u", source, ntohs(ports[0]), destination,
				 ntohs(ports[1]));
	else
		size = scnprintf(text, MOST_TEXT, "%s > %s", source, destination);
	if (name)
		size += scnprintf(text + size, MOST_TEXT - size, " %s", name);
	else
		size += scnprintf(text + size, MOST_TEXT - size, " protocol %u", protocol);
	if (!at)
		size += scnprintf(text + size, MOST_TEXT - size, " fragment");
	return size;
}

static u32 packetpath_print_ipv4(struct tap_context *c, char *text, unsigned long at)
{
	char source[16], destination[16];
	struct iphdr ip;
	unsigned long next;

	if (!tap_memory_copy(c, &ip, at, sizeof(ip), false))
		return 0;
	next = ntohs(ip.frag_off) & 0x1fff ? 0 : at + ip.ihl * 4;
	scnprintf(source, sizeof(source), "%pI4", &ip.saddr);
	scnprintf(destination, sizeof(destination), "%pI4", &ip.daddr);
	return packetpath_print(c, text, source, destination, ip.protocol, next);
}

/* Moves *AT after the extension headers; 0: the rest is in the first fragment. Returns the protocol. */
static u8 packetpath_skip_extensions(struct tap_context *c, unsigned long *at, u8 protocol)
{
	for (u32 i = 0; i < MOST_HEADERS && *at; i++) {
		u8 header[4];

		if (protocol != IPPROTO_HOPOPTS && protocol != IPPROTO_ROUTING && protocol != IPPROTO_FRAGMENT &&
		    protocol != IPPROTO_DSTOPTS)
			break;
		if (!tap_memory_copy(c, header, *at, sizeof(header), false))
			break;
		if (protocol != IPPROTO_FRAGMENT)
			*at += (header[1] + 1) * 8;
		else
			*at = header[2] || header[3] & 0xf8 ? 0 : *at + 8;
		protocol = header[0];
	}
	return protocol;
}

static u32 packetpath_print_ipv6(struct tap_context *c, char *text, unsigned long at)
{
	char source[48], destination[48];
	struct ipv6hdr ip;
	u8 protocol;

	if (!tap_memory_copy(c, &ip, at, sizeof(ip), false))
		return 0;
	at += sizeof(ip);
	protocol = packetpath_skip_extensions(c, &at, ip.nexthdr);
	scnprintf(source, sizeof(source), "[%pI6c]", &ip.saddr);
	scnprintf(destination, sizeof(destination), "[%pI6c]", &ip.daddr);
	return packetpath_print(c, text, source, destination, protocol, at);
}

struct tap_string tap_packetpath_text(struct tap_context *c, s64 skb)
{
	char *text = tap_scratch(c, MOST_TEXT);
	struct sk_buff copy;
	unsigned long at;
	u32 left, size = 0;
	u8 version;

	if (!text || !tap_packet_copy(c, &copy, skb))
		return TAP_EMPTY;
	at = tap_packet_network(&copy, &left);
	if (!at || !tap_memory_copy(c, &version, at, 1, false))
		return TAP_EMPTY;
	version >>= 4;
	if (version == 4 && (!copy.protocol || copy.protocol == htons(ETH_P_IP)))
		size = packetpath_print_ipv4(c, text, at);
	else if (version == 6 && (!copy.protocol || copy.protocol == htons(ETH_P_IPV6)))
		size = packetpath_print_ipv6(c, text, at);
	else if (copy.protocol == htons(ETH_P_ARP))
		size = scnprintf(text, MOST_TEXT, "ARP");
	else if (copy.protocol)
		size = scnprintf(text, MOST_TEXT, "protocol 0x%04x", ntohs(copy.protocol));
	size = min_t(u32, size, tap_script.limits.string - 1);
	text[size] = 0;
	return (struct tap_string){ text, size };
}

struct tap_string tap_packetpath_device(struct tap_context *c, s64 skb)
{
	char *text = tap_scratch(c, IFNAMSIZ);
	struct sk_buff copy;
	u32 size;

	if (!text || !tap_packet_copy(c, &copy, skb) || !copy.dev ||
	    !tap_memory_text(c, text, (unsigned long)copy.dev->name, IFNAMSIZ - 1, false, &size))
		return TAP_EMPTY;
	/* The member is also used for other data, such as the queues of sockets. */
	for (u32 i = 0; i < size; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return TAP_EMPTY;
	text[size] = 0;
	return (struct tap_string){ text, size };
}

static s64 packetpath_netns_at(struct tap_context *c, const void *possible)
{
	unsigned int number = 0;
#ifdef CONFIG_NET_NS
	struct net *net;

	if (tap_memory_copy(c, &net, (unsigned long)possible, sizeof(net), false) && net)
		tap_memory_copy(c, &number, (unsigned long)&net->ns.inum, sizeof(number), false);
#endif
	return number;
}

s64 tap_packetpath_netns(struct tap_context *c, s64 skb)
{
	struct sk_buff copy;

	if (!tap_packet_copy(c, &copy, skb))
		return 0;
	if (tap_packetpath_device(c, skb).size)
		return packetpath_netns_at(c, &copy.dev->nd_net);
	return copy.sk ? packetpath_netns_at(c, &copy.sk->__sk_common.skc_net) : 0;
}

/* ---- .takes() ---- */

s64 tap_packetpath_taken(struct tap_context *c)
{
	struct tap_row *row = tap_frame(c)->row;
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	const struct tap_site *site;
	unsigned long argument;

	if (!regs || tap_in_user_mode(regs) || !row->probe->ops->site)
		return 0;
	site = row->probe->ops->site(row, tap_frame(c)->ip);
	if (!site || !site->taken)
		return 0;
	argument = *tap_argument_register(regs, site->taken & ~TAP_TAKEN_BY_POINTER);
	if (site->taken & TAP_TAKEN_BY_POINTER && !tap_memory_copy(c, &argument, argument, sizeof(argument), false))
		return 0;
	return argument;
}
