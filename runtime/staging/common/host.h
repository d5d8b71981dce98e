/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, descriptors, small files and the clock. */
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

/* These end the program with TAP_STATUS_HOST if memory is exhausted. */
void *host_alloc(size_t size);			/* zeroed */
void *host_grow(void *p, size_t size);
char *host_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens descriptors 0, 1 and 2 if they are closed, so that no file of ours gets one of these numbers. */
void host_standard_files(void);

/* Raises the limit of open files to COUNT, as far as the hard limit allows. */
void host_allow_files(size_t count);

/* Reads the whole file and appends a NUL. NULL and errno on failure (EFBIG above MOST bytes). */
char *host_read_file(int fd, size_t most, size_t *size);
/* The first line of a small file, without its newline; NULL if it cannot be read. */
char *host_read_line(const char *path);
bool host_exists(const char *path);

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t host_now(void);
/* The offset to add to host_now for nanoseconds since 1970. */
int64_t host_epoch(void);
void host_sleep_ms(unsigned ms);

#endif
