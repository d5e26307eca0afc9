/* Trees from definitions: counts, what is refused and how, memory, coordinates that advance. */
#include "tree_case.h"

#include "test_allocator.h"

#include <math.h>

/* --- What is refused --- */

/* Two links that are fine: a hinge to the base, a ball on it. */
static void good(crn_link_def def[2])
{
    for (int i = 0; i < 2; ++i) {
        def[i] = crn_link_def_default();
        def[i].parent = i - 1;
        def[i].kind = i == 0 ? CRN_JOINT_HINGE : CRN_JOINT_BALL;
        def[i].frame_b.position = crn_v3(0, 0, -0.5);
        def[i].mass = 1.0;
        def[i].inertia = (crn_mat3){{0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    }
}

static void check_refused(const crn_link_def *def, int links, const char *beginning)
{
    crn_tree *tree = (crn_tree *)(void *)&tree;
    crn_error error;
    crn_status status = crn_tree_create(def, links, NULL, &tree, &error);
    TEST_CHECK(status == CRN_ERR_ARGUMENT && tree == NULL, "%s: accepted", beginning);
    TEST_CHECK(strncmp(error.text, beginning, strlen(beginning)) == 0, "'%s' does not begin with '%s'", error.text,
               beginning);
}

static void test_refused(void **state)
{
    (void)state;
    crn_link_def def[2];
    good(def), def[1].parent = 1, check_refused(def, 2, "links[1].parent: 1");
    good(def), def[0].parent = -2, check_refused(def, 2, "links[0].parent: -2");
    good(def), def[1].kind = CRN_JOINT_DISTANCE, check_refused(def, 2, "links[1].kind: distance");
    good(def), def[1].kind = (crn_joint_kind)77, check_refused(def, 2, "links[1].kind: ");
    good(def), def[1].mass = -1.0, check_refused(def, 2, "links[1].mass: -1");
    good(def), def[1].mass = NAN, check_refused(def, 2, "links[1].mass: nan");
    good(def), def[1].com.y = INFINITY, check_refused(def, 2, "links[1].com: ");
    good(def), def[0].inertia.m[4] = -0.1, check_refused(def, 2, "links[0].inertia: ");
    good(def), def[0].inertia.m[1] = 0.01, check_refused(def, 2, "links[0].inertia: "); /* not symmetric */
    good(def), def[0].inertia.m[1] = def[0].inertia.m[3] = 0.2, check_refused(def, 2, "links[0].inertia: ");
    good(def), def[1].frame_a.rotation.w = 2.0, check_refused(def, 2, "links[1].frame_a: ");
    good(def), def[1].frame_b.position.x = NAN, check_refused(def, 2, "links[1].frame_b: ");
    good(def), def[1].armature[2] = -1.0, check_refused(def, 2, "links[1].armature[2]: -1");
    check_refused(NULL, 2, "links: 2");
    check_refused(def, -1, "links: -1");
}

/* Joints that move no mass, turned so that rounding leaves something of either sign; each becomes fine with armature. */
static void test_massless(void **state)
{
    (void)state;
    crn_random random = test_random("massless", 55);
    crn_link_def def[2];
    const crn_mat3 none = {{0, 0, 0, 0, 0, 0, 0, 0, 0}};
    for (int k = 0; k < 4 * 25; ++k) {
        const char *message = "links[1].mass: ";
        good(def);
        if (k >= 4) {
            def[0].frame_a.rotation = joint_random_rotation(&random);
        }
        int which = 1;
        switch (k % 4) {
        case 0: /* nothing at all */
            def[1].mass = 0.0;
            def[1].inertia = none;
            break;
        case 1: /* a point on the joint */ def[1].inertia = none, def[1].frame_b.position = crn_v3(0, 0, 0); break;
        case 2: /* a point at the end of a rod: turns about the rod */ def[1].inertia = none; break;
        default: /* two hinges of one axis with nothing in between */
            def[0].mass = 0.0;
            def[0].inertia = none;
            def[1].kind = CRN_JOINT_HINGE;
            def[1].frame_a.position = crn_v3(0, 0, 0.3);
            which = 0;
            message = "links[0].mass: ";
        }
        check_refused(def, 2, message);
        def[which].armature[0] = def[which].armature[1] = def[which].armature[2] = 0.1;
        crn_tree *tree;
        assert_int_equal(crn_tree_create(def, 2, NULL, &tree, NULL), CRN_OK);
        crn_tree_destroy(tree);
    }
    good(def); /* a link without mass between two joints of different axes is fine */
    def[0].mass = 0.0;
    def[0].inertia = none;
    def[1].kind = CRN_JOINT_HINGE;
    def[1].frame_a.rotation = crn_quat_exp(crn_v3(1.5, 0, 0));
    crn_tree *tree;
    assert_int_equal(crn_tree_create(def, 2, NULL, &tree, NULL), CRN_OK);
    crn_tree_destroy(tree);
    crn_tree_destroy(NULL);
}

/* --- Counts --- */

static void test_counts(void **state)
{
    (void)state;
    static const int coordinates[TREE_KINDS] = {1, 4, 1, 2, 3, 0, 7}, velocities[TREE_KINDS] = {1, 3, 1, 2, 3, 0, 6};
    crn_random random = test_random("counts", 51);
    crn_link_def def[TREE_KINDS];
    crn_tree *tree;
    for (int k = 0; k < TREE_KINDS; ++k) {
        def[k] = tree_random_link(&random, k - 1, tree_kind(k));
    }
    assert_int_equal(crn_tree_create(def, TREE_KINDS, NULL, &tree, NULL), CRN_OK);
    int q = 0, u = 0;
    for (int k = 0; k < TREE_KINDS; ++k) {
        assert_int_equal(crn_tree_first_coordinate(tree, k), q);
        assert_int_equal(crn_tree_first_velocity(tree, k), u);
        q += coordinates[k];
        u += velocities[k];
    }
    assert_int_equal(crn_tree_links(tree), TREE_KINDS);
    assert_int_equal(crn_tree_coordinates(tree), q);
    assert_int_equal(crn_tree_velocities(tree), u);

    double rest[32];
    crn_tree_rest(tree, rest);
    for (int k = 0; k < q; ++k) {
        bool is_real = k == 1 || k == 1 + 4 + 1 + 2 + 3 + 3; /* w of the ball's and of the free joint's quaternion */
        assert_true(rest[k] == (is_real ? 1.0 : 0.0));
    }
    crn_tree_destroy(tree);
    assert_int_equal(crn_tree_create(NULL, 0, NULL, &tree, NULL), CRN_OK); /* an empty tree does nothing */
    assert_int_equal(crn_tree_velocities(tree), 0);
    crn_tree_forward(tree, rest, NULL, NULL, rest);
    assert_true(crn_tree_factor(tree, NULL));
    crn_tree_destroy(tree);
}

/* At rest every joint is closed with its frames together. */
static void test_rest_is_closed(void **state)
{
    (void)state;
    crn_random random = test_random("rest_is_closed", 52);
    crn_tree *tree = tree_random(&random, 20);
    double q[TREE_NUMBERS_MAX];
    crn_tree_rest(tree, q);
    crn_tree_place(tree, q);
    for (int i = 0; i < 20; ++i) {
        const crn_link *link = &tree->link[i];
        const crn_frame *parent = link->parent < 0 ? &tree->base : &tree->link[link->parent].frame;
        crn_frame a = crn_frame_product(parent, &link->frame_a), b = crn_frame_product(&link->frame, &link->frame_b);
        assert_true(crn_v3_length(crn_v3_sub(a.position, b.position)) < 1e-14);
        for (int k = 0; k < 9; ++k) {
            assert_true(fabs(a.rotation.m[k] - b.rotation.m[k]) < 1e-14);
        }
    }
    crn_tree_destroy(tree);
}

/* A tree whose root was moved and nothing turned is where placing it anew puts it, to the last bit. */
static void test_moved_root_is_placed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        crn_random once = test_random("moved_root", seed), again = test_random("moved_root", seed);
        crn_tree *moved = tree_random(&once, 12), *placed = tree_random(&again, 12);
        double q[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX], far[3];
        crn_tree_rest(moved, q);
        tree_random_numbers(&once, crn_tree_velocities(moved), u);
        tree_random_numbers(&once, 3, far);
        crn_tree_advance(moved, q, u, 1.0, q);
        crn_tree_place(moved, q);
        moved->base.position = placed->base.position = crn_v3_of(far);
        crn_tree_move_root(moved, q);
        crn_tree_place(placed, q);
        assert_memory_equal(&moved->origin, &placed->origin, sizeof moved->origin);
        for (int i = 0; i < 12; ++i) {
            const crn_link *a = &moved->link[i], *b = &placed->link[i];
            assert_memory_equal(&a->frame, &b->frame, sizeof a->frame);
            assert_memory_equal(&a->inertia_world, &b->inertia_world, sizeof a->inertia_world);
            assert_memory_equal(a->S, b->S, 6 * (size_t)a->freedom * sizeof *a->S);
        }
        crn_tree_destroy(moved);
        crn_tree_destroy(placed);
    }
}

