/* bench_piles_solids.c -- boxes, spheres and capsules poured into a box: shapes and contacts by cairn/collide.h.
 *
 * A pair is looked at if it could touch within the step: reach 1.2 h (speed of approach, turning included) + margin. Gaps below
 * 1e-10 are 0. Free bodies turn evenly in a step; inertias are brought to world axes. */
#include "bench_piles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/collide.h>

enum { WALLS = 5, KINDS = 3, TOUCHES_MOST = 64, CONTACTS_PER_BODY = 24 };
static const double dead_band = 1e-10; /* rounding of positions, [m] */
static const double reach = 1.2;       /* how much farther than h |v| contacts are looked for */

struct pile_solids {
    crn_shape *wall, *shape[KINDS];
    crn_mass_properties mass[KINDS];
    double radius[KINDS];
    crn_frame wall_frame[WALLS];
    int *kind;        /* of each body */
    crn_frame *frame; /* of each body */
};

static double length_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static crn_mat3 product(const crn_mat3 *a, const crn_mat3 *b)
{
    crn_mat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            c.m[i + 3 * j] = 0.0;
            for (int k = 0; k < 3; ++k) {
                c.m[i + 3 * j] += a->m[i + 3 * k] * b->m[k + 3 * j];
            }
        }
    }
    return c;
}

static crn_mat3 transposed(const crn_mat3 *a)
{
    crn_mat3 t;
    for (int i = 0; i < 9; ++i) {
        t.m[i] = a->m[i / 3 + 3 * (i % 3)];
    }
    return t;
}

/* The rotation by `angle` about a unit axis. */
static crn_mat3 rotation(const double *n, double angle)
{
    double c = cos(angle), s = sin(angle), t = 1.0 - c;
    crn_mat3 r = {{c + t * n[0] * n[0], t * n[0] * n[1] + s * n[2], t * n[0] * n[2] - s * n[1],
                   t * n[0] * n[1] - s * n[2], c + t * n[1] * n[1], t * n[1] * n[2] + s * n[0],
                   t * n[0] * n[2] + s * n[1], t * n[1] * n[2] - s * n[0], c + t * n[2] * n[2]}};
    return r;
}

/* --- Contacts --- */

static void add_touches(pile_scene *s, int a, int b, uint64_t pair, crn_touch *touch, int count)
{
    count = crn_touch_reduce(touch, count < TOUCHES_MOST ? count : TOUCHES_MOST, 0.0);
    for (int t = 0; t < count; ++t) {
        double gap = fabs(touch[t].gap) < dead_band ? 0.0 : touch[t].gap;
        crn_contact_point *c = pile_add(&s->step, a, b, (pair << 24) ^ touch[t].key, gap);
        if (!c) {
            return;
        }
        memcpy(c->position, &touch[t].point, sizeof c->position);
        memcpy(c->normal, &touch[t].normal, sizeof c->normal);
        pile_tangents(c->normal, c->t1, c->t2);
        c->mu = s->mu;
        c->directions = 4;
        c->offset[0] = gap / s->h;
    }
}

/* How far a point of body i may come in a step. */
static double way_of(const pile_scene *s, int i)
{
    const double *v = s->step.velocity + 6 * (size_t)i;
    return reach * s->h * (length_of(v + 3) + s->radius[i] * length_of(v));
}

static void add_walls(pile_scene *s, int i)
{
    const pile_solids *p = s->solids;
    crn_touch touch[TOUCHES_MOST];
    for (int w = 0; w < WALLS; ++w) {
        int count = crn_collide(p->shape[p->kind[i]], &p->frame[i], p->wall, &p->wall_frame[w],
                                way_of(s, i) + s->margin, touch, TOUCHES_MOST);
        add_touches(s, i, -1, ((uint64_t)i << 20) + 0xfff00U + (uint64_t)w, touch, count);
    }
}

