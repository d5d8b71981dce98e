// SPDX-License-Identifier: GPL-2.0-or-later
/* Children run as the user who called taprun, with the signals, environment and standard files that taprun was
 * given; other descriptors are closed. A command that waits at its gate exits if taprun dies, because then the
 * gate is closed. While it waits it keeps none of our files open: it may have been stopped, and a session
 * goes on as long as its control file is open. */
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/host.h"
#include "common/message.h"
#include "common/signals.h"
#include "common/words.h"

void command_init(struct commands *c)
{
	*c = (struct commands){ .gate = -1, .failure = -1 };
}

static ssize_t read_all(int fd, void *data, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, data, size);
	} while (n < 0 && errno == EINTR);
	return n;
}

/* Is WORD (SIZE bytes) a program that a shell would find? */
static bool is_program(const char *word, size_t size)
{
	const char *at = memchr(word, '/', size) ? "" : getenv("PATH");
	bool found = false;

	while (at && !found) {
		size_t n = strcspn(at, ":");
		char *file = host_printf("%.*s%s%.*s", (int)n, at, n ? "/" : "", (int)size, word);

		found = access(file, X_OK) == 0;
		free(file);
		at = at[n] ? at + n + 1 : NULL;
	}
	return found;
}

/* How to run a command line. */
struct command_line {
	struct words words;		/* a program and its arguments; none: a shell is needed */
	char *text;			/* for the shell */
};

/* target() must be the program of -c itself, and its first act must be exec: a shell in between would count as
 * the target. If words need expanding, a shell is necessary, but then exec replaces it with the program; some
 * shells do so themselves, Debian's does not. Text that is not a single program (lists, loops, built-in
 * commands) is left unchanged. */
static struct command_line line_of(const char *text)
{
	struct command_line line = { 0 };
	enum words_kind kind = words_split(text, &line.words);
	bool one = kind != WORDS_SHELL && is_program(line.words.list[0], strlen(line.words.list[0]));

	if (kind == WORDS_PLAIN && one)
		return line;
	words_free(&line.words);
	line.text = host_printf(one ? "exec %s" : "%s", text);
	return line;
}

static void line_free(struct command_line *line)
{
	words_free(&line->words);
	free(line->text);
}

/* Runs in the child. The parent, which may have threads, has prepared LINE. */
static _Noreturn void run_line(const struct command_line *line, int failure)
{
	signals_restore();
	if (line->words.count)
		execvp(line->words.list[0], line->words.list);
	else
		execl("/bin/sh", "sh", "-c", line->text, (char *)NULL);
	int err = errno;

	if (failure >= 0 && write(failure, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* The highest open descriptor. */
static int highest_descriptor(void)
{
	DIR *all = opendir("/proc/self/fd");
	const struct dirent *d;
	int highest = 1023;

	while (all && (d = readdir(all)))
		if (atoi(d->d_name) > highest)
			highest = atoi(d->d_name);
	if (all)
		closedir(all);
	return highest;
}

/* Runs in the child: closes now what exec would close, except the two descriptors that the gate needs. */
static void close_ours(int highest, int gate, int failure)
{
	for (int fd = 3; fd <= highest; fd++)
		if (fd != gate && fd != failure && fcntl(fd, F_GETFD) > 0)
			close(fd);
}

int command_prepare(struct commands *c, const char *text, int fd)
{
	struct command_line line;
	int gate[2], failure[2], highest;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return errno;
	if (pipe2(failure, O_CLOEXEC) < 0) {
		int err = errno;

		close(gate[0]);
		close(gate[1]);
		return err;
	}
	line = line_of(text);
	highest = highest_descriptor();
	c->pid = fork();
	if (c->pid == 0) {
		char go;

		if (fd != 1)
			dup2(fd, 1);
		close_ours(highest, gate[0], failure[1]);
		if (read_all(gate[0], &go, 1) != 1)
			_exit(0);
		run_line(&line, failure[1]);
	}
	int err = errno;

	line_free(&line);
	close(gate[0]);
	close(failure[1]);
	c->gate = gate[1];
	c->failure = failure[0];
	if (c->pid < 0) {
		c->pid = 0;
		return err;
	}
	c->running = true;
	return 0;
}

int command_release(struct commands *c)
{
	int err = 0;

	if (c->gate < 0)
		return 0;
	if (write(c->gate, "", 1) < 0)
		err = errno;
	host_close(&c->gate);
	if (!err && read_all(c->failure, &err, sizeof(err)) != sizeof(err))
		err = 0;
	host_close(&c->failure);
	return err;
}

void command_system(struct commands *c, const char *text, size_t size, int fd)
{
	char *copy = host_alloc(size + 1);
	struct command_line line = { .text = copy };
	int highest = highest_descriptor();
	pid_t pid;

	memcpy(copy, text, size);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

		if (null >= 0)
			dup2(null, 0);
		if (fd != 1)
			dup2(fd, 1);
		close_ours(highest, -1, -1);
		run_line(&line, -1);
	}
	if (pid < 0)
		message_warning("system(\"%s\") could not start: %s", copy, strerror(errno));
	else {
		c->others = host_grow(c->others, (c->other_count + 1) * sizeof(*c->others));
		c->others[c->other_count++] = pid;
	}
	free(copy);
}

static void forget_other(struct commands *c, pid_t pid)
{
	for (size_t i = 0; i < c->other_count; i++)
		if (c->others[i] == pid) {
			c->others[i] = c->others[--c->other_count];
			return;
		}
}

bool command_reap(struct commands *c)
{
	bool ended = false;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0 || (pid < 0 && errno == EINTR)) {
		if (pid > 0 && pid == c->pid && c->running) {
			c->running = false;
			c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
							: WEXITSTATUS(status);
			ended = true;
		} else if (pid > 0)
			forget_other(c, pid);
	}
	return ended;
}

void command_forget(struct commands *c)
{
	host_close(&c->gate);
	host_close(&c->failure);
}
