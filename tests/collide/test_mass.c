/* Mass properties against the integral itself: midpoint sums over a fine grid of the bounding box, and known cases. */
#include "primitive_case.h"

static bool is_inside(const crn_shape_def *def, crn_vec3 x)
{
    crn_vec3 s = def->size;
    switch (def->kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: return crn_v3_length(x) <= s.x;
    case CRN_SHAPE_BOX: return fabs(x.x) <= s.x && fabs(x.y) <= s.y && fabs(x.z) <= s.z;
    case CRN_SHAPE_CAPSULE: return hypot(hypot(x.x, x.y), fmax(fabs(x.z) - s.y, 0.0)) <= s.x;
    case CRN_SHAPE_CYLINDER: return hypot(x.x, x.y) <= s.x && fabs(x.z) <= s.y;
    case CRN_SHAPE_ELLIPSOID: return hypot(hypot(x.x / s.x, x.y / s.y), x.z / s.z) <= 1.0;
    case CRN_SHAPE_ELLIPSE: return hypot(x.x / s.x, x.y / s.y) <= 1.0;
    case CRN_SHAPE_SEGMENT: return hypot(fmax(fabs(x.x) - s.x, 0.0), x.y) <= s.y;
    default: return false;
    }
}

static void extent(const crn_shape_def *def, double h[3])
{
    crn_vec3 s = def->size;
    bool is_long = def->kind == CRN_SHAPE_CAPSULE, is_can = def->kind == CRN_SHAPE_CYLINDER;
    bool is_bar = def->kind == CRN_SHAPE_SEGMENT,
         is_round = def->kind == CRN_SHAPE_SPHERE || def->kind == CRN_SHAPE_DISK;
    h[0] = is_bar ? s.x + s.y : s.x;
    h[1] = is_round || is_long || is_can ? s.x : s.y;
    h[2] = is_round ? s.x : is_long ? s.x + s.y : is_can ? s.y : s.z;
}

/* Sums over cells^3 (planar: cells^2) midpoints of the corner x, y, z > 0, which all these shapes repeat in the others. */
static crn_mass_properties sum_up(const crn_shape_def *def, int cells)
{
    crn_mass_properties sum = {0};
    bool is_planar = crn_shape_kind_is_planar(def->kind);
    double h[3];
    extent(def, h);
    double step[3] = {h[0] / cells, h[1] / cells, h[2] / cells};
    double cell = is_planar ? 4.0 * step[0] * step[1] : 8.0 * step[0] * step[1] * step[2];
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
            for (int k = 0; k < (is_planar ? 1 : cells); ++k) {
                crn_vec3 x = {(i + 0.5) * step[0], (j + 0.5) * step[1], is_planar ? 0.0 : (k + 0.5) * step[2]};
                if (is_inside(def, x)) {
                    sum.mass += cell;
                    sum.inertia.m[0] += cell * (x.y * x.y + x.z * x.z);
                    sum.inertia.m[4] += cell * (x.z * x.z + x.x * x.x);
                    sum.inertia.m[8] += cell * (x.x * x.x + x.y * x.y);
                }
            }
        }
    }
    return sum;
}

static void test_against_sums(void **state)
{
    (void)state;
    const crn_shape_def defs[] = {
        {.kind = CRN_SHAPE_SPHERE, .size = {0.7, 0, 0}},     {.kind = CRN_SHAPE_BOX, .size = {0.3, 0.5, 0.9}},
        {.kind = CRN_SHAPE_CAPSULE, .size = {0.4, 0.3, 0}},  {.kind = CRN_SHAPE_CAPSULE, .size = {0.2, 1.5, 0}},
        {.kind = CRN_SHAPE_CYLINDER, .size = {0.4, 0.7, 0}}, {.kind = CRN_SHAPE_ELLIPSOID, .size = {0.3, 0.5, 0.9}},
        {.kind = CRN_SHAPE_DISK, .size = {0.7, 0, 0}},       {.kind = CRN_SHAPE_ELLIPSE, .size = {0.3, 0.8, 0}},
        {.kind = CRN_SHAPE_SEGMENT, .size = {0.5, 0.4, 0}},  {.kind = CRN_SHAPE_SEGMENT, .size = {1.5, 0.1, 0}},
    };
    for (size_t k = 0; k < sizeof defs / sizeof *defs; ++k) {
        crn_shape *shape = case_shape(defs[k].kind, defs[k].size.x, defs[k].size.y, defs[k].size.z);
        bool is_planar = crn_shape_kind_is_planar(defs[k].kind);
        crn_mass_properties exact = crn_shape_mass(shape), sum = sum_up(&defs[k], is_planar ? 1000 : 150);
        const char *name = crn_shape_kind_name(defs[k].kind);
        TEST_CHECK(fabs(sum.mass / exact.mass - 1.0) < 1e-3, "%s: mass %g, sum %g", name, exact.mass, sum.mass);
        case_close(exact.com, crn_v3(0, 0, 0), 0.0);
        for (int j = 0; j < 9; ++j) {
            double x = exact.inertia.m[j], y = is_planar && j != 8 ? 0.0 : sum.inertia.m[j];
            TEST_CHECK(fabs(x - y) <= 2e-3 * fabs(y), "%s: inertia %d is %g, sum %g", name, j, x, y);
        }
        crn_shape_destroy(shape);
    }
}

