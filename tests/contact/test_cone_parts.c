/* The parts of the friction solver: one contact alone, order and tiles, LU on tiles, the proximal Newton step. */
#include "cone_case.h"

#include "contact/cone_drive.h"
#include "contact/cone_law.h"
#include "contact/cone_local.h"
#include "contact/friction_cone.h"

/* --- one contact --- */

/* Any positive definite B, any g: the answer obeys the law, by its clauses. */
static void test_one_contact(void **state)
{
    (void)state;
    crn_random random = test_random("one contact", 31);
    for (int k = 0; k < 20000; ++k) {
        const int d = 2 + k % 2;
        const double mu = crn_random_below(&random, 8) == 0 ? 0.0 : crn_random_uniform(&random, 0.0, 0.8);
        double B[9], C[9], g[3], r[3] = {0}, u[3] = {0};
        for (int i = 0; i < d * d; ++i) {
            C[i] = crn_random_normal(&random);
        }
        for (int i = 0; i < d; ++i) {
            g[i] = crn_random_normal(&random);
            for (int j = 0; j < d; ++j) {
                B[i + j * d] = i == j ? 0.5 : 0.0;
                for (int l = 0; l < d; ++l) {
                    B[i + j * d] += C[i + l * d] * C[j + l * d];
                }
            }
        }
        /* strong coupling of normal and tangent with large friction has several answers or none: keep B near diagonal */
        for (int i = 1; i < d; ++i) {
            B[i] *= 0.3;
            B[i * d] *= 0.3;
        }
        TEST_CHECK(crn_cone_one_contact(d, mu, B, g, r), "case %d: no answer", k);
        for (int i = 0; i < d; ++i) {
            u[i] = g[i];
            for (int j = 0; j < d; ++j) {
                u[i] += B[i + j * d] * r[j];
            }
        }
        const double error = cone_law_error(d, mu, r, u, 1.0 + fabs(r[0]), 1.0);
        TEST_CHECK(error < 1e-11, "case %d: law missed by %g", k, error);
    }
}

static void test_projection(void **state)
{
    (void)state;
    crn_random random = test_random("projection", 32);
    for (int k = 0; k < 2000; ++k) {
        const int d = 2 + k % 2;
        const double mu = k % 10 < 2 ? 0.0 : crn_random_uniform(&random, 0.0, 2.0);
        double y[3] = {0}, p[3] = {0};
        for (int i = 0; i < d; ++i) {
            y[i] = i > 0 && k % 20 < 2 ? 0.0 : crn_random_normal(&random);
        }
        (void)crn_cone_project(mu, y, p);
        assert_true(p[0] >= 0.0); /* with mu = 0 both sides of |p_t| <= mu p_n may be 0 */
        /* p in K, y - p in the polar cone, orthogonal: what makes p the nearest point */
        double dot = 0.0, out[3] = {0};
        for (int i = 0; i < d; ++i) {
            out[i] = p[i] - y[i];
            dot += out[i] * p[i];
        }
        assert_true(crn_cone_tangent(d, p) <= mu * p[0] + 1e-14);
        assert_true(out[0] >= mu * crn_cone_tangent(d, out) - 1e-14);
        assert_true(fabs(dot) < 1e-13);
    }
}

/* --- the Jacobian and its factors --- */

typedef struct parts {
    crn_arena arena;
    void *memory;
    crn_cone_blocks W;
    crn_cone_drive drive;
} parts;

static parts open_parts(const cone_case *c)
{
    parts p;
    const size_t bytes = (size_t)1 << 24;
    p.memory = malloc(bytes + CRN_ARENA_ALIGN);
    assert_non_null(p.memory);
    const size_t off = (size_t)((uintptr_t)p.memory % CRN_ARENA_ALIGN);
    p.arena = (crn_arena){.data = (unsigned char *)p.memory + (CRN_ARENA_ALIGN - off), .size = bytes};
    assert_true(crn_cone_local_build(&p.W, &c->problem, &p.arena));
    return p;
}

/* Rings, stars, grids and random graphs of contacts; blocks random, diagonally heavy. */
static cone_case sparse_case(crn_random *random, int d, int contacts, int kind)
{
    cone_case c = cone_case_new(d, contacts);
    for (int i = 0; i < contacts; ++i) {
        for (int j = 0; j < contacts; ++j) {
            const int gap = i > j ? i - j : j - i, side = 7;
            const bool is_edge = kind == 0   ? gap <= 1 || gap == contacts - 1
                                 : kind == 1 ? i == 0 || j == 0
                                 : kind == 2 ? gap == side || (gap == 1 && (i > j ? i : j) % side != 0)
                                             : crn_random_below(random, contacts) < 3;
            for (int k = 0; (is_edge || i == j) && k < d * d; ++k) {
                c.dense[d * i + k % d + (d * j + k / d) * c.n] =
                    crn_random_uniform(random, -1.0, 1.0) + (i == j && k % d == k / d ? 9.0 : 0.0);
            }
        }
        c.mu[i] = 0.5;
        c.q[d * i] = -1.0;
    }
    cone_case_close(&c);
    return c;
}

