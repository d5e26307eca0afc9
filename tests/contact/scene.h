/* Random contact problems with every kind of body, and the same in dense matrices, written from the definitions of
 * cairn/contact.h without the library's kernels. */
#ifndef CRN_TEST_SCENE_H
#define CRN_TEST_SCENE_H

#include "test_support.h"

#include <math.h>

#include <lapacke.h>

#include <cairn/contact.h>

#include "test_matrix.h"

#define SCENE_PI 3.14159265358979323846

enum { SCENE_BODIES = 24, SCENE_CONTACTS = 160, SCENE_ROWS = 24, SCENE_DOF = 12 };

typedef struct scene {
    crn_contact_problem p;
    crn_contact_body body[SCENE_BODIES];
    crn_contact_point contact[SCENE_CONTACTS];
    crn_contact_row row[SCENE_ROWS];
    double velocity[SCENE_BODIES * SCENE_DOF];
    double mass[SCENE_BODIES][SCENE_DOF * SCENE_DOF];    /* dense mass matrix of each body, ld = dof */
    double inverse[SCENE_BODIES][SCENE_DOF * SCENE_DOF]; /* and its inverse */
    double factor[SCENE_BODIES][SCENE_DOF * SCENE_DOF];  /* and its lower factor */
    double jacobian[SCENE_CONTACTS][2][3 * SCENE_DOF];
    double row_jacobian[SCENE_ROWS][2][SCENE_DOF];
    int start[SCENE_BODIES + 1];
    int dof;
    /* Dense: J is dof x 3 contacts, B dof x rows (columns are the caller's Jacobians), Minv dof x dof. */
    double *J, *B, *Minv;
} scene;

static inline scene *scene_new(void)
{
    scene *s = (scene *)calloc(1, sizeof *s);
    assert_non_null(s);
    s->p.body = s->body;
    s->p.contact = s->contact;
    s->p.row = s->row;
    s->p.velocity = s->velocity;
    return s;
}

static inline void scene_free(scene *s)
{
    free(s->J);
    free(s->B);
    free(s->Minv);
    free(s);
}

static inline void scene_unit(crn_random *random, double *n)
{
    double length = 0.0;
    for (int k = 0; k < 3; ++k) {
        n[k] = crn_random_normal(random);
        length += n[k] * n[k];
    }
    for (int k = 0; k < 3; ++k) {
        n[k] /= sqrt(length);
    }
}

static inline void scene_cross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static inline void scene_operator(void *user, const double *impulse, double *velocity)
{
    const double *A = (const double *)user; /* first entry: dof, then the inverse matrix */
    int n = (int)A[-1];
    for (int i = 0; i < n; ++i) {
        velocity[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            velocity[i] += A[i + j * n] * impulse[j];
        }
    }
}

/* The dense mass matrix of body i is set: fill factor and inverse by LAPACK. */
static inline void scene_invert(scene *s, int i, int n)
{
    memcpy(s->factor[i], s->mass[i], sizeof s->mass[i]);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, s->factor[i], n), 0);
    memcpy(s->inverse[i], s->factor[i], sizeof s->factor[i]);
    assert_int_equal(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, s->inverse[i], n), 0);
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k) {
            s->factor[i][k + j * n] = 0.0;
            s->inverse[i][k + j * n] = s->inverse[i][j + k * n];
        }
    }
}

/* A rigid body at a random place. */
static inline void scene_rigid(scene *s, crn_random *random, int i)
{
    crn_contact_body *b = &s->body[i];
    *b = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = crn_random_uniform(random, 0.2, 5.0)};
    test_matrix_definite(random, 3, 0.1, b->inertia, 3);
    for (int k = 0; k < 3; ++k) {
        b->com[k] = crn_random_normal(random);
    }
    memset(s->mass[i], 0, sizeof s->mass[i]);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            s->mass[i][k + 6 * l] = b->inertia[k + 3 * l];
        }
        s->mass[i][(3 + k) * 7] = b->mass;
    }
    scene_invert(s, i, 6);
}

/* A mechanism of a kind and size. The operator reads its dof from the entry before its matrix. */
static inline void scene_mechanism(scene *s, crn_random *random, int i, crn_mass_kind kind, int dof)
{
    crn_contact_body *b = &s->body[i];
    *b = (crn_contact_body){.kind = kind, .dof = dof, .ld = dof};
    memset(s->mass[i], 0, sizeof s->mass[i]);
    if (kind == CRN_MASS_UNIT) {
        for (int k = 0; k < dof; ++k) {
            s->mass[i][k * (dof + 1)] = 1.0;
        }
    } else {
        test_matrix_definite(random, dof, 0.1, s->mass[i], dof);
    }
    scene_invert(s, i, dof);
    b->matrix = kind == CRN_MASS_FACTOR ? s->factor[i] : s->mass[i];
    if (kind == CRN_MASS_OPERATOR) {
        double *copy = s->inverse[i];
        memmove(copy + 1, copy, (size_t)(dof * dof) * sizeof *copy);
        copy[0] = dof;
        b->solve = scene_operator;
        b->user = copy + 1;
    }
}

