/* What probes show: sensors of bodies, joints, sites and actuators. */
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
    default: break;
    }
    if (!w->stepper.def.is_planar) {
        return put_quaternion(pose.rotation, values);
    }
    values[0] = 2.0 * atan2(pose.rotation.z, pose.rotation.w);
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
    default: break;
    }
    values[0] = measure_range(w, site, &pose);
    return 1;
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
