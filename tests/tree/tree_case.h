/* Random trees for tests, and dense matrices made from first principles: velocities of centres of mass, not spatial
 * algebra. */
#ifndef CRN_TEST_TREE_CASE_H
#define CRN_TEST_TREE_CASE_H

#include "joint_case.h"

#include <lapacke.h>

enum { TREE_LINKS_MAX = 64, TREE_NUMBERS_MAX = 7 * TREE_LINKS_MAX };

/* A positive inertia that satisfies the triangle inequalities, in axes that follow nothing. */
static inline crn_mat3 tree_random_inertia(crn_random *random, double size)
{
    double x = crn_random_uniform(random, 0.2, 1.0), y = crn_random_uniform(random, 0.2, 1.0);
    double z = crn_random_uniform(random, 0.2, 1.0);
    crn_mat3 diagonal = {{size * (y + z), 0, 0, 0, size * (z + x), 0, 0, 0, size * (x + y)}};
    crn_mat3 turn = crn_quat_matrix(joint_random_rotation(random));
    return crn_m3_turned(&turn, &diagonal);
}

static inline crn_pose tree_random_pose(crn_random *random, double size)
{
    return (crn_pose){joint_random_vector(random, size), joint_random_rotation(random)};
}

/* One link with everything at random; every fifth joint has armature. */
static inline crn_link_def tree_random_link(crn_random *random, int parent, crn_joint_kind kind)
{
    crn_link_def def = crn_link_def_default();
    def.parent = parent;
    def.kind = kind;
    def.frame_a = tree_random_pose(random, 0.5);
    def.frame_b = tree_random_pose(random, 0.5);
    def.mass = crn_random_uniform(random, 0.5, 2.0);
    def.com = joint_random_vector(random, 0.3);
    def.inertia = tree_random_inertia(random, 0.1);
    bool has_armature = crn_random_below(random, 5) == 0;
    for (int k = 0; k < CRN_JOINT_FREEDOM_MAX && has_armature; ++k) {
        def.armature[k] = crn_random_uniform(random, 0.0, 0.3);
    }
    return def;
}

/* The k-th kind that may be in a tree. */
static inline crn_joint_kind tree_kind(int k)
{
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE,  CRN_JOINT_BALL,  CRN_JOINT_SLIDER, CRN_JOINT_UNIVERSAL,
                                           CRN_JOINT_PLANAR, CRN_JOINT_FIXED, CRN_JOINT_FREE};
    return kinds[k];
}
enum { TREE_KINDS = 7 };

/* Branching trees of all kinds; several roots are possible. */
static inline crn_tree *tree_random(crn_random *random, int links)
{
    crn_link_def def[TREE_LINKS_MAX];
    for (int i = 0; i < links; ++i) {
        int parent = crn_random_below(random, 3) == 0 ? crn_random_below(random, i + 1) - 1 : i - 1;
        def[i] = tree_random_link(random, parent, tree_kind(crn_random_below(random, TREE_KINDS)));
    }
    crn_tree *tree;
    crn_error error;
    crn_status status = crn_tree_create(def, links, NULL, &tree, &error);
    TEST_CHECK(status == CRN_OK, "create: %s", error.text);
    return tree;
}

/* Coordinates anywhere. */
static inline void tree_random_coordinates(crn_random *random, const crn_tree *tree, double *q)
{
    double zero[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX];
    crn_tree_rest(tree, zero);
    for (int i = 0; i < tree->velocities; ++i) {
        u[i] = crn_random_uniform(random, -2.0, 2.0);
    }
    crn_tree_advance(tree, zero, u, 1.0, q);
}

static inline void tree_random_numbers(crn_random *random, int count, double *x)
{
    for (int i = 0; i < count; ++i) {
        x[i] = crn_random_uniform(random, -1.0, 1.0);
    }
}

/* Velocity of link i's centre of mass from the velocity V about the tree's origin. */
static inline crn_vec3 tree_com_velocity(const crn_tree *tree, int i, const double *V)
{
    crn_vec3 c = crn_v3_sub(tree->link[i].frame.position, tree->origin);
    return crn_v3_add(crn_v3_of(V + 3), crn_v3_cross(crn_v3_of(V), c));
}

/* H with extra on its diagonal, n x n column-major, at the present place: from the kinetic energy of unit velocities. */
static inline void tree_dense_mass(const crn_tree *tree, const double *extra, double *H)
{
    int n = tree->velocities, links = tree->links;
    double *V = malloc((size_t)(6 * links * n + 1) * sizeof *V), u[TREE_NUMBERS_MAX] = {0};
    for (int j = 0; j < n; ++j) {
        u[j] = 1.0;
        crn_tree_spread(tree, u, false, NULL, V + 6 * links * j);
        u[j] = 0.0;
    }
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            double sum = 0.0;
            for (int i = 0; i < links; ++i) {
                const double *Va = V + 6 * (links * a + i), *Vb = V + 6 * (links * b + i);
                crn_vec3 spin = crn_m3_times(&tree->link[i].inertia_world, crn_v3_of(Va));
                sum += crn_v3_dot(spin, crn_v3_of(Vb));
                sum += tree->link[i].mass * crn_v3_dot(tree_com_velocity(tree, i, Va), tree_com_velocity(tree, i, Vb));
            }
            H[a + n * b] = sum;
        }
    }
    free(V);
    for (int i = 0; i < links; ++i) {
        const crn_link *link = &tree->link[i];
        for (int k = 0; k < link->freedom; ++k) {
            int j = link->u + k;
            H[j + n * j] += link->armature[k] + (extra != NULL ? extra[j] : 0.0);
        }
    }
}

/* x = A^-1 x, A n x n positive, used up. */
static inline void tree_dense_solve(int n, double *A, int columns, double *x)
{
    if (n > 0 && columns > 0) {
        int info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, columns, A, n, x, n);
        TEST_CHECK(info == 0, "dense H is not positive: %d", info);
    }
}

static inline double tree_largest(int count, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

#endif
