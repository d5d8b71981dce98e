// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets in system calls: families, types, protocols, addresses, options. */
#include "socket.h"
#include "memory.h"

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <linux/un.h>

CHOICE(address_family,
	NAME(AF_UNSPEC), NAME(AF_UNIX), NAME(AF_INET), NAME(AF_AX25), NAME(AF_IPX), NAME(AF_APPLETALK),
	NAME(AF_NETROM), NAME(AF_BRIDGE), NAME(AF_ATMPVC), NAME(AF_X25), NAME(AF_INET6), NAME(AF_ROSE),
	NAME(AF_SECURITY), NAME(AF_KEY), NAME(AF_NETLINK), NAME(AF_PACKET), NAME(AF_RDS), NAME(AF_PPPOX),
	NAME(AF_LLC), NAME(AF_IB), NAME(AF_MPLS), NAME(AF_CAN), NAME(AF_TIPC), NAME(AF_BLUETOOTH),
	NAME(AF_RXRPC), NAME(AF_PHONET), NAME(AF_IEEE802154), NAME(AF_ALG), NAME(AF_NFC), NAME(AF_VSOCK),
	NAME(AF_KCM), NAME(AF_QIPCRTR), NAME(AF_SMC), NAME(AF_XDP), NAMED(45, "AF_MCTP"));
CHOICE_AND_FLAGS(socket_type, 0xf,	/* SOCK_TYPE_MASK */
	NAME(SOCK_STREAM), NAME(SOCK_DGRAM), NAME(SOCK_RAW), NAME(SOCK_RDM), NAME(SOCK_SEQPACKET),
	NAME(SOCK_DCCP), NAME(SOCK_PACKET), NAME(SOCK_CLOEXEC), NAME(SOCK_NONBLOCK));
FLAGS(sock_flags, NAME(SOCK_CLOEXEC), NAME(SOCK_NONBLOCK));
CHOICE(shutdown_how, NAMED(0, "SHUT_RD"), NAMED(1, "SHUT_WR"), NAMED(2, "SHUT_RDWR"));
FLAGS(message_send_flags,
	NAME(MSG_OOB), NAME(MSG_PEEK), NAME(MSG_DONTROUTE), NAME(MSG_CTRUNC), NAME(MSG_PROBE), NAME(MSG_TRUNC),
	NAME(MSG_DONTWAIT), NAME(MSG_EOR), NAME(MSG_WAITALL), NAME(MSG_FIN), NAME(MSG_SYN), NAME(MSG_CONFIRM),
	NAME(MSG_RST), NAME(MSG_ERRQUEUE), NAME(MSG_NOSIGNAL), NAME(MSG_MORE), NAME(MSG_WAITFORONE),
	NAME(MSG_BATCH), NAME(MSG_ZEROCOPY), NAME(MSG_FASTOPEN), NAME(MSG_CMSG_CLOEXEC));
CHOICE(socketcall_call,
	NAME(SYS_SOCKET), NAME(SYS_BIND), NAME(SYS_CONNECT), NAME(SYS_LISTEN), NAME(SYS_ACCEPT),
	NAME(SYS_GETSOCKNAME), NAME(SYS_GETPEERNAME), NAME(SYS_SOCKETPAIR), NAME(SYS_SEND), NAME(SYS_RECV),
	NAME(SYS_SENDTO), NAME(SYS_RECVFROM), NAME(SYS_SHUTDOWN), NAME(SYS_SETSOCKOPT), NAME(SYS_GETSOCKOPT),
	NAME(SYS_SENDMSG), NAME(SYS_RECVMSG), NAME(SYS_ACCEPT4), NAME(SYS_RECVMMSG), NAME(SYS_SENDMMSG));

