/* The ledger of a step: work of all that acts, and what momentum comes from outside.
 *
 * An impulse p acts on the way from velocity v to v+: it changes kinetic energy by p.(v + v+)/2, whatever else acts. A step
 * shows the energy at the moments of its kicks, so that it has the second half of the last kick, the drift, repairs, and the
 * first half of its own kick with all impacts:
 *
 *     after - before = loads + motors + driven + friction + impact + damping + projection + repair + integration + rest
 *
 * Gravity and springs do work W while their potential changes by dE: integration = W + dE, the error of the time step. */
#include "step/ledger.h"
#include "math/elementary.h"
#include "step/energy.h"
#include "step/loops.h"
#include "step/tendons.h"

#include <math.h>
#include <string.h>

/* --- Who moves, and how fast --- */

static bool is_moving(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE && !body->asleep;
}

/* Is its momentum its own? Not if it hangs on the world, or part of its motion is given. */
static bool is_unheld(const crn_stepper *s, int body)
{
    const crn_step_body *b = &s->body[body];
    if (!is_moving(b)) {
        return false;
    }
    return b->tree == 0 || s->forest.mechanism[s->forest.tree[b->tree - 1].mechanism].is_unheld;
}

/* Do forces act on it in the kick at hand? */
static bool is_pushed(const crn_stepper *s, const crn_step_body *body)
{
    bool is_fresh =
        body->tree == 0 ? body->is_fresh : s->forest.mechanism[s->forest.tree[body->tree - 1].mechanism].kept.is_fresh;
    return is_moving(body) && (s->kick.is_for_all || is_fresh);
}

static crn_twist mean_of(const crn_stepper *s, const crn_leg *leg, int body)
{
    const crn_twist *a = &crn_moment_bodies(s, leg->from)[body], *b = &crn_moment_bodies(s, leg->to)[body];
    return (crn_twist){crn_v3_scale(0.5, crn_v3_add(a->angular, b->angular)),
                       crn_v3_scale(0.5, crn_v3_add(a->linear, b->linear))};
}

/* --- Forces on bodies --- */

static void add_momentum(crn_account *account, double share, crn_vec3 point, crn_vec3 force)
{
    account->push += fabs(share) * crn_v3_length(force);
    account->twist += fabs(share) * crn_v3_length(force) * crn_v3_length(point);
    account->impulse = crn_v3_axpy(account->impulse, share, force);
    account->turn = crn_v3_axpy(account->turn, share, crn_v3_cross(point, force));
}

/* Damping is implicit: v_f = (v + t F/m) / (1 + t d), so its impulse is -t d m v_f. */
static void add_damping(crn_stepper *s, const crn_leg *leg, int i, const crn_twist *mean, crn_account *account)
{
    const crn_step_body *body = &s->body[i];
    if (!(body->linear_damping > 0.0) && !(body->angular_damping > 0.0)) {
        return;
    }
    crn_rigid before = body->rigid;
    crn_vec3 weight = crn_v3_scale(before.mass * body->gravity_scale, s->def.gravity), w, v;
    before.w = crn_moment_bodies(s, CRN_BEFORE)[i].angular;
    before.v = crn_moment_bodies(s, CRN_BEFORE)[i].linear;
    crn_rigid_push(&before, s->kick.time, crn_v3_add(body->load_force, weight), body->load_torque, body->linear_damping,
                   body->angular_damping, &w, &v);
    crn_vec3 force = crn_v3_scale(-body->linear_damping * before.mass, v);
    crn_vec3 torque = crn_v3_scale(-body->angular_damping, crn_rigid_spin(&before, w));
    account->damping += leg->time * (crn_v3_dot(force, mean->linear) + crn_v3_dot(torque, mean->angular));
    if (is_unheld(s, i)) {
        add_momentum(account, leg->time, before.pose.position, force);
        account->turn = crn_v3_axpy(account->turn, leg->time, torque);
    }
}

