/* A robot's coordinates and velocities: read from the world, put into it, pushed along.
 *
 * Links with a joint have theirs among those of the stepper's trees, one for one. Links that float go by the pose and velocity of
 * their body: the stepper's own free joint is at the centre of mass. */
#include "math/elementary.h"
#include "world/robot.h"

#include <math.h>
#include <string.h>

static bool floats(const crn_robot *r, int link)
{
    return r->joint[link].index1 == 0;
}

/* Where the stepper has the numbers of a link with a joint. */
static void find_numbers(const crn_robot *r, int link, int *q, int *u)
{
    const crn_stepper *s = &r->world->stepper;
    const crn_step_body *body = &s->body[r->body[link].index1 - 1];
    const crn_step_tree *tree = &s->forest.tree[body->tree - 1];
    *q = tree->q + tree->tree->link[body->link].q;
    *u = tree->u + tree->tree->link[body->link].u;
}

/* --- Reading --- */

/* From the body's origin to its centre of mass, world axes. */
static crn_vec3 arm_of(const crn_robot *r, int link)
{
    const crn_step_body *body = &r->world->stepper.body[r->body[link].index1 - 1];
    return crn_m3_times(&body->rigid.rotation, body->com);
}

static void read_floating(crn_robot *r, int link)
{
    const crn_link *l = &r->tree->link[link];
    double *q = r->q + l->q, *u = r->u + l->u;
    crn_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    crn_twist twist = {{0, 0, 0}, {0, 0, 0}};
    (void)crn_body_pose(r->world, r->body[link], &pose);
    (void)crn_body_velocity(r->world, r->body[link], &twist);
    crn_vec3 v = crn_v3_sub(twist.linear, crn_v3_cross(twist.angular, arm_of(r, link)));
    if (l->kind == CRN_JOINT_PLANAR) {
        const double planar_q[] = {pose.position.x, pose.position.y, 2.0 * crn_atan2(pose.rotation.z, pose.rotation.w)};
        const double planar_u[] = {v.x, v.y, twist.angular.z};
        memcpy(q, planar_q, sizeof planar_q);
        memcpy(u, planar_u, sizeof planar_u);
        return;
    }
    const crn_quat *turn = &pose.rotation;
    const double free_q[] = {pose.position.x, pose.position.y, pose.position.z, turn->w, turn->x, turn->y, turn->z};
    memcpy(q, free_q, sizeof free_q);
    crn_v3_to(twist.angular, u);
    crn_v3_to(v, u + 3);
}

void crn_robot_read_state(crn_robot *r)
{
    const crn_stepper *s = &r->world->stepper;
    for (int k = 0; k < r->links; ++k) {
        const crn_link *l = &r->tree->link[k];
        int q, u;
        if (floats(r, k)) {
            read_floating(r, k);
            continue;
        }
        find_numbers(r, k, &q, &u);
        memcpy(r->q + l->q, s->forest.q + q, (size_t)l->coordinates * sizeof *r->q);
        for (int i = 0; i < l->freedom; ++i) {
            r->u[l->u + i] = crn_step_shown(s, u + i);
        }
    }
}

