/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files as bytes in memory, and decompression.
 *
 * Output goes into one anonymous mapping that is larger than needed: it never grows and is never
 * copied. Its size limits what a damaged or malicious file can write. */
#include "debuginfo/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/util.h"

enum {
	LARGEST = 512 << 20,		/* a distribution's kernel unpacks to 55 to 70 MiB */
	LARGEST_RATIO = 64,		/* 10 is usual; the kernel's .init.scratch is 4 MiB of zeros */
	LEAST_ROOM = 16 << 20,
	LZMA_MEMORY = 256 << 20,	/* the kernel's build uses dictionaries of up to 128 MiB */
};

bool bytes_open(const char *path, struct bytes *b)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p;

	*b = (struct bytes){ 0 };
	if (fd < 0 || fstat(fd, &st) < 0)
		return false;
	if (!S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	if (st.st_size == 0)
		return true;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	*b = (struct bytes){ p, (size_t)st.st_size, (size_t)st.st_size };
	return true;
}

void bytes_close(struct bytes *b)
{
	if (b->mapped)
		munmap((void *)(uintptr_t)b->data, b->mapped);
	*b = (struct bytes){ 0 };
}

const uint8_t *bytes_at(const struct bytes *b, uint64_t offset, uint64_t size)
{
	return offset <= b->size && size <= b->size - offset ? b->data + offset : NULL;
}

struct room {
	uint8_t *data;
	size_t size, used;
};

static const char *unpack_gzip(const struct bytes *in, struct room *out)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in->data, .avail_in = (uInt)in->size,
		       .next_out = out->data, .avail_out = (uInt)out->size };
	int status;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return "not enough memory to unpack it";
	status = inflate(&z, Z_FINISH);
	out->used = out->size - z.avail_out;
	inflateEnd(&z);
	if (status == Z_STREAM_END)
		return NULL;
	return z.avail_out ? "the gzip data in it is damaged" : "its unpacked size is too large";
}

static const char *lzma_run(lzma_stream *s, const struct bytes *in, struct room *out)
{
	lzma_ret status;

	s->next_in = in->data;
	s->avail_in = in->size;
	s->next_out = out->data;
	s->avail_out = out->size;
	status = lzma_code(s, LZMA_FINISH);
	out->used = out->size - s->avail_out;
	lzma_end(s);
	if (status == LZMA_STREAM_END)
		return NULL;
	if (status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR)
		return "the xz data in it needs too much memory";
	return s->avail_out ? "the xz data in it is damaged" : "its unpacked size is too large";
}

static const char *unpack_xz(const struct bytes *in, struct room *out)
{
	lzma_stream s = LZMA_STREAM_INIT;

	if (lzma_stream_decoder(&s, LZMA_MEMORY, 0) != LZMA_OK)
		return "not enough memory to unpack it";
	return lzma_run(&s, in, out);
}

static const char *unpack_lzma(const struct bytes *in, struct room *out)
{
	lzma_stream s = LZMA_STREAM_INIT;

	if (lzma_alone_decoder(&s, LZMA_MEMORY) != LZMA_OK)
		return "not enough memory to unpack it";
	return lzma_run(&s, in, out);
}

/* Not ZSTD_decompress: it needs to know where the stream ends, and in a kernel image the size of
 * the unpacked data follows the stream. */
static const char *unpack_zstd(const struct bytes *in, struct room *out)
{
	ZSTD_inBuffer input = { in->data, in->size, 0 };
	ZSTD_outBuffer output = { out->data, out->size, 0 };
	ZSTD_DCtx *context = ZSTD_createDCtx();
	size_t status = 1;

	if (!context)
		return "not enough memory to unpack it";
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
	while (status && !ZSTD_isError(status) && output.pos < output.size) {
		size_t before = input.pos + output.pos;

		status = ZSTD_decompressStream(context, &output, &input);
		if (input.pos + output.pos == before)
			break;
	}
	out->used = output.pos;
	ZSTD_freeDCtx(context);
	if (status == 0)
		return NULL;
	return output.pos < output.size ? "the zstd data in it is damaged" : "its unpacked size is too large";
}

/* A length continues in further bytes while they are 255. */
static bool lz4_length(const uint8_t **p, const uint8_t *end, size_t *length)
{
	uint8_t more = 255;

	if (*length < 15)
		return true;
	while (more == 255) {
		if (*p == end)
			return false;
		more = *(*p)++;
		*length += more;
	}
	return true;
}

