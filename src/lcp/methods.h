/* The table of methods: their names, what they need and how they run. A new method is a member and an entry in
 * methods.c, a value of crn_lcp_method, and files of its own. */
#ifndef CRN_LCP_METHODS_H
#define CRN_LCP_METHODS_H

#include "lcp/exhaust.h"

typedef struct crn_parts crn_parts; /* what the methods keep (methods.c) */

/* All memory of a call. */
typedef struct crn_frame {
    crn_job job;
    crn_exhaust exhaust; /* search and auto, small problems */
    crn_parts *parts;    /* in the workspace */
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

/* Take the parts of the method in frame->job.options. */
void crn_method_layout(crn_frame *frame, crn_arena *arena);

/* Is M what the method needs? The message says what is missing, and where. */
crn_status crn_method_check(const crn_method *method, const crn_lcp_problem *problem, const crn_structure *structure,
                            crn_error *error);

#endif
