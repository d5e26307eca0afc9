/* Joint types: rates of values against differences under random motions, S and T against each other and against motions,
 * coordinates against poses made by hand, ranks in space and in the plane, momentum, large errors, names, turns. */
#include "joint_case.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

#define EACH_KIND(kind) (crn_joint_kind kind = CRN_JOINT_BALL; (int)kind < CRN_JOINT_KIND_COUNT; ++kind)

static const char *name_of(crn_joint_kind kind)
{
    return crn_joint_type_of(kind)->name;
}

/* --- Cases --- */

/* Both bodies anywhere, moving; the joint is far from closed: angles up to `angle`, the origins 0.5 to 2 apart (nearer, the
 * direction of a distance joint turns so fast that differences of its value tell little). */
static joint_case open_case(crn_random *random, double angle)
{
    joint_case c = {joint_random_side(random), joint_random_side(random), 0.7};
    crn_vec3 axis = crn_v3_unit(joint_random_vector(random, 1.0));
    crn_vec3 turn = crn_v3_scale(crn_random_uniform(random, 0.0, angle), axis);
    crn_vec3 apart = crn_v3_scale(crn_random_uniform(random, 0.5, 2.0), crn_v3_unit(joint_random_vector(random, 1.0)));
    joint_place(&c, (crn_pose){apart, crn_quat_exp(turn)});
    return c;
}

/* A closed joint at random coordinates q. */
static joint_case closed_case(crn_random *random, crn_joint_kind kind, double q[3])
{
    joint_case c = {joint_random_side(random), joint_random_side(random), 0.0};
    for (int i = 0; i < 3; ++i) {
        q[i] = crn_random_uniform(random, -3.0, 3.0);
    }
    if (kind == CRN_JOINT_DISTANCE) {
        q[0] = c.length = crn_random_uniform(random, 0.5, 2.0);
    }
    joint_place(&c, joint_closed_pose(kind, q));
    return c;
}

/* --- Rates --- */

typedef void (*row_function)(const crn_joint_sides *sides, crn_joint_row *row);

/* The difference of two values; of angles, the shortest way round. */
static double change(double to, double from, bool is_angle)
{
    return is_angle ? remainder(to - from, 2 * pi) : to - from;
}

/* Largest gap between a row's speed and the difference of fourth order of its value; a value that jumps is left out. */
static double rate_error(const joint_case *c, row_function rows, int count, unsigned angles, int *jumps)
{
    const double t = 5e-4, farthest = 0.3;
    crn_joint_row now[CRN_JOINT_ROWS_MAX], row[4][CRN_JOINT_ROWS_MAX];
    static const double at[4] = {-2, -1, 1, 2};
    crn_joint_sides sides = joint_sides_at(c, 0.0);
    rows(&sides, now);
    for (int k = 0; k < 4; ++k) {
        sides = joint_sides_at(c, at[k] * t);
        rows(&sides, row[k]);
    }
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        bool is_angle = (angles >> i) & 1u;
        double outer = change(row[3][i].value, row[0][i].value, is_angle);
        double inner = change(row[2][i].value, row[1][i].value, is_angle);
        if (fabs(outer) > farthest) {
            ++*jumps;
            continue;
        }
        double rate = (8.0 * inner - outer) / (12.0 * t), speed = joint_speed(c, &now[i]);
        worst = fmax(worst, fabs(rate - speed) / (1.0 + fabs(speed)));
    }
    return worst;
}

/* Every value's rate is its row's speed, far from closed too. Near half a turn, where the shortest way round changes, the
 * higher derivatives that differences leave out are large: up to 2.5 rad is looked at here. */
