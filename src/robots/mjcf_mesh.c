/* <mesh>: a mesh is read when a geom needs it, for contact or for mass. What is only drawn is never opened.
 *
 * In contact a mesh is the convex hull of its points, as in MuJoCo. Its mass is that of the solid that its triangles bound:
 * over all triangles (a, b, c), seen from an inner point o,
 *
 *     V = sum (a-o) . (b-o) x (c-o) / 6        C = sum V_i / 20 (s s' + a a' + b b' + c c'),  s = a + b + c
 *
 * C is the second moment, I = tr(C) 1 - C. Without triangles, or if they bound nothing, it is the mass of the hull. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "math/rigid.h"

#include <limits.h>
#include <string.h>

/* A volume below this share of the box around the points is none: rounding leaves this much of a flat mesh. */
static const double VOLUME_SHARE = 1e-9;

/* Normals of a closed surface, as long as its areas, sum up to 0. With a sum of this share of the whole area the surface has a
 * hole, and its volume, which then depends on o, is off by about as much. */
static const double HOLE_SHARE = 1e-2;

/* --- The list --- */

static crn_status read_name(crn_mjcf *mjcf, crn_xml_node *node, const char **name)
{
    const char *given = crn_xml_get(node, "name"), *file = crn_xml_get(node, "file");
    if (given != NULL || file == NULL) {
        *name = given;
        return given != NULL ? CRN_OK : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, "needs a name or a file");
    }
    /* the file's name without folder and ending */
    for (const char *at = file; *at != '\0'; ++at) {
        file = *at == '/' || *at == '\\' ? at + 1 : file;
    }
    const char *dot = strrchr(file, '.');
    size_t length = dot != NULL ? (size_t)(dot - file) : strlen(file);
    char *copy = crn_mjcf_keep(mjcf, node, length + 1);
    if (copy == NULL) {
        return CRN_ERR_MEMORY;
    }
    memcpy(copy, file, length);
    copy[length] = '\0';
    *name = copy;
    return CRN_OK;
}

crn_status crn_mjcf_read_meshes(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *asset = NULL; (asset = crn_xml_child(root, "asset", asset)) != NULL;) {
        for (crn_xml_node *node = NULL; (node = crn_xml_child(asset, "mesh", node)) != NULL;) {
            status = crn_mjcf_room(mjcf, node, (void **)&mjcf->mesh, &mjcf->mesh_places, mjcf->meshes,
                                   sizeof(crn_mjcf_mesh), CRN_MJCF_MESHES_MOST);
            crn_mjcf_mesh mesh = {.node = node};
            status = status == CRN_OK ? read_name(mjcf, node, &mesh.name) : status;
            if (status != CRN_OK) {
                return status;
            }
            mjcf->mesh[mjcf->meshes++] = mesh;
        }
    }
    return status;
}

void crn_mjcf_free_meshes(crn_mjcf *mjcf)
{
    for (int i = 0; i < mjcf->meshes; ++i) {
        crn_mesh_data_free(&mjcf->mesh[i].data);
    }
}

/* --- Points and triangles --- */

static crn_status copy_points(const crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const double *points, int count)
{
    if (count % 3 != 0 || count == 0) {
        return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, " vertex: %d numbers are not a list of points", count);
    }
    mesh->data.points = crn_allocate(&mjcf->allocator, (size_t)count, sizeof(double));
    if (mesh->data.points == NULL) {
        return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_MEMORY, "no memory");
    }
    memcpy(mesh->data.points, points, (size_t)count * sizeof(double));
    mesh->data.count = count / 3;
    return CRN_OK;
}

