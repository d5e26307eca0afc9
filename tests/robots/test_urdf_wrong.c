/* URDF that is wrong: every message, with the line; hostile files end in bounded time; nothing is left behind. */
#include "urdf_case.h"

#include "test_allocator.h"

#define INERTIAL "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define A        "<link name='a'>" INERTIAL "</link>\n"
#define B        "<link name='b'>" INERTIAL "</link>\n"
#define AB       A B "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n"

typedef struct wrong {
    const char *inside;  /* of <robot> on line 1; what it begins with is on line 2 */
    const char *message; /* the whole of it, or how it begins if it ends with "..." */
} wrong;

static void expect(const char *text, size_t length, crn_status status, const char *message)
{
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_model_create(&hooks, &model, NULL), CRN_OK);
    crn_status found = crn_io_read_urdf_text(text, length, "r.urdf", NULL, model, &error);
    TEST_CHECK(found == status && error.status == found, "status %d for '%s': %s", (int)found, message, error.text);
    size_t size = strlen(message);
    bool is_begin = size >= 3 && strcmp(message + size - 3, "...") == 0;
    TEST_CHECK(is_begin ? strncmp(error.text, message, size - 3) == 0 : strcmp(error.text, message) == 0,
               "'%s' instead of '%s'", error.text, message);
    crn_model_destroy(model);
    assert_int_equal(counter.live, 0);
}

static void expect_all(const wrong *list, size_t count, crn_status status)
{
    for (size_t i = 0; i < count; ++i) {
        char text[4096];
        int length = snprintf(text, sizeof text, "<robot>\n%s</robot>", list[i].inside);
        assert_true(length > 0 && (size_t)length < sizeof text);
        expect(text, (size_t)length, status, list[i].message);
    }
}

#define EXPECT_ALL(list, status) expect_all(list, sizeof(list) / sizeof((list)[0]), status)

static const wrong links[] = {
    {"", "r.urdf:1: <robot>: has no <link>"},
    {"<link/>", "r.urdf:2: <link>: has no name"},
    {"<link name=''/>", "r.urdf:2: <link>: has no name"},
    {A "\n<link name='a'/>", "r.urdf:4: <link>: 'a' is the name of the one in line 2 too"},
    {A "<link name='c'/>",
     "r.urdf:3: <link>: 'c' is the child of no joint, and so is 'a' in line 2: a robot has one root"},
    {"<link name='a'>\n<inertial><mass/></inertial></link>", "r.urdf:3: <mass> value: is missing"},
    {"<link name='a'>\n<inertial><mass value='x'/></inertial></link>",
     "r.urdf:3: <mass> value: needs 1 number, but is 'x'"},
    {"<link name='a'>\n<inertial><mass value='-1'/></inertial></link>",
     "r.urdf:3: <mass> value: must be >= 0, but is -1"},
    {"<link name='a'>\n<inertial><mass value='1e999'/></inertial></link>",
     "r.urdf:3: <mass> value: needs 1 number, but is '1e999'"},
    {"<link name='a'><inertial>\n<origin xyz='1 2'/></inertial></link>",
     "r.urdf:3: <origin> xyz: needs 3 numbers, but is '1 2'"},
    {"<link name='a'><inertial>\n<origin rpy='1 2 inf'/></inertial></link>",
     "r.urdf:3: <origin> rpy: needs 3 numbers, but is '1 2 inf'"},
    {"<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='1'/></inertial></link>",
     "r.urdf:3: <inertia> izz: is missing"},
    {"<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='-1' izz='1'/></inertial></link>",
     "r.urdf:3: <inertia> iyy: must be >= 0, but is -1"},
    {"<link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='3' iyy='1' izz='1'/></inertial></link>",
     "r.urdf:2: <link>: 'a': inertia: must be positive definite"},
    {"<link name='a'><inertial><mass value='1'/></inertial></link>",
     "r.urdf:2: <link>: 'a': inertia: must be given, as no shape has volume and density"},
    {"<link name='a'>" INERTIAL "\n<collision/></link>", "r.urdf:3: <collision>: has no <geometry>"},
    {"<link name='a'>" INERTIAL "<collision>\n<geometry/></collision></link>", "r.urdf:3: <geometry>: has no shape"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<box/></geometry></collision></link>",
     "r.urdf:3: <box> size: is missing"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<box size='1 0 1'/></geometry></collision></link>",
     "r.urdf:3: <box> size: must be > 0, but is 0"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<sphere radius='-1'/></geometry></collision></link>",
     "r.urdf:3: <sphere> radius: must be > 0, but is -1"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<cylinder radius='1'/></geometry></collision></link>",
     "r.urdf:3: <cylinder> length: is missing"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<mesh/></geometry></collision></link>",
     "r.urdf:3: <mesh> filename: is missing"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<mesh filename='x' scale='1 1'/></geometry></collision></link>",
     "r.urdf:3: <mesh> scale: needs 3 numbers, but is '1 1'"},
    {"<link name='a'>" INERTIAL
     "<collision><geometry>\n<mesh filename='x' scale='1 0 1'/></geometry></collision></link>",
     "r.urdf:3: <mesh> scale: must not be 0"},
    {"<link name='a'>" INERTIAL "<contact>\n<restitution value='2'/></contact></link>",
     "r.urdf:3: <restitution> value: must be 0 to 1, but is 2"},
    {"<link name='a'>" INERTIAL "<contact>\n<lateral_friction value='-2'/></contact></link>",
     "r.urdf:3: <lateral_friction> value: must be >= 0, but is -2"},
};

