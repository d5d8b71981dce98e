#!/bin/bash
# sanitizers: no
# Every example of the language reference that needs no kernel prints what the document shows, and its tables have every
# keyword and every limit with its default and range.
. "$SRC/tests/lib/document.sh"
page=$SRC/doc/language.md
document_run "$page" text || exit

# value C_EXPRESSION
value()
{
	# shellcheck disable=SC2034
	local INT32_MAX=$(((1 << 31) - 1)) INT64_MAX=$(((1 << 63) - 1))

	echo "$(($1))"
}

# The default 0 of some limits means another value, which the document describes.
limits_missing()
{
	local name default low high

	while IFS=, read -r name _ default low high; do
		default=$(value "$default")
		[[ $name != MAXACTION_INTERRUPTIBLE && $name != SCRATCH ]] || default='[^|]*'
		grep -q "^| \`$name\` | $default | $(value "$low") | $(value "$high") |" "$page" || echo "limit $name"
	done < <(sed -n 's/^LIMIT(\(.*\)).*/\1/p' "$SRC/translator/plan/limits.def")
}

words_missing()
{
	sed -n 's/^KEYWORD([^"]*"\(.*\)")/\1/p' "$SRC/translator/syntax/tokens.def" | sort >keywords
	sed -n '/These words are keywords/,/reserved/p' "$page" | grep '^    ' | tr -s ' ' '\n' |
		grep . | sort | diff keywords - | sed 's/^/keywords: /'
}

# The operators in the parser's tables.
operators()
{
	sed -n '/at_operators\[\] = {/,/^};/s/^\t{ "\([a-z_]*\)".*/\1/p' "$1"
	sed -n '/stat_names\[\] = {/,/^};/p' "$1" | grep -o '"[a-z_]*"' | tr -d '"'
}

operators_missing()
{
	local name

	for name in $(operators "$SRC/translator/syntax/parse_primary.c" | tee operators); do
		grep -q "\`@$name(" "$page" || echo "operator @$name"
	done
}

missing=$(limits_missing; words_missing; operators_missing)
[[ -z $missing ]] || { printf 'not in doc/language.md:\n%s\n' "$missing"; exit 1; }
[[ $(wc -l <keywords) -gt 15 && $(wc -l <operators) -gt 20 ]] || { echo "the tables were not found"; exit 1; }
