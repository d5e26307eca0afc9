/* cairn/collide.h -- shapes, and where two of them touch.
 *
 * For every pair within reach: all contact points of the touching features, each with a signed gap (negative: overlap), a
 * unit normal out of b into a, and a key that stays the same while the same features touch. Same input, same bits, same
 * order. A planar world lies in the plane z = 0 and uses the planar shapes. */
#ifndef CAIRN_COLLIDE_H
#define CAIRN_COLLIDE_H

#include <cairn/base.h>
#include <cairn/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a shape is, and what its size and points mean. */
typedef enum crn_shape_kind {
    CRN_SHAPE_SPHERE = 0,   /* size.x: radius */
    CRN_SHAPE_BOX,          /* size: half sides */
    CRN_SHAPE_CAPSULE,      /* size.x: radius, size.y: half length of the core along z */
    CRN_SHAPE_CYLINDER,     /* size.x: radius, size.y: half height along z */
    CRN_SHAPE_ELLIPSOID,    /* size: half axes */
    CRN_SHAPE_HULL,         /* points: convex hull of them, 3 numbers each */
    CRN_SHAPE_CONE,         /* size.x: radius of the base, at z = -size.y; apex at z = +size.y */
    CRN_SHAPE_PLANE,        /* half-space z <= 0; fixed and driven bodies only */
    CRN_SHAPE_HEIGHT_FIELD, /* points: heights, rows x columns, column-major; size.x, size.y: spacing along x (rows) and
                               y (columns); centred on the origin; solid below; fixed and driven bodies only */
    CRN_SHAPE_MESH, /* points: vertices, 3 numbers each; triangles: corners, counter-clockwise seen from outside. Closed
                       (open and self-intersecting ones are reported); open ones on fixed and driven bodies only */
    /* planar shapes */
    CRN_SHAPE_DISK,      /* size.x: radius */
    CRN_SHAPE_ELLIPSE,   /* size.x, size.y: half axes */
    CRN_SHAPE_POLYGON,   /* points: convex hull of them, 2 numbers each */
    CRN_SHAPE_SEGMENT,   /* size.x: half length along x, size.y: radius (0: a thin bar) */
    CRN_SHAPE_HALF_PLANE /* y <= 0; fixed and driven bodies only */
} crn_shape_kind;
#define CRN_SHAPE_KIND_COUNT 15 /* how many there are */

CRN_API const char *crn_shape_kind_name(crn_shape_kind kind); /* "sphere", "box", "height_field", ...; NULL if none */
CRN_API bool crn_shape_kind_find(const char *name, crn_shape_kind *kind); /* false if there is none of that name */
CRN_API bool crn_shape_kind_is_planar(crn_shape_kind kind);               /* is it for planar worlds? */

/** What a shape is, in a frame of its own. */
typedef struct crn_shape_def {
    crn_shape_kind kind;
    crn_vec3 size;
    const double *points; /* copied by crn_shape_create() */
    int count;            /* hull, polygon, mesh: number of points */
    int rows, columns;    /* height field */
    const int *triangles; /* mesh: 3 indices of points each; copied */
    int triangle_count;
} crn_shape_def;

/** A shape ready for use: checked, faces of a hull found. Never changes. */
typedef struct crn_shape crn_shape;

/** Check and prepare a shape. allocator NULL: the default one. The message names the field. */
CRN_API crn_status crn_shape_create(const crn_shape_def *def, const crn_allocator *allocator, crn_shape **shape,
                                    crn_error *error);
CRN_API void crn_shape_destroy(crn_shape *shape); /* NULL is fine */

/** What the shape was made from; points lead into the shape. */
CRN_API const crn_shape_def *crn_shape_definition(const crn_shape *shape);

