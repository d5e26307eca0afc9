/* What the files of this room share: types of shapes, a prepared shape, a query, a list of touches, and the families of
 * pairs.
 *
 *   convex/primitive.c and its pair files  sphere, box and capsule among themselves; a plane with everything solid
 *   convex/convex.c                        all other pairs of convex solids
 *   mesh/height_field.c                    a height field with every convex solid
 *   mesh/pair_mesh.c and its files         a mesh with every solid shape and mesh
 *   planar/planar.c and its pair files     the planar shapes
 */
#ifndef CRN_COLLIDE_SHAPE_H
#define CRN_COLLIDE_SHAPE_H

#include "base/memory.h"
#include "collide/collide_room.h"
#include "math/rigid.h"

/* Directions by cells: a cube about the origin, each side of it cut into squares. */
#define CRN_GUIDE_SIDE  8
#define CRN_GUIDE_CELLS (6 * CRN_GUIDE_SIDE * CRN_GUIDE_SIDE)

static inline int crn_guide_cell(crn_vec3 d)
{
    const double x[3] = {d.x, d.y, d.z};
    double size[3] = {x[0] < 0.0 ? -x[0] : x[0], x[1] < 0.0 ? -x[1] : x[1], x[2] < 0.0 ? -x[2] : x[2]};
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    if (!(size[axis] > 0.0)) {
        return 0;
    }
    double scale = 0.5 * CRN_GUIDE_SIDE / size[axis], middle = 0.5 * CRN_GUIDE_SIDE;
    int i = (int)(middle + scale * x[(axis + 1) % 3]), j = (int)(middle + scale * x[(axis + 2) % 3]);
    i = i < CRN_GUIDE_SIDE ? i : CRN_GUIDE_SIDE - 1;
    j = j < CRN_GUIDE_SIDE ? j : CRN_GUIDE_SIDE - 1;
    return ((2 * axis + (x[axis] > 0.0)) * CRN_GUIDE_SIDE + i) * CRN_GUIDE_SIDE + j;
}

/* A touch list, a ray, a solid and what else a type is asked for: see plane.h, ray.h, solid.h, seam.h, planar.h. */
typedef struct crn_touches crn_touches;
typedef struct crn_query crn_query;
typedef struct crn_cut crn_cut;
typedef struct crn_solid crn_solid;
typedef struct crn_smooth crn_smooth;
typedef struct crn_seam_type crn_seam_type;

/* What a kind of shape is: all that the rest of the room knows of it. Each is one file of shapes/ and one line of
 * shape_types.h. docs/guide/adding_a_shape.md goes through the fields. */
typedef struct crn_shape_type {
    crn_shape_traits traits; /* name, sizes: what a definition holds */

    /* Instead of the checks of sizes and points. NULL: these are enough. */
    crn_status (*check)(const crn_shape_def *def, crn_error *error);
    /* Faces and the like, from the copied definition; numbers: its points, which may be changed. NULL: nothing. */
    crn_status (*prepare)(crn_shape *shape, double *numbers, crn_error *error);
    double (*radius)(const crn_shape_def *def);          /* about the frame's origin; NULL: infinite */
    crn_mass_properties (*mass)(const crn_shape *shape); /* at density 1; NULL: none */
    crn_bounds (*bounds)(const crn_shape *shape, const crn_frame *frame);
    void (*cast)(const crn_shape *shape, crn_cut *cut); /* keep of a ray what is inside (ray.h) */

    /* Convex solids: kind, size, radius and extent of the solid; where it lies is set (solid.h). NULL: it is none. */
    void (*core)(const crn_shape *shape, crn_solid *solid);
    const crn_smooth *smooth;  /* of a core that is smooth all over (solid.h); else NULL */
    const crn_seam_type *seam; /* of convex shapes of finite size, planar ones too (seam.h); else NULL */

    /* Where it touches what is not convex. */
    void (*on_plane)(const crn_query *query, crn_touches *out);                              /* a: this, b: a plane */
    bool (*on_mesh)(const crn_query *query, crn_collide_scratch *scratch, crn_touches *out); /* a: this, b: a mesh */
} crn_shape_type;

struct crn_shape {
    const crn_shape_type *type;
    crn_shape_def def; /* points lead into this shape's memory; of a polygon: its hull, counter-clockwise */
    crn_allocator allocator;
    double radius; /* about the frame's origin; infinite for planes */
    crn_mass_properties mass;
    crn_polyhedron *polyhedron; /* hull: its faces; NULL for others */
    struct crn_mesh *mesh;      /* mesh, hull: mesh.h; NULL for others */
    double low, high;           /* height field: of its samples; 0 for others */
};

/* One question: where do a and b touch? */
struct crn_query {
    const crn_shape *a, *b;
    const crn_frame *frame_a, *frame_b;
    double reach;
    crn_collide_motion motion; /* its signs do not matter */
};

/* The same question with a and b in the other order. */
static inline crn_query crn_query_turned(const crn_query *query)
{
    return (crn_query){query->b, query->a, query->frame_b, query->frame_a, query->reach, query->motion};
}

/* Of two kinds: does b come before a? What may move comes first, then the lower kind. */
static inline bool crn_query_is_kind_turned(const crn_query *query)
{
    bool a_rests = query->a->type->traits.is_endless, b_rests = query->b->type->traits.is_endless;
    return a_rests != b_rests ? a_rests : query->a->def.kind > query->b->def.kind;
}

/* The first difference of two lists: -1, 0 or 1. */
int crn_compare_numbers(const double *x, const double *y, int count);

/* Is a's frame above b's? By position, then rotation; false for the same frame. */
bool crn_query_is_above(const crn_query *query);

/* Touches found so far; counts on when full. */
struct crn_touches {
    crn_touch *touch;
    int count, capacity;
};

static inline void crn_touches_add(crn_touches *list, crn_vec3 point, crn_vec3 normal, double gap, uint32_t key)
{
    if (list->count < list->capacity) {
        list->touch[list->count] = (crn_touch){point, normal, gap, key};
    }
    list->count++;
}

/* Turn the normals of those from first on: they were found with a and b in the other order. */
static inline void crn_touches_turn(crn_touches *list, int first)
{
    for (int k = first; k < list->count && k < list->capacity; ++k) {
        list->touch[k].normal = crn_v3_scale(-1.0, list->touch[k].normal);
    }
}

/* The families. Each answers for the pairs it knows, in either order of kinds, and returns false for others. Keys must be
 * unique within the pair and the same when a and b are swapped (the normal then points the other way); the caller sorts. */
bool crn_collide_primitive(const crn_query *query, crn_touches *out);
bool crn_collide_convex(const crn_query *query, crn_touches *out);
bool crn_collide_field(const crn_query *query, crn_touches *out); /* a height field with every convex solid */
bool crn_collide_mesh(const crn_query *query, crn_collide_scratch *scratch,
                      crn_touches *out); /* a mesh with every solid shape and mesh */
bool crn_collide_planar(const crn_query *query, crn_touches *out);

/* Preparation by family: called by crn_shape_create() with def copied and checked for finite numbers. */
crn_status crn_hull_build(const double *points, int count, const crn_allocator *allocator, crn_polyhedron **hull,
                          crn_error *error); /* convex: faces that lie in one plane are one face */
void crn_hull_free(const crn_allocator *allocator, crn_polyhedron *hull);
crn_mass_properties crn_hull_mass(const crn_polyhedron *hull);
int crn_polygon_hull(double *points,
                     int count); /* planar: hull in place, counter-clockwise, no three in line; its size */
crn_mass_properties crn_polygon_mass(const double *points, int count);

#endif
