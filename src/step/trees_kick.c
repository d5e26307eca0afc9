/* The kick: forces and impulses act on trees where they are.
 *
 *     (X + Y) u+ = (X - Y) u- + h f + J'lambda               a whole kick
 *      X u+      = (X - Y) u  + h/2 f + J'lambda             a first one, of half a step, from the velocity that is shown
 *     X = H + h/2 c B + h^2/4 (1 + s) K,   Y = h/2 B + h^2/2 s K
 *
 * B, K: damping and stiffness of joints; f: gravity, forces on bodies, forces along coordinates, springs at their present length.
 * With c = s = 0 this is the trapezoidal rule: second order, and the least that is stable for any B and K. It would not damp what
 * is stiff, so c and s grow from 0 to 1, where all is implicit, with what h does to the coordinate: docs/theory/trees.md, section 2.2.
 * A whole kick is a first one after the half that comes before what is shown, whatever c and s are. Driven velocities are given. */
#include <math.h>
#include <string.h>

#include "step/loops.h"
#include "step/moment.h"

/* --- Springs, dampers, forces of joints --- */

/* How far a coordinate is from the spring's target; of a ball joint the k-th part of its turn. */
static double stretch(const crn_stepper *s, const crn_link *link, const crn_step_joint *joint, const double *q, int k)
{
    if (crn_joint_kind_coordinates(link->kind) > 0) {
        return crn_profile_at(&joint->def.axis[k].target, s->time) + joint->control_target[k] - q[link->q + k];
    }
    if (link->kind != CRN_JOINT_BALL) {
        return 0.0;
    }
    const double *at = q + link->q;
    crn_vec3 turn = crn_quat_log((crn_quat){at[0], at[1], at[2], at[3]});
    return -(k == 0 ? turn.x : k == 1 ? turn.y : turn.z);
}

crn_implicit crn_trees_implicit(const crn_stepper *s, double b, double k, double inertia, double h)
{
    if (s->def.integrator != CRN_INTEGRATOR_REFLECT) {
        return (crn_implicit){h * b + h * h * k, 0.0};
    }
    double half = (1.0 - s->kick.share) * h, z = 2.0 * half * b, y = 4.0 * half * half * k;
    double c = z / (6.0 * inertia + z); /* the kick of a damper alone is the Pade approximation (1, 2) of its decay */
    double soft = y / (12.0 * inertia + y);
    double X = half * c * b + half * half * (1.0 + soft) * k, Y = half * b + 2.0 * half * half * soft * k;
    return (crn_implicit){s->kick.share > 0.0 ? X + Y : X, X - Y};
}

/* Force along velocity k of a joint [N m or N], and what it adds to the mass matrix. */
static double joint_force(const crn_stepper *s, const crn_step_tree *tree, const double *u, int i, int k, double h,
                          crn_implicit *extra)
{
    const crn_step_forest *f = &s->forest;
    const crn_link *link = &tree->tree->link[i];
    const crn_step_joint *joint = &s->joint[f->joint[tree->link + i]];
    bool has_coordinates = crn_joint_kind_coordinates(link->kind) > 0;
    const crn_joint_axis *axis = &joint->def.axis[has_coordinates ? k : 0];
    double applied = 0.0;
    if (has_coordinates) {
        applied =
            crn_profile_at(&axis->force, s->time) + joint->control_force[k] + joint->force[k] + joint->tendon_force[k];
    }
    *extra = (crn_implicit){0.0, 0.0};
    if (!(axis->stiffness > 0.0) && !(axis->damping > 0.0)) {
        return applied;
    }
    double spring = axis->stiffness > 0.0 ? axis->stiffness * stretch(s, link, joint, f->q + tree->q, k) : 0.0;
    double whole = spring - axis->damping * u[tree->u + link->u + k];
    if (axis->spring_limit > 0.0 && fabs(whole) > axis->spring_limit) {
        return applied + copysign(axis->spring_limit, whole);
    }
    *extra = crn_trees_implicit(s, axis->damping, axis->stiffness, f->inertia[tree->u + link->u + k], h);
    return applied + spring;
}

