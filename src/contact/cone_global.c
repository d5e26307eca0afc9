/* Groups, Cholesky factors, bilateral rows, whitened columns, and the motion that impulses make. */
#include "contact/cone_global.h"

#include "math/elementary.h"
#include "math/forest.h"
#include "math/triangle.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* A bilateral row whose part outside the rows before it is below this share of its whitened length depends on them. */
#define DEPENDENT 1e-10
/* Steps of iterative refinement of a motion: the second shows that the first was enough. */
#define REFINEMENTS 2

/* --- groups --- */

/* Number the groups by their first velocity; group_of doubles as the forest. */
static int find_groups(const crn_cone_problem *p, int *group_of, int *name)
{
    for (int i = 0; i < p->dof; ++i) {
        group_of[i] = i;
    }
    for (int j = 0; j < p->dof; ++j) {
        for (int e = p->M.start[j]; e < p->M.start[j + 1]; ++e) {
            if (p->M.value[e] != 0.0) {
                (void)crn_forest_join(group_of, p->M.row[e], j);
            }
        }
    }
    for (int j = 0; j < p->rows; ++j) {
        for (int e = p->G.start[j] + 1; e < p->G.start[j + 1]; ++e) {
            (void)crn_forest_join(group_of, p->G.row[e], p->G.row[p->G.start[j]]);
        }
    }
    int groups = 0;
    for (int i = 0; i < p->dof; ++i) {
        const int root = crn_forest_root(group_of, i); /* root <= i: it has its name already, or is i */
        name[i] = root == i ? groups++ : name[root];
    }
    memcpy(group_of, name, (size_t)p->dof * sizeof *name);
    return groups;
}

void crn_cone_sort_by_key(int keys, int count, const int *key, int *start, int *item)
{
    memset(start, 0, ((size_t)keys + 1) * sizeof *start);
    for (int i = 0; i < count; ++i) {
        if (key[i] >= 0) {
            ++start[key[i] + 1];
        }
    }
    for (int k = 0; k < keys; ++k) {
        start[k + 1] += start[k];
    }
    for (int i = 0; i < count; ++i) {
        if (key[i] >= 0) {
            item[start[key[i]]++] = i;
        }
    }
    memmove(start + 1, start, (size_t)keys * sizeof *start);
    start[0] = 0;
}

/* Contacts that touch each group: with g->contact NULL only count. mark: groups. */
static void find_pieces(crn_cone_global *g, int *mark)
{
    const crn_cone_problem *p = g->problem;
    const bool is_count = g->contact == NULL;
    for (int k = 0; k < g->groups; ++k) {
        mark[k] = -1;
    }
    if (is_count) {
        memset(g->contact_start, 0, ((size_t)g->groups + 1) * sizeof *g->contact_start);
    }
    for (int i = 0; i < p->contacts; ++i) {
        for (int e = p->H.start[p->dim * i]; e < p->H.start[p->dim * (i + 1)]; ++e) {
            const int k = g->group_of[p->H.row[e]];
            if (mark[k] == i) {
                continue;
            }
            mark[k] = i;
            if (is_count) {
                ++g->contact_start[k + 1];
            } else {
                g->contact[g->contact_start[k]++] = i;
            }
        }
    }
    if (is_count) {
        for (int k = 0; k < g->groups; ++k) {
            g->contact_start[k + 1] += g->contact_start[k];
        }
    } else {
        memmove(g->contact_start + 1, g->contact_start, (size_t)g->groups * sizeof *g->contact_start);
        g->contact_start[0] = 0;
    }
}

static int group_rows(const crn_cone_global *g, int k)
{
    return g->row_start[k + 1] - g->row_start[k];
}

/* --- factors of a group --- */

/* M of group k, dense, both triangles averaged. */
static void gather_mass(const crn_cone_global *g, int k, double *A)
{
    const crn_cone_matrix *M = &g->problem->M;
    const size_t n = (size_t)crn_cone_group_size(g, k);
    memset(A, 0, n * n * sizeof *A);
    for (size_t c = 0; c < n; ++c) {
        const int j = g->dof[g->dof_start[k] + (int)c];
        for (int e = M->start[j]; e < M->start[j + 1]; ++e) {
            if (M->value[e] != 0.0) {
                const size_t i = (size_t)g->place[M->row[e]];
                A[i + c * n] += 0.5 * M->value[e];
                A[c + i * n] += 0.5 * M->value[e];
            }
        }
    }
}

