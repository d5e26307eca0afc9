/* Which of two shapes comes first: by this every family puts a pair in one order, so that swapping it mirrors the answer. */
#include "collide/shape.h"

int crn_compare_numbers(const double *x, const double *y, int count)
{
    for (int k = 0; k < count; ++k) {
        if (x[k] != y[k]) {
            return x[k] < y[k] ? -1 : 1;
        }
    }
    return 0;
}

bool crn_query_is_above(const crn_query *q)
{
    /* mostly upward, and along no axis: neighbours in a stack or a grid keep their order when they shift a little */
    const crn_vec3 slanted = {0.36, 0.48, 0.80};
    double height = crn_v3_dot(slanted, crn_v3_sub(q->frame_a->position, q->frame_b->position));
    if (height != 0.0) {
        return height > 0.0;
    }
    double at[2][3];
    crn_v3_to(q->frame_a->position, at[0]);
    crn_v3_to(q->frame_b->position, at[1]);
    int by_position = crn_compare_numbers(at[0], at[1], 3);
    return by_position != 0 ? by_position > 0
                            : crn_compare_numbers(q->frame_a->rotation.m, q->frame_b->rotation.m, 9) > 0;
}
