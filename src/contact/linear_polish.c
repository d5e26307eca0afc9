/* Newton's method on the equations of known states: what a certificate of 1e-9 leaves over goes down to rounding. */
#include <math.h>
#include <string.h>

#include "contact/linear.h"
#include "math/vec.h"

#define ROUNDING 1e-16 /* of U: no step makes a smaller violation smaller */

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

static void refill(crn_linear_island *k)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        crn_mode_fill(k->system, i, k->scale.law, k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, &k->mode[i]);
    }
    crn_linear_factor(k);
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

static void set_bounds(crn_linear_island *k)
{
    for (int i = 0; i < k->system->rows; ++i) {
        if (k->hold[i] != CRN_HOLD_FREE) {
            k->l[i] = k->hold[i] == CRN_HOLD_UPPER ? k->system->row_bound[i] : -k->system->row_bound[i];
        }
    }
}

double crn_linear_polish(crn_linear_island *k, int steps)
{
    double *dr = k->dr, last = INFINITY;
    set_bounds(k);
    for (int step = 0;; ++step) {
        crn_linear_move(k);
        refill(k);
        double most = find_defects(k, dr, k->x, k->b) / k->scale.velocity;
        if (most > last) { /* the step before was better: rounding */
            crn_copy_numbers(k->r, k->r_before, 3 * k->system->contacts);
            crn_copy_numbers(k->l, k->l_before, k->system->rows);
            crn_linear_move(k);
            refill(k);
            return last;
        }
        if (step >= steps || k->is_singular || most <= ROUNDING) {
            return most;
        }
        last = most;
        crn_copy_numbers(k->r_before, k->r, 3 * k->system->contacts);
        crn_copy_numbers(k->l_before, k->l, k->system->rows);
        (void)crn_linear_solve(k, k->x, k->b, k->rho);
        add_changes(k, dr, k->rho);
    }
}