static void add_force(crn_stepper *s, const crn_leg *leg, int i, crn_vec3 weight, crn_account *account)
{
    crn_step_body *body = &s->body[i];
    crn_twist mean = mean_of(s, leg, i);
    double fall = leg->time * crn_v3_dot(weight, mean.linear);
    account->gravity += fall;
    account->scale += fabs(fall);
    double load = leg->time * (crn_v3_dot(body->load_force, mean.linear) + crn_v3_dot(body->load_torque, mean.angular));
    account->loads += load;
    body->worked[leg->part] += load;
    add_damping(s, leg, i, &mean, account);
}

/* What forces on bodies bring of momentum in a second. */
static crn_account push_of_forces(const crn_stepper *s)
{
    crn_account sum = {0};
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (is_pushed(s, body) && is_unheld(s, i)) {
            crn_vec3 weight = crn_v3_scale(body->rigid.mass * body->gravity_scale, s->def.gravity);
            add_momentum(&sum, 1.0, body->rigid.pose.position, crn_v3_add(weight, body->load_force));
            sum.turn = crn_v3_add(sum.turn, body->load_torque);
        }
    }
    return sum;
}

/* On one or two legs. */
static void add_forces(crn_stepper *s, const crn_leg *const *leg, crn_account *const *account, int legs)
{
    const crn_account push = push_of_forces(s);
    for (int n = 0; n < legs; ++n) {
        double time = leg[n]->time;
        for (int i = 0; i < s->bodies && time > 0.0; ++i) {
            const crn_step_body *body = &s->body[i];
            if (is_pushed(s, body)) {
                crn_vec3 weight = crn_v3_scale(body->rigid.mass * body->gravity_scale, s->def.gravity);
                add_force(s, leg[n], i, weight, account[n]);
            }
        }
        account[n]->push += time * push.push;
        account[n]->twist += time * push.twist;
        account[n]->impulse = crn_v3_axpy(account[n]->impulse, time, push.impulse);
        account[n]->turn = crn_v3_axpy(account[n]->turn, time, push.turn);
    }
}

/* --- Contacts --- */

static crn_vec3 speed_at(const crn_step_body *body, const crn_twist *twist, crn_vec3 point)
{
    return crn_v3_add(twist->linear, crn_v3_cross(twist->angular, crn_v3_sub(point, body->rigid.pose.position)));
}

/* Two bodies in contact: who they are, and how fast the first moves as seen from the second. */
typedef struct couple {
    int body[2];
    crn_vec3 at;             /* the point that linear velocities are of */
    crn_twist first, second; /* relative velocity: means over what is looked at */
    crn_twist known;         /* the part of both that is given */
    bool has_known;
    double outside; /* of an impulse on the first: share that comes from outside of what moves by itself */
} couple;

static void add_twist(const crn_step_body *body, const crn_twist *twist, crn_vec3 at, double scale, crn_twist *sum)
{
    sum->angular = crn_v3_axpy(sum->angular, scale, twist->angular);
    sum->linear = crn_v3_axpy(sum->linear, scale, speed_at(body, twist, at));
}

/* a and b: of the velocity at `from` in the first and in the second mean; the rest is that at `to`. */
static couple couple_of(const crn_stepper *s, int body_a, int body_b, crn_moment from, crn_moment to, double a,
                        double b)
{
    const crn_twist *start = crn_moment_bodies(s, from), *end = crn_moment_bodies(s, to);
    couple c = {.body = {body_a, body_b}};
    c.at = s->body[is_moving(&s->body[body_a]) ? body_a : body_b].rigid.pose.position;
    for (int side = 0; side < 2; ++side) {
        int i = c.body[side];
        const crn_step_body *body = &s->body[i];
        double sign = side == 0 ? 1.0 : -1.0;
        if (is_moving(body)) {
            add_twist(body, &start[i], c.at, sign * a, &c.first);
            add_twist(body, &end[i], c.at, sign * (1.0 - a), &c.first);
            add_twist(body, &start[i], c.at, sign * b, &c.second);
            add_twist(body, &end[i], c.at, sign * (1.0 - b), &c.second);
        } else if (body->kind == CRN_BODY_DRIVEN) {
            crn_twist given = {body->next_w, body->next_v};
            add_twist(body, &given, c.at, sign, &c.first);
            add_twist(body, &given, c.at, sign, &c.second);
            add_twist(body, &given, c.at, sign, &c.known);
            c.has_known = true;
        }
    }
    c.outside = (is_unheld(s, body_a) ? 1.0 : 0.0) - (is_unheld(s, body_b) ? 1.0 : 0.0);
    return c;
}

