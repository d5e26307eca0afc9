/* gallery_contact.c -- the list of contacts: room, columns, whitening by the Cholesky factors of the masses. */
#include "gallery_contact.h"

#include <math.h>
#include <string.h>

crn_status crn_gallery_contacts_open(crn_gallery_contacts *contacts, int bodies, int body_dof, int capacity,
                                     int directions, crn_error *error)
{
    crn_allocator allocator = contacts->allocator.resize ? contacts->allocator : crn_allocator_default();
    size_t k = (size_t)body_dof, count = (size_t)bodies, room = (size_t)capacity;
    size_t masses = count * k * k, columns = room * 2 * 3 * k;
    size_t bytes = room * sizeof(crn_gallery_touching) + count * sizeof(crn_gallery_body) +
                   (masses + count * k + columns) * sizeof(double);
    memset(contacts, 0, sizeof *contacts);
    contacts->allocator = allocator;
    contacts->storage = allocator.resize(allocator.user, NULL, bytes ? bytes : 1);
    if (!contacts->storage) {
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for %d contacts", capacity);
    }
    memset(contacts->storage, 0, bytes);
    contacts->bodies = bodies;
    contacts->body_dof = body_dof;
    contacts->directions = directions;
    contacts->capacity = capacity;
    contacts->touching = contacts->storage;
    contacts->shape = (crn_gallery_body *)(contacts->touching + room);
    contacts->mass = (double *)(contacts->shape + count);
    contacts->momentum = contacts->mass + masses;
    contacts->columns = contacts->momentum + count * k;
    return CRN_OK;
}

void crn_gallery_contacts_close(crn_gallery_contacts *contacts)
{
    if (contacts->storage) {
        contacts->allocator.release(contacts->allocator.user, contacts->storage);
    }
    memset(contacts, 0, sizeof *contacts);
}

crn_gallery_touching *crn_gallery_contacts_add(crn_gallery_contacts *contacts, int a, int b, crn_gallery_vec point,
                                               crn_gallery_vec normal, double friction)
{
    if (contacts->count == contacts->capacity) {
        contacts->is_overfull = true;
        return NULL;
    }
    crn_gallery_touching *touching = &contacts->touching[contacts->count++];
    touching->body[0] = a;
    touching->body[1] = b;
    touching->point = point;
    touching->axes[0] = normal;
    crn_gallery_tangents(normal, &touching->axes[1], &touching->axes[2]);
    touching->friction = friction;
    return touching;
}

double *crn_gallery_contacts_columns(const crn_gallery_contacts *contacts, int i, int side)
{
    return contacts->columns + (2 * (size_t)i + (size_t)side) * 3 * (size_t)contacts->body_dof;
}

double *crn_gallery_contacts_mass(const crn_gallery_contacts *contacts, int body)
{
    size_t k = (size_t)contacts->body_dof;
    return contacts->mass + (size_t)body * k * k;
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
            continue; /* an exact zero changes nothing */
        }
        x[j] /= G[j + j * k];
        for (size_t i = j + 1; i < k; ++i) {
            x[i] -= G[i + j * k] * x[j];
        }
    }
}

static void whiten_contact(crn_gallery_contacts *contacts, int i)
{
    size_t k = (size_t)contacts->body_dof;
    for (int side = 0; side < 2; ++side) {
        int body = contacts->touching[i].body[side];
        double *column = crn_gallery_contacts_columns(contacts, i, side);
        for (int c = 0; c < 3 && body != CRN_GALLERY_GROUND; ++c, column += k) {
            whiten(crn_gallery_contacts_mass(contacts, body), k, column);
        }
    }
}

crn_status crn_gallery_contacts_whiten(crn_gallery_contacts *contacts, crn_error *error)
{
    size_t k = (size_t)contacts->body_dof;
    if (contacts->is_overfull) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: more than %d contacts", contacts->capacity);
    }
    for (int b = 0; b < contacts->bodies; ++b) {
        double *G = crn_gallery_contacts_mass(contacts, b);
        if (!factorize_mass(G, k)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: the mass matrix of body %d is not positive definite", b);
        }
        whiten(G, k, contacts->momentum + (size_t)b * k);
    }
    for (int i = 0; i < contacts->count; ++i) {
        whiten_contact(contacts, i);
    }
    return CRN_OK;
}
