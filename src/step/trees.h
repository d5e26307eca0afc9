/* Trees inside a step: drift, projection, loops, columns, energy. Sections are those of docs/theory/trees.md. */
#ifndef CRN_STEP_TREES_H
#define CRN_STEP_TREES_H

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

/* Kick, then drift, with joints as rows: the order of [HA03]. */
static inline bool crn_is_hart(const crn_stepper *s)
{
    return s->def.integrator == CRN_INTEGRATOR_HART;
}

static inline crn_step_mechanism *crn_mechanism_of(crn_stepper *s, int body)
{
    int tree = s->body[body].tree;
    return tree > 0 ? &s->forest.mechanism[s->forest.tree[tree - 1].mechanism] : NULL;
}

/* Is it stepped? Its links sleep together. */
static inline bool crn_is_awake(const crn_stepper *s, const crn_step_mechanism *m)
{
    return m->whitened + (int)m->is_driven > 0 && !s->body[s->forest.body[s->forest.tree[m->tree].link]].asleep;
}

/* Is all of its motion given? The problem then does not move it, but contacts feel how it moves. */
static inline bool crn_is_led(const crn_stepper *s, const crn_step_mechanism *m)
{
    return m->whitened == 0 && crn_is_awake(s, m);
}

/* Velocity of a link's centre of mass from V = (w, v at the tree's origin). */
static inline crn_vec3 crn_com_velocity(const crn_tree *tree, int link, const double *V)
{
    crn_vec3 arm = crn_v3_sub(tree->link[link].frame.position, tree->origin);
    return crn_v3_add(crn_v3_of(V + 3), crn_v3_cross(crn_v3_of(V), arm));
}

/* A wrench (torque about the centre of mass, force) about the tree's origin. */
static inline void crn_wrench_at_origin(const crn_tree *tree, int link, crn_vec3 torque, crn_vec3 force, double *p)
{
    crn_vec3 arm = crn_v3_sub(tree->link[link].frame.position, tree->origin);
    crn_v3_to(crn_v3_add(torque, crn_v3_cross(arm, force)), p);
    crn_v3_to(force, p + 3);
}

/* --- trees_states.c --- */

/* Coordinates and velocities of mechanisms that are as before are kept. All others take coordinates from the poses of bodies,
 * which then stand where these say, and velocities nearest to theirs. */
crn_status crn_trees_take_states(crn_stepper *s, crn_error *error);

/* Where the mechanism is now, its velocities u become those nearest to them that its loops allow. False if a mass matrix is singular. */
bool crn_trees_fit_velocities(crn_stepper *s, crn_step_mechanism *m);

/* --- trees_keep.c --- */

/* A hash of the bodies, joints and loops of a mechanism. */
uint64_t crn_trees_alike(const crn_stepper *s, const crn_step_mechanism *m);
/* Remember the states of all links before they are felled. False: no memory, nothing has changed. */
bool crn_trees_remember(crn_stepper *s);
/* Coordinates of a link that hangs on the same joint (-1: on none) as before; false if it does not. */
bool crn_trees_recall_coordinates(const crn_stepper *s, int body, int joint, const crn_link *link, double *q);
/* Is the mechanism what it was? Then its velocities and energies can be recalled, else its bodies begin anew. */
bool crn_trees_is_kept(const crn_stepper *s, const crn_step_mechanism *m);
void crn_trees_recall_motion(crn_stepper *s, crn_step_mechanism *m);
void crn_trees_begin_anew(crn_stepper *s, const crn_step_mechanism *m);
/* Planting is done: what is no link any more begins anew as a body of its own. */
void crn_trees_forget(crn_stepper *s);

/* --- trees_place.c --- */

/* Bodies of a mechanism where its coordinates say; its trees are placed there. */
void crn_trees_place(crn_stepper *s, crn_step_mechanism *m);

/* Factor of its mass matrix at the present place, with extra on the diagonal (NULL: nothing). False if it is singular. */
bool crn_trees_factor(crn_stepper *s, crn_step_mechanism *m, const double *extra);

/* The same after a drift: its trees are placed already. */
void crn_trees_arrive(crn_stepper *s, crn_step_mechanism *m);

