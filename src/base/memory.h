/* Memory inside the library: allocation through the hooks, and an arena that hands out pieces of a workspace.
 *
 * A solver runs its layout function twice: once on an arena without memory, which only counts bytes, and once on the
 * real one. So the size that is asked for and the pieces that are taken cannot disagree. */
#ifndef CRN_BASE_MEMORY_H
#define CRN_BASE_MEMORY_H

#include <string.h>

#include <cairn/base.h>

#include "base/shared.h"

/* What *_default() functions leave in the cookie of a definition. */
#define CRN_COOKIE UINT32_C(0x4341524e)

/* Alignment of every piece: one cache line, so that vector loads never straddle two. */
#define CRN_ARENA_ALIGN ((size_t)64)

typedef struct crn_arena {
    unsigned char *data; /* NULL: count only */
    size_t size;         /* bytes at data */
    size_t used;         /* bytes handed out, or counted */
    bool overflow;       /* a request did not fit into size_t, or into the memory */
} crn_arena;

/* An arena that only counts. */
CRN_SHARED crn_arena crn_arena_counting(void);

/* The next multiple of the alignment. */
static inline size_t crn_arena_rounded(size_t bytes)
{
    return (bytes + CRN_ARENA_ALIGN - 1) & ~(CRN_ARENA_ALIGN - 1);
}

/* count items of item_size bytes, aligned; NULL from a counting arena, or when the arena is too small. In the header
 * because every solve takes some forty pieces. */
static inline void *crn_arena_take(crn_arena *arena, size_t count, size_t item_size)
{
    /* The product cannot overflow while both are below the root of SIZE_MAX: no division in the usual case. */
    const size_t root = (size_t)1 << (sizeof(size_t) * 4);
    if ((count >= root || item_size >= root) && item_size != 0 && count > (SIZE_MAX - CRN_ARENA_ALIGN) / item_size) {
        arena->overflow = true;
        return NULL;
    }
    size_t bytes = crn_arena_rounded(count * item_size);
    if (bytes > SIZE_MAX - arena->used) {
        arena->overflow = true;
        return NULL;
    }
    size_t offset = arena->used;
    arena->used += bytes;
    if (arena->data == NULL || arena->used > arena->size) {
        arena->overflow = arena->overflow || arena->data != NULL;
        return NULL;
    }
    return arena->data + offset;
}

/* a b, or the largest number where that does not fit: on 32 bits a matrix of 70,000 unknowns has too many entries. */
static inline size_t crn_size_times(size_t a, size_t b)
{
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* memcpy() and memset() that accept NULL where there is nothing: a world without trees has no coordinates. */
static inline void crn_copy_numbers(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static inline void crn_clear_numbers(double *numbers, int count)
{
    if (count > 0) {
        memset(numbers, 0, (size_t)count * sizeof *numbers);
    }
}

#define CRN_TAKE(arena, type, count) ((type *)crn_arena_take((arena), (size_t)(count), sizeof(type)))
#define CRN_TAKE_MATRIX(arena, type, rows, columns) \
    ((type *)crn_arena_take((arena), crn_size_times((size_t)(rows), (size_t)(columns)), sizeof(type)))

/* An arena on the memory that the workspace has now; one that only counts if it has none. */
crn_arena crn_workspace_present(const crn_workspace *workspace);

/* Make the workspace hold at least `bytes` and set arena on it. */
crn_status crn_workspace_arena(crn_workspace *workspace, size_t bytes, crn_arena *arena, crn_error *error);

/* count * item_size bytes from the allocator (NULL or all-NULL hooks: the default one); NULL on failure or overflow.
 * A request of 0 bytes gives a valid block. */
CRN_SHARED void *crn_allocate(const crn_allocator *allocator, size_t count, size_t item_size);

/* Make *array, of *capacity items, hold at least `needed`, which it does not: crn_reserve(). */
CRN_SHARED bool crn_grow(const crn_allocator *allocator, void **array, int *capacity, int needed, size_t item_size);

/* Make *array, of *capacity items, hold at least `needed`: it grows by half, so that appending one by one stays cheap, and
 * keeps its content. A request of 0 items gives a valid block. False, with nothing changed, if there is no memory. In the header
 * because every step asks some thirty times, nearly always for what is there. */
static inline bool crn_reserve(const crn_allocator *allocator, void **array, int *capacity, int needed,
                               size_t item_size)
{
    return (*capacity > 0 && needed <= *capacity) || crn_grow(allocator, array, capacity, needed, item_size);
}

/* Give a block back; NULL is fine. */
CRN_SHARED void crn_release(const crn_allocator *allocator, void *block);

#endif
