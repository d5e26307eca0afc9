/* Which two half-edges are the two sides of one edge?
 *
 * Half-edges are sorted by their two vertices. One each way is the usual case: they are mates. Where more triangles meet
 * (pieces that touch along an edge), look along the edge from its lower to its higher vertex and go round it by angle. With
 * u from the edge into a triangle and d along the edge, a triangle that runs forward has the normal d x u: the solid is
 * before it, and a triangle that runs backward has the solid behind it,
 *
 *   ... backward | solid | forward   empty   backward | solid | forward ...
 *
 * so a backward one opens a wedge of the solid that the next forward one closes: they are mates, as brackets are. Every
 * wedge then has its own edge, convex where the pieces are. Two triangles at one angle are the touching faces of two
 * pieces, so the one that closes comes first. What finds no mate is an open edge. */
#include "collide/mesh/mesh_parts.h"
#include "math/elementary.h"

static bool is_forward(const crn_mesh_draft *d, int h)
{
    return d->face[h] < crn_mesh_end(d->face, h);
}

void crn_mesh_sort_half_edges(crn_mesh_draft *d)
{
    for (int h = 0; h < 3 * d->triangles; ++h) {
        uint64_t from = (uint64_t)d->face[h], to = (uint64_t)crn_mesh_end(d->face, h);
        d->key[h] = from < to ? from << 32 | to : to << 32 | from;
        d->sorted[h] = h;
    }
    crn_radix_sort(3 * d->triangles, d->key, d->sorted, d->other_key, d->other_item);
}

static void make_mates(crn_mesh_draft *d, int g, int h)
{
    d->mate[g] = h;
    d->mate[h] = g;
}

/* --- More than two triangles --- */

/* From the line through the half-edge to the third corner, orthogonal to the unit vector along. */
static crn_vec3 into_face(const crn_mesh_draft *d, int h, crn_vec3 along)
{
    crn_vec3 apex = d->vertex[d->face[crn_mesh_next(crn_mesh_next(h))]];
    crn_vec3 to = crn_v3_sub(apex, d->vertex[d->face[h]]);
    return crn_v3_axpy(to, -crn_v3_dot(to, along), along);
}

/* Angles in steps of a circle of 2^32 parts (1.5e-9 rad): finer than what rounding leaves of coincident faces, coarser
 * than any wedge that matters. The low bit puts forward ones first. */
static void find_angles(crn_mesh_draft *d, const int *half, int count)
{
    const double steps_per_radian = 4294967296.0 / 6.283185307179586;
    bool forward = is_forward(d, half[0]);
    crn_vec3 from = d->vertex[d->face[half[0]]], to = d->vertex[crn_mesh_end(d->face, half[0])];
    crn_vec3 along = crn_v3_unit(forward ? crn_v3_sub(to, from) : crn_v3_sub(from, to));
    crn_vec3 x = into_face(d, half[0], along), y = crn_v3_cross(along, x);
    for (int i = 0; i < count; ++i) {
        crn_vec3 u = into_face(d, half[i], along);
        double steps = nearbyint(crn_atan2(crn_v3_dot(u, y), crn_v3_dot(u, x)) * steps_per_radian);
        uint64_t circle = (uint64_t)(int64_t)steps & 0xffffffffu;
        d->other_key[i] = circle << 1 | (is_forward(d, half[i]) ? 0u : 1u);
        d->item[i] = half[i];
    }
}

/* Brackets round a circle: the second time round closes those that were open at the end of the first. */
static void match_round(crn_mesh_draft *d, int count)
{
    int *open = d->list[0], opened = 0;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < count; ++i) {
            int h = d->item[i];
            if (d->mate[h] >= 0) {
                continue;
            }
            if (!is_forward(d, h)) {
                if (round == 0) {
                    open[opened++] = h;
                }
            } else if (opened > 0) {
                make_mates(d, open[--opened], h);
            }
        }
    }
}

static void join_many(crn_mesh_draft *d, const int *half, int count)
{
    find_angles(d, half, count);
    crn_radix_sort(count, d->other_key, d->item, d->third_key, d->other_item);
    match_round(d, count);
}

/* --- All --- */

static int forward_count(const crn_mesh_draft *d, const int *half, int count)
{
    int forward = 0;
    for (int i = 0; i < count; ++i) {
        forward += is_forward(d, half[i]) ? 1 : 0;
    }
    return forward;
}

void crn_mesh_join(crn_mesh_draft *draft)
{
    int halves = 3 * draft->triangles;
    crn_mesh_sort_half_edges(draft);
    for (int h = 0; h < halves; ++h) {
        draft->mate[h] = -1;
    }
    draft->facts.open_edges = 0;
    draft->edges = 0;
    for (int first = 0, last; first < halves; first = last) {
        for (last = first + 1; last < halves && draft->key[last] == draft->key[first]; ++last) {
        }
        const int *half = draft->sorted + first;
        int count = last - first, forward = forward_count(draft, half, count);
        if (count == 2 && forward == 1) {
            make_mates(draft, half[0], half[1]);
        } else if (count > 1) {
            join_many(draft, half, count);
        }
        draft->facts.open_edges += 2 * forward != count ? 1 : 0;
        int joined = forward < count - forward ? forward : count - forward;
        draft->edges += count - joined;
    }
    for (int h = halves - 1; h >= 0 && draft->facts.open_edges > 0; --h) {
        if (draft->mate[h] < 0) {
            draft->facts.open_point[0] = draft->origin[draft->face[h]];
            draft->facts.open_point[1] = draft->origin[crn_mesh_end(draft->face, h)];
            draft->facts.open_triangle = draft->given_of[h / 3];
        }
    }
}
