/* Growing lists in the memory of a query (crn_collide_scratch), and a sort that takes none. Not for other rooms. */
#ifndef CRN_COLLIDE_SCRATCH_H
#define CRN_COLLIDE_SCRATCH_H

#include "collide/collide_room.h"

/* Who uses which list. */
enum {
    CRN_LIST_FOUND,    /* crn_feature_pair */
    CRN_LIST_ORDER,    /* int: found, by type and features */
    CRN_LIST_KEPT,     /* int: found that stay */
    CRN_LIST_CROSSING, /* crn_crossing */
    CRN_LIST_LINK,     /* crn_link */
    CRN_LIST_CONTOUR,  /* crn_contour */
    CRN_LIST_FIELD,    /* bytes: part of a height field as a mesh */
    CRN_LIST_SPARE,    /* int */
};

/* Make the list hold at least `needed` items; it keeps its content. False, and scratch->is_short, without memory. */
bool crn_scratch_reserve(crn_collide_scratch *scratch, int list, int needed, size_t item_size);

/* Lend memory to a list that has none. */
void crn_scratch_lend(crn_collide_scratch *scratch, int list, void *memory, size_t bytes, size_t item_size);

/* Sort numbers by a strict order on what they stand for: is_before(context, i, k). Numbers that are equal in it come
 * out in no promised order, so it should have none. */
typedef bool crn_before(const void *context, int i, int k);
void crn_sort_numbers(int *number, int count, crn_before *is_before, const void *context);

#endif
