/* Slots of crn_contact_data, and how its reader fills them. */
#ifndef CAIRN_IO_CONTACT_DATA_H
#define CAIRN_IO_CONTACT_DATA_H

#include "io/io_room.h"

/** Where crn_contact_data keeps which array. */
enum {
    CRN_IO_CONTACT_BODY,
    CRN_IO_CONTACT_POINT,
    CRN_IO_CONTACT_ROW,
    CRN_IO_CONTACT_FREE, /* free velocity */
    CRN_IO_CONTACT_VELOCITY,
    CRN_IO_CONTACT_WRENCH,
    CRN_IO_CONTACT_GAP,
    CRN_IO_CONTACT_MATRIX,
    CRN_IO_CONTACT_JACOBIAN,
    CRN_IO_CONTACT_ROW_JACOBIAN
};

/** Make data empty, owning nothing, with the allocator that will fill it. */
void crn_io_contact_begin(crn_contact_data *data, const crn_allocator *allocator);

/** Take count items of size bytes, all 0, into a slot. name is the file that the message blames. */
crn_status crn_io_contact_take(crn_contact_data *data, int slot, const char *name, size_t count, size_t size,
                               void **block, crn_error *error);

/** Exchange the halves of a spatial vector: (w, v) to (v, w) and back. Files are linear first, the library is angular
 *  first. from and to do not overlap. */
void crn_io_swap_halves(const double from[6], double to[6]);

#endif
