/* Corners and edge normals of regular polygons. */
#include "contact/polygon.h"

#include "math/elementary.h"

#include <math.h>
#include <stddef.h>

#define HALF_ROOT  0.70710678118654752440 /* sin 45 degrees */
#define TAN_EIGHTH 0.41421356237309504880 /* tan 22.5 degrees */

static const double two[8] = {1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const double four[16] = {1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, -1.0};
static const double eight[32] = {
    1.0,  0.0,         HALF_ROOT,   HALF_ROOT,  0.0,         1.0,  -HALF_ROOT, HALF_ROOT,
    -1.0, 0.0,         -HALF_ROOT,  -HALF_ROOT, 0.0,         -1.0, HALF_ROOT,  -HALF_ROOT,
    1.0,  TAN_EIGHTH,  TAN_EIGHTH,  1.0,        -TAN_EIGHTH, 1.0,  -1.0,       TAN_EIGHTH,
    -1.0, -TAN_EIGHTH, -TAN_EIGHTH, -1.0,       TAN_EIGHTH,  -1.0, 1.0,        -TAN_EIGHTH,
};

const double *crn_polygon_known(int d)
{
    switch (d) {
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    default: return NULL;
    }
}

void crn_polygon_fill(int d, double *table)
{
    static const double pi = 3.14159265358979323846;
    double widen = 1.0 / crn_cos(pi / d);
    for (int j = 0; j < d; ++j) {
        double middle = 2.0 * pi * (j + 0.5) / d;
        crn_corner(d, j, table + 2 * j);
        table[2 * (d + j)] = d > 2 ? widen * crn_cos(middle) : 0.0;
        table[2 * (d + j) + 1] = d > 2 ? widen * crn_sin(middle) : 0.0;
    }
}

void crn_polygon_fill_at(int d, const double *angle, double *table)
{
    static const double two_pi = 6.283185307179586;
    for (int j = 0; j < d; ++j) {
        double next = j + 1 < d ? angle[j + 1] : angle[0] + two_pi;
        double middle = 0.5 * (angle[j] + next), widen = 1.0 / crn_cos(0.5 * (next - angle[j]));
        crn_turn corner = crn_sin_cos(angle[j]), edge = crn_sin_cos(middle);
        table[2 * j] = corner.cos;
        table[2 * j + 1] = corner.sin;
        table[2 * (d + j)] = widen * edge.cos;
        table[2 * (d + j) + 1] = widen * edge.sin;
    }
}

int crn_polygon_against(const double *table, int d, const double *u)
{
    int best = 0;
    double least = INFINITY;
    for (int j = 0; j < d; ++j) {
        double along = table[2 * j] * u[0] + table[2 * j + 1] * u[1];
        if (along < least) {
            least = along;
            best = j;
        }
    }
    return best;
}
