/* A counting and failing allocator: each block is preceded by a header with its size and a mark. */
#include "test_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIVE UINT64_C(0x6C69766520626C6F)
#define DEAD UINT64_C(0x6465616420626C6F)

typedef union header {
    struct {
        uint64_t mark;
        size_t bytes;
    } block;
    max_align_t align;
} header;

static header *header_of(void *block)
{
    header *h = (header *)block - 1;
    if (h->block.mark != LIVE) {
        (void)fprintf(stderr, "test_allocator: %p is not a live block\n", block);
        abort();
    }
    return h;
}

static void release(void *user, void *block)
{
    if (block == NULL) {
        return;
    }
    test_allocator *counter = (test_allocator *)user;
    header *h = header_of(block);
    counter->live -= 1;
    counter->bytes -= h->block.bytes;
    h->block.mark = DEAD;
    free(h);
}

static void *resize(void *user, void *block, size_t bytes)
{
    test_allocator *counter = (test_allocator *)user;
    counter->calls += 1;
    if (counter->calls == counter->fail_at || bytes == 0 || bytes > SIZE_MAX - sizeof(header)) {
        return NULL;
    }
    header *h = (header *)malloc(sizeof *h + bytes);
    if (h == NULL) {
        return NULL;
    }
    h->block.mark = LIVE;
    h->block.bytes = bytes;
    memset(h + 1, 0xA5, bytes);
    if (block != NULL) {
        size_t old = header_of(block)->block.bytes;
        memcpy(h + 1, block, old < bytes ? old : bytes);
        release(user, block);
    }
    counter->live += 1;
    counter->bytes += bytes;
    counter->peak = counter->bytes > counter->peak ? counter->bytes : counter->peak;
    return h + 1;
}

crn_allocator test_allocator_hooks(test_allocator *counter)
{
    return (crn_allocator){resize, release, counter};
}
