/* <collision> elements as shapes of a body, <visual> ones as its pictures: box, sphere, cylinder, mesh, and capsule, which is not of the
 * standard. */
#include "robots/urdf.h"

#include "math/rigid.h"

#include <stdio.h>
#include <string.h>

/* Longest part of a file's name that messages show. */
enum { NAME_SHOWN = 100 };

/* Triangles beyond which a picture is left out: a page carries them all, as text. */
enum { PICTURE_TRIANGLES_MOST = 30000 };

/* Where a shape is being put. */
typedef struct place {
    crn_urdf *urdf;
    crn_xml_node *node; /* <box> and the like */
    crn_body_shape *shape;
    crn_urdf_shapes *list;
    bool is_picture;
} place;

/* A size, which must be > 0. */
static crn_status read_size(const place *p, const char *name, int count, double *to)
{
    crn_status status = crn_urdf_need_numbers(p->urdf, p->node, name, count, to);
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        if (!(to[i] > 0.0)) {
            status = CRN_URDF_FAIL(p->urdf, p->node, CRN_ERR_FORMAT, " %s: must be > 0, but is %.9g", name, to[i]);
        }
    }
    return status;
}

static crn_status read_box(const place *p)
{
    double size[3] = {0.0};
    crn_status status = read_size(p, "size", 3, size);
    p->shape->shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}};
    return status;
}

/* length is that of the straight part, of a capsule too. */
static crn_status read_round(const place *p, crn_shape_kind kind)
{
    double radius = 0.0, length = 0.0;
    crn_status status = read_size(p, "radius", 1, &radius);
    if (status == CRN_OK && kind != CRN_SHAPE_SPHERE) {
        status = read_size(p, "length", 1, &length);
    }
    p->shape->shape = (crn_shape_def){.kind = kind, .size = {radius, 0.5 * length, 0.0}};
    return status;
}

/* --- Meshes --- */

/* Three numbers, or one for all three. */
static crn_status read_scale(const place *p, crn_vec3 *scale)
{
    double s[3] = {1.0, 1.0, 1.0};
    crn_error ignored;
    crn_status status = crn_xml_numbers(p->urdf->xml, p->node, "scale", 1, s, NULL, &ignored);
    if (status == CRN_OK) {
        s[1] = s[2] = s[0];
    } else {
        status = crn_xml_numbers(p->urdf->xml, p->node, "scale", 3, s, NULL, p->urdf->error);
    }
    *scale = crn_v3_of(s);
    if (status == CRN_OK && s[0] * s[1] * s[2] == 0.0) {
        status = CRN_URDF_FAIL(p->urdf, p->node, CRN_ERR_FORMAT, " scale: must not be 0");
    }
    return status;
}

/* A mesh that cannot be read: an error, or a warning and no shape. */
static crn_status miss_mesh(const place *p, const char *name, crn_status status, const char *why, bool *is_left_out)
{
    if (status == CRN_ERR_MEMORY || !(p->is_picture || p->urdf->options->skip_missing_meshes)) {
        return CRN_URDF_FAIL(p->urdf, p->node, status, "%s", why);
    }
    if (p->is_picture) {
        char what[200];
        (void)snprintf(what, sizeof what, "%s; the picture is left out", why);
        crn_robot_note(&p->urdf->warnings, p->urdf->xml, p->node, "picture", name, what);
    } else {
        crn_robot_warn(&p->urdf->warnings, p->urdf->xml, p->node, "mesh", name, "%s; the shape is left out", why);
    }
    *is_left_out = true;
    return CRN_OK;
}

static void warn_mesh(const place *p, const char *name, crn_robot_mesh_kind kind)
{
    static const char *const why[] = {[CRN_ROBOT_MESH_OPEN] = "is not closed",
                                      [CRN_ROBOT_MESH_CROSSED] = "passes through itself",
                                      [CRN_ROBOT_MESH_LARGE] = "is not convex and has very many triangles"};
    if (kind != CRN_ROBOT_MESH_SOLID) {
        crn_robot_warn(&p->urdf->warnings, p->urdf->xml, p->node, "mesh", name,
                       "'%.60s' %s: its convex hull stands for it", name, why[kind]);
    }
}

