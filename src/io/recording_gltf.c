/* A recording as binary glTF: node 0 is the scene and turns its axes, node i + 1 is body i, and behind the bodies come nodes
 * for shapes that do not sit at their body's origin. */
#include "io/recording_gltf.h"

#include "base/memory.h"
#include "math/rigid.h"

#include <string.h>

#define HALF_ROOT 0.70710678118654752 /* sqrt(1/2) */

/* --- Scene --- */

static crn_status read_scene(crn_gltf_work *w, crn_error *error)
{
    const crn_recording_header *header = crn_recording_header_of(w->recording);
    w->bodies = header->bodies;
    w->is_planar = header->is_planar;
    if (header->scene[0] == '\0') {
        return CRN_OK;
    }
    crn_status status = crn_io_read_scene_text(header->scene, strlen(header->scene), "scene of the recording",
                                               &w->allocator, &w->model, error);
    if (status == CRN_OK && crn_model_bodies(w->model) != w->bodies) {
        status = crn_fail(error, CRN_ERR_FORMAT, "scene of the recording: has %d bodies, but frames have %d",
                          crn_model_bodies(w->model), w->bodies);
    }
    return status;
}

static crn_status take_bodies(crn_gltf_work *w, crn_error *error)
{
    w->body = (crn_gltf_body *)crn_allocate(&w->allocator, (size_t)w->bodies + 1, sizeof(crn_gltf_body));
    if (w->body == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", w->path);
    }
    memset(w->body, 0, ((size_t)w->bodies + 1) * sizeof(crn_gltf_body));
    crn_gltf_choose_looks(w);
    return CRN_OK;
}

/* --- Nodes --- */

