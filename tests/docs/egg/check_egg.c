/* docs/guide/adding_a_shape.md: the egg in a library that has it. Prints what is wrong; exit code 1 if anything is. */
#include <cairn/draw.h>
#include <cairn/io.h>
#include <cairn/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double r = 0.03, down = 0.02, up = 0.045; /* stands on its blunt end */
static int wrong;
static crn_error error;

static void check(bool is_right, const char *what, double value, double right)
{
    if (!is_right) {
        printf("%s: %.9g instead of %.9g\n", what, value, right);
        wrong++;
    }
}

static void near(const char *what, double value, double right, double tolerance)
{
    check(fabs(value - right) <= tolerance, what, value, right);
}

/* --- Shapes --- */

static crn_shape *make(const crn_shape_def *def)
{
    crn_shape *shape = NULL;
    if (crn_shape_create(def, NULL, &shape, &error) != CRN_OK) {
        printf("%s: %s\n", crn_shape_kind_name(def->kind), error.text);
        exit(1);
    }
    return shape;
}

static const crn_shape_def egg_def = {.kind = CRN_SHAPE_EGG, .size = {0.03, 0.02, 0.045}};

/* The egg as a mesh or hull: of points of the surface that drawing made, so a little smaller. */
static crn_shape *cut_egg(crn_shape_kind kind, int segments)
{
    crn_triangles t;
    crn_triangles_options options = {.segments = segments};
    if (crn_shape_triangles(&egg_def, &options, NULL, &t, &error) != CRN_OK) {
        printf("triangles: %s\n", error.text);
        exit(1);
    }
    crn_shape *made = make(&(crn_shape_def){.kind = kind,
                                            .points = t.points,
                                            .count = t.count,
                                            .triangles = t.triangles,
                                            .triangle_count = t.triangle_count});
    crn_triangles_free(&t);
    return made;
}

static void check_mass(void)
{
    crn_shape *egg = make(&egg_def), *mesh = cut_egg(CRN_SHAPE_MESH, 400);
    crn_mass_properties exact = crn_shape_mass(egg), cut = crn_shape_mass(mesh);
    near("mass", exact.mass, cut.mass, 1e-3 * cut.mass);
    near("centre", exact.com.z, cut.com.z, 1e-3 * up);
    near("inertia across", exact.inertia.m[0], cut.inertia.m[0], 1e-3 * cut.inertia.m[0]);
    near("inertia along", exact.inertia.m[8], cut.inertia.m[8], 1e-3 * cut.inertia.m[8]);
    crn_shape_destroy(egg);
    crn_shape_destroy(mesh);
}

static double uniform(double low, double high)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static crn_frame random_frame(double reach)
{
    crn_quat q = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    double w = q.w / length, x = q.x / length, y = q.y / length, z = q.z / length;
    return (crn_frame){{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z),
                         1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x),
                         1 - 2 * (x * x + y * y)}},
                       {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)}};
}

static double lowest_gap(const crn_shape *a, const crn_frame *fa, const crn_shape *b, const crn_frame *fb, double reach)
{
    static crn_touch touch[4096];
    int count = crn_collide(a, fa, b, fb, reach, touch, 4096);
    double lowest = INFINITY;
    for (int k = 0; k < count; ++k) {
        lowest = fmin(lowest, touch[k].gap);
    }
    return lowest;
}

