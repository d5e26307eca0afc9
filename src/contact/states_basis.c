/* The basis of the path: which rows and unknowns are in it, and the four pivots on its inverse. */
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/states_kernels.h"
#include "contact/states_path.h"
#include "math/simd.h"
#include "math/vec.h"
#include "math/vec3.h"

/* A pivot below this is nothing: velocities and unknowns are scaled to 1. */
#define TOL_PIVOT 1e-13

/* --- Vectors in a contact's frame --- */

/* Row, and column, of a part of a contact, as vectors in the contact's frame (n, t1, t2). */
static void row_vector(const crn_touch *touch, int part, double *q)
{
    q[0] = part == CRN_PART_NORMAL ? 1.0 : 0.0;
    q[1] = part == CRN_PART_EDGE ? touch->e[0] : part == CRN_PART_CORNER ? -touch->dj[0] : 0.0;
    q[2] = part == CRN_PART_EDGE ? touch->e[1] : part == CRN_PART_CORNER ? -touch->dj[1] : 0.0;
}

static void column_vector(const crn_touch *touch, int part, double *q)
{
    row_vector(touch, part, q);
    if (part == CRN_PART_NORMAL) {
        q[1] = touch->mu * touch->dj[0];
        q[2] = touch->mu * touch->dj[1];
    }
}

void crn_states_set_corners(crn_touch *touch, int j, int k)
{
    touch->j = j;
    touch->k = k;
    if (touch->d == 0) {
        touch->dj[0] = touch->dj[1] = touch->e[0] = touch->e[1] = 0.0;
        return;
    }
    const double *dj = crn_polygon_corner(touch->polygon, j), *dk = crn_polygon_corner(touch->polygon, k);
    for (int l = 0; l < 2; ++l) {
        touch->dj[l] = dj[l];
        touch->e[l] = dk[l] - dj[l];
    }
}

/* --- Lists --- */

static int *row_place(crn_states *s, int id)
{
    return id < 3 * s->n ? &s->touch[id / 3].row[id % 3] : &s->joint_row[id - 3 * s->n];
}

static int *column_place(crn_states *s, int id)
{
    return id == CRN_Z0_ID ? &s->z0_place
                           : (id < 3 * s->n ? &s->touch[id / 3].column[id % 3] : &s->joint_column[id - 3 * s->n]);
}

void crn_states_activate(crn_states *s, int contact)
{
    if (s->touch[contact].place < 0) {
        s->touch[contact].place = s->actives;
        s->active[s->actives++] = contact;
    }
}

/* A contact that is off and has no row left is no longer active. */
static void retire(crn_states *s, int contact)
{
    crn_touch *touch = &s->touch[contact];
    if (touch->kind == CRN_CONTACT_OFF && touch->row[0] < 0 && touch->place >= 0) {
        int last = s->active[--s->actives];
        s->active[touch->place] = last;
        s->touch[last].place = touch->place;
        touch->place = -1;
    }
}

void crn_states_put_row(crn_states *s, int place, int id)
{
    s->row_id[place] = id;
    *row_place(s, id) = place;
}

void crn_states_put_column(crn_states *s, int place, int id, double value)
{
    s->column_id[place] = id;
    *column_place(s, id) = place;
    s->y[place] = value;
}

/* --- Products --- */

/* Do two contacts share a body? */
static inline bool are_neighbours(const crn_touch *a, const crn_touch *b)
{
    for (int p = 0; p < a->pieces; ++p) {
        for (int q = 0; q < b->pieces; ++q) {
            if (a->piece[p].first == b->piece[q].first) {
                return true;
            }
        }
    }
    return false;
}

CRN_CLONES void crn_states_products(crn_states *s, const double *vector, const crn_touch *source)
{
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        if (!source || are_neighbours(touch, source)) {
            crn_touch_dot(touch, vector, touch->h);
        } else {
            touch->h[0] = touch->h[1] = touch->h[2] = 0.0;
        }
    }
}

/* Product of a bilateral row with a velocity vector. */
double crn_states_joint_dot(const crn_states *s, int row, const double *vector)
{
    double sum = 0.0;
    for (int p = s->system->row_piece_start[row]; p < s->system->row_piece_start[row + 1]; ++p) {
        sum += crn_dot_padded(s->row_piece[p].length, s->row_piece[p].x, vector + s->row_piece[p].first);
    }
    return sum;
}