static crn_status copy_triangles(const crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const double *corners, int count)
{
    if (count % 3 != 0) {
        return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, " face: %d numbers are not a list of triangles", count);
    }
    mesh->data.triangles = crn_allocate(&mjcf->allocator, (size_t)count, sizeof(int));
    if (mesh->data.triangles == NULL) {
        return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_MEMORY, "no memory");
    }
    for (int i = 0; i < count; ++i) {
        if (!(corners[i] >= 0.0 && corners[i] < mesh->data.count && corners[i] == floor(corners[i]))) {
            return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, " face: %.9g is not one of 0 .. %d", corners[i],
                                 mesh->data.count - 1);
        }
        mesh->data.triangles[i] = (int)corners[i];
    }
    mesh->data.triangle_count = count / 3;
    return CRN_OK;
}

static crn_status read_inline(const crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const crn_mjcf_element *element)
{
    double *points = NULL, *corners = NULL;
    int count = 0, corner_count = 0;
    mesh->data.allocator = mjcf->allocator;
    crn_status status = crn_mjcf_array(mjcf, element, "vertex", &points, &count);
    status = status == CRN_OK ? copy_points(mjcf, mesh, points, count) : status;
    status = status == CRN_OK ? crn_mjcf_array(mjcf, element, "face", &corners, &corner_count) : status;
    return status == CRN_OK && corner_count > 0 ? copy_triangles(mjcf, mesh, corners, corner_count) : status;
}

static crn_status read_file(crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const char *file)
{
    char path[CRN_MJCF_PATH];
    for (const char *at = file; mjcf->set.strip_path && *at != '\0'; ++at) {
        file = *at == '/' || *at == '\\' ? at + 1 : file;
    }
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_mjcf_path(mjcf, mesh->node, mjcf->set.folder, file, path);
    if (status != CRN_OK) {
        return status;
    }
    if (crn_robot_is_special(path)) {
        return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, " file: '%.80s' is a folder, a pipe or a device", path);
    }
    status = crn_io_read_mesh(path, crn_v3(1, 1, 1), &mjcf->allocator, &mesh->data, &reason);
    if (status == CRN_OK) {
        return CRN_OK;
    }
    mesh->data = (crn_mesh_data){0};
    if (status == CRN_ERR_IO && mjcf->options->skip_missing_meshes) {
        mesh->is_missing = true;
        crn_mjcf_warn(mjcf, mesh->node, mesh->name, "%s; its geoms are left out", reason.text);
        return CRN_OK;
    }
    return crn_mjcf_blame(mjcf, mesh->node, &reason);
}

/* p becomes S R(refquat)' (p - refpos). */
static crn_status place_points(const crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const crn_mjcf_element *element)
{
    crn_vec3 scale = {1, 1, 1}, origin = {0, 0, 0};
    double q[4] = {1, 0, 0, 0};
    crn_status status = crn_mjcf_vector(mjcf, element, "scale", &scale, NULL);
    status = status == CRN_OK ? crn_mjcf_vector(mjcf, element, "refpos", &origin, NULL) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "refquat", 4, 4, q, NULL) : status;
    if (status == CRN_OK && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) {
        status = crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, " refquat: must not be 0");
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_quat back = crn_quat_conjugate(crn_quat_unit((crn_quat){q[0], q[1], q[2], q[3]}));
    for (int i = 0; i < mesh->data.count; ++i) {
        double *p = mesh->data.points + 3 * i;
        crn_vec3 v = crn_quat_turn(back, crn_v3_sub(crn_v3_of(p), origin));
        crn_v3_to(crn_v3(scale.x * v.x, scale.y * v.y, scale.z * v.z), p);
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            return crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, "point %d is not finite", i);
        }
    }
    return CRN_OK;
}

/* --- Mass --- */

static void box_of(const crn_mesh_data *data, crn_vec3 *centre, double *volume)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < data->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            low[k] = crn_fmin(low[k], data->points[3 * i + k]);
            high[k] = crn_fmax(high[k], data->points[3 * i + k]);
        }
    }
    *centre = crn_v3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    *volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

/* c += s v v' */
static void add_square(double *c, double s, crn_vec3 v)
{
    const double a[3] = {v.x, v.y, v.z};
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            c[i + 3 * j] += s * a[i] * a[j];
        }
    }
}

