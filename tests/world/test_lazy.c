/* Contacts that do not matter are left out of a step's problem: its answer is that of the whole problem. */
#include "surface_case.h"

#include "math/rigid.h"
#include "step/step_room.h"

enum { SIDES = 48 };

/* A tube along x, as a closed mesh. */
static void add_tube(crn_world *world, double inner, double outer, double half)
{
    static double point[4 * SIDES][3];
    static int triangle[8 * SIDES][3];
    int count = 0;
    for (int k = 0; k < 4 * SIDES; ++k) {
        double angle = 6.283185307179586 * (k % SIDES) / SIDES, r = k / SIDES < 2 ? inner : outer;
        point[k][0] = k / SIDES % 2 == 0 ? -half : half;
        point[k][1] = r * cos(angle);
        point[k][2] = r * sin(angle);
    }
    /* rings: 0 inner left, 1 inner right, 2 outer left, 3 outer right */
    static const int band[4][2] = {{1, 0}, {2, 3}, {0, 2}, {3, 1}};
    for (int b = 0; b < 4; ++b) {
        for (int k = 0; k < SIDES; ++k) {
            int p = band[b][0] * SIDES + k, q = band[b][0] * SIDES + (k + 1) % SIDES;
            int r = band[b][1] * SIDES + (k + 1) % SIDES, s = band[b][1] * SIDES + k;
            const int two[6] = {p, r, q, p, s, r};
            for (int i = 0; i < 6; ++i) {
                triangle[count + i / 3][i % 3] = two[i];
            }
            count += 2;
        }
    }
    crn_shape_def def = {.kind = CRN_SHAPE_MESH,
                         .points = &point[0][0],
                         .count = 4 * SIDES,
                         .triangles = &triangle[0][0],
                         .triangle_count = count};
    crn_body_id body;
    surface_body(world, &def, CRN_BODY_FIXED, surface_pose(0, 0, 0), 0.3, &body);
}

static crn_body_id add_peg(crn_world *world, double radius, double half)
{
    double point[2 * SIDES][3];
    for (int k = 0; k < 2 * SIDES; ++k) {
        double angle = 6.283185307179586 * (k / 2 + 0.3) / SIDES;
        point[k][0] = k % 2 == 0 ? -half : half;
        point[k][1] = radius * cos(angle);
        point[k][2] = radius * sin(angle);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = &point[0][0], .count = 2 * SIDES};
    crn_body_id body;
    surface_body(world, &def, CRN_BODY_FREE, surface_pose(0.02, 0, -4e-4), 0.3, &body);
    return body;
}

/* The library's solver, but of the whole problem. */
static crn_status solve_whole(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                              const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    return crn_contact_solve(problem, options, (crn_workspace *)user, solution, result, error);
}

static void test_peg_in_hole(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.gravity = (crn_vec3){1.0, 0.5, -9.81};
    crn_world *world[2];
    crn_body_id peg[2];
    crn_workspace workspace = crn_workspace_with(crn_allocator_default());
    double contacts = 0.0, active = 0.0, seconds[2] = {0.0, 0.0}, off = 0.0;
    for (int k = 0; k < 2; ++k) {
        world[k] = new_world(&def);
        add_tube(world[k], 0.1, 0.15, 0.2);
        peg[k] = add_peg(world[k], 0.0993, 0.12);
        crn_twist start = {{3, 0, 0}, {0.3, 0, 0}};
        assert_int_equal(crn_body_set_velocity(world[k], peg[k], &start), CRN_OK);
    }
    assert_int_equal(crn_world_set_solver(world[1], solve_whole, &workspace), CRN_OK);
    for (int step = 0; step < 100; ++step) {
        for (int k = 0; k < 2; ++k) {
            crn_step_stats stats = step_once(world[k], 0.002);
            contacts += k == 0 ? stats.contacts / 100.0 : 0.0;
            active += k == 0 ? stats.active / 100.0 : 0.0;
            seconds[k] += stats.seconds_solve / 100.0;
        }
        off = fmax(off, crn_v3_length(crn_v3_sub(position_of(world[0], peg[0]), position_of(world[1], peg[1]))));
        off = fmax(off, 0.002 * crn_v3_length(crn_v3_sub(velocity_of(world[0], peg[0]).linear,
                                                         velocity_of(world[1], peg[1]).linear)));
    }
    print_message("peg in a hole: %.0f contacts, %.1f active; solution %.0f us by those that matter, %.0f us by all; "
                  "way differs by %.1e m\n",
                  contacts, active, 1e6 * seconds[0], 1e6 * seconds[1], off);
    TEST_CHECK(off <= 1e-7, "off by %g", off);
    assert_true(contacts > 24.0);
    crn_workspace_free(&workspace);
    crn_world_destroy(world[0]);
    crn_world_destroy(world[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peg_in_hole),
    };
    return TEST_RUN(tests, argc, argv);
}
