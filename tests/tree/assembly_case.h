/* Random trees for tests, and their dynamics by dense matrices in long double: H = sum J'I J + armature, assembled from the
 * motion columns that crn_tree_place() left. */
#ifndef CRN_TEST_ASSEMBLY_CASE_H
#define CRN_TEST_ASSEMBLY_CASE_H

#include "tree/assembly_parts.h"

#include <math.h>

#include "math/rigid.h"
#include "test_support.h"

typedef long double tree_real;

/* How a random tree is to look. */
typedef struct tree_look {
    int links;
    double chain;        /* chance that a link hangs on the one before */
    double massless;     /* chance that a link which carries another has no mass */
    double armature;     /* up to */
    bool floating;       /* the first joint is free, else any */
    bool only_hinges;    /* all other joints are hinges */
    double size, spread; /* unit of lengths, masses growing with its cube (0: 1); masses differ by up to this (0: 1) */
    double least_moment; /* smallest principal moment, the others being up to 0.1 */
} tree_look;

static inline crn_vec3 tree_vector(crn_random *random, double size)
{
    double x = crn_random_uniform(random, -size, size), y = crn_random_uniform(random, -size, size);
    return crn_v3(x, y, crn_random_uniform(random, -size, size));
}

static inline crn_quat tree_rotation(crn_random *random)
{
    double w = crn_random_normal(random), x = crn_random_normal(random), y = crn_random_normal(random);
    return crn_quat_unit((crn_quat){w, x, y, crn_random_normal(random)});
}

static inline crn_mat3 tree_inertia(crn_random *random, double least)
{
    double x = crn_random_uniform(random, least, 0.1), y = crn_random_uniform(random, least, 0.1);
    double z = crn_random_uniform(random, fmax(least, fabs(x - y)), x + y);
    crn_mat3 moments = {{x, 0, 0, 0, y, 0, 0, 0, z}}, axes = crn_quat_matrix(tree_rotation(random));
    return crn_m3_turned(&axes, &moments);
}

static inline crn_joint_kind tree_kind(crn_random *random)
{
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE,     CRN_JOINT_HINGE, CRN_JOINT_BALL,   CRN_JOINT_SLIDER,
                                           CRN_JOINT_UNIVERSAL, CRN_JOINT_FIXED, CRN_JOINT_PLANAR, CRN_JOINT_FREE};
    return kinds[(int)crn_random_uniform(random, 0.0, 8.0) & 7];
}

/* A link in other units, and heavier or lighter as a whole. */
static inline void tree_resize(crn_random *random, const tree_look *look, crn_link_def *link)
{
    double length = look->size > 0.0 ? look->size : 1.0, spread = look->spread > 0.0 ? log(look->spread) : 0.0;
    double mass = length * length * length * exp(crn_random_uniform(random, -0.5 * spread, 0.5 * spread));
    link->frame_a.position = crn_v3_scale(length, link->frame_a.position);
    link->frame_b.position = crn_v3_scale(length, link->frame_b.position);
    link->com = crn_v3_scale(length, link->com);
    link->mass *= mass;
    for (int k = 0; k < 9; ++k) {
        link->inertia.m[k] *= mass * length * length;
    }
}

