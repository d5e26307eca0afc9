/* Energy from above: what hangs together in contacts and joints does not gain any by the error of the time step.
 *
 * Bodies that pivot, roll, hang in joints and close loops move on curves that velocities see to first order only, and repairs
 * move them: as with any scheme of second order, energy is off by O(h^2), up or down. A group is all bodies that pushed one
 * another, or were held together, since the last moment that was shown: only work from outside may change its energy, and
 * that is known (ledger.c). What it has gained beyond that is taken out at the moment that is shown, by slowing it towards a
 * rigid motion r:
 *
 *     shown' = r + f (shown - r),   after' = after + shown' - shown,   K(shown') = K(shown) - gain
 *
 * so that what loses its support falls from rest. Where contacts would close by that, after' = r + max(f, 1/2) (after - r): from
 * rest that is the same. What a group cannot pay at once it owes.
 * r is 0 where the group touches what stands still, or forces from outside push it; the motion of the driven body that carries
 * it; else the rigid motion that has all of its momentum. Joints, loops and contacts feel motion relative to r only, which becomes slower. */
#include "step/clamp.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/forest.h"
#include "step/energy.h"
#include "step/loops.h"
#include "step/tendons.h"
#include "step/verdict.h"

static const double DEBT_SHARE = 0.1;      /* of its kinetic energy: so much of what it owes a group pays in a step */
static const double NOTHING_BELOW = 1e-14; /* of the energy of a group: rounding */
static const double REST_TOLERANCE_MOST =
    1e-8; /* of gravity's kick: the problem's tolerance, or this if that is larger */
static const double STILL_BELOW =
    1e-24; /* of what raises it by its radius: a speed of 1e-12 or so is rounding of a body at rest */

/* A group of bodies, at its root in the union-find. */
struct crn_clamp_group {
    bool is_held;             /* something that stands still touches or holds it */
    bool is_given;            /* part of its motion is: what that takes is not known */
    int carrier;              /* else a driven body that pushes it; -1: none */
    double gain;              /* of energy in this step */
    double scale;             /* energy of the group */
    double mass;              /* of those that have gained: mass, ... */
    crn_vec3 com;             /* ... centre, ... */
    crn_mat3 inertia;         /* ... inertia about it, ... */
    crn_vec3 linear, angular; /* ... momentum, angular about the centre */
    crn_twist rigid;          /* r, of the point at com */
    double inner, cross;      /* K(shown - r), r.M (shown - r) */
    double factor;            /* f */
    int members;              /* bodies */
    double debt;              /* what they owe of gains before */
    double owed;              /* of both, what is left for each of them */
    bool is_closing;          /* contacts would close if `after` changed as much as `shown` */
};

bool crn_clamp_room(crn_stepper *s)
{
    return crn_reserve(&s->allocator, (void **)&s->clamp.group, &s->clamp.group_capacity, s->bodies,
                       sizeof *s->clamp.group) &&
           crn_reserve(&s->allocator, (void **)&s->clamp.of, &s->clamp.of_capacity, s->bodies, sizeof *s->clamp.of) &&
           crn_reserve(&s->allocator, (void **)&s->group, &s->group_capacity, s->bodies, sizeof *s->group);
}

static bool is_counted(const crn_step_body *body)
{
    return crn_has_energy(body) && !body->asleep;
}

static double energy_of(const crn_stepper *s, int i, const crn_twist *twist, const double *speeds)
{
    double springs = s->body[i].tree > 0 ? s->body[i].springs : 0.0;
    return crn_energy_height(s, i) + springs + crn_energy_kinetic(s, i, twist, speeds);
}

/* What it takes to raise a body by its own radius. */
static double weight_of(const crn_stepper *s, const crn_step_body *body)
{
    return body->rigid.mass * fabs(body->gravity_scale) * crn_v3_length(s->def.gravity) * body->radius;
}

/* What rounding of its energy is to be compared with. */
static double scale_of(const crn_stepper *s, const crn_step_body *body)
{
    return fabs(body->energy) + fabs(body->gain) + weight_of(s, body);
}

