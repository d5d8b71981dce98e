// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel.function and module.function probes: the entry and return of functions, and places inside them.
 *
 * Places are grouped by image, the kernel or a module, because an image is attached and detached as a whole: a
 * module's when it is loaded or unloaded. ftrace hooks the places that it can (hook.c), entries and, where return
 * hooks allow it, returns; every other place gets its own kprobe or kretprobe (points.c).
 *
 * Returns: each row has a kretprobe whose own kprobe is disabled. The ftrace callback calls its pre_handler, which
 * is all that the kernel's kprobe code would do, so one pool serves all of the row's functions and none of them
 * needs a breakpoint. When the pool is exhausted the kernel counts the return in nmissed (kprobes.rst). */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "address.h"
#include "families.h"
#include "hook.h"
#include "override.h"
#include "points.h"
#include "probe.h"
#include "tap_direct.h"
#include "toll.h"

struct image {
	const char *module;		/* NULL: the kernel */
	struct image *next;
	struct tap_hooks *hooks;
	struct tap_points *points;
	bool attached;
};

/* Per row: row->family. */
struct functions {
	struct tap_row *row;
	struct image *image;
	struct kretprobe carrier;	/* for returns by ftrace */
	bool has_carrier;
	u32 sites;			/* attached sites */
	unsigned long ip;		/* of the only place */
	u64 missed;			/* by points that were removed */
	bool complained;		/* about having no place that can be attached */
};

/* Protects images and what is attached to them. Taken inside the session's lock, and by the module notifier, so it
 * must not be held while that is registered. The kernel's registration functions are called with it held. */
static DEFINE_MUTEX(images_lock);
static struct image *images;
static struct tap_row *kernel_rows;
static u32 kernel_row_count;
static bool notified;

static const struct tap_functions *kernel_functions_of(const struct tap_row *row)
{
	return row->probe->where;
}

#define for_each_image_row(row, image_) \
	for (struct tap_row *row = kernel_rows; row < kernel_rows + kernel_row_count; row++) \
		if (row->family && ((struct functions *)row->family)->image == (image_))

/* ---- hits ---- */

/* The data of a carrier's instance: which function it was, as there may be several, and the
 * data of the row's entry handler. */
struct carried {
	unsigned long ip;
	s64 ticket;			/* of a tap_row_path; or 0, and the entry handler has run */
	char entry[];
};

/* Called inside hook_return, in its frame. */
static int kernel_carrier_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct tap_frame *f = tap_frame_at(preempt_count());
	struct functions *functions = container_of(get_kretprobe(ri), struct functions, carrier);
	struct carried *carried = (struct carried *)ri->data;

	carried->ip = f->ip;
	carried->ticket = f->ticket;
	if (!f->ticket && functions->row->probe->entry)
		memcpy(carried->entry, f->c.entry, functions->row->probe->entry_size);
	return 0;
}

static noinline void kernel_carrier_returned_by_path(struct tap_row *row, struct pt_regs *regs,
						     const struct carried *carried)
{
	if (row->path->leave(regs, carried->ticket))
		tap_hit_late(row, regs, carried->ip, carried->ticket);
}

static int kernel_carrier_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct functions *functions = container_of(rp, struct functions, carrier);
	struct carried *carried = (struct carried *)ri->data;

	if (!rp)
		return 0;
	if (rp->entry_handler && carried->ticket)
		kernel_carrier_returned_by_path(functions->row, regs, carried);
	else
		tap_hit_return(functions->row, regs, rp->entry_handler ? carried->ip : 0, carried->entry);
	return 0;
}

/* The entry handler decides whether the return matters before an instance is taken from the pool, so calls that do
 * not matter are cheap, and cannot exhaust it while they sleep. Until then its data is in the frame's scratch. */
static noinline bool kernel_carrier_wants(struct tap_row *row, struct pt_regs *regs)
{
	struct tap_frame *f = tap_frame_at(preempt_count());
	bool wants = false;
	void *data;

	tap_begin_entry(f, row);
	data = tap_scratch(&f->c, row->probe->entry_size);
	if (data) {
		tap_run_entry(f, row, regs, data);
		wants = f->c.entering;
	}
	tap_end_entry(f);
	return wants;
}

