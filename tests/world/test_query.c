/* Rays and neighbourhoods: closed answers, and random rays against marching with the signed distance of a small ball. */
#include <cairn/world.h>

#include "../collide/convex_case.h"
#include "../collide/mesh_case.h"

/* --- Rays against shapes --- */

/* March along a ray until a tiny ball comes to the surface; a gap is a step that is safe. Infinite if it never does. */
static double march(const crn_shape *shape, const crn_frame *frame, const crn_ray *ray)
{
    crn_touch touch[CONVEX_TOUCHES];
    crn_shape *ball =
        convex_shape(crn_shape_kind_is_planar(shape->def.kind) ? CRN_SHAPE_DISK : CRN_SHAPE_SPHERE, 1e-9, 0, 0);
    double t = 0.0;
    for (int k = 0; k < 4000 && t <= ray->reach; ++k) {
        crn_pose pose = {crn_v3_axpy(ray->from, t, ray->direction), {1, 0, 0, 0}};
        crn_frame at = crn_frame_of(&pose);
        int count = crn_collide(ball, &at, shape, frame, 20.0, touch, CONVEX_TOUCHES);
        double gap = count > 0 ? convex_lowest(touch, count) : 20.0;
        if (gap < 1e-8) {
            crn_shape_destroy(ball);
            return t;
        }
        t += gap;
    }
    crn_shape_destroy(ball);
    return (double)INFINITY;
}

/* Height over a field of the test, seen straight down; NaN beside it. */
static double height_over(const crn_shape *field, crn_vec3 p)
{
    const crn_shape_def *d = &field->def;
    double u = p.x / d->size.x + 0.5 * (d->rows - 1), v = p.y / d->size.y + 0.5 * (d->columns - 1);
    if (!(u > 0.0 && v > 0.0 && u < d->rows - 1 && v < d->columns - 1)) {
        return NAN;
    }
    int i = (int)u, j = (int)v;
    const double *z = d->points + i + (ptrdiff_t)d->rows * j;
    double x = u - i, y = v - j, low = z[0], high = z[d->rows + 1];
    double ground =
        y > x ? low + y * (z[d->rows] - low) + x * (high - z[d->rows]) : low + x * (z[1] - low) + y * (high - z[1]);
    return p.z - ground;
}

/* The first of many points below the field; NaN if the ray comes from beside it. */
static double march_field(const crn_shape *field, const crn_ray *ray)
{
    double before = NAN;
    for (int k = 0; k <= 300000; ++k) {
        double t = 1e-5 * k, height = height_over(field, crn_v3_axpy(ray->from, t, ray->direction));
        if (height < 0.0) {
            return before >= 0.0 ? t - 1e-5 * height / (height - before) : NAN;
        }
        before = height;
    }
    return (double)INFINITY;
}

static crn_shape *shape_of(crn_shape_kind kind, crn_random *random)
{
    static mesh_case c;
    double points[3 * 20], height[30];
    crn_shape_def def = {.kind = kind, .size = {0.5, 0.3, 0.4}};
    switch (kind) {
    case CRN_SHAPE_MESH:
        c.count = c.triangle_count = 0;
        mesh_case_torus(&c, 0.5, 0.2, 12, 8);
        def = mesh_case_def(&c);
        return convex_make(&def);
    case CRN_SHAPE_HULL: return convex_random_hull(random, 20, 0.5, 0.4, 0.6);
    case CRN_SHAPE_HEIGHT_FIELD:
        for (int k = 0; k < 30; ++k) {
            height[k] = crn_random_uniform(random, -0.1, 0.1);
        }
        def = (crn_shape_def){.kind = kind, .size = {0.3, 0.4, 0}, .points = height, .rows = 6, .columns = 5};
        return convex_make(&def);
    case CRN_SHAPE_POLYGON:
        for (int k = 0; k < 7; ++k) {
            points[2 * k] = 0.5 * cos(0.9 * k);
            points[2 * k + 1] = 0.4 * sin(0.9 * k);
        }
        def.points = points;
        def.count = 7;
        return convex_make(&def);
    default: return convex_make(&def);
    }
}

