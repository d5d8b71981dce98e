// SPDX-License-Identifier: GPL-2.0-or-later
#include "utf8.h"

#include <stdint.h>
#include <string.h>

size_t utf8_character(const unsigned char *text, size_t size)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : text[0] >> 3 == 30 ? 4 : 0;
	uint32_t value = n ? text[0] & (n == 1 ? 0x7f : 0xff >> (n + 1)) : 0;

	if (!n || n > size)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		value = value << 6 | (text[i] & 0x3f);
	}
	return value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : n;
}

size_t utf8_show(const char *text, size_t size, const char **shown, size_t *shown_size)
{
	size_t n = utf8_character((const unsigned char *)text, size);

	*shown = n ? text : UTF8_REPLACEMENT;
	*shown_size = n ? n : strlen(UTF8_REPLACEMENT);
	return n ? n : 1;
}