/* From the ftrace callback, on entry to a function of ROW. */
static void kernel_carrier_hook(struct tap_row *row, struct pt_regs *regs)
{
	struct functions *functions = row->family;

	struct kprobe *kp = &functions->carrier.kp;
	u32 begun;

	if (row->probe->entry && !tap_frame_at(preempt_count())->ticket && !kernel_carrier_wants(row, regs))
		return;
	begun = (u32)tap_cycles();
	kp->pre_handler(kp, regs);
	tap_toll_return(row, (u32)tap_cycles() - begun);
}

/* IP is the address of a hooked function, or that of a point, or 0 for the only place. */
static unsigned long kernel_address(struct tap_row *row, unsigned long ip)
{
	const struct functions *functions = row->family;
	unsigned long at = functions && functions->image ? tap_points_address(functions->image->points, ip) : 0;

	return at ?: ip ?: functions ? functions->ip : 0;
}

static const struct tap_site *kernel_site(struct tap_row *row, unsigned long ip)
{
	const struct tap_functions *f = kernel_functions_of(row);
	const struct functions *functions = row->family;
	const struct image *image = functions ? functions->image : NULL;

	if (f->count == 1)
		return f->sites;
	if (!image)
		return NULL;
	return tap_points_site(image->points, ip) ?: tap_hooks_site(image->hooks, row, ip);
}

/* ---- messages ---- */

static const char *kernel_reason_of(int err)
{
	switch (err) {
	case -EINVAL:
		return "the kernel forbids a probe there";
	case -EILSEQ:
		return "no instruction begins there";
	case -ENOENT:
		return "there is no such function";
	case -EBUSY:
		return "another tool is in the way";
	case -ENOMEM:
		return "no memory";
	case -EOPNOTSUPP:
	case -ENOSYS:
		return "this kernel cannot do that";
	}
	return "it was refused";
}

/* Places of a wildcard are only counted. */
static void kernel_place_failed(const struct tap_place *p, int err)
{
	tap_session.sites_failed++;
	if (p->row->flags & TAP_PROBE_SITES)
		return;
	tap_start_failed(p->row, "%s%s%s: %s (error %d)", p->site->symbol, p->site->into ? "+" : "",
			 p->site->into ? "..." : "", kernel_reason_of(err), err);
}

static void kernel_place_attached(const struct tap_place *p)
{
	tap_session.sites++;
	((struct functions *)p->row->family)->sites++;
}

/* ---- where ---- */

/* Collects the places of one row that have an address. */
static int kernel_resolve_row(struct tap_row *row, struct tap_place *places, u32 *n)
{
	const struct tap_functions *f = kernel_functions_of(row);
	unsigned long *named = NULL, base = 0;
	const char *reason;
	bool some_named = !f->build_id && !f->absolute;
	int err = 0;

	if (f->build_id)
		err = tap_functions_base(f, &base, &reason);
	if (err) {
		tap_start_failed(row, "%s", reason);
		((struct functions *)row->family)->complained = true;
		return 0;
	}
	for (u32 i = 0; i < f->count && !some_named && !f->absolute; i++)
		some_named = f->sites[i].offset == TAP_BY_NAME;
	if (some_named) {
		named = tap_zalloc(f->count * sizeof(*named), NUMA_NO_NODE);
		err = named ? tap_functions_by_name(f, named) : -ENOMEM;
	}
	for (u32 i = 0; i < f->count && !err; i++) {
		const struct tap_site *site = &f->sites[i];
		struct tap_place p = { .row = row, .site = site, .base = base };

		p.ip = named && (!f->build_id || site->offset == TAP_BY_NAME) ? named[i] :
		       base + site->offset;
		if (!p.ip) {
			kernel_place_failed(&p, -ENOENT);
			continue;
		}
		if (!f->absolute)
			p.ip += site->into ? site->into : tap_function_skip(p.ip);
		if (f->count == 1)
			((struct functions *)row->family)->ip = p.ip;
		places[(*n)++] = p;
	}
	tap_zfree(named, f->count * sizeof(*named));
	return err;
}

/* ---- images ---- */

