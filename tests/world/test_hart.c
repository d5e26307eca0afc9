/* The scenes of [HA03 s3]: what the paper says of its figures, and the numbers it gives. `cairn-papers hart` shows them; here the ellipse
 * and the disks are checked in full, the Brazil nut for a few shakes. */
#include <math.h>

#include <cairn/world.h>

#include "gallery_worlds.h"
#include "test_support.h"

enum { STEPS_MAX = 400 };

static const double WINDOW = 2.0;     /* [s]: maxima are taken over so long */
static const double ROUNDING = 1e-9;  /* [m]: overlap of bodies of 3 m that is rounding of gaps */
static const double ON_TABLE = 1e-6;  /* [m] */
static const double TOUCHING = 1e-12; /* [m]: of what is placed in touch */

/* One run: the deepest overlap after each step. */
typedef struct hart {
    crn_model *model;
    crn_world *world;
    double overlap[STEPS_MAX], mean_overlap;
    int steps;
} hart;

static void begin(hart *run, crn_model *model, bool is_unstabilised)
{
    crn_error error = {CRN_OK, ""};
    *run = (hart){.model = model};
    crn_model_world(model)->integrator = CRN_INTEGRATOR_HART;
    crn_model_world(model)->is_unstabilised = is_unstabilised;
    TEST_CHECK(crn_world_create_from(model, NULL, &run->world, &error) == CRN_OK, "%s", error.text);
}

static crn_model *scene(const char *name)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_gallery_world(name, &model, &error) == CRN_OK, "%s", error.text);
    return model;
}

static crn_model *nut_scene(double dt, uint64_t seed)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    crn_gallery_nut nut = {dt, seed, CRN_SCHEME_CONVEX};
    TEST_CHECK(crn_model_create(NULL, &model, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_gallery_brazil_nut_of(model, &nut, &error) == CRN_OK, "%s", error.text);
    return model;
}

static void end(hart *run)
{
    crn_world_destroy(run->world);
    crn_model_destroy(run->model);
}

/* Every step is one problem, none in free flight, solved by the law that was asked for. */
static void go(hart *run, double seconds)
{
    const crn_world_def *def = crn_model_world_of(run->model);
    crn_contact_law law = def->scheme == CRN_SCHEME_CONVEX ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
    run->steps = (int)lround(seconds / def->dt);
    assert_true(run->steps <= STEPS_MAX);
    for (int k = 0; k < run->steps; ++k) {
        crn_step_stats stats;
        crn_error error = {CRN_OK, ""};
        TEST_CHECK(crn_world_step(run->world, def->dt, &stats, &error) == CRN_OK, "step %d: %s", k, error.text);
        TEST_CHECK(stats.outcome == CRN_LCP_SOLVED && stats.problems <= 1 && stats.law == law && !stats.is_relaxed,
                   "step %d: outcome %d, %d problems, law %d, certificate %g", k, (int)stats.outcome, stats.problems,
                   (int)stats.law, stats.certificate);
        assert_int_equal(crn_world_overlap(run->world, &run->overlap[k], NULL, NULL), CRN_OK);
        run->mean_overlap += stats.penetration_mean / run->steps;
    }
}

static double largest(const hart *run, double from, double until)
{
    double dt = crn_model_world_of(run->model)->dt, result = 0.0;
    for (int k = (int)lround(from / dt); k < (int)lround(until / dt); ++k) {
        result = fmax(result, run->overlap[k]);
    }
    return result;
}

static crn_vec3 position(const hart *run, int body)
{
    crn_pose pose;
    assert_int_equal(crn_body_pose(run->world, crn_world_body(run->world, body + 1), &pose), CRN_OK);
    return pose.position;
}

static double radius(const hart *run, int body)
{
    return crn_model_body(run->model, body)->shape->shape.size.x;
}

/* --- The ellipse --- */

