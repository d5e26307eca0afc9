/* The best direction on an arc: s(n) = n'(a - x), a the point of the solid least far along n and x any point of the
 * edge, has one top along the arc where it is positive; its slope is (a - x)'dn. Halving finds where that changes
 * sign. */
#include "collide/convex/ridge.h"

/* Halvings of the arc: to rounding. */
#define ARC_STEPS 52

/* How far aside of an edge a point may lie that touches it, relative to the solid: what is left of the search of a
 * direction. */
#define ASIDE 1e-7

/* Where on the arc to look for other hills, if the solid reaches past the edge: there s(n) need not be concave. */
#define ARC_SAMPLES 8

typedef struct arc {
    const crn_solid *solid;
    crn_vec3 from, start, turn, end;
    int vertex;
} arc;

/* The direction at x, 0 to 1; s and its slope there. */
static crn_vec3 look(arc *t, double x, double *gap, double *slope)
{
    crn_vec3 n = x == 0.0 ? t->start : x == 1.0 ? t->end : crn_v3_unit(crn_v3_axpy(t->start, x, t->turn));
    crn_vec3 w = crn_v3_sub(crn_solid_support(t->solid, crn_v3_scale(-1.0, n), &t->vertex), t->from);
    *gap = crn_v3_dot(n, w) - t->solid->radius;
    *slope = crn_v3_dot(w, crn_v3_axpy(t->turn, -crn_v3_dot(t->turn, n), n));
    return n;
}

/* The top between low and high. */
static crn_vec3 climb(arc *t, double low, double high, double *gap, bool *is_end)
{
    double slope;
    *is_end = false;
    crn_vec3 n = look(t, low, gap, &slope);
    if (slope <= 0.0) {
        *is_end = low == 0.0;
        return n;
    }
    n = look(t, high, gap, &slope);
    if (slope >= 0.0) {
        *is_end = high == 1.0;
        return n;
    }
    for (int step = 0; step < ARC_STEPS; ++step) {
        double x = 0.5 * (low + high);
        n = look(t, x, gap, &slope);
        low = slope > 0.0 ? x : low;
        high = slope > 0.0 ? high : x;
    }
    return n;
}

crn_vec3 crn_ridge_best(const crn_solid *solid, const crn_ridge *ridge, double *gap, bool *is_end)
{
    arc t = {solid, ridge->from, ridge->normal[0], crn_v3_sub(ridge->normal[1], ridge->normal[0]), ridge->normal[1], 0};
    crn_vec3 n = climb(&t, 0.0, 1.0, gap, is_end);
    if (*gap + solid->radius >= 0.0) {
        return n;
    }
    double most = *gap, s, slope;
    int best = -1;
    for (int k = 0; k <= ARC_SAMPLES; ++k) {
        (void)look(&t, (double)k / ARC_SAMPLES, &s, &slope);
        if (s > most) {
            most = s;
            best = k;
        }
    }
    if (best >= 0) {
        double x = (double)best / ARC_SAMPLES, low = best > 0 ? x - 1.0 / ARC_SAMPLES : 0.0;
        crn_vec3 m = climb(&t, low, best < ARC_SAMPLES ? x + 1.0 / ARC_SAMPLES : 1.0, &s, is_end);
        if (s >= most) {
            *gap = s;
            return m;
        }
        *is_end = best == 0 || best == ARC_SAMPLES;
        n = look(&t, x, gap, &slope);
    }
    return n;
}

bool crn_ridge_is_under(const crn_solid *solid, const crn_ridge *ridge, crn_vec3 n, crn_vec3 p)
{
    crn_vec3 d = crn_v3_sub(ridge->to, ridge->from), w = crn_v3_sub(p, ridge->from);
    double square = crn_v3_dot(d, d), x = crn_v3_dot(w, d) / square;
    double aside = crn_v3_dot(w, crn_v3_cross(d, n)) / sqrt(square);
    return x >= 0.0 && x <= 1.0 && fabs(aside) <= ASIDE * (solid->extent + solid->radius);
}
