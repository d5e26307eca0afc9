/* Newton's method on what is active; see active.h. */
#include "contact/active.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"

enum {
    STEPS = 24,
    PATIENCE = 6 /* steps that may follow one another without halving the errors: the way to the solution is curved */
};

static const double TOL_SINGULAR = 1e-14; /* of a column's largest entry: a pivot below is nothing */
static const double TURN_MOST = 0.5;      /* [rad] in a step */

void crn_active_layout(crn_active *a, const crn_system *system, crn_arena *arena)
{
    size_t contacts = (size_t)system->contacts, rows = (size_t)system->rows, dof = (size_t)system->dof;
    /* what pivoting holds is independent but for one row, and each contact that slips has its angle besides */
    a->capacity = system->dof + 1 + system->contacts;
    size_t most = (size_t)a->capacity;
    a->item = CRN_TAKE(arena, crn_active_item, most);
    a->column = CRN_TAKE_MATRIX(arena, double, dof, most);
    a->row = CRN_TAKE_MATRIX(arena, double, dof, most);
    a->matrix = CRN_TAKE_MATRIX(arena, double, most, most);
    a->x = CRN_TAKE(arena, double, most);
    a->pivot = CRN_TAKE(arena, int, most);
    a->y = CRN_TAKE(arena, double, dof);
    a->u = CRN_TAKE(arena, double, 3 * contacts);
    a->e = CRN_TAKE(arena, double, rows);
    a->r = CRN_TAKE(arena, double, 3 * contacts);
    a->l = CRN_TAKE(arena, double, rows);
}

/* --- What is active --- */

static double item_scale(const crn_piece *piece, int pieces)
{
    double square = 0.0;
    for (int p = 0; p < pieces; ++p) {
        square += crn_dot(piece[p].dof, piece[p].x, piece[p].x);
    }
    return square > 0.0 ? 1.0 / sqrt(square) : 1.0;
}

static bool slips(const crn_contact_state *state)
{
    return state->kind == CRN_CONTACT_SLIDE || state->kind == CRN_CONTACT_EDGE;
}

/* Equations of a contact; a segment's tangent is t1, and on it the slip has no angle. */
static int parts_of(const crn_system *system, const crn_contact_state *state, int i)
{
    bool is_disk = system->directions[i] > 2;
    if (state->kind == CRN_CONTACT_STICK) {
        return is_disk ? 3 : 2;
    }
    return state->kind == CRN_CONTACT_OFF ? 0 : slips(state) && is_disk ? 2 : 1;
}

/* False if there are more than can be independent. */
static bool list_items(crn_active *a, const crn_system *system, const crn_contact_state *state, const bool *is_held)
{
    a->items = 0;
    for (int i = 0; i < system->contacts + system->rows; ++i) {
        int row = i - system->contacts, first = row < 0 ? system->piece_start[i] : system->row_piece_start[row];
        int parts = row < 0 ? parts_of(system, &state[i], i) : is_held[row];
        int pieces = (row < 0 ? system->piece_start[i + 1] : system->row_piece_start[row + 1]) - first;
        double scale = item_scale(row < 0 ? system->piece + first : system->row_piece + first, pieces);
        for (int part = 0; part < parts; ++part) {
            if (a->items == a->capacity) {
                return false;
            }
            a->item[a->items++] = (crn_active_item){i, part, scale, 0.0};
        }
    }
    return a->items > 0;
}

/* --- Equations --- */

/* to += f times the tangents' or normal's columns, f = (n, t1, t2) */
static void add_contact(const crn_system *system, int i, const double *f, double *to)
{
    for (int p = system->piece_start[i]; p < system->piece_start[i + 1]; ++p) {
        const crn_piece *piece = &system->piece[p];
        for (int j = 0; j < 3; ++j) {
            crn_axpy(piece->dof, f[j], piece->x + (size_t)j * (size_t)piece->dof, to + piece->first);
        }
    }
}

static void add_row(const crn_system *system, int row, double f, double *to)
{
    for (int p = system->row_piece_start[row]; p < system->row_piece_start[row + 1]; ++p) {
        crn_axpy(system->row_piece[p].dof, f, system->row_piece[p].x, to + system->row_piece[p].first);
    }
}

/* Direction of friction of a contact that slips. */
static void direction(const double *r, double *d)
{
    double size = crn_hypot(r[1], r[2]);
    d[0] = size > 0.0 ? r[1] / size : 1.0;
    d[1] = size > 0.0 ? r[2] / size : 0.0;
}