/* With every other solid kind: the gap is that of the egg's hull of many points, up to what these leave out. */
static void check_gaps(void)
{
    static const double corner[] = {0, 0, 0, 0.08, 0, 0, 0, 0.08, 0, 0, 0, 0.08};
    static const int triangle[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    static const double height[] = {0, 0.01, 0, 0.01, 0.03, 0, 0, 0, 0.02};
    const crn_shape_def other[] = {
        {.kind = CRN_SHAPE_SPHERE, .size = {0.03, 0, 0}},
        {.kind = CRN_SHAPE_BOX, .size = {0.03, 0.04, 0.02}},
        {.kind = CRN_SHAPE_CAPSULE, .size = {0.02, 0.03, 0}},
        {.kind = CRN_SHAPE_CYLINDER, .size = {0.03, 0.02, 0}},
        {.kind = CRN_SHAPE_ELLIPSOID, .size = {0.02, 0.03, 0.04}},
        {.kind = CRN_SHAPE_HULL, .points = corner, .count = 4},
        {.kind = CRN_SHAPE_CONE, .size = {0.03, 0.03, 0}},
        {.kind = CRN_SHAPE_PLANE},
        {.kind = CRN_SHAPE_HEIGHT_FIELD, .size = {0.1, 0.1, 0}, .points = height, .rows = 3, .columns = 3},
        {.kind = CRN_SHAPE_MESH, .points = corner, .count = 4, .triangles = triangle, .triangle_count = 4},
        egg_def};
    crn_shape *egg = make(&egg_def), *hull = cut_egg(CRN_SHAPE_HULL, 64);
    int compared = 0;
    for (size_t k = 0; k < sizeof other / sizeof *other; ++k) {
        crn_shape *b = make(&other[k]);
        const crn_frame still = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
        for (int i = 0; i < 400; ++i) {
            crn_frame fa = random_frame(0.06), fb = k == 7 || k == 8 ? still : random_frame(0.06);
            double gap = lowest_gap(egg, &fa, b, &fb, 0.01), cut = lowest_gap(hull, &fa, b, &fb, 0.02);
            double turned = lowest_gap(b, &fb, egg, &fa, 0.01);
            if (cut > 0.009 || cut < -0.005) {
                continue; /* apart, or so deep that the way out of a mesh depends on its triangles */
            }
            compared++;
            near(crn_shape_kind_name(other[k].kind), gap, cut, 2.5e-4);
            near("turned round", turned, gap, 0.0);
        }
        crn_shape_destroy(b);
    }
    check(compared > 400, "gaps compared", compared, 400);
    crn_shape_destroy(egg);
    crn_shape_destroy(hull);
}

/* The point of the surface whose outward normal is d. */
static crn_vec3 point_along(crn_vec3 d)
{
    double c = d.z < 0.0 ? down : up, scale = 1.0 / sqrt(r * r * (d.x * d.x + d.y * d.y) + c * c * d.z * d.z);
    return (crn_vec3){scale * r * r * d.x, scale * r * r * d.y, scale * c * c * d.z};
}

static crn_vec3 times(const crn_mat3 *m, crn_vec3 v)
{
    const double *a = m->m;
    return (crn_vec3){a[0] * v.x + a[3] * v.y + a[6] * v.z, a[1] * v.x + a[4] * v.y + a[7] * v.z,
                      a[2] * v.x + a[5] * v.y + a[8] * v.z};
}

static crn_vec3 transposed_times(const crn_mat3 *m, crn_vec3 v)
{
    const double *a = m->m;
    return (crn_vec3){a[0] * v.x + a[1] * v.y + a[2] * v.z, a[3] * v.x + a[4] * v.y + a[5] * v.z,
                      a[6] * v.x + a[7] * v.y + a[8] * v.z};
}

/* Two eggs put so that their surfaces face each other along n at a given distance: that is the gap, to rounding. */
static void check_two_eggs(void)
{
    crn_shape *egg = make(&egg_def);
    for (int i = 0; i < 500; ++i) {
        crn_frame fa = random_frame(0.06), fb = random_frame(0.06), other = random_frame(0.0);
        crn_vec3 n = {other.rotation.m[0], other.rotation.m[1], other.rotation.m[2]}, back = {-n.x, -n.y, -n.z};
        double right = uniform(-0.002, 0.01);
        crn_vec3 p = times(&fa.rotation, point_along(transposed_times(&fa.rotation, back)));
        crn_vec3 q = times(&fb.rotation, point_along(transposed_times(&fb.rotation, n)));
        fa.position.x = fb.position.x + q.x + right * n.x - p.x;
        fa.position.y = fb.position.y + q.y + right * n.y - p.y;
        fa.position.z = fb.position.z + q.z + right * n.z - p.z;
        near("two eggs", lowest_gap(egg, &fa, egg, &fb, 0.02), right, 1e-14);
    }
    crn_shape_destroy(egg);
}

/* Where a ray meets the egg, the point is on the surface and the normal across it. */
static void check_rays(void)
{
    crn_shape *egg = make(&egg_def);
    const crn_frame still = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
        crn_frame f = random_frame(0.02);
        crn_vec3 d = {f.rotation.m[0], f.rotation.m[1], f.rotation.m[2]};
        crn_ray ray = {{f.position.x - 0.2 * d.x, f.position.y - 0.2 * d.y, f.position.z - 0.2 * d.z}, d, 1.0};
        crn_ray_hit hit;
        if (!crn_shape_cast_ray(egg, &still, &ray, &hit)) {
            continue;
        }
        double c = hit.point.z < 0.0 ? down : up;
        crn_vec3 n = {hit.point.x / (r * r), hit.point.y / (r * r), hit.point.z / (c * c)};
        double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        near("ray: on the surface", n.x * hit.point.x + n.y * hit.point.y + n.z * hit.point.z, 1.0, 1e-12);
        near("ray: normal", (n.x * hit.normal.x + n.y * hit.normal.y + n.z * hit.normal.z) / length, 1.0, 1e-9);
        hits++;
    }
    check(hits > 1000, "rays that hit", hits, 1000);
    crn_shape_destroy(egg);
}

