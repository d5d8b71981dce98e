// SPDX-License-Identifier: GPL-2.0-or-later
/* Fetches memory of the current process as a page fault of the program would, but waits for nothing that another
 * program decides.
 *
 * The kernel waits for this handler before it removes a probe, so a fetch that never ends would keep the session
 * from ending. A page of a userfaultfd or of a FUSE file comes when a process of any user wants it to come. So
 * nothing is fetched from them, nor over the network; a read from a disk is only started, and looked for again
 * later; and all waits of a hit together are limited. */
#include "fetch.h"

#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/userfaultfd_k.h>

enum {
	MOST_ROUNDS = 64,
	LONGEST_MS = 1000,		/* for one hit */
	SHORTEST_PAUSE = 20,		/* in microseconds */
	LONGEST_PAUSE = 1000,
};

enum fetch_result { FETCH_DONE, FETCH_FAILED, FETCH_LATER };

/* Is a page of the file in memory, or on a disk of this machine that was not mounted by a user? */
static bool fetch_is_from_here(const struct file *file)
{
	const struct inode *inode = file_inode(file);
	const struct super_block *sb = inode->i_sb;

	if (!S_ISREG(inode->i_mode))		/* a device's own pages */
		return false;
	switch (sb->s_magic) {
	case TMPFS_MAGIC:
	case RAMFS_MAGIC:
	case HUGETLBFS_MAGIC:
		return true;
	case FUSE_SUPER_MAGIC:			/* fuseblk has a disk, too */
		return false;
	}
	return sb->s_type->fs_flags & FS_REQUIRES_DEV && sb->s_user_ns == &init_user_ns;
}

static bool fetch_may_be_from(const struct vm_area_struct *vma, u64 address)
{
	if (!vma || address < vma->vm_start || !(vma->vm_flags & VM_READ) || vma->vm_flags & (VM_IO | VM_PFNMAP) ||
	    userfaultfd_armed((struct vm_area_struct *)vma))
		return false;
	return !vma->vm_ops || !vma->vm_file || fetch_is_from_here(vma->vm_file);
}

/* Without waiting: a thread that holds the lock may wait for another program. */
static enum fetch_result fetch_try(u64 address)
{
	struct mm_struct *mm = current->mm;
	enum fetch_result result = FETCH_FAILED;
	long got;

	if (!mmap_read_trylock(mm))
		return FETCH_LATER;
	if (fetch_may_be_from(find_vma(mm, address), address)) {
		got = tap_fault_in(address);
		result = got > 0 ? FETCH_DONE : !got || got == -EAGAIN || got == -EBUSY ? FETCH_LATER : FETCH_FAILED;
	}
	mmap_read_unlock(mm);
	return result;
}

static bool fetch_may_wait(const struct tap_fetch *f, const struct tap_row *row)
{
	return READ_ONCE(row->run) && !fatal_signal_pending(current) && time_before(jiffies, f->until);
}

static bool fetch_page(struct tap_fetch *f, const struct tap_row *row, u64 address)
{
	enum fetch_result result;

	for (u32 pause = SHORTEST_PAUSE; (result = fetch_try(address)) == FETCH_LATER; pause *= 2) {
		if (!fetch_may_wait(f, row)) {
			f->over = true;
			return false;
		}
		pause = min_t(u32, pause, LONGEST_PAUSE);
		usleep_range(pause, 2 * pause);
	}
	return result == FETCH_DONE;
}

static bool fetch_range(struct tap_fetch *f, const struct tap_row *row)
{
	u64 page = f->from & PAGE_MASK, end = f->from + f->size;

	if (!current->mm || current->flags & PF_EXITING || f->size > TASK_SIZE_MAX - f->from)
		return false;
	for (; page < end; page += PAGE_SIZE)
		if (!fetch_page(f, row, page))
			return false;
	return true;
}

void tap_fetch(struct tap_fetch *f, const struct tap_row *row)
{
	if (!f->rounds++)
		f->until = jiffies + msecs_to_jiffies(LONGEST_MS);
	if (fetch_range(f, row)) {
		atomic64_inc(&tap_session.fetched);
	} else {
		atomic64_inc(&tap_session.unfetched);
		f->failed[f->failures++] = f->from;
	}
	f->last = f->from;
	f->last_size = f->size;
	f->over |= f->rounds == MOST_ROUNDS || f->failures == TAP_FETCH_FAILURES;
}
