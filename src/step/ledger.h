/* Where the energy and the momentum of a step went, computed from impulses, forces and velocities alone, apart from any
 * solver: docs/theory/stepping.md, "The ledger". */
#ifndef CRN_STEP_LEDGER_H
#define CRN_STEP_LEDGER_H

#include "step/moment.h"

/* What acts on the way from one moment to another. */
typedef struct crn_leg {
    crn_moment from, to;
    double time;           /* forces act for so long [s] */
    const double *impulse; /* 3 per contact point of the problem; NULL: none */
    const double *row;     /* per row; NULL: none */
    double share;          /* of impulses of contacts ... */
    double row_share;      /* ... and of rows */
    int part;              /* of crn_step_body.worked that work from outside is added to */
} crn_leg;

/* Add the work and impulse of all that acts on a leg. */
void crn_ledger_add(crn_stepper *s, const crn_leg *leg, crn_account *account);
/* The same of both legs of a kick without impacts, whose shown velocity is the mean of both sides. */
void crn_ledger_add_halves(crn_stepper *s, const crn_leg *first, const crn_leg *second, crn_account *until,
                           crn_account *after);

/* How fast contact i, or a limit, opens at a moment. */
double crn_ledger_contact_speed(const crn_stepper *s, int i, crn_moment moment);
double crn_ledger_limit_speed(const crn_stepper *s, const crn_step_limit *limit, crn_moment moment);

/* A step begins: what the caller has changed counts from here. */
void crn_ledger_begin(crn_stepper *s, crn_ledger *ledger);

/* Everything goes on from the moment that was shown: the second half of the last kick is not to be. */
void crn_ledger_return(crn_stepper *s);

/* The last kick is done, with all that was made again of it; the drift is over; the repair; the step's own kick. */
void crn_ledger_kick_done(crn_stepper *s);
void crn_ledger_drifted(crn_stepper *s, crn_ledger *ledger);
void crn_ledger_repairing(crn_stepper *s); /* before something is moved or slowed */
void crn_ledger_repaired(crn_stepper *s, crn_ledger *ledger);
void crn_ledger_kicked(crn_stepper *s, const crn_account *kick, crn_ledger *ledger);

#endif
