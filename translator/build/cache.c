/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of a run that later runs use.
 *
 * An entry is one file: a header with size and hash, then the data. It is written under a temporary
 * name and renamed, so a reader sees all of it or nothing; the hash detects damage by a machine crash
 * or a broken disk. Reading updates the file's time, and the oldest entries are removed when they
 * exceed CACHE_LIMIT bytes. Entries are not locked: at worst, two runs store the same entry twice. */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "source/cache_dir.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/util.h"
#include "base/vec.h"

/* SipHash-2-4 with a 128-bit result, after the reference code by Aumasson and Bernstein. */
static uint64_t rotate(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static void sip_rounds(uint64_t v[4], unsigned n)
{
	while (n--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static void sip_hash(uint64_t h[2], const void *data, size_t size)
{
	uint64_t v[4] = {
		h[0] ^ 0x736f6d6570736575, h[1] ^ 0x646f72616e646f6d ^ 0xee,
		h[0] ^ 0x6c7967656e657261, h[1] ^ 0x7465646279746573,
	};
	const unsigned char *p = data;
	uint64_t word, last = (uint64_t)size << 56;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		memcpy(&word, p + i, 8);
		v[3] ^= word;
		sip_rounds(v, 2);
		v[0] ^= word;
	}
	for (size_t i = 0; i < size % 8; i++)
		last |= (uint64_t)p[size - size % 8 + i] << (8 * i);
	v[3] ^= last;
	sip_rounds(v, 2);
	v[0] ^= last;
	v[2] ^= 0xee;
	sip_rounds(v, 4);
	h[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
	v[1] ^= 0xdd;
	sip_rounds(v, 4);
	h[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

void cache_key_init(struct cache_key *k)
{
	*k = (struct cache_key){ { 0x7461706320763100, 0 } };
}

void cache_key_add(struct cache_key *k, const void *data, size_t size)
{
	sip_hash(k->h, data, size);
}

void cache_key_string(struct cache_key *k, const char *s)
{
	if (s)
		cache_key_add(k, s, strlen(s) + 1);
	else
		cache_key_add(k, "", 0);
}

void cache_key_age(struct cache_key *k, const char *path)
{
	int64_t facts[3] = { 0 };
	struct stat st;

	if (stat(path, &st) == 0) {
		facts[0] = st.st_size;
		facts[1] = st.st_mtim.tv_sec;
		facts[2] = st.st_mtim.tv_nsec;
	}
	cache_key_string(k, path);
	cache_key_add(k, facts, sizeof(facts));
}

void cache_key_stat(struct cache_key *k, const char *path)
{
	struct stat st = { 0 };
	int64_t inode = stat(path, &st) == 0 ? (int64_t)st.st_ino : 0;

	cache_key_age(k, path);
	cache_key_add(k, &inode, sizeof(inode));
}

const char *cache_key_hex(struct arena *a, const struct cache_key *k)
{
	return arena_printf(a, "%016llx%016llx", (unsigned long long)k->h[0],
			    (unsigned long long)k->h[1]);
}

static bool open_temporary(struct cache *c)
{
	const char *tmp = safe_temporary(c->arena);
	char *path = tmp ? safe_dir_new(c->arena, tmp, "tapc-cache.") : NULL;

	if (!path) {
		if (tmp)
			error_print("cannot make a directory for temporary files in %s: %s", tmp, strerror(errno));
		return false;
	}
	safe_path_own(path);
	c->root = path;
	c->temporary = true;
	return dir_make(arena_printf(c->arena, "%s/entries", path), 0700) &&
	       dir_make(arena_printf(c->arena, "%s/kernels", path), 0700);
}

bool cache_open(struct cache *c, struct cache_dir *dir, const struct options *o)
{
	const char *root = cache_dir_path(dir);

	*c = (struct cache){
		.arena = dir->arena,
		.poison = o->poison_cache,
		.verbose = options_verbose(o, 4),
		.limit = CACHE_LIMIT,
	};
	if (!root)
		return open_temporary(c);
	c->root = root;
	return true;
}

void cache_close(struct cache *c)
{
	if (c->temporary && c->root)
		dir_remove(c->root);
	c->root = NULL;
}

/* --- entries ------------------------------------------------------------------------------- */

struct entry_head {
	char magic[8];
	uint64_t size, hash;
};

static const char entry_magic[8] = "tapc-e2";

static const char *entry_path(struct cache *c, const char *key)
{
	return arena_printf(c->arena, "%s/entries/%s", c->root, key);
}

static bool entry_is_whole(const char *file, size_t file_size)
{
	struct entry_head head;

	if (file_size < sizeof(head))
		return false;
	memcpy(&head, file, sizeof(head));
	if (memcmp(head.magic, entry_magic, sizeof(head.magic)) != 0 ||
	    head.size != file_size - sizeof(head))
		return false;
	return head.hash == hash_large(file + sizeof(head), head.size);
}

char *cache_get(struct cache *c, const char *key, size_t *size)
{
	const char *path = entry_path(c, key);
	size_t file_size;
	char *file;

	if (c->poison)
		return NULL;
	file = safe_read(c->arena, c->root, arena_printf(c->arena, "entries/%s", key), &file_size);
	if (!file)
		return NULL;
	if (!entry_is_whole(file, file_size)) {
		if (c->verbose)
			fprintf(stderr, "tapc: note: %s is damaged and is rebuilt\n", path);
		unlink(path);
		return NULL;
	}
	utimensat(AT_FDCWD, path, NULL, 0);
	*size = file_size - sizeof(struct entry_head);
	return file + sizeof(struct entry_head);
}

struct seen {
	const char *name;
	uint64_t size;
	struct timespec used;
};

static int compare_times(struct timespec x, struct timespec y)
{
	if (x.tv_sec != y.tv_sec)
		return x.tv_sec < y.tv_sec ? -1 : 1;
	return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static int compare_use(const void *a, const void *b)
{
	return compare_times(((const struct seen *)a)->used, ((const struct seen *)b)->used);
}

/* A temporary file of file_write, "KEY.XXXXXX", left by a killed run an hour ago or longer. */
static bool is_leftover(const char *name, const struct stat *st)
{
	return strchr(name, '.') && st->st_mtim.tv_sec + 3600 < time(NULL);
}

/* KEY, which was just written, stays: if the clock was set back, it looks like the oldest. */
static void entries_evict(struct cache *c, const char *key)
{
	const char *path = arena_printf(c->arena, "%s/entries", c->root);
	VEC(struct seen) all = { 0 };
	uint64_t sum = 0;
	DIR *d = opendir(path);

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		struct stat st;

		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		if (is_leftover(e->d_name, &st)) {
			unlinkat(dirfd(d), e->d_name, 0);
			continue;
		}
		sum += (uint64_t)st.st_size;
		if (str_equal(e->d_name, key))
			continue;
		*vec_add(c->arena, &all) = (struct seen){
			.name = arena_strdup(c->arena, e->d_name),
			.size = (uint64_t)st.st_size,
			.used = st.st_mtim,
		};
	}
	if (sum > c->limit)
		qsort(all.items, all.n, sizeof(*all.items), compare_use);
	for (size_t i = 0; i < all.n && sum > c->limit; i++) {
		unlinkat(dirfd(d), all.items[i].name, 0);
		sum -= all.items[i].size;
	}
	closedir(d);
}

bool cache_put(struct cache *c, const char *key, const void *data, size_t size)
{
	struct entry_head head = { .size = size, .hash = hash_large(data, size) };
	_cleanup_free_ char *file = xcalloc(1, sizeof(head) + size);

	memcpy(head.magic, entry_magic, sizeof(head.magic));
	memcpy(file, &head, sizeof(head));
	memcpy(file + sizeof(head), data, size);
	if (!file_write(entry_path(c, key), file, sizeof(head) + size))
		return false;
	entries_evict(c, key);
	return true;
}

/* --- kernels/ ------------------------------------------------------------------------------ */

static const char *lock_path(struct cache *c, const char *key)
{
	return arena_printf(c->arena, "%s/kernels/%.32s.lock", c->root, key);
}

/* The holder removes the file before it unlocks, so that no lock files accumulate. A process that waited
 * for the lock then holds a lock on a deleted file, and tries again. kbuild's processes inherit the
 * descriptor: if a run is killed, they continue for a while, and the directory stays locked until they end. */
int cache_lock(struct cache *c, const char *key, bool wait)
{
	const char *path = lock_path(c, key);

	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600), error;
		struct stat mine, now;

		if (fd < 0)
			return -1;
		while (flock(fd, wait ? LOCK_EX : LOCK_EX | LOCK_NB) < 0) {
			if (errno == EINTR)
				continue;
			error = errno;
			close(fd);
			errno = error;
			return -1;
		}
		if (fstat(fd, &mine) == 0 && stat(path, &now) == 0 && mine.st_ino == now.st_ino)
			return fd;
		close(fd);
	}
}

void cache_unlock(struct cache *c, const char *key, int fd)
{
	if (fd < 0)
		return;
	unlink(lock_path(c, key));
	close(fd);
}

static void clean_kernel(struct cache *c, const char *name)
{
	const char *key = str_starts(name, ".tmp-") ? name + 5 : name;
	int fd = cache_lock(c, key, false);

	if (fd >= 0)
		dir_remove(arena_printf(c->arena, "%s/kernels/%s", c->root, name));
	cache_unlock(c, key, fd);
}

static void each_name(struct cache *c, const char *below,
		      void (*call)(struct cache *c, const char *name))
{
	DIR *d = opendir(arena_printf(c->arena, "%s/%s", c->root, below));

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));)
		if (!str_equal(e->d_name, ".") && !str_equal(e->d_name, "..") &&
		    !str_ends(e->d_name, ".lock"))
			call(c, e->d_name);
	closedir(d);
}

