/* cairn/linearize.h -- door 2 differentiated: how velocities and impulses of a contact problem change with its data.
 *
 * At a solution every contact is in a state (open, sticking, sliding), and as long as all of them stay in theirs the solution is a
 * smooth function of the data: one linear system has all of its derivatives [docs/theory/gradients.md]. Where a contact is about to
 * change its state there is a kink: the derivative returned is that of the states told, and each such contact is told too.
 *
 * Whatever the data depend on, a change of them reaches the equations in six places only, crn_contact_change_in. Jacobians and
 * masses that change are told by what they make of the solution (v, r) at hand:
 *
 *     changed          impulse             contact_velocity     row_velocity
 *     free velocity    M dv_f  (or: velocity = dv_f)
 *     force f          h df
 *     mass matrix      -dM (v - v_f)
 *     contact rows     dJ' r               dJ v
 *     offset                               d(offset)
 *     bilateral rows   dB' l                                    dB v
 *     row offset                                                d(offset)
 *
 * friction and bounds of rows have places of their own. */
#ifndef CAIRN_LINEARIZE_H
#define CAIRN_LINEARIZE_H

#include <cairn/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a derivative is worth. */
typedef enum crn_gradient_status {
    CRN_GRADIENT_SMOOTH = 0, /* the derivative */
    CRN_GRADIENT_KINK, /* some contact is about to change its state: that of the states told, one of several one-sided ones */
    CRN_GRADIENT_INCONSISTENT, /* redundant contacts contradict the direction asked for: no derivative along it */
    CRN_GRADIENT_UNDETERMINED, /* redundant contacts that slide, or nearly redundant ones: the motion depends on how they share the load */
    CRN_GRADIENT_JUMP,     /* a solution ends here, or begins: no derivative, zeros are returned */
    CRN_GRADIENT_UNCOVERED /* part of what was asked for is not differentiated: docs/guide/gradients.md */
} crn_gradient_status;
#define CRN_GRADIENT_STATUS_COUNT 6 /* how many there are */

CRN_API const char *crn_gradient_status_name(crn_gradient_status status); /* "smooth", "kink", ...; NULL if none */

/** Why a contact is at a kink. */
typedef enum crn_kink {
    CRN_KINK_NONE = 0,
    CRN_KINK_GRAZE,  /* touches without impulse: about to open or to push */
    CRN_KINK_RIM,    /* on the rim of its cone without slip, or at a corner of the polygon: about to slip or to stick */
    CRN_KINK_APEX,   /* both: no impulse and no velocity */
    CRN_KINK_BOUND,  /* a row that is at its bound and does not move */
    CRN_KINK_TOUCH,  /* worlds: its gap is 0, so that a step either closes it or repairs it */
    CRN_KINK_CHANGED /* worlds: where the state is changed slightly, other contacts are found */
} crn_kink;
#define CRN_KINK_COUNT 7 /* how many there are */

CRN_API const char *crn_kink_name(crn_kink kink); /* "none", "graze", ...; NULL if none */

/** In which state a contact was differentiated, and how far it is from another one. */
typedef struct crn_contact_branch {
    crn_contact_state state; /* of a bilateral row: ON held, OFF at -bound (corner 0) or at +bound (corner 1) */
    double margin; /* the least of what keeps it there: impulses over the largest one, velocities over the scale U */
    crn_kink kink; /* what it is about to do if the margin is below the one asked for */
} crn_contact_branch;

/** Fill with crn_linearize_options_default(), then change fields. */
typedef struct crn_linearize_options {
    crn_contact_cone cone; /* as the problem was solved */
    crn_contact_law law;   /* likewise */
    double kink;           /* margins below this are kinks; 0: 1e-6 */
} crn_linearize_options;

CRN_API crn_linearize_options crn_linearize_options_default(void); /* polygon, Coulomb's law, 1e-6 */

/** What a linearisation found out; written on every return with CRN_OK. */
typedef struct crn_linearize_report {
    crn_gradient_status status; /* smooth, kink, undetermined or jump */
    int kinks;                  /* contacts and bounded rows at a kink */
    int held;                   /* equations of what is closed, sticks or is held ... */
    int redundant;   /* ... and how many of them the others imply; in islands of 72 velocities or more off by a few */
    double margin;   /* the least of all contacts and bounded rows; 1 without any */
    double residual; /* of the solution after polishing: largest violation of its equations, over U */
} crn_linearize_report;

