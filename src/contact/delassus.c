/* The matrix of a small island, and its certificate. */
#include "contact/delassus.h"

#include <math.h>
#include <string.h>

#include "contact/friction_cone.h"
#include "contact/item_error.h"
#include "math/vec.h"

enum { UNKNOWNS_MOST = 96 }; /* beyond it the body level's sparse factor is cheaper than a dense one */

/* Offsets below this share of tol U count as 0 while iterating, as at the body level: gaps of redundant contacts contradict one
 * another by rounding. */
static const double BAND = 0.1;

static const double AIM = 1e-3; /* of tol: Newton goes on to this, so that the next steps need no iteration */

/* --- Memory --- */

static int count_unknowns(const crn_system *s)
{
    int count = s->rows;
    for (int i = 0; i < s->contacts; ++i) {
        count += crn_system_columns(s, i);
    }
    return count;
}

bool crn_delassus_fits(const crn_system *s)
{
    return count_unknowns(s) <= UNKNOWNS_MOST;
}

void crn_delassus_layout(crn_delassus *d, const crn_system *s, crn_arena *arena)
{
    d->system = s;
    d->contacts = s->contacts;
    d->rows = s->rows;
    d->items = s->contacts + s->rows;
    d->n = count_unknowns(s);
    size_t n = (size_t)d->n, items = (size_t)d->items;
    d->first = CRN_TAKE(arena, int, items + 1);
    d->G = CRN_TAKE_MATRIX(arena, double, n, n);
    double **vectors[] = {&d->q,    &d->rest,   &d->r, &d->u,    &d->fitted, &d->v,
                          &d->best, &d->anchor, &d->F, &d->step, &d->from,   &d->w};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = CRN_TAKE(arena, double, n);
    }
    d->delta = CRN_TAKE(arena, double, items);
    d->factor = CRN_TAKE(arena, double, (size_t)s->rows);
    d->A = CRN_TAKE(arena, double, 9 * (size_t)s->contacts);
    d->piece = CRN_TAKE(arena, unsigned char, items);
    d->factored = CRN_TAKE(arena, unsigned char, items);
    d->unknown = CRN_TAKE(arena, int, n);
    d->owner = CRN_TAKE(arena, int, n);
    d->lu.a = CRN_TAKE_MATRIX(arena, double, n, n);
    d->lu.pivot = CRN_TAKE(arena, int, n);
}

/* --- The matrix --- */

static void number(crn_delassus *d)
{
    int at = 0;
    for (int i = 0; i < d->items; ++i) {
        d->first[i] = at;
        at += i < d->contacts ? crn_system_columns(d->system, i) : 1;
    }
    d->first[d->items] = at;
}

/* Pieces of an item's columns. */
static const crn_piece *pieces_of(const crn_system *s, int item, int *count)
{
    bool is_contact = item < s->contacts;
    const int *start = is_contact ? s->piece_start + item : s->row_piece_start + (item - s->contacts);
    *count = start[1] - start[0];
    return (is_contact ? s->piece : s->row_piece) + start[0];
}

/* The block of items a and b: X_a'X_b of pieces on the same body. */
static void multiply_items(crn_delassus *d, int a, int b)
{
    int left, right;
    double *G = d->G + (size_t)d->first[b] * (size_t)d->n + d->first[a];
    const crn_piece *x = pieces_of(d->system, a, &left), *y = pieces_of(d->system, b, &right);
    for (int p = 0; p < left; ++p) {
        for (int q = 0; q < right; ++q) {
            if (x[p].body == y[q].body) {
                crn_add_products(x[p].dof, d->first[a + 1] - d->first[a], x[p].x, d->first[b + 1] - d->first[b], y[q].x,
                                 G, d->n);
            }
        }
    }
}

static void multiply(crn_delassus *d)
{
    size_t n = (size_t)d->n;
    memset(d->G, 0, n * n * sizeof *d->G);
    for (int b = 0; b < d->items; ++b) {
        for (int a = 0; a <= b; ++a) {
            multiply_items(d, a, b);
        }
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) {
            d->G[j * n + i] = d->G[i * n + j];
        }
    }
}

