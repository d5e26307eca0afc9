/* Planar scenes: half-planes, outlines, and marks by which the turning of a body is seen.
 *
 * The flat triangles of a shape have a border: the edges that belong to one triangle only. It is followed once around and
 * moved inwards by the thickness of the line, so that the line does not make the body larger. Heights above a body's layer
 * say what is drawn over what. */
#include "draw_scene.h"

#include <stdlib.h>

/* Heights within the layer of a body, as shares of a layer. */
static const double line_height = 0.6, mark_height = 0.3;

/* Corners of a border, counter-clockwise, in the body's frame. */
typedef struct border {
    crn_vec3 *corner;
    int count;
} border;

/* --- Borders --- */

static bool has_edge(const draw_list *mesh, int first, int until, int a, int b)
{
    for (int i = first; i < until; ++i) {
        const int *corner = mesh->triangle[i].corner;
        for (int k = 0; k < 3; ++k) {
            if (corner[k] == a && corner[(k + 1) % 3] == b) {
                return true;
            }
        }
    }
    return false;
}

/* The border edge that begins at vertex a; -1: none. */
static int next_corner(const draw_list *mesh, int first, int until, int a)
{
    for (int i = first; i < until; ++i) {
        const int *corner = mesh->triangle[i].corner;
        for (int k = 0; k < 3; ++k) {
            int b = corner[(k + 1) % 3];
            if (corner[k] == a && !has_edge(mesh, first, until, b, a)) {
                return b;
            }
        }
    }
    return -1;
}

/* Some vertex of the border; -1: none. */
static int first_corner(const draw_list *mesh, int first, int until)
{
    for (int i = first; i < until; ++i) {
        const int *corner = mesh->triangle[i].corner;
        for (int k = 0; k < 3; ++k) {
            if (!has_edge(mesh, first, until, corner[(k + 1) % 3], corner[k])) {
                return corner[k];
            }
        }
    }
    return -1;
}

/* The border of triangles first .. until-1; room: of b->corner. */
static void find_border(const draw_list *mesh, int first, int until, border *b, int room)
{
    int start = first_corner(mesh, first, until), at = start;
    b->count = 0;
    while (at >= 0 && b->count < room) {
        b->corner[b->count++] = mesh->vertex[at].at;
        at = next_corner(mesh, first, until, at);
        if (at == start) {
            return;
        }
    }
    b->count = 0; /* it does not close */
}

/* --- Lines --- */

static crn_vec3 lifted(crn_vec3 at, double z)
{
    return vec(at.x, at.y, z);
}

/* Corner i moved inwards, so that the line has the same thickness on both sides of it. */
static crn_vec3 inner_corner(const border *b, int i, double line)
{
    crn_vec3 here = b->corner[i], before = b->corner[(i + b->count - 1) % b->count];
    crn_vec3 from = unit(sub(here, before)), to = unit(sub(b->corner[(i + 1) % b->count], here));
    crn_vec3 sum = vec(-from.y - to.y, from.x + to.x, 0.0);
    return along(here, line / fmax(1.0 + dot(from, to), 0.2), sum);
}

static void add_quad(draw_list *mesh, const crn_vec3 corner[4], double z, int paint)
{
    int first = mesh->vertices;
    for (int i = 0; i < 4; ++i) {
        (void)draw_list_vertex(mesh, lifted(corner[i], z), vec(0, 0, 1));
    }
    draw_list_triangle(mesh, first, first + 1, first + 2, paint);
    draw_list_triangle(mesh, first, first + 2, first + 3, paint);
}

static void add_line_around(draw_list *mesh, const border *b, double line, double z, int paint)
{
    for (int i = 0; i < b->count; ++i) {
        int next = (i + 1) % b->count;
        crn_vec3 quad[4] = {b->corner[i], b->corner[next], inner_corner(b, next, line), inner_corner(b, i, line)};
        add_quad(mesh, quad, z, paint);
    }
}

static crn_vec3 middle_of(const border *b)
{
    crn_vec3 sum = vec(0, 0, 0);
    for (int i = 0; i < b->count; ++i) {
        sum = add(sum, b->corner[i]);
    }
    return scaled(sum, 1.0 / b->count);
}

/* Distance from a point inside to the border along a direction. */
static double way_out(const border *b, crn_vec3 from, crn_vec3 way)
{
    double nearest = INFINITY;
    for (int i = 0; i < b->count; ++i) {
        crn_vec3 p = b->corner[i], edge = sub(b->corner[(i + 1) % b->count], p), out = vec(edge.y, -edge.x, 0.0);
        double speed = dot(out, way);
        if (speed > 0.0) {
            nearest = fmin(nearest, dot(out, sub(p, from)) / speed);
        }
    }
    return nearest;
}

/* A spoke from the middle along the x axis of the body: to the border of what is round, else half as far. */
static void add_mark(draw_list *mesh, const border *b, bool is_round, double line, double z, int paint)
{
    crn_vec3 from = middle_of(b), way = vec(1, 0, 0), side = vec(0, 0.5 * line, 0);
    double reach = way_out(b, from, way) * (is_round ? 1.0 : 0.5) - (is_round ? 0.5 * line : 0.0);
    if (reach > line && isfinite(reach)) {
        crn_vec3 to = along(from, reach, way);
        crn_vec3 quad[4] = {sub(from, side), sub(to, side), add(to, side), add(from, side)};
        add_quad(mesh, quad, z, paint);
    }
}

