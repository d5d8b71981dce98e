// SPDX-License-Identifier: GPL-2.0-or-later
/* Synthetic CPUs on packet sockets, which like cpuN return whole records per read: records
 * received and reported lost add up to those written; order; bounded memory; nonsense is
 * rejected. */
#include "session/relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/message.h"
#include "common/output.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

struct fake_cpu {
	int fd;
	char packet[32768];
	size_t size;
};

static void fake_open(struct relay *r, uint32_t cpu, struct fake_cpu *f)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0)
		exit(2);
	*f = (struct fake_cpu){ .fd = pair[1] };
	relay_add_cpu(r, cpu, pair[0]);
}

/* PAYLOAD 0: a heartbeat. */
static void fake_add(struct fake_cpu *f, uint32_t sequence, uint64_t stamp, uint32_t payload)
{
	struct tap_record record = {
		.size = (uint32_t)sizeof(record) + payload, .sequence = sequence, .stamp = stamp,
	};

	memcpy(f->packet + f->size, &record, sizeof(record));
	memset(f->packet + f->size + sizeof(record), 'x', tap_record_room(record.size) - sizeof(record));
	f->size += tap_record_room(record.size);
}

static void fake_send(struct fake_cpu *f)
{
	if (send(f->fd, f->packet, f->size, 0) != (ssize_t)f->size)
		exit(2);
	f->size = 0;
}

static uint64_t take(struct relay *r, bool forced)
{
	const struct tap_record *record;
	uint64_t n = 0, last = 0;
	uint32_t cpu;

	while ((record = relay_next(r, forced, &cpu))) {
		CHECK(record->stamp >= last);
		last = record->stamp;
		n++;
	}
	return n;
}

static void counts_gaps(void)
{
	struct fake_cpu f;
	struct relay r;

	relay_open(&r, 3, 100, true);		/* CPU 1 and 2 are absent */
	fake_open(&r, 0, &f);
	fake_add(&f, 3, 10, 8);	/* 1 and 2 were lost */
	fake_add(&f, 4, 11, 9);
	fake_add(&f, 6, 12, 1);	/* 5 */
	fake_add(&f, 6, 12, 0);
	fake_send(&f);
	struct relay_round round = relay_read(&r);
	CHECK(round.bytes == 24 + 32 + 24 && !round.more);
	CHECK(take(&r, false) == 2);			/* more records with stamp 12 may follow */
	CHECK(relay_held(&r) == 1);
	fake_add(&f, 9, 20, 0);	/* 7, 8, 9: lost, or not yet written */
	fake_send(&f);
	CHECK(relay_read(&r).bytes == 0);
	CHECK(take(&r, false) == 1 && relay_lost(&r) == 3);
	relay_end(&r);
	CHECK(relay_lost(&r) == 6);
	struct relay_gap gap;
	CHECK(relay_next_gap(&r, false, &gap) && gap.stamp == 10 && gap.count == 2 && gap.cpu == 0);
	CHECK(relay_next_gap(&r, false, &gap) && gap.stamp == 12 && gap.count == 1);
	CHECK(relay_next_gap(&r, true, &gap) && gap.count == 3 && !relay_next_gap(&r, true, &gap));
	CHECK(relay_read(&r).bytes == 0);		/* no data: EAGAIN */
	relay_close(&r);
	close(f.fd);
}

/* Another reader read before us: records before our first one do not count as lost. */
static void attaches(void)
{
	struct fake_cpu f, g;
	struct relay r;

	relay_open(&r, 2, 100, false);
	fake_open(&r, 0, &f);
	fake_open(&r, 1, &g);
	fake_add(&f, 1000, 10, 8);
	fake_add(&f, 1002, 10, 8);
	fake_add(&f, 1002, 11, 0);
	fake_add(&g, 7777, 11, 0);
	fake_send(&f);
	fake_send(&g);
	relay_read(&r);
	CHECK(take(&r, false) == 2);
	relay_end(&r);
	CHECK(relay_lost(&r) == 1);
	relay_close(&r);
	close(f.fd);
	close(g.fd);
}

static void survives_wrap_and_disorder(void)
{
	struct fake_cpu f;
	struct relay r;

	relay_open(&r, 1, 100, false);
	fake_open(&r, 0, &f);
	fake_add(&f, 0xfffffffd, 10, 8);
	fake_add(&f, 0xffffffff, 11, 8);
	fake_add(&f, 0xfffffffe, 11, 8);	/* not lost after all */
	fake_add(&f, 1, 12, 8);		/* 0 is lost */
	fake_add(&f, 1, 13, 0);
	fake_send(&f);
	relay_read(&r);
	CHECK(take(&r, false) == 4);
	relay_end(&r);
	CHECK(relay_lost(&r) == 1);
	relay_close(&r);
	close(f.fd);
}

