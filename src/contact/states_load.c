/* Memory of the path, and the columns: scaled by 1/|n| per contact, padded to whole lanes. */
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/states.h"
#include "contact/states_kernels.h"
#include "contact/states_path.h"
#include "math/simd.h"
#include "math/vec.h"

/* One body with at most this many velocities: its normals are kept by component, so that the sweep over all contacts
 * that are off runs along the contacts. */
#define SINGLE_DOF_MAX 6

static int padded(int dof)
{
    return (dof + CRN_PAD - 1) / CRN_PAD * CRN_PAD;
}

static int padded_dim(const crn_system *system)
{
    int dim = 0;
    for (int i = 0; i < system->bodies; ++i) {
        dim += padded(system->body_start[i + 1] - system->body_start[i]);
    }
    return dim;
}

/* Doubles of the padded columns of all contacts and rows. */
static size_t column_space(const crn_system *system)
{
    size_t total = 0;
    for (int p = 0; p < system->piece_start[system->contacts]; ++p) {
        total += 3 * (size_t)padded(system->piece[p].dof);
    }
    for (int p = 0; p < system->row_piece_start[system->rows]; ++p) {
        total += (size_t)padded(system->row_piece[p].dof);
    }
    return total;
}

/* Doubles of the polygon tables that are not known. */
static size_t polygon_space(const crn_system *system)
{
    size_t total = 0;
    for (int i = 0, last = 0; i < system->contacts; ++i) {
        int d = system->directions[i];
        if (d != last && !crn_polygon_known(d)) {
            total += 4 * (size_t)d;
        }
        last = d;
    }
    return total;
}

static int directions_max(const crn_system *system)
{
    int most = 3; /* SLIDE and EDGE watch three inequalities */
    for (int i = 0; i < system->contacts; ++i) {
        most = system->directions[i] > most ? system->directions[i] : most;
        most = system->directions[i] > 2 && most < CRN_STATES_CORNERS ? CRN_STATES_CORNERS : most;
    }
    return most;
}

void crn_states_layout(crn_states *s, const crn_system *system, crn_arena *arena)
{
    size_t contacts = (size_t)system->contacts, n = contacts + (size_t)system->bounded;
    s->system = system;
    s->contacts = system->contacts;
    s->bounded = system->bounded;
    s->n = s->contacts + s->bounded;
    s->rows = system->rows;
    s->n_padded = padded(s->n);
    s->dim = padded_dim(system);
    s->is_single = system->bodies == 1 && system->dof <= SINGLE_DOF_MAX;
    /* Rows of a regular basis are independent in R^dof but for the z0 column; one more while a pivot is made. */
    s->capacity = system->dof + 3;
    size_t r = (size_t)s->capacity;
    size_t watches = (size_t)(s->n < s->capacity ? s->n : s->capacity) * (size_t)directions_max(system);
    s->touch = CRN_TAKE(arena, crn_touch, n);
    s->body_first = CRN_TAKE(arena, int, (size_t)system->bodies + 1);
    s->piece = CRN_TAKE(arena, crn_states_piece, (size_t)system->piece_start[system->contacts]);
    s->row_piece = CRN_TAKE(arena, crn_states_piece, (size_t)system->row_piece_start[system->rows]);
    s->x = CRN_TAKE(arena, double, column_space(system));
    s->normals = CRN_TAKE(arena, double, s->is_single ? SINGLE_DOF_MAX *(size_t)s->n_padded : 0);
    s->polygons = CRN_TAKE(arena, double, polygon_space(system));
    size_t tests = (size_t)s->n_padded + watches + CRN_LANES;
    s->tau = CRN_TAKE(arena, double, tests);
    s->tau_rate = CRN_TAKE(arena, double, tests);
    s->shift_n = CRN_TAKE(arena, double, (size_t)s->n_padded);
    s->offset_n = CRN_TAKE(arena, double, (size_t)s->n_padded);
    s->is_off = CRN_TAKE(arena, double, (size_t)s->n_padded);
    s->watch = CRN_TAKE(arena, crn_watch, watches);
    s->active = CRN_TAKE(arena, int, n);
    s->joint_row = CRN_TAKE(arena, int, (size_t)system->rows);
    s->joint_column = CRN_TAKE(arena, int, (size_t)system->rows);
    s->joint_shift = CRN_TAKE(arena, double, (size_t)system->rows);
    s->joint_scale = CRN_TAKE(arena, double, (size_t)system->rows);
    s->joint_offset = CRN_TAKE(arena, double, (size_t)system->rows);
    crn_inverse_layout(&s->inverse, s->capacity, arena);
    s->row_id = CRN_TAKE(arena, int, r);
    s->column_id = CRN_TAKE(arena, int, r);
    s->y = CRN_TAKE(arena, double, r);
    s->dy = CRN_TAKE(arena, double, r);
    s->v = CRN_TAKE(arena, double, (size_t)s->dim);
    s->dv = CRN_TAKE(arena, double, (size_t)s->dim);
    s->k = CRN_TAKE(arena, double, (size_t)s->dim);
    s->vector = CRN_TAKE(arena, double, (size_t)s->dim);
    s->a = CRN_TAKE(arena, double, r);
    s->t = CRN_TAKE(arena, double, r);
    s->f = CRN_TAKE(arena, double, r);
    s->s = CRN_TAKE(arena, double, r);
    s->Q = CRN_TAKE_MATRIX(arena, double, r, r);
    s->pivot = CRN_TAKE(arena, int, r);
    s->first_state = CRN_TAKE(arena, crn_contact_state, contacts);
    s->first_impulse = CRN_TAKE(arena, double, 3 * contacts);
    s->first_velocity = CRN_TAKE(arena, double, 3 * contacts);
    s->first_row = s->bounded > 0 ? CRN_TAKE(arena, double, (size_t)system->rows) : NULL;
    s->told = CRN_TAKE(arena, crn_contact_state, n);
    s->trace = (crn_states_trace){0};
    s->bound = s->bounded > 0 ? CRN_TAKE(arena, crn_states_bound, (size_t)s->bounded) : NULL;
}

