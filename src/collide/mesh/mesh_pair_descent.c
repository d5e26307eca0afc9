/* Which triangles of two meshes are nearer than a margin: both trees of boxes at once [GLM96].
 *
 * Two boxes, one in each frame, are compared along the three axes of either; the nine products of axes would reject few
 * more. The larger box is opened. What a test needs of a box, its centre and its extent along the axes of both
 * frames, is found once when the box is opened and serves for all that it is compared with. Trees are split at the
 * median, so that the recursion is never deeper than both are: 64 levels at most. */
#include "collide/mesh/mesh_pair.h"

#include <assert.h>

typedef struct descent {
    crn_mesh_pair *t;
    double absolute[9];             /* |rotation of b| */
    double margin;                  /* with an allowance for rounding */
    const crn_mesh_node *leaf;      /* of b, the last one met: most leaves of a meet it one after another ... */
    crn_facet facet[CRN_MESH_LEAF]; /* ... and its triangles */
} descent;

/* A box: centre in the frame of a; half sides along its own axes; half its extent along those of the other frame. */
typedef struct view {
    double centre[3], half[3], extent[3];
} view;

static view view_of_a(const descent *d, const crn_mesh_node *node)
{
    const double *s = d->absolute;
    view v;
    for (int k = 0; k < 3; ++k) {
        v.centre[k] = 0.5 * (node->low[k] + node->high[k]);
        v.half[k] = 0.5 * (node->high[k] - node->low[k]);
    }
    for (int k = 0; k < 3; ++k) {
        v.extent[k] = s[3 * k] * v.half[0] + s[3 * k + 1] * v.half[1] + s[3 * k + 2] * v.half[2];
    }
    return v;
}

static view view_of_b(const descent *d, const crn_mesh_node *node)
{
    const double *s = d->absolute, *r = d->t->frame.rotation.m;
    const crn_vec3 p = d->t->frame.position;
    double x = 0.5 * (node->low[0] + node->high[0]), y = 0.5 * (node->low[1] + node->high[1]);
    double z = 0.5 * (node->low[2] + node->high[2]);
    view v = {{p.x + r[0] * x + r[3] * y + r[6] * z, p.y + r[1] * x + r[4] * y + r[7] * z,
               p.z + r[2] * x + r[5] * y + r[8] * z},
              {0.5 * (node->high[0] - node->low[0]), 0.5 * (node->high[1] - node->low[1]),
               0.5 * (node->high[2] - node->low[2])},
              {0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        v.extent[k] = s[k] * v.half[0] + s[k + 3] * v.half[1] + s[k + 6] * v.half[2];
    }
    return v;
}

static bool are_near(const descent *d, const view *a, const view *b)
{
    double x = b->centre[0] - a->centre[0], y = b->centre[1] - a->centre[1], z = b->centre[2] - a->centre[2];
    if (fabs(x) > a->half[0] + b->extent[0] + d->margin || fabs(y) > a->half[1] + b->extent[1] + d->margin ||
        fabs(z) > a->half[2] + b->extent[2] + d->margin) {
        return false;
    }
    const double *r = d->t->frame.rotation.m;
    return fabs(r[0] * x + r[1] * y + r[2] * z) <= b->half[0] + a->extent[0] + d->margin &&
           fabs(r[3] * x + r[4] * y + r[5] * z) <= b->half[1] + a->extent[1] + d->margin &&
           fabs(r[6] * x + r[7] * y + r[8] * z) <= b->half[2] + a->extent[2] + d->margin;
}

crn_facet crn_facet_of_a(const crn_mesh_pair *t, int triangle)
{
    const int *v = t->a->face + 3 * (ptrdiff_t)triangle;
    return (crn_facet){triangle, {t->a->vertex[v[0]], t->a->vertex[v[1]], t->a->vertex[v[2]]}, t->a->normal[triangle]};
}

crn_facet crn_facet_of_b(const crn_mesh_pair *t, int triangle)
{
    const int *v = t->b->face + 3 * (ptrdiff_t)triangle;
    return (crn_facet){triangle,
                       {crn_pair_b_vertex(t, v[0]), crn_pair_b_vertex(t, v[1]), crn_pair_b_vertex(t, v[2])},
                       crn_m3_times(&t->frame.rotation, t->b->normal[triangle])};
}

static void take_leaf(descent *d, const crn_mesh_node *b)
{
    assert(b->count <= CRN_MESH_LEAF);
    if (d->leaf != b) {
        d->leaf = b;
        for (int j = 0; j < b->count; ++j) {
            d->facet[j] = crn_facet_of_b(d->t, d->t->b->tree_face[b->first + j]);
        }
    }
}

static bool meet_leaves(descent *d, const crn_mesh_node *a, const crn_mesh_node *b)
{
    crn_mesh_pair *t = d->t;
    double margin = d->margin + t->slack;
    t->pairs_left -= (long)a->count * b->count;
    take_leaf(d, b);
    for (int j = 0; j < b->count; ++j) {
        const crn_facet *fb = &d->facet[j];
        for (int i = 0; i < a->count; ++i) {
            /* most pairs end here: b's triangle is on one side of a's plane */
            int triangle = t->a->tree_face[a->first + i];
            crn_vec3 n = t->a->normal[triangle], o = t->a->vertex[t->a->face[3 * (ptrdiff_t)triangle]];
            double level = crn_v3_dot(n, o), x = crn_v3_dot(n, fb->p[0]) - level, y = crn_v3_dot(n, fb->p[1]) - level;
            double z = crn_v3_dot(n, fb->p[2]) - level;
            if ((x > margin && y > margin && z > margin) || (x < -margin && y < -margin && z < -margin)) {
                continue;
            }
            crn_facet fa = crn_facet_of_a(t, triangle);
            if (!crn_pair_facets(t, &fa, fb)) {
                return false;
            }
        }
    }
    return t->pairs_left >= 0;
}

static double girth(const view *v)
{
    return v->half[0] + v->half[1] + v->half[2];
}

/* Nodes that are near each other. */
static bool visit(descent *d, const crn_mesh_node *a, const view *va, const crn_mesh_node *b, const view *vb)
{
    if (a->count > 0 && b->count > 0) {
        return meet_leaves(d, a, b);
    }
    bool opens_a = b->count > 0 || (a->count == 0 && girth(va) >= girth(vb)), is_fine = true;
    const crn_mesh_node *child = opens_a ? d->t->a->node + a->first : d->t->b->node + b->first;
    for (int k = 0; k < 2 && is_fine; ++k) {
        view v = opens_a ? view_of_a(d, child + k) : view_of_b(d, child + k);
        if (opens_a && are_near(d, &v, vb)) {
            is_fine = visit(d, child + k, &v, b, vb);
        } else if (!opens_a && are_near(d, va, &v)) {
            is_fine = visit(d, a, va, child + k, &v);
        }
    }
    return is_fine;
}

bool crn_pair_descend(crn_mesh_pair *t)
{
    descent d = {.t = t, .margin = crn_pair_larger(t->reach, t->depth) + t->slack};
    for (int k = 0; k < 9; ++k) {
        d.absolute[k] = fabs(t->frame.rotation.m[k]);
    }
    view a = view_of_a(&d, &t->a->node[0]), b = view_of_b(&d, &t->b->node[0]);
    return !are_near(&d, &a, &b) || visit(&d, &t->a->node[0], &a, &t->b->node[0], &b);
}