void crn_clamp_begin(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        s->clamp.of[i] = i;
        body->is_propped = false;
        if (crn_has_energy(body)) {
            crn_twist shown = {body->shown_w, body->shown_v};
            body->energy = energy_of(s, i, &shown, s->forest.shown);
        }
    }
}

/* --- Who has gained --- */

/* Gain of each body, of its own: energy that others gave it included. */
static void find_gains(crn_stepper *s)
{
    const crn_twist *shown = crn_moment_bodies(s, CRN_SHOWN);
    const double *speeds = crn_moment_speeds(s, CRN_SHOWN);
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        if (is_counted(body)) {
            body->gain = energy_of(s, i, &shown[i], speeds) - body->energy - body->worked[0];
        }
    }
}

/* Has it gained, with what it owes, more than rounding? */
static bool is_gain(double gain, double scale)
{
    return gain > NOTHING_BELOW * scale;
}

/* The same of all links of a mechanism: they are in one group. */
static bool has_mechanism_gained(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_forest *f = &s->forest;
    const crn_step_tree *last = &f->tree[m->tree + m->trees - 1];
    double gain = 0.0, scale = 0.0;
    for (int i = f->tree[m->tree].link; i < last->link + last->tree->links; ++i) {
        const crn_step_body *body = &s->body[f->body[i]];
        if (is_counted(body)) {
            gain += body->gain + body->owed;
            scale += scale_of(s, body);
        }
    }
    return is_gain(gain, scale);
}

/* Has any body by itself, or any mechanism? If none has, no group of them has. */
static bool has_any_gained(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->bodies && !any; ++i) {
        const crn_step_body *body = &s->body[i];
        any = is_counted(body) && body->tree == 0 && is_gain(body->gain + body->owed, scale_of(s, body));
    }
    for (int i = 0; i < s->forest.mechanisms && !any; ++i) {
        any = has_mechanism_gained(s, &s->forest.mechanism[i]);
    }
    return any;
}

/* --- Groups --- */

static void join(crn_stepper *s, int a, int b)
{
    if (is_counted(&s->body[a]) && is_counted(&s->body[b])) {
        (void)crn_forest_join(s->clamp.of, a, b);
    }
}

static bool has_pushed(const crn_stepper *s, const crn_step_contacts *list, int i)
{
    if (list == &s->now) {
        return s->problem.impulse[3 * i] > 0.0;
    }
    crn_vec3 impulse = list->contact[i].impulse;
    return crn_v3_dot(impulse, impulse) > 0.0;
}

static void join_contacts(crn_stepper *s, const crn_step_contacts *list)
{
    for (int i = 0; i < list->contacts; ++i) {
        if (has_pushed(s, list, i)) {
            join(s, s->shape[list->pair[i].shape_a].body, s->shape[list->pair[i].shape_b].body);
        }
    }
}

void crn_clamp_note_first(crn_stepper *s)
{
    join_contacts(s, &s->now);
    for (int i = 0; i < s->now.contacts; ++i) {
        crn_step_body *a = &s->body[s->shape[s->now.pair[i].shape_a].body];
        crn_step_body *b = &s->body[s->shape[s->now.pair[i].shape_b].body];
        bool is_pushed = has_pushed(s, &s->now, i);
        a->is_propped = a->is_propped || (is_pushed && !is_counted(b));
        b->is_propped = b->is_propped || (is_pushed && !is_counted(a));
    }
}

/* Links of a mechanism, and bodies that rows join. */
static void join_joints(crn_stepper *s)
{
    const crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->mechanisms; ++i) {
        const crn_step_tree *first = &f->tree[f->mechanism[i].tree];
        for (int t = f->mechanism[i].tree; t < f->mechanism[i].tree + f->mechanism[i].trees; ++t) {
            for (int k = 0; k < f->tree[t].tree->links; ++k) {
                join(s, f->body[first->link], f->body[f->tree[t].link + k]);
            }
        }
    }
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (joint->is_used && !joint->is_link && joint->a >= 0 && joint->b >= 0) {
            join(s, joint->a, joint->b);
        }
    }
}