static void clean_entry(struct cache *c, const char *name)
{
	unlink(entry_path(c, name));
}

/* ---- modules for the user ---- */

enum { MOST_MODULES = 100 };

struct left_modules {
	size_t n;
	const char *oldest;
	struct timespec time;
};

static bool look_at_modules(struct cache *c, const char *dir, struct left_modules *found)
{
	DIR *d = opendir(dir);
	struct stat st;

	*found = (struct left_modules){ 0 };
	for (struct dirent *e; d && (e = readdir(d));) {
		if (!str_ends(e->d_name, ".ko") || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (!found->n++ || compare_times(st.st_mtim, found->time) < 0) {
			found->oldest = arena_printf(c->arena, "%s/%s", dir, e->d_name);
			found->time = st.st_mtim;
		}
	}
	if (d)
		closedir(d);
	return d;
}

const char *cache_module_path(struct cache *c, const char *name)
{
	const char *dir = arena_printf(c->arena, "%s/modules", c->root);
	struct left_modules found;

	if (c->temporary || (mkdir(dir, 0700) < 0 && errno != EEXIST) || !look_at_modules(c, dir, &found))
		return NULL;
	while (found.n >= MOST_MODULES && unlink(found.oldest) == 0 && look_at_modules(c, dir, &found))
		;
	return arena_printf(c->arena, "%s/%s.ko", dir, name);
}

void cache_clean(struct cache *c)
{
	each_name(c, "entries", clean_entry);
	each_name(c, "kernels", clean_kernel);
	dir_remove(arena_printf(c->arena, "%s/headers", c->root));
	dir_remove(arena_printf(c->arena, "%s/modules", c->root));
}