/* Column j of a sparse matrix, the part in group k, dense. */
static void gather_column(const crn_cone_global *g, const crn_cone_matrix *A, int j, int k, double *x)
{
    memset(x, 0, (size_t)crn_cone_group_size(g, k) * sizeof *x);
    for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
        if (g->group_of[A->row[e]] == k) {
            x[g->place[A->row[e]]] = A->value[e];
        }
    }
}

/* x -= Q Q'x for the first `columns` of Q, twice for the last digits [GVL s5.2]; the coefficients are added to c if that
 * is given. */
static void leave_basis(int n, int columns, const double *Q, double *x, double *c)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < columns; ++k) {
            const double *column = Q + (size_t)k * (size_t)n;
            const double share = crn_dot(n, column, x);
            crn_axpy(n, -share, column, x);
            if (c != NULL) {
                c[k] += share;
            }
        }
    }
}

static void exchange(int n, double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        const double swap = x[i];
        x[i] = y[i];
        y[i] = swap;
    }
}

/* Which of the columns j .. rows-1 has most left of it, relative to its own length; -1 if all depend on those before. */
static int longest(int n, int rows, int j, const double *Q, const double *R)
{
    int best = -1;
    double most = DEPENDENT;
    for (int c = j; c < rows; ++c) {
        const double *column = Q + (size_t)c * (size_t)n, *coefficient = R + (size_t)c * (size_t)rows;
        const double taken = sqrt(crn_dot(j, coefficient, coefficient)), left = sqrt(crn_dot(n, column, column));
        const double share = left > 0.0 ? left / crn_hypot(taken, left) : 0.0;
        if (share > most) {
            most = share;
            best = c;
        }
    }
    return best;
}

/* L^-1 G P = Q R with pivoting by length: rows that depend on others end up last and get no column of Q. */
static void factor_rows(crn_cone_global *g, int k)
{
    const int n = crn_cone_group_size(g, k), rows = group_rows(g, k);
    int *row = g->row + g->row_start[k];
    double *Q = g->basis + g->basis_at[k], *R = g->triangle + g->triangle_at[k];
    memset(R, 0, (size_t)rows * (size_t)rows * sizeof *R);
    for (int j = 0; j < rows; ++j) {
        double *column = Q + (size_t)j * (size_t)n;
        gather_column(g, &g->problem->G, row[j], k, column);
        crn_triangle_solve((size_t)n, g->factor + g->factor_at[k], (size_t)n, column);
    }
    g->rank[k] = 0;
    for (int j = 0; j < rows; ++j) {
        const int best = longest(n, rows, j, Q, R);
        if (best < 0) {
            break;
        }
        const int swap = row[j];
        row[j] = row[best];
        row[best] = swap;
        exchange(n, Q + (size_t)j * (size_t)n, Q + (size_t)best * (size_t)n);
        exchange(rows, R + (size_t)j * (size_t)rows, R + (size_t)best * (size_t)rows);
        double *column = Q + (size_t)j * (size_t)n;
        leave_basis(n, j, Q, column, R + (size_t)j * (size_t)rows);
        const double length = sqrt(crn_dot(n, column, column));
        R[(size_t)j + (size_t)j * (size_t)rows] = length;
        crn_scal(n, 1.0 / length, column);
        ++g->rank[k];
        for (int c = j + 1; c < rows; ++c) {
            double *other = Q + (size_t)c * (size_t)n;
            const double share = crn_dot(n, column, other);
            crn_axpy(n, -share, column, other);
            R[(size_t)j + (size_t)c * (size_t)rows] += share;
        }
    }
}

/* X of every contact that touches group k. */
static void whiten_contacts(crn_cone_global *g, int k)
{
    const int n = crn_cone_group_size(g, k), d = g->problem->dim;
    for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
        for (int c = 0; c < d; ++c) {
            double *x = g->piece + g->piece_at[e] + (size_t)c * (size_t)n;
            gather_column(g, &g->problem->H, d * g->contact[e] + c, k, x);
            crn_triangle_solve((size_t)n, g->factor + g->factor_at[k], (size_t)n, x);
            leave_basis(n, g->rank[k], g->basis + g->basis_at[k], x, NULL);
        }
    }
}

/* --- build --- */

