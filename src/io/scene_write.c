/* Writing a scene file: one line per body, joint, load and probe. References are by index, materials are written out on the
 * shapes, and joints have both frames, so that nothing is computed on the way back. */
#include "io/scene.h"

#include "base/memory.h"
#include "collide/collide_room.h"
#include "math/rigid.h"
#include "model/model_room.h"

/* --- Poses --- */

/* position and rotation where they are not those of the identity. */
static void put_pose(crn_scene_out *out, const crn_pose *pose)
{
    static const double origin[3] = {0.0, 0.0, 0.0}, upright[4] = {1.0, 0.0, 0.0, 0.0};
    const double p[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double q[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    if (!crn_scene_same_bits(p, origin, 3)) {
        bool is_short = out->is_planar && crn_scene_same_bits(&p[2], &origin[2], 1);
        crn_scene_key(out, "position");
        crn_scene_put_reals(out, p, is_short ? 2 : 3);
    }
    if (!crn_scene_same_bits(q, upright, 4)) {
        crn_scene_key(out, "rotation");
        crn_scene_put_reals(out, q, 4);
    }
}

static void put_int(crn_scene_out *out, const char *key, int value)
{
    crn_scene_key(out, key);
    crn_scene_put_real(out, (double)value);
}

/* --- Shapes --- */

/* Rows of numbers: entry (i, j) at values[i * by_row + j * by_column]. */
static void put_table(crn_scene_out *out, const double *values, int rows, int columns, int by_row, int by_column)
{
    crn_scene_put(out, "[");
    for (int i = 0; i < rows; ++i) {
        crn_scene_put(out, i == 0 ? "[" : ", [");
        for (int j = 0; j < columns; ++j) {
            crn_scene_put(out, j == 0 ? "" : ", ");
            crn_scene_put_real(out, values[(size_t)i * (size_t)by_row + (size_t)j * (size_t)by_column]);
        }
        crn_scene_put(out, "]");
    }
    crn_scene_put(out, "]");
}

static void put_triangles(crn_scene_out *out, const crn_shape_def *shape)
{
    crn_scene_put(out, "[");
    for (int i = 0; i < shape->triangle_count; ++i) {
        const int *corner = shape->triangles + 3 * (size_t)i;
        const double three[3] = {corner[0], corner[1], corner[2]};
        crn_scene_put(out, i == 0 ? "" : ", ");
        crn_scene_put_reals(out, three, 3);
    }
    crn_scene_put(out, "]");
}

static void put_points(crn_scene_out *out, const crn_shape_def *shape)
{
    const crn_shape_traits *traits = crn_shape_kind_traits(shape->kind);
    if (traits->has_grid) {
        put_table(out, shape->points, shape->rows, shape->columns, 1, shape->rows);
    } else {
        int numbers = traits->dimension;
        put_table(out, shape->points, shape->count, numbers, numbers, 1);
    }
}

static void put_sizes(crn_scene_out *out, const crn_shape_def *shape)
{
    const crn_shape_size *size = crn_shape_kind_traits(shape->kind)->size;
    const double numbers[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < CRN_SHAPE_SIZES_MAX && size[i].key != NULL; ++i) {
        crn_scene_key(out, size[i].key);
        if (size[i].count == 0 && i == 1 && shape->triangles != NULL) {
            put_triangles(out, shape);
        } else if (size[i].count == 0) {
            put_points(out, shape);
        } else if (size[i].count == 1) {
            crn_scene_put_real(out, numbers[size[i].first]);
        } else {
            crn_scene_put_reals(out, &numbers[size[i].first], (size_t)size[i].count);
        }
    }
}

static void put_shape(crn_scene_out *out, const crn_body_shape *shape)
{
    crn_body_shape plain = crn_body_shape_default();
    plain.shape.kind = shape->shape.kind;
    crn_scene_begin(out);
    crn_scene_key(out, "kind");
    crn_scene_put_string(out, crn_shape_kind_name(shape->shape.kind));
    put_sizes(out, &shape->shape);
    put_pose(out, &shape->pose);
    crn_scene_put_fields(out, CRN_SCENE_SHAPE, shape, &plain);
    if (shape->color.x >= 0.0) {
        const double rgb[3] = {shape->color.x, shape->color.y, shape->color.z};
        crn_scene_key(out, "color");
        crn_scene_put_reals(out, rgb, 3);
    }
    crn_scene_end(out);
}

/* --- Bodies --- */

static void put_inertia(crn_scene_out *out, const crn_mat3 *inertia)
{
    static const double zero[9] = {0.0};
    const double *m = inertia->m, diagonal[9] = {m[0], 0.0, 0.0, 0.0, m[4], 0.0, 0.0, 0.0, m[8]};
    if (crn_scene_same_bits(m, zero, 9)) {
        return;
    }
    crn_scene_key(out, "inertia");
    if (out->is_planar) {
        crn_scene_put_real(out, m[8]);
    } else if (crn_scene_same_bits(m, diagonal, 9)) {
        const double three[3] = {m[0], m[4], m[8]};
        crn_scene_put_reals(out, three, 3);
    } else {
        crn_scene_put_reals(out, m, 9); /* symmetric: columns are rows */
    }
}

static void put_motion(crn_scene_out *out, const crn_motion *motion, const crn_motion *plain)
{
    bool is_plain = crn_scene_same_profile(&motion->x, &plain->x) && crn_scene_same_profile(&motion->y, &plain->y) &&
                    crn_scene_same_profile(&motion->z, &plain->z) &&
                    crn_scene_same_profile(&motion->angle, &plain->angle) &&
                    crn_scene_same_bits(&motion->axis.x, &plain->axis.x, 3);
    if (!is_plain) {
        crn_scene_key(out, "motion");
        crn_scene_begin(out);
        crn_scene_put_fields(out, CRN_SCENE_MOTION, motion, plain);
        crn_scene_end(out);
    }
}

static void put_shapes(crn_scene_out *out, const char *name, const crn_body_shape *shape, int count)
{
    if (count == 0) {
        return;
    }
    crn_scene_key(out, name);
    crn_scene_put(out, "[");
    for (int i = 0; i < count; ++i) {
        crn_scene_put(out, i == 0 ? "" : ", ");
        put_shape(out, &shape[i]);
    }
    crn_scene_put(out, "]");
}

static void put_body(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_body_def *def = crn_model_body(model, index), plain = crn_body_def_default();
    crn_scene_put_fields(out, CRN_SCENE_BODY, def, &plain);
    put_pose(out, &def->pose);
    put_inertia(out, &def->inertia);
    put_motion(out, &def->motion, &plain.motion);
    put_shapes(out, "shapes", def->shape, def->shapes);
    put_shapes(out, "pictures", def->picture, def->pictures);
}

/* --- Joints --- */

static bool same_axis(const crn_joint_axis *a, const crn_joint_axis *b)
{
    return a->lower == b->lower && a->upper == b->upper && a->has_motor == b->has_motor && a->is_servo == b->is_servo &&
           a->max_force == b->max_force && crn_scene_same_bits(&a->friction, &b->friction, 1) &&
           crn_scene_same_profile(&a->speed, &b->speed) && crn_scene_same_profile(&a->target, &b->target) &&
           crn_scene_same_profile(&a->force, &b->force) && crn_scene_same_bits(&a->stiffness, &b->stiffness, 1) &&
           crn_scene_same_bits(&a->damping, &b->damping, 1) &&
           crn_scene_same_bits(&a->spring_limit, &b->spring_limit, 1) &&
           crn_scene_same_bits(&a->armature, &b->armature, 1) && a->follows == b->follows;
}

/* Does anything of a motor differ from plain, the target left aside? */
static bool has_drive(const crn_joint_axis *axis, const crn_joint_axis *plain)
{
    return axis->has_motor != plain->has_motor || axis->is_servo != plain->is_servo ||
           axis->max_force != plain->max_force || !crn_scene_same_profile(&axis->speed, &plain->speed);
}

static bool has_spring(const crn_joint_axis *axis)
{
    return axis->stiffness != 0.0 || axis->damping != 0.0 || axis->spring_limit != 0.0;
}

static void put_motor(crn_scene_out *out, const crn_joint_axis *axis, const crn_joint_axis *plain)
{
    crn_joint_axis usual = *plain; /* what the reader begins with */
    bool has_speed = !crn_scene_same_profile(&axis->speed, &plain->speed);
    bool has_target = !crn_scene_same_profile(&axis->target, &plain->target);
    usual.has_motor = true;
    usual.is_servo = has_speed && has_target ? !axis->is_servo : has_target; /* with both, it must be said */
    crn_scene_key(out, "motor");
    crn_scene_begin(out);
    crn_scene_put_fields(out, CRN_SCENE_MOTOR, axis, &usual);
    crn_scene_end(out);
}

static void put_spring(crn_scene_out *out, const crn_joint_axis *axis, const crn_joint_axis *plain, bool has_target)
{
    crn_joint_axis usual = *plain;
    usual.target = has_target ? plain->target : axis->target; /* not said twice */
    crn_scene_key(out, "spring");
    crn_scene_begin(out);
    crn_scene_put_fields(out, CRN_SCENE_SPRING, axis, &usual);
    crn_scene_end(out);
}

static void put_follows(crn_scene_out *out, const crn_joint_axis *axis, const crn_joint_axis *plain)
{
    crn_scene_key(out, "follows");
    crn_scene_begin(out);
    put_int(out, "joint", axis->follows - 1);
    crn_scene_put_fields(out, CRN_SCENE_FOLLOWS, axis, plain);
    crn_scene_end(out);
}

static void put_coordinate(crn_scene_out *out, const crn_joint_axis *axis, const crn_joint_axis *plain)
{
    if (axis->lower <= axis->upper) {
        const double limits[2] = {axis->lower, axis->upper};
        crn_scene_key(out, "limits");
        crn_scene_put_reals(out, limits, 2);
    }
    /* The target belongs to the motor, or to the spring where there is nothing else of a motor. */
    bool has_target = !crn_scene_same_profile(&axis->target, &plain->target);
    bool is_of_spring = has_spring(axis) && !has_drive(axis, plain);
    if (has_drive(axis, plain) || (has_target && !is_of_spring)) {
        put_motor(out, axis, plain);
    }
    if (has_spring(axis)) {
        put_spring(out, axis, plain, is_of_spring);
    }
    if (axis->follows != 0) {
        put_follows(out, axis, plain);
    }
    crn_scene_put_fields(out, CRN_SCENE_COORDINATE, axis, plain);
}

static void put_axes(crn_scene_out *out, const crn_joint_def *def, const crn_joint_def *plain)
{
    int axes = crn_joint_def_axes(def);
    bool is_plain = true;
    for (int i = 0; i < axes; ++i) {
        is_plain = is_plain && same_axis(&def->axis[i], &plain->axis[i]);
    }
    if (is_plain) {
        return;
    }
    if (axes == 1) {
        put_coordinate(out, &def->axis[0], &plain->axis[0]);
        return;
    }
    crn_scene_key(out, "axes");
    crn_scene_put(out, "[");
    for (int i = 0; i < axes; ++i) {
        crn_scene_put(out, i == 0 ? "" : ", ");
        crn_scene_begin(out);
        put_coordinate(out, &def->axis[i], &plain->axis[i]);
        crn_scene_end(out);
    }
    crn_scene_put(out, "]");
}

static void put_frame(crn_scene_out *out, const char *key, const crn_pose *frame)
{
    crn_scene_key(out, key);
    crn_scene_begin(out);
    put_pose(out, frame);
    crn_scene_end(out);
}

static void put_joint(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_joint_def *def = crn_model_joint(model, index);
    crn_joint_def plain = crn_joint_def_default();
    plain.kind = def->kind; /* written first, always */
    crn_scene_key(out, "kind");
    crn_scene_put_string(out, crn_joint_kind_name(def->kind));
    put_int(out, "a", def->a);
    put_int(out, "b", def->b);
    put_frame(out, "frame_a", &def->frame_a);
    put_frame(out, "frame_b", &def->frame_b);
    crn_scene_put_fields(out, CRN_SCENE_JOINT, def, &plain);
    put_axes(out, def, &plain);
}

/* --- Actuators, sites, pairs, loads, probes --- */

static void put_range(crn_scene_out *out, const char *key, double lower, double upper)
{
    const double range[2] = {lower, upper};
    crn_scene_key(out, key);
    crn_scene_put_reals(out, range, 2);
}

static void put_part(crn_scene_out *out, const crn_tendon_part *part)
{
    const crn_tendon_part plain = crn_tendon_part_default();
    bool is_round = part->kind == CRN_TENDON_SPHERE || part->kind == CRN_TENDON_CYLINDER;
    crn_scene_begin(out);
    if (part->kind == CRN_TENDON_JOINT) { /* the fields leave out what is as by default */
        crn_scene_key(out, "kind");
        crn_scene_put(out, "\"joint\"");
        put_int(out, "joint", part->joint);
    } else if (part->kind == CRN_TENDON_SITE) {
        put_int(out, "site", part->site);
    } else if (is_round) {
        put_int(out, "body", part->body);
        put_pose(out, &part->pose);
    }
    if (part->side > 0) {
        put_int(out, "side", part->side - 1);
    }
    crn_scene_put_fields(out, CRN_SCENE_TENDON_PART, part, &plain);
    crn_scene_end(out);
}

static void put_tendon(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_tendon_def *def = crn_model_tendon(model, index), plain = crn_tendon_def_default();
    crn_scene_put_fields(out, CRN_SCENE_TENDON, def, &plain);
    if (def->lower <= def->upper) {
        put_range(out, "limits", def->lower, def->upper);
    }
    if (def->rest_lower <= def->rest_upper) {
        put_range(out, "rest", def->rest_lower, def->rest_upper);
    }
    crn_scene_key(out, "parts");
    crn_scene_put(out, "[");
    for (int i = 0; i < def->parts; ++i) {
        crn_scene_put(out, i == 0 ? "" : ", ");
        put_part(out, &def->part[i]);
    }
    crn_scene_put(out, "]");
}

static void put_actuator(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_actuator_def *def = crn_model_actuator(model, index), plain = crn_actuator_def_default();
    put_int(out, def->tendon >= 0 ? "tendon" : "joint", def->tendon >= 0 ? def->tendon : def->joint);
    crn_scene_put_fields(out, CRN_SCENE_ACTUATOR, def, &plain);
}

static void put_state(crn_scene_out *out, const crn_model *model, const crn_key_state *state)
{
    const crn_joint_def *joint = crn_model_joint(model, state->joint);
    crn_joint_kind floating = out->is_planar ? CRN_JOINT_PLANAR : CRN_JOINT_FREE;
    crn_joint_kind kind = joint != NULL ? joint->kind : floating;
    crn_scene_begin(out);
    put_int(out, joint != NULL ? "joint" : "body", joint != NULL ? state->joint : state->body);
    crn_scene_key(out, "q");
    crn_scene_put_reals(out, state->q, (size_t)crn_joint_kind_numbers(kind));
    crn_scene_key(out, "u");
    crn_scene_put_reals(out, state->u, (size_t)crn_joint_kind_freedom(kind));
    crn_scene_end(out);
}

static void put_key(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_key_def *def = crn_model_key(model, index), plain = {.states = 0};
    crn_scene_put_fields(out, CRN_SCENE_KEY, def, &plain);
    crn_scene_key(out, "states");
    crn_scene_put(out, "[");
    for (int i = 0; i < def->states; ++i) {
        crn_scene_put(out, i == 0 ? "" : ", ");
        put_state(out, model, &def->state[i]);
    }
    crn_scene_put(out, "]");
    crn_scene_key(out, "controls");
    crn_scene_put_reals(out, def->control, (size_t)def->controls);
}

static void put_site(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_site_def *def = crn_model_site(model, index), plain = crn_site_def_default();
    put_int(out, "body", def->body);
    put_pose(out, &def->pose);
    crn_scene_put_fields(out, CRN_SCENE_SITE, def, &plain);
}

static void put_pair(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_pair_def *def = crn_model_pair(model, index), plain = crn_pair_def_default();
    put_int(out, "a", def->a);
    put_int(out, "b", def->b);
    crn_scene_put_fields(out, CRN_SCENE_PAIR, def, &plain);
}

static void put_load(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_load_def *def = crn_model_load(model, index), plain = crn_load_def_default();
    put_int(out, "body", def->body);
    crn_scene_put_fields(out, CRN_SCENE_LOAD, def, &plain);
}

static void put_probe(crn_scene_out *out, const crn_model *model, int index)
{
    const crn_probe_def *def = crn_model_probe(model, index);
    crn_probe_def plain = {.kind = def->kind};
    crn_scene_key(out, "kind");
    crn_scene_put_string(out, crn_probe_kind_name(def->kind));
    put_int(out, crn_probe_target_name(crn_probe_kind_target(def->kind)), def->target);
    if (def->only > 0) {
        put_int(out, "coordinate", def->only - 1);
    }
    crn_scene_put_fields(out, CRN_SCENE_PROBE, def, &plain);
}

/* --- The whole file --- */

static void put_list(crn_scene_out *out, const crn_model *model, const char *key, int count,
                     void (*put)(crn_scene_out *out, const crn_model *model, int index))
{
    if (count == 0) {
        return;
    }
    crn_scene_put(out, ",\n \"");
    crn_scene_put(out, key);
    crn_scene_put(out, "\": [");
    for (int i = 0; i < count; ++i) {
        crn_scene_put(out, i == 0 ? "\n  " : ",\n  ");
        crn_scene_begin(out);
        put(out, model, i);
        crn_scene_end(out);
    }
    crn_scene_put(out, "]");
}

static void put_scene(crn_scene_out *out, const crn_model *model)
{
    const crn_world_def *world = crn_model_world_of(model);
    crn_world_def plain = crn_world_def_default();
    plain.gravity = world->is_planar ? crn_v3(0.0, -9.81, 0.0) : plain.gravity;
    crn_scene_begin(out);
    crn_scene_key(out, "name");
    crn_scene_put_string(out, crn_model_name(model));
    crn_scene_put_fields(out, CRN_SCENE_FILE, world, &plain);
    crn_scene_put(out, ",\n ");
    out->is_first = true;
    crn_scene_key(out, "solver");
    crn_scene_begin(out);
    crn_scene_put_fields(out, CRN_SCENE_SOLVER, world, &plain);
    crn_scene_end(out);
    put_list(out, model, "bodies", crn_model_bodies(model), put_body);
    put_list(out, model, "joints", crn_model_joints(model), put_joint);
    put_list(out, model, "sites", crn_model_sites(model), put_site);
    put_list(out, model, "tendons", crn_model_tendons(model), put_tendon);
    put_list(out, model, "actuators", crn_model_actuators(model), put_actuator);
    put_list(out, model, "keys", crn_model_keys(model), put_key);
    put_list(out, model, "pairs", crn_model_pairs(model), put_pair);
    put_list(out, model, "loads", crn_model_loads(model), put_load);
    put_list(out, model, "measure", crn_model_probes(model), put_probe);
    crn_scene_put(out, "}\n");
}

crn_status crn_io_write_scene_text(const crn_model *model, const crn_allocator *allocator, char **text, size_t *length,
                                   crn_error *error)
{
    if (model == NULL || text == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", model == NULL ? "model" : "text");
    }
    *text = NULL;
    crn_status status = crn_world_def_check(crn_model_world_of(model), "world", error);
    if (status != CRN_OK) {
        return status;
    }
    crn_scene_out out = {.allocator = crn_io_allocator(allocator), .is_planar = crn_model_world_of(model)->is_planar};
    put_scene(&out, model);
    if (out.is_full) {
        crn_release(&out.allocator, out.text);
        return crn_fail(error, CRN_ERR_MEMORY, "scene: no memory for more than %zu bytes of text", out.capacity);
    }
    *text = out.text;
    if (length != NULL) {
        *length = out.length;
    }
    return CRN_OK;
}

crn_status crn_io_write_scene(const char *path, const crn_model *model, crn_error *error)
{
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    char *text = NULL;
    crn_status status = crn_io_write_scene_text(model, NULL, &text, NULL, error);
    crn_io_output output;
    if (status == CRN_OK) {
        status = crn_io_output_open(&output, path, error);
    }
    if (status == CRN_OK) {
        fputs(text, output.file);
        status = crn_io_output_close(&output, CRN_OK, error);
    }
    crn_release(NULL, text);
    return status;
}
