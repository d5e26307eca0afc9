/* Triangles that stand twice, and neighbours that do not agree on which side is outside.
 *
 * Two triangles with the same corners in the same sense are one: the second is dropped. (The same corners in the other
 * sense are the two sides of a sheet, and stay.)
 *
 * Two triangles that are alone on an edge agree if they run along it in opposite ways. Where some do not, triangles are
 * turned until all do: going over from neighbour to neighbour, each piece has one way to do it, up to turning all of it, and
 * the way that turns fewer triangles is taken (mesh_shells.c sees to which side is outside). A piece that has no such way
 * has one side only, as a Moebius strip: it is refused. Edges of more than two triangles say nothing here. */
#include "collide/mesh/mesh_parts.h"

/* --- Duplicates --- */

/* The corners from the lowest on. */
static void rotated(const int *corner, int to[3])
{
    int low = corner[0] < corner[1] ? 0 : 1;
    low = corner[2] < corner[low] ? 2 : low;
    for (int k = 0; k < 3; ++k) {
        to[k] = corner[(low + k) % 3];
    }
}

/* item: triangles such that those with the same corners follow each other, in the order given. */
static void sort_by_corners(crn_mesh_draft *d)
{
    for (int t = 0; t < d->triangles; ++t) {
        d->item[t] = t;
    }
    for (int pass = 0; pass < 2; ++pass) { /* third corner, then first and second: the sort keeps the order of equals */
        for (int i = 0; i < d->triangles; ++i) {
            int c[3];
            rotated(d->face + 3 * (size_t)d->item[i], c);
            d->key[i] = pass == 0 ? (uint64_t)c[2] : (uint64_t)c[0] << 32 | (uint64_t)c[1];
        }
        crn_radix_sort(d->triangles, d->key, d->item, d->other_key, d->other_item);
    }
}

static bool is_same(const crn_mesh_draft *d, int s, int t)
{
    int a[3], b[3];
    rotated(d->face + 3 * (size_t)s, a);
    rotated(d->face + 3 * (size_t)t, b);
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

void crn_mesh_drop_duplicates(crn_mesh_draft *d)
{
    int *is_dropped = d->list[0], kept = 0;
    sort_by_corners(d);
    for (int i = 0; i < d->triangles; ++i) {
        is_dropped[d->item[i]] = i > 0 && is_same(d, d->item[i - 1], d->item[i]);
    }
    for (int t = 0; t < d->triangles; ++t) {
        if (!is_dropped[t]) {
            for (int k = 0; k < 3; ++k) {
                d->face[3 * (size_t)kept + (size_t)k] = d->face[3 * (size_t)t + (size_t)k];
            }
            d->given_of[kept++] = d->given_of[t];
        }
    }
    d->facts.duplicates = d->triangles - kept;
    d->triangles = kept;
}

/* --- Agreement --- */

static bool run_alike(const crn_mesh_draft *d, int g, int h)
{
    return d->face[g] == d->face[h];
}

/* mate: of half-edges whose edge has two triangles, the other one whichever way it runs; -1 elsewhere. Needs the half-edges
 * in order. Do all agree? */
static bool pair_alone(crn_mesh_draft *d)
{
    int halves = 3 * d->triangles;
    bool agree = true;
    for (int first = 0, last; first < halves; first = last) {
        for (last = first + 1; last < halves && d->key[last] == d->key[first]; ++last) {
        }
        for (int i = first; i < last; ++i) {
            d->mate[d->sorted[i]] = last - first == 2 ? d->sorted[2 * first + 1 - i] : -1;
        }
        agree = agree && (last - first != 2 || !run_alike(d, d->sorted[first], d->sorted[first + 1]));
    }
    return agree;
}

/* Go over a piece from triangle `first`, noting for each whether it stays (1) or is turned (-1) if the first stays; 0: not
 * reached yet. Returns how many there are in queue, or -1 - t if triangle t can have neither. */
static int spread(const crn_mesh_draft *d, int first, int *queue, int *sense)
{
    int count = 0;
    sense[first] = 1;
    queue[count++] = first;
    for (int i = 0; i < count; ++i) {
        for (int h = 3 * queue[i]; h < 3 * queue[i] + 3; ++h) {
            if (d->mate[h] < 0) {
                continue;
            }
            int beside = d->mate[h] / 3, wanted = run_alike(d, h, d->mate[h]) ? -sense[queue[i]] : sense[queue[i]];
            if (sense[beside] == 0) {
                sense[beside] = wanted;
                queue[count++] = beside;
            } else if (sense[beside] != wanted) {
                return -1 - beside;
            }
        }
    }
    return count;
}

/* Turn those of a piece that are fewer. */
static void turn_fewer(crn_mesh_draft *d, const int *piece, int count, const int *sense)
{
    int turned = 0;
    for (int i = 0; i < count; ++i) {
        turned += sense[piece[i]] < 0 ? 1 : 0;
    }
    int wrong = 2 * turned <= count ? -1 : 1;
    for (int i = 0; i < count; ++i) {
        if (sense[piece[i]] == wrong) {
            crn_mesh_turn(d, piece[i]);
            d->facts.turned++;
        }
    }
}

crn_status crn_mesh_agree(crn_mesh_draft *d, crn_error *error)
{
    d->facts.turned = 0;
    crn_mesh_sort_half_edges(d);
    if (pair_alone(d)) {
        return CRN_OK;
    }
    int *queue = d->list[0], *sense = d->list[1];
    for (int t = 0; t < d->triangles; ++t) {
        sense[t] = 0;
    }
    for (int t = 0, count = 0; t < d->triangles; ++t) {
        count = sense[t] == 0 ? spread(d, t, queue, sense) : 0;
        if (count < 0) {
            return crn_fail(error, CRN_ERR_ARGUMENT,
                            "triangles: no inside: those around triangle %d cannot be turned so that all agree",
                            d->given_of[-1 - count]);
        }
        turn_fewer(d, queue, count, sense);
    }
    return CRN_OK;
}