/* CPUs that write, lose and output records at random. */
static void received_and_lost_is_made(unsigned seed)
{
	enum { CPUS = 4, ROUNDS = 3000 };
	struct fake_cpu f[CPUS];
	uint32_t sequence[CPUS] = { 0 };
	uint64_t made = 0, lost = 0, got = 0, clock = 1;
	struct relay r;

	srand(seed);
	relay_open(&r, CPUS, 400, true);
	for (uint32_t i = 0; i < CPUS; i++)
		fake_open(&r, i, &f[i]);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < CPUS; i++) {
			for (int n = rand() % 30; n > 0; n--) {
				made++;
				clock += (unsigned)rand() % 3;
				sequence[i]++;
				if (rand() % 10 == 0)
					lost++;
				else
					fake_add(&f[i], sequence[i], clock,
						 1 + (unsigned)rand() % 400);
			}
			fake_add(&f[i], sequence[i], clock, 0);
			fake_send(&f[i]);
		}
		relay_read(&r);
		got += take(&r, false);
	}
	got += take(&r, true);
	relay_end(&r);
	CHECK(r.order.late == 0);
	CHECK(got + relay_lost(&r) == made && relay_lost(&r) == lost);
	CHECK(r.memory < 8u << 20);
	relay_close(&r);
	for (int i = 0; i < CPUS; i++)
		close(f[i].fd);
}

/* One CPU's heartbeat never advances: the others' records do not accumulate without limit. */
static void memory_is_bounded(void)
{
	struct fake_cpu slow, fast;
	uint64_t got = 0, made = 0, clock = 100;
	struct relay r;

	relay_open(&r, 2, 4000, true);
	fake_open(&r, 0, &slow);
	fake_open(&r, 1, &fast);
	r.most_memory = 4 << 20;
	fake_add(&slow, 0, 50, 0);
	fake_send(&slow);
	while (made < 20000) {
		for (int i = 0; i < 7; i++)
			fake_add(&fast, (uint32_t)++made, ++clock, 4000);
		fake_add(&fast, (uint32_t)made, clock, 0);
		fake_send(&fast);
		relay_read(&r);
		got += take(&r, false);
		CHECK(r.memory <= r.most_memory + (1u << 20));
	}
	CHECK(got > made / 2 && got < made);
	got += take(&r, true);
	CHECK(got == made && relay_lost(&r) == 0);
	relay_close(&r);
	close(slow.fd);
	close(fast.fd);
}

static void refuses(const void *data, size_t size)
{
	struct fake_cpu f;
	struct relay r;

	relay_open(&r, 1, 100, true);
	fake_open(&r, 0, &f);
	memcpy(f.packet, data, size);
	f.size = size;
	fake_send(&f);
	relay_read(&r);
	take(&r, true);
	CHECK(r.broken && relay_cpus(&r) == 0);
	CHECK(relay_read(&r).bytes == 0);
	relay_close(&r);
	close(f.fd);
}

static void refuses_nonsense(void)
{
	const struct tap_record good = {
		.size = 24, .sequence = 1, .stamp = 1,
	};
	struct tap_record bad;
	char bytes[64] = { 0 };

	memset(bytes, 0xff, sizeof(bytes));
	refuses(bytes, sizeof(bytes));
	memset(bytes, 0, sizeof(bytes));
	refuses(bytes, sizeof(bytes));
	refuses(&good, 16);			/* truncated */
	refuses(&good, 10);
	bad = good, bad.size = 15, refuses(&bad, sizeof(bad));
	bad = good, bad.size = 0, refuses(&bad, sizeof(bad));
	bad = good, bad.size = 0xffffffff, refuses(&bad, sizeof(bad));
}

static void end_of_file_is_the_end(void)
{
	struct fake_cpu f;
	struct relay r;

	relay_open(&r, 1, 100, true);
	fake_open(&r, 0, &f);
	fake_add(&f, 1, 10, 8);
	fake_send(&f);
	relay_read(&r);
	CHECK(take(&r, false) == 0);
	close(f.fd);
	relay_read(&r);
	CHECK(take(&r, false) == 1 && relay_cpus(&r) == 0);
	relay_close(&r);
}

static struct output nowhere = { .fd = -1, .error = 1 };	/* messages are expected */

int main(void)
{
	counts_gaps();
	attaches();
	survives_wrap_and_disorder();
	for (unsigned seed = 1; seed <= 5; seed++)
		received_and_lost_is_made(seed);
	memory_is_bounded();
	output_take_messages(&nowhere);
	refuses_nonsense();
	end_of_file_is_the_end();
	return failures != 0;
}
