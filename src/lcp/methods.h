/* The table of methods: their names, what they need and how they run. A new method is an entry here, a value of
 * crn_lcp_method, and files of its own. */
#ifndef CRN_LCP_METHODS_H
#define CRN_LCP_METHODS_H

#include "lcp/active_set.h"
#include "lcp/exhaust.h"
#include "lcp/refute.h"
#include "lcp/game.h"
#include "lcp/interior.h"
#include "lcp/lemke.h"
#include "lcp/murty.h"
#include "lcp/pgs.h"
#include "lcp/search.h"
#include "lcp/tnnmg.h"
#include "lcp/tridiagonal.h"
#include "lcp/yamane.h"

/* All memory of a call. Only what the chosen method needs is laid out. */
typedef struct crn_frame {
    crn_job job;
    crn_basis basis; /* search, murty, yamane, auto */
    crn_search search;
    crn_exhaust exhaust; /* search and auto, small problems */
    crn_murty murty;
    crn_lemke lemke;
    crn_yamane yamane;
    crn_pgs pgs;
    crn_tridiagonal tridiagonal;
    crn_tnnmg tnnmg;
    crn_active_set active_set;
    crn_interior interior;
    crn_game game;
    crn_refute refute;
} crn_frame;

typedef struct crn_method {
    const char *name, *about;
    bool is_sparse; /* works on compressed columns only */
    bool needs_symmetric, needs_tridiagonal, needs_game;
    void (*layout)(crn_frame *frame, crn_arena *arena);
    crn_lcp_outcome (*run)(crn_frame *frame);
} crn_method;

/* NULL if out of range. */
const crn_method *crn_method_of(crn_lcp_method method);

/* Is M what the method needs? The message says what is missing, and where. */
crn_status crn_method_check(const crn_method *method, const crn_lcp_problem *problem, const crn_structure *structure,
                            crn_error *error);

#endif
