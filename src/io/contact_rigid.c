/* Contact JSON of free rigid bodies, SI units, world axes, spatial vectors linear first:
 *
 *     {"kind": "rigid", "h": 0.01, "d": 8, "mu": 0.3,
 *      "bodies": [{"mass": 1, "inertia_world": [[..], [..], [..]], "com": [..], "velocity": [v, v, v, w, w, w]}, ..],
 *      "contacts": [{"a": 0, "b": -1, "point": [..], "normal": [..], "t1": [..], "t2": [..],
 *                    "mu": 0.3, "d": 8, "gap": 0, or instead of gap "offset": [n, t1, t2]}, ..],
 *      "rows": [{"a": 0, "b": -1, "jacobian_a": [v, v, v, w, w, w], "jacobian_b": [..], "offset": 0, "bound": 0}, ..],
 *      "wrench": [[f, f, f, t, t, t], ..]}
 *
 * "d" and "mu" of the file are for contacts without their own. The normal points out of b into a; -1 is the world. The
 * problem gets the free velocity v + h M^-1 wrench, with no gyroscopic term but what wrench holds. */
#include "io/contact_json.h"

#include "math/ldl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far from 1 the length of a direction may be, and from 0 the cosine of two that should be orthogonal. Directions
 * printed with seven digits pass. */
static const double direction_error = 1e-6;

/* What rounding leaves of that. Directions this good stay as they are, so that a written file reads back to the same
 * bits. */
static const double rounding_error = 16.0 * DBL_EPSILON;

/* Smallest pivot of an inertia relative to its diagonal entry: smaller ones are rounding. */
static const double inertia_singular = 1e-14;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* --- Bodies --- */

/* torque becomes I^-1 torque; false if I is not positive definite. */
static bool turn(const double inertia[9], double torque[3])
{
    double factor[9], work[3];
    memcpy(factor, inertia, sizeof factor);
    crn_ldl ldl = {.n = 3, .ld = 3, .a = factor, .work = work};
    if (!crn_ldl_factor(&ldl, inertia_singular) || ldl.negative > 0) {
        return false;
    }
    crn_ldl_solve(&ldl, torque);
    return true;
}

static crn_status read_inertia(const crn_json_place *body, double inertia[9])
{
    crn_json_place place = crn_json_find(body, "inertia_world");
    double none[3] = {0.0, 0.0, 0.0};
    crn_status status = crn_json_check_table(&place, 3, 3);
    if (status == CRN_OK) {
        status = crn_json_table(&place, 3, 3, inertia);
    }
    if (status == CRN_OK) {
        status = crn_io_make_symmetric(&place, 3, inertia);
    }
    if (status == CRN_OK && !turn(inertia, none)) {
        status = crn_json_fail(&place, "not positive definite");
    }
    return status;
}

static crn_status read_body(const crn_json_place *place, crn_contact_body *body, double velocity[6])
{
    static const char *const keys[] = {"mass", "inertia_world", "com", "velocity"};
    crn_status status = crn_json_need(place, CRN_JSON_OBJECT);
    if (status == CRN_OK) {
        status = crn_json_check_keys(place, keys, sizeof keys / sizeof keys[0]);
    }
    if (status != CRN_OK) {
        return status;
    }
    body->kind = CRN_MASS_RIGID;
    body->dof = 6;
    crn_json_place mass = crn_json_find(place, "mass"), com = crn_json_find(place, "com"),
                   speed = crn_json_find(place, "velocity");
    status = crn_json_real(&mass, &body->mass);
    if (status == CRN_OK && !(body->mass > 0.0)) {
        status = crn_json_fail(&mass, "%g is not positive", body->mass);
    }
    if (status == CRN_OK) {
        status = read_inertia(place, body->inertia);
    }
    if (status == CRN_OK) {
        status = crn_json_reals(&com, 3, body->com);
    }
    double linear_first[6] = {0.0};
    if (status == CRN_OK && speed.value != NULL) {
        status = crn_json_reals(&speed, 6, linear_first);
    }
    crn_io_swap_halves(linear_first, velocity);
    return status;
}

