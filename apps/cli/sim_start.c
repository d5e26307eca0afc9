/* What a world is like before its first step. */
#include "sim_start.h"

#include <math.h>

/* An overlap larger than this share of the smaller body is more than a careless decimal in the scene: something stands in
 * the wrong place. Below it, the first steps undo it without a trace that one sees. */
static const double deep_share = 0.01;

/* --- Energy and momentum --- */

static crn_vec3 turn(const crn_quat *q, crn_vec3 v)
{
    /* v + 2 u x (u x v + w v), q = (w, u) */
    crn_vec3 c = {q->y * v.z - q->z * v.y + q->w * v.x, q->z * v.x - q->x * v.z + q->w * v.y,
                  q->x * v.y - q->y * v.x + q->w * v.z};
    return (crn_vec3){v.x + 2.0 * (q->y * c.z - q->z * c.y), v.y + 2.0 * (q->z * c.x - q->x * c.z),
                      v.z + 2.0 * (q->x * c.y - q->y * c.x)};
}

static double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* w'I w with w in body axes. */
static double spin_energy(const crn_mat3 *inertia, crn_vec3 w)
{
    const double *m = inertia->m;
    crn_vec3 l = {m[0] * w.x + m[3] * w.y + m[6] * w.z, m[1] * w.x + m[4] * w.y + m[7] * w.z,
                  m[2] * w.x + m[5] * w.y + m[8] * w.z};
    return dot(l, w);
}

/* Add a free body's share. */
static crn_status add_body(const crn_world *world, crn_body_id id, double gravity_scale, sim_start *start)
{
    double mass = 0.0;
    crn_vec3 com;
    crn_mat3 inertia;
    crn_pose pose;
    crn_twist v;
    crn_status status = crn_body_mass(world, id, &mass, &com, &inertia);
    status = status == CRN_OK ? crn_body_pose(world, id, &pose) : status;
    status = status == CRN_OK ? crn_body_velocity(world, id, &v) : status;
    if (status != CRN_OK) {
        return status;
    }
    crn_quat back = {pose.rotation.w, -pose.rotation.x, -pose.rotation.y, -pose.rotation.z};
    crn_vec3 lever = turn(&pose.rotation, com);
    crn_vec3 centre = {pose.position.x + lever.x, pose.position.y + lever.y, pose.position.z + lever.z};
    start->kinetic += 0.5 * (mass * dot(v.linear, v.linear) + spin_energy(&inertia, turn(&back, v.angular)));
    start->potential -= gravity_scale * mass * dot(crn_world_definition(world)->gravity, centre);
    start->momentum.x += mass * v.linear.x;
    start->momentum.y += mass * v.linear.y;
    start->momentum.z += mass * v.linear.z;
    ++start->free_bodies;
    return CRN_OK;
}

/* --- Overlap --- */

/* Radius about the body's origin that holds its shapes; infinite if one of them is. */
static crn_status find_radius(const crn_body_def *def, double *radius, crn_error *error)
{
    *radius = 0.0;
    for (int i = 0; i < def->shapes; ++i) {
        crn_shape *shape = NULL;
        crn_status status = crn_shape_create(&def->shape[i].shape, NULL, &shape, error);
        if (status != CRN_OK) {
            return status;
        }
        const crn_vec3 *p = &def->shape[i].pose.position;
        *radius = fmax(*radius, sqrt(dot(*p, *p)) + crn_shape_radius(shape));
        crn_shape_destroy(shape);
    }
    return CRN_OK;
}

/* The overlap against the size of the smaller body. */
static crn_status find_overlap(const crn_model *model, crn_world *world, sim_start *start, crn_error *error)
{
    crn_body_id ids[2] = {{.index1 = 0}, {.index1 = 0}};
    crn_status status = crn_world_overlap(world, &start->overlap, &ids[0], &ids[1]);
    if (status != CRN_OK) {
        return crn_fail(error, status, "the contacts at the start cannot be found: %s", crn_status_name(status));
    }
    start->a = ids[0].index1 - 1;
    start->b = ids[1].index1 - 1;
    double smaller = INFINITY;
    for (int k = 0; k < 2 && status == CRN_OK; ++k) {
        const crn_body_def *def = crn_model_body(model, ids[k].index1 - 1);
        double radius = INFINITY;
        status = def != NULL ? find_radius(def, &radius, error) : CRN_OK;
        smaller = fmin(smaller, radius);
    }
    start->is_deep = start->overlap > deep_share * 2.0 * smaller;
    return status;
}

bool sim_start_mesh(const crn_shape_def *shape, char *text, size_t size)
{
    crn_mesh_report report;
    crn_error error;
    return shape->kind == CRN_SHAPE_MESH && crn_mesh_inspect(shape, NULL, &report, &error) == CRN_OK &&
           crn_mesh_report_tell(&report, text, size);
}

crn_status sim_start_look(const crn_model *model, crn_world *world, sim_start *start, crn_error *error)
{
    *start = (sim_start){.a = -1, .b = -1};
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *def = crn_model_body(model, i);
        crn_status status = def->kind == CRN_BODY_FREE
                                ? add_body(world, crn_world_body(world, i + 1), def->gravity_scale, start)
                                : CRN_OK;
        if (status != CRN_OK) {
            return crn_fail(error, status, "bodies[%d]: %s", i, crn_status_name(status));
        }
    }
    return find_overlap(model, world, start, error);
}
