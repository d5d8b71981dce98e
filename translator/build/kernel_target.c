/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel that a script is built for.
 *
 * Headers are looked up by release, in the sysroot. The compiler should be the one that built the
 * kernel, because structure layouts and mitigations depend on its features. The headers name it:
 * Debian's .kernelvariables sets CC (an exact version, gcc-10), others leave CONFIG_CC_VERSION_TEXT,
 * whose first word is the program. If that compiler is not installed, the nearest version is used: the
 * kernel does not check the compiler's version at load, and the LTS kernels build with later compilers. */
#include "kernel_target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/gap.h"
#include "source/options.h"
#include "source/target_host.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/util.h"

struct arch_row {
	const char *kernel;		/* as in the kernel's arch/ */
	const char *machine;		/* as in uname -m and SystemTap's -a */
	const char *config;		/* option that is set in its kernels */
	const char *cross;		/* prefix of Debian's cross tools */
};

static const struct arch_row arches[] = {
	{ "x86", "x86_64", "X86", "x86_64-linux-gnu-" },
	{ "arm64", "aarch64", "ARM64", "aarch64-linux-gnu-" },
	{ "arm", "armv7l", "ARM", "arm-linux-gnueabihf-" },
	{ "powerpc", "ppc64le", "PPC", "powerpc64le-linux-gnu-" },
	{ "s390", "s390x", "S390", "s390x-linux-gnu-" },
	{ "riscv", "riscv64", "RISCV", "riscv64-linux-gnu-" },
	{ "loongarch", "loongarch64", "LOONGARCH", "loongarch64-linux-gnu-" },
};

bool build_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vprint(fmt, ap);
	va_end(ap);
	return false;
}

bool build_ran_out_of_space(const char *output, const char *dir)
{
	struct statvfs v;

	if (strstr(output, "No space left on device"))
		return true;
	/* fixdep and other tools print no reason */
	return statvfs(dir, &v) == 0 && v.f_bavail * v.f_frsize < 64 * 1024;
}

/* --- headers ------------------------------------------------------------------------------- */

/* PATH in the sysroot, with links at its last component followed: an absolute link is relative to
 * the sysroot first. */
static const char *follow(struct arena *a, const char *sysroot, const char *path)
{
	for (int links = 0; links < 16; links++) {
		char to[PATH_MAX];
		ssize_t n = readlink(path, to, sizeof(to) - 1);
		const char *inside;

		if (n < 0)
			return path;
		to[n] = '\0';
		if (to[0] != '/') {
			path = arena_printf(a, "%.*s/%s", (int)(strrchr(path, '/') - path), path, to);
			continue;
		}
		inside = arena_printf(a, "%s%s", sysroot, to);
		path = access(inside, F_OK) == 0 ? inside : arena_strdup(a, to);
	}
	return path;
}

static const char *find_headers(struct kernel_target *k, struct arena *a)
{
	const char *places[] = {
		arena_printf(a, "%s/lib/modules/%s/build", k->sysroot, k->release),
		arena_printf(a, "%s/usr/lib/modules/%s/build", k->sysroot, k->release),
		arena_printf(a, "%s/usr/src/linux-headers-%s", k->sysroot, k->release),
		arena_printf(a, "%s/usr/src/kernels/%s", k->sysroot, k->release),
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const char *path = follow(a, k->sysroot, places[i]);

		if (file_exists(arena_printf(a, "%s/Makefile", path)))
			return path;
	}
	return NULL;
}

static bool is_of_kernel_without_modules(const struct kernel_target *k)
{
	struct utsname running;

	return uname(&running) == 0 && str_equal(running.release, k->release) && access("/proc/modules", F_OK) < 0;
}

