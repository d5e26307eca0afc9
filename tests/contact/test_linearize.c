/* Derivatives of contact problems against centred differences of solutions, the adjoint against the forward product, kinks. */
#include "test_support.h"

#include <math.h>

#include <cairn/linearize.h>

#include "contact/linearize.h"

#include "gallery_classes.h"

enum { BODIES = 4, CONTACTS = 24, ROWS = 8, DOF = 6 * BODIES + 24, GENERIC = 3000, CLASS_PROBLEMS = 40 };

#define ADJOINT_MOST 1e-12 /* forward against adjoint products, over the sum of all their terms */

/* A problem that can be changed, its solution and a change. */
typedef struct scene {
    crn_contact_problem problem;
    crn_contact_body body[64];
    crn_contact_point contact[256];
    crn_contact_row row[64];
    double velocity[512], jacobian[ROWS * 2][6], matrix[BODIES][36];
    double impulse[3 * 256], u[3 * 256], row_impulse[64], v[512];
    crn_contact_state state[256];
} scene;

typedef struct change {
    double velocity[512], offset[3 * 256], mu[256], row_offset[64], row_bound[64], impulse[512];
} change;

static void attach(scene *s)
{
    s->problem.body = s->body;
    s->problem.contact = s->contact;
    s->problem.row = s->row;
    s->problem.velocity = s->velocity;
}

static void unit_vector(crn_random *random, double *x)
{
    double square = 0.0;
    while (square < 0.01 || square > 1.0) {
        square = 0.0;
        for (int k = 0; k < 3; ++k) {
            x[k] = crn_random_uniform(random, -1, 1);
            square += x[k] * x[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        x[k] /= sqrt(square);
    }
}

/* M = B B' + 1 */
static void random_definite(crn_random *random, int n, double *M)
{
    double B[36];
    for (int i = 0; i < n * n; ++i) {
        B[i] = crn_random_normal(random);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            M[i + n * j] = i == j;
            for (int k = 0; k < n; ++k) {
                M[i + n * j] += B[i + n * k] * B[j + n * k];
            }
        }
    }
}

static void random_body(crn_random *random, scene *s, int i)
{
    crn_contact_body *b = &s->body[i];
    b->kind = CRN_MASS_RIGID;
    b->dof = 6;
    b->mass = crn_random_uniform(random, 0.5, 3);
    random_definite(random, 3, b->inertia);
    for (int k = 0; k < 3; ++k) {
        b->com[k] = crn_random_uniform(random, -1, 1);
    }
}

/* Rows of a joint between two bodies; every third problem says one of them twice: redundant. */
static void random_rows(crn_random *random, scene *s, bool is_bounded, bool is_doubled)
{
    int count = crn_random_below(random, 4);
    for (int i = 0; i < count; ++i) {
        crn_contact_row *row = &s->row[i];
        row->a = crn_random_below(random, s->problem.bodies);
        row->b = crn_random_below(random, s->problem.bodies + 1) - 1;
        row->b = row->b == row->a ? -1 : row->b;
        for (int k = 0; k < 12; ++k) {
            s->jacobian[2 * i + k / 6][k % 6] = crn_random_normal(random);
        }
        row->jacobian_a = s->jacobian[2 * i];
        row->jacobian_b = row->b >= 0 ? s->jacobian[2 * i + 1] : NULL;
        row->offset = is_doubled ? 0.0 : 0.1 * crn_random_normal(random);
        row->bound = is_bounded && i == 0 ? crn_random_uniform(random, 0.1, 2) : 0.0;
    }
    if (is_doubled && count > 0) {
        s->row[count] = s->row[count - 1];
        s->row[count].bound = s->row[count - 1].bound = 0.0;
        count++;
    }
    s->problem.rows = count;
}

static void random_contact(crn_random *random, scene *s, int i, int directions)
{
    crn_contact_point *c = &s->contact[i];
    c->a = crn_random_below(random, s->problem.bodies);
    c->b = crn_random_below(random, s->problem.bodies + 1) - 1;
    c->b = c->b == c->a ? -1 : c->b;
    unit_vector(random, c->normal);
    c->normal[2] = fabs(c->normal[2]) + 0.5; /* mostly upwards, so that loads share them */
    double size = sqrt(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] + c->normal[2] * c->normal[2]);
    for (int k = 0; k < 3; ++k) {
        c->normal[k] /= size;
        c->position[k] = crn_random_uniform(random, -1, 1);
        c->offset[k] = 0.2 * crn_random_normal(random);
    }
    c->mu = crn_random_uniform(random, 0, 1.2);
    c->mu = c->mu < 0.1 ? 0.0 : c->mu;
    c->directions = directions;
}

