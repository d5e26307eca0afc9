/* Joints. Where a joint sits is told by frames on both bodies, by one of them (the other body is taken as it stands), or by
 * a point and an axis in the world, with the bodies where the file puts them.
 *
 *   W = X_a F_a = X_b F_b        X: pose of a body, F: joint frame on it, W: joint frame in the world
 *   axis                         z of W, for hinges, sliders and planar joints
 */
#include "io/scene.h"

#include "math/rigid.h"
#include "model/model_room.h"

#include <string.h>

/* --- Coordinates --- */

static crn_status read_limits(const crn_json_place *place, crn_joint_axis *axis)
{
    crn_status status = crn_json_need(place, CRN_JSON_ARRAY);
    if (status == CRN_OK && crn_json_count(place->value) != 2) {
        status = crn_json_fail(place, "%zu items, but 2 are needed", crn_json_count(place->value));
    }
    crn_json_place lower = crn_json_at(place, 0), upper = crn_json_at(place, 1);
    if (status == CRN_OK) {
        status = crn_scene_extended(&lower, &axis->lower);
    }
    if (status == CRN_OK) {
        status = crn_scene_extended(&upper, &axis->upper);
    }
    if (status == CRN_OK && axis->lower > axis->upper) {
        status = crn_json_fail(place, "the lower one, %.9g, is above the upper one, %.9g", axis->lower, axis->upper);
    }
    return status;
}

/* A motor is on, and a servo if it has a target, unless the file says otherwise. */
static crn_status read_motor(crn_scene_reader *reader, const crn_json_place *place, crn_joint_axis *axis)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_MOTOR);
    if (status != CRN_OK) {
        return status;
    }
    crn_json_place speed = crn_json_find(place, "speed"), target = crn_json_find(place, "target"),
                   servo = crn_json_find(place, "servo");
    if (speed.value != NULL && target.value != NULL && servo.value == NULL) {
        return crn_json_fail(&target, "given beside speed: say by servo which of them counts");
    }
    axis->has_motor = true;
    axis->is_servo = target.value != NULL;
    return crn_scene_fill(reader, place, CRN_SCENE_MOTOR, axis);
}

static crn_status read_spring(crn_scene_reader *reader, const crn_json_place *place, const crn_json_place *motor,
                              crn_joint_axis *axis)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_SPRING);
    crn_json_place target = crn_json_find(place, "target"), other = crn_json_find(motor, "target");
    if (status == CRN_OK && target.value != NULL && other.value != NULL) {
        status = crn_json_fail(&target, "given by the motor too");
    }
    return status == CRN_OK ? crn_scene_fill(reader, place, CRN_SCENE_SPRING, axis) : status;
}

/* Place in the file's list of a joint by name; -1 if there is none. */
static int find_joint(const crn_scene_reader *reader, const char *name)
{
    crn_json_place list = crn_json_find(&reader->root, "joints");
    for (size_t i = 0; i < crn_json_count(list.value); ++i) {
        crn_json_place joint = crn_json_at(&list, i), own = crn_json_find(&joint, "name");
        bool is_string = own.value != NULL && crn_json_kind_of(own.value) == CRN_JSON_STRING;
        if (is_string && strcmp(crn_json_string(own.value), name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* The joint that is followed may stand further down in the file, so that it is in no model yet. */
static crn_status read_leader(crn_scene_reader *reader, const crn_json_place *place, int *index)
{
    crn_json_place list = crn_json_find(&reader->root, "joints");
    int count = reader->first_joint + (int)crn_json_count(list.value); /* crn_json_array() has seen it: it is an int */
    crn_json_kind kind = place->value != NULL ? crn_json_kind_of(place->value) : CRN_JSON_OTHER;
    if (kind == CRN_JSON_STRING) {
        int at = find_joint(reader, crn_json_string(place->value));
        if (at >= 0) {
            *index = reader->first_joint + at;
            return CRN_OK;
        }
    } else if (kind == CRN_JSON_NUMBER) {
        return crn_json_int(place, 0, count - 1, index);
    }
    return crn_scene_joint_reference(reader, place, index);
}

static crn_status read_follows(crn_scene_reader *reader, const crn_json_place *place, crn_joint_axis *axis)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_FOLLOWS);
    crn_json_place joint = crn_json_find(place, "joint");
    int leader = -1;
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_FOLLOWS, axis);
    }
    if (status == CRN_OK) {
        status = read_leader(reader, &joint, &leader);
    }
    axis->follows = leader + 1;
    return status;
}

