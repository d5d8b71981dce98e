// SPDX-License-Identifier: GPL-2.0-or-later
/* Targets of pointer arguments of system calls: times, signals, vectors, limits. They are read from the process in
 * its own layout (native or 32-bit); what cannot be read is shown as an address. */
#include "memory.h"
#include "show.h"
#include "socket.h"

#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <linux/timex.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/ipc.h>
#include <uapi/linux/openat2.h>
#include <uapi/linux/sched/types.h>
#include <uapi/linux/sem.h>

/* Reads N words from ADDRESS on, of the process's word size, or of 8 bytes each: signed. */
static bool pointer_read_words(struct tap_shower *s, u64 *to, u32 n, u64 address, bool wide)
{
	u32 narrow[8];

	if (wide || tap_show_word(s) == 8)
		return tap_show_read(s, to, address, 8 * n);
	if (n > ARRAY_SIZE(narrow) || !tap_show_read(s, narrow, address, 4 * n))
		return false;
	for (u32 i = 0; i < n; i++)
		to[i] = (s64)(s32)narrow[i];
	return true;
}

/* A word that was read, as an address or a size: unsigned. */
static u64 pointer_unsigned(const struct tap_shower *s, u64 word)
{
	return tap_show_word(s) == 8 ? word : (u32)word;
}

/* ---- times ---- */

/* "1.500000000": PART is printed with DIGITS digits. */
static void pointer_seconds(struct tap_shower *s, s64 seconds, u64 part, u32 digits)
{
	char text[10];

	tap_show_decimal(s, seconds);
	tap_write_byte(&s->w, '.');
	for (u32 i = digits; i-- > 0; part /= 10)
		text[i] = '0' + part % 10;
	tap_write(&s->w, text, digits);
}

/* uapi/linux/stat.h: used instead of nanoseconds */
enum { UTIME_IS_NOW = 0x3fffffff, UTIME_IS_OMITTED = 0x3ffffffe };

static void pointer_time(struct tap_shower *s, const u64 *words, u32 digits)
{
	if (digits == 9 && words[1] == UTIME_IS_NOW)
		tap_show_text(s, "UTIME_NOW");
	else if (digits == 9 && words[1] == UTIME_IS_OMITTED)
		tap_show_text(s, "UTIME_OMIT");
	else
		pointer_seconds(s, words[0], words[1], digits);
}

/* COUNT times in sequence: [1.5][2.5], with names for the parts of timers. */
static void pointer_times(struct tap_shower *s, u64 address, u32 count, u32 digits, bool wide)
{
	u64 words[4];

	if (!pointer_read_words(s, words, 2 * count, address, wide))
		return;
	for (u32 i = 0; i < count; i++) {
		tap_write_byte(&s->w, '[');
		pointer_time(s, words + 2 * i, digits);
		tap_write_byte(&s->w, ']');
	}
}

static void pointer_timespec(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 1, 9, false); }
static void pointer_timespec64(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 1, 9, true); }
static void pointer_timespecs(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 2, 9, false); }
static void pointer_timespecs64(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 2, 9, true); }
static void pointer_timeval(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 1, 6, false); }
static void pointer_timevals(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 2, 6, false); }
static void pointer_itimerval(struct tap_shower *s, u64 value, u32 i) { pointer_times(s, value, 2, 6, false); }
DECODER(timespec, pointer_timespec);
DECODER(timespec64, pointer_timespec64);
DECODER(timespecs, pointer_timespecs);
DECODER(timespecs64, pointer_timespecs64);
DECODER(timeval, pointer_timeval);
DECODER(timevals, pointer_timevals);
DECODER(itimerval, pointer_itimerval);
DECODER(itimerspec, pointer_timespecs);
DECODER(itimerspec64, pointer_timespecs64);

static const struct tap_name timex_names[] = {
	NAME(ADJ_OFFSET), NAME(ADJ_FREQUENCY), NAME(ADJ_MAXERROR), NAME(ADJ_ESTERROR), NAME(ADJ_STATUS),
	NAME(ADJ_TIMECONST), NAME(ADJ_TAI), NAME(ADJ_SETOFFSET), NAME(ADJ_MICRO), NAME(ADJ_NANO), NAME(ADJ_TICK),
};
static const struct tap_decoder timex_modes = { .names = timex_names, .count = ARRAY_SIZE(timex_names) };

/* {modes, offset, frequency, maximum error, estimated error, status}: the first members of
 * struct timex. */
