/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image in memory. A kernel on disk is a small loader with the packed ELF file, including its sections. So a
 * kernel without a debug package has nearly everything except its symbol table, and that is in .rodata as kallsyms.
 *
 * Section headers are read here and not through libelf, because a kernel on disk is either complete or useless, and
 * every size is checked once, in one place. */
#include "image.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "staging/common/elf_wide.h"
#include "base/util.h"

static enum debuginfo_answer broken(const char **reason, const char *text)
{
	*reason = text;
	return DEBUGINFO_BROKEN;
}

static bool is_elf(const struct bytes *b)
{
	return b->size >= sizeof(Elf64_Ehdr) && memcmp(b->data, ELFMAG, SELFMAG) == 0;
}

static const char *section_name(const struct bytes *strings, uint32_t offset)
{
	if (offset >= strings->size || !memchr(strings->data + offset, '\0', strings->size - offset))
		return "";
	return (const char *)strings->data + offset;
}

static struct bytes section_bytes(const struct bytes *file, const Elf64_Shdr *s)
{
	const uint8_t *p = s->sh_type == SHT_NOBITS ? NULL : bytes_at(file, s->sh_offset, s->sh_size);

	return p ? (struct bytes){ p, s->sh_size, 0 } : (struct bytes){ 0 };
}

static const char *check_elf_header(const Elf64_Ehdr *h)
{
	uint16_t one = 1;
	uint8_t order = *(uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB;

	if (h->e_ident[EI_CLASS] != ELFCLASS64 && h->e_ident[EI_CLASS] != ELFCLASS32)
		return "it is neither 32-bit nor 64-bit";
	if (h->e_ident[EI_DATA] != order)
		return "its byte order is not supported";
	if (h->e_shentsize != ELF_WIDE_SIZE(Shdr, h->e_ident[EI_CLASS] == ELFCLASS32) || !h->e_shoff)
		return "it has no section headers";
	return NULL;
}

bool image_header(const struct image *image, Elf64_Ehdr *h)
{
	if (!is_elf(&image->bytes))
		return false;
	*h = elf_wide_header(image->bytes.data, image->is_narrow);
	return true;
}

bool image_segment(const struct image *image, size_t i, Elf64_Phdr *segment)
{
	size_t size = ELF_WIDE_SIZE(Phdr, image->is_narrow);
	const uint8_t *p;
	Elf64_Ehdr h;

	if (!image_header(image, &h) || i >= h.e_phnum || h.e_phentsize != size)
		return false;
	p = bytes_at(&image->bytes, h.e_phoff + i * size, size);
	if (p)
		*segment = elf_wide_segment(p, image->is_narrow);
	return p != NULL;
}

static enum debuginfo_answer read_elf(struct arena *a, struct image *image, const char **reason)
{
	const struct bytes *file = &image->bytes;
	bool narrow = image->is_narrow = file->data[EI_CLASS] == ELFCLASS32;
	size_t size = ELF_WIDE_SIZE(Shdr, narrow);
	struct bytes strings = { 0 };
	const uint8_t *table;
	Elf64_Ehdr h;
	Elf64_Shdr s;
	uint64_t n;

	image_header(image, &h);
	*reason = check_elf_header(&h);
	if (*reason)
		return DEBUGINFO_BROKEN;
	table = bytes_at(file, h.e_shoff, size);
	if (!table)
		return broken(reason, "its section headers are truncated");
	/* more than 65,279 sections: their number is in the first header */
	s = elf_wide_section(table, narrow);
	n = h.e_shnum ? h.e_shnum : s.sh_size;
	if (n > file->size / size || !bytes_at(file, h.e_shoff, n * size))
		return broken(reason, "its section headers are truncated");
	if (h.e_shstrndx < n) {
		s = elf_wide_section(table + h.e_shstrndx * size, narrow);
		strings = section_bytes(file, &s);
	}
	image->machine = h.e_machine;
	image->is_relocatable = h.e_type == ET_REL;
	image->sections = arena_array(a, struct image_section, n + 1);
	image->section_count = n;
	for (size_t i = 0; i < n; i++) {
		s = elf_wide_section(table + i * size, narrow);
		image->sections[i] = (struct image_section){
			.name = arena_strdup(a, section_name(&strings, s.sh_name)),
			.address = s.sh_addr, .size = s.sh_size, .type = s.sh_type,
			.flags = s.sh_flags, .link = s.sh_link, .info = s.sh_info,
			.entry_size = s.sh_entsize,
			.bytes = section_bytes(file, &s),
		};
	}
	return DEBUGINFO_FOUND;
}

/* Images that boot loaders load as they are, with a header of 64 bytes: Documentation/arch/arm64/booting.rst,
 * riscv/boot-image-header.rst. */
static const struct raw_form {
	char magic[4];			/* at 56 */
	uint16_t machine;
	Elf64_Xword relative;		/* r_info of its base-relative relocations */
	uint64_t patchable;		/* what -fpatchable-function-entry leaves at the start of functions */
} raw_forms[] = {
	{ "ARM\x64", EM_AARCH64, R_AARCH64_RELATIVE, 0xd503201fd503201f },
	{ "RSC\x05", EM_RISCV, R_RISCV_RELATIVE, 0x0001000100010001 },
};

static const struct raw_form *raw_form(const struct bytes *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(raw_forms); i++)
		if (b->size > 64 && memcmp(b->data + 56, raw_forms[i].magic, sizeof(raw_forms[i].magic)) == 0)
			return &raw_forms[i];
	return NULL;
}

