/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of completions. */
#ifndef TAPC_SERVER_PROPOSALS_H
#define TAPC_SERVER_PROPOSALS_H

#include "base/map.h"
#include "cursor.h"
#include "question.h"

/* CompletionItemKind */
enum {
	PROPOSE_FUNCTION = 3, PROPOSE_FIELD = 5, PROPOSE_VARIABLE = 6, PROPOSE_PROPERTY = 10, PROPOSE_KEYWORD = 14,
	PROPOSE_FILE = 17, PROPOSE_CONSTANT = 21, PROPOSE_EVENT = 23,
};

struct proposals {
	struct question *question;
	const struct cursor *cursor;
	json_t *items;
	struct map seen;		/* by label */
	bool is_cut;			/* there are more */
};

/* The order in which they are shown. */
enum proposal_rank { RANK_LOCAL, RANK_GLOBAL, RANK_KEYWORD, RANK_LIBRARY };

void proposals_open(struct proposals *p, struct question *q, const struct cursor *c);
/* Adds NAME, if it begins with the cursor's word, and is new. TYPED: what is inserted; NULL: NAME. DETAIL: or NULL. */
void propose(struct proposals *p, int kind, enum proposal_rank rank, const char *name, const char *typed,
	     const char *detail);
/* The CompletionList. */
json_t *proposals_list(struct proposals *p);

#endif
