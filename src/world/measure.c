/* What probes show: sensors of bodies, joints, sites and actuators. */
#include "math/elementary.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static int put_vector(crn_vec3 v, double *values)
{
    crn_v3_to(v, values);
    return 3;
}

static int put_quaternion(crn_quat q, double *values)
{
    const double all[4] = {q.w, q.x, q.y, q.z};
    memcpy(values, all, sizeof all);
    return 4;
}

/* Does a body hang on another one in its tree, or is it that one? */
static bool hangs_on(const crn_stepper *s, int body, int on)
{
    while (body >= 0 && body != on) {
        const crn_step_tree *tree = s->body[body].tree > 0 ? &s->forest.tree[s->body[body].tree - 1] : NULL;
        int joint = tree != NULL ? s->forest.joint[tree->link + s->body[body].link] : -1;
        body = joint >= 0 ? s->joint[joint].a : -1;
    }
    return body == on;
}

/* Centre of mass of all that hangs on a body, or its velocity. */
static int measure_subtree(const crn_world *w, int on, bool is_velocity, double *values)
{
    const crn_stepper *s = &w->stepper;
    crn_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (body->id.index1 != 0 && body->kind == CRN_BODY_FREE && hangs_on(s, i, on)) {
            mass += body->rigid.mass;
            sum = crn_v3_axpy(sum, body->rigid.mass, is_velocity ? body->shown_v : body->rigid.pose.position);
        }
    }
    return put_vector(crn_v3_scale(mass > 0.0 ? 1.0 / mass : 0.0, sum), values);
}

static int measure_body(const crn_world *w, const crn_probe_def *probe, double *values)
{
    crn_body_id body = crn_world_body(w, probe->target + 1);
    crn_pose pose;
    crn_twist velocity;
    crn_vec3 force;
    if (crn_body_pose(w, body, &pose) != CRN_OK || crn_body_velocity(w, body, &velocity) != CRN_OK ||
        crn_body_contact_force(w, body, &force, NULL) != CRN_OK) {
        return 0;
    }
    switch (probe->kind) {
    case CRN_PROBE_POSITION: return put_vector(pose.position, values);
    case CRN_PROBE_VELOCITY: return put_vector(velocity.linear, values);
    case CRN_PROBE_ANGULAR: return put_vector(velocity.angular, values);
    case CRN_PROBE_CONTACT_FORCE: return put_vector(force, values);
    case CRN_PROBE_SUBTREE_CENTRE: return measure_subtree(w, probe->target, false, values);
    case CRN_PROBE_SUBTREE_VELOCITY: return measure_subtree(w, probe->target, true, values);
    default: break;
    }
    if (!w->stepper.def.is_planar) {
        return put_quaternion(pose.rotation, values);
    }
    values[0] = 2.0 * crn_atan2(pose.rotation.z, pose.rotation.w);
    return 1;
}

static int measure_joint(const crn_world *w, const crn_probe_def *probe, double *values)
{
    double value[CRN_JOINT_COORDINATES_MAX], speed[CRN_JOINT_COORDINATES_MAX];
    crn_joint_id joint = crn_world_joint(w, probe->target + 1);
    if (crn_joint_coordinate(w, joint, value, speed) != CRN_OK) {
        return 0;
    }
    const double *from = probe->kind == CRN_PROBE_JOINT_SPEED ? speed : value;
    int count = crn_probe_size(probe, false, w->stepper.joint[joint.index1 - 1].def.kind);
    memcpy(values, from + (probe->only > 0 ? probe->only - 1 : 0), (size_t)count * sizeof *values);
    return count;
}

static double measure_range(const crn_world *w, crn_site_id site, const crn_pose *pose)
{
    crn_query_filter filter = crn_query_filter_default();
    crn_query_shape met;
    crn_ray_hit hit;
    crn_ray ray = {pose->position, crn_quat_turn(pose->rotation, crn_v3(0, 0, 1)), INFINITY};
    (void)crn_site_frame(w, site, &filter.except, NULL);
    return crn_world_cast_ray(w, &ray, &filter, &met, &hit) ? hit.distance : -1.0;
}