static void test_rates(void **state)
{
    (void)state;
    crn_random random = test_random("rates", 11);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            double worst = 0.0, worst_coordinate = 0.0;
            int jumps = 0;
            for (int trial = 0; trial < 300; ++trial) {
                /* the angles of a universal joint jump where x_a and y_b are parallel: stay away */
                double angle = trial % 3 == 0 ? 1e-3 : trial % 3 == 1 ? 0.1 : kind == CRN_JOINT_UNIVERSAL ? 1.2 : 2.5;
                joint_case c = open_case(&random, angle);
                worst = fmax(worst, rate_error(&c, type->hold, type->rows, 0, &jumps));
                if (type->coordinate != NULL) {
                    double error = rate_error(&c, type->coordinate, type->coordinates, type->angles, &jumps);
                    worst_coordinate = fmax(worst_coordinate, error);
                }
            }
            print_message("%s: held %.1e, coordinates %.1e\n", type->name, worst, worst_coordinate);
            TEST_CHECK(jumps == 0, "%s: %d values jump", type->name, jumps);
            TEST_CHECK(worst < 1e-9, "%s: rates of what is held differ by %g", type->name, worst);
            TEST_CHECK(worst_coordinate < 1e-9, "%s: rates of coordinates differ by %g", type->name, worst_coordinate);
        }
}

/* On a closed joint the universal joint's angles may be anything; so may those of the others. */
static void test_rates_when_closed(void **state)
{
    (void)state;
    crn_random random = test_random("rates_when_closed", 12);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            int jumps = 0;
            for (int trial = 0; trial < 100; ++trial) {
                double q[3];
                joint_case c = closed_case(&random, kind, q);
                assert_true(rate_error(&c, type->hold, type->rows, 0, &jumps) < 1e-9);
                if (type->coordinate != NULL) {
                    assert_true(rate_error(&c, type->coordinate, type->coordinates, type->angles, &jumps) < 1e-9);
                }
            }
            assert_int_equal(jumps, 0);
        }
}

/* --- Momentum: impulses on a and b are equal and opposite, about any point, however far the joint is open --- */

static void check_balance(const crn_joint_sides *sides, const crn_joint_row *row, const char *name)
{
    crn_vec3 force = crn_v3_add(crn_v3_of(row->a + 3), crn_v3_of(row->b + 3));
    crn_vec3 torque = crn_v3_add(crn_v3_of(row->a), crn_v3_of(row->b));
    torque = crn_v3_add(torque, crn_v3_cross(sides->com_a, crn_v3_of(row->a + 3)));
    torque = crn_v3_add(torque, crn_v3_cross(sides->com_b, crn_v3_of(row->b + 3)));
    double size = crn_v3_length(crn_v3_of(row->b)) + crn_v3_length(crn_v3_of(row->b + 3));
    TEST_CHECK(crn_v3_length(force) == 0.0, "%s: force %g", name, crn_v3_length(force));
    TEST_CHECK(crn_v3_length(torque) < 1e-14 * (1 + size), "%s: torque %g", name, crn_v3_length(torque));
}

static void test_momentum_balance(void **state)
{
    (void)state;
    crn_random random = test_random("momentum_balance", 13);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            for (int trial = 0; trial < 100; ++trial) {
                joint_case c = open_case(&random, pi);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                crn_joint_row row[CRN_JOINT_ROWS_MAX];
                type->hold(&sides, row);
                for (int i = 0; i < type->rows; ++i) {
                    check_balance(&sides, &row[i], type->name);
                }
                if (type->coordinate != NULL) {
                    type->coordinate(&sides, row);
                    for (int i = 0; i < type->coordinates; ++i) {
                        check_balance(&sides, &row[i], type->name);
                    }
                }
            }
        }
}

/* --- S and T --- */

