/* Where two shapes touch: ask the family that knows the pair, then sort by key. */
#include "collide/mesh/mesh_pair.h"

/* Shell's sort: insertion sort for the few touches of most pairs, no memory and no bad case for the many of a height
 * field. Keys are unique within a pair, so the order is too. */
static void sort_by_key(crn_touch *touch, int count)
{
    static const int steps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; ++s) {
        int step = steps[s];
        for (int k = step; k < count; ++k) {
            if (touch[k].key >= touch[k - step].key) {
                continue;
            }
            crn_touch moved = touch[k];
            int at = k;
            while (at >= step && touch[at - step].key > moved.key) {
                touch[at] = touch[at - step];
                at -= step;
            }
            touch[at] = moved;
        }
    }
}

int crn_collide_with(crn_collide_scratch *scratch, const crn_shape *a, const crn_frame *frame_a, const crn_shape *b,
                     const crn_frame *frame_b, double reach, const crn_collide_motion *motion, crn_touch *touch,
                     int capacity)
{
    crn_query query = {a, b, frame_a, frame_b, reach, motion != NULL ? *motion : crn_collide_motion_unknown()};
    crn_touches out = {touch, 0, capacity > 0 ? capacity : 0};
    scratch->is_short = false;
    if (a->type->traits.is_planar) {
        (void)crn_collide_planar(&query, &out);
    } else if (!crn_collide_mesh(&query, scratch, &out) && !crn_collide_primitive(&query, &out) &&
               !crn_collide_convex(&query, &out)) {
        (void)crn_collide_field(&query, &out);
    }
    sort_by_key(touch, out.count < out.capacity ? out.count : out.capacity);
    return scratch->is_short ? -1 : out.count;
}

/* Enough for most pairs of meshes: some 50 kB. */
typedef struct lent_memory {
    crn_feature_pair found[256];
    crn_crossing crossing[128];
    crn_link link[128];
    crn_contour contour[32];
    int order[256], kept[256], spare[512];
} lent_memory;

static int collide_meshes(const crn_shape *a, const crn_frame *frame_a, const crn_shape *b, const crn_frame *frame_b,
                          double reach, crn_touch *touch, int capacity)
{
    lent_memory memory;
    crn_collide_scratch scratch = {.allocator = a->allocator};
    crn_scratch_lend(&scratch, CRN_LIST_FOUND, memory.found, sizeof memory.found, sizeof *memory.found);
    crn_scratch_lend(&scratch, CRN_LIST_CROSSING, memory.crossing, sizeof memory.crossing, sizeof *memory.crossing);
    crn_scratch_lend(&scratch, CRN_LIST_LINK, memory.link, sizeof memory.link, sizeof *memory.link);
    crn_scratch_lend(&scratch, CRN_LIST_CONTOUR, memory.contour, sizeof memory.contour, sizeof *memory.contour);
    crn_scratch_lend(&scratch, CRN_LIST_ORDER, memory.order, sizeof memory.order, sizeof *memory.order);
    crn_scratch_lend(&scratch, CRN_LIST_KEPT, memory.kept, sizeof memory.kept, sizeof *memory.kept);
    crn_scratch_lend(&scratch, CRN_LIST_SPARE, memory.spare, sizeof memory.spare, sizeof *memory.spare);
    int count = crn_collide_with(&scratch, a, frame_a, b, frame_b, reach, NULL, touch, capacity);
    crn_collide_scratch_free(&scratch);
    return count;
}

int crn_collide(const crn_shape *a, const crn_frame *frame_a, const crn_shape *b, const crn_frame *frame_b,
                double reach, crn_touch *touch, int capacity)
{
    if (a == NULL || b == NULL || frame_a == NULL || frame_b == NULL || (touch == NULL && capacity > 0)) {
        return 0;
    }
    if (a->def.kind == CRN_SHAPE_MESH || b->def.kind == CRN_SHAPE_MESH) {
        return collide_meshes(a, frame_a, b, frame_b, reach, touch, capacity);
    }
    crn_collide_scratch none = {.is_short = false};
    return crn_collide_with(&none, a, frame_a, b, frame_b, reach, NULL, touch, capacity);
}