static crn_vec3 speed_in(const couple *c, const crn_twist *twist, crn_vec3 point)
{
    return crn_v3_add(twist->linear, crn_v3_cross(twist->angular, crn_v3_sub(point, c->at)));
}

static crn_vec3 impulse_of(const crn_stepper *s, int i, const double *r)
{
    const crn_contact_point *point = &s->problem.point[i];
    crn_vec3 sum = crn_v3_scale(r[0], s->now.contact[i].normal);
    return crn_v3_axpy(crn_v3_axpy(sum, r[1], crn_v3_of(point->t1)), r[2], crn_v3_of(point->t2));
}

double crn_ledger_contact_speed(const crn_stepper *s, int i, crn_moment moment)
{
    const crn_step_pair *pair = &s->now.pair[i];
    couple c = couple_of(s, s->shape[pair->shape_a].body, s->shape[pair->shape_b].body, moment, moment, 1.0, 1.0);
    return crn_v3_dot(s->now.contact[i].normal, speed_in(&c, &c.first, s->now.contact[i].point));
}

/* Work and momentum of an impulse r at a contact while the relative velocity is `mean`. */
static void add_contact(crn_stepper *s, const couple *c, const crn_twist *mean, const crn_contact *contact, crn_vec3 r,
                        int part, crn_account *account)
{
    crn_vec3 u = speed_in(c, mean, contact->point);
    double along = crn_v3_dot(contact->normal, r) * crn_v3_dot(contact->normal, u), all = crn_v3_dot(r, u);
    account->impact += along;
    account->friction += all - along;
    account->scale += fabs(along) + fabs(all - along);
    if (c->has_known) {
        double driven = -crn_v3_dot(r, speed_in(c, &c->known, contact->point));
        account->driven += driven;
        s->body[is_moving(&s->body[c->body[0]]) ? c->body[0] : c->body[1]].worked[part] += driven;
    }
    if (c->outside != 0.0) {
        add_momentum(account, c->outside, contact->point, r);
    } else {
        account->push += crn_v3_length(r);
        account->twist += crn_v3_length(r) * crn_v3_length(contact->point);
    }
}

/* --- Joints --- */

static double mean_speed(const crn_stepper *s, const crn_leg *leg, int velocity)
{
    return 0.5 * (crn_moment_speeds(s, leg->from)[velocity] + crn_moment_speeds(s, leg->to)[velocity]);
}

/* Mean speed of a row between two bodies. */
static double row_speed(const crn_stepper *s, const crn_leg *leg, const crn_step_joint *joint, const crn_joint_row *row)
{
    double sum = 0.0;
    const int body[2] = {joint->a, joint->b};
    for (int side = 0; side < 2; ++side) {
        const double *r = side == 0 ? row->a : row->b;
        if (body[side] >= 0 && is_moving(&s->body[body[side]])) {
            crn_twist mean = mean_of(s, leg, body[side]);
            sum += crn_v3_dot(crn_v3_of(r), mean.angular) + crn_v3_dot(crn_v3_of(r + 3), mean.linear);
        }
    }
    return sum;
}

/* Mean speed along a velocity of a joint in a tree, or along a row. */
static double joint_speed(const crn_stepper *s, const crn_leg *leg, int joint, int velocity, const crn_joint_row *row)
{
    const crn_step_tree *tree;
    int link;
    if (velocity >= 0 && crn_step_joint_link(s, joint, &tree, &link)) {
        return mean_speed(s, leg, tree->u + tree->tree->link[link].u + velocity);
    }
    return row_speed(s, leg, &s->joint[joint], row);
}

