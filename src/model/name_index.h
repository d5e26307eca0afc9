/* Names in a table by their hash, so that a model with many named things is built in a time that grows with their number. */
#ifndef CRN_MODEL_NAME_INDEX_H
#define CRN_MODEL_NAME_INDEX_H

#include "base/memory.h"

/* Zero-initialise. Open addressing: entries lie at their hash or in the next free place behind it. */
typedef struct crn_name_index {
    struct crn_name_entry {
        const char *name; /* lives as long as the thing; NULL: an empty place */
        int index;
    } * entry;
    int count, capacity; /* capacity: a power of 2, at least twice the count */
} crn_name_index;

/* The index of the thing of that name; -1 if there is none, or name is NULL. */
int crn_name_index_find(const crn_name_index *names, const char *name);

/* Room for one more name; false without memory. */
bool crn_name_index_grow(crn_name_index *names, const crn_allocator *allocator);

/* Add a name that is not in it, for which there is room; NULL is none. */
void crn_name_index_add(crn_name_index *names, const char *name, int index);
void crn_name_index_free(crn_name_index *names, const crn_allocator *allocator);

#endif