static void pointer_timex(struct tap_shower *s, u64 value, u32 i)
{
	u64 words[6];

	if (!pointer_read_words(s, words, ARRAY_SIZE(words), value, false))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &timex_modes, (u32)words[0]);
	for (u32 n = 1; n < ARRAY_SIZE(words); n++) {
		tap_show_text(s, ", ");
		tap_show_decimal(s, n == 5 ? (s32)words[n] : (s64)words[n]);
	}
	tap_write_byte(&s->w, '}');
}
DECODER(timex, pointer_timex);

static void pointer_timezone(struct tap_shower *s, u64 value, u32 i)
{
	s32 zone[2];

	if (!tap_show_read(s, zone, value, sizeof(zone)))
		return;
	tap_write_byte(&s->w, '[');
	tap_show_decimal(s, zone[0]);
	tap_show_text(s, ", ");
	tap_show_decimal(s, zone[1]);
	tap_write_byte(&s->w, ']');
}
DECODER(timezone, pointer_timezone);

/* ---- signals ---- */

static const char *const signals[] = {
	[SIGHUP] = "HUP", [SIGINT] = "INT", [SIGQUIT] = "QUIT", [SIGILL] = "ILL", [SIGTRAP] = "TRAP",
	[SIGABRT] = "ABRT", [SIGBUS] = "BUS", [SIGFPE] = "FPE", [SIGKILL] = "KILL", [SIGUSR1] = "USR1",
	[SIGSEGV] = "SEGV", [SIGUSR2] = "USR2", [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
	[SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
	[SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU", [SIGURG] = "URG", [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
	[SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGIO] = "IO", [SIGPWR] = "PWR",
	[SIGSYS] = "SYS",
};

static void pointer_signal_short(struct tap_shower *s, u32 number)
{
	if (number < ARRAY_SIZE(signals) && signals[number]) {
		tap_show_text(s, signals[number]);
	} else {
		tap_show_text(s, "RT_");
		tap_show_decimal(s, (s32)number - 32);
	}
}

static void pointer_signal(struct tap_shower *s, u64 value, u32 i)
{
	if ((u32)value - 1 >= _NSIG) {
		tap_show_decimal(s, (s32)value);
		return;
	}
	tap_show_text(s, "SIG");
	pointer_signal_short(s, value);
}
DECODER(signal, pointer_signal);

static void pointer_set(struct tap_shower *s, u64 set)
{
	bool first = true;
	bool others = hweight64(set) > 32;	/* the missing signals are the shorter list */

	tap_show_text(s, others ? "~[" : "[");
	for (u32 n = 1; n <= 64; n++) {
		if ((set >> (n - 1) & 1) == others)
			continue;
		if (!first)
			tap_write_byte(&s->w, ' ');
		first = false;
		pointer_signal_short(s, n);
	}
	tap_write_byte(&s->w, ']');
}

static void pointer_sigset(struct tap_shower *s, u64 value, u32 i)
{
	u64 set;

	if (tap_show_read(s, &set, value, sizeof(set)))
		pointer_set(s, set);
}
DECODER(sigset, pointer_sigset);

static void pointer_sighandler(struct tap_shower *s, u64 value, u32 i)
{
	if (value == 0)
		tap_show_text(s, "SIG_DFL");
	else if (value == 1)
		tap_show_text(s, "SIG_IGN");
	else
		tap_show_hex(s, value);
}
DECODER(sighandler, pointer_sighandler);

static const struct tap_name action_names[] = {
	NAME(SA_NOCLDSTOP), NAME(SA_NOCLDWAIT), NAME(SA_SIGINFO), NAMED(0x04000000, "SA_RESTORER"),
	NAME(SA_ONSTACK), NAME(SA_RESTART), NAME(SA_NODEFER), NAME(SA_RESETHAND),
};
static const struct tap_decoder action_flags = { .names = action_names, .count = ARRAY_SIZE(action_names) };

/* {handler, mask, flags}: in struct sigaction the mask follows the restorer, which arm64 lacks. */
static void pointer_sigaction(struct tap_shower *s, u64 value, u32 i)
{
	u32 word = tap_show_word(s);
	u64 words[2], mask = 0;

	if (!pointer_read_words(s, words, 2, value, false))
		return;
	tap_memory_copy(s->c, &mask, value + TAP_SIGACTION_MASK * word, sizeof(mask), true);
	tap_write_byte(&s->w, '{');
	pointer_sighandler(s, pointer_unsigned(s, words[0]), i);
	tap_show_text(s, ", ");
	pointer_set(s, mask);
	tap_show_text(s, ", ");
	tap_show_names_of(s, &action_flags, (u32)words[1]);
	tap_write_byte(&s->w, '}');
}
DECODER(sigaction, pointer_sigaction);

/* Only the first signals: a single word, either the set itself or the one in an old struct sigaction. */
static void pointer_sigset_word(struct tap_shower *s, u64 value, u32 i) { pointer_set(s, (u32)value); }
DECODER(sigset_word, pointer_sigset_word);

/* {handler, mask, flags} */
static void pointer_old_sigaction(struct tap_shower *s, u64 value, u32 i)
{
	u64 words[3];

	if (!pointer_read_words(s, words, ARRAY_SIZE(words), value, false))
		return;
	tap_write_byte(&s->w, '{');
	pointer_sighandler(s, pointer_unsigned(s, words[0]), i);
	tap_show_text(s, ", ");
	pointer_set(s, (u32)words[1]);
	tap_show_text(s, ", ");
	tap_show_names_of(s, &action_flags, (u32)words[2]);
	tap_write_byte(&s->w, '}');
}
DECODER(old_sigaction, pointer_old_sigaction);

static const struct tap_name stack_names[] = {
	NAMED(1, "SS_ONSTACK"), NAMED(2, "SS_DISABLE"), NAMED(1u << 31, "SS_AUTODISARM"),
};
static const struct tap_decoder stack_flags = { .names = stack_names, .count = 3 };

static void pointer_sigaltstack(struct tap_shower *s, u64 value, u32 i)
{
	u64 words[3];

	if (!pointer_read_words(s, words, 3, value, false))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_pointer(s, pointer_unsigned(s, words[0]));
	tap_show_text(s, ", ");
	tap_show_names_of(s, &stack_flags, (u32)words[1]);
	tap_show_text(s, ", ");
	tap_show_decimal(s, pointer_unsigned(s, words[2]));
	tap_write_byte(&s->w, '}');
}
DECODER(sigaltstack, pointer_sigaltstack);

/* {signal, code}: the members that all kinds have. */
static void pointer_siginfo(struct tap_shower *s, u64 value, u32 i)
{
	s32 info[3];

	if (!tap_show_read(s, info, value, sizeof(info)))
		return;
	tap_write_byte(&s->w, '{');
	pointer_signal(s, info[0], i);
	tap_show_text(s, ", ");
	tap_show_decimal(s, info[2]);
	tap_write_byte(&s->w, '}');
}
DECODER(siginfo, pointer_siginfo);

/* {notify, signal} */
static void pointer_sigevent(struct tap_shower *s, u64 value, u32 i)
{
	s32 event[2];

	if (!tap_show_read(s, event, value ? value + tap_show_word(s) : 0, sizeof(event)))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_text(s, event[1] == SIGEV_SIGNAL ? "SIGEV_SIGNAL" : event[1] == SIGEV_NONE ? "SIGEV_NONE" :
		      event[1] == SIGEV_THREAD ? "SIGEV_THREAD" : "SIGEV_THREAD_ID");
	tap_show_text(s, ", ");
	pointer_signal(s, event[0], i);
	tap_write_byte(&s->w, '}');
}
DECODER(sigevent, pointer_sigevent);

/* The status of a process: wait(2). */
static void pointer_wait_status(struct tap_shower *s, u64 value, u32 i)
{
	s32 status;

	if (!tap_show_read(s, &status, value, sizeof(status)))
		return;
	if (!(status & 0x7f)) {
		tap_show_text(s, "WIFEXITED, WEXITSTATUS=");
		tap_show_decimal(s, status >> 8 & 0xff);
	} else if (status == 0xffff) {
		tap_show_text(s, "WIFCONTINUED");
	} else if ((status & 0xff) == 0x7f) {
		tap_show_text(s, "WIFSTOPPED, WSTOPSIG=");
		pointer_signal(s, status >> 8 & 0xff, i);
	} else {
		tap_show_text(s, "WIFSIGNALED, WTERMSIG=");
		pointer_signal(s, status & 0x7f, i);
		if (status & 0x80)
			tap_show_text(s, ", WCOREDUMP");
	}
}
DECODER(wait_status, pointer_wait_status);

/* ---- arrays ---- */

/* Shows as many elements as the next argument says, of SIZE bytes each: [a, b, ...] */
static void pointer_array(struct tap_shower *s, u64 address, u64 count, u32 size,
			  void (*show)(struct tap_shower *s, const void *element))
{
	u64 element[2];

	if (!address) {
		tap_show_text(s, "NULL");
		return;
	}
	tap_write_byte(&s->w, '[');
	for (u64 n = 0; n < count; n++) {
		if (n)
			tap_show_text(s, ", ");
		if (n == TAP_SHOW_ELEMENTS) {
			tap_show_text(s, "...");
			break;
		}
		if (!tap_show_read(s, element, address + n * size, size))
			break;
		show(s, element);
	}
	tap_write_byte(&s->w, ']');
}

static u64 pointer_next_argument(const struct tap_shower *s, u32 i)
{
	return i < 5 ? s->call->arguments[i + 1] : 0;
}

static const struct tap_name poll_names[] = {
	NAMED(0x1, "POLLIN"), NAMED(0x2, "POLLPRI"), NAMED(0x4, "POLLOUT"), NAMED(0x8, "POLLERR"),
	NAMED(0x10, "POLLHUP"), NAMED(0x20, "POLLNVAL"), NAMED(0x40, "POLLRDNORM"),
	NAMED(0x80, "POLLRDBAND"), NAMED(0x100, "POLLWRNORM"), NAMED(0x200, "POLLWRBAND"),
	NAMED(0x400, "POLLMSG"), NAMED(0x2000, "POLLRDHUP"),
};
static const struct tap_decoder poll_events = { .names = poll_names, .count = ARRAY_SIZE(poll_names) };

static void pointer_pollfd(struct tap_shower *s, const void *element)
{
	const struct pollfd *p = element;

	tap_write_byte(&s->w, '{');
	tap_show_decimal(s, p->fd);
	tap_show_text(s, ", ");
	tap_show_names_of(s, &poll_events, (u16)p->events);
	tap_write_byte(&s->w, '}');
}

static void pointer_pollfds(struct tap_shower *s, u64 value, u32 i)
{
	pointer_array(s, value, (u32)pointer_next_argument(s, i), sizeof(struct pollfd), pointer_pollfd);
}
DECODER(pollfds, pointer_pollfds);

static const struct tap_name sembuf_names[] = { NAME(IPC_NOWAIT), NAME(SEM_UNDO) };
static const struct tap_decoder sembuf_flags = { .names = sembuf_names, .count = ARRAY_SIZE(sembuf_names) };

static void pointer_sembuf(struct tap_shower *s, const void *element)
{
	const s16 *p = element;		/* struct sembuf */

	tap_write_byte(&s->w, '{');
	tap_show_decimal(s, (u16)p[0]);
	tap_show_text(s, ", ");
	tap_show_decimal(s, p[1]);
	tap_show_text(s, ", ");
	tap_show_names_of(s, &sembuf_flags, (u16)p[2]);
	tap_write_byte(&s->w, '}');
}

static void pointer_sembufs(struct tap_shower *s, u64 value, u32 i)
{
	pointer_array(s, value, (u32)pointer_next_argument(s, i), 6, pointer_sembuf);
}
DECODER(sembufs, pointer_sembufs);

static void pointer_iovec(struct tap_shower *s, u64 base, u64 length)
{
	tap_write_byte(&s->w, '{');
	tap_show_bytes(s, base, length);
	tap_show_text(s, ", ");
	tap_show_decimal(s, length);
	tap_write_byte(&s->w, '}');
}

static void pointer_iovec_wide(struct tap_shower *s, const void *element)
{
	const u64 *p = element;

	pointer_iovec(s, p[0], p[1]);
}

static void pointer_iovec_narrow(struct tap_shower *s, const void *element)
{
	const u32 *p = element;

	pointer_iovec(s, p[0], p[1]);
}

static void pointer_vector(struct tap_shower *s, u64 address, u64 count)
{
	u32 word = tap_show_word(s);

	pointer_array(s, address, count, 2 * word, word == 8 ? pointer_iovec_wide : pointer_iovec_narrow);
}

static void pointer_iovecs(struct tap_shower *s, u64 value, u32 i)
{
	pointer_vector(s, value, pointer_next_argument(s, i));
}

DECODER(iovecs, pointer_iovecs);

/* {address, vector}: the destination, and the data to send. */
static void pointer_msghdr(struct tap_shower *s, u64 value, u32 i)
{
	u64 words[4];		/* name, its size, vector, its length */

	if (!pointer_read_words(s, words, 4, value, false))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_sockaddr(s, pointer_unsigned(s, words[0]), (u32)words[1]);
	tap_show_text(s, ", ");
	pointer_vector(s, pointer_unsigned(s, words[2]), pointer_unsigned(s, words[3]));
	tap_write_byte(&s->w, '}');
}
DECODER(msghdr, pointer_msghdr);

/* The strings of execve. */
static void pointer_argv(struct tap_shower *s, u64 value, u32 i)
{
	u32 word = tap_show_word(s);
	u64 text = 0;

	if (!value) {
		tap_show_text(s, "NULL");
		return;
	}
	tap_write_byte(&s->w, '[');
	for (u32 n = 0; tap_show_load(s, value + n * word, &text) && text; n++) {
		if (n)
			tap_show_text(s, ", ");
		if (s->w.at == s->w.end || n == 4 * TAP_SHOW_ELEMENTS) {
			tap_show_text(s, "...");
			break;
		}
		tap_show_string(s, text);
	}
	tap_write_byte(&s->w, ']');
}
DECODER(argv, pointer_argv);

/* The number of variables is more useful than the first few of them. */
static void pointer_envp(struct tap_shower *s, u64 value, u32 i)
{
	u32 word = tap_show_word(s), n = 0;
	u64 text;

	if (!value) {
		tap_show_text(s, "NULL");
		return;
	}
	while (n < 512 && tap_show_load(s, value + n * word, &text) && text)
		n++;
	tap_show_text(s, "[/* ");
	tap_show_decimal(s, n);
	tap_show_text(s, n == 512 ? "+ vars */]" : n == 1 ? " var */]" : " vars */]");
}
DECODER(envp, pointer_envp);

/* ---- others ---- */

static void pointer_limit(struct tap_shower *s, u64 value, bool wide)
{
	if (value == ~0ull)
		tap_show_text(s, "RLIM_INFINITY");
	else
		tap_show_decimal(s, wide ? value : pointer_unsigned(s, value));
}

static void pointer_limits(struct tap_shower *s, u64 address, bool wide)
{
	u64 words[2];

	if (!pointer_read_words(s, words, 2, address, wide))
		return;
	tap_write_byte(&s->w, '{');
	pointer_limit(s, words[0], wide);
	tap_show_text(s, ", ");
	pointer_limit(s, words[1], wide);
	tap_write_byte(&s->w, '}');
}

static void pointer_rlimit(struct tap_shower *s, u64 value, u32 i) { pointer_limits(s, value, false); }
static void pointer_rlimit64(struct tap_shower *s, u64 value, u32 i) { pointer_limits(s, value, true); }
DECODER(rlimit, pointer_rlimit);
DECODER(rlimit64, pointer_rlimit64);

/* The two descriptors, if they exist. */
static void pointer_pipe(struct tap_shower *s, u64 value, u32 i)
{
	s32 fds[2];

	if (s->call->result) {			/* failed, or not yet done */
		tap_show_pointer(s, value);
		return;
	}
	if (!tap_show_read(s, fds, value, sizeof(fds)))
		return;
	tap_write_byte(&s->w, '[');
	tap_show_decimal(s, fds[0]);
	tap_show_text(s, ", ");
	tap_show_decimal(s, fds[1]);
	tap_write_byte(&s->w, ']');
}
DECODER(pipe, pointer_pipe);

static void pointer_out_text(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_pointer(s, value);
}
DECODER(out_text, pointer_out_text);

static void pointer_in_int(struct tap_shower *s, u64 value, u32 i)
{
	s32 n;

	if (!tap_show_read(s, &n, value, sizeof(n)))
		return;
	tap_write_byte(&s->w, '[');
	tap_show_decimal(s, n);
	tap_write_byte(&s->w, ']');
}
DECODER(in_int, pointer_in_int);

static void pointer_epoll_event(struct tap_shower *s, u64 value, u32 i)
{
	struct epoll_event event;
	static const struct tap_name names[] = {
		NAMED(0x1, "EPOLLIN"), NAMED(0x2, "EPOLLPRI"), NAMED(0x4, "EPOLLOUT"), NAMED(0x8, "EPOLLERR"),
		NAMED(0x10, "EPOLLHUP"), NAMED(0x40, "EPOLLRDNORM"), NAMED(0x80, "EPOLLRDBAND"),
		NAMED(0x100, "EPOLLWRNORM"), NAMED(0x200, "EPOLLWRBAND"), NAMED(0x2000, "EPOLLRDHUP"),
		NAMED(1u << 28, "EPOLLEXCLUSIVE"), NAMED(1u << 29, "EPOLLWAKEUP"),
		NAMED(1u << 30, "EPOLLONESHOT"), NAMED(1u << 31, "EPOLLET"),
	};
	static const struct tap_decoder events = { .names = names, .count = ARRAY_SIZE(names) };

	if (!tap_show_read(s, &event, value, sizeof(event)))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &events, (__force u32)event.events);
	tap_show_text(s, ", ");
	tap_show_hex(s, event.data);
	tap_write_byte(&s->w, '}');
}
DECODER(epoll_event, pointer_epoll_event);

/* {flags, mode, resolve} */
static void pointer_open_how(struct tap_shower *s, u64 value, u32 i)
{
	struct open_how how;
	static const struct tap_name names[] = {
		NAME(RESOLVE_NO_XDEV), NAME(RESOLVE_NO_MAGICLINKS), NAME(RESOLVE_NO_SYMLINKS),
		NAME(RESOLVE_BENEATH), NAME(RESOLVE_IN_ROOT), NAMED(0x20, "RESOLVE_CACHED"),
	};
	static const struct tap_decoder resolve = { .names = names, .count = ARRAY_SIZE(names) };

	if (!tap_show_read(s, &how, value, sizeof(how)))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &tap_decode_open_flags, how.flags);
	tap_show_text(s, ", ");
	tap_show_octal(s, how.mode);
	tap_show_text(s, ", ");
	tap_show_names_of(s, &resolve, how.resolve);
	tap_write_byte(&s->w, '}');
}
DECODER(open_how, pointer_open_how);

/* {flags, exit signal}: the first and the fifth word of struct clone_args */
static void pointer_clone_args(struct tap_shower *s, u64 value, u32 i)
{
	u64 args[5];

	if (!tap_show_read(s, args, value, sizeof(args)))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &tap_decode_clone_namespaces, args[0]);
	tap_show_text(s, ", ");
	pointer_signal(s, args[4], i);
	tap_write_byte(&s->w, '}');
}
DECODER(clone_args, pointer_clone_args);

