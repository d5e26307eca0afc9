/* An allocator that counts and, when told to, fails.
 *
 *     test_allocator counter = {0};
 *     crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
 *
 * Fresh memory is filled with junk, so that code which counts on zeros is found out; a request of 0 bytes is refused,
 * as realloc may do. A block that is released twice, or that never came from here, ends the program. */
#ifndef CRN_TEST_ALLOCATOR_H
#define CRN_TEST_ALLOCATOR_H

#include <cairn/base.h>

typedef struct test_allocator {
    long live;    /* blocks taken and not yet released */
    long calls;   /* requests for memory, failed ones included */
    long fail_at; /* fail this call, counting from 1; 0: none */
    size_t bytes; /* in live blocks */
    size_t peak;  /* largest value that bytes had */
} test_allocator;

/* Hooks that point at counter, which must outlive what they allocate. */
crn_allocator test_allocator_hooks(test_allocator *counter);

#endif
