/* Problems that own their arrays. */
#include "io/io_room.h"

#include "base/memory.h"

#include <string.h>

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