static crn_status read_bodies(const crn_json_place *file, crn_contact_data *data, double **velocity)
{
    crn_json_place list = crn_json_find(file, "bodies");
    int count = 0;
    void *bodies = NULL, *speeds = NULL;
    crn_status status = crn_json_array(&list, &count);
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_BODY, file->file, (size_t)count, sizeof(crn_contact_body),
                                     &bodies, file->error);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_VELOCITY, file->file, 6 * (size_t)count, sizeof(double),
                                     &speeds, file->error);
    }
    *velocity = speeds;
    for (size_t i = 0; i < (size_t)count && status == CRN_OK; ++i) {
        crn_json_place item = crn_json_at(&list, i);
        status = read_body(&item, (crn_contact_body *)bodies + i, *velocity + 6 * i);
    }
    data->problem.bodies = count;
    data->problem.body = bodies;
    data->velocity = speeds;
    return status;
}

/* --- Free velocity --- */

static crn_status read_wrenches(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place list = crn_json_find(file, "wrench");
    if (list.value == NULL) {
        return CRN_OK;
    }
    size_t count = (size_t)data->problem.bodies;
    void *wrenches = NULL;
    crn_status status = crn_json_check_table(&list, count, 6);
    if (status == CRN_OK && data->h == 0.0) {
        crn_json_place h = crn_json_find(file, "h");
        status = crn_json_fail(&h, "missing, although wrench is given");
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_WRENCH, file->file, 6 * count, sizeof(double), &wrenches,
                                     file->error);
    }
    data->wrench = wrenches;
    for (size_t i = 0; i < count && status == CRN_OK; ++i) {
        crn_json_place item = crn_json_at(&list, i);
        double linear_first[6];
        status = crn_json_reals(&item, 6, linear_first);
        if (status == CRN_OK) {
            crn_io_swap_halves(linear_first, (double *)wrenches + 6 * i);
        }
    }
    return status;
}

/* v_f = v + h M^-1 wrench of one body, angular first. */
static void move_freely(const crn_contact_body *body, const double *wrench, double h, const double v[6], double free[6])
{
    memcpy(free, v, 6 * sizeof(double));
    if (wrench == NULL) {
        return;
    }
    double spin[3] = {wrench[0], wrench[1], wrench[2]};
    (void)turn(body->inertia, spin);
    for (int k = 0; k < 3; ++k) {
        free[k] += h * spin[k];
        free[k + 3] += h * (wrench[k + 3] / body->mass);
    }
}

static crn_status set_free_velocity(const crn_json_place *file, crn_contact_data *data)
{
    size_t count = (size_t)data->problem.bodies;
    void *block = NULL;
    crn_status status =
        crn_io_contact_take(data, CRN_IO_CONTACT_FREE, file->file, 6 * count, sizeof(double), &block, file->error);
    double *free = block;
    data->problem.velocity = free;
    for (size_t i = 0; i < count && status == CRN_OK; ++i) {
        move_freely(&data->problem.body[i], data->wrench != NULL ? data->wrench + 6 * i : NULL, data->h,
                    data->velocity + 6 * i, free + 6 * i);
        for (size_t k = 0; k < 6; ++k) {
            if (!isfinite(free[6 * i + k])) {
                crn_json_place list = crn_json_find(file, "wrench"), item = crn_json_at(&list, i);
                return crn_json_fail(&item, "the free velocity is not finite");
            }
        }
    }
    return status;
}

/* --- Contacts --- */

/* The two bodies of a contact or row: they differ, and one of them moves. */
static crn_status read_pair(const crn_json_place *place, int bodies, int *a, int *b)
{
    crn_json_place first = crn_json_find(place, "a"), second = crn_json_find(place, "b");
    crn_status status = crn_json_int(&first, -1, bodies - 1, a);
    if (status == CRN_OK) {
        status = crn_json_int(&second, -1, bodies - 1, b);
    }
    if (status == CRN_OK && *a == *b) {
        status = crn_json_fail(&second, "%d is body a too", *b);
    }
    return status;
}

/* A unit vector. */
static crn_status read_direction(const crn_json_place *place, double direction[3])
{
    crn_status status = crn_json_reals(place, 3, direction);
    if (status != CRN_OK) {
        return status;
    }
    double length = sqrt(dot(direction, direction));
    if (!(fabs(length - 1.0) <= direction_error)) {
        return crn_json_fail(place, "not a unit vector: its length is %.9g", length);
    }
    for (int k = 0; k < 3 && fabs(length - 1.0) > rounding_error; ++k) {
        direction[k] /= length;
    }
    return CRN_OK;
}

