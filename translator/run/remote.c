/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts on other machines. For each host, ssh runs the shell script below, which reports the host's kernel,
 * reads the module and taprun's words from its standard input, and runs the module. At the end of that input
 * it stops taprun, whose last output still arrives: so a host stops when tapc does, whatever ended tapc.
 *
 *	HELLO: facts -> READY: waits for its module -> RUNNING: output is relayed -> GONE
 *
 * With several hosts, lines are not mixed, and each is preceded by the name of its host. */
#include "remote.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"
#include "staging/common/status.h"
#include "base/tame.h"
#include "base/text.h"
#include "source/options.h"
#include "base/util.h"

static const char on_host[] =
	"PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin\n"
	"echo \"tapc-host $(uname -r) $(uname -m) $(command -v taprun)\"\n"
	"read -r size words || exit 0\n"
	"dir=$(mktemp -d) || exit 8\n"
	"trap 'rm -rf \"$dir\"' EXIT\n"
	"head -c \"$size\" >\"$dir/module.ko\"\n"
	"eval \"set -- $words\"\n"
	"exec 3<&0\n"
	"taprun \"$@\" \"$dir/module.ko\" </dev/null 3<&- &\n"
	"run=$!\n"
	"{ cat <&3; kill -TERM $run; } >/dev/null 2>&1 &\n"
	"exec 3<&-\n"
	"wait $run\n";

enum state { HELLO, READY, RUNNING, GONE };

/* Longest line before a host has reported its kernel, and longest line that is not mixed with
 * those of other hosts. */
enum { LONGEST_HELLO = 4096, LONGEST_LINE = 1 << 20 };

struct stream {
	int fd;				/* -1: closed */
	FILE *to;
	struct text line;		/* incomplete last line */
	bool is_terminal;		/* TO is a terminal */
	struct tame tame;
};

struct host {
	const char *name;
	enum state state;
	pid_t ssh;
	int input;			/* of the shell on the host; -1: closed */
	struct stream out, err;
	const char *release, *machine;
	bool is_refused;		/* its output is ignored */
	int status;
};

/* A module for all hosts with the same kernel. */
struct built {
	const char *release, *machine;
	char *image;			/* NULL: it could not be built */
	size_t size;
};

struct fleet {
	struct arena *arena;
	const struct options *options;
	remote_build *build;
	void *data;
	VEC(struct host) hosts;
	VEC(struct built) modules;
	struct pollfd *fds;		/* room for both streams of each host, and the wake-up pipe */
};

static int wake[2];			/* a signal has arrived */
static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
	if (write(wake[1], "", 1) < 0)
		return;			/* full: the reader will wake up anyway */
}

static void host_error(struct host *h, const char *what)
{
	error_print("%s: %s", h->name, what);
	h->status = TAP_STATUS_LOAD;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- ssh ---- */

static _Noreturn void become_ssh(const struct host *h, const int in[2], const int out[2], const int err[2])
{
	const char *ssh = getenv("TAPC_SSH");
	const char *argv[] = { ssh && *ssh ? ssh : "ssh", "-T", h->name, on_host, NULL };

	signal(SIGINT, SIG_IGN);	/* from the terminal: tapc itself stops ssh */
	signal(SIGPIPE, SIG_DFL);
	dup2(in[0], 0);
	dup2(out[1], 1);
	dup2(err[1], 2);
	execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "cannot run '%s': %s\n", argv[0], strerror(errno));
	_exit(TAP_STATUS_HOST);
}

