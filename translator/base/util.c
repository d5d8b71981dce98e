/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers that do not depend on the rest of tapc. */
#include "util.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void util_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void util_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

void util_free(void *p)
{
	free(*(void **)p);
}

bool is_identifier_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && str_equal(s + n - m, suffix);
}

bool is_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

bool glob_match(const char *pattern, const char *s)
{
	return fnmatch(pattern, s, 0) == 0;
}

/* Optimal string alignment: one insertion, deletion, replacement or swap costs 1. */
static unsigned edit_distance(const char *a, const char *b)
{
	enum { LONGEST = 63 };
	unsigned char d[3][LONGEST + 2];
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return ~0u;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned char)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned char *now = d[i % 3], *last = d[(i + 2) % 3], *before = d[(i + 1) % 3];

		now[0] = (unsigned char)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1u < best)
				best = last[j] + 1u;
			if (now[j - 1] + 1u < best)
				best = now[j - 1] + 1u;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1u < best)
				best = before[j - 2] + 1u;
			now[j] = (unsigned char)best;
		}
	}
	return d[n % 3][m];
}

const char *nearest_name(const char *s, const char *const *names, size_t n)
{
	unsigned limit = (unsigned)strlen(s) / 3 + 1, best = limit + 1;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		unsigned d = edit_distance(s, names[i]);

		if (d < best && d < strlen(names[i])) {
			best = d;
			found = names[i];
		}
	}
	return found;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void names_sort(const char **names, size_t n)
{
	qsort(names, n, sizeof(*names), compare_names);
}