/* Make a nearly orthogonal direction orthogonal to a unit vector. */
static crn_status straighten(const crn_json_place *place, const char *other, const double unit[3], double direction[3])
{
    double along = dot(unit, direction);
    if (!(fabs(along) <= direction_error)) {
        return crn_json_fail(place, "not orthogonal to %s: the cosine of the angle is %.3g", other, along);
    }
    if (fabs(along) > rounding_error) {
        for (int k = 0; k < 3; ++k) {
            direction[k] -= along * unit[k];
        }
        double length = sqrt(dot(direction, direction));
        for (int k = 0; k < 3; ++k) {
            direction[k] /= length;
        }
    }
    return CRN_OK;
}

/* normal, and t1 and t2 if they are given; t2 may be left out. */
static crn_status read_frame(const crn_json_place *place, crn_contact_point *contact)
{
    crn_json_place normal = crn_json_find(place, "normal"), t1 = crn_json_find(place, "t1"),
                   t2 = crn_json_find(place, "t2");
    crn_status status = read_direction(&normal, contact->normal);
    if (status == CRN_OK && t1.value == NULL && t2.value != NULL) {
        status = crn_json_fail(&t1, "missing, although t2 is given");
    }
    if (status != CRN_OK || t1.value == NULL) {
        return status;
    }
    status = read_direction(&t1, contact->t1);
    if (status == CRN_OK) {
        status = straighten(&t1, "normal", contact->normal, contact->t1);
    }
    if (status == CRN_OK && t2.value == NULL) {
        cross(contact->normal, contact->t1, contact->t2);
        return CRN_OK;
    }
    if (status == CRN_OK) {
        status = read_direction(&t2, contact->t2);
    }
    if (status == CRN_OK) {
        status = straighten(&t2, "normal", contact->normal, contact->t2);
    }
    return status == CRN_OK ? straighten(&t2, "t1", contact->t1, contact->t2) : status;
}

/* A member of the contact, or else of the file. */
static crn_json_place own_or_common(const crn_json_place *contact, const crn_json_place *file, const char *key)
{
    crn_json_place own = crn_json_find(contact, key), common = crn_json_find(file, key);
    return own.value == NULL && common.value != NULL ? common : own;
}

/* d, mu, and gap or offset. */
static crn_status read_numbers(const crn_json_place *place, const crn_json_place *file, double h,
                               crn_contact_point *contact, double *gap)
{
    crn_json_place d = own_or_common(place, file, "d"), mu = own_or_common(place, file, "mu");
    crn_json_place distance = crn_json_find(place, "gap"), offset = crn_json_find(place, "offset");
    crn_status status = crn_io_read_directions(&d, &contact->directions);
    if (status == CRN_OK && (contact->directions > 0 || mu.value != NULL)) {
        status = crn_io_read_mu(&mu, &contact->mu);
    }
    if (status == CRN_OK && distance.value != NULL && offset.value != NULL) {
        status = crn_json_fail(&offset, "given beside gap: only one of them may be");
    }
    if (status == CRN_OK && distance.value != NULL) {
        status = crn_io_read_gap(&distance, h, gap, &contact->offset[0]);
    }
    if (status == CRN_OK && offset.value != NULL) {
        *gap = NAN;
        status = crn_json_reals(&offset, 3, contact->offset);
    }
    return status;
}

static crn_status read_contact(const crn_json_place *place, const crn_json_place *file, const crn_contact_data *data,
                               crn_contact_point *contact, double *gap)
{
    static const char *const keys[] = {"a", "b", "point", "normal", "t1", "t2", "mu", "d", "gap", "offset"};
    crn_status status = crn_json_need(place, CRN_JSON_OBJECT);
    if (status == CRN_OK) {
        status = crn_json_check_keys(place, keys, sizeof keys / sizeof keys[0]);
    }
    if (status == CRN_OK) {
        status = read_pair(place, data->problem.bodies, &contact->a, &contact->b);
    }
    if (status == CRN_OK) {
        crn_json_place point = crn_json_find(place, "point");
        status = crn_json_reals(&point, 3, contact->position);
    }
    if (status == CRN_OK) {
        status = read_frame(place, contact);
    }
    return status == CRN_OK ? read_numbers(place, file, data->h, contact, gap) : status;
}