/* Copy `width` columns of `dof` numbers to padded ones, times scale. */
static void copy_columns(const crn_piece *from, int length, double scale, double *to)
{
    const double *x = from->x;
    if (from->dof == 6) { /* a free rigid body: by far the commonest */
        for (int j = 0; j < from->width; ++j, x += 6, to += 8) {
            for (int l = 0; l < 6; ++l) {
                to[l] = scale * x[l];
            }
            to[6] = to[7] = 0.0;
        }
        return;
    }
    for (int j = 0; j < from->width; ++j, x += from->dof, to += length) {
        for (int l = 0; l < from->dof; ++l) {
            to[l] = scale * x[l];
        }
        for (int l = from->dof; l < length; ++l) {
            to[l] = 0.0;
        }
    }
}

static void place_bodies(crn_states *s)
{
    s->body_first[0] = 0;
    for (int b = 0; b < s->system->bodies; ++b) {
        s->body_first[b + 1] = s->body_first[b] + padded(s->system->body_start[b + 1] - s->system->body_start[b]);
    }
}

/* 1/|n|, or 0 for a contact that cannot move along its normal. */
static double normal_scale(const crn_system *system, int i)
{
    double square = 0.0;
    for (int p = system->piece_start[i]; p < system->piece_start[i + 1]; ++p) {
        const crn_piece *piece = &system->piece[p];
        for (int l = 0; l < piece->dof; ++l) {
            square += piece->x[l] * piece->x[l];
        }
    }
    return square > 0.0 ? 1.0 / sqrt(square) : 0.0;
}

