// SPDX-License-Identifier: GPL-2.0-or-later
/* At each of the instructions "FUNCTION+OFFSET" in the parameter where, separated by commas: how many stacks could be
 * followed to the entry from user space, by way of a function whose caller is vfs_write's; and how many could not. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/unwind.h>

static char where[8192];
module_param_string(where, where, sizeof(where), 0);
static uint places, whole, broken;
module_param(places, uint, 0444);
module_param(whole, uint, 0444);
module_param(broken, uint, 0444);

static struct kprobe probes[256];

static int unwind_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct unwind_state state;
	struct pt_regs at = *regs;	/* those after the breakpoint: the stack may differ there */
	char name[KSYM_SYMBOL_LEN];
	bool writes = false;
	int n = 0;

	at.ip = (unsigned long)kp->addr;
	unwind_start(&state, current, &at, NULL);
	for (; !unwind_done(&state) && n < 64; unwind_next_frame(&state), n++) {
		snprintf(name, sizeof(name), "%ps", (void *)unwind_get_return_address(&state));
		writes |= !strcmp(name, "vfs_write");
	}
	if (unwind_error(&state) || !writes) {
		broken++;
		pr_info("unwind: %s+%#x\n", kp->symbol_name, kp->offset);
	} else {
		whole++;
	}
	return 0;
}

static int unwind_register(char *place)
{
	struct kprobe *kp = &probes[places];
	char *offset = strchr(place, '+');
	int err;

	if (!offset || places == ARRAY_SIZE(probes))
		return -EINVAL;
	*offset++ = '\0';
	kp->symbol_name = place;
	kp->pre_handler = unwind_hit;
	err = kstrtouint(offset, 0, &kp->offset) ?: register_kprobe(kp);
	places += !err;
	return err;
}

static void unwind_end(void)
{
	while (places)
		unregister_kprobe(&probes[--places]);
}

static int unwind_begin(void)
{
	char *rest = where, *place;
	int err = 0;

	while (!err && (place = strsep(&rest, ",")))
		err = unwind_register(place);
	if (err)
		unwind_end();
	return err;
}

module_init(unwind_begin);
module_exit(unwind_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Unwinds stacks, for tests");