static void random_scene(crn_random *random, int trial, scene *s)
{
    static const int polygons[] = {8, 4, 6, 2, 16};
    memset(s, 0, sizeof *s);
    attach(s);
    s->problem.bodies = 1 + crn_random_below(random, BODIES);
    s->problem.contacts = 1 + crn_random_below(random, 8);
    for (int i = 0; i < s->problem.bodies; ++i) {
        random_body(random, s, i);
        for (int k = 0; k < 6; ++k) {
            s->velocity[6 * i + k] = crn_random_normal(random) - 2.0 * (k == 5);
        }
    }
    for (int i = 0; i < s->problem.contacts; ++i) {
        random_contact(random, s, i, polygons[trial % 5]);
    }
    random_rows(random, s, trial % 4 == 1, trial % 3 == 0);
}

static void random_change(crn_random *random, const scene *s, bool is_consistent, change *d)
{
    memset(d, 0, sizeof *d);
    for (int i = 0; i < crn_contact_dof(&s->problem); ++i) {
        d->velocity[i] = crn_random_normal(random);
    }
    for (int i = 0; i < s->problem.contacts; ++i) {
        d->mu[i] = s->contact[i].mu > 0.0 ? crn_random_normal(random) : 0.0;
        for (int k = 0; k < 3 && is_consistent; ++k) {
            d->offset[3 * i + k] = crn_random_normal(random);
        }
    }
    for (int i = 0; i < s->problem.rows; ++i) {
        d->row_bound[i] = s->row[i].bound > 0.0 ? crn_random_normal(random) : 0.0;
    }
}

static void add_change(scene *s, const change *d, double by)
{
    for (int i = 0; i < crn_contact_dof(&s->problem); ++i) {
        s->velocity[i] += by * d->velocity[i];
    }
    for (int i = 0; i < s->problem.contacts; ++i) {
        s->contact[i].mu += by * d->mu[i];
        for (int k = 0; k < 3; ++k) {
            s->contact[i].offset[k] += by * d->offset[3 * i + k];
        }
    }
    for (int i = 0; i < s->problem.rows; ++i) {
        s->row[i].offset += by * d->row_offset[i];
        s->row[i].bound += by * d->row_bound[i];
    }
}

static crn_contact_change_in in_of(const change *d)
{
    return (crn_contact_change_in){.velocity = d->velocity,
                                   .impulse = d->impulse,
                                   .contact_velocity = d->offset,
                                   .mu = d->mu,
                                   .row_velocity = d->row_offset,
                                   .row_bound = d->row_bound};
}

/* Solve, from a neighbour's solution if there is one, and linearise. False if it is not solved. */
static bool solve(scene *s, crn_contact_cone cone, bool is_warm, crn_workspace *solving, crn_workspace *work,
                  crn_contact_linear **linear, crn_linearize_report *report)
{
    crn_contact_options options = crn_contact_options_default();
    crn_linearize_options how = crn_linearize_options_default();
    crn_contact_solution to = {s->impulse, s->v, s->u, s->row_impulse, s->state};
    crn_contact_result result;
    crn_error error;
    options.cone = how.cone = cone;
    options.even = true;
    options.tol = cone == CRN_CONE_ROUND ? 1e-10 : 0.0;
    if (is_warm) {
        options.start = s->state;
        options.start_impulse = s->impulse;
        options.start_velocity = s->u;
        options.start_row_impulse = s->row_impulse;
    }
    assert_int_equal(crn_contact_solve(&s->problem, &options, solving, &to, &result, &error), CRN_OK);
    if (result.outcome != CRN_LCP_SOLVED || result.law != CRN_LAW_COULOMB) {
        return false;
    }
    crn_status status =
        crn_contact_linearize(&s->problem, &how, s->impulse, s->row_impulse, work, linear, report, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    to.state = NULL;
    assert_int_equal(crn_contact_linear_solution(*linear, &to, &error), CRN_OK);
    return true;
}

static bool same_branches(const crn_contact_linear *linear, const crn_contact_branch *kept, int count)
{
    const crn_contact_branch *branch = crn_contact_linear_branches(linear);
    for (int i = 0; i < count; ++i) {
        if (branch[i].state.kind != kept[i].state.kind || branch[i].state.corner != kept[i].state.corner) {
            return false;
        }
    }
    return true;
}

typedef struct tally {
    int problems, smooth, kinks, redundant, undetermined, jumps, inconsistent, moved, compared, bad;
    double worst, adjoint;
} tally;

/* Centred difference of the velocity along d; false if states change. */
static bool find_slope(const scene *base, crn_contact_cone cone, const change *d, const crn_contact_branch *kept,
                       double h, double *slope, crn_workspace *solving, crn_workspace *work)
{
    int dof = crn_contact_dof(&base->problem), items = base->problem.contacts + base->problem.rows;
    static scene side[2];
    for (int k = 0; k < 2; ++k) {
        crn_contact_linear *linear;
        side[k] = *base;
        attach(&side[k]);
        add_change(&side[k], d, k ? -h : h);
        if (!solve(&side[k], cone, true, solving, work, &linear, NULL) || !same_branches(linear, kept, items)) {
            return false;
        }
    }
    for (int i = 0; i < dof; ++i) {
        slope[i] = (side[0].v[i] - side[1].v[i]) / (2.0 * h);
    }
    return true;
}

/* The mean of many, of changes from h/2 to h: an eighth of the rounding of one of them. */
static bool find_mean(const scene *base, crn_contact_cone cone, const change *d, const crn_contact_branch *kept,
                      double h, double *mean, crn_workspace *solving, crn_workspace *work)
{
    enum { MANY = 64 };
    int dof = crn_contact_dof(&base->problem);
    double slope[512];
    memset(mean, 0, (size_t)dof * sizeof *mean);
    for (int k = 0; k < MANY; ++k) {
        double mine = h * (0.5 + 0.5 * (k + 1) / MANY);
        if (!find_slope(base, cone, d, kept, mine, slope, solving, work)) {
            return false;
        }
        for (int i = 0; i < dof; ++i) {
            mean[i] += slope[i] / MANY;
        }
    }
    return true;
}

/* Largest difference of the centred difference from dv, over the largest entry of dv and of the change of the free velocity, which
 * contacts may cancel; -1: states changed at every step. Means where single ones have too much rounding. */
static double difference(const scene *base, crn_contact_cone cone, const change *d, const crn_contact_branch *kept,
                         const double *dv, crn_workspace *solving, crn_workspace *work)
{
    int dof = crn_contact_dof(&base->problem);
    double best = -1.0, slope[512];
    for (int pass = 0; pass < 2 && (pass == 0 || best > 1e-6); ++pass) {
        for (double h = 1e-5; h >= 0.99e-8; h *= 0.1) {
            double size = 0.0, off = 0.0;
            if (!(pass ? find_mean : find_slope)(base, cone, d, kept, h, slope, solving, work)) {
                continue;
            }
            for (int i = 0; i < dof; ++i) {
                size = fmax(size, fmax(fabs(dv[i]), fabs(d->velocity[i])));
                off = fmax(off, fabs(slope[i] - dv[i]));
            }
            best = best < 0.0 || off / size < best ? off / size : best;
        }
    }
    return best;
}

/* x.y; size: the sum of its terms' sizes is added. */
static double dot(int n, const double *x, const double *y, double *size)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * y[i];
        *size += fabs(x[i] * y[i]);
    }
    return sum;
}

