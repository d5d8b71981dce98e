// SPDX-License-Identifier: GPL-2.0-or-later
/* Every file of a session, held in every way, while the session ends in every way.
 *
 *	lifetimes [--every N] [--silent PROGRAM] [--taprun PROGRAM] [--tapd PROGRAM] MODULE.ko [FILE/WAY/END...]
 *
 * Three processes run one cell of that matrix. The loader has the session, either directly or through tapd. The
 * holder has one of its files. This process, the judge, has nothing open: it causes the end, tries to unload the
 * module while the file is held, releases the file, and unloads. An open file holds the module, so:
 *
 *	- while the file is held, delete_module fails with EAGAIN, whatever its flags, and does not wait;
 *	- taprun -d fails, too, and names the process;
 *	- commands to the session are executed meanwhile;
 *	- when the holder has released the file, the module can be unloaded, and its files in /proc disappear;
 *	- the kernel's log has no report of a problem (SPLAT: a regular expression).
 *
 * One line per cell says what happened; the exit status is 1 if a cell had a different result. A step that takes
 * longer than LIMIT hangs. Patterns (fnmatch) select cells; --every N runs every Nth of them. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "party.h"
#include "session.h"
#include "ways.h"

static struct {
	const char *module, *silent, *taprun, *tapd;
	char name[MODULE_NAME_SIZE];
	int every;
	regex_t splat;
	int log;			/* /dev/kmsg */
	pid_t silent_pid, tapd_pid;
	unsigned cells, failures;
} matrix = { .every = 1 };

static const char tapd_socket[] = "/run/lifetimes.sock";

/* ---- messages about a cell ---- */

static struct {
	char text[4096];
	size_t size;
	bool bad;
} story;

static void tell(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(story.text + story.size, sizeof(story.text) - story.size, format, args);
	va_end(args);
	story.size += n;
	if (story.size >= sizeof(story.text))
		story.size = sizeof(story.text) - 1;
}

#define tell_bad(...) do { story.bad = true; tell("[NOT OK: "); tell(__VA_ARGS__); tell("] "); } while (0)

static const char *error_name(int err)
{
	const char *name = strerrorname_np(err);

	return err ? name ? name : "?" : "done";
}

/* ---- the holder ---- */

struct cell {
	const struct file *file;
	const struct way *way;
	const struct end *end;
	bool held;
	struct process loader, holder;
};

static void run_holder(int socket, const void *what)
{
	const struct cell *cell = what;
	static volatile bool ended;
	struct hold h = { .file = cell->file, .fd = -1, .ended = &ended };
	int err;

	close(cell->loader.socket);
	snprintf(h.path, sizeof(h.path), cell->file->path, matrix.name);
	if (cell->file->is_loaders)
		h.fd = receive_fd(socket);
	err = cell->way->hold(&h);
	if (err && h.fd >= 0)
		close(h.fd);			/* opened for a way that does not apply to this file */
	say(socket, err);
	hear(socket);
	ended = true;
}

/* ---- the loader ---- */

enum { HAND_OVER = 1, STOP, CLOSE, END };

static int load_by_tapd(int *control, int *tapd)
{
	struct tapd_packet p;
	int err;

	*tapd = client_connect(tapd_socket);
	err = *tapd < 0 ? ECONNREFUSED : client_load(*tapd, matrix.module, 0, &p);
	if (err)
		return err;
	close(p.fds[1]);
	*control = p.fds[0];
	return 0;
}

/* The answer to END: 0, or 1 if the module stays for now. */
static int end_by_tapd(int tapd)
{
	struct tapd_packet p;
	int err = protocol_send(tapd, TAPD_END, 0, NULL, 0, NULL, 0);

	while (!err && (err = protocol_receive(tapd, &p)) == 0 && p.head.kind == TAPD_MESSAGE)
		;
	return err ? err : p.head.kind == TAPD_DONE ? !!p.text[0] : EPROTO;
}

static int obey(int word, int socket, int *control, int tapd)
{
	switch (word) {
	case HAND_OVER:
		send_fd(socket, *control, 0);
		return 0;
	case STOP:
		return session_command(*control, TAP_STOP, "", 0);
	case CLOSE:
		close(*control);
		return 0;
	case END:
		close(*control);
		return end_by_tapd(tapd);
	}
	return EINVAL;
}

static void run_loader(int socket, const void *by_tapd)
{
	int control = -1, tapd = -1, word;
	int err = by_tapd ? load_by_tapd(&control, &tapd) : session_load(matrix.module, "", &control);

	say(socket, err ? err : session_start(control));
	while (read(socket, &word, sizeof(word)) == sizeof(word)) {
		err = obey(word, socket, &control, tapd);
		if (word != HAND_OVER)		/* HAND_OVER sends its own answer */
			say(socket, err);
	}
}

