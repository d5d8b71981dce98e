// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that processes have mapped. A handler that meets an unknown file asks for it: a slot holds the file until
 * the daemon reads the request, which gives the daemon a descriptor of the file. So it does not matter where the
 * file is mounted, whether it was deleted, or whether the process still exists. The answer is checked, published by
 * RCU, and neither changed nor freed until the module is unloaded.
 *
 * The identity of a file must not keep it in use, or file systems could not be unmounted: it consists of device,
 * inode and generation and, in case these are reused, size and time of the last change. For the same reason there
 * are no questions while no daemon answers, and a question not read within some seconds is dropped: when the file
 * is met again, the question is asked again. */
#include "images.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "files.h"
#include "tap_image.h"

enum {
	BUCKET_BITS = 10,
	SLOTS = 64,
	PATIENCE = 2 * HZ,		/* how long a task waits for a daemon that does not answer */
	LIFETIME = 5 * HZ,		/* of a question that is not read */
	WHOLE_BITS = 8,
};
#define MOST_MEMORY (256ull << 20)

/* Code without a file: a process (device MADE, its number, its start and stack mixed), and the upper half of the
 * address. Its names change as long as it runs, but no table does: there are up to GENERATIONS of them, each
 * asked for twice as long after the one before as that one was. */
#define MADE (~0ull)
enum {
	GENERATIONS = 10,
	MOST_MADE = 4096,		/* tables; a few more if they have been asked for already */
};
#define MOST_MADE_MEMORY (64ull << 20)

struct identity {
	u64 device, inode, size, modified;
	u32 generation;
	u32 reserved;
};

struct entry {
	struct hlist_node link;
	struct identity key;
	struct tap_known known;
	u64 data_size;
	void *data;
	unsigned long answered;		/* jiffies */
};

/* A question. FREE -> BUSY (being filled or emptied) -> ASKED -> TOLD (to the daemon) -> FREE. */
enum { SLOT_FREE, SLOT_BUSY, SLOT_ASKED, SLOT_TOLD };
struct slot {
	int state;
	struct identity key;
	struct file *file;		/* while ASKED */
	unsigned long asked;		/* jiffies */
};

static struct hlist_head buckets[1 << BUCKET_BITS];
static struct slot slots[SLOTS];
static DEFINE_MUTEX(images_lock);	/* protects answers, and questions leaving ASKED and TOLD; nothing inside it
					 * waits for user space or a file system */
static DECLARE_WAIT_QUEUE_HEAD(asked);	/* the daemon waits here for questions */
static DECLARE_WAIT_QUEUE_HEAD(told);	/* tasks wait here for answers */
static struct tap_file images;
static unsigned long is_open;
static pid_t reader;			/* the process that answers; 0: none */
static atomic_t answers;
static bool is_slow;			/* the daemon let a task wait in vain, and has not answered since */
static u64 memory, made_memory;
static u32 made_count;

static void images_drop_old(struct work_struct *work);
static DECLARE_DELAYED_WORK(drop, images_drop_old);

static void images_wake_reader(struct irq_work *work)
{
	schedule_delayed_work(&drop, LIFETIME);
	wake_up_interruptible(&asked);
}

static struct irq_work wake = IRQ_WORK_INIT(images_wake_reader);

/* ---- finding ---- */

static struct identity images_identity_of(struct inode *inode)
{
	return (struct identity){
		.device = inode->i_sb->s_dev, .inode = inode->i_ino, .generation = inode->i_generation,
		.size = i_size_read(inode), .modified = tap_inode_modified(inode),
	};
}

static struct hlist_head *images_bucket_of(const struct identity *key)
{
	return &buckets[hash_64(key->inode ^ key->device << 32, BUCKET_BITS)];
}

static struct entry *images_find(const struct identity *key)
{
	struct entry *e;

	hlist_for_each_entry_rcu(e, images_bucket_of(key), link, true)
		if (!memcmp(&e->key, key, sizeof(*key)))
			return e;
	return NULL;
}

static bool images_is_asked(const struct identity *key)
{
	for (u32 i = 0; i < SLOTS; i++)
		if (smp_load_acquire(&slots[i].state) >= SLOT_ASKED &&
		    !memcmp(&slots[i].key, key, sizeof(*key)))
			return true;
	return false;
}

static void images_ask(struct file *file, const struct identity *key)
{
	if (!READ_ONCE(reader) || images_is_asked(key))
		return;
	for (u32 i = 0; i < SLOTS; i++) {
		if (READ_ONCE(slots[i].state) != SLOT_FREE ||
		    cmpxchg(&slots[i].state, SLOT_FREE, SLOT_BUSY) != SLOT_FREE)
			continue;
		slots[i].key = *key;
		slots[i].file = file ? get_file(file) : NULL;
		slots[i].asked = jiffies;
		smp_store_release(&slots[i].state, SLOT_ASKED);
		irq_work_queue(&wake);
		return;
	}
}

