// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of functions. The kernel's functions are at a distance from one that we import, in the image whose
 * build-id the script carries; the running kernel's build-id is read from its notes and compared before anything is
 * probed. The same is done for a module, whose build-id is in its memory; the distances between its functions are
 * known, so the address of one found by name gives the base, and others found by name must agree.
 *
 * A name is looked up by registering a disabled kprobe: this finds the address without modifying code. On kernels
 * where indirect calls must land on an ENDBR, the kprobe's address is after the ENDBR. */
#include "address.h"

#include <linux/elf.h>
#include <linux/kobject.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>

#include "probe.h"

enum { MOST_NOTES = 64 << 10 };

/* ---- the kernel ---- */

static const char other_module[] = "the loaded module is a different build from the one that the script was "
	"translated for: load the installed one, or translate the script again";

/* Finds the build-id in ELF notes, or returns NULL. */
static const u8 *address_find_build_id(const u8 *notes, u32 size, u32 *id_size)
{
	u32 at = 0;

	while (size - at >= sizeof(struct elf64_note)) {
		const struct elf64_note *note = (const struct elf64_note *)(notes + at);
		u64 name = at + sizeof(*note), id = name + ALIGN((u64)note->n_namesz, 4);
		u64 end = id + ALIGN((u64)note->n_descsz, 4);

		if (end > size)
			return NULL;
		if (note->n_type == 3 && note->n_namesz == 4 && !memcmp(notes + name, "GNU", 4)) {
			*id_size = note->n_descsz;
			return notes + id;
		}
		at = end;
	}
	return NULL;
}

static int address_check_build_id(const struct tap_functions *f, unsigned long anchor, const char **reason)
{
	u8 *notes;
	const u8 *id;
	u32 id_size = 0;
	int err = -ENODATA;

	*reason = "the running kernel's build-id cannot be read";
	if (!f->notes_size || f->notes_size > MOST_NOTES)
		return err;
	notes = tap_zalloc(f->notes_size, NUMA_NO_NODE);
	if (!notes)
		return -ENOMEM;
	if (copy_from_kernel_nofault(notes, (void *)(anchor + f->notes), f->notes_size))
		goto out;
	err = -EXDEV;
	*reason = "the running kernel is a different build from the one that the script was translated for: "
		  "translate it here, or with -r for this kernel";
	id = address_find_build_id(notes, f->notes_size, &id_size);
	if (id && id_size == f->build_id_size && !memcmp(id, f->build_id, id_size))
		err = 0;
out:
	tap_zfree(notes, f->notes_size);
	return err;
}

/* ---- names ---- */

static unsigned long address_function(const struct kprobe *kp)
{
	unsigned long address = (unsigned long)kp->addr;

	return tap_function_skip(address - 4) == 4 ? address - 4 : address;
}

/* One look-up per function (about a millisecond), and one grace period for all. */
int tap_functions_by_name(const struct tap_functions *f, unsigned long *addresses)
{
	enum { NAME = MODULE_NAME_LEN + KSYM_NAME_LEN + 2 };
	struct kprobe *probes = tap_zalloc(f->count * sizeof(*probes), NUMA_NO_NODE);
	struct kprobe **found = tap_zalloc(f->count * sizeof(*found), NUMA_NO_NODE);
	char *name = tap_zalloc(NAME, NUMA_NO_NODE);
	int n = 0, err = -ENOMEM;

	if (!probes || !found || !name)
		goto out;
	for (u32 i = 0; i < f->count; i++) {
		snprintf(name, NAME, "%s%s%s", f->module ? f->module : "", f->module ? ":" : "",
			 f->sites[i].symbol);
		probes[i].symbol_name = name;
		probes[i].flags = KPROBE_FLAG_DISABLED;
		addresses[i] = 0;
		cond_resched();
		if (register_kprobe(&probes[i]))
			continue;
		addresses[i] = address_function(&probes[i]);
		found[n++] = &probes[i];
	}
	if (n)
		unregister_kprobes(found, n);
	err = 0;
out:
	tap_zfree(name, NAME);
	tap_zfree(found, f->count * sizeof(*found));
	tap_zfree(probes, f->count * sizeof(*probes));
	return err;
}

