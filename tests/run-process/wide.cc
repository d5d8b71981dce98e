/* Characters and texts of C++'s wide types. */
struct texts {
	char16_t letter, accent, newline, quote, none;
	const char16_t *wide;
	char32_t face;
	const char32_t *wider;
	char16_t array[6];
	char32_t four[4];
	char16_t full[3];
	char8_t byte;
	const char8_t *bytes;
	const char16_t *escapes, *absent;
	char16_t lone[3];
};

static texts all = {
	u'x', u'\u00e9', u'\n', u'\'', 0, u"wide\u00e9\U0001f600", U'\U0001f600', U"t\u20acxt", u"abc", U"abc",
	{ u'1', u'2', u'3' }, u8'z', u8"utf8", u"a\"b\n\001", nullptr, { 0xd83d, u'a', 0 },
};

__attribute__((noinline)) static int look(texts *t, char16_t letter, const char16_t *text, const char32_t *broken)
{
	asm volatile("" : : "r"(t), "r"(letter), "r"(text), "r"(broken));
	return t->letter + letter;
}

/* What was never read may not be in memory. */
static const char16_t *touched(const char16_t *text)
{
	static volatile int sum;

	sum = all.wide[0] + (int)all.wider[0] + all.bytes[0] + all.escapes[0] + text[0];
	return text;
}

int main()
{
	return look(&all, u'y', touched(u"argument"), reinterpret_cast<const char32_t *>(8)) == 0;
}
