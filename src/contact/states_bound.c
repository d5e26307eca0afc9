/* Bilateral rows with bounds on the path: |l| <= c, e = b'v + o is 0 inside, >= 0 at l = -c, <= 0 at l = c.
 *
 * With a sign sigma, -1 where the row is turned round, theta = sigma l and u_n = sigma e, the row is a contact without
 * friction whose impulse may fall to -c:
 *
 *     state   theta      u_n    watched
 *     OFF     -c         free   u_n >= 0
 *     ON      inside     0      theta + c >= 0, c - theta >= 0
 *
 * and all that the path does with contacts is right for it. When theta reaches c the row is turned round, and theta is at
 * -c. Impulses of rows that are OFF belong to the motion like the free velocity.
 *
 * Where the path begins. For z0 large a row with a shift sigma s > 0 is OFF; one without a shift has the state that
 * solves the problem of the rows alone. So rows begin ON, without a shift, as bilateral ones; those whose impulse then exceeds
 * its bound are put there, with a shift, and the others are solved again. A row that depends on others is OFF, with a
 * shift, on the side that its speed asks for. With this beginning there is no secondary ray (docs/theory/states.md), a bound
 * without effect costs no pivot, and impulses are no larger than they would be without bounds.
 *
 * Dependent rows are the exception: one begins at its bound, and the others carry that. Where the bound is huge (a motor that
 * never gives in, on a joint that is locked) digits would be lost for nothing, so the first path has it narrowed to NARROW.
 * An answer in which the row is at such a bound and does not stand still is none; the next path has the bounds as given. */
#include <math.h>
#include <string.h>

#include "contact/states_kernels.h"
#include "contact/states_path.h"
#include "math/dd.h"
#include "math/vec.h"

/* Rounds of putting impulses to their bounds; after them all rows begin there. */
enum { ROUNDS = 8 };

/* An impulse nearer to its bound than this share of it is a guess for "at the bound". */
#define TOL_AT 1e-9

/* The speed, over the unit, of a row whose guess is at its bound: the guess has none. */
#define TYPICAL 0.1

/* A guess beyond this, over the unit, is none; as in states_warm.c. */
#define FAR 1e5

/* Over the unit: what dependent rows may carry on the first path; rounding of that is far below all tolerances. */
#define NARROW 1e3

void crn_states_load_bounds(crn_states *s)
{
    const crn_system *system = s->system;
    for (int r = 0, b = 0; r < s->rows && b < s->bounded; ++r) {
        if (!(system->row_bound[r] < INFINITY)) {
            continue;
        }
        crn_touch *touch = &s->touch[s->contacts + b];
        memset(touch, 0, sizeof *touch);
        touch->scale = s->joint_scale[r];
        touch->pieces = system->row_piece_start[r + 1] - system->row_piece_start[r];
        touch->piece = s->row_piece + system->row_piece_start[r];
        s->bound[b].row = r;
        s->bound[b].sign = 1.0;
        s->bound[b].is_narrow = false;
        ++b;
    }
}

/* The least theta: minus the bound, or what it is narrowed to. */
static void set_low(crn_states *s, int b, bool is_narrow)
{
    crn_touch *touch = &s->touch[s->contacts + b];
    double bound = s->system->row_bound[s->bound[b].row] / (s->unit * touch->scale);
    s->bound[b].is_narrow = is_narrow && bound > NARROW;
    touch->low = s->bound[b].is_narrow ? -NARROW : -bound;
}

void crn_states_scale_bounds(crn_states *s)
{
    for (int b = 0; b < s->bounded; ++b) {
        int i = s->contacts + b;
        s->touch[i].offset[0] = s->offset_n[i] = s->bound[b].sign * s->joint_offset[s->bound[b].row];
        set_low(s, b, s->bound[b].is_narrow);
    }
}

double crn_states_narrow_error(const crn_states *s)
{
    double worst = 0.0;
    for (int b = 0; b < s->bounded; ++b) {
        int i = s->contacts + b;
        if (s->bound[b].is_narrow && s->touch[i].column[CRN_PART_NORMAL] < 0) {
            worst = crn_max(worst, fabs(s->touch[i].place < 0 ? s->tau[i] : s->touch[i].u[0]));
        }
    }
    return worst;
}

