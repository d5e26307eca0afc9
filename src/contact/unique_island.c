/* Redundant constraints and unique impulses of one island.
 *
 * Impulses of the same motion form a convex set: X r + B l = p, each r_i in the face F_i that the known contact velocities
 * leave it (even_cone.h). Active constraints are the dimensions of these faces (normals, friction coordinates, an edge's
 * one) and the bilateral rows but those at their bounds; their columns' rank tells how many are redundant.
 *
 * Other impulses exist if and only if there is a direction d, not 0, with X d + B dl = 0 that keeps every r_i + t d_i in F_i
 * for small t > 0. Either d leaves the smallest face in which r lies, or it does not:
 *
 *     leaves      some bound that is active at r opens: c'd > 0, c the sum of the gradients of those bounds. Minimising
 *                 |x|^2/2 - tau c'r  with tau large against x finds impulses other than r.
 *     does not    the columns of the smallest faces, and B, are dependent.
 *
 * If neither is the case the impulses are unique.
 *
 * A row at its bound has no other impulse, unless its speed is 0 too: then it may go inside. If its column is independent of
 * all the others it cannot, else the question stays open. */
#include "contact/unique.h"

#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "math/vec.h"
#include "math/vec3.h"

/* Relative to its length: a column whose new part is smaller depends on those before it. Contacts of one plane are dependent
 * to 1e-15, near-duplicates 1e-6 apart are not. */
#define TOL_RANK 1e-9
/* Relative to the largest impulse: a bound with less slack is active. */
#define TOL_BOUND 1e-9
/* tau over the largest impulse. */
#define PULL 100.0
/* Relative to the largest impulse: impulses further apart are different ones. */
#define TOL_OTHER 1e-6
/* Relative to U: the speed of a row that counts as 0, as for contacts. */
#define TOL_SPEED 1e-10

void crn_unique_layout(crn_unique *q, const crn_system *s, crn_arena *arena)
{
    size_t contacts = (size_t)s->contacts, most = 3 * contacts + (size_t)s->rows;
    crn_even_layout(&q->even, s, arena);
    q->most = (int)most;
    q->column = CRN_TAKE_MATRIX(arena, double, s->dof, most);
    q->R = CRN_TAKE_MATRIX(arena, double, most, most);
    q->order = CRN_TAKE(arena, int, most);
    q->r = CRN_TAKE(arena, double, 3 * contacts);
    q->l = CRN_TAKE(arena, double, s->rows);
    q->used = CRN_TAKE(arena, double, 3 * contacts);
    q->speed = CRN_TAKE(arena, double, s->bounded > 0 ? (size_t)s->rows : 0);
    q->may_leave = CRN_TAKE(arena, bool, s->bounded > 0 ? (size_t)s->rows : 0);
}

