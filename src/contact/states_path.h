/* Parts of the path that its files share; see states.h for the method. */
#ifndef CRN_CONTACT_STATES_PATH_H
#define CRN_CONTACT_STATES_PATH_H

#include "contact/states.h"

#define CRN_Z0_ID (-1)

/* What an inequality of an active contact is about. */
enum {
    CRN_WATCH_THETA,
    CRN_WATCH_PHI,
    CRN_WATCH_REST,
    CRN_WATCH_LAMBDA,
    CRN_WATCH_NEIGHBOUR,
    CRN_WATCH_FACET,
    CRN_WATCH_HIGH
};

/* --- states_load.c --- */

/* Random shifts: they are the perturbation that lets ties exist only where z0 is nearly 0. */
#define CRN_SHIFT_NORMAL 0.5 /* s_n in 1 .. 1 + this */
#define CRN_SHIFT_SLIP   0.2 /* components of s_t, over mu if that is above 1: then s_n > mu |s_t| */
void crn_states_choose_shifts(crn_states *s, int attempt);

/* --- states_basis.c: the basis and its inverse --- */

/* Products of a velocity vector with all active contacts, into touch.h; a vector that is 0 but on the bodies of `source`
 * (NULL: any vector) is multiplied with its neighbours only. From there into a by row place. */
void crn_states_products(crn_states *s, const double *vector, const crn_touch *source);
void crn_states_by_row(const crn_states *s, double *a);

/* The driven unknown's column in velocity space, into s->vector (bilateral part none). */
void crn_states_driven_column(crn_states *s);

/* Rows that come, unknowns that leave: the driven quantity takes their place. rate is that of the blocking quantity,
 * step the driven quantity's value. False if the basis is full or the pivot is nothing. */
bool crn_states_row_blocks(crn_states *s, int contact, int part, double rate, double step);
bool crn_states_unknown_blocks(crn_states *s, int place, double step);

/* Express the contact's unknowns and rows by corners J and K instead of j and k. */
void crn_states_change_corners(crn_states *s, int contact, int J, int K);

/* The driven unknown itself takes part in what blocks: mu theta - phi (EDGE), or edge normal A of STICK. Afterwards
 * the contact's coordinates are J, K and the blocking quantity is gone from the basis. */
bool crn_states_own_blocks(crn_states *s, int contact, int J, int K, double rate, double step);

/* W afresh from the lists. False if the basis is singular. */
bool crn_states_refactor(crn_states *s);

void crn_states_activate(crn_states *s, int contact);
void crn_states_put_row(crn_states *s, int place, int id);
void crn_states_put_column(crn_states *s, int place, int id, double value);
double crn_states_joint_dot(const crn_states *s, int row, const double *vector);
void crn_states_set_corners(crn_touch *touch, int j, int k);

/* The driven quantity's value after a step: an impulse begins at its least value, all others at 0. */
static inline double crn_states_entering(const crn_states *s, double step)
{
    bool is_impulse = s->driven.contact >= 0 && s->driven.part == CRN_PART_NORMAL;
    return is_impulse ? s->touch[s->driven.contact].low + step : step;
}

/* --- states_walk.c: one edge of the path --- */

/* v, u, tau from y afresh. */
void crn_states_refresh(crn_states *s);

/* Largest violation of a row of the basis at the point. */
double crn_states_point_residual(crn_states *s);

/* Refine y with residuals in double-double: where impulses are huge and nearly cancel, double leaves errors above the
 * certificate's tolerance. */
void crn_states_polish(crn_states *s);

/* dy, dv, du, tau_rate of the driven quantity; residuals controlled. False if the basis is beyond repair. */
bool crn_states_direction(crn_states *s);

/* Fill the watches of active contacts behind the contacts that are off. */
void crn_states_watch_active(crn_states *s);

/* The inequality that ends the edge: index into tau, CRN_BLOCK_Z0, CRN_BLOCK_NONE or CRN_BLOCK_LOST. */
enum { CRN_BLOCK_Z0 = -1, CRN_BLOCK_NONE = -2, CRN_BLOCK_LOST = -3 };
int crn_states_ratio(const crn_states *s, double *step);

/* How many inequalities the ratio test had to choose from. */
int crn_states_ties(const crn_states *s);

/* --- states.c --- */

/* A basis of the bilateral rows alone, without those that depend on others. */
void crn_states_begin_joints(crn_states *s);

/* Squared sine of the angle to the rows before: a row with less depends on them. */
#define CRN_TOL_DEPENDENT 1e-10

/* Solve the rows of the basis at z0 = 0, where rows and columns are the same and all well apart. */
void crn_states_settle(crn_states *s);

/* The contact is off and in no basis. */
void crn_states_clear_contact(crn_states *s, int contact);

/* Impulses of all rows in the caller's units. */
void crn_states_row_impulses(const crn_states *s, double *l);

/* The state in the caller's words. */
crn_contact_state crn_states_shown(const crn_touch *touch);

/* --- states_trace.c: only where s->trace.tell --- */

/* A path begins; a pivot has changed the state of a contact or bounded row. */
void crn_states_tell_path(crn_states *s);
void crn_states_tell_pivot(crn_states *s, int contact, int ties);

/* --- states_bound.c: bilateral rows with bounds --- */

/* The touches of the bounded rows, their columns being loaded; and what depends on the unit of velocity. */
void crn_states_load_bounds(crn_states *s);
void crn_states_scale_bounds(crn_states *s);

/* A basis of all rows from which the path can start: contacts are off. */
void crn_states_begin_bounds(crn_states *s);

/* States of the bounded rows, and impulses of all rows, from a guess; NULL: none is known. */
void crn_states_guess_bounds(crn_states *s, const double *row);

/* Turn a bounded row round: its impulse and its speed change their signs. */
void crn_states_turn(crn_states *s, int contact);

/* v += what rows at their bounds, and in no basis, do. lost: what v loses in rounding is added there; NULL: it is lost. */
void crn_states_add_loads(const crn_states *s, double *v, double *lost);

/* The largest speed of a row at a bound that was narrowed: where that is not 0 the path has led to another problem's answer. */
double crn_states_narrow_error(const crn_states *s);

/* Impulse of bounded row b in the caller's units. */
double crn_states_bound_impulse(const crn_states *s, int b);

/* --- states_warm.c --- */

/* Set up the path from a guess, or from the basis that is kept, down from z0 = 1. False if there is no regular basis. */
bool crn_states_begin_guess(crn_states *s, const crn_states_guess *guess);
void crn_states_begin_kept(crn_states *s);

/* Friction off, or on again; and the frictionless solution, at which the path stands, as a guess for the other. */
void crn_states_set_friction(crn_states *s, bool is_on);
void crn_states_guess_friction(crn_states *s, crn_states_guess *guess);

/* Move along the edge. */
void crn_states_advance(crn_states *s, double step);

#endif
