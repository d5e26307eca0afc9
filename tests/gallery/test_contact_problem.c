/* The contact families before assembling: assembling them here, independently, by geometry and LAPACK gives the LCP that
 * the family's `make` gives; the whitened form gives it too; scenes of any size do what they promise. */
#include "test_allocator.h"
#include "test_support.h"

#include <lapacke.h>
#include <math.h>

#include "gallery_scene.h"
#include "gallery_stack.h"

enum { TEST_SEED = 20260105, SEEDS = 3 };

static const double two_pi = 6.283185307179586;

/* Differences of M = J inv(mass) J' relative to its largest entry. Free bodies have diagonal masses; the chain's inertia
 * has condition numbers up to 4e5, times 2^-53. */
static const double rounding_free = 1e-12;
static const double rounding_chain = 1e-10;

/* A problem as one dense mass matrix and dense columns n, t1, t2 of each contact. */
typedef struct flat {
    int dof, contacts;
    double *mass, *columns, *velocity;
} flat;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Velocity of a rigid body's point along an axis, per unit of its six velocities. */
static void add_geometry(const crn_contact_body *body, const crn_contact_point *point, const double axis[3],
                         double sign, double *out)
{
    double r[3], torque[3];
    for (int i = 0; i < 3; ++i) {
        r[i] = point->position[i] - body->com[i];
    }
    cross(r, axis, torque);
    for (int i = 0; i < 3; ++i) {
        out[i] += sign * torque[i];
        out[3 + i] += sign * axis[i];
    }
}

static void fill_mass(const crn_contact_body *body, double *block, int ld)
{
    for (int j = 0; j < body->dof; ++j) {
        for (int i = 0; i < body->dof; ++i) {
            double entry = i == j ? 1.0 : 0.0;
            if (body->kind == CRN_MASS_RIGID) {
                entry = i < 3 && j < 3 ? body->inertia[i + 3 * j] : i == j ? body->mass : 0.0;
            } else if (body->kind == CRN_MASS_MATRIX) {
                entry = body->matrix[i + j * body->ld];
            }
            block[i + j * ld] = entry;
        }
    }
}

static void fill_columns(const crn_contact_problem *p, int i, const int *first, flat *f)
{
    const crn_contact_point *point = &p->contact[i];
    const double *axes[3] = {point->normal, point->t1, point->t2};
    int body[2] = {point->a, point->b};
    const double *jacobian[2] = {point->jacobian_a, point->jacobian_b};
    for (int side = 0; side < 2; ++side) {
        for (int c = 0; c < 3 && body[side] >= 0; ++c) {
            const crn_contact_body *on = &p->body[body[side]];
            double *column = f->columns + (3 * i + c) * f->dof + first[body[side]];
            if (on->kind == CRN_MASS_RIGID) {
                assert_null(jacobian[side]);
                add_geometry(on, point, axes[c], side == 0 ? 1.0 : -1.0, column);
            } else {
                assert_non_null(jacobian[side]);
                memcpy(column, jacobian[side] + c * on->dof, (size_t)on->dof * sizeof *column);
            }
        }
    }
}

static flat flatten(const crn_contact_problem *p)
{
    flat f = {.contacts = p->contacts};
    int *first = calloc((size_t)p->bodies + 1, sizeof *first);
    assert_non_null(first);
    for (int b = 0; b < p->bodies; ++b) {
        first[b] = f.dof;
        f.dof += p->body[b].dof;
    }
    f.mass = calloc((size_t)(f.dof * f.dof), sizeof *f.mass);
    f.columns = calloc((size_t)(f.dof * 3 * p->contacts) + 1, sizeof *f.columns);
    f.velocity = calloc((size_t)f.dof, sizeof *f.velocity);
    assert_true(f.mass && f.columns && f.velocity);
    memcpy(f.velocity, p->velocity, (size_t)f.dof * sizeof *f.velocity);
    for (int b = 0; b < p->bodies; ++b) {
        fill_mass(&p->body[b], f.mass + first[b] * (f.dof + 1), f.dof);
    }
    for (int i = 0; i < p->contacts; ++i) {
        fill_columns(p, i, first, &f);
    }
    free(first);
    return f;
}

static void free_flat(flat *f)
{
    free(f->mass);
    free(f->columns);
    free(f->velocity);
}