/* h times forces along all velocities into f->force, momentum of armature and of what is implicit added; f->extra. */
void crn_trees_joint_forces(crn_stepper *s, crn_step_tree *tree, const double *u, double h)
{
    crn_step_forest *f = &s->forest;
    tree->is_pushed = false;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        for (int k = 0; k < link->freedom; ++k) {
            int at = tree->u + link->u + k;
            crn_implicit extra = {0.0, 0.0};
            double force = f->joint[tree->link + i] >= 0 ? joint_force(s, tree, u, i, k, h, &extra) : 0.0;
            f->extra[at] = extra.after;
            f->force[at] = h * force + (link->armature[k] + extra.before) * u[at];
            tree->is_pushed = tree->is_pushed || force != 0.0;
        }
    }
}

/* Entry k of the diagonal of D = l l'; 1 of a driven joint, which nothing changes. */
static double diagonal(const crn_link *link, int k)
{
    double sum = 0.0;
    for (int j = 0; j <= k && !link->is_driven; ++j) {
        double l = link->l[k + link->freedom * j];
        sum += l * l;
    }
    return link->is_driven ? 1.0 : sum;
}

void crn_trees_note_inertia(crn_stepper *s, crn_step_mechanism *m)
{
    if (!m->is_stiff) {
        return;
    }
    if (!m->has_factor) {
        (void)crn_trees_factor(s, m, NULL);
    }
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            for (int k = 0; k < link->freedom; ++k) {
                s->forest.inertia[tree->u + link->u + k] = diagonal(link, k);
            }
        }
    }
}

/* Coriolis forces of a tree taken out of f->force: only the integrators of trees_stages.c form them. */
static void take_coriolis(crn_stepper *s, const crn_step_tree *tree, const double *u, double h)
{
    crn_step_forest *f = &s->forest;
    const crn_tree_load none = {0};
    double *C = f->rotor + tree->u; /* free until the next drift */
    crn_tree_inverse(tree->tree, f->q + tree->q, u + tree->u, NULL, &none, C);
    for (int k = 0; k < tree->tree->velocities; ++k) {
        f->force[tree->u + k] -= h * C[k];
    }
}

/* --- Momenta and forces of links --- */

static void link_momenta(crn_stepper *s, const crn_step_tree *tree, double h, bool is_driven)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        size_t at = (size_t)tree->link + (size_t)i;
        const crn_step_body *body = &s->body[f->body[at]];
        const double *V = f->V + 6 * at;
        crn_vec3 spin = crn_m3_times(&link->inertia_world, crn_v3_of(V));
        crn_vec3 p = crn_v3_scale(link->mass, crn_com_velocity(tree->tree, i, V));
        crn_vec3 force = crn_v3_axpy(body->load_force, body->gravity_scale * link->mass, s->def.gravity);
        spin = crn_v3_scale(1.0 / (1.0 + h * body->angular_damping), crn_v3_axpy(spin, h, body->load_torque));
        p = crn_v3_scale(1.0 / (1.0 + h * body->linear_damping), crn_v3_axpy(p, h, force));
        if (is_driven) {
            const double *known = f->known + 6 * at;
            spin = crn_v3_sub(spin, crn_m3_times(&link->inertia_world, crn_v3_of(known)));
            p = crn_v3_axpy(p, -link->mass, crn_com_velocity(tree->tree, i, known));
        }
        crn_wrench_at_origin(tree->tree, i, spin, p, f->p + 6 * at);
    }
}

/* Free velocity of links: what contacts look at. */
static void show_free(crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const double *V = f->V + 6 * (size_t)(tree->link + i);
            crn_step_body *body = &s->body[f->body[tree->link + i]];
            body->next_w = crn_v3_of(V);
            body->next_v = crn_com_velocity(tree->tree, i, V);
        }
    }
}

/* Velocities of tendons' slack begin at 0. */
static void clear_slack(crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_tree *last = &s->forest.tree[m->tree + m->trees - 1];
    int first = last->w + last->tree->whitened;
    for (int i = first; i < m->w + m->whitened; ++i) {
        s->forest.nu[i] = 0.0;
    }
}

