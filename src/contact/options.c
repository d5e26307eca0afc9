/* Options of door 2: names of methods, what is usual, and what goes together. */
#include "contact/session.h"

#include <string.h>

static const char *const method_names[CRN_CONTACT_METHOD_COUNT] = {"auto", "states", "structural", "reduced", "bodies"};

const char *crn_contact_method_name(crn_contact_method method)
{
    return (unsigned)method < CRN_CONTACT_METHOD_COUNT ? method_names[method] : NULL;
}

bool crn_contact_method_find(const char *name, crn_contact_method *method)
{
    for (int i = 0; name && i < CRN_CONTACT_METHOD_COUNT; ++i) {
        if (strcmp(name, method_names[i]) == 0) {
            *method = (crn_contact_method)i;
            return true;
        }
    }
    return false;
}

crn_contact_options crn_contact_options_default(void)
{
    crn_contact_options options;
    memset(&options, 0, sizeof options);
    options.seed = 1;
    options.cookie = CRN_COOKIE;
    return options;
}

/* Certificates that count as solved if the caller does not say: pivoting ends at rounding, Newton's method on round cones a little above it. */
static const double TOL_POLYGON = 1e-9, TOL_ROUND = 1e-8;
enum { PATHS = 3 }; /* by default: more end in few cases [docs/theory/bodies.md] */

/* Is the method one for the cone? */
static bool fits(crn_contact_method method, crn_contact_cone cone)
{
    return method == CRN_CONTACT_AUTO || (method == CRN_CONTACT_BODIES) == (cone == CRN_CONE_ROUND);
}

crn_status crn_contact_check_options(crn_contact_options *options, crn_error *error)
{
    if (options->cookie != CRN_COOKIE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: not made by crn_contact_options_default()");
    }
    if ((unsigned)options->method >= CRN_CONTACT_METHOD_COUNT) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: method %d is unknown", (int)options->method);
    }
    if ((unsigned)options->cone > CRN_CONE_ROUND || (unsigned)options->law > CRN_LAW_CONVEX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: cone %d or law %d is unknown", (int)options->cone,
                        (int)options->law);
    }
    if (!fits(options->method, options->cone)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: method %s does not solve %s cones",
                        crn_contact_method_name(options->method),
                        options->cone == CRN_CONE_ROUND ? "round" : "polygonal");
    }
    if (options->law == CRN_LAW_CONVEX && options->cone != CRN_CONE_ROUND) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: the convex law needs the round cone");
    }
    if (!(options->tol >= 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: tol %g is negative", options->tol);
    }
    if (options->max_pivots < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: max_pivots %d is negative", options->max_pivots);
    }
    if (options->paths < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: paths %d is negative", options->paths);
    }
    int given = (options->start != NULL) + (options->start_impulse != NULL) + (options->start_velocity != NULL);
    if (given != 0 && given != 3) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: a warm start needs start, start_impulse and start_velocity");
    }
    if (!(options->start_share >= 0.0 && options->start_share <= 1.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: start_share %g is not in 0 .. 1", options->start_share);
    }
    if (options->tol == 0.0) {
        options->tol = options->cone == CRN_CONE_ROUND ? TOL_ROUND : TOL_POLYGON;
    }
    if (options->paths == 0) {
        options->paths = PATHS;
    }
    if (options->start_share == 0.0) {
        options->start_share = 1.0;
    }
    return CRN_OK;
}

/* Lloyd's methods have no states for rows with bounds. */
crn_status crn_contact_check_method(const crn_contact_problem *problem, const crn_contact_options *options,
                                    crn_error *error)
{
    bool is_lloyd = options->method == CRN_CONTACT_STRUCTURAL || options->method == CRN_CONTACT_REDUCED;
    for (int i = 0; i < problem->rows && is_lloyd; ++i) {
        if (crn_row_is_bounded(&problem->row[i])) {
            return crn_fail(error, CRN_ERR_UNSUPPORTED, "row %d has a bound, which method %s does not know", i,
                            crn_contact_method_name(options->method));
        }
    }
    return CRN_OK;
}
