/* Problems that own their arrays, and checked allocation for the readers. */
#include "io/io_room.h"

#include "base/memory.h"

#include <string.h>

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

crn_status crn_io_take_reals(crn_lcp_data *data, int slot, const char *name, size_t count, double **values,
                             crn_error *error)
{
    crn_status status = crn_io_take(&data->allocator, name, count, sizeof(double), &data->storage[slot], error);
    *values = data->storage[slot];
    return status;
}

void crn_io_begin(crn_lcp_data *data, const crn_allocator *allocator)
{
    memset(data, 0, sizeof *data);
    data->allocator = crn_io_allocator(allocator);
}

void crn_lcp_data_free(crn_lcp_data *data)
{
    if (data == NULL) {
        return;
    }
    for (size_t slot = 0; slot < sizeof data->storage / sizeof data->storage[0]; ++slot) {
        crn_release(&data->allocator, data->storage[slot]);
    }
    memset(data, 0, sizeof *data);
}
