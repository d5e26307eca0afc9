/* Proofs of the gallery: every solved problem gets one, the check agrees, and a changed proof or problem is refused. */
#include "judge.h"

#include "gallery.h"

#include "math/exact_sum.h"
#include "test_matrix.h"

#include <cairn/proof.h>

enum { TEST_SEED = 20261119, PROBLEMS = 5, ORDER_MOST = 120 };

static crn_proof prove(const crn_lcp_problem *p, const answer *a)
{
    crn_proof proof = {0};
    crn_error error = {CRN_OK, ""};
    crn_lcp_solution solution = {.z = a->z, .basis = a->basis, .ray = a->ray};
    TEST_CHECK(crn_lcp_prove(p, a->result.outcome, &solution, NULL, &proof, &error) == CRN_OK, "%s", error.text);
    return proof;
}

static bool holds(const crn_lcp_problem *p, const crn_proof *proof)
{
    bool is_good = false;
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_proof_check(p, proof, &is_good, &error), CRN_OK);
    TEST_CHECK(is_good || error.text[0] != '\0', "refused without a reason");
    return is_good;
}

/* No problem is without a grade; what the check says does not depend on who made the proof. */
static void the_gallery_is_proved(void **state)
{
    (void)state;
    int families, kinds[CRN_PROOF_KIND_COUNT] = {0};
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int f = 0; f < families; ++f) {
        for (int k = 0; k < PROBLEMS; ++k) {
            crn_lcp_data data = {0};
            assert_int_equal(family[f].make(k, TEST_SEED, &data, NULL), CRN_OK);
            if (data.problem.n > ORDER_MOST) {
                crn_lcp_data_free(&data);
                continue;
            }
            answer a = solve_by(&data.problem, CRN_LCP_AUTO);
            crn_proof proof = prove(&data.problem, &a);
            TEST_CHECK(proof.kind != CRN_PROOF_NONE, "%s %d has no proof", family[f].name, k);
            TEST_CHECK(proof.kind == CRN_PROOF_NONE || holds(&data.problem, &proof), "%s %d: %s does not hold",
                       family[f].name, k, crn_proof_kind_name(proof.kind));
            TEST_CHECK(proof.eps <= 1e-9, "%s %d: eps %g", family[f].name, k, proof.eps);
            ++kinds[proof.kind];
            crn_proof_free(&proof);
            answer_free(&a);
            crn_lcp_data_free(&data);
        }
    }
    for (int k = 0; k < CRN_PROOF_KIND_COUNT; ++k) {
        print_message("%s %d\n", crn_proof_kind_name((crn_proof_kind)k), kinds[k]);
    }
    assert_true(kinds[CRN_PROOF_ENCLOSURE] > 0 && kinds[CRN_PROOF_BACKWARD] > 0 && kinds[CRN_PROOF_INFEASIBLE] > 0);
    assert_true(kinds[CRN_PROOF_EXACT] > 0 || !crn_proof_has_exact());
}

/* Enclosures contain the solution: P-matrices whose solution is known in rational numbers. */
static void enclosures_contain_the_exact_solution(void **state)
{
    (void)state;
    for (int k = 0; k < 20 && crn_proof_has_exact(); ++k) {
        crn_lcp_data data = {0};
        assert_int_equal(crn_gallery_find("random-P")->make(k, TEST_SEED, &data, NULL), CRN_OK);
        answer a = solve_by(&data.problem, CRN_LCP_SEARCH);
        crn_lcp_solution solution = {.z = a.z, .basis = a.basis};
        crn_proof_options exact = {.is_exact_first = true, .exact_most = 100};
        crn_proof rational = {0}, proof = prove(&data.problem, &a);
        if (data.problem.n <= 60 && proof.kind == CRN_PROOF_ENCLOSURE) {
            assert_int_equal(crn_lcp_prove(&data.problem, CRN_LCP_SOLVED, &solution, &exact, &rational, NULL), CRN_OK);
            assert_int_equal(rational.kind, CRN_PROOF_EXACT);
            for (int i = 0; i < data.problem.n; ++i) {
                double rounding = 0x1p-52 * fabs(rational.z[i]);
                TEST_CHECK(fabs(rational.z[i] - proof.z[i]) <= proof.radius[i] + rounding, "z(%d) is outside", i);
                TEST_CHECK(proof.radius[i] <= 1e-8 * (1.0 + fabs(proof.z[i])), "radius(%d) = %g", i, proof.radius[i]);
            }
        }
        crn_proof_free(&rational);
        crn_proof_free(&proof);
        answer_free(&a);
        crn_lcp_data_free(&data);
    }
}

