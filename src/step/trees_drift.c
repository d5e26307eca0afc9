/* Drift of trees: reflect and project [sections 1 and 2].
 *
 * Without forces a link's velocity (v, R') is a straight motion of constant mass, kept on what the joints allow. Of dt:
 *
 *     V    what links carry: v of the centre of mass, V_R = [w]R
 *     q_m  = q (+) dt/2 u
 *     H(q_m) ubar = S(q_m)' M V            nearest velocity at the middle
 *     V+   = 2 S(q_m) ubar - V             reflected: as much energy as before
 *     q+   = q (+) dt ubar
 *     H(q+) u- = S(q+)' M V+               nearest velocity at the end: the only loss
 *
 * The momentum of a link that carries (v, V_R) is m v and sum_c (R e_c) x (V_R J e_c), J = tr(I)/2 - I. Wheels (link->is_wheel)
 * carry (v, o) instead, with o = R'w, which goes on as that of a free top for dt/2 before the reflection and after it; and their spin
 * R I o. Rotors of motors carry their own speed. A mechanism that turns far in h drifts in several parts. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "step/loops.h"
#include "step/trees.h"

static const double TURN_MOST = 0.25; /* [rad] a part of the drift; crn_world_def.drift_turn */
enum { PARTS_MOST = 16 };

/* --- What links carry --- */

enum { TURNING = 3, SPIN = 6 }; /* of what wheels carry */

static void take(double *carried, crn_vec3 now, bool is_reflected)
{
    crn_v3_to(is_reflected ? crn_v3_sub(crn_v3_scale(2.0, now), crn_v3_of(carried)) : now, carried);
}

static void carry_link(const crn_link *link, crn_vec3 w, crn_vec3 v, bool is_reflected, double *carry)
{
    take(carry, v, is_reflected);
    if (link->is_wheel) {
        take(carry + TURNING, crn_m3_transposed_times(&link->frame.rotation, w), is_reflected);
        return;
    }
    for (int c = 0; c < 3; ++c) {
        take(carry + 3 + 3 * c, crn_v3_cross(w, crn_m3_column(&link->frame.rotation, c)), is_reflected);
    }
}

/* A wheel's spin where it is now: repairs move it afterwards, and leave that. */
static void place_wheel(const crn_link *link, double *carry)
{
    crn_vec3 spin = crn_m3_times(&link->inertia, crn_v3_of(carry + TURNING));
    crn_v3_to(crn_m3_times(&link->frame.rotation, spin), carry + SPIN);
}

void crn_trees_carry(crn_stepper *s, const crn_step_tree *tree, int i, crn_vec3 w, crn_vec3 v)
{
    const crn_link *link = &tree->tree->link[i];
    double *carry = s->forest.carry + 12 * ((size_t)tree->link + (size_t)i);
    carry_link(link, w, v, false, carry);
    if (link->is_wheel) {
        place_wheel(link, carry);
    }
}

/* carry := that of the present place with f->V and u; reflected: twice that, less carry */
static void take_up(crn_stepper *s, const crn_step_mechanism *m, const double *u, bool is_reflected)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            size_t at = (size_t)tree->link + (size_t)i;
            const double *V = f->V + 6 * at;
            crn_vec3 v = crn_com_velocity(tree->tree, i, V);
            carry_link(&tree->tree->link[i], crn_v3_of(V), v, is_reflected, f->carry + 12 * at);
        }
        for (int k = tree->u; k < tree->u + tree->tree->velocities; ++k) {
            f->rotor[k] = is_reflected ? 2.0 * u[k] - f->rotor[k] : u[k];
        }
    }
}

/* Wheels after h without joints. */
static void turn_wheels(crn_stepper *s, const crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            if (tree->tree->link[i].is_wheel) {
                double *turning = f->carry + 12 * ((size_t)tree->link + (size_t)i) + TURNING;
                crn_v3_to(crn_rigid_precess(&tree->tree->link[i].inertia, crn_v3_of(turning), h), turning);
            }
        }
    }
}