/* As it is, closed or not. */
static crn_status read_picture(const place *p, const char *path, crn_vec3 scale, crn_mesh_data *mesh, crn_error *error)
{
    crn_status status = crn_io_read_mesh(path, scale, &p->urdf->allocator, mesh, error);
    if (status == CRN_OK && mesh->triangle_count > PICTURE_TRIANGLES_MOST) {
        status = crn_fail(error, CRN_ERR_UNSUPPORTED, "more than %d triangles", PICTURE_TRIANGLES_MOST);
        crn_mesh_data_free(mesh);
    }
    p->shape->shape = (crn_shape_def){.kind = CRN_SHAPE_MESH};
    if (status == CRN_OK) {
        p->shape->shape.points = mesh->points;
        p->shape->shape.count = mesh->count;
        p->shape->shape.triangles = mesh->triangles;
        p->shape->shape.triangle_count = mesh->triangle_count;
    }
    return status;
}

static crn_status read_mesh(const place *p, bool *is_left_out)
{
    const char *name = crn_xml_get(p->node, "filename");
    if (name == NULL || name[0] == '\0') {
        return CRN_URDF_FAIL(p->urdf, p->node, CRN_ERR_FORMAT, " filename: is missing");
    }
    crn_vec3 scale;
    crn_status status = read_scale(p, &scale);
    if (status != CRN_OK) {
        return status;
    }
    char path[CRN_ROBOT_PATH_SIZE];
    if (!crn_robot_find_file(crn_xml_name(p->urdf->xml), p->urdf->options->package_path, name, path)) {
        char why[160];
        size_t length = strlen(name), cut = length > NAME_SHOWN ? length - NAME_SHOWN : 0; /* its end tells more */
        (void)snprintf(why, sizeof why, "there is no file '%s%s'", cut > 0 ? "..." : "", name + cut);
        return miss_mesh(p, name, CRN_ERR_IO, why, is_left_out);
    }
    crn_robot_mesh_kind kind = CRN_ROBOT_MESH_SOLID;
    crn_error reason = {.status = CRN_OK};
    crn_mesh_data *mesh = &p->list->mesh[p->list->meshes];
    status = p->is_picture
                 ? read_picture(p, path, scale, mesh, &reason)
                 : crn_robot_read_mesh(path, scale, &p->urdf->allocator, mesh, &p->shape->shape, &kind, &reason);
    if (status != CRN_OK) {
        return miss_mesh(p, name, status, reason.text, is_left_out);
    }
    ++p->list->meshes;
    warn_mesh(p, name, kind);
    return CRN_OK;
}

/* --- One of them --- */

static crn_status read_geometry(const place *p, bool *is_left_out)
{
    const char *kind = p->node->name;
    crn_status status = CRN_OK;
    if (strcmp(kind, "box") == 0) {
        status = read_box(p);
    } else if (strcmp(kind, "sphere") == 0) {
        status = read_round(p, CRN_SHAPE_SPHERE);
    } else if (strcmp(kind, "cylinder") == 0) {
        status = read_round(p, CRN_SHAPE_CYLINDER);
    } else if (strcmp(kind, "capsule") == 0) {
        status = read_round(p, CRN_SHAPE_CAPSULE);
    } else if (strcmp(kind, "mesh") == 0) {
        status = read_mesh(p, is_left_out);
    } else {
        return CRN_URDF_FAIL(p->urdf, p->node, CRN_ERR_UNSUPPORTED,
                             "is no known shape; known: box, sphere, cylinder, capsule, mesh");
    }
    static const char *const none[] = {NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(p->urdf, p->node, none);
    }
    return status;
}