/* tr(C) 1 - C - m (|d|^2 1 - d d') from the second moment about o; d: from o to the centre of mass. */
static crn_mat3 inertia_of(const double *moment, double mass, crn_vec3 d)
{
    crn_mat3 inertia = {{0}};
    double c[9];
    memcpy(c, moment, sizeof c);
    add_square(c, -mass, d);
    double trace = c[0] + c[4] + c[8];
    for (int k = 0; k < 9; ++k) {
        inertia.m[k] = (k % 4 == 0 ? trace : 0.0) - c[k];
    }
    return inertia;
}

/* Sums over tetrahedra (apex, triangle), or over triangles: measure, first and second moment about the apex. */
typedef struct mesh_sums {
    double measure, area, second[9];
    crn_vec3 first, normals;
} mesh_sums;

/* What a triangle counts for. */
typedef enum mesh_weight { SIGNED_VOLUME, VOLUME, AREA } mesh_weight;

static mesh_sums sum_up(const crn_mesh_data *data, crn_vec3 apex, mesh_weight weight)
{
    mesh_sums sums = {.measure = 0.0};
    double corners = weight == AREA ? 3.0 : 4.0, pairs = weight == AREA ? 12.0 : 20.0;
    for (int i = 0; i < data->triangle_count; ++i) {
        const int *t = data->triangles + 3 * i;
        crn_vec3 a = crn_v3_sub(crn_v3_of(data->points + 3 * t[0]), apex);
        crn_vec3 b = crn_v3_sub(crn_v3_of(data->points + 3 * t[1]), apex);
        crn_vec3 c = crn_v3_sub(crn_v3_of(data->points + 3 * t[2]), apex);
        crn_vec3 s = crn_v3_add(a, crn_v3_add(b, c));
        crn_vec3 normal = crn_v3_cross(crn_v3_sub(b, a), crn_v3_sub(c, a));
        double area = 0.5 * crn_v3_length(normal), v = crn_v3_dot(a, crn_v3_cross(b, c)) / 6.0;
        v = weight == AREA ? area : weight == VOLUME ? fabs(v) : v;
        sums.measure += v;
        sums.area += area;
        sums.normals = crn_v3_axpy(sums.normals, 0.5, normal);
        sums.first = crn_v3_axpy(sums.first, v / corners, s);
        const crn_vec3 vertex[4] = {s, a, b, c};
        for (int k = 0; k < 4; ++k) {
            add_square(sums.second, v / pairs, vertex[k]);
        }
    }
    return sums;
}

/* Of the solid within the triangles; false: they bound none. */
static bool solid_mass(const crn_mesh_data *data, crn_mass_properties *mass)
{
    crn_vec3 o;
    double box;
    box_of(data, &o, &box);
    mesh_sums sums = sum_up(data, o, SIGNED_VOLUME);
    if (!(fabs(sums.measure) > VOLUME_SHARE * box) || !(crn_v3_length(sums.normals) <= HOLE_SHARE * sums.area)) {
        return false;
    }
    double sign = sums.measure < 0.0 ? -1.0 : 1.0; /* inside out: a mirror by a negative scale */
    for (int k = 0; k < 9; ++k) {
        sums.second[k] *= sign;
    }
    crn_vec3 d = crn_v3_scale(1.0 / sums.measure, sums.first);
    double volume = sign * sums.measure;
    *mass = (crn_mass_properties){volume, crn_v3_add(o, d), inertia_of(sums.second, volume, d)};
    return true;
}

/* MuJoCo's own rule, which counts every tetrahedron as positive: from the centre of the surface for the centre of mass, from there for
 * volume and inertia. The same as the solid for convex meshes; defined for open ones. False: flat. */
