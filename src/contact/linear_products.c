/* Forward and adjoint products with the derivative of a contact problem. */
#include <math.h>
#include <string.h>

#include "contact/linearize.h"
#include "math/vec.h"

/* Of the largest right side: what redundant rows cannot be. More, and they contradict one another. */
#define TOL_CONTRADICTION 1e-9

/* Of the largest term of the linear equations: more is left over where ranks drown in rounding, as with masses 1e10 apart. */
#define TOL_RESIDUAL 1e-8

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* --- Forward --- */

/* x = G'dv_f + G^-1 dp of one body */
static void push_body(const crn_contact_linear *k, int body, const crn_contact_change_in *in, double *x)
{
    const crn_mass *mass = &k->compiled.mass[body];
    int dof = mass->body->dof, first = k->compiled.velocity_start[body];
    memset(x, 0, (size_t)dof * sizeof *x);
    if (in->velocity) {
        crn_mass_shrink(mass, in->velocity + first, x);
    }
    if (in->impulse) {
        crn_mass_whiten(mass, in->impulse + first, k->first);
        crn_axpy(dof, 1.0, k->first, x);
    }
}

/* What changes of friction and bounds push with. */
static void push_parameters(const crn_linear_island *k, const crn_island *island, const crn_contact_change_in *in,
                            double *x)
{
    for (int i = 0; i < k->system->contacts && in->mu; ++i) {
        double dr[3], dmu = in->mu[island->contact_of[i]];
        for (int j = 0; j < 3; ++j) {
            dr[j] = dmu * k->mode[i].f_mu[j];
        }
        crn_linear_push(k->system, i, dr, x);
    }
    for (int i = 0; i < k->system->rows && in->row_bound; ++i) {
        double dl = k->hold[i] == CRN_HOLD_UPPER ? in->row_bound[island->row_of[i]] : -in->row_bound[island->row_of[i]];
        if (k->hold[i] != CRN_HOLD_FREE) {
            crn_linear_push(k->system, k->system->contacts + i, &dl, x);
        }
    }
}

static void fill_right_sides(const crn_linear_island *k, const crn_island *island, const crn_contact_change_in *in,
                             double *b)
{
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item, part = k->row[i].part;
        b[i] = 0.0;
        if (item >= k->system->contacts) {
            b[i] = in->row_velocity ? -in->row_velocity[island->row_of[item - k->system->contacts]] : 0.0;
            continue;
        }
        int contact = island->contact_of[item];
        if (in->contact_velocity) {
            b[i] -= dot3(k->mode[item].a[part], in->contact_velocity + 3 * (size_t)contact);
        }
        if (in->mu && part == 0) {
            b[i] += k->mode[item].b_mu * in->mu[contact];
        }
    }
}

/* Changes of impulses and of contact velocities from x = dy and rho. */
static void spread_change(const crn_linear_island *k, const crn_island *island, const crn_contact_change_in *in)
{
    const crn_system *s = k->system;
    for (int i = 0; i < s->contacts; ++i) {
        int contact = island->contact_of[i];
        double *dr = k->dr + 3 * (size_t)i, *du = k->right + 3 * (size_t)i;
        for (int j = 0; j < 3; ++j) {
            dr[j] = in->mu ? in->mu[contact] * k->mode[i].f_mu[j] : 0.0;
            du[j] = in->contact_velocity ? in->contact_velocity[3 * contact + j] : 0.0;
        }
        crn_linear_look(s, i, k->x, du);
    }
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item;
        if (item < s->contacts) {
            crn_axpy(3, k->rho[i], k->mode[item].f[k->row[i].part], k->dr + 3 * (size_t)item);
        }
    }
}

/* Largest violation of the equations over the largest of their terms; pushed: the largest entry of x before contacts took part. */
static double residual_of(const crn_linear_island *k, double pushed)
{
    int dof = k->system->dof;
    double off = 0.0, size = 0.0;
    for (int i = 0; i < k->rows; ++i) {
        double held = crn_dot(dof, k->A + (size_t)i * (size_t)dof, k->x), soft = k->soft[i] * k->rho[i];
        off = crn_max(off, fabs(held + soft - k->b[i]));
        size = crn_max(size, sqrt(crn_dot(dof, k->A + (size_t)i * (size_t)dof, k->A + (size_t)i * (size_t)dof)) *
                                 crn_max(pushed, crn_max_abs(dof, k->x)));
        size = crn_max(size, fabs(k->b[i]));
    }
    return size > 0.0 ? off / size : 0.0;
}

static void judge(const crn_linear_island *k, double off, double pushed, crn_gradient_word *word)
{
    double residual = k->is_singular ? 1.0 : residual_of(k, pushed);
    word->residual = crn_max(word->residual, residual);
    bool is_off = off > TOL_CONTRADICTION || residual > TOL_RESIDUAL;
    if (is_off && word->status < CRN_GRADIENT_INCONSISTENT) {
        word->status = CRN_GRADIENT_INCONSISTENT;
    }
}

