/* One edge of the path: direction, inequalities, ratio test, step. */
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/states_kernels.h"
#include "contact/states_path.h"
#include "math/dd.h"
#include "math/simd.h"
#include "math/vec.h"

/* Tolerances; unknowns and velocities are scaled to order 1. The values and what breaks with others were measured on
 * the gallery: with a slack of 1e-13 one humanoid in eight needs a restart, with 2e-10 certificates reach 1e-9. */
#define TOL_SLACK    5e-11   /* ratio test: how far an inequality may fall below 0 for a better pivot */
#define TOL_RATE     1e-13   /* a rate that small against the largest one is rounding */
#define TOL_RESIDUAL 1e-12   /* rows of the basis beyond this: refine */
#define TOL_ROUNDING 1e-14   /* over the largest rate: what rounding leaves of the rows' rates */
#define TOL_REPAIRED 1e-11   /* beyond this after refinement: invert afresh */
#define TOL_BROKEN   1e-6    /* beyond this: refinement is hopeless */
#define TOL_LOST     (-1e-3) /* an inequality below this: the path is lost; less may heal */

/* --- Motion of unknowns --- */

/* Impulse in the contact's frame from (theta, phi, gamma). */
static inline void impulse_of(const crn_touch *touch, const double *x, double *p)
{
    double along = touch->mu * x[0] - x[2];
    p[0] = x[0];
    p[1] = along * touch->dj[0] + x[1] * touch->e[0];
    p[2] = along * touch->dj[1] + x[1] * touch->e[1];
}

static inline void unknowns_of(const crn_touch *touch, const double *x, double absent, double *values)
{
    values[0] = touch->column[0] >= 0 ? x[touch->column[0]] : absent;
    for (int part = 1; part < 3; ++part) {
        values[part] = touch->column[part] >= 0 ? x[touch->column[part]] : 0.0;
    }
}

static void add_joints(const crn_states *s, const double *x, double *v)
{
    for (int r = 0; r < s->rows; ++r) {
        if (s->joint_column[r] >= 0) {
            for (int p = s->system->row_piece_start[r]; p < s->system->row_piece_start[r + 1]; ++p) {
                crn_axpy(s->row_piece[p].length, x[s->joint_column[r]], s->row_piece[p].x, v + s->row_piece[p].first);
            }
        }
    }
}

/* v and u of active contacts from y. */
CRN_CLONES static void place_active(crn_states *s)
{
    memcpy(s->v, s->k, (size_t)s->dim * sizeof *s->v);
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        double p[3];
        unknowns_of(touch, s->y, touch->low, touch->value);
        impulse_of(touch, touch->value, p);
        crn_touch_add(touch, p, s->v);
    }
    if (s->bounded > 0) {
        crn_states_add_loads(s, s->v, NULL);
    }
    add_joints(s, s->y, s->v);
    s->z0 = s->z0_place >= 0 ? s->y[s->z0_place] : s->z0;
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        crn_touch_dot(touch, s->v, touch->u);
        for (int j = 0; j < 3; ++j) {
            touch->u[j] += touch->offset[j] + s->z0 * touch->shift[j];
        }
    }
}

/* The same for the rates. */
CRN_CLONES static void move_active(crn_states *s)
{
    memset(s->dv, 0, (size_t)s->dim * sizeof *s->dv);
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        double p[3];
        unknowns_of(touch, s->dy, 0.0, touch->rate);
        if (!s->driven.is_row && s->driven.contact == s->active[i]) {
            touch->rate[s->driven.part] = 1.0;
        }
        impulse_of(touch, touch->rate, p);
        crn_touch_add(touch, p, s->dv);
    }
    add_joints(s, s->dy, s->dv);
    s->z0_rate = s->z0_place >= 0 ? s->dy[s->z0_place] : s->driven.contact < 0 ? -1.0 : 0.0;
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        crn_touch_dot(touch, s->dv, touch->du);
        for (int j = 0; j < 3; ++j) {
            touch->du[j] += s->z0_rate * touch->shift[j];
        }
    }
}

/* --- Residuals of the rows of the basis --- */

