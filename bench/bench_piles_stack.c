/* bench_piles_stack.c -- a stack of unit boxes, each shifted at random, four contacts a pair at the corners of the overlap.
 *
 * The boxes hardly move, so a contact stays with its two points: gap = n'(point on the upper box - point on the lower
 * one) along the lower box's axis. Gaps below 1e-10 are 0. */
#include "bench_piles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double dead_band = 1e-10;

static void to_world(const double *frame, const double *local, double *world)
{
    for (int k = 0; k < 3; ++k) {
        world[k] = frame[9 + k] + frame[k] * local[0] + frame[3 + k] * local[1] + frame[6 + k] * local[2];
    }
}

/* The floor's frame: box -1, its top at height 0. */
static const double *frame_of(const pile_scene *s, int box)
{
    static const double floor_frame[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.5};
    return box < 0 ? floor_frame : s->frame + 12 * (size_t)box;
}

static void fill(pile_scene *s)
{
    pile_step *step = &s->step;
    step->contacts = 0;
    for (int i = 0; i < step->bodies; ++i) {
        const double *frame = s->frame + 12 * (size_t)i;
        step->velocity[6 * (size_t)i + 5] -= s->h * s->gravity;
        memcpy(step->body[i].com, frame + 9, sizeof step->body[i].com);
        for (int corner = 0; corner < 4; ++corner) {
            const double *spot = s->spot + 6 * (4 * (size_t)i + (size_t)corner), *below = frame_of(s, i - 1);
            double upper[3], lower[3], gap = 0.0;
            to_world(frame, spot, upper);
            to_world(below, spot + 3, lower);
            for (int k = 0; k < 3; ++k) {
                gap += below[6 + k] * (upper[k] - lower[k]);
            }
            crn_contact_point *c =
                pile_add(step, i, i - 1, 4 * (uint64_t)i + (uint64_t)corner, fabs(gap) < dead_band ? 0.0 : gap);
            if (!c) {
                return;
            }
            memcpy(c->position, upper, sizeof upper);
            memcpy(c->t1, below, sizeof c->t1);
            memcpy(c->t2, below + 3, sizeof c->t2);
            memcpy(c->normal, below + 6, sizeof c->normal);
            c->mu = s->mu;
            c->directions = 4;
            c->offset[0] = step->gap[step->contacts - 1] / s->h;
        }
    }
}

/* Turn the axes by h w, one after another orthogonal again. */
static void turn(const double *w, double h, double *axes)
{
    double angle = h * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (angle == 0.0) {
        return;
    }
    double n[3] = {h * w[0] / angle, h * w[1] / angle, h * w[2] / angle}, c = cos(angle), sine = sin(angle);
    for (int j = 0; j < 3; ++j) {
        double *a = axes + 3 * j, along = (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) * (1.0 - c);
        double cross[3] = {n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]};
        for (int k = 0; k < 3; ++k) {
            a[k] = c * a[k] + sine * cross[k] + along * n[k];
        }
    }
}

static void move(pile_scene *s)
{
    for (int i = 0; i < s->step.bodies; ++i) {
        const double *v = s->step.velocity + 6 * (size_t)i;
        double *frame = s->frame + 12 * (size_t)i;
        turn(v, s->h, frame);
        for (int k = 0; k < 3; ++k) {
            frame[9 + k] += s->h * v[3 + k];
        }
    }
}

bool pile_make_stack(pile_scene *s, int boxes, double lean, uint64_t seed)
{
    size_t n = (size_t)boxes;
    crn_random random = crn_random_seed(seed);
    s->frame = calloc(12 * n, sizeof *s->frame);
    s->spot = calloc(24 * n, sizeof *s->spot);
    if (!s->frame || !s->spot || !pile_step_make(&s->step, boxes, 6 * boxes, 4 * boxes)) {
        return false;
    }
    s->h = 0.01;
    s->gravity = 9.81;
    s->mu = 0.5;
    s->fill = fill;
    s->move = move;
    for (int i = 0; i < boxes; ++i) {
        double *frame = s->frame + 12 * (size_t)i;
        const double *below = frame_of(s, i - 1);
        frame[0] = frame[4] = frame[8] = 1.0;
        frame[9] = lean > 0.0 ? crn_random_uniform(&random, -lean, lean) : 0.0;
        frame[10] = lean > 0.0 ? crn_random_uniform(&random, -lean, lean) : 0.0;
        frame[11] = 0.5 + i;
        s->step.body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0};
        for (int k = 0; k < 3; ++k) {
            s->step.body[i].inertia[4 * k] = 1.0 / 6.0;
        }
        for (int corner = 0; corner < 4; ++corner) {
            double *spot = s->spot + 6 * (4 * (size_t)i + (size_t)corner);
            spot[2] = -0.5;
            spot[5] = 0.5;
            for (int k = 0; k < 2; ++k) {
                double other = i > 0 ? below[9 + k] : frame[9 + k];
                double low = fmax(frame[9 + k], other) - 0.5, high = fmin(frame[9 + k], other) + 0.5;
                double x = (corner >> k & 1) ? high : low;
                spot[k] = x - frame[9 + k];
                spot[3 + k] = x - below[9 + k];
            }
        }
    }
    return true;
}
