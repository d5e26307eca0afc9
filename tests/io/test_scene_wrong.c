/* Scenes that are wrong: every message, with the line; hostile bytes; nothing is left behind. */
#include "io/io_room.h"

#include "model_case.h"
#include "test_allocator.h"

typedef struct wrong {
    const char *text;
    const char *message; /* the whole of it, or how it begins if it ends with "..." */
} wrong;

static void expect(const char *text, size_t length, const char *message)
{
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = (crn_model *)&counter;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_read_scene_text(text, length, "s.json", &hooks, &model, &error);
    TEST_CHECK(status == CRN_ERR_FORMAT && error.status == status, "status %d: %s", (int)status, message);
    size_t size = strlen(message);
    bool is_begin = size >= 3 && strcmp(message + size - 3, "...") == 0;
    TEST_CHECK(is_begin ? strncmp(error.text, message, size - 3) == 0 : strcmp(error.text, message) == 0,
               "'%s' instead of '%s'", error.text, message);
    assert_null(model);
    assert_int_equal(counter.live, 0);
    assert_null(strchr(error.text, '\n'));
}

static void expect_all(const wrong *list, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        expect(list[i].text, strlen(list[i].text), list[i].message);
    }
}

#define EXPECT_ALL(list) expect_all(list, sizeof(list) / sizeof((list)[0]))

/* --- The text and the world --- */

static const wrong worlds[] = {
    {"", "s.json:1: syntax: ..."},
    {"{\"dt\": 1,\n\"x\"", "s.json:2: syntax: ..."},
    {"{\"dt\": NaN}", "s.json:1: syntax: ..."},
    {"{\"dt\":\n1e999}", "s.json:2: syntax: real number overflow..."},
    {"{\"dt\": 1,\n\"dt\": 2}", "s.json:2: syntax: duplicate object key..."},
    {"{} x", "s.json:1: syntax: ..."},
    {"[]", "s.json:1: not an object"},
    {"3", "s.json:1: ..."},
    {"{\n\"bodys\": []}", "s.json:2: bodys: unknown field 'bodys'; did you mean 'bodies'?"},
    {"{\n\n\"Gravity\": []}", "s.json:3: Gravity: unknown field 'Gravity'; did you mean 'gravity'?"},
    {"{\"qqqqqqqq\": []}", "s.json:1: qqqqqqqq: unknown field 'qqqqqqqq'; known: name, planar, gravity, dt, duration, "
                           "solver, materials, bodies, models, joints, sites, tendons, actuators, keys, pairs, ..."},
    {"{\"a\\nb\": 1}", "s.json:1: a?b: unknown field 'a?b'; known: name, planar, gravity, dt, duration, solver, "
                       "materials, bodies, models, joints, sites, tendons, actuators, keys, pairs, ..."},
    {"{\"comment\": 1}", "s.json:1: comment: not a string"},
    {"{\"name\": 1}", "s.json:1: name: not a string"},
    {"{\"planar\": 1}", "s.json:1: planar: not true or false"},
    {"{\"planar\": null}", "s.json:1: planar: not true or false"},
    {"{\"gravity\": 1}", "s.json:1: gravity: not an array"},
    {"{\"gravity\": [1, 2]}", "s.json:1: gravity: 2 items, but 3 are needed"},
    {"{\"gravity\": [1,\n2,\n\"3\"]}", "s.json:3: gravity[2]: not a number"},
    {"{\"planar\": true, \"gravity\": [1]}", "s.json:1: gravity: 1 items, but 3 are needed"},
    {"{\"planar\": true,\n\"gravity\": [0, 0, 1]}", "s.json:2: gravity: z must be 0 in a planar world, but is 1"},
    {"{\n\"dt\": 0}", "s.json:2: dt: must be > 0, but is 0"},
    {"{\"dt\": \"1\"}", "s.json:1: dt: not a number"},
    {"{\"duration\": -1}", "s.json:1: duration: must be >= 0, but is -1"},
    {"{\"solver\": []}", "s.json:1: solver: not an object"},
    {"{\"solver\": {\n\"scema\": 1}}", "s.json:2: solver.scema: unknown field 'scema'; did you mean 'scheme'?"},
    {"{\"solver\": {\"scheme\": \"colomb\"}}",
     "s.json:1: solver.scheme: unknown value 'colomb'; did you mean 'coulomb'?"},
    {"{\"solver\": {\"scheme\": 1}}", "s.json:1: solver.scheme: not a string"},
    {"{\"solver\": {\"cone\": \"square\"}}", "s.json:1: solver.cone: unknown value 'square'; known: polygon, round"},
    {"{\"solver\": {\"scheme\": \"convex\",\n\"cone\": \"polygon\"}}",
     "s.json:2: solver.cone: must be round for the convex scheme"},
    {"{\"solver\": {\n\n\"directions\": 5}}", "s.json:3: solver.directions: must be even and >= 4, but is 5"},
    {"{\"solver\": {\"directions\": 5.5}}", "s.json:1: solver.directions: 5.5 is not an integer"},
    {"{\"solver\": {\"directions\": 1e300}}", "s.json:1: solver.directions: 1e+300 is not in ..."},
    {"{\"solver\": {\"method\": \"fast\"}}",
     "s.json:1: solver.method: unknown value 'fast'; known: auto, states, structural, reduced, bodies"},
    {"{\"solver\": {\"tol\": -1}}", "s.json:1: solver.tol: must be >= 0, but is -1"},
    {"{\"solver\": {\"even\": \"yes\"}}", "s.json:1: solver.even: not true or false"},
    {"{\"solver\": {\"recovery_speed\": \"fast\"}}",
     "s.json:1: solver.recovery_speed: must be a number, \"inf\" or \"-inf\""},
    {"{\"solver\": {\"recovery_speed\": \"-inf\"}}", "s.json:1: solver.recovery_speed: must be >= 0, but is -inf"},
    {"{\"bodies\": {}}", "s.json:1: bodies: not an array"},
    {"{\"joints\": 1}", "s.json:1: joints: not an array"},
    {"{\"loads\": 1}", "s.json:1: loads: not an array"},
    {"{\"measure\": 1}", "s.json:1: measure: not an array"},
    {"{\"materials\": []}", "s.json:1: materials: not an object"},
    {"{\"materials\": {\"a\": 1}}", "s.json:1: materials.a: not an object"},
    {"{\"materials\": {\"a\": {\n\"frictoin\": 1}}}",
     "s.json:2: materials.a.frictoin: unknown field 'frictoin'; did you mean 'friction'?"},
    {"{\"materials\": {\"a\": {\n\"friction\": -1}}}", "s.json:2: materials.a.friction: must be >= 0, but is -1"},
    {"{\"materials\": {\"a\": {\"restitution\": 2}}}",
     "s.json:1: materials.a.restitution: must be in 0 .. 1, but is 2"},
    {"{\"materials\": {\"a\": {\"density\": -2}}}", "s.json:1: materials.a.density: must be >= 0, but is -2"},
};