static inline const double *scene_inverse(const scene *s, int i)
{
    return s->inverse[i] + (s->body[i].kind == CRN_MASS_OPERATOR ? 1 : 0);
}

/* Bodies of random kinds; is_mixed false: all rigid. */
static inline void scene_bodies(scene *s, crn_random *random, int bodies, bool is_mixed)
{
    s->p.bodies = bodies;
    for (int i = 0; i < bodies; ++i) {
        int kind = is_mixed ? crn_random_below(random, 6) : 0;
        if (kind == 0 || kind == 5) {
            scene_rigid(s, random, i);
        } else {
            scene_mechanism(s, random, i, (crn_mass_kind)kind, 1 + crn_random_below(random, SCENE_DOF - 1));
        }
    }
    s->start[0] = 0;
    for (int i = 0; i < bodies; ++i) {
        s->start[i + 1] = s->start[i] + s->body[i].dof;
    }
    s->dof = s->start[bodies];
    for (int k = 0; k < s->dof; ++k) {
        s->velocity[k] = crn_random_normal(random);
    }
}

static inline bool scene_is_rigid(const scene *s, int body)
{
    return body < 0 || s->body[body].kind == CRN_MASS_RIGID;
}

/* Contact i between a and b: geometry if both are rigid (sometimes without tangents), else random Jacobians. */
static inline void scene_contact(scene *s, crn_random *random, int i, int a, int b)
{
    static const int choices[8] = {0, 2, 4, 6, 8, 10, 16, 64};
    crn_contact_point *c = &s->contact[i];
    *c = (crn_contact_point){.a = a, .b = b, .mu = crn_random_uniform(random, 0.1, 1.5)};
    c->directions = choices[crn_random_below(random, 8)];
    c->mu = crn_random_below(random, 8) == 0 ? 0.0 : c->mu;
    scene_unit(random, c->normal);
    for (int k = 0; k < 3; ++k) {
        c->position[k] = crn_random_normal(random);
        c->offset[k] = crn_random_normal(random);
    }
    if (scene_is_rigid(s, a) && scene_is_rigid(s, b)) {
        double other[3];
        if (crn_random_below(random, 3) > 0) {
            scene_unit(random, other);
            scene_cross(c->normal, other, c->t1);
            double length = sqrt(c->t1[0] * c->t1[0] + c->t1[1] * c->t1[1] + c->t1[2] * c->t1[2]);
            for (int k = 0; k < 3; ++k) {
                c->t1[k] /= length;
            }
            scene_cross(c->normal, c->t1, c->t2);
        }
        return;
    }
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 3 * SCENE_DOF; ++k) {
            s->jacobian[i][side][k] = crn_random_normal(random);
        }
    }
    c->jacobian_a = a >= 0 ? s->jacobian[i][0] : NULL;
    c->jacobian_b = b >= 0 ? s->jacobian[i][1] : NULL;
}

/* A pair of different bodies, one of which may be the world. */
static inline void scene_pair(const scene *s, crn_random *random, int *a, int *b)
{
    do {
        *a = crn_random_below(random, s->p.bodies + 1) - 1;
        *b = crn_random_below(random, s->p.bodies + 1) - 1;
    } while (*a == *b);
}

static inline void scene_row(scene *s, crn_random *random, int i, int a, int b)
{
    s->row[i] = (crn_contact_row){.a = a, .b = b, .offset = crn_random_normal(random)};
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < SCENE_DOF; ++k) {
            s->row_jacobian[i][side][k] = crn_random_normal(random);
        }
    }
    s->row[i].jacobian_a = a >= 0 ? s->row_jacobian[i][0] : NULL;
    s->row[i].jacobian_b = b >= 0 ? s->row_jacobian[i][1] : NULL;
}

/* The tangents that columns.c promises where the caller gives none: the axis after the normal's largest component. */
static inline void scene_tangents(const crn_contact_point *c, double *t1, double *t2)
{
    int largest = 0;
    double axis[3] = {0.0, 0.0, 0.0}, along, length = 0.0;
    for (int k = 1; k < 3; ++k) {
        largest = fabs(c->normal[k]) > fabs(c->normal[largest]) ? k : largest;
    }
    axis[(largest + 1) % 3] = 1.0;
    along = c->normal[(largest + 1) % 3];
    for (int k = 0; k < 3; ++k) {
        axis[k] -= along * c->normal[k];
        length += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; ++k) {
        t1[k] = axis[k] / sqrt(length);
    }
    scene_cross(c->normal, t1, t2);
}

static inline void scene_dense_contact(scene *s, int i, int side, int body)
{
    const crn_contact_point *c = &s->contact[i];
    const double *given = side == 0 ? c->jacobian_a : c->jacobian_b;
    double t1[3], t2[3], sign = side == 0 ? 1.0 : -1.0;
    memcpy(t1, c->t1, sizeof t1);
    memcpy(t2, c->t2, sizeof t2);
    if (t1[0] == 0.0 && t1[1] == 0.0 && t1[2] == 0.0) {
        scene_tangents(c, t1, t2);
    }
    const double *frame[3] = {c->normal, t1, t2};
    for (int j = 0; j < 3; ++j) {
        double *to = s->J + (size_t)(3 * i + j) * (size_t)s->dof + s->start[body];
        if (given) {
            memcpy(to, given + (size_t)(j * s->body[body].dof), (size_t)s->body[body].dof * sizeof *to);
            continue;
        }
        double arm[3], moment[3];
        for (int k = 0; k < 3; ++k) {
            arm[k] = c->position[k] - s->body[body].com[k];
        }
        scene_cross(arm, frame[j], moment);
        for (int k = 0; k < 3; ++k) {
            to[k] = sign * moment[k];
            to[3 + k] = sign * frame[j][k];
        }
    }
}