/* Documentation/arch/x86/boot.rst: the payload; size 0 if this is not a bzImage. */
static struct bytes bzimage_payload(const struct bytes *b)
{
	const uint8_t *p;
	uint64_t offset, size;

	if (b->size < 0x250 || load16(b->data + 0x1fe) != 0xaa55 || memcmp(b->data + 0x202, "HdrS", 4) ||
	    load16(b->data + 0x206) < 0x208)
		return (struct bytes){ 0 };
	offset = ((b->data[0x1f1] ? b->data[0x1f1] : 4) + 1) * 512ull + load32(b->data + 0x248);
	size = load32(b->data + 0x24c);
	p = bytes_at(b, offset, size);
	return p ? (struct bytes){ p, size, 0 } : (struct bytes){ 0 };
}

/* drivers/firmware/efi/libstub/zboot-header.S */
static struct bytes zboot_payload(const struct bytes *b)
{
	const uint8_t *p;

	if (b->size < 64 || memcmp(b->data, "MZ", 2) || memcmp(b->data + 4, "zimg", 4))
		return (struct bytes){ 0 };
	p = bytes_at(b, load32(b->data + 8), load32(b->data + 12));
	return p ? (struct bytes){ p, load32(b->data + 12), 0 } : (struct bytes){ 0 };
}

static struct bytes packed_part(const struct bytes *file)
{
	struct bytes payload;

	if (packing_name(file))
		return (struct bytes){ file->data, file->size, 0 };
	payload = bzimage_payload(file);
	return payload.size ? payload : zboot_payload(file);
}

/* No header of a raw image points to its relocations: they are found as a long sequence of the same type. */
static struct bytes find_relocations(const struct bytes *b, Elf64_Xword relative)
{
	enum { LEAST = 1000 };
	const size_t before = offsetof(Elf64_Rela, r_info);
	const uint8_t *p = b->data + before, *end = b->data + b->size;

	while (p < end && (p = memmem(p, (size_t)(end - p), &relative, sizeof(relative)))) {
		struct bytes found = { p - before, 0, 0 };

		while ((size_t)(end - found.data) >= found.size + sizeof(Elf64_Rela) &&
		       load64(found.data + found.size + before) == relative)
			found.size += sizeof(Elf64_Rela);
		if (found.size >= LEAST * sizeof(Elf64_Rela))
			return found;
		p++;
	}
	return (struct bytes){ 0 };
}

static enum debuginfo_answer read_image(struct arena *a, struct image *image, const char **reason)
{
	const struct raw_form *raw = raw_form(&image->bytes);

	if (is_elf(&image->bytes))
		return read_elf(a, image, reason);
	if (raw) {
		image->machine = raw->machine;
		image->relocations = find_relocations(&image->bytes, raw->relative);
		return DEBUGINFO_FOUND;
	}
	return broken(reason, "it is neither an ELF file nor a kernel image of a known kind");
}

enum debuginfo_answer image_of_bytes(struct arena *a, const char *name, struct bytes bytes,
				     struct image *image, const char **reason)
{
	enum debuginfo_answer answer;

	*image = (struct image){ .path = name, .bytes = bytes };
	answer = read_image(a, image, reason);
	if (answer != DEBUGINFO_FOUND) {
		*reason = arena_printf(a, "%s: %s", name, *reason);
		image_close(image);
	}
	return answer;
}

