/* What scenes take from other files: meshes and robots, relative to the scene; written out they stand in the scene itself. */
#include <cairn/io.h>

#include "model_case.h"

#include <sys/stat.h>

#define FOLDER "test_scene_files.tmp"

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char robot[] =
    "<robot name='r'><gazebo/><link name='base'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
    "izz='1'/></inertial>"
    "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
    "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/><dynamics "
    "damping='0.5'/></joint></robot>";

static int make_files(void **state)
{
    (void)state;
    (void)mkdir(FOLDER, 0755);
    put(FOLDER "/tetra.obj", tetrahedron);
    put(FOLDER "/robot.urdf", robot);
    put(FOLDER "/wrong.urdf", "<robot>\n<link/></robot>");
    return 0;
}

static int drop_files(void **state)
{
    (void)state;
    (void)remove(FOLDER "/tetra.obj");
    (void)remove(FOLDER "/robot.urdf");
    (void)remove(FOLDER "/wrong.urdf");
    (void)remove(FOLDER);
    return 0;
}

/* As if the scene were a file of the folder. */
static crn_model *read_scene(const char *text)
{
    crn_model *model = NULL;
    crn_error error;
    crn_status status = crn_io_read_scene_text(text, strlen(text), FOLDER "/s.json", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return model;
}

/* Written and read again, the same; nothing else is needed any more. */
static void expect_stays(const crn_model *model)
{
    char *text = NULL;
    crn_error error;
    assert_int_equal(crn_io_write_scene_text(model, NULL, &text, NULL, &error), CRN_OK);
    assert_null(strstr(text, "models"));
    assert_null(strstr(text, "\"file\""));
    crn_model *again = NULL;
    crn_status status = crn_io_read_scene_text(text, strlen(text), "elsewhere", NULL, &again, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_model_bodies(again), crn_model_bodies(model));
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        same_body(crn_model_body(model, i), crn_model_body(again, i));
    }
    assert_int_equal(crn_model_joints(again), crn_model_joints(model));
    for (int i = 0; i < crn_model_joints(model); ++i) {
        same_joint(crn_model_joint(model, i), crn_model_joint(again, i));
    }
    crn_model_destroy(again);
    free(text);
}

static void test_mesh(void **state)
{
    (void)state;
    crn_model *model =
        read_scene("{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\", \"file\": \"tetra.obj\", \"scale\": [1, 2, 3]},"
                   "{\"kind\": \"mesh\", \"file\": \"tetra.obj\"},"
                   "{\"kind\": \"mesh\", \"points\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"
                   "\"triangles\": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}]}]}");
    const crn_body_def *body = crn_model_body(model, 0);
    assert_int_equal(body->shapes, 3);
    for (int i = 0; i < 3; ++i) {
        crn_shape *shape = NULL;
        crn_error error;
        assert_int_equal(body->shape[i].shape.kind, CRN_SHAPE_MESH);
        assert_int_equal(body->shape[i].shape.triangle_count, 4);
        assert_int_equal(crn_shape_create(&body->shape[i].shape, NULL, &shape, &error), CRN_OK);
        assert_true(fabs(crn_shape_mass(shape).mass - (i == 0 ? 1.0 : 1.0 / 6.0)) <= 1e-14);
        crn_shape_destroy(shape);
    }
    expect_stays(model);
    crn_model_destroy(model);
}

static void test_robots(void **state)
{
    (void)state;
    crn_model *model =
        read_scene("{\"gravity\": [0, 0, -1], \"dt\": 0.5,\n"
                   "\"bodies\": [{\"name\": \"box\", \"shapes\": [{\"kind\": \"box\", \"half\": [1, 1, 1]}]}],\n"
                   "\"models\": [{\"file\": \"robot.urdf\", \"prefix\": \"a/\", \"position\": [0, 0, 5]},\n"
                   "{\"file\": \"robot.urdf\", \"prefix\": \"b/\", \"fixed\": true, \"friction\": 0.9}],\n"
                   "\"joints\": [{\"name\": \"grip\", \"kind\": \"ball\", \"a\": \"a/arm\", \"b\": \"box\", \"point\": "
                   "[0, 0, 1]}],\n"
                   "\"measure\": [{\"kind\": \"joint_coordinate\", \"joint\": \"b/j\"}]}");
    assert_int_equal(crn_model_bodies(model), 5);
    assert_int_equal(crn_model_joints(model), 3);
    assert_int_equal(crn_model_find_body(model, "box"), 0);
    assert_int_equal(crn_model_body(model, crn_model_find_body(model, "b/base"))->kind, CRN_BODY_FIXED);
    assert_true(crn_model_body(model, crn_model_find_body(model, "b/base"))->shape[0].friction == 0.9);
    assert_true(crn_model_body(model, crn_model_find_body(model, "a/base"))->pose.position.z == 5.0);
    assert_int_equal(crn_model_joint(model, 2)->a, crn_model_find_body(model, "a/arm"));
    assert_true(crn_model_world_of(model)->dt == 0.5 && crn_model_world_of(model)->gravity.z == -1.0);
    expect_stays(model);
    crn_model_destroy(model);
}

