/* Mesh files: what each format allows, what is wrong with those that are not right, and at which line. */
#include "test_support.h"
#include "test_allocator.h"

#include <cairn/collide.h>
#include <cairn/io.h>

#include "text/bytes.h"

#include <math.h>

static const crn_vec3 one = {1, 1, 1};

static crn_mesh_data parse_bytes(const char *text, size_t length, const char *name)
{
    crn_mesh_data mesh;
    crn_error error;
    crn_status status = crn_io_read_mesh_text(text, length, name, one, NULL, &mesh, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return mesh;
}

static crn_mesh_data parse(const char *text, const char *name)
{
    return parse_bytes(text, strlen(text), name);
}

static crn_mesh_report inspect(const crn_mesh_data *mesh)
{
    crn_shape_def def = {.kind = CRN_SHAPE_MESH,
                         .points = mesh->points,
                         .count = mesh->count,
                         .triangles = mesh->triangles,
                         .triangle_count = mesh->triangle_count};
    crn_mesh_report report;
    crn_error error;
    crn_status status = crn_mesh_inspect(&def, NULL, &report, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return report;
}

static void wrong_bytes(const char *text, size_t length, const char *name, const char *message)
{
    crn_mesh_data mesh;
    crn_error error;
    crn_status status = crn_io_read_mesh_text(text, length, name, one, NULL, &mesh, &error);
    TEST_CHECK(status != CRN_OK && mesh.points == NULL && mesh.triangles == NULL, "'%s' was read", message);
    TEST_CHECK(strncmp(error.text, message, strlen(message)) == 0, "'%s', not '%s'", error.text, message);
}

static void wrong(const char *text, const char *name, const char *message)
{
    wrong_bytes(text, strlen(text), name, message);
}

/* --- OBJ --- */

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static void test_obj(void **state)
{
    (void)state;
    /* from 1, backwards from -1, with texture and normals, comments, lines that go on, other words */
    static const char *const texts[] = {
        TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        "# a comment\r\n" TETRAHEDRON "vn 0 0 1\nvt 0 0\no part\ng a b\ns off\nusemtl x\n"
        "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2 # here too\nf -3 -2 -1",
        TETRAHEDRON "f 1/1 3/2/3 2//4\nf 1 \\\n 2 \\\r\n4\nf 1 4\\\n 3\nf 2/-1/-1 3 4\n",
        "f 1 3 2\nf 1 2 4\n" TETRAHEDRON "f 1 4 3\nf 2 3 4\n", /* faces before vertices */
        "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\n\n\nv 0 1 0\n\tv 0 0 1e0\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 2 3\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k) {
        crn_mesh_data mesh = parse(texts[k], "a.OBJ");
        crn_mesh_report report = inspect(&mesh);
        TEST_CHECK(report.vertices == 4 && report.triangles == 4 && report.open_edges == 0 && report.flipped == 0,
                   "text %zu", k);
        assert_true(fabs(report.volume - 1.0 / 6.0) < 1e-15);
        crn_mesh_data_free(&mesh);
    }
    /* backwards counts from the line on which it stands */
    crn_mesh_data mesh =
        parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n", "a.obj");
    assert_true(mesh.triangles[0] == 0 && mesh.triangles[3] == 3 && mesh.triangles[5] == 5);
    crn_mesh_data_free(&mesh);
}

static void test_obj_wrong(void **state)
{
    (void)state;
    wrong("", "a.obj", "a.obj: has no triangles");
    wrong("v 0 0\n", "a.obj", "a.obj:1: v: 3 numbers are needed, but there are 2");
    wrong("\nv 0 0 x\n", "a.obj", "a.obj:2: v: 'x' is not a finite number");
    wrong("v 0 0 inf\n", "a.obj", "a.obj:1: v: 'inf' is not a finite number");
    wrong("v 0 0 1e999\n", "a.obj", "a.obj:1: v: '1e999' is not a finite number");
    wrong(TETRAHEDRON "f 1 2\n", "a.obj", "a.obj:5: f: at least 3 corners are needed, but there are 2");
    wrong(TETRAHEDRON "f 1 2 5\n", "a.obj", "a.obj:5: f: '5': there is no such vertex, of 4");
    wrong(TETRAHEDRON "f 1 2 -5\n", "a.obj", "a.obj:5: f: '-5': there is no such vertex");
    wrong(TETRAHEDRON "f 1 2 0\n", "a.obj", "a.obj:5: f: '0' is not a corner");
    wrong(TETRAHEDRON "f 1 2 \\\n x/1\n", "a.obj", "a.obj:6: f: 'x/1' is not a corner");
    wrong(TETRAHEDRON "f 1 2 99999999999999999999\n", "a.obj", "a.obj:5: f: '99999999999999999999': there is no");
    wrong("v 0 0 0\n", "a.3ds", "a.3ds: not OBJ, STL, PLY or COLLADA (.dae)");
}

/* --- COLLADA --- */

#define DAE(body)                                                                                                 \
    "<COLLADA><asset><unit meter='0.5'/><up_axis>Y_UP</up_axis></asset>\n<library_geometries>\n<geometry id='g'>" \
    "<mesh><source id='s'><float_array>0 0 0 2 0 0 0 2 0 0 0 2</float_array></source><vertices id='v'><input "    \
    "semantic='POSITION' source='#s'/></vertices>" body "</mesh></geometry></library_geometries>"
#define DAE_FACES                                                                                                   \
    "<triangles><input semantic='NORMAL' source='#n' offset='1'/><input semantic='VERTEX' source='#v' offset='0'/>" \
    "<p>0 9 2 9 1 9 0 9 1 9 3 9</p></triangles>"                                                                    \
    "<polylist><input semantic='VERTEX' source='#v' offset='0'/><vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist>"

/* Lengths in half metres; two copies, one of them turned about z, stretched and moved. */
static void test_dae(void **state)
{
    (void)state;
    crn_mesh_data mesh = parse(DAE(DAE_FACES) "</COLLADA>", "a.dae");
    assert_int_equal(mesh.count, 4);
    assert_int_equal(mesh.triangle_count, 4);
    crn_mesh_data_free(&mesh);
    mesh = parse(
        DAE(DAE_FACES) "<library_visual_scenes><visual_scene><node><instance_geometry url='#g'/><node>"
                       "<translate>20 0 0</translate><rotate>0 0 1 90</rotate><scale>3 1 1</scale>"
                       "<instance_geometry url='#g'/></node></node></visual_scene></library_visual_scenes></COLLADA>",
        "a.dae");
    assert_int_equal(mesh.count, 8);
    assert_int_equal(mesh.triangle_count, 8);
    bool has_corner = false; /* (2, 0, 0) of the copy: 3 along y, 10 along x */
    for (int i = 0; i < mesh.count; ++i) {
        const double *p = mesh.points + 3 * i;
        has_corner = has_corner || (fabs(p[0] - 10.0) < 1e-12 && fabs(p[1] - 3.0) < 1e-12 && fabs(p[2]) < 1e-12);
    }
    assert_true(has_corner);
    crn_mesh_data_free(&mesh);
    mesh = parse(
        DAE("<polygons><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p><p>0 3 1</p></polygons>") "</"
                                                                                                              "COLLADA"
                                                                                                              ">",
        "a.dae");
    assert_int_equal(mesh.triangle_count, 2);
    crn_mesh_data_free(&mesh);
}

static void test_dae_wrong(void **state)
{
    (void)state;
    wrong("<COLLADA>", "a.dae", "a.dae:1: syntax");
    wrong("<x/>", "a.dae", "a.dae:1: <x>: is not <COLLADA>");
    wrong("<COLLADA/>", "a.dae", "a.dae: has no triangles");
    wrong(DAE("<triangles><p>0 1 2</p></triangles>") "</COLLADA>", "a.dae", "a.dae:3: <triangles>: has no vertices");
    wrong(DAE("<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 4</p></triangles>") "</COLLADA>",
          "a.dae", "a.dae:3: <p>: an index is missing, or is none of a vertex");
    wrong(DAE("<triangles><input semantic='VERTEX' source='#v' offset='-1'/><p>0 1 2</p></triangles>") "</COLLADA>",
          "a.dae", "a.dae:3: <input> offset: must be 0 to 99");
    wrong(DAE("<polylist><input semantic='VERTEX' source='#v' offset='0'/><vcount>3</vcount><p>0 1 2 0 3 "
              "1</p></polylist>") "</COLLADA>",
          "a.dae", "a.dae:3: <vcount>: has fewer numbers than there are polygons");
    wrong(
        DAE("<polylist><input semantic='VERTEX' source='#v' offset='0'/><vcount>2</vcount><p>0 1</p></polylist>") "</"
                                                                                                                  "COLL"
                                                                                                                  "ADA"
                                                                                                                  ">",
        "a.dae", "a.dae:3: <vcount>: a polygon has fewer than 3 corners");
    wrong(DAE(DAE_FACES) "\n<library_visual_scenes><visual_scene><node><instance_geometry "
                         "url='#x'/></node></visual_scene></library_visual_scenes></COLLADA>",
          "a.dae", "a.dae:4: <instance_geometry> url: there is no such geometry");
    wrong(DAE(DAE_FACES) "\n<library_visual_scenes><visual_scene><node><matrix>1 0 "
                         "0</matrix></node></visual_scene></library_visual_scenes></COLLADA>",
          "a.dae", "a.dae:4: <matrix>: has not as many numbers as it should");
}

/* --- Polygons --- */

/* The signed area in the plane z = 0 of all triangles, and of their absolute values: equal if none is turned over. */
static void check_polygon(const double (*corner)[2], int corners, double area)
{
    char text[16384];
    size_t used = 0;
    for (int k = 0; k < corners; ++k) {
        used += (size_t)snprintf(text + used, sizeof text - used, "v %.17g %.17g 0\n", corner[k][0], corner[k][1]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "f");
    for (int k = 0; k < corners; ++k) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %d", k + 1);
    }
    assert_true(used < sizeof text);
    crn_mesh_data mesh = parse(text, "a.obj");
    double sum = 0.0, sizes = 0.0;
    assert_int_equal(mesh.triangle_count, corners - 2);
    for (int t = 0; t < mesh.triangle_count; ++t) {
        const double *a = mesh.points + 3 * mesh.triangles[3 * t], *b = mesh.points + 3 * mesh.triangles[3 * t + 1],
                     *c = mesh.points + 3 * mesh.triangles[3 * t + 2];
        double own = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        sum += own;
        sizes += fabs(own);
    }
    TEST_CHECK(fabs(sum - area) < 1e-12 && fabs(sizes - fabs(area)) < 1e-12, "%d corners: area %g, sizes %g, not %g",
               corners, sum, sizes, area);
    crn_mesh_data_free(&mesh);
}

static void test_polygons(void **state)
{
    (void)state;
    crn_random random = test_random("test_polygons", 4);
    const double square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const double dart[][2] = {{0, 0}, {2, 2}, {0, 1}, {-2, 2}};
    const double turned_dart[][2] = {{0, 1}, {-2, 2}, {0, 0}, {2, 2}};
    const double clockwise[][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const double middles[][2] = {{0, 0}, {0.5, 0}, {1, 0}, {1, 0.5}, {1, 1}, {0.5, 1}, {0, 1}, {0, 0.5}};
    const double comb[][2] = {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                              {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    check_polygon(square, 4, 1);
    check_polygon(dart, 4, 2);
    check_polygon(turned_dart, 4, 2);
    check_polygon(clockwise, 4, -1);
    check_polygon(middles, 8, 1);
    check_polygon(comb, 12, 11);
    /* a square with a square hole: the cut leads there and back, and its corners come twice */
    const double hole[][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
    check_polygon(hole, 10, 8);
    for (int n = 5; n <= 80; n += 5) { /* stars with random radii, and spirals, which no corner sees all of */
        double star[80][2], area = 0.0;
        for (int k = 0; k < n; ++k) {
            double angle = 6.283185307179586 * k / n, radius = crn_random_uniform(&random, 0.1, 1.0);
            star[k][0] = radius * cos(angle);
            star[k][1] = radius * sin(angle);
        }
        for (int k = 0; k < n; ++k) {
            const double *a = star[k], *b = star[(k + 1) % n];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
        check_polygon((const double(*)[2])star, n, area);
    }
    double spiral[80][2], area = 0.0;
    for (int k = 0; k < 40; ++k) {
        double angle = 0.45 * k, radius = 1 + 0.1 * k;
        spiral[k][0] = (radius + 0.3) * cos(angle);
        spiral[k][1] = (radius + 0.3) * sin(angle);
        spiral[79 - k][0] = radius * cos(angle);
        spiral[79 - k][1] = radius * sin(angle);
    }
    for (int k = 0; k < 80; ++k) {
        const double *a = spiral[k], *b = spiral[(k + 1) % 80];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    check_polygon((const double(*)[2])spiral, 80, area);
}

/* --- STL --- */

#define FACET(a, b, c) "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

static void test_stl_text(void **state)
{
    (void)state;
    /* corners differ in the sixth digit */
    crn_mesh_data mesh =
        parse("solid a solid part\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1")
                  FACET("0 0 1e-6", "0 0 1", "0 1 0") FACET("0.999999 0 0", "0 1 0", "0 0 1") "endsolid a solid part\n",
              "a.stl");
    crn_mesh_report report = inspect(&mesh);
    assert_true(report.vertices == 4 && report.triangles == 4 && report.open_edges == 0);
    crn_mesh_data_free(&mesh);
    wrong("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n", "a.stl",
          "a.stl:7: endfacet: a facet has 3 vertices, this one 2");
    wrong("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", "a.stl",
          "a.stl:4: vertex: 'nan' is not allowed");
    wrong("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0", "a.stl", "a.stl:4: vertex: missing");
    wrong("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "a.stl", "a.stl:5: facet: the file ends");
    wrong("solid a\ntriangle\n", "a.stl", "a.stl:2: facet: 'triangle' is not a word of STL");
    wrong("solid a\nendsolid a\n", "a.stl", "a.stl: has no triangles");
    wrong("solid a\nvertex 0 0 0 vertex 0 0 0 vertex 0 0 0\nvertex 0 0 0", "a.stl", "a.stl:3: vertex: a facet has 3");
}

static void put_f32(unsigned char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    crn_put_u32(at, bits);
}

static void test_stl_binary(void **state)
{
    (void)state;
    static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    unsigned char bytes[84 + 4 * 50] = "solid that is binary";
    crn_put_u32(bytes + 80, 4);
    for (int t = 0; t < 4; ++t) {
        for (int k = 0; k < 9; ++k) {
            put_f32(bytes + 84 + 50 * t + 12 + 4 * k, corner[face[t][k / 3]][k % 3]);
        }
    }
    crn_mesh_data mesh = parse_bytes((const char *)bytes, sizeof bytes, "a.stl");
    crn_mesh_report report = inspect(&mesh);
    assert_true(report.vertices == 4 && report.triangles == 4 && report.open_edges == 0);
    crn_mesh_data_free(&mesh);
    put_f32(bytes + 84 + 50 + 12 + 16, NAN);
    wrong_bytes((const char *)bytes, sizeof bytes, "a.stl", "a.stl: byte 162: triangle 1: corner 1 is not finite");
    bytes[0] = 'x';
    wrong_bytes((const char *)bytes, sizeof bytes - 1, "a.stl",
                "a.stl: byte 80: 4 triangles take 284 bytes, but the file has 283");
    wrong_bytes((const char *)bytes, 83, "a.stl", "a.stl: 83 bytes are too short");
    crn_put_u32(bytes + 80, UINT32_MAX);
    wrong_bytes((const char *)bytes, sizeof bytes, "a.stl", "a.stl: byte 80: 4294967295 triangles take 214748364834");
}

/* --- PLY --- */

#define PLY_HEAD                                                                                                      \
    "ply\nformat ascii 1.0\ncomment made up\nelement vertex 4\nproperty float x\nproperty uchar red\nproperty float " \
    "y\n"                                                                                                             \
    "property float z\nelement edge 2\nproperty int a\nproperty list uchar float b\nelement face 4\n"                 \
    "property float quality\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_BODY \
    "0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n1 2 0.5 0.5\n2 0\n0.5 3 0 2 1\n0.5 3 0 1 3\n0.5 3 0 3 2\n0.5 3 1 2 3\n"

static void test_ply(void **state)
{
    (void)state;
    crn_mesh_data mesh = parse(PLY_HEAD PLY_BODY, "a.ply");
    crn_mesh_report report = inspect(&mesh);
    assert_true(report.vertices == 4 && report.triangles == 4 && report.open_edges == 0 && report.flipped == 0);
    crn_mesh_data_free(&mesh);

    /* binary, both orders of bytes; a list of doubles to skip; corners as shorts */
    for (int is_big = 0; is_big < 2; ++is_big) {
        unsigned char bytes[1024];
        int used = snprintf((char *)bytes, sizeof bytes,
                            "ply\r\nformat binary_%s_endian 1.0\r\nelement vertex 4\r\nproperty double x\r\nproperty "
                            "float64 y\r\nproperty double z\r\nelement face 4\r\nproperty list uint8 double w\r\n"
                            "property list char ushort vertex_index\r\nend_header\r\n",
                            is_big ? "big" : "little");
        static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        static const unsigned char face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
        for (int k = 0; k < 12; ++k, used += 8) {
            unsigned char eight[8];
            crn_put_f64(eight, corner[k / 3][k % 3]);
            for (int i = 0; i < 8; ++i) {
                bytes[used + (is_big ? 7 - i : i)] = eight[i];
            }
        }
        for (int t = 0; t < 4; ++t) {
            bytes[used++] = 1;
            for (int i = 0; i < 8; ++i) {
                bytes[used++] = 77;
            }
            bytes[used++] = 3;
            for (int k = 0; k < 3; ++k, used += 2) {
                bytes[used + (is_big ? 1 : 0)] = face[t][k];
                bytes[used + (is_big ? 0 : 1)] = 0;
            }
        }
        mesh = parse_bytes((const char *)bytes, (size_t)used, "a.ply");
        report = inspect(&mesh);
        assert_true(report.vertices == 4 && report.triangles == 4 && report.open_edges == 0);
        assert_true(fabs(report.volume - 1.0 / 6.0) < 1e-15);
        crn_mesh_data_free(&mesh);
        wrong_bytes((const char *)bytes, (size_t)used - 1, "a.ply", "a.ply: byte ");
    }
}

static void test_ply_wrong(void **state)
{
    (void)state;
    wrong("x", "a.ply", "a.ply:1: must begin with a line 'ply'");
    wrong("ply\n", "a.ply", "a.ply:2: end_header: missing");
    wrong("ply\nend_header\n", "a.ply", "a.ply:2: format: missing");
    wrong("ply\nformat binary_middle_endian 1.0\n", "a.ply", "a.ply:2: format: must be");
    wrong("ply\nformat ascii 1.0\nend_header\n", "a.ply", "a.ply: element vertex: must be there once");
    wrong("ply\nformat ascii 1.0\nproperty int x\n", "a.ply", "a.ply:3: property: before any element");
    wrong("ply\nformat ascii 1.0\nelement vertex 4\nproperty short int x\n", "a.ply", "a.ply:4: property: must be");
    wrong("ply\nformat ascii 1.0\nelement vertex 4\nproperty half x\n", "a.ply",
          "a.ply:4: property: 'half' is not a type");
    wrong("ply\nformat ascii 1.0\nelement vertex -4\n", "a.ply", "a.ply:3: element: -4 is negative");
    wrong("ply\nformat ascii 1.0\nvertex 4\n", "a.ply", "a.ply:3: header: 'vertex' is not a word of PLY");
    wrong("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nelement face 1\nproperty list int "
          "int "
          "vertex_index\nend_header\n1 1 3 0 0 0\n",
          "a.ply", "a.ply: z: must be there once");
    wrong("ply\nformat ascii 1.0\nelement face 1\nelement vertex 1\nend_header\n", "a.ply",
          "a.ply: element face: before the vertices");
    wrong(PLY_HEAD "0 9 0", "a.ply", "a.ply:16: element: missing: the file ends here");
    wrong(PLY_HEAD "0 9 inf 0", "a.ply", "a.ply:16: element: a vertex is not finite");
    wrong(PLY_HEAD "0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n1 2 0.5 0.5\n2 0\n0.5 3 0 2 4", "a.ply",
          "a.ply:22: element: a corner of a face is not a vertex");
    wrong(PLY_HEAD "0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n1 2 0.5 0.5\n2 0\n0.5 2 0 2", "a.ply",
          "a.ply:22: element: a face has fewer than 3 corners");
    wrong(PLY_HEAD "0 9 0 0\n1 9 0 0\n0 9 1 0\n0 9 0 1\n1 2.5 0.5 0.5\n", "a.ply",
          "a.ply:20: element: the length of a list is not");
}

/* --- Scale, memory, arguments --- */

static void test_scale(void **state)
{
    (void)state;
    const char *text = TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    crn_mesh_data mesh;
    crn_error error;
    assert_int_equal(crn_io_read_mesh_text(text, strlen(text), "a.obj", (crn_vec3){2, 3, -4}, NULL, &mesh, &error),
                     CRN_OK);
    crn_mesh_report report = inspect(&mesh); /* a mirror image, but not inside out */
    assert_true(report.flipped == 0 && fabs(report.volume - 4) < 1e-14);
    crn_mesh_data_free(&mesh);
    const crn_vec3 bad[] = {{0, 1, 1}, {1, (double)NAN, 1}, {1, 1, (double)INFINITY}};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(crn_io_read_mesh_text(text, strlen(text), "a.obj", bad[k], NULL, &mesh, &error),
                         CRN_ERR_ARGUMENT);
        assert_true(strncmp(error.text, "scale: ", 7) == 0);
    }
    const char *large = "v 1e300 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n";
    assert_int_equal(crn_io_read_mesh_text(large, strlen(large), "a.obj", (crn_vec3){1e10, 1, 1}, NULL, &mesh, &error),
                     CRN_ERR_FORMAT);
    assert_int_equal(crn_io_read_mesh_text(NULL, 5, "a.obj", one, NULL, &mesh, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mesh_text(text, 5, "a.obj", one, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mesh(NULL, one, NULL, &mesh, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_mesh("/there/is/none.obj", one, NULL, &mesh, &error), CRN_ERR_IO);
    crn_mesh_data_free(NULL);
}

static void test_memory(void **state)
{
    (void)state;
    const char *texts[3] = {TETRAHEDRON "v 2 2 0\nv 0 1 0.1\nf 1 2 5 6\nf 1 3 2\n",
                            "solid\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1"),
                            PLY_HEAD PLY_BODY};
    const char *names[3] = {"a.obj", "a.stl", "a.ply"};
    for (int which = 0; which < 3; ++which) {
        bool done = false;
        for (long k = 1; !done; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_mesh_data mesh;
            crn_error error;
            crn_status status =
                crn_io_read_mesh_text(texts[which], strlen(texts[which]), names[which], one, &hooks, &mesh, &error);
            assert_true(status == CRN_OK || status == CRN_ERR_MEMORY);
            done = status == CRN_OK;
            crn_mesh_data_free(&mesh);
            assert_int_equal(counter.live, 0);
            assert_true(k < 50);
        }
    }
}

/* Near points become the first of them, whatever the order of the rest; others stay. */
static void test_near(void **state)
{
    (void)state;
    crn_random random = test_random("test_near", 9);
    enum { PLACES = 400, TRIANGLES = 2000 };
    static unsigned char bytes[84 + 50 * TRIANGLES];
    float place[PLACES][3];
    for (int k = 0; k < PLACES; ++k) { /* a grid with steps of 0.1, shaken by less than the tolerance of 1e-5 */
        place[k][0] = 0.1F * (float)(k % 8);
        place[k][1] = 0.1F * (float)(k / 8 % 8);
        place[k][2] = 0.1F * (float)(k / 64);
    }
    crn_put_u32(bytes + 80, TRIANGLES);
    for (int t = 0; t < TRIANGLES; ++t) {
        int first = t < PLACES ? t : crn_random_below(&random, PLACES);
        for (int k = 0; k < 3; ++k) {
            int at = k == 0 ? first : crn_random_below(&random, PLACES);
            for (int i = 0; i < 3; ++i) {
                put_f32(bytes + 84 + 50 * t + 12 + 12 * k + 4 * i,
                        place[at][i] + (float)crn_random_uniform(&random, -1e-6, 1e-6));
            }
        }
    }
    crn_mesh_data mesh = parse_bytes((const char *)bytes, sizeof bytes, "a.stl");
    assert_int_equal(mesh.count, PLACES);
    crn_mesh_data_free(&mesh);
}

/* --- In a scene --- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    (void)fclose(file);
}

static void test_scene(void **state)
{
    (void)state;
    if (!crn_io_has_json()) {
        skip();
    }
    write_text("test_mesh_file_part.obj", TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_text("test_mesh_file_scene.json", "{\"bodies\": [{\"shapes\": [{\"kind\": \"mesh\", \"file\": "
                                            "\"test_mesh_file_part.obj\", \"scale\": [1, 2, 3]}]}]}");
    crn_model *model = NULL, *again = NULL;
    crn_error error;
    crn_status status = crn_io_read_scene("./test_mesh_file_scene.json", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    const crn_shape_def *shape = &crn_model_body(model, 0)->shape[0].shape;
    assert_true(shape->kind == CRN_SHAPE_MESH && shape->count == 4 && shape->triangle_count == 4);
    assert_true(shape->points[7] == 2.0 && shape->points[11] == 3.0);
    char *text = NULL;
    assert_int_equal(crn_io_write_scene_text(model, NULL, &text, NULL, &error), CRN_OK);
    assert_null(strstr(text, "file"));
    assert_int_equal(crn_io_read_scene_text(text, strlen(text), "again", NULL, &again, &error), CRN_OK);
    const crn_shape_def *other = &crn_model_body(again, 0)->shape[0].shape;
    assert_memory_equal(other->points, shape->points, 12 * sizeof(double));
    assert_memory_equal(other->triangles, shape->triangles, 12 * sizeof(int));
    free(text);
    crn_model_destroy(model);
    crn_model_destroy(again);
    write_text("test_mesh_file_part.obj", "v 0 0 0\nv 1 1\n");
    status = crn_io_read_scene("./test_mesh_file_scene.json", NULL, &model, &error);
    assert_int_equal(status, CRN_ERR_FORMAT);
    TEST_CHECK(strstr(error.text,
                      "test_mesh_file_scene.json:1: bodies[0].shapes[0].file: ./test_mesh_file_part.obj:2: v: "
                      "3 numbers are needed") != NULL,
               "%s", error.text);
    (void)remove("test_mesh_file_part.obj");
    (void)remove("test_mesh_file_scene.json");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj),        cmocka_unit_test(test_obj_wrong), cmocka_unit_test(test_dae),
        cmocka_unit_test(test_dae_wrong),  cmocka_unit_test(test_polygons),  cmocka_unit_test(test_stl_text),
        cmocka_unit_test(test_stl_binary), cmocka_unit_test(test_ply),       cmocka_unit_test(test_ply_wrong),
        cmocka_unit_test(test_scale),      cmocka_unit_test(test_memory),    cmocka_unit_test(test_near),
        cmocka_unit_test(test_scene),
    };
    return TEST_RUN(tests, argc, argv);
}