/* All that is joined: `of` is the root itself from here on. */
static void begin_groups(crn_stepper *s)
{
    join_contacts(s, &s->last);
    join_contacts(s, &s->now);
    join_joints(s);
    for (int i = 0; i < s->bodies; ++i) {
        s->clamp.of[i] = crn_forest_root(s->clamp.of, i);
        if (s->clamp.of[i] == i) {
            s->clamp.group[i] = (struct crn_clamp_group){.carrier = -1, .factor = 1.0};
        }
    }
}

static struct crn_clamp_group *group_of(crn_stepper *s, int body)
{
    return &s->clamp.group[s->clamp.of[body]];
}

/* The group at this root; NULL: body i is none. */
static struct crn_clamp_group *group_at(crn_stepper *s, int i)
{
    return s->clamp.of[i] == i ? &s->clamp.group[i] : NULL;
}

/* What a body of a group is touched or held by, if that is no body of a group. */
static void note_other(crn_stepper *s, int body, int other, bool is_pushing_now)
{
    if (body >= 0 && is_counted(&s->body[body]) && (other < 0 || !is_counted(&s->body[other]))) {
        struct crn_clamp_group *group = group_of(s, body);
        bool is_carried = other >= 0 && s->body[other].kind == CRN_BODY_DRIVEN && is_pushing_now;
        group->is_held = group->is_held || !is_carried;
        group->carrier = is_carried ? other : group->carrier;
    }
}

static void note_contacts(crn_stepper *s, const crn_step_contacts *list)
{
    for (int i = 0; i < list->contacts; ++i) {
        int a = s->shape[list->pair[i].shape_a].body, b = s->shape[list->pair[i].shape_b].body;
        if (has_pushed(s, list, i)) {
            note_other(s, a, b, list == &s->now);
            note_other(s, b, a, list == &s->now);
        }
    }
}

static void note_joints(crn_stepper *s)
{
    for (int i = 0; i < s->joints; ++i) {
        if (s->joint[i].is_used) {
            note_other(s, s->joint[i].a, s->joint[i].b, true);
            note_other(s, s->joint[i].b, s->joint[i].a, true);
        }
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        int body = s->forest.body[s->forest.tree[m->tree].link];
        if (m->is_driven && is_counted(&s->body[body])) {
            group_of(s, body)->is_given = true;
        }
    }
}

/* What pushes it from outside takes momentum, too. */
static bool is_loaded(const crn_step_body *body)
{
    return crn_v3_dot(body->load_force, body->load_force) + crn_v3_dot(body->load_torque, body->load_torque) > 0.0;
}

static void sum_gains(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        if (is_counted(&s->body[i])) {
            struct crn_clamp_group *group = group_of(s, i);
            group->members++;
            group->gain += s->body[i].gain;
            group->debt += s->body[i].owed;
            group->scale += scale_of(s, &s->body[i]);
            group->is_held = group->is_held || s->body[i].is_propped || is_loaded(&s->body[i]);
        }
    }
}

static bool has_gained(const struct crn_clamp_group *group)
{
    return is_gain(group->gain + group->debt, group->scale) && !group->is_given;
}

/* --- The rigid motion of a group --- */

/* Sum over all bodies of groups that have gained. */
static void add_up(crn_stepper *s, void (*add)(crn_stepper *s, int body, struct crn_clamp_group *group))
{
    for (int i = 0; i < s->bodies; ++i) {
        struct crn_clamp_group *group = group_of(s, i);
        if (is_counted(&s->body[i]) && has_gained(group)) {
            add(s, i, group);
        }
    }
}

static void add_mass(crn_stepper *s, int i, struct crn_clamp_group *group)
{
    const crn_rigid *body = &s->body[i].rigid;
    group->mass += body->mass;
    group->com = crn_v3_axpy(group->com, body->mass, body->pose.position); /* divided by mass below */
}