static void listen_to(void *user, const char *text)
{
    int *count = user;
    ++*count;
    assert_string_equal(text, FOLDER "/robot.urdf:1: <gazebo>: is not supported and left out");
}

static void test_warnings_are_heard(void **state)
{
    (void)state;
    put(FOLDER "/s.json", "{\"models\": [{\"file\": \"robot.urdf\"}]}");
    crn_model *model = NULL;
    crn_error error;
    int count = 0;
    crn_status status = crn_io_read_scene_warned(FOLDER "/s.json", listen_to, &count, NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(count, 1);
    crn_model_destroy(model);
    (void)remove(FOLDER "/s.json");
}

static void test_wrong(void **state)
{
    (void)state;
    const char *wrong[][2] = {
        {"{\"models\": {}}", "/s.json:1: models: not an array"},
        {"{\"models\": [{}]}", "/s.json:1: models[0].file: missing"},
        {"{\"models\": [\n{\"file\": \"\"}]}",
         "/s.json:2: models[0].file: must be the name of an .urdf, .xml or .mjcf file"},
        {"{\"models\": [\n{\"file\": \"/dev/zero\"}]}",
         "/s.json:2: models[0].file: must be the name of an .urdf, .xml or .mjcf file"},
        {"{\"models\": [\n{\"file\": \"a\\nb.urdf\"}]}",
         "/s.json:2: models[0].file: " FOLDER "/a\\x0ab.urdf: cannot be opened"},
        {"{\"models\": [\n{\"fil\": \"x\"}]}", "/s.json:2: models[0].fil: unknown field 'fil'; did you mean 'file'?"},
        {"{\"models\": [\n{\"file\": \"none.urdf\"}]}",
         "/s.json:2: models[0].file: " FOLDER "/none.urdf: cannot be opened"},
        {"{\"models\": [\n{\"file\": \"wrong.urdf\"}]}",
         "/s.json:2: models[0].file: " FOLDER "/wrong.urdf:2: <link>: has no name"},
        {"{\"models\": [{\"file\": \"robot.urdf\"},\n{\"file\": \"robot.urdf\"}]}",
         "/s.json:2: models[1].file: " FOLDER "/robot.urdf:1: <link>: a body called 'base' is in the model already"},
        {"{\"planar\": true, \"models\": [{\"file\": \"robot.urdf\"}]}",
         "/s.json:1: models[0].file: robots move in space"},
        {"{\"models\": [{\"file\": \"robot.urdf\"}],\n\"joints\": [{\"kind\": \"ball\", \"a\": \"base\", \"b\": "
         "\"arm\", \"point\": [0, "
         "0, 0]},\n{\"kind\": \"hinge\", \"a\": \"base\", \"b\": \"arm\", \"point\": [0, 0, 0], \"axis\": [0, 0, 1], "
         "\"friction\": -1}]}",
         "/s.json:3: joints[1].friction: must be >= 0"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\"}]}]}", "/s.json:1: bodies[0].shapes[0].points: missing"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\",\n\"points\": [[0,0,0],[1,0,0],[0,1,0]]}]}]}",
         "/s.json:1: bodies[0].shapes[0].triangles: missing"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\",\n\"points\": [[0,0,0],[1,0,0],[0,1,0]],\n\"triangles\": "
         "[[0, 1, 3]]}]}]}",
         "/s.json:3: bodies[0].shapes[0].triangles[0][2]: 3 is not in 0 .. 2"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\",\n\"points\": [[0,0,0],[1,0,0],[0,1,0]],\n\"triangles\": "
         "[[0, 1]]}]}]}",
         "/s.json:3: bodies[0].shapes[0].triangles[0]: 2 items, but 3 are needed"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\", \"file\": \"tetra.obj\",\n\"points\": []}]}]}",
         "/s.json:1: bodies[0].shapes[0].file: given beside points"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\", \"file\": \"tetra.obj\",\n\"scale\": 0}]}]}",
         "/s.json:2: bodies[0].shapes[0].scale: must not be 0"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\",\n\"file\": \"none.obj\"}]}]}",
         "/s.json:2: bodies[0].shapes[0].file: " FOLDER "/none.obj: cannot be opened"},
        {"{\"bodies\": [{\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1,\n\"file\": \"tetra.obj\"}]}]}",
         "/s.json:2: bodies[0].shapes[0].file: a sphere has none"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        crn_model *model = NULL;
        crn_error error = {CRN_OK, ""};
        crn_status status =
            crn_io_read_scene_text(wrong[i][0], strlen(wrong[i][0]), FOLDER "/s.json", NULL, &model, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT && model == NULL, "%s: %s", wrong[i][1], error.text);
        const char *text = strncmp(error.text, FOLDER, strlen(FOLDER)) == 0 ? error.text + strlen(FOLDER) : "";
        TEST_CHECK(strncmp(text, wrong[i][1], strlen(wrong[i][1])) == 0, "'%s' instead of '%s'", error.text,
                   wrong[i][1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_robots),
        cmocka_unit_test(test_warnings_are_heard),
        cmocka_unit_test(test_wrong),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
