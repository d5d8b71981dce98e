// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void session_name(char name[MODULE_NAME_SIZE], const char *module)
{
	const char *slash = strrchr(module, '/');

	snprintf(name, MODULE_NAME_SIZE, "%s", slash ? slash + 1 : module);
	name[strcspn(name, ".")] = 0;
}

int session_load(const char *module, const char *parameters, int *control)
{
	int fd = open(module, O_RDONLY | O_CLOEXEC), err;
	char name[MODULE_NAME_SIZE], path[128];

	err = fd < 0 || syscall(SYS_finit_module, fd, parameters, 0) < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (err)
		return err;
	session_name(name, module);
	snprintf(path, sizeof(path), "/proc/tap:%s/control", name);
	*control = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	return *control < 0 ? errno : 0;
}

int session_command(int control, enum tap_command_kind kind, const void *payload, uint32_t size)
{
	struct tap_command head = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, (u16)kind, size };
	char packet[1024];

	memcpy(packet, &head, sizeof(head));
	memcpy(packet + sizeof(head), payload, size);
	return write(control, packet, sizeof(head) + size) < 0 ? errno : 0;
}

int session_start(int control)
{
	return session_start_in(control, 0);
}

int session_start_in(int control, uint64_t cgroup)
{
	const struct tap_configuration configuration = {
		.loader = getpid(), .remote = -1, .buffer = 1 << 16, .cgroup = cgroup };
	int err = session_command(control, TAP_CONFIGURE, &configuration, sizeof(configuration));

	return err ? err : session_command(control, TAP_START, "", 0);
}

int session_unload(const char *name, int flags)
{
	int err;

	do	/* a suspend interrupts it, too */
		err = syscall(SYS_delete_module, name, flags) < 0 ? errno : 0;
	while (err == EINTR);
	return err;
}
