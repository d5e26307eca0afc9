/* bench_piles_balls.c -- disks in a shaken box (the Brazil nut of [HA03 s3]) and spheres poured into a box.
 *
 * A pair is a contact if it could touch within the step: gap < 1.2 h |v_a - v_b| + margin. Gaps below 1e-10 are 0. The box
 * moves up and down as amplitude sin(frequency t); what the walls do in a step enters the offsets. */
#include "bench_piles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS_PER_BODY = 16 };
static const double dead_band = 1e-10; /* rounding of positions, [m] */
static const double reach = 1.2;       /* how much farther than h |v| contacts are looked for */
static const double pi = 3.14159265358979323846;

static double wall_speed(const pile_scene *s)
{
    return s->amplitude * (sin(s->frequency * (s->time + s->h)) - sin(s->frequency * s->time)) / s->h;
}

void pile_tangents(const double *n, double *t1, double *t2)
{
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[least] = 1.0;
    double length = sqrt(1.0 - n[least] * n[least]);
    for (int k = 0; k < 3; ++k) {
        t1[k] = (axis[k] - n[least] * n[k]) / length;
    }
    t2[0] = n[1] * t1[2] - n[2] * t1[1];
    t2[1] = n[2] * t1[0] - n[0] * t1[2];
    t2[2] = n[0] * t1[1] - n[1] * t1[0];
}

/* Contact of ball a with ball b (-1: a wall) along the unit normal n, out of b into a. */
static void add(pile_scene *s, int a, int b, uint64_t key, const double *n, double gap, const double *wall)
{
    pile_step *step = &s->step;
    crn_contact_point *c = pile_add(step, a, b, key, fabs(gap) < dead_band ? 0.0 : gap);
    if (!c) {
        return;
    }
    c->mu = s->mu;
    memcpy(c->normal, n, sizeof c->normal);
    if (s->dim == 2) {
        double t[2] = {-n[1], n[0]}, *J = step->jacobian + 18 * (size_t)(step->contacts - 1);
        double Ja[9] = {n[0], n[1], 0.0, t[0], t[1], -s->radius[a], 0.0, 0.0, 0.0};
        double Jb[9] = {-n[0], -n[1], 0.0, -t[0], -t[1], b < 0 ? 0.0 : -s->radius[b], 0.0, 0.0, 0.0};
        memcpy(c->t1, (double[3]){t[0], t[1], 0.0}, sizeof c->t1);
        memcpy(J, Ja, sizeof Ja);
        memcpy(J + 9, Jb, sizeof Jb);
        c->jacobian_a = J;
        c->jacobian_b = b < 0 ? NULL : J + 9;
        c->directions = 2;
    } else {
        pile_tangents(n, c->t1, c->t2);
        c->directions = 4;
        for (int k = 0; k < 3; ++k) {
            c->position[k] = s->position[3 * (size_t)a + (size_t)k] - (s->radius[a] + 0.5 * gap) * n[k];
        }
    }
    c->offset[0] = step->gap[step->contacts - 1] / s->h;
    for (int k = 0; k < s->dim && wall; ++k) {
        c->offset[0] -= n[k] * wall[k];
        c->offset[1] -= c->t1[k] * wall[k];
        c->offset[2] -= c->t2[k] * wall[k];
    }
}

static const double *linear(const pile_scene *s, int i)
{
    return s->step.velocity + (s->dim == 2 ? 3 * (size_t)i : 6 * (size_t)i + 3);
}

static void add_walls(pile_scene *s, int i)
{
    const double *x = s->position + (size_t)s->dim * (size_t)i, *v = linear(s, i);
    double wall[3] = {0.0, 0.0, 0.0}, speed = 0.0, at = s->amplitude * sin(s->frequency * s->time);
    wall[s->dim - 1] = wall_speed(s);
    for (int k = 0; k < s->dim; ++k) {
        speed += (v[k] - wall[k]) * (v[k] - wall[k]);
    }
    double near = reach * s->h * sqrt(speed) + s->margin;
    for (int k = 0; k < s->dim; ++k) {
        for (int side = 0; side < (k == s->dim - 1 ? 1 : 2); ++side) {
            double n[3] = {0.0, 0.0, 0.0}, shift = k == s->dim - 1 ? at : 0.0;
            n[k] = side == 0 ? 1.0 : -1.0;
            double gap = (side == 0 ? x[k] - s->low[k] - shift : s->high[k] - x[k]) - s->radius[i];
            if (gap < near) {
                add(s, i, -1, ((uint64_t)i << 32) + 0xffffff00U + (uint64_t)(2 * k + side), n, gap, wall);
            }
        }
    }
}

