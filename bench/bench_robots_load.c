/* Robots of others: which files there are, and each above a floor.
 *
 * The lowest point is found by the library: how deep everything is in a floor that lies high above it. */
#define _POSIX_C_SOURCE 200809L
#include "bench_robots.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/io.h>

static const char *const mesh_file = "meshes/bullet/shape_sorter.obj";
static const double mesh_density = 1000.0; /* [kg/m^3] */
static const double above_all = 100.0;     /* [m] */

/* URDF does not say whether a robot stands on a base that does not move; these do. */
static const char *const held[] = {"panda",    "iiwa", "wam",   "pendulum",      "cartpole",   "pantilt",
                                   "Pendulum", "door", "hinge", "TwoJointRobot", "test_joints"};
enum { HELD = sizeof held / sizeof *held };

/* --- Files --- */

typedef struct listing {
    robot_file *file;
    int count, room;
    bool is_ok;
} listing;

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static void add_file(listing *l, const char *path)
{
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        robot_file *more = realloc(l->file, (size_t)l->room * sizeof *more);
        if (!more) {
            l->is_ok = false;
            return;
        }
        l->file = more;
    }
    robot_file *file = &l->file[l->count++];
    (void)snprintf(file->path, sizeof file->path, "%s", path);
    const char *begin = strrchr(path, '/');
    while (begin && begin > path && begin[-1] != '/') {
        --begin;
    }
    (void)snprintf(file->name, sizeof file->name, "%s", begin ? begin : path);
}

static void walk(listing *l, const char *folder, const char *ending, int depth)
{
    DIR *dir = depth > 0 ? opendir(folder) : NULL;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry && l->is_ok; entry = readdir(dir)) {
        char path[ROBOT_PATH];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path) {
            continue;
        }
        if (ends_with(path, ending)) {
            add_file(l, path);
        } else {
            walk(l, path, ending, depth - 1); /* a file is no folder: nothing happens */
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const robot_file *)a)->path, ((const robot_file *)b)->path);
}

int robot_list(const char *folder, robot_file **files)
{
    enum { DEPTH = 4 };
    listing l = {.is_ok = true};
    char path[ROBOT_PATH];
    (void)snprintf(path, sizeof path, "%s/robots", folder);
    walk(&l, path, ".urdf", DEPTH);
    (void)snprintf(path, sizeof path, "%s/mjcf", folder);
    walk(&l, path, ".xml", DEPTH);
    (void)snprintf(path, sizeof path, "%s/%s", folder, mesh_file);
    FILE *mesh = fopen(path, "rb");
    if (mesh) {
        (void)fclose(mesh);
        add_file(&l, path);
    }
    if (l.count > 1 && l.is_ok) {
        qsort(l.file, (size_t)l.count, sizeof *l.file, by_path);
    }
    *files = l.file;
    return l.is_ok ? l.count : -1;
}

/* --- Reading --- */

static void warned(void *user, const char *text)
{
    robot_scene *scene = user;
    if (scene->warnings++ == 0) {
        (void)snprintf(scene->warning, sizeof scene->warning, "%s", text);
    }
}

/* A rotation of all equally likely: a random direction of four numbers. */
static crn_quat orientation(uint64_t seed)
{
    crn_random random = crn_random_seed(seed);
    double q[4], square = 0.0;
    if (seed == 0) {
        return (crn_quat){1.0, 0.0, 0.0, 0.0};
    }
    for (int i = 0; i < 4; ++i) {
        q[i] = crn_random_normal(&random);
        square += q[i] * q[i];
    }
    double r = 1.0 / sqrt(square);
    return (crn_quat){r * q[0], r * q[1], r * q[2], r * q[3]};
}

static crn_status read_mesh(const robot_file *file, const robot_start *start, crn_model *model, crn_error *error)
{
    crn_mesh_data mesh = {0};
    crn_status status = crn_io_read_mesh(file->path, (crn_vec3){1.0, 1.0, 1.0}, NULL, &mesh, error);
    if (status == CRN_OK) {
        crn_body_shape shape = crn_body_shape_default();
        crn_body_def body = crn_body_def_default();
        shape.shape = (crn_shape_def){.kind = CRN_SHAPE_MESH,
                                      .points = mesh.points,
                                      .count = mesh.count,
                                      .triangles = mesh.triangles,
                                      .triangle_count = mesh.triangle_count};
        shape.density = mesh_density;
        body.name = "mesh";
        body.pose.rotation = orientation(start->turn);
        body.shape = &shape;
        body.shapes = 1;
        status = crn_model_add_body(model, &body, NULL, error);
    }
    crn_mesh_data_free(&mesh);
    return status;
}

static crn_status read_file(const robot_file *file, const robot_start *start, robot_scene *scene, crn_model *model,
                            crn_error *error)
{
    if (ends_with(file->path, ".obj")) {
        return read_mesh(file, start, model, error);
    }
    crn_robot_options options = crn_robot_options_default();
    options.warn = warned;
    options.user = scene;
    options.skip_missing_meshes = true;
    options.self_collision = start->self_collision;
    for (int i = 0; i < HELD; ++i) {
        options.is_fixed = options.is_fixed || strstr(file->name, held[i]) != NULL;
    }
    if (!options.is_fixed) {
        options.pose.rotation = orientation(start->turn);
    }
    return crn_io_read_robot(file->path, &options, model, error);
}

/* --- What there is --- */