const struct tap_known *tap_images_find(struct file *file)
{
	struct identity key = file ? images_identity_of(file_inode(file)) : (struct identity){ 0 };
	struct entry *e;

	rcu_read_lock();
	e = images_find(&key);
	rcu_read_unlock();		/* entries are not freed */
	if (e)
		return &e->known;
	if (file)
		images_ask(file, &key);
	return NULL;
}

static struct identity images_identity_of_made(const struct mm_struct *mm, u64 start)
{
	return (struct identity){
		.device = MADE, .inode = current->tgid, .size = start >> 32,
		.modified = current->group_leader->start_time ^ mm->start_stack * GOLDEN_RATIO_64,
	};
}

static void images_ask_made(const struct identity *key)
{
	if (READ_ONCE(made_count) < MOST_MADE)
		images_ask(NULL, key);
}

const struct tap_known *tap_images_find_made(const struct mm_struct *mm, u64 start)
{
	struct identity key = images_identity_of_made(mm, start);
	struct entry *newest = NULL, *e;

	rcu_read_lock();
	for (; key.generation < GENERATIONS && (e = images_find(&key)); key.generation++)
		newest = e;
	rcu_read_unlock();
	if (newest)
		return &newest->known;
	images_ask_made(&key);
	return NULL;
}

void tap_images_renew(const struct tap_known *known)
{
	const struct entry *e = container_of(known, struct entry, known);
	struct identity key = e->key;

	if (++key.generation < GENERATIONS && time_after(jiffies, e->answered + ((HZ / 4ul) << e->key.generation)))
		images_ask_made(&key);
}

/* ---- waiting for answers ---- */

/* Processes whose files are all known, one word each: it identifies the process (its stack address distinguishes it
 * from an earlier one with the same mm_struct) and the amount of code mapped. If the word is overwritten, the
 * process is checked again. */
static u64 whole[1 << WHOLE_BITS];

static u64 *images_whole_place(const struct mm_struct *mm)
{
	return &whole[hash_ptr(mm, WHOLE_BITS)];
}

static u64 images_whole_mark(const struct mm_struct *mm)
{
	u64 mark = (unsigned long)mm ^ (u64)READ_ONCE(mm->exec_vm) << 40;

	return (mark ^ mm->start_stack * GOLDEN_RATIO_64) | 1;	/* mm is aligned */
}

/* Counts the files with code mapped by the process that are not known. */
static u32 images_count_unknown(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	unsigned long at = 0;
	u32 n = 0, seen = 0;

	if (down_read_killable(&mm->mmap_lock))
		return 0;
	while ((vma = find_vma(mm, at)) && seen++ < MOST_MAPPINGS && vma->vm_end > at) {
		at = vma->vm_end;
		if (!(vma->vm_flags & VM_EXEC) || (!vma->vm_file && !vma_is_anonymous(vma)))
			continue;
		preempt_disable_notrace();
		n += !(vma->vm_file ? tap_images_find(vma->vm_file) : tap_images_find_made(mm, vma->vm_start));
		preempt_enable_notrace();
	}
	up_read(&mm->mmap_lock);
	return n;
}

static bool images_may_await(void)
{
	pid_t pid = READ_ONCE(reader);

	return pid && pid != current->tgid && !READ_ONCE(is_slow) && current->mm && !(current->flags & PF_KTHREAD) &&
	       READ_ONCE(tap_session.state) == TAP_RUNNING;
}

void tap_images_await(void)
{
	struct mm_struct *mm = current->mm;
	unsigned long until;
	u64 mark;

	if (!mm || READ_ONCE(*images_whole_place(mm)) == (mark = images_whole_mark(mm)) || !images_may_await())
		return;
	until = jiffies + PATIENCE;
	for (;;) {
		int before = atomic_read(&answers);
		long left;

		if (!images_count_unknown(mm) || time_after(jiffies, until))
			break;
		left = wait_event_killable_timeout(told, atomic_read(&answers) != before || !images_may_await(),
						   PATIENCE);
		if (!left)
			WRITE_ONCE(is_slow, true);
		if (left <= 0 || !images_may_await())
			break;
	}
	WRITE_ONCE(*images_whole_place(mm), mark);
}

/* ---- dropping questions ---- */

/* Drops the questions asked at least AGE ago. Returns whether others remain. */
static bool images_drop_asked(unsigned long age)
{
	bool more = false;

	mutex_lock(&images_lock);
	for (u32 i = 0; i < SLOTS; i++) {
		if (smp_load_acquire(&slots[i].state) != SLOT_ASKED)
			continue;
		if (time_before(jiffies, slots[i].asked + age)) {
			more = true;
			continue;
		}
		if (slots[i].file)
			fput(slots[i].file);
		slots[i].file = NULL;
		smp_store_release(&slots[i].state, SLOT_FREE);
	}
	mutex_unlock(&images_lock);
	return more;
}