static void test_worlds(void **state)
{
    (void)state;
    EXPECT_ALL(worlds);
}

/* --- Bodies --- */

#define BALL     "{\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}"
#define BODY(b)  "{\"bodies\": [" BALL ",\n{" b "}]}"
#define MASS     "\"mass\": 1, \"inertia\": [1, 1, 1], "
#define SHAPE(s) "{\"bodies\": [{\"kind\": \"fixed\", \"shapes\": [\n{" s "}]}]}"
#define DISK(b)  "{\"planar\": true, \"bodies\": [{\"shapes\": [{\"kind\": \"disk\", \"radius\": 1}], " b "}]}"

static const wrong bodies[] = {
    {"{\"bodies\": [3]}", "s.json:1: bodies[0]: not an object"},
    {BODY("\"weight\": 1"), "s.json:2: bodies[1].weight: unknown field 'weight'; known: name, kind, position, "
                            "rotation, angle, axis_angle, velocity, angular, mass, com, inertia, ..."},
    {BODY("\"name\": 1"), "s.json:2: bodies[1].name: not a string"},
    {BODY("\"name\": \"\""), "s.json:2: bodies[1].name: must not be empty"},
    {"{\"bodies\": [{\"name\": \"a\", \"kind\": \"fixed\"},\n{\"kind\": \"fixed\",\n\"name\": \"a\"}]}",
     "s.json:3: bodies[1].name: is the name of bodies[0] too"},
    {BODY("\"kind\": \"fix\""), "s.json:2: bodies[1].kind: unknown value 'fix'; did you mean 'fixed'?"},
    {BODY(""), "s.json:2: bodies[1].mass: must be > 0, or a shape must have volume and density"},
    {BODY("\n\"mass\": -1"), "s.json:3: bodies[1].mass: must be > 0, but is -1"},
    {BODY("\n\"mass\": 0"), "s.json:3: bodies[1].mass: must be > 0, but is 0 (leave it out to have it by density)"},
    {BODY("\"mass\": \"1\""), "s.json:2: bodies[1].mass: not a number"},
    {BODY("\"mass\": 1"), "s.json:2: bodies[1].inertia: must be given, as no shape has volume and density"},
    {BODY("\"mass\": 1, \"inertia\": [1, 2]"), "s.json:2: bodies[1].inertia: 2 items, but 3 are needed"},
    {BODY("\"mass\": 1, \"inertia\": 3"), "s.json:2: bodies[1].inertia: not an array"},
    {BODY("\"mass\": 1, \"inertia\": [0, 0, 0]"), "s.json:2: bodies[1].inertia: must be positive definite, but is 0"},
    {BODY("\"mass\": 1, \"inertia\": [1, 1, -1]"), "s.json:2: bodies[1].inertia: must be positive definite"},
    {BODY("\"mass\": 1, \"inertia\": [1, 0.5, 0, 0, 1, 0, 0, 0, 1]"),
     "s.json:2: bodies[1].inertia: must be symmetric, but entries (2, 1) and (1, 2) are 0 and 0.5"},
    {BODY(MASS "\"position\": [1, 2]"), "s.json:2: bodies[1].position: 2 items, but 3 are needed"},
    {BODY(MASS "\"rotation\": [1, 0, 0]"), "s.json:2: bodies[1].rotation: 3 items, but 4 are needed"},
    {BODY(MASS "\"rotation\": [1, 1, 0, 0]"),
     "s.json:2: bodies[1].rotation: must be a unit quaternion, but its length is 1.41421356"},
    {BODY(MASS "\"angle\": 1"), "s.json:2: bodies[1].angle: is for planar scenes only: use axis_angle or rotation"},
    {BODY(MASS "\"axis_angle\": [1, 0, 0]"), "s.json:2: bodies[1].axis_angle: 3 items, but 4 are needed"},
    {BODY(MASS "\"axis_angle\": [1, 1, 0, 3]"),
     "s.json:2: bodies[1].axis_angle: the axis must be a unit vector, but its length is 1.41421356"},
    {BODY(MASS "\"axis_angle\": [0, 0, 0, 3]"),
     "s.json:2: bodies[1].axis_angle: the axis must be a unit vector, but its length is 0"},
    {BODY(MASS "\"axis_angle\": [1, 0, 0, 3], \"rotation\": [1, 0, 0, 0]"),
     "s.json:2: bodies[1].rotation: given beside axis_angle"},
    {DISK("\"rotation\": [1, 0, 0, 0], \"angle\": 1"), "s.json:1: bodies[0].rotation: given beside angle"},
    {DISK("\"axis_angle\": [0, 0, 1, 0], \"angle\": 1"), "s.json:1: bodies[0].axis_angle: given beside angle"},
    {DISK("\"angle\": \"x\""), "s.json:1: bodies[0].angle: not a number"},
    {DISK("\"axis_angle\": [1, 0, 0, 1]"), "s.json:1: bodies[0].rotation: must be about z in a planar world: ..."},
    {DISK("\"angular\": [1, 2]"), "s.json:1: bodies[0].angular: 2 items, but 3 are needed"},
    {DISK("\"angular\": [1, 0, 0]"),
     "s.json:1: bodies[0].angular: x and y must be 0 in a planar world, but are 1 and 0"},
    {DISK("\"position\": [0, 0, 1]"), "s.json:1: bodies[0].position: z must be 0 in a planar world, but is 1"},
    {DISK("\"mass\": 1, \"inertia\": 0"), "s.json:1: bodies[0].inertia: must be positive definite, but is 0"},
    {DISK("\"mass\": 1, \"inertia\": -2"), "s.json:1: bodies[0].inertia: must be > 0, but is -2"},
    {BODY(MASS "\"velocity\": [1, 2, \"x\"]"), "s.json:2: bodies[1].velocity[2]: not a number"},
    {BODY(MASS "\"angular\": 1"), "s.json:2: bodies[1].angular: not an array"},
    {BODY(MASS "\"linear_damping\": -1"), "s.json:2: bodies[1].linear_damping: must be >= 0, but is -1"},
    {BODY("\"kind\": \"fixed\", \"velocity\": [1, 0, 0]"), "s.json:2: bodies[1].velocity: is for free bodies only"},
    {BODY(MASS "\"motion\": {\"x\": 1}"), "s.json:2: bodies[1].motion: is for driven bodies only"},
    {BODY("\"kind\": \"driven\", \"motion\": 1"), "s.json:2: bodies[1].motion: not an object"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"w\": 1}"),
     "s.json:2: bodies[1].motion.w: unknown field 'w'; known: x, y, z, axis, angle"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": \"1\"}"),
     "s.json:2: bodies[1].motion.x: not a number or an object"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"freq\": 1}}"),
     "s.json:2: bodies[1].motion.x.freq: unknown field 'freq'; did you mean 'frequency'?"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"values\": [1]}}"),
     "s.json:2: bodies[1].motion.x.times: missing"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"times\": [1]}}"),
     "s.json:2: bodies[1].motion.x.values: missing"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"times\": [], \"values\": []}}"),
     "s.json:2: bodies[1].motion.x.times: must not be empty"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"times\": [0, 1], \"values\": [1]}}"),
     "s.json:2: bodies[1].motion.x.values: 1 items, but 2 are needed"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"x\": {\"times\": [0,\n0], \"values\": [1, 2]}}"),
     "s.json:3: bodies[1].motion.x.times[1]: must be later than the time before, 0, but is 0"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"angle\": 1,\n\"axis\": [0, 0, 2]}"),
     "s.json:3: bodies[1].motion.axis: must be a unit vector, but its length is 2"},
    {BODY("\"kind\": \"driven\", \"motion\": {\"axis\": [0, 1]}"),
     "s.json:2: bodies[1].motion.axis: 2 items, but 3 are needed"},
    {BODY("\"shapes\": 1"), "s.json:2: bodies[1].shapes: not an array"},
    {BODY("\"shapes\": [1]"), "s.json:2: bodies[1].shapes[0]: not an object"},
    {BODY("\"group\": -1"), "s.json:2: bodies[1].group: must be an integer in 0 .. 4294967295, but is -1"},
    {BODY("\"mask\": 4294967296"),
     "s.json:2: bodies[1].mask: must be an integer in 0 .. 4294967295, but is 4294967296"},
    {BODY("\"material\": \"wood\""), "s.json:2: bodies[1].material: unknown material 'wood'"},
    {"{\"materials\": {\"steel\": {}, \"wool\": {}}, \"bodies\": [{\"material\": \"wood\"}]}",
     "s.json:1: bodies[0].material: unknown material 'wood'; did you mean 'wool'?"},
    {BODY("\"material\": 1"), "s.json:2: bodies[1].material: not a string"},
};

