/* MJCF files against MuJoCo: number of bodies and joints, masses, centres, inertias and poses at the start; and, at other joint
 * coordinates, poses of all bodies, entries of the mass matrix and forces of gravity, computed by a tree that is made from the
 * model. The last hold only if frames, coordinates, chains of joints and armature are right. mjcf_expected.h has the
 * numbers. */
#include "io/io_room.h"

#include "math/rigid.h"
#include "mjcf_expected.h"
#include "test_data.h"

/* Relative to the largest of its kind in a file: ours and MuJoCo's rounding together. */
static const double TOLERANCE = 1e-10;

/* MuJoCo keeps points of meshes in single precision. */
static const double MESH_TOLERANCE = 1e-6;

/* MuJoCo keeps an inertia by principal moments and axes, and ends its iteration for the axes early: entries of the matrix
 * are off by up to 1e-7 where a body has several geoms, while trace, norm and determinant agree to rounding. */
static const double AXES_TOLERANCE = 1e-6;

enum { FILES = sizeof mjcf_file / sizeof *mjcf_file, BODIES = sizeof mjcf_body / sizeof *mjcf_body };
enum { JOINTS = sizeof mjcf_joint / sizeof *mjcf_joint, MOST = 64 };

static double tolerance_of(const char *name)
{
    return strstr(name, "meshes") != NULL || strstr(name, "car") != NULL ? MESH_TOLERANCE : TOLERANCE;
}

/* --- Reading --- */

/* MuJoCo refuses "0.2/2" as we do; the numbers are those of the file with 0.1 instead. */
static crn_status read_corrected(const char *path, crn_model *model, crn_error *error)
{
    crn_io_source source;
    crn_allocator hooks = crn_allocator_default();
    assert_int_equal(crn_io_load(path, &hooks, &source, error), CRN_OK);
    char *text = malloc(source.size + 1);
    assert_non_null(text);
    memcpy(text, source.text, source.size);
    text[source.size] = '\0';
    for (char *at = text; (at = strstr(at, "0.2/2")) != NULL;) {
        memcpy(at, "0.1  ", 5);
    }
    crn_status status = crn_io_read_mjcf_text(text, source.size, path, NULL, model, error);
    free(text);
    crn_io_unload(&hooks, &source);
    return status;
}

/* NULL: the file is not there. */
static crn_model *read_model(const char *name)
{
    char path[1024];
    bool is_own = strncmp(name, "own/", 4) == 0;
    if (is_own) {
        (void)snprintf(path, sizeof path, "%s/tests/robots/mjcf/%s", CAIRN_SOURCE_DIR, name + 4);
    } else if (test_data_path(name, path, sizeof path) == NULL) {
        return NULL;
    }
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_status status = strstr(name, "walker2d") != NULL ? read_corrected(path, model, &error)
                                                         : crn_io_read_mjcf(path, NULL, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return model;
}

/* --- At the start --- */

/* Bodies of the file: not the world, not the links between joints of one body. */
static int list_bodies(const crn_model *model, int list[MOST])
{
    int count = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        bool is_world = body->kind == CRN_BODY_FIXED && body->name != NULL && strcmp(body->name, "world") == 0;
        if (!is_world && !body->is_massless) {
            assert_true(count < MOST);
            list[count++] = i;
        }
    }
    return count;
}

static double largest_of(const double *a, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(a[i]));
    }
    return largest;
}

static void expect_list(const double *is, const double *should, int n, double bound, const char *file, const char *body,
                        const char *what)
{
    for (int i = 0; i < n; ++i) {
        TEST_CHECK(fabs(is[i] - should[i]) <= bound, "%s: %s: %s[%d] is %.17g, not %.17g", file, body, what, i, is[i],
                   should[i]);
    }
}