/* --- Shapes and bodies --- */

/* Its line lies below everything, so that it ends where it meets the inside of another half-plane. */
static void add_half_plane(draw_list *mesh, const crn_pose *pose, double reach, double line, double layer, int paint)
{
    crn_vec3 ground[4] = {vec(-reach, -reach, 0), vec(reach, -reach, 0), vec(reach, -line, 0), vec(-reach, -line, 0)};
    crn_vec3 edge[4] = {vec(-reach, -line, 0), vec(reach, -line, 0), vec(reach, 0, 0), vec(-reach, 0, 0)};
    for (int i = 0; i < 4; ++i) {
        ground[i] = placed(pose, ground[i]);
        edge[i] = placed(pose, edge[i]);
    }
    add_quad(mesh, ground, 0.0, paint);
    add_quad(mesh, edge, 1e-3 - layer, paint + 2);
}

static bool is_round(const crn_shape_def *shape)
{
    return shape->kind == CRN_SHAPE_DISK || shape->kind == CRN_SHAPE_ELLIPSE;
}

/* Triangles of a shape begin where a triangle does not share a vertex with those before: they are added shape by shape. */
static int shape_end(const draw_list *mesh, int first, int until)
{
    int highest = -1;
    for (int i = first; i < until; ++i) {
        const int *corner = mesh->triangle[i].corner;
        int low = corner[0] < corner[1] ? corner[0] : corner[1], high = corner[0] > corner[1] ? corner[0] : corner[1];
        low = corner[2] < low ? corner[2] : low;
        high = corner[2] > high ? corner[2] : high;
        if (i > first && low > highest) {
            return i;
        }
        highest = high > highest ? high : highest;
    }
    return until;
}

/* Copy the body's triangles of `from` and add what lines they need. */
static void outline_body(draw_scene *scene, const draw_list *from, int index, double line, double reach, double layer,
                         border *b, int room)
{
    const crn_body_def *def = crn_model_body(scene->model, index);
    draw_body *body = &scene->body[index];
    draw_list *mesh = &scene->mesh;
    int paint = DRAW_PAINT_BODIES + DRAW_PAINTS_PER_BODY * index, at = body->triangle;
    int until = body->triangle + body->triangles, shift = mesh->vertices - body->vertex, first = mesh->triangles;
    int vertex = mesh->vertices;
    for (int i = body->vertex; i < body->vertex + body->vertices; ++i) {
        (void)draw_list_vertex(mesh, from->vertex[i].at, from->vertex[i].normal);
    }
    for (int i = body->triangle; i < until; ++i) {
        const int *corner = from->triangle[i].corner;
        draw_list_triangle(mesh, corner[0] + shift, corner[1] + shift, corner[2] + shift, paint);
    }
    for (int s = 0; s < def->shapes && !mesh->is_short; ++s) {
        const crn_shape_def *shape = &def->shape[s].shape;
        if (shape->kind == CRN_SHAPE_HALF_PLANE) {
            add_half_plane(mesh, &def->shape[s].pose, reach, line, body->layer, paint);
            continue;
        }
        int end = shape_end(from, at, until);
        find_border(from, at, end, b, room);
        at = end;
        double thin = fmin(line, 0.2 * body->radius);
        if (b->count >= 3) {
            add_line_around(mesh, b, thin, line_height * layer, paint + 2);
            if (def->kind != CRN_BODY_FIXED) {
                add_mark(mesh, b, is_round(shape), thin, mark_height * layer, paint + 2);
            }
        }
    }
    body->vertex = vertex;
    body->vertices = mesh->vertices - vertex;
    body->triangle = first;
    body->triangles = mesh->triangles - first;
}

/* Bodies that do not move lie below those that do. */
static void stack_layers(draw_scene *scene)
{
    double step = 1.0 / (scene->bodies + 2);
    int placed_so_far = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < scene->bodies; ++i) {
            if ((crn_model_body(scene->model, i)->kind == CRN_BODY_FIXED) == (pass == 0)) {
                scene->body[i].layer = step * ++placed_so_far;
            }
        }
    }
}

crn_status draw_scene_outline(draw_scene *scene, double line, double reach, crn_error *error)
{
    draw_list before = scene->mesh;
    int room = before.vertices + 1;
    border b = {.corner = malloc((size_t)room * sizeof *b.corner)};
    scene->mesh = (draw_list){.vertices = 0};
    stack_layers(scene);
    for (int i = 0; i < scene->bodies && b.corner != NULL; ++i) {
        outline_body(scene, &before, i, line, reach, 1.0 / (scene->bodies + 2), &b, room);
    }
    bool is_short = b.corner == NULL || scene->mesh.is_short;
    free(b.corner);
    draw_list_free(&before);
    return is_short ? crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory") : CRN_OK;
}
