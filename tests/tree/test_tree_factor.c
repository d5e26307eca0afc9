/* The factor H = L'L of a tree against dense matrices: columns, whitening, velocities, driven joints; motion columns
 * against differences of frames; coordinates measured back. */
#include "tree_case.h"

#include <math.h>

enum { TRIALS = 150 };

/* A tree at random coordinates; every fourth joint is driven, if so asked. */
static crn_tree *placed_tree(crn_random *random, int links, bool has_driven, double *q)
{
    crn_tree *tree = tree_random(random, links);
    for (int i = 0; i < links && has_driven; ++i) {
        tree->link[i].is_driven = crn_random_below(random, 4) == 0;
    }
    crn_tree_number(tree);
    tree->base = (crn_frame){crn_quat_matrix(joint_random_rotation(random)), joint_random_vector(random, 1.0)};
    tree_random_coordinates(random, tree, q);
    crn_tree_place(tree, q);
    return tree;
}

/* Velocities that are not driven, in order. */
static int free_velocities(const crn_tree *tree, int *index)
{
    int count = 0;
    for (int i = 0; i < tree->links; ++i) {
        for (int k = 0; k < tree->link[i].freedom && !tree->link[i].is_driven; ++k) {
            TEST_CHECK(tree->link[i].w + k == count, "link %d: whitened velocities are misplaced", i);
            index[count++] = tree->link[i].u + k;
        }
    }
    return count;
}

/* --- Motion columns --- */

/* (R(t) R(-t)' - its transpose)/2 / 2t, and the speed of a point fixed in the link that is at the origin. */
static void check_difference(const crn_frame *before, const crn_frame *after, double t, crn_vec3 origin,
                             const double *V)
{
    crn_mat3 back = before->rotation, turn;
    for (int i = 0; i < 9; ++i) {
        turn.m[i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            turn.m[i] += after->rotation.m[i % 3 + 3 * k] * back.m[i / 3 + 3 * k];
        }
    }
    double w[3] = {turn.m[5] - turn.m[7], turn.m[6] - turn.m[2], turn.m[1] - turn.m[3]};
    for (int i = 0; i < 3; ++i) {
        TEST_CHECK(fabs(w[i] / (4.0 * t) - V[i]) < 1e-6, "angular %d: %g, not %g", i, V[i], w[i] / (4.0 * t));
    }
    crn_vec3 middle = crn_v3_scale(0.5, crn_v3_add(before->position, after->position));
    crn_vec3 v = crn_v3_scale(0.5 / t, crn_v3_sub(after->position, before->position));
    crn_vec3 at = crn_v3_add(v, crn_v3_cross(crn_v3_of(V), crn_v3_sub(origin, middle)));
    TEST_CHECK(crn_v3_length(crn_v3_sub(at, crn_v3_of(V + 3))) < 1e-6, "linear part off by %g",
               crn_v3_length(crn_v3_sub(at, crn_v3_of(V + 3))));
}

static void test_motion_columns(void **state)
{
    (void)state;
    crn_random random = test_random("motion_columns", 31);
    const double t = 1e-5;
    for (int trial = 0; trial < TRIALS; ++trial) {
        enum { LINKS = 6 };
        double q[TREE_NUMBERS_MAX], moved[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX], V[6 * LINKS];
        crn_frame before[LINKS], after[LINKS];
        crn_tree *tree = placed_tree(&random, LINKS, false, q);
        tree_random_numbers(&random, tree->velocities, u);
        crn_tree_spread(tree, u, false, NULL, V);
        crn_vec3 origin = tree->origin;
        for (int side = 0; side < 2; ++side) {
            crn_tree_advance(tree, q, u, side == 0 ? -t : t, moved);
            crn_tree_place(tree, moved);
            for (int i = 0; i < LINKS; ++i) {
                (side == 0 ? before : after)[i] = tree->link[i].frame;
            }
        }
        for (int i = 0; i < LINKS; ++i) {
            check_difference(&before[i], &after[i], t, origin, V + 6 * i);
        }
        crn_tree_destroy(tree);
    }
}

/* --- Columns --- */