/* The same along a tendon. */
static double tendon_speed(const crn_stepper *s, const crn_leg *leg, int tendon)
{
    const crn_step_tendon *t = &s->tendon[tendon - 1];
    return 0.5 * (crn_tendon_speed(s, t, leg->from) + crn_tendon_speed(s, t, leg->to));
}

/* A body that moves with a joint or tendon. */
static crn_step_body *body_of(crn_stepper *s, int joint, int tendon)
{
    crn_row_bodies of = crn_step_row_bodies(s, joint, tendon);
    return &s->body[of.a >= 0 && is_moving(&s->body[of.a]) ? of.a : of.b];
}

/* Mean speed at which a limit opens. */
static double limit_speed(const crn_stepper *s, const crn_leg *leg, const crn_step_limit *limit)
{
    double sign = (limit->in_tree || limit->tendon > 0) && (limit->slot & 1) ? -1.0 : 1.0;
    if (limit->tendon > 0) {
        return sign * tendon_speed(s, leg, limit->tendon);
    }
    return sign * joint_speed(s, leg, limit->joint, limit->in_tree ? limit->slot / 2 : -1, &limit->row);
}

double crn_ledger_limit_speed(const crn_stepper *s, const crn_step_limit *limit, crn_moment moment)
{
    crn_leg none = {.from = moment, .to = moment};
    return limit_speed(s, &none, limit);
}

/* Rounding of an impulse's work, of the energy that it would give a body by itself: where impulses of a mechanism at rest balance one
 * another this is all there is. In units of what may be unexplained: 1e-16 of 1e-10. */
static const double ROUNDING = 1e-6;

/* What acts within a mechanism changes no momentum, but for rounding: that is to be compared with its impulses, too. */
static void add_inner(const crn_step_body *body, bool is_turn, double impulse, crn_account *account)
{
    if (body->radius > 0.0) {
        double push = fabs(impulse) / (is_turn ? body->radius : 1.0);
        account->push += push;
        account->twist += push * (body->radius + crn_v3_length(body->rigid.pose.position));
        account->scale += ROUNDING * push * push / body->rigid.mass;
    }
}

/* What rows of one mechanism have done in a leg. */
static void note_work(crn_stepper *s, const crn_step_body *body, bool is_motor, double impulse, double work)
{
    crn_step_mechanism *m = crn_mechanism_of(s, (int)(body - s->body));
    if (m && impulse != 0.0) {
        m->worked.pushing++;
        m->worked.motors += is_motor ? work : 0.0;
        m->worked.passive += is_motor ? 0.0 : work;
    }
}

static void add_row(crn_stepper *s, const crn_leg *leg, const crn_step_row *row, double impulse, crn_account *account)
{
    crn_step_body *body = body_of(s, row->joint, row->tendon);
    double work = impulse * (row->tendon > 0 ? row->scale * tendon_speed(s, leg, row->tendon)
                                             : joint_speed(s, leg, row->joint, row->velocity, &row->row));
    account->scale += fabs(work);
    if (row->held >= 0) { /* does none, but for the error of the time step */
        account->clamp += work;
        return;
    }
    note_work(s, body, !row->is_friction, impulse, work);
    if (row->is_friction) {
        account->friction += work;
    } else {
        account->motors += work;
        body->worked[leg->part] += work;
    }
}

static bool is_turn_of(const crn_stepper *s, int joint, int coordinate)
{
    return joint >= 0 && ((crn_joint_type_of(s->joint[joint].def.kind)->angles >> coordinate) & 1u);
}

static void add_limit(crn_stepper *s, const crn_leg *leg, const crn_step_limit *limit, double impulse,
                      crn_account *account)
{
    crn_step_body *body = body_of(s, limit->joint, limit->tendon);
    double work = impulse * limit_speed(s, leg, limit);
    account->impact += work;
    account->scale += fabs(work);
    note_work(s, body, false, impulse, work);
    add_inner(body, is_turn_of(s, limit->joint, limit->slot / 2), impulse, account);
}