/* --- Files and motion --- */

static crn_model *read_scene(const char *text)
{
    crn_model *model = NULL;
    if (crn_io_read_scene_text(text, strlen(text), "egg.json", NULL, &model, &error) != CRN_OK) {
        printf("%s\n", error.text);
        exit(1);
    }
    return model;
}

static void refuse(const char *shape, const char *message)
{
    char text[400];
    crn_model *model = NULL;
    (void)snprintf(text, sizeof text, "{\"bodies\": [{\"shapes\": [{\"kind\": \"egg\", %s}]}]}", shape);
    crn_status status = crn_io_read_scene_text(text, strlen(text), "egg.json", NULL, &model, &error);
    if (status == CRN_OK || strstr(error.text, message) == NULL) {
        printf("%s: \"%s\" instead of \"%s\"\n", shape, error.text, message);
        wrong++;
    }
}

#define SCENE(body)                                                                                     \
    "{\"bodies\": [{\"kind\": \"fixed\", \"shapes\": [{\"kind\": \"plane\", \"friction\": 1}]}, {" body \
    ", \"shapes\": [{\"kind\": \"egg\", \"radius\": 0.03, \"half\": [0.02, 0.045], \"friction\": 1}]}]}"

static void check_files(void)
{
    crn_model *model = read_scene(SCENE("\"position\": [0, 0, 0.1]")), *again;
    char *text = NULL, *twice = NULL;
    (void)crn_io_write_scene_text(model, NULL, &text, NULL, &error);
    again = read_scene(text);
    (void)crn_io_write_scene_text(again, NULL, &twice, NULL, &error);
    check(strcmp(text, twice) == 0 && strstr(text, "\"egg\"") != NULL, "written and read", 0, 1);
    refuse("\"radius\": 0, \"half\": [1, 1]", "radius: must be > 0");
    refuse("\"radius\": 1, \"half\": [1, -1]", "half[1]: must be > 0");
    refuse("\"radius\": 1", "half: missing");
    refuse("\"radius\": 1, \"half\": [1, 1], \"half_length\": 1", "a egg has none");
    free(text);
    free(twice);
    crn_model_destroy(model);
    crn_model_destroy(again);
}

static void step(crn_world *world, double dt, crn_step_stats *stats)
{
    if (crn_world_step(world, dt, stats, &error) != CRN_OK || stats->outcome != CRN_LCP_SOLVED) {
        printf("step: not solved: %s\n", error.text);
        exit(1);
    }
}

static crn_world *world_of(const char *scene)
{
    crn_model *model = read_scene(scene);
    crn_world *world = NULL;
    if (crn_world_create_from(model, NULL, &world, &error) != CRN_OK) {
        printf("%s\n", error.text);
        exit(1);
    }
    crn_model_destroy(model);
    return world;
}

/* Dropped on the plane it stays on it, touches it in one point, and has no more energy than before; its centre is lowest when it
 * stands on its blunt end. */
