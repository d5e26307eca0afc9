/* Trees of links in few lines. */
#include "build_tree.h"

#include <math.h>
#include <stddef.h>

static const double two_pi = 6.28318530717958647692;

/* --- Rotations --- */

crn_quat crn_build_multiply(crn_quat a, crn_quat b)
{
    return (crn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* v + 2 w (u x v) + 2 u x (u x v), u the vector part. */
crn_vec3 crn_build_rotate(crn_quat q, crn_vec3 v)
{
    crn_vec3 t = {2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z), 2.0 * (q.x * v.y - q.y * v.x)};
    return (crn_vec3){v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                      v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

crn_pose crn_build_compose(crn_pose a, crn_pose b)
{
    crn_vec3 p = crn_build_rotate(a.rotation, b.position);
    return (crn_pose){{a.position.x + p.x, a.position.y + p.y, a.position.z + p.z},
                      crn_build_multiply(a.rotation, b.rotation)};
}

crn_pose crn_build_invert(crn_pose a)
{
    crn_quat back = {a.rotation.w, -a.rotation.x, -a.rotation.y, -a.rotation.z};
    crn_vec3 p = crn_build_rotate(back, a.position);
    return (crn_pose){{-p.x, -p.y, -p.z}, back};
}

/* --- Links and joints --- */

crn_world_def *crn_build_tree_world(crn_build *b, double dt, double duration)
{
    crn_world_def *world = crn_build_world(b, false, dt, duration);
    world->cone = CRN_CONE_POLYGON;
    world->directions = 8;
    world->reduce_distance = 1e-3;
    return world;
}

int crn_build_link(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass)
{
    crn_vec3 d = {q.x - p.x, q.y - p.y, q.z - p.z};
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    crn_body_shape shape = crn_build_capsule(b, radius, 0.5 * length);
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.pose.position = (crn_vec3){p.x + 0.5 * d.x, p.y + 0.5 * d.y, p.z + 0.5 * d.z};
    def.pose.rotation = crn_build_turn_z_to((crn_vec3){d.x / length, d.y / length, d.z / length});
    def.mass = mass;
    def.shape = &shape;
    def.shapes = 1;
    return crn_build_add(b, &def);
}

static crn_pose seen_from(const crn_build *b, int body, crn_pose at)
{
    const crn_body_def *def = body >= 0 ? crn_model_body(b->model, body) : NULL;
    return def ? crn_build_compose(crn_build_invert(def->pose), at) : at;
}

int crn_build_joint_at(crn_build *b, crn_joint_def def, crn_pose at)
{
    def.frame_a = seen_from(b, def.a, at);
    def.frame_b = seen_from(b, def.b, at);
    return crn_build_joint(b, &def);
}

int crn_build_ball(crn_build *b, int body_a, int body_b, crn_vec3 point, bool in_tree)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = CRN_JOINT_BALL;
    def.a = body_a;
    def.b = body_b;
    def.in_tree = in_tree;
    return crn_build_joint_at(b, def, (crn_pose){point, {1.0, 0.0, 0.0, 0.0}});
}

void crn_build_apart(crn_build *b, int body_a, int body_b)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = CRN_JOINT_FREE;
    def.a = body_a;
    def.b = body_b;
    crn_build_joint(b, &def);
}

/* --- Meshes --- */

static void put_triangle(int **to, int a, int b, int c)
{
    *(*to)++ = a;
    *(*to)++ = b;
    *(*to)++ = c;
}

crn_shape_def crn_build_ring(double R, double r, int around, int across, double *points, int *triangles)
{
    int *triangle = triangles;
    for (int i = 0; i < around; ++i) {
        double turn = two_pi * i / around;
        for (int j = 0; j < across; ++j) {
            double section = two_pi * j / across, out = R + r * cos(section);
            double *at = points + 3 * (across * i + j);
            at[0] = out * cos(turn);
            at[1] = out * sin(turn);
            at[2] = r * sin(section);
        }
    }
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) { /* one square between sections i and i + 1, sides j and j + 1 */
            int next = (i + 1) % around, up = (j + 1) % across;
            int a = across * i + j, b = across * next + j, c = across * next + up, d = across * i + up;
            put_triangle(&triangle, a, b, c);
            put_triangle(&triangle, a, c, d);
        }
    }
    return (crn_shape_def){.kind = CRN_SHAPE_MESH,
                           .points = points,
                           .count = around * across,
                           .triangles = triangles,
                           .triangle_count = 2 * around * across};
}

crn_shape_def crn_build_prism(const double *outline, int count, double low, double high, double *points, int *triangles)
{
    double x = 0.0, y = 0.0;
    int *triangle = triangles, bottom = 2 * count, top = bottom + 1;
    for (int i = 0; i < count; ++i) { /* corner i below, count + i above */
        for (int k = 0; k < 2; ++k) {
            double *at = points + 3 * (k * count + i);
            at[0] = outline[2 * i];
            at[1] = outline[2 * i + 1];
            at[2] = k == 0 ? low : high;
        }
        x += outline[2 * i] / count;
        y += outline[2 * i + 1] / count;
        int next = (i + 1) % count;
        put_triangle(&triangle, i, next, count + next);
        put_triangle(&triangle, i, count + next, count + i);
        put_triangle(&triangle, bottom, next, i);
        put_triangle(&triangle, top, count + i, count + next);
    }
    for (int k = 0; k < 2; ++k) {
        double *at = points + 3 * (bottom + k);
        at[0] = x;
        at[1] = y;
        at[2] = k == 0 ? low : high;
    }
    return (crn_shape_def){.kind = CRN_SHAPE_MESH,
                           .points = points,
                           .count = 2 * count + 2,
                           .triangles = triangles,
                           .triangle_count = 4 * count};
}