/* A tree that crn_tree_create() accepts; links without mass become what they are tried as only if it does. */
static inline crn_tree *tree_random(crn_random *random, const tree_look *look)
{
    crn_link_def *link = calloc((size_t)look->links, sizeof *link);
    crn_error error;
    crn_tree *tree = NULL;
    assert_non_null(link);
    for (int i = 0; i < look->links; ++i) {
        link[i] = crn_link_def_default();
        bool on_last = crn_random_uniform(random, 0.0, 1.0) < look->chain;
        link[i].parent = on_last ? i - 1 : (int)crn_random_uniform(random, look->floating && i > 0 ? 0.0 : -1.0, i);
        link[i].parent = i == 0 ? -1 : link[i].parent;
        link[i].kind = look->only_hinges ? CRN_JOINT_HINGE : tree_kind(random);
        link[i].kind = i == 0 && look->floating ? CRN_JOINT_FREE : link[i].kind;
        if (i > 0 && look->massless > 0.0 && link[i].kind == CRN_JOINT_FREE) {
            link[i].kind = CRN_JOINT_BALL; /* a massless link could not feel what hangs on it by a free joint */
        }
        link[i].frame_a = (crn_pose){tree_vector(random, 0.5), tree_rotation(random)};
        link[i].frame_b = (crn_pose){tree_vector(random, 0.5), tree_rotation(random)};
        link[i].mass = crn_random_uniform(random, 0.2, 2.0);
        link[i].com = tree_vector(random, 0.3);
        link[i].inertia = tree_inertia(random, look->least_moment);
        tree_resize(random, look, &link[i]);
        for (int k = 0; k < CRN_JOINT_FREEDOM_MAX; ++k) {
            link[i].armature[k] = look->armature * crn_random_uniform(random, 0.0, 1.0);
        }
    }
    for (int i = 0; i < look->links; ++i) {
        if (crn_random_uniform(random, 0.0, 1.0) < look->massless) {
            double mass = link[i].mass;
            crn_mat3 inertia = link[i].inertia;
            link[i].mass = 0.0;
            link[i].inertia = (crn_mat3){{0}};
            if (crn_tree_create(link, look->links, NULL, &tree, &error) != CRN_OK) {
                link[i].mass = mass;
                link[i].inertia = inertia;
            }
            crn_tree_destroy(tree);
        }
    }
    TEST_CHECK(crn_tree_create(link, look->links, NULL, &tree, &error) == CRN_OK, "%s", error.text);
    free(link);
    return tree;
}

/* Is velocity k of a link's joint one along a line? */
static inline bool tree_is_linear(const crn_link *link, int k)
{
    return link->kind == CRN_JOINT_SLIDER || (link->kind == CRN_JOINT_PLANAR && k < 2) ||
           (link->kind == CRN_JOINT_FREE && k >= 3);
}

/* Any coordinates, up to 2 rad or 2 lengths, and velocities up to 1 of them. */
static inline void tree_state(crn_random *random, const crn_tree *tree, double length, double *q, double *u)
{
    crn_tree_rest(tree, q);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < tree->links; ++i) {
            for (int k = 0; k < tree->link[i].freedom; ++k) {
                double most = (pass == 0 ? 2.0 : 1.0) * (tree_is_linear(&tree->link[i], k) ? length : 1.0);
                u[tree->link[i].u + k] = crn_random_uniform(random, -most, most);
            }
        }
        if (pass == 0) {
            crn_tree_advance(tree, q, u, 1.0, q);
        }
    }
}

/* --- Dense dynamics --- */

typedef struct tree_dense {
    int links, n;
    tree_real *J; /* 6 x n per link, about the world's origin, column-major */
    tree_real *H; /* n x n; after tree_dense_factor() the lower triangle is its Cholesky factor */
    tree_real *c; /* 6 per link: J' u, the sum of velocity products on its path */
    tree_real *I; /* 36 per link, about the world's origin */
    tree_real *v; /* 6 per link */
} tree_dense;

static inline void tree_dense_free(tree_dense *d)
{
    free(d->J), free(d->H), free(d->c), free(d->I), free(d->v);
}

static inline tree_real *tree_reals(size_t count)
{
    tree_real *x = calloc(count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* The motion v about O as one about O + r */
static inline void tree_moved(const double *v, crn_vec3 r, tree_real *to)
{
    tree_real x = r.x, y = r.y, z = r.z;
    to[0] = v[0], to[1] = v[1], to[2] = v[2];
    to[3] = v[3] + (v[1] * z - v[2] * y);
    to[4] = v[4] + (v[2] * x - v[0] * z);
    to[5] = v[5] + (v[0] * y - v[1] * x);
}

static inline void tree_cross(const tree_real *v, const tree_real *m, tree_real *to)
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = v[j] * m[k] - v[k] * m[j];
        to[3 + i] = v[j] * m[3 + k] - v[k] * m[3 + j] + v[3 + j] * m[k] - v[3 + k] * m[j];
    }
}