static void test_bodies(void **state)
{
    (void)state;
    EXPECT_ALL(bodies);
}

#define S "s.json:2: bodies[0].shapes[0]"
static const wrong shapes[] = {
    {SHAPE(""), S ".kind: missing"},
    {SHAPE("\"kind\": \"pyramid\""),
     S ".kind: unknown value 'pyramid'; known: sphere, box, capsule, cylinder, ellipsoid, "
       "hull, cone, plane, height_field, mesh, disk, ..."},
    {SHAPE("\"kind\": \"sphere\", \"extent\": 1"),
     S ".extent: unknown field 'extent'; known: kind, radius, half, half_length, points, spacing, heights, triangles, "
       "file, scale, ..."},
    {SHAPE("\"kind\": \"sphere\""), S ".radius: missing"},
    {SHAPE("\"kind\": \"sphere\", \"radius\": \"1\""), S ".radius: not a number"},
    {SHAPE("\"kind\": \"sphere\", \"radius\": 0"), S ".radius: must be > 0, but is 0"},
    {SHAPE("\"kind\": \"sphere\", \"radius\": 1, \"half\": [1, 1, 1]"), S ".half: a sphere has none"},
    {SHAPE("\"kind\": \"plane\", \"radius\": 1"), S ".radius: a plane has none"},
    {SHAPE("\"kind\": \"box\", \"half\": [1, 1]"), S ".half: 2 items, but 3 are needed"},
    {SHAPE("\"kind\": \"box\", \"half\": [1,\n-1, 1]"),
     "s.json:3: bodies[0].shapes[0].half[1]: must be > 0, but is -1"},
    {SHAPE("\"kind\": \"capsule\", \"radius\": 1"), S ".half_length: missing"},
    {SHAPE("\"kind\": \"hull\""), S ".points: missing"},
    {SHAPE("\"kind\": \"hull\", \"points\": []"), S ".points: at least 4 are needed, but there are 0"},
    {SHAPE("\"kind\": \"hull\", \"points\": [1, 2, 3]"), S ".points[0]: not an array"},
    {SHAPE("\"kind\": \"hull\", \"points\": [[1, 2]]"), S ".points[0]: 2 items, but 3 are needed"},
    {SHAPE("\"kind\": \"mesh\""), S ".points: missing"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), S ".triangles: missing"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0]], \"triangles\": []"),
     S ".points: at least 3 are needed, but there are 2"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": []"),
     S ".triangles: at least 1 is needed, but there are 0"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, 1]]"),
     S ".triangles[0]: 2 items, but 3 are needed"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, 1,\n3]]"),
     "s.json:3: bodies[0].shapes[0].triangles[0][2]: 3 is not in 0 .. 2"},
    {SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"scale\": 2, "
           "\"triangles\": [[0, 1, 2]]"),
     S ".scale: is for a mesh with a file"},
    {SHAPE("\"kind\": \"mesh\", \"file\": \"a.obj\", \"points\": []"), S ".file: given beside points"},
    {SHAPE("\"kind\": \"mesh\", \"file\": 3"), S ".file: not a string"},
    {SHAPE("\"kind\": \"sphere\", \"radius\": 1, \"color\": [0, 1.5, 0]"), S ".color: must be in 0 .. 1, but is 1.5"},
    {SHAPE("\"kind\": \"sphere\", \"radius\": 1, \"color\": [0, 1]"), S ".color: 2 items, but 3 are needed"},
    {SHAPE("\"kind\": \"mesh\", \"file\": \"/dev/zero\""),
     S ".file: must be the name of an .obj, .stl, .ply or .dae file"},
    {SHAPE("\"kind\": \"mesh\", \"file\": \"there is\\nnone.obj\""),
     S ".file: there is\\x0anone.obj: cannot be opened: ..."},
    {SHAPE("\"kind\": \"mesh\", \"file\": \"a.obj\", \"scale\": [1, 0, 1]"), S ".scale: must not be 0"},
    {SHAPE("\"kind\": \"hull\", \"points\": [[0, 0, 0]], \"file\": \"a.obj\""), S ".file: a hull has none"},
    {SHAPE("\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": []"),
     S ".heights: at least 2 rows and columns are needed, but there are 0 and 0"},
    {SHAPE("\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": [[], []]"),
     S ".heights: at least 2 rows and columns are needed, but there are 2 and 0"},
    {SHAPE("\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": [[1, 2], [3]]"),
     S ".heights[1]: 1 items, but 2 are needed"},
    {SHAPE("\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": [[1, 2], [3,\nfalse]]"),
     "s.json:3: bodies[0].shapes[0].heights[1][1]: not a number"},
    {SHAPE("\"kind\": \"height_field\", \"spacing\": [1, 0], \"heights\": [[1, 2], [3, 4]]"),
     S ".spacing[1]: must be > 0, but is 0"},
    {SHAPE("\"kind\": \"disk\", \"radius\": 1"), S ".kind: a disk is not for a spatial world"},
    {SHAPE("\"kind\": \"plane\", \"friction\": -1"), S ".friction: must be >= 0, but is -1"},
    {SHAPE("\"kind\": \"plane\", \"restitution\": 1.5"), S ".restitution: must be in 0 .. 1, but is 1.5"},
    {SHAPE("\"kind\": \"plane\", \"group\": 0.5"), S ".group: must be an integer in 0 .. 4294967295, but is 0.5"},
    {SHAPE("\"kind\": \"plane\", \"position\": 1"), S ".position: not an array"},
    {SHAPE("\"kind\": \"plane\", \"material\": \"x\""), S ".material: unknown material 'x'"},
    {"{\"bodies\": [{\"shapes\": [\n{\"kind\": \"plane\"}]}]}", S ".kind: a plane is for fixed and driven bodies only"},
};

static void test_shapes(void **state)
{
    (void)state;
    EXPECT_ALL(shapes);
}

/* --- Joints, loads, probes --- */

#define THREE                                                                                              \
    "{\"bodies\": [{\"name\": \"ball\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}, {\"name\": " \
    "\"wall\", \"kind\": \"fixed\"}, {\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}]"
#define JOINT(j) THREE ", \"joints\": [\n{" j "}]}"
#define HINGE    "\"kind\": \"hinge\", \"b\": 0, \"frame_b\": {}, "
#define DISTANCE "\"kind\": \"distance\", \"a\": 2, \"b\": 0, \"frame_b\": {\"position\": [1, 0, 0]}, "
#define J        "s.json:2: joints[0]"

static const wrong joints[] = {
    {THREE ", \"joints\": [\n1]}", J ": not an object"},
    {JOINT(""), J ".kind: missing"},
    {JOINT("\"kind\": \"revolute\""),
     J ".kind: unknown value 'revolute'; known: ball, hinge, slider, universal, fixed, distance, planar, free"},
    {JOINT("\"kind\": \"hinge\", \"bodies\": 1"),
     J ".bodies: unknown field 'bodies'; known: name, kind, a, b, point, axis, frame_a, frame_b, length, limits, "
       "motor, friction, force, ..."},
    {JOINT("\"kind\": \"hinge\", \"a\": \"bal\""), J ".a: unknown body 'bal'; did you mean 'ball'?"},
    {JOINT("\"kind\": \"hinge\", \"a\": 3"), J ".a: there is no body 3"},
    {JOINT("\"kind\": \"hinge\", \"b\": -2"), J ".b: there is no body -2"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0.5"), J ".b: there is no body 0.5"},
    {JOINT("\"kind\": \"hinge\", \"b\": 1e300"), J ".b: there is no body 1e+300"},
    {JOINT("\"kind\": \"hinge\", \"b\": []"), J ".b: not a name or a number"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0"), J ": point, frame_a or frame_b is missing"},
    {JOINT("\"kind\": \"hinge\", \"a\": 0, \"b\": \"ball\", \"frame_a\": {}"), J ".b: 0 is body a too"},
    {JOINT("\"kind\": \"hinge\", \"frame_a\": {}"), J ".b: -1 is body a too"},
    {JOINT("\"kind\": \"hinge\", \"b\": \"wall\", \"frame_a\": {}"), J ": neither a nor b is a free body"},
    {JOINT(HINGE "\"point\": [0, 0, 0]"), J ".point: given beside frame_b"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"frame_a\": {}, \"axis\": [0, 0, 0]"), J ".axis: given beside frame_a"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"axis\": [0, 0, 1]"), J ".point: missing"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 1]"), J ".axis: missing"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 1], \"axis\": [1, 0]"),
     J ".axis: 2 items, but 3 are needed"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 1], \"axis\": [1, 0, 1]"),
     J ".axis: must be a unit vector, but its length is 1.41421356"},
    {JOINT("\"kind\": \"ball\", \"b\": 0, \"point\": [0, 0, 1], \"axis\": [1, 0, 0]"),
     J ".axis: is for hinge, slider and planar joints only"},
    {JOINT("\"kind\": \"distance\", \"b\": 0, \"point\": [0, 0, 1]"),
     J ".point: is not for distance joints: use frame_a and frame_b"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"frame_a\": 1"), J ".frame_a: not an object"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"frame_b\": {\"pos\": 1}"),
     J ".frame_b.pos: unknown field 'pos'; did you mean 'position'?"},
    {JOINT("\"kind\": \"hinge\", \"b\": 0, \"frame_a\": {}, \"frame_b\": {\n\"rotation\": [2, 0, 0, 0]}"),
     "s.json:3: joints[0].frame_b.rotation: must be a unit quaternion, but its length is 2"},
    {JOINT(HINGE "\"length\": 1"), J ".length: is for distance joints only"},
    {JOINT(HINGE "\"limits\": 1"), J ".limits: not an array"},
    {JOINT(HINGE "\"limits\": [1]"), J ".limits: 1 items, but 2 are needed"},
    {JOINT(HINGE "\"limits\": [1, \"x\"]"), J ".limits[1]: must be a number, \"inf\" or \"-inf\""},
    {JOINT(HINGE "\"limits\": [2, 1]"), J ".limits: the lower one, 2, is above the upper one, 1"},
    {JOINT(HINGE "\"limits\": [\"inf\", \"inf\"]"), J ".limits: nothing is between inf and inf"},
    {JOINT(HINGE "\"motor\": 1"), J ".motor: not an object"},
    {JOINT(HINGE "\"motor\": {\"force\": 1}"),
     J ".motor.force: unknown field 'force'; known: speed, target, servo, max_force, enabled"},
    {JOINT(HINGE "\"motor\": {\"speed\": 1,\n\"target\": 1}"),
     "s.json:3: joints[0].motor.target: given beside speed: say by servo which of them counts"},
    {JOINT(HINGE "\"motor\": {\"max_force\": -1}"), J ".motor.max_force: must be >= 0, but is -1"},
    {JOINT(HINGE "\"friction\": -1"), J ".friction: must be >= 0, but is -1"},
    {JOINT(HINGE "\"collide\": 1"), J ".collide: not true or false"},
    {JOINT(HINGE "\"axes\": 1"), J ".axes: not an array"},
    {JOINT(HINGE "\"axes\": [{}, {}]"), J ".axes: 2 items, but hinge joints have 1 coordinates"},
    {JOINT(HINGE "\"axes\": [1]"), J ".axes[0]: not an object"},
    {JOINT(HINGE "\"axes\": [{\"limit\": 1}]"), J ".axes[0].limit: unknown field 'limit'; did you mean 'limits'?"},
    {JOINT(HINGE "\"axes\": [], \"friction\": 1"), J ".friction: given beside axes"},
    {JOINT("\"kind\": \"ball\", \"b\": 0, \"frame_b\": {}, \"friction\": 1"),
     J ".friction: ball joints have 0 coordinates"},
    {JOINT("\"kind\": \"universal\", \"b\": 0, \"frame_b\": {}, \"limits\": [0, 1]"),
     J ".limits: universal joints have 2 coordinates: use axes"},
    {JOINT("\"kind\": \"universal\", \"b\": 0, \"frame_b\": {}, \"axes\": [{}, {\"friction\": -1}]"),
     J ".axes[1].friction: must be >= 0, but is -1"},
    {JOINT(DISTANCE "\"length\": 0"), J ".length: must be > 0, but is 0"},
    {JOINT("\"kind\": \"distance\", \"a\": 2, \"b\": 0"), J ".length: must be > 0, but is 0"},
    {JOINT(DISTANCE "\"motor\": {}"),
     J ".motor: is for distance joints with limits only: this one is held at its length"},
    {JOINT(DISTANCE "\"limits\": [-1, 0]"), J ".limits: the upper one must be > 0 for a distance, but is 0"},
    {"{\"planar\": true, \"bodies\": [{\"shapes\": [{\"kind\": \"disk\", \"radius\": 1}]}], \"joints\": [{\"kind\": "
     "\"slider\", \"b\": 0, \"point\": [0, 0]}]}",
     "s.json:1: joints[0].axis: missing"},
    {"{\"planar\": true, \"bodies\": [{\"shapes\": [{\"kind\": \"disk\", \"radius\": 1}]}], \"joints\": [{\"kind\": "
     "\"hinge\", \"b\": 0, \"point\": [0, 0], \"axis\": [1, 0]}]}",
     "s.json:1: joints[0].frame_a: a hinge of a planar world must turn about z"},
    {"{\"planar\": true, \"bodies\": [{\"shapes\": [{\"kind\": \"disk\", \"radius\": 1}]}], \"joints\": [{\"kind\": "
     "\"universal\", \"b\": 0, \"point\": [0, 0]}]}",
     "s.json:1: joints[0].kind: universal joints are not for a planar world"},
};

