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

enum { DEEPEST = 32 };			/* of nested types: C needs no more, but damaged BTF has cycles */

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

/* ---- types as C text ---- */

static const char *name_at(const struct btf *btf, uint32_t offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

static void add_base(const struct btf *btf, const struct btf_type *t, struct text *out)
{
	const char *kind = "", *name = t ? name_at(btf, t->name_off) : "void";

	switch (t ? btf_kind(t) : BTF_KIND_UNKN) {
	case BTF_KIND_STRUCT:
		kind = "struct ";
		break;
	case BTF_KIND_UNION:
		kind = "union ";
		break;
	case BTF_KIND_FWD:
		kind = btf_kflag(t) ? "union " : "struct ";
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		kind = "enum ";
		break;
	default:
		break;
	}
	text_add(out, kind);
	text_add(out, *name ? name : "{...}");
}

static void add_type(const struct btf *btf, uint32_t id, const char *inner, int depth,
		     struct text *out);

static void add_arguments(const struct btf *btf, const struct btf_type *t, int depth, struct text *out)
{
	const struct btf_param *p = btf_params(t);

	text_char(out, '(');
	if (!btf_vlen(t))
		text_add(out, "void");
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		if (i)
			text_add(out, ", ");
		if (p[i].type)
			add_type(btf, p[i].type, "", depth + 1, out);
		else
			text_add(out, "...");
	}
	text_char(out, ')');
}

/* INNER with "*" before it, in parentheses if the target is an array or function. */
static const char *point_to(struct arena *a, const struct btf *btf, uint32_t target, const char *inner)
{
	const struct btf_type *t = btf__type_by_id(btf, target);
	bool wants = t && (btf_is_array(t) || btf_is_func_proto(t));

	return arena_printf(a, wants ? "(*%s)" : "*%s", inner);
}

static const char *qualify(struct arena *a, const char *word, const char *inner)
{
	return arena_printf(a, "%s%s%s", word, *inner && *inner != '*' && *inner != '[' ? " " : "", inner);
}

/* The declaration of INNER as type ID, built outwards from the name, as in C. */
static void add_type(const struct btf *btf, uint32_t id, const char *inner, int depth,
		     struct text *out)
{
	const struct btf_type *t = id ? btf__type_by_id(btf, id) : NULL;
	struct arena *a = out->arena;

	if (depth > DEEPEST || (id && !t)) {
		text_add(out, "?");
		return;
	}
	switch (t ? btf_kind(t) : BTF_KIND_UNKN) {
	case BTF_KIND_PTR:
		add_type(btf, t->type, point_to(a, btf, t->type, inner), depth + 1, out);
		return;
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE: {
		const char *word = btf_kind(t) == BTF_KIND_CONST ? "const" : "volatile";
		const struct btf_type *target = btf__type_by_id(btf, t->type);

		if (target && btf_is_ptr(target)) {
			add_type(btf, t->type, qualify(a, word, inner), depth + 1, out);
			return;
		}
		text_printf(out, "%s ", word);
		add_type(btf, t->type, inner, depth + 1, out);
		return;
	}
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		add_type(btf, t->type, inner, depth + 1, out);
		return;
	case BTF_KIND_ARRAY:
		inner = arena_printf(a, "%s[%u]", inner, btf_array(t)->nelems);
		add_type(btf, btf_array(t)->type, inner, depth + 1, out);
		return;
	case BTF_KIND_FUNC_PROTO: {
		struct text declarator;

		text_init(&declarator, a);
		text_add(&declarator, inner);
		add_arguments(btf, t, depth, &declarator);
		add_type(btf, t->type, declarator.s, depth + 1, out);
		return;
	}
	default:
		add_base(btf, t, out);
		if (*inner)
			text_printf(out, " %s", inner);
		return;
	}
}

/* The C text of each type by id: functions share types. */
struct type_texts {
	struct arena *arena;
	const struct btf *btf;
	const char **texts;
	uint32_t n;
};

static const char *type_text(struct type_texts *types, uint32_t id)
{
	struct text t;

	if (id >= types->n)
		return "?";
	if (!types->texts[id]) {
		text_init(&t, types->arena);
		add_type(types->btf, id, "", 0, &t);
		types->texts[id] = t.s;
	}
	return types->texts[id];
}

/* ---- prototypes ---- */

static void add_prototype(struct type_texts *types, const struct btf_type *function,
			  struct prototypes *found)
{
	const struct btf_type *t = btf__type_by_id(types->btf, function->type);
	const struct btf_param *p;
	struct prototype *proto;

	if (!t || !btf_is_func_proto(t))
		return;
	proto = vec_add(types->arena, &found->list);
	p = btf_params(t);
	*proto = (struct prototype){
		.name = name_at(types->btf, function->name_off),
		.returns = type_text(types, t->type),
	};
	for (unsigned i = 0; i < btf_vlen(t); i++)
		if (p[i].type)
			*vec_add(types->arena, &proto->parameters) = (struct parameter){
				name_at(types->btf, p[i].name_off), type_text(types, p[i].type) };
		else
			proto->is_variadic = true;
}

static int compare_prototypes(const void *a, const void *b)
{
	return strcmp(((const struct prototype *)a)->name, ((const struct prototype *)b)->name);
}

static void drop_doubles(struct prototypes *found, size_t before)
{
	size_t to = before;

	for (size_t i = before; i < found->list.n; i++)
		if (to == before || !str_equal(found->list.items[to - 1].name, found->list.items[i].name))
			found->list.items[to++] = found->list.items[i];
	found->list.n = to;
}

enum debuginfo_answer btf_prototypes(struct debuginfo *d, const char *pattern,
				     struct prototypes *found, const char **reason)
{
	enum debuginfo_answer opened = btf_open(d, reason);
	bool glob = is_glob(pattern);
	size_t before = found->list.n;
	struct type_texts types = { .arena = d->arena };

	if (opened != DEBUGINFO_FOUND)
		return opened;
	types.btf = d->btf;
	types.n = btf__type_cnt(d->btf);
	types.texts = xcalloc(types.n, sizeof(*types.texts));
	for (uint32_t id = d->module ? btf__type_cnt(d->kernel->btf) : 1; id < types.n; id++) {
		const struct btf_type *t = btf__type_by_id(d->btf, id);
		const char *name;

		if (!t || !btf_is_func(t))
			continue;
		name = name_at(d->btf, t->name_off);
		if (glob ? glob_match(pattern, name) : str_equal(pattern, name))
			add_prototype(&types, t, found);
	}
	free(types.texts);
	if (found->list.n > before) {
		qsort(found->list.items + before, found->list.n - before, sizeof(*found->list.items),
		      compare_prototypes);
		drop_doubles(found, before);
		return DEBUGINFO_FOUND;
	}
	*reason = arena_printf(d->arena, "BTF has no function '%s'%s", pattern, glob ? "" :
			       ": it leaves out those with several prototypes and those whose parameters "
			       "the compiler changed");
	return DEBUGINFO_ABSENT;
}
