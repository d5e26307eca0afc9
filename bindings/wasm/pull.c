/* The spring's force is explicit: it is that of the positions and velocities where a step begins. So it must be slow against the
 * step. With m the mass that the grip feels if the body is alone, which is the least that it can feel,
 *
 *   k = min(M w^2, m (s/h)^2),   c = min(2 sqrt(k m), s m / h)
 *
 * where M is the mass of the body and all that joints connect it with, and w the frequency of a hand. */
#include "pull.h"

#include <math.h>
#include <stdlib.h>

static const double HAND = 12.0;         /* w [rad/s]: two swings a second */
static const double SLOW = 0.5;          /* s: far from 2, where the explicit spring is no longer stable */
static const double WEIGHTS_MOST = 30.0; /* the force is at most so many times the weight of M (or 9.81 N per kg) */

static crn_vec3 turned(crn_quat q, crn_vec3 v)
{
    crn_vec3 c = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                  q.x * v.y - q.y * v.x + q.w * v.z};
    return (crn_vec3){v.x + 2.0 * (q.y * c.z - q.z * c.y), v.y + 2.0 * (q.z * c.x - q.x * c.z),
                      v.z + 2.0 * (q.x * c.y - q.y * c.x)};
}

static crn_vec3 added(crn_vec3 a, double s, crn_vec3 b)
{
    return (crn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double length(crn_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double mass_of(const crn_world *world, int body)
{
    double mass = 0.0;
    crn_vec3 com;
    crn_mat3 inertia;
    (void)crn_body_mass(world, crn_world_body(world, body + 1), &mass, &com, &inertia);
    return mass;
}

/* Mass of a free body and of all free ones that joints connect it with. */
static double connected_mass(const crn_model *model, const crn_world *world, int body)
{
    int bodies = crn_model_bodies(model), joints = crn_model_joints(model);
    bool *is_in = calloc((size_t)bodies + 1, sizeof *is_in), grows = is_in != NULL;
    double mass = 0.0;
    if (is_in == NULL) {
        return mass_of(world, body);
    }
    is_in[body] = true;
    while (grows) {
        grows = false;
        for (int j = 0; j < joints; ++j) {
            const crn_joint_def *def = crn_model_joint(model, j);
            if (def->a >= 0 && def->b >= 0 && is_in[def->a] != is_in[def->b]) {
                is_in[def->a] = is_in[def->b] = grows = true;
            }
        }
    }
    for (int i = 0; i < bodies; ++i) {
        mass += is_in[i] && crn_model_body(model, i)->kind == CRN_BODY_FREE ? mass_of(world, i) : 0.0;
    }
    free(is_in);
    return mass;
}

/* 1 / (1/m + r^2/I): less than any direction at distance r from the centre of mass feels. */
static double felt_mass(double mass, const crn_mat3 *inertia, double r, bool is_planar)
{
    const double *m = inertia->m;
    double least = is_planar ? m[8] : fmin(m[0], fmin(m[4], m[8]));
    return least > 0.0 ? 1.0 / (1.0 / mass + r * r / least) : mass;
}

crn_status pull_begin(pull *p, const crn_model *model, const crn_world *world, int body, crn_vec3 point, double dt)
{
    const crn_body_def *def = crn_model_body(model, body);
    crn_body_id id = crn_world_body(world, body + 1);
    double mass = 0.0;
    crn_vec3 com;
    crn_mat3 inertia;
    crn_pose pose;
    *p = (pull){.body = {0, 0}};
    if (def == NULL || def->kind != CRN_BODY_FREE || crn_body_pose(world, id, &pose) != CRN_OK ||
        crn_body_mass(world, id, &mass, &com, &inertia) != CRN_OK || !(mass > 0.0)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_quat back = {pose.rotation.w, -pose.rotation.x, -pose.rotation.y, -pose.rotation.z};
    double all = connected_mass(model, world, body), rate = SLOW / dt;
    p->body = id;
    p->grip = turned(back, added(point, -1.0, pose.position));
    p->target = point;
    double felt = felt_mass(mass, &inertia, length(added(p->grip, -1.0, com)), crn_model_world_of(model)->is_planar);
    p->stiffness = fmin(all * HAND * HAND, felt * rate * rate);
    p->damping = fmin(2.0 * sqrt(p->stiffness * felt), rate * felt);
    p->force_most = WEIGHTS_MOST * 9.81 * all;
    return CRN_OK;
}

void pull_apply(pull *p, crn_world *world)
{
    crn_pose pose;
    crn_twist v;
    double mass;
    crn_vec3 com;
    crn_mat3 inertia;
    p->force_now = 0.0;
    if (crn_body_pose(world, p->body, &pose) != CRN_OK || crn_body_velocity(world, p->body, &v) != CRN_OK ||
        crn_body_mass(world, p->body, &mass, &com, &inertia) != CRN_OK) {
        return;
    }
    crn_vec3 grip = added(pose.position, 1.0, turned(pose.rotation, p->grip));
    crn_vec3 lever = turned(pose.rotation, added(p->grip, -1.0, com)), w = v.angular;
    crn_vec3 speed =
        added(v.linear, 1.0,
              (crn_vec3){w.y * lever.z - w.z * lever.y, w.z * lever.x - w.x * lever.z, w.x * lever.y - w.y * lever.x});
    crn_vec3 stretch = added(p->target, -1.0, grip);
    crn_vec3 force = added((crn_vec3){0, 0, 0}, p->stiffness, stretch);
    force = added(force, -p->damping, speed);
    double size = length(force), share = size > p->force_most ? p->force_most / size : 1.0;
    force = (crn_vec3){share * force.x, share * force.y, share * force.z};
    p->force_now = share * size;
    (void)crn_body_apply_force(world, p->body, force, grip);
}
