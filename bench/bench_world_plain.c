/* bench_world_plain.c -- a model of ours as the plain description that foreign engines read.
 *
 * A body of several solids becomes several bodies (fixed and driven ones only). Masses and moments of inertia are those
 * that our world works with. */
#include "bench_world.h"

#include <math.h>
#include <stdlib.h>

#include "math/rigid.h"

/* A slab instead of a plane, where an engine cannot move planes: half sides [m]. Wide enough for a stack of a hundred
 * unit boxes to fall on, deep enough for what enters it fast. */
static const double slab_reach = 200.0, slab_depth = 5.0;

static bool complain(const char *what)
{
    fprintf(stderr, "bench_world: the plain description has no %s\n", what);
    return false;
}

/* Half sides of the rectangle about the origin that a polygon is. */
static bool rectangle(const crn_shape_def *polygon, double size[3])
{
    for (int i = 0; i < 2; ++i) {
        size[i] = fabs(polygon->points[i]);
        for (int k = 0; k < polygon->count; ++k) {
            if (fabs(polygon->points[2 * k + i]) != size[i]) { /* copies of one number */
                return complain("polygons but rectangles");
            }
        }
    }
    size[2] = size[0];
    return polygon->count == 4 || complain("polygons but rectangles");
}

/* Plane through the pose's position; its normal is the pose's z axis, in the plane its y axis. */
static void plane(const crn_pose *pose, bool is_planar, bench_plain_body *to)
{
    crn_vec3 normal = crn_quat_turn(pose->rotation, is_planar ? crn_v3(0, 1, 0) : crn_v3(0, 0, 1));
    to->size[0] = to->size[1] = to->size[2] = slab_reach;
    to->size[is_planar ? 1 : 2] = slab_depth;
    crn_v3_to(normal, to->normal);
    crn_v3_to(crn_v3_axpy(pose->position, -slab_depth, normal), to->slab);
}

static bool describe_solid(const crn_body_def *def, const crn_body_shape *shape, bool is_planar, bench_plain_body *to)
{
    crn_pose pose = {crn_v3_add(def->pose.position, crn_quat_turn(def->pose.rotation, shape->pose.position)),
                     crn_quat_product(def->pose.rotation, shape->pose.rotation)};
    *to = (bench_plain_body){.mu = shape->friction,
                             .rotation = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}};
    crn_v3_to(pose.position, to->position);
    crn_v3_to(shape->shape.size, to->size);
    to->kind = def->kind == CRN_BODY_FREE    ? BENCH_PLAIN_FREE
               : def->kind == CRN_BODY_FIXED ? BENCH_PLAIN_FIXED
                                             : BENCH_PLAIN_DRIVEN;
    switch (shape->shape.kind) {
    case CRN_SHAPE_BOX: to->solid = BENCH_PLAIN_BOX; return true;
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: to->solid = BENCH_PLAIN_BALL; return true;
    case CRN_SHAPE_POLYGON: to->solid = BENCH_PLAIN_BOX; return rectangle(&shape->shape, to->size);
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE:
        to->solid = BENCH_PLAIN_PLANE;
        plane(&pose, is_planar, to);
        return true;
    default: return complain(crn_shape_kind_name(shape->shape.kind));
    }
}

static bool weigh(const crn_world *world, int index, bench_plain_body *to)
{
    crn_vec3 com;
    crn_mat3 inertia;
    if (crn_body_mass(world, crn_world_body(world, index + 1), &to->mass, &com, &inertia) != CRN_OK) {
        return complain("such mass");
    }
    for (int i = 0; i < 3; ++i) {
        to->inertia[i] = inertia.m[4 * i];
    }
    return true;
}

/* Bodies that are free, or that are not. */
static bool describe_bodies(const crn_model *model, const crn_world *world, bool is_free, bench_plain_body *body,
                            bench_plain_scene *scene)
{
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *def = crn_model_body(model, i);
        if ((def->kind == CRN_BODY_FREE) != is_free) {
            continue;
        }
        if (is_free && def->shapes != 1) {
            return complain("free bodies of several solids");
        }
        for (int k = 0; k < def->shapes; ++k) {
            bench_plain_body *to = &body[scene->count++];
            if (!describe_solid(def, &def->shape[k], scene->is_planar, to) || (is_free && !weigh(world, i, to))) {
                return false;
            }
            scene->free += is_free;
        }
    }
    return true;
}

bool bench_plain_make(const crn_model *model, double h, bench_plain_scene *scene)
{
    const crn_world_def *def = crn_model_world_of(model);
    crn_world *world = NULL;
    size_t solids = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        solids += (size_t)crn_model_body(model, i)->shapes;
    }
    bench_plain_body *body = calloc(solids + 1, sizeof *body);
    *scene = (bench_plain_scene){.is_planar = def->is_planar, .h = h, .body = body, .model = model};
    crn_v3_to(def->gravity, scene->gravity);
    bool is_ok = body && crn_world_create_from(model, NULL, &world, NULL) == CRN_OK &&
                 describe_bodies(model, world, true, body, scene) && describe_bodies(model, world, false, body, scene);
    crn_world_destroy(world);
    return is_ok;
}

void bench_plain_drive(const crn_model *model, double time, double offset[3])
{
    offset[0] = offset[1] = offset[2] = 0.0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *def = crn_model_body(model, i);
        if (def->kind == CRN_BODY_DRIVEN) {
            offset[0] = crn_profile_at(&def->motion.x, time);
            offset[1] = crn_profile_at(&def->motion.y, time);
            offset[2] = crn_profile_at(&def->motion.z, time);
        }
    }
}
