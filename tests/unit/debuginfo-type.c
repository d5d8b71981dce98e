/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each kernel available for tests (TAPC_KERNELS): its types from BTF, members and enumerators as in the
 * kernel's sources, and what is available at a function's entry and return. */
#include "debuginfo-image.h"

#include <time.h>

#include "debuginfo/place.h"
#include "debuginfo/type_name.h"

static const char *release;

static double milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static const struct debug_type *type_of(struct debuginfo *d, const char *text)
{
	const struct debug_type *t = NULL;
	enum debuginfo_answer found = debuginfo_type(d, text, &t);

	check(found == DEBUGINFO_FOUND, "%s: type '%s': %s", release, text, debuginfo_reason(d));
	return found == DEBUGINFO_FOUND ? t : NULL;
}

/* TEXT is parsed as a type whose text form is WRITTEN. */
static void check_text(struct debuginfo *d, const char *text, const char *written, uint64_t size)
{
	const struct debug_type *t = type_of(d, text);
	const char *out = t ? debug_type_text(arena, t) : "";

	check(str_equal(out, written), "%s: '%s' is written '%s'", release, text, out);
	check(t && t->size == size, "%s: size of '%s' is %llu", release, text,
	      t ? (unsigned long long)t->size : 0);
}

static void check_texts(struct debuginfo *d)
{
	static const struct {
		const char *text, *written;
		uint64_t size;
	} rows[] = {
		{ "int", "int", 4 }, { "unsigned", "unsigned int", 4 },
		{ "unsigned long", "long unsigned int", 8 }, { "long unsigned int", "long unsigned int", 8 },
		{ "short", "short int", 2 }, { "signed char", "signed char", 1 }, { "char", "char", 1 },
		{ "long long unsigned", "long long unsigned int", 8 }, { "_Bool", "_Bool", 1 },
		{ "bool", "bool", 1 }, { "pid_t", "pid_t", 4 }, { "size_t", "size_t", 8 },
		{ "u64", "u64", 8 }, { "void", "void", 0 }, { "void *", "void *", 8 },
		{ "struct list_head", "struct list_head", 16 },
		{ "struct list_head*", "struct list_head *", 8 },
		{ " struct  list_head * * ", "struct list_head **", 8 },
		{ "const struct file *const *", "const struct file *const *", 8 },
		{ "struct list_head const *", "const struct list_head *", 8 },
		{ "char [16]", "char [16]", 16 }, { "struct list_head [2][3]", "struct list_head [2][3]", 96 },
		{ "enum pid_type", "enum pid_type", 4 }, { "union ktime", NULL, 0 },
		{ "char __user *", "char *", 8 }, { "volatile int *", "volatile int *", 8 },
	};
	static const char *const wrong[] = {
		"", "*", "struct", "struct no_such_thing", "no_such_t", "int int_t", "struct file x y", "int [",
		"int [3", "int ]", "int (*)(void)", "int * foo", "union list_head", "enum list_head",
		"struct file )", "int [99999999999999999999]",
	};
	const struct debug_type *t;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].written)
			check_text(d, rows[i].text, rows[i].written, rows[i].size);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		check(debuginfo_type(d, wrong[i], &t) == DEBUGINFO_ABSENT && *debuginfo_reason(d),
		      "%s: '%s' is no type", release, wrong[i]);
}

/* Returns the type of a path such as "f_path.dentry->d_name.name". */
static const struct debug_type *walk(const struct debug_type *t, const char *path)
{
	struct debug_member m;
	char name[64];
	size_t n;

	for (; t && *path; path += n) {
		path += strspn(path, ".->");
		n = strcspn(path, ".-");
		snprintf(name, sizeof(name), "%.*s", (int)n, path);
		t = debug_type_real(t);
		if (t->kind == DEBUG_POINTER)
			t = debug_type_target(t);
		if (!debug_type_member(t, name, &m)) {
			check(false, "%s: %s has no member %s", release, debug_type_text(arena, t), name);
			return NULL;
		}
		t = m.type;
	}
	return t;
}

static void check_path(struct debuginfo *d, const char *from, const char *path, const char *to)
{
	const struct debug_type *t = type_of(d, from);
	const char *text;

	t = t ? walk(t, path) : NULL;
	text = t ? debug_type_text(arena, t) : "nothing";
	check(str_equal(text, to), "%s: %s: %s is %s", release, from, path, text);
}

