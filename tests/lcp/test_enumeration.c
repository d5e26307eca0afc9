/* Small whole-number problems, degenerate on purpose, against an exact decision.
 *
 * A problem whose finite bounds are all 0 asks for q in the union of the cones that complementary columns span
 * [CPS92 s1.3]:  q = w - M z,  where index i contributes one of
 *
 *     z_i >= 0          e_i  or  -M_i          z_i <= 0         -e_i  or   M_i
 *     z_i free         -M_i  or   M_i
 *
 * By Caratheodory's theorem q is then a nonnegative combination of linearly independent ones among them, so it is
 * enough to look at the 3^n choices (none or one of the two for each index) with independent columns, for which the
 * coefficients are unique. They come from fraction-free elimination in 64-bit whole numbers: nothing is rounded. */
#include "judge.h"

enum { TEST_SEED = 20260403, MOST = 5 };

typedef enum side { ABOVE, BELOW, FREE } side;

typedef struct small_problem {
    int n;
    int M[MOST][MOST], q[MOST]; /* M[i][j] is row i, column j */
    side sides[MOST];
    double M_real[MOST * MOST], q_real[MOST], lower[MOST], upper[MOST];
} small_problem;

/* --- the exact decision --- */

/* Column `choice` (1 or 2) of index j into column k of T. */
static void put_column(const small_problem *t, int j, int choice, int k, int64_t T[MOST][MOST + 1])
{
    for (int i = 0; i < t->n; ++i) {
        int unit = i == j, m = t->M[i][j];
        int first = t->sides[j] == ABOVE ? unit : t->sides[j] == BELOW ? -unit : -m;
        int second = t->sides[j] == ABOVE ? -m : m;
        T[i][k] = choice == 1 ? first : second;
    }
}

/* Bring a row with an entry in column k to place k; false if there is none. */
static bool pivot_row(int n, int k, int width, int64_t T[MOST][MOST + 1])
{
    for (int r = k; r < n; ++r) {
        if (T[r][k] != 0) {
            for (int c = 0; c < width && r != k; ++c) {
                int64_t t = T[r][c];
                T[r][c] = T[k][c];
                T[k][c] = t;
            }
            return true;
        }
    }
    return false;
}

/* Fraction-free Gauss-Jordan on k columns and the right-hand side; false if the columns are dependent. At the end the
 * leading block is a multiple of the identity. */
static bool eliminate(int n, int k, int64_t T[MOST][MOST + 1])
{
    int64_t before = 1;
    for (int c = 0; c < k; ++c) {
        if (!pivot_row(n, c, k + 1, T)) {
            return false;
        }
        int64_t pivot = T[c][c];
        for (int r = 0; r < n; ++r) {
            for (int j = k; j >= 0 && r != c; --j) {
                T[r][j] = j == c ? T[r][j] : (T[r][j] * pivot - T[r][c] * T[c][j]) / before;
            }
            T[r][c] = r == c ? pivot : 0;
        }
        before = pivot;
    }
    return true;
}

/* Is q a nonnegative combination of the chosen columns, and are they independent? choice has base-3 digits. */
static bool is_in_cone(const small_problem *t, int choice)
{
    int64_t T[MOST][MOST + 1];
    int k = 0;
    for (int j = 0; j < t->n; ++j, choice /= 3) {
        if (choice % 3 != 0) {
            put_column(t, j, choice % 3, k++, T);
        }
    }
    for (int i = 0; i < t->n; ++i) {
        T[i][k] = t->q[i];
    }
    if (!eliminate(t->n, k, T)) {
        return false;
    }
    for (int r = 0; r < t->n; ++r) {
        if (r < k ? T[r][k] * (T[r][r] > 0 ? 1 : -1) < 0 : T[r][k] != 0) {
            return false;
        }
    }
    return true;
}

static bool has_solution(const small_problem *t)
{
    int choices = 1;
    for (int i = 0; i < t->n; ++i) {
        choices *= 3;
    }
    for (int choice = 0; choice < choices; ++choice) {
        if (is_in_cone(t, choice)) {
            return true;
        }
    }
    return false;
}

/* --- problems --- */

static void draw(small_problem *t, int n, int span, bool is_mixed, crn_random *random)
{
    t->n = n;
    for (int i = 0; i < n; ++i) {
        t->sides[i] = is_mixed ? (side)crn_random_below(random, 3) : ABOVE;
        t->q[i] = crn_random_below(random, 2 * span + 1) - span;
        t->q_real[i] = t->q[i];
        t->lower[i] = t->sides[i] == ABOVE ? 0.0 : -(double)INFINITY;
        t->upper[i] = t->sides[i] == BELOW ? 0.0 : (double)INFINITY;
        for (int j = 0; j < n; ++j) {
            t->M[i][j] = crn_random_below(random, 2 * span + 1) - span;
            t->M_real[i + j * n] = t->M[i][j];
        }
    }
}

