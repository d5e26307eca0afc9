/* The scaled problem of Lloyd's methods: unit normals in whitened space, the free motion's largest speed as the unit of
 * velocity, and an independent set of bilateral rows. Then every covering value is 1 and every tolerance absolute. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/lloyd_basis.h"
#include "math/vec.h"

/* A bilateral row whose part across the earlier rows is this small against its length depends on them. */
#define TOL_DEPENDENT 1e-9

/* Order of a dense matrix whose entries an int can still count. */
#define ORDER_MAX ((size_t)46340)

static int friction_corners(const crn_system *system, int i)
{
    return system->directions[i] >= 2 ? system->directions[i] : 0;
}

void crn_lloyd_basis_layout(crn_lloyd_basis *b, const crn_system *system, crn_arena *arena)
{
    size_t contacts = (size_t)system->contacts, rows = (size_t)system->rows, dof = (size_t)system->dof, phis = 0;
    size_t pairs = contacts;
    for (size_t i = 0; i < contacts; ++i) {
        size_t d = (size_t)friction_corners(system, (int)i);
        phis += d;
        pairs += d > 0 ? d + 1 : 0;
    }
    size_t capacity = dof + 2; /* rank of all products, z0, and the row of a gamma */
    if (pairs > INT_MAX || capacity > ORDER_MAX) {
        arena->overflow = true;
        pairs = capacity = 0;
    }
    b->system = system;
    b->pairs = (int)pairs;
    b->capacity = (int)capacity;
    b->first = CRN_TAKE(arena, int, contacts + 1);
    b->corners = CRN_TAKE(arena, int, contacts);
    b->angle = CRN_TAKE(arena, double, 2 * phis);
    b->corner = CRN_TAKE(arena, const double *, contacts);
    b->scale = CRN_TAKE(arena, double, contacts);
    b->row_scale = CRN_TAKE(arena, double, rows);
    b->k = CRN_TAKE(arena, double, dof);
    b->offset = CRN_TAKE(arena, double, 3 * contacts);
    b->row_offset = CRN_TAKE(arena, double, rows);
    b->cover = CRN_TAKE(arena, double, 3 * contacts);
    b->is_basic = CRN_TAKE(arena, unsigned char, pairs);
    b->is_open = CRN_TAKE(arena, unsigned char, contacts);
    b->item = CRN_TAKE(arena, crn_lloyd_item, capacity + 1);
    b->split = CRN_TAKE(arena, int, contacts);
    b->row = CRN_TAKE_MATRIX(arena, double, dof, capacity + 1);
    b->column = CRN_TAKE_MATRIX(arena, double, dof, capacity + 1);
    b->cover_column = CRN_TAKE(arena, double, dof);
    b->dense = CRN_TAKE(arena, double, dof);
    b->normal = CRN_TAKE(arena, double, contacts);
    b->friction = CRN_TAKE(arena, double, contacts);
    b->matrix = CRN_TAKE_MATRIX(arena, double, capacity, capacity);
    b->x = CRN_TAKE(arena, double, capacity);
    b->rhs = CRN_TAKE(arena, double, capacity);
    b->work = CRN_TAKE(arena, double, 3 * capacity);
    b->lu.a = CRN_TAKE_MATRIX(arena, double, capacity, capacity);
    b->lu.pivot = CRN_TAKE(arena, int, capacity);
}

void crn_lloyd_point_layout(crn_lloyd_point *point, const crn_lloyd_basis *basis, crn_arena *arena)
{
    point->value = CRN_TAKE(arena, double, basis->pairs);
    point->velocity = CRN_TAKE(arena, double, basis->system->dof);
    point->row = CRN_TAKE(arena, double, basis->system->rows);
}

/* Squared length of column j of an item. */
static double column_square(const crn_piece *piece, int pieces, int j)
{
    double square = 0.0;
    for (int p = 0; p < pieces; ++p) {
        const double *x = piece[p].x + (size_t)j * (size_t)piece[p].dof;
        square += crn_dot(piece[p].dof, x, x);
    }
    return square;
}

