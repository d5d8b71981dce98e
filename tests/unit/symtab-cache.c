/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cached index answers like a new one; one damaged in any way is rebuilt silently. */
#include "debuginfo-image.h"
#include "debuginfo/symbols/symbols.h"

#include <dirent.h>
#include <sys/wait.h>

static struct fake fake;
static unsigned readings;

static void progress(void *data, const char *what)
{
	(void)data;
	(void)what;
	readings++;
}

static struct debuginfo *open_kernel(const char *cache)
{
	struct debuginfo_request r = { .release = "1.2.3-test", .sysroot = scratch, .cache = cache,
				       .progress = progress };

	readings = 0;
	return debuginfo_kernel(arena, &r);
}

static uint64_t hash_of_all(struct debuginfo *d)
{
	struct symbols all = { 0 };
	struct debuginfo_facts facts;
	uint64_t h = HASH_START;

	if (debuginfo_functions(d, "*", &all) != DEBUGINFO_FOUND ||
	    debuginfo_data(d, "*", &all) != DEBUGINFO_FOUND)
		return 0;
	vec_each (s, &all.list) {
		h = hash_string(h, s->name);
		h = hash_bytes(h, &s->offset, sizeof(s->offset));
		h = hash_bytes(h, &s->size, sizeof(s->size));
		h = hash_bytes(h, &s->flags, sizeof(s->flags));
		h = hash_bytes(h, &s->obstacle, sizeof(s->obstacle));
		h = hash_bytes(h, &s->site, sizeof(s->site));
	}
	debuginfo_facts(d, &facts);
	h = hash_string(h, facts.source);
	h = hash_bytes(h, facts.build_id, facts.build_id_size);
	return hash_bytes(h, &facts.notes_offset, sizeof(facts.notes_offset));
}

static uint64_t ask(const char *cache)
{
	struct debuginfo *d = open_kernel(cache);
	uint64_t h = hash_of_all(d);

	debuginfo_close(d);
	return h;
}

/* The only file in the cache whose name begins with PREFIX. */
static char *kept(const char *cache, const char *prefix)
{
	DIR *dir = opendir(cache);
	char *found = NULL;

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (str_starts(e->d_name, prefix))
			found = arena_printf(arena, "%s/%s", cache, e->d_name);
	if (dir)
		closedir(dir);
	return found;
}

static size_t count_files(const char *cache)
{
	DIR *dir = opendir(cache);
	size_t n = 0;

	for (struct dirent *e; dir && (e = readdir(dir));)
		n += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static void test_damage(const char *cache, uint64_t truth)
{
	char *path = kept(cache, "symbols-"), *whole;
	size_t size;

	whole = path ? file_read(arena, path, &size) : NULL;
	check(whole && size > 10000, "an index was kept");
	for (unsigned i = 0; whole && i < 300; i++) {
		char *bad = arena_strndup(arena, whole, size);
		size_t n = size;

		if (i % 3 == 0)		/* damage the headers more often */
			bad[random_below(i % 2 ? 200 : (uint32_t)size)] ^= (char)(1 << random_below(8));
		else if (i % 3 == 1)
			n = random_below((uint32_t)size);
		else
			memset(bad + random_below((uint32_t)size - 512), 0, 512);
		if (n == size && !memcmp(bad, whole, n))
			continue;
		file_write(path, bad, n);
		check(ask(cache) == truth && readings == 1, "damaged file %u is rebuilt", i);
	}
	check(ask(cache) == truth && readings == 0, "and the new one is good");
	file_write(path, "", 0);
	check(ask(cache) == truth && readings == 1, "an empty file");
	unlink(path);
	dir_make(path, 0755);
	check(ask(cache) == truth && readings == 1, "a directory in its place");
	rmdir(path);
	if (symlink("/dev/zero", path))
		exit(2);
	check(ask(cache) == truth && readings == 1, "a link in its place");
	ask(cache);
	check(readings == 0, "which is replaced");
}

static void test_change(const char *cache, uint64_t truth)
{
	struct buffer vmlinux, image;

	fake.sites.n -= 100;
	vmlinux = make_kernel(&fake, LAYOUT_6_12);
	image = make_bzimage(arena, &vmlinux, "gzip");
	put_file("boot/vmlinuz-1.2.3-test", image.b.items, image.b.n);
	check(ask(cache) != truth && readings == 1, "another kernel of the same name is not mixed up");
	check(ask(cache) != truth && readings == 0, "and is kept too");
}

static void test_at_once(const char *cache, uint64_t truth)
{
	enum { PROCESSES = 8 };
	int good = 0, status;

	dir_remove(cache);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			_exit(ask(cache) == truth ? 0 : 1);
	while (wait(&status) > 0)
		good += status == 0;
	check(good == PROCESSES, "%d of %d processes at once had it right", good, PROCESSES);
	check(count_files(cache) == 1, "and left one file, not %zu", count_files(cache));
}

int main(void)
{
	struct buffer vmlinux, image;
	const char *cache;
	uint64_t truth;

	scratch_open();
	cache = arena_printf(arena, "%s/cache/deep/down", scratch);
	fake = fake_open(arena, true);
	vmlinux = make_kernel(&fake, LAYOUT_6_12);
	image = make_bzimage(arena, &vmlinux, "gzip");
	put_file("boot/vmlinuz-1.2.3-test", image.b.items, image.b.n);
	truth = ask(NULL);
	check(truth != 0 && readings == 1, "without a cache");
	check(ask(cache) == truth && readings == 1, "the first time");
	check(ask(cache) == truth && readings == 0, "the second time");
	check(ask("/proc/no/such/place") == truth && readings == 1, "a cache that cannot be made");
	test_damage(cache, truth);
	test_at_once(cache, truth);
	test_change(cache, truth);
	scratch_close();
	return report();
}
