/* Forward products with the derivative of a contact problem, one direction or several at once. */
#include <math.h>
#include <string.h>

#include "contact/linearize.h"
#include "math/lanes.h"
#include "math/vec.h"

/* Of the largest right side: what redundant rows cannot be. More, and they contradict one another. */
#define TOL_CONTRADICTION 1e-9

/* Of the largest term of the linear equations: more is left over where ranks drown in rounding, as with masses 1e10 apart. */
#define TOL_RESIDUAL 1e-8

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

/* The push of a change, in the island's x. */
static void push_all(const crn_contact_linear *linear, int at, const crn_contact_change_in *in)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    for (int b = 0; b < k->system->bodies; ++b) {
        push_body(linear, island->body_of[b], in, k->x + k->system->body_start[b]);
    }
    push_parameters(k, island, in, k->x);
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
            b[i] -= crn_linear_dot(k->mode[item].a[part], in->contact_velocity + 3 * (size_t)contact);
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
    double off = 0.0, size = 0.0, moved = crn_max(pushed, crn_max_abs(dof, k->x));
    if (k->is_sparse) {
        crn_linear_dot_rows(k, CRN_LINEAR_HELD, k->x, k->off);
    } else { /* the equations as they were factorised */
        crn_gemv_transposed(dof, k->rows, k->A, dof, k->x, k->off);
    }
    for (int i = 0; i < k->rows; ++i) {
        off = crn_max(off, fabs(k->off[i] + k->soft[i] * k->rho[i] - k->b[i]));
        size = crn_max(size, crn_max(fabs(k->b[i]), crn_linear_length(k, CRN_LINEAR_HELD, i) * moved));
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
    push_all(linear, at, in);
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
    crn_status status = crn_linearize_check_products(k, in, out, error);
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

/* --- Several directions --- */

/* Direction j of several. */
static crn_contact_change_in one_of(const crn_contact_linear *k, const crn_contact_change_in *in, int j)
{
    const crn_contact_problem *p = k->compiled.problem;
    size_t dof = (size_t)j * (size_t)k->compiled.dof, contacts = (size_t)j * (size_t)p->contacts;
    size_t rows = (size_t)j * (size_t)p->rows;
    return (crn_contact_change_in){.velocity = in->velocity ? in->velocity + dof : NULL,
                                   .impulse = in->impulse ? in->impulse + dof : NULL,
                                   .contact_velocity =
                                       in->contact_velocity ? in->contact_velocity + 3 * contacts : NULL,
                                   .mu = in->mu ? in->mu + contacts : NULL,
                                   .row_velocity = in->row_velocity ? in->row_velocity + rows : NULL,
                                   .row_bound = in->row_bound ? in->row_bound + rows : NULL};
}

/* Where the changes of direction j go; velocities are told apart. */
static crn_contact_change_out rest_of(const crn_contact_linear *k, const crn_contact_change_out *out, int j)
{
    const crn_contact_problem *p = k->compiled.problem;
    size_t contacts = 3 * (size_t)j * (size_t)p->contacts, rows = (size_t)j * (size_t)p->rows;
    return (crn_contact_change_out){.impulse = out->impulse ? out->impulse + contacts : NULL,
                                    .contact_velocity = out->contact_velocity ? out->contact_velocity + contacts : NULL,
                                    .row_impulse = out->row_impulse ? out->row_impulse + rows : NULL};
}

/* Pushes and right sides of directions first to first + count: impulses are whitened at once. */
static void push_lanes(const crn_contact_linear *linear, int at, const crn_contact_change_in *in, int first, int count)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    memset(k->lanes_x, 0, (size_t)(CRN_LANES * k->system->dof) * sizeof *k->lanes_x);
    memset(k->lanes_b, 0, (size_t)(CRN_LANES * k->rows) * sizeof *k->lanes_b);
    for (int b = 0; b < k->system->bodies && in->impulse; ++b) {
        const crn_mass *mass = &linear->compiled.mass[island->body_of[b]];
        double *x = k->lanes_x + CRN_LANES * k->system->body_start[b];
        for (int lane = 0; lane < count; ++lane) {
            size_t from = (size_t)(first + lane) * (size_t)linear->compiled.dof;
            crn_lanes_put(mass->body->dof, in->impulse + from + linear->compiled.velocity_start[island->body_of[b]],
                          lane, x);
        }
        crn_mass_whiten_lanes(mass, x, linear->first);
    }
    bool has_more = in->velocity || in->mu || in->row_bound,
         has_right = in->contact_velocity || in->row_velocity || in->mu;
    for (int lane = 0; lane < count && (has_more || has_right); ++lane) {
        crn_contact_change_in mine = one_of(linear, in, first + lane);
        fill_right_sides(k, island, &mine, k->b);
        crn_lanes_put(k->rows, k->b, lane, k->lanes_b);
        mine.impulse = NULL;
        push_all(linear, at, &mine);
        for (int i = 0; i < k->system->dof && has_more; ++i) {
            k->lanes_x[CRN_LANES * i + lane] += k->x[i];
        }
    }
}

static void tell_lanes(crn_contact_linear *linear, int at, const crn_contact_change_in *in,
                       const crn_contact_change_out *out, int first, int count)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    for (int lane = 0; lane < count && (out->impulse || out->contact_velocity || out->row_impulse); ++lane) {
        crn_contact_change_in mine = one_of(linear, in, first + lane);
        crn_contact_change_out to = rest_of(linear, out, first + lane);
        crn_lanes_get(k->system->dof, k->lanes_x, lane, k->x);
        crn_lanes_get(k->rows, k->lanes_rho, lane, k->rho);
        spread_change(k, island, &mine);
        crn_linearize_tell(linear, at, &mine, &to);
    }
    for (int b = 0; b < k->system->bodies && out->velocity; ++b) {
        const crn_mass *mass = &linear->compiled.mass[island->body_of[b]];
        double *x = k->lanes_x + CRN_LANES * k->system->body_start[b];
        crn_mass_velocity_lanes(mass, x, linear->first);
        for (int lane = 0; lane < count; ++lane) {
            size_t to = (size_t)(first + lane) * (size_t)linear->compiled.dof;
            crn_lanes_get(mass->body->dof, x, lane,
                          out->velocity + to + linear->compiled.velocity_start[island->body_of[b]]);
        }
    }
}

crn_status crn_contact_jvp_many(crn_contact_linear *k, int count, const crn_contact_change_in *in,
                                const crn_contact_change_out *out, crn_error *error)
{
    crn_status status = crn_linearize_check_products(k, in, out, error);
    if (status == CRN_OK && count < 0) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "%d directions: fewer than 0", count);
    }
    for (int first = 0; first < count && status == CRN_OK; first += CRN_LANES) {
        int lanes = count - first < CRN_LANES ? count - first : CRN_LANES;
        for (int i = 0; i < k->compiled.islands; ++i) {
            push_lanes(k, i, in, first, lanes);
            crn_linear_solve_lanes(&k->island[i]);
            tell_lanes(k, i, in, out, first, lanes);
        }
    }
    for (int j = 0; j < count && status == CRN_OK && out->velocity; ++j) {
        crn_contact_change_in mine = one_of(k, in, j);
        crn_contact_change_out to = {.velocity = out->velocity + (size_t)j * (size_t)k->compiled.dof};
        crn_linearize_loose(k, &mine, &to);
    }
    return status;
}