/* Velocities of its bodies, after the kick and shown ones, from u and before. V is then of u. */
void crn_trees_show(crn_stepper *s, crn_step_mechanism *m);

/* Velocities of all links are those before the kick to come; V too. */
void crn_trees_show_before(crn_stepper *s);

/* The given part of the motion: velocities of driven joints into u, of driven bases into their trees, for a step of h. */
void crn_trees_aim(crn_stepper *s, double h);

/* V of all links of a mechanism for velocities u; and the part that is given, into known. */
void crn_trees_spread(crn_stepper *s, const crn_step_mechanism *m, const double *u, double *V);
void crn_trees_known(crn_stepper *s, const crn_step_mechanism *m);
/* V of the velocities before the kick, with what bases had then. */
void crn_trees_spread_before(crn_stepper *s, const crn_step_mechanism *m, double *V);
void crn_trees_keep_bases(crn_stepper *s); /* what bases have now is what they had before the kick to come */

/* --- trees_columns.c --- */

/* y += column of a row (angular, linear at the centre of mass) on a link; y has the mechanism's whitened velocities. */
void crn_trees_add_column(crn_stepper *s, int body, const double *row, double scale, double *y);
/* y += scale * column of a unit force along a velocity of a joint in a tree. */
void crn_trees_add_joint_column(crn_stepper *s, int joint, int velocity, double scale, double *y);
/* The Jacobian of rows between bodies a and b, as door 2 wants it: row r of a is at row_a + 6 r. Its parts on the problem's
 * bodies are taken from *space; what is given of the speeds is added to known. columns: of the parts, >= rows; the rest is 0.
 * A row within one mechanism is on one body of the problem. */
typedef struct crn_row_sides {
    int a, b;
    const double *jacobian_a, *jacobian_b;
    bool is_held; /* loops leave nothing of the first row, or hardly anything */
} crn_row_sides;
crn_row_sides crn_step_sides(crn_stepper *s, int a, int b, const double *row_a, const double *row_b, int rows,
                             int columns, double **space, double *known);
crn_row_sides crn_step_joint_side(crn_stepper *s, int joint, int velocity, double scale, int columns, double **space,
                                  double *known);
int crn_step_dof_at(const crn_stepper *s, int body); /* velocities of the problem's body that moves it; 0: none */

/* Speed of the row that is given: of driven joints and bases. */
double crn_trees_known_speed(const crn_stepper *s, int body, const double *row);

/* --- trees_drift.c: sections 1 and 2 --- */

/* Move all trees by h without forces; what they carry is then in carry and rotor. False if a mass matrix is singular. */
bool crn_trees_drift(crn_stepper *s, double h);
/* The same of one mechanism, which is placed: from q and u to q and before. */
bool crn_trees_drift_alone(crn_stepper *s, crn_step_mechanism *m, double h);

/* A link of the tree carries this: angular velocity, and that of the centre of mass; at the present place. */
void crn_trees_carry(crn_stepper *s, const crn_step_tree *tree, int link, crn_vec3 w, crn_vec3 v);

/* Velocities nearest to what is carried, into before and nu, at the present place (after crn_trees_factor()). */
void crn_trees_project(crn_stepper *s, crn_step_mechanism *m);
/* u and V from nu (loops' shift included); nu += shift */
void crn_trees_unwhiten(crn_stepper *s, const crn_step_mechanism *m, double *u);
void crn_trees_add_shift(crn_stepper *s, const crn_step_mechanism *m);

/* --- trees_kick.c --- */

/* Free whitened velocity of a mechanism into nu, loops taken out: forces have acted for h on velocities u. Free velocities
 * of its bodies into next_w, next_v. False if the mass matrix is singular. */
bool crn_trees_push(crn_stepper *s, crn_step_mechanism *m, const double *u, double h);
/* What a damper b and a spring k add to the mass in a kick of h: of the velocity after it, and of that before it; inertia: how hard what
 * they act on is to change. */