/* ---- unloading ---- */

static void do_unload(int socket, const void *flags)
{
	say(socket, session_unload(matrix.name, *(const int *)flags));
}

/* In a separate process, because it may hang. */
static int unload_beside(int flags)
{
	struct process p = start(do_unload, &flags);
	int err = hear(p.socket);

	close(p.socket);
	if (err != HANGS)
		waitpid(p.pid, NULL, 0);
	return err;
}

static bool is_loaded(void)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", matrix.name);
	return access(path, F_OK) == 0;
}

/* Nothing of the session is held any more. */
static void must_unload(void)
{
	int64_t until = waited_ms() + LIMIT / 2;
	char path[128];
	int err;

	while ((err = unload_beside(O_NONBLOCK)) == EAGAIN && waited_ms() < until) {
		close(socket(AF_UNIX, SOCK_STREAM, 0));		/* makes the kernel free files in flight without a
								 * receiver */
		pause_ms(5);
	}
	if (err && err != ENOENT)
		tell_bad("unloading: %s", err == HANGS ? "hangs" : error_name(err));
	snprintf(path, sizeof(path), "/proc/tap:%s", matrix.name);
	if (!err && access(path, F_OK) == 0)
		tell_bad("%s is still there", path);
	tell("unloaded. ");
}

/* Whether the module must stay loaded. OVER: the session is over. */
static bool pins(const struct cell *cell, bool over)
{
	return cell->held && cell->way->kind == PINS && !(over && cell->file->is_revoked);
}

/* The required result of delete_module while the file is held. */
static void must_refuse(const struct cell *cell, bool over)
{
	static const int flags[] = { O_NONBLOCK, 0 };

	for (int i = 0; i < 2; i++) {
		int err = unload_beside(flags[i]);

		tell("rmmod%s: %s. ", flags[i] ? "" : " that may wait",
		     err == HANGS ? "hangs" : err == GONE ? "died" : error_name(err));
		if (err < 0 || (err && err != EAGAIN && err != ENOENT))
			tell_bad("it is not EAGAIN");
		else if (pins(cell, over) && err != EAGAIN)
			tell_bad("the file is open");
		else if (!over && err != EAGAIN)
			tell_bad("the session runs");
	}
}

/* taprun -d must fail and name the process that holds a file. */
static void must_name(const struct cell *cell)
{
	static const char output[] = "/run/lifetimes.out";
	pid_t pid = spawn(matrix.taprun, output, "-d", matrix.name, NULL);
	char text[4096] = "", want[64];
	FILE *f;

	if (!wait_for(pid, LIMIT)) {
		tell_bad("taprun -d hangs");
		kill(pid, SIGKILL);
		return;
	}
	f = fopen(output, "r");
	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = 0;
	if (f)
		fclose(f);
	snprintf(want, sizeof(want), "process %d (", (int)cell->holder.pid);
	tell("taprun -d: %s. ", !is_loaded() ? "removed" : strstr(text, want) ? "names the holder" : "refused");
	if (pins(cell, true) && !is_loaded())
		tell_bad("the file is open");
	if (pins(cell, true) && is_loaded() && !(cell->way->flags & OTHERS) && !strstr(text, want))
		tell_bad("it says: %s", text);
}

/* ---- ends ---- */

static void must_obey(const struct cell *cell, int word, const char *what)
{
	int answer = order(cell->loader.socket, word);

	tell("%s: %s. ", what, answer == HANGS ? "hangs" : answer == GONE ? "gone" : error_name(answer));
	if (answer)
		tell_bad("%s", what);
}

static void kill_it(const struct process *p, const char *what)
{
	kill(p->pid, SIGKILL);
	tell("%s killed%s. ", what, wait_for(p->pid, 500) ? "" : ", stays in the kernel");
}

static void end_stop(struct cell *cell)
{
	must_obey(cell, STOP, "stop");
	must_obey(cell, CLOSE, "close");
}

static void end_close(struct cell *cell)
{
	must_obey(cell, CLOSE, "close");
}

static void end_rmmod(struct cell *cell)
{
	must_refuse(cell, false);
	end_stop(cell);
}

static void end_loader(struct cell *cell)
{
	kill_it(&cell->loader, "loader");
}

static void end_holder(struct cell *cell)
{
	kill_it(&cell->holder, "holder");
	if (wait_for(cell->holder.pid, 0))
		cell->held = false;
	end_stop(cell);
}

static void end_both(struct cell *cell)
{
	kill(cell->loader.pid, SIGKILL);
	kill_it(&cell->holder, "holder");
	if (wait_for(cell->holder.pid, 0))
		cell->held = false;
	kill_it(&cell->loader, "loader");
}

static void end_delete(struct cell *cell)
{
	end_stop(cell);
	must_name(cell);
}

