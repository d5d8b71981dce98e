/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The uses of a name that the document defines, and another name for them. */
#ifndef TAPC_SERVER_RENAME_H
#define TAPC_SERVER_RENAME_H

#include "question.h"

/* textDocument/references, documentHighlight, prepareRename and rename */
json_t *references_answer(struct question *q);
json_t *highlight_answer(struct question *q);
json_t *prepare_rename_answer(struct question *q);
json_t *rename_answer(struct question *q);

#endif