/* seed . (derivative change) against (adjoint seed) . change */
static double adjoint_error(crn_random *random, const scene *s, crn_contact_linear *linear, const change *d)
{
    static double seed[4][1024], out[4][1024], g[6][1024];
    int dof = crn_contact_dof(&s->problem), contacts = s->problem.contacts, rows = s->problem.rows;
    crn_contact_change_in in = in_of(d);
    crn_contact_change_out to = {out[0], out[1], out[2], out[3]};
    crn_contact_seed from = {seed[0], seed[1], seed[2], seed[3]};
    crn_contact_gradient gradient = {g[0], g[1], g[2], g[3], g[4], g[5]};
    for (int i = 0; i < 4 * 1024; ++i) {
        seed[i / 1024][i % 1024] = crn_random_normal(random);
    }
    assert_int_equal(crn_contact_jvp(linear, &in, &to, NULL, NULL), CRN_OK);
    assert_int_equal(crn_contact_vjp(linear, &from, &gradient, NULL, NULL), CRN_OK);
    double size = 0.0;
    double forward = dot(dof, seed[0], out[0], &size) + dot(3 * contacts, seed[1], out[1], &size) +
                     dot(3 * contacts, seed[2], out[2], &size) + dot(rows, seed[3], out[3], &size);
    double adjoint = dot(dof, g[0], d->velocity, &size) + dot(dof, g[1], d->impulse, &size) +
                     dot(3 * contacts, g[2], d->offset, &size) + dot(contacts, g[3], d->mu, &size) +
                     dot(rows, g[4], d->row_offset, &size) + dot(rows, g[5], d->row_bound, &size);
    return fabs(forward - adjoint) / size;
}

static void count_status(const crn_linearize_report *report, tally *t)
{
    t->problems++;
    t->smooth += report->status == CRN_GRADIENT_SMOOTH;
    t->kinks += report->status == CRN_GRADIENT_KINK;
    t->undetermined += report->status == CRN_GRADIENT_UNDETERMINED;
    t->jumps += report->status == CRN_GRADIENT_JUMP;
    t->redundant += report->redundant > 0;
}

static void check_finite(const double *x, int n)
{
    for (int i = 0; i < n; ++i) {
        assert_true(isfinite(x[i]));
    }
}