static void place_wheels(crn_stepper *s, const crn_step_mechanism *m)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            if (tree->tree->link[i].is_wheel) {
                place_wheel(&tree->tree->link[i], s->forest.carry + 12 * ((size_t)tree->link + (size_t)i));
            }
        }
    }
}

/* Angular momentum about the centre of mass of a link whose rotation matrix moves by V_R. */
static crn_vec3 carried_spin(const crn_link *link, const double *turned)
{
    const double *I = link->inertia.m;
    double half = 0.5 * (I[0] + I[4] + I[8]);
    crn_vec3 sum = {0, 0, 0};
    for (int c = 0; c < 3; ++c) {
        crn_vec3 column = {0, 0, 0}; /* V_R J e_c */
        for (int d = 0; d < 3; ++d) {
            column = crn_v3_axpy(column, (c == d ? half : 0.0) - I[d + 3 * c], crn_v3_of(turned + 3 * d));
        }
        sum = crn_v3_add(sum, crn_v3_cross(crn_m3_column(&link->frame.rotation, c), column));
    }
    return sum;
}

/* Momenta of all links of a tree into f->p, the given part of the motion taken out. */
static void carried_momenta(crn_stepper *s, const crn_step_tree *tree, bool is_driven)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        size_t at = (size_t)tree->link + (size_t)i;
        const double *carry = f->carry + 12 * at;
        crn_vec3 spin = link->is_wheel ? crn_v3_of(carry + SPIN) : carried_spin(link, carry + 3), v = crn_v3_of(carry);
        if (is_driven) {
            const double *known = f->known + 6 * at;
            spin = crn_v3_sub(spin, crn_m3_times(&link->inertia_world, crn_v3_of(known)));
            v = crn_v3_sub(v, crn_com_velocity(tree->tree, i, known));
        }
        crn_wrench_at_origin(tree->tree, i, spin, crn_v3_scale(link->mass, v), f->p + 6 * at);
    }
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        for (int k = 0; k < link->freedom; ++k) {
            f->force[tree->u + link->u + k] = link->armature[k] * f->rotor[tree->u + link->u + k];
        }
    }
}

void crn_trees_project(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    crn_trees_known(s, m);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        carried_momenta(s, tree, m->is_driven);
        crn_tree_whiten(tree->tree, f->p + 6 * (size_t)tree->link, f->force + tree->u, f->nu + tree->w);
    }
    crn_loops_update(s, m);
    crn_loops_shift_speeds(s, m);
    crn_loops_reduce(m, f->nu + m->w);
    crn_trees_add_shift(s, m);
    crn_trees_unwhiten(s, m, f->before);
}

void crn_trees_add_shift(crn_stepper *s, const crn_step_mechanism *m)
{
    for (int k = 0; k < m->whitened && m->closure.held > 0; ++k) {
        s->forest.nu[m->w + k] += s->forest.shift[m->w + k];
    }
}

/* Velocities u, and V of links, of the whitened ones; given velocities are those of f->u. */
void crn_trees_unwhiten(crn_stepper *s, const crn_step_mechanism *m, double *u)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        double *V = f->V + 6 * (size_t)tree->link;
        const double *known = f->known + 6 * (size_t)tree->link;
        if (u != f->u && m->is_driven) {
            memcpy(u + tree->u, f->u + tree->u, (size_t)tree->tree->velocities * sizeof *u);
        }
        crn_tree_unwhiten(tree->tree, f->nu + tree->w, u + tree->u, V);
        for (int i = 0; m->is_driven && i < 6 * tree->tree->links; ++i) {
            V[i] += known[i];
        }
    }
}

/* --- The drift --- */

static double fastest_turn(const crn_stepper *s, const crn_step_mechanism *m)
{
    double most = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            most = crn_fmax(most, crn_v3_length(crn_v3_of(s->forest.V + 6 * (size_t)(tree->link + i))));
        }
    }
    return most;
}

