/* The same again: two runs, and a run restored from a snapshot halfway, to the last bit; bodies added in another order, to
 * 1e-9. */
#include "physics_case.h"

static const double ORDER_TOLERANCE = 1e-9; /* [m] and of quaternions */

/* --- The same bits --- */

static uint64_t run_from(crn_world *world, double h, int steps)
{
    physics_run(world, h, steps);
    return crn_world_hash(world);
}

/* first: all steps; second: half, then a snapshot and the rest; third: a fresh world from the snapshot on. The second is
 * restored once more and repeats its half. */
static void check_bits(const char *scene, int steps)
{
    const double h = 0.01;
    crn_world *first = physics_world(physics_scene(scene)), *second = physics_world(physics_scene(scene));
    crn_world *third = physics_world(physics_scene(scene));
    uint64_t right = run_from(first, h, steps);
    physics_run(second, h, steps / 2);
    size_t size = crn_world_snapshot_size(second);
    void *data = malloc(size);
    assert_non_null(data);
    assert_int_equal(crn_world_save(second, data, size, NULL), CRN_OK);
    uint64_t again = run_from(second, h, steps - steps / 2);
    assert_int_equal(crn_world_restore(second, data, size, NULL), CRN_OK);
    uint64_t repeated = run_from(second, h, steps - steps / 2);
    assert_int_equal(crn_world_restore(third, data, size, NULL), CRN_OK);
    uint64_t fresh = run_from(third, h, steps - steps / 2);
    print_message("%s: hash after %d steps = %016llx, again %016llx, restored %016llx, in a fresh world %016llx\n",
                  scene, steps, (unsigned long long)right, (unsigned long long)again, (unsigned long long)repeated,
                  (unsigned long long)fresh);
    assert_true(again == right && repeated == right && fresh == right);
    free(data);
    crn_world_destroy(first);
    crn_world_destroy(second);
    crn_world_destroy(third);
}

static void test_bits(void **state)
{
    (void)state;
    check_bits("stack-10", 100);
    check_bits("stack-leaning", 20);
    check_bits("ellipse", 200);
    check_bits("disks", 100);
    check_bits("incline-slide", 100);
    check_bits("hinged-boxes", 80);
    check_bits("hinged-boxes", 200);
    check_bits("pinch", 100);
    check_bits("bounce", 200);
    check_bits("four-bar-parallel", 100);
    check_bits("leg", 100);
    check_bits("tumbling", 200);
    check_bits("rope", 200);
}

/* --- Another order --- */

/* Largest difference of a body's pose in two worlds. */
static double difference(const crn_world *x, int i, const crn_world *y, int j)
{
    crn_pose a = physics_pose(x, i), b = physics_pose(y, j);
    crn_quat p = a.rotation, q = b.rotation;
    double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0.0 ? -1.0 : 1.0;
    double turn = fmax(fmax(fabs(p.w - sign * q.w), fabs(p.x - sign * q.x)),
                       fmax(fabs(p.y - sign * q.y), fabs(p.z - sign * q.z)));
    return fmax(physics_distance(a.position, b.position), turn);
}

/* Run both; body i of the one is body order[i] of the other. */
static void check_order(const char *scene, crn_model *model, crn_model *other, const int *order, int steps)
{
    const double h = crn_model_world_of(model)->dt;
    const int bodies = crn_model_bodies(model);
    double worst = 0.0;
    crn_world *x = physics_world(model), *y = physics_world(other);
    for (int k = 0; k < steps; ++k) {
        physics_step(x, h);
        physics_step(y, h);
        for (int i = 0; i < bodies; ++i) {
            worst = fmax(worst, difference(x, i, y, order[i]));
        }
    }
    physics_at_most(scene, "difference of the motions [m]", worst, ORDER_TOLERANCE);
    crn_world_destroy(x);
    crn_world_destroy(y);
}

static void check_stack(const char *scene, crn_gallery_stack stack, int steps)
{
    int order[64] = {0};
    crn_model *model, *other;
    for (int i = 1; i <= stack.boxes; ++i) {
        order[i] = stack.boxes + 1 - i; /* the floor stays first */
    }
    PHYSICS_FILL(model, crn_gallery_stack_of(model, &stack, &error));
    stack.is_from_top = true;
    PHYSICS_FILL(other, crn_gallery_stack_of(other, &stack, &error));
    check_order(scene, model, other, order, steps);
}

static void test_order_of_stacks(void **state)
{
    (void)state;
    check_stack("stack of 10", (crn_gallery_stack){.boxes = 10, .mass = 1.0, .mass_ratio = 1.0}, 200);
    check_stack("stack of 30, leaning", (crn_gallery_stack){.boxes = 30, .lean = 0.05, .mass = 1.0, .mass_ratio = 1.0},
                100);
    check_stack("stack of 5, 1 to 10^4 kg", (crn_gallery_stack){.boxes = 5, .mass = 1.0, .mass_ratio = 1e4}, 200);
}

static void test_order_of_ellipses(void **state)
{
    (void)state;
    const int order[3] = {2, 1, 0}; /* floor, two ellipses */
    crn_model *model, *other;
    PHYSICS_FILL(model, crn_gallery_rolling_ellipse_of(model, &(crn_gallery_rolling){2, false}, &error));
    PHYSICS_FILL(other, crn_gallery_rolling_ellipse_of(other, &(crn_gallery_rolling){2, true}, &error));
    check_order("two ellipses", model, other, order, 200);
}

static void check_incline(const char *scene, crn_gallery_incline incline)
{
    const int order[2] = {1, 0};
    crn_model *model, *other;
    PHYSICS_FILL(model, crn_gallery_incline_of(model, &incline, &error));
    incline.is_slope_last = true;
    PHYSICS_FILL(other, crn_gallery_incline_of(other, &incline, &error));
    check_order(scene, model, other, order, 200);
}

static void test_order_of_incline(void **state)
{
    (void)state;
    for (int degrees = 0; degrees <= 45; degrees += 15) {
        char scene[64];
        crn_gallery_incline incline = {.angle = PHYSICS_PI / 6.0, .heading = degrees * PHYSICS_PI / 180.0};
        (void)snprintf(scene, sizeof scene, "incline, resting, heading %d", degrees);
        incline.factor = 1.02;
        check_incline(scene, incline);
        (void)snprintf(scene, sizeof scene, "incline, sliding, heading %d", degrees);
        incline.factor = 0.95;
        check_incline(scene, incline);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_order_of_stacks),
        cmocka_unit_test(test_order_of_ellipses),
        cmocka_unit_test(test_order_of_incline),
    };
    return TEST_RUN(tests, argc, argv);
}
