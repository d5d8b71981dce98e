/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between a loaded module and the daemon.
 *
 * A module NAME creates the directory /proc/tap:NAME. Its files belong to the owner, who is root until TAP_OWN sets
 * another one; control and monitor also have group root, for daemons with few capabilities:
 *  control  can be opened by one process at a time. Write: commands; read: the report; poll: a change of state.
 *           Closing it without TAP_DETACH disarms all probes and ends the session at once.
 *  monitor  can be opened by any number of processes. Read: the report; write: those commands marked so below.
 *           It exists from TAP_OWN or TAP_CONFIGURE on, as does
 *  meta     the formats and probes, as a sequence of struct tap_meta.
 *  cpuN     records of CPU N. A read returns whole records only, as many as fit, the last of them a
 *           heartbeat: everything of this CPU with an earlier stamp has been read. poll: data is available.
 *
 * Output is ordered by stamp (ns since boot, taken at a handler's first print; close to CLOCK_MONOTONIC), then CPU,
 * then sequence. A record may be printed when the heartbeats of all CPUs are later. All numbers are in the
 * machine's byte order. */
#ifndef TAP_WIRE_H
#define TAP_WIRE_H

#include "tap_script.h"

#define TAP_WIRE_MAGIC 0x31706174u	/* "tap1" */
#define TAP_PROC_PREFIX "tap:"

/* ---- cpuN ---- */

/* The header of the output of a handler, which is a sequence of struct tap_item. A record that is only a header is a
 * heartbeat. */
struct tap_record {
	u32 size;			/* bytes with this header; the next record begins at a multiple of 8 */
	u32 sequence;			/* per CPU, from 1, incremented for each record made; a gap is the number of
					 * lost records. A heartbeat carries that of the last record made (even if
					 * it was lost). */
	u64 stamp;
};
static inline u64 tap_record_room(u32 size) { return ((u64)size + 7) & ~7ull; }

/* ---- control: written ---- */

enum tap_command_kind {
	TAP_CONFIGURE = 1,	/* payload struct tap_configuration; before TAP_START. With a cgroup: EOPNOTSUPP: the
				 * script follows all threads; ENODEV: the kernel has no cgroups */
	TAP_SET,		/* payload "name=value": a parameter; before TAP_START */
	TAP_START,		/* attach all probes, run begin, arm. Errors: errno, and items in cpuN */
	TAP_STOP,		/* disarm, detach, run end (or error) probes; then the state is DRAINING */
	TAP_ARM, TAP_DISARM,	/* payload u32 probe number; monitor accepts them, too */
	TAP_DETACH,		/* payload u32: 1: closing control leaves the session running; 0: it no longer does */
	TAP_RESET,		/* set the statistics of probes to zero; monitor accepts it, too */
	TAP_OWN,		/* payload struct tap_owner; once, before TAP_CONFIGURE */
	TAP_EXIT,		/* as if the script had called exit(); monitor accepts it, too */
	TAP_SNAPSHOT,		/* as if the script had called snapshot() (tap_recorder.h); EBUSY: another one is not
				 * read yet; EOPNOTSUPP, ENODEV: the script has no recorder; monitor accepts it, too */
};

struct tap_command {
	u32 magic;		/* TAP_WIRE_MAGIC */
	u16 version;		/* TAP_WIRE_VERSION of tap_version.h */
	u16 kind;
	u32 size;		/* of the payload that follows in the same write */
};

enum {
	TAP_SESSION_OVERWRITE = 1,	/* flight recorder: new records replace the oldest */
	TAP_SESSION_TIMING = 2,		/* -t: measure the time of each handler */
};
struct tap_configuration {
	u64 buffer;		/* bytes per CPU at most; with OVERWRITE always, rounded up to a power of two; 0: the
				 * default */
	s32 target;		/* target(): the process of -c or -x; 0: none */
	u32 flags;
	s32 loader;		/* stp_pid(): the process that reads */
	s32 west;		/* tz_gmtoff(): seconds that the reader's local time is west of UTC */
	char zone[16];		/* tz_name(): the name of that time zone with a NUL */
	s32 remote;		/* remote_id(): index of this host among several; -1: a single host */
	char remote_name[64];	/* remote_uri(): its name with a NUL */
	u64 cgroup;		/* only hits of tasks in this cgroup of version 2 or below it are handled: the inode
				 * number of its directory; 0: all */
};

/* Who the session is for. The process that loaded the module sets it before it hands over
 * control. */
struct tap_owner {
	u32 user;		/* uid that owns the files in /proc */
	u32 seconds;		/* stopped this long after its start; 0: no limit */
	u64 memory;		/* bytes that it may allocate; 0: no limit */
	u32 flags;		/* TAP_OWNER_GLOBALS */
	u32 reserved;		/* 0 */
};

enum {
	/* May read and set the globals of a script (tap_globals.h). Not for a user who may only load trusted modules:
	 * such a module may rely on the values that its script has given to them. */
	TAP_OWNER_GLOBALS = 1,
};

/* ---- control: read ---- */

enum tap_state {
	TAP_LOADED, TAP_STARTING, TAP_RUNNING, TAP_STOPPING,
	TAP_DRAINING,		/* no further records will be added: read cpuN to the end, then unload */
	TAP_FAILED,		/* start failed and was undone; otherwise as DRAINING */
};

/* One read from offset 0 returns this and then one tap_probe_report for each probe row. */
struct tap_report {
	u32 magic;
	u16 version;
	u16 size;		/* of this struct */
	u32 state;
	bool exiting;		/* exit() was called, or too many errors: send TAP_STOP */
	bool failed;		/* more errors than MAXERRORS or skips than MAXSKIPPED: exit status 1 */
	bool detached;		/* continues to run without a reader */
	bool held;		/* control is open */
	bool lines;		/* the answers in images must include source lines */
	u8 reserved;
	u16 cpus;		/* the files are cpu0 ... cpu(cpus-1); some may be absent */
	u16 report_size;	/* of one tap_probe_report */
	u16 reserved_too;
	u32 probe_count;
	u64 now, started;	/* ns since boot; started: 0 before TAP_START */
	u64 errors;		/* soft errors */
	u64 lost;		/* records lost on all CPUs */
	u64 skipped_reentrant, skipped_lock, skipped_overload, skipped_stack;
	u64 fetched, unfetched;	/* reads for which a process's memory was fetched, or could not be fetched */
	u64 sites, sites_failed;	/* places probed; places matched by wildcards that cannot be probed */
	u64 sites_direct;	/* of the places probed, those that call the module directly */
	u64 memory;		/* bytes allocated */
	u64 memory_limit;	/* from tap_owner or the script; 0: none */
};

/* Why functions do not call a row's code, which the row has for them. */
enum tap_indirect {
	TAP_INDIRECT_NONE,
	TAP_INDIRECT_KERNEL,	/* the kernel or the processor does not support it */
	TAP_INDIRECT_CGROUP,	/* the session is for the tasks of a cgroup */
	TAP_INDIRECT_POLICY,	/* BPF programs that enforce a policy may be attached there */
	TAP_INDIRECT_ROWS,	/* other rows probe the function, or their functions are others */
	TAP_INDIRECT_ROOM,	/* too many rows or functions */
	TAP_INDIRECT_TAKEN,	/* another user of ftrace has the function */
	TAP_INDIRECT_GATE,	/* tap_gate is not loaded, or all of its trampolines are lent */
	TAP_INDIRECT_REFUSED,	/* by ftrace */
};

struct tap_probe_report {
	u64 hits, skipped, missed;	/* missed: returns lost for lack of a free instance */
	u64 time, time_min, time_max;	/* ns, with TAP_SESSION_TIMING */
	u32 number;			/* of the script's probe */
	u16 armed;
	u16 shed;			/* switched off because it took too much time */
	u32 direct;			/* places that call the row's code */
	u32 indirect;			/* enum tap_indirect: of the first place that does not */
};

/* ---- meta ---- */

enum tap_meta_kind {
	TAP_META_SCRIPT = 1,	/* payload: the script's name */
	TAP_META_FORMAT,	/* payload: its text; in the order of their numbers */
	TAP_META_HIST,		/* instead of FORMAT: payload struct tap_hist_shape */
	TAP_META_PROBE,		/* payload: point NUL position NUL; in the order of the rows */
	TAP_META_LIMITS,	/* payload: struct tap_limits */
	TAP_META_GLOBAL,	/* instead of FORMAT: payload its text, for a format that shows a global at exit */
	TAP_META_ROW,		/* instead of FORMAT: payload its text, for a row of a table */
};
struct tap_meta {
	u32 kind;
	u32 size;		/* of the payload that follows */
};

#endif