static void test_random_rays(void **state)
{
    (void)state;
    crn_random random = test_random("test_random_rays", 4);
    int met = 0, missed = 0;
    for (int kind = 0; kind < CRN_SHAPE_KIND_COUNT; ++kind) {
        crn_shape *shape = shape_of((crn_shape_kind)kind, &random);
        bool is_planar = crn_shape_kind_is_planar((crn_shape_kind)kind);
        for (int trial = 0; trial < 200; ++trial) {
            crn_vec3 axis = is_planar ? crn_v3(0, 0, 1) : convex_direction(&random);
            crn_pose pose = {convex_direction(&random),
                             crn_quat_exp(crn_v3_scale(crn_random_uniform(&random, -3, 3), axis))};
            pose.position.z = is_planar ? 0.0 : pose.position.z;
            pose = kind == CRN_SHAPE_HEIGHT_FIELD ? (crn_pose){{0, 0, 0}, {1, 0, 0, 0}} : pose;
            crn_frame frame = crn_frame_of(&pose);
            crn_vec3 from = crn_v3_scale(1.5, convex_direction(&random)),
                     to = crn_v3_scale(0.4, convex_direction(&random));
            from.z = is_planar ? 0.0 : fabs(from.z) + 0.2;
            crn_vec3 way = crn_v3_sub(crn_v3_add(pose.position, to), from);
            way.z = is_planar ? 0.0 : way.z;
            crn_ray ray = {from, crn_v3_unit(way), 3.0};
            crn_ray_hit hit = {.distance = (double)INFINITY};
            bool is_met = crn_shape_cast_ray(shape, &frame, &ray, &hit);
            double right = kind == CRN_SHAPE_HEIGHT_FIELD ? march_field(shape, &ray) : march(shape, &frame, &ray);
            if (isnan(right)) {
                continue;
            }
            if (right > ray.reach) {
                missed++;
                TEST_CHECK(!is_met, "%s, ray %d: met at %g, nothing is there",
                           crn_shape_kind_name((crn_shape_kind)kind), trial, hit.distance);
                continue;
            }
            met++;
            /* a grazing ray is told early by the march: by what the ball's tolerance makes of its slope */
            double slope = fabs(crn_v3_dot(hit.normal, ray.direction));
            TEST_CHECK(is_met && fabs(hit.distance - right) < 1e-7 / (slope + 1e-3), "%s, ray %d: %.12g, not %.12g",
                       crn_shape_kind_name((crn_shape_kind)kind), trial, hit.distance, right);
            assert_true(right == 0.0 || crn_v3_dot(hit.normal, ray.direction) <= 0.0);
            assert_true(fabs(crn_v3_length(hit.normal) - 1.0) < 1e-12);
        }
        crn_shape_destroy(shape);
    }
    print_message("%d met, %d missed\n", met, missed);
    assert_true(met > 1200 && missed > 100);
}

/* --- The world --- */

static crn_world *row_of_balls(int count)
{
    crn_world *world = NULL;
    crn_error error;
    assert_int_equal(crn_world_create(NULL, NULL, &world, &error), CRN_OK);
    for (int k = 0; k < count; ++k) {
        crn_body_shape shape = crn_body_shape_default();
        crn_body_def body = crn_body_def_default();
        crn_body_id id;
        shape.shape.size.x = 0.25;
        shape.group = k % 2 == 0 ? 1 : 2;
        body.pose.position = crn_v3(k, 0, 0);
        body.shape = &shape;
        body.shapes = 1;
        assert_int_equal(crn_body_create(world, &body, &id, &error), CRN_OK);
    }
    return world;
}

