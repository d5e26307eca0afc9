/* Factor and solves of a large island: linear_sparse.h has the equations. */
#include "contact/linear_sparse.h"

#include <math.h>
#include <string.h>

#include "contact/linear.h"
#include "math/vec.h"

/* eps, of the least inverse mass; the second if solves with the first leave too much. Tall towers ask for the smaller one: two hundred boxes have
 * eigenvalues of 1e-9. Rounding over eps is felt where redundant rows lean. */
static const double softenings[] = {1e-12, 1e-9};
/* Passes end where this share of the first right side is left, or where one leaves more than STALLED of what was there. */
#define ENOUGH  1e-15
#define STALLED 0.5
/* What the last pass may leave of a right side: more, and equations that should be regular are not. */
#define TOL_LEFT 1e-9
/* Pivots of what leans, over the largest entry of their column: less, and there is no derivative. */
#define TOL_SINGULAR 1e-13
/* Pivots of 1 + A A'/eps: 1 and a little where hard rows hold nothing, a part of 1/eps where they do. */
#define PIVOT_HELD 100.0

enum { PASSES_MOST = 24 };
enum {
    PASSES_PROJECTED = 2
}; /* what rounding over eps puts outside of the range of A' no residual shows; later passes are small */

void crn_linear_sparse_layout(crn_linear_sparse *p, const crn_system *s, crn_arena *arena)
{
    size_t rows = 3 * (size_t)s->contacts + (size_t)s->rows, dof = (size_t)s->dof, contacts = (size_t)s->contacts;
    crn_body_system_layout(&p->body, s, arena);
    crn_block_matrix_layout(&p->held, &p->body.pattern, false, arena);
    crn_block_matrix_layout(&p->even, &p->body.pattern, false, arena);
    p->lean.a = CRN_TAKE_MATRIX(arena, double, contacts, contacts);
    p->lean.pivot = CRN_TAKE(arena, int, contacts);
    p->leaning = CRN_TAKE(arena, int, contacts);
    p->block = CRN_TAKE(arena, double, 6 * contacts);
    p->row = CRN_TAKE(arena, double, (size_t)s->rows);
    p->place = CRN_TAKE(arena, double, dof);
    p->y = CRN_TAKE(arena, double, dof);
    p->null = CRN_TAKE(arena, double, rows);
    p->right = CRN_TAKE(arena, double, rows);
    p->d = CRN_TAKE(arena, double, rows);
    p->left = CRN_TAKE(arena, double, rows);
    p->step = CRN_TAKE(arena, double, rows);
    p->s = CRN_TAKE(arena, double, contacts);
}

/* --- The matrices --- */

static bool is_hard(const crn_linear_island *k, int i)
{
    return i < k->hard;
}

/* What row i is divided by: S + E. */
static double softness(const crn_linear_island *k, int i)
{
    return k->soft[i] + (is_hard(k, i) ? k->sparse.eps : 0.0);
}

/* Do its a and f differ? Only a contact's first row may. */
static bool is_leaning(const crn_linear_island *k, int i)
{
    int item = k->row[i].item, part = k->row[i].part;
    return item < k->system->contacts &&
           memcmp(k->mode[item].a[part], k->mode[item].f[part], sizeof k->mode[item].a[part]) != 0;
}

static void list_leaning(crn_linear_island *k)
{
    crn_linear_sparse *p = &k->sparse;
    p->lean.n = 0;
    p->has_even = k->hard < k->rows;
    for (int i = 0; i < k->rows; ++i) {
        if (is_leaning(k, i)) {
            p->leaning[p->lean.n++] = i;
        }
    }
    p->lean.ld = p->lean.n;
    p->has_even = p->has_even || p->lean.n > 0;
}

/* block (nn, n1, n2, 11, 12, 22) = sum of a a'/softness over the rows of a contact: hard ones, or those that do not lean */
static void fill_block(const crn_linear_island *k, int contact, bool is_held, double *block)
{
    const crn_mode *mode = &k->mode[contact];
    memset(block, 0, 6 * sizeof *block);
    for (int part = 0; part < mode->rows; ++part) {
        int i = k->where[crn_linear_place(k, contact, part)];
        const double *a = mode->a[part];
        double over = 1.0 / (is_held ? k->sparse.eps : softness(k, i));
        if (is_held ? is_hard(k, i) : !is_leaning(k, i)) {
            const double full[6] = {a[0] * a[0], a[0] * a[1], a[0] * a[2], a[1] * a[1], a[1] * a[2], a[2] * a[2]};
            crn_axpy(6, over, full, block);
        }
    }
}

static bool factor_bodies(crn_linear_island *k, bool is_held, crn_block_matrix *matrix)
{
    crn_linear_sparse *p = &k->sparse;
    for (int c = 0; c < k->system->contacts; ++c) {
        fill_block(k, p->body.contact_of[c], is_held, p->block + 6 * (size_t)c);
    }
    for (int c = 0; c < k->system->rows; ++c) {
        p->row[c] = k->hold[p->body.row_of[c]] == CRN_HOLD_FREE ? 1.0 / p->eps : 0.0;
    }
    crn_body_assemble(&p->body, p->block, p->row, matrix);
    return crn_block_cholesky(matrix);
}

