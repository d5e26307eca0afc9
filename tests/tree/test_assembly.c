/* Assembly-disassembly against dense matrices in long double: Phi_ij = J_i H^-1 J_j', b_i = J_i u' + J_i' u, H u' = tau - C, on
 * random trees of all joints; against the articulated-body algorithm; the same bits on any number of threads. */
#include "tree/assembly_parts.h"

#include "assembly_case.h"
#include "test_allocator.h"

/* --- Cases --- */

enum { HANDLES_MOST = 64 };

typedef struct assembly_case {
    crn_tree *tree;
    int handles, handle[HANDLES_MOST];
    double *q, *u, *force, *wrench;
    crn_tree_load load;
} assembly_case;

static double *numbers(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static assembly_case make_case(crn_random *random, const tree_look *look, int handles)
{
    assembly_case c = {.tree = tree_random(random, look), .handles = handles};
    int n = c.tree->velocities;
    for (int k = 0; k < handles; ++k) {
        c.handle[k] = crn_random_below(random, look->links);
    }
    c.q = numbers(c.tree->coordinates);
    c.u = numbers(n);
    c.force = numbers(n);
    c.wrench = numbers(6 * look->links);
    tree_state(random, c.tree, 1.0, c.q, c.u);
    for (int i = 0; i < n; ++i) {
        c.force[i] = crn_random_uniform(random, -2.0, 2.0);
    }
    for (int i = 0; i < 6 * look->links; ++i) {
        c.wrench[i] = crn_random_uniform(random, -2.0, 2.0);
    }
    c.load = (crn_tree_load){{1.0, -2.0, -9.81}, c.force, c.wrench};
    return c;
}

static void free_case(assembly_case *c)
{
    crn_tree_destroy(c->tree);
    free(c->q), free(c->u), free(c->force), free(c->wrench);
}

/* Any look. */
static tree_look random_look(crn_random *random, int most)
{
    return (tree_look){.links = 1 + crn_random_below(random, most),
                       .chain = crn_random_uniform(random, 0.0, 1.2),
                       .massless = crn_random_below(random, 2) * 0.3,
                       .armature = crn_random_below(random, 2) * 0.2,
                       .floating = crn_random_below(random, 2) == 0,
                       .only_hinges = crn_random_below(random, 4) == 0,
                       .least_moment = 0.01};
}

/* --- Runs --- */

typedef struct answer {
    double *phi, *bias, *acceleration;
} answer;

static answer run_case(const assembly_case *c, int grain, int threads)
{
    answer a = {numbers(36 * c->handles * c->handles), numbers(6 * c->handles), numbers(c->tree->velocities)};
    crn_assembly *assembly;
    crn_error error;
    TEST_CHECK(crn_assembly_create_grains(c->tree, c->handle, c->handles, grain, NULL, &assembly, &error) == CRN_OK,
               "%s", error.text);
    crn_assembly_run(assembly, c->tree, c->q, c->u, &c->load, threads, a.phi, a.bias, a.acceleration);
    crn_assembly_destroy(assembly);
    return a;
}

static void free_answer(answer *a)
{
    free(a->phi), free(a->bias), free(a->acceleration);
}

/* max |x - y| / max |y| */
static double difference(int count, const double *x, const tree_real *y)
{
    tree_real error = 0.0L, size = 1e-30L;
    for (int i = 0; i < count; ++i) {
        error = fmaxl(error, fabsl(x[i] - y[i]));
        error = isnan(x[i]) ? INFINITY : error;
        size = fmaxl(size, fabsl(y[i]));
    }
    return (double)(error / size);
}

typedef struct errors {
    double phi, bias, acceleration;
} errors;

/* The largest differences of an answer from dense matrices. */
static errors judge(const assembly_case *c, const answer *a)
{
    int n = c->tree->velocities, m = 6 * c->handles;
    crn_tree_place(c->tree, c->q);
    tree_dense d = tree_dense_make(c->tree, c->u);
    tree_dense_factor(&d);
    tree_real *u = tree_reals((size_t)n), *bias = tree_reals((size_t)m), *column = tree_reals((size_t)n),
              *phi = tree_reals((size_t)m * (size_t)m);
    tree_dense_forward(&d, c->tree, &c->load, u);
    for (int k = 0; k < m; ++k) {
        const tree_real *J = d.J + 6 * (size_t)n * (size_t)c->handle[k / 6] + k % 6;
        bias[k] = d.c[6 * c->handle[k / 6] + k % 6];
        for (int i = 0; i < n; ++i) {
            bias[k] += J[6 * i] * u[i];
            column[i] = J[6 * i];
        }
        tree_dense_solve(&d, column);
        for (int l = 0; l < m; ++l) {
            const tree_real *Jl = d.J + 6 * (size_t)n * (size_t)c->handle[l / 6] + l % 6;
            for (int i = 0; i < n; ++i) {
                phi[l + m * k] += Jl[6 * i] * column[i];
            }
        }
    }
    errors e = {difference(m * m, a->phi, phi), difference(m, a->bias, bias), difference(n, a->acceleration, u)};
    free(u), free(bias), free(column), free(phi);
    tree_dense_free(&d);
    return e;
}

static errors worse(errors a, errors b)
{
    return (errors){fmax(a.phi, b.phi), fmax(a.bias, b.bias), fmax(a.acceleration, b.acceleration)};
}

/* --- Tests --- */

/* 1,000 random trees; grains of one link make a join of every joint that may be cut at. */
static void agrees_with_dense_matrices(void **state)
{
    (void)state;
    crn_random random = test_random("agrees_with_dense_matrices", 501);
    errors worst = {0, 0, 0};
    for (int n = 0; n < 1000; ++n) {
        tree_look look = random_look(&random, 16);
        assembly_case c = make_case(&random, &look, crn_random_below(&random, 6));
        int grain = n % 3 == 0 ? 1 : 1 + crn_random_below(&random, 6);
        answer a = run_case(&c, grain, 1);
        errors e = judge(&c, &a);
        if (getenv("DBG") && !(fmax(e.phi, fmax(e.bias, e.acceleration)) < 1e-10)) {
            printf("%d links grain %d n %d handles %d\n", look.links, grain, c.tree->velocities, c.handles);
            for (int i = 0; i < look.links; ++i) printf("  %d parent %d kind %s mass %g\n", i, c.tree->link[i].parent, crn_joint_kind_name(c.tree->link[i].kind), c.tree->link[i].mass);
            double *acc = numbers(c.tree->velocities);
            crn_tree_forward(c.tree, c.q, c.u, &c.load, acc);
            for (int i = 0; i < c.tree->velocities; ++i) printf("  %g %g\n", a.acceleration[i], acc[i]);
        }
        TEST_CHECK(fmax(e.phi, fmax(e.bias, e.acceleration)) < 1e-10, "tree %d: phi %.1e, bias %.1e, u' %.1e", n, e.phi,
                   e.bias, e.acceleration);
        worst = worse(worst, e);
        free_answer(&a);
        free_case(&c);
    }
    print_message("worst of 1000: phi %.1e, bias %.1e, u' %.1e\n", worst.phi, worst.bias, worst.acceleration);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_matrices),
    };
    return TEST_RUN(tests, argc, argv);
}
