/* Scenes for the body-level solver: free rigid bodies and contacts are added one by one, compiled, solved island by island,
 * and judged by a certificate of this file's own, from system.h alone. */
#ifndef CRN_TEST_BODY_SCENE_H
#define CRN_TEST_BODY_SCENE_H

#include "contact/body_drive.h"
#include "contact/compile.h"

#include "test_support.h"

#include <math.h>

typedef struct scene {
    int bodies, contacts, rows, dof;
    crn_contact_body *body;
    crn_contact_point *contact;
    crn_contact_row *row;
    double *velocity;
    crn_contact_problem problem;
    crn_compiled compiled;
    void *memory, *solver_memory;
    crn_bodies *solver;            /* one per island */
    double *impulse, *row_impulse; /* in the caller's order */
    double *motion;                /* velocities after the solve */
    crn_run run;                   /* of the last island, outcomes: the worst */
    double certificate;            /* worst of the islands, by this file */
    size_t solver_bytes;
} scene;

static inline void *scene_more(void *array, int count, size_t size)
{
    void *more = realloc(array, (size_t)(count + 1) * size);
    assert_non_null(more);
    return more;
}

/* A box with half sides a; velocity (w, v). */
static inline int scene_box(scene *s, double mass, const double *com, const double *a, const double *velocity)
{
    crn_contact_body body = {.kind = CRN_MASS_RIGID, .dof = 6, .mass = mass};
    memcpy(body.com, com, sizeof body.com);
    for (int i = 0; i < 3; ++i) {
        double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
        body.inertia[4 * i] = mass / 3.0 * (b * b + c * c);
    }
    s->body = scene_more(s->body, s->bodies, sizeof *s->body);
    s->velocity = realloc(s->velocity, (size_t)(s->dof + 6) * sizeof *s->velocity);
    assert_non_null(s->velocity);
    memcpy(s->velocity + s->dof, velocity, 6 * sizeof *velocity);
    s->dof += 6;
    s->body[s->bodies] = body;
    return s->bodies++;
}

static inline crn_contact_point *scene_contact(scene *s, int a, int b, const double *position, const double *normal,
                                               double mu, double offset)
{
    crn_contact_point point = {.a = a, .b = b, .mu = mu, .directions = 4, .offset = {offset, 0.0, 0.0}};
    memcpy(point.position, position, sizeof point.position);
    memcpy(point.normal, normal, sizeof point.normal);
    s->contact = scene_more(s->contact, s->contacts, sizeof *s->contact);
    s->contact[s->contacts] = point;
    return &s->contact[s->contacts++];
}

static inline void scene_compile(scene *s)
{
    crn_error error = {CRN_OK, ""};
    s->problem = (crn_contact_problem){s->bodies, s->contacts, s->rows, s->body, s->contact, s->row, s->velocity};
    TEST_CHECK(crn_contact_check(&s->problem, &error) == CRN_OK, "%s", error.text);
    crn_arena counting = crn_arena_counting();
    crn_compiled_layout(&s->compiled, &s->problem, &counting);
    s->memory = aligned_alloc(CRN_ARENA_ALIGN, counting.used + CRN_ARENA_ALIGN);
    crn_arena arena = {s->memory, counting.used, 0, false};
    crn_compiled_layout(&s->compiled, &s->problem, &arena);
    assert_false(arena.overflow);
    TEST_CHECK(crn_compile(&s->compiled, &error) == CRN_OK, "%s", error.text);
    int islands = s->compiled.islands;
    s->solver = calloc((size_t)islands + 1, sizeof *s->solver);
    crn_arena count = crn_arena_counting();
    for (int i = 0; i < islands; ++i) {
        crn_bodies_layout(&s->solver[i], &s->compiled.island[i].system, &count);
    }
    s->solver_memory = aligned_alloc(CRN_ARENA_ALIGN, count.used + CRN_ARENA_ALIGN);
    assert_non_null(s->solver_memory);
    crn_arena real = {s->solver_memory, count.used, 0, false};
    for (int i = 0; i < islands; ++i) {
        crn_bodies_layout(&s->solver[i], &s->compiled.island[i].system, &real);
    }
    assert_false(real.overflow);
    s->solver_bytes = count.used;
    s->impulse = calloc(3 * (size_t)s->contacts + 1, sizeof *s->impulse);
    s->row_impulse = calloc((size_t)s->rows + 1, sizeof *s->row_impulse);
    s->motion = calloc((size_t)s->dof + 1, sizeof *s->motion);
}

