/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a module one that root trusts? And its hash, for the record. */
#ifndef STAGING_TRUST_H
#define STAGING_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "common/module.h"

enum { TRUST_HASH_SIZE = 65 };		/* hexadecimal, with a NUL */

/* The same bytes lie as DIRECTORY/NAME.ko, where nobody but root can write: neither to the file nor to
 * any directory above it. */
bool trust_directory(const struct module *m, const char *directory);
/* SIGNATURE, raw ed25519 over the module's bytes, is by one of the public keys KEYS/NAME.pub (PEM), under
 * the same condition. */
bool trust_signature(const struct module *m, const char *keys, const char *signature, size_t size);
/* Sign the files with the private key KEY (PEM, ed25519): FILE.sig beside each. False, with a message. */
bool trust_sign(const char *key, char **files, int count);
/* Sets up what the others use: before clients come, so that not each of them pays for it. */
void trust_open(void);
/* SHA-256. */
void trust_hash(const struct module *m, char hash[TRUST_HASH_SIZE]);

#endif
