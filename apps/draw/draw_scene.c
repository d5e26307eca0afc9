/* A scene made ready for pictures. */
#include "draw_scene.h"

#include <cairn/draw.h>
#include <cairn/io.h>

#include <stdlib.h>
#include <string.h>

/* --- Colours --- */

/* Muted, of like lightness, so that light and shadow tell the form. */
static const unsigned free_colours[] = {0x5b82b8, 0xd8905f, 0x74a57f, 0xc9a84e, 0x9182bd, 0x55a5a8, 0xc97a86, 0xa1907c};
enum { FREE_COLOURS = sizeof free_colours / sizeof free_colours[0] };

static const unsigned fixed_colour = 0xb4bac3, fixed_dark = 0x59616d, driven_colour = 0x76849b, arrow_colour = 0xef5a2c,
                      rope_colour = 0x7d7468, link_colour = 0xd6d3cc;

crn_vec3 draw_linear(unsigned rgb)
{
    double part[3];
    for (int i = 0; i < 3; ++i) {
        double value = ((rgb >> (16 - 8 * i)) & 0xff) / 255.0;
        part[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    return vec(part[0], part[1], part[2]);
}

/* The bodies of a tree are one machine and share a colour, strong and pale by turns: parent[i] leads to its root. */
static void find_parents(const crn_model *model, int *parent)
{
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        parent[i] = -1;
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (joint->in_tree && joint->a >= 0 && crn_model_body(model, joint->a)->kind == CRN_BODY_FREE) {
            parent[joint->b] = joint->a;
        }
    }
}

static crn_vec3 colour_of(const crn_model *model, int body, const int *parent, bool is_dark)
{
    crn_body_kind kind = crn_model_body(model, body)->kind;
    if (kind != CRN_BODY_FREE) {
        return draw_linear(kind == CRN_BODY_DRIVEN ? driven_colour : is_dark ? fixed_dark : fixed_colour);
    }
    int root = body, links = 0;
    while (parent[root] >= 0) {
        root = parent[root];
        ++links;
    }
    crn_vec3 colour = draw_linear(free_colours[root % FREE_COLOURS]);
    return links % 2 == 0 ? colour : mixed(scaled(colour, 0.8), draw_linear(link_colour), 0.6);
}

static void mix_paints(draw_scene *scene, const int *parent, bool is_dark)
{
    scene->paint[DRAW_PAINT_ARROW] =
        (draw_paint){.colour = draw_linear(arrow_colour), .is_flat = true, .is_on_top = true};
    scene->paint[DRAW_PAINT_ROPE] = (draw_paint){.colour = draw_linear(rope_colour), .is_flat = scene->is_planar};
    for (int i = 0; i < scene->bodies; ++i) {
        draw_paint *paint = &scene->paint[DRAW_PAINT_BODIES + DRAW_PAINTS_PER_BODY * i];
        crn_vec3 colour = colour_of(scene->model, i, parent, is_dark);
        paint[0] = (draw_paint){.colour = colour, .is_flat = scene->is_planar};
        paint[1] = (draw_paint){.colour = scaled(colour, 0.8), .is_flat = scene->is_planar};
        paint[2] = (draw_paint){.colour = scaled(colour, is_dark ? 0.15 : 0.3), .is_flat = scene->is_planar};
    }
}

/* --- Surfaces --- */

enum { SIDES_LEAST = 16, SIDES_MOST = 128 };

/* So many sides that a round outline is a fifth of a pixel from the circle: r (1 - cos(pi/n)) = 0.2 pixel. Multiples of 8
 * have corners where the fields of balls meet. */
static int segments_for(const crn_shape_def *shape, double pixel)
{
    bool is_long = shape->kind == CRN_SHAPE_CAPSULE || shape->kind == CRN_SHAPE_CYLINDER ||
                   shape->kind == CRN_SHAPE_CONE; /* size.y is no radius */
    double radius = is_long ? shape->size.x : greater(shape->size.x, greater(shape->size.y, shape->size.z));
    double wanted = DRAW_PI * sqrt(radius / (0.4 * pixel));
    return 8 * (int)ceil(clamped(wanted, SIDES_LEAST, SIDES_MOST) / 8.0);
}

static bool is_ball(crn_shape_kind kind)
{
    return kind == CRN_SHAPE_SPHERE || kind == CRN_SHAPE_ELLIPSOID;
}

/* Balls have eight fields of two tones, so that their turning is seen. */
static bool is_second_tone(crn_shape_kind kind, const crn_triangles *t, int triangle)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            sum[axis] += t->points[3 * t->triangles[3 * triangle + k] + axis];
        }
    }
    return is_ball(kind) && sum[0] * sum[1] * sum[2] < 0.0;
}