/* What an object says of a coordinate: a joint with one of them, or an entry of axes. */
static crn_status read_coordinate(crn_scene_reader *reader, const crn_json_place *place, crn_joint_axis *axis)
{
    crn_json_place limits = crn_json_find(place, "limits"), motor = crn_json_find(place, "motor"),
                   spring = crn_json_find(place, "spring"), follows = crn_json_find(place, "follows");
    crn_status status = crn_scene_fill(reader, place, CRN_SCENE_COORDINATE, axis);
    if (status == CRN_OK && limits.value != NULL) {
        status = read_limits(&limits, axis);
    }
    if (status == CRN_OK && motor.value != NULL) {
        status = read_motor(reader, &motor, axis);
    }
    if (status == CRN_OK && spring.value != NULL) {
        status = read_spring(reader, &spring, &motor, axis);
    }
    if (status == CRN_OK && follows.value != NULL) {
        status = read_follows(reader, &follows, axis);
    }
    return status;
}

static crn_status read_axes(crn_scene_reader *reader, const crn_json_place *list, crn_joint_def *def)
{
    int count = 0, coordinates = crn_joint_kind_coordinates(def->kind);
    crn_status status = crn_json_array(list, &count);
    if (status == CRN_OK && count > crn_joint_def_axes(def)) {
        status = crn_json_fail(list, "%d items, but %s joints have %d coordinates", count,
                               crn_joint_kind_name(def->kind), coordinates);
    }
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_at(list, (size_t)i);
        status = crn_scene_open(&place, CRN_SCENE_COORDINATE);
        if (status == CRN_OK) {
            status = read_coordinate(reader, &place, &def->axis[i]);
        }
    }
    return status;
}

static crn_status read_coordinates(crn_scene_reader *reader, const crn_json_place *place, crn_joint_def *def)
{
    static const char *const own[] = {"limits", "motor", "friction", "force", "spring", "armature", "follows"};
    crn_json_place axes = crn_json_find(place, "axes");
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        crn_json_place field = crn_json_find(place, own[i]);
        if (field.value != NULL && axes.value != NULL) {
            return crn_json_fail(&field, "given beside axes");
        }
        if (field.value != NULL && crn_joint_def_axes(def) != 1) {
            return crn_json_fail(&field, "%s joints have %d coordinates%s", crn_joint_kind_name(def->kind),
                                 crn_joint_kind_coordinates(def->kind),
                                 crn_joint_kind_coordinates(def->kind) > 1 ? ": use axes" : "");
        }
    }
    return axes.value != NULL ? read_axes(reader, &axes, def) : read_coordinate(reader, place, &def->axis[0]);
}

/* --- Frames --- */

static crn_pose pose_of(const crn_scene_reader *reader, int body)
{
    return body < 0 ? crn_pose_identity() : crn_model_body(reader->model, body)->pose;
}

/* X^-1 W */
static crn_pose seen_from(const crn_pose *x, const crn_pose *w)
{
    crn_quat back = crn_quat_conjugate(x->rotation);
    return (crn_pose){crn_quat_turn(back, crn_v3_sub(w->position, x->position)), crn_quat_product(back, w->rotation)};
}

/* A rotation that takes z to the unit vector n: the shortest one in the upper half space; in the lower half space half a
 * turn about x, which takes z to -z, and then the shortest one. So neither comes near half a turn itself. */
static crn_quat turn_z_to(crn_vec3 n)
{
    if (n.z >= 0.0) {
        return crn_quat_unit((crn_quat){1.0 + n.z, -n.y, n.x, 0.0});
    }
    crn_quat shortest = crn_quat_unit((crn_quat){1.0 - n.z, n.y, -n.x, 0.0});
    return crn_quat_product(shortest, (crn_quat){0.0, 1.0, 0.0, 0.0});
}

static crn_status read_axis(crn_scene_reader *reader, const crn_json_place *place, const crn_joint_def *def,
                            crn_quat *rotation)
{
    bool has_axis = def->kind == CRN_JOINT_HINGE || def->kind == CRN_JOINT_SLIDER || def->kind == CRN_JOINT_PLANAR;
    if (place->value == NULL) {
        /* In the plane there is but one axis to turn about. */
        bool is_needed = has_axis && !(reader->is_planar && def->kind == CRN_JOINT_HINGE);
        return is_needed ? crn_json_fail(place, "missing") : CRN_OK;
    }
    if (!has_axis) {
        return crn_json_fail(place, "is for hinge, slider and planar joints only");
    }
    crn_vec3 axis = {0.0, 0.0, 1.0};
    crn_status status = crn_scene_vector(reader, place, &axis);
    double length = crn_v3_length(axis);
    if (status == CRN_OK && !(fabs(length - 1.0) <= CRN_SCENE_UNIT_TOLERANCE)) {
        status = crn_json_fail(place, "must be a unit vector, but its length is %.9g", length);
    }
    if (status == CRN_OK) {
        *rotation = turn_z_to(crn_v3_scale(1.0 / length, axis));
    }
    return status;
}

static crn_status read_frame(crn_scene_reader *reader, const crn_json_place *place, crn_pose *frame)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_FRAME);
    return status == CRN_OK ? crn_scene_pose(reader, place, frame) : status;
}

