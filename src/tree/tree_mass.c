/* The mass matrix H(q) by composite rigid bodies [F08 ch. 6]: with I^C the inertia of all that hangs on link i, frozen,
 *
 *     H_ij = S_i'I^C_i S_j   for j on the path from i to the root,    0 where neither is on the path of the other. */
#include "tree/tree_parts.h"

#include <string.h>

/* Entries of the joint of link i with those of its path; wrench k moves i's velocity k with unit acceleration. */
static void fill_rows(const crn_tree *tree, int i, const double *composite, double *H)
{
    const crn_link *link = &tree->link[i];
    size_t n = (size_t)tree->velocities;
    for (int k = 0; k < link->freedom; ++k) {
        double wrench[6];
        size_t r = (size_t)link->u + (size_t)k;
        for (int c = 0; c < 6; ++c) {
            wrench[c] = crn_sp_dot(composite + 6 * c, link->S + 6 * k);
        }
        for (int j = i; j >= 0; j = tree->link[j].parent) {
            const crn_link *other = &tree->link[j];
            for (int m = 0; m < other->freedom; ++m) {
                size_t c = (size_t)other->u + (size_t)m;
                H[r + n * c] = H[c + n * r] = crn_sp_dot(other->S + 6 * m, wrench);
            }
        }
    }
    for (int k = 0; k < link->freedom; ++k) {
        H[(n + 1) * (size_t)(link->u + k)] += link->armature[k];
    }
}

void crn_tree_mass_matrix(crn_tree *tree, const double *q, double *H)
{
    if (tree == NULL || q == NULL || H == NULL) {
        return;
    }
    double *composite = tree->scratch;
    crn_tree_place(tree, q);
    memset(H, 0, (size_t)tree->velocities * (size_t)tree->velocities * sizeof *H);
    for (int i = 0; i < tree->links; ++i) {
        crn_tree_link_inertia(tree, &tree->link[i], composite + 36 * i);
    }
    for (int i = tree->links - 1; i >= 0; --i) {
        int parent = tree->link[i].parent;
        fill_rows(tree, i, composite + 36 * i, H);
        for (int k = 0; k < 36 && parent >= 0; ++k) {
            composite[36 * parent + k] += composite[36 * i + k];
        }
    }
}
