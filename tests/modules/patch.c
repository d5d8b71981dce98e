// SPDX-License-Identifier: GPL-2.0-or-later
/* A live patch: /dev/null accepts at most 3 bytes at a time. */
#include <linux/fs.h>
#include <linux/livepatch.h>
#include <linux/module.h>

static ssize_t patched_write_null(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	return count < 3 ? count : 3;
}

static struct klp_func functions[] = { { .old_name = "write_null", .new_func = patched_write_null }, { } };
static struct klp_object objects[] = { { .funcs = functions }, { } };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init patch_load(void) { return klp_enable_patch(&patch); }
static void __exit patch_unload(void) { }

module_init(patch_load);
module_exit(patch_unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A live patch for tests");
MODULE_INFO(livepatch, "Y");
