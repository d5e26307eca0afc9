/* gallery_problem.c -- outlets of a list of contacts: the contact problem as a simulator has it, or whitened. */
#include <string.h>

#include "gallery_contact.h"

/* The arrays of a problem, in one block. */
typedef struct rooms {
    crn_contact_point *point;
    crn_contact_body *body;
    double *velocity;
    double *mass;     /* body_dof x body_dof for each body; NULL if not needed */
    double *jacobian; /* as crn_gallery_contacts.columns; NULL if not needed */
} rooms;

/* False (after a message): no memory. */
static bool take_rooms(const crn_gallery_contacts *contacts, bool has_mass, bool has_jacobian, rooms *r,
                       crn_gallery_contact_problem *out, crn_error *error)
{
    size_t k = (size_t)contacts->body_dof, bodies = (size_t)contacts->bodies, count = (size_t)contacts->count;
    size_t masses = has_mass ? bodies * k * k : 0, columns = has_jacobian ? count * 6 * k : 0;
    size_t bytes =
        count * sizeof *r->point + bodies * sizeof *r->body + (bodies * k + masses + columns) * sizeof(double);
    if (!out->allocator.resize) {
        out->allocator = crn_allocator_default();
    }
    out->storage = out->allocator.resize(out->allocator.user, NULL, bytes + 1);
    if (!out->storage) {
        (void)crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for a problem of %d contacts", contacts->count);
        return false;
    }
    memset(out->storage, 0, bytes);
    r->point = out->storage;
    r->body = (crn_contact_body *)(r->point + count);
    r->velocity = (double *)(r->body + bodies);
    r->mass = has_mass ? r->velocity + bodies * k : NULL;
    r->jacobian = has_jacobian ? r->velocity + bodies * k + masses : NULL;
    crn_contact_problem problem = {.bodies = contacts->bodies, .contacts = contacts->count};
    problem.body = r->body;
    problem.contact = r->point;
    problem.velocity = r->velocity;
    out->problem = problem;
    return true;
}

static void write_vec(double out[3], crn_gallery_vec v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Points and frames. The list's normal points from body[0] to body[1], the problem's out of b into a. */
static void fill_points(const crn_gallery_contacts *contacts, const rooms *r)
{
    size_t piece = 3 * (size_t)contacts->body_dof;
    for (int i = 0; i < contacts->count; ++i) {
        const crn_gallery_touching *from = &contacts->touching[i];
        crn_contact_point *to = &r->point[i];
        to->a = from->body[1];
        to->b = from->body[0];
        write_vec(to->position, from->point);
        write_vec(to->normal, from->axes[0]);
        write_vec(to->t1, from->axes[1]);
        write_vec(to->t2, from->axes[2]);
        if (r->jacobian) {
            const double *columns = r->jacobian + 2 * (size_t)i * piece;
            to->jacobian_a = to->a == CRN_GALLERY_GROUND ? NULL : columns + piece;
            to->jacobian_b = to->b == CRN_GALLERY_GROUND ? NULL : columns;
        }
        to->mu = from->friction;
        to->directions = contacts->directions;
        memcpy(to->offset, from->bias, sizeof to->offset);
    }
}

static void fill_rigid(crn_contact_body *body, const crn_gallery_body *shape)
{
    body->kind = CRN_MASS_RIGID;
    body->mass = shape->mass;
    body->inertia[0] = shape->inertia.x;
    body->inertia[4] = shape->inertia.y;
    body->inertia[8] = shape->inertia.z;
    write_vec(body->com, shape->centre);
}

static void fill_bodies(const crn_gallery_contacts *contacts, const rooms *r, bool is_whitened)
{
    size_t k = (size_t)contacts->body_dof;
    for (int b = 0; b < contacts->bodies; ++b) {
        crn_contact_body *body = &r->body[b];
        body->dof = contacts->body_dof;
        if (is_whitened) {
            body->kind = CRN_MASS_UNIT;
        } else if (contacts->is_rigid) {
            fill_rigid(body, &contacts->shape[b]);
        } else {
            body->kind = CRN_MASS_MATRIX;
            body->matrix = r->mass + (size_t)b * k * k;
            body->ld = contacts->body_dof;
        }
    }
}

/* x = G' \ x */
static void unwhiten(const double *G, size_t k, double *x)
{
    for (size_t j = k; j-- > 0;) {
        for (size_t i = j + 1; i < k; ++i) {
            x[j] -= G[i + j * k] * x[i];
        }
        x[j] /= G[j + j * k];
    }
}

crn_status crn_gallery_contacts_problem(crn_gallery_contacts *contacts, crn_gallery_contact_problem *out,
                                        crn_error *error)
{
    size_t k = (size_t)contacts->body_dof, bodies = (size_t)contacts->bodies;
    bool has_columns = !contacts->is_rigid;
    rooms r = {0};
    crn_status status = take_rooms(contacts, has_columns, has_columns, &r, out, error) ? CRN_OK : CRN_ERR_MEMORY;
    if (status == CRN_OK) {
        if (has_columns) { /* before whitening overwrites them */
            memcpy(r.mass, contacts->mass, bodies * k * k * sizeof(double));
            memcpy(r.jacobian, contacts->columns, (size_t)contacts->count * 6 * k * sizeof(double));
        }
        fill_points(contacts, &r);
        fill_bodies(contacts, &r, false);
        status = crn_gallery_contacts_whiten(contacts, error);
        memcpy(r.velocity, contacts->momentum, bodies * k * sizeof(double));
        for (int b = 0; status == CRN_OK && b < contacts->bodies; ++b) { /* v = (G G') \ momentum */
            unwhiten(crn_gallery_contacts_mass(contacts, b), k, r.velocity + (size_t)b * k);
        }
    }
    if (status != CRN_OK) {
        crn_gallery_contact_free(out);
    }
    crn_gallery_contacts_close(contacts);
    return status;
}

crn_status crn_gallery_contacts_whitened(crn_gallery_contacts *contacts, crn_gallery_contact_problem *out,
                                         crn_error *error)
{
    size_t k = (size_t)contacts->body_dof, bodies = (size_t)contacts->bodies;
    rooms r = {0};
    crn_status status = crn_gallery_contacts_whiten(contacts, error);
    if (status == CRN_OK) {
        status = take_rooms(contacts, false, true, &r, out, error) ? CRN_OK : CRN_ERR_MEMORY;
    }
    if (status == CRN_OK) {
        memcpy(r.jacobian, contacts->columns, (size_t)contacts->count * 6 * k * sizeof(double));
        memcpy(r.velocity, contacts->momentum, bodies * k * sizeof(double));
        fill_points(contacts, &r);
        fill_bodies(contacts, &r, true);
    }
    crn_gallery_contacts_close(contacts);
    return status;
}

void crn_gallery_contact_free(crn_gallery_contact_problem *problem)
{
    if (problem && problem->storage) {
        problem->allocator.release(problem->allocator.user, problem->storage);
        memset(problem, 0, sizeof *problem);
    }
}