/* Headers are of no use to a kernel that cannot load modules. */
static bool no_headers(struct kernel_target *k)
{
	const char *text = "no headers for kernel %s: neither %s/lib/modules/%s/build nor %s/usr/src/linux-headers-%s "
			   "exists%s";
	bool of_no_use = is_of_kernel_without_modules(k);

	k->gap->root = k->sysroot;
	k->gap->otherwise = of_no_use ? NULL : "name another kernel or its build tree with -r";
	return gap_found(k->gap, of_no_use ? ADVICE_VM : ADVICE_HEADERS, k->release, text, k->release, k->sysroot,
			 k->release, k->sysroot, k->release, of_no_use ? ", and it cannot load modules" : "");
}

static const char *trim(struct arena *a, const char *s)
{
	size_t n;

	while (isspace((unsigned char)*s))
		s++;
	for (n = strlen(s); n && isspace((unsigned char)s[n - 1]);)
		n--;
	return arena_strndup(a, s, n);
}

static bool check_complete(struct kernel_target *k, struct arena *a)
{
	static const char *const needed[] = {
		"include/generated/autoconf.h", "include/config/auto.conf", "scripts/mod/modpost",
	};

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		if (access(arena_printf(a, "%s/%s", k->build, needed[i]), R_OK) == 0)
			continue;
		k->gap->otherwise = "run 'make modules_prepare' there";
		return gap_found(k->gap, ADVICE_HEADERS_AGAIN, k->release,
				 "the headers of kernel %s in %s are incomplete: no %s", k->release, k->build, needed[i]);
	}
	return true;
}

static void make_arg(struct kernel_target *k, struct arena *a, const char *arg)
{
	*vec_add(a, &k->make_args) = arg;
}

/* Debian's header directory has a Makefile of one or two lines:
 *	KBUILD_OUTPUT=/usr/src/linux-headers-KREL		from 6.13 on
 *	include /usr/src/linux-headers-VERSION-common/Makefile
 * In a sysroot these paths are wrong, but kbuild uses the directory of the last Makefile that was read. */
static void find_makefile(struct kernel_target *k, struct arena *a)
{
	const char *text = file_read(a, arena_printf(a, "%s/Makefile", k->build), NULL);
	const char *line = text ? strstr(text, "include /") : NULL;
	const char *path, *inside;

	if (!k->sysroot[0] || !line || (line > text && line[-1] != '\n'))
		return;
	path = arena_strndup(a, line + 8, strcspn(line + 8, " \t\n"));
	inside = arena_printf(a, "%s%s", k->sysroot, path);
	if (str_starts(path, k->sysroot) || !file_exists(inside))
		return;
	k->makefile = inside;
	if (strstr(text, "KBUILD_OUTPUT="))
		make_arg(k, a, arena_printf(a, "KBUILD_OUTPUT=%s", k->build));
}

static bool find_build(struct kernel_target *k, struct arena *a, const struct target_host *h)
{
	char *real;

	k->sysroot = h->sysroot;
	k->release = h->release;
	k->build = h->build ? h->build : find_headers(k, a);
	if (!k->build)
		return no_headers(k);
	real = realpath(k->build, NULL);
	k->build = real ? arena_strdup(a, real) : k->build;
	free(real);
	find_makefile(k, a);
	return check_complete(k, a);
}

/* --- configuration ------------------------------------------------------------------------- */

/* The value of CONFIG_NAME ("y", "m", a string without its quotes), or NULL. */
static const char *kernel_target_config(const struct kernel_target *k, struct arena *a,
					const char *name)
{
	const char *key = arena_printf(a, "CONFIG_%s=", name);
	size_t n = strlen(key), length;

	for (const char *p = k->config; (p = strstr(p, key)); p += n) {
		const char *value = p + n;

		if (p != k->config && p[-1] != '\n')
			continue;
		length = strcspn(value, "\n");
		if (length > 1 && value[0] == '"' && value[length - 1] == '"') {
			value++;
			length -= 2;
		}
		return arena_strndup(a, value, length);
	}
	return NULL;
}

