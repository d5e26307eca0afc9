/* Products with whitened columns. */
#include "contact/system.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* y += (columns of the pieces, width of them) times r */
static void add_columns(const crn_piece *piece, int pieces, int width, const double *r, double *y)
{
    for (int p = 0; p < pieces; ++p) {
        const double *x = piece[p].x;
        double *to = y + piece[p].first;
        int dof = piece[p].dof;
        for (int j = 0; j < width; ++j, x += dof) {
            for (int l = 0; l < dof; ++l) {
                to[l] += r[j] * x[l];
            }
        }
    }
}

/* u += (columns of the pieces, width of them)'y */
static void dot_columns(const crn_piece *piece, int pieces, int width, const double *y, double *u)
{
    for (int p = 0; p < pieces; ++p) {
        const double *x = piece[p].x;
        const double *from = y + piece[p].first;
        int dof = piece[p].dof;
        for (int j = 0; j < width; ++j, x += dof) {
            double sum = 0.0;
            for (int l = 0; l < dof; ++l) {
                sum += x[l] * from[l];
            }
            u[j] += sum;
        }
    }
}

void crn_system_motion(const crn_system *s, const double *r, const double *l, double *y)
{
    memcpy(y, s->k, (size_t)s->dof * sizeof *y);
    for (int i = 0; i < s->contacts; ++i) {
        int first = s->piece_start[i];
        add_columns(s->piece + first, s->piece_start[i + 1] - first, 3, r + 3 * (size_t)i, y);
    }
    for (int i = 0; i < s->rows; ++i) {
        int first = s->row_piece_start[i];
        add_columns(s->row_piece + first, s->row_piece_start[i + 1] - first, 1, l + i, y);
    }
}

void crn_system_contact_velocity(const crn_system *s, const double *y, double *u)
{
    memcpy(u, s->offset, 3 * (size_t)s->contacts * sizeof *u);
    for (int i = 0; i < s->contacts; ++i) {
        int first = s->piece_start[i];
        dot_columns(s->piece + first, s->piece_start[i + 1] - first, 3, y, u + 3 * (size_t)i);
    }
}

void crn_system_row_velocity(const crn_system *s, const double *y, double *e)
{
    memcpy(e, s->row_offset, (size_t)s->rows * sizeof *e);
    for (int i = 0; i < s->rows; ++i) {
        int first = s->row_piece_start[i];
        dot_columns(s->row_piece + first, s->row_piece_start[i + 1] - first, 1, y, e + i);
    }
}

int crn_system_columns(const crn_system *s, int i)
{
    if (s->mu[i] == 0.0) {
        return 1;
    }
    return s->directions[i] == 2 ? 2 : 3;
}

void crn_system_inverse_mass(const crn_system *s, double *delta)
{
    for (int i = 0; i < s->contacts; ++i) {
        double square[3] = {0.0, 0.0, 0.0};
        for (int p = s->piece_start[i]; p < s->piece_start[i + 1]; ++p) {
            int dof = s->piece[p].dof;
            for (int j = 0; j < 3; ++j) {
                const double *x = s->piece[p].x + (size_t)j * (size_t)dof;
                for (int l = 0; l < dof; ++l) {
                    square[j] += x[l] * x[l];
                }
            }
        }
        int columns = (square[0] > 0.0) + (square[1] > 0.0) + (square[2] > 0.0);
        delta[i] = columns ? (square[0] + square[1] + square[2]) / columns : 0.0;
    }
}

/* Length of column j of an item. */
static double column_length(const crn_piece *piece, int pieces, int j)
{
    double square = 0.0;
    for (int p = 0; p < pieces; ++p) {
        const double *x = piece[p].x + (size_t)j * (size_t)piece[p].dof;
        square += crn_dot(piece[p].dof, x, x);
    }
    return sqrt(square);
}

double crn_system_longest_normal(const crn_system *s)
{
    double longest = s->contacts > 0 ? 0.0 : 1.0;
    for (int i = 0; i < s->contacts; ++i) {
        int first = s->piece_start[i];
        longest = crn_max(longest, column_length(s->piece + first, s->piece_start[i + 1] - first, 0));
    }
    return longest;
}

/* Largest |B'k + offset| of the bilateral rows, each brought to the length of the longest normal; terms: the largest sum of
 * the magnitudes that one is made of. */
static double row_speed(const crn_system *s, double *terms)
{
    double longest = s->rows > 0 ? crn_system_longest_normal(s) : 1.0, speed = 0.0;
    for (int i = 0; i < s->rows; ++i) {
        double e = s->row_offset[i];
        int first = s->row_piece_start[i], pieces = s->row_piece_start[i + 1] - first;
        dot_columns(s->row_piece + first, pieces, 1, s->k, &e);
        double length = column_length(s->row_piece + first, pieces, 0);
        double factor = length > 0.0 ? longest / length : 0.0, sum = fabs(s->row_offset[i]);
        for (int p = first; p < first + pieces; ++p) {
            const double *y = s->k + s->row_piece[p].first;
            for (int l = 0; l < s->row_piece[p].dof; ++l) {
                sum += fabs(s->row_piece[p].x[l] * y[l]);
            }
        }
        speed = crn_max(speed, fabs(e) * factor);
        *terms = crn_max(*terms, sum * factor);
    }
    return speed;
}

double crn_rounding_scale(double U, double terms)
{
    double scale = CRN_SCALE_TERMS * terms;
    return scale > U && scale <= CRN_SCALE_MOST * U ? scale : U;
}

double crn_system_velocity_scale(const crn_system *s)
{
    double closing = 0.0, speed = 0.0, terms = 0.0;
    for (int i = 0; i < s->contacts; ++i) {
        double u[3] = {0.0, 0.0, 0.0}, sum = 0.0;
        int first = s->piece_start[i], pieces = s->piece_start[i + 1] - first;
        dot_columns(s->piece + first, pieces, 3, s->k, u);
        for (int p = first; p < first + pieces; ++p) {
            const double *y = s->k + s->piece[p].first;
            for (int l = 0; l < s->piece[p].dof; ++l) {
                sum += fabs(s->piece[p].x[l] * y[l]);
            }
        }
        closing = crn_max(closing, -(u[0] + s->offset[3 * (size_t)i]));
        speed = crn_max(speed, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        terms = crn_max(terms, sum);
    }
    double rows = row_speed(s, &terms);
    double scale = crn_max(closing, crn_max(CRN_SCALE_SLIP * crn_max(sqrt(speed), rows), CRN_SCALE_TERMS * terms));
    scale = s->contacts == 0 ? crn_max(rows, CRN_SCALE_TERMS * terms) : scale;
    return scale > CRN_SCALE_LEAST ? scale : 1.0;
}
