// SPDX-License-Identifier: GPL-2.0-or-later
/* The file has lines of "key = value"; # begins a comment. It is read for each client, so a change takes effect
 * with the next client. An error in the file refuses every client: this is safer than admitting all users. */
#include "policy.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/host.h"
#include "common/message.h"

enum { MOST_POLICY = 64 << 10, MEGABYTE = 1 << 20 };

/* ---- the file ---- */

static bool set_text(char **to, const char *value)
{
	free(*to);
	*to = host_printf("%s", value);
	return *value != 0;
}

static bool set_number(uint64_t *to, const char *value, uint64_t most, uint64_t unit)
{
	char *end;

	errno = 0;
	*to = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || *to > most)
		return false;
	*to *= unit;
	return true;
}

static bool set_switch(bool *to, const char *value)
{
	*to = strcmp(value, "yes") == 0;
	return *to || strcmp(value, "no") == 0;
}

/* False if VALUE is not valid for KEY, or KEY does not exist; in that case *KNOWN is false. */
static bool set(struct policy *p, const char *key, const char *value, bool *known)
{
	*known = true;
	if (strcmp(key, "developers") == 0)
		return set_text(&p->developers, value);
	if (strcmp(key, "users") == 0)
		return set_text(&p->users, value);
	if (strcmp(key, "modules") == 0)
		return set_text(&p->modules, value);
	if (strcmp(key, "keys") == 0)
		return set_text(&p->keys, value);
	if (strcmp(key, "sessions") == 0)
		return set_number(&p->sessions, value, 100000, 1);
	if (strcmp(key, "memory") == 0)
		return set_number(&p->memory, value, 1 << 20, MEGABYTE);
	if (strcmp(key, "user-memory") == 0)
		return set_number(&p->user_memory, value, 1 << 20, MEGABYTE);
	if (strcmp(key, "seconds") == 0)
		return set_number(&p->seconds, value, 100000000, 1);
	if (strcmp(key, "detach") == 0)
		return set_switch(&p->detach, value);
	return *known = false;
}

static char *trim(char *text)
{
	size_t size;

	text += strspn(text, " \t");
	for (size = strlen(text); size && strchr(" \t\r", text[size - 1]); size--)
		;
	text[size] = 0;
	return text;
}

static bool set_line(struct policy *p, const char *path, int number, char *line)
{
	char *equals, *key, *value;
	bool known;

	line[strcspn(line, "#")] = 0;
	line = trim(line);
	if (!*line)
		return true;
	equals = strchr(line, '=');
	if (equals)
		*equals = 0;
	key = trim(line);
	value = equals ? trim(equals + 1) : "";
	if (equals && set(p, key, value, &known))
		return true;
	if (!equals || known)
		message_error(equals ? "%s:%d: '%s' is not a valid value for '%s'" : "%s:%d: expected 'key = value'",
			      path, number, value, key);
	else
		message_error("%s:%d: unknown key '%s'; the keys are developers, users, modules, keys, "
			      "sessions, memory, user-memory, seconds, detach", path, number, key);
	return false;
}

static bool is_roots(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == 0 || st.st_uid == geteuid()) &&
	    !(st.st_mode & 022))
		return true;
	message_error("'%s' must be a file that only root can write to", path);
	return false;
}

bool policy_read(struct policy *p, const char *path)
{
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *data = NULL;
	struct utsname host;
	int number = 0;
	bool good = true;
	size_t size;

	uname(&host);
	*p = (struct policy){
		.developers = host_printf("tapdev"), .users = host_printf("tapusr"),
		.modules = host_printf("/lib/modules/%s/tapc", host.release),
		.keys = host_printf("/etc/tapc/trusted"),
		.sessions = 16, .memory = 256 * (uint64_t)MEGABYTE, .detach = true,
	};
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENOENT)
		return true;
	data = fd < 0 ? NULL : host_read_file(fd, MOST_POLICY, &size);
	if (!data) {
		message_error("cannot read '%s': %s", path, strerror(errno));
		return false;
	}
	if (!is_roots(fd, path))
		return false;
	for (char *line = data, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		good = set_line(p, path, ++number, line) && good;
	}
	return good;
}

void policy_free(struct policy *p)
{
	free(p->developers);
	free(p->users);
	free(p->modules);
	free(p->keys);
	*p = (struct policy){ 0 };
}

/* ---- the peer ---- */

/* SO_PEERGROUPS (Linux 4.13): the groups of the process, which may differ from those in the user database. */
static bool get_groups(struct peer *p, int socket)
{
	socklen_t size = 0;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) < 0 && errno != ERANGE)
		return false;
	p->groups = host_alloc(size + sizeof(gid_t));
	if (size && getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, p->groups, &size) < 0)
		return false;
	p->group_count = size / sizeof(gid_t);
	return true;
}

bool peer_get(struct peer *p, int socket)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	*p = (struct peer){ 0 };
	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0 || size != sizeof(who) ||
	    !get_groups(p, socket))
		return false;
	p->pid = who.pid;
	p->uid = who.uid;
	p->groups[p->group_count++] = who.gid;	/* get_groups left room */
	return true;
}

const char *peer_name(struct peer *p)
{
	const struct passwd *entry = p->name ? NULL : getpwuid(p->uid);

	if (!p->name)
		p->name = host_printf("%s", entry ? entry->pw_name : "?");
	return p->name;
}

bool peer_is_known(struct peer *p)
{
	return strcmp(peer_name(p), "?") != 0;
}

void peer_free(struct peer *p)
{
	free(p->groups);
	free(p->name);
	*p = (struct peer){ 0 };
}

static bool is_member(const struct peer *p, const char *name)
{
	const struct group *g = getgrnam(name);

	for (unsigned i = 0; g && i < p->group_count; i++)
		if (p->groups[i] == g->gr_gid)
			return true;
	return false;
}

enum policy_right policy_right(const struct policy *p, const struct peer *peer)
{
	if (peer->uid == 0 || is_member(peer, p->developers))
		return POLICY_ANYTHING;
	return is_member(peer, p->users) ? POLICY_TRUSTED : POLICY_NOTHING;
}
