/* Meshes of URDF: convex, closed, open; where files are looked for. */
#include "urdf_case.h"

#include "robots/robot.h"

#include <sys/stat.h>

#define FOLDER "test_urdf_mesh.tmp"

static void put(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *const folders[] = {
    FOLDER, FOLDER "/robot", FOLDER "/robot/urdf", FOLDER "/robot/meshes", FOLDER "/pack", FOLDER "/pack/meshes"};
static const char *const files[] = {"robot/meshes/tetra.obj", "robot/meshes/open.obj", "robot/meshes/notch.obj",
                                    "pack/meshes/tetra.obj",  "robot/urdf/tetra.obj",  "robot/meshes/crossed.obj"};

static const char tetra[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char open_one[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/* An L of height 1: a square of side 2 without one of side 1. */
static const char notch[] = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                            "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                            "f 1 4 3\nf 1 3 2\nf 1 6 4\nf 4 6 5\nf 7 9 10\nf 7 8 9\nf 7 10 12\nf 10 11 12\n"
                            "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\n"
                            "f 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n";
/* Two tetrahedra, one through the other. */
static const char crossed[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                              "v 0.1 0.1 -0.5\nv 1.1 0.1 -0.5\nv 0.1 1.1 -0.5\nv 0.1 0.1 0.5\n"
                              "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";

static int make_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
        (void)mkdir(folders[i], 0755);
    }
    put(files[0], tetra);
    put(files[1], open_one);
    put(files[2], notch);
    put(files[3], tetra);
    put(files[4], tetra);
    put(files[5], crossed);
    return 0;
}

static int drop_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[256];
        (void)snprintf(path, sizeof path, FOLDER "/%s", files[i]);
        (void)remove(path);
    }
    for (size_t i = sizeof folders / sizeof folders[0]; i > 0; --i) {
        (void)remove(folders[i - 1]);
    }
    return 0;
}

/* A link with this mesh, of a robot in FOLDER/robot/urdf; the kind of its shape. */
static crn_model *link_of(const char *mesh, said *all)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
                   "<collision><geometry><mesh %s/></geometry></collision></link></robot>",
                   mesh);
    crn_robot_options options = crn_robot_options_default();
    options.warn = listen_to;
    options.user = all;
    crn_model *model = new_model();
    crn_error error;
    crn_status status = crn_io_read_urdf_text(text, strlen(text), FOLDER "/robot/urdf/r.urdf", &options, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return model;
}

static double volume_of(const crn_shape_def *def)
{
    crn_shape *shape = NULL;
    crn_error error;
    assert_int_equal(crn_shape_create(def, NULL, &shape, &error), CRN_OK);
    double volume = crn_shape_mass(shape).mass;
    crn_shape_destroy(shape);
    return volume;
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *mesh, *warning;
        crn_shape_kind kind;
        double volume;
    } cases[] = {
        {"filename='../meshes/tetra.obj'", NULL, CRN_SHAPE_HULL, 1.0 / 6.0},
        {"filename='../meshes/tetra.obj' scale='1 2 3'", NULL, CRN_SHAPE_HULL, 1.0},
        {"filename='../meshes/tetra.obj' scale='2'", NULL, CRN_SHAPE_HULL, 8.0 / 6.0},
        {"filename='../meshes/tetra.obj' scale='-1 1 1'", NULL, CRN_SHAPE_HULL, 1.0 / 6.0},
        {"filename='../meshes/notch.obj'", NULL, CRN_SHAPE_MESH, 3.0},
        {"filename='../meshes/notch.obj' scale='1 1 -2'", NULL, CRN_SHAPE_MESH, 6.0},
        {"filename='../meshes/open.obj'", "'../meshes/open.obj' is not closed", CRN_SHAPE_HULL, 1.0 / 6.0},
        {"filename='../meshes/crossed.obj'", "'../meshes/crossed.obj' passes through itself", CRN_SHAPE_HULL, -1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        said all = {.count = 0};
        crn_model *model = link_of(cases[i].mesh, &all);
        const crn_shape_def *shape = &crn_model_body(model, 0)->shape[0].shape;
        TEST_CHECK(shape->kind == cases[i].kind, "%s: %s", cases[i].mesh, crn_shape_kind_name(shape->kind));
        if (cases[i].volume > 0.0) {
            near_to(volume_of(shape), cases[i].volume, 1e-14);
        }
        assert_int_equal(all.count, cases[i].warning != NULL);
        TEST_CHECK(cases[i].warning == NULL || strstr(all.text[0], cases[i].warning) != NULL, "%s", all.text[0]);
        crn_model_destroy(model);
    }
}