/* No two members of a struct overlap, and none extends beyond its end. */
static void check_layout(struct debuginfo *d, const char *name)
{
	const struct debug_type *t = type_of(d, name);
	uint64_t end = 0;
	struct debug_member m;

	for (size_t i = 0; t && debug_type_member_at(t, i, &m); i++) {
		uint64_t from = 8 * m.offset + m.bit_offset, bits = m.bit_size ? m.bit_size : 8 * m.type->size;

		check(from >= end, "%s: %s.%s at %llu overlaps the one before", release, name, m.name,
		      (unsigned long long)m.offset);
		end = from + bits;
		check(end <= 8 * t->size, "%s: %s.%s goes beyond the end", release, name, m.name);
		check(!m.bit_size || m.bit_offset + m.bit_size <= 8 * m.type->size, "%s: bits of %s.%s",
		      release, name, m.name);
	}
	check(end > 0, "%s: %s has members", release, name);
}

static void check_structs(struct debuginfo *d)
{
	const struct debug_type *t = type_of(d, "struct sk_buff");
	struct debug_member a, b, c;
	const char *near;

	check_path(d, "struct task_struct", "comm", "char [16]");
	check_path(d, "struct task_struct *", "parent->pid", "pid_t");
	check_path(d, "struct file *", "f_path.dentry->d_name.name", "const unsigned char *");
	check_path(d, "struct file", "f_path.dentry->d_inode->i_ino", "long unsigned int");
	check_path(d, "struct inode", "i_sb->s_dev", "dev_t");
	check_path(d, "struct qstr", "len", "u32");		/* anonymous in anonymous */
	check_path(d, "struct file_operations", "read",
		   "ssize_t (*)(struct file *, char *, size_t, loff_t *)");
	check_layout(d, "struct task_struct");
	check_layout(d, "struct tcp_sock");
	check_layout(d, "struct tcphdr");
	if (!t)
		return;
	check(debug_type_member(t, "pkt_type", &a) && a.bit_size == 3, "%s: sk_buff.pkt_type", release);
	check(debug_type_member(t, "ignore_df", &b) && b.bit_size == 1, "%s: sk_buff.ignore_df", release);
	check(debug_type_member(t, "cloned", &c) && c.bit_size == 1 && c.bit_offset == 0, "%s: cloned", release);
	check(b.offset == a.offset && b.bit_offset == a.bit_offset + 3, "%s: they are neighbours", release);
	near = debug_type_suggest(t, "protocoll");
	check(near && str_equal(near, "protocol"), "%s: protocol is near", release);
	t = type_of(d, "struct tcphdr");
	check(t && debug_type_member(t, "ack", &a) && a.bit_size == 1 && 8 * a.offset + a.bit_offset == 108,
	      "%s: tcphdr.ack", release);
}

static void check_enums(struct debuginfo *d)
{
	static const struct {
		const char *name;
		int64_t value;
	} rows[] = {
		{ "PIDTYPE_TGID", 1 }, { "TCP_LISTEN", 10 }, { "NETREG_UNREGISTERED", 3 }, { "HRTIMER_NORESTART", 0 },
		{ "TASKSTATS_CMD_ATTR_UNSPEC", 0 },
	};
	const struct debug_type *t = type_of(d, "enum pid_type");
	const char *name;
	int64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(debuginfo_enumerator(d, rows[i].name, &value) == DEBUGINFO_FOUND && value == rows[i].value,
		      "%s: %s is %lld", release, rows[i].name, (long long)value);
	check(debuginfo_enumerator(d, "PIDTYPE_NONE_SUCH", &value) == DEBUGINFO_ABSENT, "no such");
	check(t && debug_type_enumerator_at(t, 2, &name, &value) && value == 2 &&
	      str_equal(name, "PIDTYPE_PGID"), "%s: PIDTYPE_PGID", release);
	check(t && !debug_type_enumerator_at(t, 99, &name, &value), "%s: not so many", release);
}

/* ---- places ---- */

static bool is_value(const struct location *l, enum location_op op, int64_t value)
{
	return l->kind == LOCATION_IS_VALUE && l->steps.n && l->steps.items[0].op == op &&
	       l->steps.items[0].value == value;
}

static bool place_of(struct debuginfo *d, const char *function, unsigned kind, struct debug_place *p)
{
	debug_places places = { 0 };
	enum debuginfo_answer found = debuginfo_function_places(d, function, NULL, kind, &places);

	check(found == DEBUGINFO_FOUND && places.n == 1, "%s: one %s: %zu, %s", release, function, places.n,
	      debuginfo_reason(d));
	if (places.n)
		*p = places.items[0];
	return places.n > 0;
}

