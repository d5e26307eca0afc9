/* Loop joints between handles of an assembly against the saddle-point problem
 *
 *     H u' = r + G'x + (J_c - J_p)'f_a,    G u' + T'(J_c'u - J_p'u - c_J) = 0,    G = T'(J_c - J_p)
 *
 * solved densely in long double. Joints of every kind need not be closed: rows are rows. */
#include "tree/assembly_loop.h"

#include "assembly_case.h"

enum { LOOPS_MOST = 3, ROWS_MOST = 6 * LOOPS_MOST };

typedef struct loop_case {
    int loops;
    crn_assembly_loop loop[LOOPS_MOST];
    double T[LOOPS_MOST][36], applied[LOOPS_MOST][6], product[LOOPS_MOST][6], mobility[LOOPS_MOST][6];
} loop_case;

static crn_joint_kind loop_kind(crn_random *random)
{
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE, CRN_JOINT_BALL,   CRN_JOINT_SLIDER, CRN_JOINT_UNIVERSAL,
                                           CRN_JOINT_FIXED, CRN_JOINT_PLANAR, CRN_JOINT_FREE};
    return kinds[crn_random_below(random, 7)];
}

/* A joint's T about the world's origin, at frames that are closed as far as they must be: the same frame for both. */
static int complement(crn_random *random, double *T)
{
    const crn_joint_type *type = crn_joint_type_of(loop_kind(random));
    crn_pose pose = {tree_vector(random, 1.0), tree_rotation(random)};
    crn_frame frame = crn_frame_of(&pose);
    crn_joint_sides sides = {frame, frame, frame.position, frame.position, 0.0};
    type->complement(&sides, T);
    for (int j = 0; j < type->rows; ++j) { /* wrenches about the joint's origin, now about the world's */
        crn_vec3 torque = crn_v3_of(T + 6 * j), force = crn_v3_of(T + 6 * j + 3);
        crn_v3_to(crn_v3_add(torque, crn_v3_cross(frame.position, force)), T + 6 * j);
    }
    return type->rows;
}

/* Loops between handles 2k and 2k + 1; some go to the base. */
static void make_loops(crn_random *random, const assembly_case *c, loop_case *l)
{
    l->loops = 1 + crn_random_below(random, LOOPS_MOST);
    for (int k = 0; k < l->loops; ++k) {
        for (int i = 0; i < 6; ++i) {
            l->applied[k][i] = crn_random_uniform(random, -1.0, 1.0);
            l->product[k][i] = crn_random_uniform(random, -1.0, 1.0);
        }
        int rows = complement(random, l->T[k]);
        bool to_base = crn_random_below(random, 3) == 0 || c->handle[2 * k] == c->handle[2 * k + 1];
        l->loop[k] = (crn_assembly_loop){to_base ? -1 : 2 * k, 2 * k + 1,     rows,          l->T[k],
                                         l->applied[k],        l->product[k], l->mobility[k]};
    }
}

/* --- Oracle --- */

/* (J_c - J_p) times the wrench e, as forces along velocities: to += s (J_c - J_p)'e */
static void add_wrench(const tree_dense *d, const assembly_case *c, const crn_assembly_loop *loop, tree_real s,
                       const double *e, tree_real *to)
{
    for (int side = 0; side < 2; ++side) {
        int handle = side == 0 ? loop->child : loop->parent;
        const tree_real *J = handle < 0 ? NULL : d->J + 6 * (size_t)d->n * (size_t)c->handle[handle];
        for (int i = 0; i < 6 * d->n && J != NULL; ++i) {
            to[i / 6] += (side == 0 ? s : -s) * J[i] * e[i % 6];
        }
    }
}

typedef struct saddle {
    int rows;
    tree_real *G[ROWS_MOST], *HG[ROWS_MOST]; /* rows of G, and H^-1 of each */
    tree_real l[ROWS_MOST][ROWS_MOST];       /* Cholesky of G H^-1 G' */
    tree_real least;                         /* pivot relative to the mobility of both sides along the row */
} saddle;

