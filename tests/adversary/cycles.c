// SPDX-License-Identifier: GPL-2.0-or-later
/* Sessions of modules, in sequence and several in parallel, for some time.
 *
 *	cycles --taprun PROGRAM --seconds S [--workers N] [--seed N] [--expected FILE] MODULE.ko...
 *
 * Each worker has its own modules, and takes a random one each time. A session is run by taprun, and ends after its
 * time, with a command, by a signal at any moment of its life, by SIGKILL, or it is left running and then removed;
 * or the worker runs it itself. All except the killed ones must end with status 0, or print a line that matches a
 * line of FILE (a regular expression): if memory is scarce, a refusal is a valid result. Anything else is printed
 * to standard output, and the exit status is 1 then. The last line has the counts. This is a program because in the
 * guest a shell takes longer to start than taprun. */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "party.h"
#include "session.h"

enum { MOST_WORKERS = 8, PATIENCE = 400000,	/* ms: a session that takes longer counts as hung */
       ROOT_CGROUP = 1 };		/* its number */

static struct {
	const char *taprun, *expected;
	char **modules;
	unsigned count, workers, seconds, seed;
	regex_t *answers;
	unsigned answers_count;
} our = { .workers = 2, .seconds = 60, .seed = 1 };

/* of all workers */
static struct {
	unsigned good, killed, refused, wrong;
} *tally;

static char errors[64], trace[64];	/* the files of this worker */

static unsigned pick(unsigned n)
{
	return (unsigned)random() % n;
}

/* ---- taprun ---- */

static pid_t run(char **words)
{
	pid_t pid = fork();
	int in, out, err;

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	in = open("/proc/self/maps", O_RDONLY);		/* for scripts that read input */
	out = open("/dev/null", O_WRONLY);
	err = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	words[0] = (char *)our.taprun;
	execv(our.taprun, words);
	_exit(127);
}

/* Returns the status, or -1 if it does not end. */
static int await(pid_t pid)
{
	int64_t until = now_ms() + PATIENCE;
	int status;

	for (; waitpid(pid, &status, WNOHANG) == 0; pause_ms(5)) {
		if (now_ms() < until)
			continue;
		kill(pid, SIGKILL);
		return -1;
	}
	return status;
}

/* ---- its messages ---- */

static void read_errors(char text[2000])
{
	int fd = open(errors, O_RDONLY);
	ssize_t n = read(fd, text, 1999);

	text[n > 0 ? n : 0] = 0;
	close(fd);
}

static bool is_expected(const char *text)
{
	for (unsigned i = 0; i < our.answers_count; i++)
		if (regexec(&our.answers[i], text, 0, NULL, 0) == 0)
			return true;
	return false;
}

static void count(unsigned *what)
{
	__atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

static void judge(const char *module, const char *how, int status)
{
	char text[2000];

	if (status == 0) {
		count(&tally->good);
		return;
	}
	read_errors(text);
	if (status > 0 && is_expected(text)) {
		count(&tally->refused);
		return;
	}
	count(&tally->wrong);
	printf("%s, %s: %s %d: %s\n", module, how,
	       status < 0 ? "does not end" : WIFSIGNALED(status) ? "signal" : "status",
	       status < 0 ? 0 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), text);
	fflush(stdout);
}

static void judge_own(const char *module, const char *what, int err)
{
	char path[128], name[MODULE_NAME_SIZE];

	session_name(name, module);
	snprintf(path, sizeof(path), "/sys/module/%s", name);
	if (access(path, F_OK) != 0 && (!err || err == ENOMEM)) {
		count(err ? &tally->refused : &tally->good);
		return;
	}
	count(&tally->wrong);
	printf("%s, own, %s: %s%s\n", module, what, strerror(err), access(path, F_OK) ? "" : "; it is still there");
	fflush(stdout);
}

/* ---- sessions ---- */

static void end_by_time(const char *module)
{
	char seconds[16], target[16], *name = (char *)module;

	snprintf(seconds, sizeof(seconds), "0.%02u", pick(40) + 1);
	snprintf(target, sizeof(target), "%d", getpid());
	switch (pick(4)) {
	case 0:
		judge(module, "cgroup", await(run((char *[]){ "", "--cgroup=/", "-wRT", seconds, name, NULL })));
		break;
	case 1:
		judge(module, "target", await(run((char *[]){ "", "-x", target, "-wRT", seconds, name, NULL })));
		break;
	default:
		judge(module, "time", await(run((char *[]){ "", "-wRT", seconds, name, NULL })));
	}
}

static void end_with_command(const char *module)
{
	char *command = pick(2) ? "true" : "./storm", *name = (char *)module;

	if (pick(2))
		judge(module, "command", await(run((char *[]){ "", "-wRc", command, name, NULL })));
	else
		judge(module, "trace", await(run((char *[]){ "", "--output=perfetto", "-o", trace, "-wRc", command,
							     name, NULL })));
}

