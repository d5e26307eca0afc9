/* Names of the corners, edges and faces of a box, and one face seen along a direction. */
#ifndef CRN_COLLIDE_BOX_H
#define CRN_COLLIDE_BOX_H

#include <math.h>

/* Features of a box fit into five bits. Corner: bit k is set on the positive side of axis k. Edge along axis k: which
 * sides of axes k+1 and k+2 it lies on. */
enum { CRN_BOX_EDGES = 8, CRN_BOX_FACES = 20, CRN_BOX_FEATURE_BITS = 5 };

static inline int crn_box_edge(int along, int next_side, int second_side)
{
    return CRN_BOX_EDGES + 4 * along + next_side + 2 * second_side;
}

static inline int crn_box_face(int axis, int side)
{
    return CRN_BOX_FACES + 2 * axis + side;
}

static inline int crn_box_next(int axis)
{
    return axis == 2 ? 0 : axis + 1;
}

/* The face of a box with half sides h that looks most along n (box frame, unit; the lower axis in a tie), with
 * coordinates on it: u along axis p, v along axis q. A point x of the box frame is carried along n onto the face's plane,
 *     w = side x_k - h_k,  gap = w / |n_k|,  u = x_p - w n_p / |n_k|,  v = x_q - w n_q / |n_k|. */
typedef struct crn_box_view {
    int k, p, q;
    int side; /* 1: positive side of axis k */
    double sign, hk, hu, hv;
    double stretch;          /* 1 / |n_k| */
    double slope_u, slope_v; /* n_p / |n_k|, n_q / |n_k| */
} crn_box_view;

static inline crn_box_view crn_box_view_along(const double h[3], const double n[3])
{
    double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    int k = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    crn_box_view view = {.k = k, .p = crn_box_next(k)};
    view.q = crn_box_next(view.p);
    view.side = n[k] > 0.0;
    view.sign = view.side ? 1.0 : -1.0;
    view.hk = h[k];
    view.hu = h[view.p];
    view.hv = h[view.q];
    view.stretch = 1.0 / fabs(n[k]);
    view.slope_u = n[view.p] * view.stretch;
    view.slope_v = n[view.q] * view.stretch;
    return view;
}

/* Sides of the face, in the order of its corners: u = +, v = +, u = -, v = -. The edge of the box that side s is. */
static inline int crn_box_view_edge(const crn_box_view *view, int s)
{
    int plus = s < 2;
    /* a side u = +- runs along q, followed by k and p; a side v = +- runs along p, followed by q and k */
    return s & 1 ? crn_box_edge(view->p, plus, view->side) : crn_box_edge(view->q, view->side, plus);
}

/* The corner of the box between sides s and s + 1 of the face. */
static inline int crn_box_view_corner(const crn_box_view *view, int s)
{
    int plus_u = s == 0 || s == 3, plus_v = s == 0 || s == 1;
    return plus_u << view->p | plus_v << view->q | view->side << view->k;
}

/* How far beyond a side of the face a corner may lie and still be reported as it is, relative to the face's shorter half
 * side. Below it, two equal boxes on top of each other keep their four corners when they shift or turn by rounding, or
 * tilt by 1e-3 (which shears the face by 1e-6 / 2); a touch lies at most that far outside of the face. On a face that is
 * seen slanting a point beyond the side has a gap that is off by slope times the slack, so there the slack shrinks. */
#define CRN_BOX_SLACK       1e-6
#define CRN_BOX_SLACK_SLOPE 1e3

static inline double crn_box_view_slack(const crn_box_view *view)
{
    double slope = fabs(view->slope_u) + fabs(view->slope_v);
    return CRN_BOX_SLACK * (view->hu < view->hv ? view->hu : view->hv) / (1.0 + CRN_BOX_SLACK_SLOPE * slope);
}

#endif
