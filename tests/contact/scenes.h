/* Small contact problems made by the tests themselves: random bodies, pegs, stacks, mechanisms. Everything a scene
 * points to lives in the scene. */
#ifndef CRN_TEST_CONTACT_SCENES_H
#define CRN_TEST_CONTACT_SCENES_H

#include "test_support.h"

#include <cairn/contact.h>

#include <math.h>

enum { SCENE_BODIES = 8, SCENE_CONTACTS = 64, SCENE_ROWS = 8, SCENE_DOF = 48 };

typedef struct scene {
    crn_contact_problem problem;
    crn_contact_body body[SCENE_BODIES];
    crn_contact_point contact[SCENE_CONTACTS];
    crn_contact_row row[SCENE_ROWS];
    double velocity[SCENE_DOF];
    double mass[SCENE_BODIES][SCENE_DOF * SCENE_DOF / 4]; /* of mechanisms: up to 24 x 24 */
    double jacobian[SCENE_CONTACTS + SCENE_ROWS][2][3 * SCENE_DOF];
} scene;

static inline scene *scene_new(int bodies, int contacts, int rows)
{
    scene *s = (scene *)calloc(1, sizeof *s);
    assert_non_null(s);
    assert_true(bodies <= SCENE_BODIES && contacts <= SCENE_CONTACTS && rows <= SCENE_ROWS);
    s->problem = (crn_contact_problem){bodies, contacts, rows, s->body, s->contact, s->row, s->velocity};
    return s;
}

