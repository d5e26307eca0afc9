/* Slots of crn_cone_data, and how the readers of friction problems fill them. */
#ifndef CAIRN_IO_CONE_DATA_H
#define CAIRN_IO_CONE_DATA_H

#include "io/matrix.h"

/** Where crn_cone_data keeps which array. A matrix takes three slots: start, row, value. */
enum {
    CRN_IO_CONE_W = 0,
    CRN_IO_CONE_M = 0,
    CRN_IO_CONE_H = 3,
    CRN_IO_CONE_G = 6,
    CRN_IO_CONE_MU = 9,
    CRN_IO_CONE_Q = 10, /* q of a local problem, f of a global one */
    CRN_IO_CONE_W_VECTOR = 11,
    CRN_IO_CONE_B = 12
};

/** Make data empty, owning nothing, with the allocator that will fill it. */
void crn_io_cone_begin(crn_cone_data *data, const crn_allocator *allocator);

/** Take count doubles into a slot. name is the file that the message blames. */
crn_status crn_io_cone_reals(crn_cone_data *data, int slot, const char *name, size_t count, double **values,
                             crn_error *error);

/** Hand the arrays of a compressed matrix over to data, which shows them as target; matrix is empty afterwards. */
void crn_io_cone_adopt(crn_cone_data *data, int slot, crn_io_matrix *matrix, crn_cone_matrix *target);

/** Fill in how symmetric W or M is, and make it so where only lost digits are in the way (cone_symmetry.c). */
void crn_io_cone_look_at_symmetry(crn_cone_data *data);

/** The contact problem as a global friction problem with dim components per contact (contact_cone.c); tangents that the
 *  problem leaves open are chosen. */
crn_status crn_io_contact_matrices(const crn_contact_problem *problem, int dim, crn_cone_data *data, crn_error *error);

#endif
