/* world_hart.c -- the three scenes of Hart and Anitescu [HA03 s3], with the paper's numbers where it has them.
 *
 *   ellipse     axes 8 and 4, dropped from height 8 turning at 3 rad/s, mu 0.3, 10 kg/m^2, h = 0.05, 20 s, margin 0.3
 *   disks       21 disks of radius 3, cannonball pile with six at the bottom, table between slanted walls, mu 0.2
 *   brazil-nut  201 bodies, mu 0.5, h = 0.1, 75 s, convex scheme
 *
 * What the paper does not give is chosen here so that its results come out. Disks: the walls lean out by 45 degrees and leave
 * room for all disks side by side. A pile that is symmetric to the last bit leaves a tower of three standing in the middle until rounding
 * topples it, at about 18 s; solvers that work to 1e-6 never see it. So the top disk is turned a little about its left neighbour.
 * Brazil nut: the nut, seven times as large as the others, lies at the bottom of a box that is shaken up and down hard enough to
 * throw everything up. It rises within 20 to 40 s, by what falls below it and by the flow that friction at the walls drives (up in
 * the middle, down at the walls). Shaken on like that the flow may take it down again, so the shaking fades. A disk at rest that
 * is hit moves at once as fast as the others, so contacts take part within v_max h [HA03 s2.2], 0.2 m at h = 0.01; at h = 0.1
 * that would be everything within four radii, so there the pair's own speed decides. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

static const double density = 10.0; /* [kg/m^2] */
static const double pi = 3.14159265358979323846;

crn_status crn_gallery_ellipse(crn_model *model, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.05, 20.0)->margin = 0.3;
    b.friction = 0.3;
    b.density = density;
    crn_build_floor(&b);
    crn_body_shape shape = crn_build_disk(&b, 1.0);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_ELLIPSE, .size = {4.0, 2.0, 0.0}};
    crn_body_def ellipse = crn_body_def_default();
    ellipse.name = "ellipse";
    ellipse.pose.position = (crn_vec3){0.0, 8.0, 0.0};
    ellipse.angular = (crn_vec3){0.0, 0.0, 3.0};
    ellipse.shape = &shape;
    ellipse.shapes = 1;
    int index = crn_build_add(&b, &ellipse);
    crn_build_probe(&b, CRN_PROBE_POSITION, index);
    crn_build_probe(&b, CRN_PROBE_ROTATION, index);
    return b.status;
}

crn_status crn_gallery_disks(crn_model *model, crn_error *error)
{
    enum { BOTTOM = 6 };
    const double radius = 3.0, half_width = 70.0;
    const double top_turn = 1e-6; /* [rad], away from the right one below */
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, true, 0.05, 20.0)->margin = 0.3;
    b.friction = 0.2;
    b.density = density;
    crn_body_shape table[3] = {crn_build_half_plane(&b, (crn_vec3){0, 0, 0}, 0.0),
                               crn_build_half_plane(&b, (crn_vec3){-half_width, 0, 0}, -0.25 * pi),
                               crn_build_half_plane(&b, (crn_vec3){half_width, 0, 0}, 0.25 * pi)};
    crn_build_fixed(&b, "table", table, 3);
    for (int row = 0; row < BOTTOM; ++row) {
        for (int i = 0; i < BOTTOM - row; ++i) {
            crn_vec3 at = {radius * (2 * i + row - (BOTTOM - 1)), radius * (1.0 + sqrt(3.0) * row), 0.0};
            if (row == BOTTOM - 1) { /* still touching the left one below, 60 degrees up before it was turned */
                double angle = pi / 3.0 + top_turn;
                at.x += 2.0 * radius * (cos(angle) - 0.5);
                at.y += radius * (2.0 * sin(angle) - sqrt(3.0));
            }
            crn_build_body(&b, NULL, crn_build_disk(&b, radius), 0.0, at);
        }
    }
    return b.status;
}

