/* Recordings as binary glTF: the chunks, the lists behind the JSON, tracks that are the poses of the frames, what is left
 * out, what is shared; recordings without scene, without frames; bad input, failing allocations. (Khronos' validator
 * looks at whole scenes in apps/viewer/tests/gltf.test.mjs.) */
#include "io/recording.h"

#include "text/bytes.h"
#include "test_allocator.h"
#include "test_support.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

enum { BODIES = 4, FRAMES = 6 };

/* A floor, a ball that only moves, a bar of two equal boxes that moves and turns, and one that stays where it is. */
static const char scene[] =
    "{\"name\": \"four\", \"bodies\": ["
    "{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"plane\"}]},"
    "{\"name\": \"ball \\\"1\\\"\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.5}]},"
    "{\"shapes\": [{\"kind\": \"box\", \"half\": [0.1, 0.2, 0.3], \"position\": [0.5, 0, 0]},"
    "              {\"kind\": \"box\", \"half\": [0.1, 0.2, 0.3], \"position\": [-0.5, 0, 0]}]},"
    "{\"name\": \"still\", \"position\": [0, 7, 1], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.5}]}]}";

/* In every other frame the bar's quaternion has the other sign: the same turn. */
static crn_pose pose_of(int frame, int body)
{
    const crn_quat none = {1, 0, 0, 0};
    double angle = 0.4 * frame, sign = frame % 2 == 0 ? 1.0 : -1.0;
    switch (body) {
    case 0: return (crn_pose){{0, 0, 0}, none};
    case 1: return (crn_pose){{0.1 * frame, -2.0, 5.0 - 0.3 * frame}, none};
    case 2: return (crn_pose){{0, 1.0 / 3.0, 0.2 * frame}, {sign * cos(angle), 0.0, sign * sin(angle), 0.0}};
    default: return (crn_pose){{0, 7, 1}, {sign, 0, 0, 0}};
    }
}

static double time_of(int frame)
{
    return 0.05 * frame;
}

static const char *scratch(const char *end, char path[64])
{
    (void)snprintf(path, 64, "test_gltf_%ld.%s", (long)getpid(), end);
    return path;
}

static crn_recording *recorded(const char *path, const char *with_scene, int bodies, int frames, bool is_planar)
{
    crn_error error;
    crn_recorder *recorder;
    crn_recording *recording;
    crn_recording_header header = {
        .scene = with_scene, .bodies = bodies, .dt = 0.01, .every = 5, .is_planar = is_planar};
    TEST_CHECK(crn_recorder_create(path, &header, NULL, &recorder, &error) == CRN_OK, "%s", error.text);
    for (int k = 0; k < frames; ++k) {
        crn_pose pose[BODIES];
        for (int i = 0; i < BODIES; ++i) {
            pose[i] = pose_of(k, i);
        }
        crn_recording_frame frame = {
            .step = 5 * k, .time = time_of(k), .pose = pose, .figures = {.outcome = CRN_LCP_SOLVED}};
        TEST_CHECK(crn_recorder_append(recorder, &frame, &error) == CRN_OK, "%s", error.text);
    }
    TEST_CHECK(crn_recorder_close(recorder, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_recording_open(path, NULL, &recording, &error) == CRN_OK, "%s", error.text);
    return recording;
}

/* --- A file, taken apart --- */

typedef struct glb {
    unsigned char bytes[1 << 18];
    size_t size;
    json_t *json;
    const unsigned char *bin;
    size_t bin_size;
} glb;

static glb file;

static void read_glb(const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    file.size = fread(file.bytes, 1, sizeof file.bytes, stream);
    assert_true(file.size < sizeof file.bytes);
    (void)fclose(stream);
    assert_memory_equal(file.bytes, "glTF", 4);
    assert_int_equal(crn_get_u32(file.bytes + 4), 2);
    assert_int_equal(crn_get_u32(file.bytes + 8), file.size);
    size_t json_size = crn_get_u32(file.bytes + 12);
    assert_memory_equal(file.bytes + 16, "JSON", 4);
    assert_true(json_size % 4 == 0 && 20 + json_size <= file.size);
    json_error_t why;
    file.json = json_loadb((const char *)file.bytes + 20, json_size, JSON_REJECT_DUPLICATES, &why);
    TEST_CHECK(file.json != NULL, "%s", why.text);
    file.bin = NULL;
    file.bin_size = 0;
    if (20 + json_size < file.size) {
        const unsigned char *head = file.bytes + 20 + json_size;
        file.bin_size = crn_get_u32(head);
        assert_memory_equal(head + 4, "BIN\0", 4);
        assert_true(file.bin_size % 4 == 0 && head + 8 + file.bin_size == file.bytes + file.size);
        file.bin = head + 8;
    }
}

static void export_glb(crn_recording *recording)
{
    char path[64];
    crn_error error;
    TEST_CHECK(crn_recording_write_gltf(recording, scratch("glb", path), NULL, &error) == CRN_OK, "%s", error.text);
    read_glb(path);
    (void)remove(path);
}

static json_t *list(const char *name)
{
    return json_object_get(file.json, name);
}

static json_t *item(const char *name, long long index)
{
    json_t *found = json_array_get(list(name), (size_t)index);
    TEST_CHECK(found != NULL, "%s[%lld]: none", name, index);
    return found;
}

static long long whole(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    TEST_CHECK(json_is_integer(value), "%s: no whole number", key);
    return json_integer_value(value);
}

static double number(const json_t *object, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(object, key), index));
}

