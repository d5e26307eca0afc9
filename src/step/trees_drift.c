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
 * The momentum of a link that carries (v, V_R) is m v and sum_c (R e_c) x (V_R J e_c), J = tr(I)/2 - I. Rotors of motors
 * carry their own speed. A mechanism that turns far in h drifts in several parts. */
#include <math.h>
#include <string.h>

#include "step/loops.h"
#include "step/trees.h"

static const double TURN_MOST = 0.25; /* [rad] a part of the drift; crn_world_def.drift_turn */
enum { PARTS_MOST = 16 };

/* --- What links carry --- */

static void take_up(crn_stepper *s, const crn_step_mechanism *m, const double *u)
{
    crn_step_forest *f = &s->forest;
    crn_trees_spread(s, m, u, f->V);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            size_t at = (size_t)tree->link + (size_t)i;
            const double *V = f->V + 6 * at;
            crn_v3_to(crn_com_velocity(tree->tree, i, V), f->carry + 12 * at);
            for (int c = 0; c < 3; ++c) {
                crn_vec3 axis = crn_m3_column(&tree->tree->link[i].frame.rotation, c);
                crn_v3_to(crn_v3_cross(crn_v3_of(V), axis), f->carry + 12 * at + 3 + 3 * (size_t)c);
            }
        }
        memcpy(f->rotor + tree->u, u + tree->u, (size_t)tree->tree->velocities * sizeof *u);
    }
}

/* carry := 2 (that of the present place with f->V and u) - carry */
static void reflect(crn_stepper *s, const crn_step_mechanism *m, const double *u)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            size_t at = (size_t)tree->link + (size_t)i;
            const double *V = f->V + 6 * at;
            double *carry = f->carry + 12 * at;
            crn_vec3 v = crn_com_velocity(tree->tree, i, V);
            crn_v3_to(crn_v3_sub(crn_v3_scale(2.0, v), crn_v3_of(carry)), carry);
            for (int c = 0; c < 3; ++c) {
                crn_vec3 turned = crn_v3_cross(crn_v3_of(V), crn_m3_column(&tree->tree->link[i].frame.rotation, c));
                double *column = carry + 3 + 3 * c;
                crn_v3_to(crn_v3_sub(crn_v3_scale(2.0, turned), crn_v3_of(column)), column);
            }
        }
        for (int k = 0; k < tree->tree->velocities; ++k) {
            f->rotor[tree->u + k] = 2.0 * u[tree->u + k] - f->rotor[tree->u + k];
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
        crn_vec3 spin = carried_spin(link, carry + 3), v = crn_v3_of(carry);
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
            most = fmax(most, crn_v3_length(crn_v3_of(s->forest.V + 6 * (size_t)(tree->link + i))));
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

/* One part of the drift from u; q and what is carried are then of its end. */
static bool drift_part(crn_stepper *s, crn_step_mechanism *m, const double *u, double from, double dt)
{
    crn_step_forest *f = &s->forest;
    m->closure.wide = 0.0;
    take_up(s, m, u);
    advance(s, m, f->q, u, 0.5 * dt, f->middle);
    move_bases(s, m, from + 0.5 * dt);
    place_trees(s, m, f->middle);
    if (!crn_trees_factor(s, m, NULL)) {
        return false;
    }
    crn_trees_project(s, m); /* ubar in before */
    reflect(s, m, f->before);
    advance(s, m, f->q, f->before, dt, f->q);
    move_bases(s, m, from + dt);
    place_trees(s, m, f->q);
    return crn_trees_factor(s, m, NULL);
}

static bool drift_mechanism(crn_stepper *s, crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    double mass;
    crn_vec3 from = crn_trees_mass_centre(s, m, &mass);
    crn_trees_momentum(s, m, f->V, m->momentum);
    double most = s->def.drift_turn > 0.0 ? s->def.drift_turn : TURN_MOST;
    double turn = h * fastest_turn(s, m);
    int parts = turn > most * PARTS_MOST ? PARTS_MOST : turn > most ? (int)ceil(turn / most) : 1;
    bool is_fine = true;
    m->drifts = parts;
    for (int i = 0; i < parts && is_fine; ++i) {
        is_fine = drift_part(s, m, i == 0 ? f->u : f->before, h * i / parts, h / parts);
        if (is_fine && i == parts - 1 && m->is_unheld) {
            crn_trees_shift_centre(s, m, from, h);
            place_trees(s, m, f->q); /* the factor stays: it is about the tree's own origin */
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
        if (m->is_drifted) {
            crn_trees_spread(s, m, s->forest.u, s->forest.V); /* trees are placed where the last kick was */
            is_fine = drift_mechanism(s, m, h);
        }
    }
    return is_fine;
}
