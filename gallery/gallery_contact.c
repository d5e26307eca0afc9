/* gallery_contact.c -- contacts to LCP: Cholesky of the mass, whitening, Gram matrix, cone rows. */
#include "gallery_contact.h"

#include <math.h>
#include <string.h>

#include "gallery_data.h"

static const double two_pi = 6.283185307179586;

crn_status crn_gallery_contacts_open(crn_gallery_contacts *contacts, int dof, int capacity, int directions,
                                     crn_lcp_data *data, crn_error *error)
{
    size_t k = (size_t)dof;
    size_t room = (size_t)capacity;
    size_t doubles = k * k + k + 3 * k * room + 4 * room;
    memset(contacts, 0, sizeof *contacts);
    contacts->allocator = crn_gallery_allocator(data);
    contacts->mass = contacts->allocator.resize(contacts->allocator.user, NULL, doubles * sizeof(double));
    if (!contacts->mass) {
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for %d contacts", capacity);
    }
    memset(contacts->mass, 0, doubles * sizeof(double));
    contacts->dof = dof;
    contacts->directions = directions;
    contacts->capacity = capacity;
    contacts->momentum = contacts->mass + k * k;
    contacts->columns = contacts->momentum + k;
    contacts->friction = contacts->columns + 3 * k * room;
    contacts->bias = contacts->friction + room;
    return CRN_OK;
}

void crn_gallery_contacts_close(crn_gallery_contacts *contacts)
{
    if (contacts->mass) {
        contacts->allocator.release(contacts->allocator.user, contacts->mass);
    }
    memset(contacts, 0, sizeof *contacts);
}

double *crn_gallery_contacts_add(crn_gallery_contacts *contacts, double friction)
{
    if (contacts->count == contacts->capacity) {
        contacts->is_overfull = true;
        return NULL;
    }
    int i = contacts->count++;
    contacts->friction[i] = friction;
    return contacts->columns + 3 * (size_t)i * (size_t)contacts->dof;
}

void crn_gallery_tangents(crn_gallery_vec normal, crn_gallery_vec *t1, crn_gallery_vec *t2)
{
    /* The axis after the largest component of the normal is never parallel to it. */
    double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
    crn_gallery_vec axis = crn_gallery_vec_of(0.0, 0.0, 1.0);
    if (az >= ax && az >= ay) {
        axis = crn_gallery_vec_of(1.0, 0.0, 0.0);
    } else if (ax >= ay) {
        axis = crn_gallery_vec_of(0.0, 1.0, 0.0);
    }
    axis = crn_gallery_vec_add(axis, -crn_gallery_vec_dot(axis, normal), normal);
    *t1 = crn_gallery_vec_unit(axis);
    *t2 = crn_gallery_vec_cross(normal, *t1);
}

