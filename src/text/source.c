/* Checked allocation for readers. */
#include "text/source.h"

#include "base/memory.h"

crn_allocator crn_io_allocator(const crn_allocator *given)
{
    if (given == NULL || given->resize == NULL || given->release == NULL) {
        return crn_allocator_default();
    }
    return *given;
}

crn_status crn_io_take(const crn_allocator *allocator, const char *name, size_t count, size_t size, void **block,
                       crn_error *error)
{
    *block = crn_allocate(allocator, count, size);
    if (*block == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu items of %zu bytes", name, count, size);
    }
    return CRN_OK;
}