/* T'S = 0 and together they span everything, closed or not. */
static void test_complement(void **state)
{
    (void)state;
    crn_random random = test_random("complement", 14);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            assert_int_equal(type->freedom + type->rows, 6);
            if (kind == CRN_JOINT_DISTANCE) {
                assert_null(type->motion);
                assert_null(type->complement);
                continue;
            }
            for (int trial = 0; trial < 50; ++trial) {
                joint_case c = open_case(&random, 1.2);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                double columns[36]; /* S, then T */
                type->motion(&sides, columns);
                type->complement(&sides, columns + 6 * type->freedom);
                for (int i = 0; i < type->freedom; ++i) {
                    for (int j = type->freedom; j < 6; ++j) {
                        double product = 0.0;
                        for (int k = 0; k < 6; ++k) {
                            product += columns[6 * i + k] * columns[6 * j + k];
                        }
                        TEST_CHECK(fabs(product) < 4e-15, "%s: T'S has %g", type->name, product);
                    }
                }
                TEST_CHECK(joint_rank(6, 6, columns) == 6, "%s: S and T do not span", type->name);
            }
        }
}

/* Closed: column i of T is row i of what is held, referred to b's joint origin. */
static void test_complement_is_rows(void **state)
{
    (void)state;
    crn_random random = test_random("complement_is_rows", 15);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            for (int trial = 0; trial < 50 && type->complement != NULL; ++trial) {
                double q[3], T[36];
                joint_case c = closed_case(&random, kind, q);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                crn_joint_row row[CRN_JOINT_ROWS_MAX];
                type->hold(&sides, row);
                type->complement(&sides, T);
                for (int i = 0; i < type->rows; ++i) {
                    crn_vec3 arm = crn_v3_sub(sides.com_b, sides.b.position), force = crn_v3_of(row[i].b + 3);
                    crn_vec3 torque = crn_v3_add(crn_v3_of(row[i].b), crn_v3_cross(arm, force));
                    TEST_CHECK(crn_v3_length(crn_v3_sub(torque, crn_v3_of(T + 6 * i))) < 1e-14, "%s: angular",
                               type->name);
                    TEST_CHECK(crn_v3_length(crn_v3_sub(force, crn_v3_of(T + 6 * i + 3))) < 1e-14, "%s: linear",
                               type->name);
                }
            }
        }
}

/* Closed, values are 0, and under any motion S u they stay 0 to second order; under T e they do not. */
static void test_motion_keeps_closed(void **state)
{
    (void)state;
    crn_random random = test_random("motion_keeps_closed", 16);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            for (int trial = 0; trial < 100; ++trial) {
                double q[3], columns[36], twist[6] = {0}, across[6] = {0};
                joint_case c = closed_case(&random, kind, q);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                crn_joint_row row[CRN_JOINT_ROWS_MAX];
                type->hold(&sides, row);
                for (int i = 0; i < type->rows; ++i) {
                    TEST_CHECK(fabs(row[i].value) < 5e-15, "%s: closed, but value %g", type->name, row[i].value);
                }
                if (type->motion == NULL) {
                    continue;
                }
                type->motion(&sides, columns);
                type->complement(&sides, columns + 6 * type->freedom);
                for (int j = 0; j < 6; ++j) {
                    double u = crn_random_uniform(&random, -1.0, 1.0);
                    for (int k = 0; k < 6; ++k) {
                        *(j < type->freedom ? &twist[k] : &across[k]) += u * columns[6 * j + k];
                    }
                }
                joint_set_relative(&c, twist);
                for (int i = 0; i < type->rows; ++i) {
                    TEST_CHECK(fabs(joint_speed(&c, &row[i])) < 1e-14, "%s: row %d moves", type->name, i);
                }
                double moved[2] = {0, 0}, t = 1e-3;
                for (int k = 0; k < 2; ++k, t *= 0.1) {
                    sides = joint_sides_at(&c, t);
                    type->hold(&sides, row);
                    for (int i = 0; i < type->rows; ++i) {
                        moved[k] = fmax(moved[k], fabs(row[i].value));
                    }
                    TEST_CHECK(moved[k] < 10 * t * t + 1e-14, "%s: value %g at %g", type->name, moved[k], t);
                }
                joint_set_relative(&c, across);
                double most = 0.0, size = 0.0;
                for (int i = 0; i < type->rows; ++i) {
                    most = fmax(most, fabs(joint_speed(&c, &row[i])));
                    size = fmax(size, fabs(across[i]));
                }
                TEST_CHECK(type->rows == 0 || most > 0.1 * size, "%s: what T forbids is not seen", type->name);
            }
        }
}