static void add_rows(crn_stepper *s, const crn_leg *leg, crn_account *account)
{
    for (int i = 0; i < s->rows && leg->row; ++i) {
        add_row(s, leg, &s->row[i], leg->row_share * leg->row[i], account);
    }
    for (int i = 0; i < s->limits && leg->impulse; ++i) {
        add_limit(s, leg, &s->limit[i], leg->share * leg->impulse[3 * (s->now.contacts + i)], account);
    }
}

/* Stops of loops, where a clearance ends. */
static void add_stops(crn_stepper *s, const crn_leg *leg, crn_account *account)
{
    for (int i = 0; i < s->forest.stops && leg->impulse; ++i) {
        double impulse = leg->share * leg->impulse[3 * (s->now.contacts + s->limits + i)];
        if (impulse == 0.0) {
            continue;
        }
        const crn_step_stop *stop = &s->forest.stop[i];
        double from = crn_loops_stop_speed(s, stop, crn_moment_bodies(s, leg->from), crn_moment_speeds(s, leg->from));
        double to = crn_loops_stop_speed(s, stop, crn_moment_bodies(s, leg->to), crn_moment_speeds(s, leg->to));
        double work = 0.5 * impulse * (from + to);
        account->impact += work;
        account->scale += fabs(work);
        note_work(s, &s->body[s->forest.body[s->forest.tree[s->forest.mechanism[stop->mechanism].tree].link]], false,
                  impulse, work);
    }
}

/* Where more rows of a mechanism push than it has freedoms, it is not determined which of them does what: motors absorb what friction
 * and stops give, as in one that is stopped at once and then stuck. As far as they do, nothing is gained and nothing absorbed. */
static void balance_rows(crn_stepper *s, const crn_leg *leg, crn_account *account)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        double through = crn_fmin(m->worked.passive, -m->worked.motors);
        if (through > 0.0 && m->worked.pushing > m->whitened - m->closure.held) {
            account->motors += through;
            account->impact -= through;
            s->body[s->forest.body[s->forest.tree[m->tree].link]].worked[leg->part] += through;
        }
        memset(&m->worked, 0, sizeof m->worked);
    }
}

/* Applied forces, springs and dampers along a velocity of a tree. push: what `force` is, as a force on the link; lever: how far its points
 * are from the origin. */
typedef struct joint_push {
    int body, velocity;
    crn_joint_work part;
    double force, push, lever;
} joint_push;

static void add_joint(crn_stepper *s, const crn_leg *leg, const joint_push *joint, crn_account *account)
{
    const crn_joint_work *part = &joint->part;
    double speed = leg->time * mean_speed(s, leg, joint->velocity);
    account->motors += part->applied * speed;
    s->body[joint->body].worked[leg->part] += part->applied * speed;
    account->springs += part->spring * speed;
    account->damping += part->damper * speed;
    account->scale += joint->force * fabs(speed);
    account->push += leg->time * joint->push;
    account->twist += leg->time * joint->push * joint->lever;
}

/* On one or two legs: what acts is the same on both. */
static void add_tree(crn_stepper *s, const crn_leg *const *leg, crn_account *const *account, int legs,
                     const crn_step_tree *tree)
{
    const crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        const crn_step_body *body = &s->body[f->body[tree->link + i]];
        double lever = body->radius + crn_v3_length(body->rigid.pose.position);
        for (int k = 0; k < link->freedom && f->joint[tree->link + i] >= 0; ++k) {
            crn_joint_work part = crn_trees_joint_parts(s, tree, i, k, s->kick.time);
            double force = fabs(part.applied) + fabs(part.spring) + fabs(part.damper);
            crn_vec3 turn = crn_v3_of(link->S + 6 * k);
            double arm = crn_v3_dot(turn, turn) > 0.0 ? body->radius : 1.0;
            joint_push joint = {f->body[tree->link + i],
                                tree->u + link->u + k,
                                part,
                                force,
                                body->radius > 0.0 ? force / arm : 0.0,
                                lever};
            for (int n = 0; n < legs && force != 0.0; ++n) {
                add_joint(s, leg[n], &joint, account[n]);
            }
        }
    }
}