/* Rate of link i's own columns times u, seen from the world: parent's motion carries them; some move in a's frame. */
static inline void tree_product(const crn_link *l, const tree_real *J, int n, const double *u, const tree_real *parent,
                                tree_real *c)
{
    tree_real all[6] = {0}, first[6] = {0}, last[6] = {0}, more[6];
    int begin = l->kind == CRN_JOINT_UNIVERSAL ? 1
                : l->kind == CRN_JOINT_PLANAR  ? 2
                : l->kind == CRN_JOINT_FREE    ? 3
                                               : 9;
    (void)n;
    for (int k = 0; k < l->freedom; ++k) {
        for (int r = 0; r < 6; ++r) {
            tree_real part = J[r + 6 * (l->u + k)] * u[l->u + k];
            all[r] += part;
            first[r] += k < begin ? part : 0.0L;
            last[r] += k < begin ? 0.0L : part;
        }
    }
    tree_cross(parent, all, c);
    /* free joints: the position's columns are the last ones and move the axes of the first */
    tree_cross(l->kind == CRN_JOINT_FREE ? last : first, l->kind == CRN_JOINT_FREE ? first : last, more);
    for (int r = 0; r < 6 && begin < 9; ++r) {
        c[r] += more[r];
    }
}

static inline void tree_dense_inertia(const crn_link *l, tree_real *I)
{
    tree_real c[3] = {l->frame.position.x, l->frame.position.y, l->frame.position.z}, m = l->mass;
    tree_real cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            I[i + 6 * j] = l->inertia_world.m[i + 3 * j] + m * ((i == j ? cc : 0.0L) - c[i] * c[j]);
        }
        int j = (i + 1) % 3, k = (i + 2) % 3;
        I[i + 6 * (3 + j)] = I[3 + j + 6 * i] = -m * c[k];
        I[i + 6 * (3 + k)] = I[3 + k + 6 * i] = m * c[j];
        I[3 + i + 6 * (3 + i)] = m;
    }
}

/* Everything at the present place of the tree. u NULL: zeros. */
static inline tree_dense tree_dense_make(const crn_tree *tree, const double *u)
{
    int n = tree->velocities, links = tree->links;
    size_t N = (size_t)n, L = (size_t)links;
    tree_dense d = {
        links, n, tree_reals(6 * N * L), tree_reals(N * N), tree_reals(6 * L), tree_reals(36 * L), tree_reals(6 * L)};
    crn_vec3 back = crn_v3_scale(-1.0, tree->origin);
    for (int i = 0; i < links; ++i) {
        const crn_link *l = &tree->link[i];
        tree_real *J = d.J + 6 * N * (size_t)i, *c = d.c + 6 * i, *v = d.v + 6 * i, *I = d.I + 36 * i;
        static const tree_real zero[6];
        const tree_real *parent = l->parent < 0 ? zero : d.v + 6 * l->parent;
        if (l->parent >= 0) {
            memcpy(J, d.J + 6 * N * (size_t)l->parent, 6 * N * sizeof *J);
        }
        for (int k = 0; k < l->freedom; ++k) {
            tree_moved(l->S + 6 * k, back, J + 6 * (l->u + k));
        }
        if (u != NULL) {
            tree_product(l, J, n, u, parent, c);
            for (int r = 0; r < 6; ++r) {
                c[r] += l->parent < 0 ? 0.0L : d.c[6 * l->parent + r];
                for (int k = 0; k < n; ++k) {
                    v[r] += J[r + 6 * k] * u[k];
                }
            }
        }
        tree_dense_inertia(l, I);
        for (size_t a = 0; a < N; ++a) {
            tree_real IJ[6] = {0};
            for (int r = 0; r < 36; ++r) {
                IJ[r % 6] += I[r] * J[6 * a + (size_t)(r / 6)];
            }
            for (size_t b = 0; b < N; ++b) {
                for (size_t r = 0; r < 6; ++r) {
                    d.H[b + N * a] += J[r + 6 * b] * IJ[r];
                }
            }
        }
        for (int k = 0; k < l->freedom; ++k) {
            d.H[(size_t)(l->u + k) * (N + 1)] += l->armature[k];
        }
    }
    return d;
}