/* Row r of the LCP: its contact, its direction (-1: normal), or a cone row. */
typedef struct row_of {
    bool is_cone;
    int contact, direction;
} row_of;

static row_of name_row(int r, int contacts, int d)
{
    if (r < contacts) {
        return (row_of){false, r, -1};
    }
    if (r < contacts * (1 + d)) {
        return (row_of){false, (r - contacts) / d, (r - contacts) % d};
    }
    return (row_of){true, r - contacts * (1 + d), -1};
}

/* Weights of n, t1, t2 in a row. */
static void weigh(row_of row, int d, double out[3])
{
    out[0] = row.direction < 0 ? 1.0 : 0.0;
    out[1] = row.direction < 0 ? 0.0 : cos(two_pi * row.direction / d);
    out[2] = row.direction < 0 ? 0.0 : sin(two_pi * row.direction / d);
}

/* A = J inv(mass) J' of all columns n, t1, t2, by LAPACK. Release with free(). */
static double *responses(const flat *f)
{
    int n = 3 * f->contacts;
    double *mass = malloc((size_t)(f->dof * f->dof) * sizeof *mass);
    double *solved = malloc((size_t)(f->dof * n) * sizeof *solved + 1), *A = calloc((size_t)(n * n), sizeof *A);
    assert_true(mass && solved && A);
    memcpy(mass, f->mass, (size_t)(f->dof * f->dof) * sizeof *mass);
    memcpy(solved, f->columns, (size_t)(f->dof * n) * sizeof *solved);
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', f->dof, n, mass, f->dof, solved, f->dof), 0);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            for (int l = 0; l < f->dof; ++l) {
                A[i + j * n] += f->columns[l + i * f->dof] * solved[l + j * f->dof];
            }
        }
    }
    free(mass);
    free(solved);
    return A;
}

static double expected_entry(const crn_contact_problem *p, const double *A, row_of r, row_of c, int d)
{
    if (r.is_cone || c.is_cone) {
        bool is_own = r.contact == c.contact && r.is_cone != c.is_cone;
        bool is_direction = r.direction >= 0 || c.direction >= 0;
        double own = c.is_cone ? (is_direction ? 1.0 : 0.0) : is_direction ? -1.0 : p->contact[r.contact].mu;
        return is_own ? own : 0.0;
    }
    double wr[3], wc[3], sum = 0.0;
    weigh(r, d, wr);
    weigh(c, d, wc);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum += wr[i] * A[3 * r.contact + i + (3 * c.contact + j) * 3 * p->contacts] * wc[j];
        }
    }
    return sum;
}

static double expected_q(const crn_contact_problem *p, const flat *f, row_of r, int d)
{
    double w[3], sum = 0.0;
    weigh(r, d, w);
    for (int c = 0; c < 3 && !r.is_cone; ++c) {
        double u = p->contact[r.contact].offset[c];
        for (int l = 0; l < f->dof; ++l) {
            u += f->columns[l + (3 * r.contact + c) * f->dof] * f->velocity[l];
        }
        sum += w[c] * u;
    }
    return sum;
}

