/* Velocities of everything at the moments of a kick: taking them from the state and from the problem, and back. */
#include "step/moment.h"

#include <string.h>

#include "step/energy.h"

bool crn_moment_room(crn_stepper *s)
{
    return crn_reserve(&s->allocator, (void **)&s->moment, &s->moment_capacity, CRN_MOMENTS * s->bodies,
                       sizeof *s->moment);
}

/* Bodies of a mechanism from the velocities V of its links. */
static void take_links(crn_stepper *s, const crn_step_mechanism *m, crn_moment to)
{
    const crn_step_forest *f = &s->forest;
    crn_twist *body = crn_moment_bodies(s, to);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const double *V = f->V + 6 * (size_t)(tree->link + i);
            body[f->body[tree->link + i]] = (crn_twist){crn_v3_of(V), crn_com_velocity(tree->tree, i, V)};
        }
    }
}

static void copy_speeds(crn_stepper *s, const crn_step_mechanism *m, const double *from, double *to)
{
    const crn_step_tree *first = &s->forest.tree[m->tree], *last = &s->forest.tree[m->tree + m->trees - 1];
    int count = last->u + last->tree->velocities - first->u;
    memcpy(to + first->u, from + first->u, (size_t)count * sizeof *to);
}

void crn_moment_take_before(crn_stepper *s, bool is_first)
{
    crn_twist *body = crn_moment_bodies(s, CRN_BEFORE);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *b = &s->body[i];
        bool is_moving = b->id.index1 != 0 && b->kind == CRN_BODY_FREE && !b->asleep;
        body[i] = is_moving ? (crn_twist){b->rigid.w, b->rigid.v} : (crn_twist){{0, 0, 0}, {0, 0, 0}};
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        const double *u = is_first ? s->forest.u : s->forest.before;
        copy_speeds(s, m, u, crn_moment_speeds(s, CRN_BEFORE));
        if (is_first) { /* else links have theirs: crn_trees_show_before() */
            crn_trees_spread(s, m, u, s->forest.V);
            take_links(s, m, CRN_BEFORE);
        }
    }
}

void crn_moment_take_found(crn_stepper *s, crn_moment to)
{
    crn_twist *body = crn_moment_bodies(s, to);
    if (s->bodies > 0) { /* without bodies there is no array either */
        memcpy(body, crn_moment_bodies(s, CRN_BEFORE), (size_t)s->bodies * sizeof *body);
    }
    for (int i = 0; i < s->problem.rigid; ++i) {
        crn_twist *twist = &body[s->problem.body_of[i]];
        crn_step_found(s, s->problem.found, i, &twist->angular, &twist->linear);
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        double *u = crn_moment_speeds(s, to);
        copy_speeds(s, m, s->forest.u, u); /* what is given stays */
        if (m->at >= 0) {
            crn_trees_from_problem(s, m);
            crn_trees_add_shift(s, m);
            crn_trees_unwhiten(s, m, u);
        } else {
            crn_trees_spread(s, m, u, s->forest.V);
        }
        take_links(s, m, to);
    }
}

void crn_moment_add(crn_stepper *s, crn_moment to, crn_moment a, double share, crn_moment b, crn_moment c)
{
    const crn_twist *x = crn_moment_bodies(s, a), *y = crn_moment_bodies(s, b), *z = crn_moment_bodies(s, c);
    crn_twist *sum = crn_moment_bodies(s, to);
    for (int i = 0; i < s->bodies; ++i) {
        crn_vec3 w = crn_v3_sub(y[i].angular, z[i].angular), v = crn_v3_sub(y[i].linear, z[i].linear);
        sum[i].angular = crn_v3_axpy(x[i].angular, share, w);
        sum[i].linear = crn_v3_axpy(x[i].linear, share, v);
    }
    const double *ua = crn_moment_speeds(s, a), *ub = crn_moment_speeds(s, b), *uc = crn_moment_speeds(s, c);
    double *u = crn_moment_speeds(s, to);
    for (int k = 0; k < s->forest.velocities; ++k) {
        u[k] = ua[k] + share * (ub[k] - uc[k]);
    }
}

void crn_moment_copy(crn_stepper *s, crn_moment to, crn_moment from)
{
    if (s->bodies > 0) {
        memcpy(crn_moment_bodies(s, to), crn_moment_bodies(s, from), (size_t)s->bodies * sizeof(crn_twist));
    }
    crn_copy_numbers(crn_moment_speeds(s, to), crn_moment_speeds(s, from), s->forest.velocities);
}

void crn_moment_mix(crn_stepper *s, crn_moment to, crn_moment a, double share, crn_moment b)
{
    crn_moment_add(s, to, a, share, b, a);
}

bool crn_moment_load(crn_stepper *s, crn_moment from)
{
    const crn_twist *body = crn_moment_bodies(s, from);
    bool is_fine = true;
    for (int i = 0; i < s->problem.rigid; ++i) {
        crn_step_body *b = &s->body[s->problem.body_of[i]];
        b->next_w = body[s->problem.body_of[i]].angular;
        b->next_v = body[s->problem.body_of[i]].linear;
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        is_fine = is_fine && (m->at < 0 || crn_trees_push(s, m, crn_moment_speeds(s, from), 0.0));
    }
    return is_fine;
}

/* --- Energy --- */

double crn_moment_kinetic(const crn_stepper *s, crn_moment moment)
{
    const crn_twist *body = crn_moment_bodies(s, moment);
    const double *speeds = crn_moment_speeds(s, moment);
    double sum = 0.0;
    for (int i = 0; i < s->bodies; ++i) {
        sum += crn_has_energy(&s->body[i]) ? crn_energy_kinetic(s, i, &body[i], speeds) : 0.0;
    }
    return sum;
}