/* What belongs to the row and its unknown in the inverse and in the vectors of the basis. */
static void turn_basis(crn_states *s, const crn_touch *touch)
{
    size_t ld = (size_t)s->inverse.ld;
    int k = s->inverse.k, row = touch->row[CRN_PART_NORMAL], column = touch->column[CRN_PART_NORMAL];
    if (row >= 0) {
        crn_scal(k, -1.0, s->inverse.W + (size_t)row * ld);
    }
    if (column >= 0) {
        for (int j = 0; j < k; ++j) {
            s->inverse.W[(size_t)column + (size_t)j * ld] *= -1.0;
        }
        s->y[column] *= -1.0;
        s->dy[column] *= -1.0;
    }
}

void crn_states_turn(crn_states *s, int contact)
{
    crn_touch *touch = &s->touch[contact];
    for (int p = 0; p < touch->pieces; ++p) {
        crn_scal(touch->piece[p].length, -1.0, touch->piece[p].x);
    }
    for (int c = 0; c < s->system->dof && s->is_single; ++c) {
        s->normals[(size_t)c * (size_t)s->n_padded + (size_t)contact] *= -1.0;
    }
    double *turned[7] = {touch->shift,     touch->offset,        touch->u, touch->du, touch->value,
                         &s->tau[contact], &s->tau_rate[contact]};
    for (int j = 0; j < 7; ++j) {
        *turned[j] *= -1.0;
    }
    touch->rate[0] *= -1.0;
    s->shift_n[contact] = touch->shift[0];
    s->offset_n[contact] = touch->offset[0];
    s->bound[contact - s->contacts].sign *= -1.0;
    s->are_products_of_driven = false;
    turn_basis(s, touch);
}

void crn_states_add_loads(const crn_states *s, double *v, double *lost)
{
    for (int i = s->contacts; i < s->n; ++i) {
        const crn_touch *touch = &s->touch[i];
        for (int p = 0; p < touch->pieces && touch->place < 0; ++p) {
            const crn_states_piece *piece = &touch->piece[p];
            if (lost) {
                crn_dd_axpy(piece->length, touch->low, piece->x, v + piece->first, lost + piece->first);
            } else {
                crn_axpy(piece->length, touch->low, piece->x, v + piece->first);
            }
        }
    }
}

bool crn_states_holds(const crn_states *s, int row)
{
    for (int b = 0; b < s->bounded; ++b) {
        if (s->bound[b].row == row) {
            return s->touch[s->contacts + b].column[CRN_PART_NORMAL] >= 0;
        }
    }
    return s->joint_column[row] >= 0;
}

double crn_states_bound_impulse(const crn_states *s, int b)
{
    const crn_touch *touch = &s->touch[s->contacts + b];
    int place = touch->column[CRN_PART_NORMAL];
    double bound = s->system->row_bound[s->bound[b].row];
    if (place < 0 && !s->bound[b].is_narrow) {
        return -s->bound[b].sign * bound;
    }
    double l = s->bound[b].sign * s->unit * touch->scale * (place < 0 ? touch->low : s->y[place]);
    return crn_min(crn_max(l, -bound), bound);
}

/* --- Beginnings --- */

static void set_shift(crn_states *s, int contact, double shift)
{
    s->touch[contact].shift[0] = s->shift_n[contact] = shift;
}

/* Put the row into the basis, ON with that impulse; false, and it is OFF, if it depends on the rows that are there. */
static bool hold(crn_states *s, int contact, double theta)
{
    crn_touch *touch = &s->touch[contact];
    int k = s->inverse.k;
    s->driven = (crn_driven){false, contact, CRN_PART_NORMAL};
    s->are_products_of_driven = false;
    crn_states_driven_column(s);
    double square = crn_dot(s->dim, s->vector, s->vector);
    crn_gemv_transposed(k, k, s->inverse.W, s->inverse.ld, s->a, s->t); /* W is symmetric here */
    double pivot = square - crn_dot(k, s->a, s->t);
    if (!(pivot > CRN_TOL_DEPENDENT * square) || k + 2 >= s->capacity) {
        return false;
    }
    for (int b = 0; b < k; ++b) {
        s->dy[b] = -s->t[b];
    }
    crn_inverse_border(&s->inverse, s->dy, s->t, pivot, s->f);
    touch->kind = CRN_CONTACT_ON;
    s->is_off[contact] = 0.0;
    s->tau[contact] = 1.0;
    set_shift(s, contact, 0.0);
    crn_states_activate(s, contact);
    crn_states_put_row(s, k, 3 * contact + CRN_PART_NORMAL);
    crn_states_put_column(s, k, 3 * contact + CRN_PART_NORMAL, theta);
    return true;
}

