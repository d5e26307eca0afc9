/* Energy from above: groups of bodies in contact do not gain any by the error of the time step.
 *
 * A body that pivots or rolls on a contact moves on a curve that the linear contact sees to first order only: as with any scheme
 * of second order, its energy is off by O(h^2), up or down. What it gains is taken out again: with the velocities v before the
 * kick and v+ after it, the shown one is (v + v+)/2, and v+ is slowed by the factor f that makes
 *
 *     K((v + f v+)/2) = 1/4 (K(v) + f v.M v+ + f^2 K(v+))
 *
 * as much smaller as the group gained. Contacts stay satisfied, because their relative velocities only become smaller. The
 * momentum goes to what the group stands on; groups that float have no weight to pivot under and are left alone, as are those
 * that something does work on (loads, motors, springs, driven bodies) and kicks in which something bounces: impacts do not
 * gain (impact.c). */
#include "step/clamp.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/forest.h"

static const double SLOWED_LEAST =
    0.9; /* f is not smaller: what is left is a loss of support, not an error of curves */
static const double NOTHING_BELOW = 1e-14; /* of the energy of a group: rounding */

/* A group of bodies, at its root in the union-find. */
struct crn_clamp_group {
    bool is_grounded;            /* touches what does not move */
    bool is_open;                /* something may do work on it */
    double gain;                 /* of energy in this step */
    double before, cross, after; /* K(v), v.M v+, K(v+) */
    double scale;                /* energy of the group */
};

bool crn_clamp_room(crn_stepper *s)
{
    return crn_reserve(&s->allocator, (void **)&s->clamp, &s->clamp_capacity, s->bodies, sizeof *s->clamp) &&
           crn_reserve(&s->allocator, (void **)&s->clamp_of, &s->clamp_of_capacity, s->bodies, sizeof *s->clamp_of);
}

static bool is_counted(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE && !body->asleep;
}

static double height_of(const crn_stepper *s, const crn_step_body *body)
{
    return -body->rigid.mass * body->gravity_scale * crn_v3_dot(s->def.gravity, body->rigid.pose.position);
}

void crn_clamp_begin(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (is_counted(body)) {
            body->energy = height_of(s, body) + crn_rigid_kinetic_of(&body->rigid, body->shown_w, body->shown_v);
        }
    }
}

/* --- Groups --- */

static bool is_zero(crn_vec3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; /* exactly: nothing was applied */
}

/* May something do work on this body, beside gravity and contacts with what stands still? Mechanisms have a clamp of their
 * own: trees_energy.c. */
static bool is_worked_on(const crn_step_body *body)
{
    return body->tree > 0 || !is_zero(body->load_force) || !is_zero(body->load_torque) || !is_zero(body->acted_force) ||
           !is_zero(body->acted_torque);
}

/* Bodies that push each other are a group. */
static void join_groups(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->clamp_of[i] = i;
        memset(&s->clamp[i], 0, sizeof s->clamp[i]);
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        int a = s->shape[s->now.pair[i].shape_a].body, b = s->shape[s->now.pair[i].shape_b].body;
        if (s->problem.impulse[3 * i] > 0.0 && is_counted(&s->body[a]) && is_counted(&s->body[b])) {
            (void)crn_forest_join(s->clamp_of, a, b);
        }
    }
}

static struct crn_clamp_group *group_of(crn_stepper *s, int body)
{
    return &s->clamp[crn_forest_root(s->clamp_of, body)];
}

static void note_grounds(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        const int body[2] = {s->shape[s->now.pair[i].shape_a].body, s->shape[s->now.pair[i].shape_b].body};
        for (int side = 0; side < 2 && s->problem.impulse[3 * i] > 0.0; ++side) {
            const crn_step_body *other = &s->body[body[1 - side]];
            if (is_counted(&s->body[body[side]]) && !is_counted(other)) {
                struct crn_clamp_group *group = group_of(s, body[side]);
                group->is_grounded = true;
                group->is_open = group->is_open || other->kind == CRN_BODY_DRIVEN;
            }
        }
    }
}