static void test_world_rays(void **state)
{
    (void)state;
    crn_world *world = row_of_balls(10);
    crn_ray ray = {{-1, 0.15, 0}, {2, 0, 0}, 100.0}; /* the direction need not be unit */
    crn_query_shape met;
    crn_ray_hit hit;
    assert_true(crn_world_cast_ray(world, &ray, NULL, &met, &hit));
    assert_true(met.body.index1 == 1 && met.shape == 0 && fabs(hit.distance - 0.8) < 1e-15);
    assert_true(fabs(hit.normal.x + 0.8) < 1e-15 && fabs(hit.normal.y - 0.6) < 1e-15);
    crn_query_filter filter = crn_query_filter_default();
    filter.mask = 2;
    assert_true(crn_world_cast_ray(world, &ray, &filter, &met, &hit) && met.body.index1 == 2);
    filter = crn_query_filter_default();
    filter.except = crn_world_body(world, 1);
    assert_true(crn_world_cast_ray(world, &ray, &filter, &met, &hit) && met.body.index1 == 2);
    ray.from.x = 3.0; /* begins inside */
    assert_true(crn_world_cast_ray(world, &ray, NULL, &met, &hit) && met.body.index1 == 4 && hit.distance == 0.0);
    ray.from.y = 0.3;
    assert_false(crn_world_cast_ray(world, &ray, NULL, &met, &hit));
    assert_int_equal(met.body.index1, 0);
    ray.direction = crn_v3(0, 0, 0);
    assert_false(crn_world_cast_ray(world, &ray, NULL, &met, &hit));
    ray = (crn_ray){{0, 0, 5}, {0, 0, -1}, 4.7};
    assert_false(crn_world_cast_ray(world, &ray, NULL, &met, &hit)); /* too short */
    ray.from.z = NAN;
    assert_false(crn_world_cast_ray(world, &ray, NULL, &met, &hit));
    crn_world_destroy(world);
}

static void test_world_near(void **state)
{
    (void)state;
    crn_world *world = row_of_balls(10);
    crn_shape *probe = convex_shape(CRN_SHAPE_BOX, 0.1, 0.1, 0.1);
    crn_pose pose = {{2.3, 0, 0}, {1, 0, 0, 0}};
    crn_query_near near[4];
    int count = crn_world_near(world, probe, &pose, 1.0, NULL, near, 4);
    assert_int_equal(count, 3); /* balls 2 and 3, and 1 at 0.95 */
    assert_true(near[0].found.body.index1 == 3 && fabs(near[0].gap + 0.05) < 1e-14);
    assert_true(near[1].found.body.index1 == 4 && fabs(near[1].gap - 0.35) < 1e-14);
    assert_true(near[2].found.body.index1 == 2 && fabs(near[2].gap - 0.95) < 1e-14);
    assert_true(fabs(near[1].on_own.x - 2.4) < 1e-14 && fabs(near[1].on_found.x - 2.75) < 1e-14);
    assert_true(fabs(near[1].normal.x + 1.0) < 1e-14);
    assert_int_equal(crn_world_near(world, probe, &pose, 0.0, NULL, near, 4), 1); /* what it overlaps */
    assert_int_equal(crn_world_near(world, probe, &pose, 1.0, NULL, near, 1), 3); /* room for the first */
    assert_int_equal(near[0].found.body.index1, 3);
    assert_int_equal(crn_world_near(world, probe, &pose, -1.0, NULL, near, 1), -1);
    crn_shape_destroy(probe);
    probe = convex_shape(CRN_SHAPE_DISK, 1, 0, 0);
    assert_int_equal(crn_world_near(world, probe, &pose, 1.0, NULL, near, 1), -1); /* a planar shape in space */
    crn_shape_destroy(probe);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_rays), cmocka_unit_test(test_world_rays),
                                       cmocka_unit_test(test_world_near)};
    return TEST_RUN(tests, argc, argv);
}