static void check_argument(const struct debug_place *p, const char *name, int64_t n, const char *type)
{
	struct debug_variable v;
	enum debuginfo_answer found = debuginfo_variable(p, name, &v);

	check(found == DEBUGINFO_FOUND, "%s: %s of %s: %s", release, name, p->function,
	      debuginfo_reason(p->image));
	if (found != DEBUGINFO_FOUND)
		return;
	check(is_value(&v.location, LOCATION_ARGUMENT, n), "%s: %s of %s is argument %d", release, name,
	      p->function, (int)n);
	check(str_equal(debug_type_text(arena, v.type), type), "%s: %s is %s", release, name,
	      debug_type_text(arena, v.type));
	check(str_equal(v.source, "BTF") && v.is_parameter, "%s: %s is from BTF", release, name);
}

/* Arguments from the seventh on are on the stack. */
static void check_stack_argument(struct debuginfo *d)
{
	struct debug_place p;
	struct debug_variable v;

	if (!place_of(d, "ip_append_data", PLACE_CALL, &p))
		return;
	check_argument(&p, "transhdrlen", 5, "int");
	check(debuginfo_variable(&p, "rtp", &v) == DEBUGINFO_FOUND &&
	      v.location.kind == LOCATION_IN_MEMORY && v.location.steps.n == 3 &&
	      v.location.steps.items[0].op == LOCATION_REGISTER && v.location.steps.items[0].value == 7 &&
	      v.location.steps.items[1].value == 16, "%s: rtp of ip_append_data", release);
}

static void check_places(struct debuginfo *d)
{
	struct debug_place p, q;
	struct debug_variable v;
	debug_variables all = { 0 };
	debug_places places = { 0 };

	if (!place_of(d, "vfs_read", PLACE_CALL, &p))
		return;
	check(p.at_entry && !p.at_return && p.offset == p.entry, "%s: entry of vfs_read", release);
	check_argument(&p, "file", 0, "struct file *");
	check_argument(&p, "buf", 1, "char *");
	check_argument(&p, "count", 2, "size_t");
	check_argument(&p, "pos", 3, "loff_t *");
	check(debuginfo_variable(&p, "ret", &v) == DEBUGINFO_ABSENT && strstr(debuginfo_reason(d), "BTF"),
	      "%s: no locals", release);
	check(debuginfo_variables(&p, VARIABLES_PARAMETERS, &all) == DEBUGINFO_FOUND && all.n == 4,
	      "%s: four parameters", release);
	check(debuginfo_place_at(d, p.section, p.offset + 11, &q) == DEBUGINFO_FOUND && !q.at_entry &&
	      str_equal(q.function, "vfs_read"), "%s: in vfs_read", release);
	check(debuginfo_variable(&q, "count", &v) == DEBUGINFO_FOUND &&
	      v.location.kind == LOCATION_NOWHERE && strstr(v.location.reason, "entry"),
	      "%s: not in the middle", release);
	if (place_of(d, "vfs_read", PLACE_RETURN, &p))
		check(p.at_return && debuginfo_return(&p, &v) == DEBUGINFO_FOUND &&
		      is_value(&v.location, LOCATION_RESULT, 0) &&
		      str_equal(debug_type_text(arena, v.type), "ssize_t"), "%s: result", release);
	/* bool, which must be extended */
	if (place_of(d, "capable", PLACE_RETURN, &p))
		check(debuginfo_return(&p, &v) == DEBUGINFO_FOUND && v.location.steps.n == 2 &&
		      v.location.steps.items[1].op == LOCATION_ZERO && v.location.steps.items[1].size == 1,
		      "%s: bool", release);
	if (place_of(d, "vfs_fallocate", PLACE_CALL, &p))
		check_argument(&p, "len", 3, "loff_t");
	check_stack_argument(d);
	check(debuginfo_function_places(d, "vfs_*", NULL, PLACE_CALL | PLACE_RETURN, &places) ==
	      DEBUGINFO_FOUND && places.n > 100 && places.n % 2 == 0, "%s: vfs_*", release);
	for (size_t i = 1; i < places.n; i++)
		check(places.items[i - 1].offset <= places.items[i].offset, "sorted");
	check(debuginfo_function_places(d, "no_such_fn", NULL, PLACE_CALL, &places) == DEBUGINFO_ABSENT &&
	      strstr(debuginfo_reason(d), "no_such_fn"), "%s: no such function", release);
}