static inline double rows_of(const crn_touch *touch, const double *u, double *a)
{
    double worst = 0.0;
    if (touch->row[0] >= 0) {
        a[touch->row[0]] = u[0];
        worst = fabs(u[0]);
    }
    if (touch->row[1] >= 0) {
        double e = touch->e[0] * u[1] + touch->e[1] * u[2];
        a[touch->row[1]] = e;
        worst = crn_max(worst, fabs(e));
    }
    if (touch->row[2] >= 0) {
        double corner = -(touch->dj[0] * u[1] + touch->dj[1] * u[2]);
        a[touch->row[2]] = corner;
        worst = crn_max(worst, fabs(corner));
    }
    return worst;
}

/* Violations of the rows at the point, into a; the largest. */
static double point_residual(const crn_states *s, double *a)
{
    double worst = 0.0;
    for (int i = 0; i < s->actives; ++i) {
        const crn_touch *touch = &s->touch[s->active[i]];
        worst = crn_max(worst, rows_of(touch, touch->u, a));
    }
    for (int r = 0; r < s->rows; ++r) {
        if (s->joint_row[r] >= 0) {
            double e = crn_states_joint_dot(s, r, s->v) + s->joint_offset[r] + s->z0 * s->joint_shift[r];
            a[s->joint_row[r]] = e;
            worst = crn_max(worst, fabs(e));
        }
    }
    return worst;
}

double crn_states_point_residual(crn_states *s)
{
    return point_residual(s, s->a);
}

/* How far the rows' rates are from 0 (1 for the driven row), into a; the largest. */
static double rate_residual(const crn_states *s, double *a)
{
    double worst = 0.0;
    for (int i = 0; i < s->actives; ++i) {
        const crn_touch *touch = &s->touch[s->active[i]];
        double size = rows_of(touch, touch->du, a);
        if (s->driven.is_row && s->driven.contact == s->active[i]) {
            int place = touch->row[s->driven.part];
            a[place] -= 1.0;
            size = 0.0;
            for (int part = 0; part < 3; ++part) {
                size = touch->row[part] >= 0 ? crn_max(size, fabs(a[touch->row[part]])) : size;
            }
        }
        worst = crn_max(worst, size);
    }
    for (int r = 0; r < s->rows; ++r) {
        if (s->joint_row[r] >= 0) {
            double e = crn_states_joint_dot(s, r, s->dv) + s->z0_rate * s->joint_shift[r];
            a[s->joint_row[r]] = e;
            worst = crn_max(worst, fabs(e));
        }
    }
    return worst;
}

/* x -= W a */
static void correct(crn_states *s, const double *a, double *x)
{
    int k = s->inverse.k;
    for (int i = 0; i < k; ++i) {
        s->f[i] = -a[i];
    }
    crn_gemv_columns(k, k, s->inverse.W, s->inverse.ld, NULL, s->f, x);
}

/* Refine y until its rows hold; false if the inverse is not good enough. */
static bool repair_point(crn_states *s)
{
    double worst = point_residual(s, s->a);
    if (worst <= TOL_RESIDUAL) {
        return true;
    }
    if (worst <= TOL_BROKEN) {
        correct(s, s->a, s->y);
        crn_states_refresh(s);
        worst = point_residual(s, s->a);
    }
    return worst <= TOL_REPAIRED;
}

/* Rates of the rows when z0 falls and no unknown moves. */
static void falling_shifts(crn_states *s)
{
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        for (int j = 0; j < 3; ++j) {
            touch->h[j] = -touch->shift[j];
        }
    }
    crn_states_by_row(s, s->a);
    for (int r = 0; r < s->rows; ++r) {
        if (s->joint_row[r] >= 0) {
            s->a[s->joint_row[r]] = -s->joint_shift[r];
        }
    }
}

