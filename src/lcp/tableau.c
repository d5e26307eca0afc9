/* The tableau and its exchanges. */
#include "lcp/tableau.h"

#include "lcp/hash.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* A block pivot below this fraction of the largest entry of M is taken as 0. */
static const double TOL_BLOCK = 1e-14;

void crn_tableau_layout(crn_tableau *tableau, const crn_job *job, crn_arena *arena)
{
    const int n = job->problem->n;
    *tableau = (crn_tableau){.job = job, .n = n};
    tableau->T = CRN_TAKE_MATRIX(arena, double, n, (size_t)n + 1);
    tableau->v = CRN_TAKE(arena, double, n);
    tableau->basic = CRN_TAKE(arena, int, n);
    tableau->nonbasic = CRN_TAKE(arena, int, n + 1);
    tableau->z_place = CRN_TAKE(arena, int, n + 1);
    tableau->w_place = CRN_TAKE(arena, int, n);
    tableau->state = CRN_TAKE(arena, unsigned char, n);
    tableau->l = CRN_TAKE(arena, double, n);
    tableau->u = CRN_TAKE(arena, double, n);
}

static void set_place(crn_tableau *tableau, int variable, int place)
{
    if (variable >= 0) {
        tableau->z_place[variable] = place;
    } else {
        tableau->w_place[-1 - variable] = place;
    }
}

int crn_tableau_column(const crn_tableau *tableau, int variable)
{
    return -1 - (variable >= 0 ? tableau->z_place[variable] : tableau->w_place[-1 - variable]);
}

double crn_tableau_value(const crn_tableau *tableau, int variable)
{
    if (variable < 0 || variable == tableau->n) {
        return 0.0;
    }
    double bound = tableau->state[variable] == CRN_LCP_AT_UPPER ? tableau->u[variable] : tableau->l[variable];
    return isfinite(bound) ? bound : 0.0;
}

/* T = [M, 0], basic = w, non-basic = z and z0. */
static void write_problem(crn_tableau *tableau)
{
    const crn_lcp_problem *p = tableau->job->problem;
    const int n = tableau->n;
    memset(tableau->T, 0, (size_t)n * ((size_t)n + 1) * sizeof *tableau->T);
    for (int j = 0; j < n; ++j) {
        double *column = tableau->T + (long)j * n;
        if (p->M != NULL) {
            memcpy(column, p->M + (long)j * p->ld, (size_t)n * sizeof *column);
        } else {
            for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
                column[p->row[e]] = p->value[e];
            }
        }
        tableau->l[j] = crn_lower_bound(p, j);
        tableau->u[j] = crn_upper_bound(p, j);
        tableau->basic[j] = -1 - j;
        tableau->w_place[j] = j;
        tableau->nonbasic[j] = j;
        tableau->z_place[j] = -1 - j;
    }
    tableau->nonbasic[n] = n;
    tableau->z_place[n] = -1 - n;
}

/* v = q + M z for the z at their bounds (basic ones count as 0 until they are pivoted in). */
static void write_values(crn_tableau *tableau, const unsigned char *state)
{
    const int n = tableau->n;
    memcpy(tableau->v, tableau->job->problem->q, (size_t)n * sizeof *tableau->v);
    memcpy(tableau->state, state, (size_t)n);
    for (int j = 0; j < n; ++j) {
        double value = state[j] == CRN_LCP_BASIC ? 0.0 : crn_tableau_value(tableau, j);
        if (value != 0.0) {
            crn_axpy(n, value, tableau->T + (long)j * n, tableau->v);
        }
    }
}

