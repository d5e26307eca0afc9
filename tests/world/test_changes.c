/* What the caller changes between two steps is his: it is no energy gained, no momentum lost, and the steps after it are accounted for.
 *
 * A body that was added in mid-run once counted as energy gained, in that step and in all later ones. */
#include "world_case.h"

enum { EXTRAS = 6, LOADS = 3 };

/* A floor, two boxes on it, a pendulum with a spring, a floating pair of links, a driven table; and what was added since. */
typedef struct scene {
    crn_world *world;
    crn_body_id floor, box[2], bob, link[2], table;
    crn_joint_id pendulum, elbow, crank; /* crank: of a four-bar, which is closed by a ball joint */
    crn_body_id extra[EXTRAS];
    crn_joint_id tie; /* between the first two of them */
    crn_load_id load[LOADS];
    double dt, down; /* step; gravity */
    crn_random random;
} scene;

static double draw(scene *s, double low, double high)
{
    return crn_random_uniform(&s->random, low, high);
}

static crn_vec3 draw_vector(scene *s, double size)
{
    double x = draw(s, -size, size), y = draw(s, -size, size);
    return (crn_vec3){x, y, draw(s, -size, size)};
}

static void lift_table(void *user, double time, crn_pose *pose)
{
    (void)user;
    pose->position = (crn_vec3){8.0, 0.0, 0.2 * sin(3.0 * time)};
}

static crn_joint_def hinge(crn_vec3 on_a, crn_vec3 on_b)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = CRN_JOINT_HINGE;
    def.in_tree = true;
    def.frame_a.position = on_a;
    def.frame_b.position = on_b;
    return def;
}

/* A four-bar in the plane x, y, 3 m by 1 m, hinges about z. */
static void add_four_bar(scene *s)
{
    const crn_vec3 at = {-10.0, 10.0, 3.0};
    crn_body_id left = add_box(s->world, 0.1, (crn_vec3){at.x, at.y + 0.5, at.z}, 1.0);
    crn_body_id top = add_box(s->world, 0.1, (crn_vec3){at.x + 1.5, at.y + 1.0, at.z}, 2.0);
    crn_body_id right = add_box(s->world, 0.1, (crn_vec3){at.x + 3.0, at.y + 0.5, at.z}, 1.0);
    crn_joint_def crank = hinge(at, (crn_vec3){0, -0.5, 0});
    crn_joint_def knee = hinge((crn_vec3){0, 0.5, 0}, (crn_vec3){-1.5, 0, 0});
    crn_joint_def rocker = hinge((crn_vec3){at.x + 3.0, at.y, at.z}, (crn_vec3){0, -0.5, 0});
    crn_joint_def closing = crn_joint_def_default();
    closing.kind = CRN_JOINT_BALL;
    closing.frame_a.position.x = 1.5;
    closing.frame_b.position.y = 0.5;
    s->crank = add_joint(s->world, &crank, nobody, left);
    (void)add_joint(s->world, &knee, left, top);
    (void)add_joint(s->world, &rocker, nobody, right);
    (void)add_joint(s->world, &closing, top, right);
}

static void build(scene *s, uint64_t seed, bool sleeps)
{
    crn_world_def def = crn_world_def_default();
    *s = (scene){.dt = 0.01, .down = 9.81};
    s->random = crn_random_seed(seed);
    def.gravity = (crn_vec3){0, 0, -s->down};
    def.sleep_time = sleeps ? 0.2 : 0.0;
    s->world = new_world(&def);
    s->floor = add_floor(s->world);
    for (int i = 0; i < 2; ++i) {
        s->box[i] = add_box(s->world, 0.5, (crn_vec3){0, 0, 0.5 + i}, 2.0 + i);
    }
    s->bob = add_sphere(s->world, 0.2, (crn_vec3){4.0, 1.0, 5.0}, 1.5);
    crn_joint_def pivot = hinge((crn_vec3){4.0, 0.0, 5.0}, (crn_vec3){0.0, -1.0, 0.0});
    pivot.axis[0].stiffness = 3.0;
    s->pendulum = add_joint(s->world, &pivot, nobody, s->bob);
    s->link[0] = add_box(s->world, 0.2, (crn_vec3){-5.0, 0, 40.0}, 1.0);
    s->link[1] = add_box(s->world, 0.2, (crn_vec3){-4.0, 0, 40.0}, 0.3);
    crn_joint_def elbow = hinge((crn_vec3){0.5, 0, 0}, (crn_vec3){-0.5, 0, 0});
    s->elbow = add_joint(s->world, &elbow, s->link[0], s->link[1]);
    s->table = add_shape(s->world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){1, 1, 0.1}, (crn_vec3){8, 0, 0}, 0.0);
    assert_int_equal(crn_body_set_motion(s->world, s->table, lift_table, NULL), CRN_OK);
    (void)add_box(s->world, 0.3, (crn_vec3){8, 0, 0.4}, 1.0);
    add_four_bar(s);
}

