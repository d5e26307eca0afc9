/* Memory inside the library: allocation through the hooks, and an arena that hands out pieces of a workspace.
 *
 * A solver runs its layout function twice: once on an arena without memory, which only counts bytes, and once on the
 * real one. So the size that is asked for and the pieces that are taken cannot disagree. */
#ifndef CRN_BASE_MEMORY_H
#define CRN_BASE_MEMORY_H

#include <cairn/base.h>

/* Alignment of every piece: one cache line, so that vector loads never straddle two. */
#define CRN_ARENA_ALIGN ((size_t)64)

typedef struct crn_arena {
    unsigned char *data; /* NULL: count only */
    size_t size;         /* bytes at data */
    size_t used;         /* bytes handed out, or counted */
    bool overflow;       /* a request did not fit into size_t, or into the memory */
} crn_arena;

/* An arena that only counts. */
crn_arena crn_arena_counting(void);

/* count items of item_size bytes, aligned; NULL from a counting arena, or when the arena is too small. */
void *crn_arena_take(crn_arena *arena, size_t count, size_t item_size);

#define CRN_TAKE(arena, type, count) ((type *)crn_arena_take((arena), (size_t)(count), sizeof(type)))

/* An arena on the memory that the workspace has now; one that only counts if it has none. */
crn_arena crn_workspace_present(const crn_workspace *workspace);

/* Make the workspace hold at least `bytes` and set arena on it. */
crn_status crn_workspace_arena(crn_workspace *workspace, size_t bytes, crn_arena *arena, crn_error *error);

/* count * item_size bytes from the allocator (NULL or all-NULL hooks: the default one); NULL on failure or overflow.
 * A request of 0 bytes gives a valid block. */
void *crn_allocate(const crn_allocator *allocator, size_t count, size_t item_size);

/* Give a block back; NULL is fine. */
void crn_release(const crn_allocator *allocator, void *block);

#endif