static void add_pair(pile_scene *s, int a, int b)
{
    const double *x = s->position + (size_t)s->dim * (size_t)a, *y = s->position + (size_t)s->dim * (size_t)b;
    const double *v = linear(s, a), *w = linear(s, b);
    double n[3] = {0.0, 0.0, 0.0}, square = 0.0, speed = 0.0;
    for (int k = 0; k < s->dim; ++k) {
        n[k] = x[k] - y[k];
        square += n[k] * n[k];
        speed += (v[k] - w[k]) * (v[k] - w[k]);
    }
    double distance = sqrt(square), gap = distance - s->radius[a] - s->radius[b];
    if (gap < reach * s->h * sqrt(speed) + s->margin) {
        for (int k = 0; k < s->dim; ++k) {
            n[k] /= distance;
        }
        add(s, a, b, ((uint64_t)a << 32) + (uint64_t)b, n, gap, NULL);
    }
}

/* Insertion sort: the order hardly changes from step to step. */
static void sort(pile_scene *s)
{
    for (int i = 1; i < s->step.bodies; ++i) {
        int ball = s->order[i], at = i;
        double x = s->position[(size_t)s->dim * (size_t)ball];
        for (; at > 0 && s->position[(size_t)s->dim * (size_t)s->order[at - 1]] > x; --at) {
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = ball;
    }
}

static void fill(pile_scene *s)
{
    pile_step *step = &s->step;
    double fastest = 0.0, largest = 0.0;
    step->contacts = 0;
    for (int i = 0; i < step->bodies; ++i) {
        double *v = step->velocity + (s->dim == 2 ? 3 * (size_t)i : 6 * (size_t)i + 3), square = 0.0;
        v[s->dim - 1] -= s->h * s->gravity;
        for (int k = 0; k < s->dim; ++k) {
            square += v[k] * v[k];
            step->body[i].com[k] = s->position[(size_t)s->dim * (size_t)i + (size_t)k];
        }
        fastest = fmax(sqrt(square), fastest);
        largest = fmax(s->radius[i], largest);
    }
    sort(s);
    for (int p = 0; p < step->bodies; ++p) {
        int i = s->order[p];
        double end =
            s->position[(size_t)s->dim * (size_t)i] + s->radius[i] + largest + 2.0 * reach * s->h * fastest + s->margin;
        add_walls(s, i);
        for (int q = p + 1; q < step->bodies && s->position[(size_t)s->dim * (size_t)s->order[q]] < end; ++q) {
            int j = s->order[q];
            add_pair(s, i < j ? i : j, i < j ? j : i);
        }
    }
}

static void move(pile_scene *s)
{
    for (int i = 0; i < s->step.bodies; ++i) {
        const double *v = linear(s, i);
        for (int k = 0; k < s->dim; ++k) {
            s->position[(size_t)s->dim * (size_t)i + (size_t)k] += s->h * v[k];
        }
    }
}

static bool make(pile_scene *s, int balls, int dim)
{
    size_t n = (size_t)balls;
    s->dim = dim;
    s->fill = fill;
    s->move = move;
    s->position = calloc((size_t)dim * n, sizeof *s->position);
    s->radius = calloc(n, sizeof *s->radius);
    s->factor = calloc(9 * n, sizeof *s->factor);
    s->order = calloc(n, sizeof *s->order);
    bool is_made = s->position && s->radius && s->factor && s->order &&
                   pile_step_make(&s->step, balls, (dim == 2 ? 3 : 6) * balls, CONTACTS_PER_BODY * balls);
    for (int i = 0; is_made && i < balls; ++i) {
        s->order[i] = i;
    }
    return is_made;
}

static void set_disk(pile_scene *s, int i, double radius)
{
    double *G = s->factor + 9 * (size_t)i, mass = pi * radius * radius;
    s->radius[i] = radius;
    G[0] = G[4] = sqrt(mass);
    G[8] = sqrt(0.5 * mass) * radius;
    s->step.body[i] = (crn_contact_body){.kind = CRN_MASS_FACTOR, .dof = 3, .matrix = G, .ld = 3};
}

static void set_sphere(pile_scene *s, int i, double radius, double density)
{
    double mass = density * 4.0 / 3.0 * pi * radius * radius * radius, inertia = 0.4 * mass * radius * radius;
    s->radius[i] = radius;
    s->step.body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = mass};
    s->step.body[i].inertia[0] = s->step.body[i].inertia[4] = s->step.body[i].inertia[8] = inertia;
}