/* ---- modules ---- */

static const struct module *coming;	/* protected by the lock of the module notifier's caller */

void tap_module_coming(const struct module *module)
{
	coming = module;
}

/* The note is in the read-only data, at an address that only the module's sysfs files record. Between the data there
 * may be what KASAN forbids to read. */
bool tap_module_is_build(const struct module *module, const struct tap_functions *f)
{
	struct {
		struct elf64_note head;
		char name[4];
		u8 id[64];
	} note;
	u32 size, needed = offsetof(typeof(note), id) + f->build_id_size;
	const u8 *data = tap_module_rodata(module, &size);

	for (u32 at = 0; f->build_id_size <= sizeof(note.id) && at + needed <= size; at += 4)
		if (!copy_from_kernel_nofault(&note, data + at, needed) && note.head.n_namesz == sizeof(note.name) &&
		    note.head.n_type == 3 && note.head.n_descsz == f->build_id_size &&
		    !memcmp(note.name, "GNU", sizeof(note.name)) && !memcmp(note.id, f->build_id, f->build_id_size))
			return true;
	return false;
}

static int address_check_module(const struct tap_functions *f, const char **reason)
{
	struct kobject *object = NULL;
	const struct module *module = coming;
	bool good;

	if (!module) {
		object = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, f->module);
		module = object ? container_of(object, struct module_kobject, kobj)->mod : NULL;
	}
	good = module && tap_module_is_build(module, f);
	*reason = module ? other_module : "the module is not loaded";
	if (object)
		kobject_put(object);
	return good ? 0 : module ? -EXDEV : -ENOENT;
}

bool tap_module_is_loaded(const char *name)
{
	struct kobject *object = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	struct module *module;
	bool loaded;

	if (!object)
		return false;
	module = container_of(object, struct module_kobject, kobj)->mod;	/* NULL: built in */
	loaded = module && READ_ONCE(module->state) != MODULE_STATE_GOING &&
		 READ_ONCE(module->state) != MODULE_STATE_UNFORMED;
	kobject_put(object);	/* the module's memory stays as long as we hold the object */
	return loaded;
}

/* Looks up up to three functions, far apart, by name. */
static int address_module_base(const struct tap_functions *f, unsigned long *base, const char **reason)
{
	const u32 picks[] = { 0, f->count / 2, f->count - 1 };
	struct tap_site sites[ARRAY_SIZE(picks)];
	unsigned long addresses[ARRAY_SIZE(picks)];
	struct tap_functions some = { .module = f->module, .sites = sites, .count = ARRAY_SIZE(picks) };
	int err;

	*base = 0;
	err = address_check_module(f, reason);
	if (err || f->sites[0].offset == TAP_BY_NAME)	/* then all sites are */
		return err;
	for (u32 i = 0; i < ARRAY_SIZE(picks); i++)
		sites[i] = f->sites[picks[i]];
	err = tap_functions_by_name(&some, addresses);
	for (u32 i = 0; i < ARRAY_SIZE(picks) && !err; i++) {
		unsigned long b = addresses[i] - sites[i].offset;

		if (!addresses[i] || sites[i].offset == TAP_BY_NAME)
			continue;
		if (*base && *base != b)
			err = -EXDEV;
		*base = b;
	}
	if (!err && !*base)
		err = -ENOENT;
	*reason = err == -ENOENT ? "the module has no such function" :
		  other_module;
	return err;
}

int tap_functions_base(const struct tap_functions *f, unsigned long *base, const char **reason)
{
	if (f->module)
		return address_module_base(f, base, reason);
	*base = (unsigned long)&register_kprobe;		/* TAP_ANCHOR */
	return address_check_build_id(f, *base, reason);
}
