/* Shapes of random worlds, and how far they reach. */
#include "random_parts.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Radii and half sides [m]: bodies are 0.01 to 2 m large. */
static const double half_least = 0.005, half_most = 1.0;

/* --- Sizes and materials --- */

static double clamp(double half)
{
    return fmin(fmax(half, half_least), half_most);
}

/* A half side near the world's size. */
static double half(crn_random_scene *s)
{
    return clamp(s->size * crn_random_log(s, 0.4, 1.6));
}

void crn_random_material(crn_random_scene *s, crn_body_shape *shape)
{
    shape->friction = s->friction >= 0.0 ? s->friction : crn_random_between(s, 0.0, 2.0);
    shape->restitution = s->restitution >= 0.0 ? s->restitution : crn_random_between(s, 0.0, 1.0);
}

static crn_random_solid *begin(crn_random_scene *s)
{
    if (s->solids == CRN_RANDOM_SOLIDS) {
        return NULL;
    }
    crn_random_solid *solid = &s->solid[s->solids];
    solid->shapes = 1;
    solid->body = -1;
    solid->mass = crn_random_log(s, s->mass_low, s->mass_high);
    solid->pose = (crn_pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    solid->shape[0].def = crn_body_shape_default();
    crn_random_material(s, &solid->shape[0].def);
    return solid;
}

static void set_size(crn_random_shape *shape, crn_shape_kind kind, double x, double y, double z)
{
    shape->def.shape = (crn_shape_def){.kind = kind, .size = {x, y, z}};
}

/* --- Kinds with points --- */

static void set_hull(crn_random_scene *s, crn_random_shape *shape)
{
    double x = half(s), y = half(s), z = half(s);
    int count = crn_random_count(s, 5, 12);
    for (int i = 0; i < count; ++i) {
        crn_vec3 d = crn_random_direction(s);
        shape->points[3 * i] = x * d.x;
        shape->points[3 * i + 1] = y * d.y;
        shape->points[3 * i + 2] = z * d.z;
    }
    shape->def.shape = (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = shape->points, .count = count};
}

/* Corners of an outline about the origin, counter-clockwise: on an ellipse, at uneven angles. */
static void set_outline(crn_random_scene *s, double *outline, int corners)
{
    double x = half(s), y = half(s), first = crn_random_between(s, 0.0, 2.0 * pi);
    for (int i = 0; i < corners; ++i) {
        double angle = first + 2.0 * pi * (i + crn_random_between(s, -0.3, 0.3)) / corners;
        outline[2 * i] = x * cos(angle);
        outline[2 * i + 1] = y * sin(angle);
    }
}

static void set_polygon(crn_random_scene *s, crn_random_shape *shape)
{
    int corners = crn_random_count(s, 3, 7);
    set_outline(s, shape->points, corners);
    shape->def.shape = (crn_shape_def){.kind = CRN_SHAPE_POLYGON, .points = shape->points, .count = corners};
}

static void set_prism(crn_random_scene *s, crn_random_shape *shape, double high)
{
    double outline[12];
    int corners = crn_random_count(s, 3, 6);
    set_outline(s, outline, corners);
    shape->def.shape = crn_build_prism(outline, corners, -high, high, shape->points, shape->triangles);
}

static void set_ring(crn_random_scene *s, crn_random_shape *shape)
{
    double R = half(s);
    shape->def.shape = crn_build_ring(R, R * crn_random_between(s, 0.15, 0.4), 12, 6, shape->points, shape->triangles);
}

static void set_rectangle(crn_random_shape *shape, double x, double y)
{
    const double corners[8] = {-x, -y, x, -y, x, y, -x, y};
    for (int i = 0; i < 8; ++i) {
        shape->points[i] = corners[i];
    }
    shape->def.shape = (crn_shape_def){.kind = CRN_SHAPE_POLYGON, .points = shape->points, .count = 4};
}

/* --- Any of them --- */

static void set_planar(crn_random_scene *s, crn_random_shape *shape)
{
    switch (crn_random_count(s, 0, 4)) {
    case 0: set_size(shape, CRN_SHAPE_DISK, half(s), 0.0, 0.0); return;
    case 1: set_size(shape, CRN_SHAPE_ELLIPSE, half(s), half(s), 0.0); return;
    case 2: set_polygon(s, shape); return;
    case 3: set_rectangle(shape, half(s), half(s)); return;
    default: set_size(shape, CRN_SHAPE_SEGMENT, half(s), crn_random_chance(s, 0.3) ? 0.0 : 0.2 * half(s), 0.0); return;
    }
}

/* A flat cylinder or a slender cone. */
static void set_drum(crn_random_scene *s, crn_random_shape *shape)
{
    double radius = half(s), length = half(s);
    set_size(shape, radius > length ? CRN_SHAPE_CYLINDER : CRN_SHAPE_CONE, radius, length, 0.0);
}

static void set_spatial(crn_random_scene *s, crn_random_shape *shape)
{
    switch (crn_random_count(s, 0, 8)) {
    case 0: set_size(shape, CRN_SHAPE_SPHERE, half(s), 0.0, 0.0); return;
    case 1:
    case 2: set_size(shape, CRN_SHAPE_BOX, half(s), half(s), half(s)); return;
    case 3: set_size(shape, CRN_SHAPE_CAPSULE, 0.5 * half(s), half(s), 0.0); return;
    case 4: set_drum(s, shape); return;
    case 5: set_size(shape, CRN_SHAPE_ELLIPSOID, half(s), half(s), half(s)); return;
    case 6: set_hull(s, shape); return;
    case 7: set_prism(s, shape, half(s)); return;
    default: set_ring(s, shape); return;
    }
}

static void set_any(crn_random_scene *s, crn_random_shape *shape)
{
    if (s->is_planar) {
        set_planar(s, shape);
    } else {
        set_spatial(s, shape);
    }
}

/* One more shape on a body, off its origin. */
static void add_shape(crn_random_scene *s, crn_random_solid *solid)
{
    crn_random_shape *shape = &solid->shape[solid->shapes];
    shape->def = crn_body_shape_default();
    crn_random_material(s, &shape->def);
    set_any(s, shape);
    shape->def.pose.position = crn_random_axpy((crn_vec3){0.0, 0.0, 0.0}, half(s), crn_random_direction(s));
    shape->def.pose.rotation = crn_random_turn(s);
    solid->shapes++;
}

crn_random_solid *crn_random_any(crn_random_scene *s)
{
    crn_random_solid *solid = begin(s);
    if (solid == NULL) {
        return NULL;
    }
    set_any(s, &solid->shape[0]);
    while (solid->shapes < CRN_RANDOM_SHAPES && crn_random_chance(s, 0.12)) {
        add_shape(s, solid);
    }
    if (crn_random_chance(s, 0.8)) {
        solid->pose.rotation = crn_random_turn(s);
    }
    return solid;
}

crn_random_solid *crn_random_block(crn_random_scene *s)
{
    crn_random_solid *solid = begin(s);
    if (solid == NULL) {
        return NULL;
    }
    crn_random_shape *shape = &solid->shape[0];
    int kind = s->is_planar ? -1 : crn_random_count(s, 0, 3);
    if (s->is_planar) {
        set_rectangle(shape, half(s), half(s));
    } else if (kind == 0) {
        set_size(shape, CRN_SHAPE_CYLINDER, half(s), half(s), 0.0);
    } else if (kind == 1) {
        set_prism(s, shape, half(s));
    } else {
        set_size(shape, CRN_SHAPE_BOX, half(s), half(s), half(s));
    }
    return solid;
}

crn_random_solid *crn_random_round(crn_random_scene *s)
{
    crn_random_solid *solid = begin(s);
    if (solid == NULL) {
        return NULL;
    }
    crn_random_shape *shape = &solid->shape[0];
    int kind = crn_random_count(s, 0, s->is_planar ? 1 : 4);
    if (s->is_planar) {
        set_size(shape, kind == 0 ? CRN_SHAPE_DISK : CRN_SHAPE_ELLIPSE, half(s), half(s), 0.0);
    } else {
        const crn_shape_kind kinds[] = {CRN_SHAPE_SPHERE, CRN_SHAPE_ELLIPSOID, CRN_SHAPE_CAPSULE, CRN_SHAPE_CYLINDER,
                                        CRN_SHAPE_SPHERE};
        set_size(shape, kinds[kind], half(s), half(s), half(s));
    }
    bool is_lying = shape->def.shape.kind == CRN_SHAPE_CAPSULE || shape->def.shape.kind == CRN_SHAPE_CYLINDER;
    solid->pose.rotation = is_lying ? (crn_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0} : crn_random_turn(s);
    return solid;
}

crn_random_solid *crn_random_bar(crn_random_scene *s)
{
    crn_random_solid *solid = begin(s);
    if (solid == NULL) {
        return NULL;
    }
    crn_random_shape *shape = &solid->shape[0];
    double length = half(s), thick = fmax(0.1 * half_least, length / crn_random_log(s, 5.0, 30.0));
    int kind = crn_random_count(s, 0, 2);
    if (s->is_planar && kind == 0) {
        set_rectangle(shape, length, thick);
    } else if (s->is_planar) {
        set_size(shape, CRN_SHAPE_SEGMENT, length, kind == 1 ? 0.0 : thick, 0.0);
    } else if (kind == 0) {
        set_size(shape, CRN_SHAPE_BOX, thick, thick, length);
    } else {
        set_size(shape, kind == 1 ? CRN_SHAPE_CAPSULE : CRN_SHAPE_CYLINDER, thick, length, 0.0);
    }
    solid->pose.rotation = crn_random_turn(s);
    return solid;
}

crn_random_solid *crn_random_rod(crn_random_scene *s, crn_vec3 p, crn_vec3 q)
{
    crn_random_solid *solid = begin(s);
    if (solid == NULL) {
        return NULL;
    }
    double length = 0.5 * crn_random_distance(p, q), thick = 0.05 * length;
    crn_vec3 d = crn_random_toward(p, q);
    double angle = atan2(d.y, d.x);
    if (s->is_planar) {
        set_size(&solid->shape[0], CRN_SHAPE_SEGMENT, length, thick, 0.0);
        solid->pose.rotation = (crn_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    } else {
        set_size(&solid->shape[0], CRN_SHAPE_CAPSULE, thick, length, 0.0);
        solid->pose.rotation = crn_build_turn_z_to(d);
    }
    solid->pose.position = crn_random_axpy(p, length, d);
    return solid;
}

void crn_random_keep_apart(crn_random_solid *solid, uint32_t group, uint32_t mask)
{
    for (int i = 0; i < solid->shapes; ++i) {
        solid->shape[i].def.group = group;
        solid->shape[i].def.mask = mask;
    }
}

/* --- Reach --- */

/* Of points with some numbers each. */
static double reach_of_points(const crn_shape_def *shape, int numbers, crn_vec3 d)
{
    double most = -INFINITY;
    for (int i = 0; i < shape->count; ++i) {
        const double *p = shape->points + numbers * i;
        most = fmax(most, d.x * p[0] + d.y * p[1] + (numbers == 3 ? d.z * p[2] : 0.0));
    }
    return most;
}

/* Largest d.p over the points p of a shape, in its frame. */
static double reach_of(const crn_shape_def *shape, crn_vec3 d)
{
    crn_vec3 half_side = shape->size;
    double across = sqrt(fmax(0.0, 1.0 - d.z * d.z));
    switch (shape->kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: return half_side.x;
    case CRN_SHAPE_BOX: return fabs(d.x) * half_side.x + fabs(d.y) * half_side.y + fabs(d.z) * half_side.z;
    case CRN_SHAPE_CAPSULE: return half_side.x + fabs(d.z) * half_side.y;
    case CRN_SHAPE_CYLINDER: return across * half_side.x + fabs(d.z) * half_side.y;
    case CRN_SHAPE_CONE: return fmax(d.z * half_side.y, across * half_side.x - d.z * half_side.y);
    case CRN_SHAPE_ELLIPSOID: return hypot(hypot(d.x * half_side.x, d.y * half_side.y), d.z * half_side.z);
    case CRN_SHAPE_ELLIPSE: return hypot(d.x * half_side.x, d.y * half_side.y);
    case CRN_SHAPE_SEGMENT: return half_side.y + fabs(d.x) * half_side.x;
    case CRN_SHAPE_HULL:
    case CRN_SHAPE_MESH: return reach_of_points(shape, 3, d);
    case CRN_SHAPE_POLYGON: return reach_of_points(shape, 2, d);
    default: return 0.0;
    }
}

static crn_quat back(crn_quat q)
{
    return (crn_quat){q.w, -q.x, -q.y, -q.z};
}

double crn_random_reach(const crn_random_solid *solid, crn_vec3 along)
{
    double most = -INFINITY;
    crn_vec3 d = crn_build_rotate(back(solid->pose.rotation), along);
    for (int i = 0; i < solid->shapes; ++i) {
        const crn_pose *pose = &solid->shape[i].def.pose;
        crn_vec3 mine = crn_build_rotate(back(pose->rotation), d);
        most = fmax(most, crn_random_dot(d, pose->position) + reach_of(&solid->shape[i].def.shape, mine));
    }
    return most;
}
