/* Growing lists of a query, and heapsort: no memory, no bad case. */
#include "collide/scratch.h"

#include "base/memory.h"

#include <string.h>

void crn_scratch_lend(crn_collide_scratch *scratch, int list, void *memory, size_t bytes, size_t item_size)
{
    if (scratch->list[list].item == NULL) {
        scratch->list[list].item = memory;
        scratch->list[list].capacity = (int)(bytes / item_size);
        scratch->list[list].is_lent = true;
    }
}

bool crn_scratch_reserve(crn_collide_scratch *scratch, int list, int needed, size_t item_size)
{
    void *lent = scratch->list[list].item;
    int had = scratch->list[list].capacity;
    if (needed <= had) {
        return true;
    }
    if (scratch->list[list].is_lent) { /* move out of memory that cannot grow */
        scratch->list[list].item = NULL;
        scratch->list[list].capacity = 0;
    }
    if (!crn_reserve(&scratch->allocator, &scratch->list[list].item, &scratch->list[list].capacity, needed,
                     item_size)) {
        if (scratch->list[list].is_lent) {
            scratch->list[list].item = lent;
            scratch->list[list].capacity = had;
        }
        scratch->is_short = true;
        return false;
    }
    if (scratch->list[list].is_lent) {
        memcpy(scratch->list[list].item, lent, (size_t)had * item_size);
        scratch->list[list].is_lent = false;
    }
    return true;
}

void crn_collide_scratch_free(crn_collide_scratch *scratch)
{
    for (int k = 0; k < CRN_SCRATCH_LISTS; ++k) {
        if (!scratch->list[k].is_lent) {
            crn_release(&scratch->allocator, scratch->list[k].item);
        }
        scratch->list[k].item = NULL;
        scratch->list[k].capacity = 0;
        scratch->list[k].is_lent = false;
    }
}

/* Move number[root] down until both below it come no later. */
static void sift(int *number, int root, int count, crn_before *is_before, const void *context)
{
    int moved = number[root];
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && is_before(context, number[child], number[child + 1])) {
            child += 1;
        }
        if (!is_before(context, moved, number[child])) {
            break;
        }
        number[root] = number[child];
        root = child;
    }
    number[root] = moved;
}

void crn_sort_numbers(int *number, int count, crn_before *is_before, const void *context)
{
    for (int root = count / 2 - 1; root >= 0; --root) {
        sift(number, root, count, is_before, context);
    }
    for (int last = count - 1; last > 0; --last) {
        int first = number[0];
        number[0] = number[last];
        number[last] = first;
        sift(number, 0, last, is_before, context);
    }
}
