/* The equations of an island's modes, their rank and factor; products with the inverse. */
#include "contact/linear.h"

#include <math.h>
#include <string.h>

#include "math/lanes.h"
#include "math/vec.h"

/* Of its own length: what is left of a hard row beside those taken before it. Less is rounding of geometry, and the row is one
 * that the others imply. */
#define TOL_RANK 1e-9
/* Of its own length: rows with less left than NEAR and more than NONE are so nearly implied by others that digits decide which a problem
 * hardly has. */
#define TOL_NEAR 1e-6
#define TOL_NONE 1e-13 /* and of the longest row: such a one is rounding altogether */
/* Smallest over largest pivot: below, errors of the data are a million times as large in the derivative. */
#define TOL_CONDITION 1e-7
/* Pivots of the equations, over the largest entry of their column: less, and there is no derivative. */
#define TOL_SINGULAR 1e-13
/* Smallest over largest pivot: below, and where rows are redundant, a second pass of a solve makes up for rounding of the first. */
#define TOL_ONE_PASS 1e-3
/* ... and a third for that of the second: forward and adjoint then agree to 1e-12. */
#define TOL_TWO_PASSES 1e-5

/* Islands with as many velocities have a sparse factor: there both take the same time. */
enum { DOF_LARGE = 72 };

static size_t rows_most(const crn_system *s)
{
    return 3 * (size_t)s->contacts + (size_t)s->rows;
}

static void lay_out_dense(crn_linear_island *k, size_t dof, size_t rows, crn_arena *arena)
{
    k->A = CRN_TAKE_MATRIX(arena, double, dof, rows);
    k->F = CRN_TAKE_MATRIX(arena, double, dof, rows);
    k->Q = CRN_TAKE_MATRIX(arena, double, rows, rows);
    k->basis = CRN_TAKE_MATRIX(arena, double, dof, rows);
    k->lu.a = CRN_TAKE_MATRIX(arena, double, rows, rows);
    k->lu.pivot = CRN_TAKE(arena, int, rows);
}

void crn_linear_layout(crn_linear_island *k, const crn_system *s, bool is_dense, crn_arena *arena)
{
    size_t rows = rows_most(s), dof = (size_t)s->dof, contacts = (size_t)s->contacts;
    k->system = s;
    k->is_sparse = !is_dense && s->dof >= DOF_LARGE && s->bodies > 1;
    k->mode = CRN_TAKE(arena, crn_mode, contacts);
    k->hold = CRN_TAKE(arena, crn_hold, (size_t)s->rows);
    k->row = CRN_TAKE(arena, crn_linear_row, rows);
    k->where = CRN_TAKE(arena, int, rows);
    if (k->is_sparse) {
        crn_linear_sparse_layout(&k->sparse, s, arena);
    } else {
        lay_out_dense(k, dof, rows, arena);
    }
    k->soft = CRN_TAKE(arena, double, rows);
    k->x = CRN_TAKE(arena, double, dof);
    k->b = CRN_TAKE(arena, double, rows);
    k->s = CRN_TAKE(arena, double, 2 * rows);
    k->rho = CRN_TAKE(arena, double, rows);
    k->off = CRN_TAKE(arena, double, rows);
    k->even = CRN_TAKE(arena, double, rows);
    k->lanes_x = CRN_TAKE(arena, double, CRN_LANES *dof);
    k->lanes_b = CRN_TAKE(arena, double, CRN_LANES *rows);
    k->lanes_rho = CRN_TAKE(arena, double, CRN_LANES *rows);
    k->lanes_s = CRN_TAKE(arena, double, CRN_LANES *rows);
    k->lanes_off = CRN_TAKE(arena, double, CRN_LANES *rows);
    k->shifted = CRN_TAKE(arena, double, rows);
    k->dmu = CRN_TAKE(arena, double, contacts);
    k->dr = CRN_TAKE(arena, double, 3 * contacts);
    k->right = CRN_TAKE(arena, double, 3 * contacts);
    k->r_before = CRN_TAKE(arena, double, 3 * contacts);
    k->l_before = CRN_TAKE(arena, double, (size_t)s->rows);
    k->r = CRN_TAKE(arena, double, 3 * contacts);
    k->u = CRN_TAKE(arena, double, 3 * contacts);
    k->l = CRN_TAKE(arena, double, (size_t)s->rows);
    k->e = CRN_TAKE(arena, double, (size_t)s->rows);
    k->y = CRN_TAKE(arena, double, dof);
    k->delta = CRN_TAKE(arena, double, contacts);
}