/** A linearisation; lives in the workspace it was made in, gone when that is used for anything else. Reads the problem that it was made
 *  of, which must stay. */
typedef struct crn_contact_linear crn_contact_linear;

/** Linearise at a solution, whoever computed it: impulse (3 per contact) and row_impulse (1 per row, NULL without rows). It is
 *  first made exact by Newton's method in its states. Of redundant contacts take even impulses (crn_contact_options.even): a
 *  vertex is at a kink where there need be none. report, error may be NULL; options NULL: defaults.
 *  @return CRN_ERR_ARGUMENT if the impulses are no solution: their certificate is above 1e-6. */
CRN_API crn_status crn_contact_linearize(const crn_contact_problem *problem, const crn_linearize_options *options,
                                         const double *impulse, const double *row_impulse, crn_workspace *workspace,
                                         crn_contact_linear **linear, crn_linearize_report *report, crn_error *error);

/** The solution made exact, as differentiated. Any pointer may be NULL; state is not written. */
CRN_API crn_status crn_contact_linear_solution(const crn_contact_linear *linear, const crn_contact_solution *solution,
                                               crn_error *error);

/** Branches of all contacts, then of all rows; valid as long as the linearisation. */
CRN_API const crn_contact_branch *crn_contact_linear_branches(const crn_contact_linear *linear);

/** A change of the data. Any pointer may be NULL: no change. */
typedef struct crn_contact_change_in {
    const double *velocity;         /* all bodies: of the free velocity */
    const double *impulse;          /* all bodies: generalised impulses that come to act */
    const double *contact_velocity; /* 3 per contact: of u at unchanged velocities */
    const double *mu;               /* 1 per contact */
    const double *row_velocity;     /* 1 per row */
    const double *row_bound;        /* 1 per row */
} crn_contact_change_in;

/** How the solution changes. Any pointer may be NULL: not wanted. */
typedef struct crn_contact_change_out {
    double *velocity;         /* all bodies */
    double *impulse;          /* 3 per contact; of redundant contacts the least change: that of even impulses */
    double *contact_velocity; /* 3 per contact */
    double *row_impulse;      /* 1 per row */
} crn_contact_change_out;

/** What a product is worth. */
typedef struct crn_gradient_word {
    crn_gradient_status status;
    double residual; /* of the linear equations, over the size of their terms */
} crn_gradient_word;

/** Forward product: the change of the solution with a change of the data. word may be NULL. */
CRN_API crn_status crn_contact_jvp(crn_contact_linear *linear, const crn_contact_change_in *in,
                                   const crn_contact_change_out *out, crn_gradient_word *word, crn_error *error);

/** Forward products of several directions at once, in a third of the time: arrays of in and out have one direction after the other. What each is
 *  worth is told by crn_contact_jvp() alone. */
CRN_API crn_status crn_contact_jvp_many(crn_contact_linear *linear, int count, const crn_contact_change_in *in,
                                        const crn_contact_change_out *out, crn_error *error);

/** Gradients with respect to the data: arrays as in crn_contact_change_in, written; any may be NULL. */
typedef struct crn_contact_gradient {
    double *velocity, *impulse, *contact_velocity, *mu, *row_velocity, *row_bound;
} crn_contact_gradient;

/** Gradient of a function of the solution: arrays as in crn_contact_change_out, read; NULL: zeros. */
typedef struct crn_contact_seed {
    const double *velocity, *impulse, *contact_velocity, *row_impulse;
} crn_contact_seed;

/** Adjoint product: from the gradient with respect to the solution that with respect to the data. Where contacts are redundant the
 *  gradient of their velocities holds for changes that do not contradict one another. */
CRN_API crn_status crn_contact_vjp(crn_contact_linear *linear, const crn_contact_seed *seed,
                                   const crn_contact_gradient *gradient, crn_gradient_word *word, crn_error *error);

/** Most contacts and rows at a kink that one island may have for crn_contact_directional(). */
#define CRN_DIRECTIONAL_KINKS_MOST 8

/** One-sided derivative in a direction, also at kinks: contacts there take the states that the direction leads to. The status is smooth if
 *  there is exactly one motion that fits, jump if there is none or more than one: then the solution is not continuous in this direction.
 *  Uncovered at the apex of a cone with friction, and with more than CRN_DIRECTIONAL_KINKS_MOST kinks in an island. */
CRN_API crn_status crn_contact_directional(crn_contact_linear *linear, const crn_contact_change_in *in,
                                           const crn_contact_change_out *out, crn_gradient_word *word,
                                           crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