/* Rows are independent in the velocities of either body alone. */
static void test_rank(void **state)
{
    (void)state;
    crn_random random = test_random("rank", 17);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            for (int trial = 0; trial < 50; ++trial) {
                double q[3], on_a[36], on_b[36];
                joint_case c = trial % 2 == 0 ? closed_case(&random, kind, q) : open_case(&random, 1.2);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                crn_joint_row row[CRN_JOINT_ROWS_MAX];
                type->hold(&sides, row);
                for (int i = 0; i < type->rows; ++i) {
                    memcpy(on_a + 6 * i, row[i].a, sizeof row[i].a);
                    memcpy(on_b + 6 * i, row[i].b, sizeof row[i].b);
                }
                TEST_CHECK(joint_rank(type->rows, 6, on_a) == type->rows, "%s: rows on a", type->name);
                TEST_CHECK(joint_rank(type->rows, 6, on_b) == type->rows, "%s: rows on b", type->name);
            }
        }
}

/* --- Coordinates --- */

/* They are what the pose was made from (positions of b are up to 6: some roundings of 1e-15), and column i of S moves coordinate i at speed 1 and no other. */
static void test_coordinates(void **state)
{
    (void)state;
    crn_random random = test_random("coordinates", 18);
    for
        EACH_KIND(kind)
        {
            const crn_joint_type *type = crn_joint_type_of(kind);
            assert_int_equal(crn_joint_kind_coordinates(kind), type->coordinates);
            assert_true(type->coordinates <= CRN_JOINT_COORDINATES_MAX && type->rows <= CRN_JOINT_ROWS_MAX);
            assert_true((type->coordinate == NULL) == (type->coordinates == 0));
            for (int trial = 0; trial < 100 && type->coordinates > 0; ++trial) {
                double q[3], S[36];
                joint_case c = closed_case(&random, kind, q);
                crn_joint_sides sides = joint_sides_at(&c, 0.0);
                crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
                type->coordinate(&sides, row);
                for (int i = 0; i < type->coordinates; ++i) {
                    TEST_CHECK(fabs(row[i].value - q[i]) < 2e-14, "%s: coordinate %d is %g, not %g", type->name, i,
                               row[i].value, q[i]);
                }
                for (int j = 0; type->motion != NULL && j < type->freedom; ++j) {
                    type->motion(&sides, S);
                    joint_set_relative(&c, S + 6 * j);
                    for (int i = 0; i < type->coordinates; ++i) {
                        TEST_CHECK(fabs(joint_speed(&c, &row[i]) - (i == j)) < 1e-14, "%s: coordinate %d, column %d",
                                   type->name, i, j);
                    }
                }
            }
        }
}

/* Half a turn is +pi also where rounding falls on the other side, never -pi. */
static void test_half_turn(void **state)
{
    (void)state;
    static const double beyond[3] = {0.0, 1e-17, -1e-17}; /* the sine of what is left */
    for (int k = 0; k < 3; ++k) {
        crn_joint_sides sides = {.a = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}}};
        sides.b = (crn_frame){{{-1, -beyond[k], 0, beyond[k], -1, 0, 0, 0, 1}}, {0, 0, 0}};
        crn_joint_row row[3];
        crn_joint_type_of(CRN_JOINT_HINGE)->coordinate(&sides, row);
        assert_true(row[0].value == pi);
        crn_joint_type_of(CRN_JOINT_PLANAR)->coordinate(&sides, row);
        assert_true(row[2].value == pi);
        sides.b = (crn_frame){{{1, 0, 0, 0, -1, -beyond[k], 0, beyond[k], -1}}, {0, 0, 0}}; /* about x */
        crn_joint_type_of(CRN_JOINT_UNIVERSAL)->coordinate(&sides, row);
        assert_true(row[0].value == pi && row[1].value == 0.0);
    }
}

