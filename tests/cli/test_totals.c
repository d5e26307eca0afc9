/* What a summary says of steps whose figures were made by hand: verdicts by reason, the ledger's sums, the worst. */
#include "../../apps/cli/sim_totals.h"

#include "test_support.h"

#include <math.h>

static crn_step_stats step_of(crn_verdict verdict, double amount)
{
    return (crn_step_stats){.verdict = verdict,
                            .failed = verdict == CRN_VERDICT_CERTIFIED ? 0 : 1U << verdict,
                            .amount = amount,
                            .allowed = 0.1 * amount,
                            .outcome = CRN_LCP_SOLVED};
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        crn_verdict verdict;
        double amount;
    } steps[] = {{CRN_VERDICT_CERTIFIED, 0.0}, {CRN_VERDICT_OVERLAP, 1e-5}, {CRN_VERDICT_LAW, 0.0},
                 {CRN_VERDICT_OVERLAP, 3e-5},  {CRN_VERDICT_OVERLAP, 2e-5}, {CRN_VERDICT_ENERGY, 0.5}};
    sim_totals t = {.steps = 0};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        crn_step_stats stats = step_of(steps[i].verdict, steps[i].amount);
        sim_totals_add(&t, &stats);
    }
    assert_int_equal(t.certified, 1);
    assert_int_equal(t.first_uncertified, 2);
    assert_int_equal(t.unsolved_steps, 0);
    const sim_fault *overlap = &t.fault[CRN_VERDICT_OVERLAP];
    assert_int_equal(overlap->steps, 3);
    assert_int_equal(overlap->first, 2);
    assert_int_equal(overlap->amount.step, 4);
    assert_true(overlap->amount.value == 3e-5 && overlap->allowed == 0.1 * 3e-5);
    assert_int_equal(t.fault[CRN_VERDICT_LAW].steps,
                     1); /* the convex law is not certified where Coulomb's was asked for */
    assert_int_equal(t.fault[CRN_VERDICT_ENERGY].amount.step, 6);
    assert_int_equal(t.fault[CRN_VERDICT_JOINTS].steps + t.fault[CRN_VERDICT_CERTIFIED].steps, 0);
}

static void test_ledger(void **state)
{
    (void)state;
    sim_totals t = {.steps = 0};
    for (int i = 1; i <= 4; ++i) {
        crn_step_stats stats = step_of(CRN_VERDICT_CERTIFIED, 0.0);
        stats.ledger = (crn_ledger){.before = 10.0,
                                    .friction = -i,
                                    .motors = 0.5,
                                    .unexplained = i == 3 ? -1e-6 : 1e-9,
                                    .scale = 2.0,
                                    .angular_momentum = {0.0, i == 2 ? 3e-7 : 0.0, 0.0},
                                    .angular_scale = 3.0,
                                    .gained = -0.5 * i};
        sim_totals_add(&t, &stats);
    }
    assert_true(t.sum.ledger.friction == -10.0 && t.sum.ledger.motors == 2.0);
    assert_true(t.sum.ledger.before == 0.0); /* a state, which does not add up */
    assert_int_equal(t.unexplained.step, 3);
    assert_true(fabs(t.unexplained.value - 5e-7) < 1e-20);
    assert_int_equal(t.momentum.step, 2);
    assert_true(fabs(t.momentum.value - 1e-7) < 1e-20);
    assert_int_equal(t.gained.step, 1);
    assert_true(t.gained.value == -0.5);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts), cmocka_unit_test(test_ledger)};
    return TEST_RUN(tests, argc, argv);
}
