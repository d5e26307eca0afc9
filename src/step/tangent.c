/* Changes of a state as numbers: where the state is moved to, and how two differ. */
#include <string.h>

#include "base/memory.h"
#include "step/moment.h"

static int width(const crn_stepper *s)
{
    return s->def.is_planar ? 3 : 6;
}

static bool is_own(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE && body->tree == 0;
}

static int own_bodies(const crn_stepper *s, int before)
{
    int count = 0;
    for (int i = 0; i < before; ++i) {
        count += is_own(&s->body[i]);
    }
    return count;
}

int crn_tangent_size(const crn_stepper *s)
{
    return width(s) * own_bodies(s, s->bodies) + s->forest.velocities;
}

int crn_tangent_body(const crn_stepper *s, int body, int *count)
{
    const crn_step_body *b = &s->body[body];
    *count = 0;
    if (is_own(b)) {
        *count = width(s);
        return width(s) * own_bodies(s, body);
    }
    if (b->tree > 0 && b->link == 0 && s->forest.tree[b->tree - 1].is_floating) {
        const crn_step_tree *tree = &s->forest.tree[b->tree - 1];
        *count = tree->tree->link[0].freedom;
        return width(s) * own_bodies(s, s->bodies) + tree->u + tree->tree->link[0].u;
    }
    return -1;
}

int crn_tangent_joint(const crn_stepper *s, int joint, int *count)
{
    const crn_step_tree *tree;
    int link;
    *count = 0;
    if (!crn_step_joint_link(s, joint, &tree, &link)) {
        return -1;
    }
    *count = tree->tree->link[link].freedom;
    return width(s) * own_bodies(s, s->bodies) + tree->u + tree->tree->link[link].u;
}

/* Turn and shift of a rigid body from its numbers, and back. */
static crn_twist unpack(const crn_stepper *s, const double *x)
{
    if (s->def.is_planar) {
        return (crn_twist){{0, 0, x[0]}, {x[1], x[2], 0}};
    }
    return (crn_twist){crn_v3_of(x), crn_v3_of(x + 3)};
}

static void pack(const crn_stepper *s, crn_vec3 turn, crn_vec3 shift, double *x)
{
    if (s->def.is_planar) {
        x[0] = turn.z;
        x[1] = shift.x;
        x[2] = shift.y;
        return;
    }
    crn_v3_to(turn, x);
    crn_v3_to(shift, x + 3);
}

/* --- Moving --- */

static void move_body(crn_step_body *b, double by, const crn_twist *d)
{
    crn_quat turn = crn_quat_exp(crn_v3_scale(by, d->angular));
    b->rigid.pose.rotation = crn_quat_unit(crn_quat_product(turn, b->rigid.pose.rotation));
    b->rigid.pose.position = crn_v3_axpy(b->rigid.pose.position, by, d->linear);
    crn_rigid_refresh(&b->rigid);
}

static void speed_up(crn_step_body *b, double by, const crn_twist *d)
{
    b->rigid.w = crn_v3_axpy(b->rigid.w, by, d->angular);
    b->rigid.v = crn_v3_axpy(b->rigid.v, by, d->linear);
    b->shown_w = crn_v3_axpy(b->shown_w, by, d->angular);
    b->shown_v = crn_v3_axpy(b->shown_v, by, d->linear);
}

static void move_trees(crn_stepper *s, double by, const double *dq, const double *dv)
{
    crn_step_forest *f = &s->forest;
    for (int t = 0; t < f->trees && dq; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        crn_tree_advance(tree->tree, f->q + tree->q, dq + tree->u, by, f->q + tree->q);
    }
    for (int i = 0; i < f->velocities && dv; ++i) {
        f->u[i] += by * dv[i];
        f->before[i] += by * dv[i];
        f->shown[i] += by * dv[i];
    }
}

void crn_tangent_move(crn_stepper *s, double by, const double *dq, const double *dv)
{
    int at = 0;
    for (int i = 0; i < s->bodies; ++i) {
        if (!is_own(&s->body[i])) {
            continue;
        }
        if (dq) {
            crn_twist d = unpack(s, dq + at);
            move_body(&s->body[i], by, &d);
        }
        if (dv) {
            crn_twist d = unpack(s, dv + at);
            speed_up(&s->body[i], by, &d);
        }
        at += width(s);
    }
    move_trees(s, by, dq ? dq + at : NULL, dv ? dv + at : NULL);
    crn_step_place_links(s);
}

/* --- Differences --- */

int crn_tangent_places(const crn_stepper *s)
{
    return 7 * s->bodies + s->forest.coordinates;
}