static void compare(crn_random *random, scene *s, crn_contact_cone cone, bool with_offsets, const char *name, int trial,
                    tally *t)
{
    static crn_workspace solving, work, other;
    static crn_contact_branch kept[512];
    static change d;
    double dv[512];
    crn_contact_linear *linear;
    crn_linearize_report report;
    if (!solve(s, cone, false, &solving, &work, &linear, &report)) {
        return;
    }
    count_status(&report, t);
    memcpy(kept, crn_contact_linear_branches(linear), (size_t)(s->problem.contacts + s->problem.rows) * sizeof *kept);
    random_change(random, s, with_offsets, &d);
    crn_contact_change_in in = in_of(&d);
    crn_contact_change_out out = {.velocity = dv};
    crn_gradient_word word;
    assert_int_equal(crn_contact_jvp(linear, &in, &out, &word, NULL), CRN_OK);
    check_finite(dv, crn_contact_dof(&s->problem));
    t->inconsistent += word.status == CRN_GRADIENT_INCONSISTENT;
    double off_adjoint = adjoint_error(random, s, linear, &d);
    if (word.status != CRN_GRADIENT_SMOOTH) {
        return;
    }
    t->adjoint = fmax(t->adjoint, off_adjoint);
    TEST_CHECK(word.residual < 1e-9, "%s %d: residual %g", name, trial, word.residual);
    double off = difference(s, cone, &d, kept, dv, &solving, &other);
    t->moved += off < 0.0;
    t->compared += off >= 0.0;
    bool is_bad = off > 1e-6;
    t->bad += is_bad;
    t->worst = fmax(t->worst, off);
    if (is_bad) {
        print_message("%s %d cone %d: %g, margin %g, redundant %d\n", name, trial, cone, off, report.margin,
                      report.redundant);
    }
}

static void tell(const char *name, const tally *t)
{
    print_message(
        "%s: %d problems, smooth %d, kink %d, undetermined %d, jump %d, inconsistent %d, redundant %d; compared %d "
        "(states moved %d), worst %.2g, above 1e-6: %d, adjoint %.2g; not a number: 0\n",
        name, t->problems, t->smooth, t->kinks, t->undetermined, t->jumps, t->inconsistent, t->redundant, t->compared,
        t->moved, t->worst, t->bad, t->adjoint);
}

/* CAIRN_LINEARIZE_PROBLEMS: how many; of each class, CAIRN_LINEARIZE_CLASS. */
static void random_problems_agree_with_differences(void **state)
{
    const char *many = getenv("CAIRN_LINEARIZE_PROBLEMS");
    int problems = many ? atoi(many) : GENERIC;
    crn_random random = test_random("generic", 1);
    tally t = {0};
    static scene s;
    (void)state;
    for (int trial = 0; trial < problems; ++trial) {
        random_scene(&random, trial, &s);
        compare(&random, &s, trial % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON, true, "generic", trial, &t);
    }
    tell("generic", &t);
    assert_true(t.compared > problems * 8 / 10);
    assert_int_equal(t.bad, 0);
    assert_true(t.adjoint < ADJOINT_MOST);
}

static void copy_gallery(const crn_contact_problem *from, scene *s)
{
    memset(s, 0, sizeof *s);
    s->problem = *from;
    assert_true(from->bodies <= 64 && from->contacts <= 256 && from->rows <= 64 && crn_contact_dof(from) <= 512);
    memcpy(s->body, from->body, (size_t)from->bodies * sizeof *s->body);
    memcpy(s->contact, from->contact, (size_t)from->contacts * sizeof *s->contact);
    if (from->rows > 0) {
        memcpy(s->row, from->row, (size_t)from->rows * sizeof *s->row);
    }
    memcpy(s->velocity, from->velocity, (size_t)crn_contact_dof(from) * sizeof *s->velocity);
    attach(s);
}

static void classes_agree_with_differences(void **state)
{
    const char *many = getenv("CAIRN_LINEARIZE_CLASS"), *seed = getenv("CAIRN_TEST_SEED");
    int problems = many ? atoi(many) : CLASS_PROBLEMS;
    uint64_t from = seed ? strtoull(seed, NULL, 0) : 3;
    crn_random random = test_random("classes", 2);
    tally all = {0};
    static scene s;
    (void)state;
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        tally t = {0};
        for (int k = 0; k < problems; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(crn_gallery_class_make(number, k / 2, from, &g, NULL), CRN_OK);
            copy_gallery(&g.problem, &s);
            compare(&random, &s, k % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON, false, crn_gallery_class_name(number), k,
                    &t);
            crn_gallery_contact_free(&g);
        }
        tell(crn_gallery_class_name(number), &t);
        all.bad += t.bad;
        all.compared += t.compared;
        all.adjoint = fmax(all.adjoint, t.adjoint);
    }
    print_message("classes: compared %d, above 1e-6: %d\n", all.compared, all.bad);
    assert_true(all.compared > CRN_GALLERY_CLASS_COUNT * problems / 3);
    assert_int_equal(all.bad, 0);
    assert_true(all.adjoint < ADJOINT_MOST);
}

/* --- Several directions --- */

