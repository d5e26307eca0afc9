/* Where two shapes touch: ask the family that knows the pair, then sort by key. */
#include "collide/shape.h"

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

int crn_collide(const crn_shape *a, const crn_frame *frame_a, const crn_shape *b, const crn_frame *frame_b,
                double reach, crn_touch *touch, int capacity)
{
    crn_query query = {a, b, frame_a, frame_b, reach};
    crn_touches out = {touch, 0, capacity > 0 ? capacity : 0};
    bool has_mesh = a->def.kind == CRN_SHAPE_MESH || b->def.kind == CRN_SHAPE_MESH;
    if (crn_shape_kind_is_planar(a->def.kind)) {
        (void)crn_collide_planar(&query, &out);
    } else if (has_mesh) {
        (void)crn_collide_mesh(&query, &out);
    } else if (!crn_collide_primitive(&query, &out)) {
        (void)crn_collide_convex(&query, &out);
    }
    sort_by_key(touch, out.count < out.capacity ? out.count : out.capacity);
    return out.count;
}
