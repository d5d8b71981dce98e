/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/util.h"
#include "staging/common/signals.h"
#include "staging/common/status.h"

/* Also if the shell is killed: taprun then unloads its module. */
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(TAP_STATUS_HOST);
}

static void set_input(const struct shell *sh, bool in_background)
{
	int null = sh->is_terminal && !in_background ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);	/* the shell's commands are not the script's input */
}

static void set_output(int output)
{
	if (output < 0)
		return;
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
}

static pid_t start(struct shell *sh, child_work *work, void *data, int output, bool in_background)
{
	pid_t parent = getpid(), child;
	struct run *r = sh->run;
	int status;

	fflush(NULL);
	child = fork();
	if (child < 0)
		error_print("cannot start a process: %s", strerror(errno));
	if (child)
		return child;
	end_with(parent);
	if (in_background)
		setpgid(0, 0);
	signals_restore();
	set_input(sh, in_background);
	set_output(output);
	r->options.interactive = false;
	r->text = "";
	r->text_size = 0;
	r->translation.script_name = "the script";
	status = work(sh, r, data);
	fflush(NULL);
	_exit(status);
}

pid_t child_start(struct shell *sh, child_work *work, void *data, int output)
{
	pid_t child = start(sh, work, data, output, true);

	if (child > 0)
		setpgid(child, child);		/* also here, so that it is true before it is needed */
	return child;
}

pid_t child_start_here(struct shell *sh, child_work *work, void *data)
{
	return start(sh, work, data, -1, false);
}

void child_take_pieces(struct run *r, const piece_list *pieces, bool with_all)
{
	vec_each(p, pieces)
		if (with_all || !p->is_off)
			*vec_add(r->arena, &r->more) = (struct run_text){ p->source, p->text };
}