static inline void tree_dense_factor(tree_dense *d)
{
    size_t n = (size_t)d->n;
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j; i < n; ++i) {
            tree_real s = d->H[i + n * j];
            for (size_t k = 0; k < j; ++k) {
                s -= d->H[i + n * k] * d->H[j + n * k];
            }
            d->H[i + n * j] = i == j ? sqrtl(s) : s / d->H[j + n * j];
        }
    }
}

/* x = H^-1 x */
static inline void tree_dense_solve(const tree_dense *d, tree_real *x)
{
    size_t n = (size_t)d->n;
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) {
            x[i] -= d->H[i + n * k] * x[k];
        }
        x[i] /= d->H[i + n * i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; ++k) {
            x[i] -= d->H[k + n * i] * x[k];
        }
        x[i] /= d->H[i + n * i];
    }
}

/* x = u': H u' = force + sum J'(wrench + gravity - I c - v x* I v) */
static inline void tree_dense_forward(const tree_dense *d, const crn_tree *tree, const crn_tree_load *load,
                                      tree_real *x)
{
    for (int k = 0; k < d->n; ++k) {
        x[k] = load->force != NULL ? load->force[k] : 0.0;
    }
    for (int i = 0; i < d->links; ++i) {
        const tree_real *I = d->I + 36 * i, *v = d->v + 6 * i;
        tree_real f[6] = {0}, h[6] = {0}, g[6] = {0, 0, 0, load->gravity.x, load->gravity.y, load->gravity.z};
        for (int r = 0; r < 36; ++r) {
            f[r % 6] += I[r] * (g[r / 6] - d->c[6 * i + r / 6]);
            h[r % 6] += I[r] * v[r / 6];
        }
        for (int r = 0; r < 3; ++r) { /* v x* h */
            int s = (r + 1) % 3, t = (r + 2) % 3;
            f[r] -= v[s] * h[t] - v[t] * h[s] + v[3 + s] * h[3 + t] - v[3 + t] * h[3 + s];
            f[3 + r] -= v[s] * h[3 + t] - v[t] * h[3 + s];
        }
        for (int r = 0; r < 6 && load->wrench != NULL; ++r) {
            f[r] += load->wrench[6 * i + r];
        }
        for (int k = 0; k < d->n; ++k) {
            for (int r = 0; r < 6; ++r) {
                x[k] += d->J[6 * (size_t)d->n * (size_t)i + (size_t)(6 * k + r)] * f[r];
            }
        }
    }
    (void)tree;
    tree_dense_solve(d, x);
}

/* --- Cases --- */

enum { HANDLES_MOST = 64 };

typedef struct assembly_case {
    crn_tree *tree;
    int handles, handle[HANDLES_MOST];
    double *q, *u, *force, *wrench;
    crn_tree_load load;
} assembly_case;

static inline double *numbers(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static inline assembly_case make_case(crn_random *random, const tree_look *look, int handles)
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
    tree_state(random, c.tree, look->size > 0.0 ? look->size : 1.0, c.q, c.u);
    for (int i = 0; i < n; ++i) {
        c.force[i] = crn_random_uniform(random, -2.0, 2.0);
    }
    for (int i = 0; i < 6 * look->links; ++i) {
        c.wrench[i] = crn_random_uniform(random, -2.0, 2.0);
    }
    c.load = (crn_tree_load){{1.0, -2.0, -9.81}, c.force, c.wrench};
    return c;
}

static inline void free_case(assembly_case *c)
{
    crn_tree_destroy(c->tree);
    free(c->q), free(c->u), free(c->force), free(c->wrench);
}

/* Any look. */
static inline tree_look random_look(crn_random *random, int most)
{
    return (tree_look){.links = 1 + crn_random_below(random, most),
                       .chain = crn_random_uniform(random, 0.0, 1.2),
                       .massless = crn_random_below(random, 2) * 0.3,
                       .armature = crn_random_below(random, 2) * 0.2,
                       .floating = crn_random_below(random, 2) == 0,
                       .only_hinges = crn_random_below(random, 4) == 0,
                       .least_moment = 0.01};
}

#endif
