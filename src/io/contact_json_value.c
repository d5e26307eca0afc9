/* Values that both kinds of contact JSON have: time step, friction, bounds, gaps, symmetric matrices. */
#include "io/contact_json.h"
#include "math/elementary.h"

#include <limits.h>
#include <math.h>

/* How far a mass matrix or inertia may be from symmetric, relative to its largest entry: printed with nine digits. */
static const double asymmetry_allowed = 1e-8;

crn_status crn_io_read_step(const crn_json_place *file, double *h)
{
    crn_json_place place = crn_json_find(file, "h");
    *h = 0.0;
    if (place.value == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_json_real(&place, h);
    return status == CRN_OK && !(*h > 0.0) ? crn_json_fail(&place, "%g is not positive", *h) : status;
}

crn_status crn_io_read_directions(const crn_json_place *place, int *directions)
{
    crn_status status = crn_json_int(place, 0, INT_MAX, directions);
    if (status == CRN_OK && *directions % 2 != 0) {
        status = crn_json_fail(place, "%d is not 0, 2, or an even number of at least 4", *directions);
    }
    return status;
}

crn_status crn_io_read_mu(const crn_json_place *place, double *mu)
{
    crn_status status = crn_json_real(place, mu);
    if (status == CRN_OK && *mu < 0.0) {
        status = crn_json_fail(place, "%g is negative", *mu);
    }
    if (status == CRN_OK && *mu > CRN_CONTACT_MU_MOST) {
        status = crn_json_fail(place, "%g is more than %g", *mu, CRN_CONTACT_MU_MOST);
    }
    return status;
}

crn_status crn_io_read_bound(const crn_json_place *place, double *bound)
{
    crn_status status = crn_json_real(place, bound);
    return status == CRN_OK && *bound < 0.0 ? crn_json_fail(place, "%g is negative", *bound) : status;
}

crn_status crn_io_read_gap(const crn_json_place *place, double h, double *gap, double *offset)
{
    crn_status status = crn_json_real(place, gap);
    if (status != CRN_OK) {
        return status;
    }
    *offset = *gap != 0.0 ? *gap / h : 0.0;
    if (h == 0.0 && *gap != 0.0) {
        return crn_json_fail(place, "%g needs the time step h, which is missing", *gap);
    }
    return isfinite(*offset) ? CRN_OK : crn_json_fail(place, "%g / h is not finite", *gap);
}

crn_status crn_io_make_symmetric(const crn_json_place *place, size_t n, double *matrix)
{
    double largest = 0.0;
    for (size_t k = 0; k < n * n; ++k) {
        largest = crn_fmax(largest, fabs(matrix[k]));
    }
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j + 1; i < n; ++i) {
            double *below = &matrix[i + j * n], *above = &matrix[j + i * n];
            if (!(fabs(*below - *above) <= asymmetry_allowed * largest)) {
                return crn_json_fail(place, "not symmetric: entries (%zu, %zu) and (%zu, %zu) are %.9g and %.9g", i + 1,
                                     j + 1, j + 1, i + 1, *below, *above);
            }
            *below = *above = 0.5 * *below + 0.5 * *above;
        }
    }
    return CRN_OK;
}