static void test_unwind(void **state)
{
    (void)state;
    crn_random random = test_random("unwind", 19);
    double total = 0.0, value = 0.0;
    for (int k = 0; k < 100000; ++k) { /* follow a wandering angle by what atan2 shows of it */
        total += crn_random_uniform(&random, -2.9, 3.1);
        value = crn_joint_unwind(atan2(sin(total), cos(total)), value);
        assert_true(fabs(value - total) < 1e-10);
    }
    assert_true(total > 1000.0);
    assert_true(crn_joint_unwind(0.3, 0.1) == 0.3 && crn_joint_unwind(-3.0, 0.0) == -3.0); /* to the bit */
    assert_true(fabs(crn_joint_unwind(-3.0, 3.0) - (2 * pi - 3)) < 1e-15);
    assert_true(fabs(crn_joint_unwind(3.0, -3.0 - 20 * pi) - (3 - 22 * pi)) < 1e-13);
}

/* --- Large errors --- */

/* Half a turn away is not taken for closed. */
static void test_no_false_zero(void **state)
{
    (void)state;
    crn_random random = test_random("no_false_zero", 20);
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE, CRN_JOINT_SLIDER, CRN_JOINT_FIXED, CRN_JOINT_PLANAR};
    for (int trial = 0; trial < 200; ++trial) {
        crn_joint_kind kind = kinds[trial % 4];
        const crn_joint_type *type = crn_joint_type_of(kind);
        joint_case c = {joint_random_side(&random), joint_random_side(&random), 0.0};
        crn_vec3 axis = trial < 100 ? crn_v3(1, 0, 0) : crn_v3_unit(crn_v3(trial - 150.5, 3, 0));
        joint_place(&c, (crn_pose){{0, 0, 0}, crn_quat_exp(crn_v3_scale(pi, axis))});
        crn_joint_sides sides = joint_sides_at(&c, 0.0);
        crn_joint_row row[CRN_JOINT_ROWS_MAX];
        type->hold(&sides, row);
        double square = 0.0;
        for (int i = 0; i < type->rows; ++i) {
            square += row[i].value * row[i].value;
            for (int k = 0; k < 6; ++k) {
                assert_true(fabs(row[i].a[k]) < 10 && fabs(row[i].b[k]) < 10);
            }
        }
        TEST_CHECK(fabs(sqrt(square) - pi) < 1e-7, "%s: half a turn has value %g", type->name, sqrt(square));
    }
    /* the limit itself, where no direction is the shortest */
    crn_joint_sides sides = {.a = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}},
                             .b = {{{1, 0, 0, 0, -1, 0, 0, 0, -1}}, {0, 0, 0}}};
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    crn_joint_type_of(CRN_JOINT_HINGE)->hold(&sides, row);
    assert_true(row[3].value == pi && row[4].value == 0.0 && row[3].b[0] == 1.0);
    crn_joint_type_of(CRN_JOINT_HINGE)->coordinate(&sides, row);
    assert_true(row[0].b[2] == 1.0);
    sides.b = (crn_frame){{{0, -1, 0, 1, 0, 0, 0, 0, 1}}, {0, 0, 0}}; /* y_b = x_a */
    crn_joint_type_of(CRN_JOINT_UNIVERSAL)->hold(&sides, row);
    assert_true(row[3].value == -pi / 2 && row[3].b[0] == 0.0);
    crn_joint_type_of(CRN_JOINT_UNIVERSAL)->coordinate(&sides, row);
    assert_true(row[0].b[0] == 1.0 && row[1].b[0] == 1.0);
}

/* Take back what the rows say, once, by the smallest velocity of b, as a step does: the angular error that is left.
 * Errors along the shortest way need one step from anywhere; errors by sines would overshoot. */
