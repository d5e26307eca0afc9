/* Names by hash: see name_index.h. */
#include "model/name_index.h"

#include <string.h>

typedef struct crn_name_entry entry;

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; ++name) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    }
    return hash;
}

/* The place of the name, or the empty one where it belongs; there is one. */
static entry *place_of(const crn_name_index *names, const char *name)
{
    size_t mask = (size_t)names->capacity - 1, at = (size_t)hash_of(name) & mask;
    while (names->entry[at].name != NULL && strcmp(names->entry[at].name, name) != 0) {
        at = (at + 1) & mask;
    }
    return &names->entry[at];
}

int crn_name_index_find(const crn_name_index *names, const char *name)
{
    if (name == NULL || names->capacity == 0) {
        return -1;
    }
    const entry *found = place_of(names, name);
    return found->name != NULL ? found->index : -1;
}

bool crn_name_index_grow(crn_name_index *names, const crn_allocator *allocator)
{
    enum { FIRST = 32 };
    if (2 * (names->count + 1) <= names->capacity) {
        return true;
    }
    crn_name_index larger = {.capacity = names->capacity == 0 ? FIRST : 2 * names->capacity};
    larger.entry = crn_allocate(allocator, (size_t)larger.capacity, sizeof *larger.entry);
    if (larger.entry == NULL) {
        return false;
    }
    memset(larger.entry, 0, (size_t)larger.capacity * sizeof *larger.entry);
    for (int i = 0; i < names->capacity; ++i) {
        crn_name_index_add(&larger, names->entry[i].name, names->entry[i].index);
    }
    crn_release(allocator, names->entry);
    *names = larger;
    return true;
}

void crn_name_index_add(crn_name_index *names, const char *name, int index)
{
    if (name != NULL) {
        *place_of(names, name) = (entry){name, index};
        names->count++;
    }
}

void crn_name_index_free(crn_name_index *names, const crn_allocator *allocator)
{
    crn_release(allocator, names->entry);
    *names = (crn_name_index){.entry = NULL};
}
