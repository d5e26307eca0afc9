/* Floors that are the same plane z = 0, made of different shapes, and bodies on them. */
#ifndef CRN_TEST_SURFACE_CASE_H
#define CRN_TEST_SURFACE_CASE_H

#include "world_case.h"

typedef enum floor_kind { FLOOR_PLANE, FLOOR_BOX, FLOOR_HULL, FLOOR_MESH, FLOOR_FIELD, FLOOR_KINDS } floor_kind;

static const char *const floor_name[FLOOR_KINDS] = {"plane", "box", "hull", "mesh", "height field"};

enum { FLOOR_CELLS = 40, FLOOR_POINTS = (FLOOR_CELLS + 1) * (FLOOR_CELLS + 1) };
static const double FLOOR_HALF = 20.0; /* [m] */

static inline void surface_body(crn_world *world, const crn_shape_def *def, crn_body_kind kind, crn_pose pose,
                                double friction, crn_body_id *body)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def made = crn_body_def_default();
    shape.shape = *def;
    shape.friction = friction;
    made.kind = kind;
    made.pose = pose;
    made.shape = &shape;
    made.shapes = 1;
    *body = add_body(world, &made);
}

static inline crn_pose surface_pose(double x, double y, double z)
{
    crn_pose pose = {{x, y, z}, {1, 0, 0, 0}};
    return pose;
}

/* A slab of depth 1 cut into squares of two triangles on top and at the bottom, with sides: a closed mesh. */
static inline void mesh_floor(crn_world *world, double friction)
{
    enum { SIDE = FLOOR_CELLS + 1, LAYER = SIDE * SIDE };
    static double point[2 * LAYER][3];
    static int triangle[4 * FLOOR_CELLS * FLOOR_CELLS + 8 * FLOOR_CELLS][3];
    int count = 0;
    for (int k = 0; k < 2 * LAYER; ++k) {
        int i = k % LAYER / SIDE, j = k % SIDE;
        point[k][0] = FLOOR_HALF * (2.0 * i / FLOOR_CELLS - 1.0);
        point[k][1] = FLOOR_HALF * (2.0 * j / FLOOR_CELLS - 1.0);
        point[k][2] = k < LAYER ? 0.0 : -1.0;
    }
#define TRIANGLE(p, q, r)           \
    do {                            \
        triangle[count][0] = (p);   \
        triangle[count][1] = (q);   \
        triangle[count++][2] = (r); \
    } while (0)
    for (int i = 0; i < FLOOR_CELLS; ++i) {
        for (int j = 0; j < FLOOR_CELLS; ++j) {
            int p = i * SIDE + j, q = p + SIDE, r = q + 1, s = p + 1;
            TRIANGLE(p, q, r);
            TRIANGLE(p, r, s);
            TRIANGLE(LAYER + p, LAYER + r, LAYER + q);
            TRIANGLE(LAYER + p, LAYER + s, LAYER + r);
        }
        int side[4][2] = {{i * SIDE, (i + 1) * SIDE},
                          {(i + 1) * SIDE + FLOOR_CELLS, i * SIDE + FLOOR_CELLS},
                          {i + 1, i},
                          {FLOOR_CELLS * SIDE + i, FLOOR_CELLS * SIDE + i + 1}};
        for (int k = 0; k < 4; ++k) {
            int p = side[k][0], q = side[k][1];
            TRIANGLE(p, LAYER + p, LAYER + q);
            TRIANGLE(p, LAYER + q, q);
        }
    }
#undef TRIANGLE
    crn_shape_def def = {.kind = CRN_SHAPE_MESH,
                         .points = &point[0][0],
                         .count = 2 * LAYER,
                         .triangles = &triangle[0][0],
                         .triangle_count = count};
    crn_body_id body;
    surface_body(world, &def, CRN_BODY_FIXED, surface_pose(0, 0, 0), friction, &body);
}

static inline void add_surface(crn_world *world, floor_kind kind, double friction)
{
    const double f = FLOOR_HALF;
    static const double heights[FLOOR_POINTS] = {0};
    const double corner[24] = {-f, -f, -1, f, -f, -1, -f, f, -1, f, f, -1, -f, -f, 0, f, -f, 0, -f, f, 0, f, f, 0};
    crn_shape_def def = {.kind = CRN_SHAPE_PLANE};
    crn_body_id body;
    switch (kind) {
    case FLOOR_BOX: def = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {f, f, 0.5}}; break;
    case FLOOR_HULL: def = (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = corner, .count = 8}; break;
    case FLOOR_FIELD:
        def = (crn_shape_def){.kind = CRN_SHAPE_HEIGHT_FIELD,
                              .size = {2.0 * f / FLOOR_CELLS, 2.0 * f / FLOOR_CELLS, 0},
                              .points = heights,
                              .rows = FLOOR_CELLS + 1,
                              .columns = FLOOR_CELLS + 1};
        break;
    case FLOOR_MESH: mesh_floor(world, friction); return;
    default: break;
    }
    surface_body(world, &def, CRN_BODY_FIXED, surface_pose(0, 0, kind == FLOOR_BOX ? -0.5 : 0.0), friction, &body);
}

#endif
