/* Scenes in few lines. */
#include "build.h"

#include <math.h>
#include <stddef.h>

static crn_vec3 sum(crn_vec3 a, crn_vec3 b, double s)
{
    return (crn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

crn_build crn_build_begin(crn_model *model, crn_error *error)
{
    return (crn_build){.model = model, .error = error, .friction = 0.5, .density = 1000.0};
}

crn_world_def *crn_build_world(crn_build *b, bool is_planar, double dt, double duration)
{
    crn_world_def *world = crn_model_world(b->model);
    world->is_planar = is_planar;
    world->gravity = is_planar ? (crn_vec3){0.0, -9.81, 0.0} : (crn_vec3){0.0, 0.0, -9.81};
    world->dt = dt;
    world->duration = duration;
    return world;
}

/* --- Shapes --- */

static crn_body_shape shape_of(const crn_build *b, crn_shape_kind kind, double x, double y, double z)
{
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = kind, .size = {x, y, z}};
    shape.friction = b->friction;
    shape.restitution = b->restitution;
    shape.density = b->density;
    return shape;
}

crn_body_shape crn_build_box(const crn_build *b, double x, double y, double z)
{
    return shape_of(b, CRN_SHAPE_BOX, x, y, z);
}

crn_body_shape crn_build_sphere(const crn_build *b, double radius)
{
    return shape_of(b, CRN_SHAPE_SPHERE, radius, 0.0, 0.0);
}

crn_body_shape crn_build_capsule(const crn_build *b, double radius, double half_length)
{
    return shape_of(b, CRN_SHAPE_CAPSULE, radius, half_length, 0.0);
}

crn_body_shape crn_build_disk(const crn_build *b, double radius)
{
    return shape_of(b, CRN_SHAPE_DISK, radius, 0.0, 0.0);
}

crn_quat crn_build_turn_z_to(crn_vec3 n)
{
    double w = 1.0 + n.z;
    if (w < 1e-12) { /* n is -z: half a turn about x */
        return (crn_quat){0.0, 1.0, 0.0, 0.0};
    }
    double s = 1.0 / sqrt(w * w + n.x * n.x + n.y * n.y);
    return (crn_quat){s * w, -s * n.y, s * n.x, 0.0};
}

crn_body_shape crn_build_plane(const crn_build *b, crn_vec3 point, crn_vec3 normal)
{
    crn_body_shape shape = shape_of(b, CRN_SHAPE_PLANE, 0.0, 0.0, 0.0);
    shape.pose = (crn_pose){point, crn_build_turn_z_to(normal)};
    return shape;
}

crn_body_shape crn_build_half_plane(const crn_build *b, crn_vec3 point, double angle)
{
    crn_body_shape shape = shape_of(b, CRN_SHAPE_HALF_PLANE, 0.0, 0.0, 0.0);
    shape.pose = (crn_pose){point, {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}};
    return shape;
}

/* --- Bodies --- */

int crn_build_add(crn_build *b, const crn_body_def *def)
{
    int index = -1;
    if (b->status == CRN_OK) {
        b->status = crn_model_add_body(b->model, def, &index, b->error);
    }
    return b->status == CRN_OK ? index : -1;
}

int crn_build_body(crn_build *b, const char *name, crn_body_shape shape, double mass, crn_vec3 position)
{
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.pose.position = position;
    def.mass = mass;
    def.shape = &shape;
    def.shapes = 1;
    return crn_build_add(b, &def);
}

int crn_build_bar(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass)
{
    crn_vec3 d = sum(q, p, -1.0), middle = sum(p, d, 0.5);
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), angle = atan2(d.y, d.x);
    crn_body_shape shape = crn_build_capsule(b, radius, 0.5 * length);
    shape.pose.rotation = crn_build_turn_z_to((crn_vec3){d.x / length, d.y / length, d.z / length});
    if (crn_model_world(b->model)->is_planar) {
        shape = shape_of(b, CRN_SHAPE_SEGMENT, 0.5 * length, radius, 0.0);
        shape.pose.rotation = (crn_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    }
    shape.group = shape.mask = 0;
    return crn_build_body(b, name, shape, mass, middle);
}

int crn_build_fixed(crn_build *b, const char *name, const crn_body_shape *shape, int shapes)
{
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.kind = CRN_BODY_FIXED;
    def.shape = shape;
    def.shapes = shapes;
    return crn_build_add(b, &def);
}

int crn_build_floor(crn_build *b)
{
    crn_shape_kind kind = crn_model_world(b->model)->is_planar ? CRN_SHAPE_HALF_PLANE : CRN_SHAPE_PLANE;
    crn_body_shape shape = shape_of(b, kind, 0.0, 0.0, 0.0);
    return crn_build_fixed(b, "floor", &shape, 1);
}

/* --- The rest --- */

int crn_build_joint(crn_build *b, const crn_joint_def *def)
{
    int index = -1;
    if (b->status == CRN_OK) {
        b->status = crn_model_add_joint(b->model, def, &index, b->error);
    }
    return b->status == CRN_OK ? index : -1;
}

/* A point of the world in the frame of an unturned body. */
static crn_vec3 local(const crn_build *b, int body, crn_vec3 point)
{
    const crn_body_def *def = body >= 0 ? crn_model_body(b->model, body) : NULL;
    return def ? sum(point, def->pose.position, -1.0) : point;
}

int crn_build_hinge(crn_build *b, int a_body, int b_body, crn_vec3 point, crn_vec3 axis)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = CRN_JOINT_HINGE;
    def.a = a_body;
    def.b = b_body;
    def.frame_a = (crn_pose){local(b, a_body, point), crn_build_turn_z_to(axis)};
    def.frame_b = (crn_pose){local(b, b_body, point), crn_build_turn_z_to(axis)};
    return crn_build_joint(b, &def);
}

int crn_build_load(crn_build *b, int body, crn_vec3 force, double from, double until)
{
    int index = -1;
    crn_load_def def = crn_load_def_default();
    def.body = body;
    def.force = force;
    def.from = from;
    def.until = until;
    if (b->status == CRN_OK) {
        b->status = crn_model_add_load(b->model, &def, &index, b->error);
    }
    return b->status == CRN_OK ? index : -1;
}

void crn_build_probe(crn_build *b, crn_probe_kind kind, int target)
{
    crn_probe_def def = {.kind = kind, .target = target};
    if (b->status == CRN_OK) {
        b->status = crn_model_add_probe(b->model, &def, NULL, b->error);
    }
}
