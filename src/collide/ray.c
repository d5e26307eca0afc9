/* Where a ray first meets a shape.
 *
 * A convex shape is cut out of space by half-spaces and quadrics, and the ray is in it between the last point where it enters one of
 * them and the first where it leaves one. Along p + t d a quadric  q(x) = x'Dx + e  (D diagonal) is  a t^2 + 2 b t + c.  A capsule is
 * the union of a cylinder without caps and two balls. Meshes and height fields are asked triangle by triangle, those of a mesh
 * by its tree, those of a field along the cells that the ray passes over. A ray that begins inside meets the shape at once. */
#include "collide/field.h"
#include "collide/mesh.h"

/* The part of a ray inside what was cut out so far, and the normal where it enters. */
typedef struct cut {
    crn_vec3 from, along; /* in the shape's frame */
    double enter, leave;
    crn_vec3 normal; /* not unit; 0: the ray begins inside */
} cut;

static crn_vec3 at(const cut *c, double t)
{
    return crn_v3_axpy(c->from, t, c->along);
}

/* Keep what is between in and out. */
static void clip(cut *c, double in, double out, crn_vec3 normal)
{
    if (in > c->enter) {
        c->enter = in;
        c->normal = normal;
    }
    c->leave = out < c->leave ? out : c->leave;
}

static void clip_nothing(cut *c)
{
    c->leave = -1.0;
}

/* n'x <= d */
static void clip_half_space(cut *c, crn_vec3 n, double d)
{
    double height = crn_v3_dot(n, c->from) - d, rate = crn_v3_dot(n, c->along);
    if (rate < 0.0) {
        clip(c, -height / rate, (double)INFINITY, n);
    } else if (rate > 0.0) {
        clip(c, -(double)INFINITY, -height / rate, n);
    } else if (height > 0.0) {
        clip_nothing(c);
    }
}

/* x'Dx <= e about centre; D has at most one negative entry, then z < centre.z counts (one nappe of a cone, e = 0). */
static void clip_quadric(cut *c, crn_vec3 D, double e, crn_vec3 centre)
{
    crn_vec3 p = crn_v3_sub(c->from, centre), d = c->along;
    crn_vec3 Dp = {D.x * p.x, D.y * p.y, D.z * p.z}, Dd = {D.x * d.x, D.y * d.y, D.z * d.z};
    double a = crn_v3_dot(d, Dd), b = crn_v3_dot(p, Dd), q = crn_v3_dot(p, Dp) - e;
    double root = b * b - a * q;
    if (a == 0.0) { /* along a ruling, or all parallel */
        if (b == 0.0 && q > 0.0) {
            clip_nothing(c);
        } else if (b != 0.0) {
            double t = -0.5 * q / b;
            crn_vec3 n = crn_v3_axpy(Dp, t, Dd);
            clip(c, b < 0.0 ? t : -(double)INFINITY, b < 0.0 ? (double)INFINITY : t, n);
        }
        return;
    }
    if (root < 0.0) {
        if (a > 0.0) {
            clip_nothing(c);
        }
        return;
    }
    double s = -(b + copysign(sqrt(root), b)), t = s / a, u = s != 0.0 ? q / s : 0.0; /* without cancellation */
    double first = t < u ? t : u, last = t < u ? u : t;
    if (a > 0.0) {
        clip(c, first, last, crn_v3_axpy(Dp, first, Dd));
    } else if (d.z < 0.0) { /* steeper than the cone: into the nappe, or out of it */
        clip(c, last, (double)INFINITY, crn_v3_axpy(Dp, last, Dd));
    } else {
        clip(c, -(double)INFINITY, first, Dp);
    }
}

static void clip_slab(cut *c, crn_vec3 n, double half)
{
    clip_half_space(c, n, half);
    clip_half_space(c, crn_v3_scale(-1.0, n), half);
}

static void clip_hull(cut *c, const crn_polyhedron *h)
{
    for (int f = 0; f < h->faces; ++f) {
        crn_vec3 n = crn_v3_of(h->face_normal + 3 * (ptrdiff_t)f);
        clip_half_space(c, n, crn_v3_dot(n, crn_v3_of(h->vertex + 3 * (ptrdiff_t)h->face_vertex[h->face_start[f]])));
    }
}

static void clip_polygon(cut *c, const crn_shape_def *d)
{
    for (int k = 0; k < d->count; ++k) {
        const double *p = d->points + 2 * (ptrdiff_t)k, *q = d->points + 2 * (ptrdiff_t)((k + 1) % d->count);
        crn_vec3 n = crn_v3_unit(crn_v3(q[1] - p[1], p[0] - q[0], 0.0));
        clip_half_space(c, n, n.x * p[0] + n.y * p[1]);
    }
}