static tree_real dot(int n, const tree_real *a, const tree_real *b)
{
    tree_real sum = 0.0L;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static saddle make_saddle(const tree_dense *d, const assembly_case *c, const loop_case *l)
{
    saddle s = {.least = 1.0L};
    tree_real mobility[ROWS_MOST];
    for (int k = 0; k < l->loops; ++k) {
        for (int j = 0; j < l->loop[k].rows; ++j) {
            tree_real *G = s.G[s.rows] = tree_reals((size_t)d->n), *HG = s.HG[s.rows] = tree_reals((size_t)d->n);
            mobility[s.rows++] = l->mobility[k][j];
            add_wrench(d, c, &l->loop[k], 1.0L, l->T[k] + 6 * j, G);
            memcpy(HG, G, (size_t)d->n * sizeof *HG);
            tree_dense_solve(d, HG);
        }
    }
    for (int j = 0; j < s.rows; ++j) {
        for (int i = j; i < s.rows; ++i) {
            tree_real x = dot(d->n, s.G[i], s.HG[j]);
            for (int k = 0; k < j; ++k) {
                x -= s.l[i][k] * s.l[j][k];
            }
            if (i == j) {
                s.least = fminl(s.least, mobility[i] > 0.0L ? x / mobility[i] : 0.0L);
            }
            s.l[i][j] = i == j ? sqrtl(x) : x / s.l[j][j];
        }
    }
    return s;
}

static void free_saddle(saddle *s)
{
    for (int i = 0; i < s->rows; ++i) {
        free(s->G[i]), free(s->HG[i]);
    }
}

/* u -= H^-1 G'(G H^-1 G')^-1 (G u + gap) */
static void project(const saddle *s, int n, const tree_real *gap, tree_real *u)
{
    tree_real x[ROWS_MOST];
    for (int i = 0; i < s->rows; ++i) {
        x[i] = dot(n, s->G[i], u) + (gap != NULL ? gap[i] : 0.0L);
        for (int k = 0; k < i; ++k) {
            x[i] -= s->l[i][k] * x[k];
        }
        x[i] /= s->l[i][i];
    }
    for (int i = s->rows - 1; i >= 0; --i) {
        for (int k = i + 1; k < s->rows; ++k) {
            x[i] -= s->l[k][i] * x[k];
        }
        x[i] /= s->l[i][i];
        for (int j = 0; j < n; ++j) {
            u[j] -= s->HG[i][j] * x[i];
        }
    }
}

/* T'(J_c'u - J_p'u - c_J) of all rows */
static void velocity_gap(const tree_dense *d, const assembly_case *c, const loop_case *l, tree_real *gap)
{
    for (int k = 0; k < l->loops; ++k) {
        const crn_assembly_loop *loop = &l->loop[k];
        for (int j = 0; j < loop->rows; ++j, ++gap) {
            *gap = 0.0L;
            for (int i = 0; i < 6; ++i) {
                tree_real rate = loop->child < 0 ? 0.0L : d->c[6 * c->handle[loop->child] + i];
                rate -= loop->parent < 0 ? 0.0L : d->c[6 * c->handle[loop->parent] + i];
                *gap += loop->T[6 * j + i] * (rate - l->product[k][i]);
            }
        }
    }
}

/* The largest differences of phi and bias from the saddle point, relative to the largest numbers without loops. */
static void judge(const assembly_case *c, const loop_case *l, const tree_dense *d, const saddle *s, const double *phi,
                  const double *bias, double *phi_error, double *bias_error)
{
    int n = d->n, m = 6 * c->handles;
    tree_real *u = tree_reals((size_t)n), gap[ROWS_MOST], size = 0.0L, worst = 0.0L, bias_size = 0.0L,
              bias_worst = 0.0L;
    tree_real *push = tree_reals((size_t)n);
    velocity_gap(d, c, l, gap);
    tree_dense_forward(d, c->tree, &c->load, u);
    for (int k = 0; k < l->loops; ++k) {
        add_wrench(d, c, &l->loop[k], 1.0L, l->applied[k], push);
    }
    tree_dense_solve(d, push);
    for (int i = 0; i < n; ++i) {
        u[i] += push[i];
    }
    project(s, n, gap, u);
    for (int k = 0; k < m; ++k) {
        const tree_real *J = d->J + 6 * (size_t)n * (size_t)c->handle[k / 6] + k % 6;
        tree_real b = d->c[6 * c->handle[k / 6] + k % 6];
        for (int i = 0; i < n; ++i) {
            b += J[6 * i] * u[i];
            push[i] = J[6 * i];
        }
        bias_size = fmaxl(bias_size, fabsl(b));
        bias_worst = fmaxl(bias_worst, fabsl(b - bias[k]));
        tree_dense_solve(d, push);
        for (int i = 0; i < n; ++i) {
            size = fmaxl(size, fabsl(J[6 * i] * push[i]));
        }
        project(s, n, NULL, push);
        for (int other = 0; other < m; ++other) {
            const tree_real *K = d->J + 6 * (size_t)n * (size_t)c->handle[other / 6] + other % 6;
            tree_real sum = 0.0L;
            for (int i = 0; i < n; ++i) {
                sum += K[6 * i] * push[i];
            }
            worst = fmaxl(worst, fabsl(sum - phi[other + m * k]));
        }
    }
    *phi_error = (double)(worst / size);
    *bias_error = (double)(bias_worst / bias_size);
    free(u), free(push);
}

/* --- Tests --- */

/* Close all loops; how many rows were held that were not before. */
static int close_all(const assembly_case *c, const loop_case *l, double *phi, double *bias, double *work)
{
    int held = 0;
    for (int k = 0; k < l->loops; ++k) {
        held += crn_assembly_close(phi, bias, c->handles, &l->loop[k], work);
    }
    return held;
}

/* Loops that hold something new in all rows: the saddle point; closed once more: nothing is left to hold. */
static void agrees_with_the_saddle_point(void **state)
{
    (void)state;
    crn_random random = test_random("agrees_with_the_saddle_point", 601);
    int checked = 0;
    double worst = 0.0;
    for (int n = 0; n < 400; ++n) {
        tree_look look = {.links = 6 + crn_random_below(&random, 12),
                          .chain = crn_random_uniform(&random, 0.3, 1.2),
                          .floating = n % 2 == 0,
                          .armature = n % 3 * 0.1,
                          .least_moment = 0.01};
        assembly_case c = make_case(&random, &look, 2 * LOOPS_MOST);
        loop_case l;
        make_loops(&random, &c, &l);
        double *phi = numbers(36 * c.handles * c.handles), *bias = numbers(6 * c.handles),
               *work = numbers(36 * c.handles);
        crn_assembly *assembly;
        assert_int_equal(crn_assembly_create_grains(c.tree, c.handle, c.handles, 2, NULL, &assembly, NULL), CRN_OK);
        crn_assembly_run(assembly, c.tree, c.q, c.u, &c.load, 1, phi, bias, NULL);
        for (int k = 0; k < l.loops; ++k) {
            crn_assembly_loop_mobility(phi, c.handles, &l.loop[k], l.mobility[k]);
        }
        crn_tree_place(c.tree, c.q);
        tree_dense d = tree_dense_make(c.tree, c.u);
        tree_dense_factor(&d);
        saddle s = make_saddle(&d, &c, &l);
        /* Near a dead centre numbers grow without bound; those cases are for the next test. */
        if (s.least > 1e-4L) {
            double e, f;
            int held = close_all(&c, &l, phi, bias, work);
            judge(&c, &l, &d, &s, phi, bias, &e, &f);
            TEST_CHECK(held == s.rows, "case %d: %d rows held, not %d", n, held, s.rows);
            TEST_CHECK(e < 1e-9 && f < 1e-9, "case %d: phi %.1e, bias %.1e", n, e, f);
            held = close_all(&c, &l, phi, NULL, work);
            TEST_CHECK(held == 0, "case %d: doubled loops hold %d rows more", n, held);
            judge(&c, &l, &d, &s, phi, bias, &e, &f);
            TEST_CHECK(e < 1e-9, "case %d, doubled: phi %.1e", n, e);
            worst = fmax(worst, fmax(e, f));
            ++checked;
        }
        free_saddle(&s);
        tree_dense_free(&d);
        crn_assembly_destroy(assembly);
        free(phi), free(bias), free(work);
        free_case(&c);
    }
    print_message("%d cases, worst %.1e\n", checked, worst);
    assert_true(checked > 100);
}

/* A planar four-bar linkage in space: three hinges with parallel axes, closed by a fourth hinge on the base: of its five rows
 * three repeat what the others hold. One freedom is left: phi has rank 1. */
static void finds_what_a_planar_loop_repeats(void **state)
{
    (void)state;
    crn_link_def link[3];
    for (int i = 0; i < 3; ++i) {
        link[i] = crn_link_def_default();
        link[i].parent = i - 1;
        link[i].kind = CRN_JOINT_HINGE;
        link[i].mass = 1.0;
        link[i].inertia = (crn_mat3){{0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
        link[i].frame_b.position = crn_v3(-0.5, 0, 0);
        link[i].frame_a.position = i == 0 ? crn_v3(0, 0, 0) : crn_v3(0.5, 0, 0);
    }
    crn_tree *tree;
    crn_assembly *assembly;
    crn_error error;
    assert_int_equal(crn_tree_create(link, 3, NULL, &tree, &error), CRN_OK);
    const int handle[1] = {2};
    const double q[3] = {1.2, -0.9, -1.3}, u[3] = {0, 0, 0};
    double phi[36], work[36], mobility[6];
    assert_int_equal(crn_assembly_create(tree, handle, 1, NULL, &assembly, &error), CRN_OK);
    crn_assembly_run(assembly, tree, q, u, NULL, 1, phi, NULL, NULL);
    /* the far end of the last link */
    crn_vec3 end = crn_frame_point(&tree->link[2].frame, crn_v3(0.5, 0, 0));
    double T[30] = {0};
    for (int j = 0; j < 3; ++j) {
        crn_vec3 force = crn_v3(j == 0, j == 1, j == 2);
        crn_v3_to(crn_v3_cross(end, force), T + 6 * j);
        crn_v3_to(force, T + 6 * j + 3);
    }
    T[18] = T[25] = 1.0; /* no turn about x and y */
    crn_assembly_loop loop = {.parent = -1, .child = 0, .rows = 5, .T = T, .mobility = mobility};
    crn_assembly_loop_mobility(phi, 1, &loop, mobility);
    assert_int_equal(crn_assembly_close(phi, NULL, 1, &loop, work), 2);
    double diagonal = 0.0;
    for (int i = 0; i < 6; ++i) {
        diagonal += phi[7 * i];
    }
    assert_true(diagonal > 0.01);
    for (int i = 0; i < 6; ++i) { /* rank 1: all minors of order 2 vanish */
        for (int j = 0; j < 6; ++j) {
            double minor = phi[7 * i] * phi[7 * j] - phi[i + 6 * j] * phi[j + 6 * i];
            assert_true(fabs(minor) < 1e-13 * diagonal * diagonal);
        }
    }
    for (int j = 0; j < 5; ++j) { /* and the end is held: T'Phi = 0 */
        for (int i = 0; i < 6; ++i) {
            double sum = 0.0;
            for (int k = 0; k < 6; ++k) {
                sum += T[k + 6 * j] * phi[k + 6 * i];
            }
            assert_true(fabs(sum) < 1e-13 * diagonal);
        }
    }
    assert_int_equal(crn_assembly_close(phi, NULL, 1, &loop, work), 0);
    crn_assembly_destroy(assembly);
    crn_tree_destroy(tree);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_saddle_point),
        cmocka_unit_test(finds_what_a_planar_loop_repeats),
    };
    return TEST_RUN(tests, argc, argv);
}
