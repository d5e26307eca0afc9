/* Shapes of a recording's scene as glTF meshes. Equal shapes are found by their numbers and share their triangles. Shapes
 * without end are cut to the motion: a plane to a square that all the motion is above, a planar scene to slabs about as
 * thick as its bodies are wide. */
#include "io/recording_gltf.h"

#include "base/memory.h"
#include "collide/collide_room.h"
#include "math/rigid.h"

#include <string.h>

#define PLANE_MARGIN   1.25 /* how far a plane goes on behind the motion, as a factor */
#define SLAB_THICKNESS 0.5  /* of planar scenes, as a part of the mean radius of what moves */
#define MARKER_SIZE    0.02 /* half side of the boxes of a recording without scene, as a part of the motion's size */
#define LEAST_SIZE     0.1  /* for both, where nothing moves [m] */

static bool has_end(const crn_shape_def *def)
{
    return def->kind != CRN_SHAPE_PLANE && def->kind != CRN_SHAPE_HALF_PLANE;
}

static bool is_fitted_later(const crn_shape_def *def)
{
    return !has_end(def) || crn_shape_kind_is_planar(def->kind);
}

/* --- Equal shapes --- */

/* Planes differ, as the square that stands for them does. */
static bool are_equal(const crn_shape_def *a, const crn_shape_def *b)
{
    const double size_a[3] = {a->size.x, a->size.y, a->size.z}, size_b[3] = {b->size.x, b->size.y, b->size.z};
    if (a->kind != b->kind || !has_end(a) || !crn_scene_same_bits(size_a, size_b, 3) || a->count != b->count ||
        a->rows != b->rows || a->columns != b->columns || a->triangle_count != b->triangle_count) {
        return false;
    }
    size_t numbers = crn_shape_def_numbers(a);
    size_t indices = crn_shape_kind_traits(a->kind)->has_triangles ? 3 * (size_t)a->triangle_count : 0;
    return (numbers == 0 || a->points == b->points || crn_scene_same_bits(a->points, b->points, numbers)) &&
           (indices == 0 || memcmp(a->triangles, b->triangles, indices * sizeof(int)) == 0);
}

static crn_status make_triangles(crn_gltf_work *w, crn_gltf_shape *shape, const crn_triangles_options *options,
                                 crn_error *error)
{
    crn_error why;
    crn_triangles_free(&shape->triangles);
    crn_status status = crn_shape_triangles(shape->def, options, &w->allocator, &shape->triangles, &why);
    return status == CRN_OK
               ? CRN_OK
               : crn_fail(error, status, "%s: %s: %s", w->path, crn_shape_kind_name(shape->def->kind), why.text);
}

static double radius_of(const crn_triangles *t)
{
    double radius = 0.0;
    for (int k = 0; k < t->count; ++k) {
        radius = crn_fmax(radius, crn_v3_length(crn_v3_of(t->points + 3 * (size_t)k)));
    }
    return radius;
}

static crn_status add_shape(crn_gltf_work *w, const crn_shape_def *def, crn_error *error)
{
    void *list = w->shape;
    if (!crn_reserve(&w->allocator, &list, &w->shape_capacity, w->shapes + 1, sizeof(crn_gltf_shape))) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", w->path);
    }
    w->shape = (crn_gltf_shape *)list;
    crn_gltf_shape *shape = &w->shape[w->shapes++];
    *shape = (crn_gltf_shape){.def = def, .corners = -1};
    for (int k = 0; k < CRN_GLTF_LOOKS; ++k) {
        shape->mesh[k] = -1;
    }
    crn_status status = has_end(def) ? make_triangles(w, shape, NULL, error) : CRN_OK;
    shape->radius = radius_of(&shape->triangles);
    return status;
}

static crn_status place_shape(crn_gltf_work *w, const crn_shape_def *def, int *place, crn_error *error)
{
    for (int k = 0; k < w->shapes; ++k) {
        if (are_equal(w->shape[k].def, def)) {
            *place = k;
            return CRN_OK;
        }
    }
    *place = w->shapes;
    return add_shape(w, def, error);
}

static crn_status place_body(crn_gltf_work *w, int i, crn_error *error)
{
    const crn_body_def *def = crn_gltf_def_of(w, i);
    crn_status status = CRN_OK;
    for (int k = 0; k < def->shapes && status == CRN_OK; ++k) {
        int *place = &w->place[w->body[i].first_shape + k];
        status = place_shape(w, &def->shape[k].shape, place, error);
        if (status == CRN_OK && w->shape[*place].radius > 0.0) {
            double reach = crn_v3_length(def->shape[k].pose.position) + w->shape[*place].radius;
            w->body[i].radius = crn_fmax(w->body[i].radius, reach);
        }
    }
    return status;
}

crn_status crn_gltf_find_shapes(crn_gltf_work *work, crn_error *error)
{
    int total = 0;
    for (int i = 0; i < work->bodies; ++i) {
        work->body[i].first_shape = total;
        total += work->model != NULL ? crn_gltf_def_of(work, i)->shapes : 1;
    }
    work->place = (int *)crn_allocate(&work->allocator, (size_t)total + 1, sizeof(int));
    if (work->place == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", work->path);
    }
    crn_status status = CRN_OK;
    for (int i = 0; i < work->bodies && status == CRN_OK; ++i) {
        work->place[work->body[i].first_shape] = 0; /* without a scene: the marker */
        status = work->model != NULL ? place_body(work, i, error) : CRN_OK;
    }
    return status;
}

/* --- What follows from the motion --- */

static double motion_size(const crn_gltf_work *w)
{
    crn_vec3 low = crn_v3_of(w->low), high = crn_v3_of(w->high);
    return crn_v3_length(crn_v3_sub(high, low));
}