static double largest(const double *x, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* The largest differences of M and q to the LCP, each relative to the largest entry of A and of q. */
static void check_same(const crn_contact_problem *p, const crn_lcp_problem *lcp, const char *name, int index)
{
    int d = p->contacts > 0 ? p->contact[0].directions : 0;
    double rounding = strcmp(name, "chain") == 0 ? rounding_chain : rounding_free;
    flat f = flatten(p);
    double *A = responses(&f);
    double size = largest(A, (size_t)(9 * p->contacts * p->contacts)), worst_M = 0.0, worst_q = 0.0;
    assert_int_equal(lcp->n, p->contacts * (d > 0 ? 2 + d : 1));
    for (int j = 0; j < lcp->n; ++j) {
        row_of c = name_row(j, p->contacts, d);
        worst_q = fmax(worst_q, fabs(lcp->q[j] - expected_q(p, &f, c, d)));
        for (int i = 0; i < lcp->n; ++i) {
            double expected = expected_entry(p, A, name_row(i, p->contacts, d), c, d);
            worst_M = fmax(worst_M, fabs(lcp->M[i + j * lcp->ld] - expected));
        }
    }
    TEST_CHECK(worst_M <= rounding * size, "%s %d: M differs by %g of %g", name, index, worst_M, size);
    double speed = largest(f.velocity, (size_t)f.dof) * largest(f.columns, (size_t)(3 * f.dof * f.contacts));
    TEST_CHECK(worst_q <= rounding * speed, "%s %d: q differs by %g of %g", name, index, worst_q, speed);
    free(A);
    free_flat(&f);
}

static void check_kinds(const crn_contact_problem *p, bool is_whitened, bool is_mechanism, const char *name)
{
    for (int b = 0; b < p->bodies; ++b) {
        int expected = is_whitened ? CRN_MASS_UNIT : is_mechanism ? CRN_MASS_MATRIX : CRN_MASS_RIGID;
        TEST_CHECK((int)p->body[b].kind == expected, "%s: body %d is of kind %d", name, b, (int)p->body[b].kind);
    }
}

static void check_family(const crn_gallery_family *family, int index, uint64_t seed)
{
    crn_error error = {0};
    crn_lcp_data data = {0};
    crn_gallery_contact_problem given = {0}, white = {0};
    assert_int_equal(family->make(index, seed, &data, &error), CRN_OK);
    assert_int_equal(family->make_contact(index, seed, &given, &error), CRN_OK);
    assert_int_equal(family->make_whitened(index, seed, &white, &error), CRN_OK);
    check_kinds(&given.problem, false, strcmp(family->name, "chain") == 0, family->name);
    check_kinds(&white.problem, true, false, family->name);
    check_same(&given.problem, &data.problem, family->name, index);
    check_same(&white.problem, &data.problem, family->name, index);
    crn_lcp_data_free(&data);
    crn_gallery_contact_free(&given);
    crn_gallery_contact_free(&white);
}

static void all_three_forms_are_the_same_problem(void **state)
{
    (void)state;
    int count, checked = 0;
    const crn_gallery_family *families = crn_gallery_families(&count);
    print_message("seed %d\n", TEST_SEED);
    for (int f = 0; f < count; ++f) {
        bool is_large = families[f].default_count < 20;
        assert_true((families[f].make_contact != NULL) == (families[f].make_whitened != NULL));
        assert_true(families[f].make_contact || !families[f].is_contact);
        for (int seed = 0; seed < SEEDS && families[f].make_contact; ++seed) {
            for (int index = 0; index < (is_large ? 4 : 20); ++index, ++checked) {
                check_family(&families[f], is_large ? index : index + 20 * seed, (uint64_t)(TEST_SEED + seed));
            }
        }
    }
    assert_true(checked > 400);
}

static void whitened_columns_lie_on_the_bodies_of_their_contact(void **state)
{
    (void)state;
    crn_error error = {0};
    crn_gallery_contacts list = {0};
    crn_gallery_contact_problem out = {0};
    assert_int_equal(crn_gallery_tower(12, TEST_SEED, &list, &error), CRN_OK);
    assert_int_equal(crn_gallery_contacts_whitened(&list, &out, &error), CRN_OK);
    assert_int_equal(out.problem.bodies, 12);
    assert_int_equal(out.problem.contacts, 48);
    for (int i = 0; i < 48; ++i) {
        assert_int_equal(out.problem.contact[i].a, i / 4);
        assert_int_equal(out.problem.contact[i].b, i / 4 - 1);
        assert_true((out.problem.contact[i].jacobian_b == NULL) == (i < 4));
    }
    crn_gallery_contact_free(&out);
}

static crn_gallery_contact_problem frame_of(const crn_gallery_frame *frame)
{
    crn_error error = {0};
    crn_gallery_contacts list = {0};
    crn_gallery_contact_problem out = {0};
    assert_int_equal(crn_gallery_frame_of(frame, TEST_SEED, &list, &error), CRN_OK);
    assert_int_equal(crn_gallery_contacts_problem(&list, &out, &error), CRN_OK);
    return out;
}

/* Force and moment about the centre of an impulse straight down at (x, y, any height). */
static void a_frame_carries_its_load_where_it_is_told(void **state)
{
    (void)state;
    crn_gallery_frame frame = {7, false, 0.2, -0.1, 3.0};
    crn_gallery_contact_problem out = frame_of(&frame);
    const crn_contact_body *body = &out.problem.body[0];
    const double *v = out.problem.velocity;
    assert_int_equal(out.problem.contacts, 7);
    assert_true(fabs(body->mass * v[5] + 3.0) < 1e-14);
    assert_true(fabs(body->inertia[0] * v[0] - (-0.1 * -3.0)) < 1e-14);
    assert_true(fabs(body->inertia[4] * v[1] - (-0.2 * -3.0)) < 1e-14);
    crn_gallery_contact_free(&out);
}

static void feet_of_a_regular_frame_form_a_regular_polygon(void **state)
{
    (void)state;
    crn_gallery_frame frame = {5, true, 0.0, 0.0, 1.0};
    crn_gallery_contact_problem out = frame_of(&frame);
    for (int i = 0; i < 5; ++i) {
        const double *a = out.problem.contact[i].position, *b = out.problem.contact[(i + 1) % 5].position;
        double side = 2.0 * 0.5 * sin(two_pi / 10.0); /* radius 0.5 m */
        assert_true(fabs(hypot(b[0] - a[0], b[1] - a[1]) - side) < 1e-15);
    }
    crn_gallery_contact_free(&out);
}

/* With e, repeated contacts move by at most e sqrt(3), and nothing else moves. */
static void misaligned_contacts_are_as_near_as_told(void **state)
{
    (void)state;
    double moved = 0.0;
    for (int index = 0; index < 40; ++index) {
        crn_gallery_contacts exact = {0}, misaligned = {0};
        assert_int_equal(crn_gallery_contact_random_of(index, TEST_SEED, 0.0, &exact, NULL), CRN_OK);
        assert_int_equal(crn_gallery_contact_random_of(index, TEST_SEED, 1e-6, &misaligned, NULL), CRN_OK);
        assert_int_equal(exact.count, misaligned.count);
        for (int i = 0; i < exact.count; ++i) {
            crn_gallery_vec step = crn_gallery_vec_add(exact.touching[i].point, -1.0, misaligned.touching[i].point);
            moved = fmax(moved, sqrt(crn_gallery_vec_dot(step, step)));
        }
        crn_gallery_contacts_close(&exact);
        crn_gallery_contacts_close(&misaligned);
    }
    TEST_CHECK(moved > 1e-7 && moved < 20e-6, "moved by %g", moved); /* a copy of a copy moves again */
}

static void impossible_scenes_are_refused(void **state)
{
    (void)state;
    crn_error error = {0};
    crn_gallery_contacts list = {0};
    crn_gallery_frame frame = {0, true, 0.0, 0.0, 1.0};
    assert_int_equal(crn_gallery_tower(0, 1, &list, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_gallery_tower(CRN_GALLERY_BLOCKS_MAX + 1, 1, &list, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_gallery_peg_of(9, false, 1, &list, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_gallery_frame_of(&frame, 1, &list, &error), CRN_ERR_ARGUMENT);
    assert_true(strlen(error.text) > 0);
    assert_null(list.storage);
}

static void a_failing_allocator_leaves_nothing_behind(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int form = 0; form < 2 && families[f].make_contact; ++form) {
            crn_status status = CRN_ERR_MEMORY;
            for (long k = 1; status != CRN_OK; ++k) {
                test_allocator counter = {.fail_at = k};
                crn_gallery_contact_problem out = {.allocator = test_allocator_hooks(&counter)};
                status = form ? families[f].make_whitened(1, TEST_SEED, &out, NULL)
                              : families[f].make_contact(1, TEST_SEED, &out, NULL);
                assert_true(status == CRN_OK || status == CRN_ERR_MEMORY);
                crn_gallery_contact_free(&out);
                TEST_CHECK(counter.live == 0, "%s: %ld blocks leak at failure %ld", families[f].name, counter.live, k);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_three_forms_are_the_same_problem),
        cmocka_unit_test(whitened_columns_lie_on_the_bodies_of_their_contact),
        cmocka_unit_test(a_frame_carries_its_load_where_it_is_told),
        cmocka_unit_test(feet_of_a_regular_frame_form_a_regular_polygon),
        cmocka_unit_test(misaligned_contacts_are_as_near_as_told),
        cmocka_unit_test(impossible_scenes_are_refused),
        cmocka_unit_test(a_failing_allocator_leaves_nothing_behind),
    };
    return TEST_RUN(tests, argc, argv);
}