static void test_one_correction_closes(void **state)
{
    (void)state;
    crn_random random = test_random("one_correction_closes", 21);
    for (int trial = 0; trial < 100; ++trial) {
        joint_case c = {joint_random_side(&random), joint_random_side(&random), 0.0};
        c.a.w = c.a.v = c.b.v = crn_v3(0, 0, 0);
        c.b.frame.position = crn_v3(0, 0, 0);
        crn_vec3 turn =
            crn_v3_scale(crn_random_uniform(&random, 0.0, 3.0), crn_v3_unit(joint_random_vector(&random, 1)));
        crn_joint_row row[CRN_JOINT_ROWS_MAX];

        /* fixed: the velocity is the vector of the rotation itself */
        joint_place(&c, (crn_pose){{0, 0, 0}, crn_quat_exp(turn)});
        crn_joint_sides sides = joint_sides_at(&c, 0.0);
        crn_joint_type_of(CRN_JOINT_FIXED)->hold(&sides, row);
        c.b.w = crn_v3(0, 0, 0);
        for (int i = 0; i < 3; ++i) {
            c.b.w = crn_v3_axpy(c.b.w, -row[3 + i].value, crn_m3_column(&sides.a.rotation, i));
        }
        for (int i = 3; i < 6; ++i) {
            assert_true(fabs(joint_speed(&c, &row[i]) + row[i].value) < 1e-13);
        }
        sides = joint_sides_at(&c, 1.0);
        crn_joint_type_of(CRN_JOINT_FIXED)->hold(&sides, row);
        for (int i = 3; i < 6; ++i) {
            assert_true(fabs(row[i].value) < 1e-13);
        }

        /* hinge: the smallest velocity that takes both values back is the shortest turn */
        joint_place(&c, (crn_pose){{0, 0, 0}, crn_quat_exp(turn)});
        sides = joint_sides_at(&c, 0.0);
        crn_joint_type_of(CRN_JOINT_HINGE)->hold(&sides, row);
        crn_vec3 g = crn_v3_of(row[3].b), k = crn_v3_of(row[4].b);
        double gg = crn_v3_dot(g, g), gk = crn_v3_dot(g, k), kk = crn_v3_dot(k, k), det = gg * kk - gk * gk;
        double s = -(kk * row[3].value - gk * row[4].value) / det, t = -(gg * row[4].value - gk * row[3].value) / det;
        c.b.w = crn_v3_axpy(crn_v3_scale(s, g), t, k);
        sides = joint_sides_at(&c, 1.0);
        crn_joint_type_of(CRN_JOINT_HINGE)->hold(&sides, row);
        assert_true(fabs(row[3].value) < 1e-12 && fabs(row[4].value) < 1e-12);
    }
}

static void test_distance_zero(void **state)
{
    (void)state;
    crn_random random = test_random("distance_zero", 22);
    const crn_joint_type *type = crn_joint_type_of(CRN_JOINT_DISTANCE);
    static const double lengths[] = {0.0, 1e-200, 1.3e-160, 1e-130};
    for (int k = 0; k < 4; ++k) {
        joint_case c = {joint_random_side(&random), joint_random_side(&random), 0.5};
        crn_joint_sides sides = joint_sides_at(&c, 0.0);
        sides.a.position = crn_v3(0, 0, 0);
        sides.b.position = crn_v3(0, lengths[k], 0);
        crn_joint_row row;
        type->hold(&sides, &row);
        assert_true(row.value == -0.5);
        crn_vec3 n = crn_v3_of(row.b + 3), x = crn_m3_column(&sides.a.rotation, 0);
        assert_true(fabs(crn_v3_length(n) - 1.0) < 1e-15);
        assert_true(crn_v3_length(crn_v3_sub(n, k == 3 ? crn_v3(0, 1, 0) : x)) < 1e-15);
    }
}

/* --- In the plane --- */