bool crn_trees_push(crn_stepper *s, crn_step_mechanism *m, const double *u, double h)
{
    crn_step_forest *f = &s->forest;
    if (u == f->before) {
        crn_trees_spread_before(s, m, f->V);
    } else {
        crn_trees_spread(s, m, u, f->V);
    }
    crn_trees_known(s, m);
    crn_trees_note_inertia(s, m);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        crn_trees_joint_forces(s, &f->tree[t], u, h);
        link_momenta(s, &f->tree[t], h, m->is_driven);
        if (s->def.integrator != CRN_INTEGRATOR_REFLECT) {
            take_coriolis(s, &f->tree[t], u, h);
        }
    }
    crn_loops_update(s, m);
    if (m->is_stiff) {
        if (!crn_trees_factor(s, m, f->extra)) {
            return false;
        }
        crn_loops_refactor(s, m);
    }
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        crn_tree_whiten(tree->tree, f->p + 6 * (size_t)tree->link, f->force + tree->u, f->nu + tree->w);
    }
    clear_slack(s, m);
    crn_loops_shift_speeds(s, m);
    crn_loops_reduce(m, f->nu + m->w);
    crn_trees_unwhiten(s, m, f->rotor); /* rotor is free until the next drift */
    show_free(s, m);
    return true;
}

void crn_trees_lead(crn_stepper *s, const crn_step_mechanism *m)
{
    if (crn_is_led(s, m)) {
        crn_trees_known(s, m);
        crn_trees_spread(s, m, s->forest.u, s->forest.V);
        show_free(s, m);
    }
}

/* --- For the ledger --- */

static const crn_step_joint *joint_of(const crn_stepper *s, const crn_step_tree *tree, int i)
{
    return &s->joint[s->forest.joint[tree->link + i]];
}

/* The axis of velocity k: balls and free joints have one for all. */
static int axis_number(const crn_step_joint *joint, int k)
{
    return crn_joint_kind_coordinates(joint->def.kind) > 0 ? k : 0;
}

static const crn_joint_axis *axis_of(const crn_step_joint *joint, int k)
{
    return &joint->def.axis[axis_number(joint, k)];
}

/* Does it hold energy? Else it is a motor that pushes towards a target. */
static bool is_spring(const crn_step_joint *joint, int k)
{
    const crn_joint_axis *axis = axis_of(joint, k);
    bool is_moving =
        axis->target.amplitude != 0.0 || axis->target.times != NULL || joint->is_servo[axis_number(joint, k)];
    return axis->stiffness > 0.0 && !(axis->spring_limit > 0.0) && !is_moving;
}

/* Its mean force is the share of f, less what the implicit part takes: h force = h f - after u+ + before u-. Of that the damper has
 * what there would be without a spring. */
crn_joint_work crn_trees_joint_parts(const crn_stepper *s, const crn_step_tree *tree, int i, int k, double h)
{
    const crn_link *link = &tree->tree->link[i];
    const crn_step_joint *joint = joint_of(s, tree, i);
    const crn_joint_axis *axis = axis_of(joint, k);
    int at = tree->u + link->u + k;
    double before = crn_moment_speeds(s, CRN_BEFORE)[at], after = crn_moment_speeds(s, CRN_PUSHED)[at];
    crn_implicit both;
    double force = joint_force(s, tree, crn_moment_speeds(s, CRN_BEFORE), i, k, h, &both);
    crn_joint_work part = {force, 0.0, 0.0};
    if (!(both.after > 0.0)) {
        return part;
    }
    double whole = (both.before * before - both.after * after) / h;
    part.damper = whole;
    if (axis->stiffness > 0.0) {
        double off = stretch(s, link, joint, s->forest.q + tree->q, k);
        crn_implicit damped = crn_trees_implicit(s, axis->damping, 0.0, s->forest.inertia[at], h);
        part.damper = (damped.before * before - damped.after * after) / h;
        part.applied -= axis->stiffness * off;
        *(is_spring(joint, k) ? &part.spring : &part.applied) += axis->stiffness * off + whole - part.damper;
    }
    return part;
}

double crn_trees_spring_energy(const crn_stepper *s, const crn_step_tree *tree, int i, int k)
{
    const crn_step_joint *joint = joint_of(s, tree, i);
    if (!is_spring(joint, k)) {
        return 0.0;
    }
    double off = stretch(s, &tree->tree->link[i], joint, s->forest.q + tree->q, k);
    return 0.5 * axis_of(joint, k)->stiffness * off * off;
}