static void end_by_signal(const char *module)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	pid_t pid = run((char *[]){ "", "-wR", (char *)module, NULL });
	int number = signals[pick(3)], status;

	pause_ms(pick(900));
	kill(pid, number);
	status = await(pid);
	/* taprun does not handle signals yet */
	if (status > 0 && WIFSIGNALED(status) && WTERMSIG(status) == number)
		count(&tally->killed);
	else
		judge(module, "signal", status);
}

/* The next start of any session removes the leftover. */
static void end_by_kill(const char *module)
{
	pid_t pid = run((char *[]){ "", "-wR", (char *)module, NULL });

	pause_ms(pick(900));
	kill(pid, SIGKILL);
	if (await(pid) < 0)
		judge(module, "SIGKILL", -1);
	count(&tally->killed);
}

static void end_detached(const char *module)
{
	int status = await(run((char *[]){ "", "-wL", (char *)module, NULL }));

	judge(module, "left running", status);
	if (status)
		return;
	pause_ms(pick(300));
	status = await(run((char *[]){ "", "-d", (char *)module, NULL }));
	if (status)
		judge(module, "removed", status);
}

/* EBUSY: a taprun of another worker has found the session over, and is unloading the module. */
static bool must_unload_again(const char *name)
{
	int err = session_unload(name, O_NONBLOCK);

	return err == EAGAIN || err == EBUSY;
}

/* Sometimes with the root cgroup, in which all tasks are; a script that follows all threads may not have one. */
static int start_own(int control)
{
	int err = pick(4) ? EOPNOTSUPP : session_start_in(control, ROOT_CGROUP);

	return err == EOPNOTSUPP ? session_start(control) : err;
}

/* Without taprun, which takes most of the time: only the kernel's part, in a third of it. A module may be unloaded
 * immediately: delete_module waits for what is still pending. */
static void end_own(const char *module)
{
	char name[MODULE_NAME_SIZE];
	int control = -1, err = session_load(module, "", &control);
	const char *what = "loading";

	session_name(name, module);
	if (!err && (err = start_own(control)) != 0)
		what = "starting";
	if (!err && pick(4))
		pause_ms(pick(60));
	if (!err && pick(2) && (err = session_command(control, TAP_STOP, "", 0)) != 0)
		what = "stopping";
	if (control >= 0)
		close(control);
	for (int64_t until = now_ms() + PATIENCE; must_unload_again(name) && now_ms() < until;)
		pause_ms(1);
	judge_own(module, what, err);
}

/* Modules are distributed so that two workers never use the same name. */
static void work(unsigned worker)
{
	static void (*const ends[])(const char *module) = {
		end_own, end_own, end_own, end_own, end_own, end_own, end_own,
		end_by_time, end_with_command, end_by_signal, end_by_kill, end_detached,
	};
	int64_t until = now_ms() + our.seconds * 1000ll;
	unsigned of_mine = (our.count - worker + our.workers - 1) / our.workers;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	srandom(our.seed * MOST_WORKERS + worker);
	snprintf(errors, sizeof(errors), "cycles.%u", worker);
	snprintf(trace, sizeof(trace), "cycles.%u.trace", worker);
	while (now_ms() < until && !tally->wrong)
		ends[pick(sizeof(ends) / sizeof(*ends))](our.modules[pick(of_mine) * our.workers + worker]);
	_exit(0);
}

/* ---- words ---- */

static void read_expected(void)
{
	FILE *f = our.expected ? fopen(our.expected, "r") : NULL;
	char line[300];

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		our.answers = realloc(our.answers, (our.answers_count + 1) * sizeof(regex_t));
		if (!our.answers ||
		    regcomp(&our.answers[our.answers_count++], line, REG_EXTENDED | REG_NOSUB | REG_ICASE))
			die(line);
	}
	if (f)
		fclose(f);
}

static void parse(char **argv)
{
	for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv += 2) {
		if (!argv[1])
			die("an option without its word");
		if (!strcmp(*argv, "--taprun"))
			our.taprun = argv[1];
		else if (!strcmp(*argv, "--expected"))
			our.expected = argv[1];
		else if (!strcmp(*argv, "--seconds"))
			our.seconds = (unsigned)atoi(argv[1]);
		else if (!strcmp(*argv, "--workers"))
			our.workers = (unsigned)atoi(argv[1]);
		else if (!strcmp(*argv, "--seed"))
			our.seed = (unsigned)atoi(argv[1]);
		else
			die(*argv);
	}
	our.modules = argv;
	while (argv[our.count])
		our.count++;
	if (!our.taprun || !our.workers || our.workers > MOST_WORKERS || our.count < our.workers)
		die("no --taprun, or fewer modules than workers");
}

int main(int argc, char **argv)
{
	(void)argc;
	parse(argv);
	read_expected();
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED)
		die("mmap");
	for (unsigned i = 0; i < our.workers; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0)
			work(i);
	}
	while (wait(NULL) > 0)
		;
	printf("%u sessions: %u ended well, %u were killed, %u were refused, %u went wrong\n",
	       tally->good + tally->killed + tally->refused + tally->wrong,
	       tally->good, tally->killed, tally->refused, tally->wrong);
	return tally->wrong != 0;
}