/* A quaternion and its opposite are the same rotation. */
static void expect_rotation(crn_quat q, const double *should, double bound, const char *file, const char *body)
{
    double sign = q.w * should[0] + q.x * should[1] + q.y * should[2] + q.z * should[3] < 0.0 ? -1.0 : 1.0;
    const double is[4] = {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
    expect_list(is, should, 4, bound, file, body, "rotation");
}

/* Trace, square of the Frobenius norm, determinant of xx yy zz xy xz yz. */
static void invariants(const double *a, double *to)
{
    to[0] = a[0] + a[1] + a[2];
    to[1] = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + 2.0 * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]);
    to[2] =
        a[0] * (a[1] * a[2] - a[5] * a[5]) - a[3] * (a[3] * a[2] - a[5] * a[4]) + a[4] * (a[3] * a[5] - a[1] * a[4]);
}

static void expect_mass(const crn_body_def *body, const mjcf_body_row *row, double tolerance, const char *file)
{
    crn_frame frame = crn_frame_of(&body->pose);
    double com[3];
    crn_v3_to(crn_frame_point(&frame, body->com), com);
    crn_mat3 turned = crn_m3_turned(&frame.rotation, &body->inertia);
    const double inertia[6] = {turned.m[0], turned.m[4], turned.m[8], turned.m[1], turned.m[2], turned.m[5]};
    expect_list(&body->mass, &row->mass, 1, tolerance * row->mass, file, row->name, "mass");
    expect_list(com, row->com, 3, tolerance * fmax(1.0, largest_of(row->com, 3)), file, row->name, "com");
    double is[3], should[3];
    invariants(inertia, is);
    invariants(row->inertia, should);
    expect_list(inertia, row->inertia, 6, AXES_TOLERANCE * largest_of(row->inertia, 6), file, row->name, "inertia");
    for (int k = 0; k < 3; ++k) {
        expect_list(&is[k], &should[k], 1, 4.0 * tolerance * should[k], file, row->name, "invariant of inertia");
    }
}

static void check_start(const crn_model *model, int file)
{
    int list[MOST], count = list_bodies(model, list), k = 0;
    double tolerance = tolerance_of(mjcf_file[file]), total = 0.0, expected = 0.0;
    for (int i = 0; i < BODIES; ++i) {
        const mjcf_body_row *row = &mjcf_body[i];
        if (row->file != file) {
            continue;
        }
        assert_true(k < count);
        const crn_body_def *body = crn_model_body(model, list[k++]);
        assert_string_equal(body->name != NULL ? body->name : "", row->name);
        double position[3];
        crn_v3_to(body->pose.position, position);
        expect_list(position, row->position, 3, TOLERANCE * 10.0, mjcf_file[file], row->name, "position");
        expect_rotation(body->pose.rotation, row->rotation, TOLERANCE, mjcf_file[file], row->name);
        if (body->kind == CRN_BODY_FREE) {
            expect_mass(body, row, tolerance, mjcf_file[file]);
            total += body->mass;
            expected += row->mass;
        }
    }
    assert_int_equal(k, count);
    TEST_CHECK(fabs(total - expected) <= tolerance * expected, "%s: mass %.17g, not %.17g", mjcf_file[file], total,
               expected);
}

/* --- At other coordinates --- */

typedef struct built {
    crn_link_def link[MOST];
    int body[MOST];        /* of the link, in the model */
    int link_of[2 * MOST]; /* of the body; -1: none */
    int links;
    crn_tree *tree;
} built;

