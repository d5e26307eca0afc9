/* Which triangles of two meshes are nearer than a margin: both trees of boxes at once [GLM96].
 *
 * Two boxes, one in each frame, are compared along the three axes of either; the nine products of axes would reject few
 * more. The larger box is opened. What a test needs of a box, its centre and its extent along the axes of both frames, is found
 * when its parent is opened; boxes that are opened again and again, and triangles of leaves, are remembered for as long as no other
 * takes their place. Trees are split at the median, so that the recursion is never deeper than both are: 64 levels at most. */
#include "collide/mesh/mesh_pair.h"

#include <assert.h>

/* A box: centre and half its extent along the axes of a, then of b; half the sum of its own sides. */
typedef struct view {
    double centre[6], extent[6], girth;
} view;

typedef struct opened {
    const crn_mesh_node *node;
    view child[2];
} opened;

typedef struct leaf {
    const crn_mesh_node *node;
    crn_facet facet[CRN_MESH_LEAF];
} leaf;

enum { REMEMBERED = 64 }; /* at a place of their own by number: a power of 2 */

typedef struct descent {
    crn_mesh_pair *t;
    double absolute[9]; /* |rotation of b| */
    double margin;      /* with an allowance for rounding */
    opened a[REMEMBERED], b[REMEMBERED];
    leaf leaf_a[REMEMBERED], leaf_b[REMEMBERED];
} descent;

static view view_of_a(const descent *d, const crn_mesh_node *node)
{
    const double *s = d->absolute;
    view v;
    for (int k = 0; k < 3; ++k) {
        v.centre[k] = 0.5 * (node->low[k] + node->high[k]);
        v.extent[k] = 0.5 * (node->high[k] - node->low[k]);
    }
    crn_v3_to(crn_frame_local(&d->t->frame, crn_v3_of(v.centre)), v.centre + 3);
    for (int k = 0; k < 3; ++k) {
        v.extent[k + 3] = s[3 * k] * v.extent[0] + s[3 * k + 1] * v.extent[1] + s[3 * k + 2] * v.extent[2];
    }
    v.girth = v.extent[0] + v.extent[1] + v.extent[2];
    return v;
}

static view view_of_b(const descent *d, const crn_mesh_node *node)
{
    const double *s = d->absolute;
    view v;
    for (int k = 0; k < 3; ++k) {
        v.centre[k + 3] = 0.5 * (node->low[k] + node->high[k]);
        v.extent[k + 3] = 0.5 * (node->high[k] - node->low[k]);
    }
    crn_v3_to(crn_frame_point(&d->t->frame, crn_v3_of(v.centre + 3)), v.centre);
    for (int k = 0; k < 3; ++k) {
        v.extent[k] = s[k] * v.extent[3] + s[k + 3] * v.extent[4] + s[k + 6] * v.extent[5];
    }
    v.girth = v.extent[3] + v.extent[4] + v.extent[5];
    return v;
}

static bool are_near(const descent *d, const view *x, const view *y)
{
    for (int k = 0; k < 6; ++k) {
        if (fabs(x->centre[k] - y->centre[k]) > x->extent[k] + y->extent[k] + d->margin) {
            return false;
        }
    }
    return true;
}

static const opened *open_a(descent *d, const crn_mesh_node *node)
{
    opened *o = &d->a[(node - d->t->a->node) % REMEMBERED];
    if (o->node != node) {
        o->node = node;
        o->child[0] = view_of_a(d, d->t->a->node + node->first);
        o->child[1] = view_of_a(d, d->t->a->node + node->first + 1);
    }
    return o;
}

static const opened *open_b(descent *d, const crn_mesh_node *node)
{
    opened *o = &d->b[(node - d->t->b->node) % REMEMBERED];
    if (o->node != node) {
        o->node = node;
        o->child[0] = view_of_b(d, d->t->b->node + node->first);
        o->child[1] = view_of_b(d, d->t->b->node + node->first + 1);
    }
    return o;
}

/* Triangles of a leaf of one of the meshes, filled in by `fill` unless they are remembered. */
static const crn_facet *open_leaf(const crn_mesh_pair *t, const crn_mesh *mesh, const crn_mesh_node *node,
                                  leaf *remembered, void (*fill)(const crn_mesh_pair *, int, crn_facet *))
{
    assert(node->count <= CRN_MESH_LEAF);
    leaf *l = &remembered[(node - mesh->node) % REMEMBERED];
    if (l->node != node) {
        l->node = node;
        for (int i = 0; i < node->count; ++i) {
            fill(t, mesh->tree_face[node->first + i], &l->facet[i]);
        }
    }
    return l->facet;
}

static bool meet_leaves(descent *d, const crn_mesh_node *a, const crn_mesh_node *b)
{
    d->t->pairs_left -= (long)a->count * b->count;
    const crn_facet *of_a = open_leaf(d->t, d->t->a, a, d->leaf_a, crn_facet_of_a);
    const crn_facet *of_b = open_leaf(d->t, d->t->b, b, d->leaf_b, crn_facet_of_b);
    for (int j = 0; j < b->count; ++j) {
        for (int i = 0; i < a->count; ++i) {
            if (!crn_pair_facets(d->t, &of_a[i], &of_b[j])) {
                return false;
            }
        }
    }
    return d->t->pairs_left >= 0;
}

/* Nodes that are near each other. */
static bool visit(descent *d, const crn_mesh_node *a, const view *va, const crn_mesh_node *b, const view *vb)
{
    if (a->count > 0 && b->count > 0) {
        return meet_leaves(d, a, b);
    }
    bool opens_a = b->count > 0 || (a->count == 0 && va->girth >= vb->girth), is_fine = true;
    const opened *o = opens_a ? open_a(d, a) : open_b(d, b);
    const view *other = opens_a ? vb : va;
    view near[2]; /* the visits may take the place of o */
    int child[2], count = 0;
    for (int k = 0; k < 2; ++k) {
        if (are_near(d, &o->child[k], other)) {
            near[count] = o->child[k];
            child[count++] = k;
        }
    }
    for (int k = 0; k < count && is_fine; ++k) {
        is_fine = opens_a ? visit(d, d->t->a->node + a->first + child[k], &near[k], b, vb)
                          : visit(d, a, va, d->t->b->node + b->first + child[k], &near[k]);
    }
    return is_fine;
}

bool crn_pair_descend(crn_mesh_pair *t)
{
    descent d;
    d.t = t;
    d.margin = crn_pair_larger(t->reach, t->depth) + t->slack;
    for (int k = 0; k < REMEMBERED; ++k) {
        d.a[k].node = d.b[k].node = d.leaf_a[k].node = d.leaf_b[k].node = NULL;
    }
    for (int k = 0; k < 9; ++k) {
        d.absolute[k] = fabs(t->frame.rotation.m[k]);
    }
    view a = view_of_a(&d, &t->a->node[0]), b = view_of_b(&d, &t->b->node[0]);
    return !are_near(&d, &a, &b) || visit(&d, &t->a->node[0], &a, &t->b->node[0], &b);
}