/* Bytes of an accessor; checks that they are in the file. */
static const unsigned char *bytes_of(long long accessor, size_t item_size)
{
    json_t *a = item("accessors", accessor), *view = item("bufferViews", whole(a, "bufferView"));
    size_t offset = (size_t)whole(view, "byteOffset"), length = (size_t)whole(view, "byteLength");
    assert_int_equal(whole(view, "buffer"), 0);
    assert_true(offset % 4 == 0 && offset + length <= file.bin_size);
    assert_int_equal(length, item_size * (size_t)whole(a, "count"));
    return file.bin + offset;
}

static double float_at(const unsigned char *bytes, size_t index)
{
    uint32_t bits = crn_get_u32(bytes + 4 * index);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Floats of an accessor of so many columns, whose bounds are those of its numbers. */
static const unsigned char *floats_of(long long accessor, const char *type, size_t width)
{
    json_t *a = item("accessors", accessor);
    assert_int_equal(whole(a, "componentType"), 5126);
    assert_string_equal(json_string_value(json_object_get(a, "type")), type);
    const unsigned char *bytes = bytes_of(accessor, 4 * width);
    for (size_t k = 0; k < width; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < (size_t)whole(a, "count"); ++i) {
            low = fmin(low, float_at(bytes, i * width + k));
            high = fmax(high, float_at(bytes, i * width + k));
        }
        assert_true(number(a, "min", k) == low && number(a, "max", k) == high);
    }
    return bytes;
}

/* The sampler of a body's channel; NULL: it has none. */
static json_t *sampler_of(int body, const char *path)
{
    json_t *animation = json_array_get(list("animations"), 0);
    json_t *channels = json_object_get(animation, "channels");
    for (size_t k = 0; k < json_array_size(channels); ++k) {
        json_t *channel = json_array_get(channels, k), *target = json_object_get(channel, "target");
        if (whole(target, "node") == body + 1 &&
            strcmp(json_string_value(json_object_get(target, "path")), path) == 0) {
            return json_array_get(json_object_get(animation, "samplers"), (size_t)whole(channel, "sampler"));
        }
    }
    return NULL;
}

static void finish(crn_recording *recording, const char *path)
{
    crn_recording_close(recording);
    json_decref(file.json);
    file.json = NULL;
    (void)remove(path);
}

/* --- Tests --- */

static void check_times(const json_t *sampler)
{
    const unsigned char *times = floats_of(whole(sampler, "input"), "SCALAR", 1);
    assert_int_equal(whole(item("accessors", whole(sampler, "input")), "count"), FRAMES);
    for (int k = 0; k < FRAMES; ++k) {
        assert_true(float_at(times, (size_t)k) == (double)(float)time_of(k));
    }
}

static void test_tracks_are_the_poses(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    export_glb(recording);
    for (int body = 1; body <= 2; ++body) {
        json_t *sampler = sampler_of(body, "translation");
        assert_non_null(sampler);
        check_times(sampler);
        const unsigned char *way = floats_of(whole(sampler, "output"), "VEC3", 3);
        for (int k = 0; k < FRAMES; ++k) {
            crn_vec3 p = pose_of(k, body).position;
            const double wanted[3] = {p.x, p.y, p.z};
            for (size_t i = 0; i < 3; ++i) {
                assert_true(float_at(way, 3 * (size_t)k + i) == (double)(float)wanted[i]);
            }
        }
    }
    json_t *sampler = sampler_of(2, "rotation");
    assert_non_null(sampler);
    check_times(sampler);
    const unsigned char *turn = floats_of(whole(sampler, "output"), "VEC4", 4);
    for (int k = 0; k < FRAMES; ++k) { /* the turn as it was, x y z w, without jumps of sign */
        const double wanted[4] = {0, sin(0.4 * k), 0, cos(0.4 * k)};
        for (size_t i = 0; i < 4; ++i) {
            assert_true(fabs(float_at(turn, 4 * (size_t)k + i) - wanted[i]) < 1e-7);
        }
    }
    finish(recording, path);
}

