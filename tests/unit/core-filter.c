/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packet filters: expressions and random programs give the same results as libpcap's interpreter, on packets of all
 * kinds and lengths; programs that are not valid are refused, and do no harm. */
#include "core-test.h"
#include "core/filter.h"

#ifdef HAVE_PCAP
#include <pcap/pcap.h>

enum { ROOM = 160 };

struct bytes {
	struct tap_filter_packet packet;
	u32 there;
	u8 data[ROOM];
};

static bool read_bytes(const struct tap_filter_packet *p, u32 at, u8 *to, u32 size)
{
	const struct bytes *b = (const struct bytes *)p;

	if (at > b->there || size > b->there - at)
		return false;
	memcpy(to, b->data + at, size);
	return true;
}

static void make_random(struct bytes *b)
{
	static const u16 types[] = { 0x0800, 0x86dd, 0x0806, 0x8100, 0x8847, 0x88a8 };
	static const u8 protocols[] = { 6, 17, 1, 58, 47, 4, 41, 0, 132 };
	static const u16 ports[] = { 80, 53, 4789, 22 };
	u16 type = types[random_below(6) * random_below(2)];
	u32 at = 14;

	for (u32 i = 0; i < ROOM; i++)
		b->data[i] = (u8)random_next();
	if (type == 0x8100) {
		b->data[14] = 0;
		b->data[15] = 10;
		b->data[16] = 8;
		b->data[17] = 0;
		at = 18;
	}
	if (random_below(2))
		memcpy(b->data + 6, "\x02\0\0\0\0\x01", 6);
	b->data[12] = (u8)(type >> 8);
	b->data[13] = (u8)type;
	b->data[at] = type == 0x86dd ? 0x60 : (u8)(0x40 | (5 + random_below(3)));
	b->data[at + (type == 0x86dd ? 6 : 9)] = protocols[random_below(9)];
	if (random_below(2)) {
		memcpy(b->data + at + 12, "\x0a\x01\x00\x02\x0a\x02\x00\x02", 8);
		b->data[at + 6] = b->data[at + 7] = 0;
	}
	if (random_below(2)) {
		u32 header = type == 0x86dd ? 40 : (b->data[at] & 15) * 4, port = ports[random_below(4)];

		b->data[at + header + 2] = (u8)(port >> 8);
		b->data[at + header + 3] = (u8)port;
	}
	b->there = (u32)random_below(4) ? ROOM : (u32)random_below(ROOM);
	b->packet.size = b->there + (u32)random_below(2000);
	b->packet.read = read_bytes;
}

static void load(struct tap_filter_step *steps, const struct bpf_insn *from, u32 n)
{
	for (u32 i = 0; i < n; i++)
		steps[i] = (struct tap_filter_step){ from[i].code, from[i].jt, from[i].jf, from[i].k };
}

static int compare(const struct tap_filter *f, const struct bpf_insn *program, const char *text)
{
	struct bytes b;
	bool matches, wanted;

	make_random(&b);
	matches = tap_filter_matches(f, &b.packet);
	wanted = bpf_filter(program, b.data, b.packet.size, b.there);
	if (matches != wanted)
		fail(__FILE__, __LINE__, "%s: %d, not %d", text, matches, wanted);
	return matches;
}