static const struct tap_name ip_names[] = {
	NAME(IPPROTO_IP), NAME(IPPROTO_ICMP), NAME(IPPROTO_IGMP), NAME(IPPROTO_TCP), NAME(IPPROTO_UDP),
	NAME(IPPROTO_DCCP), NAME(IPPROTO_IPV6), NAME(IPPROTO_GRE), NAME(IPPROTO_ESP), NAME(IPPROTO_AH),
	NAME(IPPROTO_ICMPV6), NAME(IPPROTO_SCTP), NAME(IPPROTO_UDPLITE), NAME(IPPROTO_RAW),
	NAMED(262, "IPPROTO_MPTCP"),
};
static const struct tap_decoder ip_protocol = { .names = ip_names, .count = ARRAY_SIZE(ip_names), .choice = ~0u };

static const struct tap_name netlink_names[] = {
	NAME(NETLINK_ROUTE), NAME(NETLINK_USERSOCK), NAME(NETLINK_SOCK_DIAG), NAME(NETLINK_NFLOG),
	NAME(NETLINK_XFRM), NAME(NETLINK_SELINUX), NAME(NETLINK_ISCSI), NAME(NETLINK_AUDIT),
	NAME(NETLINK_FIB_LOOKUP), NAME(NETLINK_CONNECTOR), NAME(NETLINK_NETFILTER), NAME(NETLINK_DNRTMSG),
	NAME(NETLINK_KOBJECT_UEVENT), NAME(NETLINK_GENERIC), NAME(NETLINK_CRYPTO),
};
static const struct tap_decoder netlink_protocol = {
	.names = netlink_names, .count = ARRAY_SIZE(netlink_names), .choice = ~0u,
};

/* The meaning of the number depends on the family. */
static void socket_protocol(struct tap_shower *s, u64 value, u32 i)
{
	switch ((u32)s->call->arguments[0]) {
	case AF_INET: case AF_INET6: tap_show_names_of(s, &ip_protocol, (u32)value); break;
	case AF_NETLINK: tap_show_names_of(s, &netlink_protocol, (u32)value); break;
	default: tap_show_decimal(s, (s32)value);
	}
}
DECODER(protocol, socket_protocol);

/* ---- addresses ---- */

static void socket_ipv4(struct tap_shower *s, const u8 *bytes)
{
	for (u32 i = 0; i < 4; i++) {
		if (i)
			tap_write_byte(&s->w, '.');
		tap_show_decimal(s, bytes[i]);
	}
}

static void socket_ipv6(struct tap_shower *s, const struct in6_addr *address)
{
	char text[64];

	tap_write(&s->w, text, scnprintf(text, sizeof(text), "%pI6c", address));
}

static void socket_unix(struct tap_shower *s, const struct sockaddr_un *a, u32 size)
{
	u32 n = size - offsetof(struct sockaddr_un, sun_path);
	bool is_abstract = n && !a->sun_path[0];

	tap_write_byte(&s->w, '"');
	if (is_abstract)
		tap_write_byte(&s->w, '@');
	for (u32 i = is_abstract; i < n && a->sun_path[i]; i++)
		tap_write_byte(&s->w, a->sun_path[i] >= ' ' && a->sun_path[i] < 127 ? a->sun_path[i] : '?');
	tap_write_byte(&s->w, '"');
}

union address {
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un local;
	struct sockaddr_nl netlink;
	u16 family;
};

/* Reads as much as the family needs; false if there is less. */
static bool socket_read_address(struct tap_shower *s, u64 address, u32 size, union address *a)
{
	size = min_t(u32, size, sizeof(*a));
	memset(a, 0, sizeof(*a));
	return size >= sizeof(a->family) && tap_memory_copy(s->c, a, address, size, true) &&
	       (a->family != AF_INET || size >= sizeof(a->v4)) && (a->family != AF_INET6 || size >= 24);
}