/* --- The Brazil nut --- */

enum { SHAKES_PER_SECOND = 1, KNOTS_PER_SECOND = 10, KNOTS = CRN_GALLERY_NUT_SHAKEN * KNOTS_PER_SECOND + 1 };

/* The box's height over time: a sine that fades away. It is given at tenths of a second, straight between them, so that the box
 * moves alike at h = 0.1 and at smaller steps. */
static crn_profile shaking(double *times, double *heights)
{
    const double height = 1.5, fades_from = 20.0; /* [m], [s] */
    for (int k = 0; k < KNOTS; ++k) {
        double t = (double)k / KNOTS_PER_SECOND;
        double fade = fmin(1.0, (CRN_GALLERY_NUT_SHAKEN - t) / (CRN_GALLERY_NUT_SHAKEN - fades_from));
        times[k] = t;
        heights[k] = height * fade * sin(2.0 * pi * SHAKES_PER_SECOND * t);
    }
    return (crn_profile){.times = times, .values = heights, .count = KNOTS};
}

/* A box without lid, shaken up and down. */
static void add_shaken_box(crn_build *b, double half_width)
{
    double times[KNOTS], heights[KNOTS];
    crn_body_shape wall[3] = {crn_build_half_plane(b, (crn_vec3){0, 0, 0}, 0.0),
                              crn_build_half_plane(b, (crn_vec3){-half_width, 0, 0}, -0.5 * pi),
                              crn_build_half_plane(b, (crn_vec3){half_width, 0, 0}, 0.5 * pi)};
    crn_body_def box = crn_body_def_default();
    box.name = "box";
    box.kind = CRN_BODY_DRIVEN;
    box.shape = wall;
    box.shapes = 3;
    box.motion.y = shaking(times, heights);
    crn_build_add(b, &box);
}

crn_status crn_gallery_brazil_nut_of(crn_model *model, const crn_gallery_nut *nut, crn_error *error)
{
    enum { SMALL = 200, COLUMNS = 19 };
    const double radius = CRN_GALLERY_NUT_SMALL, large = 7.0 * radius, half_width = 20.0 * radius, pitch = 2.1 * radius;
    const double fastest = 20.0; /* [m/s] */
    crn_build b = crn_build_begin(model, error);
    crn_world_def *world = crn_build_world(&b, true, nut->dt, 75.0);
    crn_random random = crn_random_seed(nut->seed);
    world->scheme = nut->scheme;
    world->margin = fastest * nut->dt <= radius ? fastest * nut->dt : 0.0;
    world->recovery_speed = INFINITY; /* the paper's: overlap is undone in one step */
    b.friction = 0.5;
    b.density = density;
    add_shaken_box(&b, half_width);
    crn_vec3 center = {0.0, 1.01 * large, 0.0};
    crn_build_probe(&b, CRN_PROBE_POSITION, crn_build_body(&b, "nut", crn_build_disk(&b, large), 0.0, center));
    for (int i = 0, placed = 0; placed < SMALL; ++i) {
        int column = i % COLUMNS, row = i / COLUMNS;
        crn_vec3 at = {(1.06 * radius - half_width) + pitch * column, 1.02 * radius + pitch * row, 0.0};
        if (hypot(at.x - center.x, at.y - center.y) < large + 1.04 * radius) {
            continue; /* the nut is there */
        }
        at.x += 0.02 * radius * crn_random_uniform(&random, -1.0, 1.0);
        double size = radius * crn_random_uniform(&random, 0.9, 1.0);
        crn_build_body(&b, NULL, crn_build_disk(&b, size), 0.0, at);
        placed++;
    }
    return b.status;
}

crn_status crn_gallery_brazil_nut(crn_model *model, crn_error *error)
{
    crn_gallery_nut nut = {0.1, 1, CRN_SCHEME_CONVEX};
    return crn_gallery_brazil_nut_of(model, &nut, error);
}