/* The floor, the still ball (whose quaternion only changes its sign), and the turn of a ball that does not. */
static void test_what_never_moves_has_no_channel(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    export_glb(recording);
    json_t *animation = json_array_get(list("animations"), 0);
    assert_int_equal(json_array_size(json_object_get(animation, "channels")), 3);
    assert_int_equal(json_array_size(json_object_get(animation, "samplers")), 3);
    for (int body = 0; body < BODIES; body += 3) {
        assert_true(sampler_of(body, "translation") == NULL && sampler_of(body, "rotation") == NULL);
    }
    assert_null(sampler_of(1, "rotation"));
    finish(recording, path);
}

static void test_nodes(void **state)
{
    (void)state;
    char path[64];
    static const char *const names[] = {"four", "floor", "ball \"1\"", "body2", "still", "box", "box"};
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    export_glb(recording);
    assert_int_equal(json_array_size(list("nodes")), 7);
    for (int k = 0; k < 7; ++k) {
        assert_string_equal(json_string_value(json_object_get(item("nodes", k), "name")), names[k]);
    }
    json_t *root = item("nodes", 0);
    assert_int_equal(json_array_size(json_object_get(root, "children")), BODIES);
    crn_quat q = {number(root, "rotation", 3), number(root, "rotation", 0), number(root, "rotation", 1),
                  number(root, "rotation", 2)};
    assert_true(fabs(q.w - sqrt(0.5)) < 1e-15 && fabs(q.x + sqrt(0.5)) < 1e-15 && q.y == 0.0 && q.z == 0.0);
    assert_true(number(item("nodes", 4), "translation", 1) == 7.0);  /* as it is in the recording: node 0 turns it */
    assert_true(number(item("nodes", 6), "translation", 0) == -0.5); /* of the second box in its body */
    assert_int_equal(json_array_size(json_object_get(item("nodes", 3), "children")), 2);
    assert_true(number(item("nodes", 3), "children", 0) == 5.0);
    finish(recording, path);
}

/* Equal shapes have their points once; meshes are shared where the material is the same too. */
static void test_meshes_are_shared(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    export_glb(recording);
    assert_int_equal(json_array_size(list("meshes")), 4); /* plane, ball, box, ball of another colour */
    assert_int_equal(json_array_size(list("materials")), 4);
    assert_int_equal(whole(item("nodes", 5), "mesh"), whole(item("nodes", 6), "mesh"));
    long long points[2];
    for (int k = 0; k < 2; ++k) {
        json_t *mesh = item("meshes", whole(item("nodes", k == 0 ? 2 : 4), "mesh"));
        json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
        points[k] = whole(json_object_get(primitive, "attributes"), "POSITION");
    }
    assert_int_equal(points[0], points[1]);
    finish(recording, path);
}

/* Points of the ball lie on it, corners are points, and the plane is as wide as the motion and not much wider. */
static void test_geometry(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    export_glb(recording);
    json_t *mesh = item("meshes", whole(item("nodes", 2), "mesh"));
    json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    json_t *attributes = json_object_get(primitive, "attributes");
    const unsigned char *points = floats_of(whole(attributes, "POSITION"), "VEC3", 3);
    const unsigned char *normals = floats_of(whole(attributes, "NORMAL"), "VEC3", 3);
    size_t count = (size_t)whole(item("accessors", whole(attributes, "POSITION")), "count");
    for (size_t i = 0; i < 3 * count; ++i) {
        assert_true(fabs(float_at(points, i) - 0.5 * float_at(normals, i)) < 1e-7);
    }
    json_t *corners = item("accessors", whole(primitive, "indices"));
    assert_int_equal(whole(corners, "componentType"), 5123);
    const unsigned char *corner = bytes_of(whole(primitive, "indices"), 2);
    for (size_t i = 0; i < (size_t)whole(corners, "count"); ++i) {
        assert_true((size_t)(corner[2 * i] | corner[2 * i + 1] << 8) < count);
    }
    mesh = item("meshes", whole(item("nodes", 1), "mesh"));
    primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    json_t *plane = item("accessors", whole(json_object_get(primitive, "attributes"), "POSITION"));
    assert_true(number(plane, "max", 1) >= 7.5 && number(plane, "max", 1) < 10.0); /* the still ball is at y = 7 */
    finish(recording, path);
}

