/* H = L'L in O(n), without H: articulated inertias from the leaves to the root [F08 ch. 6, 7].
 *
 *     I^A_i = I_i at first; then, leaves first,
 *     U_i = I^A_i S_i,    D_i = S_i'U_i + armature + extra = l_i l_i',    U^_i = U_i l_i^-T,
 *     I^A_parent += I^A_i - U^_i U^_i'
 *
 * l_i is the diagonal block of L; the rest of L is never written down: crn_tree_whiten() and crn_tree_unwhiten() sweep
 * over the tree instead. Joints that are driven or have no freedom hand I^A_i on as it is.
 *
 * Leaves are eliminated first: L'L, not LL', so that a column L^-T J' of a wrench fills its path to the root only. */
#include "tree/tree_parts.h"

/* U^, l; what is handed to the parent is left in I^A - U^U^', written to `rest`. */
CRN_TREE_INLINE bool eliminate(crn_link *link, const double *extra, double *rest, int d)
{
    double *U = link->U, *l = link->l;
    const double *S = link->S, *A = link->articulated;
    for (int j = 0; j < d; ++j) {
        for (int i = 0; i < 6; ++i) {
            U[i + 6 * j] = crn_sp_dot(A + 6 * i, S + 6 * j);
        }
    }
    for (int j = 0; j < d; ++j) {
        for (int i = j; i < d; ++i) {
            l[i + d * j] = crn_sp_dot(S + 6 * i, U + 6 * j);
        }
        l[j + d * j] += link->armature[j] + (extra != NULL ? extra[j] : 0.0);
    }
    bool is_positive = crn_tree_cholesky(l, d);
    for (int j = 0; j < d; ++j) { /* U l^-T, column by column */
        for (int k = 0; k < j; ++k) {
            crn_sp_add(-l[j + d * k], U + 6 * k, U + 6 * j);
        }
        double s = 1.0 / l[j + d * j];
        for (int i = 0; i < 6; ++i) {
            U[i + 6 * j] *= s;
        }
    }
    for (int c = 0; c < 6; ++c) {
        for (int r = 0; r < 6; ++r) {
            double sum = A[r + 6 * c];
            for (int j = 0; j < d; ++j) {
                sum -= U[r + 6 * j] * U[c + 6 * j];
            }
            rest[r + 6 * c] = sum;
        }
    }
    return is_positive;
}

bool crn_tree_factor(crn_tree *tree, const double *extra)
{
    bool is_positive = true;
    for (int i = 0; i < tree->links; ++i) {
        crn_tree_link_inertia(tree, &tree->link[i], tree->link[i].articulated);
    }
    for (int i = tree->links - 1; i >= 0; --i) {
        crn_link *link = &tree->link[i];
        const double *more = extra != NULL ? extra + link->u : NULL, *handed = link->articulated;
        double rest[36];
        if (!link->is_driven && link->freedom > 0) {
            handed = rest;
            switch (link->freedom) {
            case 1: is_positive = eliminate(link, more, rest, 1) && is_positive; break;
            case 2: is_positive = eliminate(link, more, rest, 2) && is_positive; break;
            case 3: is_positive = eliminate(link, more, rest, 3) && is_positive; break;
            default: is_positive = eliminate(link, more, rest, CRN_JOINT_FREEDOM_MAX) && is_positive; break;
            }
        }
        if (link->parent >= 0) {
            double *to = tree->link[link->parent].articulated;
            for (int k = 0; k < 36; ++k) {
                to[k] += handed[k];
            }
        }
    }
    return is_positive;
}