/* The base of each tree at a part of the step: driven ones move evenly over it. */
static void move_bases(crn_stepper *s, crn_step_mechanism *m, double time)
{
    m->drift_time = time;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        if (tree->base >= 0) {
            const crn_step_body *base = &s->body[tree->base];
            crn_quat turn = crn_quat_exp(crn_v3_scale(time, base->next_w));
            crn_quat rotation = crn_quat_unit(crn_quat_product(turn, base->begin.pose.rotation));
            bool is_moving = base->kind == CRN_BODY_DRIVEN && time != 0.0;
            tree->tree->base.rotation = is_moving ? crn_quat_matrix(rotation) : base->rigid.rotation;
            tree->tree->base.position =
                is_moving ? crn_v3_axpy(base->begin.pose.position, time, base->next_v) : base->rigid.pose.position;
        }
    }
}

static void place_trees(crn_stepper *s, crn_step_mechanism *m, const double *q)
{
    m->placed = q;
    m->closure.is_current = false;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        crn_tree_place(s->forest.tree[t].tree, q + s->forest.tree[t].q);
    }
}

static void advance(const crn_stepper *s, const crn_step_mechanism *m, const double *q, const double *u, double h,
                    double *next)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        crn_tree_advance(tree->tree, q + tree->q, u + tree->u, h, next + tree->q);
    }
}

/* One part of the drift from u, with V of links; q and what is carried are then of its end. */
static bool drift_part(crn_stepper *s, crn_step_mechanism *m, const double *u, double from, double dt)
{
    crn_step_forest *f = &s->forest;
    m->closure.wide = 0.0;
    take_up(s, m, u, false);
    turn_wheels(s, m, 0.5 * dt);
    advance(s, m, f->q, u, 0.5 * dt, f->middle);
    move_bases(s, m, from + 0.5 * dt);
    place_trees(s, m, f->middle);
    place_wheels(s, m);
    if (!crn_trees_factor(s, m, NULL)) {
        return false;
    }
    crn_trees_project(s, m); /* ubar in before */
    take_up(s, m, f->before, true);
    turn_wheels(s, m, 0.5 * dt);
    advance(s, m, f->q, f->before, dt, f->q);
    move_bases(s, m, from + dt);
    place_trees(s, m, f->q);
    place_wheels(s, m);
    return crn_trees_factor(s, m, NULL);
}

bool crn_trees_drift_alone(crn_stepper *s, crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    double mass;
    crn_trees_spread(s, m, f->u, f->V);
    crn_vec3 from = crn_trees_mass_centre(s, m, &mass);
    crn_trees_momentum(s, m, f->V, m->momentum);
    double most = s->def.drift_turn > 0.0 ? s->def.drift_turn : TURN_MOST;
    double turn = h * fastest_turn(s, m);
    int parts = turn > most * PARTS_MOST ? PARTS_MOST : turn > most ? (int)ceil(turn / most) : 1;
    bool is_fine = true;
    m->drifts = parts;
    for (int i = 0; i < parts && is_fine; ++i) {
        if (i > 0) {
            crn_trees_spread(s, m, f->before, f->V);
        }
        is_fine = drift_part(s, m, i == 0 ? f->u : f->before, h * i / parts, h / parts);
        if (is_fine && i == parts - 1 && m->is_unheld) {
            crn_trees_shift_centre(s, m, from, h); /* the factor stays: it is about the tree's own origin */
        }
        if (is_fine) {
            crn_trees_project(s, m);
        }
    }
    if (is_fine && m->is_unheld) {
        crn_trees_restore_momentum(s, m);
    }
    return is_fine;
}

bool crn_trees_drift(crn_stepper *s, double h)
{
    bool is_fine = true;
    for (int i = 0; i < s->forest.mechanisms && is_fine; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        m->is_drifted = crn_is_awake(s, m);
        if (m->is_drifted) { /* trees are placed where the last kick was */
            is_fine = crn_trees_drift_alone(s, m, h);
        }
    }
    return is_fine;
}
