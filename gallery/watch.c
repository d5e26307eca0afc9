/* watch.c -- a world that is stepped and looked at.
 *
 *     energy = sum 1/2 m v.v + 1/2 w.I w - m g.x       over the free bodies, at the end of a step
 *
 * Overlap is that of the shapes as crn_world_overlap() finds it, between all bodies that may touch. Joints are looked at as
 * crn_joint_error() tells them: those in trees and all others apart. */
#include "watch.h"

#include "build_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Energy --- */

static double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* w.I w, I in body axes. */
static double spin_energy(const crn_pose *pose, const crn_mat3 *inertia, crn_vec3 w)
{
    crn_quat q = pose->rotation, back = {q.w, -q.x, -q.y, -q.z};
    crn_vec3 l = crn_build_rotate(back, w);
    const double x[3] = {l.x, l.y, l.z};
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += inertia->m[i] * x[i % 3] * x[i / 3];
    }
    return sum;
}

double crn_gallery_energy(const crn_world *world, const crn_model *model, double *potential)
{
    double kinetic = 0.0, height = 0.0;
    crn_vec3 gravity = crn_world_definition(world)->gravity;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        crn_body_id id = crn_world_body(world, i + 1);
        crn_pose pose;
        crn_twist v;
        double mass;
        crn_vec3 com;
        crn_mat3 inertia;
        if (crn_model_body(model, i)->kind == CRN_BODY_FREE && crn_body_pose(world, id, &pose) == CRN_OK &&
            crn_body_velocity(world, id, &v) == CRN_OK && crn_body_mass(world, id, &mass, &com, &inertia) == CRN_OK) {
            crn_vec3 centre = crn_build_compose(pose, (crn_pose){com, {1.0, 0.0, 0.0, 0.0}}).position;
            kinetic += 0.5 * mass * dot(v.linear, v.linear) + 0.5 * spin_energy(&pose, &inertia, v.angular);
            height -= crn_model_body(model, i)->gravity_scale * mass * dot(gravity, centre);
        }
    }
    if (potential) {
        *potential = height;
    }
    return kinetic + height;
}

double crn_gallery_rotor_energy(const crn_world *world, const crn_model *model)
{
    double sum = 0.0;
    for (int j = 0; j < crn_model_joints(model); ++j) {
        const crn_joint_def *joint = crn_model_joint(model, j);
        double u[CRN_JOINT_FREEDOM_MAX] = {0.0};
        int freedom = crn_joint_kind_freedom(joint->kind);
        bool is_known = joint->in_tree && crn_joint_velocity(world, crn_world_joint(world, j + 1), u) == CRN_OK;
        bool is_ball = joint->kind == CRN_JOINT_BALL; /* its first axis counts for all turns */
        for (int k = 0; k < freedom && joint->kind != CRN_JOINT_FREE && is_known; ++k) {
            sum += 0.5 * joint->axis[is_ball ? 0 : k].armature * u[k] * u[k];
        }
    }
    return sum;
}

double crn_gallery_watch_scale(const crn_gallery_watch *w)
{
    return fmax(fabs(w->start), w->high - w->low);
}

/* --- Looking --- */

static void look_at_joints(crn_gallery_watch *w)
{
    for (int j = 0; j < crn_model_joints(w->model); ++j) {
        const crn_joint_def *joint = crn_model_joint(w->model, j);
        double distance = 0.0, angle = 0.0;
        if (joint->kind != CRN_JOINT_FREE) {
            (void)crn_joint_error(w->world, crn_world_joint(w->world, j + 1), &distance, &angle);
            double *worst = joint->in_tree ? &w->joint : &w->loop;
            *worst = fmax(*worst, fmax(distance, angle));
        }
    }
}

static bool is_plane(const crn_body_def *body)
{
    return body->shapes > 0 && body->shape[0].shape.kind == CRN_SHAPE_PLANE;
}

/* Centres of free bodies below planes, and the fastest turn. */
static void look_at_bodies(crn_gallery_watch *w)
{
    for (int i = 0; i < crn_model_bodies(w->model); ++i) {
        crn_pose pose;
        crn_twist v;
        crn_body_id id = crn_world_body(w->world, i + 1);
        if (crn_body_pose(w->world, id, &pose) != CRN_OK || crn_body_velocity(w->world, id, &v) != CRN_OK) {
            continue;
        }
        w->fastest = fmax(w->fastest, sqrt(dot(v.angular, v.angular)));
        for (int k = 0; k < crn_model_bodies(w->model); ++k) {
            const crn_body_def *other = crn_model_body(w->model, k);
            if (is_plane(other) && crn_model_body(w->model, i)->kind == CRN_BODY_FREE) {
                w->below += crn_build_compose(crn_build_invert(other->pose), pose).position.z < 0.0;
            }
        }
    }
}

static void count(crn_gallery_watch *w)
{
    const crn_step_stats *s = &w->last;
    const crn_world_def *def = crn_world_definition(w->world);
    w->steps++;
    w->unsolved += s->outcome != CRN_LCP_SOLVED;
    w->uncertified += s->verdict != CRN_VERDICT_CERTIFIED;
    w->relaxed += s->is_relaxed;
    w->other_law += def->scheme != CRN_SCHEME_CONVEX && s->law != CRN_LAW_COULOMB;
    w->problems += s->problems;
    w->contacts += s->contacts;
    w->active += s->active;
    w->drifts += s->drifts;
    w->repairs += s->repairs;
    w->pivots += s->pivots;
    w->clamped += s->clamped;
    w->certificate = fmax(w->certificate, s->certificate);
    w->now = s->kinetic + s->potential;
    w->highest = fmax(w->highest, w->now);
    w->low = fmin(w->low, s->potential);
    w->high = fmax(w->high, s->potential);
}

/* --- A run --- */

crn_status crn_gallery_watch_begin(crn_gallery_watch *w, const crn_model *model, crn_world *world,
                                   double (*clock)(void))
{
    memset(w, 0, sizeof *w);
    w->model = model;
    w->world = world;
    w->clock = clock;
    crn_status status = crn_gallery_cores_find(w);
    if (status != CRN_OK) {
        crn_gallery_watch_end(w);
        return status;
    }
    double potential;
    w->start = crn_gallery_energy(world, model, &potential) + crn_gallery_rotor_energy(world, model);
    w->now = w->start;
    w->highest = -INFINITY;
    w->low = w->high = potential;
    crn_gallery_cores_place(w);
    crn_gallery_cores_place(w);
    crn_gallery_rings_look(w, true);
    return CRN_OK;
}

void crn_gallery_watch_end(crn_gallery_watch *w)
{
    free(w->core);
    free(w->ring);
    free(w->ring_radius);
    free(w->link);
    w->core = NULL;
    w->ring = NULL;
    w->ring_radius = NULL;
    w->link = NULL;
}

crn_status crn_gallery_watch_step(crn_gallery_watch *w, double h, bool has_overlap, crn_error *error)
{
    double begin = w->clock ? w->clock() : 0.0;
    crn_status status = crn_world_step(w->world, h, &w->last, error);
    w->seconds += w->clock ? w->clock() - begin : 0.0;
    if (status != CRN_OK) {
        return status;
    }
    count(w);
    look_at_joints(w);
    look_at_bodies(w);
    crn_gallery_cores_place(w);
    w->crossings += crn_gallery_cores_crossed(w);
    crn_gallery_rings_look(w, false);
    if (has_overlap) {
        double depth = 0.0;
        status = crn_world_overlap(w->world, &depth, NULL, NULL);
        w->penetration = fmax(w->penetration, depth);
    }
    return status;
}