static double in_plane(const crn_joint_row *row)
{
    double most = 0.0;
    for (int i = 2; i < 5; ++i) { /* w_z, v_x, v_y */
        most = fmax(most, fmax(fabs(row->a[i]), fabs(row->b[i])));
    }
    return most;
}

/* Rows with something in the plane, which must be as many as are independent there; the others must be 0 to rounding. */
static int planar_rows(const crn_joint_type *type, const crn_joint_sides *sides)
{
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    double kept[36];
    int count = 0;
    type->hold(sides, row);
    for (int i = 0; i < type->rows; ++i) {
        if (in_plane(&row[i]) < 1e-14) {
            TEST_CHECK(fabs(row[i].value) < 1e-14, "%s: a row out of the plane with value %g", type->name,
                       row[i].value);
            continue;
        }
        memcpy(kept + 6 * count, row[i].a + 2, 3 * sizeof *kept);
        memcpy(kept + 6 * count + 3, row[i].b + 2, 3 * sizeof *kept);
        ++count;
    }
    TEST_CHECK(joint_rank(count, 6, kept) == count, "%s: %d rows in the plane, rank %d", type->name, count,
               joint_rank(count, 6, kept));
    return count;
}

static joint_side planar_side(crn_random *random, crn_quat frame)
{
    joint_side side = {.com = {joint_random_vector(random, 1.0), crn_quat_exp(crn_v3(0, 0, 0))}};
    side.com.rotation = crn_quat_exp(crn_v3(0, 0, crn_random_uniform(random, -3.0, 3.0)));
    side.com.position.z = 0.0;
    side.frame = (crn_pose){joint_random_vector(random, 1.0), frame};
    side.frame.position.z = 0.0;
    return side;
}

static void check_planar(crn_random *random, crn_joint_kind kind, crn_quat frame, int expected)
{
    for (int trial = 0; trial < 20; ++trial) { /* open as well: the bodies are anywhere in the plane */
        crn_quat turn = crn_quat_exp(crn_v3(0, 0, crn_random_uniform(random, -1.0, 1.0)));
        joint_case c = {planar_side(random, frame), planar_side(random, crn_quat_product(turn, frame)), 0.3};
        crn_joint_sides sides = joint_sides_at(&c, 0.0);
        int count = planar_rows(crn_joint_type_of(kind), &sides);
        TEST_CHECK(count == expected, "%s: %d rows in the plane, not %d", name_of(kind), count, expected);
    }
}

static void test_planar_rows(void **state)
{
    (void)state;
    crn_random random = test_random("planar_rows", 23);
    crn_quat even = {1, 0, 0, 0}, upside_down = {0, 1, 0, 0}, turned = crn_quat_exp(crn_v3(0, 0, 0.7));
    crn_quat frames[3] = {even, upside_down, turned};
    for (int k = 0; k < 3; ++k) {
        check_planar(&random, CRN_JOINT_BALL, frames[k], 2);
        check_planar(&random, CRN_JOINT_HINGE, frames[k], 2);
        check_planar(&random, CRN_JOINT_FIXED, frames[k], 3);
        check_planar(&random, CRN_JOINT_DISTANCE, frames[k], 1);
        check_planar(&random, CRN_JOINT_PLANAR, frames[k], 0);
        check_planar(&random, CRN_JOINT_FREE, frames[k], 0);
    }
    /* z along the world's x and y, then anywhere in the plane; x or y along the world's z */
    crn_quat along_x = crn_quat_exp(crn_v3(0, pi / 2, 0)), along_y = crn_quat_exp(crn_v3(-pi / 2, 0, 0));
    check_planar(&random, CRN_JOINT_SLIDER, along_x, 2);
    check_planar(&random, CRN_JOINT_SLIDER, along_y, 2);
    check_planar(&random, CRN_JOINT_SLIDER, crn_quat_product(turned, along_x), 2);
    check_planar(&random, CRN_JOINT_SLIDER, crn_quat_product(turned, along_y), 2);
    check_planar(&random, CRN_JOINT_FIXED, crn_quat_product(turned, along_y), 3);
}

