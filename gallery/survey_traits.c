/* What a model is like: counts, loops, what works on it; energy of springs. */
#include "survey_traits.h"

#include <math.h>
#include <stdlib.h>

#include "build_tree.h"

/* --- Bodies --- */

crn_status crn_survey_radius(const crn_body_def *body, double *radius, crn_error *error)
{
    *radius = 0.0;
    for (int i = 0; i < body->shapes; ++i) {
        crn_shape *shape = NULL;
        crn_status status = crn_shape_create(&body->shape[i].shape, NULL, &shape, error);
        if (status != CRN_OK) {
            return status;
        }
        crn_vec3 p = body->shape[i].pose.position;
        double r = crn_shape_radius(shape) + sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        *radius = isfinite(r) ? fmax(*radius, r) : *radius;
        crn_shape_destroy(shape);
    }
    return CRN_OK;
}

static bool moves(const crn_profile *p)
{
    return p->amplitude != 0.0 || p->count > 0;
}

static void look_at_body(const crn_body_def *body, crn_survey *survey)
{
    const crn_motion *m = &body->motion;
    survey->bodies += body->kind == CRN_BODY_FREE;
    if (body->kind == CRN_BODY_DRIVEN && (moves(&m->x) || moves(&m->y) || moves(&m->z) || moves(&m->angle))) {
        survey->is_closed = false;
    }
    for (int i = 0; i < body->shapes; ++i) {
        survey->has_restitution = survey->has_restitution || body->shape[i].restitution > 0.0;
        survey->has_friction = survey->has_friction || body->shape[i].friction > 0.0;
    }
}

/* --- Joints --- */

static void look_at_axis(const crn_joint_axis *axis, crn_survey *survey)
{
    bool has_force = axis->force.value != 0.0 || moves(&axis->force);
    if (axis->has_motor || has_force || (axis->stiffness > 0.0 && moves(&axis->target)) || axis->spring_limit > 0.0) {
        survey->is_closed = false;
    }
    survey->springs += axis->stiffness > 0.0;
    survey->loops += axis->follows > 0;
}

static int root_of(const int *above, int i)
{
    while (above[i] != i) {
        i = above[i];
    }
    return i;
}

/* Bodies are nodes; all that is not free is one node, the last. */
static int node_of(const crn_model *model, int body)
{
    const crn_body_def *def = crn_model_body(model, body);
    return def != NULL && def->kind == CRN_BODY_FREE ? body : crn_model_bodies(model);
}

static void look_at_joint(const crn_model *model, const crn_joint_def *joint, int *above, crn_survey *survey)
{
    if (joint->kind == CRN_JOINT_FREE) {
        return;
    }
    int a = root_of(above, node_of(model, joint->a)), b = root_of(above, node_of(model, joint->b));
    survey->joints++;
    survey->rows += joint->as_rows;
    survey->loops += a == b;
    above[a] = b;
    for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
        look_at_axis(&joint->axis[k], survey);
    }
}

/* --- All of it --- */

static double mass_ratio(const crn_model *model)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        if (body->kind == CRN_BODY_FREE) {
            least = fmin(least, body->mass);
            most = fmax(most, body->mass);
        }
    }
    return most > 0.0 ? most / least : 1.0;
}

crn_status crn_survey_look(const crn_model *model, crn_survey *survey, crn_error *error)
{
    const crn_world_def *def = crn_model_world_of(model);
    int bodies = crn_model_bodies(model), *above = malloc(((size_t)bodies + 1) * sizeof *above);
    if (above == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "survey: no memory");
    }
    survey->is_planar = def->is_planar;
    survey->has_gravity = def->gravity.x != 0.0 || def->gravity.y != 0.0 || def->gravity.z != 0.0;
    survey->dt = def->dt;
    survey->is_closed = crn_model_loads(model) == 0;
    survey->mass_ratio = mass_ratio(model);
    for (int i = 0; i <= bodies; ++i) {
        above[i] = i;
    }
    for (int i = 0; i < bodies; ++i) {
        look_at_body(crn_model_body(model, i), survey);
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        look_at_joint(model, crn_model_joint(model, i), above, survey);
    }
    free(above);
    return CRN_OK;
}

/* --- Energy of joints --- */

/* Angle between the frames of a ball joint. */
static double ball_angle(const crn_world *world, const crn_joint_def *joint)
{
    crn_pose a = {{0, 0, 0}, {1, 0, 0, 0}}, b = a;
    (void)crn_body_pose(world, crn_world_body(world, joint->a + 1), &a);
    (void)crn_body_pose(world, crn_world_body(world, joint->b + 1), &b);
    a = crn_build_compose(a, joint->frame_a);
    b = crn_build_compose(b, joint->frame_b);
    crn_quat q = crn_build_multiply(crn_build_invert(a).rotation, b.rotation);
    return 2.0 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

static double springs_of(const crn_world *world, const crn_joint_def *joint, crn_joint_id id)
{
    double value[CRN_JOINT_COORDINATES_MAX] = {0}, sum = 0.0;
    int coordinates = crn_joint_kind_coordinates(joint->kind);
    if (joint->kind == CRN_JOINT_BALL && joint->axis[0].stiffness > 0.0) {
        double angle = ball_angle(world, joint);
        return 0.5 * joint->axis[0].stiffness * angle * angle;
    }
    (void)crn_joint_coordinate(world, id, value, NULL);
    for (int k = 0; k < coordinates; ++k) {
        double stretch = value[k] - crn_profile_at(&joint->axis[k].target, crn_world_time(world));
        sum += 0.5 * joint->axis[k].stiffness * stretch * stretch;
    }
    return sum;
}

double crn_survey_springs(const crn_model *model, const crn_world *world)
{
    double sum = 0.0;
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (joint->in_tree) { /* others have none */
            sum += springs_of(world, joint, crn_world_joint(world, i + 1));
        }
    }
    return sum;
}