static void check_drop(void)
{
    crn_world *world = world_of(SCENE("\"position\": [0, 0, 0.1], \"axis_angle\": [0.8, 0.6, 0, 0.4]"));
    crn_shape *egg = make(&egg_def);
    crn_mass_properties m = crn_shape_mass(egg);
    crn_step_stats stats;
    double deepest = 0.0, first = 0.0, least = 1000.0 * 9.81 * m.mass * (down + m.com.z);
    for (int k = 0; k < 1500; ++k) {
        step(world, 0.002, &stats);
        deepest = fmax(deepest, stats.penetration);
        first = k == 0 ? stats.kinetic + stats.potential : first;
    }
    double last = stats.kinetic + stats.potential;
    near("drop: overlap", deepest, 0.0, 2e-4);
    near("drop: contacts", stats.contacts, 1, 0);
    check(last < 0.7 * first && last > least, "drop: energy", last, first);
    crn_shape_destroy(egg);
    crn_world_destroy(world);
}

/* Rocking about the upright place. With R = r^2 / c_1 the radius of curvature at the lower pole, h the height of the centre over
 * it and I the moment about the centre, small turns have  (I + m h^2) a'' = -m g (R - h) a. */
static void check_rocking(void)
{
    crn_world *world = world_of(SCENE("\"position\": [0, 0, 0.02], \"axis_angle\": [1, 0, 0, 0.01]"));
    crn_shape *egg = make(&egg_def);
    crn_mass_properties m = crn_shape_mass(egg);
    double height = down + m.com.z, curved = r * r / down;
    double right = 2 * pi * sqrt((m.inertia.m[0] / m.mass + height * height) / (9.81 * (curved - height)));
    crn_body_id body = crn_world_body(world, 2);
    double last = 0.0, first_time = 0.0, last_time = 0.0, before = 0.0;
    int crossings = 0;
    for (int k = 0; k < 2000; ++k) {
        crn_step_stats stats;
        crn_pose pose;
        step(world, 0.0005, &stats);
        (void)crn_body_pose(world, body, &pose);
        double tilt = 2.0 * pose.rotation.x;
        if (k > 0 && (tilt > 0.0) != (last > 0.0)) {
            double at = before + (stats.time - before) * last / (last - tilt);
            first_time = crossings == 0 ? at : first_time;
            last_time = at;
            crossings++;
        }
        last = tilt;
        before = stats.time;
    }
    check(crossings >= 4, "rocking: swings", crossings, 4);
    near("rocking: period", 2.0 * (last_time - first_time) / (crossings - 1), right, 0.005 * right);
    crn_shape_destroy(egg);
    crn_world_destroy(world);
}

/* Let go at a large angle it rolls to and fro; it turns into motion what its centre falls. The largest error of the energy, as a
 * part of that. */
static double energy_error(double dt)
{
    const double tilt = 1.0, touches = hypot(r * sin(tilt), down * cos(tilt));
    char scene[400];
    (void)snprintf(scene, sizeof scene, SCENE("\"position\": [0, 0, %.17g], \"axis_angle\": [1, 0, 0, %.17g]"), touches,
                   tilt);
    crn_world *world = world_of(scene);
    crn_step_stats stats;
    double first = 0.0, worst = 0.0, most = 0.0;
    for (int k = 0; k < (int)(0.6 / dt); ++k) {
        step(world, dt, &stats);
        double energy = stats.kinetic + stats.potential;
        first = k == 0 ? energy : first;
        worst = fmax(worst, fabs(energy - first));
        most = fmax(most, stats.kinetic);
    }
    crn_world_destroy(world);
    return worst / most;
}

static void check_rolling(void)
{
    double coarse = energy_error(0.001), fine = energy_error(0.0005);
    printf("rolling: energy is kept to %.2g at 1 ms, %.2g at 0.5 ms\n", coarse, fine);
    near("rolling: energy", coarse, 0.0, 1e-3);
    check(fine < 0.35 * coarse, "rolling: energy at half the step", fine, 0.25 * coarse);
}

int main(void)
{
    check_mass();
    check_gaps();
    check_two_eggs();
    check_rays();
    check_files();
    check_drop();
    check_rocking();
    check_rolling();
    printf("%s\n", wrong == 0 ? "the egg is right" : "the egg is wrong");
    return wrong == 0 ? 0 : 1;
}