/* Limits: a capsule without length is a ball, a round bar without radius a thin one, an even ellipsoid a ball. */
static void test_limits(void **state)
{
    (void)state;
    crn_shape *ball = case_shape(CRN_SHAPE_SPHERE, 0.5, 0, 0), *pill = case_shape(CRN_SHAPE_CAPSULE, 0.5, 0, 0);
    crn_shape *egg = case_shape(CRN_SHAPE_ELLIPSOID, 0.5, 0.5, 0.5), *plane = case_shape(CRN_SHAPE_PLANE, 0, 0, 0);
    crn_shape *thin = case_shape(CRN_SHAPE_SEGMENT, 0.5, 0, 0), *bar = case_shape(CRN_SHAPE_SEGMENT, 0.5, 1e-9, 0);
    crn_shape *cube = case_shape(CRN_SHAPE_BOX, 0.5, 0.5, 0.5), *disk = case_shape(CRN_SHAPE_DISK, 0.5, 0, 0);
    crn_mass_properties b = crn_shape_mass(ball), p = crn_shape_mass(pill), e = crn_shape_mass(egg);
    for (int k = 0; k < 9; ++k) {
        case_near(b.inertia.m[k], p.inertia.m[k], 1e-16);
        case_near(b.inertia.m[k], e.inertia.m[k], 1e-16);
    }
    case_near(crn_shape_mass(cube).mass, 1.0, 0.0);
    case_near(crn_shape_mass(cube).inertia.m[4], 1.0 / 6.0, 1e-16);
    case_near(crn_shape_mass(thin).mass, 1.0, 0.0);
    case_near(crn_shape_mass(thin).inertia.m[8], 1.0 / 12.0, 1e-16);
    case_near(crn_shape_mass(bar).inertia.m[8] / crn_shape_mass(bar).mass, 1.0 / 12.0, 1e-8);
    case_near(crn_shape_mass(disk).inertia.m[8] / crn_shape_mass(disk).mass, 0.125, 1e-16);
    case_near(crn_shape_mass(plane).mass, 0.0, 0.0);
    crn_shape *const all[] = {ball, pill, egg, plane, thin, bar, cube, disk};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        crn_shape_destroy(all[k]);
    }
}

/* A cone is the limit of pyramids: of a hull of many corners. */
static void test_cone(void **state)
{
    (void)state;
    enum { SIDES = 400 };
    double points[3 * (SIDES + 1)] = {0};
    for (int k = 0; k < SIDES; ++k) {
        points[3 * k] = 0.4 * cos(2.0 * 3.14159265358979323846 * k / SIDES);
        points[3 * k + 1] = 0.4 * sin(2.0 * 3.14159265358979323846 * k / SIDES);
        points[3 * k + 2] = -0.7;
    }
    points[3 * SIDES + 2] = 0.7;
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = SIDES + 1};
    crn_shape *cone = case_shape(CRN_SHAPE_CONE, 0.4, 0.7, 0), *pyramid = NULL;
    assert_int_equal(crn_shape_create(&def, NULL, &pyramid, NULL), CRN_OK);
    crn_mass_properties x = crn_shape_mass(cone), y = crn_shape_mass(pyramid);
    case_near(y.mass / x.mass, 1.0, 1e-4);
    case_close(y.com, x.com, 1e-12);
    for (int k = 0; k < 9; k += 4) {
        case_near(y.inertia.m[k] / x.inertia.m[k], 1.0, 2e-4);
    }
    crn_shape_destroy(cone);
    crn_shape_destroy(pyramid);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_sums),
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_limits),
    };
    return TEST_RUN(tests, argc, argv);
}