/* --- What a caller does --- */

static bool exists(crn_body_id body)
{
    return body.index1 != 0;
}

static void add_extra(scene *s)
{
    int i = crn_random_below(&s->random, EXTRAS);
    if (!exists(s->extra[i])) {
        crn_body_shape shape = crn_body_shape_default();
        crn_body_def def = crn_body_def_default();
        shape.shape = (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {0.2, 0, 0}};
        def.pose.position = (crn_vec3){-20.0 + 2.0 * i, draw(s, -1, 1), draw(s, 5, 50)};
        def.velocity = draw_vector(s, 3.0);
        def.angular = draw_vector(s, 5.0);
        def.mass = draw(s, 0.1, 10.0);
        def.shape = &shape;
        def.shapes = 1;
        s->extra[i] = add_body(s->world, &def);
    }
}

static void remove_extra(scene *s)
{
    int i = crn_random_below(&s->random, EXTRAS);
    if (exists(s->extra[i])) {
        s->tie = i < 2 ? (crn_joint_id){0, 0} : s->tie; /* it goes with its body */
        assert_int_equal(crn_body_destroy(s->world, s->extra[i], NULL), CRN_OK);
        s->extra[i] = nobody;
    }
}

static void tie_extras(scene *s)
{
    if (s->tie.index1 != 0) {
        assert_int_equal(crn_joint_destroy(s->world, s->tie, NULL), CRN_OK);
        s->tie = (crn_joint_id){0, 0};
    } else if (exists(s->extra[0]) && exists(s->extra[1])) {
        crn_vec3 a = position_of(s->world, s->extra[0]);
        crn_pose beside = {(crn_vec3){a.x + 1.0, a.y, a.z}, {1, 0, 0, 0}};
        crn_pose here = {a, {1, 0, 0, 0}};
        assert_int_equal(crn_body_set_pose(s->world, s->extra[0], &here), CRN_OK);
        assert_int_equal(crn_body_set_pose(s->world, s->extra[1], &beside), CRN_OK);
        crn_joint_def ball = crn_joint_def_default();
        ball.kind = CRN_JOINT_BALL;
        ball.frame_a.position.x = 0.5;
        ball.frame_b.position.x = -0.5;
        s->tie = add_joint(s->world, &ball, s->extra[0], s->extra[1]);
    }
}

static void throw_body(scene *s)
{
    const crn_body_id body[4] = {s->box[1], s->link[0], s->bob, s->extra[2]};
    int i = crn_random_below(&s->random, 4);
    crn_twist velocity = {draw_vector(s, 2.0), draw_vector(s, 2.0)};
    if (exists(body[i])) { /* a joint says what it can have of it */
        (void)crn_body_set_velocity(s->world, body[i], &velocity);
    }
}

static void move_body(scene *s)
{
    const crn_body_id body[3] = {s->box[1], s->extra[2], s->extra[3]};
    int i = crn_random_below(&s->random, 3);
    crn_pose pose;
    if (exists(body[i])) {
        assert_int_equal(crn_body_pose(s->world, body[i], &pose), CRN_OK);
        pose.position.z += draw(s, -0.2, 2.0);
        assert_int_equal(crn_body_set_pose(s->world, body[i], &pose), CRN_OK);
    }
}

static void push_body(scene *s)
{
    crn_vec3 at = position_of(s->world, s->box[0]);
    assert_int_equal(crn_body_apply_force(s->world, s->box[0], draw_vector(s, 30.0), at), CRN_OK);
    assert_int_equal(crn_joint_apply_force(s->world, s->elbow, 0, draw(s, -1, 1)), CRN_OK);
}