void crn_states_by_row(const crn_states *s, double *a)
{
    for (int i = 0; i < s->actives; ++i) {
        const crn_touch *touch = &s->touch[s->active[i]];
        if (touch->row[0] >= 0) {
            a[touch->row[0]] = touch->h[0];
        }
        if (touch->row[1] >= 0) {
            a[touch->row[1]] = touch->e[0] * touch->h[1] + touch->e[1] * touch->h[2];
        }
        if (touch->row[2] >= 0) {
            a[touch->row[2]] = -(touch->dj[0] * touch->h[1] + touch->dj[1] * touch->h[2]);
        }
    }
}

/* The same by column place; z0's entry is the given one. */
static void by_column(const crn_states *s, double z0_entry, double *a)
{
    for (int i = 0; i < s->actives; ++i) {
        const crn_touch *touch = &s->touch[s->active[i]];
        double corner = touch->dj[0] * touch->h[1] + touch->dj[1] * touch->h[2];
        if (touch->column[0] >= 0) {
            a[touch->column[0]] = touch->h[0] + touch->mu * corner;
        }
        if (touch->column[1] >= 0) {
            a[touch->column[1]] = touch->e[0] * touch->h[1] + touch->e[1] * touch->h[2];
        }
        if (touch->column[2] >= 0) {
            a[touch->column[2]] = -corner;
        }
    }
    if (s->z0_place >= 0) {
        a[s->z0_place] = z0_entry;
    }
}

/* Entries of the bilateral rows (or columns: they are the same) for a velocity vector. */
static void joint_products(const crn_states *s, const int *place, const double *vector, double *a)
{
    for (int r = 0; r < s->rows; ++r) {
        if (place[r] >= 0) {
            a[place[r]] = crn_states_joint_dot(s, r, vector);
        }
    }
}

/* A vector of a contact's frame in velocity space. */
static void spread(crn_states *s, const crn_touch *touch, const double *q)
{
    memset(s->vector, 0, (size_t)s->dim * sizeof *s->vector);
    crn_touch_add(touch, q, s->vector);
}

void crn_states_driven_column(crn_states *s)
{
    const crn_touch *touch = &s->touch[s->driven.contact];
    if (!s->are_products_of_driven) {
        double q[3];
        column_vector(touch, s->driven.part, q);
        spread(s, touch, q);
        crn_states_products(s, s->vector, touch);
    }
    crn_states_by_row(s, s->a);
    joint_products(s, s->joint_row, s->vector, s->a);
}

/* t = (row) . (columns) W for a row of a contact. */
static void row_through_inverse(crn_states *s, int contact, int part)
{
    const crn_touch *touch = &s->touch[contact];
    double q[3];
    row_vector(touch, part, q);
    spread(s, touch, q);
    crn_states_products(s, s->vector, touch);
    by_column(s, crn_dot3(q, touch->shift), s->a);
    joint_products(s, s->joint_column, s->vector, s->a);
    crn_gemv_transposed(s->inverse.k, s->inverse.k, s->inverse.W, s->inverse.ld, s->a, s->t);
    /* This contact's unknown is driven next; its column is the row, but for theta with friction. */
    s->are_products_of_driven = part != CRN_PART_NORMAL || touch->mu == 0.0;
}

/* --- Pivots --- */

static int driven_id(const crn_states *s)
{
    return s->driven.contact < 0 ? CRN_Z0_ID : 3 * s->driven.contact + s->driven.part;
}

bool crn_states_row_blocks(crn_states *s, int contact, int part, double rate, double step)
{
    int id = 3 * contact + part, driven = driven_id(s);
    crn_states_activate(s, contact);
    row_through_inverse(s, contact, part);
    if (s->driven.is_row) { /* the driven row leaves, this one takes its place */
        int place = s->touch[s->driven.contact].row[s->driven.part];
        if (!(fabs(s->t[place]) > TOL_PIVOT)) {
            return false;
        }
        crn_inverse_replace_row(&s->inverse, place, s->t, s->f);
        s->touch[s->driven.contact].row[s->driven.part] = -1;
        crn_states_put_row(s, place, id);
        retire(s, s->driven.contact);
        return true;
    }
    if (s->inverse.k + 1 >= s->capacity || !(fabs(rate) > TOL_PIVOT)) {
        return false;
    }
    crn_inverse_border(&s->inverse, s->dy, s->t, rate, s->f);
    crn_states_put_row(s, s->inverse.k - 1, id);
    crn_states_put_column(s, s->inverse.k - 1, driven, crn_states_entering(s, step));
    return true;
}

/* Take the row at one place and the unknown at another out of the basis; the last ones fill the gaps. */
static void remove_pair(crn_states *s, int row, int column)
{
    int last = s->inverse.k - 1;
    crn_inverse_remove(&s->inverse, row, column, s->s, s->f);
    if (row != last) {
        crn_states_put_row(s, row, s->row_id[last]);
    }
    if (column != last) {
        crn_states_put_column(s, column, s->column_id[last], s->y[last]);
    }
}