/* Inverse masses of contacts and rows, and the rows' units. */
static void weigh(crn_delassus *d)
{
    const size_t diagonal = (size_t)d->n + 1;
    double longest = d->contacts > 0 ? 0.0 : 1.0;
    for (int i = 0; i < d->items; ++i) {
        double sum = 0.0;
        int columns = 0;
        for (int k = d->first[i]; k < d->first[i + 1]; ++k) {
            double square = d->G[(size_t)k * diagonal];
            sum += square;
            columns += square > 0.0;
        }
        d->delta[i] = columns > 0 ? sum / columns : 1.0;
        longest = i < d->contacts ? crn_max(longest, d->G[(size_t)d->first[i] * diagonal]) : longest;
    }
    for (int i = 0; i < d->rows; ++i) {
        d->factor[i] = longest > 0.0 ? sqrt(longest / d->delta[d->contacts + i]) : 1.0;
    }
}

/* q = X'k + offset, less what the dead band takes. */
static void set_free(crn_delassus *d, double band)
{
    const crn_system *s = d->system;
    for (int i = 0; i < d->items; ++i) {
        int pieces;
        const crn_piece *piece = pieces_of(s, i, &pieces);
        const double *offset = i < s->contacts ? s->offset + 3 * (size_t)i : s->row_offset + (i - s->contacts);
        for (int k = d->first[i]; k < d->first[i + 1]; ++k) {
            int column = k - d->first[i];
            d->rest[k] = fabs(offset[column]) < band ? offset[column] : 0.0;
            d->q[k] = offset[column] - d->rest[k];
            for (int p = 0; p < pieces; ++p) {
                const double *x = piece[p].x + (size_t)column * (size_t)piece[p].dof;
                d->q[k] += crn_dot(piece[p].dof, x, s->k + piece[p].first);
            }
        }
    }
}

void crn_delassus_load(crn_delassus *d, double scale, double tol)
{
    d->scale = scale;
    d->tol = tol;
    d->aim = AIM * tol;
    d->iterations = d->factorizations = 0;
    d->reached = INFINITY;
    number(d);
    multiply(d);
    weigh(d);
    set_free(d, BAND * tol * scale);
}

/* --- Velocities and certificate --- */

void crn_delassus_velocity(const crn_delassus *d, const double *r, double *u)
{
    memcpy(u, d->q, (size_t)d->n * sizeof *u);
    crn_gemv_columns(d->n, d->n, d->G, d->n, NULL, r, u);
}

/* fitted := r within cones and bounds; the largest impulse. */
static double fit(crn_delassus *d)
{
    const crn_system *s = d->system;
    double square = 0.0, row = 0.0;
    for (int i = 0; i < s->contacts; ++i) {
        double r[3], p[3];
        crn_delassus_take(d, i, d->r, r);
        (void)crn_cone_clip(s->mu[i], r, p);
        crn_delassus_put(d, i, p, d->fitted);
        square = crn_max(square, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    for (int i = 0; i < s->rows; ++i) {
        int at = d->first[s->contacts + i];
        (void)crn_row_clip(s->row_bound[i], d->r[at], d->fitted + at);
        row = crn_max(row, fabs(d->fitted[at]) / d->factor[i]);
    }
    return crn_max(row, sqrt(square));
}

static double error_of(const crn_delassus *d, int item, const crn_error_scale *scale)
{
    const crn_system *s = d->system;
    if (item < s->contacts) {
        double r[3], u[3];
        crn_delassus_take(d, item, d->fitted, r);
        crn_delassus_take(d, item, d->v, u);
        return crn_contact_item_error(CRN_LAW_COULOMB, s->mu[item], d->delta[item], r, u, scale);
    }
    int row = item - s->contacts, at = d->first[item];
    return crn_row_item_error(s->row_bound[row], d->delta[item], d->factor[row], d->fitted[at], d->v[at], scale);
}

double crn_delassus_check(crn_delassus *d)
{
    crn_error_scale scale = {d->scale, fit(d)};
    double worst = 0.0;
    crn_delassus_velocity(d, d->fitted, d->v);
    crn_axpy(d->n, 1.0, d->rest, d->v);
    for (int i = 0; i < d->items; ++i) {
        double e = error_of(d, i, &scale);
        worst = e > worst || isnan(e) ? e : worst;
    }
    worst = isnan(worst) ? INFINITY : worst;
    if (worst < d->reached) {
        d->reached = worst;
        memcpy(d->best, d->fitted, (size_t)d->n * sizeof *d->best);
    }
    return worst;
}