static void test_joints(void **state)
{
    (void)state;
    EXPECT_ALL(joints);
}

#define LOAD(l)  THREE ", \"loads\": [\n{" l "}]}"
#define PROBE(p) THREE ", \"joints\": [{\"name\": \"hook\", " HINGE "\"collide\": true}], \"measure\": [\n{" p "}]}"
#define L        "s.json:2: loads[0]"
#define P        "s.json:2: measure[0]"

static const wrong others[] = {
    {THREE ", \"loads\": [\n[]]}", L ": not an object"},
    {THREE ", \"actuators\": [\n{}]}", "s.json:2: actuators[0].joint: missing"},
    {THREE ", \"joints\": [{" HINGE "\"in_tree\": true}], \"actuators\": [\n{\"joint\": 0, \"coordinate\": 1}]}",
     "s.json:2: actuators[0].coordinate: is 1, but hinge joints have 1 coordinates"},
    {THREE ", \"keys\": [\n{\"states\": 1}]}", "s.json:2: keys[0].states: not an array"},
    {THREE ", \"keys\": [\n{\"states\": [{\"q\": []}]}]}", "s.json:2: keys[0].states[0].joint: missing"},
    {THREE ", \"keys\": [\n{\"states\": [{\"body\": 0, \"q\": [1]}]}]}",
     "s.json:2: keys[0].states[0].q: 1 items, but 7 are needed"},
    {THREE ", \"keys\": [\n{\"states\": [{\"body\": 0, \"q\": [0, 0, 0, 0, 0, 0, 0]}]}]}",
     "s.json:2: keys[0].states[0].q: its quaternion must not be 0"},
    {THREE ", \"keys\": [\n{\"states\": [{\"body\": 1, \"q\": [0, 0, 0, 1, 0, 0, 0]}]}]}",
     "s.json:2: keys[0].states[0].body: 1 does not float"},
    {THREE ", \"keys\": [\n{\"states\": [{\"body\": 0, \"joint\": 0, \"q\": []}]}]}",
     "s.json:2: keys[0].states[0].body: given beside joint"},
    {THREE ", \"keys\": [\n{\"controls\": [1]}]}", "s.json:2: keys[0].controls: 1 of them, but there are 0 actuators"},
    {THREE ", \"sites\": [\n1]}", "s.json:2: sites[0]: not an object"},
    {THREE ", \"sites\": [\n{\"body\": \"bal\"}]}",
     "s.json:2: sites[0].body: unknown body 'bal'; did you mean 'ball'?"},
    {THREE ", \"sites\": [\n{\"name\": \"\"}]}", "s.json:2: sites[0].name: must not be empty"},
    {THREE ", \"sites\": [{\"name\": \"a\"}, {\"body\": 0,\n\"name\": \"a\"}]}",
     "s.json:2: sites[1].name: is the name of sites[0] too"},
    {THREE ", \"sites\": [\n{\"rotation\": [2, 0, 0, 0]}]}",
     "s.json:2: sites[0].rotation: must be a unit quaternion, but its length is 2"},
    {LOAD(""), L ".body: missing"},
    {LOAD("\"body\": -1"), L ".body: there is no body -1"},
    {LOAD("\"body\": \"world\""), L ".body: unknown body 'world'; known: ball, wall"},
    {LOAD("\"body\": \"wall\""), L ".body: 1 is not a free body"},
    {LOAD("\"body\": 0, \"forces\": 1"), L ".forces: unknown field 'forces'; did you mean 'force'?"},
    {LOAD("\"body\": 0, \"force\": [1]"), L ".force: 1 items, but 3 are needed"},
    {LOAD("\"body\": 0, \"torque\": 1"), L ".torque: not an array"},
    {LOAD("\"body\": 0, \"from\": 2, \"until\": 1"), L ".until: must be later than from, 2, but is 1"},
    {LOAD("\"body\": 0, \"from\": true"), L ".from: not a number"},
    {LOAD("\"body\": 0, \"local\": 1"), L ".local: not true or false"},
    {LOAD("\"body\": 0, \"factor\": []"), L ".factor: not a number or an object"},
    {THREE ", \"measure\": [\n3]}", P ": not an object"},
    {PROBE(""), P ".kind: missing"},
    {PROBE("\"kind\": \"place\""), P ".kind: unknown value 'place'; known: position, rotation, velocity, ..."},
    {PROBE("\"kind\": \"position\""), P ".body: missing"},
    {PROBE("\"kind\": \"position\", \"body\": 9"), P ".body: there is no body 9"},
    {PROBE("\"kind\": \"position\", \"joint\": 0"), P ".joint: position is measured of a body"},
    {PROBE("\"kind\": \"joint_coordinate\", \"body\": 0"), P ".body: joint_coordinate is measured of a joint"},
    {PROBE("\"kind\": \"gyro\", \"body\": 0"), P ".body: gyro is measured of a site"},
    {PROBE("\"kind\": \"gyro\", \"site\": \"x\""), P ".site: unknown site 'x'..."},
    {PROBE("\"kind\": \"actuator_force\", \"actuator\": 0"), P ".actuator: there is no actuator 0"},
    {PROBE("\"kind\": \"joint_coordinate\""), P ".joint: missing"},
    {PROBE("\"kind\": \"joint_coordinate\", \"joint\": \"hoop\""),
     P ".joint: unknown joint 'hoop'; did you mean 'hook'?"},
    {PROBE("\"kind\": \"joint_coordinate\", \"joint\": 1"), P ".joint: there is no joint 1"},
    {PROBE("\"kind\": \"position\", \"body\": 0, \"name\": \"\""), P ".name: must not be empty"},
    {PROBE("\"kind\": \"position\", \"body\": 0, \"what\": 0"),
     P ".what: unknown field 'what'; known: name, kind, body, joint, site, actuator, tendon, coordinate"},
};