static void test_without_scene(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), NULL, BODIES, FRAMES, false);
    export_glb(recording);
    assert_int_equal(json_array_size(list("nodes")), 1 + BODIES);
    for (int k = 1; k <= BODIES; ++k) {
        json_t *mesh = item("meshes", whole(item("nodes", k), "mesh"));
        assert_string_equal(json_string_value(json_object_get(mesh, "name")), "box");
    }
    assert_string_equal(json_string_value(json_object_get(item("nodes", 3), "name")), "body2");
    assert_non_null(sampler_of(2, "rotation"));
    finish(recording, path);
}

/* A scene without frames shows the scene; planar scenes are slabs and are not turned; nothing at all is a root. */
static void test_without_frames(void **state)
{
    (void)state;
    char path[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, 0, false);
    export_glb(recording);
    assert_null(list("animations"));
    assert_true(number(item("nodes", 4), "translation", 1) == 7.0);
    finish(recording, path);

    recording = recorded(scratch("crn", path), NULL, 0, 0, false);
    export_glb(recording);
    assert_true(json_array_size(list("nodes")) == 1 && list("meshes") == NULL && list("buffers") == NULL);
    assert_true(file.bin == NULL);
    finish(recording, path);
}

static void test_planar(void **state)
{
    (void)state;
    char path[64];
    static const char planar[] =
        "{\"planar\": true, \"bodies\": [{\"shapes\": [{\"kind\": \"disk\", \"radius\": 2}]}]}";
    crn_recording *recording = recorded(scratch("crn", path), planar, 1, FRAMES, true);
    export_glb(recording);
    assert_null(json_object_get(item("nodes", 0), "rotation"));
    json_t *disk = item("accessors", 0);
    assert_true(number(disk, "max", 0) == 2.0 && number(disk, "max", 2) > 0.1);
    assert_true(number(disk, "min", 2) == -number(disk, "max", 2));
    finish(recording, path);
}

/* --- What goes wrong --- */

static void test_refusals(void **state)
{
    (void)state;
    char path[64], out[64];
    crn_error error;
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, 1, false);
    assert_int_equal(crn_recording_write_gltf(NULL, "x.glb", NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recording_write_gltf(recording, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recording_write_gltf(recording, "no/such/folder.glb", NULL, &error), CRN_ERR_IO);
    assert_non_null(strstr(error.text, "no/such/folder.glb"));
    crn_recording_close(recording);

    recording = recorded(path, scene, BODIES - 1, 1, false);
    assert_int_equal(crn_recording_write_gltf(recording, scratch("glb", out), NULL, &error), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "scene of the recording: has 4 bodies, but frames have 3");
    assert_int_not_equal(access(out, F_OK), 0);
    crn_recording_close(recording);

    recording = recorded(path, "{\"bodies\": 7}", 1, 1, false);
    assert_int_equal(crn_recording_write_gltf(recording, out, NULL, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "scene of the recording"));
    assert_int_not_equal(access(out, F_OK), 0);
    crn_recording_close(recording);
    (void)remove(path);
}

/* The k-th request for memory fails, for every k: nothing leaks, no file is left; at last it is written. */
static void test_memory(void **state)
{
    (void)state;
    char path[64], out[64];
    crn_recording *recording = recorded(scratch("crn", path), scene, BODIES, FRAMES, false);
    crn_status status = CRN_ERR_MEMORY;
    (void)scratch("glb", out);
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        status = crn_recording_write_gltf(recording, out, &hooks, NULL);
        assert_true(status == CRN_OK || (status == CRN_ERR_MEMORY && k < 10000));
        assert_int_equal(counter.live, 0);
        assert_int_equal(access(out, F_OK) == 0, status == CRN_OK);
    }
    (void)remove(out);
    crn_recording_close(recording);
    (void)remove(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracks_are_the_poses),
        cmocka_unit_test(test_what_never_moves_has_no_channel),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_meshes_are_shared),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_without_scene),
        cmocka_unit_test(test_without_frames),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