static const struct arch_row *arch_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++)
		if (str_equal(name, arches[i].kernel) || str_equal(name, arches[i].machine))
			return &arches[i];
	if (str_equal(name, "i386") || str_equal(name, "i686"))
		return &arches[0];
	return NULL;
}

static const struct arch_row *arch_of_config(struct kernel_target *k, struct arena *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++)
		if (kernel_target_config(k, a, arches[i].config))
			return &arches[i];
	return NULL;
}

/* The value of the -B flag NAME=..., or NULL. */
static const char *flag_value(const struct options *o, const char *name)
{
	const char *value = NULL;
	size_t n = strlen(name);

	vec_each(flag, &o->kbuild_flags)
		if (strncmp(*flag, name, n) == 0 && (*flag)[n] == '=')
			value = *flag + n + 1;
	return value;
}

/* Set arch and, if it is not this machine's, the make arguments for it; *CROSS is the prefix of the cross tools. */
static bool find_arch(struct kernel_target *k, const struct options *o, const char **cross)
{
	const struct arch_row *row = arch_of_config(k, o->arena), *wanted, *host;
	const char *given = o->arch;
	struct utsname u;

	uname(&u);
	host = arch_find(u.machine);
	wanted = given ? arch_find(given) : row ? row : host;
	if (!wanted)
		return gap_found(k->gap, ADVICE_NONE, NULL, "tapc does not support the architecture '%s'",
				 given ? given : u.machine);
	if (row && row != wanted)
		return gap_found(k->gap, ADVICE_NONE, NULL, "the headers in %s are for %s, not %s; name that kernel's "
				 "release with -r", k->build, row->machine, given);
	k->arch = wanted->kernel;
	*cross = flag_value(o, "CROSS_COMPILE");
	if (wanted == host) {
		*cross = *cross ? *cross : "";
		return true;
	}
	make_arg(k, o->arena, arena_printf(o->arena, "ARCH=%s", wanted->kernel));
	if (!*cross) {
		*cross = wanted->cross;
		make_arg(k, o->arena, arena_printf(o->arena, "CROSS_COMPILE=%s", *cross));
	}
	return true;
}

/* --- compiler ------------------------------------------------------------------------------ */

/* Reads Debian's .kernelvariables, in which these lines matter:
 *	CC = $(if $(DEBIAN_KERNEL_USE_CCACHE),$(CCACHE)) $(CROSS_COMPILE)gcc-12
 *	override CROSS_COMPILE = x86_64-linux-gnu-
 * Lines inside ifneq ... endif are for cross builds by dpkg, which set DEB_*. */
static const char *debian_compiler(struct kernel_target *k, struct arena *a, const char *cross)
{
	char *text = file_read(a, arena_printf(a, "%s/.kernelvariables", k->build), NULL);
	const char *compiler = NULL;
	int conditional = 0;
	char *rest = text;

	for (char *line; text && (line = strsep(&rest, "\n"));) {
		if (str_starts(line, "if"))
			conditional++;
		else if (str_starts(line, "endif"))
			conditional--;
		else if (!conditional && str_starts(line, "CC = "))
			compiler = line + 5;
		else if (!conditional && str_starts(line, "override CROSS_COMPILE = "))
			cross = trim(a, line + 25);
	}
	if (compiler && strrchr(compiler, ' '))
		compiler = strrchr(compiler, ' ') + 1;
	if (compiler && str_starts(compiler, "$(CROSS_COMPILE)"))
		return arena_printf(a, "%s%s", cross, compiler + 16);
	return compiler && *compiler && !strchr(compiler, '$') ? compiler : NULL;
}

/* "Debian clang version 14.0.6": clang-14. Its versions are not alike: an older one lacks flags of a newer one. */
static const char *config_clang(struct arena *a, const char *text)
{
	const char *version = text ? strstr(text, "version ") : NULL;

	return version ? arena_printf(a, "clang-%ld", atol(version + 8)) : "clang";
}