static void add_pair(pile_scene *s, int a, int b)
{
    const pile_solids *p = s->solids;
    crn_touch touch[TOUCHES_MOST];
    const double *x = s->position + 3 * (size_t)a, *y = s->position + 3 * (size_t)b;
    double apart[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, near = way_of(s, a) + way_of(s, b) + s->margin;
    if (length_of(apart) < s->radius[a] + s->radius[b] + near) {
        int count = crn_collide(p->shape[p->kind[a]], &p->frame[a], p->shape[p->kind[b]], &p->frame[b], near, touch,
                                TOUCHES_MOST);
        add_touches(s, a, b, ((uint64_t)a << 20) + (uint64_t)b, touch, count);
    }
}

static void place(pile_scene *s, int i)
{
    pile_solids *p = s->solids;
    crn_mat3 *turn = &p->frame[i].rotation, back = transposed(turn);
    crn_mat3 half = product(turn, &p->mass[p->kind[i]].inertia), whole = product(&half, &back);
    memcpy(&p->frame[i].position, s->position + 3 * (size_t)i, sizeof p->frame[i].position);
    memcpy(s->step.body[i].com, s->position + 3 * (size_t)i, sizeof s->step.body[i].com);
    for (int k = 0; k < 9; ++k) {
        s->step.body[i].inertia[k] = s->factor[i] * 0.5 * (whole.m[k] + whole.m[k / 3 + 3 * (k % 3)]);
    }
}

static void fill(pile_scene *s)
{
    pile_step *step = &s->step;
    step->contacts = 0;
    for (int i = 0; i < step->bodies; ++i) {
        step->velocity[6 * (size_t)i + 5] -= s->h * s->gravity;
        place(s, i);
    }
    for (int i = 0; i < step->bodies; ++i) {
        add_walls(s, i);
        for (int j = i + 1; j < step->bodies; ++j) {
            add_pair(s, i, j);
        }
    }
}

static void move(pile_scene *s)
{
    for (int i = 0; i < s->step.bodies; ++i) {
        const double *w = s->step.velocity + 6 * (size_t)i;
        double speed = length_of(w), axis[3] = {1.0, 0.0, 0.0};
        for (int k = 0; k < 3; ++k) {
            s->position[3 * (size_t)i + (size_t)k] += s->h * w[3 + k];
            axis[k] = speed > 0.0 ? w[k] / speed : axis[k];
        }
        crn_mat3 turn = rotation(axis, s->h * speed), *frame = &s->solids->frame[i].rotation;
        *frame = product(&turn, frame);
    }
}

/* --- Making --- */

/* A box of this side, open above: each wall is a half-space whose outside is the inside of the box. */
static bool make_shapes(pile_solids *p, double side)
{
    static const crn_shape_def defs[KINDS] = {{.kind = CRN_SHAPE_BOX, .size = {0.1, 0.08, 0.06}},
                                              {.kind = CRN_SHAPE_SPHERE, .size = {0.09, 0.0, 0.0}},
                                              {.kind = CRN_SHAPE_CAPSULE, .size = {0.06, 0.07, 0.0}}};
    static const double axis[WALLS][3] = {{0, 0, 1}, {0, 1, 0}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}};
    const double quarter = acos(0.0);
    crn_shape_def plane = {.kind = CRN_SHAPE_PLANE};
    bool is_made = crn_shape_create(&plane, NULL, &p->wall, NULL) == CRN_OK;
    for (int k = 0; k < KINDS && is_made; ++k) {
        is_made = crn_shape_create(&defs[k], NULL, &p->shape[k], NULL) == CRN_OK;
        if (is_made) {
            p->mass[k] = crn_shape_mass(p->shape[k]);
            p->radius[k] = crn_shape_radius(p->shape[k]);
        }
    }
    for (int w = 0; w < WALLS; ++w) { /* turned about the axis, z becomes x, -x, y, -y */
        p->wall_frame[w].rotation = rotation(axis[w], w == 0 ? 0.0 : quarter);
        p->wall_frame[w].position = (crn_vec3){w == 2 ? side : 0.0, w == 4 ? side : 0.0, 0.0};
    }
    return is_made;
}

static void set_body(pile_scene *s, int i, int kind, double density, crn_random *random)
{
    pile_solids *p = s->solids;
    double axis[3], *v = s->step.velocity + 6 * (size_t)i;
    for (int k = 0; k < 3; ++k) {
        axis[k] = crn_random_uniform(random, -1.0, 1.0);
        v[3 + k] = crn_random_uniform(random, -0.3, 0.3);
    }
    double size = length_of(axis), unit[3] = {axis[0] / size, axis[1] / size, axis[2] / size};
    p->kind[i] = kind;
    p->frame[i].rotation = rotation(unit, crn_random_uniform(random, 0.0, 3.0));
    s->radius[i] = p->radius[kind];
    s->factor[i] = density;
    s->step.body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = density * p->mass[kind].mass};
}

bool pile_make_solids(pile_scene *s, int bodies, int kinds, uint64_t seed)
{
    const double apart = 0.3, side = apart * ceil(sqrt(bodies / 6.0));
    size_t n = (size_t)bodies;
    crn_random random = crn_random_seed(seed);
    s->h = 0.01;
    s->gravity = 9.81;
    s->mu = 0.5;
    s->margin = 0.005;
    s->fill = fill;
    s->move = move;
    s->solids = calloc(1, sizeof *s->solids);
    s->position = calloc(3 * n, sizeof *s->position);
    s->radius = calloc(n, sizeof *s->radius);
    s->factor = calloc(n, sizeof *s->factor);
    bool is_made = s->solids && s->position && s->radius && s->factor;
    if (is_made) {
        s->solids->kind = calloc(n, sizeof *s->solids->kind);
        s->solids->frame = calloc(n, sizeof *s->solids->frame);
        is_made = s->solids->kind && s->solids->frame && make_shapes(s->solids, side);
    }
    if (!is_made || !pile_step_make(&s->step, bodies, 6 * bodies, CONTACTS_PER_BODY * bodies)) {
        return false;
    }
    int across = (int)(side / apart + 0.5);
    for (int i = 0; i < bodies; ++i) {
        double *x = s->position + 3 * (size_t)i;
        x[0] = apart * (i % across + 0.5) + crn_random_uniform(&random, -2e-3, 2e-3);
        x[1] = apart * (i / across % across + 0.5) + crn_random_uniform(&random, -2e-3, 2e-3);
        x[2] = 0.3 + apart * (i / (across * across));
        set_body(s, i, i % kinds, 1000.0, &random);
    }
    return true;
}

void pile_free_solids(pile_scene *s)
{
    if (s->solids) {
        crn_shape_destroy(s->solids->wall);
        for (int k = 0; k < KINDS; ++k) {
            crn_shape_destroy(s->solids->shape[k]);
        }
        free(s->solids->kind);
        free(s->solids->frame);
        free(s->solids);
    }
}