static crn_status read_contacts(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place list = crn_json_find(file, "contacts");
    int count = 0;
    void *contacts = NULL, *gaps = NULL;
    crn_status status = crn_json_array(&list, &count);
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_POINT, file->file, (size_t)count, sizeof(crn_contact_point),
                                     &contacts, file->error);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_GAP, file->file, (size_t)count, sizeof(double), &gaps,
                                     file->error);
    }
    for (size_t i = 0; i < (size_t)count && status == CRN_OK; ++i) {
        crn_json_place item = crn_json_at(&list, i);
        status = read_contact(&item, file, data, (crn_contact_point *)contacts + i, (double *)gaps + i);
    }
    data->problem.contacts = count;
    data->problem.contact = contacts;
    data->gap = gaps;
    return status;
}

/* --- Bilateral rows --- */

/* The Jacobian of a body that is not the world, in the library's order. */
static crn_status read_row_jacobian(const crn_json_place *row, const char *key, int body, double *values,
                                    const double **target)
{
    crn_json_place place = crn_json_find(row, key);
    if (body < 0) {
        return CRN_OK;
    }
    double linear_first[6] = {0.0};
    crn_status status = crn_json_reals(&place, 6, linear_first);
    crn_io_swap_halves(linear_first, values);
    *target = values;
    return status;
}

static crn_status read_row(const crn_json_place *place, int bodies, crn_contact_row *row, double values[12])
{
    static const char *const keys[] = {"a", "b", "jacobian_a", "jacobian_b", "offset", "bound"};
    crn_status status = crn_json_need(place, CRN_JSON_OBJECT);
    if (status == CRN_OK) {
        status = crn_json_check_keys(place, keys, sizeof keys / sizeof keys[0]);
    }
    if (status == CRN_OK) {
        status = read_pair(place, bodies, &row->a, &row->b);
    }
    if (status == CRN_OK) {
        status = read_row_jacobian(place, "jacobian_a", row->a, values, &row->jacobian_a);
    }
    if (status == CRN_OK) {
        status = read_row_jacobian(place, "jacobian_b", row->b, values + 6, &row->jacobian_b);
    }
    crn_json_place offset = crn_json_find(place, "offset"), bound = crn_json_find(place, "bound");
    if (status == CRN_OK && offset.value != NULL) {
        status = crn_json_real(&offset, &row->offset);
    }
    return status == CRN_OK && bound.value != NULL ? crn_io_read_bound(&bound, &row->bound) : status;
}

static crn_status read_rows(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place list = crn_json_find(file, "rows");
    if (list.value == NULL) {
        return CRN_OK;
    }
    int count = 0;
    void *rows = NULL, *values = NULL;
    crn_status status = crn_json_array(&list, &count);
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_ROW, file->file, (size_t)count, sizeof(crn_contact_row),
                                     &rows, file->error);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_ROW_JACOBIAN, file->file, 12 * (size_t)count, sizeof(double),
                                     &values, file->error);
    }
    for (size_t i = 0; i < (size_t)count && status == CRN_OK; ++i) {
        crn_json_place item = crn_json_at(&list, i);
        status = read_row(&item, data->problem.bodies, (crn_contact_row *)rows + i, (double *)values + 12 * i);
    }
    data->problem.rows = count;
    data->problem.row = rows;
    return status;
}

crn_status crn_io_read_rigid(const crn_json_place *file, crn_contact_data *data)
{
    static const char *const keys[] = {"kind", "h", "d", "mu", "bodies", "contacts", "rows", "wrench"};
    double *velocity = NULL;
    crn_status status = crn_json_check_keys(file, keys, sizeof keys / sizeof keys[0]);
    if (status == CRN_OK) {
        status = crn_io_read_step(file, &data->h);
    }
    if (status == CRN_OK) {
        status = read_bodies(file, data, &velocity);
    }
    if (status == CRN_OK) {
        status = read_wrenches(file, data);
    }
    if (status == CRN_OK) {
        status = set_free_velocity(file, data);
    }
    if (status == CRN_OK) {
        status = read_contacts(file, data);
    }
    return status == CRN_OK ? read_rows(file, data) : status;
}