/* Eleven directions at once, a block and three lanes, against one after the other. */
static void many_directions_are_as_one(void **state)
{
    enum { MANY = 11, SIZE = 64 };
    crn_random random = test_random("many", 4);
    static crn_workspace solving, work;
    static scene s;
    static double in[6][MANY * SIZE], out[4][MANY * SIZE], one[4][SIZE];
    double worst = 0.0;
    (void)state;
    for (int trial = 0; trial < 200; ++trial) {
        crn_contact_linear *linear;
        crn_linearize_report report;
        random_scene(&random, trial, &s);
        if (!solve(&s, trial % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON, false, &solving, &work, &linear, &report)) {
            continue;
        }
        int dof = crn_contact_dof(&s.problem), contacts = s.problem.contacts, rows = s.problem.rows;
        for (int i = 0; i < 6 * MANY * SIZE; ++i) {
            in[i / (MANY * SIZE)][i % (MANY * SIZE)] = crn_random_normal(&random);
        }
        crn_contact_change_in all = {in[0], in[1], in[2], in[3], in[4], in[5]};
        crn_contact_change_out to = {out[0], out[1], out[2], out[3]}, to_one = {one[0], one[1], one[2], one[3]};
        assert_int_equal(crn_contact_jvp_many(linear, MANY, &all, &to, NULL), CRN_OK);
        for (int j = 0; j < MANY; ++j) {
            const int width[4] = {dof, 3 * contacts, 3 * contacts, rows};
            crn_contact_change_in mine = {in[0] + j * dof,      in[1] + j * dof,  in[2] + 3 * j * contacts,
                                          in[3] + j * contacts, in[4] + j * rows, in[5] + j * rows};
            assert_int_equal(crn_contact_jvp(linear, &mine, &to_one, NULL, NULL), CRN_OK);
            for (int k = 0; k < 4; ++k) {
                double size = 1.0, off = 0.0;
                for (int i = 0; i < width[k]; ++i) {
                    size = fmax(size, fabs(one[k][i]));
                    off = fmax(off, fabs(out[k][j * width[k] + i] - one[k][i]));
                }
                worst = fmax(worst, off / size);
            }
        }
    }
    print_message("many directions: off by %.2g\n", worst);
    assert_true(worst < 1e-12);
    assert_int_equal(crn_contact_jvp_many(NULL, 1, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
}

/* --- Large islands --- */

/* Boxes on one another, 0.2 m wide, of masses between 0.5 and 2, pushed along the floor by up to `push`; on four corners each, or on as many
 * points as there are. */
static void make_tower(crn_random *random, int height, int points, double push, scene *s)
{
    memset(s, 0, sizeof *s);
    attach(s);
    s->problem.bodies = height;
    s->problem.contacts = points * height;
    for (int i = 0; i < height; ++i) {
        double mass = crn_random_uniform(random, 0.5, 2.0);
        s->body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = mass, .com = {0, 0, 0.1 + 0.2 * i}};
        s->body[i].inertia[0] = s->body[i].inertia[4] = s->body[i].inertia[8] = mass / 150.0;
        s->velocity[6 * i + 3] = crn_random_uniform(random, -push, push);
        s->velocity[6 * i + 4] = crn_random_uniform(random, -push, push);
        s->velocity[6 * i + 5] = -0.0981;
        for (int k = 0; k < points; ++k) {
            s->contact[points * i + k] =
                (crn_contact_point){.a = i,
                                    .b = i - 1,
                                    .position = {k % 2 ? 0.1 : -0.1, k / 2 ? 0.1 : -0.1, 0.2 * i},
                                    .normal = {0, 0, 1},
                                    .mu = crn_random_uniform(random, 0.2, 0.8),
                                    .directions = 4};
        }
    }
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double farthest(const double *x, const double *y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most / fmax(largest(x, n), 1.0); /* changes and seeds are about 1 */
}

/* The same of the motion alone, of which dv is the change and g the gradient by impulses: those of loads that 60 boxes carry have fewer digits. */
static double motion_adjoint_error(const scene *s, crn_contact_linear *linear, const change *d, const double *seed,
                                   const double *dv, const double *g)
{
    static double by_velocity[512], by_offset[768], by_mu[256];
    int dof = crn_contact_dof(&s->problem), contacts = s->problem.contacts;
    double size = 0.0;
    crn_contact_seed from = {.velocity = seed};
    crn_contact_gradient to = {.velocity = by_velocity, .contact_velocity = by_offset, .mu = by_mu};
    assert_int_equal(crn_contact_vjp(linear, &from, &to, NULL, NULL), CRN_OK);
    (void)dot(dof, seed, d->velocity, &size); /* what contacts may cancel */
    double forward = dot(dof, seed, dv, &size);
    double adjoint = dot(dof, by_velocity, d->velocity, &size) + dot(dof, g, d->impulse, &size) +
                     dot(3 * contacts, by_offset, d->offset, &size) + dot(contacts, by_mu, d->mu, &size);
    return fabs(forward - adjoint) / size;
}

/* Both factors of one island: products that differ by how much; -1: not solved, at a kink, or they tell something else of it. */
static double compare_factors(crn_random *random, scene *s, double *adjoint, crn_gradient_status *told)
{
    static crn_workspace solving, work[2];
    static double dv[2][512], dr[2][768], g[2][512], gu[2][768];
    static change d;
    crn_contact_linear *linear[2];
    crn_linearize_report report[2];
    crn_gradient_word word[2];
    crn_linearize_options how = crn_linearize_options_default();
    double seed[512], worst = 0.0;
    int dof = crn_contact_dof(&s->problem), contacts = s->problem.contacts;
    crn_contact_options options = crn_contact_options_default();
    crn_contact_solution to_scene = {.impulse = s->impulse};
    crn_contact_result result;
    options.cone = how.cone = CRN_CONE_ROUND;
    options.even = true;
    options.tol = 1e-10;
    assert_int_equal(crn_contact_solve(&s->problem, &options, &solving, &to_scene, &result, NULL), CRN_OK);
    if (result.outcome != CRN_LCP_SOLVED) {
        return -1.0;
    }
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(
            crn_linearize(&s->problem, &how, k == 1, s->impulse, NULL, &work[k], &linear[k], &report[k], NULL), CRN_OK);
    }
    if (report[1].status ==
        CRN_GRADIENT_KINK) { /* solved, but Newton's method need not find to a solution in such states */
        return -1.0;
    }
    assert_true(linear[0]->island[0].is_sparse && !linear[1]->island[0].is_sparse);
    random_change(random, s, false, &d);
    crn_contact_change_in in = in_of(&d);
    for (int i = 0; i < dof; ++i) {
        seed[i] = crn_random_normal(random);
    }
    for (int k = 0; k < 2; ++k) {
        crn_contact_change_out out = {.velocity = dv[k], .impulse = dr[k]};
        crn_contact_seed from = {.velocity = seed};
        crn_contact_gradient to = {.impulse = g[k], .contact_velocity = gu[k]};
        assert_int_equal(crn_contact_jvp(linear[k], &in, &out, &word[k], NULL), CRN_OK);
        assert_int_equal(crn_contact_vjp(linear[k], &from, &to, NULL, NULL), CRN_OK);
    }
    *adjoint = motion_adjoint_error(s, linear[0], &d, seed, dv[0], g[0]);
    *told = word[1].status;
    bool is_same =
        word[0].status == word[1].status && abs(report[0].redundant - report[1].redundant) <= 4; /* by pivots */
    if (!is_same && word[1].status == CRN_GRADIENT_SMOOTH) {
        print_message("sparse %s, %d redundant; dense %s, %d\n", crn_gradient_status_name(word[0].status),
                      report[0].redundant, crn_gradient_status_name(word[1].status), report[1].redundant);
        return -1.0;
    }
    worst = fmax(farthest(dv[1], dv[0], dof), farthest(g[1], g[0], dof));
    worst = fmax(worst, fmax(farthest(dr[1], dr[0], 3 * contacts), farthest(gu[1], gu[0], 3 * contacts)));
    return worst;
}

/* Sticking and sliding towers, redundant and not, in one island of 13 to 60 bodies. */
static void large_islands_are_as_small_ones(void **state)
{
    crn_random random = test_random("large", 6);
    int smooth = 0, undetermined = 0;
    double worst = 0.0, worst_adjoint = 0.0;
    static scene s;
    (void)state;
    for (int trial = 0; trial < 60; ++trial) {
        double adjoint = 0.0;
        crn_gradient_status told = CRN_GRADIENT_UNCOVERED;
        make_tower(&random, 13 + crn_random_below(&random, 48), 1 + trial % 4, trial % 3 * 0.05, &s);
        double off = compare_factors(&random, &s, &adjoint, &told);
        if (told == CRN_GRADIENT_UNCOVERED) {
            continue;
        }
        assert_true(off >= 0.0);
        smooth += told == CRN_GRADIENT_SMOOTH;
        undetermined += told == CRN_GRADIENT_UNDETERMINED;
        worst_adjoint = told == CRN_GRADIENT_SMOOTH ? fmax(worst_adjoint, adjoint) : worst_adjoint;
        worst = told == CRN_GRADIENT_SMOOTH ? fmax(worst, off) : worst;
    }
    print_message("large islands: %d compared, %d undetermined; off by %.2g, adjoint %.2g\n", smooth, undetermined,
                  worst, worst_adjoint);
    assert_true(smooth >= 20);
    assert_true(worst < 1e-6); /* 50 boxes on two points each are nearly singular, and lose nine digits with either */
    assert_true(worst_adjoint < ADJOINT_MOST);
}

/* --- Known answers --- */

/* A block of mass 2 on the floor, pushed along x by its free velocity. */
static void make_block(scene *s, double v, double mu)
{
    memset(s, 0, sizeof *s);
    attach(s);
    s->problem.bodies = s->problem.contacts = 1;
    s->body[0] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 2.0};
    s->body[0].inertia[0] = s->body[0].inertia[4] = s->body[0].inertia[8] = 1.0;
    s->contact[0] = (crn_contact_point){
        .a = 0, .b = -1, .normal = {0, 0, 1}, .t1 = {1, 0, 0}, .t2 = {0, 1, 0}, .mu = mu, .directions = 4};
    s->velocity[3] = v;
    s->velocity[5] = -0.1;
}