crn_status crn_robot_state(crn_robot *r, double *q, double *u)
{
    if (!crn_robot_is_current(r)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_robot_read_state(r);
    if (q) {
        memcpy(q, r->q, (size_t)r->tree->coordinates * sizeof *q);
    }
    if (u) {
        memcpy(u, r->u, (size_t)r->tree->velocities * sizeof *u);
    }
    return CRN_OK;
}

/* --- Putting --- */

/* The quaternion of a ball or free joint's coordinates; NULL of others. */
static double *quaternion_of(const crn_link *l, double *q)
{
    switch (l->kind) {
    case CRN_JOINT_BALL: return q + l->q;
    case CRN_JOINT_FREE: return q + l->q + 3;
    default: return NULL;
    }
}

/* Copy q and make its quaternions unit; false if one was not meant to be. */
static bool take_coordinates(crn_robot *r, const double *q)
{
    const double length_least = 1e-6, length_most = 1e6; /* as of poses: beyond, it is a mistake */
    memcpy(r->q, q, (size_t)r->tree->coordinates * sizeof *q);
    for (int k = 0; k < r->links; ++k) {
        double *x = quaternion_of(&r->tree->link[k], r->q);
        if (x == NULL) {
            continue;
        }
        double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
        if (!(length >= length_least && length <= length_most)) {
            return false;
        }
        for (int i = 0; i < 4; ++i) {
            x[i] /= length;
        }
    }
    return true;
}

static crn_pose floating_pose(const crn_link *l, const double *q)
{
    if (l->kind == CRN_JOINT_PLANAR) {
        return (crn_pose){crn_v3(q[0], q[1], 0.0), crn_quat_exp(crn_v3(0, 0, q[2]))};
    }
    return (crn_pose){crn_v3_of(q), {q[3], q[4], q[5], q[6]}};
}

static void put_coordinates(crn_robot *r)
{
    crn_stepper *s = &r->world->stepper;
    for (int k = 0; k < r->links; ++k) {
        const crn_link *l = &r->tree->link[k];
        int q, u;
        if (floats(r, k)) {
            crn_pose pose = floating_pose(l, r->q + l->q);
            (void)crn_body_set_pose(r->world, r->body[k], &pose);
            continue;
        }
        find_numbers(r, k, &q, &u);
        memcpy(s->forest.q + q, r->q + l->q, (size_t)l->coordinates * sizeof *r->q);
    }
}

static crn_twist floating_velocity(const crn_robot *r, int link, const double *u)
{
    bool is_planar = r->tree->link[link].kind == CRN_JOINT_PLANAR;
    crn_vec3 w = is_planar ? crn_v3(0, 0, u[2]) : crn_v3_of(u),
             v = is_planar ? crn_v3(u[0], u[1], 0) : crn_v3_of(u + 3);
    return (crn_twist){w, crn_v3_add(v, crn_v3_cross(w, arm_of(r, link)))};
}

/* After coordinates: velocities of a body that floats are those of its origin where it is now. */
static void put_velocities(crn_robot *r, const double *velocity)
{
    crn_step_forest *f = &r->world->stepper.forest;
    for (int k = 0; k < r->links; ++k) {
        const crn_link *l = &r->tree->link[k];
        int q, u;
        if (floats(r, k)) {
            crn_twist twist = floating_velocity(r, k, velocity + l->u);
            (void)crn_body_set_velocity(r->world, r->body[k], &twist);
            continue;
        }
        find_numbers(r, k, &q, &u);
        for (int i = 0; i < l->freedom; ++i) {
            f->shown[u + i] = f->before[u + i] = f->u[u + i] = velocity[l->u + i];
        }
    }
}

crn_status crn_robot_set_state(crn_robot *r, const double *q, const double *u)
{
    if (!crn_robot_is_current(r) || (q && !crn_world_are_within(q, r->tree->coordinates, CRN_WORLD_POSITION_MOST)) ||
        (u && !crn_world_are_within(u, r->tree->velocities, CRN_WORLD_SPEED_MOST))) {
        return CRN_ERR_ARGUMENT;
    }
    if (q) {
        if (!take_coordinates(r, q)) {
            return CRN_ERR_ARGUMENT;
        }
        put_coordinates(r);
        crn_world_trees_changed(r->world, r->body, r->links);
    }
    if (u) {
        put_velocities(r, u);
        crn_world_trees_changed(r->world, r->body, r->links);
    }
    return CRN_OK;
}

/* --- Pushing --- */

/* Torque and force at the joint's origin on b, along a's axes, and the opposite on a. */
static void push_bodies(crn_robot *r, int link, crn_vec3 torque, crn_vec3 force)
{
    crn_stepper *s = &r->world->stepper;
    const crn_step_body *b = &s->body[r->body[link].index1 - 1];
    crn_mat3 axes = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    crn_vec3 at = crn_step_body_pose(b).position;
    crn_body_id a = {0, 0};
    if (!floats(r, link)) {
        const crn_step_joint *joint = &s->joint[r->joint[link].index1 - 1];
        crn_joint_sides sides = crn_step_joint_sides(s, joint);
        axes = sides.a.rotation;
        at = sides.b.position;
        a = crn_world_body(r->world, joint->a + 1);
    }
    crn_vec3 t = crn_m3_times(&axes, torque), f = crn_m3_times(&axes, force);
    (void)crn_body_apply_force(r->world, r->body[link], f, at);
    (void)crn_body_apply_torque(r->world, r->body[link], t);
    (void)crn_body_apply_force(r->world, a, crn_v3_scale(-1.0, f), at);
    (void)crn_body_apply_torque(r->world, a, crn_v3_scale(-1.0, t));
    crn_step_wake(s, (int)r->body[link].index1 - 1);
}

static void push_link(crn_robot *r, int link, const double *force)
{
    const crn_vec3 none = {0, 0, 0};
    const crn_link *l = &r->tree->link[link];
    if (l->kind == CRN_JOINT_BALL) {
        push_bodies(r, link, crn_v3_of(force), none);
    } else if (l->kind == CRN_JOINT_FREE) {
        push_bodies(r, link, crn_v3_of(force), crn_v3_of(force + 3));
    } else if (floats(r, link)) {
        push_bodies(r, link, crn_v3(0, 0, force[2]), crn_v3(force[0], force[1], 0));
    } else {
        for (int i = 0; i < l->freedom; ++i) {
            (void)crn_joint_apply_force(r->world, r->joint[link], i, force[i]);
        }
    }
}

crn_status crn_robot_apply(crn_robot *r, const double *force)
{
    if (!force || !crn_robot_is_current(r) || !crn_world_are_within(force, r->tree->velocities, CRN_WORLD_FORCE_MOST)) {
        return CRN_ERR_ARGUMENT;
    }
    for (int k = 0; k < r->links; ++k) {
        push_link(r, k, force + r->tree->link[k].u);
    }
    return CRN_OK;
}