static const wrong joints[] = {
    {A "<joint/>", "r.urdf:3: <joint>: has no name"},
    {A "<joint name='j'/>", "r.urdf:3: <joint> type: is missing"},
    {A "<joint name='j' type='hinge'/>", "r.urdf:3: <joint> type: 'hinge' is unknown; known: revolute, ..."},
    {A "<joint name='j' type='fixed'/>", "r.urdf:3: <joint>: 'j' has no <parent>"},
    {A "<joint name='j' type='fixed'><parent link='a'/></joint>", "r.urdf:3: <joint>: 'j' has no <child>"},
    {A "<joint name='j' type='fixed'>\n<parent/></joint>", "r.urdf:4: <parent> link: is missing"},
    {A "<joint name='j' type='fixed'>\n<parent link='q'/></joint>", "r.urdf:4: <parent> link: there is no link 'q'"},
    {A "<joint name='j' type='fixed'><parent link='a'/>\n<child link='q'/></joint>",
     "r.urdf:4: <child> link: there is no link 'q'"},
    {A "<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>",
     "r.urdf:3: <joint>: 'j' is part of a loop: links must make a tree"},
    {A B "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
         "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
     "r.urdf:5: <joint>: 'k' is part of a loop: links must make a tree"},
    {A B "<link name='c'/>\n<joint name='j' type='fixed'><parent link='c'/><child link='b'/></joint>\n"
         "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>",
     "r.urdf:6: <joint>: 'k' is part of a loop: links must make a tree"},
    {A B "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
         "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>",
     "r.urdf:5: <joint>: 'k': its child 'b' is the child of joint 'j' in line 4 too"},
    {A B "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
         "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>",
     "r.urdf:5: <joint>: 'j' is the name of the one in line 4 too"},
    {AB "<axis/></joint>", "r.urdf:5: <axis> xyz: is missing"},
    {AB "<axis xyz='0 0 0'/></joint>", "r.urdf:5: <axis> xyz: must not be 0"},
    {AB "<axis xyz='0 0'/></joint>", "r.urdf:5: <axis> xyz: needs 3 numbers, but is '0 0'"},
    {AB "<limit lower='nan' upper='0'/></joint>", "r.urdf:5: <limit> lower: needs 1 number, but is 'nan'"},
    {AB "<limit lower='0' upper='1' effort='-1'/></joint>", "r.urdf:5: <limit> effort: must be >= 0, but is -1"},
    {AB "<limit lower='0' upper='1' velocity='-1'/></joint>", "r.urdf:5: <limit> velocity: must be >= 0, but is -1"},
    {AB "<dynamics damping='-1'/></joint>", "r.urdf:5: <dynamics> damping: must be >= 0, but is -1"},
    {AB "<dynamics friction='-1'/></joint>", "r.urdf:5: <dynamics> friction: must be >= 0, but is -1"},
    {AB "<mimic/></joint>", "r.urdf:5: <mimic> joint: is missing"},
    {AB "<mimic joint='q'/></joint>", "r.urdf:5: <mimic> joint: there is no joint 'q'"},
    {AB "<mimic joint='j'/></joint>", "r.urdf:5: <mimic>: the joint follows itself"},
    {AB "<mimic joint='j' offset='x'/></joint>", "r.urdf:5: <mimic> offset: needs 1 number, but is 'x'"},
    {AB "<mimic joint='k'/></joint><link name='c'>" INERTIAL "</link>\n"
        "<joint name='k' type='floating'><parent link='a'/><child link='c'/></joint>",
     "r.urdf:5: <mimic> joint: 'k' has no coordinate to follow"},
    {AB "<mimic joint='k'/></joint><link name='c'>" INERTIAL "</link>\n"
        "<joint name='k' type='continuous'><parent link='a'/><child link='c'/>\n<mimic joint='j'/></joint>",
     "r.urdf:5: <mimic>: joints follow one another in a circle"},
    {A B "<joint name='j' type='floating'><parent link='a'/><child link='b'/>\n<mimic joint='j'/></joint>",
     "r.urdf:5: <mimic>: is for joints with one coordinate only"},
};