static void clip_convex(cut *c, const crn_shape *shape)
{
    crn_vec3 s = shape->def.size, o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE: clip_quadric(c, crn_v3(1, 1, 1), s.x * s.x, o); break;
    case CRN_SHAPE_BOX:
        clip_slab(c, x, s.x);
        clip_slab(c, y, s.y);
        clip_slab(c, z, s.z);
        break;
    case CRN_SHAPE_CYLINDER:
        clip_slab(c, z, s.y);
        clip_quadric(c, crn_v3(1, 1, 0), s.x * s.x, o);
        break;
    case CRN_SHAPE_CONE: {
        double slope = 0.5 * s.x / s.y;
        clip_slab(c, z, s.y);
        clip_quadric(c, crn_v3(1, 1, -slope * slope), 0.0, crn_v3(0, 0, s.y));
        break;
    }
    case CRN_SHAPE_ELLIPSOID: clip_quadric(c, crn_v3(1 / (s.x * s.x), 1 / (s.y * s.y), 1 / (s.z * s.z)), 1.0, o); break;
    case CRN_SHAPE_HULL: clip_hull(c, shape->polyhedron); break;
    case CRN_SHAPE_PLANE: clip_half_space(c, z, 0.0); break;
    case CRN_SHAPE_DISK: clip_quadric(c, crn_v3(1, 1, 0), s.x * s.x, o); break;
    case CRN_SHAPE_ELLIPSE: clip_quadric(c, crn_v3(1 / (s.x * s.x), 1 / (s.y * s.y), 0), 1.0, o); break;
    case CRN_SHAPE_POLYGON: clip_polygon(c, &shape->def); break;
    case CRN_SHAPE_HALF_PLANE: clip_half_space(c, y, 0.0); break;
    default: clip_nothing(c); break;
    }
}

/* --- Capsules and planar segments: a bar along an axis and a ball at each end --- */

static void take_nearer(cut *best, const cut *c)
{
    if (c->enter <= c->leave && (best->enter > best->leave || c->enter < best->enter)) {
        *best = *c;
    }
}

static void clip_capsule(cut *c, const crn_shape *shape)
{
    bool is_flat = shape->def.kind == CRN_SHAPE_SEGMENT;
    crn_vec3 axis = is_flat ? crn_v3(1, 0, 0) : crn_v3(0, 0, 1);
    crn_vec3 across = is_flat ? crn_v3(0, 1, 0) : crn_v3(1, 1, 0), round = is_flat ? crn_v3(1, 1, 0) : crn_v3(1, 1, 1);
    double radius = is_flat ? shape->def.size.y : shape->def.size.x,
           half = is_flat ? shape->def.size.x : shape->def.size.y;
    cut best = *c, bar = *c;
    clip_nothing(&best);
    clip_slab(&bar, axis, half);
    if (is_flat) {
        clip_slab(&bar, across, radius);
    } else {
        clip_quadric(&bar, across, radius * radius, crn_v3(0, 0, 0));
    }
    take_nearer(&best, &bar);
    for (int end = -1; end < 2; end += 2) {
        cut ball = *c;
        clip_quadric(&ball, round, radius * radius, crn_v3_scale(end * half, axis));
        take_nearer(&best, &ball);
    }
    *c = best;
}

/* --- Triangles --- */

static void meet_triangle(cut *best, crn_vec3 a, crn_vec3 b, crn_vec3 e)
{
    crn_vec3 n = crn_v3_cross(crn_v3_sub(b, a), crn_v3_sub(e, a));
    double rate = crn_v3_dot(n, best->along);
    double t = rate != 0.0 ? crn_v3_dot(n, crn_v3_sub(a, best->from)) / rate : -1.0;
    if (!(t >= 0.0 && t < best->leave)) { /* leave: the nearest so far, or the ray's end */
        return;
    }
    crn_vec3 p = at(best, t);
    const crn_vec3 corner[4] = {a, b, e, a};
    double rounding = 1e-12 * crn_v3_dot(n, n); /* a ray through an edge must meet one of its triangles */
    for (int k = 0; k < 3; ++k) {
        crn_vec3 side = crn_v3_sub(corner[k + 1], corner[k]);
        if (crn_v3_dot(n, crn_v3_cross(side, crn_v3_sub(p, corner[k]))) < -rounding) {
            return;
        }
    }
    best->enter = best->leave = t;
    best->normal = rate < 0.0 ? n : crn_v3_scale(-1.0, n);
}

static bool meets_box(const cut *c, const crn_mesh_node *node)
{
    double from[3], along[3], in = 0.0, out = c->leave;
    crn_v3_to(c->from, from);
    crn_v3_to(c->along, along);
    for (int k = 0; k < 3; ++k) {
        if (along[k] == 0.0) {
            if (from[k] < node->low[k] || from[k] > node->high[k]) {
                return false;
            }
            continue;
        }
        double low = (node->low[k] - from[k]) / along[k], high = (node->high[k] - from[k]) / along[k];
        double first = low < high ? low : high, last = low < high ? high : low;
        in = first > in ? first : in;
        out = last < out ? last : out;
    }
    return in <= out * (1.0 + 1e-12);
}