static void load_body(scene *s)
{
    int i = crn_random_below(&s->random, LOADS);
    if (s->load[i].index1 != 0) {
        assert_int_equal(crn_load_destroy(s->world, s->load[i], NULL), CRN_OK);
        s->load[i] = (crn_load_id){0, 0};
    } else {
        crn_load_def def = crn_load_def_default();
        def.force = draw_vector(s, 5.0);
        def.torque = draw_vector(s, 1.0);
        crn_error error;
        TEST_CHECK(crn_load_create(s->world, &def, i == 0 ? s->bob : s->link[i - 1], &s->load[i], &error) == CRN_OK,
                   "%s", error.text);
    }
}

static void set_joint(scene *s)
{
    double angle = draw(s, -1, 1), speed = draw(s, -3, 3);
    bool is_angle = crn_random_below(&s->random, 2) == 0;
    if (is_angle) {
        assert_int_equal(crn_joint_set_coordinate(s->world, s->pendulum, &angle), CRN_OK);
    } else {
        assert_int_equal(crn_joint_set_velocity(s->world, s->elbow, &speed), CRN_OK);
    }
}

static void set_spring(scene *s)
{
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.stiffness = draw(s, 0.0, 10.0);
    axis.damping = draw(s, 0.0, 0.5);
    bool is_elbow = crn_random_below(&s->random, 2) == 0;
    assert_int_equal(crn_joint_set_axis(s->world, is_elbow ? s->elbow : s->pendulum, 0, &axis, NULL), CRN_OK);
}

/* One joint alone: its loop does not allow that. */
static void turn_crank(scene *s)
{
    double speed = draw(s, -3, 3);
    assert_int_equal(crn_joint_set_velocity(s->world, s->crank, &speed), CRN_OK);
}

/* The spring pulls elsewhere, the rotor weighs more: nothing else acts otherwise. */
static void set_target(scene *s)
{
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.stiffness = 3.0;
    axis.target.value = draw(s, -1.0, 1.0);
    axis.armature = draw(s, 0.0, 0.2);
    assert_int_equal(crn_joint_set_axis(s->world, s->pendulum, 0, &axis, NULL), CRN_OK);
}

static void set_gravity(scene *s)
{
    crn_world_def def = *crn_world_definition(s->world);
    def.gravity = (crn_vec3){draw(s, -2, 2), 0, -draw(s, 5, 15)};
    assert_int_equal(crn_world_configure(s->world, &def, NULL), CRN_OK);
}

static void set_step(scene *s)
{
    s->dt = draw(s, 0.001, 0.02);
}

static void return_to_past(scene *s)
{
    size_t size = crn_world_snapshot_size(s->world);
    void *data = malloc(size);
    assert_non_null(data);
    assert_int_equal(crn_world_save(s->world, data, size, NULL), CRN_OK);
    (void)step_once(s->world, s->dt);
    assert_int_equal(crn_world_restore(s->world, data, size, NULL), CRN_OK);
    free(data);
}

static void add_tendon(scene *s)
{
    crn_tendon_part part[2] = {crn_tendon_part_default(), crn_tendon_part_default()};
    crn_tendon_def def = crn_tendon_def_default();
    for (int i = 0; i < 2; ++i) {
        part[i].kind = CRN_TENDON_JOINT;
        part[i].joint = (int)(i == 0 ? s->pendulum : s->elbow).index1 - 1;
    }
    def.part = part;
    def.parts = 1 + crn_random_below(&s->random, 2);
    def.stiffness = draw(s, 0, 2);
    def.rest_lower = def.rest_upper = draw(s, -1, 1);
    int index;
    crn_error error;
    if (crn_world_tendons(s->world) < 3) {
        TEST_CHECK(crn_tendon_create(s->world, &def, &index, &error) == CRN_OK, "%s", error.text);
    }
}

typedef struct change {
    const char *name;
    void (*make)(scene *s);
} change;

