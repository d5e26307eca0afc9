/* One pass over the entries. */
#include "lcp/structure.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Entries that differ by less, relative to the largest they are compared with, are equal but for rounding. */
static const double TOL_SYMMETRIC = 1e-12;

static void compare(crn_structure *s, const crn_sparse *A, int i, int j, double v)
{
    const double *mirror = crn_sparse_find(A, j, i);
    double other = mirror ? *mirror : 0.0;
    s->is_paired = s->is_paired && mirror;
    if (v == other) {
        return;
    }
    s->is_mirrored = s->is_mirrored && v == -other;
    double size = crn_max(fabs(v), fabs(other));
    size = crn_max(size, crn_max(fabs(crn_sparse_entry(A, i, i)), fabs(crn_sparse_entry(A, j, j))));
    if (fabs(v - other) / size > s->asymmetry) {
        s->asymmetry = fabs(v - other) / size;
        s->row = i;
        s->column = j;
    }
}

/* Column j on its own. */
static void look_at_column(crn_structure *s, const crn_sparse *A, int j)
{
    double diagonal = 0.0, others = 0.0;
    for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
        const int i = A->index[e];
        const double v = A->value[e];
        if (i == j) {
            diagonal = v;
            continue;
        }
        others += fabs(v);
        s->is_tridiagonal = s->is_tridiagonal && (v == 0.0 || (i - j <= 1 && j - i <= 1));
        s->is_z = s->is_z && v <= 0.0;
        compare(s, A, i, j, v);
    }
    s->has_positive_diagonal = s->has_positive_diagonal && diagonal > 0.0;
    s->is_dominant = s->is_dominant && others <= diagonal;
}

crn_structure crn_structure_of(const crn_lcp_problem *p)
{
    crn_structure s = {.is_tridiagonal = true,
                       .is_mirrored = true,
                       .is_paired = true,
                       .has_positive_diagonal = true,
                       .is_z = true,
                       .is_dominant = true};
    const crn_sparse A = {p->n, p->n, (int *)p->start, (int *)p->row, (double *)p->value}; /* only read */
    for (int j = 0; j < p->n; ++j) {
        look_at_column(&s, &A, j);
    }
    s.is_symmetric = s.asymmetry <= TOL_SYMMETRIC;
    return s;
}

/* Sign the neighbours of j as column j asks for, and put the new ones onto the stack; false if one has the other sign. */
static bool sign_neighbours(const crn_sparse *M, int j, signed char *sign, int *stack, int *count)
{
    for (int e = M->start[j]; e < M->start[j + 1]; ++e) {
        const int i = M->index[e];
        const double v = M->value[e];
        if (v == 0.0) {
            continue;
        }
        const bool is_flipped = v != crn_sparse_entry(M, j, i);
        const signed char wanted = is_flipped ? (signed char)-sign[j] : sign[j];
        if (sign[i] == 0) {
            sign[i] = wanted;
            stack[(*count)++] = i;
        }
        if (sign[i] != wanted) {
            return false;
        }
    }
    return true;
}

bool crn_structure_signs(const crn_sparse *M, signed char *sign, int *stack)
{
    memset(sign, 0, (size_t)M->columns);
    for (int root = 0; root < M->columns; ++root) {
        if (sign[root] != 0) {
            continue;
        }
        int count = 1;
        stack[0] = root;
        sign[root] = 1;
        while (count > 0) {
            const int j = stack[--count];
            if (!sign_neighbours(M, j, sign, stack, &count)) {
                return false;
            }
        }
    }
    return true;
}
