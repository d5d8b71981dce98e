// SPDX-License-Identifier: GPL-2.0-or-later
/* A program's file is read rather than mapped: anyone with write access could truncate a mapped file, and
 * SIGBUS would kill this process. Debug files belong to root and are mapped. */
#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binary.h"
#include "frames.h"
#include "common/host.h"
#include "lines.h"
#include "symbols.h"
#include "unpack.h"
#include "tables.h"

enum { MOST_BUILD_ID = 64, VDSO_MOST = 64 << 10, MOST_FILE = 512 << 20 };

struct mapped {
	void *data;			/* NULL: not mapped */
	size_t size;
};

static struct mapped map_file(int fd)
{
	struct mapped m = { 0 };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return m;
	m.size = (size_t)st.st_size;
	m.data = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (m.data == MAP_FAILED)
		m.data = NULL;
	return m;
}

static void unmap_file(struct mapped *m)
{
	if (m->data)
		munmap(m->data, m->size);
}

/* The path where packages install separate debug files. */
static int open_debug_file(const struct binary *b)
{
	char path[sizeof("/usr/lib/debug/.build-id/xx/.debug") + 2 * MOST_BUILD_ID];
	struct bytes id;
	int n;

	if (!binary_build_id(b, &id) || bytes_left(&id) < 2 || bytes_left(&id) > MOST_BUILD_ID)
		return -1;
	n = sprintf(path, "/usr/lib/debug/.build-id/%02x/", bytes_byte(&id));
	while (bytes_left(&id))
		n += sprintf(path + n, "%02x", bytes_byte(&id));
	strcpy(path + n, ".debug");
	return open(path, O_RDONLY | O_CLOEXEC);
}

struct sources {
	struct binary main, debug, packed;
	struct mapped debug_file;
	void *unpacked;
};

static void read_everything(struct sources *s, bool lines, struct tables *t)
{
	size_t size;
	int fd = open_debug_file(&s->main);

	s->debug_file = map_file(fd);
	host_close(&fd);
	s->unpacked = unpack_symbols(&s->main, &size);
	if (!frames_read(&s->main, &s->main, t) && s->debug_file.data &&
	    binary_open(&s->debug, s->debug_file.data, s->debug_file.size))
		frames_read(&s->debug, &s->main, t);
	symbols_read(&s->main, &s->main, t);
	if (s->debug_file.data && binary_open(&s->debug, s->debug_file.data, s->debug_file.size))
		symbols_read(&s->debug, &s->main, t);
	if (lines)
		lines_read(&s->main, &s->main, t);
	if (lines && s->debug.data && !t->lines.count)
		lines_read(&s->debug, &s->main, t);
	if (s->unpacked && binary_open(&s->packed, s->unpacked, size))
		symbols_read(&s->packed, &s->main, t);
}

static struct tap_image_head *image_of(const struct mapped *m, const char *path, bool lines, size_t *size)
{
	struct sources s = { 0 };
	struct tap_image_head *head;
	struct tables t;

	tables_init(&t, path);
	if (m->data && binary_open(&s.main, m->data, m->size))
		read_everything(&s, lines, &t);
	head = tables_pack(&t, size);
	tables_free(&t);
	free(s.unpacked);
	unmap_file(&s.debug_file);
	return head;
}

struct tap_image_head *image_of_file(int fd, const char *path, bool lines, size_t *size)
{
	struct mapped m = { 0 };
	struct tap_image_head *head;

	if (fd >= 0)
		m.data = host_read_file(fd, MOST_FILE, &m.size);
	head = image_of(&m, path, lines, size);
	free(m.data);
	return head;
}

/* The vDSO is mapped into this process, too; its size follows from its own headers. */
struct tap_image_head *image_of_vdso(size_t *size)
{
	const char *at = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);	/* NOLINT */
	struct mapped m = { .data = (void *)(uintptr_t)at };
	Elf64_Ehdr head;

	if (!at)
		return NULL;
	memcpy(&head, at, sizeof(head));
	m.size = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
	if (m.size > VDSO_MOST || m.size < sizeof(head))
		return NULL;
	return image_of(&m, "vdso", false, size);
}
