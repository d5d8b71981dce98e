/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the word at the cursor is: its manual, its type. */
#ifndef TAPC_SERVER_HOVER_H
#define TAPC_SERVER_HOVER_H

#include "question.h"

/* textDocument/hover */
json_t *hover_answer(struct question *q);

#endif
