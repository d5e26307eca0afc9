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

/* What a link without whitened velocities hands on: to += I^A. */
CRN_TREE_INLINE void pass(const double *articulated, double *to)
{
    const crn_pair *A = (const crn_pair *)articulated;
    crn_pair *P = (crn_pair *)to;
    for (int k = 0; k < 18; ++k) {
        P[k] += A[k];
    }
}

/* Column j of I^A S. */
CRN_TREE_INLINE void add_up(const crn_pair *A, const double *s, crn_pair *u)
{
    crn_pair a = A[0] * s[0], b = A[1] * s[0], c = A[2] * s[0];
    for (int k = 1; k < 6; ++k) {
        a += A[3 * k] * s[k];
        b += A[3 * k + 1] * s[k];
        c += A[3 * k + 2] * s[k];
    }
    u[0] = a;
    u[1] = b;
    u[2] = c;
}

/* U^ and l of a link; to += I^A - U^ U^' (NULL: it has no parent). Sums are kept apart from the link until they are done: the
 * compiler cannot know that `to` is none of its arrays. */
CRN_TREE_INLINE bool eliminate(crn_link *link, const double *extra, double *to, int d)
{
    const crn_pair *A = (const crn_pair *)link->articulated;
    crn_pair U[3 * CRN_JOINT_FREEDOM_MAX], *P = (crn_pair *)to;
    double *l = link->l;
    for (int j = 0; j < d; ++j) {
        add_up(A, link->S + 6 * j, U + 3 * j);
    }
    for (int j = 0; j < d; ++j) {
        for (int i = j; i < d; ++i) {
            const crn_pair *S = (const crn_pair *)(link->S + 6 * i);
            crn_pair sum = S[0] * U[3 * j] + S[1] * U[3 * j + 1] + S[2] * U[3 * j + 2];
            l[i + d * j] = sum[0] + sum[1];
        }
        l[j + d * j] += link->armature[j] + (extra != NULL ? extra[j] : 0.0);
    }
    bool is_positive = crn_tree_cholesky(l, d);
    crn_tree_set_scale(l, link->scale, d);
    for (int j = 0; j < d; ++j) { /* U l^-T, column by column */
        for (int r = 0; r < 3; ++r) {
            for (int k = 0; k < j; ++k) {
                U[r + 3 * j] -= U[r + 3 * k] * l[j + d * k];
            }
            U[r + 3 * j] *= link->scale[j];
            ((crn_pair *)link->U)[r + 3 * j] = U[r + 3 * j];
        }
    }
    for (int c = 0; c < 6 && P != NULL; ++c) {
        crn_pair sum[3] = {A[3 * c], A[3 * c + 1], A[3 * c + 2]};
        for (int j = 0; j < d; ++j) {
            double s = U[3 * j + c / 2][c % 2];
            for (int r = 0; r < 3; ++r) {
                sum[r] -= U[r + 3 * j] * s;
            }
        }
        for (int r = 0; r < 3; ++r) {
            P[r + 3 * c] += sum[r];
        }
    }
    return is_positive;
}

CRN_CLONES bool crn_tree_factor(crn_tree *tree, const double *extra)
{
    bool is_positive = true;
    for (int i = 0; i < tree->links; ++i) {
        crn_tree_link_inertia(tree, &tree->link[i], tree->link[i].articulated);
    }
    for (int i = tree->links - 1; i >= 0; --i) {
        crn_link *link = &tree->link[i];
        const double *more = extra != NULL ? extra + link->u : NULL;
        double *to = link->parent >= 0 ? tree->link[link->parent].articulated : NULL;
        switch (link->is_driven ? 0 : link->freedom) {
        case 0:
            if (to != NULL) {
                pass(link->articulated, to);
            }
            break;
        case 1: is_positive = eliminate(link, more, to, 1) && is_positive; break;
        case 2: is_positive = eliminate(link, more, to, 2) && is_positive; break;
        case 3: is_positive = eliminate(link, more, to, 3) && is_positive; break;
        default: is_positive = eliminate(link, more, to, CRN_JOINT_FREEDOM_MAX) && is_positive; break;
        }
    }
    return is_positive;
}