static const wrong massless[] = {
    {A "<link name='x'><collision><geometry><sphere radius='1'/></geometry></collision></link>\n" B
       "<joint name='j' type='continuous'><parent link='a'/><child link='x'/></joint>"
       "<joint name='k' type='continuous'><parent link='x'/><child link='b'/></joint>",
     "r.urdf:3: <link>: 'x' moves by joint 'j' and has shapes, but no mass"},
    {A "<link name='x'/>\n" B "<joint name='j' type='floating'><parent link='a'/><child link='x'/></joint>"
       "<joint name='k' type='continuous'><parent link='x'/><child link='b'/></joint>",
     "r.urdf:3: <link>: 'x' floats, but has no mass"},
    /* two hinges of one axis: each can turn while the other turns back, and nothing moves */
    {A "<link name='x'/>\n" B "<joint name='j' type='continuous'><parent link='a'/><child link='x'/></joint>"
       "<joint name='k' type='continuous'><parent link='x'/><child link='b'/></joint>",
     "r.urdf:3: <link>: 'x': ..."},
};

static const wrong unsupported[] = {
    {"<xacro:macro name='x'/>" A,
     "r.urdf:2: <xacro:macro>: is a macro of xacro: run xacro on the file first and read what it writes"},
    {"<link name='a'>" INERTIAL "<collision><geometry>\n<plane/></geometry></collision></link>",
     "r.urdf:3: <plane>: is no known shape; known: box, sphere, cylinder, capsule, mesh"},
};

static void test_links(void **state)
{
    (void)state;
    EXPECT_ALL(links, CRN_ERR_FORMAT);
}

static void test_joints(void **state)
{
    (void)state;
    EXPECT_ALL(joints, CRN_ERR_FORMAT);
}

static void test_massless(void **state)
{
    (void)state;
    EXPECT_ALL(massless, CRN_ERR_FORMAT);
}

static void test_unsupported(void **state)
{
    (void)state;
    EXPECT_ALL(unsupported, CRN_ERR_UNSUPPORTED);
}