static void add_triangles(draw_scene *scene, int body, const crn_body_shape *shape, const crn_triangles *t)
{
    int first = scene->mesh.vertices, paint = DRAW_PAINT_BODIES + DRAW_PAINTS_PER_BODY * body;
    for (int i = 0; i < t->count; ++i) {
        const double *p = t->points + 3 * i, *n = t->normals + 3 * i;
        (void)draw_list_vertex(&scene->mesh, placed(&shape->pose, vec(p[0], p[1], p[2])),
                               turned(shape->pose.rotation, vec(n[0], n[1], n[2])));
    }
    for (int i = 0; i < t->triangle_count && !scene->mesh.is_short; ++i) {
        const int *corner = t->triangles + 3 * i;
        draw_list_triangle(&scene->mesh, first + corner[0], first + corner[1], first + corner[2],
                           paint + is_second_tone(shape->shape.kind, t, i));
    }
    if (shape->shape.kind == CRN_SHAPE_HEIGHT_FIELD || shape->shape.kind == CRN_SHAPE_MESH) {
        scene->paint[paint].is_two_sided = true;
    }
}

static crn_status add_shape(draw_scene *scene, int body, const crn_body_shape *shape, double pixel, crn_error *error)
{
    if (shape->shape.kind == CRN_SHAPE_PLANE) {
        scene->plane[scene->planes++] = (draw_plane){.body = body, .pose = shape->pose};
        return CRN_OK;
    }
    if (shape->shape.kind == CRN_SHAPE_HALF_PLANE) {
        return CRN_OK; /* drawn when the picture's extent is known */
    }
    crn_triangles_options options = {.segments = segments_for(&shape->shape, pixel)};
    crn_triangles triangles = {.count = 0};
    crn_status status = crn_shape_triangles(&shape->shape, &options, NULL, &triangles, error);
    if (status == CRN_OK) {
        add_triangles(scene, body, shape, &triangles);
    }
    crn_triangles_free(&triangles);
    return status;
}

/* The farthest vertex each way, along axes and diagonals. */
static void find_supports(const draw_list *mesh, draw_body *body)
{
    body->supports = body->vertices > 0 ? DRAW_SUPPORTS : 0;
    for (int k = 0; k < body->supports; ++k) {
        int place = k < 13 ? k : k + 1; /* 13 is no direction */
        int column = place % 3, row = place / 3 % 3, layer = place / 9;
        crn_vec3 way = vec(column - 1, row - 1, layer - 1);
        double farthest = -INFINITY;
        for (int i = body->vertex; i < body->vertex + body->vertices; ++i) {
            double reach = dot(way, mesh->vertex[i].at);
            if (reach > farthest) {
                farthest = reach;
                body->support[k] = (draw_point){mesh->vertex[i].at, 0.0};
            }
        }
    }
    body->radius = 0.0;
    for (int i = body->vertex; i < body->vertex + body->vertices; ++i) {
        body->radius = greater(body->radius, length(mesh->vertex[i].at));
    }
}

/* A single shape with round ends is known exactly by one or two balls. */
static bool find_round_supports(const crn_body_def *def, draw_body *body)
{
    const crn_shape_def *shape = &def->shape[0].shape;
    crn_vec3 end = vec(0, 0, 0);
    if (def->shapes != 1) {
        return false;
    }
    switch (shape->kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: body->supports = 1; break;
    case CRN_SHAPE_CAPSULE: body->supports = 2, end.z = shape->size.y; break;
    default: return false;
    }
    for (int i = 0; i < body->supports; ++i) {
        crn_vec3 at = placed(&def->shape[0].pose, scaled(end, i == 0 ? 1.0 : -1.0));
        body->support[i] = (draw_point){at, shape->size.x};
    }
    return true;
}

static crn_status add_body(draw_scene *scene, int index, double pixel, crn_error *error)
{
    const crn_body_def *def = crn_model_body(scene->model, index);
    draw_body *body = &scene->body[index];
    crn_status status = CRN_OK;
    body->vertex = scene->mesh.vertices;
    body->triangle = scene->mesh.triangles;
    for (int i = 0; i < def->shapes && status == CRN_OK; ++i) {
        status = add_shape(scene, index, &def->shape[i], pixel, error);
    }
    body->vertices = scene->mesh.vertices - body->vertex;
    body->triangles = scene->mesh.triangles - body->triangle;
    find_supports(&scene->mesh, body);
    (void)find_round_supports(def, body);
    return status;
}

/* --- The whole --- */

static crn_status take_room(draw_scene *scene, crn_error *error)
{
    size_t bodies = (size_t)scene->bodies + 1, shapes = 1;
    for (int i = 0; i < scene->bodies; ++i) {
        shapes += (size_t)crn_model_body(scene->model, i)->shapes;
    }
    scene->body = calloc(bodies, sizeof *scene->body);
    scene->paint = calloc(DRAW_PAINT_BODIES + DRAW_PAINTS_PER_BODY * bodies, sizeof *scene->paint);
    scene->plane = calloc(shapes, sizeof *scene->plane);
    bool is_good = scene->body != NULL && scene->paint != NULL && scene->plane != NULL;
    return is_good ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
}