/* v of the impulses that y gives, each product and sum kept to twice the precision; low parts in s->vector. */
static void place_carefully(crn_states *s)
{
    memcpy(s->v, s->k, (size_t)s->dim * sizeof *s->v);
    memset(s->vector, 0, (size_t)s->dim * sizeof *s->vector);
    crn_states_add_loads(s, s->v, s->vector);
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        double p[3];
        unknowns_of(touch, s->y, touch->low, touch->value);
        impulse_of(touch, touch->value, p);
        for (int piece = 0; piece < touch->pieces; ++piece) {
            const crn_states_piece *at = &touch->piece[piece];
            for (int j = 0; j < (touch->d > 0 ? 3 : 1); ++j) {
                crn_dd_axpy(at->length, p[j], at->x + j * at->length, s->v + at->first, s->vector + at->first);
            }
        }
    }
    for (int r = 0; r < s->rows; ++r) {
        for (int p = s->system->row_piece_start[r]; p < s->system->row_piece_start[r + 1] && s->joint_column[r] >= 0;
             ++p) {
            crn_dd_axpy(s->row_piece[p].length, s->y[s->joint_column[r]], s->row_piece[p].x,
                        s->v + s->row_piece[p].first, s->vector + s->row_piece[p].first);
        }
    }
    for (int i = 0; i < s->dim; ++i) {
        s->v[i] += s->vector[i];
    }
}

void crn_states_polish(crn_states *s)
{
    const int passes = 4;
    for (int pass = 0; pass < passes; ++pass) {
        place_carefully(s);
        for (int i = 0; i < s->actives; ++i) {
            crn_touch *touch = &s->touch[s->active[i]];
            crn_touch_dot(touch, s->v, touch->u);
            for (int j = 0; j < 3; ++j) {
                touch->u[j] += touch->offset[j] + s->z0 * touch->shift[j];
            }
        }
        if (point_residual(s, s->a) <= TOL_RESIDUAL || pass == passes - 1) {
            return;
        }
        correct(s, s->a, s->y);
    }
}

/* dy from the inverse. */
static void solve_direction(crn_states *s)
{
    int k = s->inverse.k;
    if (s->driven.is_row) {
        int place = s->touch[s->driven.contact].row[s->driven.part];
        memcpy(s->dy, s->inverse.W + (size_t)place * (size_t)s->inverse.ld, (size_t)k * sizeof *s->dy);
    } else {
        if (s->driven.contact < 0) {
            falling_shifts(s);
        } else {
            crn_states_driven_column(s);
        }
        memset(s->dy, 0, (size_t)k * sizeof *s->dy);
        correct(s, s->a, s->dy);
    }
    move_active(s);
}

static bool repair_direction(crn_states *s)
{
    double size = crn_max(1.0, crn_max_abs(s->inverse.k, s->dy));
    double rounding = TOL_ROUNDING * size, worst = rate_residual(s, s->a);
    if (worst <= crn_max(TOL_RESIDUAL, rounding)) {
        return true;
    }
    if (worst <= TOL_BROKEN * size) {
        correct(s, s->a, s->dy);
        move_active(s);
        worst = rate_residual(s, s->a);
    }
    return worst <= crn_max(TOL_REPAIRED, 10.0 * rounding);
}

/* --- Contacts that are off --- */

/* tau_i += n_i.v of all contacts of a single body; n is a multiple of CRN_PAD. */
static inline void add_normals(int n, int dof, const double *restrict normals, const double *restrict v,
                               double *restrict tau)
{
    if (dof == 6) {
        const double *restrict r = normals;
        const double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5];
        for (int i = 0; i < n; ++i) {
            tau[i] += ((v0 * r[i] + v1 * r[n + i]) + (v2 * r[2 * n + i] + v3 * r[3 * n + i])) +
                      (v4 * r[4 * n + i] + v5 * r[5 * n + i]);
        }
        return;
    }
    for (int c = 0; c < dof; ++c) {
        for (int i = 0; i < n; ++i) {
            tau[i] += v[c] * normals[c * n + i];
        }
    }
}

/* tau_i = (n_i.v + z0 s_n) mask_i */
CRN_CLONES static void sweep_rates(int n, int dof, const double *restrict normals, const double *restrict v, double z0,
                                   const double *restrict shift, const double *restrict mask, double *restrict tau)
{
    for (int i = 0; i < n; ++i) {
        tau[i] = z0 * shift[i];
    }
    add_normals(n, dof, normals, v, tau);
    for (int i = 0; i < n; ++i) {
        tau[i] *= mask[i];
    }
}