static void add_inertia(crn_stepper *s, int i, struct crn_clamp_group *group)
{
    const crn_rigid *body = &s->body[i].rigid;
    const crn_twist *shown = &crn_moment_bodies(s, CRN_SHOWN)[i];
    crn_vec3 arm = crn_v3_sub(body->pose.position, group->com), p = crn_v3_scale(body->mass, shown->linear);
    group->linear = crn_v3_add(group->linear, p);
    group->angular = crn_v3_add(group->angular, crn_v3_add(crn_v3_cross(arm, p), crn_rigid_spin(body, shown->angular)));
    for (int k = 0; k < 9 && !body->is_planar; ++k) {
        group->inertia.m[k] += body->inertia_world.m[k];
    }
    group->inertia.m[8] += body->is_planar ? body->inertia.m[8] : 0.0;
    crn_m3_add_mass(&group->inertia, body->mass, arm);
}

static crn_twist carried(const crn_step_body *by, crn_vec3 point)
{
    crn_vec3 arm = crn_v3_sub(point, by->rigid.pose.position);
    return (crn_twist){by->next_w, crn_v3_add(by->next_v, crn_v3_cross(by->next_w, arm))};
}

static crn_twist rigid_motion(const crn_stepper *s, const struct crn_clamp_group *group)
{
    if (group->is_held) {
        return (crn_twist){{0, 0, 0}, {0, 0, 0}};
    }
    if (group->carrier >= 0) {
        return carried(&s->body[group->carrier], group->com);
    }
    crn_vec3 w = s->def.is_planar ? crn_v3(0, 0, group->angular.z / group->inertia.m[8])
                                  : crn_m3_solve(&group->inertia, group->angular);
    return (crn_twist){w, crn_v3_scale(1.0 / group->mass, group->linear)};
}

static crn_twist rigid_at(const struct crn_clamp_group *group, crn_vec3 point)
{
    crn_vec3 turned = crn_v3_cross(group->rigid.angular, crn_v3_sub(point, group->com));
    return (crn_twist){group->rigid.angular, crn_v3_add(group->rigid.linear, turned)};
}

/* --- How much --- */

static void add_inner(crn_stepper *s, int i, struct crn_clamp_group *group)
{
    const crn_rigid *body = &s->body[i].rigid;
    const crn_twist *shown = &crn_moment_bodies(s, CRN_SHOWN)[i];
    crn_twist rigid = rigid_at(group, body->pose.position);
    crn_twist inner = {crn_v3_sub(shown->angular, rigid.angular), crn_v3_sub(shown->linear, rigid.linear)};
    group->inner += crn_energy_kinetic(s, i, &inner, crn_moment_speeds(s, CRN_SHOWN)); /* joints do not feel r */
    group->cross += body->mass * crn_v3_dot(rigid.linear, inner.linear) +
                    crn_v3_dot(rigid.angular, crn_rigid_spin(body, inner.angular));
}

/* The f that takes the gain out of K f^2 + b f, or as much as there is. */
static double factor_of(const struct crn_clamp_group *group)
{
    double kinetic = group->inner, linear = group->cross;
    if (!(kinetic > NOTHING_BELOW * group->scale)) {
        return 1.0;
    }
    double paid = crn_fmin(group->debt, DEBT_SHARE * kinetic), gain = crn_fmax(0.0, group->gain + paid);
    double square = linear * linear + 4.0 * kinetic * (kinetic + linear - gain);
    double least = -linear / (2.0 * kinetic); /* where the energy is least */
    double factor = square > 0.0 ? least + sqrt(square) / (2.0 * kinetic) : least;
    return crn_fmin(crn_fmax(factor, 0.0), 1.0);
}

static bool find_factors(crn_stepper *s)
{
    struct crn_clamp_group *group;
    bool any = false;
    add_up(s, add_mass);
    for (int i = 0; i < s->bodies; ++i) {
        if ((group = group_at(s, i)) != NULL && group->mass > 0.0) {
            group->com = crn_v3_scale(1.0 / group->mass, group->com);
        }
    }
    add_up(s, add_inertia);
    for (int i = 0; i < s->bodies; ++i) {
        if ((group = group_at(s, i)) != NULL && group->mass > 0.0) {
            group->rigid = rigid_motion(s, group);
        }
    }
    add_up(s, add_inner);
    for (int i = 0; i < s->bodies; ++i) {
        if ((group = group_at(s, i)) != NULL && group->mass > 0.0) {
            group->factor = factor_of(group);
            any = any || group->factor < 1.0;
        }
    }
    return any;
}