static void test_places(void **state)
{
    (void)state;
    static const char robot[] = FOLDER "/robot/urdf/r.urdf";
    char path[CRN_ROBOT_PATH_SIZE];
    const char *found[][3] = {
        {"tetra.obj", NULL, FOLDER "/robot/urdf/tetra.obj"},
        {"../meshes/open.obj", NULL, FOLDER "/robot/urdf/../meshes/open.obj"},
        {"package://pack/meshes/tetra.obj", NULL, FOLDER "/robot/urdf/../../pack/meshes/tetra.obj"},
        {"model://pack/meshes/tetra.obj", NULL, FOLDER "/robot/urdf/../../pack/meshes/tetra.obj"},
        {"package://robot/meshes/open.obj", NULL, FOLDER "/robot/urdf/../../robot/meshes/open.obj"},
        {"package://lost/meshes/open.obj", NULL, FOLDER "/robot/urdf/../meshes/open.obj"},
        {"package://robot/meshes/open.obj", FOLDER "/robot", FOLDER "/robot/meshes/open.obj"},
        {"package://lost/deep/down/tetra.obj", NULL, FOLDER "/robot/urdf/tetra.obj"},
        {"package://tetra.obj", NULL, FOLDER "/robot/urdf/tetra.obj"},
        {"file://" FOLDER "/pack/meshes/tetra.obj", NULL, FOLDER "/pack/meshes/tetra.obj"},
    };
    for (size_t i = 0; i < sizeof found / sizeof found[0]; ++i) {
        TEST_CHECK(crn_robot_find_file(robot, found[i][1], found[i][0], path), "%s: %s", found[i][0], path);
        assert_string_equal(path, found[i][2]);
    }
    const char *lost[] = {"none.obj",
                          "package://pack/none.obj",
                          "package://",
                          "",
                          "../meshes",
                          "/dev/zero",
                          "/none.obj",
                          "file://",
                          "package://pack/../../../../../../../../dev/zero"};
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; ++i) {
        TEST_CHECK(!crn_robot_find_file(robot, NULL, lost[i], path), "%s: %s", lost[i], path);
    }
    assert_false(crn_robot_find_file(robot, FOLDER "/pack", "package://robot/meshes/open.obj", path));
    /* names that fit into no path */
    char *name = malloc(20000);
    assert_non_null(name);
    memset(name, 'a', 19999);
    name[19999] = '\0';
    assert_false(crn_robot_find_file(robot, NULL, name, path));
    memcpy(name, "package://", 10);
    assert_false(crn_robot_find_file(robot, NULL, name, path));
    assert_false(crn_robot_find_file(name, NULL, "package://a/b.obj", path));
    free(name);
}

/* Pictures: as they are, open or not, coloured; what is missing is told; nothing is read that nobody asked for. */
static void test_pictures(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'><material name='blue'><color rgba='0 0 0.75 1'/></material><link name='a'>"
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
        "<visual><geometry><mesh filename='../meshes/open.obj' scale='2 2 2'/></geometry>"
        "<material name='red'><color rgba='1 0.5 0 1'/></material></visual>"
        "<visual><origin xyz='0 0 1'/><geometry><sphere radius='0.25'/></geometry><material name='blue'/></visual>"
        "<visual><geometry><box size='1 1 1'/></geometry><material name='red'/></visual>"
        "<visual><geometry><box size='1 1 1'/></geometry><material name='none'/></visual>"
        "<visual><geometry><mesh filename='nowhere.stl'/></geometry></visual></link></robot>";
    said all = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = listen_to;
    options.user = &all;
    for (int k = 0; k < 2; ++k) {
        crn_model *model = new_model();
        crn_error error;
        options.has_pictures = k == 1;
        crn_status status =
            crn_io_read_urdf_text(text, strlen(text), FOLDER "/robot/urdf/r.urdf", &options, model, &error);
        TEST_CHECK(status == CRN_OK, "%s", error.text);
        const crn_body_def *body = body_of(model, "a");
        assert_true(body->shapes == 0 && body->pictures == (k == 1 ? 4 : 0) && all.count == k);
        if (k == 1) {
            assert_true(body->picture[0].shape.kind == CRN_SHAPE_MESH && body->picture[0].shape.triangle_count == 3);
            assert_true(body->picture[0].shape.points[3] == 2.0 && body->picture[0].color.y == 0.5);
            assert_true(body->picture[1].pose.position.z == 1.0 && body->picture[1].color.z == 0.75);
            assert_true(body->picture[2].color.x == 1.0 && body->picture[3].color.x < 0.0);
            assert_non_null(strstr(all.text[0], "there is no file 'nowhere.stl'; the picture is left out"));
        }
        crn_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_pictures)};
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