/* The model's links as one tree that begins at the world. */
static void build_tree(const crn_model *model, built *t)
{
    crn_error error = {.status = CRN_OK};
    t->links = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        t->link_of[i] = -1;
        if (body->kind != CRN_BODY_FREE) {
            continue;
        }
        crn_link_def *link = &t->link[t->links];
        *link = crn_link_def_default();
        link->parent = -1;
        link->mass = body->mass;
        link->com = body->com;
        link->inertia = body->inertia;
        for (int k = 0; k < crn_model_joints(model); ++k) {
            const crn_joint_def *joint = crn_model_joint(model, k);
            if (joint->in_tree && joint->b == i) {
                link->parent = joint->a < 0 ? -1 : t->link_of[joint->a];
                link->kind = joint->kind;
                link->frame_a = joint->frame_a;
                link->frame_b = joint->frame_b;
                for (int l = 0; l < CRN_JOINT_FREEDOM_MAX; ++l) {
                    int axis = joint->kind == CRN_JOINT_BALL ? 0 : l;
                    link->armature[l] = axis < CRN_JOINT_COORDINATES_MAX ? joint->axis[axis].armature : 0.0;
                }
            }
        }
        t->link_of[i] = t->links;
        t->body[t->links++] = i;
        assert_true(t->links < MOST);
    }
    TEST_CHECK(crn_tree_create(t->link, t->links, NULL, &t->tree, &error) == CRN_OK, "%s", error.text);
}

/* Which velocity of the link is the joint of MuJoCo with this axis? */
static int find_axis(const built *t, const crn_model *model, int link, const double *axis, bool is_turn)
{
    const crn_link_def *def = &t->link[link];
    crn_pose base = {{0, 0, 0}, {1, 0, 0, 0}};
    if (def->parent >= 0) {
        base = crn_model_body(model, t->body[def->parent])->pose;
    }
    crn_pose a = crn_pose_product(&base, &def->frame_a);
    crn_mat3 r = crn_quat_matrix(a.rotation);
    crn_vec3 d = crn_v3_of(axis);
    if (def->kind == CRN_JOINT_PLANAR && !is_turn) {
        return crn_v3_dot(crn_m3_column(&r, 0), d) > 0.9 ? 0 : 1;
    }
    if (def->kind == CRN_JOINT_PLANAR) {
        return 2;
    }
    return def->kind == CRN_JOINT_UNIVERSAL && fabs(crn_v3_dot(crn_m3_column(&r, 0), d)) < 0.9 ? 1 : 0;
}

/* MuJoCo's coordinates into q; velocity[j]: the place of joint j in u, -1: a free one. */
static void set_coordinates(const built *t, const crn_model *model, int file, double *q, int *velocity)
{
    int link = 0, taken = 0;
    crn_tree_rest(t->tree, q);
    for (int i = 0; i < t->links; ++i) { /* a root that floats stays where it starts */
        if (t->link[i].kind == CRN_JOINT_FREE) {
            const crn_pose *pose = &crn_model_body(model, t->body[i])->pose;
            const double start[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                                     pose->rotation.x, pose->rotation.y, pose->rotation.z};
            memcpy(q + crn_tree_first_coordinate(t->tree, i), start, sizeof start);
        }
    }
    for (int i = 0; i < JOINTS; ++i) {
        const mjcf_joint_row *row = &mjcf_joint[i];
        if (row->file != file) {
            continue;
        }
        while (taken == crn_joint_kind_freedom(t->link[link].kind) || t->link[link].kind == CRN_JOINT_FIXED) {
            ++link;
            taken = 0;
            assert_true(link < t->links);
        }
        double *at = q + crn_tree_first_coordinate(t->tree, link);
        velocity[i] = -1;
        if (row->type == 0 || row->type == 1) {
            taken = crn_joint_kind_freedom(t->link[link].kind);
            assert_int_equal(t->link[link].kind, row->type == 0 ? CRN_JOINT_FREE : CRN_JOINT_BALL);
            if (row->type == 1) {
                memcpy(at, row->q, sizeof row->q);
            }
            continue;
        }
        int axis = find_axis(t, model, link, row->axis, row->type == 3);
        at[axis] = row->q[0];
        velocity[i] = crn_tree_first_velocity(t->tree, link) + axis;
        ++taken;
    }
}