static void test_others(void **state)
{
    (void)state;
    EXPECT_ALL(others);
}

/* --- Lines --- */

/* Strings with brackets, escapes and quotes before the place do not lead the search astray; nor do deep neighbours. */
static void test_lines(void **state)
{
    (void)state;
    const char *text =
        "\n{\"comment\": \"a \\\"}]\\\\\", \"name\": \"{[\",\n \"bodies\": [{\"kind\": \"fixed\", \"comment\": "
        "\"]\",\n\"shapes\": [{\"kind\": \"plane\"}]\n},\n{\"kind\": \"fixed\",\n\"mass\"\n:\n-2}]}";
    expect(text, strlen(text), "s.json:9: bodies[1].mass: must be > 0, but is -2");
    /* A key written with an escape is read; its owner's line is named. */
    text = "{\"bodies\":\n[\n{\n\"m\\u0061ss\": -2}]}";
    expect(text, strlen(text), "s.json:3: bodies[0].mass: must be > 0, but is -2");
}

/* --- Hostile bytes --- */

#define WHOLE                                                                                                         \
    THREE ", \"materials\": {\"m\": {\"friction\": 1}}, \"solver\": {\"tol\": 1e-9}, \"joints\": [{" HINGE            \
          "\"limits\": [-1, \"inf\"], \"motor\": {\"speed\": {\"times\": [0, 1], \"values\": [1, 2]}}}], \"loads\": " \
          "[{\"body\": \"ball\", \"force\": [1, 2, 3]}], \"measure\": [{\"kind\": \"position\", \"body\": 0}]}"

