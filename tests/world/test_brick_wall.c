/* A wall of bricks that may move: it stands, and falls apart when hit. By itself, because it takes as long as all other seams. */
#include "surface_case.h"

#include "math/rigid.h"

/* 200 bricks in running bond, 20 courses: the wall stands; a heavy ball at 10 m/s breaks it. */
static void test_brick_wall(void **state)
{
    (void)state;
    enum { COURSES = 20, ROW = 10 };
    crn_world_def def = crn_world_def_default();
    crn_world *world = new_world(&def);
    crn_shape_def brick = {.kind = CRN_SHAPE_BOX, .size = {0.1, 0.05, 0.03}};
    crn_body_id wall[COURSES * ROW], ball;
    crn_vec3 place[COURSES * ROW];
    (void)add_floor(world);
    for (int k = 0; k < COURSES * ROW; ++k) {
        int course = k / ROW;
        place[k] = (crn_vec3){0.2 * (k % ROW) + (course % 2 == 0 ? 0.0 : 0.1), 0, 0.03 + 0.06 * course};
        surface_body(world, &brick, CRN_BODY_FREE, surface_pose(place[k].x, 0, place[k].z), 0.6, &wall[k]);
    }
    (void)step_for(world, 0.005, 1.0);
    double moved = 0.0, speed = 0.0, scattered = 0.0;
    for (int k = 0; k < COURSES * ROW; ++k) {
        moved = fmax(moved, crn_v3_length(crn_v3_sub(position_of(world, wall[k]), place[k])));
        speed = fmax(speed, crn_v3_length(velocity_of(world, wall[k]).linear));
    }
    print_message("wall of 200 bricks after 1 s: moved by %.1e m at most, %.1e m/s\n", moved, speed);
    TEST_CHECK(moved <= 1e-6 && speed <= 1e-6, "%g m, %g m/s", moved, speed);
    crn_shape_def shot = {.kind = CRN_SHAPE_SPHERE, .size = {0.12, 0, 0}};
    surface_body(world, &shot, CRN_BODY_FREE, surface_pose(1.0, -0.3, 0.6), 0.5, &ball);
    crn_twist start = {{0, 0, 0}, {0, 10, 0}};
    assert_int_equal(crn_body_set_velocity(world, ball, &start), CRN_OK);
    int fallen = 0, steps = 0;
    while (fallen < 10 && steps < 120) {
        assert_int_equal(crn_world_step(world, 0.005, NULL, NULL), CRN_OK);
        ++steps;
        fallen = 0;
        for (int k = 0; k < COURSES * ROW; ++k) {
            double way = crn_v3_length(crn_v3_sub(position_of(world, wall[k]), place[k]));
            fallen += way > 0.05;
            scattered = fmax(scattered, way);
        }
    }
    print_message("hit by a ball: after %d steps %d bricks displaced, by %.2f m at most\n", steps, fallen, scattered);
    TEST_CHECK(fallen >= 10, "%d bricks displaced", fallen);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brick_wall)};
    return TEST_RUN(tests, argc, argv);
}
