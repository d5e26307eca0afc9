/* The door of this room: solids, bounds, the broad phase, and queries with memory of their own, beside <cairn/collide.h>. */
#ifndef CRN_COLLIDE_ROOM_H
#define CRN_COLLIDE_ROOM_H

#include <math.h>

#include <cairn/collide.h>

#include "base/shared.h"

/* --- Kinds of shapes: what their definitions hold --- */

/* A size of a kind, as files name it. */
typedef struct crn_shape_size {
    const char *key;  /* NULL: no more */
    int first, count; /* components of crn_shape_def.size; count 1: a number; 0: points, heights or triangles */
    bool is_optional; /* 0 if absent */
    bool may_be_zero; /* others must be > 0 */
} crn_shape_size;

enum { CRN_SHAPE_SIZES_MAX = 2 };

/* What a definition of the kind holds, and who may have it. */
typedef struct crn_shape_traits {
    const char *name; /* in files */
    crn_shape_size size[CRN_SHAPE_SIZES_MAX];
    int dimension, least_points; /* numbers per point, fewest points; 0: no list of points */
    bool has_grid;               /* heights in rows and columns */
    bool has_triangles;
    bool is_planar;
    bool is_endless; /* for fixed and driven bodies only: no mass */
} crn_shape_traits;

/* NULL if there is no such kind. */
CRN_SHARED const crn_shape_traits *crn_shape_kind_traits(crn_shape_kind kind);

/* Numbers at def.points, heights included. */
CRN_SHARED size_t crn_shape_def_numbers(const crn_shape_def *def);

/* With what the kind does not use set to 0, so that two definitions that mean the same are the same. */
crn_shape_def crn_shape_def_settled(const crn_shape_def *def);

/* --- Shapes --- */

/* May a free body have the shape? The message of an open mesh says how many edges are open and which is the first. */
crn_status crn_shape_check_solid(const crn_shape *shape, crn_error *error);

/* May component `axis` of its size be changed? Not where faces or a grid are prepared from it. */
bool crn_shape_has_size(const crn_shape *shape, int axis);

/* Another size, as near as need be: mass properties stay those of the definition. */
void crn_shape_resize(crn_shape *shape, crn_vec3 size);

typedef struct crn_bounds {
    double low[3], high[3];
} crn_bounds;

/* Axis-aligned bounds in the world, larger by grow on every side; infinite where the shape is. */
crn_bounds crn_shape_bounds(const crn_shape *shape, const crn_frame *frame, double grow);

/* The same for the broad phase: of hulls with many vertices wider where they are turned, but found at once. */
crn_bounds crn_shape_broad_bounds(const crn_shape *shape, const crn_frame *frame, double grow);

typedef struct crn_broad_item {
    crn_bounds bounds;
    int owner;            /* items of the same owner do not meet */
    bool is_still;        /* two still items do not meet */
    uint32_t group, mask; /* meet if a.group & b.mask and b.group & a.mask */
} crn_broad_item;

typedef struct crn_broad_pair {
    int a, b; /* items, a < b */
} crn_broad_pair;

/* Zero-initialise but for allocator; keeps memory, and what it learned about the order, from call to call. */
typedef struct crn_broad {
    crn_allocator allocator;
    void *memory; /* of the implementation */
} crn_broad;

/* All pairs whose bounds meet, sorted by (a, b). The list is the broad phase's, until the next call. Takes no memory once
 * it has met as many items and pairs. The result does not depend on earlier calls. */
crn_status crn_broad_find(crn_broad *broad, const crn_broad_item *item, int count, const crn_broad_pair **pair,
                          int *pairs, crn_error *error);
void crn_broad_free(crn_broad *broad);

/* Memory of queries with meshes: lists without a bound. Zero-initialise but for allocator; grows where a query needs more
 * and is kept from query to query, so that a second one like the first takes none. */