void tap_show_sockaddr(struct tap_shower *s, u64 address, u32 size)
{
	union address a;

	if (!address || !socket_read_address(s, address, size, &a)) {
		tap_show_pointer(s, address);
		return;
	}
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &tap_decode_address_family, a.family);
	switch (a.family) {
	case AF_INET:
		tap_show_text(s, ", ");
		socket_ipv4(s, (const u8 *)&a.v4.sin_addr);
		tap_show_text(s, ", ");
		tap_show_decimal(s, ntohs(a.v4.sin_port));
		break;
	case AF_INET6:
		tap_show_text(s, ", ");
		socket_ipv6(s, &a.v6.sin6_addr);
		tap_show_text(s, ", ");
		tap_show_decimal(s, ntohs(a.v6.sin6_port));
		break;
	case AF_UNIX:
		tap_show_text(s, ", ");
		socket_unix(s, &a.local, min_t(u32, size, sizeof(a.local)));
		break;
	case AF_NETLINK:
		tap_show_text(s, ", ");
		tap_show_decimal(s, a.netlink.nl_pid);
		tap_show_text(s, ", ");
		tap_show_hex(s, a.netlink.nl_groups);
	}
	tap_write_byte(&s->w, '}');
}

/* The size is the next argument. */
static void socket_sockaddr(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_sockaddr(s, value, i < 5 ? s->call->arguments[i + 1] : 0);
}
DECODER(sockaddr, socket_sockaddr);

/* ---- parts of addresses ---- */

static bool socket_read_sized_address(struct tap_shower *s, u64 address, u32 i, union address *a)
{
	*a = (union address){ .family = AF_UNSPEC };
	return i < 5 && socket_read_address(s, address, s->call->arguments[i + 1], a);
}

static void socket_sockaddr_family(struct tap_shower *s, u64 value, u32 i)
{
	union address a;

	if (socket_read_sized_address(s, value, i, &a))
		tap_show_names_of(s, &tap_decode_address_family, a.family);
}

static void socket_sockaddr_ip(struct tap_shower *s, u64 value, u32 i)
{
	union address a;

	if (!socket_read_sized_address(s, value, i, &a))
		return;
	if (a.family == AF_INET)
		socket_ipv4(s, (const u8 *)&a.v4.sin_addr);
	else if (a.family == AF_INET6)
		socket_ipv6(s, &a.v6.sin6_addr);
}

/* Both have the port at the same place. */
static void socket_sockaddr_port(struct tap_shower *s, u64 value, u32 i)
{
	union address a;

	if (socket_read_sized_address(s, value, i, &a) && (a.family == AF_INET || a.family == AF_INET6))
		tap_show_decimal(s, ntohs(a.v4.sin_port));
}

static void socket_sockaddr_flowinfo(struct tap_shower *s, u64 value, u32 i)
{
	union address a;

	if (socket_read_sized_address(s, value, i, &a) && a.family == AF_INET6)
		tap_show_decimal(s, ntohl(a.v6.sin6_flowinfo));
}

static void socket_sockaddr_scope_id(struct tap_shower *s, u64 value, u32 i)
{
	union address a;

	if (socket_read_sized_address(s, value, i, &a) && a.family == AF_INET6)
		tap_show_decimal(s, a.v6.sin6_scope_id);
}

DECODER(sockaddr_family, socket_sockaddr_family);
DECODER(sockaddr_ip, socket_sockaddr_ip);
DECODER(sockaddr_port, socket_sockaddr_port);
DECODER(sockaddr_flowinfo, socket_sockaddr_flowinfo);
DECODER(sockaddr_scope_id, socket_sockaddr_scope_id);

/* ---- options ---- */

CHOICE(socket_level,
	NAME(SOL_SOCKET), NAME(SOL_IP), NAME(SOL_TCP), NAME(SOL_UDP), NAME(SOL_IPV6), NAME(SOL_ICMPV6),
	NAME(SOL_SCTP), NAME(SOL_RAW), NAME(SOL_PACKET), NAME(SOL_NETLINK), NAME(SOL_TLS), NAMED(283, "SOL_XDP"));