bool crn_states_unknown_blocks(crn_states *s, int place, double step)
{
    int id = s->column_id[place];
    s->are_products_of_driven = false;
    if (s->driven.is_row) {
        crn_touch *touch = &s->touch[s->driven.contact];
        int row = touch->row[s->driven.part];
        if (!(fabs(s->inverse.W[(size_t)place + (size_t)row * (size_t)s->inverse.ld]) > TOL_PIVOT)) {
            return false;
        }
        *column_place(s, id) = -1;
        touch->row[s->driven.part] = -1;
        remove_pair(s, row, place);
        retire(s, s->driven.contact);
        return true;
    }
    if (!(fabs(s->dy[place]) > TOL_PIVOT)) {
        return false;
    }
    crn_inverse_replace_column(&s->inverse, place, s->dy, s->f);
    *column_place(s, id) = -1;
    crn_states_put_column(s, place, driven_id(s), crn_states_entering(s, step));
    return true;
}

/* --- Changes of coordinates at one contact --- */

/* Unknowns (theta, phi, gamma) -> (theta, phi', gamma') and rows e, -d_j expressed by e', -d_J. With E = d_K - d_J and
 * the duals A.d_J = 1, A.E = 0, C.E = 1, C.d_J = 0:
 *     phi'   = mu (C.d_j) theta + (C.e) phi - (C.d_j) gamma
 *     gamma' = mu (1 - A.d_j) theta - (A.e) phi + (A.d_j) gamma
 *     e      = (C.e) e' - (A.e)(-d_J),    -d_j = -(C.d_j) e' + (A.d_j)(-d_J) */
typedef struct corner_change {
    double Cd, Ce, Ad, Ae;
} corner_change;

static corner_change changed_by(const crn_touch *touch, int J, int K)
{
    corner_change change = {1.0, -1.0, 1.0, 0.0}; /* d = 2: the segment turned round */
    if (touch->d > 2) {
        const double *dJ = crn_polygon_corner(touch->polygon, J), *dK = crn_polygon_corner(touch->polygon, K);
        double E[2] = {dK[0] - dJ[0], dK[1] - dJ[1]};
        double inverse = 1.0 / (dJ[0] * E[1] - dJ[1] * E[0]);
        double A[2] = {E[1] * inverse, -E[0] * inverse}, C[2] = {-dJ[1] * inverse, dJ[0] * inverse};
        change.Cd = C[0] * touch->dj[0] + C[1] * touch->dj[1];
        change.Ce = C[0] * touch->e[0] + C[1] * touch->e[1];
        change.Ad = A[0] * touch->dj[0] + A[1] * touch->dj[1];
        change.Ae = A[0] * touch->e[0] + A[1] * touch->e[1];
    }
    return change;
}

/* The unknowns' entries in one vector (a column of W, y or dy). */
static void change_unknowns(const crn_touch *touch, const corner_change *c, double *x)
{
    double theta = touch->column[0] >= 0 ? x[touch->column[0]] : 0.0;
    double phi = touch->column[1] >= 0 ? x[touch->column[1]] : 0.0;
    double gamma = touch->column[2] >= 0 ? x[touch->column[2]] : 0.0;
    if (touch->column[1] >= 0) {
        x[touch->column[1]] = c->Cd * (touch->mu * theta - gamma) + c->Ce * phi;
    }
    if (touch->column[2] >= 0) {
        x[touch->column[2]] = touch->mu * (1.0 - c->Ad) * theta - c->Ae * phi + c->Ad * gamma;
    }
}

static void change_rows(crn_states *s, const crn_touch *touch, const corner_change *c)
{
    size_t ld = (size_t)s->inverse.ld;
    double *e = touch->row[1] >= 0 ? s->inverse.W + (size_t)touch->row[1] * ld : NULL;
    double *corner = touch->row[2] >= 0 ? s->inverse.W + (size_t)touch->row[2] * ld : NULL;
    for (int i = 0; i < s->inverse.k; ++i) {
        double we = e ? e[i] : 0.0, wc = corner ? corner[i] : 0.0;
        if (e) {
            e[i] = c->Ce * we - c->Cd * wc;
        }
        if (corner) {
            corner[i] = -c->Ae * we + c->Ad * wc;
        }
    }
}