static void check_expressions(void)
{
	static const char *const texts[] = {
		"", "ip", "ip6", "arp", "host 10.1.0.2", "src host 10.1.0.2 and dst net 10.2.0.0/16", "tcp port 80",
		"udp port 53 or tcp dst port 22", "not tcp", "greater 500", "less 500 and ip",
		"tcp[tcpflags] & tcp-syn != 0", "ip[0] & 0xf != 5", "ip[2:2] - ((ip[0] & 0xf) << 2) > 100",
		"udp portrange 50-60", "vlan 10 and port 80",
		"ether[0] & 1 = 0 and ip[16] >= 224", "ip6 proto 58", "ether src 02:00:00:00:00:01", "icmp or icmp6",
		"port 4789 and udp[8] > 64", "(len / 7) % 3 = 1", "ip host 10.2.0.2 and not (port 80 or port 22)",
	};
	pcap_t *pcap = pcap_open_dead(DLT_EN10MB, TAP_FILTER_BYTES);

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (int optimize = 0; optimize < 2; optimize++) {
			struct tap_filter_step steps[512];
			struct bpf_program program;
			struct tap_filter f = { .steps = steps };
			int matched = 0;

			if (pcap_compile(pcap, &program, texts[i], optimize, PCAP_NETMASK_UNKNOWN)) {
				fail(__FILE__, __LINE__, "%s: %s", texts[i], pcap_geterr(pcap));
				continue;
			}
			CHECK(program.bf_len <= 512);
			load(steps, program.bf_insns, program.bf_len);
			f.count = program.bf_len;
			CHECK(tap_filter_is_valid(&f));
			for (int n = 0; n < 20000; n++)
				matched += compare(&f, program.bf_insns, texts[i]);
			if (!matched)
				fail(__FILE__, __LINE__, "%s: no packet matched", texts[i]);
			pcap_freecode(&program);
		}
	pcap_close(pcap);
}

static struct bpf_insn random_step(u32 left)
{
	static const u16 codes[] = {
		0x00, 0x01, 0x20, 0x28, 0x30, 0x40, 0x48, 0x50, 0x60, 0x61, 0x80, 0x81, 0xb1, 0x02, 0x03,
		0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c, 0x34, 0x3c, 0x44, 0x4c, 0x54, 0x5c, 0x64, 0x6c, 0x74, 0x7c, 0x84,
		0x94, 0x9c, 0xa4, 0xac, 0x05, 0x15, 0x1d, 0x25, 0x2d, 0x35, 0x3d, 0x45, 0x4d, 0x06, 0x16, 0x07, 0x87,
	};
	struct bpf_insn s = { .code = codes[random_below(sizeof(codes) / sizeof(*codes))] };

	if (!random_below(50))
		s.code = (u16)random_next();
	s.jt = (u8)random_below(left < 4 ? left + 1 : 4);
	s.jf = (u8)random_below(left < 4 ? left + 1 : 4);
	s.k = random_below(4) ? (u32)random_below(20) : (u32)random_next();
	return s;
}

/* libpcap leaves some results open that are defined here: shifts by 32 and more, offsets that wrap around. */
static bool is_defined(const struct bpf_insn *program, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 code = program[i].code;

		if ((code & ~8u) == 0x64 || (code & ~8u) == 0x74 || (code & 0xe7) == 0x40)
			return false;
	}
	return true;
}

static void check_random_programs(void)
{
	int compared = 0;

	for (int n = 0; n < 400000; n++) {
		enum { WORDS = 16, MOST = 24 };
		struct bpf_insn program[WORDS + MOST];
		struct tap_filter_step steps[WORDS + MOST];
		u32 count = WORDS + 1 + (u32)random_below(MOST);
		struct tap_filter f = { steps, count, 0 };
		struct bytes b;
		bool valid;

		for (u32 i = 0; i < WORDS; i++)		/* libpcap leaves the memory as it is */
			program[i] = (struct bpf_insn){ .code = 0x02, .k = i };
		for (u32 i = WORDS; i < count; i++)
			program[i] = random_step(count - i - 1);
		if (random_below(2))
			program[count - 1].code = 0x16;
		load(steps, program, count);
		valid = tap_filter_is_valid(&f);
		make_random(&b);
		if (!valid) {
			tap_filter_matches(&f, &b.packet);	/* ends, and reads what is there */
			continue;
		}
		CHECK(bpf_validate(program, (int)count));
		if (!is_defined(program, count))
			continue;
		compared++;
		compare(&f, program, "a random program");
	}
	CHECK(compared > 1000);
}

int main(void)
{
	random_start(1);
	check_expressions();
	check_random_programs();
	CHECK(!tap_filter_is_valid(&(struct tap_filter){ 0 }));
	return report("core-filter");
}
#else
int main(void)
{
	puts("this build has no libpcap");
	return 77;
}
#endif