static void put_pose(crn_scene_out *out, const crn_pose *pose)
{
    crn_quat q = crn_gltf_unit(pose->rotation);
    const double translation[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double rotation[4] = {q.x, q.y, q.z, q.w};
    crn_scene_key(out, "translation");
    crn_scene_put_reals(out, translation, 3);
    crn_scene_key(out, "rotation");
    crn_scene_put_reals(out, rotation, 4);
}

/* Nodes first .. first + count - 1 as children. */
static void put_children(crn_scene_out *out, int first, int count)
{
    if (count == 0) {
        return;
    }
    crn_scene_key(out, "children");
    for (int k = 0; k < count; ++k) {
        char text[32];
        (void)snprintf(text, sizeof text, "%s%d", k == 0 ? "[" : ", ", first + k);
        crn_scene_put(out, text);
    }
    crn_scene_put(out, "]");
}

static void put_root(crn_gltf_work *w)
{
    static const double y_up[4] = {-HALF_ROOT, 0.0, 0.0, HALF_ROOT}; /* (x, y, z) to (x, z, -y) */
    const char *name = w->model != NULL ? crn_model_name(w->model) : "";
    int index;
    crn_scene_out *out = crn_gltf_item(&w->file, CRN_GLTF_NODES, &index);
    crn_scene_key(out, "name");
    crn_scene_put_string(out, name[0] != '\0' ? name : "scene");
    if (!w->is_planar) {
        crn_scene_key(out, "rotation");
        crn_scene_put_reals(out, y_up, 4);
    }
    put_children(out, 1, w->bodies);
    crn_scene_end(out);
}

static bool is_identity(const crn_pose *pose)
{
    crn_vec3 p = pose->position;
    crn_quat q = pose->rotation;
    return p.x == 0.0 && p.y == 0.0 && p.z == 0.0 && q.w == 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

/* Shapes that need nodes of their own: all but a single one at the origin. */
static int nodes_of_shapes(const crn_body_def *def)
{
    return def == NULL || (def->shapes == 1 && is_identity(&def->shape[0].pose)) ? 0 : def->shapes;
}

static void put_body_name(crn_scene_out *out, const crn_body_def *def, int i)
{
    char number[32];
    (void)snprintf(number, sizeof number, "body%d", i);
    crn_scene_key(out, "name");
    crn_scene_put_string(out, def != NULL && def->name != NULL ? def->name : number);
}

static crn_status put_body(crn_gltf_work *w, int i, int *next_node, crn_error *error)
{
    const crn_body_def *def = crn_gltf_def_of(w, i);
    crn_gltf_body *body = &w->body[i];
    int children = nodes_of_shapes(def), mesh = -1, index;
    crn_status status = CRN_OK;
    if (children == 0 && (def == NULL || def->shapes == 1)) {
        status = crn_gltf_mesh(w, &w->shape[w->place[body->first_shape]], body->look, &mesh, error);
    }
    crn_scene_out *out = crn_gltf_item(&w->file, CRN_GLTF_NODES, &index);
    put_body_name(out, def, i);
    put_pose(out, &body->pose);
    crn_gltf_put_index(out, "mesh", mesh);
    put_children(out, *next_node, children);
    crn_scene_end(out);
    *next_node += children;
    return status;
}

static crn_status put_shapes(crn_gltf_work *w, int i, crn_error *error)
{
    const crn_body_def *def = crn_gltf_def_of(w, i);
    crn_status status = CRN_OK;
    for (int k = 0; k < nodes_of_shapes(def) && status == CRN_OK; ++k) {
        int mesh, index;
        status = crn_gltf_mesh(w, &w->shape[w->place[w->body[i].first_shape + k]], w->body[i].look, &mesh, error);
        crn_scene_out *out = crn_gltf_item(&w->file, CRN_GLTF_NODES, &index);
        crn_scene_key(out, "name");
        crn_scene_put_string(out, crn_shape_kind_name(def->shape[k].shape.kind));
        put_pose(out, &def->shape[k].pose);
        crn_gltf_put_index(out, "mesh", mesh);
        crn_scene_end(out);
    }
    return status;
}

static crn_status put_nodes(crn_gltf_work *w, crn_error *error)
{
    int next_node = 1 + w->bodies;
    crn_status status = CRN_OK;
    put_root(w);
    for (int i = 0; i < w->bodies && status == CRN_OK; ++i) {
        status = put_body(w, i, &next_node, error);
    }
    for (int i = 0; i < w->bodies && status == CRN_OK; ++i) {
        status = put_shapes(w, i, error);
    }
    return status;
}

/* --- The way --- */

static crn_status make_file(crn_gltf_work *w, crn_error *error)
{
    crn_status status = read_scene(w, error);
    status = status == CRN_OK ? take_bodies(w, error) : status;
    status = status == CRN_OK ? crn_gltf_find_shapes(w, error) : status;
    status = status == CRN_OK ? crn_gltf_scan_motion(w, error) : status;
    status = status == CRN_OK ? crn_gltf_fit_shapes(w, error) : status;
    status = status == CRN_OK ? put_nodes(w, error) : status;
    return status == CRN_OK ? crn_gltf_put_motion(w, error) : status;
}

static crn_status write_file(crn_gltf_work *w, crn_error *error)
{
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, w->path, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_gltf_write(&w->file, output.file, w->path, error);
    return crn_io_output_close(&output, status, error);
}

static void release(crn_gltf_work *w)
{
    for (int i = 0; i < w->bodies && w->body != NULL; ++i) {
        crn_release(&w->allocator, w->body[i].way);
        crn_release(&w->allocator, w->body[i].turn);
    }
    for (int k = 0; k < w->shapes; ++k) {
        crn_triangles_free(&w->shape[k].triangles);
    }
    crn_release(&w->allocator, w->body);
    crn_release(&w->allocator, w->shape);
    crn_release(&w->allocator, w->place);
    crn_release(&w->allocator, w->frame);
    crn_release(&w->allocator, w->time);
    crn_gltf_free(&w->file);
    crn_model_destroy(w->model);
}

crn_status crn_recording_write_gltf(crn_recording *recording, const char *path, const crn_allocator *allocator,
                                    crn_error *error)
{
    crn_clear(error);
    if (recording == NULL || path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "recording");
    }
    crn_gltf_work work = {.recording = recording,
                          .path = path,
                          .allocator = crn_io_allocator(allocator),
                          .file = crn_gltf_begin(allocator)};
    for (int k = 0; k < CRN_GLTF_LOOKS; ++k) {
        work.look[k] = -1;
    }
    crn_status status = make_file(&work, error);
    status = status == CRN_OK ? write_file(&work, error) : status;
    release(&work);
    return status;
}