void crn_tangent_keep(const crn_stepper *s, double *place)
{
    for (int i = 0; i < s->bodies; ++i) {
        const crn_pose *pose = &s->body[i].rigid.pose;
        const double numbers[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                                   pose->rotation.x, pose->rotation.y, pose->rotation.z};
        memcpy(place + 7 * (size_t)i, numbers, sizeof numbers);
    }
    crn_copy_numbers(place + 7 * (size_t)s->bodies, s->forest.q, s->forest.coordinates);
}

static crn_vec3 turn_since(crn_quat now, const double *then)
{
    crn_quat before = {then[0], then[1], then[2], then[3]};
    crn_quat turn = crn_quat_product(now, crn_quat_conjugate(before));
    if (turn.w < 0.0) {
        turn = (crn_quat){-turn.w, -turn.x, -turn.y, -turn.z};
    }
    return crn_quat_log(turn);
}

static void joint_since(const crn_link *link, const double *q, const double *then, double *dq)
{
    int quat = link->kind == CRN_JOINT_FREE ? 3 : 0;
    if (link->kind == CRN_JOINT_BALL || link->kind == CRN_JOINT_FREE) {
        crn_quat now = {q[quat], q[quat + 1], q[quat + 2], q[quat + 3]};
        crn_v3_to(turn_since(now, then + quat), dq);
        for (int k = 0; k < quat; ++k) {
            dq[3 + k] = q[k] - then[k];
        }
        return;
    }
    for (int k = 0; k < link->freedom; ++k) {
        dq[k] = q[k] - then[k];
    }
}

void crn_tangent_tree_since(const crn_tree *tree, const double *q, const double *then, double *dq)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        joint_since(link, q + link->q, then + link->q, dq + link->u);
    }
}

void crn_tangent_since(const crn_stepper *s, const double *place, double *dq)
{
    const crn_step_forest *f = &s->forest;
    int at = 0;
    for (int i = 0; i < s->bodies; ++i) {
        const double *then = place + 7 * (size_t)i;
        if (is_own(&s->body[i])) {
            const crn_pose *pose = &s->body[i].rigid.pose;
            pack(s, turn_since(pose->rotation, then + 3), crn_v3_sub(pose->position, crn_v3_of(then)), dq + at);
            at += width(s);
        }
    }
    for (int t = 0; t < f->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        crn_tangent_tree_since(tree->tree, f->q + tree->q, place + 7 * (size_t)s->bodies + tree->q, dq + at + tree->u);
    }
}

void crn_tangent_velocities(const crn_stepper *s, double *shown, double *carried)
{
    const crn_step_forest *f = &s->forest;
    int at = 0;
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *b = &s->body[i];
        if (!is_own(b)) {
            continue;
        }
        if (shown) {
            pack(s, b->shown_w, b->shown_v, shown + at);
        }
        if (carried) {
            pack(s, b->rigid.w, b->rigid.v, carried + at);
        }
        at += width(s);
    }
    for (int i = 0; i < f->velocities; ++i) {
        if (shown) {
            shown[at + i] = crn_step_shown(s, i);
        }
        if (carried) {
            carried[at + i] = f->u[i];
        }
    }
}

/* One number: what the bounce takes from the velocity. */
static void delay(const crn_branch_bounce *bounce, double taken, double *q, double *shown, double *carried)
{
    *q += bounce->time * taken;
    *shown -= bounce->time * bounce->rate * taken;
    *carried -= bounce->time * bounce->rate * taken;
}

void crn_tangent_add_delay(const crn_stepper *s, const crn_branch_bounce *bounce, double *dq, double *shown,
                           double *carried)
{
    const crn_twist *before = crn_moment_bodies(s, CRN_PUSHED), *after = crn_moment_bodies(s, CRN_AFTER);
    const double *u_before = crn_moment_speeds(s, CRN_PUSHED), *u_after = crn_moment_speeds(s, CRN_AFTER);
    int at = 0;
    for (int i = 0; i < s->bodies; ++i) {
        double d[6];
        if (!is_own(&s->body[i])) {
            continue;
        }
        pack(s, crn_v3_sub(before[i].angular, after[i].angular), crn_v3_sub(before[i].linear, after[i].linear), d);
        for (int k = 0; k < width(s); ++k, ++at) {
            delay(bounce, d[k], dq + at, shown + at, carried + at);
        }
    }
    for (int i = 0; i < s->forest.velocities; ++i, ++at) {
        delay(bounce, u_before[i] - u_after[i], dq + at, shown + at, carried + at);
    }
}
