/* Friction problems for the tests, and a judge of their own: it shares no code with the library and sums in long double. */
#ifndef CRN_TEST_CONE_CASE_H
#define CRN_TEST_CONE_CASE_H

#include "test_support.h"

#include <cairn/cone.h>

#include <math.h>

/* Zero-initialised memory that is always there. */
static inline void *cone_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static inline double *cone_doubles(int count)
{
    return cone_memory((size_t)count, sizeof(double));
}

/* A local problem that owns its arrays; W both dense and, without its zeros, in compressed columns. */
typedef struct cone_case {
    crn_cone_problem problem;
    int n;
    double *dense, *q, *mu, *value;
    int *start, *row;
    double *r, *u; /* the known answer, if there is one */
} cone_case;

static inline cone_case cone_case_new(int dim, int contacts)
{
    cone_case c = {.n = dim * contacts};
    c.dense = cone_doubles(c.n * c.n);
    c.value = cone_doubles(c.n * c.n);
    c.q = cone_doubles(c.n);
    c.mu = cone_doubles(contacts);
    c.r = cone_doubles(c.n);
    c.u = cone_doubles(c.n);
    c.start = cone_memory((size_t)c.n + 1, sizeof(int));
    c.row = cone_memory((size_t)(c.n * c.n), sizeof(int));
    c.problem.form = CRN_CONE_LOCAL;
    c.problem.dim = dim;
    c.problem.contacts = contacts;
    return c;
}

static inline void cone_case_free(cone_case *c)
{
    free(c->dense);
    free(c->value);
    free(c->q);
    free(c->mu);
    free(c->r);
    free(c->u);
    free(c->start);
    free(c->row);
}

/* After dense, q and mu are set: compress. */
static inline void cone_case_close(cone_case *c)
{
    int entries = 0;
    for (int j = 0; j < c->n; ++j) {
        c->start[j] = entries;
        for (int i = 0; i < c->n; ++i) {
            if (c->dense[i + j * c->n] != 0.0) {
                c->row[entries] = i;
                c->value[entries++] = c->dense[i + j * c->n];
            }
        }
    }
    c->start[c->n] = entries;
    c->problem.W = (crn_cone_matrix){c->n, c->n, c->start, c->row, c->value};
    c->problem.q = c->q;
    c->problem.mu = c->mu;
}

/* u = W r + q */
static inline void cone_case_velocity(const cone_case *c, const double *r, double *u)
{
    for (int i = 0; i < c->n; ++i) {
        long double sum = c->q[i];
        for (int j = 0; j < c->n; ++j) {
            sum += (long double)c->dense[i + j * c->n] * r[j];
        }
        u[i] = (double)sum;
    }
}

/* How far r and u of one contact are from Coulomb's law, by its three clauses and not by a projection: u_n >= 0, r in the
 * cone, u_n r_n = 0, and slip opposed to friction at its limit. Impulses count over r_size, velocities over u_size. */
static inline double cone_law_error(int dim, double mu, const double *r, const double *u, double r_size, double u_size)
{
    long double rt = 0.0L, ut = 0.0L, dot = 0.0L;
    for (int k = 1; k < dim; ++k) {
        rt += (long double)r[k] * r[k];
        ut += (long double)u[k] * u[k];
        dot += (long double)r[k] * u[k];
    }
    rt = sqrtl(rt);
    ut = sqrtl(ut);
    const long double both = (long double)r_size * u_size;
    long double error = fmaxl(-u[0] / (long double)u_size, -r[0] / (long double)r_size);
    error = fmaxl(error, (rt - mu * r[0]) / r_size);
    error = fmaxl(error, fabsl(u[0] * (long double)r[0]) / both);
    /* maximal dissipation: r_t'u_t + mu r_n |u_t| = 0 */
    error = fmaxl(error, fabsl(dot + mu * (long double)r[0] * ut) / both);
    return (double)error;
}

static inline double cone_largest(int n, const double *x)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest > 0.0 ? largest : 1.0;
}

/* The largest of cone_law_error() over the contacts; velocities over the largest there is, q's included. */
static inline double cone_worst(const crn_cone_problem *p, const double *q, const double *r, const double *u)
{
    const int n = p->dim * p->contacts;
    const double r_size = cone_largest(n, r), u_size = fmax(cone_largest(n, u), cone_largest(n, q));
    double worst = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        worst = fmax(worst, cone_law_error(p->dim, p->mu[i], r + p->dim * i, u + p->dim * i, r_size, u_size));
    }
    return worst;
}

/* r and u of one contact that obey the law: open, stick, slip, or grazing (both 0), in turn at random. */
static inline void cone_random_pair(crn_random *random, int dim, double mu, double *r, double *u)
{
    double t[3] = {0.0, 1.0, 0.0};
    if (dim == 3) {
        const double angle = crn_random_uniform(random, 0.0, 6.283185307179586);
        t[1] = cos(angle);
        t[2] = sin(angle);
    } else {
        t[1] = crn_random_below(random, 2) == 0 ? 1.0 : -1.0;
    }
    const int kind = crn_random_below(random, 4);
    const double force = crn_random_uniform(random, 0.1, 2.0), speed = crn_random_uniform(random, 0.1, 2.0);
    const double share = kind == 1 ? crn_random_uniform(random, 0.0, 0.95) : 1.0;
    for (int k = 0; k < dim; ++k) {
        r[k] = u[k] = 0.0;
    }
    if (kind == 0) {
        u[0] = speed;
        for (int k = 1; k < dim; ++k) {
            u[k] = t[k] * crn_random_uniform(random, 0.0, 1.0);
        }
    } else if (kind < 3) {
        r[0] = force;
        for (int k = 1; k < dim; ++k) {
            r[k] = -mu * force * share * t[k];
            u[k] = kind == 2 ? speed * t[k] : 0.0;
        }
    }
}

/* W = B B' with B n x rank, the entries of each contact scaled by 1 to `spread`, made unsymmetric by `skew` of its entries;
 * r and u that obey the law; q = u - W r. */
static inline cone_case cone_case_random(crn_random *random, int dim, int contacts, int rank, double mu, double skew,
                                         double spread)
{
    cone_case c = cone_case_new(dim, contacts);
    double *B = cone_doubles(c.n * rank);
    for (int i = 0; i < contacts; ++i) {
        const double scale = pow(spread, crn_random_uniform(random, 0.0, 1.0));
        for (int k = 0; k < dim * rank; ++k) {
            B[dim * rank * i + k] = scale * crn_random_normal(random) / sqrt(rank);
        }
        c.mu[i] = mu;
        cone_random_pair(random, dim, mu, c.r + dim * i, c.u + dim * i);
    }
    for (int i = 0; i < c.n; ++i) {
        for (int j = 0; j < c.n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < rank; ++k) {
                sum += B[i * rank + k] * B[j * rank + k];
            }
            c.dense[i + j * c.n] = sum * (1.0 + skew * (i < j ? crn_random_uniform(random, -1.0, 1.0) : 0.0));
        }
    }
    free(B);
    cone_case_velocity(&c, c.r, c.q); /* q is 0 still: W r */
    for (int i = 0; i < c.n; ++i) {
        c.q[i] = c.u[i] - c.q[i];
    }
    cone_case_close(&c);
    return c;
}

#endif
