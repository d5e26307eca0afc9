/* Grounds of random worlds, driven bodies and loads. The ground reaches up to height 0, its flat kinds exactly. */
#include "random_parts.h"

#include <math.h>
#include <stddef.h>

static crn_body_shape shape_of(crn_random_scene *s, crn_shape_kind kind)
{
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = kind};
    crn_random_material(s, &shape);
    return shape;
}

static crn_body_shape plane_at(crn_random_scene *s, crn_vec3 point, crn_vec3 normal)
{
    crn_body_shape shape = shape_of(s, s->is_planar ? CRN_SHAPE_HALF_PLANE : CRN_SHAPE_PLANE);
    double angle = atan2(normal.y, normal.x) - 0.5 * 3.14159265358979323846; /* planar: y becomes the normal */
    crn_quat in_plane = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    shape.pose = (crn_pose){point, s->is_planar ? in_plane : crn_build_turn_z_to(normal)};
    return shape;
}

static double extent(const crn_random_scene *s)
{
    return 12.0 * s->size + 2.0;
}

/* A block whose top is at height 0. */
static crn_body_shape slab(crn_random_scene *s, double *points)
{
    double wide = extent(s), deep = 2.0 * s->size;
    const double corner[8] = {-wide, -deep, wide, -deep, wide, 0.0, -wide, 0.0};
    crn_body_shape shape = shape_of(s, s->is_planar ? CRN_SHAPE_POLYGON : CRN_SHAPE_BOX);
    if (s->is_planar) {
        for (int i = 0; i < 8; ++i) {
            points[i] = corner[i];
        }
        shape.shape.points = points;
        shape.shape.count = 4;
    } else {
        shape.shape.size = (crn_vec3){wide, wide, deep};
        shape.pose.position.z = -deep;
    }
    return shape;
}

enum { LINES = 9 }; /* points of fields and meshes along a side */

/* Heights of a field, and the highest of them is 0. */
static void set_heights(crn_random_scene *s, double *heights)
{
    double rough = crn_random_chance(s, 0.2) ? 0.0 : s->size * crn_random_log(s, 0.01, 1.0);
    for (int i = 0; i < LINES * LINES; ++i) {
        heights[i] = -rough * crn_random_between(s, 0.0, 1.0);
    }
}

static crn_body_shape field(crn_random_scene *s, double *points)
{
    crn_body_shape shape = shape_of(s, CRN_SHAPE_HEIGHT_FIELD);
    double spacing = 2.0 * extent(s) / (LINES - 1);
    set_heights(s, points);
    shape.shape.size = (crn_vec3){spacing, spacing, 0.0};
    shape.shape.rows = shape.shape.columns = LINES;
    shape.shape.points = points;
    return shape;
}

/* The same heights as an open mesh. */
static crn_body_shape sheet(crn_random_scene *s, double *points, int *triangles)
{
    double heights[LINES * LINES], spacing = 2.0 * extent(s) / (LINES - 1);
    int *triangle = triangles;
    set_heights(s, heights);
    for (int i = 0; i < LINES; ++i) {
        for (int j = 0; j < LINES; ++j) {
            double *p = points + 3 * (LINES * i + j);
            p[0] = spacing * i - extent(s);
            p[1] = spacing * j - extent(s);
            p[2] = heights[LINES * i + j];
        }
    }
    for (int i = 0; i + 1 < LINES; ++i) {
        for (int j = 0; j + 1 < LINES; ++j) {
            int a = LINES * i + j, b = a + LINES, c = b + 1, d = a + 1;
            const int corner[6] = {a, b, c, a, c, d};
            for (int k = 0; k < 6; ++k) {
                *triangle++ = corner[k];
            }
        }
    }
    crn_body_shape shape = shape_of(s, CRN_SHAPE_MESH);
    shape.shape.points = points;
    shape.shape.count = LINES * LINES;
    shape.shape.triangles = triangles;
    shape.shape.triangle_count = 2 * (LINES - 1) * (LINES - 1);
    return shape;
}

static void add_walls(crn_random_scene *s, crn_body_shape *shape, int *shapes)
{
    const crn_vec3 in[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < (s->is_planar ? 2 : 4); ++i) {
        crn_vec3 at = {-s->wall * in[i].x, -s->wall * in[i].y, 0.0};
        shape[(*shapes)++] = plane_at(s, at, in[i]);
    }
}

static crn_profile wave(crn_random_scene *s, double amplitude)
{
    return (crn_profile){.amplitude = amplitude, .frequency = crn_random_log(s, 0.5, 20.0)};
}

void crn_random_ground(crn_random_scene *s)
{
    double points[3 * LINES * LINES];
    int triangles[6 * (LINES - 1) * (LINES - 1)], shapes = 1;
    crn_body_shape shape[5];
    crn_vec3 origin = {0.0, 0.0, 0.0};
    int kind = crn_random_count(s, 0, s->is_planar ? 3 : 5);
    s->has_ground = true;
    if (kind <= 1) {
        shape[0] = plane_at(s, origin, crn_random_up(s));
    } else if (kind <= 3) {
        shape[0] = slab(s, points);
    } else {
        shape[0] = kind == 4 ? field(s, points) : sheet(s, points, triangles);
    }
    if (crn_random_chance(s, 0.15)) {
        s->has_walls = true;
        s->wall = 8.0 * s->size;
        add_walls(s, shape, &shapes);
    }
    crn_build_fixed(&s->b, "ground", shape, shapes);
}

/* --- What acts from outside --- */

/* A block that swings to and fro beside the others, or a ground that is shaken. */
void crn_random_paddle(crn_random_scene *s)
{
    crn_body_def def = crn_body_def_default();
    crn_random_solid *block = crn_random_block(s);
    if (block == NULL) {
        return;
    }
    crn_random_put_near(s, block);
    block->body = -1;
    def.name = "paddle";
    def.kind = CRN_BODY_DRIVEN;
    def.pose = block->pose;
    def.shape = &block->shape[0].def;
    def.shapes = 1;
    def.motion.x = wave(s, s->size * crn_random_log(s, 0.01, 3.0));
    if (crn_random_chance(s, 0.3)) {
        def.motion.axis = (crn_vec3){0.0, 0.0, 1.0};
        def.motion.angle = wave(s, crn_random_between(s, 0.1, 2.0));
    }
    block->body = crn_build_add(&s->b, &def);
    s->solids++; /* others stay clear of it */
}

void crn_random_loads(crn_random_scene *s)
{
    for (int i = 0; i < s->solids; ++i) {
        const crn_random_solid *solid = &s->solid[i];
        const crn_body_def *body = crn_model_body(s->b.model, solid->body);
        if (body == NULL || body->kind != CRN_BODY_FREE || !crn_random_chance(s, 0.5)) {
            continue;
        }
        crn_load_def def = crn_load_def_default();
        double force = 9.81 * solid->mass * crn_random_log(s, 0.01, 30.0);
        def.body = solid->body;
        def.force = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, force, crn_random_direction(s));
        def.torque.z = crn_random_chance(s, 0.3) ? force * s->size : 0.0;
        def.point = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, 0.5 * s->size, crn_random_direction(s));
        def.is_local = crn_random_chance(s, 0.3);
        if (s->b.status == CRN_OK) {
            s->b.status = crn_model_add_load(s->b.model, &def, NULL, s->b.error);
        }
    }
}
