/* plain.c -- a model of ours as the plain description that foreign engines read.
 *
 * A fixed or driven body of several solids becomes several bodies. Masses and moments of inertia are those that our world
 * works with. */
#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/rigid.h"

/* A slab instead of a plane, where an engine cannot move planes: half sides [m]. Wide enough for a stack of a hundred
 * unit boxes to fall on, deep enough for what enters it fast. */
static const double slab_reach = 200.0, slab_depth = 5.0;

static bool complain(const char *what)
{
    fprintf(stderr, "the plain description has no %s\n", what);
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

static void set_pose(const crn_pose *pose, double position[3], double rotation[4])
{
    crn_v3_to(pose->position, position);
    rotation[0] = pose->rotation.w;
    rotation[1] = pose->rotation.x;
    rotation[2] = pose->rotation.y;
    rotation[3] = pose->rotation.z;
}

/* A solid at its place in the body's frame. */
static bool describe_part(const crn_body_shape *shape, bench_plain_part *to)
{
    set_pose(&shape->pose, to->position, to->rotation);
    crn_v3_to(shape->shape.size, to->size);
    switch (shape->shape.kind) {
    case CRN_SHAPE_BOX: to->solid = BENCH_PLAIN_BOX; return true;
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: to->solid = BENCH_PLAIN_BALL; return true;
    case CRN_SHAPE_CAPSULE: to->solid = BENCH_PLAIN_CAPSULE; return true;
    case CRN_SHAPE_CYLINDER: to->solid = BENCH_PLAIN_CYLINDER; return true;
    case CRN_SHAPE_POLYGON: to->solid = BENCH_PLAIN_BOX; return rectangle(&shape->shape, to->size);
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE: to->solid = BENCH_PLAIN_PLANE; return true;
    default: return complain(crn_shape_kind_name(shape->shape.kind));
    }
}

/* What bodies of all kinds have; the first solid is part[0]. */
static void describe_body(const crn_body_def *def, const crn_pose *pose, const bench_plain_part *part, int parts,
                          bench_plain_body *to)
{
    *to = (bench_plain_body){.mu = def->shapes > 0 ? def->shape->friction : 0.0,
                             .restitution = def->shapes > 0 ? def->shape->restitution : 0.0,
                             .solid = part->solid,
                             .part = part,
                             .parts = parts};
    set_pose(pose, to->position, to->rotation);
    memcpy(to->size, part->size, sizeof to->size);
    to->kind = def->kind == CRN_BODY_FREE    ? BENCH_PLAIN_FREE
               : def->kind == CRN_BODY_FIXED ? BENCH_PLAIN_FIXED
                                             : BENCH_PLAIN_DRIVEN;
}

/* A solid of a fixed or driven body as a body of its own. */
static bool describe_solid(const crn_body_def *def, const crn_body_shape *shape, bool is_planar, bench_plain_part *part,
                           bench_plain_body *to)
{
    crn_pose pose = {crn_v3_add(def->pose.position, crn_quat_turn(def->pose.rotation, shape->pose.position)),
                     crn_quat_product(def->pose.rotation, shape->pose.rotation)};
    if (!describe_part(shape, part)) {
        return false;
    }
    set_pose(&(crn_pose){{0, 0, 0}, {1, 0, 0, 0}}, part->position, part->rotation);
    describe_body(def, &pose, part, 1, to);
    if (part->solid == BENCH_PLAIN_PLANE) {
        plane(&pose, is_planar, to);
        memcpy(part->size, to->size, sizeof part->size); /* of the slab */
    }
    return true;
}

static bool describe_free(const crn_body_def *def, bench_plain_part *part, bench_plain_body *to)
{
    for (int k = 0; k < def->shapes; ++k) {
        if (!describe_part(&def->shape[k], &part[k])) {
            return false;
        }
    }
    describe_body(def, &def->pose, part, def->shapes, to);
    crn_v3_to(def->velocity, to->velocity);
    crn_v3_to(def->angular, to->angular);
    return true;
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

/* A description that is being made. */
typedef struct draft {
    const crn_model *model;
    const crn_world *world;
    bench_plain_scene *scene;
    bench_plain_body *body;
    bench_plain_part *part; /* the next one */
    int *place;             /* of the model's bodies in the description: of the first solid */
} draft;

static bool describe_one(draft *d, int index)
{
    const crn_body_def *def = crn_model_body(d->model, index);
    bench_plain_scene *scene = d->scene;
    d->place[index] = scene->count;
    if (def->kind == CRN_BODY_FREE) {
        bench_plain_body *to = &d->body[scene->count++];
        scene->free++;
        bool is_ok = describe_free(def, d->part, to) && weigh(d->world, index, to);
        d->part += def->shapes > 0 ? def->shapes : 1;
        return is_ok;
    }
    for (int k = 0; k < def->shapes; ++k) {
        if (!describe_solid(def, &def->shape[k], scene->is_planar, d->part++, &d->body[scene->count++])) {
            return false;
        }
    }
    return true;
}

/* Bodies that are free, or that are not. */
static bool describe_bodies(draft *d, bool is_free)
{
    for (int i = 0; i < crn_model_bodies(d->model); ++i) {
        if ((crn_model_body(d->model, i)->kind == CRN_BODY_FREE) == is_free && !describe_one(d, i)) {
            return false;
        }
    }
    return true;
}

static bool link_kind(crn_joint_kind kind, bench_plain_link *to)
{
    switch (kind) {
    case CRN_JOINT_BALL: *to = BENCH_LINK_BALL; return true;
    case CRN_JOINT_HINGE: *to = BENCH_LINK_HINGE; return true;
    case CRN_JOINT_SLIDER: *to = BENCH_LINK_SLIDER; return true;
    case CRN_JOINT_FIXED: *to = BENCH_LINK_FIXED; return true;
    default: return complain("joints but ball, hinge, slider and fixed");
    }
}

static int link_body(const draft *d, int body)
{
    return body < 0 || crn_model_body(d->model, body)->kind == CRN_BODY_FIXED ? -1 : d->place[body];
}

/* Axes of joint frames are along z. */
static bool describe_joints(const draft *d, bench_plain_joint *to)
{
    for (int i = 0; i < crn_model_joints(d->model); ++i, ++to) {
        const crn_joint_def *def = crn_model_joint(d->model, i);
        bool is_on_a = def->a >= 0;
        crn_pose body = is_on_a ? crn_model_body(d->model, def->a)->pose : (crn_pose){{0, 0, 0}, {1, 0, 0, 0}};
        crn_quat frame = crn_quat_product(body.rotation, def->frame_a.rotation);
        if (!link_kind(def->kind, &to->kind)) {
            return false;
        }
        to->a = link_body(d, def->a);
        to->b = link_body(d, def->b);
        crn_v3_to(crn_v3_add(body.position, crn_quat_turn(body.rotation, def->frame_a.position)), to->point);
        crn_v3_to(crn_quat_turn(frame, crn_v3(0, 0, 1)), to->axis);
    }
    return true;
}

static size_t count_solids(const crn_model *model)
{
    size_t solids = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        int shapes = crn_model_body(model, i)->shapes;
        solids += shapes > 0 ? (size_t)shapes : 1;
    }
    return solids;
}

bool bench_plain_make(const crn_model *model, double h, bench_plain_scene *scene)
{
    const crn_world_def *def = crn_model_world_of(model);
    crn_world *world = NULL;
    size_t solids = count_solids(model);
    bench_plain_body *body = calloc(solids + 1, sizeof *body);
    bench_plain_part *part = calloc(solids + 1, sizeof *part);
    bench_plain_joint *joint = calloc((size_t)crn_model_joints(model) + 1, sizeof *joint);
    int *place = calloc((size_t)crn_model_bodies(model) + 1, sizeof *place);
    *scene = (bench_plain_scene){
        .is_planar = def->is_planar, .h = h, .body = body, .part = part, .joint = joint, .model = model};
    scene->joints = crn_model_joints(model);
    crn_v3_to(def->gravity, scene->gravity);
    bool is_ok = body && part && joint && place && crn_world_create_from(model, NULL, &world, NULL) == CRN_OK;
    draft d = {model, world, scene, body, part, place};
    is_ok = is_ok && describe_bodies(&d, true) && describe_bodies(&d, false) && describe_joints(&d, joint);
    crn_world_destroy(world);
    free(place);
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