static crn_status add_paints(draw_scene *scene, bool is_dark, crn_error *error)
{
    int *parent = malloc(((size_t)scene->bodies + 1) * sizeof *parent);
    if (parent == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    find_parents(scene->model, parent);
    mix_paints(scene, parent, is_dark);
    free(parent);
    return CRN_OK;
}

crn_status draw_scene_read(draw_scene *scene, const char *text, const char *name, bool is_dark, crn_error *error)
{
    *scene = (draw_scene){.model = NULL};
    crn_status status = crn_io_read_scene_text(text, strlen(text), name, NULL, &scene->model, error);
    if (status == CRN_OK) {
        scene->bodies = crn_model_bodies(scene->model);
        scene->is_planar = crn_model_world_of(scene->model)->is_planar;
        status = take_room(scene, error);
    }
    if (status == CRN_OK) {
        status = add_paints(scene, is_dark, error);
    }
    return status == CRN_OK ? draw_scene_refine(scene, INFINITY, error) : status;
}

crn_status draw_scene_refine(draw_scene *scene, double pixel, crn_error *error)
{
    crn_status status = CRN_OK;
    draw_list_clear(&scene->mesh);
    scene->planes = 0;
    for (int i = 0; i < scene->bodies && status == CRN_OK; ++i) {
        status = add_body(scene, i, pixel, error);
    }
    return status == CRN_OK && scene->mesh.is_short ? crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory")
                                                    : status;
}

void draw_scene_free(draw_scene *scene)
{
    crn_model_destroy(scene->model);
    draw_list_free(&scene->mesh);
    free(scene->body);
    free(scene->paint);
    free(scene->plane);
    *scene = (draw_scene){.model = NULL};
}

/* --- Where everything is --- */

static crn_mat3 matrix_of(crn_quat q)
{
    crn_vec3 x = turned(q, vec(1, 0, 0)), y = turned(q, vec(0, 1, 0)), z = turned(q, vec(0, 0, 1));
    return (crn_mat3){{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}};
}

static crn_vec3 times(const crn_mat3 *r, crn_vec3 v)
{
    const double *m = r->m;
    return vec(m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
               m[2] * v.x + m[5] * v.y + m[8] * v.z);
}

static void place_body(const draw_scene *scene, const draw_body *body, const crn_pose *pose, draw_list *list)
{
    int shift = list->vertices - body->vertex;
    crn_mat3 rotation = matrix_of(pose->rotation);
    for (int i = body->vertex; i < body->vertex + body->vertices; ++i) {
        const draw_vertex *v = &scene->mesh.vertex[i];
        crn_vec3 at = add(pose->position, times(&rotation, v->at));
        if (scene->is_planar) { /* z only tells what is drawn over what; outlines lie a little higher */
            at.z = body->layer + v->at.z;
        }
        (void)draw_list_vertex(list, at, times(&rotation, v->normal));
    }
    for (int i = body->triangle; i < body->triangle + body->triangles && !list->is_short; ++i) {
        const draw_triangle *t = &scene->mesh.triangle[i];
        draw_list_triangle(list, t->corner[0] + shift, t->corner[1] + shift, t->corner[2] + shift, t->paint);
    }
}

/* A bar with a square section from a to b. */
static void add_bar(draw_list *list, crn_vec3 a, crn_vec3 b, double half, int paint)
{
    crn_vec3 way = unit(sub(b, a)), side = unit(cross(way, fabs(way.z) < 0.9 ? vec(0, 0, 1) : vec(1, 0, 0)));
    crn_vec3 other = cross(way, side);
    for (int k = 0; k < 4; ++k) {
        crn_vec3 out = k % 2 == 0 ? side : other, across = k % 2 == 0 ? other : side;
        double sign = k < 2 ? 1.0 : -1.0, turn = k % 2 == 0 ? sign : -sign;
        int first = list->vertices;
        for (int i = 0; i < 4; ++i) {
            crn_vec3 end = i < 2 ? a : b;
            double edge = i == 0 || i == 3 ? -turn : turn;
            (void)draw_list_vertex(list, along(along(end, sign * half, out), edge * half, across), scaled(out, sign));
        }
        draw_list_triangle(list, first, first + 1, first + 2, paint);
        draw_list_triangle(list, first, first + 2, first + 3, paint);
    }
}

static crn_vec3 joint_end(const crn_pose *pose, int body, const crn_pose *frame)
{
    return body >= 0 ? placed(&pose[body], frame->position) : frame->position;
}

void draw_scene_place(const draw_scene *scene, const crn_pose *pose, double rope, draw_list *list)
{
    for (int i = 0; i < scene->bodies && !list->is_short; ++i) {
        place_body(scene, &scene->body[i], &pose[i], list);
    }
    for (int i = 0; i < crn_model_joints(scene->model) && !list->is_short; ++i) {
        const crn_joint_def *joint = crn_model_joint(scene->model, i);
        if (joint->kind == CRN_JOINT_DISTANCE) {
            add_bar(list, joint_end(pose, joint->a, &joint->frame_a), joint_end(pose, joint->b, &joint->frame_b), rope,
                    DRAW_PAINT_ROPE);
        }
    }
}