static const change changes[] = {
    {"a body is added", add_extra},      {"a body is removed", remove_extra}, {"bodies are tied or untied", tie_extras},
    {"a body is thrown", throw_body},    {"a body is moved", move_body},      {"a body is pushed", push_body},
    {"a load comes or goes", load_body}, {"a joint is set", set_joint},       {"a spring is set", set_spring},
    {"gravity is set", set_gravity},     {"the step is another", set_step},   {"back to a snapshot", return_to_past},
    {"a tendon is added", add_tendon},   {"a target is set", set_target},     {"a crank is turned", turn_crank},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

/* --- Afterwards --- */

static void check_accounted(scene *s, uint64_t seed, int k, const char *what)
{
    crn_step_stats stats;
    crn_error error;
    TEST_CHECK(crn_world_step(s->world, s->dt, &stats, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(stats.verdict == CRN_VERDICT_CERTIFIED,
               "seed %llu, step %d, last change: %s: %s by %g (allowed %g); unexplained %g J, gained %g J of %g J",
               (unsigned long long)seed, k, what, crn_verdict_name(stats.verdict), stats.amount, stats.allowed,
               stats.ledger.unexplained, stats.ledger.gained, stats.ledger.scale);
}

/* One kind of change alone, again and again. */
static void test_each_change(void **state)
{
    (void)state;
    enum { STEPS = 60, EVERY = 3 };
    for (int c = 0; c < CHANGES; ++c) {
        scene s;
        build(&s, (uint64_t)c + 1, false);
        for (int k = 0; k < STEPS; ++k) {
            if (k % EVERY == EVERY - 1) {
                changes[c].make(&s);
                if (changes[c].make == remove_extra || changes[c].make == tie_extras) {
                    add_extra(&s);
                }
            }
            check_accounted(&s, (uint64_t)c + 1, k, changes[c].name);
        }
        crn_world_destroy(s.world);
    }
}

static void test_random_changes(void **state)
{
    (void)state;
    enum { WORLDS = 40, STEPS = 150 };
    for (uint64_t seed = 1; seed <= WORLDS; ++seed) {
        scene s;
        const char *last = "none";
        build(&s, seed, seed % 2 == 0);
        for (int k = 0; k < STEPS; ++k) {
            for (int n = crn_random_below(&s.random, 3); n > 0; --n) {
                const change *c = &changes[crn_random_below(&s.random, CHANGES)];
                c->make(&s);
                last = c->name;
            }
            check_accounted(&s, seed, k, last);
        }
        crn_world_destroy(s.world);
    }
}

/* Rotors of motors turn with their joints from the start: they once began at rest, and a hinge with an armature of 20 times its
 * body's inertia lost 95 % of the speed that the body was given, whenever trees were planted. */
static void test_rotors_turn_with_their_joints(void **state)
{
    (void)state;
    const struct {
        crn_joint_kind kind;
        crn_twist velocity;
    } cases[] = {{CRN_JOINT_HINGE, {{0, 0, 1}, {0, 0, 0}}},
                 {CRN_JOINT_SLIDER, {{0, 0, 0}, {0, 0, 2}}},
                 {CRN_JOINT_BALL, {{1, -2, 3}, {0, 0, 0}}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        crn_world_def def = crn_world_def_default();
        def.gravity = (crn_vec3){0, 0, 0};
        crn_world *world = new_world(&def);
        crn_body_def body = crn_body_def_default();
        body.mass = 1.0;
        body.inertia = (crn_mat3){{0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}};
        body.velocity = cases[i].velocity.linear;
        body.angular = cases[i].velocity.angular;
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = cases[i].kind;
        joint.in_tree = true;
        joint.axis[0].armature = 10.0;
        crn_body_id id = add_body(world, &body);
        (void)add_joint(world, &joint, nobody, id);
        for (int k = 0; k < 2; ++k) { /* with one joint; planted again with a second one, which floats along */
            (void)step_once(world, 1e-3);
            crn_twist now = velocity_of(world, id);
            CHECK_NEAR(now.angular.x, cases[i].velocity.angular.x, 1e-2);
            CHECK_NEAR(now.angular.z, cases[i].velocity.angular.z, 1e-2);
            CHECK_NEAR(now.linear.z, cases[i].velocity.linear.z, 1e-12);
            crn_body_def other = body;
            crn_joint_def fixed = crn_joint_def_default();
            other.mass = 1e-6;
            other.inertia = (crn_mat3){{1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9}};
            assert_int_equal(crn_body_pose(world, id, &other.pose), CRN_OK);
            other.velocity = now.linear;
            other.angular = now.angular;
            (void)add_joint(world, &fixed, id, add_body(world, &other));
        }
        crn_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_change),
        cmocka_unit_test(test_random_changes),
        cmocka_unit_test(test_rotors_turn_with_their_joints),
    };
    return TEST_RUN(tests, argc, argv);
}