/* J = 1 on the diagonal plus the case's blocks, of the contacts that take part, times x. */
static double jacobian_row(const cone_case *c, int d, const bool *is_active, int i, const double *x)
{
    double sum = x[i];
    for (int j = 0; is_active[i / d] && j < c->n; ++j) {
        sum += is_active[j / d] ? c->dense[i + j * c->n] * x[j] : 0.0;
    }
    return sum;
}

static void fill_jacobian(const cone_case *c, const crn_cone_blocks *W, const bool *is_active, crn_cone_jacobian *J)
{
    const int d = W->d;
    crn_cone_jacobian_begin(J, is_active);
    for (int i = 0; i < W->contacts; ++i) {
        for (int e = W->start[i]; is_active[i] && e < W->start[i + 1]; ++e) {
            const int j = W->column[e];
            for (int m = 0; is_active[j] && m < d * d; ++m) {
                int down, across;
                double *C = crn_cone_jacobian_block(J, i, e, &down, &across);
                C[m % d * down + m / d * across] += c->dense[d * i + m % d + (d * j + m / d) * c->n];
            }
        }
    }
}

/* Solved against the dense matrix, while contacts go and come back: the pattern is made anew for fewer, and for others. */
static void test_jacobian(void **state)
{
    (void)state;
    crn_random random = test_random("jacobian", 33);
    for (int k = 0; k < 60; ++k) {
        const int d = 2 + k % 2, contacts = 1 + crn_random_below(&random, 90);
        cone_case c = sparse_case(&random, d, contacts, k % 4);
        parts p = open_parts(&c);
        assert_true(crn_cone_drive_build(&p.drive, &p.W, &p.arena));
        crn_cone_jacobian *J = &p.drive.newton.jacobian;
        bool *is_active = cone_memory((size_t)contacts, sizeof *is_active);
        double *x = cone_doubles(c.n), *b = cone_doubles(c.n);
        for (int round = 0; round < 6; ++round) {
            const int of_eight = round == 0 ? 8 : crn_random_below(&random, 9); /* take part */
            for (int i = 0; i < contacts; ++i) {
                is_active[i] = crn_random_below(&random, 8) < of_eight;
            }
            fill_jacobian(&c, &p.W, is_active, J);
            for (int i = 0; i < c.n; ++i) {
                x[i] = b[i] = crn_random_normal(&random);
            }
            assert_true(crn_cone_jacobian_factor(J));
            crn_cone_jacobian_solve(J, x);
            for (int i = 0; i < c.n; ++i) {
                const double left = jacobian_row(&c, d, is_active, i, x) - b[i];
                TEST_CHECK(is_active[i / d] ? fabs(left) < 1e-12 : x[i] == b[i],
                           "graph %d, case %d, round %d: row %d left with %g", k % 4, k, round, i, left);
            }
        }
        free(is_active);
        free(x);
        free(b);
        free(p.memory);
        cone_case_free(&c);
    }
}

/* --- Newton --- */

/* With rho and the anchor fixed, the answer of the proximal step solves the problem with W + I/rho, q - a/rho. */
static void test_proximal_step(void **state)
{
    (void)state;
    crn_random random = test_random("proximal step", 35);
    for (int k = 0; k < 20; ++k) {
        /* a single step far larger than that may have no way to its answer that is downhill in |F| */
        const double rho = pow(10.0, crn_random_uniform(&random, -1.0, 0.3));
        cone_case c = cone_case_random(&random, 3, 12, 18, 0.3, 0.0, 1.0);
        parts p = open_parts(&c);
        assert_true(crn_cone_drive_build(&p.drive, &p.W, &p.arena));
        double *anchor = cone_doubles(c.n), *r = cone_doubles(c.n), *u = cone_doubles(c.n);
        for (int i = 0; i < c.n; ++i) {
            anchor[i] = 0.3 * crn_random_normal(&random);
        }
        for (int round = 0; round < 40; ++round) {
            (void)crn_cone_newton_run(&p.drive.newton, anchor, rho, r, 50);
        }
        crn_cone_blocks_product(&p.W, r, u);
        for (int i = 0; i < c.n; ++i) {
            u[i] += p.W.q[i] + (r[i] - anchor[i]) / rho;
        }
        const double error = cone_worst(&c.problem, p.W.q, r, u);
        TEST_CHECK(error < 1e-9, "case %d, rho %g: law missed by %g", k, rho, error);
        free(anchor);
        free(r);
        free(u);
        free(p.memory);
        cone_case_free(&c);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_proximal_step),
    };
    return TEST_RUN(tests, argc, argv);
}
