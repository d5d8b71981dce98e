/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cache returns what was stored, or nothing: after damage, with concurrent writers, when
 * full. */
#include "build/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/options.h"
#include "source/cache_dir.h"
#include "base/util.h"
#include "scratch.h"

static unsigned count, failures;

static void check(bool good, const char *claim)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", ++count, claim);
	failures += !good;
}

static struct options options;
static struct cache_dir dir;
static char *home;

static void open_cache(struct cache *c)
{
	dir.is_tried = false;	/* as in another run */
	if (!cache_open(c, &dir, &options))
		exit(2);
}

static bool holds(struct cache *c, const char *key, const char *value, size_t size)
{
	size_t n = 0;
	char *data = cache_get(c, key, &n);

	return data && n == size && memcmp(data, value, n) == 0;
}

static const char *entry(const char *key)
{
	return arena_printf(dir.arena, "%s/tapc/entries/%s", home, key);
}

static void test_keys(void)
{
	struct cache_key a, b;

	cache_key_init(&a);
	b = a;
	cache_key_string(&a, "ab");
	cache_key_string(&a, "c");
	cache_key_string(&b, "a");
	cache_key_string(&b, "bc");
	check(memcmp(&a, &b, sizeof(a)) != 0, "keys of differently split parts differ");
	check(strlen(cache_key_hex(dir.arena, &a)) == 32, "a key has 32 digits");
	cache_key_init(&a);
	b = a;
	cache_key_string(&a, NULL);
	cache_key_string(&b, "");
	check(memcmp(&a, &b, sizeof(a)) != 0, "an absent part differs from an empty one");
	/* The first test vector of the reference: key 00..0f, no data; the result printed as
	 * bytes is a3 81 7f 04 ba 25 a8 e6 6d f6 72 14 c7 55 02 93. */
	a = (struct cache_key){ { 0x0706050403020100, 0x0f0e0d0c0b0a0908 } };
	cache_key_add(&a, "", 0);
	check(a.h[0] == 0xe6a825ba047f81a3 && a.h[1] == 0x930255c71472f66d,
	      "digests are SipHash-2-4's of 128 bits");
}

static void test_damage(struct cache *c)
{
	static char value[5000];
	int fd;

	memset(value, 'v', sizeof(value));
	check(!holds(c, "k1", value, sizeof(value)), "an unknown key is not found");
	check(cache_put(c, "k1", value, sizeof(value)) && holds(c, "k1", value, sizeof(value)),
	      "what was put is got");
	check(cache_put(c, "empty", "", 0) && holds(c, "empty", "", 0), "an empty value is a value");
	check(truncate(entry("k1"), 4000) == 0 && !holds(c, "k1", value, sizeof(value)),
	      "a truncated entry is not found");
	check(!file_exists(entry("k1")), "and is removed");
	cache_put(c, "k1", value, sizeof(value));
	fd = open(entry("k1"), O_WRONLY);
	check(pwrite(fd, "x", 1, 3000) == 1 && !holds(c, "k1", value, sizeof(value)),
	      "an entry with a changed byte is not found");
	close(fd);
	file_write(entry("k1"), "", 0);
	check(!holds(c, "k1", value, sizeof(value)), "an empty file is no entry");
}

static void test_modes(struct cache *c)
{
	struct cache other;
	struct stat st;

	check(stat(c->root, &st) == 0 && (st.st_mode & 077) == 0, "the directory is the user's alone");
	cache_put(c, "k2", "two", 3);
	options.poison_cache = true;
	open_cache(&other);
	check(!holds(&other, "k2", "two", 3), "--poison-cache finds nothing");
	cache_put(&other, "k3", "three", 5);
	cache_close(&other);
	options.poison_cache = false;
	check(holds(c, "k3", "three", 5), "but stores");
	dir.is_disabled = true;
	open_cache(&other);
	check(!holds(&other, "k2", "two", 3) && !str_starts(other.root, home),
	      "--disable-cache uses another directory");
	cache_close(&other);
	dir.is_disabled = false;
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", home, 1);
	open_cache(&other);
	check(str_ends(other.root, "/.cache/tapc"), "HOME names the cache without XDG_CACHE_HOME");
	cache_close(&other);
	setenv("XDG_CACHE_HOME", home, 1);
	cache_clean(c);
	check(!holds(c, "k2", "two", 3) && dir_exists(c->root), "--clean-cache removes all entries");
}

static void test_limit(struct cache *c)
{
	static char value[10000];
	struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } }, later[2] = { { 1ll << 32, 0 }, { 1ll << 32, 0 } };

	c->limit = 35000;
	cache_put(c, "a", value, sizeof(value));
	cache_put(c, "b", value, sizeof(value));
	cache_put(c, "c", value, sizeof(value));
	utimensat(AT_FDCWD, entry("a"), old, 0);
	utimensat(AT_FDCWD, entry("b"), old, 0);
	holds(c, "a", value, sizeof(value));		/* makes it the most recently used */
	file_write(entry("b.xyzxyz"), "left", 4);
	utimensat(AT_FDCWD, entry("b.xyzxyz"), old, 0);
	cache_put(c, "d", value, sizeof(value));
	check(file_exists(entry("a")) && !file_exists(entry("b")) && file_exists(entry("c")) &&
	      file_exists(entry("d")), "the least recently used entry makes room");
	check(!file_exists(entry("b.xyzxyz")), "and so does what a killed run left");
	utimensat(AT_FDCWD, entry("a"), later, 0);
	utimensat(AT_FDCWD, entry("d"), later, 0);
	utimensat(AT_FDCWD, entry("c"), later, 0);
	cache_put(c, "e", value, sizeof(value));
	check(holds(c, "e", value, sizeof(value)), "a new entry stays, even if the clock was set back");
	c->limit = CACHE_LIMIT;
}

/* Concurrent readers and writers of one key: each reader sees a complete value of one writer. */
static void test_concurrency(struct cache *c)
{
	bool good = true;
	int status;

	cache_put(c, "race", "start", 5);
	for (int p = 0; p < 8; p++) {
		if (fork())
			continue;
		static char value[30000];
		size_t n;

		for (int i = 0; i < 200; i++) {
			char *data;

			memset(value, 'a' + p, sizeof(value));
			if (p % 2 && !cache_put(c, "race", value, sizeof(value)))
				_exit(1);
			data = cache_get(c, "race", &n);
			if (!data)
				_exit(2);
			for (size_t k = 1; n > 5 && k < n; k++)
				if (data[k] != data[0])
					_exit(3);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		good = good && status == 0;
	check(good, "concurrent readers and writers see whole entries");
}

static void test_no_space(struct cache *c)
{
	check(!cache_put(c, "no/such/directory", "x", 1), "a value that cannot be written is reported");
}

int main(void)
{
	struct cache c;

	dir.arena = arena_open();
	home = scratch_template("tapc-unit-cache");
	if (!mkdtemp(home))
		return 2;
	setenv("XDG_CACHE_HOME", home, 1);
	open_cache(&c);
	test_keys();
	test_damage(&c);
	test_modes(&c);
	test_limit(&c);
	test_concurrency(&c);
	test_no_space(&c);
	cache_close(&c);
	dir_remove(home);
	arena_close(dir.arena);
	printf("1..%u\n", count);
	return failures ? 1 : 0;
}
