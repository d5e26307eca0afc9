/* The face of one box that looks most along n and the face of the other that looks most against it, both carried along n
 * onto the plane of the first: a parallelogram cut by a rectangle, side by side [SH74]. Heights are affine over the
 * parallelogram, so they are cut along with it.
 *
 * A corner within the slack of a side is kept as it is, and a new corner arises only where an edge runs from truly inside
 * to truly outside. So equal faces that lie exactly on each other give their four corners and no second copy of them.
 *
 * Names. Tag 0 .. 3: corner of the other's face. 4 + 4 e + s: its edge e crosses side s. 20 + s: corner of the first's
 * face between sides s and s + 1. `next` is the edge (0 .. 3) or the side (4 + s) that the boundary follows. The names do
 * not depend on which of the two boxes is "first". */
#include "collide/convex/box_clip.h"

enum { TAG_CROSS = 4, TAG_CORNER = 20, NEXT_SIDE = 4 };

/* A vector (no offset) of the first box's frame, as change of (u, v, gap). */
static void carry(const crn_box_view *view, const double *x, double factor, double to[3])
{
    double w = view->sign * factor * x[view->k];
    to[0] = factor * x[view->p] - w * view->slope_u;
    to[1] = factor * x[view->q] - w * view->slope_v;
    to[2] = w * view->stretch;
}

static void carry_face(crn_box_patch *patch, const crn_box_other *other)
{
    const crn_box_view *view = &patch->view, *face = &patch->other;
    const double *axis = other->axes + 3 * face->k;
    double out = face->sign * face->hk, centre[3];
    for (int i = 0; i < 3; ++i) {
        centre[i] = other->centre[i] + out * axis[i];
    }
    centre[view->k] -= view->sign * view->hk;
    carry(view, centre, 1.0, patch->centre);
    carry(view, other->axes + 3 * face->p, face->hu, patch->along_p);
    carry(view, other->axes + 3 * face->q, face->hv, patch->along_q);
}

/* Corners in the order (+,+), (-,+), (-,-), (+,-): edge e, from corner e to e + 1, is side 1, 2, 3, 0 of that face. */
static crn_box_corner corner_of(const crn_box_patch *a, int k)
{
    double sp = k == 0 || k == 3 ? 1.0 : -1.0, sq = k < 2 ? 1.0 : -1.0;
    return (crn_box_corner){a->centre[0] + sp * a->along_p[0] + sq * a->along_q[0],
                            a->centre[1] + sp * a->along_p[1] + sq * a->along_q[1],
                            a->centre[2] + sp * a->along_p[2] + sq * a->along_q[2], k, k};
}

/* How far outside of side s. */
static double outside(const crn_box_view *view, const crn_box_corner *c, int s)
{
    double along = s & 1 ? c->v : c->u, half = s & 1 ? view->hv : view->hu;
    return (s < 2 ? along : -along) - half;
}

static int tag_of_cut(int next, int s)
{
    if (next < NEXT_SIDE) {
        return TAG_CROSS + 4 * next + s;
    }
    int t = next - NEXT_SIDE;
    return TAG_CORNER + (s == ((t + 1) & 3) ? t : s);
}

/* Where the boundary from c to d crosses side s; dc, dd: how far outside they are, of different sign. */
static crn_box_corner cut(const crn_box_corner *c, const crn_box_corner *d, double dc, double dd, int s)
{
    double t = dc / (dc - dd);
    return (crn_box_corner){c->u + t * (d->u - c->u), c->v + t * (d->v - c->v), c->gap + t * (d->gap - c->gap),
                            tag_of_cut(c->next, s), dc < 0.0 ? NEXT_SIDE + s : c->next};
}

static int cut_side(const crn_box_view *view, double slack, int s, const crn_box_corner *from, int count,
                    crn_box_corner *to)
{
    int kept = 0;
    double dc = count > 0 ? outside(view, from, s) : 0.0;
    double first = dc;
    for (int k = 0; k < count && kept < CRN_BOX_CORNERS - 1; ++k) {
        const crn_box_corner *c = from + k, *d = from + (k + 1 < count ? k + 1 : 0);
        double dd = k + 1 < count ? outside(view, d, s) : first;
        if (dc <= slack) {
            to[kept] = *c;
            if (dc >= -slack && dd > slack) {
                to[kept].next = NEXT_SIDE + s;
            }
            kept++;
        }
        if ((dc < -slack && dd > slack) || (dc > slack && dd < -slack)) {
            to[kept++] = cut(c, d, dc, dd, s);
        }
        dc = dd;
    }
    return kept;
}

/* Corners of a region that is thinner than the slack come twice: keep the lower of two. */
static int drop_doubles(crn_box_corner *corner, int count, double slack)
{
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        int twin = -1;
        for (int j = 0; j < kept && twin < 0; ++j) {
            bool is_near =
                fabs(corner[j].u - corner[k].u) <= 2.0 * slack && fabs(corner[j].v - corner[k].v) <= 2.0 * slack;
            twin = is_near ? j : -1;
        }
        if (twin < 0) {
            corner[kept++] = corner[k];
        } else if (corner[k].gap < corner[twin].gap) {
            corner[twin] = corner[k];
        }
    }
    return kept;
}

void crn_box_clip(const double h[3], const double n_first[3], const crn_box_other *other, const double n_other[3],
                  crn_box_patch *patch)
{
    const double against[3] = {-n_other[0], -n_other[1], -n_other[2]};
    patch->view = crn_box_view_along(h, n_first);
    patch->other = crn_box_view_along(other->h, against);
    carry_face(patch, other);
    for (int k = 0; k < 4; ++k) {
        patch->corner[k] = corner_of(patch, k);
    }
    patch->count = 4;

    /* most faces that rest on each other need no cut: the farthest corner of the parallelogram is inside */
    const crn_box_view *view = &patch->view;
    double slack = crn_box_view_slack(view);
    double reach_u = fabs(patch->along_p[0]) + fabs(patch->along_q[0]) - view->hu;
    double reach_v = fabs(patch->along_p[1]) + fabs(patch->along_q[1]) - view->hv;
    bool is_cut = false;
    for (int s = 0; s < 4; ++s) {
        double along = s & 1 ? patch->centre[1] : patch->centre[0], reach = s & 1 ? reach_v : reach_u;
        if ((s < 2 ? along : -along) + reach > slack) {
            crn_box_corner from[CRN_BOX_CORNERS];
            for (int k = 0; k < patch->count; ++k) {
                from[k] = patch->corner[k];
            }
            patch->count = cut_side(view, slack, s, from, patch->count, patch->corner);
            is_cut = true;
        }
    }
    if (is_cut) {
        patch->count = drop_doubles(patch->corner, patch->count, slack);
    }
}

void crn_box_corner_names(const crn_box_patch *patch, int tag, int *first, int *other)
{
    const crn_box_view *view = &patch->view, *face = &patch->other;
    if (tag < TAG_CROSS) { /* corners (+,+), (-,+), .. are those between sides 0 and 1, 1 and 2, .. */
        *first = crn_box_face(view->k, view->side);
        *other = crn_box_view_corner(face, tag);
    } else if (tag < TAG_CORNER) {
        *first = crn_box_view_edge(view, (tag - TAG_CROSS) & 3);
        *other = crn_box_view_edge(face, ((tag - TAG_CROSS) / 4 + 1) & 3);
    } else {
        *first = crn_box_view_corner(view, tag - TAG_CORNER);
        *other = crn_box_face(face->k, face->side);
    }
}