static const struct tap_name socket_names[] = {
	NAME(SO_DEBUG), NAME(SO_REUSEADDR), NAME(SO_TYPE), NAME(SO_ERROR), NAME(SO_DONTROUTE),
	NAME(SO_BROADCAST), NAME(SO_SNDBUF), NAME(SO_RCVBUF), NAME(SO_SNDBUFFORCE), NAME(SO_RCVBUFFORCE),
	NAME(SO_KEEPALIVE), NAME(SO_OOBINLINE), NAME(SO_NO_CHECK), NAME(SO_PRIORITY), NAME(SO_LINGER),
	NAME(SO_BSDCOMPAT), NAME(SO_REUSEPORT), NAME(SO_PASSCRED), NAME(SO_PEERCRED), NAME(SO_RCVLOWAT),
	NAME(SO_SNDLOWAT), NAMED(20, "SO_RCVTIMEO"), NAMED(21, "SO_SNDTIMEO"), NAME(SO_BINDTODEVICE),
	NAME(SO_ATTACH_FILTER), NAME(SO_DETACH_FILTER), NAME(SO_PEERNAME), NAMED(29, "SO_TIMESTAMP"),
	NAME(SO_ACCEPTCONN), NAME(SO_PEERSEC), NAME(SO_PASSSEC), NAMED(35, "SO_TIMESTAMPNS"), NAME(SO_MARK),
	NAMED(37, "SO_TIMESTAMPING"), NAME(SO_PROTOCOL), NAME(SO_DOMAIN), NAME(SO_RXQ_OVFL),
	NAME(SO_WIFI_STATUS), NAME(SO_PEEK_OFF), NAME(SO_NOFCS), NAME(SO_LOCK_FILTER),
	NAME(SO_SELECT_ERR_QUEUE), NAME(SO_BUSY_POLL), NAME(SO_MAX_PACING_RATE), NAME(SO_BPF_EXTENSIONS),
	NAME(SO_INCOMING_CPU), NAME(SO_ATTACH_BPF), NAME(SO_ATTACH_REUSEPORT_CBPF),
	NAME(SO_ATTACH_REUSEPORT_EBPF), NAME(SO_CNX_ADVICE), NAME(SO_MEMINFO), NAME(SO_INCOMING_NAPI_ID),
	NAME(SO_COOKIE), NAME(SO_PEERGROUPS), NAME(SO_ZEROCOPY), NAME(SO_TXTIME), NAME(SO_BINDTOIFINDEX),
	NAMED(63, "SO_TIMESTAMP_NEW"), NAMED(66, "SO_RCVTIMEO_NEW"), NAMED(67, "SO_SNDTIMEO_NEW"),
	NAME(SO_DETACH_REUSEPORT_BPF), NAMED(69, "SO_PREFER_BUSY_POLL"), NAMED(70, "SO_BUSY_POLL_BUDGET"),
	NAMED(71, "SO_NETNS_COOKIE"), NAMED(72, "SO_BUF_LOCK"), NAMED(76, "SO_PASSPIDFD"),
	NAMED(77, "SO_PEERPIDFD"),
};
static const struct tap_name tcp_names[] = {
	NAME(TCP_NODELAY), NAME(TCP_MAXSEG), NAME(TCP_CORK), NAME(TCP_KEEPIDLE), NAME(TCP_KEEPINTVL),
	NAME(TCP_KEEPCNT), NAME(TCP_SYNCNT), NAME(TCP_LINGER2), NAME(TCP_DEFER_ACCEPT),
	NAME(TCP_WINDOW_CLAMP), NAME(TCP_INFO), NAME(TCP_QUICKACK), NAME(TCP_CONGESTION), NAME(TCP_MD5SIG),
	NAME(TCP_THIN_LINEAR_TIMEOUTS), NAME(TCP_USER_TIMEOUT), NAME(TCP_REPAIR), NAME(TCP_FASTOPEN),
	NAME(TCP_TIMESTAMP), NAME(TCP_NOTSENT_LOWAT), NAME(TCP_CC_INFO), NAME(TCP_SAVE_SYN),
	NAME(TCP_SAVED_SYN), NAME(TCP_FASTOPEN_CONNECT), NAME(TCP_ULP), NAME(TCP_MD5SIG_EXT),
	NAME(TCP_FASTOPEN_KEY), NAME(TCP_FASTOPEN_NO_COOKIE), NAME(TCP_ZEROCOPY_RECEIVE), NAME(TCP_INQ),
	NAME(TCP_TX_DELAY),
};
static const struct tap_name ip_option_names[] = {
	NAME(IP_TOS), NAME(IP_TTL), NAME(IP_HDRINCL), NAME(IP_OPTIONS), NAME(IP_ROUTER_ALERT), NAME(IP_RECVOPTS),
	NAME(IP_RETOPTS), NAME(IP_PKTINFO), NAME(IP_PKTOPTIONS), NAME(IP_MTU_DISCOVER), NAME(IP_RECVERR),
	NAME(IP_RECVTTL), NAME(IP_RECVTOS), NAME(IP_MTU), NAME(IP_FREEBIND), NAME(IP_TRANSPARENT),
	NAME(IP_BIND_ADDRESS_NO_PORT), NAME(IP_MULTICAST_IF), NAME(IP_MULTICAST_TTL), NAME(IP_MULTICAST_LOOP),
	NAME(IP_ADD_MEMBERSHIP), NAME(IP_DROP_MEMBERSHIP), NAME(IP_MULTICAST_ALL), NAME(IP_UNICAST_IF),
};
static const struct tap_name ipv6_option_names[] = {
	NAME(IPV6_ADDRFORM), NAME(IPV6_CHECKSUM), NAME(IPV6_UNICAST_HOPS), NAME(IPV6_MULTICAST_IF),
	NAME(IPV6_MULTICAST_HOPS), NAME(IPV6_MULTICAST_LOOP), NAME(IPV6_ADD_MEMBERSHIP),
	NAME(IPV6_DROP_MEMBERSHIP), NAME(IPV6_MTU_DISCOVER), NAME(IPV6_MTU), NAME(IPV6_RECVERR),
	NAME(IPV6_V6ONLY), NAME(IPV6_RECVPKTINFO), NAME(IPV6_RECVHOPLIMIT), NAME(IPV6_TCLASS),
	NAME(IPV6_RECVTCLASS), NAME(IPV6_FREEBIND),
};
#define OPTIONS(list) { .names = list, .count = ARRAY_SIZE(list), .choice = ~0u }
static const struct tap_decoder socket_options = OPTIONS(socket_names), tcp_options = OPTIONS(tcp_names),
	ip_options = OPTIONS(ip_option_names), ipv6_options = OPTIONS(ipv6_option_names);

/* Depends on the level, which is the preceding argument. */
static void socket_option(struct tap_shower *s, u64 value, u32 i)
{
	switch (i ? (u32)s->call->arguments[i - 1] : 0) {
	case SOL_SOCKET: tap_show_names_of(s, &socket_options, (u32)value); break;
	case SOL_TCP: tap_show_names_of(s, &tcp_options, (u32)value); break;
	case SOL_IP: tap_show_names_of(s, &ip_options, (u32)value); break;
	case SOL_IPV6: tap_show_names_of(s, &ipv6_options, (u32)value); break;
	default: tap_show_decimal(s, (s32)value);
	}
}
DECODER(socket_option, socket_option);

/* Most values are a number of four bytes; the size is the next argument. */
static void socket_value(struct tap_shower *s, u64 value, u32 i)
{
	u32 size = i < 5 ? s->call->arguments[i + 1] : 0;
	s32 number;

	if (size != sizeof(number)) {
		tap_show_bytes(s, value, size);
		return;
	}
	if (!tap_show_read(s, &number, value, sizeof(number)))
		return;
	tap_write_byte(&s->w, '[');
	tap_show_decimal(s, number);
	tap_write_byte(&s->w, ']');
}
DECODER(socket_value, socket_value);