void crn_linearize_island(crn_contact_linear *linear, int at, const crn_contact_change_in *in, crn_gradient_word *word)
{
    const crn_island *island = &linear->compiled.island[at];
    crn_linear_island *k = &linear->island[at];
    for (int b = 0; b < k->system->bodies; ++b) {
        push_body(linear, island->body_of[b], in, k->x + k->system->body_start[b]);
    }
    push_parameters(k, island, in, k->x);
    fill_right_sides(k, island, in, k->b);
    double pushed = crn_max_abs(k->system->dof, k->x), off = crn_linear_solve(k, k->x, k->b, k->rho);
    if (k->is_singular) {
        memset(k->x, 0, (size_t)k->system->dof * sizeof *k->x);
    }
    spread_change(k, island, in);
    if (word) {
        judge(k, off, pushed, word);
    }
}

void crn_linearize_tell(crn_contact_linear *linear, int at, const crn_contact_change_in *in,
                        const crn_contact_change_out *out)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    const crn_system *s = k->system;
    if (out->velocity) {
        crn_compiled_velocity(&linear->compiled, island, k->x, out->velocity);
    }
    for (int i = 0; i < s->contacts; ++i) {
        size_t to = 3 * (size_t)island->contact_of[i], from = 3 * (size_t)i;
        if (out->impulse) {
            memcpy(out->impulse + to, k->dr + from, 3 * sizeof *k->dr);
        }
        if (out->contact_velocity) {
            memcpy(out->contact_velocity + to, k->right + from, 3 * sizeof *k->right);
        }
    }
    for (int i = 0; i < s->rows && out->row_impulse; ++i) {
        double bound = in->row_bound && k->hold[i] != CRN_HOLD_FREE ? in->row_bound[island->row_of[i]] : 0.0;
        out->row_impulse[island->row_of[i]] = k->hold[i] == CRN_HOLD_LOWER ? -bound : bound;
    }
    for (int i = 0; i < k->rows && out->row_impulse; ++i) {
        if (k->row[i].item >= s->contacts) {
            out->row_impulse[island->row_of[k->row[i].item - s->contacts]] = k->rho[i];
        }
    }
}

void crn_linearize_loose(crn_contact_linear *k, const crn_contact_change_in *in, const crn_contact_change_out *out)
{
    for (int i = 0; i < k->compiled.problem->bodies && out->velocity; ++i) {
        if (k->compiled.label[i] < 0) {
            push_body(k, i, in, k->second);
            crn_mass_velocity(&k->compiled.mass[i], k->second, out->velocity + k->compiled.velocity_start[i]);
        }
    }
}

static crn_status check_products(const crn_contact_linear *k, const void *in, const void *out, crn_error *error)
{
    crn_clear(error);
    return k && in && out ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "linear, its change or where to is NULL");
}

/* After crn_linearize_island(), whose results are gone afterwards. */
static bool depends_on_sharing(crn_linear_island *k, const crn_island *island, const crn_contact_change_in *in)
{
    for (int i = 0; i < k->system->contacts && in->mu; ++i) {
        k->dmu[i] = in->mu[island->contact_of[i]];
    }
    return crn_linear_is_sharing_felt(k, in->mu ? k->dmu : NULL, k->right, crn_max_abs(k->system->dof, k->x));
}

crn_status crn_contact_jvp(crn_contact_linear *k, const crn_contact_change_in *in, const crn_contact_change_out *out,
                           crn_gradient_word *word, crn_error *error)
{
    crn_status status = check_products(k, in, out, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_gradient_word mine = {k->report.status, 0.0};
    for (int i = 0; i < k->compiled.islands; ++i) {
        crn_linearize_island(k, i, in, word ? &mine : NULL);
        crn_linearize_tell(k, i, in, out);
        if (word && mine.status < CRN_GRADIENT_UNDETERMINED &&
            depends_on_sharing(&k->island[i], &k->compiled.island[i], in)) {
            mine.status = CRN_GRADIENT_UNDETERMINED;
        }
    }
    crn_linearize_loose(k, in, out);
    if (word) {
        *word = mine;
    }
    return CRN_OK;
}

/* --- Adjoint --- */

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
            grho[i] = dot3(k->mode[item].f[k->row[i].part], seed->impulse + 3 * (size_t)island->contact_of[item]);
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
            to->mu[contact] = dot3(k->mode[i].f_mu, g);
            to->mu[contact] += seed->impulse ? dot3(k->mode[i].f_mu, seed->impulse + 3 * contact) : 0.0;
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
    crn_status status = check_products(k, seed, gradient, error);
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