/* Freedom that a body adds: that of its joint in a tree, or 6. */
static int freedom_of(const crn_model *model, int body)
{
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (joint->in_tree && joint->b == body) {
            return crn_joint_kind_freedom(joint->kind);
        }
    }
    return 6;
}

static void look_at(const crn_model *model, robot_scene *scene)
{
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes && body->kind == CRN_BODY_FIXED; ++k) {
            scene->has_floor = scene->has_floor || body->shape[k].shape.kind == CRN_SHAPE_PLANE;
        }
        if (body->kind == CRN_BODY_FREE) {
            scene->bodies++;
            scene->freedom += freedom_of(model, i);
        }
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        bool is_world = joint->a < 0 || crn_model_body(model, joint->a)->kind != CRN_BODY_FREE;
        scene->is_held = scene->is_held || (joint->in_tree && is_world && joint->kind != CRN_JOINT_FREE);
    }
}

static crn_status add_floor(crn_model *model, crn_error *error)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_PLANE};
    body.name = "floor under all";
    body.kind = CRN_BODY_FIXED;
    body.pose.position.z = above_all;
    body.shape = &shape;
    body.shapes = 1;
    return crn_model_add_body(model, &body, NULL, error);
}

/* Mass, and the height of its centre above `lowest`. */
static void weigh(const crn_model *model, robot_scene *scene, double lowest)
{
    int at = 0;
    double moment = 0.0, g = -crn_model_world_of(model)->gravity.z;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        crn_pose pose;
        crn_vec3 com;
        crn_mat3 inertia;
        double mass = 0.0;
        crn_body_id id = crn_world_body(scene->world, i + 1);
        if (crn_model_body(model, i)->kind != CRN_BODY_FREE || crn_body_pose(scene->world, id, &pose) != CRN_OK ||
            crn_body_mass(scene->world, id, &mass, &com, &inertia) != CRN_OK) {
            continue;
        }
        crn_quat q = pose.rotation; /* row z of its matrix times com */
        double z = 2.0 * (q.x * q.z - q.w * q.y) * com.x + 2.0 * (q.y * q.z + q.w * q.x) * com.y +
                   (1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * com.z;
        scene->mass += mass;
        scene->moving[at++] = id;
        moment += mass * (pose.position.z + z - lowest);
    }
    scene->weight = scene->mass * g;
    scene->height = scene->mass > 0.0 ? moment / scene->mass : 0.0;
}

/* What stores energy in joints. */
static void list_springs(const crn_model *model, robot_scene *scene)
{
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        for (int k = 0; k < crn_joint_kind_coordinates(joint->kind) && joint->in_tree; ++k) {
            const crn_joint_axis *axis = &joint->axis[k];
            if (axis->stiffness > 0.0) {
                scene->spring[scene->springs++] = (robot_spring){crn_world_joint(scene->world, i + 1), k,
                                                                 axis->stiffness, crn_profile_at(&axis->target, 0.0)};
            }
        }
    }
}

/* Bring the floor from above everything to below it. */
static crn_status place_floor(robot_scene *scene, int floor, double drop, double *lowest)
{
    double depth = 0.0;
    crn_body_id id = crn_world_body(scene->world, floor + 1);
    crn_status status = crn_world_overlap(scene->world, &depth, NULL, NULL);
    *lowest = depth > 0.0 ? above_all - depth : 0.0; /* nothing has a shape */
    crn_pose pose = {{0.0, 0.0, *lowest - drop}, {1.0, 0.0, 0.0, 0.0}};
    return status == CRN_OK ? crn_body_set_pose(scene->world, id, &pose) : status;
}

static crn_status load(const robot_file *file, const robot_start *start, robot_scene *scene, crn_error *error)
{
    crn_model *model = NULL;
    double lowest = 0.0;
    memset(scene, 0, sizeof *scene);
    crn_status status = crn_model_create(NULL, &model, error);
    status = status == CRN_OK ? read_file(file, start, scene, model, error) : status;
    if (status == CRN_OK) {
        look_at(model, scene);
        status = scene->has_floor ? CRN_OK : add_floor(model, error);
    }
    scene->moving = calloc((size_t)scene->bodies + 1, sizeof *scene->moving);
    scene->spring = calloc((size_t)crn_model_joints(model) * CRN_JOINT_COORDINATES_MAX + 1, sizeof *scene->spring);
    if (status == CRN_OK && (!scene->moving || !scene->spring)) {
        status = CRN_ERR_MEMORY;
    }
    status = status == CRN_OK ? crn_world_create_from(model, NULL, &scene->world, error) : status;
    if (status == CRN_OK && !scene->has_floor) {
        status = place_floor(scene, crn_model_bodies(model) - 1, start->drop, &lowest);
    }
    status = status == CRN_OK ? robot_make_shapes(model, scene, error) : status;
    if (status == CRN_OK) {
        list_springs(model, scene);
        weigh(model, scene, lowest - (scene->has_floor ? 0.0 : start->drop));
    }
    crn_model_destroy(model);
    return status;
}

crn_status robot_load(const robot_file *file, const robot_start *start, robot_scene *scene, crn_error *error)
{
    crn_status status = load(file, start, scene, error);
    if (status == CRN_OK && scene->has_floor && start->turn != 0) { /* the floor was turned too */
        robot_start level = *start;
        level.turn = 0;
        robot_free(scene);
        status = load(file, &level, scene, error);
    }
    return status;
}

void robot_free(robot_scene *scene)
{
    crn_world_destroy(scene->world);
    robot_free_shapes(scene);
    free(scene->moving);
    free(scene->spring);
    memset(scene, 0, sizeof *scene);
}
