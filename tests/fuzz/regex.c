/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: regular expressions. Any pattern compiles or is rejected with a position in it; it matches the same
 * texts with and without groups; groups are inside their match; no match begins to the left of the first one.
 *
 * sources: tests/unit/support/core-host.c runtime/core/!(globals).c
 */
#include <stdint.h>
#include "core-test.h"
#include "core/regex_compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_groups(const struct tap_regex *re, struct tap_string s)
{
	const struct tap_groups *g = tap_host_groups(NULL);
	u32 i;

	if (!g->matched || g->count != re->groups || g->at[0].start > g->at[0].end || g->at[0].end > s.size)
		abort();
	for (i = 1; i < g->count; i++)
		if (g->at[i].start <= g->at[i].end &&
		    (g->at[i].start < g->at[0].start || g->at[i].end > g->at[0].end))
			abort();
}

/* "abc", the match in "xabcx", matches completely on its own unless ^, $ or a longer text
 * matters. */
static void check_again(struct tap_context *c, const struct tap_regex *re, struct tap_string s)
{
	const struct tap_groups *g = tap_host_groups(NULL);
	u32 start = g->at[0].start, size = g->at[0].end - start;
	char *part = malloc(size + 1);

	memcpy(part, s.data + start, size);
	part[size] = 0;
	if (!tap_regex_match(c, re, (struct tap_string){ part, size }) || g->at[0].start != 0 ||
	    g->at[0].end != size)
		abort();
	free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tap_context *c = host_context();
	struct tap_regex_error error = { ~0u, NULL };
	struct tap_regex *re, *plain;
	u32 pattern_size = size ? data[0] % 48 : 0;
	struct tap_string s;
	char *pattern;
	bool matched;

	if (!size || size - 1 < pattern_size)
		return 0;
	pattern = malloc(pattern_size + 1);
	memcpy(pattern, data + 1, pattern_size);
	plain = tap_regex_compile(pattern, pattern_size, false, &error);
	re = tap_regex_compile(pattern, pattern_size, true, &error);
	if ((!re || !plain) && (!error.text || error.position > pattern_size))
		abort();
	if (re && !plain)
		abort();
	s.size = (u32)(size - 1 - pattern_size);
	if (re && s.size < 500) {
		char *text = malloc(s.size + 1);

		memcpy(text, data + 1 + pattern_size, s.size);
		text[s.size] = 0;
		s.data = text;
		matched = tap_regex_match(c, plain, s);
		if (tap_regex_match(c, re, s) != matched)
			abort();
		if (matched) {
			check_groups(re, s);
			if (!memchr(pattern, '^', pattern_size) && !memchr(pattern, '$', pattern_size))
				check_again(c, re, s);
		}
		free(text);
	}
	tap_regex_free(re);
	tap_regex_free(plain);
	free(pattern);
	if (c->error || host_allocations)
		abort();
	return 0;
}