static double taken_from(const struct crn_clamp_group *group)
{
    double f = group->factor;
    return (1.0 - f * f) * group->inner + (1.0 - f) * group->cross;
}

/* What a group cannot pay now it owes: each of its bodies a part. */
static void find_owed(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        struct crn_clamp_group *group = group_at(s, i);
        if (group != NULL && has_gained(group)) {
            double left = group->gain + group->debt - taken_from(group);
            group->owed = left > NOTHING_BELOW * group->scale ? left / group->members : 0.0;
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].owed = is_counted(&s->body[i]) ? group_of(s, i)->owed : 0.0;
    }
}

/* --- Slowing --- */

/* Would what pushes close by more than repairs leave? speed: how fast it opens as shown. */
static void note_closing(crn_stepper *s, int body, int other, double speed)
{
    int one = body >= 0 && is_counted(&s->body[body]) ? body : other;
    if (one >= 0 && is_counted(&s->body[one])) {
        struct crn_clamp_group *group = group_of(s, one);
        double way = (1.0 - group->factor) * speed * s->kick.time;
        group->is_closing = group->is_closing || way > crn_repair_tolerance(&s->def);
    }
}

static void find_closing(crn_stepper *s)
{
    const double *impulse = s->problem.impulse;
    for (int i = 0; i < s->now.contacts; ++i) {
        if (impulse[3 * i] > 0.0) {
            note_closing(s, s->shape[s->now.pair[i].shape_a].body, s->shape[s->now.pair[i].shape_b].body,
                         crn_ledger_contact_speed(s, i, CRN_SHOWN));
        }
    }
    impulse += 3 * s->now.contacts;
    for (int i = 0; i < s->limits; ++i) {
        if (impulse[3 * i] > 0.0) {
            crn_row_bodies of = crn_step_row_bodies(s, s->limit[i].joint, s->limit[i].tendon);
            note_closing(s, of.a, of.b, crn_ledger_limit_speed(s, &s->limit[i], CRN_SHOWN));
        }
    }
    impulse += 3 * s->limits;
    for (int i = 0; i < s->forest.stops; ++i) {
        if (impulse[3 * i] > 0.0) {
            const crn_step_stop *stop = &s->forest.stop[i];
            int body = s->forest.body[s->forest.tree[s->forest.mechanism[stop->mechanism].tree].link];
            double speed =
                crn_loops_stop_speed(s, stop, crn_moment_bodies(s, CRN_SHOWN), crn_moment_speeds(s, CRN_SHOWN));
            note_closing(s, body, -1, speed);
        }
    }
}

static void shift(crn_twist *twist, const crn_twist *by)
{
    twist->angular = crn_v3_add(twist->angular, by->angular);
    twist->linear = crn_v3_add(twist->linear, by->linear);
}

/* Of `after` where contacts would close. */
static double closing_factor(const struct crn_clamp_group *group)
{
    return crn_fmax(group->factor, 0.5);
}

static crn_twist change_of(double factor, const crn_twist *twist, const crn_twist *rigid)
{
    double less = factor - 1.0;
    return (crn_twist){crn_v3_scale(less, crn_v3_sub(twist->angular, rigid->angular)),
                       crn_v3_scale(less, crn_v3_sub(twist->linear, rigid->linear))};
}

/* Momentum that a body is given, if the ledger counts its momentum. */
static void note_impulse(crn_stepper *s, int i, const crn_twist *change, crn_account *account)
{
    const crn_rigid *body = &s->body[i].rigid;
    const crn_step_mechanism *m = crn_mechanism_of(s, i);
    if (!m || m->is_unheld) {
        crn_vec3 p = crn_v3_scale(body->mass, change->linear);
        crn_vec3 turn = crn_v3_add(crn_v3_cross(body->pose.position, p), crn_rigid_spin(body, change->angular));
        account->impulse = crn_v3_add(account->impulse, p);
        account->turn = crn_v3_add(account->turn, turn);
    }
}

