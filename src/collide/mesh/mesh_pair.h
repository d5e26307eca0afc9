/* Signed feature pairs of two meshes; docs/theory/feature_pairs.md has the rules. Not for other rooms.
 *
 *   mesh_pair_descent.c   which triangles are near each other
 *   mesh_pair_features.c  which vertices, edges and faces of two triangles face each other
 *   mesh_pair_overlap.c   which negative gaps are real, and which of them suffice
 *   mesh_pair_contour.c   where the surfaces cross; how deep the overlap is
 *   mesh_pair_deep.c      what to do if the feature pairs do not explain it
 *   mesh_pair.c           the order of all this; keys
 *
 * Everything is in the frame of a. Normals lead out of b into a. */
#ifndef CRN_COLLIDE_MESH_PAIR_H
#define CRN_COLLIDE_MESH_PAIR_H

#include "collide/mesh/field.h"
#include "collide/mesh/mesh.h"
#include "collide/scratch.h"

/* Vertex, edge or face of a, then of b. */
typedef enum crn_feature_type {
    CRN_FEATURE_VF = 0,
    CRN_FEATURE_FV,
    CRN_FEATURE_EE,
    CRN_FEATURE_VE,
    CRN_FEATURE_EV,
    CRN_FEATURE_VV,
    CRN_FEATURE_DEEP_A, /* an overlap that no feature pair explains; what was found first of it belongs to a, or to b */
    CRN_FEATURE_DEEP_B
} crn_feature_type;

typedef struct crn_feature_pair {
    int type; /* crn_feature_type */
    int a, b; /* features */
    double gap;
    crn_vec3 normal, on_a, on_b;
} crn_feature_pair;

/* An edge of one mesh passes through a triangle of the other. */
typedef struct crn_crossing {
    int of;         /* whose edge: 0 a, 1 b */
    int edge, face; /* edge of that mesh, triangle of the other */
    int inner;      /* vertex: end of the edge behind the triangle */
    int contour;
    crn_vec3 point;
    crn_vec3 normal; /* of the triangle, out of b into a */
} crn_crossing;

/* A crossing lies on these triangles. */
typedef struct crn_link {
    int a, b;
    int crossing;
} crn_link;

/* Crossings that are joined by triangles, of both meshes: a closed line where the surfaces meet. */
typedef struct crn_contour {
    double low[3], high[3];
    crn_vec3 middle;      /* mean of the points */
    crn_vec3 normal;      /* mean of the normals, unit; 0 if they cancel */
    double least, most;   /* of normal'point */
    double depth;         /* of the inner ends: the deepest */
    crn_vec3 along;       /* from the first point to the one farthest from it */
    double width;         /* of points from that line */
    int crossings, first; /* first: of the crossings, in their order */
    bool is_explained;
    int shallowest; /* crossing: the shallowest way back through a crossed face; -1: none */
    double shallow_gap;
} crn_contour;

typedef struct crn_mesh_pair {
    const crn_mesh *a, *b;
    const crn_solid *solid;  /* a is this convex solid, in the same frame, and no mesh; else NULL */
    const crn_field *ground; /* b is part of its surface, solid below; else NULL */
    int ground_features;     /* numbers of features of b are below this */
    crn_frame frame;         /* of b, in that of a */
    double reach;            /* largest gap */
    double depth;            /* deepest gap of this search; >= 0 */
    double size;             /* of the smaller mesh */
    double slack;            /* rounding of places */
    double tolerance;        /* of inside and outside */
    bool wants_crossings;
    long pairs_left; /* of triangles that this search may look at */
    crn_collide_scratch *scratch;
    crn_feature_pair *found;
    int found_count;
    int *kept; /* numbers in found */
    int kept_count;
    crn_crossing *crossing;
    int crossings;
    crn_contour *contour;
    int contours;
} crn_mesh_pair;

/* The slack of "nearly extremal": a vertex is listed against a face if no edge at it falls by a larger slope. No
 * vertex is missed of a body that turns by less than this [rad] in a step. */
#define CRN_PAIR_TILT 0.3

/* A vertex faces a direction if its normal has at least this part along it: a vertex in a flat patch is extremal both
 * ways. */
#define CRN_PAIR_FACING 0.05

/* How far past a reflex edge or end a foot may lie, in depths: enough for walls that rise by four to one. */
#define CRN_PAIR_REFLEX 4.0

