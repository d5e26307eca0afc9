/* cairn/gradient.h -- how the next state of a world changes with this one, with forces, controls and parameters.
 *
 * Changes of a state are numbers of a tangent space, one per velocity: of each free body that is no link (order of bodies) a turn and a
 * shift of its centre of mass, world axes (planar worlds: turn, x, y); then, tree after tree, those of its joints' velocities
 * (order of tree.h). crn_body_tangent() and crn_joint_tangent() tell where they are. Velocities are those shown.
 *
 * What is differentiated is the step itself, drift, repairs, kick and impacts, with all that it chooses held fixed: which contacts are open,
 * stick or slide, which limits push, what is repaired. Its complementarity problems are linear in these states; what else is in a step
 * is an explicit function, which is known in parts, and differenced otherwise. Where a choice is about to change the report says so
 * [docs/guide/gradients.md, docs/theory/gradients.md]. */
#ifndef CAIRN_GRADIENT_H
#define CAIRN_GRADIENT_H

#include <cairn/linearize.h>
#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- The tangent space --- */

/** How many numbers a change of state has, of positions or of velocities; 0 without a world. */
CRN_API int crn_world_tangent(crn_world *world);

/** First number and count of a free body that is no link, or is the root of a tree that floats; count 0: it has none of its own. */
CRN_API crn_status crn_body_tangent(crn_world *world, crn_body_id body, int *first, int *count);

/** The same of a joint in a tree. */
CRN_API crn_status crn_joint_tangent(crn_world *world, crn_joint_id joint, int *first, int *count);

/** Move the world by a change of its state, `by` times dq and dv (NULL: 0), as if it had been placed there. */
CRN_API crn_status crn_world_move(crn_world *world, double by, const double *dq, const double *dv, crn_error *error);

/** The change that leads from one snapshot of a world to its state now: dq, dv (tangent numbers each, either may be NULL). */
CRN_API crn_status crn_world_change_since(crn_world *world, const void *snapshot, size_t size, double *dq, double *dv,
                                          crn_error *error);

/* --- Parameters --- */

/** What can be differentiated by, beside the state. */
typedef enum crn_parameter_kind {
    CRN_PARAMETER_FORCE =
        0, /* on a body during the step: index 0 to 2 torque, 3 to 5 force at its centre of mass, world axes */
    CRN_PARAMETER_JOINT_FORCE, /* along coordinate `index` of a joint during the step */
    CRN_PARAMETER_CONTROL,     /* of actuator `index` */
    CRN_PARAMETER_FRICTION,    /* of all shapes of a body; pairs that were given their own friction keep it */
    CRN_PARAMETER_RESTITUTION, /* likewise */
    CRN_PARAMETER_MASS,        /* of a free body; its moments of inertia stay */
    CRN_PARAMETER_INERTIA,     /* factor of its moments of inertia, 1 now */
    CRN_PARAMETER_GRAVITY,     /* index 0 to 2: x, y, z */
    CRN_PARAMETER_MOTOR,       /* of coordinate `index` of a joint: speed, or target of a servo or spring */
    CRN_PARAMETER_SIZE, /* of shape index / 3 of a body, in the order of its definition: size.x, y or z by index % 3 [m]; mass and
                            inertia stay. Not of hulls, polygons, meshes and height fields, which have points */
    CRN_PARAMETER_PLACE, /* likewise: the position of the shape in the body's axes [m] */
    CRN_PARAMETER_FRAME /* of a joint's frames: index 0 to 2 the position of frame_a, 3 to 5 of frame_b, axes of the bodies [m]; coordinates
                            of trees stay, and what hangs on the joint moves */
} crn_parameter_kind;
#define CRN_PARAMETER_KIND_COUNT 12 /* how many there are */

CRN_API const char *crn_parameter_kind_name(crn_parameter_kind kind); /* "force", "joint_force", ...; NULL if none */
CRN_API bool crn_parameter_kind_find(const char *name, crn_parameter_kind *kind); /* false if there is none */

/** One of them. */
typedef struct crn_parameter {
    crn_parameter_kind kind;
    crn_body_id body;
    crn_joint_id joint;
    int index;
} crn_parameter;

/* --- Derivatives of a step --- */

/** Fill with crn_gradient_options_default(), then change fields. */
typedef struct crn_gradient_options {
    const crn_parameter *parameter;
    int parameters;
    bool
        continues; /* begin as the step would that follows now, even if nothing has changed since the last one: from the velocity after the
                       last kick, which is not shown. Default: from what is shown, as where forces or controls are new in every step */
    bool
        saltation; /* where something bounces: of the motion, not of the step. Positions count as if the bounce had been at its moment */
    bool
        is_unchecked; /* do not look whether steps from nearby make the same choices, and columns have kinks: ten steps less */
    double kink; /* margins below this are kinks; 0: 1e-6 */
    double
        change; /* of positions, for differences of explicit parts [m, rad]; 0: 1e-6, of other things in proportion; wider where rounding asks for it */
} crn_gradient_options;

CRN_API crn_gradient_options crn_gradient_options_default(void); /* no parameters, from what is shown, of the step */

/** A contact at a kink. */
typedef struct crn_gradient_kink {
    crn_body_id a, b;
    crn_vec3 point;
    crn_contact_branch branch;
} crn_gradient_kink;

