/* cairn/step.h -- what a step of a world tells: figures, contacts, events. */
#ifndef CAIRN_STEP_H
#define CAIRN_STEP_H

#include <cairn/contact.h>
#include <cairn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of a world; {0} is none. */
typedef struct crn_body_id {
    int32_t index1; /* 1, 2, ...; 0: null */
    uint32_t generation;
} crn_body_id;

/** A motion of your own for a driven body: pose of its frame at a time. */
typedef void (*crn_motion_function)(void *user, double time, crn_pose *pose);

/** A solver of your own for the problem of a step, called as crn_contact_solve() is: fills all arrays of solution, and result.
 *  A status other than CRN_OK ends the step. */
typedef crn_status (*crn_step_solver)(void *user, const crn_contact_problem *problem,
                                      const crn_contact_options *options, const crn_contact_solution *solution,
                                      crn_contact_result *result, crn_error *error);

/** What a step did; written on every return of crn_world_step(). */
typedef struct crn_step_stats {
    double time;             /* at the end of the step [s] */
    int bodies;              /* free bodies that were stepped */
    int contacts;            /* in the problem: gap below the margin */
    int active;              /* of them with an impulse */
    int rows;                /* bilateral rows, motors and joint friction included */
    int islands;             /* of the contact graph */
    int problems;            /* complementarity problems solved: 1, and 2 more if something bounced */
    crn_lcp_outcome outcome; /* of the worst of them */
    crn_contact_law law;     /* convex where Coulomb's law was asked for but not reached, or where it was asked for */
    crn_contact_method method;
    double certificate; /* relative, of the worst */
    int pivots, iterations;
    bool is_warm;       /* the last step's impulses led to the answer */
    bool is_relaxed;    /* jammed: no velocity satisfies all; overlap was left where it is, that problem is certified */
    double penetration; /* deepest overlap of the contacts before the step [m], >= 0 */
    double penetration_mean;   /* over the contacts that touch: gap <= 0 or an impulse */
    double joint_error;        /* largest distance [m] or angle [rad] of a joint before the step; joints in trees,
                                  exact to rounding, are not looked at (crn_joint_error() does) */
    double kinetic, potential; /* energy at the end [J]; potential of gravity, relative to the origin */
    crn_vec3 momentum;         /* linear, at the end [kg m/s] */
    crn_vec3 angular_momentum; /* about the origin [kg m^2/s] */
    int drifts;                /* trees: parts of the drift, of the tree with the most */
    int repairs;               /* trees: position problems solved after the drift */
    double clamped;            /* trees: energy taken out because the curved drift had gained it [J] */
    double seconds;            /* whole step */
    double seconds_collide;    /* of it: finding contacts */
    double seconds_solve;      /* of it: complementarity problems */
} crn_step_stats;

/** One contact point of the last step. */
typedef struct crn_contact {
    crn_body_id a, b;
    int shape_a, shape_b; /* index of the shape on its body */
    uint32_t key;         /* which features touch */
    crn_vec3 point;       /* at the beginning of the step, world [m] */
    crn_vec3 normal;      /* unit, out of b into a */
    double gap;           /* at the beginning of the step [m] */
    double friction;      /* mu of the pair */
    crn_vec3 impulse;     /* on a, world axes [N s] */
    crn_vec3 velocity;    /* of a relative to b at the point, after the step [m/s] */
    int kind;             /* crn_contact_kind: off, on, slide, edge, stick */
} crn_contact;

/** Two bodies that began or ceased to push each other in the last step. */
typedef struct crn_contact_event {
    crn_body_id a, b;
    bool is_begin;
} crn_contact_event;

#ifdef __cplusplus
}
#endif
#endif
