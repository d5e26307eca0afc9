/* Scenes from a robot's file alone.
 *
 * Such a file says nothing about its surroundings. A robot that floats would fall for ever: it gets a floor, the plane
 * through the lowest point of its shapes. One that is fixed to the world, or whose file has ground of its own, gets none. */
#include "sim_robot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sim_robot_warn(void *user, const char *text)
{
    char line[1024];
    (void)user;
    (void)crn_show(text, line, sizeof line);
    (void)fprintf(stderr, "cairn: warning: %s\n", line);
}

/* --- Does it need a floor? --- */

static bool has_ground(const crn_model *model)
{
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes; ++k) {
            crn_shape_kind kind = body->shape[k].shape.kind;
            if (kind == CRN_SHAPE_PLANE || kind == CRN_SHAPE_HEIGHT_FIELD) {
                return true;
            }
        }
    }
    return false;
}

/* Is there a free body that no joint in a tree holds? Links hang on it or on the world. */
static bool floats(const crn_model *model)
{
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        bool is_held = crn_model_body(model, i)->kind != CRN_BODY_FREE;
        for (int k = 0; k < crn_model_joints(model) && !is_held; ++k) {
            const crn_joint_def *joint = crn_model_joint(model, k);
            is_held = joint->in_tree && joint->b == i && joint->kind != CRN_JOINT_FREE;
        }
        if (!is_held) {
            return true;
        }
    }
    return false;
}

/* --- How low does it reach? --- */

static crn_vec3 turn(crn_quat q, crn_vec3 v)
{
    /* v + 2 u x (u x v + w v), q = (w, u) */
    crn_vec3 c = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                  q.x * v.y - q.y * v.x + q.w * v.z};
    return (crn_vec3){v.x + 2.0 * (q.y * c.z - q.z * c.y), v.y + 2.0 * (q.z * c.x - q.x * c.z),
                      v.z + 2.0 * (q.x * c.y - q.y * c.x)};
}

/* Of a shape on a body, in the world: columns are the turned axes. */
static crn_frame frame_of(const crn_pose *body, const crn_pose *shape)
{
    crn_frame frame;
    for (int j = 0; j < 3; ++j) {
        crn_vec3 axis = {j == 0, j == 1, j == 2};
        crn_vec3 column = turn(body->rotation, turn(shape->rotation, axis));
        frame.rotation.m[3 * j] = column.x;
        frame.rotation.m[3 * j + 1] = column.y;
        frame.rotation.m[3 * j + 2] = column.z;
    }
    crn_vec3 at = turn(body->rotation, shape->position);
    frame.position = (crn_vec3){body->position.x + at.x, body->position.y + at.y, body->position.z + at.z};
    return frame;
}

/* Lowest gap between a shape and the ground z = 0: how high its lowest point is. */
static crn_status find_height(const crn_shape *shape, const crn_frame *frame, const crn_shape *ground, double *height)
{
    static const crn_frame at = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    double reach = 2.0 * (fabs(frame->position.z) + crn_shape_radius(shape));
    int count = crn_collide(shape, frame, ground, &at, reach, NULL, 0);
    crn_touch *touch = calloc((size_t)count + 1, sizeof *touch);
    if (touch == NULL) {
        return CRN_ERR_MEMORY;
    }
    count = crn_collide(shape, frame, ground, &at, reach, touch, count);
    for (int i = 0; i < count; ++i) {
        *height = fmin(*height, touch[i].gap);
    }
    free(touch);
    return CRN_OK;
}

static crn_status find_lowest(const crn_model *model, const crn_shape *ground, double *lowest, crn_error *error)
{
    *lowest = INFINITY;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes; ++k) {
            crn_shape *shape = NULL;
            crn_status status = crn_shape_create(&body->shape[k].shape, NULL, &shape, error);
            if (status != CRN_OK) {
                return status;
            }
            crn_frame frame = frame_of(&body->pose, &body->shape[k].pose);
            status = find_height(shape, &frame, ground, lowest);
            crn_shape_destroy(shape);
            if (status != CRN_OK) {
                return crn_fail(error, status, "no memory for the contacts of a shape");
            }
        }
    }
    return CRN_OK;
}

static crn_status add_floor(crn_model *model, crn_error *error)
{
    crn_body_shape plane = crn_body_shape_default();
    plane.shape = (crn_shape_def){.kind = CRN_SHAPE_PLANE};
    crn_shape *ground = NULL;
    double lowest = INFINITY;
    crn_status status = crn_shape_create(&plane.shape, NULL, &ground, error);
    if (status == CRN_OK) {
        status = find_lowest(model, ground, &lowest, error);
    }
    crn_shape_destroy(ground);
    if (status != CRN_OK || !(fabs(lowest) <= DBL_MAX)) { /* nothing that could touch it */
        return status;
    }
    crn_body_def floor = crn_body_def_default();
    floor.name = crn_model_find_body(model, "floor") < 0 ? "floor" : NULL;
    floor.kind = CRN_BODY_FIXED;
    floor.pose.position.z = lowest;
    floor.shape = &plane;
    floor.shapes = 1;
    return crn_model_add_body(model, &floor, NULL, error);
}

/* --- The scene --- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

crn_status sim_robot_load(const sim_request *request, crn_model **model, crn_error *error)
{
    crn_robot_options options = crn_robot_options_default();
    options.is_fixed = request->is_fixed;
    options.self_collision = request->self_collision;
    options.skip_missing_meshes = request->skip_meshes;
    options.is_strict = request->is_strict;
    options.package_path = request->packages;
    options.warn = sim_robot_warn;
    options.has_pictures = request->page != NULL || request->output != NULL || request->write != NULL;
    return sim_robot_read(request->scene, &options, !request->no_floor, model, error);
}

crn_status sim_robot_read(const char *path, const crn_robot_options *options, bool has_floor, crn_model **model,
                          crn_error *error)
{
    crn_status status = crn_model_create(NULL, model, error);
    if (status == CRN_OK) {
        status = crn_model_set_name(*model, file_name(path), error);
    }
    if (status == CRN_OK) {
        status = crn_io_read_robot(path, options, *model, error);
    }
    if (status == CRN_OK && has_floor && floats(*model) && !has_ground(*model)) {
        status = add_floor(*model, error);
    }
    if (status != CRN_OK) {
        crn_model_destroy(*model);
        *model = NULL;
    }
    return status;
}