static void test_ellipse_has_the_papers_numbers(void **state)
{
    (void)state;
    crn_model *model = scene("ellipse");
    const crn_world_def *def = crn_model_world_of(model);
    const crn_body_def *body = crn_model_body(model, crn_model_find_body(model, "ellipse"));
    assert_true(def->is_planar && def->scheme == CRN_SCHEME_COULOMB);
    assert_true(def->dt == 0.05 && def->duration == 20.0 && def->margin == 0.3);
    assert_true(body->pose.position.y == 8.0 && body->angular.z == 3.0);
    assert_true(body->shape->shape.size.x == 4.0 && body->shape->shape.size.y == 2.0);
    assert_true(body->shape->friction == 0.3 && body->shape->density == 10.0);
    crn_model_destroy(model);
}

static void test_ellipse_infeasibility(void **state)
{
    (void)state;
    hart with, without;
    begin(&with, scene("ellipse"), false);
    begin(&without, scene("ellipse"), true);
    go(&with, 20.0);
    go(&without, 20.0);
    double ratio = without.overlap[without.steps - 1] / with.overlap[with.steps - 1];
    print_message("at 20 s: %.3g and %.3g m, ratio %.0f\n", with.overlap[with.steps - 1],
                  without.overlap[without.steps - 1], ratio);
    TEST_CHECK(ratio >= 100.0, "ratio %g", ratio);
    TEST_CHECK(largest(&without, 18.0, 20.0) >= 100.0 * largest(&with, 18.0, 20.0), "in the last window");
    for (int w = 1; w < 10; ++w) {
        double t = w * WINDOW;
        double now = largest(&with, t, t + WINDOW);
        TEST_CHECK(now <= 1.1 * largest(&with, WINDOW, 2.0 * WINDOW), "stabilised grows: %g at %g s", now, t);
        TEST_CHECK(now < largest(&with, 0.0, WINDOW), "%g at %g s", now, t);
        TEST_CHECK(largest(&without, t, t + WINDOW) > largest(&without, t - WINDOW, t), "no drift at %g s", t);
    }
    end(&with);
    end(&without);
}

/* --- The disks --- */

static void test_disks_start_in_touch(void **state)
{
    (void)state;
    hart run;
    double overlap = 1.0;
    begin(&run, scene("disks"), false);
    assert_int_equal(crn_model_bodies(run.model), 22);
    assert_int_equal(crn_world_overlap(run.world, &overlap, NULL, NULL), CRN_OK);
    TEST_CHECK(overlap < TOUCHING, "overlap %g", overlap);
    int touching = 0;
    for (int i = 1; i < 22; ++i) {
        assert_true(radius(&run, i) == 3.0 && crn_model_body(run.model, i)->shape->friction == 0.2);
        for (int j = 1; j < i; ++j) {
            crn_vec3 a = position(&run, i), b = position(&run, j);
            touching += hypot(a.x - b.x, a.y - b.y) - 6.0 < TOUCHING;
        }
    }
    assert_int_equal(touching, 3 * 15 - 1); /* neighbours in a pile of six rows; the top disk has left one */
    end(&run);
}

static void check_disks_at_rest(const hart *run)
{
    double deepest = 0.0;
    for (int i = 1; i < 22; ++i) {
        crn_vec3 a = position(run, i);
        TEST_CHECK(fabs(a.y - 3.0) <= ON_TABLE, "disk %d is at height %.9g", i, a.y);
        for (int j = 1; j < i; ++j) {
            crn_vec3 b = position(run, j);
            deepest = fmax(deepest, 6.0 - hypot(a.x - b.x, a.y - b.y));
        }
    }
    TEST_CHECK(deepest <= ROUNDING, "two disks overlap by %g", deepest);
}

