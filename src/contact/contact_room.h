/* The door of this room for the rooms above: what a problem's contacts are as columns, and solving without the checks that
 * strangers need. */
#ifndef CRN_CONTACT_ROOM_H
#define CRN_CONTACT_ROOM_H

#include <cairn/linearize.h>

#include "contact/problem.h"

/* crn_contact_solve() for a problem that the library built itself: indices, frames and masses are right, which is asserted,
 * so that only its numbers are looked at, whether they are finite. Contacts are taken in the order given, which decides where
 * Coulomb's law leaves the motion open: a step's order is its bodies' and shapes'. solution and result must be there. Seconds
 * are not measured: the step does that. */
crn_status crn_contact_solve_built(const crn_contact_problem *problem, const crn_contact_options *options,
                                   crn_workspace *workspace, const crn_contact_solution *solution,
                                   crn_contact_result *result, crn_error *error);

/* Do the impulses obey a law, be it only the convex one? */
static inline bool crn_is_answered(crn_lcp_outcome outcome)
{
    return outcome == CRN_LCP_SOLVED || outcome == CRN_LCP_CONVEX;
}

/* What a contact did in a solution: enough to solve a neighbouring problem in the same state. kind, d, share: crn_mode of linear.h. */
typedef struct crn_contact_hint {
    int kind; /* 0: open */
    double d[2], share;
    bool is_rim;
    double impulse[3];
} crn_contact_hint;

typedef struct crn_row_hint {
    int hold; /* 0: held; else at a bound */
    double impulse;
} crn_row_hint;

/* The hints of a linearisation, one per contact and per row. */
crn_status crn_contact_remember(const crn_contact_linear *linear, crn_contact_hint *contact, crn_row_hint *row);

/* Solve a problem that the library built itself with every contact and row in its hint's state, whatever the law says: a smooth function of
 * the problem. neighbour (may be NULL): the linearisation that the hints are of, and `of` which of its contacts each is, -1 for none; rows are
 * the same. Where islands have the same equations one step with its factor is made, which changes with the problem as the solution does, to first order. is_even: so do even impulses. All arrays of solution must be
 * there. */
crn_status crn_contact_solve_in_states(const crn_contact_problem *problem, const crn_linearize_options *options,
                                       bool is_even, const crn_contact_hint *contact, const crn_row_hint *row,
                                       const crn_contact_linear *neighbour, const int *of, crn_workspace *workspace,
                                       const crn_contact_solution *solution, crn_error *error);

/* The linearisation of such a problem in these states, from the hints' impulses: as crn_contact_linearize(), without asking whether they are a
 * solution. What Newton's method leaves is in the report's residual. */
crn_status crn_contact_linearize_in_states(const crn_contact_problem *problem, const crn_linearize_options *options,
                                           const crn_contact_hint *contact, const crn_row_hint *row,
                                           crn_workspace *workspace, crn_contact_linear **linear,
                                           crn_linearize_report *report, crn_error *error);

#endif