static void test_truncated(void **state)
{
    (void)state;
    for (size_t size = 0; size < strlen(WHOLE); ++size) {
        expect(WHOLE, size, "s.json:1: ...");
    }
    crn_model *model = NULL;
    MODEL_GOOD(crn_io_read_scene_text(WHOLE, strlen(WHOLE), "s.json", NULL, &model, error));
    crn_model_destroy(model);
}

/* Any byte of a good scene replaced by any other: an error with a message of one line, or a scene that can be written. */
static void test_changed_bytes(void **state)
{
    (void)state;
    char *text = malloc(strlen(WHOLE) + 1);
    assert_non_null(text);
    memcpy(text, WHOLE, strlen(WHOLE) + 1);
    int good = 0, bad = 0;
    for (size_t i = 0; i < strlen(WHOLE); ++i) {
        static const char others_[] = {'\0', '"', '{', ']', ',', '9', '-', 'e', '\x80', '\xFF', ' '};
        for (size_t k = 0; k < sizeof others_; ++k) {
            text[i] = others_[k];
            crn_model *model = NULL;
            crn_error error = {CRN_OK, ""};
            crn_status status = crn_io_read_scene_text(text, strlen(WHOLE), "s", NULL, &model, &error);
            assert_true((status == CRN_OK) == (model != NULL));
            assert_true(status == CRN_OK || (status == CRN_ERR_FORMAT && strncmp(error.text, "s:1: ", 5) == 0));
            good += status == CRN_OK ? 1 : 0;
            bad += status == CRN_OK ? 0 : 1;
            crn_model_destroy(model);
        }
        text[i] = WHOLE[i];
    }
    assert_true(good > 100 && bad > 1000);
    free(text);
}

