// SPDX-License-Identifier: GPL-2.0-or-later
/* sh(1), "Quoting" and "Token Recognition": '...' is literal; in "..." a backslash quotes only $ ` " \ ;
 * elsewhere it quotes any character. Text that the shell would expand, or split into several commands, is
 * recognised and left to the shell. */
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

struct splitter {
	const char *at;
	char *to;		/* next character of the current word */
	bool in_word;
	enum words_kind kind;
	struct words *words;
};

static void needs(struct splitter *s, enum words_kind kind)
{
	if (kind > s->kind)
		s->kind = kind;
}

static void begin_word(struct splitter *s)
{
	struct words *w = s->words;

	if (s->in_word)
		return;
	s->in_word = true;
	w->list = host_grow(w->list, (w->count + 2) * sizeof(*w->list));
	w->list[w->count++] = s->to;
	w->list[w->count] = NULL;
}

static void end_word(struct splitter *s)
{
	if (s->in_word)
		*s->to++ = 0;
	s->in_word = false;
}

static void put(struct splitter *s, char c)
{
	begin_word(s);
	*s->to++ = c;
}

/* Starts after the opening quote. */
static void take_single(struct splitter *s)
{
	begin_word(s);
	while (*s->at && *s->at != '\'')
		put(s, *s->at++);
	if (!*s->at++) {
		s->at--;
		needs(s, WORDS_SHELL);
	}
}

static void take_double(struct splitter *s)
{
	begin_word(s);
	while (*s->at && *s->at != '"') {
		if (*s->at == '$' || *s->at == '`')
			needs(s, WORDS_EXPANDED);
		if (*s->at == '\\' && s->at[1] && strchr("$`\"\\", s->at[1]))
			s->at++;
		else if (*s->at == '\\' && s->at[1] == '\n')
			needs(s, WORDS_SHELL);
		put(s, *s->at++);
	}
	if (!*s->at++) {
		s->at--;
		needs(s, WORDS_SHELL);
	}
}

/* LAST: the preceding character. "2>&1" is not a list of commands. */
static enum words_kind kind_of(const struct splitter *s, char c, char last)
{
	if (c == '&' && (last == '>' || last == '<'))
		return WORDS_EXPANDED;
	if (strchr(";&|()\n", c) || (!s->in_word && strchr("!{}", c)))
		return WORDS_SHELL;
	if (strchr("$`<>*?[", c) || (!s->in_word && strchr("~#", c)))
		return WORDS_EXPANDED;
	return c == '=' && s->words->count <= 1 ? WORDS_EXPANDED : WORDS_PLAIN;
}

static void take_character(struct splitter *s, char last)
{
	char c = *s->at++;

	if (c == ' ' || c == '\t') {
		end_word(s);
	} else if (c == '\'') {
		take_single(s);
	} else if (c == '"') {
		take_double(s);
	} else if (c == '\\' && *s->at && *s->at != '\n') {
		put(s, *s->at++);
	} else {
		needs(s, c == '\\' ? WORDS_SHELL : kind_of(s, c, last));
		put(s, c);
	}
}

enum words_kind words_split(const char *text, struct words *w)
{
	struct splitter s = { .at = text, .words = w };
	char last = 0;

	*w = (struct words){ .text = host_alloc(2 * strlen(text) + 2) };
	s.to = w->text;
	while (*s.at) {
		char c = *s.at;

		take_character(&s, last);
		last = c;
	}
	end_word(&s);
	if (!w->count)
		needs(&s, WORDS_SHELL);
	return s.kind;
}

void words_free(struct words *w)
{
	free(w->list);
	free(w->text);
	*w = (struct words){ 0 };
}