/* All hooks failed, which counts as one failure for each row. */
static void kernel_hooks_failed(const struct image *image, const struct tap_place *places, u32 count, int err)
{
	for (u32 i = 0; i < count; i++)
		tap_session.sites_failed += places[i].hooked;
	for_each_image_row(row, image) {
		struct functions *functions = row->family;
		u32 n = 0;

		for (u32 i = 0; i < count; i++)
			n += places[i].hooked && places[i].row == row;
		if (!n)
			continue;
		functions->complained = true;
		if (err == -EBUSY)
			tap_start_failed(row, "ftrace is switched off: set the sysctl kernel.ftrace_enabled to 1");
		else
			tap_start_failed(row, "ftrace: %s (error %d)", kernel_reason_of(err), err);
	}
}

/* A return hook on a function that serves return hooks would recurse without end. (The kernel has a list of them,
 * but asking it takes a registration each.) Such a place is handled as a kretprobe, and is rejected. */
static bool kernel_serves_returns(const char *symbol)
{
	return strstarts(symbol, "kretprobe_") || strstarts(symbol, "rethook_") ||
	       strstarts(symbol, "arch_rethook_") || !strcmp(symbol, "pre_handler_kretprobe");
}

static void kernel_refuse_endless_returns(struct tap_place *places, u32 count)
{
	for (u32 i = 0; i < count; i++)
		if (places[i].row->flags & TAP_PROBE_RETURN && kernel_serves_returns(places[i].site->symbol))
			places[i].hooked = false;
}

static int kernel_hooks_choose(struct tap_place *places, u32 count)
{
	int err = tap_hooks_choose(places, count);

	if (!err)
		kernel_refuse_endless_returns(places, count);
	return err;
}

static void kernel_spare_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(spare, kernel_spare_work);

static void kernel_hooks_changed(void)
{
	schedule_delayed_work(&spare, 0);
}

static void kernel_hooks_attach(struct image *image, struct tap_place *places, u32 count)
{
	static const struct tap_hooks_calls calls = { .returns = kernel_carrier_hook, .changed = kernel_hooks_changed };
	int err = tap_hooks_open(&image->hooks, places, count, &calls);

	if (err) {
		kernel_hooks_failed(image, places, count, err);
		return;
	}
	for (u32 i = 0; i < count; i++)
		if (places[i].hooked)
			kernel_place_attached(&places[i]);
	for_each_image_row(row, image) {
		u32 n = tap_hooks_direct(image->hooks, row);

		row->direct += n;
		tap_session.sites_direct += n;
	}
}

/* Reports rows without any place. */
static void kernel_complain_of_empty_rows(struct image *image)
{
	for_each_image_row(row, image) {
		const struct functions *functions = row->family;

		if (!functions->sites && !functions->complained && row->flags & TAP_PROBE_SITES)
			tap_start_failed(row, "none of %u functions can be probed",
					 kernel_functions_of(row)->count);
	}
}

static const struct tap_points_calls points_calls = {
	.attached = kernel_place_attached, .failed = kernel_place_failed,
};

static int kernel_image_attach(struct image *image)
{
	struct tap_place *places;
	u32 n = 0, room = 0;
	int err = 0;

	for_each_image_row(row, image)
		room += kernel_functions_of(row)->count;
	places = tap_zalloc(room * sizeof(*places), NUMA_NO_NODE);
	if (!places)
		return -ENOMEM;
	image->attached = true;
	for_each_image_row(row, image)
		if (!err)
			err = kernel_resolve_row(row, places, &n);
	if (!err && n)
		err = kernel_hooks_choose(places, n);
	/* The kernel calls the last ftrace_ops first: a kretprobe must not replace the return address before we
	 * have read it. */
	if (!err && n)
		err = tap_points_open(&image->points, places, n, &points_calls);
	if (!err && n)
		kernel_hooks_attach(image, places, n);
	if (!err)
		kernel_complain_of_empty_rows(image);
	tap_zfree(places, room * sizeof(*places));
	return err;
}

static void kernel_image_detach(struct image *image)
{
	if (!image->attached)
		return;
	for_each_image_row(row, image) {
		u32 n = tap_session.state < TAP_STOPPING ? tap_hooks_direct(image->hooks, row) : 0;

		row->direct -= min(row->direct, n);
		tap_session.sites_direct -= min_t(u64, tap_session.sites_direct, n);
	}
	tap_hooks_close(image->hooks);
	image->hooks = NULL;
	for_each_image_row(row, image)
		((struct functions *)row->family)->missed += tap_points_missed(image->points, row);
	tap_points_close(image->points);
	image->points = NULL;
	image->attached = false;
}