/* --- Columns --- */

static void fill_columns(crn_linear_island *k, int i)
{
    static const double one[1] = {1.0};
    const crn_system *s = k->system;
    int item = k->row[i].item, part = k->row[i].part;
    const crn_mode *mode = item < s->contacts ? &k->mode[item] : NULL;
    double *A = k->A + (size_t)i * (size_t)s->dof, *F = k->F + (size_t)i * (size_t)s->dof;
    memset(A, 0, (size_t)s->dof * sizeof *A);
    crn_linear_push(s, item, mode ? mode->a[part] : one, A);
    if (mode && memcmp(mode->a[part], mode->f[part], sizeof mode->a[part]) != 0) {
        memset(F, 0, (size_t)s->dof * sizeof *F);
        crn_linear_push(s, item, mode->f[part], F);
    } else {
        memcpy(F, A, (size_t)s->dof * sizeof *F);
    }
}

/* Rows along which nothing can move but for rounding, as across the plane of a planar robot, are none. They are told by the longest: masses that differ
 * by 1e12 make others only a million times as short. */
static void clear_rounding(crn_linear_island *k)
{
    size_t dof = (size_t)k->system->dof;
    double most = 0.0;
    for (int i = 0; i < k->hard; ++i) {
        const double *a = k->A + (size_t)i * dof;
        k->s[i] = crn_dot((int)dof, a, a);
        most = crn_max(most, k->s[i]);
    }
    for (int i = 0; i < k->hard; ++i) {
        if (k->s[i] <= TOL_NONE * TOL_NONE * most) {
            memset(k->A + (size_t)i * dof, 0, dof * sizeof *k->A);
            memset(k->F + (size_t)i * dof, 0, dof * sizeof *k->F);
        }
    }
}

/* --- Rank: the hard rows, each by its longest rest first; Q is an orthonormal basis of the range of A' --- */

static int longest_rest(const double *rest, const double *whole, int count)
{
    int best = -1;
    double most = TOL_RANK * TOL_RANK;
    for (int i = 0; i < count; ++i) {
        double share = whole[i] > 0.0 ? rest[i] / whole[i] : 0.0;
        if (share > most) {
            most = share;
            best = i;
        }
    }
    return best;
}

/* One more direction: what is left of row i, if that is not rounding; its share of every row is a column of Q. */
static void take_direction(crn_linear_island *k, int i, double *rest, double whole)
{
    int dof = k->system->dof, hard = k->hard;
    double *q = k->basis + (size_t)k->rank * (size_t)dof, *column = k->Q + (size_t)k->rank * (size_t)hard;
    memcpy(q, k->A + (size_t)i * (size_t)dof, (size_t)dof * sizeof *q);
    for (int pass = 0; pass < 2; ++pass) { /* twice is enough */
        for (int j = 0; j < k->rank; ++j) {
            const double *other = k->basis + (size_t)j * (size_t)dof;
            crn_axpy(dof, -crn_dot(dof, other, q), other, q);
        }
    }
    double square = crn_dot(dof, q, q);
    rest[i] = 0.0;
    bool is_between = square < TOL_NEAR * TOL_NEAR * whole && square > TOL_NONE * TOL_NONE * whole;
    k->is_nearly_redundant = k->is_nearly_redundant || is_between;
    if (!(square > TOL_RANK * TOL_RANK * whole)) {
        return;
    }
    crn_scal(dof, 1.0 / sqrt(square), q);
    for (int j = 0; j < hard; ++j) {
        column[j] = crn_dot(dof, q, k->A + (size_t)j * (size_t)dof);
        rest[j] = crn_max(rest[j] - column[j] * column[j], 0.0);
    }
    rest[i] = 0.0;
    k->rank++;
}