static void test_columns(void **state)
{
    (void)state;
    crn_random random = test_random("columns", 32);
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        enum { WRENCHES = 8 };
        int links = 1 + crn_random_below(&random, 16), index[TREE_NUMBERS_MAX];
        double q[TREE_NUMBERS_MAX], extra[TREE_NUMBERS_MAX];
        crn_tree *tree = placed_tree(&random, links, trial % 2 == 1, q);
        int n = tree->velocities, m = free_velocities(tree, index);
        assert_int_equal(m, tree->whitened);
        for (int j = 0; j < n; ++j) {
            extra[j] = crn_random_uniform(&random, 0.0, 0.2);
        }
        const double *more = trial % 3 == 0 ? extra : NULL;
        assert_true(crn_tree_factor(tree, more));

        /* H of the free velocities, J' of wrenches and of joint forces */
        double *full = malloc((size_t)(n * n + 1) * sizeof *full), *H = malloc((size_t)(m * m + 1) * sizeof *H);
        double *J = calloc((size_t)(m * WRENCHES + 1), sizeof *J), *x = malloc((size_t)(m * WRENCHES + 1) * sizeof *x);
        double *Y = malloc((size_t)(m * WRENCHES + 1) * sizeof *Y), V[6 * TREE_LINKS_MAX], u[TREE_NUMBERS_MAX] = {0};
        tree_dense_mass(tree, more, full);
        for (int j = 0; j < m; ++j) {
            for (int i = 0; i < m; ++i) {
                H[i + m * j] = full[index[i] + n * index[j]];
            }
        }
        for (int c = 0; c < WRENCHES; ++c) {
            int link = crn_random_below(&random, links);
            const crn_link *l = &tree->link[link];
            double wrench[6], *y = Y + m * c;
            if (c % 2 == 1 && l->freedom > 0) {
                int k = crn_random_below(&random, l->freedom);
                for (int j = 0; j < m; ++j) {
                    J[j + m * c] = index[j] == l->u + k;
                }
                crn_tree_joint_column(tree, link, k, y);
                continue;
            }
            tree_random_numbers(&random, 6, wrench);
            for (int j = 0; j < m; ++j) {
                u[index[j]] = 1.0;
                crn_tree_spread(tree, u, false, NULL, V);
                u[index[j]] = 0.0;
                for (int k = 0; k < 6; ++k) {
                    J[j + m * c] += V[6 * link + k] * wrench[k];
                }
            }
            crn_tree_column(tree, link, wrench, y);
        }
        memcpy(x, J, (size_t)(m * WRENCHES) * sizeof *x);
        tree_dense_solve(m, H, WRENCHES, x);
        for (int a = 0; a < WRENCHES; ++a) {
            for (int b = 0; b < WRENCHES; ++b) {
                double dense = 0.0, ours = 0.0, aa = 0.0, bb = 0.0;
                for (int j = 0; j < m; ++j) {
                    dense += J[j + m * a] * x[j + m * b];
                    ours += Y[j + m * a] * Y[j + m * b];
                    aa += Y[j + m * a] * Y[j + m * a];
                    bb += Y[j + m * b] * Y[j + m * b];
                }
                double error = fabs(dense - ours) / (sqrt(aa * bb) + 1e-300);
                worst = fmax(worst, error);
                TEST_CHECK(error < 1e-9, "trial %d: J H^-1 J' is %g, not %g", trial, ours, dense);
            }
        }
        free(full), free(H), free(J), free(x), free(Y);
        crn_tree_destroy(tree);
    }
    print_message("J H^-1 J': %.1e\n", worst);
}

/* A column is 0 off its path to the root. */
static void test_columns_are_sparse(void **state)
{
    (void)state;
    crn_random random = test_random("columns_are_sparse", 33);
    double q[TREE_NUMBERS_MAX], y[TREE_NUMBERS_MAX], wrench[6] = {1, 2, 3, 4, 5, 6};
    crn_tree *tree = placed_tree(&random, 30, false, q);
    assert_true(crn_tree_factor(tree, NULL));
    for (int link = 0; link < tree->links; ++link) {
        bool on_path[TREE_LINKS_MAX] = {false};
        for (int i = link; i >= 0; i = tree->link[i].parent) {
            on_path[i] = true;
        }
        crn_tree_column(tree, link, wrench, y);
        for (int i = 0; i < tree->links; ++i) {
            for (int k = 0; k < tree->link[i].freedom; ++k) {
                assert_true((y[tree->link[i].w + k] != 0.0) == on_path[i]);
            }
        }
    }
    crn_tree_destroy(tree);
}

/* --- Sweeps --- */

