/* gallery_assemble.c -- outlet of a list of contacts: the LCP. Whitening, Gram matrix, cone rows. */
#include <math.h>

#include "gallery_contact.h"
#include "gallery_data.h"

static const double two_pi = 6.283185307179586;

/* A column of [N D] in pieces: body_dof numbers on each of the two bodies of its contact. */
typedef struct spread {
    int contact;
    const double *piece[2];
} spread;

static void combine(double *out, const double *columns, size_t k, double c, double s)
{
    for (size_t l = 0; l < k; ++l) {
        out[l] = c * columns[k + l] + s * columns[2 * k + l];
    }
}

/* [N D]: the normals of all contacts, then the d directions of each contact; D's numbers go to room. */
static void spread_directions(const crn_gallery_contacts *contacts, spread *W, double *room)
{
    size_t k = (size_t)contacts->body_dof;
    int d = contacts->directions;
    for (int i = 0; i < contacts->count; ++i) {
        for (int j = -1; j < d; ++j) {
            spread *column = &W[j < 0 ? i : contacts->count + i * d + j];
            column->contact = i;
            for (int side = 0; side < 2; ++side) {
                const double *n = crn_gallery_contacts_columns(contacts, i, side);
                column->piece[side] = n;
                if (j >= 0) {
                    combine(room, n, k, cos(two_pi * j / d), sin(two_pi * j / d));
                    column->piece[side] = room;
                    room += k;
                }
            }
        }
    }
}

static double add_dot(double sum, const double *a, const double *b, size_t k)
{
    for (size_t i = 0; i < k; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Product of two columns over the bodies that both have, the body of lower number first. */
static double product(const crn_gallery_contacts *contacts, const spread *x, const spread *y)
{
    const int *of_x = contacts->touching[x->contact].body;
    const int *of_y = contacts->touching[y->contact].body;
    int low = of_x[0] <= of_x[1] ? 0 : 1;
    double sum = 0.0;
    for (int turn = 0; turn < 2; ++turn) {
        int side = turn == 0 ? low : 1 - low;
        for (int other = 0; other < 2; ++other) {
            if (of_x[side] != CRN_GALLERY_GROUND && of_x[side] == of_y[other]) {
                sum = add_dot(sum, x->piece[side], y->piece[other], (size_t)contacts->body_dof);
            }
        }
    }
    return sum;
}

/* The block [N D]'[N D], each product computed once, so that it is symmetric to the last bit. */
static void fill_gram(const crn_gallery_contacts *contacts, const spread *W, int columns, crn_lcp_data *data)
{
    for (int j = 0; j < columns; ++j) {
        for (int i = 0; i <= j; ++i) {
            double entry = product(contacts, &W[i], &W[j]);
            crn_gallery_set(data, i, j, entry);
            crn_gallery_set(data, j, i, entry);
        }
    }
}

/* Velocity of the free motion along a column. */
static double free_velocity(const crn_gallery_contacts *contacts, const spread *x)
{
    size_t k = (size_t)contacts->body_dof;
    const int *body = contacts->touching[x->contact].body;
    int low = body[0] <= body[1] ? 0 : 1;
    double sum = 0.0;
    for (int turn = 0; turn < 2; ++turn) {
        int side = turn == 0 ? low : 1 - low;
        if (body[side] != CRN_GALLERY_GROUND) {
            sum = add_dot(sum, x->piece[side], contacts->momentum + (size_t)body[side] * k, k);
        }
    }
    return sum;
}

/* q = (N'k + bias_n, D'k + bias_d, 0) */
static void fill_q(const crn_gallery_contacts *contacts, const spread *W, crn_lcp_data *data)
{
    int d = contacts->directions;
    double *q = crn_gallery_q(data);
    for (int i = 0; i < contacts->count; ++i) {
        const double *bias = contacts->touching[i].bias;
        q[i] = free_velocity(contacts, &W[i]) + bias[0];
        for (int j = 0; j < d; ++j) {
            int row = contacts->count + i * d + j;
            double along = cos(two_pi * j / d) * bias[1] + sin(two_pi * j / d) * bias[2];
            q[row] = free_velocity(contacts, &W[row]) + along;
        }
    }
}

/* The blocks E, mu and -E'. */
static void fill_cones(const crn_gallery_contacts *contacts, crn_lcp_data *data)
{
    int d = contacts->directions;
    for (int i = 0; i < contacts->count && d > 0; ++i) {
        int lambda = contacts->count * (1 + d) + i;
        crn_gallery_set(data, lambda, i, contacts->touching[i].friction);
        for (int j = 0; j < d; ++j) {
            int phi = contacts->count + i * d + j;
            crn_gallery_set(data, phi, lambda, 1.0);
            crn_gallery_set(data, lambda, phi, -1.0);
        }
    }
}

static crn_status fill_lcp(const crn_gallery_contacts *contacts, int columns, crn_lcp_data *data, crn_error *error)
{
    size_t count = (size_t)columns, k = (size_t)contacts->body_dof;
    crn_allocator allocator = contacts->allocator;
    spread *W = allocator.resize(allocator.user, NULL, count * (sizeof *W + 2 * k * sizeof(double)) + 1);
    if (!W) {
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for %d whitened columns", columns);
    }
    spread_directions(contacts, W, (double *)(W + count));
    fill_gram(contacts, W, columns, data);
    fill_q(contacts, W, data);
    fill_cones(contacts, data);
    allocator.release(allocator.user, W);
    return CRN_OK;
}

crn_status crn_gallery_contacts_assemble(crn_gallery_contacts *contacts, crn_lcp_data *data, crn_error *error)
{
    int d = contacts->directions;
    int columns = contacts->count * (1 + d);
    crn_status status = crn_gallery_contacts_whiten(contacts, error);
    if (status == CRN_OK) {
        status = crn_gallery_dense(data, d > 0 ? columns + contacts->count : columns, false, error);
    }
    if (status == CRN_OK) {
        status = fill_lcp(contacts, columns, data, error);
        if (status != CRN_OK) {
            crn_lcp_data_free(data);
        }
    }
    crn_gallery_contacts_close(contacts);
    return status;
}
