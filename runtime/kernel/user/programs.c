// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs and libraries that rows of process probes name, and the processes that such rows apply to. */
#include "programs.h"

#include <linux/file.h>
#include <linux/fs.h>

#include "families.h"

enum { MOST_BUILD_ID = 64 };

struct tap_program *tap_programs;
struct tap_process_row *tap_process_rows[TAP_PROCESS_KINDS];
unsigned long *tap_target_tree;

static struct tap_program *program_find(const char *path)
{
	struct tap_program *program;

	for (program = tap_programs; program; program = program->next)
		if (!strcmp(program->path, path))
			return program;
	program = tap_zalloc(sizeof(*program), NUMA_NO_NODE);
	if (!program)
		return NULL;
	program->path = path;
	program->next = tap_programs;
	tap_programs = program;
	return program;
}

/* Whether it is the file that the offsets are from. */
static bool program_is_same_build(struct file *file, const struct tap_process *what)
{
	u8 id[MOST_BUILD_ID];
	loff_t at = what->build_id_at;

	if (!what->build_id_size)
		return true;
	return what->build_id_size <= sizeof(id) &&
	       kernel_read(file, id, what->build_id_size, &at) == what->build_id_size &&
	       !memcmp(id, what->build_id, what->build_id_size);
}

/* In an overlay the file may be copied up at any time (chmod, an open for writing), and from then on is another
 * inode. Before 6.12 the kernel looks up a uprobe by its inode, so that must be the one of the registration. The
 * open file keeps the overlay mounted, and with it its layers. */
static void program_keep(struct tap_program *program, struct file *file)
{
	program->file = file;
	program->places = d_real_inode(file->f_path.dentry);
	ihold(program->places);
}

static void program_let_go(struct tap_program *program)
{
	if (!program->file)
		return;
	iput(program->places);
	fput(program->file);
}

/* NULL: the row is skipped. *ERR is -ENOMEM, or 0. */
struct tap_program *tap_program_open(struct tap_process_row *r, const char *path, int *err)
{
	struct tap_program *program = program_find(path);
	struct file *file;

	*err = program ? 0 : -ENOMEM;
	if (!program)
		return NULL;
	file = tap_session_open(path);
	if (IS_ERR(file)) {
		tap_start_failed(r->row, "%s cannot be opened (error %ld)", path, PTR_ERR(file));
		return NULL;
	}
	if (path == r->what->path && !program_is_same_build(file, r->what)) {
		tap_start_failed(r->row, "%s is not the file that this module was made for", path);
		program = NULL;
	}
	if (program && !program->file)
		program_keep(program, file);
	else
		fput(file);
	return program;
}

int tap_program_watch(struct tap_program *program)
{
	if (!program->running)
		program->running = tap_zalloc(BITS_TO_LONGS(TAP_MOST_PIDS) * sizeof(long), NUMA_NO_NODE);
	return program->running ? 0 : -ENOMEM;
}

void tap_programs_stop(void)
{
	struct tap_program *next;

	for (; tap_programs; tap_programs = next) {
		next = tap_programs->next;
		program_let_go(tap_programs);
		tap_zfree(tap_programs->running, BITS_TO_LONGS(TAP_MOST_PIDS) * sizeof(long));
		tap_zfree(tap_programs, sizeof(*tap_programs));
	}
}
