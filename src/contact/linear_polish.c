/* Newton's method on the equations of known states: what a certificate of 1e-9 leaves over goes down to rounding. */
#include <math.h>
#include <string.h>

#include "contact/linear.h"
#include "math/vec.h"

/* Of U. Violations: so small that nothing is gained by another step; so small that a factor from there is as good as a new one for further
 * steps; and for derivatives. */
#define ENOUGH       1e-15
#define FACTOR_KEPT  1e-6
#define FACTOR_EXACT 1e-11

void crn_linear_move(crn_linear_island *k)
{
    crn_system_motion(k->system, k->r, k->l, k->y);
    crn_system_contact_velocity(k->system, k->y, k->u);
    crn_system_row_velocity(k->system, k->y, k->e);
}

/* What impulses and velocities lack: dr (3 per contact), its push x and right sides b. Returns the largest violation as a velocity. */
static double find_defects(crn_linear_island *k, double *dr, double *x, double *b)
{
    const crn_system *s = k->system;
    double most = 0.0;
    memset(x, 0, (size_t)s->dof * sizeof *x);
    for (int i = 0; i < s->contacts; ++i) {
        double *mine = dr + 3 * (size_t)i, right[3] = {0.0, 0.0, 0.0};
        crn_mode_defect(s, i, k->scale.law, &k->mode[i], k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, mine, right);
        crn_linear_push(s, i, mine, x);
        most = crn_max(most, crn_max(crn_max_abs(3, right), k->delta[i] * crn_max_abs(3, mine)));
        memcpy(k->right + 3 * (size_t)i, right, sizeof right);
    }
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item;
        if (item < s->contacts) {
            b[i] = k->right[3 * item + k->row[i].part];
        } else {
            b[i] = -k->e[item - s->contacts];
            most = crn_max(most, fabs(b[i]));
        }
    }
    return most;
}

/* The equations where impulses and velocities are. */
static void refill(crn_linear_island *k)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        crn_mode_fill(k->system, i, k->scale.law, k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, &k->mode[i]);
    }
    crn_linear_list(k);
}

/* They are others elsewhere only where something slips on a round cone. */
static bool is_curved(const crn_linear_island *k)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        if (k->mode[i].kind == CRN_MODE_SLIP) {
            return true;
        }
    }
    return false;
}

static void add_changes(crn_linear_island *k, const double *dr, const double *rho)
{
    const crn_system *s = k->system;
    for (int i = 0; i < 3 * s->contacts; ++i) {
        k->r[i] += dr[i];
    }
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item;
        if (item >= s->contacts) {
            k->l[item - s->contacts] += rho[i];
        } else {
            crn_axpy(3, rho[i], k->mode[item].f[k->row[i].part], k->r + 3 * (size_t)item);
        }
    }
}

void crn_linear_set_bounds(crn_linear_island *k)
{
    for (int i = 0; i < k->system->rows; ++i) {
        if (k->hold[i] != CRN_HOLD_FREE) {
            k->l[i] = k->hold[i] == CRN_HOLD_UPPER ? k->system->row_bound[i] : -k->system->row_bound[i];
        }
    }
}

/* Put back what the last step changed. */
static void take_back(crn_linear_island *k)
{
    crn_copy_numbers(k->r, k->r_before, 3 * k->system->contacts);
    crn_copy_numbers(k->l, k->l_before, k->system->rows);
    crn_linear_move(k);
    refill(k);
}

/* One step with the factor at hand, of the defects in dr, x, b. */
static void step(crn_linear_island *k)
{
    crn_copy_numbers(k->r_before, k->r, 3 * k->system->contacts);
    crn_copy_numbers(k->l_before, k->l, k->system->rows);
    (void)crn_linear_solve(k, k->x, k->b, k->rho);
    add_changes(k, k->dr, k->rho);
}

double crn_linear_violation(crn_linear_island *k)
{
    refill(k);
    return find_defects(k, k->dr, k->x, k->b) / k->scale.velocity;
}

double crn_linear_polish(crn_linear_island *k, double violation, int steps, bool wants_factor)
{
    double factored_at = INFINITY; /* the violation where the factor is from */
    for (int count = 0; count < steps && violation > ENOUGH; ++count) {
        if (factored_at > FACTOR_KEPT) {
            crn_linear_factor(k);
            factored_at = is_curved(k) ? violation : 0.0;
        }
        if (k->is_singular) {
            break;
        }
        step(k);
        crn_linear_move(k);
        double next = crn_linear_violation(k);
        if (next > violation) { /* rounding: it was better before */
            take_back(k);
            break;
        }
        violation = next;
    }
    if (wants_factor && factored_at > FACTOR_EXACT) {
        crn_linear_factor(k);
    }
    return violation;
}

/* Equation i in a neighbour's list; -1: it has none. */
static int in_neighbour(const crn_linear_island *k, const crn_linear_island *neighbour, const int *item, int i)
{
    int other = item[k->row[i].item];
    return other < 0 ? -1 : neighbour->where[crn_linear_place(neighbour, other, k->row[i].part)];
}

/* Does each of its equations have one of the neighbour's, and none two? */
static bool has_same_rows(const crn_linear_island *k, const crn_linear_island *neighbour, const int *item)
{
    if (k->rows != neighbour->rows) {
        return false;
    }
    memset(neighbour->rho, 0, (size_t)neighbour->rows * sizeof *neighbour->rho);
    for (int i = 0; i < k->rows; ++i) {
        int at = in_neighbour(k, neighbour, item, i);
        if (at < 0 || neighbour->rho[at] != 0.0) {
            return false;
        }
        neighbour->rho[at] = 1.0;
    }
    return true;
}

/* b -= A'x, by the columns of the system itself */
static void subtract_push(const crn_linear_island *k, const double *x, double *b)
{
    for (int i = 0; i < k->rows; ++i) {
        int item = k->row[i].item;
        double u[3] = {0.0, 0.0, 0.0};
        crn_linear_look(k->system, item, x, u);
        b[i] -= item < k->system->contacts ? crn_linear_dot(k->mode[item].a[k->row[i].part], u) : u[0];
    }
}

/* The neighbour's whitened velocities may be others, and fewer or more: only right sides are taken from here. */
bool crn_linear_step_by(crn_linear_island *k, const crn_linear_island *neighbour, const int *item)
{
    crn_linear_set_bounds(k);
    crn_linear_move(k);
    refill(k);
    if (neighbour->is_singular || !has_same_rows(k, neighbour, item)) {
        return false;
    }
    (void)find_defects(k, k->dr, k->x, k->b);
    subtract_push(k, k->x, k->b);
    memset(neighbour->x, 0, (size_t)neighbour->system->dof * sizeof *neighbour->x);
    for (int i = 0; i < k->rows; ++i) {
        neighbour->b[in_neighbour(k, neighbour, item, i)] = k->b[i];
    }
    (void)crn_linear_solve(neighbour, neighbour->x, neighbour->b, neighbour->rho);
    for (int i = 0; i < k->rows; ++i) {
        k->rho[i] = neighbour->rho[in_neighbour(k, neighbour, item, i)];
    }
    add_changes(k, k->dr, k->rho);
    crn_linear_move(k);
    return true;
}