static void add_trees(crn_stepper *s, const crn_leg *const *leg, crn_account *const *account, int legs)
{
    const crn_step_forest *f = &s->forest;
    for (int t = 0; t < f->trees && leg[0]->time + leg[legs - 1]->time > 0.0; ++t) {
        bool is_any = f->tree[t].is_pushed || f->mechanism[f->tree[t].mechanism].is_stiff;
        if (is_any && is_pushed(s, &s->body[f->body[f->tree[t].link]])) {
            add_tree(s, leg, account, legs, &f->tree[t]);
        }
    }
}

static bool pushes(const double *r)
{
    return r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0;
}

/* What is no contact. */
static void add_others(crn_stepper *s, const crn_leg *const *leg, crn_account *const *account, int legs)
{
    add_forces(s, leg, account, legs);
    for (int n = 0; n < legs; ++n) {
        add_rows(s, leg[n], account[n]);
        add_stops(s, leg[n], account[n]);
        balance_rows(s, leg[n], account[n]);
    }
    add_trees(s, leg, account, legs);
}

/* The couple of contact i: the last one again, if it is that; the contacts of a pair follow one another. */
static const couple *couple_at(const crn_stepper *s, int i, const crn_leg *leg, double a, double b, couple *last)
{
    const crn_step_pair *pair = &s->now.pair[i];
    int body_a = s->shape[pair->shape_a].body, body_b = s->shape[pair->shape_b].body;
    if (body_a != last->body[0] || body_b != last->body[1]) {
        *last = couple_of(s, body_a, body_b, leg->from, leg->to, a, b);
    }
    return last;
}

void crn_ledger_add(crn_stepper *s, const crn_leg *leg, crn_account *account)
{
    couple last = {.body = {-1, -1}};
    add_others(s, &leg, &account, 1);
    for (int i = 0; i < s->now.contacts && leg->impulse; ++i) {
        if (pushes(leg->impulse + 3 * i)) {
            const couple *c = couple_at(s, i, leg, 0.5, 0.5, &last);
            crn_vec3 r = crn_v3_scale(leg->share, impulse_of(s, i, leg->impulse + 3 * i));
            add_contact(s, c, &c->first, &s->now.contact[i], r, leg->part, account);
        }
    }
}

void crn_ledger_add_halves(crn_stepper *s, const crn_leg *first, const crn_leg *second, crn_account *until,
                           crn_account *after)
{
    const crn_leg whole = {.from = CRN_BEFORE, .to = CRN_AFTER};
    couple last = {.body = {-1, -1}};
    const crn_leg *const both[2] = {first, second};
    crn_account *const account[2] = {until, after};
    add_others(s, both, account, 2);
    for (int i = 0; i < s->now.contacts; ++i) {
        if (pushes(first->impulse + 3 * i)) {
            const couple *c = couple_at(s, i, &whole, 0.75, 0.25, &last);
            crn_vec3 r = crn_v3_scale(0.5, impulse_of(s, i, first->impulse + 3 * i));
            add_contact(s, c, &c->first, &s->now.contact[i], r, first->part, until);
            add_contact(s, c, &c->second, &s->now.contact[i], r, second->part, after);
        }
    }
}

/* --- Energy and momentum of the state --- */

static double potential_of(const crn_stepper *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->bodies; ++i) {
        sum += crn_has_energy(&s->body[i]) ? crn_energy_height(s, i) : 0.0;
    }
    return sum;
}

/* Of each link too: clamp.c asks for it where the ledger has looked last. */
static double springs_of(crn_stepper *s)
{
    const crn_step_forest *f = &s->forest;
    double sum = 0.0;
    for (int t = 0; t < f->trees; ++t) {
        bool has_springs = f->mechanism[f->tree[t].mechanism].has_springs;
        for (int i = f->tree[t].link; i < f->tree[t].link + f->tree[t].tree->links; ++i) {
            s->body[f->body[i]].springs = has_springs ? crn_energy_springs(s, f->body[i]) : 0.0;
            sum += s->body[f->body[i]].springs;
        }
    }
    return sum;
}