static inline void random_unit(crn_random *random, double *x)
{
    double square = 0.0;
    while (square < 1e-2) {
        square = 0.0;
        for (int k = 0; k < 3; ++k) {
            x[k] = crn_random_normal(random);
            square += x[k] * x[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        x[k] /= sqrt(square);
    }
}

static inline void cross3(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* Tangents of a contact from its normal: any, the same for the same normal. */
static inline void scene_tangents(crn_contact_point *c)
{
    double axis[3] = {0.0, 0.0, 0.0}, length = 0.0;
    axis[fabs(c->normal[0]) < 0.5 ? 0 : 1] = 1.0;
    cross3(c->normal, axis, c->t1);
    for (int k = 0; k < 3; ++k) {
        length += c->t1[k] * c->t1[k];
    }
    for (int k = 0; k < 3; ++k) {
        c->t1[k] /= sqrt(length);
    }
    cross3(c->normal, c->t1, c->t2);
}

/* B B' + shift I, n x n */
static inline void scene_definite(crn_random *random, int n, double shift, double *A)
{
    double *B = (double *)calloc((size_t)n * (size_t)n, sizeof *B);
    assert_non_null(B);
    for (int i = 0; i < n * n; ++i) {
        B[i] = crn_random_normal(random);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            A[i + j * n] = i == j ? shift : 0.0;
            for (int l = 0; l < n; ++l) {
                A[i + j * n] += B[i + l * n] * B[j + l * n] / n;
            }
        }
    }
    free(B);
}

static inline void scene_rigid(crn_random *random, crn_contact_body *body)
{
    body->kind = CRN_MASS_RIGID;
    body->dof = 6;
    body->mass = crn_random_uniform(random, 0.5, 3.0);
    scene_definite(random, 3, 0.5, body->inertia);
    for (int k = 0; k < 3; ++k) {
        body->com[k] = crn_random_uniform(random, -1.0, 1.0);
    }
}

static inline void scene_mechanism(crn_random *random, scene *s, int i, crn_mass_kind kind, int dof)
{
    crn_contact_body *body = &s->body[i];
    assert_true(dof * dof <= (int)(sizeof s->mass[i] / sizeof s->mass[i][0]));
    *body = (crn_contact_body){.kind = kind, .dof = dof, .matrix = s->mass[i], .ld = dof};
    scene_definite(random, dof, 0.3, s->mass[i]);
    if (kind == CRN_MASS_FACTOR) {
        for (int j = 0; j < dof; ++j) {
            s->mass[i][j + j * dof] += 1.0;
            for (int l = 0; l < j; ++l) {
                s->mass[i][l + j * dof] = 0.0; /* lower triangle only */
            }
        }
    }
}

/* Jacobians of item `index` on a body, `width` columns of normal numbers. */
static inline const double *scene_jacobian(crn_random *random, scene *s, int index, int side, int body, int width)
{
    if (body < 0) {
        return NULL;
    }
    for (int k = 0; k < width * s->body[body].dof; ++k) {
        s->jacobian[index][side][k] = crn_random_normal(random);
    }
    return s->jacobian[index][side];
}

static inline int scene_dof(const scene *s)
{
    int dof = 0;
    for (int i = 0; i < s->problem.bodies; ++i) {
        dof += s->body[i].dof;
    }
    assert_true(dof <= SCENE_DOF);
    return dof;
}

static inline void scene_move(crn_random *random, scene *s, double speed)
{
    for (int i = 0; i < scene_dof(s); ++i) {
        s->velocity[i] = speed * crn_random_normal(random);
    }
}

/* Directions of contact i: `directions` for all, or by turns 0, 2, 4, 6, 8 if it is negative. */
static inline int scene_directions(int directions, int i)
{
    static const int turns[5] = {8, 4, 0, 6, 2};
    return directions >= 0 ? directions : turns[i % 5];
}

/* Free rigid bodies, or by turns all kinds of bodies, contacts at random. */
static inline scene *scene_random(crn_random *random, int bodies, int contacts, int rows, int directions,
                                  bool has_mechanisms)
{
    static const crn_mass_kind kinds[4] = {CRN_MASS_MATRIX, CRN_MASS_RIGID, CRN_MASS_FACTOR, CRN_MASS_UNIT};
    scene *s = scene_new(bodies, contacts, rows);
    for (int i = 0; i < bodies; ++i) {
        crn_mass_kind kind = has_mechanisms ? kinds[i % 4] : CRN_MASS_RIGID;
        if (kind == CRN_MASS_RIGID) {
            scene_rigid(random, &s->body[i]);
        } else {
            scene_mechanism(random, s, i, kind, 3 + crn_random_below(random, 6));
        }
    }
    for (int i = 0; i < contacts; ++i) {
        crn_contact_point *c = &s->contact[i];
        int a = crn_random_below(random, bodies), b = crn_random_below(random, bodies + 1) - 1;
        c->a = a == b ? -1 : a;
        c->b = b;
        if (a == b) {
            c->a = b;
            c->b = -1;
        }
        for (int k = 0; k < 3; ++k) {
            c->position[k] = crn_random_uniform(random, -1.0, 1.0);
            c->offset[k] = i % 7 == 6 ? crn_random_uniform(random, 0.0, 0.3) : 0.0;
        }
        random_unit(random, c->normal);
        scene_tangents(c);
        if (has_mechanisms) {
            c->jacobian_a = scene_jacobian(random, s, i, 0, c->a, 3);
            c->jacobian_b = scene_jacobian(random, s, i, 1, c->b, 3);
        }
        c->mu = i % 6 == 5 ? 0.0 : crn_random_uniform(random, 0.1, 0.9);
        c->directions = scene_directions(directions, i);
    }
    for (int i = 0; i < rows; ++i) {
        crn_contact_row *row = &s->row[i];
        row->a = i % bodies;
        row->b = bodies > 1 ? (i + 1) % bodies : -1;
        row->jacobian_a = scene_jacobian(random, s, contacts + i, 0, row->a, 1);
        row->jacobian_b = scene_jacobian(random, s, contacts + i, 1, row->b, 1);
        row->offset = crn_random_uniform(random, -0.1, 0.1);
    }
    scene_move(random, s, 1.0);
    return s;
}

/* A peg in a round hole, contacts round two rims, random wrench  [L05 s5.4]. */
static inline scene *scene_peg(crn_random *random, int contacts, int directions)
{
    scene *s = scene_new(1, contacts, 0);
    s->body[0] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0};
    const double diagonal[3] = {9.3e-4, 9.3e-4, 2e-4};
    for (int k = 0; k < 3; ++k) {
        s->body[0].inertia[4 * k] = diagonal[k];
    }
    for (int i = 0; i < contacts; ++i) {
        crn_contact_point *c = &s->contact[i];
        double angle = 6.283185307179586 * (i / 2) / (contacts / 2);
        double outward[3] = {cos(angle), sin(angle), 0.0};
        *c = (crn_contact_point){.a = 0, .b = -1, .mu = 0.2 + 0.1 * (i % 3) / 2.0, .directions = directions};
        for (int k = 0; k < 3; ++k) {
            c->position[k] = 0.02 * outward[k];
            c->normal[k] = -outward[k];
        }
        c->position[2] = i % 2 == 0 ? 0.03 : -0.03;
        scene_tangents(c);
    }
    for (int k = 0; k < 3; ++k) {
        s->velocity[k] = 5.0 * crn_random_normal(random);
        s->velocity[3 + k] = 0.2 * crn_random_normal(random);
    }
    return s;
}

/* Cubes of edge 1 on the ground and on each other, four contacts each, falling for a step and pushed at the top. */
static inline scene *scene_stack(crn_random *random, int blocks, int directions)
{
    scene *s = scene_new(blocks, 4 * blocks, 0);
    for (int i = 0; i < blocks; ++i) {
        crn_contact_body *body = &s->body[i];
        *body = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .com = {0.0, 0.0, 0.5 + i}};
        for (int k = 0; k < 3; ++k) {
            body->inertia[4 * k] = 1.0 / 6.0;
        }
        s->velocity[6 * i + 5] = -0.0981;
        double shift = i == 0 ? 0.0 : crn_random_uniform(random, -0.2, 0.2);
        for (int j = 0; j < 4; ++j) {
            crn_contact_point *c = &s->contact[4 * i + j];
            *c = (crn_contact_point){.a = i, .b = i - 1, .mu = 0.2 + 0.025 * j, .directions = directions};
            c->position[0] = (j & 1 ? 0.5 : -0.5) + 0.5 * shift;
            c->position[1] = (j & 2 ? 0.5 : -0.5) * (1.0 - fabs(shift));
            c->position[2] = i;
            c->normal[2] = 1.0;
            scene_tangents(c);
        }
    }
    for (int k = 0; k < 6; ++k) {
        s->velocity[6 * (blocks - 1) + k] += 0.1 * crn_random_normal(random);
    }
    return s;
}

#endif