/* One <collision>, or one <visual>. */
static crn_status read_element(crn_urdf *urdf, const crn_urdf_link *link, crn_xml_node *collision,
                               crn_urdf_shapes *list, bool is_picture)
{
    crn_xml_node *geometry = crn_xml_child(collision, "geometry", NULL);
    crn_xml_node *node = geometry != NULL ? crn_xml_child(geometry, NULL, NULL) : NULL;
    if (node == NULL) {
        return CRN_URDF_FAIL(urdf, geometry != NULL ? geometry : collision, CRN_ERR_FORMAT, "has no %s",
                             geometry != NULL ? "shape" : "<geometry>");
    }
    crn_pose origin;
    crn_status status = crn_urdf_origin(urdf, collision, &origin);
    if (status != CRN_OK) {
        return status;
    }
    crn_body_shape shape = crn_body_shape_default();
    shape.pose = crn_pose_product(&link->in_body, &origin);
    shape.friction = link->friction;
    shape.restitution = link->restitution;
    bool is_world = link->joint < 0 && strcmp(link->name, CRN_URDF_WORLD) == 0;
    shape.group = is_world || is_picture ? shape.group : urdf->group;
    shape.mask = is_world || is_picture ? shape.mask : urdf->mask;
    bool is_left_out = false;
    status = is_picture ? crn_urdf_color(urdf, collision, &shape.color) : CRN_OK;
    status = status == CRN_OK ? read_geometry(&(place){urdf, node, &shape, list, is_picture}, &is_left_out) : status;
    if (status == CRN_OK && !is_left_out) {
        list->shape[list->count++] = shape;
    }
    static const char *const known[] = {"origin", "geometry", "material", NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, collision, known);
    }
    return status;
}

/* --- All of a body --- */

static int count_elements(const crn_urdf *urdf, int owner, const char *name)
{
    int count = 0;
    for (int i = owner; i >= 0; i = urdf->link[i].part) {
        const crn_xml_node *link = urdf->link[i].node, *at = crn_xml_child(link, name, NULL);
        for (; at != NULL; at = crn_xml_child(link, name, at)) {
            ++count;
        }
    }
    return count;
}

static crn_status read_elements(crn_urdf *urdf, int owner, const char *name, bool is_picture, crn_urdf_shapes *shapes)
{
    *shapes = (crn_urdf_shapes){.count = 0};
    int count = count_elements(urdf, owner, name);
    shapes->shape = crn_urdf_take(urdf, count, sizeof *shapes->shape);
    shapes->mesh = shapes->shape != NULL ? crn_urdf_take(urdf, count, sizeof *shapes->mesh) : NULL;
    if (shapes->mesh == NULL) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = CRN_OK;
    for (int i = owner; i >= 0 && status == CRN_OK; i = urdf->link[i].part) {
        const crn_urdf_link *link = &urdf->link[i];
        crn_xml_node *at = crn_xml_child(link->node, name, NULL);
        for (; at != NULL && status == CRN_OK; at = crn_xml_child(link->node, name, at)) {
            status = read_element(urdf, link, at, shapes, is_picture);
        }
    }
    return status;
}

crn_status crn_urdf_read_shapes(crn_urdf *urdf, int owner, crn_urdf_shapes *shapes)
{
    return read_elements(urdf, owner, "collision", false, shapes);
}

crn_status crn_urdf_read_pictures(crn_urdf *urdf, int owner, crn_urdf_shapes *pictures)
{
    *pictures = (crn_urdf_shapes){.count = 0};
    return urdf->options->has_pictures ? read_elements(urdf, owner, "visual", true, pictures) : CRN_OK;
}

void crn_urdf_free_shapes(crn_urdf_shapes *shapes)
{
    for (int i = 0; i < shapes->meshes; ++i) {
        crn_mesh_data_free(&shapes->mesh[i]);
    }
    *shapes = (crn_urdf_shapes){.count = 0};
}