/* Joint frames at given coordinates against poses written down by hand. */
static void test_closed_poses(void **state)
{
    (void)state;
    crn_random random = test_random("closed_poses", 53);
    for (int k = 0; k < 5 * 20; ++k) {
        crn_joint_kind kind = tree_kind(k % 5);
        double q[4];
        tree_random_numbers(&random, 3, q);
        crn_pose pose = joint_closed_pose(kind, q);
        if (kind == CRN_JOINT_BALL) {
            memcpy(q, (double[]){pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}, sizeof q);
        }
        crn_link_def def = tree_random_link(&random, -1, kind);
        crn_frame frame, goal = crn_frame_of(&pose), b = crn_frame_of(&def.frame_b), a = crn_frame_of(&def.frame_a);
        crn_tree *tree;
        assert_int_equal(crn_tree_create(&def, 1, NULL, &tree, NULL), CRN_OK);
        crn_tree_kinematics(tree, q, NULL, &frame, NULL);
        crn_frame from_frames = crn_frame_product(&frame, &b), from_pose = crn_frame_product(&a, &goal);
        assert_true(crn_v3_length(crn_v3_sub(from_frames.position, from_pose.position)) < 1e-14);
        for (int i = 0; i < 9; ++i) {
            assert_true(fabs(from_frames.rotation.m[i] - from_pose.rotation.m[i]) < 1e-14);
        }
        crn_tree_destroy(tree);
    }
}

