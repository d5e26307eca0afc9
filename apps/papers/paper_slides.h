/* What the slides [SLCP] define, held against our solvers. */
#ifndef CAIRN_CLI_PAPER_SLIDES_H
#define CAIRN_CLI_PAPER_SLIDES_H

#include "paper.h"

/* Parts that are about complementarity problems: each adds its rows and plots; false, with p->error, if something broke. */
bool slides_definitions(paper *p); /* 2 and 4 */
bool slides_cones(paper *p);       /* 1 against 2 */
bool slides_methods(paper *p);

#endif