static bool legacy_mass(const crn_mesh_data *data, crn_mass_properties *mass)
{
    crn_vec3 o;
    double box;
    box_of(data, &o, &box);
    mesh_sums surface = sum_up(data, o, AREA);
    if (!(surface.measure > 0.0)) {
        return false;
    }
    crn_vec3 centre = crn_v3_axpy(o, 1.0 / surface.measure, surface.first);
    mesh_sums around = sum_up(data, centre, VOLUME);
    if (!(around.measure > VOLUME_SHARE * box)) {
        return false;
    }
    crn_vec3 com = crn_v3_axpy(centre, 1.0 / around.measure, around.first);
    mesh_sums sums = sum_up(data, com, VOLUME);
    *mass = (crn_mass_properties){sums.measure, com, inertia_of(sums.second, 0.0, crn_v3(0, 0, 0))};
    return true;
}

/* Of the surface: density is that of an area. */
static bool shell_mass(const crn_mesh_data *data, crn_mass_properties *mass)
{
    crn_vec3 o;
    double box;
    box_of(data, &o, &box);
    mesh_sums sums = sum_up(data, o, AREA);
    if (!(sums.measure > 0.0)) {
        return false;
    }
    crn_vec3 d = crn_v3_scale(1.0 / sums.measure, sums.first);
    *mass = (crn_mass_properties){sums.measure, crn_v3_add(o, d), inertia_of(sums.second, sums.measure, d)};
    return true;
}

/* The hull is made here to have its mass, and to say now if there is none. */
static crn_status read_mass(crn_mjcf *mjcf, crn_mjcf_mesh *mesh, const crn_mjcf_element *element)
{
    static const char *const words[] = {"legacy", "exact", "convex", "shell", NULL};
    static bool (*const mass_of[])(const crn_mesh_data *data, crn_mass_properties *mass) = {legacy_mass, solid_mass,
                                                                                            NULL, shell_mass};
    int kind = mjcf->set.exact_mesh ? 1 : 0;
    crn_status status = crn_mjcf_word(mjcf, element, "inertia", words, &kind);
    if (status != CRN_OK) {
        return status;
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = mesh->data.points, .count = mesh->data.count};
    crn_shape *shape = NULL;
    crn_error reason = {.status = CRN_OK};
    if (crn_shape_create(&def, &mjcf->allocator, &shape, &reason) != CRN_OK) {
        return crn_mjcf_blame(mjcf, mesh->node, &reason);
    }
    if (mass_of[kind] == NULL || mesh->data.triangle_count == 0) {
        mesh->mass = crn_shape_mass(shape);
    } else if (!mass_of[kind](&mesh->data, &mesh->mass)) {
        mesh->mass = crn_shape_mass(shape);
        crn_mjcf_warn(mjcf, mesh->node, "open", "its triangles bound no solid, so that its mass is that of the hull");
    }
    crn_shape_destroy(shape);
    return CRN_OK;
}

crn_status crn_mjcf_need_mesh(crn_mjcf *mjcf, int index)
{
    crn_mjcf_mesh *mesh = &mjcf->mesh[index];
    if (mesh->is_read) {
        return CRN_OK;
    }
    mesh->is_read = true;
    crn_mjcf_element element;
    crn_status status = crn_mjcf_element_of(mjcf, mesh->node, 0, NULL, &element);
    if (status != CRN_OK) {
        return status;
    }
    const char *file = crn_mjcf_text(&element, "file");
    bool has_points = crn_mjcf_text(&element, "vertex") != NULL;
    if (has_points && file != NULL) {
        status = crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, "has both a file and points (vertex)");
    } else if (has_points) {
        status = read_inline(mjcf, mesh, &element);
    } else if (file != NULL) {
        status = read_file(mjcf, mesh, file);
    } else {
        status = crn_mjcf_fail(mjcf, mesh->node, CRN_ERR_FORMAT, "has neither a file nor points");
    }
    if (status != CRN_OK || mesh->is_missing) {
        return status;
    }
    status = place_points(mjcf, mesh, &element);
    return status == CRN_OK ? read_mass(mjcf, mesh, &element) : status;
}
