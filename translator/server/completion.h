/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be typed at the cursor. */
#ifndef TAPC_SERVER_COMPLETION_H
#define TAPC_SERVER_COMPLETION_H

#include "question.h"

/* textDocument/completion: a CompletionList. */
json_t *completion_answer(struct question *q);
/* completionItem/resolve: the item with its documentation. */
json_t *completion_resolve(struct question *q);

#endif