/* `struck` is free now: it gets `after` as the change of `shown` alone would make it. */
static void slow_body(crn_stepper *s, int i, crn_account *until, crn_account *later)
{
    const crn_rigid *body = &s->body[i].rigid;
    const struct crn_clamp_group *group = group_of(s, i);
    crn_twist *shown = &crn_moment_bodies(s, CRN_SHOWN)[i], *after = &crn_moment_bodies(s, CRN_AFTER)[i];
    crn_twist rigid = rigid_at(group, body->pose.position);
    crn_twist change = change_of(group->factor, shown, &rigid);
    crn_twist last = change_of(closing_factor(group), after, &rigid), *without = &crn_moment_bodies(s, CRN_STRUCK)[i];
    shift(shown, &change);
    note_impulse(s, i, &change, until);
    shift(after, group->is_closing ? &last : &change);
    shift(without, &change);
    if (group->is_closing) {
        crn_twist more = {crn_v3_sub(last.angular, change.angular), crn_v3_sub(last.linear, change.linear)};
        note_impulse(s, i, &more, later);
    }
}

/* Velocities of a tree in a group; roots that float feel the rigid motion. */
static void slow_tree(crn_stepper *s, const crn_step_tree *tree, const struct crn_clamp_group *group)
{
    double *shown = crn_moment_speeds(s, CRN_SHOWN) + tree->u, *after = crn_moment_speeds(s, CRN_AFTER) + tree->u;
    double *without = crn_moment_speeds(s, CRN_STRUCK) + tree->u;
    double *kept = s->forest.force + tree->u; /* scratch */
    memset(kept, 0, (size_t)tree->tree->velocities * sizeof *kept);
    if (tree->is_floating) {
        crn_trees_add_to_root(tree->tree, &group->rigid, group->com, kept);
    }
    for (int k = 0; k < tree->tree->velocities; ++k) {
        double change = (group->factor - 1.0) * (shown[k] - kept[k]);
        after[k] += group->is_closing ? (closing_factor(group) - 1.0) * (after[k] - kept[k]) : change;
        without[k] += change;
        shown[k] += change;
    }
}

/* Work of the impulse that brings `after` from what is in `struck` to what it is, on the way from `shown`. */
static double work_of_rest(crn_stepper *s)
{
    crn_moment_mix(s, CRN_STRUCK, CRN_SHOWN, 0.5, CRN_STRUCK); /* mean speed less half of the change */
    double less = crn_moment_kinetic(s, CRN_STRUCK);
    crn_moment_add(s, CRN_STRUCK, CRN_SHOWN, 1.0, CRN_AFTER, CRN_STRUCK); /* and more */
    return crn_moment_kinetic(s, CRN_STRUCK) - less;
}

