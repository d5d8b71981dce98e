/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What passes between a loaded module and the daemon.
 *
 * A module NAME makes the directory /proc/tap:NAME. Its files are the owner's, who is root until TAP_OWN
 * says otherwise; control and monitor are also group root's, for daemons with few capabilities:
 *   control  one opener at a time. Write commands; read the report; poll tells of a change of state.
 *            Closing it without TAP_DETACH disarms all probes and ends the session at once.
 *   monitor  any number of openers. Read the report; write those commands that say so below. It is there
 *            from TAP_OWN or TAP_CONFIGURE on, as is
 *   meta     the formats and probes, as a sequence of struct tap_meta.
 *   cpuN     records of CPU N. A read gives whole records only, as many as fit, and as its last one a
 *            heartbeat: everything of this CPU with an earlier stamp has been read. poll tells of data.
 *
 * The order of output is the order of stamps (ns since boot, taken at a handler's first print; near
 * to CLOCK_MONOTONIC), then CPU, then sequence. A record may be printed when every CPU's heartbeat is later.
 * All numbers are in the machine's byte order. */
#ifndef TAP_WIRE_H
#define TAP_WIRE_H

#include "tap_script.h"

#define TAP_WIRE_VERSION 5
#define TAP_WIRE_MAGIC 0x31706174u	/* "tap1" */
#define TAP_PROC_PREFIX "tap:"

/* ---- cpuN ---- */

enum tap_record_kind {
	TAP_RECORD_ITEMS = 1,		/* a handler's output: struct tap_item after struct tap_item */
	TAP_RECORD_HEARTBEAT = 2,	/* no payload */
};

struct tap_record {
	u32 size;			/* of the whole record with this header; a multiple of 8 */
	u32 payload;			/* bytes of payload, before padding */
	u32 sequence;			/* of this CPU, from 1, 1 more each record made; a gap is that many lost.
					 * A heartbeat carries the last one made (also when it was lost). */
	u16 kind;
	u16 cpu;
	u64 stamp;
};

/* ---- control: written ---- */

enum tap_command_kind {
	TAP_CONFIGURE = 1,	/* payload struct tap_configuration; before TAP_START */
	TAP_SET,		/* payload "name=value": a parameter; before TAP_START */
	TAP_START,		/* attach all probes, run begin, arm. Errors: errno, and items in cpuN */
	TAP_STOP,		/* disarm, detach, run end (or error) probes; then state DRAINING */
	TAP_ARM, TAP_DISARM,	/* payload u32 probe number; monitor takes them, too */
	TAP_DETACH,		/* payload u32: 1: closing control leaves the session running; 0: no more */
	TAP_RESET,		/* statistics of probes to zero; monitor takes it, too */
	TAP_OWN,		/* payload struct tap_owner; once, before TAP_CONFIGURE */
	TAP_EXIT,		/* as if the script called exit(); monitor takes it, too */
};

struct tap_command {
	u32 magic;		/* TAP_WIRE_MAGIC */
	u16 version;		/* TAP_WIRE_VERSION */
	u16 kind;
	u32 size;		/* of the payload that follows in the same write */
};

enum {
	TAP_SESSION_OVERWRITE = 1,	/* flight recorder: the oldest records make room */
	TAP_SESSION_TIMING = 2,		/* -t: time of each handler */
};
struct tap_configuration {
	u64 buffer;		/* bytes a CPU, rounded up to a power of two; 0: the default */
	s32 target;		/* target(): the process of -c or -x; 0: none */
	u32 flags;
	s32 loader;		/* stp_pid(): the process that reads */
	s32 west;		/* tz_gmtoff(): the reader's clock is so many seconds west of UTC */
	char zone[16];		/* tz_name(): that zone's name with a NUL */
	s32 remote;		/* remote_id(): which of several hosts this is; -1: it is alone */
	char remote_name[64];	/* remote_uri(): its name with a NUL */
};

/* Who the session is for. Whoever has loaded the module sets it before he hands control over. */
struct tap_owner {
	u32 user;		/* uid that owns the files in /proc */
	u32 seconds;		/* so long after its start it is stopped; 0: no limit */
	u64 memory;		/* bytes that it may allocate; 0: no limit */
};

/* ---- control: read ---- */

enum tap_state {
	TAP_LOADED, TAP_STARTING, TAP_RUNNING, TAP_STOPPING,
	TAP_DRAINING,		/* no record will be added: read cpuN to the end, then unload */
	TAP_FAILED,		/* start failed and was undone; then as DRAINING */
};

/* One read from offset 0 gives this and then one tap_probe_report for each row of probes. */
struct tap_report {
	u32 magic;
	u16 version;
	u16 size;		/* of this struct */
	u32 state;
	bool exiting;		/* exit() was called, or too many errors: send TAP_STOP */
	bool failed;		/* errors above MAXERRORS or skips above MAXSKIPPED: exit status 1 */
	bool detached;		/* runs on without a reader */
	bool held;		/* control is open */
	bool lines;		/* the answers in images are to have lines of sources */
	u8 reserved;
	u16 cpus;		/* there are files cpu0 ... cpu(cpus-1); some may be absent */
	u16 report_size;	/* of one tap_probe_report */
	u16 reserved_too;
	u32 probe_count;
	u64 now, started;	/* ns since boot; started: 0 before TAP_START */
	u64 errors;		/* soft errors */
	u64 lost;		/* records, of all CPUs */
	u64 skipped_reentrant, skipped_lock, skipped_overload, skipped_stack;
	u64 sites, sites_failed;	/* places probed; wanted by wildcards but not possible */
	u64 memory;		/* bytes allocated */
	u64 memory_limit;	/* of tap_owner, or of the script; 0: none */
};

struct tap_probe_report {
	u64 hits, skipped, missed;	/* missed: returns without a free instance */
	u64 time, time_min, time_max;	/* ns, with TAP_SESSION_TIMING */
	u32 number;			/* of the script's probe */
	u16 armed;
	u16 shed;			/* switched off, for it took too much time */
};

/* ---- meta ---- */

enum tap_meta_kind {
	TAP_META_SCRIPT = 1,	/* payload: the script's name */
	TAP_META_FORMAT,	/* payload: its text; in order of their numbers */
	TAP_META_HIST,		/* instead of FORMAT: payload struct tap_hist_shape */
	TAP_META_PROBE,		/* payload: point NUL position NUL; in order of the rows */
	TAP_META_LIMITS,	/* payload: struct tap_limits */
	TAP_META_GLOBAL,	/* instead of FORMAT: payload its text, of one that shows a global at exit */
};
struct tap_meta {
	u32 kind;
	u32 size;		/* of the payload that follows */
};

#endif