static void start_host(struct fleet *f, struct host *h)
{
	struct arena *a = f->arena;
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		fatal("cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	h->ssh = fork();
	if (h->ssh < 0)
		fatal("cannot start ssh: %s", strerror(errno));
	if (h->ssh == 0)
		become_ssh(h, in, out, err);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	h->input = in[1];
	h->out = (struct stream){ .fd = out[0], .to = stdout, .is_terminal = isatty(STDOUT_FILENO) };
	h->err = (struct stream){ .fd = err[0], .to = stderr, .is_terminal = isatty(STDERR_FILENO) };
	text_init(&h->out.line, a);
	text_init(&h->err.line, a);
}

/* ---- output of a host ---- */

static void put_line(const struct fleet *f, const struct host *h, struct stream *s)
{
	struct text tamed;

	if (f->hosts.n > 1)
		fprintf(s->to, "%s: ", h->name);
	if (s->is_terminal) {
		text_init(&tamed, f->arena);
		tame_add(&s->tame, &tamed, s->line.s, s->line.n);
		fwrite(tamed.s, 1, tamed.n, s->to);
	} else {
		fwrite(s->line.s, 1, s->line.n, s->to);
	}
	s->line.n = 0;
}

/* These words become parts of paths and messages here, so only characters that uname(1) prints are accepted. */
static bool is_fact(const char *word, const char *signs)
{
	enum { LONGEST = 64 };		/* as in struct new_utsname */
	size_t n = 0;

	if (!word || word[0] == '.' || word[0] == '-')
		return false;
	while (isascii(word[n]) && (isalnum((unsigned char)word[n]) || (word[n] && strchr(signs, word[n]))))
		n++;
	return n && n <= LONGEST && !word[n];
}

/* Nothing is sent to a host whose report is not valid. */
static void refuse_facts(struct fleet *f, struct host *h, const char *what, const char *word)
{
	host_error(h, arena_printf(f->arena, "expected its %s, found '%s'; nothing is sent there", what,
				   tame_word(f->arena, word ? word : "")));
	h->is_refused = true;
	close_fd(&h->input);
	kill(h->ssh, SIGTERM);
}

/* "tapc-host RELEASE MACHINE TAPRUN"; a login script may have printed other lines before. */
static void take_facts(struct fleet *f, struct host *h, char *line)
{
	char *rest = line, *word = strtok_r(line, " \n", &rest);

	if (!word || !str_equal(word, "tapc-host"))
		return;
	h->release = strtok_r(NULL, " \n", &rest);
	h->machine = strtok_r(NULL, " \n", &rest);
	h->state = READY;
	if (!is_fact(h->release, "._+~-")) {
		refuse_facts(f, h, "kernel release", h->release);
		return;
	}
	if (!is_fact(h->machine, "_")) {
		refuse_facts(f, h, "machine", h->machine);
		return;
	}
	if (strtok_r(NULL, " \n", &rest))
		return;
	host_error(h, "taprun is not in PATH there; install it (a target needs only taprun)");
	close_fd(&h->input);
}

static void take_line(struct fleet *f, struct host *h, struct stream *s)
{
	if (s == &h->out && h->state == HELLO) {
		take_facts(f, h, arena_strdup(f->arena, s->line.s));
		s->line.n = 0;
	} else {
		put_line(f, h, s);
	}
}

/* The output of a single host is relayed as it arrives; that of several hosts in whole lines. */
static void take_bytes(struct fleet *f, struct host *h, struct stream *s, const char *p, size_t n)
{
	while (n) {
		const char *end = memchr(p, '\n', n);
		size_t part = end ? (size_t)(end - p) + 1 : n;

		text_add_n(&s->line, p, part);
		if (s == &h->out && h->state == HELLO && s->line.n > LONGEST_HELLO)
			refuse_facts(f, h, "kernel and machine", s->line.s);
		if (h->is_refused)
			return;
		if (end || s->line.n > LONGEST_LINE || (f->hosts.n == 1 && h->state == RUNNING))
			take_line(f, h, s);
		p += part;
		n -= part;
	}
	fflush(s->to);
}

/* A sequence that the end of the stream has cut off. */
static void put_rest(const struct fleet *f, struct stream *s)
{
	struct text rest;

	text_init(&rest, f->arena);
	tame_end(&s->tame, &rest);
	if (rest.n)
		fwrite(rest.s, 1, rest.n, s->to);
}

static void read_stream(struct fleet *f, struct host *h, struct stream *s)
{
	char buffer[65536];
	ssize_t n = read(s->fd, buffer, sizeof(buffer));

	if (n > 0 && h->is_refused)
		return;
	if (n > 0) {
		take_bytes(f, h, s, buffer, (size_t)n);
		return;
	}
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (h->is_refused)
		s->line.n = 0;
	if (s->line.n && f->hosts.n > 1)
		text_char(&s->line, '\n');
	if (s->line.n)
		put_line(f, h, s);
	put_rest(f, s);
	fflush(s->to);
	close_fd(&s->fd);
}

/* Both streams have ended, so ssh has ended. 255 is the status of ssh itself: it could not connect,
 * or lost the connection. */
static void end_host(struct fleet *f, struct host *h)
{
	enum state last = h->state;
	int status = 0;

	h->state = GONE;
	close_fd(&h->input);
	while (waitpid(h->ssh, &status, 0) < 0 && errno == EINTR)
		;
	if (h->status)
		return;
	h->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (h->status == 255)
		host_error(h, last == RUNNING ? "the connection was lost; taprun there unloads the script" :
						"cannot connect");
	else if (last == HELLO && !signals)
		host_error(h, "ssh ended before the host reported its kernel");
	else if (h->status && f->hosts.n > 1)
		fprintf(stderr, "tapc: %s: ended with status %d\n", h->name, h->status);
}

/* ---- modules ---- */

static struct built *module_for(struct fleet *f, const struct host *h)
{
	struct built *m;

	vec_each(old, &f->modules)
		if (str_equal(old->release, h->release) && str_equal(old->machine, h->machine))
			return old;
	m = vec_add(f->arena, &f->modules);
	*m = (struct built){ .release = h->release, .machine = h->machine };
	m->image = f->build(f->data, h->release, h->machine, &m->size);
	return m;
}

static void add_quoted(struct text *t, const char *word)
{
	text_add(t, " '");
	for (; *word; word++) {
		if (*word == '\'')
			text_add(t, "'\\''");
		else
			text_char(t, *word);
	}
	text_char(t, '\'');
}

static void send_module(struct fleet *f, struct host *h)
{
	struct built *m = module_for(f, h);
	name_list words = { 0 };
	struct text line;

	if (!m->image) {
		host_error(h, arena_printf(f->arena, "no module for its kernel, %s (%s)", h->release,
					      h->machine));
		h->status = TAP_STATUS_BUILD;
		close_fd(&h->input);
		h->state = RUNNING;	/* it will end soon */
		return;
	}
	text_init(&line, f->arena);
	text_printf(&line, "%zu", m->size);
	add_quoted(&line, "-r");
	add_quoted(&line, arena_printf(f->arena, "%td:%s", h - f->hosts.items, h->name));
	launch_words(f->options, &words);
	vec_each(w, &words)
		add_quoted(&line, *w);
	text_char(&line, '\n');
	h->state = RUNNING;
	/* if the host is gone, its streams end too */
	if (!fd_write(h->input, line.s, line.n) || !fd_write(h->input, m->image, m->size))
		close_fd(&h->input);
}

/* ---- the fleet ---- */

static void stop_all(struct fleet *f)
{
	vec_each(h, &f->hosts) {
		close_fd(&h->input);
		if (signals > 1 && h->state != GONE)
			kill(h->ssh, SIGTERM);
	}
}

/* Wait for one event. False: no more events can occur. */
static bool step(struct fleet *f)
{
	struct pollfd *fds = f->fds;
	size_t n = 0, open = 0;

	fds[n++] = (struct pollfd){ .fd = wake[0], .events = POLLIN };
	vec_each(h, &f->hosts) {
		fds[n++] = (struct pollfd){ .fd = h->out.fd, .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = h->err.fd, .events = POLLIN };
		open += (h->out.fd >= 0) + (h->err.fd >= 0);
	}
	if (!open)
		return false;
	if (poll(fds, n, -1) < 0)
		return errno == EINTR;
	if (fds[0].revents) {
		char byte;

		if (read(wake[0], &byte, 1) == 1)
			stop_all(f);
	}
	for (size_t i = 0; i < f->hosts.n; i++) {
		struct host *h = &f->hosts.items[i];

		if (fds[1 + 2 * i].revents)
			read_stream(f, h, &h->out);
		if (fds[2 + 2 * i].revents)
			read_stream(f, h, &h->err);
		if (h->state == READY && h->input >= 0)
			send_module(f, h);
		if (h->out.fd < 0 && h->err.fd < 0 && h->state != GONE)
			end_host(f, h);
	}
	return true;
}

static bool check_options(const struct options *o)
{
	const char *wrong = o->vm ? "--vm" : o->simulate ? "--simulate" : o->release ? "-r" :
			    o->output ? "-o" : o->size_limit ? "-S" : o->bulk ? "-b" :
			    o->flight_recorder ? "-F" : o->last_pass < 5 ? "-p" : NULL;

	vec_each(name, &o->remotes) {
		if (**name && **name != '-')
			continue;
		error_print("--remote: expected [USER@]HOST or ssh://[USER@]HOST[:PORT], found '%s'", *name);
		return false;
	}
	if (wrong)
		error_print("%s cannot be used with --remote", wrong);
	return !wrong;
}

int remote_run(const struct options *o, remote_build *build, void *data)
{
	struct fleet f = { .arena = o->arena, .options = o, .build = build, .data = data };
	struct sigaction action = { .sa_handler = on_signal };

	if (!check_options(o))
		return TAP_STATUS_USAGE;
	if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0)
		fatal("cannot make a pipe: %s", strerror(errno));
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	vec_each(name, &o->remotes)
		*vec_add(o->arena, &f.hosts) = (struct host){ .name = *name };
	f.fds = arena_array(o->arena, struct pollfd, f.hosts.n * 2 + 1);
	vec_each(h, &f.hosts)
		start_host(&f, h);
	while (step(&f))
		;
	vec_each(h, &f.hosts)
		if (h->status)
			return h->status;
	return TAP_STATUS_OK;
}
