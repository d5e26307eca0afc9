/* Polygons into triangles, in the plane of the polygon's normal (Newell's sum of cross products).
 *
 * If all triangles that fan out from the first corner have positive area, they are taken: so a quadrilateral is cut from its
 * first corner, as most programs do. If not, ears are cut off: a corner is an ear if the polygon turns left there and no
 * corner where it turns right lies in the triangle it makes with its neighbours; every simple polygon has two. Corners at
 * the place of one of the triangle's do not block it: a polygon with a hole has such corners, where a cut leads to it.
 *
 * A polygon that crosses itself has no right answer; it is cut off corner by corner, so that its sides stay where they are
 * and the mesh stays closed. */
#include "robots/mesh_file.h"

#include "base/memory.h"
#include "math/rigid.h"

/* Time grows with the square of the corners where a polygon is not a fan; no real face has so many. */
enum { MOST_CORNERS = 4096 };

/* How often all corners are looked at again, because a corner that blocked another is gone. */
enum { MOST_ROUNDS = 8 };

/* A corner that turns by less, relative to the square of the size, is straight: rounding of the plane's coordinates. */
#define STRAIGHT 1e-12

typedef struct crn_mesh_ear {
    double x, y;
    int point;
    int before, after; /* the ring of corners that are left */
    bool is_right;     /* turns right, or not at all */
    bool is_ear;
} ear;

static double turn(const ear *a, const ear *b, const ear *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* --- The plane --- */

static crn_vec3 point_of(const crn_mesh_reader *r, int corner)
{
    return crn_v3_of(r->mesh->points + 3 * (size_t)r->corner[corner]);
}

static crn_vec3 normal_of(const crn_mesh_reader *r)
{
    crn_vec3 sum = crn_v3(0, 0, 0), o = point_of(r, 0);
    for (int k = 1; k + 1 < r->corners; ++k) {
        sum = crn_v3_add(sum, crn_v3_cross(crn_v3_sub(point_of(r, k), o), crn_v3_sub(point_of(r, k + 1), o)));
    }
    return sum;
}

/* Corners in a plane in which the polygon goes round to the left: the two axes across the normal's largest component. Returns
 * the size. */
static double project(crn_mesh_reader *r, crn_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z), size = 0.0;
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const double component[3] = {n.x, n.y, n.z};
    bool is_turned = component[axis] < 0.0;
    int first = (axis + (is_turned ? 2 : 1)) % 3, second = (axis + (is_turned ? 1 : 2)) % 3;
    double origin[3];
    crn_v3_to(point_of(r, 0), origin);
    for (int k = 0; k < r->corners; ++k) {
        double p[3];
        crn_v3_to(point_of(r, k), p);
        r->ear[k] = (ear){.x = p[first] - origin[first],
                          .y = p[second] - origin[second],
                          .point = r->corner[k],
                          .before = k > 0 ? k - 1 : r->corners - 1,
                          .after = k + 1 < r->corners ? k + 1 : 0};
        size = crn_fmax(size, crn_fmax(fabs(r->ear[k].x), fabs(r->ear[k].y)));
    }
    return size;
}

/* --- Ears --- */

static bool same_place(const ear *a, const ear *b)
{
    return a->x == b->x && a->y == b->y;
}

static bool is_blocked(const ear *e, int corner)
{
    const ear *a = &e[e[corner].before], *b = &e[corner], *c = &e[e[corner].after];
    for (int k = e[e[corner].after].after; k != e[corner].before; k = e[k].after) {
        const ear *p = &e[k];
        if (p->is_right && turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0 && !same_place(p, a) &&
            !same_place(p, b) && !same_place(p, c)) {
            return true;
        }
    }
    return false;
}

static void look_at_turn(ear *e, int corner, double straight)
{
    e[corner].is_right = turn(&e[e[corner].before], &e[corner], &e[e[corner].after]) <= straight;
}

static void look_at_ear(ear *e, int corner)
{
    e[corner].is_ear = !e[corner].is_right && !is_blocked(e, corner);
}

static void look_at_all(ear *e, int first, double straight)
{
    int k = first;
    do {
        look_at_turn(e, k, straight);
        k = e[k].after;
    } while (k != first);
    do {
        look_at_ear(e, k);
        k = e[k].after;
    } while (k != first);
}

/* The next ear from a corner on; the corner itself if there is none. */
static int next_ear(const ear *e, int corner)
{
    int k = corner;
    do {
        if (e[k].is_ear) {
            return k;
        }
        k = e[k].after;
    } while (k != corner);
    return corner;
}

static crn_status cut_off(crn_mesh_reader *r, int corner, double straight)
{
    ear *e = r->ear;
    int before = e[corner].before, after = e[corner].after;
    crn_status status = crn_mesh_add_triangle(r, e[before].point, e[corner].point, e[after].point);
    e[before].after = after;
    e[after].before = before;
    look_at_turn(e, before, straight);
    look_at_turn(e, after, straight);
    look_at_ear(e, before);
    look_at_ear(e, after);
    return status;
}

static crn_status cut_ears(crn_mesh_reader *r, double straight)
{
    ear *e = r->ear;
    int at = 0, rounds = 0;
    crn_status status = CRN_OK;
    look_at_all(e, at, straight);
    for (int left = r->corners; left > 3 && status == CRN_OK; --left) {
        at = next_ear(e, at);
        if (!e[at].is_ear && rounds < MOST_ROUNDS) {
            rounds++;
            look_at_all(e, at, straight);
            at = next_ear(e, at);
        }
        int after = e[at].after;
        status = cut_off(r, at, straight);
        at = after;
    }
    return status == CRN_OK ? crn_mesh_add_triangle(r, e[e[at].before].point, e[at].point, e[e[at].after].point)
                            : status;
}

/* --- Polygons --- */

static crn_status cut_fan(crn_mesh_reader *r)
{
    crn_status status = CRN_OK;
    for (int k = 1; k + 1 < r->corners && status == CRN_OK; ++k) {
        status = crn_mesh_add_triangle(r, r->corner[0], r->corner[k], r->corner[k + 1]);
    }
    return status;
}

static bool is_fan(const crn_mesh_reader *r, crn_vec3 normal)
{
    crn_vec3 o = point_of(r, 0);
    for (int k = 1; k + 1 < r->corners; ++k) {
        crn_vec3 own = crn_v3_cross(crn_v3_sub(point_of(r, k), o), crn_v3_sub(point_of(r, k + 1), o));
        if (!(crn_v3_dot(own, normal) > 0.0)) {
            return false;
        }
    }
    return true;
}

crn_status crn_mesh_add_polygon(crn_mesh_reader *reader, const char *where)
{
    crn_vec3 normal = normal_of(reader);
    if (reader->corners == 3 || is_fan(reader, normal)) {
        return cut_fan(reader);
    }
    if (reader->corners > MOST_CORNERS) {
        return crn_fail(reader->error, CRN_ERR_FORMAT,
                        "%s%s: a face of %d corners that is not convex; at most %d are read", reader->source->name,
                        where, reader->corners, (int)MOST_CORNERS);
    }
    void *memory = reader->ear;
    bool fits =
        crn_reserve(&reader->allocator, &memory, &reader->ear_capacity, reader->corners, sizeof(struct crn_mesh_ear));
    reader->ear = memory;
    if (!fits) {
        return crn_mesh_no_memory(reader);
    }
    double size = project(reader, normal);
    return cut_ears(reader, STRAIGHT * size * size);
}
