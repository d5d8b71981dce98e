/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does root trust a module? Also computes its hash, for the audit log. */
#ifndef STAGING_TRUST_H
#define STAGING_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "common/module.h"

enum { TRUST_HASH_SIZE = 65 };		/* hexadecimal, NUL-terminated */

/* True if DIRECTORY/NAME.ko has the same bytes, and only root can write to it and to all directories above it. */
bool trust_directory(const struct module *m, const char *directory);
/* True if SIGNATURE, raw ed25519 over the module's bytes, was made with one of the public keys KEYS/NAME.pub
 * (PEM), under the same condition. */
bool trust_signature(const struct module *m, const char *keys, const char *signature, size_t size);
/* Signs the files with the private key KEY (PEM, ed25519): writes FILE.sig for each FILE. False, with a
 * message. */
bool trust_sign(const char *key, char **files, int count);
/* Initialises the library before clients come, so that not every client pays for it. */
void trust_open(void);
/* SHA-256. */
void trust_hash(const struct module *m, char hash[TRUST_HASH_SIZE]);

#endif