/* What velocity is looked at: shown, now (before or after a kick). */
static crn_twist twist_of(const crn_step_body *body, bool is_shown)
{
    return is_shown ? (crn_twist){body->shown_w, body->shown_v} : (crn_twist){body->rigid.w, body->rigid.v};
}

/* Kinetic energy with rotors turning by u. */
static double kinetic_of(const crn_stepper *s, bool is_shown, const double *u)
{
    double sum = 0.0;
    for (int i = 0; i < s->bodies; ++i) {
        crn_twist twist = twist_of(&s->body[i], is_shown);
        sum += crn_has_energy(&s->body[i]) ? crn_energy_kinetic(s, i, &twist, u) : 0.0;
    }
    return sum;
}

static crn_momentum momentum_of(const crn_stepper *s, bool is_shown)
{
    crn_momentum sum = {0};
    for (int i = 0; i < s->bodies; ++i) {
        if (is_unheld(s, i)) {
            const crn_rigid *rigid = &s->body[i].rigid;
            crn_twist twist = twist_of(&s->body[i], is_shown);
            crn_vec3 angular = crn_rigid_angular_momentum_of(rigid, twist.angular, twist.linear);
            double spin =
                s->body[i].radius * crn_v3_length(twist.angular); /* its points move so fast about its centre */
            double linear = rigid->mass * (crn_v3_length(twist.linear) + spin);
            sum.linear = crn_v3_axpy(sum.linear, rigid->mass, twist.linear);
            sum.angular = crn_v3_add(sum.angular, angular);
            sum.linear_scale += linear;
            sum.angular_scale += crn_v3_length(angular) + linear * crn_v3_length(rigid->pose.position);
        }
    }
    return sum;
}

/* --- The step's books --- */

static const double *speeds_after_drift(const crn_stepper *s)
{
    return s->forest.before;
}

/* What acts after the moment that is shown belongs to the next step. */
static void close_accounts(crn_stepper *s)
{
    s->books.open = s->books.next;
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].worked[0] = s->body[i].worked[1];
        s->body[i].worked[1] = 0.0;
    }
}

void crn_ledger_begin(crn_stepper *s, crn_ledger *ledger)
{
    crn_step_books *books = &s->books;
    memset(ledger, 0, sizeof *ledger);
    books->excused = 0.0;
    books->potential = potential_of(s);
    books->springs = springs_of(s);
    if (!books->is_closed) {
        books->total = kinetic_of(s, true, s->forest.shown) + books->potential + books->springs;
        books->momentum = momentum_of(s, true);
    }
    ledger->before = books->total;
    ledger->gained = books->gained;
}

void crn_ledger_return(crn_stepper *s)
{
    memset(&s->books.open, 0, sizeof s->books.open);
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].worked[0] = 0.0;
    }
}

void crn_ledger_kick_done(crn_stepper *s)
{
    if (s->forest.mechanisms > 0) { /* rigid bodies keep theirs in a drift, to rounding */
        s->books.kinetic = kinetic_of(s, false, s->forest.u);
    }
}

void crn_ledger_drifted(crn_stepper *s, crn_ledger *ledger)
{
    crn_step_books *books = &s->books;
    double potential = potential_of(s), springs = springs_of(s), kinetic = books->kinetic;
    if (s->forest.mechanisms > 0) {
        crn_trees_show_before(s);
        kinetic = kinetic_of(s, false, speeds_after_drift(s));
        ledger->projection = kinetic - books->kinetic;
    }
    ledger->integration += potential - books->potential + springs - books->springs;
    books->kinetic = kinetic;
    books->potential = potential;
    books->springs = springs;
}

void crn_ledger_repairing(crn_stepper *s)
{
    s->books.kinetic = kinetic_of(s, false, speeds_after_drift(s));
    s->books.drifted = momentum_of(s, false);
}