/* The joint that holds a body in a tree; null: none. */
static crn_joint_id joint_above(const crn_world *w, crn_body_id body)
{
    const crn_stepper *s = &w->stepper;
    const crn_step_body *b = body.index1 > 0 ? &s->body[body.index1 - 1] : NULL;
    if (b == NULL || b->tree == 0) {
        return (crn_joint_id){0, 0};
    }
    return crn_world_joint(w, s->forest.joint[s->forest.tree[b->tree - 1].link + b->link] + 1);
}

/* What passes through the joint above the site's body in the last step, seen at the site; 0 without a joint. */
static int measure_wrench(const crn_world *w, crn_site_id site, const crn_pose *pose, bool is_torque, double *values)
{
    crn_body_id body;
    crn_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    (void)crn_site_frame(w, site, &body, NULL);
    crn_joint_id joint = joint_above(w, body);
    if (crn_joint_force(w, joint, &force, &torque) == CRN_OK) {
        crn_vec3 at = crn_step_joint_sides(&w->stepper, &w->stepper.joint[joint.index1 - 1]).b.position;
        torque = crn_v3_add(torque, crn_v3_cross(crn_v3_sub(at, pose->position), force));
    }
    return put_vector(crn_quat_turn(crn_quat_conjugate(pose->rotation), is_torque ? torque : force), values);
}

/* In the last step, if nothing has been put elsewhere since; 0 of what does not move. */
static int measure_acceleration(const crn_world *w, crn_site_id site, const crn_pose *pose, double *values)
{
    crn_body_id id;
    crn_twist a = {{0, 0, 0}, {0, 0, 0}};
    (void)crn_site_frame(w, site, &id, NULL);
    int body = crn_world_body_index(w, id);
    crn_vec3 sum = crn_v3_scale(-1.0, w->stepper.def.gravity);
    if (body >= 0 && w->stepper.body[body].kind == CRN_BODY_FREE && w->has_stepped && w->last_dt > 0.0 &&
        !w->stepper.body[body].asleep) {
        crn_stepper copy = w->stepper; /* its arrays serve as scratch */
        const crn_step_body *b = &w->stepper.body[body];
        crn_vec3 arm = crn_v3_sub(pose->position, b->rigid.pose.position), v = crn_v3_cross(b->shown_w, arm);
        crn_step_acceleration(&copy, body, w->last_dt, &a);
        sum = crn_v3_add(crn_v3_add(sum, a.linear), crn_v3_cross(a.angular, arm));
        sum = crn_v3_add(sum, crn_v3_cross(b->shown_w, v));
    }
    return put_vector(crn_quat_turn(crn_quat_conjugate(pose->rotation), sum), values);
}

/* Does a contact of a site's body count for what it feels? As in MuJoCo the ray from its point out of the body tells: a zone that
 * has the point in it, or lies before it. */
static bool is_felt(const crn_world_site_slot *site, const crn_pose *pose, crn_vec3 point, crn_vec3 out)
{
    crn_quat back = crn_quat_conjugate(pose->rotation);
    crn_vec3 from = crn_quat_turn(back, crn_v3_sub(point, pose->position)), along = crn_quat_turn(back, out);
    crn_vec3 size = site->zone_size;
    bool is_all = size.x == 0.0 && size.y == 0.0 && size.z == 0.0;
    return is_all || crn_zone_meets_ray(site->zone, size, from, along);
}

static double measure_touch(const crn_world *w, crn_site_id id, const crn_pose *pose)
{
    int count;
    const crn_contact *contact = crn_world_contacts(w, &count);
    crn_body_id body;
    double sum = 0.0;
    (void)crn_site_frame(w, id, &body, NULL);
    for (int i = 0; i < count; ++i) {
        const crn_contact *c = &contact[i];
        crn_vec3 force, point;
        bool is_a = c->a.index1 == body.index1;
        if (body.index1 == 0 || (!is_a && c->b.index1 != body.index1) ||
            crn_contact_force_on(w, i, body, &force, &point) != CRN_OK) {
            continue;
        }
        crn_vec3 out = crn_v3_scale(is_a ? -1.0 : 1.0, c->normal);
        sum -= is_felt(&w->site_at[id.index1 - 1], pose, point, out) ? crn_v3_dot(force, out) : 0.0;
    }
    return sum;
}