/* What must not pass: a radius that is too small, a wrong basis, another problem, no denominator. */
static void wrong_proofs_are_refused(void **state)
{
    (void)state;
    const double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, other[2] = {-5, 6};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q}, changed = {.n = 2, .M = M, .ld = 2, .q = other};
    answer a = solve_by(&p, CRN_LCP_SEARCH);
    crn_proof proof = prove(&p, &a);
    assert_int_equal(proof.kind, CRN_PROOF_ENCLOSURE);
    assert_true(holds(&p, &proof));
    assert_false(holds(&changed, &proof));
    proof.radius[0] = 0.0;
    assert_false(holds(&p, &proof));
    proof.radius[0] = 1.0;
    assert_true(holds(&p, &proof)); /* true, if less sharp */
    proof.inverse[0] = 100.0;
    assert_false(holds(&p, &proof));
    proof.inverse[0] = NAN;
    assert_false(holds(&p, &proof));
    crn_proof_free(&proof);
    answer_free(&a);
}

/* 1 + 2^-100 - 1 and products that cancel: sums keep every bit. */
static void exact_sums_are_exact(void **state)
{
    (void)state;
    crn_exact_sum sum = {.count = 0};
    crn_exact_add(&sum, 1.0);
    crn_exact_add(&sum, 0x1p-100);
    crn_exact_add(&sum, -1.0);
    assert_true(crn_exact_value(&sum) == 0x1p-100 && crn_exact_sign(&sum) == 1);
    crn_exact_add(&sum, -0x1p-100);
    assert_int_equal(crn_exact_sign(&sum), 0);
    crn_random random = test_random(__func__, TEST_SEED);
    for (int trial = 0; trial < 1000; ++trial) { /* (a + b)(a - b) - a a + b b with a + b, a - b exact */
        double a = (double)crn_random_below(&random, 1 << 30) * 0x1p-15;
        double b = (double)crn_random_below(&random, 1 << 30) * 0x1p-20;
        crn_exact_sum s = {.count = 0};
        crn_exact_add_product(&s, a + b, a - b);
        crn_exact_add_product(&s, -a, a);
        crn_exact_add_product(&s, b, b);
        assert_int_equal(crn_exact_sign(&s), 0);
        crn_exact_add_product(&s, 0x1p-400, -a);
        assert_true(a == 0.0 || crn_exact_sign(&s) == -1);
        assert_false(s.is_lost);
    }
    crn_exact_sum lost = {.count = 0};
    crn_exact_add_product(&lost, 0x1p-600, 0x1p-600);
    assert_true(lost.is_lost);
}

/* w = (z2 - 1, 1) is feasible from z2 = 1 on, but w2 = 1 asks for z2 = 0: the tree has two leaves. A tree that is cut, goes on or
 * has another vector at a leaf is refused, and so is one with a leaf for each side but one. */
static void a_tree_refutes_what_is_feasible(void **state)
{
    (void)state;
    const double M[4] = {0, 0, 1, 0}, q[2] = {-1, 1};
    const crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    answer a = solve_by(&p, CRN_LCP_AUTO);
    assert_int_equal(a.result.outcome, CRN_LCP_INFEASIBLE);
    assert_int_equal(a.result.proof, CRN_LCP_EXHAUSTED);
    crn_proof proof = prove(&p, &a);
    assert_int_equal(proof.kind, CRN_PROOF_EXHAUSTED);
    assert_true(holds(&p, &proof) && proof.leaves >= 2 && proof.nodes == 2 * proof.leaves - 1);
    crn_proof changed = proof;
    changed.nodes = proof.nodes - 1;
    assert_false(holds(&p, &changed));
    changed = proof;
    changed.leaves = proof.leaves - 1;
    assert_false(holds(&p, &changed));
    for (int i = 0; i < 2 * proof.leaves; ++i) {
        const double kept = proof.y[i];
        proof.y[i] = -1.0 - kept;
        assert_false(holds(&p, &proof));
        proof.y[i] = kept;
    }
    const int split = proof.tree[0];
    proof.tree[0] = 0; /* the root as a leaf: not refuted */
    assert_false(holds(&p, &proof));
    proof.tree[0] = split;
    assert_true(holds(&p, &proof));
    crn_proof_free(&proof);
    answer_free(&a);
}