static void orthonormalise(double *Q, int rows, int columns)
{
    for (int j = 0; j < columns; ++j) {
        double *q = Q + (size_t)j * (size_t)rows;
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < j; ++i) {
                const double *other = Q + (size_t)i * (size_t)rows;
                crn_axpy(rows, -crn_dot(rows, other, q), other, q);
            }
        }
        crn_scal(rows, 1.0 / sqrt(crn_dot(rows, q, q)), q);
    }
}

static void find_rank(crn_linear_island *k)
{
    int dof = k->system->dof;
    double *rest = k->s, *whole = k->s + k->hard;
    k->rank = 0;
    k->is_nearly_redundant = false;
    for (int i = 0; i < k->hard; ++i) {
        const double *a = k->A + (size_t)i * (size_t)dof;
        rest[i] = whole[i] = crn_dot(dof, a, a);
    }
    int most = k->hard < dof ? k->hard : dof;
    while (k->rank < most) {
        int i = longest_rest(rest, whole, k->hard);
        if (i < 0) {
            break;
        }
        take_direction(k, i, rest, whole[i]);
    }
    if (k->rank < k->hard) {
        orthonormalise(k->Q, k->hard, k->rank);
    }
}

/* --- Factor --- */

static int order_of(const crn_linear_island *k)
{
    return k->rank + k->rows - k->hard;
}

/* full (rows) = [Q s; soft part]; and the transpose of that. */
static void spread(const crn_linear_island *k, const double *s, double *full)
{
    int hard = k->hard, rank = k->rank;
    if (rank == hard) {
        memcpy(full, s, (size_t)k->rows * sizeof *full);
        return;
    }
    memset(full, 0, (size_t)hard * sizeof *full);
    for (int j = 0; j < rank; ++j) {
        crn_axpy(hard, s[j], k->Q + (size_t)j * (size_t)hard, full);
    }
    memcpy(full + hard, s + rank, (size_t)(k->rows - hard) * sizeof *full);
}

static void gather(const crn_linear_island *k, const double *full, double *s)
{
    int hard = k->hard, rank = k->rank;
    if (rank == hard) {
        memcpy(s, full, (size_t)k->rows * sizeof *s);
        return;
    }
    for (int j = 0; j < rank; ++j) {
        s[j] = crn_dot(hard, k->Q + (size_t)j * (size_t)hard, full);
    }
    memcpy(s + rank, full + hard, (size_t)(k->rows - hard) * sizeof *s);
}

/* column of A'F + S, for rho */
static void apply(const crn_linear_island *k, const double *rho, double *x, double *to)
{
    int dof = k->system->dof;
    memset(x, 0, (size_t)dof * sizeof *x);
    for (int i = 0; i < k->rows; ++i) {
        if (rho[i] != 0.0) {
            crn_axpy(dof, rho[i], k->F + (size_t)i * (size_t)dof, x);
        }
    }
    for (int i = 0; i < k->rows; ++i) {
        to[i] = crn_dot(dof, k->A + (size_t)i * (size_t)dof, x) + k->soft[i] * rho[i];
    }
}

/* A'F + S where no row is redundant. */
static void fill_directly(crn_linear_island *k)
{
    int dof = k->system->dof, n = k->rows;
    for (int j = 0; j < n; ++j) {
        crn_gemv_transposed(dof, n, k->A, dof, k->F + (size_t)j * (size_t)dof, k->lu.a + (size_t)j * (size_t)n);
        k->lu.a[(size_t)j * (size_t)(n + 1)] += k->soft[j];
    }
}

/* Rows and columns scaled so that diagonal entries are 1: bodies of any masses are alike. */
static void equilibrate(crn_linear_island *k, int n)
{
    double *W = k->lu.a, *scale = k->even;
    for (int j = 0; j < n; ++j) {
        double diagonal = fabs(W[(size_t)j * (size_t)(n + 1)]);
        scale[j] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            W[(size_t)j * (size_t)n + (size_t)i] *= scale[i] * scale[j];
        }
    }
}

static int passes_of(const crn_linear_island *k)
{
    bool is_enough = k->lu.rcond >= TOL_ONE_PASS && k->rank == k->hard;
    return k->lu.rcond < TOL_TWO_PASSES ? 3 : is_enough ? 1 : 2;
}