static char *repeated(const char *before, const char *piece, size_t count, const char *after)
{
    size_t size = strlen(piece);
    char *text = malloc(strlen(before) + count * size + strlen(after) + 1);
    assert_non_null(text);
    char *at = text + strlen(before);
    memcpy(text, before, strlen(before));
    for (size_t i = 0; i < count; ++i, at += size) {
        memcpy(at, piece, size);
    }
    memcpy(at, after, strlen(after) + 1);
    return text;
}

static void expect_repeated(const char *before, const char *piece, size_t count, const char *after, const char *message)
{
    char *text = repeated(before, piece, count, after);
    expect(text, strlen(text), message);
    free(text);
}

static void test_hostile(void **state)
{
    (void)state;
    expect_repeated("", "[", 1000000, "", "s.json:1: syntax: ...");
    expect_repeated("", "{\"a\":", 1000000, "", "s.json:1: syntax: ...");
    expect_repeated("{\"bodies\":", "[", 1500, "", "s.json:1: syntax: ...");
    char *closed = repeated("{\"bodies\":[", "[", 1500, "");
    char *deep = repeated(closed, "]", 1501, "}");
    expect(deep, strlen(deep), "s.json:1: bodies[0]: not an object");
    free(closed);
    free(deep);
    expect_repeated("{\"", "x", 1000000, "\": 1}", "s.json:1: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
    expect_repeated("{\"dt\": ", "9", 5000, "}", "s.json:1: syntax: ...");
    expect_repeated("{\"dt\": 0.", "0", 5000, "1}", "s.json:1: dt: must be > 0, but is 0");
    const char bytes[] = "{\"name\": \"\xC3\x28\"}", zero[] = "{\"name\": \"a\0b\"}",
               escaped[] = "{\"name\": \"\\u0000\"}";
    expect(bytes, sizeof bytes - 1, "s.json:1: syntax: ...");
    expect(zero, sizeof zero - 1, "s.json:1: syntax: ...");
    expect(escaped, sizeof escaped - 1, "s.json:1: syntax: ...");
    const char *huge[] = {
        "{\"bodies\": [{\"rotation\": [1e308, 1e308, 0, 0], \"kind\": \"fixed\"}]}",
        "{\"bodies\": [{\"axis_angle\": [1e308, 1e308, 0, 0], \"kind\": \"fixed\"}]}",
        (THREE ", \"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [1e308, 0, 0], \"axis\": [1e308, 0, 0]}]}"),
        "{\"bodies\": [{\"mass\": 1e308, \"inertia\": [1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, "
        "1e308]}]}",
        "{\"bodies\": [{\"mass\": 1e308, \"inertia\": [1e308, -1e308, 0, 1e308, 1e308, 0, 0, 0, 1e308]}]}",
    };
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; ++i) {
        expect(huge[i], strlen(huge[i]), "s.json:1: ...");
    }
    /* A point so far away that the frame overflows on the way into a turned body. */
    const char *far =
        "{\"bodies\": [{\"position\": [-1e308, 0, 0], \"axis_angle\": [0, 0, 1, 1], \"shapes\": [{\"kind\": "
        "\"sphere\", \"radius\": 1}]}], \"joints\": [{\"kind\": \"ball\", \"b\": 0, \"point\": [1e308, 0, 0]}]}";
    expect(far, strlen(far), "s.json:1: joints[0].frame_b.position: must be finite, but is ...");
}

/* A long file name is cut from the left, so that the message stays. */
static void test_long_name(void **state)
{
    (void)state;
    char name[301];
    memset(name, 'd', 300);
    memcpy(name + 290, "/end.json", 10);
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    assert_int_equal(crn_io_read_scene_text("{\"dt\": -1}", 10, name, NULL, &model, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "/end.json:1: dt: must be > 0, but is -1"));
    assert_int_equal(crn_io_read_scene_text("{\"dt\": []}", 10, name, NULL, &model, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "/end.json:1: dt: not a number"));
    assert_int_equal(crn_io_read_scene_text("3", 1, NULL, NULL, &model, &error), CRN_ERR_FORMAT);
    assert_int_equal(strncmp(error.text, "scene:1: ", 9), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds),    cmocka_unit_test(test_bodies),        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_joints),    cmocka_unit_test(test_others),        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_changed_bytes), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_long_name),
    };
    return TEST_RUN(tests, argc, argv);
}