enum debuginfo_answer image_open_program(struct arena *a, const char *path, struct image *image,
					 const char **reason)
{
	struct bytes file, payload, unpacked;

	*image = (struct image){ .path = path };
	if (!bytes_open(path, &file)) {
		*reason = arena_printf(a, "%s: %s", path, strerror(errno));
		return DEBUGINFO_ABSENT;
	}
	payload = packed_part(&file);
	/* an arm64 image in an EFI wrapper in a signed, packed file: never more than two wrappers */
	for (int depth = 0; payload.size && depth < 2; depth++) {
		bool ok = unpack(a, &payload, &unpacked, reason);

		bytes_close(&file);
		file = unpacked;
		if (!ok) {
			bytes_close(&file);
			*reason = arena_printf(a, "%s: %s", path, *reason);
			return DEBUGINFO_BROKEN;
		}
		payload = packed_part(&file);
	}
	return image_of_bytes(a, path, file, image, reason);
}

enum debuginfo_answer image_open(struct arena *a, const char *path, struct image *image,
				 const char **reason)
{
	enum debuginfo_answer answer = image_open_program(a, path, image, reason);

	if (answer != DEBUGINFO_FOUND || !image->is_narrow)
		return answer;
	image_close(image);
	return broken(reason, arena_printf(a, "%s: it is not for a 64-bit machine", path));
}

void image_close(struct image *image)
{
	bytes_close(&image->bytes);
	image->sections = NULL;
	image->section_count = 0;
}

const struct image_section *image_section(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->section_count; i++)
		if (str_equal(image->sections[i].name, name))
			return &image->sections[i];
	return NULL;
}

const uint8_t *image_at(const struct image *image, uint64_t address, uint64_t size)
{
	if (!image->sections)
		return address < image->raw_base ? NULL :
						   bytes_at(&image->bytes, address - image->raw_base, size);
	for (size_t i = 0; i < image->section_count; i++) {
		const struct image_section *s = &image->sections[i];

		if ((s->flags & SHF_ALLOC) && address >= s->address &&
		    address - s->address < s->bytes.size)
			return bytes_at(&s->bytes, address - s->address, size);
	}
	return NULL;
}

static Elf64_Rela relocation(const struct image *image, size_t i)
{
	Elf64_Rela r;

	memcpy(&r, image->relocations.data + i * sizeof(r), sizeof(r));
	return r;
}