static void slow_groups(crn_stepper *s, crn_account *until, crn_account *later)
{
    bool is_any_closing = false;
    find_closing(s);
    for (int i = 0; i < s->bodies; ++i) {
        const struct crn_clamp_group *group = group_at(s, i);
        if (group != NULL) {
            until->clamp -= taken_from(group);
            is_any_closing = is_any_closing || group->is_closing;
        }
    }
    crn_moment_mix(s, CRN_STRUCK, CRN_AFTER, 0.0, CRN_AFTER);
    for (int t = 0; t < s->forest.trees; ++t) {
        int body = s->forest.body[s->forest.tree[t].link];
        if (is_counted(&s->body[body]) && group_of(s, body)->factor < 1.0) {
            slow_tree(s, &s->forest.tree[t], group_of(s, body));
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        if (is_counted(&s->body[i]) && group_of(s, i)->factor < 1.0) {
            slow_body(s, i, until, later);
        }
    }
    if (is_any_closing) {
        later->clamp += work_of_rest(s);
    }
}

/* --- Rest --- */

/* What a body at rest has of the kick of gravity, because the problem is solved to its tolerance only. */
static double rest_speed(const crn_stepper *s, const crn_step_body *body)
{
    double share = crn_fmin(crn_problem_tolerance(&s->def), REST_TOLERANCE_MOST);
    return share * s->kick.time * fabs(body->gravity_scale) * crn_v3_length(s->def.gravity);
}

/* Does it move no faster than so, before the kick and after? */
static bool is_at_rest(const crn_stepper *s, int i)
{
    const crn_twist *before = &crn_moment_bodies(s, CRN_BEFORE)[i], *after = &crn_moment_bodies(s, CRN_AFTER)[i];
    double most = rest_speed(s, &s->body[i]), most2 = most * most;
    double radius = s->body[i].radius, radius2 = radius * radius;
    return crn_v3_dot(after->linear, after->linear) <= most2 && crn_v3_dot(before->linear, before->linear) <= most2 &&
           radius2 * crn_v3_dot(after->angular, after->angular) <= most2 &&
           radius2 * crn_v3_dot(before->angular, before->angular) <= most2;
}

static void note_pushed(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].is_pushed = false;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        if (s->problem.impulse[3 * i] > 0.0) {
            s->body[s->shape[s->now.pair[i].shape_a].body].is_pushed = true;
            s->body[s->shape[s->now.pair[i].shape_b].body].is_pushed = true;
        }
    }
}

static bool is_still(const crn_stepper *s, int i)
{
    const double *speeds = crn_moment_speeds(s, CRN_AFTER);
    return crn_energy_kinetic(s, i, &crn_moment_bodies(s, CRN_AFTER)[i], speeds) <=
           STILL_BELOW * weight_of(s, &s->body[i]);
}

static bool is_mechanism_still(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_forest *f = &s->forest;
    const crn_step_tree *last = &f->tree[m->tree + m->trees - 1];
    bool is_all = !m->is_driven;
    for (int i = f->tree[m->tree].link; i < last->link + last->tree->links && is_all; ++i) {
        is_all = is_still(s, f->body[i]);
    }
    return is_all;
}

/* Stop a body, and note what that takes. */
static void stop(crn_stepper *s, int i, crn_account *account)
{
    crn_twist *after = &crn_moment_bodies(s, CRN_AFTER)[i];
    crn_twist change = {crn_v3_scale(-1.0, after->angular), crn_v3_scale(-1.0, after->linear)};
    note_impulse(s, i, &change, account);
    *after = (crn_twist){{0, 0, 0}, {0, 0, 0}};
}

void crn_clamp_rest(crn_stepper *s, crn_account *later)
{
    note_pushed(s);
    for (int i = 0; i < s->bodies; ++i) {
        if (s->body[i].is_pushed && is_counted(&s->body[i]) && s->body[i].tree == 0 && is_at_rest(s, i)) {
            stop(s, i, later);
        }
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0 && is_mechanism_still(s, m)) {
            const crn_step_tree *first = &s->forest.tree[m->tree], *last = &s->forest.tree[m->tree + m->trees - 1];
            int count = last->u + last->tree->velocities - first->u;
            memset(crn_moment_speeds(s, CRN_AFTER) + first->u, 0, (size_t)count * sizeof(double));
            for (int k = first->link; k < last->link + last->tree->links; ++k) {
                stop(s, s->forest.body[k], later);
            }
        }
    }
}

bool crn_clamp_groups(crn_stepper *s, crn_account *until, crn_account *later)
{
    find_gains(s);
    if (!has_any_gained(s)) {
        for (int i = 0; i < s->forest.links; ++i) {
            s->body[s->forest.body[i]].owed = 0.0; /* paid by what the mechanism has lost */
        }
        return false;
    }
    begin_groups(s);
    note_contacts(s, &s->last);
    note_contacts(s, &s->now);
    note_joints(s);
    sum_gains(s);
    if (s->def.is_unclamped) {
        return false;
    }
    bool any = find_factors(s);
    find_owed(s);
    if (any) {
        slow_groups(s, until, later);
    }
    return any;
}