/* Numbers of groups, velocities, rows and pieces. False if the arena is too small. */
static bool build_lists(crn_cone_global *g, crn_arena *arena)
{
    const crn_cone_problem *p = g->problem;
    int *scratch = CRN_TAKE(arena, int, p->dof > p->rows ? p->dof : p->rows);
    g->group_of = CRN_TAKE(arena, int, p->dof);
    g->place = CRN_TAKE(arena, int, p->dof);
    g->dof = CRN_TAKE(arena, int, p->dof);
    g->row = CRN_TAKE(arena, int, p->rows);
    g->dof_start = CRN_TAKE(arena, int, p->dof + 1);
    g->row_start = CRN_TAKE(arena, int, p->dof + 1);
    g->contact_start = CRN_TAKE(arena, int, p->dof + 1);
    g->rank = CRN_TAKE(arena, int, p->dof);
    if (arena->overflow) {
        return false;
    }
    g->groups = find_groups(p, g->group_of, scratch);
    crn_cone_sort_by_key(g->groups, p->dof, g->group_of, g->dof_start, g->dof);
    for (int k = 0; k < g->groups; ++k) {
        for (int e = g->dof_start[k]; e < g->dof_start[k + 1]; ++e) {
            g->place[g->dof[e]] = e - g->dof_start[k];
        }
    }
    for (int j = 0; j < p->rows; ++j) {
        scratch[j] = p->G.start[j] < p->G.start[j + 1] ? g->group_of[p->G.row[p->G.start[j]]] : -1;
    }
    crn_cone_sort_by_key(g->groups, p->rows, scratch, g->row_start, g->row);
    g->contact = NULL;
    find_pieces(g, scratch);
    g->contact = CRN_TAKE(arena, int, g->contact_start[g->groups]);
    if (arena->overflow) {
        return false;
    }
    find_pieces(g, scratch);
    return true;
}

static bool build_room(crn_cone_global *g, crn_arena *arena)
{
    const crn_cone_problem *p = g->problem;
    g->factor_at = CRN_TAKE(arena, size_t, g->groups);
    g->basis_at = CRN_TAKE(arena, size_t, g->groups);
    g->triangle_at = CRN_TAKE(arena, size_t, g->groups);
    g->piece_at = CRN_TAKE(arena, size_t, g->contact_start[g->groups]);
    g->v = CRN_TAKE(arena, double, p->dof);
    g->l = CRN_TAKE(arena, double, p->rows);
    g->force = CRN_TAKE(arena, double, p->dof);
    g->slack = CRN_TAKE(arena, double, p->rows);
    g->correct = CRN_TAKE(arena, double, p->dof);
    g->give = CRN_TAKE(arena, double, p->rows);
    if (arena->overflow) {
        return false;
    }
    size_t factor = 0, basis = 0, triangle = 0, piece = 0;
    for (int k = 0; k < g->groups; ++k) {
        const size_t n = (size_t)crn_cone_group_size(g, k), rows = (size_t)group_rows(g, k);
        g->factor_at[k] = factor;
        g->basis_at[k] = basis;
        g->triangle_at[k] = triangle;
        factor += n * n;
        basis += n * rows;
        triangle += rows * rows;
        for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
            g->piece_at[e] = piece;
            piece += n * (size_t)p->dim;
        }
    }
    g->factor = CRN_TAKE(arena, double, factor);
    g->basis = CRN_TAKE(arena, double, basis);
    g->triangle = CRN_TAKE(arena, double, triangle);
    g->piece = CRN_TAKE(arena, double, piece);
    return !arena->overflow;
}

crn_status crn_cone_global_build(crn_cone_global *g, const crn_cone_problem *problem, crn_arena *arena,
                                 crn_error *error)
{
    *g = (crn_cone_global){.problem = problem};
    if (!build_lists(g, arena) || !build_room(g, arena)) {
        return CRN_OK;
    }
    for (int k = 0; k < g->groups; ++k) {
        double *L = g->factor + g->factor_at[k];
        gather_mass(g, k, L);
        const int size = crn_cone_group_size(g, k), bad = crn_triangle_factor(size, L);
        if (bad < size) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "M: not positive definite at velocity %d",
                            g->dof[g->dof_start[k] + bad] + 1);
        }
        factor_rows(g, k);
        whiten_contacts(g, k);
    }
    return CRN_OK;
}

/* --- motion --- */

/* v, l of group k for M v - G l = force, G'v = -slack; v holds the force on entry:
 *     y = L^-1 force,  R'c = -slack,  R l = c - Q'y  for the pivot rows, l = 0 for the others,  v = L^-T (y + Q R l)
 * y: scratch, as long as the group. */