static void meet_mesh(cut *best, const crn_mesh *m)
{
    int waiting[64], count = 0;
    waiting[count++] = 0;
    while (count > 0) {
        const crn_mesh_node *node = &m->node[waiting[--count]];
        if (!meets_box(best, node)) {
            continue;
        }
        for (int i = 0; i < node->count; ++i) {
            const int *v = m->face + 3 * (ptrdiff_t)m->tree_face[node->first + i];
            meet_triangle(best, m->vertex[v[0]], m->vertex[v[1]], m->vertex[v[2]]);
        }
        if (node->count == 0) {
            waiting[count++] = node->first;
            waiting[count++] = node->first + 1;
        }
    }
}

/* Cells from low to high of n that hold the numbers between x and y, in units of cells. */
static void cells_between(double x, double y, int n, int *low, int *high)
{
    double first = (x < y ? x : y) - 1e-9, last = (x < y ? y : x) + 1e-9;
    *low = first > 0.0 ? (int)fmin(first, n - 1) : 0;
    *high = last < n ? (int)fmax(last, -1.0) : n - 1;
}

/* Row of cells by row of cells that the ray passes over. */
static void meet_field(cut *best, const crn_shape *shape)
{
    crn_field f = crn_field_of(shape);
    cut over = *best; /* the part above the field's rectangle */
    double half_x = 0.5 * f.dx * (f.rows - 1), half_y = 0.5 * f.dy * (f.columns - 1);
    clip_slab(&over, crn_v3(1, 0, 0), half_x);
    clip_slab(&over, crn_v3(0, 1, 0), half_y);
    if (!(over.enter <= over.leave)) {
        clip_nothing(best);
        return;
    }
    double end = isfinite(over.leave) ? over.leave : over.enter; /* endless only if straight up or down */
    double u0 = (at(best, over.enter).x - f.x0) / f.dx, u1 = (at(best, end).x - f.x0) / f.dx;
    double v0 = (at(best, over.enter).y - f.y0) / f.dy, v1 = (at(best, end).y - f.y0) / f.dy;
    int low, high, from, to;
    cells_between(u0, u1, f.rows - 1, &low, &high);
    for (int i = low; i <= high; ++i) {
        double a = u1 != u0 ? fmin(fmax((i - u0) / (u1 - u0), 0.0), 1.0) : 0.0;
        double b = u1 != u0 ? fmin(fmax((i + 1 - u0) / (u1 - u0), 0.0), 1.0) : 1.0;
        cells_between(v0 + a * (v1 - v0), v0 + b * (v1 - v0), f.columns - 1, &from, &to);
        for (int j = from; j <= to; ++j) {
            crn_vec3 p = crn_field_vertex(&f, i, j), q = crn_field_vertex(&f, i + 1, j);
            crn_vec3 r = crn_field_vertex(&f, i + 1, j + 1), s = crn_field_vertex(&f, i, j + 1);
            meet_triangle(best, p, q, r);
            meet_triangle(best, p, r, s);
        }
    }
}

static bool is_below_field(const crn_shape *shape, crn_vec3 p)
{
    crn_field f = crn_field_of(shape);
    crn_field_face face;
    return crn_field_face_under(&f, p.x, p.y, &face) && crn_v3_dot(face.normal, crn_v3_sub(p, face.point)) < 0.0;
}

/* Triangles: enter > leave while nothing was met. */
static void meet_triangles(cut *c, const crn_shape *shape)
{
    bool is_mesh = shape->def.kind == CRN_SHAPE_MESH;
    bool is_inside = is_mesh ? shape->mesh->is_closed && crn_mesh_distance(shape->mesh, c->from, NULL) < 0.0
                             : is_below_field(shape, c->from);
    if (is_inside) {
        return;
    }
    double end = c->leave;
    cut best = *c;
    if (is_mesh) {
        meet_mesh(&best, shape->mesh);
    } else {
        meet_field(&best, shape);
    }
    *c = best;
    if (best.leave == end && crn_v3_dot(best.normal, best.normal) == 0.0) {
        clip_nothing(c);
    }
}

bool crn_shape_cast_ray(const crn_shape *shape, const crn_frame *frame, const crn_ray *ray, crn_ray_hit *hit)
{
    cut c = {.from = crn_frame_local(frame, ray->from),
             .along = crn_m3_transposed_times(&frame->rotation, ray->direction),
             .leave = ray->reach};
    if (crn_shape_kind_is_planar(shape->def.kind)) {
        c.from.z = c.along.z = 0.0;
    }
    switch (shape->def.kind) {
    case CRN_SHAPE_CAPSULE:
    case CRN_SHAPE_SEGMENT: clip_capsule(&c, shape); break;
    case CRN_SHAPE_MESH:
    case CRN_SHAPE_HEIGHT_FIELD: meet_triangles(&c, shape); break;
    default: clip_convex(&c, shape); break;
    }
    if (!(c.enter <= c.leave)) {
        return false;
    }
    double length = crn_v3_length(c.normal);
    crn_vec3 n = length > 0.0 ? crn_m3_times(&frame->rotation, crn_v3_scale(1.0 / length, c.normal))
                              : crn_v3_scale(-1.0, ray->direction);
    *hit = (crn_ray_hit){c.enter, crn_v3_axpy(ray->from, c.enter, ray->direction), n};
    return true;
}