static void solve_reduced(const crn_linear_island *k, bool is_transposed, double *s)
{
    for (int i = 0; i < k->lu.n; ++i) {
        s[i] *= k->even[i];
    }
    if (is_transposed) {
        crn_lu_solve_transposed(&k->lu, s);
    } else {
        crn_lu_solve(&k->lu, s);
    }
    for (int i = 0; i < k->lu.n; ++i) {
        s[i] *= k->even[i];
    }
}

/* The equations projected on the range of hard rows. */
static void fill_reduced(crn_linear_island *k)
{
    int n = order_of(k);
    double *unit = k->s;
    for (int j = 0; j < n; ++j) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[j] = 1.0;
        spread(k, unit, k->lanes_rho);
        apply(k, k->lanes_rho, k->lanes_x, k->lanes_b);
        gather(k, k->lanes_b, k->lu.a + (size_t)j * (size_t)n);
    }
}

static void factor_filled(crn_linear_island *k)
{
    int n = order_of(k);
    k->lu.n = k->lu.ld = n;
    k->lu.rcond = 1.0;
    equilibrate(k, n);
    k->is_singular = n > 0 && !crn_lu_factor(&k->lu, TOL_SINGULAR);
}

/* Equations that are far from singular have no redundant rows: ranks are asked for only where they are not. */
void crn_linear_factor(crn_linear_island *k)
{
    crn_linear_list(k);
    if (k->is_sparse) {
        crn_linear_sparse_factor(k);
        return;
    }
    for (int i = 0; i < k->rows; ++i) {
        fill_columns(k, i);
    }
    clear_rounding(k);
    k->rank = k->hard;
    k->is_nearly_redundant = false;
    if (k->rows <= k->system->dof) {
        fill_directly(k);
        factor_filled(k);
        if (!k->is_singular && k->lu.rcond > TOL_ONE_PASS) {
            return;
        }
    }
    find_rank(k);
    if (k->rank < k->hard) {
        fill_reduced(k);
    } else {
        fill_directly(k);
    }
    factor_filled(k);
    k->is_nearly_redundant = k->is_nearly_redundant || (!k->is_singular && k->lu.rcond < TOL_CONDITION);
}

/* --- Solving --- */

/* Share of b's hard rows that A'dy cannot be. */
static double contradiction(const crn_linear_island *k, const double *b, const double *s, double *full)
{
    if (k->rank == k->hard) {
        return 0.0;
    }
    spread(k, s, full);
    double off = 0.0, size = crn_max_abs(k->hard, b);
    for (int i = 0; i < k->hard; ++i) {
        off = crn_max(off, fabs(b[i] - full[i]));
    }
    return size > 0.0 ? off / size : 0.0;
}

double crn_linear_solve(const crn_linear_island *k, double *x, const double *b, double *rho)
{
    int dof = k->system->dof;
    double *full = rho, *s = k->s;
    if (k->is_singular) {
        memset(rho, 0, (size_t)k->rows * sizeof *rho);
        return 0.0;
    }
    if (k->is_sparse) {
        return crn_linear_sparse_solve(k, x, b, rho);
    }
    gather(k, b, s);
    double off = contradiction(k, b, s, full);
    memset(rho, 0, (size_t)k->rows * sizeof *rho);
    for (int pass = 0; pass < passes_of(k); ++pass) {
        for (int i = 0; i < k->rows; ++i) {
            k->off[i] = b[i] - k->soft[i] * rho[i] - crn_dot(dof, k->A + (size_t)i * (size_t)dof, x);
        }
        gather(k, k->off, s);
        solve_reduced(k, false, s);
        spread(k, s, k->off);
        for (int i = 0; i < k->rows; ++i) {
            rho[i] += k->off[i];
            crn_axpy(dof, k->off[i], k->F + (size_t)i * (size_t)dof, x);
        }
    }
    return off;
}

/* s = [Q'full; soft part] and full = [Q s; soft part] */
static void gather_lanes(const crn_linear_island *k, const double *full, double *s)
{
    size_t hard = (size_t)(CRN_LANES * k->hard), soft = (size_t)(CRN_LANES * (k->rows - k->hard));
    if (k->rank == k->hard) {
        memcpy(s, full, hard * sizeof *s);
    } else {
        memset(s, 0, (size_t)(CRN_LANES * k->rank) * sizeof *s);
        crn_lanes_add_transposed(k->hard, k->rank, 1.0, k->Q, full, s);
    }
    memcpy(s + CRN_LANES * k->rank, full + hard, soft * sizeof *s);
}

