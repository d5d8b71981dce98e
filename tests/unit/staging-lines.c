// SPDX-License-Identifier: GPL-2.0-or-later
/* The source lines of this program, also with compressed sections, agree with libdw's interpretation. */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/unwind.h"
#include "common/host.h"
#include "images/lines.h"
#include "scratch.h"

static int failures;

static bool is_same_file(const char *a, const char *b)
{
	const char *s = strrchr(a, '/'), *t = strrchr(b, '/');

	return strcmp(s ? s + 1 : a, t ? t + 1 : b) == 0;
}

/* libdw's answer for an address; false: none. */
static bool ask(Dwfl_Module *module, uint64_t address, const char **file, int *line)
{
	Dwarf_Addr bias;
	Dwarf_Die *cu = dwfl_module_addrdie(module, address, &bias);
	Dwarf_Line *l = cu ? dwarf_getsrc_die(cu, address - bias) : NULL;

	*file = l ? dwarf_linesrc(l, NULL, NULL) : NULL;
	return *file && !dwarf_lineno(l, line) && *line;
}

static void compare(Dwfl_Module *module, const struct binary *b, const struct tap_image *image)
{
	struct binary_piece text;
	unsigned alike = 0, unknown = 0;

	if (!binary_section(b, ".text", &text)) {
		failures++;
		return;
	}
	for (uint64_t at = text.address; at < text.address + bytes_left(&text.bytes); at++) {
		const struct tap_image_line *l;
		const char *file;
		uint64_t offset;
		int line;

		if (!ask(module, at, &file, &line) || !binary_offset(b, at, &offset)) {
			unknown++;
			continue;
		}
		l = tap_image_line(image, offset);
		if (l && (int)l->line == line && is_same_file(image->names + l->file, file))
			alike++;
		else if (failures++ < 20)
			printf("at 0x%" PRIx64 " it is %s:%d, not %s:%u\n", at, file, line,
			       l ? image->names + l->file : "?", l ? l->line : 0);
	}
	printf("%u places alike, %u without lines, %u rows\n", alike, unknown, image->line_count);
	if (alike < 1000) {
		printf("too few places were compared\n");
		failures++;
	}
}

static void test(Dwfl_Module *module, const char *path)
{
	int fd = open(path, O_RDONLY);
	struct tap_image image;
	struct tables tables;
	struct binary b;
	size_t size, packed_size;
	char *data = host_read_file(fd, 64 << 20, &size);
	void *packed;

	close(fd);
	if (!data || !binary_open(&b, data, size)) {
		printf("cannot read %s\n", path);
		failures++;
		free(data);
		return;
	}
	tables_init(&tables, "self");
	lines_read(&b, &b, &tables);
	packed = tables_pack(&tables, &packed_size);
	if (tap_image_open(&image, packed, packed_size))
		compare(module, &b, &image);
	else
		failures++;
	free(packed);
	tables_free(&tables);
	free(data);
}

static void test_compressed(Dwfl_Module *module, const char *how)
{
	char *path = scratch_template("tapc-unit-lines"), command[256 + 4096];
	int fd = mkstemp(path);

	close(fd);
	snprintf(command, sizeof(command), "objcopy --compress-debug-sections=%s /proc/%d/exe %s", how, (int)getpid(),
		 path);
	if (system(command) != 0) {
		printf("objcopy failed\n");
		failures++;
	}
	test(module, path);
	unlink(path);
}

int main(void)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	int fd = open("/proc/self/exe", O_RDONLY);
	Dwfl_Module *module;

	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, "self", "/proc/self/exe", fd, 0, false);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!module)
		return 1;
	test(module, "/proc/self/exe");
	test_compressed(module, "zlib");
	test_compressed(module, "zstd");
	dwfl_end(dwfl);
	return failures != 0;
}