/* tau_i = n_i.v + offset + z0 s_n where mask_i is 1; elsewhere 1, which is never a candidate */
CRN_CLONES static void sweep_values(int n, int dof, const double *restrict normals, const double *restrict v, double z0,
                                    const double *restrict shift, const double *restrict offset,
                                    const double *restrict mask, double *restrict tau)
{
    for (int i = 0; i < n; ++i) {
        tau[i] = offset[i] + z0 * shift[i];
    }
    add_normals(n, dof, normals, v, tau);
    for (int i = 0; i < n; ++i) {
        tau[i] = mask[i] != 0.0 ? tau[i] : 1.0;
    }
}

CRN_CLONES static void sweep_many(crn_states *s)
{
    for (int i = 0; i < s->n; ++i) {
        s->tau_rate[i] =
            s->is_off[i] != 0.0 ? crn_touch_dot_normal(&s->touch[i], s->dv) + s->z0_rate * s->shift_n[i] : 0.0;
    }
}

static void sweep_off(crn_states *s)
{
    if (s->is_single) {
        sweep_rates(s->n_padded, s->system->dof, s->normals, s->dv, s->z0_rate, s->shift_n, s->is_off, s->tau_rate);
    } else {
        sweep_many(s);
    }
}

void crn_states_refresh(crn_states *s)
{
    place_active(s);
    if (s->is_single) {
        sweep_values(s->n_padded, s->system->dof, s->normals, s->v, s->z0, s->shift_n, s->offset_n, s->is_off, s->tau);
        return;
    }
    for (int i = 0; i < s->n; ++i) {
        const crn_touch *touch = &s->touch[i];
        if (s->is_off[i] != 0.0) {
            s->tau[i] = crn_touch_dot_normal(touch, s->v) + touch->offset[0] + s->z0 * touch->shift[0];
        }
    }
}

bool crn_states_direction(crn_states *s)
{
    if (!repair_point(s)) {
        if (!crn_states_refactor(s)) {
            return false;
        }
        crn_states_refresh(s);
        correct(s, s->a, s->y);
        crn_states_refresh(s);
        point_residual(s, s->a);
        correct(s, s->a, s->y);
        crn_states_refresh(s);
        if (!(point_residual(s, s->a) <= TOL_BROKEN)) {
            return false;
        }
    }
    solve_direction(s);
    if (!repair_direction(s)) {
        if (!crn_states_refactor(s)) {
            return false;
        }
        solve_direction(s);
        repair_direction(s);
    }
    sweep_off(s);
    return true;
}

/* --- Inequalities of active contacts --- */

static inline void watch(crn_states *s, int contact, int what, int corner, double value, double rate)
{
    int at = s->watches++;
    s->watch[at] = (crn_watch){contact, what, corner};
    s->tau[s->n_padded + at] = value;
    s->tau_rate[s->n_padded + at] = rate;
}

static void watch_neighbour(crn_states *s, int contact, int k)
{
    const crn_touch *touch = &s->touch[contact];
    const double *dk = crn_polygon_corner(touch->polygon, k);
    double e[2] = {dk[0] - touch->dj[0], dk[1] - touch->dj[1]};
    watch(s, contact, CRN_WATCH_NEIGHBOUR, k, e[0] * touch->u[1] + e[1] * touch->u[2],
          e[0] * touch->du[1] + e[1] * touch->du[2]);
}

static void watch_slide(crn_states *s, int contact)
{
    const crn_touch *touch = &s->touch[contact];
    int d = touch->d, j = touch->j;
    if (touch->column[0] >= 0) {
        watch(s, contact, CRN_WATCH_THETA, 0, touch->value[0] - touch->low, touch->rate[0]);
    }
    if (touch->low < 0.0) {
        watch(s, contact, CRN_WATCH_HIGH, 0, -touch->low - touch->value[0], -touch->rate[0]);
    }
    if (touch->kind == CRN_CONTACT_SLIDE) {
        watch_neighbour(s, contact, j + 1 < d ? j + 1 : 0);
        if (d > 2) {
            watch_neighbour(s, contact, j > 0 ? j - 1 : d - 1);
        }
    }
}