void crn_ledger_repaired(crn_stepper *s, crn_ledger *ledger)
{
    crn_step_books *books = &s->books;
    crn_trees_show_before(s);
    double kinetic = kinetic_of(s, false, speeds_after_drift(s)), potential = potential_of(s), springs = springs_of(s);
    ledger->repair = kinetic - books->kinetic + potential - books->potential + springs - books->springs;
    crn_momentum now = momentum_of(s, false);
    books->open.impulse = crn_v3_add(books->open.impulse, crn_v3_sub(now.linear, books->drifted.linear));
    books->open.turn = crn_v3_add(books->open.turn, crn_v3_sub(now.angular, books->drifted.angular));
    books->potential = potential;
    books->springs = springs;
}

static const double STILL = 1e-7; /* of its radius: a body that moves by less in a step is as good as at rest */

/* Energy of a scene at rest: what it takes to raise every body by its own radius, and to move it at all. */
static double rest_energy(const crn_stepper *s)
{
    double sum = 0.0, g = crn_v3_length(s->def.gravity);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (is_moving(body)) {
            double speed = STILL * body->radius / s->kick.time;
            sum += body->rigid.mass * (fabs(body->gravity_scale) * g * body->radius + speed * speed);
        }
    }
    return sum;
}

static double largest(double a, double b, double c)
{
    return crn_fmax(fabs(a), crn_fmax(fabs(b), fabs(c)));
}

/* Does a joint or a base of a mechanism move as it is told? What that takes is the rest of its ledger. */
static bool has_given_motion(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        any = any || s->forest.mechanism[i].is_driven;
    }
    return any;
}

void crn_ledger_kicked(crn_stepper *s, const crn_account *kick, crn_ledger *ledger)
{
    crn_step_books *books = &s->books;
    const crn_account *open = &books->open;
    double kinetic = kinetic_of(s, true, s->forest.shown);
    ledger->after = kinetic + books->potential + books->springs;
    ledger->loads = open->loads + kick->loads;
    ledger->motors = open->motors + kick->motors;
    ledger->driven = open->driven + kick->driven;
    ledger->friction = open->friction + kick->friction;
    ledger->impact = open->impact + kick->impact;
    ledger->damping = open->damping + kick->damping;
    ledger->projection += open->clamp + kick->clamp;
    ledger->integration += open->gravity + kick->gravity + open->springs + kick->springs;
    double explained = ledger->loads + ledger->motors + ledger->driven + ledger->friction + ledger->impact +
                       ledger->damping + ledger->projection + ledger->repair + ledger->integration;
    ledger->unexplained = ledger->after - ledger->before - explained;
    if (has_given_motion(s)) { /* it works in the drift too, and on what repairs move */
        ledger->motors += ledger->unexplained + ledger->projection + ledger->integration + ledger->repair;
        ledger->unexplained = ledger->projection = ledger->integration = ledger->repair = 0.0;
        double through =
            crn_fmax(0.0, ledger->friction + ledger->impact + ledger->damping); /* what it does by contacts */
        ledger->motors += through;
        ledger->impact -= through;
    }
    ledger->scale = largest(kinetic, books->kinetic, books->potential) + fabs(books->springs) + open->scale +
                    kick->scale + rest_energy(s);
    crn_momentum now = momentum_of(s, true);
    crn_vec3 come = crn_v3_add(open->impulse, kick->impulse), turned = crn_v3_add(open->turn, kick->turn);
    ledger->momentum = crn_v3_sub(crn_v3_sub(now.linear, books->momentum.linear), come);
    ledger->angular_momentum = crn_v3_sub(crn_v3_sub(now.angular, books->momentum.angular), turned);
    ledger->momentum_scale = crn_fmax(now.linear_scale, books->momentum.linear_scale) + open->push + kick->push;
    ledger->angular_scale = crn_fmax(now.angular_scale, books->momentum.angular_scale) + open->twist + kick->twist;
    double work = ledger->loads + ledger->motors + ledger->driven;
    double gain = ledger->after - ledger->before - work - books->excused;
    books->gained += gain;
    ledger->gained = books->gained;
    close_accounts(s);
    books->total = ledger->after;
    books->momentum = now;
    books->is_closed = true;
}