/* By point and axis in the world. */
static crn_status read_point(crn_scene_reader *reader, const crn_json_place *joint, crn_joint_def *def)
{
    crn_json_place point = crn_json_find(joint, "point"), axis = crn_json_find(joint, "axis");
    if (def->kind == CRN_JOINT_DISTANCE) {
        return crn_json_fail(point.value != NULL ? &point : &axis,
                             "is not for distance joints: use frame_a and frame_b");
    }
    crn_pose world = crn_pose_identity(), a = pose_of(reader, def->a), b = pose_of(reader, def->b);
    crn_status status = crn_json_need(&point, CRN_JSON_ARRAY);
    if (status == CRN_OK) {
        status = crn_scene_vector(reader, &point, &world.position);
    }
    if (status == CRN_OK) {
        status = read_axis(reader, &axis, def, &world.rotation);
    }
    def->frame_a = seen_from(&a, &world);
    def->frame_b = seen_from(&b, &world);
    return status;
}

static crn_status read_frames(crn_scene_reader *reader, const crn_json_place *joint, crn_joint_def *def)
{
    crn_json_place point = crn_json_find(joint, "point"), axis = crn_json_find(joint, "axis"),
                   frame_a = crn_json_find(joint, "frame_a"), frame_b = crn_json_find(joint, "frame_b");
    bool is_by_point = point.value != NULL || axis.value != NULL;
    if (is_by_point && (frame_a.value != NULL || frame_b.value != NULL)) {
        return crn_json_fail(point.value != NULL ? &point : &axis, "given beside %s",
                             frame_a.value != NULL ? "frame_a" : "frame_b");
    }
    if (is_by_point) {
        return read_point(reader, joint, def);
    }
    /* The origins need not meet: a missing frame is the body's. */
    bool is_open = def->kind == CRN_JOINT_DISTANCE || def->kind == CRN_JOINT_FREE;
    if (frame_a.value == NULL && frame_b.value == NULL && !is_open) {
        return crn_json_fail(joint, "point, frame_a or frame_b is missing");
    }
    crn_status status = frame_a.value != NULL ? read_frame(reader, &frame_a, &def->frame_a) : CRN_OK;
    if (status == CRN_OK && frame_b.value != NULL) {
        status = read_frame(reader, &frame_b, &def->frame_b);
    }
    crn_pose a = pose_of(reader, def->a), b = pose_of(reader, def->b), world;
    if (!is_open && frame_a.value == NULL) {
        world = crn_pose_product(&b, &def->frame_b);
        def->frame_a = seen_from(&a, &world);
    }
    if (!is_open && frame_b.value == NULL) {
        world = crn_pose_product(&a, &def->frame_a);
        def->frame_b = seen_from(&b, &world);
    }
    return status;
}

/* Of a distance joint without limits: the distance at the beginning. */
static double present_length(const crn_scene_reader *reader, const crn_joint_def *def)
{
    crn_pose a = pose_of(reader, def->a), b = pose_of(reader, def->b);
    a = crn_pose_product(&a, &def->frame_a);
    b = crn_pose_product(&b, &def->frame_b);
    return crn_v3_length(crn_v3_sub(b.position, a.position));
}

/* --- Joints --- */

static crn_status read_length(crn_scene_reader *reader, const crn_json_place *joint, crn_joint_def *def)
{
    crn_json_place length = crn_json_find(joint, "length");
    if (length.value != NULL && def->kind != CRN_JOINT_DISTANCE) {
        return crn_json_fail(&length, "is for distance joints only");
    }
    if (length.value == NULL && def->kind == CRN_JOINT_DISTANCE && !(def->axis[0].lower <= def->axis[0].upper)) {
        def->length = present_length(reader, def);
    }
    return CRN_OK;
}

static crn_status read_definition(crn_scene_reader *reader, const crn_json_place *place, crn_joint_def *def)
{
    crn_status status = crn_scene_open(place, CRN_SCENE_JOINT);
    if (status != CRN_OK) {
        return status;
    }
    crn_json_place kind = crn_json_find(place, "kind"), a = crn_json_find(place, "a"), b = crn_json_find(place, "b");
    if (kind.value == NULL) {
        return crn_json_fail(&kind, "missing");
    }
    status = crn_scene_fill(reader, place, CRN_SCENE_JOINT, def);
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &a, true, &def->a);
    }
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &b, true, &def->b);
    }
    if (status == CRN_OK) {
        status = read_frames(reader, place, def);
    }
    if (status == CRN_OK) {
        status = read_coordinates(reader, place, def);
    }
    return status == CRN_OK ? read_length(reader, place, def) : status;
}

crn_status crn_scene_read_joint(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_joint_def def = crn_joint_def_default();
    crn_status status = read_definition(reader, place, &def);
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_joint(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}
