/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF: type information that nearly every kernel contains, and modules from 5.11 on.
 *
 * The running kernel exports it in /sys/kernel/btf; for other kernels it is the section .BTF of the
 * boot image (cached when the image is unpacked for its symbols) or of the vmlinux in header
 * packages. A module's BTF continues the kernel's: its type ids start after the kernel's. libbpf
 * parses it; ids and names that are out of range must still be caught here. */
#include "btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debuginfo/handle.h"
#include "base/text.h"
#include "base/util.h"
#include "debuginfo/symbols/files.h"

/* ---- opening ---- */

/* btf__new_split() is declared, but not exported before libbpf 1.5, so the BTF must be in a file. */
static struct btf *new_split(const struct bytes *b, struct btf *base)
{
	_cleanup_close_ int fd = memfd_create("btf", MFD_CLOEXEC);
	char path[64];

	if (fd < 0 || write(fd, b->data, b->size) != (ssize_t)b->size)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return btf__parse_raw_split(path, base);
}

static enum debuginfo_answer parse(struct debuginfo *d, const struct bytes *b, const char *path,
				   struct btf *base, const char **reason)
{
	libbpf_set_print(NULL);
	if (b->size <= INT32_MAX)
		d->btf = base ? new_split(b, base) : btf__new(b->data, (uint32_t)b->size);
	if (libbpf_get_error(d->btf))
		d->btf = NULL;
	if (d->btf)
		return DEBUGINFO_FOUND;
	*reason = arena_printf(d->arena, "the BTF in %s is damaged", path);
	return DEBUGINFO_BROKEN;
}

/* A file of /sys/kernel/btf: sysfs does not support mmap of it before 6.16. */
static enum debuginfo_answer parse_file(struct debuginfo *d, const char *path, struct btf *base,
					const char **reason)
{
	struct arena *a = arena_open();
	enum debuginfo_answer found = DEBUGINFO_ABSENT;
	size_t size;
	const char *data = file_read(a, path, &size);

	if (data)
		found = parse(d, &(struct bytes){ (const uint8_t *)data, size, 0 }, path, base, reason);
	else
		*reason = arena_printf(d->arena, "%s: %s", path, strerror(errno));
	arena_close(a);
	return found;
}

static enum debuginfo_answer no_btf(struct debuginfo *d, const char *path, const char **reason)
{
	*reason = arena_printf(d->arena, "%s has no BTF", path);
	return DEBUGINFO_ABSENT;
}

static enum debuginfo_answer parse_image(struct debuginfo *d, const char *path, const char **reason)
{
	struct image image;
	struct bytes btf;
	enum debuginfo_answer found = image_open(d->arena, path, &image, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	btf = image_btf(&image);
	btf_keep(d, btf);
	found = btf.size ? parse(d, &btf, path, NULL, reason) : no_btf(d, path, reason);
	image_close(&image);
	return found;
}

/* The BTF of an image that was unpacked in an earlier run. */
static enum debuginfo_answer parse_kept(struct debuginfo *d, const char *path)
{
	struct kept_file kept;
	const char *reason;
	enum debuginfo_answer found;

	if (!path || !kept_open(&kept, path))
		return DEBUGINFO_ABSENT;
	found = parse(d, &kept.content, path, NULL, &reason);
	kept_close(&kept);
	return found;
}

static enum debuginfo_answer open_kernel(struct debuginfo *d, const char **reason)
{
	struct arena *a = d->arena;
	/* the one that must be unpacked comes last */
	const char *images[] = { debug_image_path(d), headers_image_path(d), kernel_image_path(d) };
	enum debuginfo_answer found;

	if (d->request.is_running_kernel) {
		found = parse_file(d, arena_printf(a, "%s/sys/kernel/btf/vmlinux", d->request.sysroot),
				   NULL, reason);
		if (found != DEBUGINFO_ABSENT)
			return found;
	}
	if (parse_kept(d, btf_kept_path(d)) == DEBUGINFO_FOUND)
		return DEBUGINFO_FOUND;
	*reason = arena_printf(a, "there is no image of kernel %s to take BTF from", d->request.release);
	found = DEBUGINFO_ABSENT;
	for (size_t i = 0; i < ARRAY_SIZE(images) && found != DEBUGINFO_FOUND; i++) {
		if (!images[i])
			continue;
		debuginfo_progress(d, arena_printf(a, "reading the types of %s", images[i]));
		found = parse_image(d, images[i], reason);
	}
	return found;
}

/* Read the module's BTF first: if it has none, the kernel's need not be read. */
static enum debuginfo_answer parse_module(struct debuginfo *d, const char **reason)
{
	struct image image;
	struct bytes btf;
	enum debuginfo_answer found = image_open(d->arena, d->path, &image, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	btf = image_btf(&image);
	if (!btf.size)
		found = no_btf(d, d->path, reason);
	else if ((found = btf_open(d->kernel, reason)) == DEBUGINFO_FOUND)
		found = parse(d, &btf, d->path, d->kernel->btf, reason);
	image_close(&image);
	return found;
}

static enum debuginfo_answer open_module(struct debuginfo *d, const char **reason)
{
	const char *loaded = arena_printf(d->arena, "%s/sys/kernel/btf/%s", d->request.sysroot, d->module);
	enum debuginfo_answer found;

	if (d->request.is_running_kernel && file_exists(loaded)) {
		found = btf_open(d->kernel, reason);
		return found == DEBUGINFO_FOUND ? parse_file(d, loaded, d->kernel->btf, reason) : found;
	}
	if (d->path)
		return parse_module(d, reason);
	*reason = arena_printf(d->arena, "%s does not exist", loaded);
	return DEBUGINFO_ABSENT;
}

enum debuginfo_answer btf_open(struct debuginfo *d, const char **reason)
{
	if (!d->btf_opened) {
		d->btf_opened = true;
		d->btf_reason = "";
		d->btf_answer = d->module ? open_module(d, &d->btf_reason) :
					    open_kernel(d, &d->btf_reason);
	}
	*reason = d->btf_reason;
	return d->btf_answer;
}

void btf_close(struct debuginfo *d)
{
	btf__free(d->btf);
	d->btf = NULL;
}
