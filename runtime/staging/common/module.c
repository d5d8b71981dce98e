// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's file is not trusted: every offset is checked before use. Only .modinfo,
 * .gnu.linkonce.this_module and the symbol names are read; the kernel checks the rest of the ELF file. */
#include "module.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host.h"
#include "message.h"
#include "privilege.h"

enum { MOST_MODULE = 512 << 20 };
#define GATE "tap_gate"

static const char signature_mark[] = "~Module signature appended~\n";

static const struct machine {
	const char *uname;
	unsigned elf;
} machines[] = {
	{ "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 }, { "riscv64", EM_RISCV },
	{ "ppc64le", EM_PPC64 }, { "ppc64", EM_PPC64 },	    { "s390x", EM_S390 },
	{ "i686", EM_386 },	 { "armv7l", EM_ARM },
};

/* ---- ELF ---- */

struct section {
	const char *data;
	size_t size;
};

static bool is_inside(const struct module *m, uint64_t offset, uint64_t size)
{
	return offset <= m->size && size <= m->size - offset;
}

/* The section table may be at any offset, possibly unaligned: copy the header rather than point to it. */
static bool section_header(const struct module *m, const ElfW(Ehdr) *e, unsigned n, ElfW(Shdr) *sh)
{
	if (n >= e->e_shnum)
		return false;
	memcpy(sh, m->data + e->e_shoff + (size_t)n * sizeof(*sh), sizeof(*sh));
	return sh->sh_type == SHT_NOBITS || is_inside(m, sh->sh_offset, sh->sh_size);
}

static bool find_section(const struct module *m, const ElfW(Ehdr) *e, const char *name,
			 struct section *s)
{
	ElfW(Shdr) names, sh;

	if (!section_header(m, e, e->e_shstrndx, &names) || names.sh_type == SHT_NOBITS)
		return false;
	for (unsigned i = 1; i < e->e_shnum; i++) {
		if (!section_header(m, e, i, &sh) || sh.sh_type == SHT_NOBITS ||
		    sh.sh_name >= names.sh_size ||
		    strnlen(m->data + names.sh_offset + sh.sh_name, names.sh_size - sh.sh_name) ==
			    names.sh_size - sh.sh_name)
			continue;
		if (strcmp(m->data + names.sh_offset + sh.sh_name, name) == 0) {
			*s = (struct section){ m->data + sh.sh_offset, sh.sh_size };
			return true;
		}
	}
	return false;
}

/* Is NAME in the string table? Linkers let a name share the tail of a longer name. */
static bool has_string(const struct section *s, const char *name)
{
	size_t size = strlen(name) + 1;

	for (size_t i = 0; i + size <= s->size; i++) {
		const char *p = memchr(s->data + i, name[0], s->size - i - size + 1);

		if (!p)
			return false;
		if (memcmp(p, name, size) == 0)
			return true;
		i = (size_t)(p - s->data);
	}
	return false;
}

/* .modinfo is "key=value" NUL ... ; values without a NUL are ignored. */
const char *module_info(const struct module *m, const char *key, const char *after)
{
	size_t length = strlen(key);

	for (size_t i = after ? (size_t)(after - m->info) + strlen(after) + 1 : 0; i < m->info_size;) {
		const char *entry = m->info + i;
		size_t size = strnlen(entry, m->info_size - i);

		if (size == m->info_size - i)
			return NULL;
		if (size > length && memcmp(entry, key, length) == 0 && entry[length] == '=')
			return entry + length + 1;
		i += size + 1;
	}
	return NULL;
}

static bool is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Relocations fill in the rest of struct module later, so the name is the only text in it. Its offset depends
 * on the kernel's configuration. */
static bool find_name(struct module *m, const struct section *this_module)
{
	for (size_t i = 0, n; i < this_module->size; i += n + 1) {
		const char *p = this_module->data + i;

		for (n = 0; i + n < this_module->size && is_name_character(p[n]); n++)
			;
		if (n == 0 || n >= MODULE_NAME_SIZE || i + n >= this_module->size || p[n] != 0)
			continue;
		memcpy(m->name, p, n + 1);
		m->name_at = (size_t)(p - m->data);
		return is_inside(m, m->name_at, MODULE_NAME_SIZE);
	}
	return false;
}

static bool refuse(const struct module *m, const char *what)
{
	message_error("'%s' %s", m->path, what);
	return false;
}

static const char *machine_name(unsigned elf)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == elf)
			return machines[i].uname;
	return "an unknown machine";
}

static bool fits_machine(const struct module *m, const ElfW(Ehdr) *e)
{
	struct utsname host;

	uname(&host);
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (strcmp(machines[i].uname, host.machine) == 0 && machines[i].elf != e->e_machine) {
			message_error("'%s' is for %s, this machine is %s: "
				      "build it there, or with tapc -a %s", m->path,
				      machine_name(e->e_machine), host.machine, host.machine);
			return false;
		}
	return true;
}