/* The certificate of section "How well" in docs/theory/bodies.md, written anew. */
static inline double scene_certificate(const crn_system *s, crn_contact_law law, const double *r, const double *l,
                                       double *y)
{
    double *u = calloc(3 * (size_t)s->contacts + (size_t)s->rows + 1, sizeof *u), *e = u + 3 * s->contacts;
    double *delta = calloc((size_t)s->contacts + 1, sizeof *delta), largest = 0.0, worst = 0.0;
    double U = crn_system_velocity_scale(s);
    crn_system_motion(s, r, l, y);
    crn_system_contact_velocity(s, y, u);
    crn_system_row_velocity(s, y, e);
    crn_system_inverse_mass(s, delta);
    for (int i = 0; i < s->contacts; ++i) {
        largest = fmax(largest, sqrt(r[3 * i] * r[3 * i] + r[3 * i + 1] * r[3 * i + 1] + r[3 * i + 2] * r[3 * i + 2]));
    }
    for (int i = 0; i < s->rows; ++i) {
        largest = fmax(largest, fabs(l[i]));
        worst = fmax(worst, fabs(e[i]) / U);
    }
    for (int i = 0; i < s->contacts; ++i) {
        double mu = s->mu[i], d = delta[i], n = u[3 * i], u1 = mu > 0.0 ? u[3 * i + 1] : 0.0;
        double u2 = mu > 0.0 && s->directions[i] != 2 ? u[3 * i + 2] : 0.0;
        n += law == CRN_LAW_COULOMB ? mu * hypot(u1, u2) : 0.0;
        double y0 = r[3 * i] - n / d, y1 = r[3 * i + 1] - u1 / d, y2 = r[3 * i + 2] - u2 / d, t = hypot(y1, y2);
        double p0 = y0, p1 = y1, p2 = y2;
        if (y0 < 0.0 || t > mu * y0) { /* nearest point of the rim, or the tip */
            double alpha = fmax(0.0, (y0 + mu * t) / (1.0 + mu * mu));
            p0 = alpha;
            p1 = t > 0.0 ? mu * alpha * y1 / t : 0.0;
            p2 = t > 0.0 ? mu * alpha * y2 / t : 0.0;
        }
        double size = sqrt((r[3 * i] - p0) * (r[3 * i] - p0) + (r[3 * i + 1] - p1) * (r[3 * i + 1] - p1) +
                           (r[3 * i + 2] - p2) * (r[3 * i + 2] - p2));
        worst = fmax(worst, fmax(size * d / U, size / fmax(largest, U / d)));
        worst = fmax(worst, 0x1p-52 * fabs(r[3 * i]) * d / U); /* what u is known to */
    }
    free(u);
    free(delta);
    return worst;
}

/* Solve all islands; warm: from the impulses of the last call. */
static inline void scene_solve(scene *s, crn_contact_law law, double tol, bool is_warm)
{
    s->certificate = 0.0;
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        const crn_system *system = &island->system;
        double *r = calloc(3 * (size_t)system->contacts + 1, sizeof *r);
        double *l = calloc((size_t)system->rows + 1, sizeof *l);
        double *y = calloc((size_t)system->dof + 1, sizeof *y), *v = calloc((size_t)s->dof + 1, sizeof *v);
        for (int c = 0; c < system->contacts; ++c) {
            memcpy(r + 3 * c, s->impulse + 3 * island->contact_of[c], 3 * sizeof *r);
        }
        for (int c = 0; c < system->rows; ++c) {
            l[c] = s->row_impulse[island->row_of[c]];
        }
        crn_run run;
        crn_bodies_solve(&s->solver[i], system, law, tol, is_warm ? r : NULL, r, l, &run);
        double certificate = scene_certificate(system, run.law, r, l, y);
        s->certificate = fmax(s->certificate, certificate);
        TEST_CHECK(run.outcome != CRN_LCP_SOLVED || certificate <= 1.01 * tol, "solved, but certificate %g",
                   certificate);
        s->run = i == 0 || run.outcome != CRN_LCP_SOLVED ? run : s->run;
        crn_compiled_velocity(&s->compiled, island, y, s->motion);
        for (int c = 0; c < system->contacts; ++c) {
            memcpy(s->impulse + 3 * island->contact_of[c], r + 3 * c, 3 * sizeof *r);
        }
        for (int c = 0; c < system->rows; ++c) {
            s->row_impulse[island->row_of[c]] = l[c];
        }
        free(r);
        free(l);
        free(y);
        free(v);
    }
}

static inline void scene_release(scene *s)
{
    free(s->memory);
    free(s->solver_memory);
    free(s->solver);
    free(s->impulse);
    free(s->row_impulse);
    free(s->motion);
    s->memory = s->solver_memory = NULL;
    s->solver = NULL;
    s->impulse = s->row_impulse = s->motion = NULL;
}

static inline void scene_free(scene *s)
{
    scene_release(s);
    free(s->body);
    free(s->contact);
    free(s->row);
    free(s->velocity);
}

/* A body with any number of velocities and mass matrix I. */
static inline int scene_unit(scene *s, int dof)
{
    crn_contact_body body = {.kind = CRN_MASS_UNIT, .dof = dof};
    s->body = scene_more(s->body, s->bodies, sizeof *s->body);
    s->velocity = realloc(s->velocity, (size_t)(s->dof + dof) * sizeof *s->velocity);
    assert_non_null(s->velocity);
    memset(s->velocity + s->dof, 0, (size_t)dof * sizeof *s->velocity);
    s->dof += dof;
    s->body[s->bodies] = body;
    return s->bodies++;
}

/* m boxes of half side a on one another, the lowest on the floor, four contacts per interface; gravity acts for h. Box i
 * weighs ratio^(i/(m-1)) and leans by `lean` times (-1)^i. */
static inline scene scene_stack(int m, double ratio, double lean, double mu, double h)
{
    scene s = {0};
    const double a[3] = {0.5, 0.5, 0.5}, up[3] = {0.0, 0.0, 1.0}, g = 9.81;
    for (int i = 0; i < m; ++i) {
        double com[3] = {lean * (i % 2 ? 1.0 : -1.0), 0.0, 0.5 + i}, v[6] = {0.0, 0.0, 0.0, 0.0, 0.0, -g * h};
        double below = i > 0 ? lean * ((i - 1) % 2 ? 1.0 : -1.0) : com[0];
        int box = scene_box(&s, m > 1 ? pow(ratio, (double)i / (m - 1)) : 1.0, com, a, v);
        for (int c = 0; c < 4; ++c) {
            double x = fmin(com[0], below) + 0.5, x0 = fmax(com[0], below) - 0.5;
            double position[3] = {c % 2 ? x : x0, c / 2 ? 0.5 : -0.5, (double)i};
            (void)scene_contact(&s, box, box - 1, position, up, mu, 0.0);
        }
    }
    scene_compile(&s);
    return s;
}

#endif