static void swap_columns(crn_unique *q, int dof, int k, int l)
{
    double *a = q->column + (size_t)k * (size_t)dof, *b = q->column + (size_t)l * (size_t)dof;
    for (int i = 0; i < dof && k != l; ++i) {
        double held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
    for (int i = 0; i < q->most && k != l; ++i) {
        double *r = q->R + i, held = r[(size_t)k * (size_t)q->most];
        r[(size_t)k * (size_t)q->most] = r[(size_t)l * (size_t)q->most];
        r[(size_t)l * (size_t)q->most] = held;
    }
    int held = q->order[k];
    q->order[k] = q->order[l];
    q->order[l] = held;
}

/* Take the part along basis vector k out of column j, twice; the coefficient goes into R. */
static void reduce(crn_unique *q, int dof, int k, int j)
{
    const double *basis = q->column + (size_t)k * (size_t)dof;
    double *x = q->column + (size_t)j * (size_t)dof;
    for (int pass = 0; pass < 2; ++pass) {
        double along = crn_dot(dof, basis, x);
        crn_axpy(dof, -along, basis, x);
        q->R[(size_t)k + (size_t)j * (size_t)q->most] += along;
    }
}

int crn_unique_rank(crn_unique *q, int dof)
{
    int rank = 0;
    memset(q->R, 0, (size_t)q->most * (size_t)q->most * sizeof *q->R);
    for (int j = 0; j < q->count; ++j) {
        q->order[j] = j;
    }
    for (; rank < q->count && rank < dof; ++rank) {
        int best = -1;
        double largest = TOL_RANK, size = 0.0;
        for (int j = rank; j < q->count; ++j) { /* share of each column that is not yet spanned */
            const double *x = q->column + (size_t)j * (size_t)dof, *c = q->R + (size_t)j * (size_t)q->most;
            double left = crn_dot(dof, x, x), whole = left + crn_dot(rank, c, c);
            if (whole > 0.0 && sqrt(left) > largest * sqrt(whole)) {
                largest = sqrt(left / whole);
                size = sqrt(left);
                best = j;
            }
        }
        if (best < 0) {
            break;
        }
        swap_columns(q, dof, rank, best);
        q->R[(size_t)rank * ((size_t)q->most + 1)] = size;
        crn_scal(dof, 1.0 / size, q->column + (size_t)rank * (size_t)dof);
        for (int j = rank + 1; j < q->count; ++j) {
            reduce(q, dof, rank, j);
        }
    }
    return rank;
}

/* --- Columns of faces --- */

/* Append X_c r of closed contact c, from the island's own columns. */
static void append_direction(crn_unique *q, const crn_system *s, int c, double n, double t1, double t2)
{
    int i = q->even.contact[c];
    const double r[3] = {n, t1, t2};
    double *to = q->column + (size_t)q->count++ * (size_t)s->dof;
    memset(to, 0, (size_t)s->dof * sizeof *to);
    for (int p = s->piece_start[i]; p < s->piece_start[i + 1]; ++p) {
        for (int j = 0; j < 3; ++j) {
            crn_axpy(s->piece[p].dof, r[j], s->piece[p].x + (size_t)j * (size_t)s->piece[p].dof,
                     to + s->piece[p].first);
        }
    }
}

/* Columns of the rows that may carry more or less than they do; with those that may carry less, if these are wanted. */
static void append_rows(crn_unique *q, const crn_system *s, bool with_leaving)
{
    for (int i = 0; i < s->rows; ++i) {
        if (s->bounded > 0 && q->even.is_fixed[i] && !(with_leaving && q->may_leave[i])) {
            continue;
        }
        double *to = q->column + (size_t)q->count++ * (size_t)s->dof;
        memset(to, 0, (size_t)s->dof * sizeof *to);
        for (int p = s->row_piece_start[i]; p < s->row_piece_start[i + 1]; ++p) {
            memcpy(to + s->row_piece[p].first, s->row_piece[p].x, (size_t)s->row_piece[p].dof * sizeof *to);
        }
    }
}

/* All of contact c's face. */
static void append_face(crn_unique *q, const crn_system *s, int c)
{
    const crn_face *f = &q->even.face[c];
    if (f->kind == CRN_FACE_NORMAL) {
        append_direction(q, s, c, 1.0, 0.0, 0.0);
    } else if (f->kind == CRN_FACE_RAY || f->kind == CRN_FACE_PAIR) {
        append_direction(q, s, c, 1.0, f->mu * f->t[0], f->mu * f->t[1]);
        if (f->kind == CRN_FACE_PAIR) {
            append_direction(q, s, c, 1.0, f->mu * f->t[2], f->mu * f->t[3]);
        }
    } else {
        append_direction(q, s, c, 1.0, 0.0, 0.0);
        append_direction(q, s, c, 0.0, 1.0, 0.0);
        if (f->half > 1) {
            append_direction(q, s, c, 0.0, 0.0, 1.0);
        }
    }
}

/* Shares of the two rays of a sliding edge: r = share_0 (1, mu t) + share_1 (1, mu t'), as functionals of r. */
static void pair_functionals(const crn_face *f, double functional[2][3])
{
    double area = f->mu * (f->t[0] * f->t[3] - f->t[1] * f->t[2]);
    const double filled[2][3] = {{0.0, f->t[3] / area, -f->t[2] / area}, {0.0, -f->t[1] / area, f->t[0] / area}};
    memcpy(functional, filled, sizeof filled);
}

/* Gradient of the slack mu theta - a_j'f of edge j of a polygon with d = 2 half corners. */
static void edge_functional(const crn_face *f, int j, double *functional)
{
    double middle[2] = {j == 0 ? 1.0 : -1.0, 0.0}, narrow[2] = {1.0, 0.0};
    if (f->half > 1) {
        crn_corner(4 * f->half, 2 * j + 1, middle);
        crn_corner(4 * f->half, 1, narrow);
    }
    functional[0] = f->mu;
    functional[1] = -middle[0] / narrow[0];
    functional[2] = -middle[1] / narrow[0];
}

static void add3(const double *x, double *y)
{
    for (int k = 0; k < 3; ++k) {
        y[k] += x[k];
    }
}

/* The smallest face of a sticking polygon: inside, on edge j, or at a corner; c gathers the active bounds. */
static void smallest_of_polygon(crn_unique *q, const crn_system *s, int c, const double *r, double small, double *pull)
{
    const crn_face *f = &q->even.face[c];
    int active = 0, last = 0, d = 2 * f->half;
    double functional[3], from[2], to[2];
    for (int j = 0; j < d; ++j) {
        edge_functional(f, j, functional);
        if (crn_dot3(functional, r) <= small) {
            ++active;
            last = j;
            add3(functional, pull);
        }
    }
    if (r[0] <= small) {
        return;
    }
    if (active == 0) {
        append_face(q, s, c);
    } else if (active == 1 && d > 2) {
        crn_corner(d, last, from);
        crn_corner(d, (last + 1) % d, to);
        append_direction(q, s, c, 1.0, f->mu * from[0], f->mu * from[1]);
        append_direction(q, s, c, 1.0, f->mu * to[0], f->mu * to[1]);
    } else {
        append_direction(q, s, c, 1.0, r[1] / r[0], r[2] / r[0]);
    }
}

/* Columns of the smallest face with r inside; *pull is the sum of the gradients of the bounds that are active. */
static void append_smallest(crn_unique *q, const crn_system *s, int c, const double *r, double small, double *pull)
{
    const crn_face *f = &q->even.face[c];
    const double up[3] = {1.0, 0.0, 0.0};
    double functional[2][3];
    switch (f->kind) {
    case CRN_FACE_NORMAL:
    case CRN_FACE_RAY:
        if (r[0] > small) {
            append_face(q, s, c);
        } else {
            add3(up, pull);
        }
        break;
    case CRN_FACE_PAIR:
        pair_functionals(f, functional);
        for (int k = 0; k < 2; ++k) {
            if (crn_dot3(functional[k], r) > small) {
                append_direction(q, s, c, 1.0, f->mu * f->t[2 * k], f->mu * f->t[2 * k + 1]);
            } else {
                add3(functional[k], pull);
            }
        }
        break;
    case CRN_FACE_POLYGON:
    case CRN_FACE_ROUND:
    default: smallest_of_polygon(q, s, c, r, small, pull); break;
    }
}

/* --- The island --- */

/* Do impulses with a bound opened exist? R is the largest impulse. */
static crn_answer leaves_face(crn_unique *q, const crn_system *s, const double *r, double R)
{
    crn_even *e = &q->even;
    double tau = PULL * (R > 0.0 ? R : 1.0), largest = crn_max_abs(s->dof, e->diagonal), difference = 0.0;
    crn_scal(3 * e->closed, tau, e->pull);
    e->scale += tau * sqrt(largest);
    memcpy(q->r, r, 3 * (size_t)s->contacts * sizeof *r);
    if (!crn_even_finish(e, s, q->r, q->l)) {
        return CRN_UNDECIDED;
    }
    for (int k = 0; k < 3 * s->contacts; ++k) {
        difference = crn_max(fabs(q->r[k] - r[k]), difference);
    }
    return difference > TOL_OTHER * (R > 0.0 ? R : 1.0) ? CRN_YES : CRN_NO;
}

/* Which rows at their bounds have speed 0; true if such a one depends on the faces' columns and the other rows, so that
 * its impulse may go inside. */
static bool rows_may_leave(crn_unique *q, const crn_system *s, const double *l, double noise)
{
    bool may_any = false;
    if (s->bounded == 0) {
        return false;
    }
    crn_system_row_velocity(s, q->even.before, q->speed);
    double small = crn_max(TOL_SPEED * crn_system_velocity_scale(s), noise);
    for (int i = 0; i < s->rows; ++i) {
        q->may_leave[i] = q->even.is_fixed[i] && l[i] != 0.0 && fabs(q->speed[i]) <= small;
        may_any = may_any || q->may_leave[i];
    }
    if (!may_any) {
        return false;
    }
    q->count = 0;
    for (int c = 0; c < q->even.closed; ++c) {
        append_face(q, s, c);
    }
    append_rows(q, s, true);
    return crn_unique_rank(q, s->dof) < q->count;
}

void crn_unique_island(crn_unique *q, const crn_system *s, const double *r, const double *l, const double *u,
                       double noise, crn_contact_uniqueness *answer)
{
    crn_even *e = &q->even;
    double R = crn_max_abs(3 * s->contacts, r);
    crn_even_start(e, s, CRN_CONE_POLYGON, CRN_LAW_COULOMB, r, l, u, noise);
    q->count = 0;
    for (int c = 0; c < e->closed; ++c) {
        append_face(q, s, c);
    }
    append_rows(q, s, false);
    answer->active += q->count;
    answer->redundant += q->count - crn_unique_rank(q, s->dof);
    bool is_open = rows_may_leave(q, s, l, noise);
    q->count = 0;
    for (int c = 0; c < e->closed; ++c) {
        append_smallest(q, s, c, r + 3 * (size_t)e->contact[c], TOL_BOUND * R, e->pull + 3 * (size_t)c);
    }
    append_rows(q, s, false);
    crn_answer is_unique = crn_unique_rank(q, s->dof) < q->count ? CRN_NO : CRN_YES;
    is_unique = is_unique == CRN_YES && is_open ? CRN_UNDECIDED : is_unique;
    if (is_unique == CRN_YES) {
        crn_answer leaves = leaves_face(q, s, r, R);
        is_unique = leaves == CRN_YES ? CRN_NO : leaves == CRN_NO ? CRN_YES : CRN_UNDECIDED;
    }
    answer->is_impulse_unique = crn_both(answer->is_impulse_unique, is_unique);
    answer->is_motion_unique = crn_both(answer->is_motion_unique, crn_unique_motion(q, s));
}
