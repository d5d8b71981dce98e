/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module's file, read once into memory: what is checked is what is loaded. */
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
	size_t name_at;			/* where __this_module has it */
	const char *vermagic;		/* in data; NULL: it has none */
	bool is_signed;
	const char *info;		/* .modinfo, in data */
	size_t info_size;
};

/* Read and understand, and refuse what cannot run here (another machine, another kernel, no module of
 * tapc): false, with one message. */
bool module_read(struct module *m, const char *path);
/* The same for a module that need not fit this kernel. */
bool module_read_any(struct module *m, const char *path);
/* Only the part after reading: for bytes from elsewhere. m->path, data, size are set. */
bool module_parse(struct module *m);
bool module_fits_kernel(const struct module *m);
/* The next value of KEY in .modinfo behind the value AFTER (NULL: the first one); NULL: there is none. */
const char *module_info(const struct module *m, const char *key, const char *after);
/* -R: NAME becomes NAME_PID. False, with a message, when that breaks a signature. */
bool module_rename(struct module *m);
/* 0, or errno with a message that explains it. */
int module_load(const struct module *m);
/* 0 or errno: EAGAIN, EBUSY when it is still in use after PATIENCE ms. */
int module_unload(const char *name, unsigned patience);
void module_free(struct module *m);

/* "dir/NAME.ko" or "NAME": as the kernel writes it. False when that can be no module's name. */
bool module_name_of(const char *word, char name[MODULE_NAME_SIZE]);

#endif
