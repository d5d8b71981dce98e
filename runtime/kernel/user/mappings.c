// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks up an address of the current process from a handler: tries the lock of its mappings, but never waits for
 * it. It is an rw_semaphore, and releasing one may wake a task, which a handler must not do with interrupts off,
 * because the probed code may hold a run queue's lock. In that case an irq_work releases it, as soon as interrupts
 * are on again: the task cannot have exited by then. (BPF's stack maps do the same, kernel/bpf/mmap_unlock_work.h.)
 * On a real-time kernel an irq_work runs in a thread, later than that, so there the lock is only tried where it may
 * be released at once, see mapping_may_release().
 *
 * lockdep tracks locks by task and context, and the work runs in another context. So each handler reports a
 * separate lock to it, from hold to release: even one that shares the lock taken by an earlier handler, or
 * find_vma() complains. */
#include "mappings.h"

#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/uaccess.h>

struct deferred {
	struct irq_work work;
	struct rw_semaphore *lock;	/* NULL: free */
	bool is_held;			/* LOCK is held until the work runs, which is not before interrupts are on
					 * again */
};

static void mapping_release_work(struct irq_work *work)
{
	struct deferred *d = container_of(work, struct deferred, work);
	struct rw_semaphore *lock = d->lock;

	WRITE_ONCE(d->is_held, false);
	barrier();
	up_read_non_owner(lock);
	smp_store_release(&d->lock, NULL);
}

static DEFINE_PER_CPU(struct deferred, deferred);

static void mapping_tell_held(struct tap_mappings *m)
{
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	rwsem_acquire_read(&m->mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
#endif
}

static void mapping_tell_released(struct tap_mappings *m)
{
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	rwsem_release(&m->mm->mmap_lock.dep_map, _RET_IP_);
#endif
}

/* On a real-time kernel: the interrupted code holds no raw lock, so a task may be woken. */
static bool mapping_may_release(const struct pt_regs *regs)
{
	if (!irqs_disabled())
		return true;
	return hardirq_count() && !in_nmi() && regs && tap_in_user_mode(regs);
}

/* Reserves a place to store the lock, before it is taken. */
static bool mapping_reserve(struct tap_mappings *m)
{
	struct deferred *d = this_cpu_ptr(&deferred);

	m->deferred = !IS_ENABLED(CONFIG_PREEMPT_RT) && irqs_disabled();
	return !m->deferred || !cmpxchg(&d->lock, NULL, &m->mm->mmap_lock);
}

/* Whether an earlier handler took the lock since interrupts are off: on a slow machine all timers fire in one
 * interrupt. */
static bool mapping_is_held(const struct tap_mappings *m)
{
	const struct deferred *d = this_cpu_ptr(&deferred);

	return irqs_disabled() && READ_ONCE(d->is_held) && d->lock == &m->mm->mmap_lock;
}

bool tap_mappings_hold(struct tap_mappings *m, const struct pt_regs *regs)
{
	*m = (struct tap_mappings){ .mm = current->mm };
	if (!m->mm || current->flags & TAP_NO_USER || (IS_ENABLED(CONFIG_PREEMPT_RT) && !mapping_may_release(regs)))
		return false;
	m->shared = mapping_is_held(m);
	if (m->shared) {
		mapping_tell_held(m);
		return true;
	}
	if (!mapping_reserve(m))
		return false;
	if (down_read_trylock(&m->mm->mmap_lock)) {
		if (m->deferred)
			WRITE_ONCE(this_cpu_ptr(&deferred)->is_held, true);
		return true;
	}
	if (m->deferred)
		smp_store_release(&this_cpu_ptr(&deferred)->lock, NULL);
	return false;
}

void tap_mappings_release(struct tap_mappings *m)
{
	if (!m->shared && !m->deferred) {
		up_read(&m->mm->mmap_lock);
		return;
	}
	mapping_tell_released(m);
	if (!m->shared)
		irq_work_queue(&this_cpu_ptr(&deferred)->work);
}

/* The file may be renamed at the same time: then this is the old or the new name, truncated at
 * worst. */
static void mapping_copy_name(struct tap_mappings *m, const struct file *file)
{
	const char *name;

	rcu_read_lock();
	name = (const char *)READ_ONCE(file->f_path.dentry->d_name.name);
	for (u32 i = 0; i < sizeof(m->name) - 1; i++)
		if (copy_from_kernel_nofault(&m->name[i], name + i, 1) || !m->name[i])
			break;
	rcu_read_unlock();
}

bool tap_mappings_find(struct tap_mappings *m, unsigned long address)
{
	struct vm_area_struct *vma;
	bool is_vdso;

	if (address >= m->start && address < m->end)
		return true;
	m->start = m->end = 0;
	vma = find_vma(m->mm, address);
	if (!vma || vma->vm_start > address)
		return false;
	is_vdso = !vma->vm_file && vma->vm_start == tap_vdso(m->mm);
	m->start = vma->vm_start;
	m->end = vma->vm_end;
	m->offset = vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0;
	m->has_file = vma->vm_file || is_vdso;
	m->is_code = vma->vm_flags & VM_EXEC;
	m->is_narrow_vdso = is_vdso && tap_is_32bit_program();
	m->has_file &= !m->is_narrow_vdso;
	m->known = m->has_file ? tap_images_find(vma->vm_file) :
		   m->is_code && vma_is_anonymous(vma) ? tap_images_find_made(m->mm, m->start) : NULL;
	if (m->known && m->known->is_made)
		m->offset = (u32)m->start;
	memset(m->name, 0, sizeof(m->name));
	if (vma->vm_file && !m->known)
		mapping_copy_name(m, vma->vm_file);
	else if (m->is_narrow_vdso)
		strscpy(m->name, "vdso", sizeof(m->name));
	return true;
}

bool tap_mappings_share(struct tap_mappings *m, unsigned long first, unsigned long last)
{
	const struct vm_area_struct *vma = find_vma(m->mm, first);

	return vma && vma->vm_start <= first && first <= last && last < vma->vm_end;
}

/* The loader maps the segments of a file side by side, with inaccessible pages of the file in what gaps they have. */
unsigned long tap_mappings_file_start(struct tap_mappings *m, unsigned long address)
{
	enum { MOST_SEGMENTS = 32 };
	const struct vm_area_struct *vma, *before;

	if (!tap_mappings_find(m, address) || !m->has_file)
		return 0;
	vma = find_vma(m->mm, address);
	for (u32 i = 0; i < MOST_SEGMENTS && vma->vm_file && vma->vm_pgoff; i++) {
		before = find_vma(m->mm, vma->vm_start - 1);
		if (!before || before->vm_end != vma->vm_start || before->vm_file != vma->vm_file)
			break;
		vma = before;
	}
	return vma->vm_start;
}

bool tap_mappings_find_python(struct tap_mappings *m, u64 *runtime, u32 *version)
{
	const struct vm_area_struct *vma;
	unsigned long at = 0;
	bool complete = true;

	*runtime = *version = 0;
	for (u32 i = 0; i < MOST_MAPPINGS && (vma = find_vma(m->mm, at)) && vma->vm_end > at; i++) {
		const struct tap_known *known;
		u64 first = (u64)vma->vm_pgoff << PAGE_SHIFT, place;

		at = vma->vm_end;
		if (!vma->vm_file || (vma->vm_flags & (VM_WRITE | VM_SHARED)) != VM_WRITE)
			continue;
		known = tap_images_find(vma->vm_file);
		complete &= known != NULL;
		place = known ? known->image.python_at : 0;
		if (place && place >= first && place - first < vma->vm_end - vma->vm_start) {
			*runtime = vma->vm_start + (place - first);
			*version = known->image.python_version;
			return true;
		}
	}
	return complete;
}

void tap_mappings_open(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			init_irq_work(&per_cpu_ptr(&deferred, cpu)->work, mapping_release_work);
}

void tap_mappings_quiesce(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			irq_work_sync(&per_cpu_ptr(&deferred, cpu)->work);
}
