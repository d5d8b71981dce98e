/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where text goes: a descriptor that is never waited for, or a file that may rotate. Text is
 * collected and goes out in big writes; what cannot be written yet stays, and the caller stops
 * adding. */
#ifndef STAGING_OUTPUT_H
#define STAGING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How -o, -S and -b name files: FORMAT through strftime, "_cpuN" in bulk mode, ".NUMBER" when sized
 * or after a switch. */
struct output_names {
	const char *format;
	uint64_t size;		/* -S: bytes after which the next file starts; 0: no limit */
	unsigned most;		/* -S ,N: files kept; 0: all */
};

enum output_kind {
	OUTPUT_FILE,		/* writes do not wait: regular file, /dev/null */
	OUTPUT_NONBLOCKING,	/* an open file description of our own with O_NONBLOCK */
	OUTPUT_SOCKET,
	OUTPUT_SHARED,		/* somebody else's pipe or terminal: small writes when poll allows */
};

struct output {
	int fd;
	bool own;		/* to be closed */
	enum output_kind kind;
	char *data;
	size_t start, end, room;
	int error;		/* errno of the write that failed; later text is thrown away */
	uint64_t progress;	/* when something was last written, or nothing was left */
	const struct output_names *names;	/* NULL: FD was given */
	int cpu;		/* of a bulk file, else -1 */
	unsigned number;
	uint64_t size;		/* of the current file */
	bool json_first;	/* json.c: no comma is due */
	char *path;
	char **older;		/* the last names->most - 1 paths */
	struct output *times;	/* -b as text: what --merge needs, in a file beside; else NULL */
	uint64_t stamp;		/* of what is being added */
	uint64_t timed;		/* bytes of the current file whose time is noted */
};

/* A file of times: a head, and for each handler's text its stamp and its bytes. */
#define OUTPUT_TIMES_MAGIC "taptime1"
struct output_times {
	char magic[8];
	uint32_t cpu, number;
};
struct output_time {
	uint64_t stamp, size;
};
/* Of the text at PATH: FILE_cpuN has FILE_timesN; NULL when that is no file of -b. */
char *output_times_path(const char *path);

enum { OUTPUT_ENOUGH = 256 << 10 };	/* with so much unwritten text add no more */

/* FD stays the caller's. */
void output_open(struct output *o, int fd);
/* 0 or errno, with a message. NAMES must live on, and TIMES, which is opened too unless NULL. */
int output_open_file(struct output *o, const struct output_names *names, int cpu, struct output *times);
void output_text(struct output *o, const char *text, size_t size);
/* Room for SIZE bytes; use some and tell with output_used. */
char *output_room(struct output *o, size_t size);
void output_used(struct output *o, size_t size);
static inline size_t output_pending(const struct output *o) { return o->end - o->start; }
static inline bool output_full(const struct output *o) { return output_pending(o) >= OUTPUT_ENOUGH; }
/* Write what can be written without waiting; true when nothing is left (also after an error). */
bool output_flush(struct output *o);
/* Between two handlers' texts: start the next file when this one has grown enough. */
void output_boundary(struct output *o);
void output_next_file(struct output *o);
/* Flush, close; o->error tells what failed. */
void output_close(struct output *o);

/* ---- all outputs of a session ---- */

struct outputs {
	struct output text, messages;
	struct output *bulk;	/* -b: of each CPU, opened when it first prints */
	struct output *times;	/* and the times of each; NULL: no times are kept */
	uint32_t cpus;
	const struct output_names *names;
};

/* NAMES->format NULL: stdout. BULK: what is of a CPU goes to files of its own; BESIDE: there is something
 * else for the one file, too. 0 or errno, with a message. */
int outputs_open(struct outputs *o, const struct output_names *names, bool bulk, bool beside);
/* TIMED: so that --merge can put them together again. */
void outputs_open_bulk(struct outputs *o, uint32_t cpus, bool timed);
/* Where CPU's text goes. */
struct output *outputs_of(struct outputs *o, uint32_t cpu);
bool outputs_full(struct outputs *o);		/* one of them is */
bool outputs_flush(struct outputs *o);		/* true when nothing is left */
/* Something waits, and its reader has not taken anything for NS. */
bool outputs_stuck(struct outputs *o, uint64_t ns);
/* Throw away what is stuck, and what comes later; true when there was something. */
bool outputs_abandon(struct outputs *o, uint64_t ns);
void outputs_next_file(struct outputs *o);
/* What text met with: 0, EPIPE (its reader has gone), ECANCELED (abandoned), or worse. */
int outputs_error(struct outputs *o);
void outputs_close(struct outputs *o);		/* outputs_error still answers */

#endif