/* How far the motion goes along a plane from its origin. */
static double reach_of(const crn_gltf_work *w, const crn_pose *body, const crn_pose *shape)
{
    crn_vec3 origin = crn_v3_add(body->position, crn_quat_turn(body->rotation, shape->position));
    crn_quat back = crn_quat_conjugate(crn_quat_product(body->rotation, shape->rotation));
    double reach = 0.0;
    for (int k = 0; k < 8; ++k) {
        crn_vec3 corner = {k & 1 ? w->high[0] : w->low[0], k & 2 ? w->high[1] : w->low[1],
                           k & 4 ? w->high[2] : w->low[2]};
        crn_vec3 p = crn_quat_turn(back, crn_v3_sub(corner, origin));
        reach = crn_fmax(reach, crn_fmax(fabs(p.x), w->is_planar ? 0.0 : fabs(p.y)));
    }
    return crn_fmax(PLANE_MARGIN * reach, LEAST_SIZE);
}

static double slab_thickness(const crn_gltf_work *w)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < w->bodies; ++i) {
        if (crn_gltf_def_of(w, i)->kind != CRN_BODY_FIXED && w->body[i].radius > 0.0) {
            sum += w->body[i].radius;
            count += 1;
        }
    }
    return count > 0 ? SLAB_THICKNESS * sum / count : LEAST_SIZE;
}

static crn_status fit_body(crn_gltf_work *w, int i, double thickness, bool *is_done, crn_error *error)
{
    const crn_body_def *def = crn_gltf_def_of(w, i);
    crn_status status = CRN_OK;
    for (int k = 0; k < def->shapes && status == CRN_OK; ++k) {
        int place = w->place[w->body[i].first_shape + k];
        if (!is_done[place] && is_fitted_later(&def->shape[k].shape)) {
            crn_triangles_options options = {.thickness = thickness};
            options.reach = has_end(&def->shape[k].shape) ? 0.0 : reach_of(w, &w->body[i].pose, &def->shape[k].pose);
            status = make_triangles(w, &w->shape[place], &options, error);
            is_done[place] = true;
        }
    }
    return status;
}

static crn_status fit_all(crn_gltf_work *w, crn_error *error)
{
    double thickness = slab_thickness(w);
    bool *is_done = (bool *)crn_allocate(&w->allocator, (size_t)w->shapes + 1, sizeof(bool));
    if (is_done == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", w->path);
    }
    memset(is_done, 0, (size_t)w->shapes * sizeof(bool));
    crn_status status = CRN_OK;
    for (int i = 0; i < w->bodies && status == CRN_OK; ++i) {
        status = fit_body(w, i, thickness, is_done, error);
    }
    crn_release(&w->allocator, is_done);
    return status;
}

static crn_status add_marker(crn_gltf_work *w, crn_error *error)
{
    double half = motion_size(w) > 0.0 ? MARKER_SIZE * motion_size(w) : LEAST_SIZE;
    w->marker = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {half, half, half}};
    return add_shape(w, &w->marker, error);
}

crn_status crn_gltf_fit_shapes(crn_gltf_work *work, crn_error *error)
{
    return work->model != NULL ? fit_all(work, error) : add_marker(work, error);
}

/* --- Meshes --- */

static crn_status put_rows(crn_gltf_work *w, const double *rows, int count, int *accessor, crn_error *error)
{
    float *values = (float *)crn_allocate(&w->allocator, 3 * (size_t)count, sizeof(float));
    if (values == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", w->path);
    }
    for (size_t k = 0; k < 3 * (size_t)count; ++k) {
        values[k] = (float)rows[k];
    }
    *accessor = crn_gltf_floats(&w->file, CRN_GLTF_VERTICES, values, count, 3);
    crn_release(&w->allocator, values);
    return CRN_OK;
}

static crn_status put_triangles(crn_gltf_work *w, crn_gltf_shape *shape, crn_error *error)
{
    crn_triangles *t = &shape->triangles;
    crn_status status = put_rows(w, t->points, t->count, &shape->points, error);
    status = status == CRN_OK ? put_rows(w, t->normals, t->count, &shape->normals, error) : status;
    if (status == CRN_OK) {
        shape->corners = crn_gltf_corners(&w->file, t->triangles, 3 * t->triangle_count, t->count);
    }
    crn_triangles_free(t);
    return status;
}

static int put_mesh(crn_gltf_work *w, const crn_gltf_shape *shape, int look)
{
    int mesh, material = crn_gltf_material(w, look);
    crn_scene_out *out = crn_gltf_item(&w->file, CRN_GLTF_MESHES, &mesh);
    crn_scene_key(out, "name");
    crn_scene_put_string(out, crn_shape_kind_name(shape->def->kind));
    crn_scene_key(out, "primitives");
    crn_scene_put(out, "[");
    crn_scene_begin(out);
    crn_scene_key(out, "attributes");
    crn_scene_begin(out);
    crn_gltf_put_index(out, "POSITION", shape->points);
    crn_gltf_put_index(out, "NORMAL", shape->normals);
    crn_scene_end(out);
    crn_gltf_put_index(out, "indices", shape->corners);
    crn_gltf_put_index(out, "material", material);
    crn_scene_end(out);
    crn_scene_put(out, "]");
    crn_scene_end(out);
    return mesh;
}

crn_status crn_gltf_mesh(crn_gltf_work *work, crn_gltf_shape *shape, int look, int *mesh, crn_error *error)
{
    crn_status status = shape->corners < 0 ? put_triangles(work, shape, error) : CRN_OK;
    if (status == CRN_OK && shape->mesh[look] < 0) {
        shape->mesh[look] = put_mesh(work, shape, look);
    }
    *mesh = shape->mesh[look];
    return status;
}