/* All rows that are not to begin at their bounds into the basis, as far as they are independent; then solve. */
static void hold_rows(crn_states *s)
{
    s->actives = 0;
    crn_states_begin_joints(s);
    for (int i = s->contacts; i < s->n; ++i) {
        crn_states_clear_contact(s, i);
        set_shift(s, i,
                  s->touch[i].lift + 0.5); /* as chosen for this attempt, whatever became of it on the last path */
        set_low(s, i - s->contacts, false);
        if (!s->bound[i - s->contacts].is_at && !hold(s, i, 0.0)) {
            set_low(s, i - s->contacts, s->may_narrow);
        }
    }
    crn_states_settle(s);
}

/* Rows that are OFF without having been put there: to the side that their speed asks for. Those that depend on the rows in
 * the basis keep their speed when the impulses are solved again. */
static void choose_sides(crn_states *s)
{
    bool is_changed = false;
    for (int i = s->contacts; i < s->n; ++i) {
        if (s->is_off[i] != 0.0 && !s->bound[i - s->contacts].is_at && s->tau[i] < 0.0) {
            crn_states_turn(s, i);
            set_shift(s, i, fabs(s->touch[i].shift[0]));
            is_changed = true;
        }
    }
    if (is_changed) {
        crn_states_settle(s);
    }
}

/* Note which impulses exceed their bounds; false if none does. */
static bool put_to_bounds(crn_states *s)
{
    bool is_changed = false;
    for (int i = s->contacts; i < s->n; ++i) {
        const crn_touch *touch = &s->touch[i];
        double theta = s->is_off[i] == 0.0 ? s->y[touch->column[CRN_PART_NORMAL]] : 0.0;
        if (fabs(theta) > -touch->low) {
            s->bound[i - s->contacts].is_at = is_changed = true;
            if (theta > 0.0) {
                crn_states_turn(s, i);
            }
        }
    }
    return is_changed;
}

static void put_all(crn_states *s, bool is_at)
{
    for (int b = 0; b < s->bounded; ++b) {
        s->bound[b].is_at = is_at;
    }
}

void crn_states_begin_bounds(crn_states *s)
{
    put_all(s, false);
    for (int round = 0; round < ROUNDS; ++round) {
        hold_rows(s);
        choose_sides(s);
        if (!put_to_bounds(s)) {
            return;
        }
    }
    put_all(s, true);
    hold_rows(s);
}

/* --- From a guess --- */

static void guess_bounded(crn_states *s, int b, double l)
{
    int i = s->contacts + b;
    crn_touch *touch = &s->touch[i];
    double theta = s->bound[b].sign * l / (s->unit * touch->scale);
    crn_states_clear_contact(s, i);
    crn_states_set_corners(touch, 0, 0);
    set_low(s, b, false);
    bool is_inside = fabs(theta) < -touch->low * (1.0 - TOL_AT);
    theta = is_inside && fabs(theta) > FAR ? 0.0 : theta;
    if (is_inside && hold(s, i, theta)) {
        return; /* no shift: its speed at the beginning is 0 */
    }
    set_low(s, b, is_inside && s->may_narrow);
    if (theta > 0.0) {
        crn_states_turn(s, i);
    }
    s->tau[i] = 1.0;
    set_shift(s, i, TYPICAL * touch->lift);
}

void crn_states_guess_bounds(crn_states *s, const double *row)
{
    for (int r = 0; r < s->rows && row; ++r) {
        double theta = s->joint_column[r] >= 0 ? row[r] / (s->unit * s->joint_scale[r]) : 0.0;
        if (s->joint_column[r] >= 0 && fabs(theta) <= FAR) {
            s->y[s->joint_column[r]] = theta;
        }
    }
    for (int b = 0; b < s->bounded; ++b) {
        double l = row ? row[s->bound[b].row] : 0.0;
        guess_bounded(s, b, isfinite(l) ? l : 0.0);
    }
}
