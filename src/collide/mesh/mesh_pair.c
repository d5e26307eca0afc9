/* All contacts of two meshes: search, filter, and search deeper as long as the overlap is not explained.
 *
 * Gaps from 0 to reach are of interest, and every overlap, however deep. A search as deep as reach would explain a deep
 * overlap by its shallow rim. So the contours where the surfaces cross say how deep it may be, and the search is
 * repeated with a larger depth until they, and the deepest pair found, are well inside; then mesh_pair_deep.c has the
 * last word. */
#include "collide/mesh/mesh_pair.h"

#include <limits.h>

/* The depth that contours ask for must be this much inside of the one that was searched, */
#define NEED 1.1
/* and the deepest pair that is kept: what is deeper than the search may hide behind it. */
#define WELL_INSIDE 0.7
/* A wider search is at least so much wider; there are at most SEARCHES; none is wider than this part of the smaller
 * mesh. */
#define WIDER    2.5
#define SEARCHES 5
#define WIDEST   0.25

/* And none that looks at more pairs of triangles than this: some 30 ms. Deep overlap of fine meshes is left to the
 * last word then. The first search has no such limit. */
#define MOST_PAIRS 200000L

/* Rounding of places, and of inside and outside, relative to the size of the smaller mesh. */
#define SLACK     1e-9
#define TOLERANCE 1e-6

crn_mesh_pair crn_pair_of(const crn_mesh *a, const crn_frame *frame_a, const crn_mesh *b, const crn_frame *frame_b,
                          double reach, crn_collide_scratch *scratch)
{
    crn_mesh_pair t = {.a = a, .b = b, .reach = reach, .depth = reach, .scratch = scratch};
    t.frame.rotation = crn_m3_transposed_product(&frame_a->rotation, &frame_b->rotation);
    t.frame.position = crn_frame_local(frame_a, frame_b->position);
    t.size = crn_pair_smaller(a->size, b->size);
    t.slack = SLACK * t.size;
    t.tolerance = TOLERANCE * t.size;
    return t;
}

/* How deep must the search be, by the contours and by what was found? */
static double needed_depth(const crn_mesh_pair *t)
{
    double need = 0.0;
    for (int k = 0; k < t->contours; ++k) {
        const crn_contour *x = &t->contour[k];
        need = crn_pair_larger(need, NEED * crn_pair_larger(x->most - x->least, x->depth));
    }
    for (int k = 0; k < t->kept_count; ++k) {
        need = crn_pair_larger(need, -t->found[t->kept[k]].gap / WELL_INSIDE);
    }
    return need;
}

static bool search(crn_mesh_pair *t, double depth, long most)
{
    t->depth = depth;
    t->found_count = 0;
    t->pairs_left = most;
    return crn_pair_descend(t) && crn_pair_filter(t);
}

bool crn_pair_find(crn_mesh_pair *t)
{
    double widest = crn_pair_larger(t->reach, WIDEST * t->size);
    t->wants_crossings = true;
    t->crossings = 0;
    if (!search(t, t->depth, LONG_MAX) || !crn_pair_contours(t)) {
        return false;
    }
    t->wants_crossings = false;
    if (t->crossings == 0) {
        return crn_pair_swallowed(t);
    }
    bool is_explained = crn_pair_explain(t), is_tired = false;
    for (int k = 1; k < SEARCHES && t->depth < widest && !is_tired; ++k) {
        double need = needed_depth(t), before = t->depth;
        if (is_explained && need <= t->depth) {
            return true;
        }
        double wider = crn_pair_smaller(widest, crn_pair_larger(need, WIDER * t->depth));
        if (!search(t, wider, MOST_PAIRS)) {
            is_tired = !t->scratch->is_short;
            if (!is_tired || !search(t, before, LONG_MAX)) { /* back to the one that was not too much */
                return false;
            }
        }
        is_explained = crn_pair_explain(t);
    }
    return is_explained || crn_pair_pierce(t);
}

/* --- Keys --- */

static int bits_for(int vertices, int edges, int faces)
{
    int most = edges > faces ? edges : faces, bits = 1;
    most = most > vertices ? most : vertices;
    while (bits < 31 && most > 1 << bits) {
        bits++;
    }
    return bits;
}

/* Spread 64 bits over 32: multiply and fold, twice. */
static uint32_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x >> 32);
}

/* Curved solids number their features up to here. */
#define ROUND_FEATURES 64

typedef struct keys {
    int bits_a, bits_b;
    bool is_packed;
} keys;

/* Type and both features side by side where 32 bits hold them: 3 + 14 + 15 bits are two meshes of 8,000 triangles.
 * Else mixed. */
static uint32_t key_of(const keys *k, const crn_feature_pair *f)
{
    if (k->is_packed) {
        return ((uint32_t)f->type << k->bits_a | (uint32_t)f->a) << k->bits_b | (uint32_t)f->b;
    }
    return mixed((uint64_t)f->type << 61 ^ (uint64_t)f->a << 31 ^ (uint64_t)f->b);
}

static bool is_pair_before(const void *context, int i, int k)
{
    const crn_feature_pair *x = (const crn_feature_pair *)context + i, *y = (const crn_feature_pair *)context + k;
    if (x->type != y->type) {
        return x->type < y->type;
    }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/* A mixed key that another pair has (one in 2^32 for any two) goes to the next free one, in the order of the pairs. */
static void separate(crn_touch *touch, int first, int count)
{
    for (int k = first; k < count; ++k) {
        for (int i = first; i < k; ++i) {
            if (touch[i].key == touch[k].key) {
                touch[k].key++;
                i = first - 1;
            }
        }
    }
}

void crn_pair_write(crn_mesh_pair *t, const crn_frame *frame_a, crn_touches *out)
{
    keys k = {0, bits_for(t->b->vertices, t->b->edges, t->b->triangles), false};
    k.bits_b = t->ground != NULL ? bits_for(t->ground_features, 0, 0) : k.bits_b;
    k.bits_a = t->solid == NULL ? bits_for(t->a->vertices, t->a->edges, t->a->triangles)
                                : bits_for(ROUND_FEATURES, t->solid->edges, t->solid->vertices);
    k.is_packed = 3 + k.bits_a + k.bits_b <= 32;
    int first = out->count;
    if (!k.is_packed) {
        crn_sort_numbers(t->kept, t->kept_count, is_pair_before, t->found);
    }
    for (int i = 0; i < t->kept_count; ++i) {
        const crn_feature_pair *f = &t->found[t->kept[i]];
        crn_vec3 middle = crn_v3_scale(0.5, crn_v3_add(f->on_a, f->on_b));
        crn_touches_add(out, crn_frame_point(frame_a, middle), crn_m3_times(&frame_a->rotation, f->normal), f->gap,
                        key_of(&k, f));
    }
    if (!k.is_packed) {
        separate(out->touch, first, out->count < out->capacity ? out->count : out->capacity);
    }
}

bool crn_mesh_mesh(const crn_query *query, const crn_mesh *own, crn_collide_scratch *scratch, crn_touches *out)
{
    crn_mesh_pair t = crn_pair_of(own, query->frame_a, query->b->mesh, query->frame_b, query->reach, scratch);
    if (!crn_pair_find(&t)) {
        return false;
    }
    crn_pair_write(&t, query->frame_a, out);
    return true;
}