/* Pairs, corners and scales of all contacts. Equal d share one table of corners. */
static void begin_contacts(crn_lloyd_basis *b)
{
    const crn_system *s = b->system;
    double *next = b->angle;
    int pair = 0;
    for (int i = 0; i < s->contacts; ++i) {
        int d = friction_corners(s, i);
        double square = column_square(s->piece + s->piece_start[i], s->piece_start[i + 1] - s->piece_start[i], 0);
        b->scale[i] = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
        b->corners[i] = d;
        b->first[i] = pair;
        pair += d > 0 ? d + 2 : 1;
        if (i > 0 && d == b->corners[i - 1]) {
            b->corner[i] = b->corner[i - 1];
            continue;
        }
        b->corner[i] = next;
        for (int j = 0; j < d; ++j) {
            double corner[2];
            crn_corner(d, j, corner);
            next[j] = corner[0];
            next[d + j] = corner[1];
        }
        next += 2 * d;
    }
    b->first[s->contacts] = pair;
}

/* Gram-Schmidt on the bilateral rows, twice for orthogonality [GVL s5.2]: scales of the independent ones. The directions are
 * kept in the columns of b->row, which has room for dof + 3. */
static void begin_rows(crn_lloyd_basis *b)
{
    const crn_system *s = b->system;
    const size_t dof = (size_t)s->dof;
    size_t kept = 0;
    for (int i = 0; i < s->rows; ++i) {
        int first = s->row_piece_start[i], pieces = s->row_piece_start[i + 1] - first;
        double *q = b->row + kept * dof, square = column_square(s->row_piece + first, pieces, 0);
        b->row_scale[i] = 0.0;
        if (square == 0.0 || kept == dof) {
            continue;
        }
        double scale = 1.0 / sqrt(square);
        memset(q, 0, dof * sizeof *q);
        for (int p = first; p < first + pieces; ++p) {
            crn_axpy(s->row_piece[p].dof, scale, s->row_piece[p].x, q + s->row_piece[p].first);
        }
        for (size_t pass = 0; pass < 2 * kept; ++pass) {
            const double *other = b->row + pass % kept * dof;
            crn_axpy(s->dof, -crn_dot(s->dof, other, q), other, q);
        }
        double length = sqrt(crn_dot(s->dof, q, q));
        if (length > TOL_DEPENDENT) {
            crn_scal(s->dof, 1.0 / length, q);
            b->row_scale[i] = scale;
            ++kept;
        }
    }
}

/* Free velocity and offsets over the largest scaled speed of the free motion. */
static void begin_speeds(crn_lloyd_basis *b)
{
    const crn_system *s = b->system;
    double largest = 0.0;
    for (int i = 0; i < s->contacts; ++i) {
        double u[3];
        crn_lloyd_contact_speed(b, i, s->k, u);
        for (int k = 0; k < 3; ++k) {
            b->offset[3 * i + k] = b->scale[i] * s->offset[3 * (size_t)i + (size_t)k];
            largest = crn_max(largest, fabs(u[k] + b->offset[3 * i + k]));
        }
    }
    b->speed = largest > 0.0 ? largest : 1.0;
    for (int i = 0; i < s->dof; ++i) {
        b->k[i] = s->k[i] / b->speed;
    }
    for (int i = 0; i < 3 * s->contacts; ++i) {
        b->offset[i] /= b->speed;
    }
    for (int i = 0; i < s->rows; ++i) {
        b->row_offset[i] = b->row_scale[i] * s->row_offset[i] / b->speed;
    }
}

void crn_lloyd_basis_begin(crn_lloyd_basis *b, const crn_system *system, bool is_open)
{
    b->system = system;
    begin_contacts(b);
    begin_rows(b);
    begin_speeds(b);
    for (int i = 0; i < system->contacts; ++i) {
        b->is_open[i] = is_open || b->corners[i] == 0;
    }
    crn_lloyd_basis_restart(b);
}

void crn_lloyd_basis_restart(crn_lloyd_basis *b)
{
    memset(b->is_basic, 0, (size_t)b->pairs);
    for (int i = 0; i < 3 * b->system->contacts; ++i) {
        b->cover[i] = 1.0;
    }
    b->r = -1;
}
