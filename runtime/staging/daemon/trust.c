// SPDX-License-Identifier: GPL-2.0-or-later
/* A path does not guarantee which file it names a moment later (CVE-2009-0784 was a race in such a check), so
 * nothing is trusted because of where it came from. The bytes that the client sent are compared with a file
 * that only root can have written. */
#include "trust.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/create.h"
#include "common/host.h"
#include "common/message.h"
#include "common/protocol.h"

enum { MOST_KEY = 64 << 10 };

static bool is_roots(int fd, mode_t type)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type && st.st_uid == 0 &&
	       !(st.st_mode & 022);
}

/* Opens PATH with its symbolic links resolved, if only root can write to every directory from / to it. Then
 * no other user can have created a link there, either. Returns the last directory or -1. */
static int open_directory(const char *path)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	int fd = real ? open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (char *name = real, *rest; fd >= 0 && is_roots(fd, S_IFDIR); name = rest) {
		int below;

		name += strspn(name, "/");
		if (!*name)
			return fd;
		rest = name + strcspn(name, "/");
		if (*rest)
			*rest++ = 0;
		below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		host_close(&fd);
		fd = below;
	}
	if (fd >= 0)
		message_warning("'%s' is not trusted: users other than root can write to it or to a directory above it",
				path);
	host_close(&fd);
	return -1;
}

/* The contents of NAME in DIRECTORY if only root can write to it, otherwise NULL. */
static char *read_file(int directory, const char *name, size_t most, size_t *size)
{
	_cleanup_close_ int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
					O_CLOEXEC);

	if (fd >= 0 && !is_roots(fd, S_IFREG)) {
		message_warning("'%s' is not trusted: users other than root can write to it", name);
		return NULL;
	}
	return fd < 0 ? NULL : host_read_file(fd, most, size);
}

bool trust_directory(const struct module *m, const char *directory)
{
	_cleanup_close_ int dir = open_directory(directory);
	_cleanup_free_ char *name = host_printf("%s.ko", m->name);
	size_t size = 0;
	_cleanup_free_ char *data = dir < 0 ? NULL : read_file(dir, name, m->size, &size);

	return data && size == m->size && memcmp(data, m->data, size) == 0;
}

/* ---- signatures ---- */

static EVP_PKEY *read_key(int directory, const char *name)
{
	size_t size;
	_cleanup_free_ char *data = read_file(directory, name, MOST_KEY, &size);
	BIO *text = data ? BIO_new_mem_buf(data, (int)size) : NULL;
	EVP_PKEY *key = text ? PEM_read_bio_PUBKEY(text, NULL, NULL, NULL) : NULL;

	BIO_free(text);
	if (data && !key)
		message_warning("'%s' is not a public key in PEM format", name);
	return key;
}

static bool is_signed_by(const struct module *m, EVP_PKEY *key, const char *signature)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool good = context && EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 &&
		    EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
		    EVP_DigestVerify(context, (const unsigned char *)signature, TAPD_SIGNATURE_SIZE,
				     (const unsigned char *)m->data, m->size) == 1;

	EVP_MD_CTX_free(context);
	return good;
}

static bool is_key_name(const char *name)
{
	size_t length = strlen(name);

	return name[0] != '.' && length > 4 && strcmp(name + length - 4, ".pub") == 0;
}

bool trust_signature(const struct module *m, const char *keys, const char *signature, size_t size)
{
	int fd = size == TAPD_SIGNATURE_SIZE ? open_directory(keys) : -1;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	bool good = false;

	if (!dir) {
		host_close(&fd);
		return false;
	}
	while (!good && (e = readdir(dir))) {
		EVP_PKEY *key = is_key_name(e->d_name) ? read_key(dirfd(dir), e->d_name) : NULL;

		good = key && is_signed_by(m, key, signature);
		EVP_PKEY_free(key);
	}
	closedir(dir);
	return good;
}

/* ---- signing ---- */

static EVP_PKEY *read_private_key(const char *path)
{
	FILE *file = fopen(path, "re");
	EVP_PKEY *key = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;

	if (!file)
		message_error("cannot read the key '%s': %s", path, strerror(errno));
	else if (!key || EVP_PKEY_get_id(key) != EVP_PKEY_ED25519) {
		message_error("'%s' is not a private ed25519 key: openssl genpkey -algorithm ed25519 makes one",
			      path);
		EVP_PKEY_free(key);
		key = NULL;
	}
	if (file)
		fclose(file);
	return key;
}

static bool make_signature(EVP_PKEY *key, const char *data, size_t data_size, unsigned char *signature)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	size_t size = TAPD_SIGNATURE_SIZE;
	bool good = context && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
		    EVP_DigestSign(context, signature, &size, (const unsigned char *)data, data_size) == 1;

	EVP_MD_CTX_free(context);
	return good && size == TAPD_SIGNATURE_SIZE;
}

static bool write_file(const char *path, const unsigned char *data, size_t size)
{
	int fd = create_open(path, O_WRONLY | O_TRUNC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "we");
	bool good = file && fwrite(data, 1, size, file) == size;

	if (file && fclose(file))
		good = false;
	if (!good)
		message_error("cannot write '%s': %s", path, create_error(errno));
	return good;
}

static bool sign_file(EVP_PKEY *key, const char *path)
{
	_cleanup_free_ char *signature_path = host_printf("%s.sig", path);
	unsigned char signature[TAPD_SIGNATURE_SIZE];
	struct module m;
	bool good = module_read_any(&m, path);

	if (good && !make_signature(key, m.data, m.size, signature)) {
		message_error("cannot sign '%s'", path);
		good = false;
	}
	module_free(&m);
	return good && write_file(signature_path, signature, sizeof(signature));
}

bool trust_sign(const char *key_path, char **files, int count)
{
	EVP_PKEY *key = read_private_key(key_path);
	bool good = key;

	for (int i = 0; key && i < count; i++)
		good = sign_file(key, files[i]) && good;
	EVP_PKEY_free(key);
	return good;
}

/* The library reads its configuration at first use, which takes longer than hashing a module. */
void trust_open(void)
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned size;

	EVP_Digest("", 0, bytes, &size, EVP_sha256(), NULL);
}

void trust_hash(const struct module *m, char hash[TRUST_HASH_SIZE])
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned size = 0;

	if (!EVP_Digest(m->data, m->size, bytes, &size, EVP_sha256(), NULL))
		size = 0;
	hash[0] = 0;
	for (unsigned i = 0; i < size && i < TRUST_HASH_SIZE / 2; i++)
		sprintf(hash + 2 * i, "%02x", bytes[i]);
}