/* Also drops a question that was asked while the reader was closing the file. */
static void images_drop_old(struct work_struct *work)
{
	if (images_drop_asked(READ_ONCE(reader) ? LIFETIME : 0))
		schedule_delayed_work(&drop, LIFETIME);
}

/* ---- passing questions to the daemon ---- */

static int images_first_asked(void)
{
	for (u32 i = 0; i < SLOTS; i++)
		if (smp_load_acquire(&slots[i].state) == SLOT_ASKED)
			return i;
	return -1;
}

/* Gets a descriptor of the file in the daemon's process, not yet installed. A process that may load modules may
 * read any program. The descriptor refers to the file without opening it (O_PATH): a file system may take long to
 * open it, or never finish, and meanwhile the reader of our file would hold the module. */
static int images_reserve_descriptor(struct file *file, struct file **copy)
{
	int fd = capable(CAP_SYS_MODULE) ? get_unused_fd_flags(O_CLOEXEC) : -EPERM;

	*copy = NULL;
	if (fd < 0)
		return fd;
	*copy = dentry_open(&file->f_path, O_PATH, current_cred());
	if (!IS_ERR(*copy))
		return fd;
	put_unused_fd(fd);
	fd = PTR_ERR(*copy);
	*copy = NULL;
	return fd;
}

static void images_fill_path(struct tap_image_request *r, struct file *file)
{
	char *path = d_path(&file->f_path, r->path, sizeof(r->path));

	if (IS_ERR(path))
		r->path[0] = 0;
	else
		memmove(r->path, path, strlen(path) + 1);
}

/* Takes a question, which is TOLD from now on, and returns its slot; -1 if there is no question. */
static int images_take_question(struct file **file)
{
	int i;

	mutex_lock(&images_lock);
	i = images_first_asked();
	if (i >= 0) {
		*file = slots[i].file;
		slots[i].file = NULL;
		smp_store_release(&slots[i].state, SLOT_TOLD);
	}
	mutex_unlock(&images_lock);
	return i;
}

/* The daemon did not get the question after all. */
static void images_untake_question(int i)
{
	mutex_lock(&images_lock);
	if (slots[i].state == SLOT_TOLD)
		smp_store_release(&slots[i].state, SLOT_FREE);
	mutex_unlock(&images_lock);
}

/* The process that KEY is of, by its number in the reader's pid namespace. */
static s32 images_number_of(const struct identity *key)
{
	s32 number;

	rcu_read_lock();
	number = pid_vnr(find_pid_ns(key->inode, &init_pid_ns));	/* 0: it has no number there, or any more */
	rcu_read_unlock();
	return number ?: -1;
}

static void images_fill_question(struct tap_image_request *request, int i, struct file *wanted, struct file **copy)
{
	request->request = i + 1;
	request->fd = -1;
	*copy = NULL;
	if (wanted) {
		images_fill_path(request, wanted);
		request->fd = images_reserve_descriptor(wanted, copy);
		fput(wanted);
	} else {
		request->made = images_number_of(&slots[i].key);	/* which only the reader changes now */
		request->window = slots[i].key.size << 32;
	}
}

static int images_tell_question(struct tap_image_request *request, int i, struct file *wanted, char __user *to)
{
	struct file *copy;

	images_fill_question(request, i, wanted, &copy);
	if (!copy_to_user(to, request, sizeof(*request))) {
		if (copy)
			fd_install(request->fd, copy);
		return 0;
	}
	images_untake_question(i);
	if (copy) {
		fput(copy);
		put_unused_fd(request->fd);
	}
	return -EFAULT;
}

static ssize_t images_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct tap_image_request *request;
	struct file *wanted;
	int i, err = -EAGAIN;

	if (count < sizeof(*request))
		return -EINVAL;
	request = kzalloc(sizeof(*request), GFP_KERNEL_ACCOUNT);
	if (!request)
		return -ENOMEM;
	i = images_take_question(&wanted);
	if (i >= 0)
		err = images_tell_question(request, i, wanted, to);
	kfree(request);
	return err ? err : (ssize_t)sizeof(*request);
}

static __poll_t images_poll(struct tap_file *f, struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &asked, table);
	return images_first_asked() >= 0 ? EPOLLIN | EPOLLRDNORM : 0;
}

/* ---- answers ---- */

/* The file below an overlay is the one that is mapped. */
static int images_identity_of_descriptor(int fd, struct identity *key)
{
	struct file *file = fget_raw(fd);

	if (!file)
		return -EBADF;
	*key = images_identity_of(d_real_inode(file->f_path.dentry));
	fput(file);
	return 0;
}