/* "gcc-12 (Debian 12.2.0-14) 12.2.0" */
static const char *config_compiler(struct kernel_target *k, struct arena *a, const char *cross)
{
	const char *text = kernel_target_config(k, a, "CC_VERSION_TEXT");

	if (kernel_target_config(k, a, "CC_IS_CLANG"))
		return config_clang(a, text);
	if (!text || !strstr(text, "gcc"))
		return arena_printf(a, "%sgcc", cross);
	text = arena_strndup(a, text, strcspn(text, " "));
	/* A kernel that was built natively names its compiler without a prefix. */
	if (*cross && !str_starts(text, cross) && !strstr(text, "-gcc"))
		return arena_printf(a, "%s%s", cross, text);
	return text;
}

struct nearest {
	const char *name;
	long version;
};

/* Among all PREFIX-N in the directories of PATH, the N nearest to WANTED; a later version wins
 * over an earlier one. */
static struct nearest nearest_version(struct arena *a, const char *prefix, long wanted)
{
	const char *path = getenv("PATH");
	struct nearest best = { NULL, 0 };
	size_t n = strlen(prefix);
	char *rest = arena_strdup(a, path ? path : "/usr/bin:/bin");

	for (char *dir; (dir = strsep(&rest, ":"));) {
		DIR *d = *dir ? opendir(dir) : NULL;

		for (struct dirent *e; d && (e = readdir(d));) {
			char *end;
			long v, far, best_far = labs(best.version - wanted);

			if (!str_starts(e->d_name, prefix) || e->d_name[n] != '-')
				continue;
			v = strtol(e->d_name + n + 1, &end, 10);
			far = labs(v - wanted);
			if (*end || v <= 0 || end == e->d_name + n + 1)
				continue;
			if (!best.name || far < best_far || (far == best_far && v > best.version))
				best = (struct nearest){ arena_strdup(a, e->d_name), v };
		}
		if (d)
			closedir(d);
	}
	return best;
}

/* "x86_64-linux-gnu-gcc-12" is in gcc-12, or, on another machine, in gcc-12-x86-64-linux-gnu. */
static const char *package_of(struct arena *a, const char *compiler, bool is_native)
{
	const char *name = path_base(compiler), *gcc = strstr(name, "-gcc");
	char *triple;

	if (!gcc)
		return name;
	triple = arena_strndup(a, name, (size_t)(gcc - name));
	for (char *c = triple; *c; c++)
		*c = *c == '_' ? '-' : *c;
	return is_native ? gcc + 1 : arena_printf(a, "%s-%s", gcc + 1, triple);
}

static bool is_of_this_machine(const struct kernel_target *k)
{
	const struct arch_row *host;
	struct utsname u;

	uname(&u);
	host = arch_find(u.machine);
	return host && str_equal(k->arch, host->kernel);
}

static bool no_compiler(struct kernel_target *k, struct arena *a)
{
	const char *named = path_base(k->compiler_named);

	if (strstr(named, "clang"))
		return gap_found(k->gap, ADVICE_CLANG, NULL,
				 "kernel %s was built with clang, which is not installed", k->release);
	return gap_found(k->gap, ADVICE_COMPILER, package_of(a, named, is_of_this_machine(k)),
			 "kernel %s was built with %s, which is not installed, nor is any other version of it",
			 k->release, named);
}