static void check_bodies_moved(const built *t, const crn_model *model, int file, const double *q)
{
    crn_frame frame[MOST];
    int list[MOST], k = 0;
    (void)list_bodies(model, list);
    crn_tree_kinematics(t->tree, q, NULL, frame, NULL);
    for (int i = 0; i < BODIES; ++i) {
        const mjcf_body_row *row = &mjcf_body[i];
        if (row->file != file) {
            continue;
        }
        int link = t->link_of[list[k++]];
        if (link < 0) {
            continue;
        }
        double position[3];
        crn_mat3 r = crn_quat_matrix((crn_quat){row->turned[0], row->turned[1], row->turned[2], row->turned[3]});
        crn_v3_to(frame[link].position, position);
        expect_list(position, row->moved, 3, TOLERANCE * 10.0, mjcf_file[file], row->name, "moved position");
        expect_list(frame[link].rotation.m, r.m, 9, TOLERANCE, mjcf_file[file], row->name, "moved rotation");
    }
}

static void check_forces(const built *t, const crn_model *model, int file, const double *q, const int *velocity)
{
    int n = crn_tree_velocities(t->tree);
    double *H = calloc((size_t)n * (size_t)n + 1, sizeof(double)), *force = calloc((size_t)n + 1, sizeof(double));
    double *zero = calloc((size_t)n + 1, sizeof(double)), scale = 0.0, tolerance = tolerance_of(mjcf_file[file]);
    assert_true(H != NULL && force != NULL && zero != NULL);
    crn_tree_load load = {.gravity = crn_model_world_of(model)->gravity};
    crn_tree_mass_matrix(t->tree, q, H);
    crn_tree_inverse(t->tree, q, zero, zero, &load, force);
    for (int i = 0; i < JOINTS; ++i) {
        scale = mjcf_joint[i].file == file ? fmax(scale, fmax(mjcf_joint[i].mass, fabs(mjcf_joint[i].bias))) : scale;
    }
    for (int i = 0; i < JOINTS; ++i) {
        const mjcf_joint_row *row = &mjcf_joint[i];
        if (row->file == file && velocity[i] >= 0) {
            int at = velocity[i];
            char name[32];
            (void)snprintf(name, sizeof name, "joint %d", i);
            expect_list(&H[at + n * at], &row->mass, 1, tolerance * scale, mjcf_file[file], name, "mass matrix");
            expect_list(&force[at], &row->bias, 1, tolerance * scale, mjcf_file[file], name, "gravity");
        }
    }
    free(H);
    free(force);
    free(zero);
}

static void check_moved(const crn_model *model, int file)
{
    static built t;
    double q[8 * MOST];
    int velocity[JOINTS];
    build_tree(model, &t);
    set_coordinates(&t, model, file, q, velocity);
    check_bodies_moved(&t, model, file, q);
    check_forces(&t, model, file, q, velocity);
    crn_tree_destroy(t.tree);
}

/* --- Tests --- */

static void check_files(const char *begin)
{
    int found = 0;
    for (int file = 0; file < FILES; ++file) {
        if (strncmp(mjcf_file[file], begin, strlen(begin)) != 0) {
            continue;
        }
        crn_model *model = read_model(mjcf_file[file]);
        if (model != NULL) {
            check_start(model, file);
            check_moved(model, file);
            crn_model_destroy(model);
            ++found;
        }
    }
    if (found == 0) {
        skip();
    }
}

static void test_own(void **state)
{
    (void)state;
    check_files("own/");
}

static void test_collection(void **state)
{
    (void)state;
    check_files("mjcf/");
}

/* "0.2/2" is no number: the message says where. */
static void test_not_a_number(void **state)
{
    (void)state;
    char path[1024];
    if (test_data_path("mjcf/openai_gym/walker2d.xml", path, sizeof path) == NULL) {
        skip();
    }
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    assert_int_equal(crn_io_read_mjcf(path, NULL, model, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "walker2d.xml:23: <body> pos: needs 3 numbers, but is '0.2/2 0 0.1'"));
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_collection),
        cmocka_unit_test(test_not_a_number),
    };
    return TEST_RUN(tests, argc, argv);
}