/* While the session runs, unloading must fail, too. */
static void end_delete_early(struct cell *cell)
{
	int status;
	pid_t pid = spawn(matrix.taprun, "/dev/null", "-d", matrix.name, NULL);

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) == 0)
		tell_bad("taprun -d while it runs");
	end_stop(cell);
}

/* ---- with tapd ---- */

static void start_tapd(void)
{
	if (matrix.tapd_pid && kill(matrix.tapd_pid, 0) == 0)
		return;
	matrix.tapd_pid = spawn(matrix.tapd, "/run/lifetimes.tapd", "--foreground", "--socket", tapd_socket, NULL);
}

/* The process that serves our loader. */
static pid_t tapd_worker(void)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)matrix.tapd_pid, (int)matrix.tapd_pid);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return pid;
}

static void await_workers(bool all)
{
	for (int64_t until = waited_ms() + LIMIT; tapd_worker() && waited_ms() < until; pause_ms(5))
		;
	if (all && tapd_worker())
		tell_bad("tapd's process hangs");
}

static void end_tapd_end(struct cell *cell)
{
	int answer = order(cell->loader.socket, END);

	tell("end: %s. ", answer == HANGS ? "hangs" : answer == 0 ? "unloaded" : answer == 1 ? "it stays" :
	     error_name(answer));
	if (answer != (cell->held && cell->way->kind == PINS) && cell->way->kind != PINS_AT_TIMES &&
	    !cell->file->is_revoked)
		tell_bad("end");
	await_workers(true);
}

static void end_tapd_client(struct cell *cell)
{
	kill_it(&cell->loader, "client");
	await_workers(true);
}

static void end_tapd_worker(struct cell *cell)
{
	pid_t pid = tapd_worker();

	if (!pid || kill(pid, SIGKILL) < 0)
		tell_bad("no process of tapd's");
	await_workers(true);
	tell("tapd's process killed. ");
	kill_it(&cell->loader, "client");
}

static void end_tapd_killed(struct cell *cell)
{
	pid_t worker = tapd_worker();

	kill_it(&(struct process){ matrix.tapd_pid, -1 }, "tapd");
	matrix.tapd_pid = 0;
	kill_it(&cell->loader, "client");
	for (int64_t until = waited_ms() + LIMIT; worker && kill(worker, 0) == 0 && waited_ms() < until;)
		pause_ms(5);
	if (worker && kill(worker, 0) == 0)
		tell_bad("its process hangs");
}

static void end_tapd_told(struct cell *cell)
{
	(void)cell;
	kill(matrix.tapd_pid, SIGTERM);
	if (!wait_for(matrix.tapd_pid, LIMIT))
		tell_bad("tapd does not end");
	tell("tapd ended. ");
	matrix.tapd_pid = 0;
}

static const struct end {
	const char *name;
	void (*run)(struct cell *cell);
	bool tapd;
} ends[] = {
	{ "stop", end_stop, false },
	{ "close", end_close, false },
	{ "rmmod", end_rmmod, false },
	{ "kill-loader", end_loader, false },
	{ "kill-holder", end_holder, false },
	{ "kill-both", end_both, false },
	{ "delete", end_delete, false },
	{ "delete-early", end_delete_early, false },
	{ "tapd-end", end_tapd_end, true },
	{ "tapd-client", end_tapd_client, true },
	{ "tapd-process", end_tapd_worker, true },
	{ "tapd-killed", end_tapd_killed, true },
	{ "tapd-told", end_tapd_told, true },
	{ 0 },
};

/* ---- a cell ---- */

/* A file whose pages never arrive; a process that waits for them cannot be killed. */
static void start_far(void)
{
	mkdir(FAR_PLACE, 0700);
	matrix.silent_pid = spawn(matrix.silent, "/dev/null", "-rud", FAR_PLACE, "serve", NULL);
	for (int64_t until = waited_ms() + LIMIT; waited_ms() < until; pause_ms(5))
		if (access(FAR_FILE, F_OK) == 0)
			return;
	die("no file system");
}

static void stop_far(void)
{
	if (!matrix.silent_pid)
		return;
	kill(matrix.silent_pid, SIGKILL);		/* its server exits with it */
	waitpid(matrix.silent_pid, NULL, 0);
	umount2(FAR_PLACE, MNT_DETACH);
	matrix.silent_pid = 0;
}

static void let_go(struct cell *cell)
{
	stop_far();
	say(cell->holder.socket, 0);
	if (!wait_for(cell->holder.pid, 2000)) {
		kill(cell->holder.pid, SIGKILL);
		if (!wait_for(cell->holder.pid, LIMIT))
			tell_bad("the holder does not end");
	}
	close(cell->holder.socket);
	kill(cell->loader.pid, SIGKILL);
	if (!wait_for(cell->loader.pid, LIMIT))
		tell_bad("the loader does not end");
	close(cell->loader.socket);
}