/* a.M b */
static double product_of(const crn_rigid *body, const crn_twist *a, const crn_twist *b)
{
    double turning = body->is_planar ? body->inertia.m[8] * a->angular.z * b->angular.z
                                     : crn_v3_dot(a->angular, crn_m3_times(&body->inertia_world, b->angular));
    return body->mass * crn_v3_dot(a->linear, b->linear) + turning;
}

static void add_body(crn_stepper *s, int i)
{
    const crn_step_body *body = &s->body[i];
    const crn_twist *before = &crn_moment_bodies(s, CRN_BEFORE)[i], *after = &crn_moment_bodies(s, CRN_AFTER)[i];
    double first = 0.5 * product_of(&body->rigid, before, before), last = 0.5 * product_of(&body->rigid, after, after);
    double cross = product_of(&body->rigid, before, after);
    double energy = height_of(s, body) + 0.25 * (first + last + cross); /* shown is the mean */
    struct crn_clamp_group *group = group_of(s, i);
    group->is_open = group->is_open || is_worked_on(body);
    group->gain += energy - body->energy - body->raised;
    group->before += first;
    group->after += last;
    group->cross += cross;
    group->scale += fabs(energy);
}

/* --- How much --- */

static double factor_of(const struct crn_clamp_group *group)
{
    bool is_error = group->gain > NOTHING_BELOW * group->scale && !group->is_open && group->is_grounded;
    if (!is_error || !(group->after > 0.0)) {
        return 1.0;
    }
    double rest = group->after + group->cross - 4.0 * group->gain;
    double square = group->cross * group->cross + 4.0 * group->after * rest;
    double factor = square > 0.0 ? (sqrt(square) - group->cross) / (2.0 * group->after) : 0.0;
    return factor > SLOWED_LEAST ? fmin(factor, 1.0) : SLOWED_LEAST;
}

/* --- Slowing --- */

static void note_change(const crn_rigid *body, const crn_twist *old, const crn_twist *new_, double sign,
                        crn_account *account)
{
    crn_rigid seen = *body;
    seen.w = crn_v3_sub(new_->angular, old->angular);
    seen.v = crn_v3_sub(new_->linear, old->linear);
    account->clamp += sign * (crn_rigid_kinetic_of(body, new_->angular, new_->linear) -
                              crn_rigid_kinetic_of(body, old->angular, old->linear));
    account->impulse = crn_v3_axpy(account->impulse, sign * body->mass, seen.v);
    account->turn = crn_v3_axpy(account->turn, sign, crn_rigid_angular_momentum(&seen));
}

static void slow_body(crn_stepper *s, int i, double factor, crn_account *until, crn_account *after)
{
    const crn_rigid *body = &s->body[i].rigid;
    const crn_twist *first = &crn_moment_bodies(s, CRN_BEFORE)[i];
    crn_twist *shown = &crn_moment_bodies(s, CRN_SHOWN)[i], *last = &crn_moment_bodies(s, CRN_AFTER)[i];
    crn_twist old_shown = *shown, old_last = *last;
    last->angular = crn_v3_scale(factor, last->angular);
    last->linear = crn_v3_scale(factor, last->linear);
    shown->angular = crn_v3_scale(0.5, crn_v3_add(first->angular, last->angular));
    shown->linear = crn_v3_scale(0.5, crn_v3_add(first->linear, last->linear));
    note_change(body, &old_shown, shown, 1.0, until);
    note_change(body, &old_last, last, 1.0, after);
    note_change(body, &old_shown, shown, -1.0, after);
}

void crn_clamp_groups(crn_stepper *s, crn_account *until, crn_account *after)
{
    if (s->def.is_unclamped) {
        return;
    }
    join_groups(s);
    note_grounds(s);
    for (int i = 0; i < s->bodies; ++i) {
        if (is_counted(&s->body[i])) {
            add_body(s, i);
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        double factor = is_counted(&s->body[i]) ? factor_of(group_of(s, i)) : 1.0;
        if (factor < 1.0) {
            slow_body(s, i, factor, until, after);
        }
    }
}
