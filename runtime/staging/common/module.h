/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module's file, read into memory once, so that the bytes that are checked are the bytes that are loaded. */
#ifndef STAGING_MODULE_H
#define STAGING_MODULE_H

#include <stdbool.h>
#include <stddef.h>

enum { MODULE_NAME_SIZE = 64 - sizeof(unsigned long) };	/* the kernel's MODULE_NAME_LEN */

struct module {
	const char *path;
	char *data;
	size_t size;
	char name[MODULE_NAME_SIZE];
	size_t name_at;			/* offset of the name in __this_module */
	const char *vermagic;		/* in data; NULL if missing */
	bool is_signed;
	const char *gate;		/* the file of the module tap_gate, in data; or NULL */
	size_t gate_size;
	const char *info;		/* .modinfo, in data */
	size_t info_size;
};

/* Reads and parses a module, and refuses one that cannot run here (another machine, another kernel, not built
 * by tapc): false, with one message. */
bool module_read(struct module *m, const char *path);
/* The same for a module that need not match this kernel. */
bool module_read_any(struct module *m, const char *path);
/* Parses a module that was not read from a file. m->path, data and size are set. */
bool module_parse(struct module *m);
bool module_fits_kernel(const struct module *m);
/* The next value of KEY in .modinfo after the value AFTER (NULL: the first value). NULL if no more are found. */
const char *module_info(const struct module *m, const char *key, const char *after);
/* -R: NAME becomes NAME_PID. False, with a message, if that would invalidate a signature. */
bool module_rename(struct module *m);
/* 0, or errno after printing a message that explains it. */
int module_load(const struct module *m);
/* After loading: frees the file, since a session may be long. The name and the size stay; nothing points to .modinfo
 * any more. */
void module_drop_file(struct module *m);
/* 0 or errno; EAGAIN or EBUSY if the module is still in use after PATIENCE ms. */
int module_unload(const char *name, unsigned patience);
void module_free(struct module *m);

/* The module name in "dir/NAME.ko" or "NAME", in the kernel's spelling. False if it cannot be a module's name. */
bool module_name_of(const char *word, char name[MODULE_NAME_SIZE]);

#endif