static inline crn_vec3 crn_pair_b_vertex(const crn_mesh_pair *t, int v)
{
    return crn_frame_point(&t->frame, t->b->vertex[v]);
}

static inline double crn_pair_smaller(double x, double y)
{
    return x < y ? x : y;
}

static inline double crn_pair_larger(double x, double y)
{
    return x > y ? x : y;
}

/* Does vertex v of the mesh look along -n: no edge at it falls along n by more than slope CRN_PAIR_TILT, its normal
 * has a part along -n, and it is not just a point of a flat patch? n in the mesh's frame, unit. */
bool crn_pair_is_extremal(const crn_mesh *mesh, int v, crn_vec3 n);

/* Is n one of the normals of vertex v, up to `slack`: do all edges at it fall along n, some not by rounding only? */
bool crn_pair_in_vertex_cone(const crn_mesh *mesh, int v, crn_vec3 n, double slack);

/* All feature pairs into t->found, with gaps from -depth to reach; crossings if wanted. False without memory, or if
 * there were more than pairs_left pairs of triangles. */
bool crn_pair_descend(crn_mesh_pair *t);

/* A convex edge of either mesh, from its first vertex on, in the frame of a. */
typedef struct crn_pair_side {
    const crn_mesh_edge *edge;
    int index;
    crn_vec3 from, along;
    crn_vec3 middle; /* of its cone */
} crn_pair_side;

/* A triangle with what the tests need, in the frame of a. Each vertex and convex edge belongs to one triangle. */
typedef struct crn_facet {
    int index;
    crn_vec3 p[3], n;
    crn_vec3 n_in_b;       /* the normal in the frame of b */
    crn_pair_side side[3]; /* those that it owns */
    int sides;
    bool owns_corner[3];
} crn_facet;

void crn_facet_of_a(const crn_mesh_pair *t, int triangle, crn_facet *facet);
void crn_facet_of_b(const crn_mesh_pair *t, int triangle, crn_facet *facet);

/* The feature pairs that these two triangles own. False without memory. */
bool crn_pair_facets(crn_mesh_pair *t, const crn_facet *a, const crn_facet *b);

bool crn_pair_add(crn_mesh_pair *t, int type, int ia, int ib, double gap, crn_vec3 n, crn_vec3 on_a, crn_vec3 on_b);

/* Signed distance of a point (frame of a) from a or b, negative inside; of an open mesh it is positive. */
double crn_pair_distance_a(const crn_mesh_pair *t, crn_vec3 p);
double crn_pair_distance_b(const crn_mesh_pair *t, crn_vec3 p);

/* Sort what was found and keep what counts: all gaps >= 0; of the negative ones those that are real, and of these as
 * many ways out as are needed. False without memory. */
bool crn_pair_filter(crn_mesh_pair *t);

/* Would found[c], were a moved as the kept pairs near to it ask, still overlap? everywhere: as all those from `first`
 * on ask. */
bool crn_pair_still_overlaps(const crn_mesh_pair *t, int c, int first, bool everywhere);

/* Add a pair and keep it. False without memory. */
bool crn_pair_keep(crn_mesh_pair *t, const crn_feature_pair *f);

/* Is there an overlap among what is kept? */
bool crn_pair_has_negative(const crn_mesh_pair *t);

/* Join the crossings to contours. False without memory. */
bool crn_pair_contours(crn_mesh_pair *t);

/* Which contours do the kept pairs explain? Returns whether all are. */
bool crn_pair_explain(crn_mesh_pair *t);

/* Contours that are not explained: back along the crossing edges; if there is no negative pair at all: along the mean
 * normal. */
bool crn_pair_pierce(crn_mesh_pair *t);

/* One mesh inside of the other, without a crossing. */
bool crn_pair_swallowed(crn_mesh_pair *t);

/* All of it: found and kept are set. False without memory. */
bool crn_pair_find(crn_mesh_pair *t);

/* The meshes of a pair in their frames; ground may be NULL. */
crn_mesh_pair crn_pair_of(const crn_mesh *a, const crn_frame *frame_a, const crn_mesh *b, const crn_frame *frame_b,
                          double reach, crn_collide_scratch *scratch);

/* Write what is kept. */
void crn_pair_write(crn_mesh_pair *t, const crn_frame *frame_a, crn_touches *out);

/* a: a shape with a mesh of its own, `own`; b: a mesh. False without memory. */
bool crn_mesh_mesh(const crn_query *query, const crn_mesh *own, crn_collide_scratch *scratch, crn_touches *out);

#endif
