/* MJCF that is wrong: every message, with file, line and element; hostile files: bounded time and memory. */
#include "mjcf_case.h"
#include "test_allocator.h"

#include <time.h>

#define BALL "<geom type='sphere' size='0.5'/>"

typedef struct wrong {
    const char *text;
    const char *message; /* the whole of it, or how it begins if it ends with "..." */
} wrong;

static crn_status read_text(const char *text, size_t length, crn_error *error)
{
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = NULL;
    assert_int_equal(crn_model_create(&hooks, &model, error), CRN_OK);
    crn_status status = crn_io_read_mjcf_text(text, length, "m.xml", NULL, model, error);
    crn_model_destroy(model);
    assert_int_equal(counter.live, 0);
    assert_true(error->status == status);
    assert_null(strchr(error->text, '\n'));
    return status;
}

static void expect(const char *text, const char *message)
{
    crn_error error = {CRN_OK, ""};
    crn_status status = read_text(text, strlen(text), &error);
    TEST_CHECK(status != CRN_OK, "accepted, but should say '%s'", message);
    size_t size = strlen(message);
    bool is_begin = size >= 3 && strcmp(message + size - 3, "...") == 0;
    TEST_CHECK(is_begin ? strncmp(error.text, message, size - 3) == 0 : strcmp(error.text, message) == 0,
               "'%s' instead of '%s'", error.text, message);
}

#define WORLD(inside) "<mujoco>\n<worldbody>" inside "</worldbody></mujoco>"
#define BODY(inside)  WORLD("<body>" inside "</body>")

