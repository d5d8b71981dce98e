/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths of a kernel's files, and of the data that is read from them and kept between runs. */
#include "files.h"
#include "debuginfo/handle.h"
#include "debuginfo/kept.h"
#include "debuginfo/symbols/image.h"

#include <sys/stat.h>

#include "base/text.h"
#include "base/util.h"

const char *first_file_of_release(struct debuginfo *d, const char *const *formats, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct text path;

		text_init(&path, d->arena);
		text_add(&path, d->request.sysroot);
		for (const char *p = formats[i]; *p; p++)
			if (*p == '@')
				text_add(&path, d->request.release);
			else
				text_char(&path, *p);
		if (debuginfo_uses(d, path.s))
			return path.s;
	}
	return NULL;
}

const char *debug_image_path(struct debuginfo *d)
{
	static const char *const formats[] = {
		"/usr/lib/debug/boot/vmlinux-@",
		"/usr/lib/debug/lib/modules/@/vmlinux",
		"/usr/lib/debug/usr/lib/modules/@/vmlinux",
		"/boot/vmlinux-@",
	};

	return first_file_of_release(d, formats, ARRAY_SIZE(formats));
}

const char *kernel_image_path(struct debuginfo *d)
{
	static const char *const formats[] = {
		"/boot/vmlinuz-@",
		"/usr/lib/modules/@/vmlinuz",
		"/lib/modules/@/vmlinuz",
		"/boot/vmlinuz-@.unsigned",
		"/usr/lib/modules/@/vmlinuz.unsigned",
		"/boot/Image-@",
	};

	return first_file_of_release(d, formats, ARRAY_SIZE(formats));
}

const char *headers_image_path(struct debuginfo *d)
{
	static const char *const formats[] = {
		"/lib/modules/@/build/vmlinux",
		"/usr/src/linux-headers-@/vmlinux",
		"/usr/src/kernels/@/vmlinux",
	};

	return first_file_of_release(d, formats, ARRAY_SIZE(formats));
}

/* ---- kept data ---- */

size_t running_kernel_build_id(struct debuginfo *d, const uint8_t **id)
{
	size_t size;
	const char *notes =
		file_read(d->arena, arena_printf(d->arena, "%s/sys/kernel/notes", d->request.sysroot), &size);

	return notes ? notes_build_id(&(struct bytes){ (const uint8_t *)notes, size, 0 }, id) : 0;
}

/* A file is identified by its path and modification time: reading its build-id would require unpacking it. */
static const char *file_key(struct debuginfo *d, const char *path)
{
	struct stat st;
	uint64_t h = hash_string(HASH_START, path);

	if (stat(path, &st) < 0)
		return NULL;
	h = hash_bytes(h, &st.st_size, sizeof(st.st_size));
	h = hash_bytes(h, &st.st_mtim, sizeof(st.st_mtim));
	h = hash_bytes(h, &st.st_ino, sizeof(st.st_ino));
	return arena_printf(d->arena, "%016llx", (unsigned long long)h);
}

static const char *build_id_key(struct debuginfo *d)
{
	const uint8_t *id = NULL;
	size_t n = running_kernel_build_id(d, &id);
	struct text key;

	if (!n)
		return NULL;
	text_init(&key, d->arena);
	for (size_t i = 0; i < n; i++)
		text_printf(&key, "%02x", id[i]);
	return key.s;
}

static const char *image_key(struct debuginfo *d)
{
	const char *path = debug_image_path(d);

	if (!path)
		path = kernel_image_path(d);
	return path ? file_key(d, path) : NULL;
}

const char *debuginfo_kept_path(struct debuginfo *d, const char *what)
{
	const char *key;

	if (!d->request.cache || (d->module && !d->path))
		return NULL;
	if (d->path)
		key = file_key(d, d->path);
	else
		key = d->request.is_running_kernel ? build_id_key(d) : image_key(d);
	return key ? arena_printf(d->arena, "%s/%s-%s-%s", d->request.cache, what,
				  d->module ? d->module : d->request.release, key) : NULL;
}

const char *btf_kept_path(struct debuginfo *d)
{
	return d->module || d->request.is_running_kernel ? NULL : debuginfo_kept_path(d, "btf");
}

void btf_keep(struct debuginfo *d, struct bytes btf)
{
	const char *path = btf.size ? btf_kept_path(d) : NULL;

	if (path && dir_make(d->request.cache, 0700))
		kept_save(path, btf.data, btf.size);
}