bool pile_make_nut(pile_scene *s, double h, uint64_t seed)
{
    enum { DISKS = 200, ACROSS = 15 };
    crn_random random = crn_random_seed(seed);
    if (!make(s, DISKS + 1, 2)) {
        return false;
    }
    s->h = h;
    s->gravity = 9.81;
    s->mu = 0.5;
    s->margin = 0.05;
    s->amplitude = 1.5;
    s->frequency = pi;
    s->high[0] = 2.2 * ACROSS;
    set_disk(s, DISKS, 3.0);
    s->position[2 * DISKS] = 0.5 * s->high[0];
    s->position[2 * DISKS + 1] = 3.0;
    for (int i = 0; i < DISKS; ++i) {
        int row = i / ACROSS, column = i % ACROSS;
        set_disk(s, i, crn_random_uniform(&random, 0.9, 1.1));
        s->position[2 * i] = 1.1 + 2.2 * column + crn_random_uniform(&random, -1e-3, 1e-3);
        s->position[2 * i + 1] = 7.2 + 2.2 * row;
    }
    return true;
}

/* Disks of nearly one size in a hexagonal packing, with gaps of up to a thousandth: a wall between two walls that settles. */
bool pile_make_wall(pile_scene *s, int disks, uint64_t seed)
{
    crn_random random = crn_random_seed(seed);
    int across = (int)sqrt(0.5 * disks);
    if (!make(s, disks, 2)) {
        return false;
    }
    s->h = 0.01;
    s->gravity = 9.81;
    s->mu = 0.5;
    s->margin = 0.01;
    s->high[0] = 2.0 * across + 1.0;
    for (int i = 0; i < disks; ++i) {
        int row = i / across, column = i % across;
        set_disk(s, i, crn_random_uniform(&random, 0.999, 1.0));
        s->position[2 * i] = 1.0 + 2.0 * column + row % 2;
        s->position[2 * i + 1] = 1.0 + sqrt(3.0) * row;
    }
    return true;
}

bool pile_make_pour(pile_scene *s, int spheres, double ratio, uint64_t seed)
{
    const double radius = 0.1, side = 2.0, apart = 0.23;
    crn_random random = crn_random_seed(seed);
    if (!make(s, spheres, 3)) {
        return false;
    }
    s->h = 0.01;
    s->gravity = 9.81;
    s->mu = 0.5;
    s->margin = 0.005;
    s->high[0] = s->high[1] = side * sqrt(spheres / 1000.0);
    for (int i = 0; i < spheres; ++i) {
        int across = (int)(s->high[0] / apart);
        int layer = i / (across * across), row = i / across % across, column = i % across;
        double *x = s->position + 3 * (size_t)i, *v = s->step.velocity + 6 * (size_t)i;
        set_sphere(s, i, radius * crn_random_uniform(&random, 0.9, 1.1), i % 2 ? 1000.0 * ratio : 1000.0);
        x[0] = apart * (column + 0.5) + crn_random_uniform(&random, -2e-3, 2e-3);
        x[1] = apart * (row + 0.5) + crn_random_uniform(&random, -2e-3, 2e-3);
        x[2] = 0.3 + 0.3 * layer;
        for (int k = 0; k < 3; ++k) {
            v[3 + k] = crn_random_uniform(&random, -0.3, 0.3);
        }
    }
    return true;
}
