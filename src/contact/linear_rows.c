/* Which equations the modes of an island have, and products with their columns A (what is held) and F (what pushes). */
#include "contact/linear.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* Of the contact's inverse mass: a softness below is rounding, and the row must be taken for a hard one when ranks are told. */
#define TOL_SOFT 1e-10

/* --- Items --- */

static const crn_piece *pieces_of(const crn_system *s, int item, int *count)
{
    if (item < s->contacts) {
        *count = s->piece_start[item + 1] - s->piece_start[item];
        return s->piece + s->piece_start[item];
    }
    int row = item - s->contacts;
    *count = s->row_piece_start[row + 1] - s->row_piece_start[row];
    return s->row_piece + s->row_piece_start[row];
}

void crn_linear_push(const crn_system *s, int item, const double *r, double *y)
{
    int count;
    const crn_piece *piece = pieces_of(s, item, &count);
    for (int p = 0; p < count; ++p) {
        for (int j = 0; j < piece[p].width; ++j) {
            crn_axpy(piece[p].dof, r[j], piece[p].x + (size_t)j * (size_t)piece[p].dof, y + piece[p].first);
        }
    }
}

void crn_linear_look(const crn_system *s, int item, const double *y, double *u)
{
    int count;
    const crn_piece *piece = pieces_of(s, item, &count);
    for (int p = 0; p < count; ++p) {
        for (int j = 0; j < piece[p].width; ++j) {
            u[j] += crn_dot(piece[p].dof, piece[p].x + (size_t)j * (size_t)piece[p].dof, y + piece[p].first);
        }
    }
}

/* --- Rows --- */

static void list_row(crn_linear_island *k, int item, int part)
{
    k->row[k->rows] = (crn_linear_row){item, part};
    k->where[crn_linear_place(k, item, part)] = k->rows;
    k->soft[k->rows] = item < k->system->contacts ? k->mode[item].soft[part] : 0.0;
    k->rows++;
}

static bool is_hard(const crn_linear_island *k, int contact, int part)
{
    return k->mode[contact].soft[part] <= TOL_SOFT * k->delta[contact];
}

static void list_contact_rows(crn_linear_island *k, bool hard)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        for (int j = 0; j < k->mode[i].rows; ++j) {
            if (is_hard(k, i, j) == hard) {
                list_row(k, i, j);
            }
        }
    }
}

void crn_linear_list(crn_linear_island *k)
{
    k->rows = 0;
    for (int i = 0; i < 3 * k->system->contacts + k->system->rows; ++i) {
        k->where[i] = -1;
    }
    for (int i = 0; i < k->system->rows; ++i) {
        if (k->hold[i] == CRN_HOLD_FREE) {
            list_row(k, k->system->contacts + i, 0);
        }
    }
    list_contact_rows(k, true);
    k->hard = k->rows;
    list_contact_rows(k, false);
}

/* --- Products with all rows --- */

/* Equations of an item, and the vector of each. */
static int parts_of(const crn_linear_island *k, int item)
{
    bool is_contact = item < k->system->contacts;
    return is_contact ? k->mode[item].rows : k->hold[item - k->system->contacts] == CRN_HOLD_FREE;
}

static const double *vector_of(const crn_linear_island *k, crn_linear_side side, int item, int part)
{
    static const double one[3] = {1.0, 0.0, 0.0};
    if (item >= k->system->contacts) {
        return one;
    }
    return side == CRN_LINEAR_HELD ? k->mode[item].a[part] : k->mode[item].f[part];
}

double crn_linear_length(const crn_linear_island *k, crn_linear_side side, int i)
{
    int count;
    const crn_piece *piece = pieces_of(k->system, k->row[i].item, &count);
    const double *vector = vector_of(k, side, k->row[i].item, k->row[i].part);
    double square = 0.0;
    for (int p = 0; p < count; ++p) {
        for (int l = 0; l < piece[p].dof; ++l) {
            double sum = 0.0;
            for (int j = 0; j < piece[p].width; ++j) {
                sum += piece[p].x[l + j * piece[p].dof] * vector[j];
            }
            square += sum * sum;
        }
    }
    return sqrt(square);
}

void crn_linear_add_rows(const crn_linear_island *k, crn_linear_side side, const double *s, double *x)
{
    for (int item = 0; item < k->system->contacts + k->system->rows; ++item) {
        double r[3] = {0.0, 0.0, 0.0};
        int parts = parts_of(k, item);
        for (int part = 0; part < parts; ++part) {
            crn_axpy(3, s[k->where[crn_linear_place(k, item, part)]], vector_of(k, side, item, part), r);
        }
        if (parts > 0) {
            crn_linear_push(k->system, item, r, x);
        }
    }
}

void crn_linear_dot_rows(const crn_linear_island *k, crn_linear_side side, const double *x, double *s)
{
    for (int item = 0; item < k->system->contacts + k->system->rows; ++item) {
        double u[3] = {0.0, 0.0, 0.0};
        int parts = parts_of(k, item);
        if (parts > 0) {
            crn_linear_look(k->system, item, x, u);
        }
        for (int part = 0; part < parts; ++part) {
            s[k->where[crn_linear_place(k, item, part)]] = crn_linear_dot(vector_of(k, side, item, part), u);
        }
    }
}