static crn_contact_linear *linearize_block(scene *s, crn_workspace *work, crn_linearize_report *report)
{
    static crn_workspace solving;
    crn_contact_linear *linear = NULL;
    assert_true(solve(s, CRN_CONE_ROUND, false, &solving, work, &linear, report));
    return linear;
}

static double forward(crn_contact_linear *linear, const crn_contact_change_in *in, bool is_directional, int at,
                      crn_gradient_word *word)
{
    double dv[6];
    crn_contact_change_out out = {.velocity = dv};
    crn_status status = is_directional ? crn_contact_directional(linear, in, &out, word, NULL)
                                       : crn_contact_jvp(linear, in, &out, word, NULL);
    assert_int_equal(status, CRN_OK);
    return dv[at];
}

static void a_sliding_block_feels_friction(void **state)
{
    crn_workspace work = {0};
    crn_linearize_report report;
    crn_gradient_word word;
    static scene s;
    double mu[1] = {1.0}, lift[3] = {1.0, 0, 0}, push[6] = {0, 0, 0, 3.0, 0, 0};
    (void)state;
    make_block(&s, 1.0, 0.5); /* v_x = 1 - 0.5 * 0.1 */
    crn_contact_linear *linear = linearize_block(&s, &work, &report);
    assert_int_equal(report.status, CRN_GRADIENT_SMOOTH);
    assert_int_equal(crn_contact_linear_branches(linear)[0].state.kind, CRN_CONTACT_SLIDE);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.mu = mu}, false, 3, &word) + 0.1) < 1e-14);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.contact_velocity = lift}, false, 3, &word) - 0.5) <
                1e-14);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.contact_velocity = lift}, false, 5, &word) + 1) < 1e-14);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.impulse = push}, false, 3, &word) - 1.5) < 1e-14);
    crn_workspace_free(&work);
}