/** What a mesh is like; crn_shape_create() refuses what cannot be used and says why. */
typedef struct crn_mesh_report {
    int vertices, triangles; /* after points at the same place were joined and triangles with two of them dropped */
    int shells;              /* connected pieces */
    int open_edges;          /* edges with a different number of triangles each way: 0 for a closed mesh */
    int crossings;           /* edges that pass through a triangle of the mesh itself */
    int flipped;             /* shells that were inside out and have been turned */
    double volume;           /* [m^3]; 0 of an open mesh */
    /* What was mended. */
    int collapsed;  /* triangles dropped because two of their corners are one */
    int duplicates; /* triangles dropped because another has the same corners in the same sense */
    int turned;     /* triangles turned to agree with their neighbours on which side is outside */
    /* The first of what was not, by triangles of the definition; -1: none. */
    int open_triangle;    /* has an open edge */
    int crossed_triangle; /* is passed through by an edge */
} crn_mesh_report;

/** A sentence on what was mended or is wrong with a mesh, cut to size; false, and "", if there is nothing to tell. */
CRN_API bool crn_mesh_report_tell(const crn_mesh_report *report, char *text, size_t size);

/** Look at a mesh without making a shape of it. */
CRN_API crn_status crn_mesh_inspect(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh_report *report,
                                    crn_error *error);

/** Is the shape a solid that a free body may have? False for planes, height fields and open meshes. */
CRN_API bool crn_shape_is_solid(const crn_shape *shape);

/** Mass, centre and inertia of a solid of density 1 [kg/m^3, planar: kg/m^2]. */
typedef struct crn_mass_properties {
    double mass;      /* [kg] */
    crn_vec3 com;     /* in the frame of the shape [m] */
    crn_mat3 inertia; /* about com, axes of the frame [kg m^2]; planar shapes: entry (2,2) counts, the rest is 0 */
} crn_mass_properties;

/** Of a solid of density 1; all 0 for planes and height fields; a segment with radius 0 counts as a bar of 1 kg/m. */
CRN_API crn_mass_properties crn_shape_mass(const crn_shape *shape);

/** Radius of the smallest sphere about the origin of the shape's frame that holds it; infinite for planes. */
CRN_API double crn_shape_radius(const crn_shape *shape);

/** One point of a contact. */
typedef struct crn_touch {
    crn_vec3 point;  /* world: midway between the two surfaces [m] */
    crn_vec3 normal; /* unit, out of b into a */
    double gap;      /* signed distance along the normal [m] */
    uint32_t key;    /* which features touch; unique within the pair; touches are sorted by it */
} crn_touch;

/** All points where a and b are nearer than reach (>= 0), however deep they overlap. frame_a, frame_b: of the shapes, in
 *  the world. Writes at most `capacity` of them.
 *  @return how many there are; more than capacity: call again with more room; -1: no memory (large meshes only). */
CRN_API int crn_collide(const crn_shape *a, const crn_frame *frame_a, const crn_shape *b, const crn_frame *frame_b,
                        double reach, crn_touch *touch, int capacity);

/** Thin out the touches of one pair: merge points nearer than distance with like normals, and drop those that the others
 *  imply (inside the support polygon of their common normal, no lower). Keeps the order. Returns how many are left. */
CRN_API int crn_touch_reduce(crn_touch *touch, int count, double distance);

/* --- Rays --- */

/** A half-line, up to a reach. */
typedef struct crn_ray {
    crn_vec3 from;      /* world [m] */
    crn_vec3 direction; /* unit; planar shapes: its part in the plane must be */
    double reach;       /* how far to look [m]; infinite is fine */
} crn_ray;

/** Where a ray first meets a surface. */
typedef struct crn_ray_hit {
    double distance; /* from the ray's origin [m]; 0 if that is inside */
    crn_vec3 point;  /* world [m] */
    crn_vec3 normal; /* unit, outward, world axes; from inside: against the ray */
} crn_ray_hit;

/** False if it does not within its reach. The frame is the shape's, in the world. */
CRN_API bool crn_shape_cast_ray(const crn_shape *shape, const crn_frame *frame, const crn_ray *ray, crn_ray_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
