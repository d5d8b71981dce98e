/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What staging needs of the machine below it: memory, descriptors, small files, the clock. */
#ifndef STAGING_HOST_H
#define STAGING_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void host_close(int *fd);
void host_free(void *p);
#define _cleanup_close_ __attribute__((cleanup(host_close)))
#define _cleanup_free_ __attribute__((cleanup(host_free)))

/* Or end the program with TAP_STATUS_HOST. */
void *host_alloc(size_t size);			/* zeroes */
void *host_grow(void *p, size_t size);
char *host_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* 0, 1 and 2 are open afterwards, so that no file of ours ever lands there. */
void host_standard_files(void);

/* Raise the limit of open files, if need be and if allowed. */
void host_allow_files(size_t count);

/* The whole file with a NUL after it, or NULL and errno (EFBIG above MOST bytes). */
char *host_read_file(int fd, size_t most, size_t *size);
/* The first line of a small file, without its newline; NULL when it cannot be read. */
char *host_read_line(const char *path);
bool host_exists(const char *path);

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t host_now(void);
/* What to add for nanoseconds since 1970. */
int64_t host_epoch(void);
void host_sleep_ms(unsigned ms);

#endif
