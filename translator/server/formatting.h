/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document as tapc --format lays it out. */
#ifndef TAPC_SERVER_FORMATTING_H
#define TAPC_SERVER_FORMATTING_H

#include "question.h"

/* textDocument/formatting */
json_t *formatting_answer(struct question *q);

#endif