/* At the friction limit a harder push slips and a softer one does not. */
static void on_the_rim_each_side_has_its_derivative(void **state)
{
    crn_workspace work = {0};
    crn_linearize_report report;
    crn_gradient_word word;
    static scene s;
    double along[6] = {0, 0, 0, 1, 0, 0}, against[6] = {0, 0, 0, -1, 0, 0};
    (void)state;
    make_block(&s, 0.05, 0.5);
    crn_contact_linear *linear = linearize_block(&s, &work, &report);
    assert_int_equal(report.status, CRN_GRADIENT_KINK);
    assert_int_equal(crn_contact_linear_branches(linear)[0].kink, CRN_KINK_RIM);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = along}, true, 3, &word) - 1.0) < 1e-12);
    assert_int_equal(word.status, CRN_GRADIENT_SMOOTH);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = against}, true, 3, &word)) < 1e-12);
    assert_int_equal(word.status, CRN_GRADIENT_SMOOTH);
    crn_workspace_free(&work);
}

/* Just touching, sliding: raised it flies on, lowered it is pushed and braked. */
static void grazing_opens_or_pushes(void **state)
{
    crn_workspace work = {0};
    crn_linearize_report report;
    crn_gradient_word word;
    static scene s;
    double up[6] = {0, 0, 0, 0, 0, 1}, down[6] = {0, 0, 0, 0, 0, -1};
    (void)state;
    make_block(&s, 1.0, 0.5);
    s.velocity[5] = 0.0;
    crn_contact_linear *linear = linearize_block(&s, &work, &report);
    assert_int_equal(report.kinks, 1);
    assert_int_equal(crn_contact_linear_branches(linear)[0].kink, CRN_KINK_GRAZE);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = up}, true, 5, &word) - 1.0) < 1e-12);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = up}, true, 3, &word)) < 1e-12);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = down}, true, 5, &word)) < 1e-12);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.velocity = down}, true, 3, &word) + 0.5) < 1e-12);
    assert_int_equal(word.status, CRN_GRADIENT_SMOOTH);
    crn_workspace_free(&work);
}

/* A table on four legs: even loads have derivatives; one leg that gets longer has none, and that is told. */
static void one_leg_of_four_contradicts_the_others(void **state)
{
    crn_workspace work = {0};
    crn_linearize_report report;
    crn_gradient_word word;
    static scene s;
    double all[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, one[12] = {1};
    (void)state;
    make_block(&s, 0.0, 0.5);
    s.problem.contacts = 4;
    for (int i = 0; i < 4; ++i) {
        s.contact[i] = s.contact[0];
        s.contact[i].position[0] = i % 2 ? 1.0 : -1.0;
        s.contact[i].position[1] = i / 2 ? 1.0 : -1.0;
        s.contact[i].position[2] = -1.0;
    }
    crn_contact_linear *linear = linearize_block(&s, &work, &report);
    assert_int_equal(report.status, CRN_GRADIENT_SMOOTH);
    assert_int_equal(report.redundant, 6); /* 12 rows hold 6 velocities */
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.contact_velocity = all}, false, 5, &word) + 1) < 1e-12);
    assert_int_equal(word.status, CRN_GRADIENT_SMOOTH);
    (void)forward(linear, &(crn_contact_change_in){.contact_velocity = one}, false, 5, &word);
    assert_int_equal(word.status, CRN_GRADIENT_INCONSISTENT);
    crn_workspace_free(&work);
}