static const wrong list[] = {
    {"", "m.xml:1: syntax: ..."},
    {"<mujoco><a></mujoco>", "m.xml:1: syntax: ..."},
    {"<robot name='x'/>", "m.xml:1: <robot>: the file begins with this, but MJCF begins with <mujoco>"},
    /* settings */
    {"<mujoco>\n<compiler angle='gon'/></mujoco>", "m.xml:2: <compiler> angle: 'gon' is unknown"},
    {"<mujoco><compiler eulerseq='xyw'/></mujoco>", "m.xml:1: <compiler> eulerseq: must be three letters of xyzXYZ"},
    {"<mujoco><option timestep='0'/></mujoco>", "m.xml:1: <option> timestep: must be > 0, but is 0"},
    {"<mujoco><option gravity='0 0'/></mujoco>", "m.xml:1: <option> gravity: needs 3 numbers, but is '0 0'"},
    {"<mujoco><option gravity='0 0 nan'/></mujoco>", "m.xml:1: <option> gravity: needs 3 numbers, but is '0 0 nan'"},
    /* classes */
    {"<mujoco><default><default/></default></mujoco>", "m.xml:1: <default> class: missing"},
    {"<mujoco><default><default class='a'/><default class='b'><default class='a'/></default></default></mujoco>",
     "m.xml:1: <default> class: the name is in use inside another class"},
    {"<mujoco><default>\n<geom size='a'/></default><worldbody><geom type='sphere'/></worldbody></mujoco>",
     "m.xml:2: <geom> size: needs 1 to 3 numbers, but is 'a'"},
    {WORLD("<geom class='x'/>"), "m.xml:2: <geom> class: there is no 'x'"},
    {WORLD("<body childclass='x'/>"), "m.xml:2: <body> childclass: there is no such class"},
    /* controls */
    {"<mujoco><worldbody><body>"
     "<joint name='j'/>" BALL "</body></worldbody><actuator>\n<motor joint='j' ctrlrange='1 0'/></actuator></mujoco>",
     "m.xml:2: <motor> ctrlrange: 1 must be less than 0"},
    {"<mujoco><worldbody><body><joint name='j'/>" BALL
     "</body></worldbody><actuator>\n<position joint='j' kv='1' dampratio='1'/></actuator></mujoco>",
     "m.xml:2: <position> dampratio: given beside kv"},
    {"<mujoco><worldbody><body><joint name='j'/>" BALL
     "</body></worldbody><actuator>\n<position joint='j' timeconst='-1'/></actuator></mujoco>",
     "m.xml:2: <position>: time constant: must be >= 0, but is -1"},
    {"<mujoco><worldbody><body><joint name='j'/>" BALL
     "</body></worldbody><actuator><motor name='a' joint='j'/>\n<motor name='a' joint='j'/></actuator></mujoco>",
     "m.xml:2: <motor>: actuators[1].name: is the name of actuators[0] too"},
    {"<mujoco>\n<include file='/dev/zero'/></mujoco>",
     "m.xml:2: <include> file: '/dev/zero' is a folder, a pipe or a device"},
    {"<mujoco>\n<include file='/tmp'/></mujoco>", "m.xml:2: <include> file: '/tmp' is a folder, a pipe or a device"},
    {"<mujoco><asset>\n<mesh name='m' file='/dev/zero'/></asset><worldbody><geom type='mesh' "
     "mesh='m'/></worldbody></mujoco>",
     "m.xml:2: <mesh> file: '/dev/zero' is a folder, a pipe or a device"},
    /* keys */
    {"<mujoco><worldbody><body><joint/>" BALL "</body></worldbody><keyframe>\n<key qpos='1 2'/></keyframe></mujoco>",
     "m.xml:2: <key> qpos: needs 1 numbers, but has 2"},
    {"<mujoco><worldbody><body><joint/>" BALL "</body></worldbody><keyframe>\n<key ctrl='1'/></keyframe></mujoco>",
     "m.xml:2: <key> ctrl: needs 0 numbers, but has 1"},
    {"<mujoco><worldbody><body><freejoint/>" BALL
     "</body></worldbody><keyframe>\n<key qpos='0 0 0 0 0 0 0'/></keyframe></mujoco>",
     "m.xml:2: <key> qpos: the quaternion at number 0 must not be 0"},
    {"<mujoco><worldbody/><keyframe><key name='a'/>\n<key name='a'/></keyframe></mujoco>",
     "m.xml:2: <key>: keys[1].name: is the name of keys[0] too"},
/* tendons */
#define TENDON(inside)                                                                                           \
    "<mujoco><worldbody><site name='s'/><site name='t'/><geom name='box' type='box' size='1 1 1'/><body><joint " \
    "name='j'/><joint name='b' type='ball'/>" BALL "</body></worldbody><tendon>\n" inside "</tendon></mujoco>"
    {TENDON("<spatial><site site='s'/><site site='x'/></spatial>"), "m.xml:2: <site> site: there is no 'x'"},
    {TENDON("<spatial><site site='s'/><site/></spatial>"), "m.xml:2: <site> site: missing"},
    {TENDON("<spatial><site site='s'/></spatial>"),
     "m.xml:2: <spatial>: tendons[0].parts: a path must have two sites; it has 1 before part 1"},
    {TENDON("<spatial><site site='s'/><geom geom='x'/><site site='t'/></spatial>"),
     "m.xml:2: <geom> geom: there is no 'x'"},
    {TENDON("<spatial><site site='s'/><geom geom='box'/><site site='t'/></spatial>"),
     "m.xml:2: <geom> geom: 'box' is neither a sphere nor a cylinder"},
    {TENDON("<spatial><site site='s'/><pulley/><site site='t'/></spatial>"), "m.xml:2: <pulley> divisor: missing"},
    {TENDON("<spatial><site site='s'/><site site='t'/><pulley divisor='0'/><site site='s'/><site site='t'/></spatial>"),
     "m.xml:2: <spatial>: tendons[0].parts[2].factor: must be > 0, but is 0"},
    {TENDON("<spatial><site site='s'/><joint joint='j' coef='1'/></spatial>"),
     "m.xml:2: <joint>: is no part of a <spatial>"},
    {TENDON("<fixed><joint joint='x' coef='1'/></fixed>"), "m.xml:2: <joint> joint: there is no 'x'"},
    {TENDON("<fixed><joint joint='b' coef='1'/></fixed>"),
     "m.xml:2: <joint> joint: 'b' is neither a hinge nor a slide"},
    {TENDON("<fixed><joint joint='j'/></fixed>"), "m.xml:2: <joint> coef: missing"},
    {TENDON("<fixed/>"), "m.xml:2: <fixed>: has no parts"},
    {TENDON("<fixed name='u'><joint joint='j' coef='1'/></fixed>\n<fixed name='u'><joint joint='j' coef='1'/></fixed>"),
     "m.xml:3: <fixed> name: 'u' is there twice"},
    {TENDON("<fixed limited='true' range='1 0'><joint joint='j' coef='1'/></fixed>"),
     "m.xml:2: <fixed> range: 1 must be less than 0"},
    {TENDON("<fixed stiffness='-1'><joint joint='j' coef='1'/></fixed>"),
     "m.xml:2: <fixed>: tendons[0].stiffness: must be >= 0, but is -1"},
    {"<mujoco><worldbody/><equality>\n<tendon tendon1='x'/></equality></mujoco>",
     "m.xml:2: <tendon> tendon1: there is no 'x'"},
    {"<mujoco><worldbody/><actuator>\n<motor tendon='x'/></actuator></mujoco>",
     "m.xml:2: <motor> tendon: there is no tendon 'x'"},
    {"<mujoco><worldbody/><sensor>\n<tendonpos tendon='x'/></sensor></mujoco>",
     "m.xml:2: <tendonpos> tendon: there is no 'x'"},
    /* height fields */
    {WORLD("<geom type='hfield' hfield='x'/>"), "m.xml:2: <geom> hfield: there is no 'x'"},
    {WORLD("<geom type='hfield'/>"), "m.xml:2: <geom> hfield: missing"},
    {"<mujoco><asset>\n<hfield name='f' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset><worldbody><geom "
     "type='hfield' hfield='f'/></worldbody></mujoco>",
     "m.xml:2: <hfield> elevation: has 3 numbers, not nrow x ncol = 4"},
    {"<mujoco><asset>\n<hfield name='f' nrow='2' size='1 1 1 1'/></asset><worldbody><geom type='hfield' "
     "hfield='f'/></worldbody></mujoco>",
     "m.xml:2: <hfield> ncol: must be an integer of 2 .. 10000, but is 0"},
    /* sensors */
    {"<mujoco><worldbody/><sensor>\n<gyro site='x'/></sensor></mujoco>", "m.xml:2: <gyro> site: there is no 'x'"},
    {"<mujoco><worldbody/><sensor>\n<gyro/></sensor></mujoco>", "m.xml:2: <gyro> site: missing"},
    {"<mujoco><worldbody/><sensor>\n<jointpos joint='x'/></sensor></mujoco>",
     "m.xml:2: <jointpos> joint: there is no 'x'"},
    /* sites */
    {WORLD("<site name='a'/>\n<site name='a'/>"), "m.xml:3: <site>: sites[1].name: is the name of sites[0] too"},
    {WORLD("<site fromto='1 1 1 1 1 1'/>"), "m.xml:2: <site> fromto: the two points must differ"},
    {WORLD("<site class='x'/>"), "m.xml:2: <site> class: there is no 'x'"},
    /* poses */
    {BODY("<geom type='sphere' size='1' quat='0 0 0 0'/>"), "m.xml:2: <geom> quat: must not be 0"},
    {BODY("<geom type='sphere' size='1' euler='0 0 0' zaxis='1 0 0'/>"), "m.xml:2: <geom>: has both zaxis and euler"},
    {BODY("<geom type='sphere' size='1' zaxis='0 0 0'/>"), "m.xml:2: <geom> zaxis: must not be 0"},
    {BODY("<geom type='sphere' size='1' xyaxes='1 0 0 2 0 0'/>"),
     "m.xml:2: <geom> xyaxes: must be two directions that are not parallel"},
    {BODY("<geom type='sphere' size='1' axisangle='0 0 0 1'/>"), "m.xml:2: <geom> axisangle: the axis must not be 0"},
    /* joints */
    {BODY("<joint type='screw'/>" BALL), "m.xml:2: <joint> type: 'screw' is unknown"},
    {BODY("<joint axis='0 0 0'/>" BALL), "m.xml:2: <joint> axis: must not be 0"},
    {BODY("<joint range='2 1'/>" BALL), "m.xml:2: <joint> range: 2 must be less than 1"},
    {BODY("<joint limited='true'/>" BALL), "m.xml:2: <joint> range: 0 must be less than 0"},
    {BODY("<joint damping='-1'/>" BALL), "m.xml:2: <joint> damping: must be >= 0, but is -1"},
    {BODY("<joint damping='1e999'/>" BALL), "m.xml:2: <joint> damping: needs 1 number, but is '1e999'"},
    {WORLD("<joint/>"), "m.xml:2: <joint>: the world has no joints"},
    {BODY("<freejoint/><joint/>" BALL), "m.xml:2: <freejoint>: a free joint must be the only one of its body"},
    {BODY("<body><freejoint/>" BALL "</body>"),
     "m.xml:2: <freejoint>: a free joint is for bodies of the world, not for bodies in bodies"},
    {WORLD("<body name='a'><joint name='j'/>" BALL "</body><body name='b'><joint name='j'/>" BALL "</body>"),
     "m.xml:2: <joint>: joints[1].name: is the name of joints[0] too"},
    {WORLD("<body name='a'/><body name='a'/>"), "m.xml:2: <body>: bodies[1].name: is the name of bodies[0] too"},
    /* geoms */
    {BODY("<geom type='torus' size='1'/>"), "m.xml:2: <geom> type: 'torus' is unknown"},
    {WORLD("<geom type='sphere' size='-1'/>"), "m.xml:2: <geom>: ..."},
    {WORLD("<geom type='box' size='1 1'/>"), "m.xml:2: <geom>: ..."},
    {WORLD("<geom type='sphere' fromto='0 0 0 1 1 1' size='1'/>"), "m.xml:2: <geom> fromto: not for a sphere"},
    {WORLD("<geom type='capsule' fromto='1 1 1 1 1 1' size='1'/>"),
     "m.xml:2: <geom> fromto: the two points must differ"},
    {WORLD("<geom type='sphere' size='1' contype='-1'/>"), "m.xml:2: <geom> contype: must be 32 bits, but is -1"},
    {WORLD("<geom type='sphere' size='1' condim='2'/>"), "m.xml:2: <geom> condim: must be 1, 3, 4 or 6, but is 2"},
    {WORLD("<geom type='sphere' size='1' friction='-1'/>"), "m.xml:2: <geom> friction: must be >= 0, but is -1"},
    {BODY("<geom type='sphere' size='1' mass='-1'/>"), "m.xml:2: <geom> mass: must be >= 0"},
    {BODY("<joint/>" BALL "<geom type='plane'/>"), "m.xml:2: <geom>: a plane is for bodies that do not move"},
    {WORLD("<geom type='mesh' mesh='m'/>"), "m.xml:2: <geom> mesh: there is no 'm'"},
    {WORLD("<geom type='mesh'/>"), "m.xml:2: <geom> mesh: missing"},
    /* masses */
    {BODY("<joint/>"),
     "m.xml:2: <body>: has joints, but no mass: it needs an <inertial> or a geom with volume and density"},
    {BODY("<joint/><geom type='sphere' size='1' mass='0'/>"), "m.xml:2: <body>: has joints, but no mass..."},
    {BODY("<joint/><inertial pos='0 0 0' mass='0' diaginertia='1 1 1'/>"),
     "m.xml:2: <body>: has joints, but no mass..."},
    {BODY("<joint/><inertial pos='0 0 0' mass='1'/>"), "m.xml:2: <body>: the inertia must be > 0 about every axis..."},
    {BODY("<joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 1 1 1'/>"),
     "m.xml:2: <body>: the inertia must be > 0 about every axis..."},
    {BODY("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"),
     "m.xml:2: <body>: no body has principal moments 1, 1, 3: two must sum up to the third at least"},
    {BODY("<inertial pos='0 0 0' diaginertia='1 1 1'/>"), "m.xml:2: <inertial> mass: missing"},
    /* meshes */
    {"<mujoco><asset><mesh/></asset></mujoco>", "m.xml:1: <mesh>: needs a name or a file"},
    {"<mujoco><asset>\n<mesh name='m' file='a.stl' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom "
     "type='mesh' mesh='m'/></worldbody></mujoco>",
     "m.xml:2: <mesh>: has both a file and points (vertex)"},
    {"<mujoco><asset>\n<mesh file='nowhere/a.stl'/></asset><worldbody><geom type='mesh' "
     "mesh='a'/></worldbody></mujoco>",
     "m.xml:2: <mesh>: nowhere/a.stl: ..."},
    {"<mujoco><asset><mesh name='a' vertex='1 2'/></asset><worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>",
     "m.xml:1: <mesh> vertex: 2 numbers are not a list of points"},
    {"<mujoco><asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0'/></asset><worldbody><geom type='mesh' "
     "mesh='a'/></worldbody>"
     "</mujoco>",
     "m.xml:1: <mesh>: ..."},
    {"<mujoco><asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'/></asset><worldbody><geom "
     "type='mesh' "
     "mesh='a'/></worldbody></mujoco>",
     "m.xml:1: <mesh> face: 4 is not one of 0 .. 3"},
    /* contacts, equalities, actuators */
    {"<mujoco><contact><exclude body1='a' body2='b'/></contact></mujoco>",
     "m.xml:1: <exclude> body1: there is no body a"},
    {"<mujoco><contact><pair geom1='a' geom2='b'/></contact></mujoco>", "m.xml:1: <pair> geom1: there is no geom a"},
    {"<mujoco><worldbody><geom name='a' size='1'/></worldbody><contact><pair geom1='a'/></contact></mujoco>",
     "m.xml:1: <pair> geom2: missing"},
    {"<mujoco><worldbody><geom name='a' size='1'/></worldbody><contact><pair geom1='a' geom2='a' "
     "friction='-1'/></contact></mujoco>",
     "m.xml:1: <pair> friction: must be >= 0, but is -1"},
    {"<mujoco><equality><connect body1='a' anchor='0 0 0'/></equality></mujoco>",
     "m.xml:1: <connect> body1: there is no body 'a'"},
    {"<mujoco><equality><joint joint1='a'/></equality></mujoco>", "m.xml:1: <joint> joint1: there is no joint 'a'"},
    {"<mujoco><actuator><motor joint='a'/></actuator></mujoco>", "m.xml:1: <motor> joint: there is no joint 'a'"},
    {"<mujoco><worldbody><body><joint name='a'/>" BALL
     "</body></worldbody><actuator><position joint='a' kp='-1'/></actuator>"
     "</mujoco>",
     "m.xml:1: <position>: pushes away from rest..."},
    /* copies and files */
    {WORLD("<replicate/>"), "m.xml:2: <replicate> count: missing"},
    {WORLD("<replicate count='-1'/>"), "m.xml:2: <replicate> count: must be an integer of 0 .. 100000, but is -1"},
    {"<mujoco><include/></mujoco>", "m.xml:1: <include> file: missing"},
    {"<mujoco><worldbody>\n<attach prefix='a'/></worldbody></mujoco>", "m.xml:2: <attach> model: missing"},
    {"<mujoco><worldbody>\n<attach model='y' prefix='a'/></worldbody></mujoco>",
     "m.xml:2: <attach> model: there is no 'y'"},
    {"<mujoco><asset>\n<model name='y'/></asset><worldbody><attach model='y'/></worldbody></mujoco>",
     "m.xml:2: <model> file: missing"},
    {"<mujoco><asset>\n<model name='y' file='/dev/zero'/></asset><worldbody><attach model='y'/></worldbody></mujoco>",
     "m.xml:2: <model> file: '/dev/zero' is a folder, a pipe or a device"},
    {"<mujoco><asset><model name='y' file='" CAIRN_SOURCE_DIR
     "/tests/robots/mjcf/joints.xml'/></asset><worldbody>\n<attach model='y' body='no'/></worldbody></mujoco>",
     "m.xml:2: <frame> body: the file has no body 'no'"},
    {"<mujoco><include file='nowhere.xml'/></mujoco>", "m.xml:1: <include>: nowhere.xml: cannot be opened..."},
};

