/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: what the loader reads from a running module, from meta and cpuN to text and JSON. Each record that is
 * output was read, no record is lost twice, and JSON consists of lines of printable bytes.
 *
 * Input: flags, two bytes of meta's size, meta, packets. A packet: its CPU, two bytes of size, that many bytes,
 * which are either records unchanged, or the payload of one record after a header made here.
 *
 * sources: runtime/core/{format,hist,record,writer}.c runtime/staging/common/*.c
 * sources: runtime/staging/session/{meta,order,relay,render,render_json}.c runtime/staging/timeline/{forms,table}.c
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/message.h"
#include "session/meta.h"
#include "common/output.h"
#include "session/relay.h"
#include "session/render.h"
#include "session/render_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CPUS = 3, AS_JSON = 1, WHOLE = 2, MADE_HERE = 8 };

struct input {
	const uint8_t *at;
	size_t left;
};

static const uint8_t *take(struct input *in, size_t n)
{
	const uint8_t *p = in->at;

	if (n > in->left)
		n = in->left;
	in->at += n;
	in->left -= n;
	return p;
}

static unsigned take_number(struct input *in, size_t bytes)
{
	size_t n = in->left < bytes ? in->left : bytes;
	const uint8_t *p = take(in, n);

	return n == 0 ? 0 : n == 1 ? p[0] : p[0] | p[1] << 8;
}

static void ignore(int priority, const char *text, size_t size)
{
	(void)priority;
	if (size && !text)
		abort();
}

/* ---- the module's side ---- */

static void send_packet(struct input *in, const int fd[CPUS], uint32_t sequence[CPUS])
{
	unsigned head = take_number(in, 1), n = head % CPUS, size = take_number(in, 2) % 4096;
	struct tap_record record = { .stamp = take_number(in, 2) };
	char packet[sizeof(record) + 4096 + 8] = { 0 };
	size_t whole;

	if (size > in->left)
		size = (unsigned)in->left;
	whole = size;
	if (head & MADE_HERE) {
		sequence[n] += 1 + head / 64;
		record.size = (uint32_t)sizeof(record) + size;
		record.sequence = sequence[n];
		memcpy(packet, &record, sizeof(record));
		memcpy(packet + sizeof(record), take(in, size), size);
		whole = tap_record_room(record.size);
	} else {
		memcpy(packet, take(in, size), size);
	}
	if (whole)
		send(fd[n], packet, whole, 0);
}

/* ---- requests ---- */

static void on_exit_item(void *session) { (void)session; }
static void on_text(void *session, const char *text, size_t size)
{
	volatile unsigned sum = 0;

	(void)session;
	for (size_t i = 0; i < size; i++)
		sum += (unsigned char)text[i];
}
static void on_message(void *session, bool is_error, const char *text, size_t size)
{
	(void)is_error;
	on_text(session, text, size);
}
static const struct render_requests requests = { on_exit_item, on_text, on_exit_item, on_message };

static void check_json(const struct output *o)
{
	for (size_t i = o->start; i < o->end; i++)
		if ((unsigned char)o->data[i] < ' ' && o->data[i] != '\n')
			abort();
}

static void drain(struct relay *r, const struct meta *m, struct output *o, bool json, uint64_t *given)
{
	const struct tap_record *record;
	uint32_t cpu;

	while ((record = relay_next(r, true, &cpu))) {
		(*given)++;
		if (cpu >= CPUS)
			abort();
		(json ? render_record_json : render_record)(m, record, cpu, o, &requests, NULL);
		if (json)
			check_json(o);
		output_flush(o);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	unsigned flags = take_number(&in, 1), meta_size = take_number(&in, 2) % 4096;
	uint32_t sequence[CPUS] = { 0 };
	uint64_t given = 0, made = 0;
	static int null = -1;
	struct output out;
	struct relay relay;
	struct meta meta;
	int fd[CPUS];

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	message_to(ignore);
	if (meta_size > in.left)
		meta_size = (unsigned)in.left;
	if (!meta_parse(&meta, (const char *)take(&in, meta_size), meta_size))
		return 0;
	output_open(&out, null);
	relay_open(&relay, CPUS, 4096, flags & WHOLE);
	for (unsigned i = 0; i < CPUS; i++) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0)
			abort();
		fd[i] = pair[1];
		relay_add_cpu(&relay, i, pair[0]);
	}
	for (unsigned n = 0; in.left && n < 64; n++) {
		send_packet(&in, fd, sequence);
		if (n % 4 == 3 || !in.left) {
			relay_read(&relay);
			drain(&relay, &meta, &out, flags & AS_JSON, &given);
		}
	}
	for (unsigned i = 0; i < CPUS; i++)
		made += relay.cpu[i].records;
	if (given != made || given != relay.records)
		abort();
	relay_end(&relay);
	relay_close(&relay);
	output_close(&out);
	meta_free(&meta);
	for (unsigned i = 0; i < CPUS; i++)
		close(fd[i]);
	return 0;
}