typedef struct crn_implicit {
    double after, before;
} crn_implicit;
crn_implicit crn_trees_implicit(const crn_stepper *s, double b, double k, double inertia, double h);
/* How hard each velocity of a mechanism with springs or dampers is to change, links beyond it being free, into inertia: D of the
 * factor. */
void crn_trees_note_inertia(crn_stepper *s, crn_step_mechanism *m);
/* h times forces along all velocities into force, momentum of armature and of what is implicit added; what they add to the mass matrix
 * into extra. */
void crn_trees_joint_forces(crn_stepper *s, crn_step_tree *tree, const double *u, double h);
/* What acts along velocity k of link i in a kick of h, as the mean force over it: springs and dampers are implicit. A spring that
 * a limit bounds, or whose target moves, is a motor. And the energy that a spring holds. */
typedef struct crn_joint_work {
    double applied, spring, damper;
} crn_joint_work;
crn_joint_work crn_trees_joint_parts(const crn_stepper *s, const crn_step_tree *tree, int i, int k, double h);
double crn_trees_spring_energy(const crn_stepper *s, const crn_step_tree *tree, int i, int k);
/* The same of a mechanism whose motion is all given: its links move as it says. */
void crn_trees_lead(crn_stepper *s, const crn_step_mechanism *m);

/* --- trees_compress.c --- */

/* Room for it (false: no memory); then the columns of mechanisms in the problem become those of fewer velocities. */
bool crn_trees_compress_room(crn_stepper *s);
void crn_trees_compress(crn_stepper *s);
/* Velocities of a mechanism from nu to the problem, and what it found back into nu. */
void crn_trees_to_problem(const crn_stepper *s, const crn_step_mechanism *m, double *z);
void crn_trees_from_problem(crn_stepper *s, const crn_step_mechanism *m);

/* --- trees_stages.c: the integrators of [YN08] --- */

/* A kick at the present place, contacts found there: velocities u from before. Adds to answer. */
typedef crn_status (*crn_trees_kick)(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error);

bool crn_trees_euler(crn_stepper *s, double h); /* drift */
crn_status crn_trees_runge_kutta(crn_stepper *s, double h, crn_trees_kick kick, crn_step_answer *answer,
                                 crn_error *error); /* drift and kicks */
crn_status crn_trees_singular(crn_error *error);

/* --- trees_momentum.c: of mechanisms that nothing holds --- */

crn_vec3 crn_trees_mass_centre(const crn_stepper *s, const crn_step_mechanism *m, double *mass);
/* Give it the momentum m->momentum by a rigid motion: before and V change. */
void crn_trees_restore_momentum(crn_stepper *s, crn_step_mechanism *m);
void crn_trees_momentum(const crn_stepper *s, const crn_step_mechanism *m, const double *V, double *momentum);
/* Mechanisms that something else pushes by the impulses just found are touched. */
void crn_trees_note_touched(crn_stepper *s);
/* Velocities u of a root that floats += those of a rigid motion, whose velocity is that of the point com. */
void crn_trees_add_to_root(const crn_tree *tree, const crn_twist *twist, crn_vec3 com, double *u);
/* Put its centre of mass where m->momentum takes it from `from` in h: q changes. */
void crn_trees_shift_centre(crn_stepper *s, crn_step_mechanism *m, crn_vec3 from, double h);

/* --- look.c --- */

/* Contacts and rows where everything is, and the bodies of the problem. */
crn_status crn_trees_look(crn_stepper *s, double h, crn_error *error);
/* The same after a first repair has moved bodies from where they were `drifted`: contacts are carried along if it was small. */
crn_status crn_trees_look_again(crn_stepper *s, double h, crn_error *error);

/* --- trees_repair.c: section 7 --- */

/* Take overlap and open loops back to the tolerance. Contacts and rows have been listed; they are again when something moved. */
bool crn_trees_is_off(crn_stepper *s); /* is there anything to repair? */
crn_status crn_trees_repair(crn_stepper *s, double h, int *repairs, bool *is_jammed, crn_error *error);
/* Which motors without bound keep the loops of their mechanism from closing: see crn_step_release_motors(). */
void crn_trees_find_contradicted(crn_stepper *s);

#endif
