/* A session of door 2: everything that solving a problem needs, in one workspace.
 *
 *     options.c   what may be asked for
 *     session.c   making one: masses, columns, islands, their solvers, the warm start
 *     contact.c   solving it, as often as the caller likes
 *     solve.c     solving a problem once, in other orders of its contacts if need be */
#ifndef CRN_CONTACT_SESSION_H
#define CRN_CONTACT_SESSION_H

#include "contact/check.h"
#include "contact/compile.h"
#include "contact/contact_room.h"
#include "contact/island.h"

struct crn_contact_session {
    crn_contact_options options;
    crn_compiled compiled;
    crn_measure measure;
    double *r, *l;                          /* impulses of all islands, in the islands' order */
    double *impulse, *row_impulse;          /* the same in the caller's order */
    double *other, *other_row;              /* a second answer, to keep the better one */
    double *start_impulse, *start_velocity; /* the caller's warm start in the islands' order; state has its states */
    double *start_row;                      /* and the row impulses */
    bool has_start;                         /* until the first solve */
    bool is_other_velocity;                 /* the free velocity is not the problem's */
    crn_contact_state *state, *other_state; /* islands' order */
    crn_island_solver *solver;              /* one per island */
    crn_arena room;                         /* what is left of the workspace, for solvers that are needed late */
    bool is_timed;
    double seconds_setup;
};

/* Do options go together? Those that are 0 for the usual get their value. */
crn_status crn_contact_check_options(crn_contact_options *options, crn_error *error);

/* Lloyd's methods have no states for rows with bounds. */
crn_status crn_contact_check_method(const crn_contact_problem *problem, const crn_contact_options *options,
                                    crn_error *error);

/* Is there a workspace, and is the problem one? Clears the error. */
crn_status crn_session_check_call(const crn_contact_problem *problem, const crn_workspace *workspace, crn_error *error);

/* Check the options (NULL: the usual ones), and begin: room, masses, the measure. The problem has been checked. */
crn_status crn_session_begin(const crn_contact_problem *problem, const crn_contact_options *options,
                             crn_workspace *workspace, crn_arena *arena, crn_contact_session **session,
                             crn_error *error);

/* Columns, islands and their solvers, after what crn_session_begin() left in the arena; the session may move. turn: order of the
 * contacts (canonical.h). is_all: every solver has memory; else those that come first, the others take theirs when they are
 * needed. If there was too little for one, a solve has no answer. */
crn_status crn_session_finish(crn_workspace *workspace, crn_arena *arena, int turn, bool is_all,
                              crn_contact_session **session, crn_error *error);
bool crn_session_is_short(const crn_contact_session *session);

/* Another free velocity. */
void crn_session_set_velocity(crn_contact_session *session, const double *velocity);

#endif
