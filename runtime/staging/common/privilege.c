// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel answers most refusals with a bare EPERM. The reasons that can be checked beforehand are the
 * capability (here) and the kernel's settings (refusal.c). The kernel explains the others in its log, which is
 * passed on. */
#include "privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "advice.h"
#include "host.h"
#include "message.h"
#include "module.h"
#include "refusal.h"

enum { CAPABILITY_SYS_MODULE = 16 };

static bool has_capability(unsigned number)
{
	_cleanup_close_ int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	size_t size;
	_cleanup_free_ char *status = fd < 0 ? NULL : host_read_file(fd, 1 << 16, &size);
	const char *line = status ? strstr(status, "\nCapEff:") : NULL;

	if (!line)
		return geteuid() == 0;
	return strtoull(line + 8, NULL, 16) >> number & 1;
}

/* Root in a container has the capability, but not over this kernel. */
static bool in_user_namespace(void)
{
	_cleanup_free_ char *map = host_read_line("/proc/self/uid_map");
	unsigned long inside, outside, count;

	return map && sscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
	       count != 4294967295;
}

bool privilege_is_there(void)
{
	return has_capability(CAPABILITY_SYS_MODULE) && !in_user_namespace();
}

bool privilege_suffices(struct gap *g)
{
	if (!host_exists("/proc/self/status"))
		return gap_found(g, ADVICE_PROC, NULL, "/proc is not mounted");
	if (!host_exists("/proc/modules"))
		return gap_found(g, ADVICE_VM, NULL, "this kernel cannot load modules (CONFIG_MODULES is off)");
	if (in_user_namespace())
		return gap_found(g, ADVICE_OUTSIDE, NULL,
				 "loading modules is not possible in a container or user namespace");
	if (has_capability(CAPABILITY_SYS_MODULE))
		return true;
	if (geteuid() == 0)
		return gap_found(g, ADVICE_OUTSIDE, NULL, "loading modules needs CAP_SYS_MODULE, which this root lacks "
				 "(a container, or a service with restricted capabilities)");
	return gap_found(g, ADVICE_SUDO, NULL, "loading modules needs root or CAP_SYS_MODULE");
}

/* Prints the gap G, unless there is none. */
static bool pass(bool good, struct gap *g)
{
	_cleanup_free_ char *text = good ? NULL : gap_text(g);

	if (text)
		message_error("%s", text);
	gap_close(g);
	return good;
}

bool privilege_check_process(void)
{
	struct gap g = { 0 };

	return pass(privilege_suffices(&g), &g);
}

bool privilege_check(const struct module *m)
{
	struct gap g = { 0 };

	return pass(privilege_suffices(&g) && refusal_is_absent(m->is_signed, &g), &g);
}

/* ---- after a refusal ---- */

int privilege_open_kernel_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* One read gives one record: "priority,number,time,flags;text\n key=value\n...". */
static void pass_on_log(const struct module *m, int log)
{
	char record[8192];

	for (int shown = 0; log >= 0 && shown < 8;) {
		ssize_t n = read(log, record, sizeof(record) - 1);
		char *text;

		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n <= 0)
			return;
		record[n] = 0;
		text = strchr(record, ';');
		if (!text)
			continue;
		text[strcspn(text, "\n")] = 0;
		if (strstr(text, m->name) || strstr(text, "odule") || strstr(text, "ockdown")) {
			message_error("the kernel says: %s", text + 1);
			shown++;
		}
	}
}

static const char *reason(int err)
{
	switch (err) {
	case EPERM:
		return "the kernel forbids it (lockdown, a security policy, or missing rights)";
	case EACCES:
		return "a security policy forbids it";
	case ENOKEY:
	case EKEYREJECTED:
	case EBADMSG:
		return "its signature is missing or not trusted by this kernel: "
		       "sign it with an enrolled key (tapc --sign-module, or the kernel's scripts/sign-file)";
	case ENOEXEC:
		return "the module does not match the build of this kernel: rebuild it with tapc";
	case ENOENT:
		return "it needs a symbol that this kernel does not have";
	case ENOSYS:
		return "this kernel cannot load modules (CONFIG_MODULES is off): "
		       "tapc --vm runs the script in a guest";
	}
	return strerror(err);
}

void privilege_explain(const struct module *m, int err, int log)
{
	char *directory = host_printf("/proc/tap:%s", m->name);

	if (err == EEXIST && host_exists(directory))
		message_error("module '%s' is already loaded: taprun -A %s attaches to it, "
			      "-d %s removes it, -R loads it under another name",
			      m->name, m->name, m->name);
	else if (err == EEXIST)
		message_error("another module named '%s' is loaded: -R loads this one "
			      "under another name", m->name);
	else
		message_error("cannot load module '%s': %s", m->path, reason(err));
	free(directory);
	if (err != EEXIST)
		pass_on_log(m, log);
}