/* Reads the rest of FD into a buffer that has ROOM bytes at first. */
static char *read_all(struct arena *a, int fd, size_t room, size_t *size)
{
	char *data = arena_alloc(a, room + 1);
	size_t used = 0;

	for (;;) {
		ssize_t n;

		if (used == room) {
			data = arena_grow(a, data, used, 2 * room + 1);
			room *= 2;
		}
		n = read(fd, data + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	data[used] = '\0';
	if (size)
		*size = used;
	return data;
}

char *fd_read(struct arena *a, int fd, size_t *size)
{
	return read_all(a, fd, 65536, size);
}

char *file_read(struct arena *a, const char *path, size_t *size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return NULL;
	}
	return read_all(a, fd, st.st_size > 0 ? (size_t)st.st_size + 1 : 4096, size);
}

bool fd_write(int fd, const void *data, size_t size)
{
	for (const char *p = data; size;) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

/* LIKE: the file that it replaces, or NULL. */
static bool set_attributes(int fd, const struct stat *like)
{
	if (!like)
		return fchmod(fd, 0644) == 0;
	return ((like->st_uid == geteuid() && like->st_gid == getegid()) ||
		fchown(fd, like->st_uid, like->st_gid) == 0) &&
	       fchmod(fd, like->st_mode & 07777) == 0 && fsync(fd) == 0;
}

static bool write_whole(const char *path, const void *data, size_t size, const struct stat *like)
{
	_cleanup_free_ char *temporary = xcalloc(1, strlen(path) + 8);
	int fd, error;

	sprintf(temporary, "%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fd_write(fd, data, size) && set_attributes(fd, like)) {
		if (close(fd) == 0 && rename(temporary, path) == 0)
			return true;
		error = errno;
	} else {
		error = errno;
		close(fd);
	}
	unlink(temporary);
	errno = error;
	return false;
}

bool file_write(const char *path, const void *data, size_t size)
{
	return write_whole(path, data, size, NULL);
}

bool file_rewrite(const char *path, const void *data, size_t size)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	struct stat st;

	return real && stat(real, &st) == 0 && write_whole(real, data, size, &st);
}

bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

bool file_same(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

bool dir_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool dir_make(const char *path, unsigned mode)
{
	_cleanup_free_ char *p = xstrdup(path);

	for (char *slash = strchr(p + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(p, mode) < 0 && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return mkdir(p, mode) == 0 || (errno == EEXIST && dir_exists(p));
}

static void remove_below(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		if (fd >= 0)
			close(fd);
		unlinkat(parent, name, 0);
		return;
	}
	for (struct dirent *e; (e = readdir(d));)
		if (!str_equal(e->d_name, ".") && !str_equal(e->d_name, ".."))
			remove_below(fd, e->d_name);
	closedir(d);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void dir_remove(const char *path)
{
	remove_below(AT_FDCWD, path);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *path_absolute(struct arena *a, const char *path)
{
	_cleanup_free_ char *here = *path == '/' ? NULL : getcwd(NULL, 0);

	return here ? arena_printf(a, "%s/%s", here, path) : path;
}

/* Follows the XDG base directory specification: the directory in the variable, or one below the home directory. */
static const char *user_dir(struct arena *a, const char *variable, const char *below_home)
{
	const char *xdg = getenv(variable), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return arena_printf(a, "%s/tapc", xdg);
	if (home && home[0] == '/')
		return arena_printf(a, "%s/%s/tapc", home, below_home);
	return NULL;
}

const char *path_cache(struct arena *a)
{
	return user_dir(a, "XDG_CACHE_HOME", ".cache");
}

const char *path_config(struct arena *a)
{
	return user_dir(a, "XDG_CONFIG_HOME", ".config");
}

const char *path_state(struct arena *a)
{
	return user_dir(a, "XDG_STATE_HOME", ".local/state");
}

char *path_find(struct arena *a, const char *program)
{
	const char *path = getenv("PATH");

	if (strchr(program, '/'))
		return access(program, X_OK) == 0 ? arena_strdup(a, program) : NULL;
	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t n = strcspn(p, ":");
		char *full = arena_printf(a, "%.*s/%s", (int)n, p, program);

		if (n && access(full, X_OK) == 0)
			return full;
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* Pass on the lines that are complete in TEXT, which ends at END; returns the start of the rest. */
static char *pass_lines(const struct command *c, char *text, const char *end)
{
	char *newline;

	while ((newline = memchr(text, '\n', (size_t)(end - text)))) {
		*newline = '\0';
		c->line(c->data, text);
		*newline = '\n';
		text = newline + 1;
	}
	return text;
}

static void collect(struct arena *a, struct command *c, int fd)
{
	size_t room = 4096, used = 0, passed = 0;
	char *data = arena_alloc(a, room + 1);

	for (;;) {
		ssize_t n = read(fd, data + used, room - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
		if (c->line)
			passed = (size_t)(pass_lines(c, data + passed, data + used) - data);
		if (used == room) {
			data = arena_grow(a, data, used, 2 * room + 1);
			room *= 2;
		}
	}
	data[used] = '\0';
	c->output = data;
}

int command_run(struct arena *a, struct command *c)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	int pipe_fd[2] = { -1, -1 }, error, status;
	pid_t pid;

	if (c->capture && pipe2(pipe_fd, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	if (c->dir)
		posix_spawn_file_actions_addchdir_np(&actions, c->dir);
	if (c->capture) {
		posix_spawn_file_actions_adddup2(&actions, pipe_fd[1], 1);
		posix_spawn_file_actions_adddup2(&actions, pipe_fd[1], 2);
	}
	error = posix_spawnp(&pid, c->argv[0], &actions, NULL, (char *const *)c->argv,
			     c->env ? (char *const *)c->env : environ);
	posix_spawn_file_actions_destroy(&actions);
	util_close(&pipe_fd[1]);
	if (!error && c->capture)
		collect(a, c, pipe_fd[0]);
	util_close(&pipe_fd[0]);
	if (error) {
		errno = error;
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
	const unsigned char *s = p;

	while (n--)
		h = (h ^ *s++) * 0x100000001b3ull;
	return h;
}

uint64_t hash_large(const void *data, size_t size)
{
	const uint64_t prime = 0x9fb21c651e98df25ull;
	uint64_t lane[4] = { 1, 2, 3, 4 + size }, word;
	const unsigned char *p = data;

	for (; size >= 32; p += 32, size -= 32)
		for (int i = 0; i < 4; i++) {
			memcpy(&word, p + 8 * i, 8);
			lane[i] = (lane[i] ^ word) * prime;
			lane[i] ^= lane[i] >> 29;
		}
	return hash_bytes(hash_bytes(HASH_START, lane, sizeof(lane)), p, size);
}

uint64_t hash_string(uint64_t h, const char *s)
{
	return hash_bytes(h, s, strlen(s) + 1);
}