bool module_parse(struct module *m)
{
	struct section this_module, modinfo, names, gate;
	ElfW(Ehdr) e;

	if (m->size < sizeof(e))
		return refuse(m, m->size ? "is too short for a kernel module" : "is empty");
	memcpy(&e, m->data, sizeof(e));
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
		return refuse(m, "is not a kernel module: not an ELF file "
				 "(tapc makes one from a script)");
	if (e.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
		return refuse(m, "is for a machine with another word size");
	if (!fits_machine(m, &e))
		return false;
	if (e.e_type != ET_REL || e.e_shentsize != sizeof(ElfW(Shdr)) ||
	    !is_inside(m, e.e_shoff, (uint64_t)e.e_shnum * sizeof(ElfW(Shdr))))
		return refuse(m, "is not a kernel module, or is truncated");
	if (!find_section(m, &e, ".gnu.linkonce.this_module", &this_module) ||
	    !find_section(m, &e, ".modinfo", &modinfo) || !find_name(m, &this_module))
		return refuse(m, "is not a kernel module, or is truncated");
	if (!find_section(m, &e, ".strtab", &names) || !has_string(&names, "tap_script"))
		return refuse(m, "was not made by tapc");
	if (find_section(m, &e, "." GATE, &gate)) {
		m->gate = gate.data;
		m->gate_size = gate.size;
	}
	m->info = modinfo.data;
	m->info_size = modinfo.size;
	m->vermagic = module_info(m, "vermagic", NULL);
	m->is_signed = m->size >= sizeof(signature_mark) - 1 &&
		       memcmp(m->data + m->size - (sizeof(signature_mark) - 1), signature_mark,
			      sizeof(signature_mark) - 1) == 0;
	return true;
}

/* ---- this kernel ---- */

/* Another build of the same release is not refused here: the module compares the build-ids of its sites itself. */
bool module_fits_kernel(const struct module *m)
{
	size_t length = m->vermagic ? strcspn(m->vermagic, " ") : 0;
	struct utsname host;

	uname(&host);
	if (m->vermagic &&
	    (strlen(host.release) != length || memcmp(host.release, m->vermagic, length))) {
		message_error("'%s' is for kernel %.*s, but %s is running: "
			      "rebuild it with tapc -r %s", m->path, (int)length, m->vermagic,
			      host.release, host.release);
		return false;
	}
	return true;
}

/* ---- the file ---- */

bool module_read_any(struct module *m, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	*m = (struct module){ .path = path };
	if (fd < 0 || fstat(fd, &st) < 0) {
		message_error("cannot read module '%s': %s", path, strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode))
		return refuse(m, S_ISDIR(st.st_mode) ? "is a directory, not a kernel module"
						     : "is not a regular file");
	m->data = host_read_file(fd, MOST_MODULE, &m->size);
	if (!m->data) {
		message_error("cannot read module '%s': %s", path, strerror(errno));
		return false;
	}
	return module_parse(m);
}

bool module_read(struct module *m, const char *path)
{
	return module_read_any(m, path) && module_fits_kernel(m);
}

void module_free(struct module *m)
{
	free(m->data);
	*m = (struct module){ 0 };
}

void module_drop_file(struct module *m)
{
	free(m->data);
	m->data = NULL;
	m->vermagic = m->gate = m->info = NULL;
	m->gate_size = m->info_size = 0;
}

bool module_rename(struct module *m)
{
	char name[MODULE_NAME_SIZE] = "", suffix[24];
	int length = snprintf(suffix, sizeof(suffix), "_%d", (int)getpid());

	if (m->is_signed) {
		message_error("'%s' is signed: another name (-R) would invalidate its signature", m->path);
		return false;
	}
	snprintf(name, sizeof(name), "%.*s%s", (int)sizeof(name) - 1 - length, m->name, suffix);
	memcpy(m->data + m->name_at, name, sizeof(name));
	memcpy(m->name, name, sizeof(name));
	return true;
}

bool module_name_of(const char *word, char name[MODULE_NAME_SIZE])
{
	const char *base = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
	size_t length = strlen(base);

	if (length > 3 && strcmp(base + length - 3, ".ko") == 0)
		length -= 3;
	if (length == 0 || length >= MODULE_NAME_SIZE)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!is_name_character(base[i]))
			return false;
		name[i] = base[i] == '-' ? '_' : base[i];
	}
	name[length] = 0;
	return true;
}

/* Returns 0 or errno. A suspend of the machine interrupts the call, too. */
static int delete_module(const char *name)
{
	int err;

	do
		err = syscall(SYS_delete_module, name, O_NONBLOCK) < 0 ? errno : 0;
	while (err == EINTR);
	return err;
}

/* ---- the module that serves all sessions with direct calls at returns ---- */

/* Sessions do without it, but at a higher cost. */
static void load_gate(const struct module *m)
{
	if (!m->gate)
		return;
	if (syscall(SYS_init_module, m->gate, m->gate_size, "") == 0)
		message_verbose(1, "loaded module " GATE " (%zu bytes)", m->gate_size);
	else if (errno != EEXIST)
		message_verbose(1, "module " GATE " cannot be loaded (%s): returns are probed by return hooks",
				strerror(errno));
}

/* Unless other sessions use it, or threads are in functions whose returns were probed: it is then removed after a later
 * session. */
static void unload_gate(void)
{
	char *inside = host_read_line("/sys/module/" GATE "/parameters/inside");

	if (!inside)
		return;
	if (delete_module(GATE) == 0)
		message_verbose(1, "removed module " GATE);
	else if (strcmp(inside, "0") != 0)
		message_verbose(1, "module " GATE " stays loaded: %s calls of functions whose returns were probed are in "
				"progress", inside);
	free(inside);
}

/* ---- loading and unloading ---- */

int module_load(const struct module *m)
{
	load_gate(m);
	_cleanup_close_ int log = privilege_open_kernel_log();

	if (syscall(SYS_init_module, m->data, m->size, "") == 0) {
		message_verbose(1, "loaded module %s (%zu bytes)", m->name, m->size);
		return 0;
	}
	int err = errno;

	privilege_explain(m, err, log);
	return err;
}

int module_unload(const char *name, unsigned patience)
{
	uint64_t until = host_now() + patience * 1000000ull;
	unsigned pause = 1;
	int err;

	while ((err = delete_module(name)) != 0) {
		if ((err != EAGAIN && err != EBUSY) || host_now() > until)
			return err;
		host_sleep_ms(pause);
		pause = pause < 16 ? pause * 2 : 16;
	}
	unload_gate();
	return 0;
}