static void lz4_copy(struct room *out, size_t n, size_t back)
{
	uint8_t *to = out->data + out->used;

	out->used += n;
	if (back >= n) {
		memcpy(to, to - back, n);
		return;
	}
	while (n--) {
		*to = *(to - back);
		to++;
	}
}

/* Sequences of literals and of a copy of earlier output (lz4_Block_format.md). A copy may overlap
 * its own output, which repeats it. */
static bool lz4_block(const uint8_t *p, const uint8_t *end, struct room *out)
{
	size_t start = out->used;

	while (p < end) {
		size_t literals = *p >> 4, copy = *p & 15, back;

		p++;
		if (!lz4_length(&p, end, &literals) || literals > (size_t)(end - p) ||
		    literals > out->size - out->used)
			return false;
		memcpy(out->data + out->used, p, literals);
		out->used += literals;
		p += literals;
		if (p == end)
			return true;
		if (end - p < 2)
			return false;
		back = load16(p);
		p += 2;
		if (!lz4_length(&p, end, &copy) || !back || back > out->used - start ||
		    copy + 4 > out->size - out->used)
			return false;
		lz4_copy(out, copy + 4, back);
	}
	return true;
}

/* The legacy format of lz4 -l, as used by kernels: blocks, each preceded by its size, followed
 * by the total size. */
static const char *unpack_lz4(const struct bytes *in, struct room *out)
{
	size_t at = 4;

	while (at + 4 < in->size) {
		uint32_t size = load32(in->data + at);

		at += 4;
		if (!size)
			break;
		if (size > in->size - at || !lz4_block(in->data + at, in->data + at + size, out))
			return "the lz4 data in it is damaged";
		at += size;
	}
	return NULL;
}

struct packing {
	const char *name, *magic;
	size_t magic_size;
	const char *(*unpack)(const struct bytes *in, struct room *out);	/* NULL: not supported */
};

static const struct packing packings[] = {
	{ "gzip", "\x1f\x8b\x08", 3, unpack_gzip },
	{ "xz", "\xfd" "7zXZ\0", 6, unpack_xz },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, unpack_zstd },
	{ "lzma", "\x5d\0\0", 3, unpack_lzma },
	{ "bzip2", "BZh", 3, NULL },
	{ "lz4", "\x02\x21\x4c\x18", 4, unpack_lz4 },
	{ "lz4 frames", "\x04\x22\x4d\x18", 4, NULL },
	{ "lzo", "\x89LZO\0\r\n\x1a\n", 9, NULL },
};

static const struct packing *packing_of(const struct bytes *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++)
		if (b->size > packings[i].magic_size &&
		    memcmp(b->data, packings[i].magic, packings[i].magic_size) == 0)
			return &packings[i];
	return NULL;
}

const char *packing_name(const struct bytes *b)
{
	const struct packing *p = packing_of(b);

	return p ? p->name : NULL;
}

static bool reserve(const struct bytes *in, struct room *room)
{
	size_t size = LARGEST;
	void *p;

	if (in->size < (LARGEST - LEAST_ROOM) / LARGEST_RATIO)
		size = in->size * LARGEST_RATIO + LEAST_ROOM;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*room = (struct room){ p, size, 0 };
	return p != MAP_FAILED;
}

/* Unmap the unused part. */
static void shrink(struct room *room, struct bytes *out)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), keep = (room->used + page - 1) & ~(page - 1);

	if (keep < room->size)
		munmap(room->data + keep, room->size - keep);
	*out = (struct bytes){ room->data, room->used, keep };
}

bool unpack(struct arena *a, const struct bytes *in, struct bytes *out, const char **reason)
{
	const struct packing *p = packing_of(in);
	struct room room;
	const char *error;

	*out = (struct bytes){ 0 };
	if (!p || !p->unpack) {
		*reason = p ? arena_printf(a, "it is packed with %s, which is not supported",
					   p->name) :
			      "it is packed in an unknown way";
		return false;
	}
	if (in->size > LARGEST || !reserve(in, &room)) {
		*reason = in->size > LARGEST ? "it is too large" : "not enough memory to unpack it";
		return false;
	}
	error = p->unpack(in, &room);
	if (error)
		room.used = 0;
	shrink(&room, out);
	*reason = error;
	return !error;
}