/* Two sliders in one place share a load as they like: friction of both may change, that of one has no derivative. */
static void shared_loads_leave_friction_of_one_open(void **state)
{
    crn_workspace work = {0};
    crn_linearize_report report;
    crn_gradient_word word;
    static scene s;
    double both[2] = {1.0, 1.0}, one[2] = {1.0, 0.0};
    (void)state;
    make_block(&s, 1.0, 0.5);
    s.problem.contacts = 2;
    s.contact[1] = s.contact[0];
    crn_contact_linear *linear = linearize_block(&s, &work, &report);
    assert_int_equal(report.status, CRN_GRADIENT_SMOOTH);
    assert_true(fabs(forward(linear, &(crn_contact_change_in){.mu = both}, false, 3, &word) + 0.1) < 1e-14);
    assert_int_equal(word.status, CRN_GRADIENT_SMOOTH);
    (void)forward(linear, &(crn_contact_change_in){.mu = one}, false, 3, &word);
    assert_int_equal(word.status, CRN_GRADIENT_UNDETERMINED);
    crn_workspace_free(&work);
}

static void bad_input_is_told(void **state)
{
    crn_workspace work = {0};
    crn_contact_linear *linear = NULL;
    crn_error error;
    static scene s;
    double wrong[3] = {5.0, 0.0, 0.0}, none[3] = {NAN, 0.0, 0.0};
    (void)state;
    make_block(&s, 1.0, 0.5);
    assert_int_equal(crn_contact_linearize(&s.problem, NULL, wrong, NULL, &work, &linear, NULL, &error),
                     CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "not a solution"));
    assert_int_equal(crn_contact_linearize(&s.problem, NULL, none, NULL, &work, &linear, NULL, &error),
                     CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_linearize(&s.problem, NULL, NULL, NULL, &work, &linear, NULL, &error),
                     CRN_ERR_ARGUMENT);
    assert_null(linear);
    assert_int_equal(crn_contact_jvp(NULL, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(crn_gradient_status_name(CRN_GRADIENT_KINK), "kink");
    assert_string_equal(crn_kink_name(CRN_KINK_RIM), "rim");
    assert_null(crn_gradient_status_name((crn_gradient_status)CRN_GRADIENT_STATUS_COUNT));
    crn_workspace_free(&work);
}

/* What moves in a plane only: across it columns are rounding, along which impulses of any size do nothing. They stay what they are. */
static void rounding_is_no_motion(void **state)
{
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, free[3] = {-1.0, 0.1, 0.3}, eps = 1e-17;
    const double J[3][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, eps}, {1, 0, 0, 0, 1, 0, 0, 0, -eps}, {1, 0, 0, 0, 1, 0, 0, 0, eps}};
    const double given[9] = {0.4 + 1e-9, -0.04, 0, 0.3, -0.03 + 1e-9, 0, 0.3, -0.03, 0}; /* to be made exact */
    double found[9], v[3];
    crn_contact_body body = {.kind = CRN_MASS_MATRIX, .dof = 3, .matrix = mass, .ld = 3};
    crn_contact_point point[3];
    crn_workspace work = {0};
    crn_contact_linear *linear;
    crn_linearize_options how = {CRN_CONE_ROUND, CRN_LAW_COULOMB, 0.0};
    crn_contact_solution to = {.impulse = found, .velocity = v};
    crn_error error;
    (void)state;
    for (int i = 0; i < 3; ++i) {
        point[i] = (crn_contact_point){.a = 0, .b = -1, .jacobian_a = J[i], .mu = 0.5, .directions = 4};
    }
    crn_contact_problem problem = {1, 3, 0, &body, point, NULL, free};
    TEST_CHECK(crn_contact_linearize(&problem, &how, given, NULL, &work, &linear, NULL, &error) == CRN_OK, "%s",
               error.text);
    assert_int_equal(crn_contact_linear_solution(linear, &to, NULL), CRN_OK);
    for (int i = 0; i < 9; ++i) {
        TEST_CHECK(fabs(found[i] - given[i]) < 0.1, "impulse %d: %g, given %g", i, found[i], given[i]);
    }
    assert_true(v[2] == free[2]);
    crn_workspace_free(&work);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_problems_agree_with_differences),
                                       cmocka_unit_test(classes_agree_with_differences),
                                       cmocka_unit_test(many_directions_are_as_one),
                                       cmocka_unit_test(large_islands_are_as_small_ones),
                                       cmocka_unit_test(a_sliding_block_feels_friction),
                                       cmocka_unit_test(shared_loads_leave_friction_of_one_open),
                                       cmocka_unit_test(on_the_rim_each_side_has_its_derivative),
                                       cmocka_unit_test(grazing_opens_or_pushes),
                                       cmocka_unit_test(one_leg_of_four_contradicts_the_others),
                                       cmocka_unit_test(rounding_is_no_motion),
                                       cmocka_unit_test(bad_input_is_told)};
    return TEST_RUN(tests, argc, argv);
}
