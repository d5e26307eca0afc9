/* The parts of contact JSON: one file per kind, and one for the values that both have. */
#ifndef CAIRN_IO_CONTACT_JSON_H
#define CAIRN_IO_CONTACT_JSON_H

#include "io/contact_data.h"
#include "io/json.h"

/** Fill data from the object of a whole file, whose kind is known (contact_rigid.c, contact_generalized.c). */
crn_status crn_io_read_rigid(const crn_json_place *file, crn_contact_data *data);
crn_status crn_io_read_generalized(const crn_json_place *file, crn_contact_data *data);

/** The time step; 0 if it is missing. Fails if it is not positive. */
crn_status crn_io_read_step(const crn_json_place *file, double *h);

/** Corners of a friction polygon: 0, 2, or even and at least 4. */
crn_status crn_io_read_directions(const crn_json_place *place, int *directions);

/** A friction coefficient: not negative. */
crn_status crn_io_read_mu(const crn_json_place *place, double *mu);

/** The bound of a row's impulse: not negative, 0 means none. */
crn_status crn_io_read_bound(const crn_json_place *place, double *bound);

/** gap / h; fails where that is not finite, or h missing. */
crn_status crn_io_read_gap(const crn_json_place *place, double h, double *gap, double *offset);

/** Make a square column-major matrix exactly symmetric; fails if it is not nearly so. */
crn_status crn_io_make_symmetric(const crn_json_place *place, size_t n, double *matrix);

#endif