void crn_tableau_pivot(crn_tableau *tableau, int r, int e)
{
    const int n = tableau->n;
    double *entering = tableau->T + (long)e * n;
    const double pivot = entering[r];
    crn_scal(n, 1.0 / pivot, entering);
    entering[r] = 0.0; /* so that the updates below leave row r alone */
    for (int j = 0; j <= n; ++j) {
        double *column = tableau->T + (long)j * n;
        double f = column[r];
        if (j != e && f != 0.0) {
            crn_axpy(n, -f, entering, column);
            column[r] = -f / pivot;
        }
    }
    entering[r] = 1.0 / pivot;
    int leaving = tableau->basic[r], coming = tableau->nonbasic[e];
    tableau->basic[r] = coming;
    tableau->nonbasic[e] = leaving;
    set_place(tableau, coming, r);
    set_place(tableau, leaving, -1 - e);
}

/* Pivot with values: the entering variable takes the step that brings row r to 0. */
static void pivot_to_zero(crn_tableau *tableau, int r, int e)
{
    double step = -tableau->v[r] / tableau->T[r + (long)e * tableau->n];
    crn_axpy(tableau->n, step, tableau->T + (long)e * tableau->n, tableau->v);
    tableau->v[r] = step;
    crn_tableau_pivot(tableau, r, e);
}

/* Is this row (still w_i) or column (still z_j) part of the block to be pivoted in? */
static bool row_waits(const crn_tableau *tableau, int r, const unsigned char *state)
{
    int i = -1 - tableau->basic[r];
    return tableau->basic[r] < 0 && state[i] == CRN_LCP_BASIC;
}

static bool column_waits(const crn_tableau *tableau, int e, const unsigned char *state)
{
    int j = tableau->nonbasic[e];
    return j >= 0 && j < tableau->n && state[j] == CRN_LCP_BASIC;
}

/* Pivot in a block of w for z by complete pivoting inside it: finds its way whenever the block is regular. */
static bool pivot_block(crn_tableau *tableau, const unsigned char *state)
{
    const int n = tableau->n;
    const double floor_pivot = TOL_BLOCK * crn_max_abs(n * n, tableau->T);
    for (;;) {
        int row = -1, column = -1;
        double best = 0.0;
        bool is_done = true;
        for (int e = 0; e <= n; ++e) {
            if (!column_waits(tableau, e, state)) {
                continue;
            }
            is_done = false;
            for (int r = 0; r < n; ++r) {
                double size = fabs(tableau->T[r + (long)e * n]);
                if (size > best && row_waits(tableau, r, state)) {
                    best = size;
                    row = r;
                    column = e;
                }
            }
        }
        if (is_done) {
            return true;
        }
        if (!(best > floor_pivot)) {
            return false;
        }
        pivot_to_zero(tableau, row, column);
    }
}

bool crn_tableau_begin(crn_tableau *tableau, const unsigned char *state)
{
    write_problem(tableau);
    write_values(tableau, state);
    return pivot_block(tableau, state);
}

double crn_tableau_room(const crn_tableau *tableau, int r, double rate, unsigned char *state)
{
    int variable = tableau->basic[r];
    double low = 0.0, high = INFINITY;
    *state = rate < 0.0 ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
    if (variable < 0) {
        int i = -1 - variable;
        bool is_fixed = tableau->l[i] == tableau->u[i];
        low = is_fixed || tableau->state[i] == CRN_LCP_AT_UPPER ? -INFINITY : 0.0;
        high = !is_fixed && tableau->state[i] == CRN_LCP_AT_UPPER ? 0.0 : INFINITY;
    } else if (variable < tableau->n) {
        low = tableau->l[variable];
        high = tableau->u[variable];
    }
    return rate < 0.0 ? tableau->v[r] - low : high - tableau->v[r];
}

/* The side of its bound on which the basic variable of row r must be: +1 above, -1 below, 0 free; and how far. */
static double inward(const crn_tableau *tableau, int r, double *slack)
{
    unsigned char state;
    double down = crn_tableau_room(tableau, r, -1.0, &state), up = crn_tableau_room(tableau, r, 1.0, &state);
    *slack = crn_fmin(down, up);
    if (isinf(*slack)) {
        return 0.0;
    }
    return down <= up ? 1.0 : -1.0;
}