static void test_disks_infeasibility(void **state)
{
    (void)state;
    hart with, without;
    begin(&with, scene("disks"), false);
    begin(&without, scene("disks"), true);
    go(&with, 20.0);
    go(&without, 20.0);
    int below = 0, rounding = 0, in_a_row = 0;
    for (int k = 0; k < with.steps; ++k) {
        bool is_rounding = with.overlap[k] < ROUNDING && without.overlap[k] < ROUNDING;
        rounding += is_rounding;
        below += !is_rounding && with.overlap[k] < without.overlap[k];
        in_a_row = with.overlap[k] > 1e-3 ? in_a_row + 1 : 0;
        TEST_CHECK(in_a_row <= 5, "at step %d overlap of %g m is not undone", k, with.overlap[k]);
    }
    print_message("%d of %d steps below, %d both at rounding\n", below, with.steps, rounding);
    TEST_CHECK(below + rounding >= 0.95 * with.steps, "%d below, %d at rounding", below, rounding);
    check_disks_at_rest(&with);
    end(&with);
    end(&without);
}

/* --- The Brazil nut --- */

static void test_nut_starts_buried(void **state)
{
    (void)state;
    hart run;
    begin(&run, scene("brazil-nut"), false);
    const crn_world_def *def = crn_model_world_of(run.model);
    int nut = crn_model_find_body(run.model, "nut"), above = 0;
    assert_true(def->dt == 0.1 && def->duration == 75.0 && def->scheme == CRN_SCHEME_CONVEX);
    assert_int_equal(crn_model_bodies(run.model), 202); /* 201 and the box */
    for (int i = 0; i < crn_model_bodies(run.model); ++i) {
        assert_true(crn_model_body(run.model, i)->shape->friction == 0.5);
        above += i > 0 && i != nut && position(&run, i).y > position(&run, nut).y + radius(&run, nut);
    }
    TEST_CHECK(above > 100 && fabs(position(&run, nut).y - radius(&run, nut)) < 0.05, "%d above", above);
    end(&run);
}

/* Up to 1.5 m high, and down to rest without a jump. */
static void test_box_is_shaken_then_rests(void **state)
{
    (void)state;
    crn_model *model = scene("brazil-nut");
    const crn_profile *y = &crn_model_body(model, crn_model_find_body(model, "box"))->motion.y;
    double most = 0.0;
    for (int k = 0; k <= 300; ++k) {
        most = fmax(most, crn_profile_at(y, 0.1 * k));
    }
    TEST_CHECK(most > 1.4 && most <= 1.5, "height %g", most);
    TEST_CHECK(fabs(crn_profile_at(y, CRN_GALLERY_NUT_SHAKEN)) < 1e-9, "the shaking ends with a jump");
    TEST_CHECK(fabs(crn_profile_at(y, 60.0)) < 1e-9, "not at rest");
    crn_model_destroy(model);
}

static void test_nut_is_certified(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        hart run;
        begin(&run, nut_scene(0.1, seed), false);
        go(&run, 4.0);
        print_message("seed %d: mean overlap %.2e of the radius\n", (int)seed,
                      run.mean_overlap / CRN_GALLERY_NUT_SMALL);
        TEST_CHECK(run.mean_overlap <= 0.03 * CRN_GALLERY_NUT_SMALL, "mean overlap %g", run.mean_overlap);
        end(&run);
    }
}

static void test_nut_fine_steps(void **state)
{
    (void)state;
    hart run;
    begin(&run, nut_scene(0.01, 1), false);
    go(&run, 1.0);
    print_message("h = 0.01: mean overlap %.2e of the radius\n", run.mean_overlap / CRN_GALLERY_NUT_SMALL);
    TEST_CHECK(run.mean_overlap <= 1e-5 * CRN_GALLERY_NUT_SMALL, "mean overlap %g", run.mean_overlap);
    end(&run);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipse_has_the_papers_numbers),
        cmocka_unit_test(test_ellipse_infeasibility),
        cmocka_unit_test(test_disks_start_in_touch),
        cmocka_unit_test(test_disks_infeasibility),
        cmocka_unit_test(test_nut_starts_buried),
        cmocka_unit_test(test_box_is_shaken_then_rests),
        cmocka_unit_test(test_nut_is_certified),
        cmocka_unit_test(test_nut_fine_steps),
    };
    return TEST_RUN(tests, argc, argv);
}
