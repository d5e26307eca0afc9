/* Adjoint products with the derivative of a contact problem. */
#include <string.h>

#include "contact/linearize.h"
#include "math/vec.h"

crn_status crn_linearize_check_products(const crn_contact_linear *k, const void *in, const void *out, crn_error *error)
{
    crn_clear(error);
    return k && in && out ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "linear, its change or where to is NULL");
}

static void seed_island(const crn_contact_linear *linear, int at, const crn_contact_seed *seed, double *gy,
                        double *grho)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    const crn_system *s = k->system;
    memset(gy, 0, (size_t)s->dof * sizeof *gy);
    for (int b = 0; b < s->bodies && seed->velocity; ++b) {
        int body = island->body_of[b];
        crn_mass_whiten(&linear->compiled.mass[body], seed->velocity + linear->compiled.velocity_start[body],
                        gy + s->body_start[b]);
    }
    for (int i = 0; i < s->contacts && seed->contact_velocity; ++i) {
        crn_linear_push(s, i, seed->contact_velocity + 3 * (size_t)island->contact_of[i], gy);
    }
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item;
        grho[i] = 0.0;
        if (item >= s->contacts) {
            grho[i] = seed->row_impulse ? seed->row_impulse[island->row_of[item - s->contacts]] : 0.0;
        } else if (seed->impulse) {
            grho[i] =
                crn_linear_dot(k->mode[item].f[k->row[i].part], seed->impulse + 3 * (size_t)island->contact_of[item]);
        }
    }
}

/* g (dof of a body) is the gradient with respect to its whitened push. */
static void tell_body(const crn_contact_linear *k, int body, const double *g, const crn_contact_gradient *to)
{
    size_t first = (size_t)k->compiled.velocity_start[body];
    if (to->velocity) {
        crn_mass_momentum(&k->compiled.mass[body], g, to->velocity + first);
    }
    if (to->impulse) {
        crn_mass_velocity(&k->compiled.mass[body], g, to->impulse + first);
    }
}

static void tell_contacts(const crn_linear_island *k, const crn_island *island, const crn_contact_seed *seed,
                          const double *gx, const double *gb, const crn_contact_gradient *to)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        size_t contact = (size_t)island->contact_of[i];
        double g[3] = {0.0, 0.0, 0.0};
        crn_linear_look(k->system, i, gx, g); /* of an impulse that is not in rho */
        if (to->mu) {
            to->mu[contact] = crn_linear_dot(k->mode[i].f_mu, g);
            to->mu[contact] += seed->impulse ? crn_linear_dot(k->mode[i].f_mu, seed->impulse + 3 * contact) : 0.0;
        }
        for (int j = 0; j < 3 && to->contact_velocity; ++j) {
            to->contact_velocity[3 * contact + (size_t)j] =
                seed->contact_velocity ? seed->contact_velocity[3 * contact + (size_t)j] : 0.0;
        }
    }
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item, part = k->row[i].part;
        if (item >= k->system->contacts) {
            continue;
        }
        size_t contact = (size_t)island->contact_of[item];
        if (to->contact_velocity) {
            crn_axpy(3, -gb[i], k->mode[item].a[part], to->contact_velocity + 3 * contact);
        }
        if (to->mu && part == 0) {
            to->mu[contact] += k->mode[item].b_mu * gb[i];
        }
    }
}

static void tell_rows(const crn_linear_island *k, const crn_island *island, const crn_contact_seed *seed,
                      const double *gx, const double *gb, const crn_contact_gradient *to)
{
    for (int i = 0; i < k->system->rows; ++i) {
        int row = island->row_of[i];
        double g = seed->row_impulse ? seed->row_impulse[row] : 0.0;
        crn_linear_look(k->system, k->system->contacts + i, gx, &g);
        if (to->row_bound) {
            to->row_bound[row] = k->hold[i] == CRN_HOLD_FREE ? 0.0 : k->hold[i] == CRN_HOLD_UPPER ? g : -g;
        }
        if (to->row_velocity) {
            to->row_velocity[row] = 0.0;
        }
    }
    for (int i = 0; i < k->rows && to->row_velocity; ++i) {
        if (k->row[i].item >= k->system->contacts) {
            to->row_velocity[island->row_of[k->row[i].item - k->system->contacts]] = -gb[i];
        }
    }
}

static void adjoint_island(crn_contact_linear *linear, int at, const crn_contact_seed *seed,
                           const crn_contact_gradient *to)
{
    const crn_island *island = &linear->compiled.island[at];
    crn_linear_island *k = &linear->island[at];
    seed_island(linear, at, seed, k->x, k->rho);
    crn_linear_solve_adjoint(k, k->x, k->rho, k->b);
    if (k->is_singular) {
        memset(k->x, 0, (size_t)k->system->dof * sizeof *k->x);
    }
    for (int b = 0; b < k->system->bodies; ++b) {
        tell_body(linear, island->body_of[b], k->x + k->system->body_start[b], to);
    }
    tell_contacts(k, island, seed, k->x, k->b, to);
    tell_rows(k, island, seed, k->x, k->b, to);
}

crn_status crn_contact_vjp(crn_contact_linear *k, const crn_contact_seed *seed, const crn_contact_gradient *gradient,
                           crn_gradient_word *word, crn_error *error)
{
    crn_status status = crn_linearize_check_products(k, seed, gradient, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < k->compiled.islands; ++i) {
        adjoint_island(k, i, seed, gradient);
    }
    for (int i = 0; i < k->compiled.problem->bodies; ++i) {
        if (k->compiled.label[i] < 0) {
            int first = k->compiled.velocity_start[i];
            memset(k->second, 0, (size_t)k->compiled.mass[i].body->dof * sizeof *k->second);
            if (seed->velocity) {
                crn_mass_whiten(&k->compiled.mass[i], seed->velocity + first, k->second);
            }
            tell_body(k, i, k->second, gradient);
        }
    }
    if (word) {
        *word = (crn_gradient_word){k->report.status, 0.0};
    }
    return CRN_OK;
}
