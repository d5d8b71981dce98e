// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table with chains. A script that makes a name of each number it sees fills it, and all later names are made
 * each time. */
#include "names.h"

#include "staging/common/utf8.h"

enum { CHAINS = 1 << 14 };

uint64_t name_hash(uint64_t seed, const char *text, size_t size)
{
	uint64_t hash = (seed + 1) * 0x9e3779b97f4a7c15u, word;

	for (; size >= sizeof(word); text += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = (hash ^ word) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	}
	word = size;
	for (size_t i = 0; i < size; i++)
		word = word << 8 | (unsigned char)text[i];
	hash = (hash ^ word) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 29;
}

/* The text with U+FFFD for bytes that are not UTF-8, cut between characters. */
static void add_fit(struct bytes *to, const char *text, size_t size)
{
	while (size) {
		const char *shown;
		size_t shown_size, n = utf8_show(text, size, &shown, &shown_size);

		if (to->size + shown_size > NAME_MOST)
			return;
		bytes_add(to, shown, shown_size);
		text += n;
		size -= n;
	}
}

static void add_json(struct bytes *to, const char *text, size_t size)
{
	char code[8];

	bytes_text(to, "\"");
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			bytes_text(to, "\\");
		if (c >= 0x20 && c != 0x7f) {
			bytes_add(to, text + i, 1);
			continue;
		}
		snprintf(code, sizeof(code), "\\u%04x", c);
		bytes_text(to, code);
	}
	bytes_text(to, "\"");
}

static void name_make(struct name *name, const char *text, size_t size, uint64_t hash)
{
	struct bytes fit = { 0 }, json = { 0 };

	add_fit(&fit, text, size);
	*bytes_room(&fit, 1) = 0;
	add_json(&json, fit.data, fit.size);
	*name = (struct name){
		.hash = hash, .size = fit.size, .text = fit.data,
		.json = json.data, .json_size = json.size,
	};
}

static void name_free(struct name *name)
{
	free((char *)name->text);
	free((char *)name->json);
	free((char *)name->key);
	*name = (struct name){ 0 };
}

void names_open(struct names *n)
{
	*n = (struct names){ .chains = bytes_grow(NULL, CHAINS * sizeof(*n->chains)) };
	memset(n->chains, 0, CHAINS * sizeof(*n->chains));
}

void names_close(struct names *n)
{
	for (uint32_t i = 0; n->chains && i < CHAINS; i++)
		for (struct name *one = n->chains[i], *next; one; one = next) {
			next = one->next;
			name_free(one);
			free(one);
		}
	name_free(&n->passing);
	free(n->chains);
	*n = (struct names){ 0 };
}

struct name *name_of(struct names *n, const char *text, size_t size)
{
	uint64_t hash = name_hash(0, text, size);
	struct name **chain = &n->chains[hash % CHAINS], *one;

	for (one = *chain; one; one = one->next)
		if (one->hash == hash && one->key_size == size && memcmp(one->key, text, size) == 0)
			return one;
	if (n->count == NAMES_MOST) {
		name_free(&n->passing);
		name_make(&n->passing, text, size, hash);
		return &n->passing;
	}
	one = bytes_grow(NULL, sizeof(*one));
	name_make(one, text, size, hash);
	one->key = memcpy(bytes_grow(NULL, size + 1), text, size);
	one->key_size = size;
	one->number = ++n->count;
	one->next = *chain;
	*chain = one;
	return one;
}

const struct name **names_by_number(const struct names *n)
{
	const struct name **all = bytes_grow(NULL, ((size_t)n->count + 1) * sizeof(*all));

	all[0] = NULL;
	for (uint32_t i = 0; i < CHAINS; i++)
		for (const struct name *one = n->chains[i]; one; one = one->next)
			all[one->number] = one;
	return all;
}
