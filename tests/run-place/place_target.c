// SPDX-License-Identifier: GPL-2.0-or-later
/* A module with places to probe: writing N to /proc/place_target does each thing N times. Tests find lines by the
 * words in capitals after them. */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

static int place_sum, place_seen;
struct place_pair { int first; short second; const char *name; };

/* Inlined in two functions. */
static __always_inline int place_inlined(int value)
{
	int twice = 2 * value;

	WRITE_ONCE(place_seen, twice);		/* INLINED */
	return twice + READ_ONCE(place_sum);
}

static noinline int place_leaf(struct place_pair *pair, int value)
{
	int seen = pair->first + value;		/* LEAF */

	WRITE_ONCE(place_seen, seen);		/* LEAF_SEEN */
	seen += pair->second;
	WRITE_ONCE(place_sum, place_sum + seen);	/* LEAF_SUM */
	return seen;
}

noinline int place_first(struct place_pair *pair, int value)
{
	int result = place_leaf(pair, value);	/* FIRST */

	if (value == 3)
		goto three;
	result += place_inlined(value);
	return result;
three:
	WRITE_ONCE(place_sum, place_sum + 1);	/* THREE */
	return -result;
}
EXPORT_SYMBOL_GPL(place_first);

static noinline int place_second(struct place_pair *pair, int value)
{
	int result = place_inlined(value + 1);

	result += place_leaf(pair, result);
	return result + 1;
}

static ssize_t target_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct place_pair pair = { 10, 3, "pair" };
	int i, n, err = kstrtoint_from_user(from, size, 10, &n);

	if (err)
		return err;
	for (i = 0; i < n; i++) {
		place_first(&pair, i);
		place_second(&pair, i);
	}
	return size;
}

static const struct proc_ops target_ops = { .proc_write = target_write };

static int __init place_target_init(void)
{
	return proc_create("place_target", 0200, NULL, &target_ops) ? 0 : -ENOMEM;
}

static void __exit place_target_exit(void)
{
	remove_proc_entry("place_target", NULL);
}

module_init(place_target_init);
module_exit(place_target_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("places to probe");
