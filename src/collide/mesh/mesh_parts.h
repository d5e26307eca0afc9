/* Between the files that build a mesh: a draft, in scratch memory, that becomes a crn_mesh.
 *
 *   mesh_weld.c      check; join vertices at the same place; drop triangles that collapse
 *   mesh_agree.c     drop triangles that stand twice; turn those that disagree with their neighbours
 *   mesh_join.c      which half-edges belong together: mates
 *   mesh_shells.c    connected pieces; those inside out are turned
 *   mesh_features.c  normals, edges, cones, owners, neighbours
 *   mesh_tree.c      tree of boxes
 *   mesh_mass.c      moments; may a body have them?
 *   mesh_convex.c    boxes and hulls as meshes
 *
 * Half-edge h = 3 t + k leads from corner k of triangle t to the next. */
#ifndef CRN_COLLIDE_MESH_PARTS_H
#define CRN_COLLIDE_MESH_PARTS_H

#include "collide/mesh/mesh.h"
#include "math/radix.h"

/* What was found while building. */
typedef struct crn_mesh_facts {
    int open_edges;    /* undirected edges with a different number of triangles each way */
    int open_point[2]; /* the first of them: points of the definition, as the triangle goes */
    int open_triangle; /* that it belongs to: of the definition */
    int shells, flipped;
    int collapsed, duplicates, turned; /* triangles: dropped for equal corners, dropped as second ones, turned */
} crn_mesh_facts;

/* A connected piece. */
typedef struct crn_mesh_shell {
    double volume; /* in units of the cube of the size */
    int top;       /* its vertex farthest along the direction of the rays */
    int depth;     /* how many other closed shells hold it */
    int outermost; /* the largest of them; itself if there is none */
    bool is_open, is_turned;
} crn_mesh_shell;

typedef struct crn_mesh_draft {
    int points, given; /* of the definition: points, triangles */
    int vertices, triangles, edges, nodes;
    double low[3], high[3];
    crn_vec3 *vertex;
    int *origin;   /* of vertices: the first point of the definition there */
    int *face;     /* 3 per triangle */
    int *given_of; /* of triangles: their number in the definition */
    int *mate;     /* of half-edges: the half-edge on the other side; -1: none */
    int *sorted;   /* half-edges by (lower vertex, higher vertex), then by index */
    int *shell_of; /* of triangles */
    crn_mesh_shell *shell;
    crn_mesh_node *node;
    int *tree_face;
    crn_mesh_facts facts;
    /* scratch for sorting, and others: as many as half-edges or points, what is more */
    uint64_t *key, *other_key, *third_key;
    int *item, *other_item;
    int *list[2];
} crn_mesh_draft;

static inline int crn_mesh_next(int h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

/* The vertex where half-edge h ends; it begins at face[h]. */
static inline int crn_mesh_end(const int *face, int h)
{
    return face[crn_mesh_next(h)];
}

/* Turn triangle t round. */
static inline void crn_mesh_turn(crn_mesh_draft *draft, int t)
{
    int *corner = draft->face + 3 * (size_t)t, swap = corner[1];
    corner[1] = corner[2];
    corner[2] = swap;
}

/* Are counts, indices and numbers what they must be? */
crn_status crn_mesh_check(const crn_shape_def *def, crn_error *error);

/* Vertices and triangles from the definition. */
crn_status crn_mesh_weld(crn_mesh_draft *draft, const crn_shape_def *def, crn_error *error);

/* Drops the second of two triangles with the same corners in the same sense. */
void crn_mesh_drop_duplicates(crn_mesh_draft *draft);

/* Turns triangles so that neighbours agree, if they can. */
crn_status crn_mesh_agree(crn_mesh_draft *draft, crn_error *error);

/* sorted: half-edges by their two vertices, which key holds. */
void crn_mesh_sort_half_edges(crn_mesh_draft *draft);

/* Mates, from the triangles as they are now; facts.open_edges. */
void crn_mesh_join(crn_mesh_draft *draft);

/* Shells; turns those that are inside out. Needs mates and the tree; changes face. */
crn_status crn_mesh_orient(crn_mesh_draft *draft, crn_error *error);

/* How many nodes does the tree over so many triangles have? */
int crn_mesh_tree_nodes(int triangles);
void crn_mesh_tree(crn_mesh_draft *draft);

/* Normals, edges and all that belongs to vertices and edges, into a mesh that has vertices, faces and tree. False if so many
 * triangles lie on top of each other that this would take forever. */
bool crn_mesh_features(crn_mesh *mesh, const crn_mesh_draft *draft);

/* As crn_mesh_distance(), while *visits, which is counted down with every node of the tree, is positive; then a guess. */
double crn_mesh_distance_within(const crn_mesh *mesh, crn_vec3 point, long long *visits);

/* Volume, its first and second moments  int x x' dV  about the middle of the bounds, in units of a power of 2 near the size.
 */
typedef struct crn_mesh_moments {
    double unit; /* [m] */
    crn_vec3 middle;
    double volume, area;
    crn_vec3 first;
    double second[6]; /* xx yy zz xy xz yz */
} crn_mesh_moments;

crn_mesh_moments crn_mesh_find_moments(const crn_mesh *mesh);

/* May a body have this closed mesh: is there volume, and inertia that a body can have? */
crn_status crn_mesh_check_mass(const crn_mesh *mesh, crn_error *error);

/* The whole way, with what was found; volume and inertia are not looked at. */
crn_status crn_mesh_make(const crn_shape_def *def, const crn_allocator *allocator, crn_mesh **mesh,
                         crn_mesh_facts *facts, crn_error *error);

#endif