uint64_t image_pointer(const struct image *image, uint64_t address)
{
	const uint8_t *p = image_at(image, address, 8);
	size_t low = 0, high = image->relocations.size / sizeof(Elf64_Rela);
	uint64_t value = p ? load64(p) : 0;

	while (!value && low < high) {
		size_t middle = low + (high - low) / 2;
		Elf64_Rela r = relocation(image, middle);

		if (r.r_offset == address)
			return (uint64_t)r.r_addend;
		if (r.r_offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return value;
}

/* The address at which a kernel is linked is a multiple of 2 MB (MIN_KIMG_ALIGN of
 * arch/arm64/include/asm/boot.h); no other pointer was found to match. */
bool image_place_raw(struct image *image, uint64_t at, uint64_t *value)
{
	enum { ALIGN = 2 << 20 };

	for (size_t i = 0; i < image->relocations.size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela r = relocation(image, i);
		uint64_t base = r.r_offset - at, into = (uint64_t)r.r_addend - base;

		if (base % ALIGN || into >= ALIGN)
			continue;
		image->raw_base = base;
		*value = (uint64_t)r.r_addend;
		return true;
	}
	return false;
}

/* Does the function at ADDRESS begin with the nops of -fpatchable-function-entry? */
static bool is_patchable(const struct image *image, const struct raw_form *raw, uint64_t address)
{
	const uint8_t *p = image_at(image, address, sizeof(raw->patchable));

	return p && load64(p) == raw->patchable;
}

/* The list of patchable functions (__start_mcount_loc) is the longest sequence of pointers to such
 * functions: it has tens of thousands, while tables of operations have some hundreds. */
uint64_t *image_patchable(struct arena *a, const struct image *image, size_t *n)
{
	enum { LEAST = 5000 };
	size_t count = image->relocations.size / sizeof(Elf64_Rela), best = 0, run = 0;
	const struct raw_form *raw = raw_form(&image->bytes);
	Elf64_Addr last = 0;
	uint64_t *list;

	*n = 0;
	for (size_t i = 0; i < count && image->raw_base && raw; i++) {
		Elf64_Rela r = relocation(image, i);

		if (!is_patchable(image, raw, (uint64_t)r.r_addend))
			run = 0;
		else if (run && r.r_offset == last + 8)
			run++;
		else
			run = 1;
		last = r.r_offset;
		if (run > *n) {
			*n = run;
			best = i + 1 - run;
		}
	}
	if (*n < LEAST) {
		*n = 0;
		return NULL;
	}
	list = arena_array(a, uint64_t, *n);
	for (size_t i = 0; i < *n; i++)
		list[i] = (uint64_t)relocation(image, best + i).r_addend;
	return list;
}

/* Is the data at AT part of an ELF file that is embedded in the image, such as the vdso? */
static bool is_in_file(const struct bytes *b, uint64_t at)
{
	enum { PAGE = 4096, LARGEST = 1 << 20 };

	for (uint64_t start = at & ~(PAGE - 1ull);; start -= PAGE) {
		const uint8_t *h = bytes_at(b, start, sizeof(Elf64_Ehdr));
		uint64_t size = 0;

		if (h && memcmp(h, ELFMAG, SELFMAG) == 0)
			size = h[EI_CLASS] == ELFCLASS64 ?
			       load64(h + offsetof(Elf64_Ehdr, e_shoff)) : load32(h + offsetof(Elf32_Ehdr, e_shoff));
		if (size)
			return at - start < size;
		if (!start || at - start > LARGEST)
			return false;
	}
}

/* The only build-id note outside of embedded files; if there are several, the owner is unknown. */
static struct bytes find_own_note(const struct bytes *b)
{
	static const uint8_t head[] = { 4, 0, 0, 0, 20, 0, 0, 0, NT_GNU_BUILD_ID, 0, 0, 0, 'G', 'N', 'U', 0 };
	const uint8_t *p = b->data, *end = b->data + b->size;
	struct bytes found = { 0 };

	while ((p = memmem(p, (size_t)(end - p), head, sizeof(head)))) {
		uint64_t at = (uint64_t)(p - b->data);

		if (bytes_at(b, at, sizeof(head) + 20) && !is_in_file(b, at)) {
			if (found.size)
				return (struct bytes){ 0 };
			found = (struct bytes){ p, sizeof(head) + 20, 0 };
		}
		p += sizeof(head);
	}
	return found;
}

struct bytes image_notes(const struct image *image, uint64_t *address)
{
	const struct image_section *s = image_section(image, ".notes");
	struct bytes found = { 0 };

	if (s) {
		*address = s->address;
		return s->bytes;
	}
	if (!image->sections && image->raw_base)
		found = find_own_note(&image->bytes);
	*address = found.size ? image->raw_base + (uint64_t)(found.data - image->bytes.data) : 0;
	return found;
}

/* In a raw image BTF is recognized by its header: magic, version 1, no flags, 24 bytes long, and
 * types and strings that follow each other inside the image. */
static struct bytes find_btf(const struct bytes *b)
{
	static const uint8_t header[] = { 0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0 };
	const uint8_t *p = b->data, *end = b->data + b->size;

	while (p < end && (p = memmem(p, (size_t)(end - p), header, sizeof(header)))) {
		const uint8_t *h = bytes_at(b, (uint64_t)(p - b->data), 24);
		uint64_t size = h ? 24ull + load32(h + 16) + load32(h + 20) : 0;

		/* some are for tests of BPF; the kernel's own is a megabyte or larger */
		if (size > 1 << 18 && load32(h + 12) == load32(h + 16) &&
		    bytes_at(b, (uint64_t)(p - b->data), size))
			return (struct bytes){ p, size, 0 };
		p++;
	}
	return (struct bytes){ 0 };
}

struct bytes image_btf(const struct image *image)
{
	const struct image_section *s = image_section(image, ".BTF");

	if (!image->sections)
		return find_btf(&image->bytes);
	return s ? s->bytes : (struct bytes){ 0 };
}

size_t notes_build_id(const struct bytes *notes, const uint8_t **build_id)
{
	Elf64_Nhdr h;
	const uint8_t *p;
	uint64_t at = 0;

	while ((p = bytes_at(notes, at, sizeof(h)))) {
		uint64_t name, data;

		memcpy(&h, p, sizeof(h));
		name = at + sizeof(h);
		data = name + ((h.n_namesz + 3ull) & ~3ull);
		at = data + ((h.n_descsz + 3ull) & ~3ull);
		p = bytes_at(notes, name, data - name);
		if (!p || !bytes_at(notes, data, h.n_descsz))
			break;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && memcmp(p, "GNU", 4) == 0 &&
		    h.n_descsz && h.n_descsz <= 64) {
			*build_id = notes->data + data;
			return h.n_descsz;
		}
	}
	return 0;
}

size_t image_build_id(const struct image *image, const uint8_t **build_id)
{
	for (size_t i = 0; i < image->section_count; i++) {
		size_t n = image->sections[i].type == SHT_NOTE ?
				   notes_build_id(&image->sections[i].bytes, build_id) : 0;

		if (n)
			return n;
	}
	return 0;
}
