/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the name at the cursor is defined: in the document, or in a file of the library. */
#ifndef TAPC_SERVER_DEFINITION_H
#define TAPC_SERVER_DEFINITION_H

#include "question.h"

/* textDocument/definition */
json_t *definition_answer(struct question *q);

#endif
