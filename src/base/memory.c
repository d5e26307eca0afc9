/* Allocator hooks, workspaces and arenas. */
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *default_resize(void *user, void *block, size_t bytes)
{
    (void)user;
    return realloc(block, bytes);
}

static void default_release(void *user, void *block)
{
    (void)user;
    free(block);
}

crn_allocator crn_allocator_default(void)
{
    return (crn_allocator){default_resize, default_release, NULL};
}

static crn_allocator hooks_of(const crn_allocator *allocator)
{
    bool is_given = allocator != NULL && allocator->resize != NULL && allocator->release != NULL;
    return is_given ? *allocator : crn_allocator_default();
}

void *crn_allocate(const crn_allocator *allocator, size_t count, size_t item_size)
{
    if (item_size != 0 && count > SIZE_MAX / item_size) {
        return NULL;
    }
    crn_allocator hooks = hooks_of(allocator);
    size_t bytes = count * item_size;
    return hooks.resize(hooks.user, NULL, bytes > 0 ? bytes : 1);
}

bool crn_grow(const crn_allocator *allocator, void **array, int *capacity, int needed, size_t item_size)
{
    enum { LEAST = 16 };
    int grown = *capacity > INT_MAX / 3 * 2 ? INT_MAX : *capacity + *capacity / 2;
    int items = needed > grown ? needed : grown;
    int least = needed > 0 ? LEAST : 1; /* one for none: NULL + 0 is no pointer */
    items = items > least ? items : least;
    if (item_size == 0 || (size_t)items > SIZE_MAX / item_size) {
        return false;
    }
    crn_allocator hooks = hooks_of(allocator);
    void *block = hooks.resize(hooks.user, *array, (size_t)items * item_size);
    if (block == NULL) {
        return false;
    }
    *array = block;
    *capacity = items;
    return true;
}

void crn_release(const crn_allocator *allocator, void *block)
{
    if (block != NULL) {
        crn_allocator hooks = hooks_of(allocator);
        hooks.release(hooks.user, block);
    }
}

crn_workspace crn_workspace_with(crn_allocator allocator)
{
    return (crn_workspace){.allocator = allocator};
}

crn_workspace crn_workspace_fixed(void *data, size_t size)
{
    return (crn_workspace){.data = data, .size = size, .is_fixed = true};
}

void crn_workspace_free(crn_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    if (!workspace->is_fixed) {
        crn_release(&workspace->allocator, workspace->data);
    }
    workspace->data = NULL;
    workspace->size = 0;
    workspace->is_fixed = false;
}

/* First aligned byte at or after data. */
static unsigned char *aligned(void *data)
{
    uintptr_t address = (uintptr_t)data;
    uintptr_t step = (CRN_ARENA_ALIGN - address % CRN_ARENA_ALIGN) % CRN_ARENA_ALIGN;
    return (unsigned char *)data + step;
}

crn_status crn_workspace_arena(crn_workspace *workspace, size_t bytes, crn_arena *arena, crn_error *error)
{
    if (bytes > SIZE_MAX - 2 * CRN_ARENA_ALIGN) {
        return crn_fail(error, CRN_ERR_MEMORY, "workspace: the problem does not fit into memory");
    }
    size_t needed = crn_arena_rounded(bytes) + CRN_ARENA_ALIGN; /* room to align the first piece */
    if (workspace->size < needed) {
        if (workspace->is_fixed) {
            return crn_fail(error, CRN_ERR_WORKSPACE, "workspace: %zu bytes given, %zu needed", workspace->size,
                            needed);
        }
        /* The content is scratch: release first, so that the peak is one block and nothing is copied. */
        crn_workspace_free(workspace);
        workspace->data = crn_allocate(&workspace->allocator, needed, 1);
        if (workspace->data == NULL) {
            return crn_fail(error, CRN_ERR_MEMORY, "workspace: out of memory (%zu bytes)", needed);
        }
        workspace->size = needed;
    }
    *arena = crn_workspace_present(workspace);
    return CRN_OK;
}

crn_arena crn_workspace_present(const crn_workspace *workspace)
{
    if (workspace->data == NULL) {
        return crn_arena_counting();
    }
    /* One alignment is always set aside, so that what fits does not depend on where the memory begins. */
    bool is_usable = workspace->size >= CRN_ARENA_ALIGN;
    size_t size = is_usable ? workspace->size - CRN_ARENA_ALIGN : 0;
    return (crn_arena){.data = aligned(workspace->data), .size = size, .overflow = !is_usable};
}

crn_arena crn_arena_counting(void)
{
    return (crn_arena){0};
}
