/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The declarations of a document. */
#ifndef TAPC_SERVER_OUTLINE_H
#define TAPC_SERVER_OUTLINE_H

#include "question.h"

/* textDocument/documentSymbol */
json_t *outline_answer(struct question *q);

#endif