/* --- Advancing --- */

/* Steps along constant velocities add up; standing still keeps the bits; in place is fine. */
static void test_advance(void **state)
{
    (void)state;
    crn_random random = test_random("advance", 54);
    for (int trial = 0; trial < 50; ++trial) {
        crn_tree *tree = tree_random(&random, 12);
        double q[TREE_NUMBERS_MAX], once[TREE_NUMBERS_MAX], parts[TREE_NUMBERS_MAX], u[TREE_NUMBERS_MAX];
        double zero[TREE_NUMBERS_MAX] = {0};
        tree_random_coordinates(&random, tree, q);
        tree_random_numbers(&random, tree->velocities, u);
        crn_tree_advance(tree, q, zero, 0.1, once);
        assert_memory_equal(q, once, (size_t)tree->coordinates * sizeof *q);
        crn_tree_advance(tree, q, u, 1.0, once);
        memcpy(parts, q, sizeof q);
        for (int k = 0; k < 8; ++k) {
            crn_tree_advance(tree, parts, u, 0.125, parts);
        }
        for (int k = 0; k < tree->coordinates; ++k) {
            assert_true(fabs(once[k] - parts[k]) < 1e-14 * (1 + fabs(once[k])));
        }
        crn_tree_destroy(tree);
    }
}

/* --- Memory --- */

static void test_memory(void **state)
{
    (void)state;
    crn_link_def def[2];
    good(def);
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_tree *tree;
        crn_error error;
        crn_status status = crn_tree_create(def, 2, &hooks, &tree, &error);
        if (status == CRN_OK) {
            double q[5] = {0, 1, 0, 0, 0}, a[4], H[16];
            long calls = counter.calls;
            crn_tree_forward(tree, q, NULL, NULL, a);
            crn_tree_inverse(tree, q, NULL, NULL, NULL, a);
            crn_tree_mass_matrix(tree, q, H);
            crn_tree_energy(tree, q, NULL, crn_v3(0, 0, 0), a, NULL, NULL);
            assert_int_equal(counter.calls, calls); /* no memory but at creation */
            crn_tree_destroy(tree);
            assert_int_equal(counter.live, 0);
            assert_true(k > 2);
            break;
        }
        assert_int_equal(status, CRN_ERR_MEMORY);
        assert_null(tree);
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_massless),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_rest_is_closed),
        cmocka_unit_test(test_moved_root_is_placed),
        cmocka_unit_test(test_closed_poses),
        cmocka_unit_test(test_advance),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