static void find_rank(crn_linear_island *k)
{
    k->rank = 0;
    for (int i = 0; i < k->system->dof; ++i) {
        double inverse = k->sparse.held.inverse[i];
        k->rank += 1.0 > PIVOT_HELD * inverse * inverse;
    }
    k->rank = k->rank < k->hard ? k->rank : k->hard;
}

/* --- Solves --- */

/* y = H \ y */
static void divide(const crn_linear_island *k, bool is_held, double *y)
{
    const crn_linear_sparse *p = &k->sparse;
    const crn_block_pattern *pattern = &p->body.pattern;
    for (int at = 0; at < pattern->n; ++at) {
        memcpy(p->place + pattern->first[at], y + k->system->body_start[pattern->node[at]],
               (size_t)pattern->size[at] * sizeof *y);
    }
    crn_block_cholesky_solve(is_held || !p->has_even ? &p->held : &p->even, p->place);
    for (int at = 0; at < pattern->n; ++at) {
        memcpy(y + k->system->body_start[pattern->node[at]], p->place + pattern->first[at],
               (size_t)pattern->size[at] * sizeof *y);
    }
}

/* y = H^-1 (side d), over all rows */
static void push(const crn_linear_island *k, crn_linear_side side, const double *d, double *y)
{
    memset(y, 0, (size_t)k->system->dof * sizeof *y);
    crn_linear_add_rows(k, side, d, y);
    divide(k, false, y);
}

/* A_s'H^-1 F_s + C_s; false: it is singular */
static bool factor_lean(crn_linear_island *k)
{
    crn_linear_sparse *p = &k->sparse;
    int n = p->lean.n;
    for (int j = 0; j < n; ++j) {
        memset(p->d, 0, (size_t)k->rows * sizeof *p->d);
        p->d[p->leaning[j]] = 1.0;
        push(k, CRN_LINEAR_PUSHED, p->d, p->y);
        crn_linear_dot_rows(k, CRN_LINEAR_HELD, p->y, p->d);
        for (int i = 0; i < n; ++i) {
            p->lean.a[(size_t)j * (size_t)n + (size_t)i] =
                p->d[p->leaning[i]] + (i == j ? softness(k, p->leaning[i]) : 0.0);
        }
    }
    p->lean.rcond = 1.0;
    return n == 0 || crn_lu_factor(&p->lean, TOL_SINGULAR);
}

/* d with (A'F + C) d = left, or with A and F exchanged: (1) */
static void correct(const crn_linear_island *k, bool is_transposed, const double *left, double *d)
{
    const crn_linear_sparse *p = &k->sparse;
    crn_linear_side pushed = is_transposed ? CRN_LINEAR_HELD : CRN_LINEAR_PUSHED;
    crn_linear_side held = is_transposed ? CRN_LINEAR_PUSHED : CRN_LINEAR_HELD;
    for (int i = 0; i < k->rows; ++i) {
        d[i] = left[i] / softness(k, i);
    }
    for (int i = 0; i < p->lean.n; ++i) {
        d[p->leaning[i]] = 0.0;
    }
    push(k, pushed, d, p->y);
    if (p->lean.n > 0) { /* d_s, and once more with it */
        crn_linear_dot_rows(k, held, p->y, p->null);
        for (int i = 0; i < p->lean.n; ++i) {
            p->s[i] = left[p->leaning[i]] - p->null[p->leaning[i]];
        }
        (is_transposed ? crn_lu_solve_transposed : crn_lu_solve)(&p->lean, p->s);
        for (int i = 0; i < p->lean.n; ++i) {
            d[p->leaning[i]] = p->s[i];
        }
        push(k, pushed, d, p->y);
    }
    crn_linear_dot_rows(k, held, p->y, p->null);
    for (int i = 0; i < k->rows; ++i) {
        d[i] = is_leaning(k, i) ? d[i] : (left[i] - p->null[i]) / softness(k, i);
    }
}

double crn_linear_sparse_null(const crn_linear_island *k, double *v)
{
    const crn_linear_sparse *p = &k->sparse;
    double first = crn_max_abs(k->hard, v), taken = first, before = INFINITY;
    for (int pass = 0; pass < PASSES_MOST && taken > ENOUGH * first && taken < STALLED * before; ++pass) {
        memset(p->d, 0, (size_t)k->rows * sizeof *p->d);
        crn_copy_numbers(p->d, v, k->hard);
        crn_scal(k->hard, 1.0 / p->eps, p->d);
        memset(p->y, 0, (size_t)k->system->dof * sizeof *p->y);
        crn_linear_add_rows(k, CRN_LINEAR_HELD, p->d, p->y);
        divide(k, true, p->y);
        crn_linear_dot_rows(k, CRN_LINEAR_HELD, p->y, p->d);
        before = pass == 0 ? INFINITY : taken;
        taken = crn_max_abs(k->hard, p->d);
        crn_axpy(k->hard, -1.0, p->d, v);
    }
    return first > 0.0 ? taken / first : 0.0;
}