/* A hinge about the world's z leaves exact zeros out of the plane, not roundings. */
static void test_planar_zeros_are_exact(void **state)
{
    (void)state;
    crn_random random = test_random("planar_zeros_are_exact", 24);
    static const crn_joint_kind kinds[] = {CRN_JOINT_BALL, CRN_JOINT_HINGE, CRN_JOINT_FIXED, CRN_JOINT_PLANAR};
    for (int trial = 0; trial < 100; ++trial) {
        const crn_joint_type *type = crn_joint_type_of(kinds[trial % 4]);
        crn_quat turn = crn_quat_exp(crn_v3(0, 0, crn_random_uniform(&random, -3.0, 3.0)));
        joint_case c = {planar_side(&random, (crn_quat){1, 0, 0, 0}), planar_side(&random, turn), 0.0};
        crn_joint_sides sides = joint_sides_at(&c, 0.0);
        crn_joint_row row[CRN_JOINT_ROWS_MAX];
        type->hold(&sides, row);
        for (int i = 0; i < type->rows; ++i) {
            double inside = in_plane(&row[i]);
            assert_true(inside == 0.0 ? row[i].value == 0.0 : inside > 0.1);
        }
    }
}

/* --- Names --- */

static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {"ball", "hinge", "slider", "universal", "fixed", "distance", "planar", "free"};
    static const int coordinates[] = {0, 1, 1, 2, 0, 1, 3, 0}, freedom[] = {3, 1, 1, 2, 0, 5, 3, 6};
    static const unsigned angles[] = {0, 1, 0, 1 + 2, 0, 0, 4, 0};
    for
        EACH_KIND(kind)
        {
            crn_joint_kind found = (crn_joint_kind)-1;
            assert_string_equal(crn_joint_kind_name(kind), names[kind]);
            assert_true(crn_joint_kind_find(names[kind], &found) && found == kind);
            assert_int_equal(crn_joint_kind_coordinates(kind), coordinates[kind]);
            assert_int_equal(crn_joint_type_of(kind)->freedom, freedom[kind]);
            assert_int_equal(crn_joint_kind_freedom(kind), kind == CRN_JOINT_DISTANCE ? -1 : freedom[kind]);
            assert_int_equal(crn_joint_type_of(kind)->angles, angles[kind]);
        }
    crn_joint_kind kind = CRN_JOINT_SLIDER;
    assert_false(crn_joint_kind_find("Hinge", &kind) || crn_joint_kind_find("", &kind) ||
                 crn_joint_kind_find(NULL, &kind));
    assert_int_equal(kind, CRN_JOINT_SLIDER); /* untouched */
    static const int wrong[] = {-1, CRN_JOINT_KIND_COUNT, 1000};
    for (int i = 0; i < 3; ++i) {
        assert_null(crn_joint_kind_name((crn_joint_kind)wrong[i]));
        assert_null(crn_joint_type_of((crn_joint_kind)wrong[i]));
        assert_int_equal(crn_joint_kind_coordinates((crn_joint_kind)wrong[i]), 0);
        assert_int_equal(crn_joint_kind_freedom((crn_joint_kind)wrong[i]), -1);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_rates_when_closed),
        cmocka_unit_test(test_momentum_balance),
        cmocka_unit_test(test_complement),
        cmocka_unit_test(test_complement_is_rows),
        cmocka_unit_test(test_motion_keeps_closed),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_half_turn),
        cmocka_unit_test(test_unwind),
        cmocka_unit_test(test_no_false_zero),
        cmocka_unit_test(test_one_correction_closes),
        cmocka_unit_test(test_distance_zero),
        cmocka_unit_test(test_planar_rows),
        cmocka_unit_test(test_planar_zeros_are_exact),
        cmocka_unit_test(test_names),
    };
    return TEST_RUN(tests, argc, argv);
}
