/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are kept between runs: a header with a hash, followed by the content. */
#include "debuginfo/kept.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"

/* Increment this when the format or meaning of any kept content changes. */
enum { KEPT_VERSION = 6 };

struct kept_header {
	char magic[8];
	uint32_t version, header_size;
	uint64_t size, hash;		/* of the content */
};

static const char magic[8] = "tapkept";

static bool is_whole(const struct kept_file *f)
{
	const struct kept_header *h = f->data;
	const uint8_t *content = (const uint8_t *)f->data + sizeof(*h);

	return memcmp(h->magic, magic, sizeof(magic)) == 0 && h->version == KEPT_VERSION &&
	       h->header_size == sizeof(*h) && h->size == f->size - sizeof(*h) &&
	       h->hash == hash_large(content, f->size - sizeof(*h));
}

bool kept_open(struct kept_file *f, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	*f = (struct kept_file){ 0 };
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size <= (off_t)sizeof(struct kept_header))
		return false;
	f->size = (size_t)st.st_size;
	f->data = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (f->data == MAP_FAILED) {
		*f = (struct kept_file){ 0 };
		return false;
	}
	if (!is_whole(f)) {
		kept_close(f);
		return false;
	}
	f->content = (struct bytes){ (const uint8_t *)f->data + sizeof(struct kept_header),
				     f->size - sizeof(struct kept_header), 0 };
	return true;
}

void kept_close(struct kept_file *f)
{
	if (f->data)
		munmap(f->data, f->size);
	*f = (struct kept_file){ 0 };
}

bool kept_save(const char *path, const void *content, size_t size)
{
	struct kept_header h = { .version = KEPT_VERSION, .header_size = sizeof(h), .size = size,
				 .hash = hash_large(content, size) };
	_cleanup_free_ uint8_t *file = xcalloc(1, sizeof(h) + size);

	memcpy(h.magic, magic, sizeof(magic));
	memcpy(file, &h, sizeof(h));
	memcpy(file + sizeof(h), content, size);
	return file_write(path, file, sizeof(h) + size);
}