/* A negative radius says nothing; it was once taken for variables that stand at a bound. */
static void negative_radii_are_refused(void **state)
{
    (void)state;
    const double M[4] = {2, 1, 1, 2}, q[2] = {-1, 1};
    const crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    answer a = solve_by(&p, CRN_LCP_AUTO);
    crn_proof proof = prove(&p, &a);
    assert_int_equal(proof.kind, CRN_PROOF_ENCLOSURE);
    assert_int_equal(proof.basis[1], CRN_LCP_AT_LOWER);
    assert_true(holds(&p, &proof));
    proof.radius[1] = -1.0;
    assert_false(holds(&p, &proof));
    crn_proof_free(&proof);
    answer_free(&a);
}

/* d'M d for d = a - b. */
static double energy(const crn_lcp_problem *p, const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < p->n; ++j) {
        for (int i = 0; i < p->n; ++i) {
            sum += (a[i] - b[i]) * p->M[i + (long)j * p->ld] * (a[j] - b[j]);
        }
    }
    return sum;
}

/* sum of w_i z_i */
static double product(const crn_lcp_problem *p, const double *z)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; ++i) {
        double w = p->q[i];
        for (int j = 0; j < p->n; ++j) {
            w += p->M[i + (long)j * p->ld] * z[j];
        }
        sum += w * z[i];
    }
    return sum;
}

enum { CONTACTS = 9, FREEDOMS = 4, MOTIONS = 40 };

/* M = J J' and q = J v of contacts without friction that the first freedom opens. */
static void draw_contacts(double *M, double *q, crn_random *random)
{
    double J[CONTACTS][FREEDOMS];
    for (int i = 0; i < CONTACTS; ++i) {
        q[i] = 0.0;
        for (int f = 0; f < FREEDOMS; ++f) {
            J[i][f] = f == 0 ? crn_random_uniform(random, 0.1, 1.0) : crn_random_normal(random);
            q[i] += J[i][f] * (f == 0 ? -1.0 : 0.1 * f);
        }
    }
    for (int e = 0; e < CONTACTS * CONTACTS; ++e) {
        M[e] = 0.0;
        for (int f = 0; f < FREEDOMS; ++f) {
            M[e] += J[e % CONTACTS][f] * J[e / CONTACTS][f];
        }
    }
}

/* More contacts than freedoms: the same motion by many z. At an answer the gap is near rounding; further away it is what it must be:
 * half of it is refused, and so is any gap where a w is negative. */
static void the_motion_is_bounded(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 5);
    int away = 0;
    for (int trial = 0; trial < MOTIONS; ++trial) {
        double M[CONTACTS * CONTACTS], q[CONTACTS];
        draw_contacts(M, q, &random);
        const crn_lcp_problem p = {.n = CONTACTS, .M = M, .ld = CONTACTS, .q = q};
        answer a = solve_by(&p, CRN_LCP_AUTO);
        judge_solved("motion", &p, &a);
        crn_lcp_solution solution = {.z = a.z, .basis = a.basis};
        crn_proof_options options = crn_proof_options_default();
        crn_proof proof = {0};
        options.is_motion = true;
        assert_int_equal(crn_lcp_prove(&p, CRN_LCP_SOLVED, &solution, &options, &proof, NULL), CRN_OK);
        assert_int_equal(proof.kind, CRN_PROOF_MOTION);
        assert_true(holds(&p, &proof));
        TEST_CHECK(proof.gap <= 1e-9, "gap %g", proof.gap);
        assert_true(energy(&p, proof.z, a.z) <= proof.gap + 1e-14);
        for (int i = 0; i < CONTACTS; ++i) {
            proof.z[i] = 1.5 * proof.z[i] + 0.01;
        }
        proof.gap = 1e6;
        if (holds(&p, &proof)) {
            const double gap = product(&p, proof.z);
            ++away;
            TEST_CHECK(energy(&p, proof.z, a.z) <= gap * (1.0 + 1e-9), "%g > %g", energy(&p, proof.z, a.z), gap);
            proof.gap = gap * (1.0 + 1e-9);
            assert_true(holds(&p, &proof));
            proof.gap = 0.5 * gap;
            assert_false(holds(&p, &proof));
        }
        memset(proof.z, 0, CONTACTS * sizeof *proof.z); /* w = q, which is negative somewhere */
        proof.gap = 1e6;
        assert_false(holds(&p, &proof));
        crn_proof_free(&proof);
        answer_free(&a);
    }
    assert_true(away > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gallery_is_proved),      cmocka_unit_test(enclosures_contain_the_exact_solution),
        cmocka_unit_test(wrong_proofs_are_refused),   cmocka_unit_test(a_tree_refutes_what_is_feasible),
        cmocka_unit_test(negative_radii_are_refused), cmocka_unit_test(exact_sums_are_exact),
        cmocka_unit_test(the_motion_is_bounded),
    };
    return TEST_RUN(tests, argc, argv);
}
