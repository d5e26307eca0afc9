/* Contact problems that own their arrays. */
#include "io/contact_data.h"

#include "base/memory.h"

#include <string.h>

void crn_io_contact_begin(crn_contact_data *data, const crn_allocator *allocator)
{
    memset(data, 0, sizeof *data);
    data->allocator = crn_io_allocator(allocator);
}

crn_status crn_io_contact_take(crn_contact_data *data, int slot, const char *name, size_t count, size_t size,
                               void **block, crn_error *error)
{
    crn_status status = crn_io_take(&data->allocator, name, count, size, block, error);
    data->storage[slot] = *block;
    if (status == CRN_OK) {
        memset(*block, 0, count * size);
    }
    return status;
}

void crn_io_swap_halves(const double from[6], double to[6])
{
    memcpy(to, from + 3, 3 * sizeof(double));
    memcpy(to + 3, from, 3 * sizeof(double));
}

void crn_contact_data_free(crn_contact_data *data)
{
    if (data == NULL) {
        return;
    }
    for (size_t slot = 0; slot < sizeof data->storage / sizeof data->storage[0]; ++slot) {
        crn_release(&data->allocator, data->storage[slot]);
    }
    memset(data, 0, sizeof *data);
}