/* Find the named compiler, or the nearest version of it. */
static bool find_installed(struct kernel_target *k, struct arena *a)
{
	const char *named = k->compiler_named, *dash = strrchr(named, '-');
	bool versioned = dash && isdigit((unsigned char)dash[1]);
	const char *plain = versioned ? arena_strndup(a, named, (size_t)(dash - named)) : named;
	struct nearest near;

	k->compiler = named;
	k->compiler_path = path_find(a, named);
	if (k->compiler_path)
		return true;
	near = nearest_version(a, path_base(plain), versioned ? atol(dash + 1) : LONG_MAX / 2);
	k->compiler = near.name ? near.name : plain;
	k->compiler_path = path_find(a, k->compiler);
	/* "x86_64-linux-gnu-gcc" on a machine whose own gcc targets x86_64 */
	if (!k->compiler_path && str_starts(path_base(plain), "x86_64-") && sizeof(long) == 8 &&
	    str_ends(plain, "-gcc")) {
		k->compiler = "gcc";
		k->compiler_path = path_find(a, k->compiler);
	}
	return k->compiler_path || no_compiler(k, a);
}

/* The make arguments for a compiler that the tree would not use by default. */
static void tell_compiler(struct kernel_target *k, struct arena *a, bool debian)
{
	bool clang = strstr(path_base(k->compiler), "clang");

	if (clang && kernel_target_config(k, a, "LD_IS_LLD")) {
		const char *dash = strrchr(k->compiler, '-');

		make_arg(k, a, arena_printf(a, "LLVM=%s", dash ? dash : "1"));
		return;
	}
	if (clang || !debian || !str_equal(k->compiler, k->compiler_named))
		make_arg(k, a, arena_printf(a, "CC=%s", k->compiler));
}

static bool find_compiler(struct kernel_target *k, const struct options *o, const char *cross)
{
	const char *given = flag_value(o, "CC");
	const char *debian = debian_compiler(k, o->arena, cross);

	if (!given && flag_value(o, "LLVM"))
		given = "clang";
	k->compiler_named = debian ? debian : config_compiler(k, o->arena, cross);
	if (given) {		/* -B is passed on unchanged */
		k->compiler = given;
		k->compiler_path = path_find(o->arena, given);
		return k->compiler_path || gap_found(k->gap, ADVICE_NONE, NULL,
						     "-B names the compiler '%s', which is not installed", given);
	}
	if (!find_installed(k, o->arena))
		return false;
	tell_compiler(k, o->arena, debian != NULL);
	if (options_verbose(o, 4) && !str_equal(k->compiler, k->compiler_named))
		fprintf(stderr, "tapc: note: kernel %s names the compiler %s, which is not installed; "
			"%s is used\n", k->release, k->compiler_named, k->compiler);
	return true;
}

/* --- build-id ------------------------------------------------------------------------------ */

/* The running kernel exports its notes: a sequence of (name size, data size, type, name, data). */
static const char *running_build_id(struct arena *a)
{
	size_t size, at = 0;
	const char *notes = file_read(a, "/sys/kernel/notes", &size);
	struct text hex;

	text_init(&hex, a);
	while (notes && at + 12 <= size) {
		unsigned head[3];
		const char *name = notes + at + 12, *data;

		memcpy(head, notes + at, sizeof(head));
		data = name + ((head[0] + 3) & ~3u);
		at += 12 + ((head[0] + 3) & ~3u) + ((head[1] + 3) & ~3u);
		if (at > size)
			break;
		if (head[2] != 3 || head[0] != 4 || memcmp(name, "GNU", 4) != 0)
			continue;
		for (unsigned i = 0; i < head[1]; i++)
			text_printf(&hex, "%02x", (unsigned char)data[i]);
		break;
	}
	return hex.s;
}

bool kernel_target_look(struct kernel_target *k, const struct options *o, const struct target_host *h,
			struct gap *gap)
{
	const char *cross;