/** What a derivative is worth; written on every return with CRN_OK. */
typedef struct crn_gradient_report {
    crn_gradient_status
        status;        /* the worst of all that follows. Uncovered: the step is made in parts, or something sleeps */
    bool begins_shown; /* the derivative is by the velocity shown; else by that after the last kick */
    bool is_saltation; /* positions count as if a bounce had been at its moment */
    int kinks;         /* contacts, limits, rows at a kink, */
    int touching; /* contacts whose gap is 0: closed by speed if raised, by a repair if lowered. Closed is what is returned */
    int redundant;   /* equations that others imply */
    bool is_parting; /* steps from states 1e-5 away make other choices: some kink is that near, of any kind */
    int changed;     /* columns that are not to be trusted: changes that left the states of the step, kinks, rounding */
    double margin;   /* the least: how far the nearest contact is from another state */
    double residual; /* of the step's problems in these states, over their velocity scales */
    crn_gradient_kink kink[8]; /* the first of them */
    int listed;                /* how many of these there are */
    crn_step_stats step;       /* of the step that was differentiated */
} crn_gradient_report;

/** Where derivatives go: the caller's arrays, column-major; any may be NULL. n = crn_world_tangent(), p = parameters. */
typedef struct crn_world_jacobian {
    double *state;             /* 2n x 2n: (dq, dv) after the step by (dq, dv) before it */
    double *by_parameter;      /* 2n x p */
    double *carried;           /* n x 2n: of the velocity after the kick, which a step that continues begins with */
    double *carried_parameter; /* n x p */
} crn_world_jacobian;

/** Derivatives of the step of dt that would be made now, with forces that were applied for it and controls as they are. The world is as before
 *  afterwards, to the last bit. CRN_ERR_UNSUPPORTED: the step is not certified, or the integrator is none of reflect and euler; nothing is
 *  written then. Takes memory. options, report, error may be NULL. */
CRN_API crn_status crn_world_linearize(crn_world *world, double dt, const crn_gradient_options *options,
                                       const crn_world_jacobian *jacobian, crn_gradient_report *report,
                                       crn_error *error);

/** A change of state and parameters, or a gradient with respect to them. Any pointer may be NULL: zeros, or not wanted. */
typedef struct crn_world_change {
    double *q, *v;     /* n each */
    double *carried;   /* n: only after the step */
    double *parameter; /* p: only before it */
} crn_world_change;

/** Forward product: what a change before the step makes of the state after it. */
CRN_API crn_status crn_world_jvp(crn_world *world, double dt, const crn_gradient_options *options,
                                 const crn_world_change *before, const crn_world_change *after,
                                 crn_gradient_report *report, crn_error *error);

/** Adjoint product: from the gradient with respect to the state after the step that with respect to the state before it and the parameters. */
CRN_API crn_status crn_world_vjp(crn_world *world, double dt, const crn_gradient_options *options,
                                 const crn_world_change *after, const crn_world_change *before,
                                 crn_gradient_report *report, crn_error *error);

/** The step that would be made now, recorded and linearised once for several products. Reads the world, which must stay where it is. */
typedef struct crn_world_linear crn_world_linear;

/** As crn_world_linearize(), without columns; the parameters of the options are copied. The world is as before. */
CRN_API crn_status crn_world_linear_create(crn_world *world, double dt, const crn_gradient_options *options,
                                           crn_world_linear **linear, crn_gradient_report *report, crn_error *error);
CRN_API void crn_world_linear_destroy(crn_world_linear *linear); /* NULL is fine; before the world */

/** Products with it. Where the step is one of free bodies, without joints, repairs and bounces, both are one solve with the factors of its
 *  problems, the transposed ones for the adjoint, and small matrices of bodies and contacts; nothing is differenced. Else as crn_world_jvp() and
 *  crn_world_vjp(). CRN_ERR_ARGUMENT, and nothing is written, if steps must be made again, and the world has changed since. */
CRN_API crn_status crn_world_linear_jvp(crn_world_linear *linear, const crn_world_change *before,
                                        const crn_world_change *after, crn_error *error);
CRN_API crn_status crn_world_linear_vjp(crn_world_linear *linear, const crn_world_change *after,
                                        const crn_world_change *before, crn_error *error);

/* --- Over a trajectory --- */

/** Steps to be differentiated backwards: snapshots of some, and what acted in each. */
typedef struct crn_tape crn_tape;

/** A tape of a world. every: steps from one snapshot to the next, 1 keeps all; 0: as many as make memory and replays least for `steps`
 *  steps. options are copied, with their parameters. */
CRN_API crn_status crn_tape_create(crn_world *world, const crn_gradient_options *options, int every, int steps,
                                   crn_tape **tape, crn_error *error);
CRN_API void crn_tape_destroy(crn_tape *tape); /* NULL is fine */

/** Make a step of the world and keep what it takes to differentiate it: as crn_world_step(). Between steps the caller may apply forces and
 *  set controls; other changes of the world are not seen. */
CRN_API crn_status crn_tape_step(crn_tape *tape, double dt, crn_step_stats *stats, crn_error *error);

CRN_API int crn_tape_steps(const crn_tape *tape); /* how many it has */

/** Called for step = steps, steps-1, ... 0 with the state after `step` steps: add the gradient of the cost with respect to that state to q and v (n
 *  each). The world must not be changed. */
typedef void (*crn_tape_cost)(void *user, const crn_world *world, int step, double *q, double *v);

/** Backwards through all steps. cost may be NULL if after gives the gradient with respect to the last state. gradient: before->q and v get
 *  the gradient with respect to the first state, parameters (p x steps, may be NULL) those of each step, column k of step k; sum over columns for
 *  what is constant. worst (may be NULL): the worst status of all steps; unsmooth: how many steps are not smooth. The world is as before
 *  afterwards. */
CRN_API crn_status crn_tape_backward(crn_tape *tape, crn_tape_cost cost, void *user, const crn_world_change *after,
                                     const crn_world_change *before, double *parameters, crn_gradient_status *worst,
                                     int *unsmooth, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