static void solve_group(const crn_cone_global *g, int k, double *y, const double *slack, double *v, double *l)
{
    const int n = crn_cone_group_size(g, k), rank = g->rank[k], *dof = g->dof + g->dof_start[k],
              *row = g->row + g->row_start[k];
    const size_t ld = (size_t)group_rows(g, k);
    const double *L = g->factor + g->factor_at[k], *Q = g->basis + g->basis_at[k], *R = g->triangle + g->triangle_at[k];
    for (int i = 0; i < n; ++i) {
        y[i] = v[dof[i]];
    }
    crn_triangle_solve((size_t)n, L, (size_t)n, y);
    for (size_t j = ld; j-- > (size_t)rank;) {
        l[row[j]] = 0.0;
    }
    for (int j = 0; j < rank; ++j) { /* c, in the places of l */
        double c = -slack[row[j]];
        for (int i = 0; i < j; ++i) {
            c -= R[(size_t)i + (size_t)j * ld] * l[row[i]];
        }
        l[row[j]] = c / R[(size_t)j + (size_t)j * ld];
    }
    for (int j = 0; j < rank; ++j) {
        const double *column = Q + (size_t)j * (size_t)n;
        const double change = l[row[j]] - crn_dot(n, column, y);
        crn_axpy(n, change, column, y); /* columns of Q are orthonormal: the order does not matter */
        l[row[j]] = change;
    }
    for (int j = rank - 1; j >= 0; --j) {
        double c = l[row[j]];
        for (int i = j + 1; i < rank; ++i) {
            c -= R[(size_t)j + (size_t)i * ld] * l[row[i]];
        }
        l[row[j]] = c / R[(size_t)j + (size_t)j * ld];
    }
    crn_triangle_solve_transposed((size_t)n, L, (size_t)n, y);
    for (int i = 0; i < n; ++i) {
        v[dof[i]] = y[i];
    }
}

/* y += a A x, or with A' */
static void add_product(const crn_cone_matrix *A, double a, const double *x, double *y)
{
    for (int j = 0; j < A->columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            y[A->row[e]] += a * A->value[e] * x[j];
        }
    }
}

static void add_transposed(const crn_cone_matrix *A, const double *x, double *y)
{
    for (int j = 0; j < A->columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            y[j] += A->value[e] * x[A->row[e]];
        }
    }
}

/* force = H r + G l + f - M v,  slack = G'v + b */
static void imbalance(crn_cone_global *g, const double *r)
{
    const crn_cone_problem *p = g->problem;
    memcpy(g->force, p->f, (size_t)p->dof * sizeof *g->force);
    if (r != NULL && p->contacts > 0) {
        add_product(&p->H, 1.0, r, g->force);
    }
    add_product(&p->M, -1.0, g->v, g->force);
    if (p->rows > 0) {
        add_product(&p->G, 1.0, g->l, g->force);
        for (int j = 0; j < p->rows; ++j) {
            g->slack[j] = p->b != NULL ? p->b[j] : 0.0;
        }
        add_transposed(&p->G, g->v, g->slack);
    }
}

void crn_cone_global_motion(crn_cone_global *g, const double *r, double *u)
{
    const crn_cone_problem *p = g->problem;
    memset(g->v, 0, (size_t)p->dof * sizeof *g->v);
    memset(g->give, 0, (size_t)p->rows * sizeof *g->give);
    memset(g->l, 0, (size_t)p->rows * sizeof *g->l);
    for (int step = 0; step <= REFINEMENTS; ++step) {
        imbalance(g, r);
        memcpy(g->correct, g->force, (size_t)p->dof * sizeof *g->correct);
        for (int k = 0; k < g->groups; ++k) {
            solve_group(g, k, g->force, g->slack, g->correct, g->give);
        }
        crn_axpy(p->dof, 1.0, g->correct, g->v);
        crn_axpy(p->rows, 1.0, g->give, g->l);
    }
    for (int i = 0; i < p->dim * p->contacts; ++i) {
        u[i] = p->w != NULL ? p->w[i] : 0.0;
    }
    if (p->contacts > 0) {
        add_transposed(&p->H, g->v, u);
    }
}

double crn_cone_global_row_error(const crn_cone_global *g)
{
    const crn_cone_problem *p = g->problem;
    double largest = 0.0;
    for (int j = 0; j < p->rows; ++j) {
        double sum = p->b != NULL ? p->b[j] : 0.0;
        for (int e = p->G.start[j]; e < p->G.start[j + 1]; ++e) {
            sum += p->G.value[e] * g->v[p->G.row[e]];
        }
        largest = crn_max(largest, fabs(sum));
    }
    return largest;
}
