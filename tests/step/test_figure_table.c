/* The table of figures: every field of crn_step_stats is in it once, and values go in and out unchanged. */
#include <cairn/step.h>

#include "test_support.h"

#include <math.h>

static size_t size_of(const crn_step_figure *figure)
{
    switch (figure->kind) {
    case CRN_FIGURE_REAL: return sizeof(double);
    case CRN_FIGURE_FLAG: return sizeof(bool);
    default: return sizeof(int);
    }
}

/* A field that is not in the table leaves bytes that nobody covers; fields are aligned, so less than a number is left. */
static void test_every_field(void **state)
{
    (void)state;
    unsigned char covered[sizeof(crn_step_stats)] = {0};
    memset(covered + offsetof(crn_step_stats, time), 1, sizeof(double)); /* frames and rows tell the time themselves */
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        for (size_t k = 0; k < size_of(figure); ++k) {
            TEST_CHECK(covered[figure->offset + k]++ == 0, "%s lies over another figure", figure->name);
        }
    }
    int padding = 0;
    for (size_t i = 0; i < sizeof covered; ++i) {
        padding += covered[i] == 0;
        TEST_CHECK(padding < (int)sizeof(double) || covered[i] != 0, "byte %zu belongs to a figure without a name", i);
        padding = covered[i] == 0 ? padding : 0;
    }
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        assert_ptr_equal(crn_step_figure_find(figure->name), figure);
        assert_null(strpbrk(figure->name, " ,\n\""));
        assert_int_equal(figure->word != NULL, figure->kind == CRN_FIGURE_WORD);
    }
    assert_null(crn_step_figure_find("no such figure"));
    assert_null(crn_step_figure_find(NULL));
    assert_null(crn_step_figure_at(-1));
    assert_null(crn_step_figure_at(crn_step_figure_count()));
}

static void test_values(void **state)
{
    (void)state;
    crn_step_stats stats = {.verdict = CRN_VERDICT_LAW, .failed = 0x80000004U, .is_relaxed = true};
    const crn_step_figure *verdict = crn_step_figure_find("verdict"), *failed = crn_step_figure_find("failed");
    const crn_step_figure *relaxed = crn_step_figure_find("relaxed"), *pivots = crn_step_figure_find("pivots");
    const crn_step_figure *friction = crn_step_figure_find("ledger.friction");
    assert_true(crn_step_figure_get(verdict, &stats) == 2.0 && crn_step_figure_get(failed, &stats) == 2147483652.0);
    assert_true(crn_step_figure_get(relaxed, &stats) == 1.0);
    assert_string_equal(crn_step_figure_word(verdict, &stats), "law");
    assert_null(crn_step_figure_word(pivots, &stats));
    assert_true(friction->adds_up && !pivots->adds_up);

    assert_true(crn_step_figure_set(verdict, 6.0, &stats) && stats.verdict == CRN_VERDICT_MOMENTUM);
    assert_true(crn_step_figure_set(failed, 4294967295.0, &stats) && stats.failed == 0xFFFFFFFFU);
    assert_true(crn_step_figure_set(friction, -INFINITY, &stats) && isinf(stats.ledger.friction));
    assert_true(crn_step_figure_set(pivots, 2147483647.0, &stats) && stats.pivots == 2147483647);
    const struct {
        const crn_step_figure *figure;
        double value;
    } wrong[] = {{verdict, 7.0}, {verdict, -1.0}, {failed, 4294967296.0}, {pivots, 2147483648.0},
                 {pivots, 0.5},  {pivots, NAN},   {relaxed, 2.0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        crn_step_stats before = stats;
        assert_false(crn_step_figure_set(wrong[i].figure, wrong[i].value, &stats));
        assert_memory_equal(&before, &stats, sizeof stats);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_values),
    };
    return TEST_RUN(tests, argc, argv);
}