static void take_hold(struct cell *cell)
{
	int answer;

	cell->holder = start(run_holder, cell);
	if (cell->file->is_loaders) {
		int fd;

		say(cell->loader.socket, HAND_OVER);
		fd = receive_fd(cell->loader.socket);
		send_fd(cell->holder.socket, fd, 0);
		close(fd);
	}
	answer = hear(cell->holder.socket);
	cell->held = answer == 0;
	tell("%s. ", answer == HANGS ? "hangs" : answer == 0 ? "held" : error_name(answer));
	/* files that cannot be written have no such cell; everything else must work */
	if (answer && answer != EBADF)
		tell_bad("cannot be held");
}

static void play(struct cell *cell)
{
	int answer;

	if (cell->way->flags & FAR)
		start_far();
	if (cell->end->tapd)
		start_tapd();
	cell->loader = start(run_loader, cell->end->tapd ? "" : NULL);
	answer = hear(cell->loader.socket);
	if (answer) {
		tell_bad("cannot be loaded: %s", answer < 0 ? "hangs or died" : error_name(answer));
		kill(cell->loader.pid, SIGKILL);
		stop_far();
		return;
	}
	take_hold(cell);
	cell->end->run(cell);
	if (cell->held)
		must_refuse(cell, true);
	let_go(cell);
	if (cell->end->tapd && matrix.tapd_pid)
		await_workers(true);
	must_unload();
}

/* ---- the kernel's log ---- */

static void log_cell(const char *name)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		dprintf(fd, "<6>lifetimes: %s", name);
	close(fd);
}

static void judge_log(void)
{
	char line[8192];
	bool told = false;
	ssize_t n;

	while ((n = read(matrix.log, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		line[n > 0 ? n : 0] = 0;
		if (n > 0 && regexec(&matrix.splat, line, 0, NULL, 0) == 0 && !told) {
			tell_bad("the kernel: %.*s", (int)strcspn(line, "\n"), line);
			told = true;
		}
	}
}

static void run_cell(struct cell *cell, const char *name)
{
	int64_t since = now_ms();

	story.size = 0;
	story.bad = false;
	log_cell(name);
	play(cell);
	judge_log();
	matrix.cells++;
	matrix.failures += story.bad;
	printf("%s %s (%lld ms): %s\n", story.bad ? "not ok" : "ok", name, (long long)(now_ms() - since), story.text);
	fflush(stdout);
}

static bool is_wanted(const char *name, char **patterns)
{
	static unsigned count;

	for (char **p = patterns; *p; p++)
		if (fnmatch(*p, name, 0) == 0)
			return true;
	/* a step without a common divisor with the table's sides covers all rows and columns */
	return !*patterns && count++ % (unsigned)matrix.every == 0;
}

static void run_matrix(char **patterns)
{
	for (const struct end *end = ends; end->name; end++)
		for (const struct way *way = ways; way->name; way++)
			for (const struct file *file = files; file->name; file++) {
				struct cell cell = { .file = file, .way = way, .end = end };
				char name[128];

				snprintf(name, sizeof(name), "%s/%s/%s", file->name, way->name, end->name);
				if ((!end->tapd || matrix.tapd) && (!(way->flags & FAR) || matrix.silent) &&
				    is_wanted(name, patterns))
					run_cell(&cell, name);
			}
}

static char **parse(char **argv)
{
	for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv += 2) {
		if (!argv[1])
			die("an option without its word");
		if (!strcmp(*argv, "--every"))
			matrix.every = atoi(argv[1]);
		else if (!strcmp(*argv, "--silent"))
			matrix.silent = argv[1];
		else if (!strcmp(*argv, "--taprun"))
			matrix.taprun = argv[1];
		else if (!strcmp(*argv, "--tapd"))
			matrix.tapd = argv[1];
		else
			die(*argv);
	}
	if (!*argv || !matrix.taprun || matrix.every < 1)
		die("no module, or no --taprun");
	return argv;
}

int main(int argc, char **argv)
{
	const char *splat = getenv("SPLAT");

	(void)argc;
	argv = parse(argv);
	matrix.module = *argv;
	session_name(matrix.name, matrix.module);
	if (regcomp(&matrix.splat, splat ? splat : "BUG|WARNING", REG_EXTENDED | REG_NOSUB))
		die("SPLAT");
	matrix.log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (matrix.log < 0 || lseek(matrix.log, 0, SEEK_END) < 0)
		die("/dev/kmsg");
	run_matrix(argv + 1);
	if (matrix.tapd_pid)
		kill(matrix.tapd_pid, SIGKILL);
	printf("%u cells, %u not ok\n", matrix.cells, matrix.failures);
	return matrix.failures || !matrix.cells;
}
