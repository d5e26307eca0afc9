/* world_cairn.c -- flat stones on one another, as hikers leave them, and a ball that is thrown at them. */
#include <stdio.h>

#include "build.h"
#include "worlds.h"

enum { CORNERS = 8, RINGS = 3, STONES = 8 };

/* Corners of a regular octagon, and how much each corner of a stone is farther out. */
static const double HALF_ROOT = 0.70710678118654752;
static const double wobble[CORNERS] = {0.06, -0.05, 0.03, 0.08, -0.04, 0.05, -0.07, 0.02};

/* A stone: flat above and below, widest in the middle. */
static void put_points(double radius, double half, int stone, double points[3 * RINGS * CORNERS])
{
    const double x[CORNERS] = {1, HALF_ROOT, 0, -HALF_ROOT, -1, -HALF_ROOT, 0, HALF_ROOT};
    const double share[RINGS] = {0.76, 1.0, 0.72}, height[RINGS] = {-1.0, -0.1, 1.0};
    for (int ring = 0; ring < RINGS; ++ring) {
        for (int k = 0; k < CORNERS; ++k) {
            double out = radius * share[ring] * (1.0 + wobble[(k + 3 * stone + ring) % CORNERS]);
            double *p = points + 3 * (ring * CORNERS + k);
            p[0] = out * x[k];
            p[1] = out * x[(k + 6) % CORNERS];
            p[2] = half * height[ring];
        }
    }
}

static void add_stone(crn_build *b, int stone, double radius, double half, crn_vec3 at)
{
    double points[3 * RINGS * CORNERS];
    put_points(radius, half, stone, points);
    crn_body_shape shape = crn_build_sphere(b, 1.0);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = points, .count = RINGS * CORNERS};
    char name[16];
    (void)snprintf(name, sizeof name, "stone %d", stone + 1);
    (void)crn_build_body(b, name, shape, 0.0, at);
}

crn_status crn_gallery_cairn(crn_model *model, crn_error *error)
{
    static const double radius[STONES] = {0.62, 0.53, 0.47, 0.40, 0.35, 0.28, 0.22, 0.15};
    static const double half[STONES] = {0.13, 0.11, 0.12, 0.09, 0.10, 0.08, 0.08, 0.09};
    static const double aside[STONES] = {0.0, 0.03, -0.02, 0.02, -0.03, 0.01, 0.02, -0.01};
    crn_build b = crn_build_begin(model, error);
    b.friction = 0.6;
    b.density = 2600.0;
    crn_build_world(&b, false, 0.01, 5.0);
    crn_build_floor(&b);
    double top = 0.0;
    for (int i = 0; i < STONES; ++i) {
        add_stone(&b, i, radius[i], half[i], (crn_vec3){aside[i], -aside[STONES - 1 - i], top + half[i]});
        top += 2.0 * half[i];
    }
    b.density = 7800.0;
    crn_body_shape ball = crn_build_sphere(&b, 0.24);
    crn_body_def def = crn_body_def_default();
    def.name = "ball";
    def.pose.position = (crn_vec3){-7.2, -2.4, 0.3};
    def.velocity = (crn_vec3){6.0, 2.0, 6.3};
    def.shape = &ball;
    def.shapes = 1;
    crn_build_probe(&b, CRN_PROBE_POSITION, crn_build_add(&b, &def));
    return b.status;
}