CHOICE_AND_FLAGS(sched_policy, 0xffff,
	NAME(SCHED_NORMAL), NAME(SCHED_FIFO), NAME(SCHED_RR), NAME(SCHED_BATCH), NAME(SCHED_IDLE),
	NAME(SCHED_DEADLINE), NAMED(7, "SCHED_EXT"), NAME(SCHED_RESET_ON_FORK));

/* {policy, nice, priority}; runtime, deadline and period where they apply */
static void pointer_sched_attr(struct tap_shower *s, u64 value, u32 i)
{
	struct sched_attr attr;
	enum { SMALLEST = 48 };		/* SCHED_ATTR_SIZE_VER0 */

	if (!tap_show_read(s, &attr, value, SMALLEST))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_names_of(s, &tap_decode_sched_policy, attr.sched_policy);
	tap_show_text(s, ", ");
	tap_show_decimal(s, attr.sched_nice);
	tap_show_text(s, ", ");
	tap_show_decimal(s, attr.sched_priority);
	for (u32 n = 0; attr.sched_policy == SCHED_DEADLINE && n < 3; n++) {
		tap_show_text(s, ", ");
		tap_show_decimal(s, (&attr.sched_runtime)[n]);
	}
	tap_write_byte(&s->w, '}');
}
DECODER(sched_attr, pointer_sched_attr);

/* The first 64 CPUs; the size is the preceding argument. */
static void pointer_cpu_mask(struct tap_shower *s, u64 value, u32 i)
{
	u64 mask = 0, size = i ? s->call->arguments[i - 1] : 0;

	if (tap_show_read(s, &mask, value, min_t(u64, size, sizeof(mask))))
		tap_show_hex(s, mask);
}
DECODER(cpu_mask, pointer_cpu_mask);

/* {entry, base, limit}: the first members of struct user_desc; the highest entry number means any free one. */
static void pointer_user_desc(struct tap_shower *s, u64 value, u32 i)
{
	u32 words[3];

	if (!tap_show_read(s, words, value, sizeof(words)))
		return;
	tap_write_byte(&s->w, '{');
	tap_show_decimal(s, (s32)words[0]);
	tap_show_text(s, ", ");
	tap_show_hex(s, words[1]);
	tap_show_text(s, ", ");
	tap_show_decimal(s, words[2]);
	tap_write_byte(&s->w, '}');
}
DECODER(user_desc, pointer_user_desc);

static void pointer_mount_data(struct tap_shower *s, u64 value, u32 i) { tap_show_string(s, value); }
DECODER(mount_data, pointer_mount_data);