/* Passes of (1). x: the push, to which that of d is added, with A and F and the sign exchanged for the adjoint; c: right sides. d: their sum.
 * Returns what is left of the first right side. */
static double pass_all(const crn_linear_island *k, bool is_transposed, double *x, const double *c, double *d)
{
    const crn_linear_sparse *p = &k->sparse;
    double first = 0.0, size = 0.0, before = INFINITY;
    memset(d, 0, (size_t)k->rows * sizeof *d);
    for (int pass = 0; pass < PASSES_MOST; ++pass) {
        crn_linear_dot_rows(k, is_transposed ? CRN_LINEAR_PUSHED : CRN_LINEAR_HELD, x, p->left);
        for (int i = 0; i < k->rows; ++i) {
            p->left[i] = c[i] + (is_transposed ? p->left[i] : -p->left[i]) - k->soft[i] * d[i];
        }
        size = crn_max_abs(k->rows, p->left);
        first = pass == 0 ? size : first;
        if (!(size > ENOUGH * first) || !(size < STALLED * before)) {
            break;
        }
        before = size;
        correct(k, is_transposed, p->left, p->step);
        if (pass < PASSES_PROJECTED && k->rank < k->hard) {
            crn_copy_numbers(p->null, p->step, k->hard);
            (void)crn_linear_sparse_null(k, p->null);
            crn_axpy(k->hard, -1.0, p->null, p->step);
        }
        crn_axpy(k->rows, 1.0, p->step, d);
        crn_scal(k->rows, is_transposed ? -1.0 : 1.0, p->step);
        crn_linear_add_rows(k, is_transposed ? CRN_LINEAR_HELD : CRN_LINEAR_PUSHED, p->step, x);
    }
    return first > 0.0 ? size / first : 0.0;
}

double crn_linear_sparse_solve(const crn_linear_island *k, double *x, const double *b, double *rho)
{
    const crn_linear_sparse *p = &k->sparse;
    double size = crn_max_abs(k->hard, b), off = 0.0;
    crn_copy_numbers(p->right, b, k->rows);
    if (size > 0.0) {
        crn_copy_numbers(rho, b, k->hard);
        (void)crn_linear_sparse_null(k, rho);
        off = crn_max_abs(k->hard, rho) / size;
        crn_axpy(k->hard, -1.0, rho, p->right);
    }
    (void)pass_all(k, false, x, p->right, rho);
    return off;
}

void crn_linear_sparse_adjoint(const crn_linear_island *k, double *gy, const double *grho, double *gb)
{
    const crn_linear_sparse *p = &k->sparse;
    crn_copy_numbers(p->right, grho, k->rows);
    crn_linear_dot_rows(k, CRN_LINEAR_PUSHED, gy, gb);
    crn_axpy(k->hard, 1.0, grho, gb);
    (void)crn_linear_sparse_null(k, gb);
    crn_axpy(k->hard, -1.0, gb, p->right);
    (void)pass_all(k, true, gy, p->right, gb);
    crn_copy_numbers(p->right, gb, k->hard); /* less what A does not feel */
    (void)crn_linear_sparse_null(k, p->right);
    crn_axpy(k->hard, -1.0, p->right, gb);
}

/* --- The factor --- */

/* A solve with a right side that hard rows can be leaves nothing over, or equations are singular; nor do passes that take from loads what rows
 * hold, or some rows are nearly implied by others. */
static void try_factor(crn_linear_island *k)
{
    crn_random random = crn_random_seed(1);
    for (int i = 0; i < k->system->dof; ++i) {
        k->lanes_x[i] = crn_random_uniform(&random, -1.0, 1.0);
    }
    for (int i = 0; i < k->hard; ++i) {
        k->lanes_b[i] = crn_random_uniform(&random, -1.0, 1.0);
    }
    k->is_nearly_redundant = crn_linear_sparse_null(k, k->lanes_b) > TOL_LEFT;
    memset(k->lanes_b, 0, (size_t)k->rows * sizeof *k->lanes_b);
    k->is_singular = pass_all(k, false, k->lanes_x, k->lanes_b, k->lanes_rho) > TOL_LEFT;
}

static void factor_with(crn_linear_island *k, double eps)
{
    crn_linear_sparse *p = &k->sparse;
    p->eps = eps;
    k->rank = k->hard;
    k->is_nearly_redundant = false;
    k->is_singular =
        !factor_bodies(k, true, &p->held) || (p->has_even && !factor_bodies(k, false, &p->even)) || !factor_lean(k);
    if (!k->is_singular && k->rows > 0) {
        find_rank(k);
        try_factor(k);
    }
}

void crn_linear_sparse_factor(crn_linear_island *k)
{
    crn_linear_sparse *p = &k->sparse;
    double least = INFINITY;
    crn_body_system_load(&p->body, k->system);
    for (int i = 0; i < k->system->contacts + k->system->rows; ++i) {
        least = crn_min(least, p->body.delta[i]);
    }
    list_leaning(k);
    factor_with(k, softenings[0] * least);
    if (k->is_singular || k->is_nearly_redundant) {
        factor_with(k, softenings[1] * least);
    }
}