static void spread_lanes(const crn_linear_island *k, const double *s, double *full)
{
    size_t hard = (size_t)(CRN_LANES * k->hard), soft = (size_t)(CRN_LANES * (k->rows - k->hard));
    if (k->rank == k->hard) {
        memcpy(full, s, hard * sizeof *full);
    } else {
        memset(full, 0, hard * sizeof *full);
        crn_lanes_add(k->hard, k->rank, 1.0, k->Q, s, full);
    }
    memcpy(full + hard, s + CRN_LANES * k->rank, soft * sizeof *full);
}

/* A large island has them one after the other. */
static void solve_each_lane(const crn_linear_island *k)
{
    for (int lane = 0; lane < CRN_LANES; ++lane) {
        crn_lanes_get(k->system->dof, k->lanes_x, lane, k->x);
        crn_lanes_get(k->rows, k->lanes_b, lane, k->b);
        (void)crn_linear_solve(k, k->x, k->b, k->rho);
        crn_lanes_put(k->system->dof, k->x, lane, k->lanes_x);
        crn_lanes_put(k->rows, k->rho, lane, k->lanes_rho);
    }
}

void crn_linear_solve_lanes(const crn_linear_island *k)
{
    int dof = k->system->dof, count = CRN_LANES * k->rows;
    double *x = k->lanes_x, *b = k->lanes_b, *rho = k->lanes_rho, *s = k->lanes_s, *off = k->lanes_off;
    memset(rho, 0, (size_t)count * sizeof *rho);
    if (k->is_singular) {
        memset(x, 0, (size_t)(CRN_LANES * dof) * sizeof *x);
        return;
    }
    if (k->is_sparse) {
        solve_each_lane(k);
        return;
    }
    memcpy(off, b, (size_t)count * sizeof *off);
    for (int pass = 0; pass < passes_of(k); ++pass) {
        for (int i = 0; i < count && pass > 0; ++i) {
            off[i] = b[i] - k->soft[i / CRN_LANES] * rho[i];
        }
        crn_lanes_add_transposed(dof, k->rows, -1.0, k->A, x, off);
        gather_lanes(k, off, s);
        crn_lanes_scale(k->lu.n, k->even, s);
        crn_lanes_lu_solve(&k->lu, s);
        crn_lanes_scale(k->lu.n, k->even, s);
        spread_lanes(k, s, off);
        crn_axpy(count, 1.0, off, rho);
        crn_lanes_add(dof, k->rows, 1.0, k->F, off, x);
    }
}

void crn_linear_solve_adjoint(const crn_linear_island *k, double *gy, const double *grho, double *gb)
{
    int dof = k->system->dof;
    double *s = k->s;
    if (k->is_singular) {
        memset(gb, 0, (size_t)k->rows * sizeof *gb);
        return;
    }
    if (k->is_sparse) {
        crn_linear_sparse_adjoint(k, gy, grho, gb);
        return;
    }
    memset(gb, 0, (size_t)k->rows * sizeof *gb);
    for (int pass = 0; pass < passes_of(k); ++pass) {
        for (int i = 0; i < k->rows; ++i) {
            k->off[i] = crn_dot(dof, k->F + (size_t)i * (size_t)dof, gy) + grho[i] - k->soft[i] * gb[i];
        }
        gather(k, k->off, s);
        solve_reduced(k, true, s);
        spread(k, s, k->off);
        for (int i = 0; i < k->rows; ++i) {
            gb[i] += k->off[i];
            crn_axpy(dof, -k->off[i], k->A + (size_t)i * (size_t)dof, gy);
        }
    }
}

void crn_linear_keep_null(const crn_linear_island *k, double *v)
{
    if (k->is_sparse) {
        (void)crn_linear_sparse_null(k, v);
        return;
    }
    for (int j = 0; j < k->rank; ++j) { /* columns of Q are orthonormal */
        const double *q = k->Q + (size_t)j * (size_t)k->hard;
        crn_axpy(k->hard, -crn_dot(k->hard, q, v), q, v);
    }
}