static int put_number(double x, double *values)
{
    values[0] = x;
    return 1;
}

static int measure_site(const crn_world *w, const crn_probe_def *probe, double *values)
{
    crn_site_id site = crn_world_site(w, probe->target + 1);
    crn_pose pose;
    crn_twist velocity;
    if (crn_site_pose(w, site, &pose) != CRN_OK || crn_site_velocity(w, site, &velocity) != CRN_OK) {
        return 0;
    }
    crn_quat back = crn_quat_conjugate(pose.rotation);
    switch (probe->kind) {
    case CRN_PROBE_SITE_POSITION: return put_vector(pose.position, values);
    case CRN_PROBE_SITE_ROTATION: return put_quaternion(pose.rotation, values);
    case CRN_PROBE_SITE_VELOCITY: return put_vector(velocity.linear, values);
    case CRN_PROBE_SITE_ANGULAR: return put_vector(velocity.angular, values);
    case CRN_PROBE_VELOCIMETER: return put_vector(crn_quat_turn(back, velocity.linear), values);
    case CRN_PROBE_GYRO: return put_vector(crn_quat_turn(back, velocity.angular), values);
    case CRN_PROBE_FORCE: return measure_wrench(w, site, &pose, false, values);
    case CRN_PROBE_TORQUE: return measure_wrench(w, site, &pose, true, values);
    case CRN_PROBE_ACCELEROMETER: return measure_acceleration(w, site, &pose, values);
    case CRN_PROBE_SITE_X: return put_vector(crn_quat_turn(pose.rotation, crn_v3(1, 0, 0)), values);
    case CRN_PROBE_SITE_Y: return put_vector(crn_quat_turn(pose.rotation, crn_v3(0, 1, 0)), values);
    case CRN_PROBE_SITE_Z: return put_vector(crn_quat_turn(pose.rotation, crn_v3(0, 0, 1)), values);
    case CRN_PROBE_TOUCH: return put_number(measure_touch(w, site, &pose), values);
    default: break;
    }
    return put_number(measure_range(w, site, &pose), values);
}

static int measure_tendon(const crn_world *w, const crn_probe_def *probe, double *values)
{
    bool is_length = probe->kind == CRN_PROBE_TENDON_LENGTH;
    crn_status status = crn_tendon_length(w, probe->target, is_length ? values : NULL, is_length ? NULL : values);
    return status == CRN_OK ? 1 : 0;
}

int crn_world_probe(const crn_world *w, const crn_probe_def *probe, double *values)
{
    if (!w || !probe || !values || crn_probe_kind_name(probe->kind) == NULL) {
        return 0;
    }
    switch (crn_probe_kind_target(probe->kind)) {
    case CRN_PROBE_OF_BODY: return measure_body(w, probe, values);
    case CRN_PROBE_OF_JOINT: return measure_joint(w, probe, values);
    case CRN_PROBE_OF_SITE: return measure_site(w, probe, values);
    case CRN_PROBE_OF_ACTUATOR: return crn_actuator_force(w, probe->target, values) == CRN_OK ? 1 : 0;
    case CRN_PROBE_OF_TENDON: return measure_tendon(w, probe, values);
    }
    return 0;
}

crn_status crn_world_measure(const crn_world *w, const crn_model *model, double *values)
{
    if (!w || !model || !values) {
        return CRN_ERR_ARGUMENT;
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        int size = crn_model_probe_size(model, i);
        double now[CRN_PROBE_NUMBERS_MAX] = {0};
        (void)crn_world_probe(w, crn_model_probe(model, i), now);
        memcpy(values, now, (size_t)size * sizeof *values);
        values += size;
    }
    return CRN_OK;
}
