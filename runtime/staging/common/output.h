/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A destination of text: a descriptor that is never waited for, or a file that may rotate. Text is collected
 * and written in large pieces. Text that cannot be written yet is kept, and the caller stops adding more. */
#ifndef STAGING_OUTPUT_H
#define STAGING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How -o, -S and -b name files: FORMAT is expanded by strftime, then comes "_cpuN" in bulk mode, then ".NUMBER"
 * if the size is limited or a switch was requested. */
struct output_names {
	const char *format;
	uint64_t size;		/* -S: bytes after which the next file starts; 0: no limit */
	unsigned most;		/* -S ,N: number of files kept; 0: all */
	const char *inside;	/* FORMAT is a folder, made if necessary, and this is the file in it; NULL: no */
};

enum output_kind {
	OUTPUT_FILE,		/* writes do not block: a regular file, /dev/null */
	OUTPUT_NONBLOCKING,	/* our own open file description, with O_NONBLOCK */
	OUTPUT_SOCKET,
	OUTPUT_SHARED,		/* a shared pipe or terminal: small writes when poll allows */
};

struct output {
	int fd;
	bool own;		/* output_close closes fd */
	enum output_kind kind;
	char *data;
	size_t start, end, room;
	int error;		/* errno of the write that failed; later text is discarded */
	uint64_t progress;	/* host_now() of the last write, or of the first text after the buffer was empty */
	const struct output_names *names;	/* NULL: the caller gave fd */
	int cpu;		/* of a bulk file, otherwise -1 */
	unsigned number;
	uint64_t size;		/* of the current file */
	size_t end_size;	/* bytes after the file's offset, to be replaced */
	int64_t base;		/* where our text starts in a file that the caller gave */
	bool json_first;	/* json.c: no comma is due */
	char *path;
	char **older;		/* the previous names->most - 1 paths */
	struct output *times;	/* -b as text: a second file with the times that --merge needs; otherwise NULL */
	uint64_t stamp;		/* time stamp of the text being added */
	uint64_t timed;		/* bytes of the current file whose time has been recorded */
};

/* A file of times: a header, then for each handler's text its time stamp and its size in bytes. */
#define OUTPUT_TIMES_MAGIC "taptime1"
struct output_times {
	char magic[8];
	uint32_t cpu, number;
};
struct output_time {
	uint64_t stamp, size;
};
/* The path of the times for the text at PATH: FILE_timesN for FILE_cpuN. NULL if PATH is not a file of -b. */
char *output_times_path(const char *path);

enum { OUTPUT_ENOUGH = 256 << 10 };	/* bytes of unwritten text above which no more is added */

/* FD still belongs to the caller. */
void output_open(struct output *o, int fd);
/* 0, or errno with a message. NAMES and TIMES must outlive O. TIMES is opened, too, unless it is NULL. */
int output_open_file(struct output *o, const struct output_names *names, int cpu, struct output *times);
void output_text(struct output *o, const char *text, size_t size);
/* Messages are added to O from now on. */
void output_take_messages(struct output *o);
/* Returns room for SIZE bytes; output_used reports how many were written there. */
char *output_make_room(struct output *o, size_t size);
static inline char *output_room(struct output *o, size_t size)
{
	return o->room - o->end >= size ? o->data + o->end : output_make_room(o, size);
}
void output_used(struct output *o, size_t size);
static inline size_t output_pending(const struct output *o) { return o->end - o->start; }
static inline bool output_full(const struct output *o) { return output_pending(o) >= OUTPUT_ENOUGH; }
/* Writes as much as possible without waiting. True if nothing is left, also after an error. */
bool output_flush(struct output *o);
/* Called between the texts of two handlers: starts the next file if this one is large enough. */
void output_boundary(struct output *o);
void output_next_file(struct output *o);
const char *output_name(const struct output *o);	/* for messages */
/* Whether what it has got can be replaced. */
bool output_has_end(const struct output *o);
/* Writes DATA now, at the end of a file that output_has_end(). Later text replaces all but its first KEPT bytes. False,
 * with a message: it failed. */
bool output_end(struct output *o, const char *data, size_t size, size_t kept);
/* The bytes that a regular file has taken before an error; 0: it is not one. */
uint64_t output_taken(const struct output *o);
/* After an error: replaces what follows the first KEPT bytes with END. */
bool output_replace_end(struct output *o, uint64_t kept, const char *end, size_t size);
/* Flushes and closes; o->error has the error, if any. */
void output_close(struct output *o);

/* ---- all outputs of a session ---- */

struct outputs {
	struct output text, messages;
	struct output *bulk;	/* -b: one per CPU, opened when the CPU first prints */
	struct output *times;	/* the times of each; NULL: times are not kept */
	uint32_t cpus;
	const struct output_names *names;
};

/* NAMES->format NULL: stdout. BULK: each CPU's text goes to its own file. BESIDE: other text goes to one common
 * file as well. 0, or errno with a message. */
int outputs_open(struct outputs *o, const struct output_names *names, bool bulk, bool beside);
/* TIMED: record times, so that --merge can merge the files. */
void outputs_open_bulk(struct outputs *o, uint32_t cpus, bool timed);
/* The output for CPU's text. */
struct output *outputs_of(struct outputs *o, uint32_t cpu);
bool outputs_full(struct outputs *o);		/* true if any output is full */
bool outputs_flush(struct outputs *o);		/* true if nothing is left */
/* Text is waiting, and its reader has not taken any for NS. */
bool outputs_stuck(struct outputs *o, uint64_t ns);
/* Discards text that has been stuck for NS, and all later text for that output. True if there was any. */
bool outputs_abandon(struct outputs *o, uint64_t ns);
void outputs_next_file(struct outputs *o);
/* 0 or the error of a text output: EPIPE (its reader has gone), ECANCELED (abandoned), or a more serious error. */
int outputs_error(struct outputs *o);
void outputs_close(struct outputs *o);		/* outputs_error remains valid */

#endif