static void test_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        expect(list[i].text, list[i].message);
    }
}

static void expect_file(const char *name, const char *part)
{
    char path[1024];
    crn_model *model = NULL;
    crn_error error;
    (void)snprintf(path, sizeof path, "%s/tests/robots/mjcf/%s", CAIRN_SOURCE_DIR, name);
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_status status = crn_io_read_mjcf(path, NULL, model, &error);
    assert_true(status == CRN_ERR_FORMAT || status == CRN_ERR_UNSUPPORTED);
    TEST_CHECK(strstr(error.text, part) != NULL, "%s", error.text);
    crn_model_destroy(model);
}

static void test_files(void **state)
{
    (void)state;
    expect_file("loop.xml", "loop.xml:3: <include> file: '");
    expect_file("loop.xml", "loop.xml' is part of the model already");
    expect_file("attach_loop.xml", "more than 64 files");
    expect_file("include_wrong.xml", "part_wrong.xml:4: <joint> type: 'screw' is unknown");
}

static void test_arguments(void **state)
{
    (void)state;
    crn_model *model = NULL;
    crn_error error;
    crn_robot_options options = crn_robot_options_default();
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    assert_int_equal(crn_io_read_mjcf(NULL, NULL, model, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mjcf("x", NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mjcf_text(NULL, 0, "x", NULL, model, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mjcf("nowhere.xml", NULL, model, &error), CRN_ERR_IO);
    options.pose.rotation = (crn_quat){0, 0, 0, 0};
    assert_int_equal(crn_io_read_mjcf_text("<mujoco/>", 9, "x", &options, model, &error), CRN_ERR_ARGUMENT);
    crn_model_world(model)->is_planar = true;
    assert_int_equal(crn_io_read_mjcf_text("<mujoco/>", 9, "x", NULL, model, &error), CRN_ERR_UNSUPPORTED);
    crn_model_destroy(model);
}

/* --- Hostile files --- */

/* count times `begin`, then count times `end`, in <mujoco><worldbody>. */
static char *nested(const char *begin, const char *inside, const char *end, int count)
{
    size_t size = (size_t)count * (strlen(begin) + strlen(end)) + strlen(inside) + 100;
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    at += snprintf(at, size, "<mujoco><worldbody>");
    for (int i = 0; i < count; ++i) {
        at += snprintf(at, size - (size_t)(at - text), "%s", begin);
    }
    at += snprintf(at, size - (size_t)(at - text), "%s", inside);
    for (int i = 0; i < count; ++i) {
        at += snprintf(at, size - (size_t)(at - text), "%s", end);
    }
    (void)snprintf(at, size - (size_t)(at - text), "</worldbody></mujoco>");
    return text;
}

static void expect_nested(const char *begin, const char *inside, const char *end, int count, const char *message)
{
    char *text = nested(begin, inside, end, count);
    clock_t start = clock();
    expect(text, message);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC; /* of the processor: the machine may be busy */
    TEST_CHECK(seconds < 20.0, "%s takes %g s", begin, seconds);
    free(text);
}

static void test_hostile(void **state)
{
    (void)state;
    expect_nested("<body>", "", "</body>", 100000, "m.xml:1: elements are nested more than 200 deep");
    expect_nested("<replicate count='1000'>", BALL, "</replicate>", 6, "m.xml:1: <geom>: more than 100000 of them");
    expect_nested("<replicate count='1000'>", "<light/>", "</replicate>", 6,
                  "m.xml:1: <light>: more than 4000000 elements after replication");
    expect_nested("<replicate count='1000'>", "<site/>", "</replicate>", 6,
                  "m.xml:1: <site>: more than 100000 of them");
    expect_nested("<replicate count='1000'>", "<body><joint/>" BALL "</body>", "</replicate>", 2,
                  "m.xml:1: <body>: more than 20000 of them");
    expect("<!DOCTYPE m [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><mujoco>&b;</mujoco>", "m.xml:1: ...");
}

/* Bodies that are welded to one that moves: pairs are bounded too. */
static void test_comb(void **state)
{
    (void)state;
    crn_error error;
    char *teeth = nested("<body>" BALL "</body>", "", "", 3000);
    size_t size = strlen(teeth) + 100;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size, "<mujoco><worldbody><body><freejoint/>%s", teeth + strlen("<mujoco><worldbody>"));
    char *end = strstr(text, "</worldbody>");
    assert_non_null(end);
    (void)snprintf(end, size - (size_t)(end - text), "</body></worldbody></mujoco>");
    assert_int_equal(read_text(text, strlen(text), &error), CRN_ERR_UNSUPPORTED);
    assert_string_equal(error.text, "m.xml:1: <body>: more than 50000 pairs of bodies that must not touch");
    free(teeth);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages), cmocka_unit_test(test_files), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_hostile),  cmocka_unit_test(test_comb),
    };
    return TEST_RUN(tests, argc, argv);
}