static void load_contact(crn_states *s, int i, double **x, double **polygons)
{
    const crn_system *system = s->system;
    crn_touch *touch = &s->touch[i];
    int first = system->piece_start[i];
    touch->scale = normal_scale(system, i);
    touch->mu = system->mu[i];
    touch->low = 0.0;
    touch->d = system->directions[i];
    touch->pieces = system->piece_start[i + 1] - first;
    touch->piece = s->piece + first;
    for (int p = 0; p < touch->pieces; ++p) {
        const crn_piece *from = &system->piece[first + p];
        int length = padded(from->dof);
        copy_columns(from, length, touch->scale > 0.0 ? touch->scale : 1.0, *x);
        s->piece[first + p] = (crn_states_piece){s->body_first[from->body], length, *x};
        *x += 3 * (size_t)length;
    }
    touch->polygon = crn_polygon_known(touch->d);
    if (!touch->polygon) {
        if (i > 0 && s->touch[i - 1].d == touch->d) {
            touch->polygon = s->touch[i - 1].polygon;
        } else if (touch->d > 0) {
            crn_polygon_fill(touch->d, *polygons);
            touch->polygon = *polygons;
            *polygons += 4 * (size_t)touch->d;
        }
    }
    touch->regular = touch->polygon;
}

/* The least scale, and that one for contacts which cannot move: any does, but it has units of mass as the others. */
static void settle_scales(crn_states *s)
{
    double least = INFINITY;
    bool has_immobile = false;
    for (int i = 0; i < s->contacts; ++i) {
        has_immobile = has_immobile || s->touch[i].scale == 0.0;
        least = s->touch[i].scale > 0.0 ? crn_min(least, s->touch[i].scale) : least;
    }
    s->scale_least = least < INFINITY ? least : 1.0;
    for (int i = 0; i < s->contacts && has_immobile; ++i) {
        crn_touch *touch = &s->touch[i];
        for (int p = 0; p < touch->pieces && touch->scale == 0.0; ++p) {
            crn_scal(3 * touch->piece[p].length, s->scale_least, touch->piece[p].x);
        }
        touch->scale = touch->scale > 0.0 ? touch->scale : s->scale_least;
    }
}

void crn_states_set_polygons(crn_states *s, int d, const double *tables)
{
    for (int i = 0; i < s->contacts; ++i) {
        if (s->system->directions[i] > 2) {
            s->touch[i].d = tables ? d : s->system->directions[i];
            s->touch[i].polygon = tables ? tables + 4 * (size_t)d * (size_t)i : s->touch[i].regular;
        }
    }
    s->is_kept = false;
}

/* Bilateral rows have units of their own: they are brought to length 1. */
static void load_rows(crn_states *s, double *x)
{
    const crn_system *system = s->system;
    for (int r = 0; r < system->rows; ++r) {
        double square = 0.0;
        for (int p = system->row_piece_start[r]; p < system->row_piece_start[r + 1]; ++p) {
            square += crn_dot(system->row_piece[p].dof, system->row_piece[p].x, system->row_piece[p].x);
        }
        s->joint_scale[r] = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
        for (int p = system->row_piece_start[r]; p < system->row_piece_start[r + 1]; ++p) {
            const crn_piece *from = &system->row_piece[p];
            int length = padded(from->dof);
            copy_columns(from, length, s->joint_scale[r], x);
            s->row_piece[p] = (crn_states_piece){s->body_first[from->body], length, x};
            x += length;
        }
    }
}

/* Jammed bodies need many pivots, r = dof; and sliding contacts turn from corner to corner. */
static int pivots_of(const crn_states *s)
{
    const long per_contact = 60, per_corner = 4, at_least = 300, at_most = 1L << 30;
    long limit = at_least;
    for (int i = 0; i < s->n; ++i) {
        limit += per_contact + per_corner * s->touch[i].d;
    }
    return (int)(limit < at_most ? limit : at_most);
}

/* Normals by component: normals[c][i], zero in the padding. */
static void load_normals(crn_states *s)
{
    int dof = s->system->dof;
    size_t n = (size_t)s->n_padded;
    memset(s->normals, 0, (size_t)dof * n * sizeof *s->normals);
    for (int i = 0; i < s->n; ++i) {
        const double *x = s->touch[i].piece[0].x; /* a contact of a single body has one piece */
        for (int c = 0; c < dof; ++c) {
            s->normals[(size_t)c * n + (size_t)i] = x[c];
        }
    }
}

