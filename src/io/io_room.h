/* The door of this room for tests and fuzz targets, and what its files share: problems from sources in memory, and the slots of
 * crn_lcp_data. */
#ifndef CAIRN_IO_ROOM_H
#define CAIRN_IO_ROOM_H

#include <cairn/io.h>

#include "text/source.h"

/** Where crn_lcp_data keeps which array. A dense M takes the slot of start. */
enum {
    CRN_IO_SLOT_M = 0,
    CRN_IO_SLOT_START = 0,
    CRN_IO_SLOT_ROW = 1,
    CRN_IO_SLOT_VALUE = 2,
    CRN_IO_SLOT_Q = 3,
    CRN_IO_SLOT_LOWER = 4,
    CRN_IO_SLOT_UPPER = 5
};

/* --- Parsing from memory --- */

/** As crn_io_read_matrix_market(), from memory; lower and upper may be NULL. */
crn_status crn_io_parse_matrix_market(const crn_io_source *M, const crn_io_source *q, const crn_io_source *lower,
                                      const crn_io_source *upper, const crn_allocator *allocator, crn_lcp_data *data,
                                      crn_error *error);

/** As crn_io_read_vector(), from memory. */
crn_status crn_io_parse_vector(const crn_io_source *source, int n, double *values, crn_error *error);

/** As crn_io_read_siconos(), from memory. */
crn_status crn_io_parse_siconos(const crn_io_source *source, crn_siconos_kind kind, const crn_allocator *allocator,
                                crn_lcp_data *data, crn_error *error);

/** As crn_io_read_siconos_friction(), crn_io_read_fclib() and crn_io_read_contact_json(), from memory. */
crn_status crn_io_parse_siconos_friction(const crn_io_source *source, crn_siconos_friction kind,
                                         const crn_allocator *allocator, crn_cone_data *data, crn_error *error);
crn_status crn_io_parse_fclib(const crn_io_source *source, const crn_allocator *allocator, crn_cone_data *data,
                              crn_error *error);
crn_status crn_io_parse_contact_json(const crn_io_source *source, const crn_allocator *allocator,
                                     crn_contact_data *data, crn_error *error);

/* --- Memory (lcp_data.c) --- */

/** Take count doubles into a slot of data. */
crn_status crn_io_take_reals(crn_lcp_data *data, int slot, const char *name, size_t count, double **values,
                             crn_error *error);

/** Make data empty, owning nothing, with the allocator that will fill it. */
void crn_io_begin(crn_lcp_data *data, const crn_allocator *allocator);

#endif