static void test_whitening(void **state)
{
    (void)state;
    crn_random random = test_random("whitening", 34);
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        int links = 1 + crn_random_below(&random, 20), index[TREE_NUMBERS_MAX];
        double q[TREE_NUMBERS_MAX], force[TREE_NUMBERS_MAX], p[6 * TREE_LINKS_MAX], kept[6 * TREE_LINKS_MAX];
        double nu[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX], V[6 * TREE_LINKS_MAX], W[6 * TREE_LINKS_MAX];
        crn_tree *tree = placed_tree(&random, links, trial % 2 == 1, q);
        int n = tree->velocities, m = free_velocities(tree, index);
        tree_random_numbers(&random, n, force);
        tree_random_numbers(&random, 6 * links, p);
        memcpy(kept, p, sizeof p);
        const double *given = trial % 3 == 0 ? NULL : force;
        assert_true(crn_tree_factor(tree, NULL));
        for (int j = 0; j < n; ++j) {
            u[j] = 77.0; /* driven ones must stay so */
        }
        crn_tree_whiten(tree, p, given, nu);
        crn_tree_unwhiten(tree, nu, u, V);

        double *full = malloc((size_t)(n * n + 1) * sizeof *full), *H = malloc((size_t)(m * m + 1) * sizeof *H);
        double x[TREE_NUMBERS_MAX], unit[TREE_NUMBERS_MAX] = {0}, energy = 0.0, square = 0.0, rhs[TREE_NUMBERS_MAX];
        tree_dense_mass(tree, NULL, full);
        for (int j = 0; j < m; ++j) {
            for (int i = 0; i < m; ++i) {
                H[i + m * j] = full[index[i] + n * index[j]];
            }
            unit[index[j]] = 1.0;
            crn_tree_spread(tree, unit, false, NULL, W);
            unit[index[j]] = 0.0;
            rhs[j] = given != NULL ? given[index[j]] : 0.0;
            for (int k = 0; k < 6 * links; ++k) {
                rhs[j] += W[k] * kept[k];
            }
            x[j] = rhs[j];
        }
        tree_dense_solve(m, H, 1, x);
        double scale = tree_largest(m, x);
        for (int j = 0; j < m; ++j) {
            double error = fabs(u[index[j]] - x[j]) / (scale + 1e-300);
            worst = fmax(worst, error);
            TEST_CHECK(error < 1e-9, "trial %d: velocity %d is %g, not %g", trial, j, u[index[j]], x[j]);
            energy += x[j] * rhs[j];
            square += nu[j] * nu[j];
            unit[index[j]] = u[index[j]];
        }
        TEST_CHECK(fabs(energy - square) <= 1e-9 * energy, "trial %d: |nu|^2 is %g, not %g", trial, square, energy);
        crn_tree_spread(tree, unit, false, NULL, W);
        for (int k = 0; k < 6 * links; ++k) {
            assert_true(fabs(W[k] - V[k]) <= 1e-12 * (1.0 + tree_largest(6 * links, W)));
        }
        for (int i = 0; i < links; ++i) {
            for (int k = 0; k < tree->link[i].freedom && tree->link[i].is_driven; ++k) {
                assert_true(u[tree->link[i].u + k] == 77.0);
            }
        }
        free(full), free(H);
        crn_tree_destroy(tree);
    }
    print_message("H^-1 (S'p + f): %.1e\n", worst);
}

/* The known part and the rest add up; the base carries all along. */
static void test_spread(void **state)
{
    (void)state;
    crn_random random = test_random("spread", 35);
    for (int trial = 0; trial < 20; ++trial) {
        double q[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX], base[6], all[6 * 12], known[6 * 12], rest[6 * 12];
        crn_tree *tree = placed_tree(&random, 12, true, q);
        tree_random_numbers(&random, tree->velocities, u);
        tree_random_numbers(&random, 6, base);
        crn_tree_spread(tree, u, false, base, all);
        crn_tree_spread(tree, u, true, base, known);
        for (int i = 0; i < tree->links; ++i) {
            for (int k = 0; k < tree->link[i].freedom && tree->link[i].is_driven; ++k) {
                u[tree->link[i].u + k] = 0.0;
            }
        }
        crn_tree_spread(tree, u, false, NULL, rest);
        for (int k = 0; k < 6 * 12; ++k) {
            assert_true(fabs(all[k] - known[k] - rest[k]) < 1e-13);
        }
        crn_tree_spread(tree, NULL, false, base, all);
        for (int k = 0; k < 6 * 12; ++k) {
            assert_true(all[k] == base[k % 6]);
        }
        crn_tree_destroy(tree);
    }
}

/* --- Coordinates --- */

/* Frames of a placed tree give its coordinates back: several turns, and either sign of a quaternion, near the last ones. */
static void test_measure(void **state)
{
    (void)state;
    crn_random random = test_random("measure", 36);
    for (int trial = 0; trial < TRIALS; ++trial) {
        double q[TREE_NUMBERS_MAX], found[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX];
        crn_tree *tree = placed_tree(&random, 8, false, q);
        for (int i = 0; i < tree->links; ++i) {
            crn_link *link = &tree->link[i];
            if (link->kind == CRN_JOINT_HINGE) {
                q[link->q] += crn_random_uniform(&random, -30.0, 30.0);
            } else if (link->kind == CRN_JOINT_BALL && trial % 2 == 0) {
                for (int k = 0; k < 4; ++k) {
                    q[link->q + k] *= -1.0;
                }
            }
        }
        crn_tree_place(tree, q);
        tree_random_numbers(&random, tree->velocities, u);
        crn_tree_advance(tree, q, u, 0.1, found); /* the last ones, a little off */
        for (int i = 0; i < tree->links; ++i) {
            const crn_link *link = &tree->link[i];
            const crn_frame *parent = link->parent < 0 ? &tree->base : &tree->link[link->parent].frame;
            crn_frame a = crn_frame_product(parent, &link->frame_a),
                      b = crn_frame_product(&link->frame, &link->frame_b);
            crn_tree_measure(tree, i, &a, &b, found + link->q);
            for (int k = 0; k < link->coordinates; ++k) {
                TEST_CHECK(fabs(found[link->q + k] - q[link->q + k]) < 1e-12, "%s: coordinate %d is %g, not %g",
                           crn_joint_kind_name(link->kind), k, found[link->q + k], q[link->q + k]);
            }
        }
        crn_tree_destroy(tree);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion_columns),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_columns_are_sparse),
        cmocka_unit_test(test_whitening),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_measure),
    };
    return TEST_RUN(tests, argc, argv);
}
