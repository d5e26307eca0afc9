/* Friction problems that own their arrays. */
#include "io/cone_data.h"

#include "base/memory.h"

#include <string.h>

void crn_io_cone_begin(crn_cone_data *data, const crn_allocator *allocator)
{
    memset(data, 0, sizeof *data);
    data->allocator = crn_io_allocator(allocator);
}

crn_status crn_io_cone_reals(crn_cone_data *data, int slot, const char *name, size_t count, double **values,
                             crn_error *error)
{
    crn_status status = crn_io_take(&data->allocator, name, count, sizeof(double), &data->storage[slot], error);
    *values = data->storage[slot];
    return status;
}

void crn_io_cone_adopt(crn_cone_data *data, int slot, crn_io_matrix *matrix, crn_cone_matrix *target)
{
    data->storage[slot] = matrix->start;
    data->storage[slot + 1] = matrix->row;
    data->storage[slot + 2] = matrix->value;
    *target = (crn_cone_matrix){.rows = matrix->rows,
                                .columns = matrix->columns,
                                .start = matrix->start,
                                .row = matrix->row,
                                .value = matrix->value};
    *matrix = (crn_io_matrix){0};
}

void crn_cone_data_free(crn_cone_data *data)
{
    if (data == NULL) {
        return;
    }
    for (size_t slot = 0; slot < sizeof data->storage / sizeof data->storage[0]; ++slot) {
        crn_release(&data->allocator, data->storage[slot]);
    }
    memset(data, 0, sizeof *data);
}
