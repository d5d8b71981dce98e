// SPDX-License-Identifier: GPL-2.0-or-later
/* The session: its state and owner, files that it opens, and its memory. */
#include "session.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "deferred.h"
#include "errand.h"

static void session_wake_work(struct irq_work *work)
{
	wake_up_interruptible(&tap_session.wait);
}

static struct tap_deferred wake = TAP_DEFERRED(session_wake_work);

struct tap_session tap_session = {
	.lock = __MUTEX_INITIALIZER(tap_session.lock),
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(tap_session.wait),
};

void tap_session_wake(void)
{
	atomic_inc(&tap_session.changes);
	tap_defer(&wake);
}

void tap_session_quiesce(void)
{
	tap_deferred_sync(&wake);
}

kuid_t tap_session_user(void)
{
	return make_kuid(&init_user_ns, tap_session.owner.user);
}

bool tap_session_is_owner(void)
{
	return uid_eq(current_fsuid(), tap_session_user()) || capable(CAP_DAC_OVERRIDE);
}

/* Kernel threads need not share its root: in some kernels they have their own. */
static void session_get_first_root(struct path *root)
{
	struct task_struct *first = init_pid_ns.child_reaper;

	task_lock(first);
	get_fs_root(first->fs, root);
	task_unlock(first);
}

static struct file *session_open_as_first(const char *path)
{
	struct cred *kernel = prepare_kernel_cred(&init_task);
	const struct cred *ours;
	struct file *file;
	struct path root;

	if (!kernel)
		return ERR_PTR(-ENOMEM);
	session_get_first_root(&root);
	ours = override_creds(kernel);
	file = tap_file_open_root(&root, path, O_RDONLY | O_LARGEFILE);
	revert_creds(ours);
	put_cred(kernel);
	path_put(&root);
	return file;
}

struct file *tap_session_open(const char *path)
{
	const struct path *root = tap_errand_root();

	if (tap_session.owned)
		return session_open_as_first(path);
	return root ? tap_file_open_root(root, path, O_RDONLY | O_LARGEFILE) :
		      filp_open(path, O_RDONLY | O_LARGEFILE, 0);
}

u64 tap_session_most(void)
{
	u64 owner = tap_session.owner.memory, script = tap_script.limits.memory;

	return owner && (owner < script || !script) ? owner : script;
}

bool tap_session_allows(u64 size)
{
	u64 most = tap_session_most();

	return !most || (size <= most && (u64)atomic64_read(&tap_session.memory) <= most - size);
}

bool tap_session_spares(u64 size)
{
	return tap_session_allows(size + tap_session_most() / 8);
}

/* Counts the memory before allocating it: several callers may allocate at the same time. */
static void *session_zalloc(size_t size, int node, gfp_t flags)
{
	u64 most = tap_session_most();
	u64 memory = atomic64_add_return(size, &tap_session.memory);
	void *p = NULL;

	if (!most || memory <= most)
		p = kvzalloc_node(size, flags | __GFP_NOWARN | __GFP_NORETRY, node);
	if (!p)
		atomic64_sub(size, &tap_session.memory);
	return p;
}

void *tap_zalloc(size_t size, int node)
{
	return session_zalloc(size, node, GFP_KERNEL);
}

void *tap_zalloc_for_user(size_t size)
{
	return session_zalloc(size, NUMA_NO_NODE, GFP_KERNEL_ACCOUNT);
}

void tap_zfree(void *p, size_t size)
{
	if (!p)
		return;
	atomic64_sub(size, &tap_session.memory);
	kvfree(p);
}

void __percpu *tap_zalloc_percpu(size_t size, size_t align)
{
	void __percpu *p;

	if (!tap_session_allows(size * num_possible_cpus()))
		return NULL;
	p = __alloc_percpu(size, align);
	if (p)
		atomic64_add(size * num_possible_cpus(), &tap_session.memory);
	return p;
}

void tap_zfree_percpu(void __percpu *p, size_t size)
{
	if (!p)
		return;
	atomic64_sub(size * num_possible_cpus(), &tap_session.memory);
	free_percpu(p);
}

s64 tap_target(void)
{
	return tap_session.configuration.target;
}
