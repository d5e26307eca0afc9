/* Sweeps with the factor H = L'L of crn_tree_factor(), and velocities of links. p: wrenches, nu: whitened velocities.
 *
 *     nu = L^-T (S'p + f)   leaves to root:   nu_i = l_i^-1 (S_i'p_i + f_i),   p_parent += p_i - U^_i nu_i
 *     u  = L^-1 nu          root to leaves:   u_i = l_i^-T (nu_i - U^_i'V_parent),   V_i = V_parent + S_i u_i
 *
 * A single wrench meets the links of its path only. Joints that are driven or have no freedom pass p and V on. */
#include "tree/tree_parts.h"

#include <string.h>

static const double ZERO[6] = {0, 0, 0, 0, 0, 0};

static bool is_passed(const crn_link *link)
{
    return link->is_driven || link->freedom == 0;
}

CRN_CLONES void crn_tree_spread(const crn_tree *tree, const double *u, bool only_driven, const double *base, double *V)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        double *v = V + 6 * i;
        crn_sp_copy(link->parent >= 0 ? V + 6 * link->parent : base != NULL ? base : ZERO, v);
        if (u != NULL && (link->is_driven || !only_driven)) {
            for (int k = 0; k < link->freedom; ++k) {
                crn_sp_add(u[link->u + k], link->S + 6 * k, v);
            }
        }
    }
}

/* y = l^-1 (S'p + y), p -= U^ y */
CRN_TREE_INLINE void whiten_link(const crn_link *link, double *p, double *y, int d)
{
    for (int k = 0; k < d; ++k) {
        y[k] += crn_sp_dot(link->S + 6 * k, p);
    }
    crn_tree_lower(link->l, link->scale, y, d);
    for (int k = 0; k < d; ++k) {
        crn_sp_add(-y[k], link->U + 6 * k, p);
    }
}

CRN_CLONES void crn_tree_whiten(const crn_tree *tree, double *p, const double *force, double *nu)
{
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *link = &tree->link[i];
        if (!is_passed(link)) {
            double *y = nu + link->w;
            for (int k = 0; k < link->freedom; ++k) {
                y[k] = force != NULL ? force[link->u + k] : 0.0;
            }
            CRN_TREE_FREEDOM(link->freedom, whiten_link, link, p + 6 * i, y);
        }
        if (link->parent >= 0) {
            crn_sp_add(1.0, p + 6 * i, p + 6 * link->parent);
        }
    }
}

/* u = l^-T (nu - U^'V), V += S u */
CRN_TREE_INLINE void unwhiten_link(const crn_link *link, const double *nu, double *u, double *v, int d)
{
    for (int k = 0; k < d; ++k) {
        u[k] = nu[k] - crn_sp_dot(link->U + 6 * k, v);
    }
    crn_tree_upper(link->l, link->scale, u, d);
    for (int k = 0; k < d; ++k) {
        crn_sp_add(u[k], link->S + 6 * k, v);
    }
}

CRN_CLONES void crn_tree_unwhiten(const crn_tree *tree, const double *nu, double *u, double *V)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        double *v = V + 6 * i;
        crn_sp_copy(link->parent >= 0 ? V + 6 * link->parent : ZERO, v);
        if (!is_passed(link)) {
            CRN_TREE_FREEDOM(link->freedom, unwhiten_link, link, nu + link->w, u + link->u, v);
        }
    }
}

/* From link i towards the root; p is used up. */
CRN_CLONES static void follow(const crn_tree *tree, int i, double *p, double *y)
{
    for (; i >= 0; i = tree->link[i].parent) {
        const crn_link *link = &tree->link[i];
        if (!is_passed(link)) {
            CRN_TREE_FREEDOM(link->freedom, whiten_link, link, p, y + link->w);
        }
    }
}

void crn_tree_column(const crn_tree *tree, int link, const double *wrench, double *y)
{
    double p[6];
    memset(y, 0, (size_t)tree->whitened * sizeof *y);
    crn_sp_copy(wrench, p);
    follow(tree, link, p, y);
}

void crn_tree_joint_column(const crn_tree *tree, int link, int k, double *y)
{
    const crn_link *l = &tree->link[link];
    double p[6] = {0, 0, 0, 0, 0, 0};
    memset(y, 0, (size_t)tree->whitened * sizeof *y);
    if (!is_passed(l)) {
        y[l->w + k] = 1.0; /* S'p + force */
        follow(tree, link, p, y);
    }
}
