/* Inverse dynamics: tau = H u' + C - sum J'w, recursive Newton-Euler [F08 ch. 5].
 *
 * crn_tree_outward() finds the wrench of each link; leaves to root, tau = S'p + armature u' and p goes to the parent. */
#include "tree/tree_parts.h"

/* tau of one joint from the wrench (torque, force) that passes through it. */
static void project(const crn_tree *tree, int i, const crn_tree_state *s, double *tau)
{
    const crn_link *link = &tree->link[i];
    crn_vec3 z = crn_m3_column(&s->axes, 2);
    if (link->kind == CRN_JOINT_HINGE || link->kind == CRN_JOINT_SLIDER) {
        tau[0] = crn_v3_dot(z, link->kind == CRN_JOINT_HINGE ? s->torque : s->force);
        return;
    }
    const double *S = crn_tree_wide(tree, link->u);
    for (int k = 0; k < link->freedom; ++k) {
        tau[k] = crn_v3_dot(crn_v3_of(S + 6 * k), s->torque) + crn_v3_dot(crn_v3_of(S + 6 * k + 3), s->force);
    }
}

void crn_tree_inverse(crn_tree *tree, const double *q, const double *u, const double *acceleration,
                      const crn_tree_load *load, double *force)
{
    if (tree == NULL || q == NULL || force == NULL) {
        return;
    }
    crn_tree_state *state = crn_tree_states(tree);
    crn_tree_outward(tree, q, u, acceleration, load, false);
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *link = &tree->link[i];
        const crn_tree_state *s = &state[i];
        double *tau = force + link->u;
        project(tree, i, s, tau);
        for (int k = 0; k < link->freedom && acceleration != NULL; ++k) {
            tau[k] += link->armature[k] * acceleration[link->u + k];
        }
        if (link->parent >= 0) {
            crn_tree_state *p = &state[link->parent];
            p->force = crn_v3_add(p->force, s->force);
            p->torque = crn_v3_add(p->torque, crn_v3_add(s->torque, crn_v3_cross(s->from_parent, s->force)));
        }
    }
}