static crn_lcp_problem problem_of(const small_problem *t)
{
    return (crn_lcp_problem){
        .n = t->n, .M = t->M_real, .ld = t->n, .q = t->q_real, .lower = t->lower, .upper = t->upper};
}

static void print_problem(const small_problem *t)
{
    for (int i = 0; i < t->n; ++i) {
        for (int j = 0; j < t->n; ++j) {
            print_error("%3d ", t->M[i][j]);
        }
        print_error(" | %3d %s\n", t->q[i], t->sides[i] == ABOVE ? ">=0" : t->sides[i] == BELOW ? "<=0" : "free");
    }
}

/* The solver's answer is the exact one. */
static void decide(const small_problem *t, bool is_solvable, const char *name)
{
    crn_lcp_problem p = problem_of(t);
    answer a = solve_by(&p, CRN_LCP_SEARCH);
    crn_lcp_outcome expected = is_solvable ? CRN_LCP_SOLVED : CRN_LCP_INFEASIBLE;
    if (a.result.outcome != expected) {
        print_problem(t);
    }
    TEST_CHECK(a.result.outcome == expected, "%s: %s, but a solution %s", name, crn_lcp_outcome_name(a.result.outcome),
               is_solvable ? "exists" : "does not exist");
    judge_honest(name, &p, &a);
    answer_free(&a);
}

static void decide_many(int cases, int span, bool is_mixed, crn_random *random)
{
    int solvable = 0;
    for (int k = 0; k < cases; ++k) {
        small_problem t;
        char name[32];
        draw(&t, 1 + k % MOST, span, is_mixed, random);
        (void)snprintf(name, sizeof name, "case %d, n = %d", k, t.n);
        bool is_solvable = has_solution(&t);
        solvable += is_solvable;
        decide(&t, is_solvable, name);
    }
    print_message("%d of %d have a solution\n", solvable, cases);
    assert_true(solvable > cases / 10 && solvable < cases - cases / 10);
}

static void lcps_are_decided(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    decide_many(6000, 2, false, &random);
}

/* Entries -1, 0, 1: nearly every basis is singular or degenerate. */
static void most_degenerate_lcps_are_decided(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    decide_many(6000, 1, false, &random);
}

static void mixed_problems_are_decided(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    decide_many(6000, 2, true, &random);
}

/* The other methods need not find a solution, but claim no wrong one and no wrong proof. */
static void no_method_claims_what_is_not(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    for (int k = 0; k < 1500; ++k) {
        small_problem t;
        draw(&t, 1 + k % MOST, 1 + k % 2, k % 3 == 0, &random);
        bool is_solvable = has_solution(&t);
        crn_lcp_problem p = problem_of(&t);
        for (int v = 0; v < VARIANT_COUNT; ++v) {
            crn_lcp_options options = variant_options(v);
            options.max_pivots = is_slow(v) ? 200 : 0;
            answer a = solve(&p, &options);
            judge_honest(VARIANTS[v].name, &p, &a);
            crn_lcp_outcome wrong = is_solvable ? CRN_LCP_INFEASIBLE : CRN_LCP_SOLVED;
            TEST_CHECK(a.result.outcome != wrong, "%s, case %d: %s, which cannot be", VARIANTS[v].name, k,
                       crn_lcp_outcome_name(wrong));
            answer_free(&a);
        }
    }
}

/* The decision itself, on problems whose answer is plain. */
static void the_decision_is_right(void **state)
{
    (void)state;
    small_problem yes = {.n = 2, .M = {{0, 1}, {1, 0}}, .q = {-1, -1}}; /* z = (1, 1) */
    small_problem no = {.n = 2, .M = {{0, 1}, {0, 0}}, .q = {-1, 1}};   /* feasible, never complementary */
    small_problem rank_one = {.n = 2, .M = {{1, 1}, {1, 1}}, .q = {-1, -1}};
    small_problem negative = {.n = 1, .M = {{-1}}, .q = {-1}};
    small_problem free_one = {.n = 1, .M = {{-1}}, .q = {-1}, .sides = {FREE}}; /* z = -1 */
    small_problem below = {.n = 1, .M = {{1}}, .q = {1}, .sides = {BELOW}};     /* z = -1 */
    assert_true(has_solution(&yes) && has_solution(&rank_one) && has_solution(&free_one) && has_solution(&below));
    assert_false(has_solution(&no));
    assert_false(has_solution(&negative));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_decision_is_right),
        cmocka_unit_test(lcps_are_decided),
        cmocka_unit_test(most_degenerate_lcps_are_decided),
        cmocka_unit_test(mixed_problems_are_decided),
        cmocka_unit_test(no_method_claims_what_is_not),
    };
    return TEST_RUN(tests, argc, argv);
}