static void watch_edge(crn_states *s, int contact)
{
    const crn_touch *touch = &s->touch[contact];
    if (touch->column[1] >= 0) {
        watch(s, contact, CRN_WATCH_PHI, 0, touch->value[1], touch->rate[1]);
    }
    watch(s, contact, CRN_WATCH_REST, 0, touch->mu * touch->value[0] - touch->value[1],
          touch->mu * touch->rate[0] - touch->rate[1]);
    if (touch->d > 2) {
        watch(s, contact, CRN_WATCH_LAMBDA, 0, -(touch->dj[0] * touch->u[1] + touch->dj[1] * touch->u[2]),
              -(touch->dj[0] * touch->du[1] + touch->dj[1] * touch->du[2]));
    }
}

static void watch_stick(crn_states *s, int contact)
{
    const crn_touch *touch = &s->touch[contact];
    double p[3], dp[3];
    impulse_of(touch, touch->value, p);
    impulse_of(touch, touch->rate, dp);
    const double limit = touch->mu * p[0], limit_rate = touch->mu * dp[0];
    const double *normals = crn_polygon_normal(touch->polygon, touch->d, 0);
    double *restrict tau = s->tau + s->n_padded + s->watches, *restrict rate = s->tau_rate + s->n_padded + s->watches;
    crn_watch *watches = s->watch + s->watches;
    for (int l = 0; l < touch->d; ++l) {
        tau[l] = limit - (normals[2 * l] * p[1] + normals[2 * l + 1] * p[2]);
        rate[l] = limit_rate - (normals[2 * l] * dp[1] + normals[2 * l + 1] * dp[2]);
        watches[l] = (crn_watch){contact, CRN_WATCH_FACET, l};
    }
    s->watches += touch->d;
}

/* Entries that are never candidates up to a whole number of lanes: the loops of the ratio test have no tails. */
static void pad_watches(crn_states *s)
{
    int m = s->n_padded + s->watches;
    s->tests = (m + CRN_LANES - 1) / CRN_LANES * CRN_LANES;
    for (int i = m; i < s->tests; ++i) {
        s->tau[i] = 1.0;
        s->tau_rate[i] = 0.0;
    }
}

void crn_states_watch_active(crn_states *s)
{
    s->watches = 0;
    for (int i = 0; i < s->actives; ++i) {
        int contact = s->active[i];
        switch (s->touch[contact].kind) {
        case CRN_CONTACT_ON:
        case CRN_CONTACT_SLIDE: watch_slide(s, contact); break;
        case CRN_CONTACT_EDGE: watch_edge(s, contact); break;
        case CRN_CONTACT_STICK: watch_stick(s, contact); break;
        default: break;
        }
    }
    pad_watches(s);
}

/* --- Ratio test [H73] --- */

/* Where the mask is true the first, elsewhere the second. */
#define SELECT(mask, x, y) ((crn_lanes)(((crn_mask)(x) & (mask)) | ((crn_mask)(y) & ~(mask))))

/* Largest |rate| and least tau; m is a multiple of CRN_LANES. */
CRN_CLONES static double largest_rate(int m, const double *tau, const double *rate, double *least)
{
    crn_lanes high = {0.0, 0.0, 0.0, 0.0}, low = high;
    for (int i = 0; i < m; i += CRN_PAD) {
        crn_lanes r = CRN_LOAD(rate + i), t = CRN_LOAD(tau + i);
        r = SELECT(r < 0.0, -r, r);
        high = SELECT(r > high, r, high);
        low = SELECT(t < low, t, low);
    }
    *least = crn_min(crn_min(low[0], low[1]), crn_min(low[2], low[3]));
    return crn_max(crn_max(high[0], high[1]), crn_max(high[2], high[3]));
}