	*k = (struct kernel_target){ .build_id = "", .gap = gap };
	if (!find_build(k, o->arena, h))
		return false;
	k->config = file_read(o->arena, arena_printf(o->arena, "%s/include/config/auto.conf", k->build),
			      NULL);
	if (!k->config)
		return gap_found(gap, ADVICE_HEADERS_AGAIN, k->release, "cannot read %s/include/config/auto.conf: %s",
				 k->build, strerror(errno));
	if (!kernel_target_config(k, o->arena, "MODULES"))
		return gap_found(gap, ADVICE_VM, NULL, "kernel %s was built without CONFIG_MODULES and cannot load "
				 "modules", k->release);
	if (!path_find(o->arena, "make"))
		return gap_found(gap, ADVICE_MAKE, NULL, "no 'make', which builds the runtime for kernel %s",
				 k->release);
	if (!find_arch(k, o, &cross) || !find_compiler(k, o, cross))
		return false;
	vec_each(flag, &o->kbuild_flags)
		make_arg(k, o->arena, *flag);
	if (h->is_running)
		k->build_id = running_build_id(o->arena);
	return true;
}

bool kernel_target_find(struct kernel_target *k, const struct options *o, const struct target_host *h)
{
	struct gap gap = { 0 };

	return kernel_target_look(k, o, h, &gap) || gap_print(&gap);
}

/* --- make ---------------------------------------------------------------------------------- */

const char *const *kernel_target_environment(struct arena *a, const char *const *more, size_t n)
{
	static const char *const names[] = { "PATH", "HOME", "TMPDIR" };
	VEC(const char *) all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *value = getenv(names[i]);

		if (value)
			*vec_add(a, &all) = arena_printf(a, "%s=%s", names[i], value);
	}
	*vec_add(a, &all) = "LC_ALL=C";
	for (size_t i = 0; i < n; i++)
		*vec_add(a, &all) = more[i];
	*vec_add(a, &all) = NULL;
	return all.items;
}

/* Before 5.19, which introduced CONFIG_OBJTOOL, kbuild does not record objtool's command and echoes
 * it only with V=1. -Oline keeps the output lines of parallel jobs apart. */
static bool must_echo(const struct kernel_target *k, struct arena *a)
{
	return !kernel_target_config(k, a, "OBJTOOL") &&
	       kernel_target_config(k, a, "STACK_VALIDATION");
}

static void watch(void *data, const char *line)
{
	if (str_starts(line, "  CC [M]") || strstr(line, " -c -o "))
		progress_step(data);
}

int kernel_target_make(const struct kernel_target *k, struct arena *a, const char *dir,
		       const char *const *args, size_t n, struct progress *progress, char **log)
{
	VEC(const char *) argv = { 0 };
	struct command c = { .env = kernel_target_environment(a, NULL, 0), .capture = true,
			     .line = progress ? watch : NULL, .data = progress };
	int status;

	*vec_add(a, &argv) = "make";
	*vec_add(a, &argv) = "-C";
	*vec_add(a, &argv) = k->build;
	if (k->makefile) {
		*vec_add(a, &argv) = "-f";
		*vec_add(a, &argv) = k->makefile;
	}
	*vec_add(a, &argv) = "--no-print-directory";
	*vec_add(a, &argv) = "-Oline";
	*vec_add(a, &argv) = arena_printf(a, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
	*vec_add(a, &argv) = must_echo(k, a) ? "V=1" : "V=0";
	*vec_add(a, &argv) = arena_printf(a, "M=%s", dir);
	/* Debug information would make a module ten times as large, and BTF would cost the time of pahole. */
	*vec_add(a, &argv) = "CONFIG_DEBUG_INFO=";
	*vec_add(a, &argv) = "CONFIG_DEBUG_INFO_BTF_MODULES=";
	/* Some kernels would run a script for its value before each command. */
	*vec_add(a, &argv) = "PAHOLE_FLAGS=";
	for (size_t i = 0; i < n; i++)
		*vec_add(a, &argv) = args[i];
	for (size_t i = 0; i < k->make_args.n; i++)
		*vec_add(a, &argv) = k->make_args.items[i];
	*vec_add(a, &argv) = "modules";
	*vec_add(a, &argv) = NULL;
	c.argv = argv.items;
	status = command_run(a, &c);
	*log = c.output ? c.output : arena_printf(a, "make: %s\n", strerror(errno));
	return status;
}