static int images_identity_of_answer(const struct tap_image_head *head, struct identity *key)
{
	memset(key, 0, sizeof(*key));
	if (!head->request)
		return head->fd < 0 ? 0 : images_identity_of_descriptor(head->fd, key);
	if (head->request > SLOTS || smp_load_acquire(&slots[head->request - 1].state) != SLOT_TOLD)
		return -EINVAL;
	*key = slots[head->request - 1].key;
	return 0;
}

/* From then on the entry owns DATA. */
static int images_publish(const struct identity *key, void *data, u64 size)
{
	bool is_made = key->device == MADE;
	struct entry *e;

	if (images_find(key))
		return -EEXIST;
	if (memory + size > MOST_MEMORY || (is_made && size > PAGE_SIZE && made_memory + size > MOST_MADE_MEMORY))
		return -ENOSPC;
	e = tap_zalloc(sizeof(*e), NUMA_NO_NODE);
	if (!e)
		return -ENOMEM;
	e->key = *key;
	e->data = data;
	e->data_size = size;
	e->known.file_size = key->size;
	e->known.is_made = is_made;
	e->answered = jiffies;
	if (!tap_image_open(&e->known.image, data, size)) {
		tap_zfree(e, sizeof(*e));
		return -EINVAL;
	}
	memory += size;
	made_memory += is_made ? size : 0;
	made_count += is_made;
	atomic64_add(size, &tap_session.memory);
	hlist_add_head_rcu(&e->link, images_bucket_of(key));
	return 0;
}

static int images_answer(void *data, u64 size)
{
	struct tap_image_head head;
	struct identity key;
	int err;

	memcpy(&head, data, sizeof(head));
	mutex_lock(&images_lock);
	err = images_identity_of_answer(&head, &key);
	if (!err)
		err = images_publish(&key, data, size);
	/* A question ends when it is answered, or if it cannot be; after ENOSPC a smaller
	 * answer will follow. */
	if (head.request && err != -EINVAL && err != -ENOSPC)
		smp_store_release(&slots[head.request - 1].state, SLOT_FREE);
	mutex_unlock(&images_lock);
	WRITE_ONCE(is_slow, false);
	atomic_inc(&answers);
	wake_up_all(&told);
	return err;
}

static ssize_t images_write(struct tap_file *f, struct file *file, const char __user *from, size_t count,
			    loff_t *offset)
{
	void *data;
	int err = -EFAULT;

	if (count < sizeof(struct tap_image_head) || count > TAP_IMAGE_MOST)
		return -EINVAL;
	data = kvmalloc(count, GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
	if (!data)
		return -ENOMEM;
	if (!copy_from_user(data, from, count))
		err = images_answer(data, count);
	if (err)
		kvfree(data);
	return err ? err : (ssize_t)count;
}

/* ---- opening and closing ---- */

static int images_file_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
	WRITE_ONCE(reader, current->tgid);
	return 0;
}

/* Unanswered questions are asked again when the file is met after the next open. */
static void images_file_release(struct tap_file *f, struct file *file)
{
	WRITE_ONCE(reader, 0);
	smp_mb();			/* a question asked later sees this, or we see the question, or images_drop_old
					 * does */
	images_drop_asked(0);
	mutex_lock(&images_lock);
	for (u32 i = 0; i < SLOTS; i++)
		if (slots[i].state == SLOT_TOLD)
			smp_store_release(&slots[i].state, SLOT_FREE);
	mutex_unlock(&images_lock);
	wake_up_all(&told);
	clear_bit(0, &is_open);
}

static const struct tap_file_ops images_ops = {
	.open = images_file_open, .read = images_read, .write = images_write, .poll = images_poll,
	.release = images_file_release,
};

/* Only for root, regardless of the session's owner: the answers decide which words of a process a stack shows. */
int tap_images_publish(void)
{
	return tap_file_create(&images, &images_ops, "images", 0600, tap_session.directory) ? 0 : -ENOMEM;
}

/* Ends all waiting for answers. */
void tap_images_stop(void)
{
	wake_up_all(&told);
}

/* The directory has been removed, so there are no readers or writers. */
void tap_images_close(void)
{
	struct hlist_node *next;
	struct entry *e;

	irq_work_sync(&wake);
	cancel_delayed_work_sync(&drop);
	images_drop_asked(0);
	for (u32 i = 0; i < ARRAY_SIZE(buckets); i++) {
		hlist_for_each_entry_safe(e, next, &buckets[i], link) {
			atomic64_sub(e->data_size, &tap_session.memory);
			kvfree(e->data);
			tap_zfree(e, sizeof(*e));
		}
	}
}