static void check_globals(struct debuginfo *d)
{
	struct debug_variable v;
	enum debuginfo_answer found = debuginfo_global(d, "runqueues", NULL, &v);

	/* Debian's 5.10 has no variables in its BTF. */
	check(str_starts(release, "5.10") ? found == DEBUGINFO_ABSENT :
	      found == DEBUGINFO_FOUND && str_equal(debug_type_text(arena, v.type), "struct rq") &&
	      v.location.kind == LOCATION_IN_MEMORY && v.location.steps.n == 2 &&
	      v.location.steps.items[1].op == LOCATION_PERCPU, "%s: runqueues: %s", release,
	      debuginfo_reason(d));
	found = debuginfo_global(d, "jiffies_64", NULL, &v);
	check(found == DEBUGINFO_ABSENT && v.name && v.location.kind == LOCATION_IN_MEMORY &&
	      v.location.steps.items[0].op == LOCATION_ADDRESS, "%s: jiffies_64: %s", release,
	      debuginfo_reason(d));
	check(debuginfo_global(d, "no_such_variable", NULL, &v) == DEBUGINFO_ABSENT && !v.name,
	      "%s: no such variable", release);
}

/* In 5.10 loop has no BTF: the kernel's types are still available. */
static void check_module(struct debuginfo *kernel)
{
	struct debuginfo *d = debuginfo_module(kernel, "loop");
	const struct debug_type *t;
	struct debug_place p;
	bool has_btf;

	if (!d)
		return;
	check_path(d, "struct task_struct", "comm", "char [16]");
	has_btf = debuginfo_type(d, "struct loop_device", &t) == DEBUGINFO_FOUND;
	check(has_btf == !str_starts(release, "5.10"), "%s: BTF of loop: %s", release, debuginfo_reason(d));
	if (!has_btf)
		return;
	check_path(d, "struct loop_device", "lo_backing_file->f_path.dentry->d_name.name",
		   "const unsigned char *");
	check_layout(d, "struct loop_device");
	if (place_of(d, "lo_ioctl", PLACE_CALL, &p)) {
		check(p.section && str_equal(p.section, ".text"), "section of lo_ioctl");
		check_argument(&p, "cmd", 2, "unsigned int");
	}
	check(debuginfo_type(kernel, "struct loop_device", &t) == DEBUGINFO_ABSENT, "not of the kernel");
}

static void check_kernel(const char *prefix)
{
	struct debuginfo_request r = { .release = release, .sysroot = prefix,
				       .cache = arena_printf(arena, "%s/cache", scratch) };
	struct debuginfo *d = debuginfo_kernel(arena, &r);
	const struct debug_type *t;
	int64_t value;
	double start;

	if (debuginfo_type(d, "struct file", &t) != DEBUGINFO_FOUND)
		check(false, "%s: %s", release, debuginfo_reason(d));
	check_texts(d);
	check_structs(d);
	check_enums(d);
	check_places(d);
	check_globals(d);
	check_module(d);
	debuginfo_close(d);
	/* With the image's BTF from the cache. */
	d = debuginfo_kernel(arena, &r);
	start = milliseconds();
	debuginfo_type(d, "struct task_struct", &t);
	printf("%s: first type %.1f ms", release, milliseconds() - start);
	start = milliseconds();
	debuginfo_enumerator(d, "NO_SUCH_ENUMERATOR", &value);
	printf(", an enumerator %.1f ms", milliseconds() - start);
	start = milliseconds();
	for (int i = 0; i < 1000; i++)
		debuginfo_type(d, "struct tcp_sock", &t);
	printf(", 1000 types %.1f ms\n", milliseconds() - start);
	debuginfo_close(d);
}

int main(void)
{
	static const char *const kernels[] = { "5.10", "6.1", "6.12" };
	const char *dir;
	bool any = false;

	scratch_open();
	dir = kernels_dir();
	for (size_t i = 0; dir && i < ARRAY_SIZE(kernels); i++) {
		char *prefix = realpath(arena_printf(arena, "%s/%s", dir, kernels[i]), NULL);

		if (!prefix)
			continue;
		any = true;
		release = arena_strdup(arena, path_base(prefix));
		check_kernel(prefix);
		free(prefix);
	}
	scratch_close();
	if (any)
		return report();
	puts("no kernels are here: tests/vm --fetch gets them");
	return 77;
}