static void test_files(void **state)
{
    (void)state;
    static const char sdf[] = "<sdf version='1'/>", cut[] = "<robot>\n<link";
    expect(sdf, sizeof sdf - 1, CRN_ERR_FORMAT, "r.urdf:1: <sdf>: a URDF file begins with <robot>");
    expect(cut, sizeof cut - 1, CRN_ERR_FORMAT, "r.urdf:2: syntax: ...");
    expect("", 0, CRN_ERR_FORMAT, "r.urdf:1: syntax: ...");
    crn_error error;
    crn_model *model = new_model();
    assert_int_equal(crn_io_read_urdf("no/such.urdf", NULL, model, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_read_urdf(NULL, NULL, model, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_urdf("x", NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_urdf_text(NULL, 3, "x", NULL, model, &error), CRN_ERR_ARGUMENT);
    crn_model_destroy(model);
}

static void test_options(void **state)
{
    (void)state;
    static const char text[] = "<robot>" A "</robot>";
    crn_model *model = new_model();
    crn_error error;
    crn_robot_options options = crn_robot_options_default();
    options.pose.rotation.w = 2.0;
    assert_int_equal(crn_io_read_urdf_text(text, sizeof text - 1, NULL, &options, model, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "options.pose: must be finite, with a unit quaternion");
    options = crn_robot_options_default();
    options.friction = -1.0;
    assert_int_equal(crn_io_read_urdf_text(text, sizeof text - 1, NULL, &options, model, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "options.friction: must be finite and >= 0, but is -1");
    crn_model_world(model)->is_planar = true;
    assert_int_equal(crn_io_read_urdf_text(text, sizeof text - 1, NULL, NULL, model, &error), CRN_ERR_UNSUPPORTED);
    crn_model_world(model)->is_planar = false;
    /* twice without a prefix */
    assert_int_equal(crn_io_read_urdf_text(text, sizeof text - 1, "r.urdf", NULL, model, &error), CRN_OK);
    assert_int_equal(crn_io_read_urdf_text(text, sizeof text - 1, "r.urdf", NULL, model, &error), CRN_ERR_FORMAT);
    assert_string_equal(error.text,
                        "r.urdf:1: <link>: a body called 'a' is in the model already: give the robot a prefix");
    crn_model_destroy(model);
}

/* A mesh that is not there: an error, or a warning and no shape. */
static void test_missing_mesh(void **state)
{
    (void)state;
    static const char text[] = "<robot><link name='a'>" INERTIAL
                               "\n<collision><geometry><mesh filename='package://p/q.stl'/></geometry></collision>"
                               "\n<collision><geometry><mesh filename='package://p/q.stl'/></geometry></collision>"
                               "<collision><geometry><sphere radius='1'/></geometry></collision></link></robot>";
    expect(text, sizeof text - 1, CRN_ERR_IO, "r.urdf:2: <mesh>: there is no file 'package://p/q.stl'");
    said all = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.skip_missing_meshes = true;
    options.warn = listen_to;
    options.user = &all;
    crn_model *model = robot_of(text, &options);
    assert_int_equal(crn_model_body(model, 0)->shapes, 1);
    assert_int_equal(all.count, 1); /* said once, though twice missing */
    assert_string_equal(all.text[0], "r.urdf:2: <mesh>: there is no file 'package://p/q.stl'; the shape is left out");
    crn_model_destroy(model);
}

/* A chain of n links, each hanging on the one before. */
static char *chain(int n, size_t *length)
{
    char *text = malloc((size_t)n * 240 + 100);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "<robot>");
    for (int i = 0; i < n; ++i) {
        at += (size_t)sprintf(text + at, "<link name='l%d'>" INERTIAL "</link>", i);
    }
    for (int i = 1; i < n; ++i) {
        at += (size_t)sprintf(text + at,
                              "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/></joint>", i,
                              i - 1, i);
    }
    *length = at + (size_t)sprintf(text + at, "</robot>");
    return text;
}

static void test_long_chains(void **state)
{
    (void)state;
    size_t length = 0;
    char *text = chain(2000, &length);
    crn_model *model = robot_of(text, NULL);
    assert_int_equal(crn_model_bodies(model), 2000);
    crn_model_destroy(model);
    free(text);
    text = chain(20001, &length);
    expect(text, length, CRN_ERR_UNSUPPORTED, "r.urdf:1: <robot>: has more than 20000 links or joints");
    free(text);
}

static const char sample[] = "<robot name='r'>" AB "<origin xyz='1 2 3' rpy='1 0 0'/><axis xyz='0 1 0'/>"
                             "<limit lower='-1' upper='1' effort='3'/><dynamics damping='1'/></joint>\n"
                             "<link name='c'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
                             "<joint name='f' type='fixed'><parent link='b'/><child link='c'/></joint></robot>";

static void test_random_bytes(void **state)
{
    (void)state;
    crn_random random = test_random("test_random_bytes", 11);
    int loaded = 0;
    for (int round = 0; round < 5000; ++round) {
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        for (int i = crn_random_below(&random, 3); i >= 0; --i) {
            text[crn_random_below(&random, (int)sizeof sample - 1)] = (char)(32 + crn_random_below(&random, 95));
        }
        crn_model *model = new_model();
        crn_error error;
        crn_status status = crn_io_read_urdf_text(text, sizeof sample - 1, "r.urdf", NULL, model, &error);
        assert_true(status == CRN_OK || error.text[0] != '\0');
        loaded += status == CRN_OK;
        crn_model_destroy(model);
    }
    assert_true(loaded > 50 && loaded < 4950);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),        cmocka_unit_test(test_joints),      cmocka_unit_test(test_massless),
        cmocka_unit_test(test_unsupported),  cmocka_unit_test(test_files),       cmocka_unit_test(test_options),
        cmocka_unit_test(test_missing_mesh), cmocka_unit_test(test_long_chains), cmocka_unit_test(test_random_bytes),
    };
    return TEST_RUN(tests, argc, argv);
}