void crn_states_load(crn_states *s, const crn_system *system, uint64_t seed, double scale)
{
    double *x = s->x, *polygons = s->polygons;
    s->system = system;
    s->is_kept = false;
    place_bodies(s);
    for (int i = 0; i < s->contacts; ++i) {
        load_contact(s, i, &x, &polygons);
    }
    settle_scales(s);
    load_rows(s, x);
    if (s->bounded > 0) {
        crn_states_load_bounds(s);
    }
    if (s->is_single) {
        load_normals(s);
    }
    for (int i = s->n; i < s->n_padded; ++i) { /* the padding is never a candidate */
        s->tau[i] = 1.0;
        s->tau_rate[i] = s->shift_n[i] = s->is_off[i] = s->offset_n[i] = 0.0;
    }
    s->pivots_max = pivots_of(s);
    s->seed = seed;
    crn_states_choose_shifts(s, 0);
    crn_states_set_velocity(s, scale);
}

/* --- Shifts --- */

/* A number that looks random, from another one. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* 21 bits as a number in [0, 1). */
static double fraction(uint64_t bits)
{
    return (double)(bits & 0x1fffff) * (1.0 / 2097152.0);
}

/* Shifts of contact i, or of a bounded row, from the attempt's base. */
static inline void choose_shift(crn_states *s, int i, double mu, uint64_t base)
{
    crn_touch *touch = &s->touch[i];
    uint64_t bits = mix(base + (uint64_t)i);
    double slip = mu > 1.0 ? CRN_SHIFT_SLIP / mu : CRN_SHIFT_SLIP;
    touch->shift[0] = s->shift_n[i] = 1.0 + CRN_SHIFT_NORMAL * fraction(bits);
    touch->shift[1] = slip * (2.0 * fraction(bits >> 21) - 1.0);
    touch->shift[2] = slip * (2.0 * fraction(bits >> 42) - 1.0);
    touch->lift = touch->shift[0] - 0.5;
}

void crn_states_choose_shifts(crn_states *s, int attempt)
{
    uint64_t base = mix(s->seed * 64u + (uint64_t)attempt);
    for (int i = 0; i < s->contacts; ++i) {
        choose_shift(s, i, s->system->mu[i], base);
    }
    for (int i = s->contacts; i < s->n; ++i) {
        choose_shift(s, i, 0.0, base);
    }
    s->shifts = attempt;
}

void crn_states_reseed(crn_states *s, uint64_t seed)
{
    s->seed = seed;
    s->shifts = -1;
    s->is_kept = false;
}

/* The kept solution in another unit of velocity. */
static void rescale(crn_states *s, double factor)
{
    crn_scal(s->inverse.k, factor, s->y);
    crn_scal(s->n, factor, s->tau);
    for (int i = 0; i < s->actives; ++i) {
        crn_scal(3, factor, s->touch[s->active[i]].u);
    }
}

/* k and the offsets over the unit of velocity: U at the contact that is the easiest to move. So a slack is no more than
 * that part of U at any contact, and nothing depends on the caller's unit of mass. */
void crn_states_set_velocity(crn_states *s, double scale)
{
    const crn_system *system = s->system;
    double unit = s->scale_least * scale;
    if (s->is_kept) {
        rescale(s, s->unit / unit);
    }
    s->unit = unit;
    double inverse = 1.0 / s->unit;
    for (int b = 0; b < system->bodies; ++b) {
        int first = s->body_first[b], dof = system->body_start[b + 1] - system->body_start[b];
        const double *from = system->k + system->body_start[b];
        for (int l = 0; l < padded(dof); ++l) {
            s->k[first + l] = l < dof ? inverse * from[l] : 0.0;
        }
    }
    for (int i = 0; i < s->contacts; ++i) {
        crn_touch *touch = &s->touch[i];
        double factor = inverse * touch->scale;
        for (int j = 0; j < 3; ++j) {
            touch->offset[j] = factor * system->offset[3 * (size_t)i + (size_t)j];
        }
        s->offset_n[i] = touch->offset[0];
    }
    for (int r = 0; r < s->rows; ++r) {
        s->joint_offset[r] = inverse * s->joint_scale[r] * system->row_offset[r];
    }
    if (s->bounded > 0) {
        crn_states_scale_bounds(s);
    }
}