double crn_tableau_cover(crn_tableau *tableau, bool is_warm)
{
    const int n = tableau->n;
    double *column = tableau->T + (long)n * n;
    double worst = 0.0, slack;
    for (int r = 0; r < n; ++r) {
        column[r] = inward(tableau, r, &slack);
        worst = crn_fmax(worst, -slack);
    }
    double z0 = worst;
    if (is_warm && worst > 0.0) {
        /* A basic z between two bounds may not have room for `worst`: go to the middle of its box at most. */
        for (int r = 0; r < n; ++r) {
            int j = tableau->basic[r];
            double side = inward(tableau, r, &slack);
            double margin = j >= 0 ? crn_fmin(worst, 0.5 * (tableau->u[j] - tableau->l[j])) : worst;
            column[r] = side * crn_fmax(margin - slack, 0.0);
        }
        z0 = 1.0;
    }
    crn_axpy(n, z0, column, tableau->v);
    return z0;
}

void crn_tableau_advance(crn_tableau *tableau, int e, double direction, double step)
{
    crn_axpy(tableau->n, direction * step, tableau->T + (long)e * tableau->n, tableau->v);
}

int crn_tableau_exchange(crn_tableau *tableau, int r, int e, double value, unsigned char state, double *direction)
{
    int leaving = tableau->basic[r], coming = tableau->nonbasic[e];
    if (coming >= 0 && coming < tableau->n) {
        tableau->state[coming] = CRN_LCP_BASIC;
    }
    crn_tableau_pivot(tableau, r, e);
    tableau->v[r] = value;
    if (leaving == tableau->n) {
        return tableau->n;
    }
    if (leaving < 0) {
        int i = -1 - leaving;
        *direction = tableau->state[i] == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
        return i;
    }
    tableau->state[leaving] = state;
    *direction = state == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
    return -1 - leaving;
}

int crn_tableau_enter_cover(crn_tableau *tableau, double z0, double *direction)
{
    const int n = tableau->n;
    int row = -1;
    double least = INFINITY;
    for (int r = 0; r < n; ++r) {
        unsigned char state;
        double side = tableau->T[r + (long)n * n];
        double room = side != 0.0 ? crn_tableau_room(tableau, r, -side, &state) / fabs(side) : INFINITY;
        if (room < least) {
            least = room;
            row = r;
        }
    }
    if (row < 0) {
        return n; /* nothing to cover */
    }
    unsigned char state;
    (void)crn_tableau_room(tableau, row, -tableau->T[row + (long)n * n], &state);
    crn_tableau_advance(tableau, n, -1.0, least);
    return crn_tableau_exchange(tableau, row, n, z0 - least, state, direction);
}

void crn_tableau_point(const crn_tableau *tableau, crn_job *job)
{
    for (int j = 0; j < tableau->n; ++j) {
        int place = tableau->z_place[j];
        double value = place >= 0 ? tableau->v[place] : crn_tableau_value(tableau, j);
        job->z[j] = crn_fmin(crn_fmax(value, tableau->l[j]), tableau->u[j]);
        job->basis[j] = place >= 0 ? CRN_LCP_BASIC : tableau->state[j];
    }
}

void crn_tableau_ray(const crn_tableau *tableau, crn_job *job, int e, double direction)
{
    for (int j = 0; j < tableau->n; ++j) {
        int place = tableau->z_place[j];
        job->ray[j] = place >= 0 ? direction * tableau->T[place + (long)e * tableau->n] : 0.0;
    }
    int entering = tableau->nonbasic[e];
    if (entering >= 0 && entering < tableau->n) {
        job->ray[entering] = direction;
    }
}

uint64_t crn_tableau_hash(const crn_tableau *tableau)
{
    uint64_t hash = 0;
    for (int r = 0; r < tableau->n; ++r) {
        hash ^= crn_hash_word(tableau->basic[r]);
        hash ^= tableau->state[r] == CRN_LCP_AT_UPPER ? crn_hash_upper(r) : 0;
    }
    return hash;
}
