/* The Delassus form of a global problem: W_ij = sum over groups of X_i'X_j, q = H'v_f + w, in block rows. */
#include "contact/cone_global.h"

#include "math/vec.h"

#include <string.h>

void crn_cone_global_inverse_masses(const crn_cone_global *g, double *delta)
{
    const int d = g->problem->dim;
    memset(delta, 0, (size_t)g->problem->contacts * sizeof *delta);
    for (int k = 0; k < g->groups; ++k) {
        const int entries = d * crn_cone_group_size(g, k);
        for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
            const double *x = g->piece + g->piece_at[e];
            delta[g->contact[e]] += crn_dot(entries, x, x) / d;
        }
    }
}

/* Pieces by contact: the transpose of the lists of contacts by group. */
typedef struct touch {
    int *start, *piece, *group;
} touch;

static void transpose_pieces(const crn_cone_global *g, touch *t)
{
    const int contacts = g->problem->contacts, pieces = g->contact_start[g->groups];
    crn_cone_sort_by_key(contacts, pieces, g->contact, t->start, t->piece);
    for (int k = 0; k < g->groups; ++k) {
        for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
            t->group[e] = k;
        }
    }
}

/* Contacts that share a group with i, or i itself; out NULL: only count. */
static int neighbours(const crn_cone_global *g, const touch *t, int i, int *mark, int *out)
{
    int found = 1;
    mark[i] = i;
    if (out != NULL) {
        out[0] = i;
    }
    for (int a = t->start[i]; a < t->start[i + 1]; ++a) {
        const int k = t->group[t->piece[a]];
        for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
            const int j = g->contact[e];
            if (mark[j] != i) {
                mark[j] = i;
                if (out != NULL) {
                    out[found] = j;
                }
                ++found;
            }
        }
    }
    return found;
}

static void sort_ints(int count, int *x)
{
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int a = gap; a < count; ++a) {
            const int value = x[a];
            int b = a;
            for (; b >= gap && x[b - gap] > value; b -= gap) {
                x[b] = x[b - gap];
            }
            x[b] = value;
        }
    }
}

/* Row i of blocks: X_i'X_j summed over the groups of i. where: scratch, block of each contact in the row. */
static void fill_row(const crn_cone_global *g, const touch *t, crn_cone_blocks *W, int i, int *where)
{
    const int d = W->d;
    for (int e = W->start[i]; e < W->start[i + 1]; ++e) {
        where[W->column[e]] = e;
    }
    for (int a = t->start[i]; a < t->start[i + 1]; ++a) {
        const int k = t->group[t->piece[a]], n = crn_cone_group_size(g, k);
        const double *Xi = g->piece + g->piece_at[t->piece[a]];
        for (int e = g->contact_start[k]; e < g->contact_start[k + 1]; ++e) {
            const double *Xj = g->piece + g->piece_at[e];
            double *block = W->block + (size_t)(d * d) * (size_t)where[g->contact[e]];
            for (int c = 0; c < d; ++c) {
                for (int r = 0; r < d; ++r) {
                    block[r + c * d] += crn_dot(n, Xi + (size_t)r * (size_t)n, Xj + (size_t)c * (size_t)n);
                }
            }
        }
    }
}

bool crn_cone_global_condense(crn_cone_global *g, crn_cone_blocks *W, crn_arena *arena)
{
    const crn_cone_problem *p = g->problem;
    const int contacts = p->contacts, pieces = g->contact_start[g->groups];
    int *mark = CRN_TAKE(arena, int, contacts);
    touch t = {CRN_TAKE(arena, int, contacts + 1), CRN_TAKE(arena, int, pieces), CRN_TAKE(arena, int, pieces)};
    double *delta = CRN_TAKE(arena, double, contacts);
    if (arena->overflow || t.group == NULL) {
        return false;
    }
    transpose_pieces(g, &t);
    int blocks = 0;
    for (int i = 0; i < contacts; ++i) {
        mark[i] = -1;
    }
    for (int i = 0; i < contacts; ++i) {
        blocks += neighbours(g, &t, i, mark, NULL);
    }
    crn_cone_blocks_layout(W, p->dim, contacts, blocks, arena);
    if (arena->overflow) {
        return false;
    }
    W->start[0] = 0;
    for (int i = 0; i < contacts; ++i) {
        mark[i] = -1;
    }
    for (int i = 0; i < contacts; ++i) {
        int *out = W->column + W->start[i];
        const int found = neighbours(g, &t, i, mark, out);
        sort_ints(found, out);
        W->start[i + 1] = W->start[i] + found;
    }
    memset(W->block, 0, (size_t)(W->d * W->d) * (size_t)blocks * sizeof *W->block);
    for (int i = 0; i < contacts; ++i) {
        fill_row(g, &t, W, i, mark);
    }
    crn_cone_global_motion(g, NULL, W->q);
    W->mu = p->mu;
    crn_cone_blocks_finish(W, delta);
    return true;
}