/* mass = G G', G in the lower triangle. False if the mass is not positive definite. */
static bool factorize_mass(double *G, size_t k)
{
    for (size_t j = 0; j < k; ++j) {
        for (size_t i = j; i < k; ++i) {
            double sum = G[i + j * k];
            for (size_t l = 0; l < j; ++l) {
                sum -= G[i + l * k] * G[j + l * k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            G[i + j * k] = i == j ? sqrt(sum) : sum / G[j + j * k];
        }
    }
    return true;
}

/* x = G \ x */
static void whiten(const double *G, size_t k, double *x)
{
    for (size_t j = 0; j < k; ++j) {
        if (x[j] == 0.0) {
            continue; /* most entries of a free body's column are exact zeros */
        }
        x[j] /= G[j + j * k];
        for (size_t i = j + 1; i < k; ++i) {
            x[i] -= G[i + j * k] * x[j];
        }
    }
}

static double dot(const double *a, const double *b, size_t k)
{
    double sum = 0.0;
    for (size_t i = 0; i < k; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* W = [N D]: the normals of all contacts, then the d directions of each contact. */
static void spread_directions(const crn_gallery_contacts *contacts, double *W)
{
    size_t k = (size_t)contacts->dof;
    int d = contacts->directions;
    for (int i = 0; i < contacts->count; ++i) {
        const double *n = contacts->columns + 3 * (size_t)i * k;
        memcpy(W + (size_t)i * k, n, k * sizeof *W);
        for (int j = 0; j < d; ++j) {
            double c = cos(two_pi * j / d), s = sin(two_pi * j / d);
            double *direction = W + (size_t)(contacts->count + i * d + j) * k;
            for (size_t l = 0; l < k; ++l) {
                direction[l] = c * n[k + l] + s * n[2 * k + l];
            }
        }
    }
}

/* The block [N D]'[N D], each product computed once, so that it is symmetric to the last bit. */
static void fill_gram(const double *W, size_t k, int columns, crn_lcp_data *data)
{
    for (int j = 0; j < columns; ++j) {
        for (int i = 0; i <= j; ++i) {
            double product = dot(W + (size_t)i * k, W + (size_t)j * k, k);
            crn_gallery_set(data, i, j, product);
            crn_gallery_set(data, j, i, product);
        }
    }
}

/* q = (N'k + bias_n, D'k + bias_d, 0) */
static void fill_q(const crn_gallery_contacts *contacts, const double *W, crn_lcp_data *data)
{
    size_t k = (size_t)contacts->dof;
    int d = contacts->directions;
    double *q = crn_gallery_q(data);
    for (int i = 0; i < contacts->count; ++i) {
        const double *bias = contacts->bias + 3 * i;
        q[i] = dot(W + (size_t)i * k, contacts->momentum, k) + bias[0];
        for (int j = 0; j < d; ++j) {
            int row = contacts->count + i * d + j;
            double along = cos(two_pi * j / d) * bias[1] + sin(two_pi * j / d) * bias[2];
            q[row] = dot(W + (size_t)row * k, contacts->momentum, k) + along;
        }
    }
}

/* The blocks E, mu and -E'. */
static void fill_cones(const crn_gallery_contacts *contacts, crn_lcp_data *data)
{
    int d = contacts->directions;
    for (int i = 0; i < contacts->count && d > 0; ++i) {
        int lambda = contacts->count * (1 + d) + i;
        crn_gallery_set(data, lambda, i, contacts->friction[i]);
        for (int j = 0; j < d; ++j) {
            int phi = contacts->count + i * d + j;
            crn_gallery_set(data, phi, lambda, 1.0);
            crn_gallery_set(data, lambda, phi, -1.0);
        }
    }
}

static crn_status whiten_all(crn_gallery_contacts *contacts, crn_error *error)
{
    size_t k = (size_t)contacts->dof;
    if (contacts->is_overfull) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: more than %d contacts", contacts->capacity);
    }
    if (!factorize_mass(contacts->mass, k)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: the mass matrix is not positive definite");
    }
    whiten(contacts->mass, k, contacts->momentum);
    for (int c = 0; c < 3 * contacts->count; ++c) {
        whiten(contacts->mass, k, contacts->columns + (size_t)c * k);
    }
    return CRN_OK;
}

crn_status crn_gallery_contacts_assemble(crn_gallery_contacts *contacts, crn_lcp_data *data, crn_error *error)
{
    size_t k = (size_t)contacts->dof;
    int d = contacts->directions;
    int columns = contacts->count * (1 + d);
    crn_status status = whiten_all(contacts, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_gallery_dense(data, d > 0 ? columns + contacts->count : columns, false, error);
    if (status != CRN_OK) {
        return status;
    }
    double *W = contacts->allocator.resize(contacts->allocator.user, NULL, (k * (size_t)columns + 1) * sizeof *W);
    if (!W) {
        crn_lcp_data_free(data);
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for %d whitened columns", columns);
    }
    spread_directions(contacts, W);
    fill_gram(W, k, columns, data);
    fill_q(contacts, W, data);
    fill_cones(contacts, data);
    contacts->allocator.release(contacts->allocator.user, W);
    return CRN_OK;
}