/* J, B and Minv from what the scene holds now. */
static inline void scene_dense(scene *s)
{
    size_t n = (size_t)s->dof;
    free(s->J);
    free(s->B);
    free(s->Minv);
    s->J = (double *)calloc(n * 3 * (size_t)s->p.contacts + 1, sizeof(double));
    s->B = (double *)calloc(n * (size_t)s->p.rows + 1, sizeof(double));
    s->Minv = (double *)calloc(n * n + 1, sizeof(double));
    assert_true(s->J && s->B && s->Minv);
    for (int i = 0; i < s->p.contacts; ++i) {
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? s->contact[i].a : s->contact[i].b;
            if (body >= 0) {
                scene_dense_contact(s, i, side, body);
            }
        }
    }
    for (int i = 0; i < s->p.rows; ++i) {
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? s->row[i].a : s->row[i].b;
            if (body >= 0) {
                memcpy(s->B + (size_t)i * n + s->start[body], s->row_jacobian[i][side],
                       (size_t)s->body[body].dof * sizeof(double));
            }
        }
    }
    for (int b = 0; b < s->p.bodies; ++b) {
        int d = s->body[b].dof;
        for (int k = 0; k < d; ++k) {
            for (int l = 0; l < d; ++l) {
                s->Minv[(size_t)(s->start[b] + k) + (size_t)(s->start[b] + l) * n] = scene_inverse(s, b)[k + l * d];
            }
        }
    }
}

/* Bodies, contacts and rows at random; dense matrices too. */
static inline scene *scene_random(crn_random *random, int bodies, int contacts, int rows, bool is_mixed)
{
    scene *s = scene_new();
    scene_bodies(s, random, bodies, is_mixed);
    s->p.contacts = contacts;
    s->p.rows = rows;
    for (int i = 0; i < contacts; ++i) {
        int a, b;
        scene_pair(s, random, &a, &b);
        scene_contact(s, random, i, a, b);
    }
    for (int i = 0; i < rows; ++i) {
        int a, b;
        scene_pair(s, random, &a, &b);
        scene_row(s, random, i, a, b);
    }
    scene_dense(s);
    return s;
}

/* The same with 1 .. bodies, 1 .. contacts and 0 .. rows; the sizes are drawn one after another, whatever the compiler. */
static inline scene *scene_sized(crn_random *random, int bodies, int contacts, int rows, bool is_mixed)
{
    int b = 1 + crn_random_below(random, bodies);
    int c = 1 + crn_random_below(random, contacts);
    int r = crn_random_below(random, rows + 1);
    return scene_random(random, b, c, r, is_mixed);
}

/* v = v_f + Minv (J r + B l) */
static inline void scene_motion(const scene *s, const double *r, const double *l, double *v)
{
    size_t n = (size_t)s->dof;
    double *p = test_doubles(n);
    for (size_t k = 0; k < n; ++k) {
        p[k] = 0.0;
        for (size_t j = 0; j < 3 * (size_t)s->p.contacts; ++j) {
            p[k] += s->J[k + j * n] * r[j];
        }
        for (size_t j = 0; j < (size_t)s->p.rows; ++j) {
            p[k] += s->B[k + j * n] * l[j];
        }
    }
    for (size_t k = 0; k < n; ++k) {
        v[k] = s->velocity[k];
        for (size_t j = 0; j < n; ++j) {
            v[k] += s->Minv[k + j * n] * p[j];
        }
    }
    free(p);
}

/* Entry j of J'v, no offset. */
static inline double scene_slip(const scene *s, int j, const double *v)
{
    double sum = 0.0;
    for (int k = 0; k < s->dof; ++k) {
        sum += s->J[(size_t)j * (size_t)s->dof + (size_t)k] * v[k];
    }
    return sum;
}

static inline double scene_row_speed(const scene *s, int i, const double *v)
{
    double sum = s->row[i].offset;
    for (int k = 0; k < s->dof; ++k) {
        sum += s->B[(size_t)i * (size_t)s->dof + (size_t)k] * v[k];
    }
    return sum;
}

/* column_i' Minv column_j of dof x any matrices. */
static inline double scene_gram(const scene *s, const double *x, const double *y)
{
    double sum = 0.0;
    size_t n = (size_t)s->dof;
    for (size_t l = 0; l < n; ++l) {
        for (size_t k = 0; y[l] != 0.0 && k < n; ++k) {
            sum += x[k] * s->Minv[k + l * n] * y[l];
        }
    }
    return sum;
}

#endif
