/* What a definition of a tree may say.
 *
 * H(q) must be positive: no joint may move without moving mass or armature. What moves is judged on the articulated inertia
 * [F08 ch. 7] at coordinates that nothing singles out: of a massless leaf it is 0 along S; two hinges of one axis with
 * nothing between them, or a ball joint on the line of a rod without width, leave nothing but rounding. */
#include "math/elementary.h"
#include "tree/tree_parts.h"

#include <string.h>

/* Of a pivot of D, relative to the terms it was left over from. Rounding leaves 1e-15 of them; a link of 1e-12 of the inertia
 * that it carries could not be stepped. */
static const double MASSLESS_BELOW = 1e-12;

/* Of a lever arm, relative to the size of the tree: a point that should be on its joint is off by 1e-16 of it. */
static const double ARM_BELOW = 1e-12;

/* Of |quaternion|^2: longer or shorter ones are taken for a mistake, not for rounding. */
static const double UNIT_SLACK = 1e-6;

/* Of entries of an inertia relative to its trace: a file's digits. */
static const double SYMMETRY_SLACK = 1e-9;

static bool is_finite(crn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_pose(const crn_pose *pose)
{
    crn_quat r = pose->rotation;
    double square = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    return is_finite(pose->position) && fabs(square - 1.0) <= UNIT_SLACK;
}

/* Symmetric and positive semidefinite, up to slack. */
static bool is_inertia(const crn_mat3 *inertia)
{
    const double *m = inertia->m;
    double trace = m[0] + m[4] + m[8], slack = SYMMETRY_SLACK * trace, a[9];
    for (int i = 0; i < 9; ++i) {
        if (!isfinite(m[i]) || fabs(m[i] - m[i / 3 + 3 * (i % 3)]) > slack) {
            return false;
        }
        a[i] = m[i] + (i % 4 == 0 ? slack : 0.0);
    }
    bool is_zero = true;
    for (int i = 0; i < 9; ++i) {
        is_zero = is_zero && m[i] == 0.0;
    }
    return is_zero || (trace > 0.0 && crn_tree_cholesky(a, 3));
}

crn_status crn_tree_check(const crn_link_def *link, int i, crn_error *error)
{
    const crn_link_def *l = &link[i];
    if (l->parent < -1 || l->parent >= i) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].parent: %d is no earlier link, nor -1 for the base", i,
                        l->parent);
    }
    if (crn_joint_kind_freedom(l->kind) < 0) {
        const char *name = crn_joint_kind_name(l->kind);
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].kind: %s cannot be in a tree", i,
                        name != NULL ? name : "what is no joint");
    }
    if (!is_pose(&l->frame_a)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].frame_a: must be finite, with a unit quaternion", i);
    }
    if (!is_pose(&l->frame_b)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].frame_b: must be finite, with a unit quaternion", i);
    }
    if (!(isfinite(l->mass) && l->mass >= 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].mass: %g is not finite and >= 0", i, l->mass);
    }
    if (!is_finite(l->com)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].com: must be finite", i);
    }
    if (!is_inertia(&l->inertia)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].inertia: must be symmetric and positive semidefinite", i);
    }
    for (int k = 0; k < CRN_JOINT_FREEDOM_MAX; ++k) {
        if (!(isfinite(l->armature[k]) && l->armature[k] >= 0.0)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "links[%d].armature[%d]: %g is not finite and >= 0", i, k,
                            l->armature[k]);
        }
    }
    return CRN_OK;
}

/* --- What cannot be moved --- */

/* s'A s, all terms counted positive */
static double along(const double *A, const double *s)
{
    double sum = 0.0;
    for (int k = 0; k < 36; ++k) {
        sum += fabs(s[k % 6] * A[k] * s[k / 6]);
    }
    return sum;
}

/* The inertia of all mass at an arm that is rounding. */
static double least_inertia(const crn_tree *tree)
{
    double mass = 0.0, size = 0.0;
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        mass += link->mass;
        size += crn_v3_length(link->frame_a.position) + crn_v3_length(link->frame_b.position);
    }
    return ARM_BELOW * ARM_BELOW * mass * size * size;
}

/* Coordinates between -1 and 1 that follow no pattern of the tree, from a fixed sequence. */
static void set_generic(const crn_tree *tree, double *q)
{
    crn_random random = crn_random_seed(1);
    for (int i = 0; i < tree->coordinates; ++i) {
        q[i] = crn_random_uniform(&random, -1.0, 1.0);
    }
}

/* sum[u + k]: the terms of S_k'(I_i + sum over children of I^A) S_k + armature, which pivot k of link i's D is left over
 * from. */
static void add_up(const crn_tree *tree, double *sum)
{
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *link = &tree->link[i], *parent = link->parent >= 0 ? &tree->link[link->parent] : NULL;
        double own[36];
        crn_tree_link_inertia(tree, link, own);
        for (int k = 0; k < link->freedom; ++k) {
            sum[link->u + k] += along(own, link->S + 6 * k) + link->armature[k];
        }
        for (int k = 0; parent != NULL && k < parent->freedom; ++k) {
            sum[parent->u + k] += along(link->articulated, parent->S + 6 * k);
        }
    }
}

int crn_tree_find_massless(crn_tree *tree)
{
    double *sum = tree->scratch, arm = least_inertia(tree);
    set_generic(tree, tree->scratch);
    crn_tree_place(tree, tree->scratch);
    (void)crn_tree_factor(tree, NULL);
    memset(sum, 0, (size_t)tree->velocities * sizeof *sum);
    add_up(tree, sum);
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *link = &tree->link[i];
        for (int k = 0; k < link->freedom; ++k) {
            double pivot = link->l[k + link->freedom * k], least = MASSLESS_BELOW * sum[link->u + k];
            bool is_turn = link->S[6 * k] != 0.0 || link->S[6 * k + 1] != 0.0 || link->S[6 * k + 2] != 0.0;
            if (!(pivot * pivot > crn_fmax(least, is_turn ? arm : 0.0))) { /* also if it is not a number */
                return i;
            }
        }
    }
    return -1;
}