/* Equation k: its column, its row and its error, all scaled. */
static double equation(crn_active *a, const crn_system *system, const crn_contact_state *state, const double *r, int k)
{
    crn_active_item *item = &a->item[k];
    size_t dof = (size_t)system->dof;
    double *column = a->column + dof * (size_t)k, *row = a->row + dof * (size_t)k;
    int i = item->contact;
    memset(column, 0, dof * sizeof *column);
    memset(row, 0, dof * sizeof *row);
    item->slope = 0.0;
    if (i >= system->contacts) {
        add_row(system, i - system->contacts, item->scale, column);
        memcpy(row, column, dof * sizeof *row);
        return item->scale * a->e[i - system->contacts];
    }
    const double *u = a->u + 3 * (size_t)i;
    double d[2], with[3] = {0.0, 0.0, 0.0}, of[3] = {0.0, 0.0, 0.0};
    direction(r + 3 * (size_t)i, d);
    if (item->part == 0) {
        bool is_slipping = slips(&state[i]);
        with[0] = of[0] = item->scale;
        with[1] = is_slipping ? item->scale * system->mu[i] * d[0] : 0.0;
        with[2] = is_slipping ? item->scale * system->mu[i] * d[1] : 0.0;
    } else if (slips(&state[i])) {
        double limit = system->mu[i] * r[3 * (size_t)i];
        with[1] = of[1] = -item->scale * d[1];
        with[2] = of[2] = item->scale * d[0];
        item->slope = limit > 0.0 ? -item->scale * item->scale * (u[1] * d[0] + u[2] * d[1]) / limit : 0.0;
    } else {
        with[item->part] = of[item->part] = item->scale;
    }
    add_contact(system, i, with, column);
    add_contact(system, i, of, row);
    return of[0] * u[0] + of[1] * u[1] + of[2] * u[2];
}

/* The largest error; minus all of them in x. */
static double look(crn_active *a, const crn_system *system, const crn_contact_state *state, const double *r,
                   const double *l)
{
    double worst = 0.0;
    crn_system_motion(system, r, l, a->y);
    crn_system_contact_velocity(system, a->y, a->u);
    crn_system_row_velocity(system, a->y, a->e);
    for (int k = 0; k < a->items; ++k) {
        a->x[k] = -equation(a, system, state, r, k);
        worst = fabs(a->x[k]) <= worst ? worst : fabs(a->x[k]); /* or it is NaN */
    }
    return worst;
}

static bool solve_step(crn_active *a, const crn_system *system)
{
    size_t dof = (size_t)system->dof;
    crn_lu lu = {.n = a->items, .ld = a->items, .a = a->matrix, .pivot = a->pivot};
    for (int j = 0; j < a->items; ++j) {
        for (int i = 0; i < a->items; ++i) {
            a->matrix[(size_t)i + (size_t)j * (size_t)a->items] =
                crn_dot(system->dof, a->row + dof * (size_t)i, a->column + dof * (size_t)j);
        }
        a->matrix[(size_t)j + (size_t)j * (size_t)a->items] += a->item[j].slope;
    }
    if (!crn_lu_factor(&lu, TOL_SINGULAR)) {
        return false;
    }
    crn_lu_solve(&lu, a->x);
    return true;
}

/* Add the step to r and l. The normal part of a contact that slips comes before its angle. */
static void take_step(const crn_active *a, const crn_system *system, const crn_contact_state *state, double *r,
                      double *l)
{
    for (int k = 0; k < a->items; ++k) {
        const crn_active_item *item = &a->item[k];
        double x = item->scale * a->x[k], *to = r + 3 * (size_t)item->contact, d[2];
        if (item->contact >= system->contacts) {
            l[item->contact - system->contacts] += x;
        } else if (!slips(&state[item->contact])) {
            to[item->part] += x;
        } else if (item->part == 0) {
            double mu = system->mu[item->contact];
            direction(to, d);
            to[0] += x;
            to[1] = mu * to[0] * d[0];
            to[2] = mu * to[0] * d[1];
        } else {
            double limit = system->mu[item->contact] * to[0], turn = limit > 0.0 ? x / limit : 0.0;
            turn = crn_max(-TURN_MOST, crn_min(TURN_MOST, turn));
            crn_turn by = crn_sin_cos(turn);
            double t1 = to[1];
            to[1] = by.cos * t1 - by.sin * to[2];
            to[2] = by.sin * t1 + by.cos * to[2];
        }
    }
}

void crn_active_solve(crn_active *a, const crn_system *system, const crn_contact_state *state, const bool *is_held,
                      double *r, double *l)
{
    size_t impulses = 3 * (size_t)system->contacts * sizeof *r, rows = (size_t)system->rows * sizeof *l;
    if (!list_items(a, system, state, is_held)) {
        return;
    }
    memcpy(a->r, r, impulses);
    memcpy(a->l, l, rows);
    double best = look(a, system, state, a->r, a->l), error = best;
    int patience = PATIENCE;
    for (int step = 0; step < STEPS && patience > 0 && isfinite(error) && solve_step(a, system); ++step) {
        take_step(a, system, state, a->r, a->l);
        error = look(a, system, state, a->r, a->l);
        patience = error < 0.5 * best ? PATIENCE : patience - 1;
        if (error < best) {
            best = error;
            memcpy(r, a->r, impulses);
            memcpy(l, a->l, rows);
        }
    }
}