#define CRN_SCRATCH_LISTS 8
typedef struct crn_collide_scratch {
    crn_allocator allocator;
    struct {
        void *item;
        int capacity;
        bool is_lent; /* the memory is somebody else's */
    } list[CRN_SCRATCH_LISTS];
    bool is_short;  /* the last query lacked memory */
    bool is_chosen; /* some query since it was cleared left overlaps out that another way out undoes */
} crn_collide_scratch;

void crn_collide_scratch_free(crn_collide_scratch *scratch);

/* How a moves against b until the next look: it decides which points of a curved surface can come first. */
typedef struct crn_collide_motion {
    crn_vec3 turn;  /* [rad] world axes */
    crn_vec3 shift; /* of the centres [m] world axes */
    double fall;    /* what forces may add to the shift [m]; infinite: the motion is not known */
} crn_collide_motion;

static inline crn_collide_motion crn_collide_motion_unknown(void)
{
    return (crn_collide_motion){{0, 0, 0}, {0, 0, 0}, HUGE_VAL};
}

/* crn_collide() with memory of the caller; -1: there was not enough. (crn_collide() itself lends 64 kB of stack and takes
 * memory from the allocator of a only where a pair of meshes needs more.) motion NULL: not known. */
int crn_collide_with(crn_collide_scratch *scratch, const crn_shape *a, const crn_frame *frame_a, const crn_shape *b,
                     const crn_frame *frame_b, double reach, const crn_collide_motion *motion, crn_touch *touch,
                     int capacity);

/* --- What shapes are made of, to draw them --- */

/* A convex polyhedron: vertices, and faces as loops of vertices, counter-clockwise seen from outside. */
typedef struct crn_polyhedron {
    int vertices, faces, edges;
    double *vertex;  /* 3 per vertex */
    int *face_start; /* faces + 1: loop of face f is face_vertex[face_start[f]] .. */
    int *face_vertex;
    double *face_normal; /* 3 per face, unit, outward */
    int *edge;           /* 4 per edge: vertices from, to (as in the loop of the left face); left and right face */
    int *around_start;   /* vertices + 1: neighbours of vertex v are around[around_start[v]] .. */
    int *around;
    int *around_edge; /* the edges that lead to them */
    int *guide; /* CRN_GUIDE_CELLS: a vertex far along the directions of each cell, to look for the farthest from */
    uint64_t digest; /* of the vertices: equal polyhedra have the same */
} crn_polyhedron;

/* The faces of a hull; NULL for others. */
const crn_polyhedron *crn_shape_polyhedron(const crn_shape *shape);

/* Vertices of a mesh, after those at one place were joined; face: 3 per triangle. */
const crn_vec3 *crn_shape_mesh_vertices(const crn_shape *shape, const int **face, int *triangles);

/* The point of a convex solid farthest along the unit vector d, in its own frame. */
crn_vec3 crn_shape_support_point(const crn_shape *shape, crn_vec3 d);

/* --- Seams: other directions in which convex shapes of finite size may be held apart [docs/theory/surfaces.md] --- */

/* Is it one of them? */
bool crn_shape_is_convex(const crn_shape *shape);

/* Is its surface smooth, so that only one direction separates it from what it touches? */
bool crn_shape_is_smooth(const crn_shape *shape);

/* Is it round where it touches along d? Not if it has edges only, nor on its caps. axis: along which it is straight; 0 if none. */
bool crn_shape_is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis);

/* h(d) = max d'x over the shape, d a unit vector. */
double crn_shape_support(const crn_shape *shape, const crn_frame *frame, crn_vec3 d);

/* Outward normals of the faces that meet where p lies on the surface, which looks along d there; how many, at most
 * CRN_FACE_NORMALS. */
#define CRN_FACE_NORMALS 8
int crn_shape_face_normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal);

/* The point of the surface that touches a plane with outward normal d, near p: a round shape has its own. False: the surface is
 * flat or sharp at p, and p is as good as any. */
bool crn_shape_round_point(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 p, crn_vec3 *point);

/* crn_touch_reduce() for bodies that turn against each other by no more than the angle `slope` [rad] before the next
 * look: touches go too that none of them can meet first. */
int crn_touch_reduce_within(crn_touch *touch, int count, double distance, double slope);

#endif