static void kernel_forget_sites(struct image *image)
{
	for_each_image_row(row, image) {
		struct functions *functions = row->family;

		tap_session.sites -= functions->sites;
		functions->sites = 0;
	}
}

static struct image *kernel_image_of(const char *module)
{
	struct image *image;

	for (image = images; image; image = image->next)
		if (image->module == module ||
		    (module && image->module && !strcmp(image->module, module)))
			return image;
	image = tap_zalloc(sizeof(*image), NUMA_NO_NODE);
	if (!image)
		return NULL;
	image->module = module;
	image->next = images;
	images = image;
	return image;
}

/* The list and its names do not change while the notifier is registered. */
static bool kernel_has_image(const char *module)
{
	for (const struct image *image = images; image; image = image->next)
		if (image->module && !strcmp(image->module, module))
			return true;
	return false;
}

/* A module's text is present and can be patched when the module is COMING, and still when it is
 * GOING. Other modules do not wait for the lock: probing all functions of the kernel may take minutes. */
static int kernel_module_changed(struct notifier_block *block, unsigned long what, void *data)
{
	const struct module *module = data;

	if (what != MODULE_STATE_COMING && what != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	if (!kernel_has_image(module->name))
		return NOTIFY_DONE;
	mutex_lock(&images_lock);
	for (struct image *image = images; image; image = image->next) {
		if (!image->module || strcmp(image->module, module->name))
			continue;
		if (what == MODULE_STATE_GOING && image->attached) {
			kernel_image_detach(image);
			kernel_forget_sites(image);
		} else if (what == MODULE_STATE_COMING && !image->attached &&
			   tap_session.state < TAP_STOPPING) {
			tap_module_coming(module);
			kernel_image_attach(image);
			tap_module_coming(NULL);
		}
	}
	mutex_unlock(&images_lock);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = kernel_module_changed };

/* ---- rows ---- */

/* The kretprobe must be registered somewhere: at a function that can always be named. */
static int kernel_carrier_start(struct tap_row *row)
{
	struct functions *functions = row->family;
	struct kretprobe *rp = &functions->carrier;
	int err;

	if (!TAP_RETURN_BY_FTRACE || !(row->flags & TAP_PROBE_RETURN))
		return 0;
	rp->kp.symbol_name = TAP_ANCHOR;
	rp->kp.flags = KPROBE_FLAG_DISABLED;
	rp->handler = kernel_carrier_returned;
	rp->entry_handler = kernel_functions_of(row)->count > 1 || row->probe->entry ? kernel_carrier_entered : NULL;
	rp->maxactive = tap_points_most_active(row, true);
	rp->data_size = sizeof(struct carried) + row->probe->entry_size;
	err = tap_fail_here() ? -EIO : register_kretprobe(rp);
	if (err)
		tap_start_failed(row, "return: %s (error %d)", kernel_reason_of(err), err);
	functions->has_carrier = !err;
	return err;
}

/* Returns 0 also if the row is skipped. */
static int kernel_row_start(struct tap_row *row)
{
	struct functions *functions = tap_zalloc(sizeof(*functions), NUMA_NO_NODE);

	if (!functions)
		return -ENOMEM;
	functions->row = row;
	row->family = functions;
	if (kernel_carrier_start(row))
		return 0;
	functions->image = kernel_image_of(kernel_functions_of(row)->module);
	return functions->image ? 0 : -ENOMEM;
}

/* ---- rows that are disarmed for a long time cost nothing ---- */

static void kernel_spare_work(struct work_struct *work)
{
	if (READ_ONCE(tap_session.state) < TAP_RUNNING)
		schedule_delayed_work(&spare, HZ);
	if (READ_ONCE(tap_session.state) != TAP_RUNNING)
		return;
	mutex_lock(&images_lock);
	for (struct image *image = images; image; image = image->next)
		tap_hooks_adjust(image->hooks, true);
	mutex_unlock(&images_lock);
}

static void kernel_arm(struct tap_row *row)
{
	struct functions *functions = row->family;

	mutex_lock(&images_lock);
	if (functions->image)
		tap_hooks_adjust(functions->image->hooks, false);
	mutex_unlock(&images_lock);
}

static void kernel_disarm(struct tap_row *row)
{
	struct functions *functions = row->family;

	mutex_lock(&images_lock);
	if (functions && functions->image)
		tap_hooks_disarmed(functions->image->hooks);
	mutex_unlock(&images_lock);
	if (tap_session.state == TAP_RUNNING)
		schedule_delayed_work(&spare, HZ);
}

/* ---- life ---- */

static int kernel_images_attach(void)
{
	int err = 0;

	mutex_lock(&images_lock);
	for (struct image *image = images; image && !err; image = image->next)
		if (!image->attached && (!image->module || tap_module_is_loaded(image->module)))
			err = kernel_image_attach(image);
	mutex_unlock(&images_lock);
	return err;
}

static int kernel_start(struct tap_row *rows, u32 count)
{
	int err = 0;

	tap_toll_measure();
	mutex_lock(&images_lock);
	kernel_rows = rows;
	kernel_row_count = count;
	for (struct tap_row *row = rows; row < rows + count && !err; row++)
		err = kernel_row_start(row);
	mutex_unlock(&images_lock);
	if (err)
		return err;
	err = register_module_notifier(&notifier);
	if (err)
		return err;
	notified = true;
	for (struct tap_row *row = rows; row < rows + count; row++)
		if (row->probe->condition)
			schedule_delayed_work(&spare, HZ);
	return kernel_images_attach();
}

static void kernel_carriers_stop(struct tap_row *rows, u32 count)
{
	struct kretprobe **list = tap_zalloc(count * sizeof(*list), NUMA_NO_NODE);
	int n = 0;

	for (struct tap_row *row = rows; row < rows + count; row++) {
		struct functions *functions = row->family;

		if (!functions || !functions->has_carrier)
			continue;
		if (list)
			list[n++] = &functions->carrier;
		else
			unregister_kretprobe(&functions->carrier);
	}
	if (n)
		unregister_kretprobes(list, n);
	tap_zfree(list, count * sizeof(*list));
}

static void kernel_count_missed(struct tap_row *row)
{
	struct functions *functions = row->family;
	struct image *image = functions ? functions->image : NULL;
	const struct tap_gated_ops *gated = row->probe->direct ? row->probe->direct->gated : NULL;

	if (!functions)
		return;
	row->missed = functions->missed + functions->carrier.nmissed;
	if (gated)
		row->missed += gated->missed(row);
	if (image)
		row->missed += tap_points_missed(image->points, row);
}

/* Attaching may take long, but the report must not: during that time it shows the previous
 * numbers. */
static void kernel_report(struct tap_row *row)
{
	if (!mutex_trylock(&images_lock))
		return;
	kernel_count_missed(row);
	mutex_unlock(&images_lock);
}

static bool kernel_any_override(const struct tap_row *rows, u32 count)
{
	for (const struct tap_row *row = rows; row < rows + count; row++)
		if (row->flags & TAP_PROBE_OVERRIDE)
			return true;
	return false;
}

static void kernel_stop(struct tap_row *rows, u32 count)
{
	struct image *next;

	if (notified)
		unregister_module_notifier(&notifier);
	notified = false;
	cancel_delayed_work_sync(&spare);
	mutex_lock(&images_lock);
	for (struct image *image = images; image; image = image->next)
		kernel_image_detach(image);
	kernel_carriers_stop(rows, count);
	if (kernel_any_override(rows, count))
		tap_overrides_end();
	for (struct tap_row *row = rows; row < rows + count; row++) {
		kernel_count_missed(row);
		tap_zfree(row->family, sizeof(struct functions));
		row->family = NULL;
	}
	for (; images; images = next) {
		next = images->next;
		tap_zfree(images, sizeof(*images));
	}
	mutex_unlock(&images_lock);
	cancel_delayed_work_sync(&spare);	/* see kernel_hooks_changed */
}

const struct tap_probe_ops tap_kernel = {
	.name = "kernel", .start = kernel_start, .stop = kernel_stop, .arm = kernel_arm,
	.disarm = kernel_disarm, .report = kernel_report, .site = kernel_site, .address = kernel_address,
};