void crn_states_change_corners(crn_states *s, int contact, int J, int K)
{
    crn_touch *touch = &s->touch[contact];
    if (J == touch->j && K == touch->k) {
        return;
    }
    corner_change change = changed_by(touch, J, K);
    for (int j = 0; j < s->inverse.k; ++j) {
        change_unknowns(touch, &change, s->inverse.W + (size_t)j * (size_t)s->inverse.ld);
    }
    change_unknowns(touch, &change, s->y);
    change_unknowns(touch, &change, s->dy);
    change_rows(s, touch, &change);
    crn_states_set_corners(touch, J, K);
}

/* g over theta and phi of the quantity that blocks: gamma' (stick) or phi' (edge) in the new coordinates. */
static void own_row(crn_states *s, const crn_touch *touch, const corner_change *c)
{
    double g_theta = s->driven.part == CRN_PART_CORNER ? touch->mu * (1.0 - c->Ad) : touch->mu * c->Cd;
    double g_phi = s->driven.part == CRN_PART_CORNER ? -c->Ae : 0.0;
    const double *W = s->inverse.W;
    size_t ld = (size_t)s->inverse.ld;
    for (int j = 0; j < s->inverse.k; ++j) {
        double sum = g_theta * W[(size_t)touch->column[0] + (size_t)j * ld];
        if (touch->column[1] >= 0) {
            sum += g_phi * W[(size_t)touch->column[1] + (size_t)j * ld];
        }
        s->t[j] = sum;
    }
}

bool crn_states_own_blocks(crn_states *s, int contact, int J, int K, double rate, double step)
{
    crn_touch *touch = &s->touch[contact];
    corner_change change = changed_by(touch, J, K);
    s->are_products_of_driven = false;
    if (s->inverse.k + 1 >= s->capacity || !(fabs(rate) > TOL_PIVOT) || touch->column[0] < 0) {
        return false;
    }
    /* Border the basis with the driven unknown and the condition "what blocks is 0", as if that were a row; in the new
     * coordinates the condition is one unknown alone, so both go again and the rest is the inverse wanted. */
    own_row(s, touch, &change);
    crn_inverse_border(&s->inverse, s->dy, s->t, rate, s->f);
    int last = s->inverse.k - 1;
    crn_states_put_column(s, last, 3 * contact + s->driven.part, step);
    s->dy[last] = 1.0;
    crn_states_change_corners(s, contact, J, K);
    int place = touch->column[s->driven.part];
    touch->column[s->driven.part] = -1;
    crn_inverse_remove(&s->inverse, last, place, s->s, s->f);
    if (place != last) {
        crn_states_put_column(s, place, s->column_id[last], s->y[last]);
    }
    return true;
}

/* --- A fresh inverse --- */

bool crn_states_refactor(crn_states *s)
{
    int k = s->inverse.k;
    s->are_products_of_driven = false;
    for (int b = 0; b < k; ++b) {
        int id = s->column_id[b];
        double *column = s->Q + (size_t)b * (size_t)k;
        if (id == CRN_Z0_ID) { /* shifts of the rows */
            for (int i = 0; i < s->actives; ++i) {
                crn_touch *touch = &s->touch[s->active[i]];
                memcpy(touch->h, touch->shift, sizeof touch->h);
            }
            memset(s->vector, 0, (size_t)s->dim * sizeof *s->vector);
        } else if (id < 3 * s->n) {
            double q[3];
            column_vector(&s->touch[id / 3], id % 3, q);
            spread(s, &s->touch[id / 3], q);
            crn_states_products(s, s->vector, &s->touch[id / 3]);
        } else {
            int row = id - 3 * s->n;
            memset(s->vector, 0, (size_t)s->dim * sizeof *s->vector);
            for (int p = s->system->row_piece_start[row]; p < s->system->row_piece_start[row + 1]; ++p) {
                crn_axpy(s->row_piece[p].length, 1.0, s->row_piece[p].x, s->vector + s->row_piece[p].first);
            }
            crn_states_products(s, s->vector, NULL);
        }
        crn_states_by_row(s, column);
        joint_products(s, s->joint_row, s->vector, column);
        for (int r = 0; r < s->rows && id == CRN_Z0_ID; ++r) {
            if (s->joint_row[r] >= 0) {
                column[s->joint_row[r]] = s->joint_shift[r];
            }
        }
    }
    crn_lu lu = {.n = k, .ld = k, .a = s->Q, .pivot = s->pivot};
    s->run->refactorizations++;
    if (!crn_lu_factor(&lu, 0.0)) {
        return false;
    }
    crn_inverse_reset(&s->inverse, k);
    crn_lu_inverse(&lu, s->inverse.W, s->inverse.ld);
    return true;
}