/* min (max(tau,0) + slack)/(-rate) over rates below -tol; infinity if there is none. */
CRN_CLONES static double longest_step(int m, const double *tau, const double *rate, double tol)
{
    const crn_lanes zero = {0.0, 0.0, 0.0, 0.0};
    crn_lanes best = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < m; i += CRN_PAD) {
        crn_lanes r = CRN_LOAD(rate + i), t = CRN_LOAD(tau + i);
        crn_lanes fall = SELECT(r < -tol, -r, zero); /* 0 makes the ratio infinite */
        crn_lanes ratio = (SELECT(t > 0.0, t, zero) + TOL_SLACK) / fall;
        best = SELECT(ratio < best, ratio, best);
    }
    return crn_min(crn_min(best[0], best[1]), crn_min(best[2], best[3]));
}

/* Of all that end the step within `longest` the one that falls fastest, and how fast; CRN_BLOCK_NONE if there is none. */
CRN_CLONES static int steepest_of(int m, const double *tau, const double *rate, double longest, double *steepest)
{
    int best = CRN_BLOCK_NONE;
    for (int i = 0; i < m; i += CRN_PAD) {
        crn_mask block = (CRN_LOAD(rate + i) < -*steepest) & (CRN_LOAD(tau + i) <= -longest * CRN_LOAD(rate + i));
        if ((block[0] | block[1] | block[2] | block[3]) == 0) {
            continue; /* nearly always */
        }
        for (int j = i; j < i + CRN_PAD; ++j) {
            if (-rate[j] > *steepest && tau[j] <= longest * -rate[j]) {
                *steepest = -rate[j];
                best = j;
            }
        }
    }
    return best;
}

/* Where all that falls is far away the slack is lost in rounding: the last bits of the bound are not held against the
 * inequality that it came from. */
static const double ROUNDED = 1.0 + 1e-15;

int crn_states_ratio(const crn_states *s, double *step)
{
    int m = s->tests;
    double least, fastest = largest_rate(m, s->tau, s->tau_rate, &least);
    if (!(least > TOL_LOST)) {
        return CRN_BLOCK_LOST;
    }
    double tol = TOL_RATE * crn_max(fastest, fabs(s->z0_rate));
    double longest = longest_step(m, s->tau, s->tau_rate, tol);
    /* z0 leaves whenever it ties. Even a rate that may be rounding counts if another inequality bounds the step. */
    bool is_falling = s->z0_rate < (isinf(longest) ? -tol : 0.0);
    if (is_falling && s->z0 <= longest * -s->z0_rate) {
        *step = crn_max(s->z0, 0.0) / -s->z0_rate;
        return CRN_BLOCK_Z0;
    }
    if (isinf(longest)) {
        return CRN_BLOCK_NONE;
    }
    double steepest = tol;
    int best = steepest_of(m, s->tau, s->tau_rate, longest * ROUNDED, &steepest);
    if (best == CRN_BLOCK_NONE) {
        return CRN_BLOCK_LOST;
    }
    *step = crn_max(s->tau[best], 0.0) / steepest;
    return best;
}

int crn_states_ties(const crn_states *s)
{
    double least, fastest = largest_rate(s->tests, s->tau, s->tau_rate, &least);
    double tol = TOL_RATE * crn_max(fastest, fabs(s->z0_rate));
    double longest = longest_step(s->tests, s->tau, s->tau_rate, tol) * ROUNDED;
    int count = 0;
    for (int i = 0; i < s->tests; ++i) {
        count += s->tau_rate[i] < -tol && s->tau[i] <= longest * -s->tau_rate[i];
    }
    return count;
}

/* --- Step --- */

CRN_CLONES void crn_states_advance(crn_states *s, double step)
{
    for (int i = 0; i < s->inverse.k; ++i) {
        s->y[i] += step * s->dy[i];
    }
    for (int i = 0; i < s->dim; i += CRN_PAD) {
        CRN_STORE(s->v + i) += step * CRN_LOAD(s->dv + i);
    }
    for (int i = 0; i < s->n_padded; i += CRN_PAD) {
        CRN_STORE(s->tau + i) += step * CRN_LOAD(s->tau_rate + i);
    }
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        for (int j = 0; j < 3; ++j) {
            touch->u[j] += step * touch->du[j];
        }
    }
    s->z0 += step * s->z0_rate;
}
