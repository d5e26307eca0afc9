/* The path on contact states from z0 large to z0 = 0; attempts with other shifts; see states.h. */
#include "contact/states.h"

#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/states_kernels.h"
#include "contact/states_path.h"
#include "math/vec.h"

#define ATTEMPTS     12
#define TOL_Z0       1e-11 /* a vertex with z0 below this is an answer: its error is z0 s */
#define TOL_Z0_LATE  1e-10 /* the same from the third attempt on */
#define TOL_Z0_LAST  4e-10 /* from the fifth on, and for rays: opposed contacts squeezing */
#define TOL_ANSWER   2e-10 /* an answer that violates more than this is kept only if no attempt finds a better one */
#define WARM_LIMIT   20
#define HUGE_UNKNOWN 1e4 /* impulses beyond this are refined in double-double at the end */
#define FRESH_EVERY  32  /* pivots between computing v and u afresh: they drift by rounding */

/* How a walk ended. */
typedef enum walk_end { END_ANSWER, END_RAY, END_LOST, END_LIMIT } walk_end;

/* --- Begin --- */

void crn_states_clear_contact(crn_states *s, int contact)
{
    crn_touch *touch = &s->touch[contact];
    touch->kind = CRN_CONTACT_OFF;
    touch->place = -1;
    for (int part = 0; part < 3; ++part) {
        touch->row[part] = touch->column[part] = -1;
    }
    s->is_off[contact] = 1.0;
}

/* A basis of the bilateral rows alone: those that are independent of the ones before, by bordering the inverse. */
void crn_states_begin_joints(crn_states *s)
{
    crn_inverse_reset(&s->inverse, 0);
    for (int r = 0; r < s->rows; ++r) {
        s->joint_row[r] = s->joint_column[r] = -1;
        s->joint_shift[r] = 0.0;
    }
    for (int r = 0; r < s->rows; ++r) {
        if (s->system->row_bound[r] < INFINITY) {
            continue; /* it has a state: states_bound.c */
        }
        memset(s->vector, 0, (size_t)s->dim * sizeof *s->vector);
        for (int p = s->system->row_piece_start[r]; p < s->system->row_piece_start[r + 1]; ++p) {
            crn_axpy(s->row_piece[p].length, 1.0, s->row_piece[p].x, s->vector + s->row_piece[p].first);
        }
        double square = crn_dot(s->dim, s->vector, s->vector);
        int k = s->inverse.k;
        for (int b = 0; b < k; ++b) {
            s->a[b] = crn_states_joint_dot(s, s->row_id[b] - 3 * s->n, s->vector);
        }
        /* dy = -W a, t = a'W (W is symmetric here), pivot = square + a'dy */
        crn_gemv_transposed(k, k, s->inverse.W, s->inverse.ld, s->a, s->t);
        double pivot = square - crn_dot(k, s->a, s->t);
        if (!(pivot > CRN_TOL_DEPENDENT * square) || k + 2 >= s->capacity) {
            continue; /* redundant: it holds with the others or not at all, which the certificate tells */
        }
        for (int b = 0; b < k; ++b) {
            s->dy[b] = -s->t[b];
        }
        crn_inverse_border(&s->inverse, s->dy, s->t, pivot, s->f);
        s->row_id[k] = s->column_id[k] = 3 * s->n + r;
        s->joint_row[r] = s->joint_column[r] = k;
        s->y[k] = 0.0;
    }
}

/* Two corrections reach rounding. */
void crn_states_settle(crn_states *s)
{
    crn_states_refresh(s);
    for (int pass = 0; pass < 2 && s->inverse.k > 0; ++pass) {
        (void)crn_states_point_residual(s);
        crn_scal(s->inverse.k, -1.0, s->a);
        crn_gemv_columns(s->inverse.k, s->inverse.k, s->inverse.W, s->inverse.ld, NULL, s->a, s->y);
        crn_states_refresh(s);
    }
}

/* All contacts off, z0 just large enough. Returns the contact (or bounded row) that touches, -1 if none closes. */
static int begin(crn_states *s)
{
    s->actives = 0;
    s->z0_place = -1;
    s->z0 = s->z0_rate = 0.0;
    for (int i = 0; i < s->n; ++i) {
        crn_states_clear_contact(s, i);
    }
    if (s->bounded > 0) {
        crn_states_begin_bounds(s);
    } else {
        crn_states_begin_joints(s);
        crn_states_settle(s);
    }
    int first = -1;
    double z0 = 0.0;
    for (int i = 0; i < s->n; ++i) {
        if (-s->tau[i] > z0 * s->shift_n[i]) {
            z0 = -s->tau[i] / s->shift_n[i];
            first = i;
        }
    }
    for (int i = 0; i < s->n; ++i) {
        s->tau[i] += z0 * s->shift_n[i];
    }
    s->z0 = z0;
    s->driven = (crn_driven){false, -1, 0};
    return first;
}

/* Put a contact that has just closed into SLIDE or ON. */
static void close_contact(crn_states *s, int contact)
{
    crn_touch *touch = &s->touch[contact];
    crn_touch_dot(touch, s->v, touch->u);
    for (int j = 0; j < 3; ++j) {
        touch->u[j] += touch->offset[j] + s->z0 * touch->shift[j];
        touch->value[j] = 0.0;
    }
    touch->value[0] = touch->low;
    touch->kind = touch->mu > 0.0 ? CRN_CONTACT_SLIDE : CRN_CONTACT_ON;
    int j = touch->mu > 0.0 ? crn_polygon_against(touch->polygon, touch->d, touch->u + 1) : 0;
    crn_states_set_corners(touch, j, j);
    s->is_off[contact] = 0.0;
    s->tau[contact] = 1.0;
}

/* --- Events: the second table of states.h --- */

/* An unknown of the contact has reached 0: it leaves, and its row is driven next. */
static bool release_part(crn_states *s, int contact, int part, double step)
{
    int place = s->touch[contact].column[part];
    if (!crn_states_unknown_blocks(s, place, step)) {
        return false;
    }
    s->driven = (crn_driven){true, contact, part};
    return true;
}

/* A row of the contact has reached 0: it enters, and its unknown is driven next. */
static bool hold_part(crn_states *s, int contact, int part, double rate, double step)
{
    if (!crn_states_row_blocks(s, contact, part, rate, step)) {
        return false;
    }
    s->driven = (crn_driven){false, contact, part};
    return true;
}

/* The contact's own driven unknown takes part in the blocking quantity, which leaves; coordinates become J, K. */
static bool release_own(crn_states *s, int contact, int J, int K, double rate, double step)
{
    int part = s->driven.part;
    if (!crn_states_own_blocks(s, contact, J, K, rate, step)) {
        return false;
    }
    s->driven = (crn_driven){true, contact, part};
    return true;
}

static bool is_driven(const crn_states *s, int contact, int part)
{
    return !s->driven.is_row && s->driven.contact == contact && s->driven.part == part;
}

static bool event_theta(crn_states *s, int contact, double step)
{
    crn_touch *touch = &s->touch[contact];
    touch->kind = CRN_CONTACT_OFF;
    s->is_off[contact] = 1.0;
    s->tau[contact] = touch->u[0];
    return release_part(s, contact, CRN_PART_NORMAL, step);
}

/* A bounded row has come to its upper bound: turned round, that is the lower one. If its impulse was driven it has gone from
 * one bound to the other, and the basis stays. */
static bool event_high(crn_states *s, int contact, double step)
{
    crn_states_turn(s, contact);
    if (!is_driven(s, contact, CRN_PART_NORMAL)) {
        return event_theta(s, contact, step);
    }
    s->touch[contact].kind = CRN_CONTACT_OFF;
    s->is_off[contact] = 1.0;
    s->tau[contact] = s->touch[contact].u[0];
    s->driven = (crn_driven){true, contact, CRN_PART_NORMAL};
    return true;
}

static bool event_neighbour(crn_states *s, int contact, int k, double rate, double step)
{
    crn_touch *touch = &s->touch[contact];
    crn_states_set_corners(touch, touch->j, k);
    touch->kind = CRN_CONTACT_EDGE;
    return hold_part(s, contact, CRN_PART_EDGE, rate, step);
}

/* mu theta - phi of EDGE(j,k) */
static bool event_rest(crn_states *s, int contact, double rate, double step)
{
    crn_touch *touch = &s->touch[contact];
    int j = touch->j, k = touch->k;
    touch->kind = CRN_CONTACT_SLIDE;
    if (is_driven(s, contact, CRN_PART_EDGE)) {
        return release_own(s, contact, k, j, rate, step);
    }
    crn_states_change_corners(s, contact, k, j);
    return release_part(s, contact, CRN_PART_EDGE, step);
}

static bool event_facet(crn_states *s, int contact, int l, double rate, double step)
{
    crn_touch *touch = &s->touch[contact];
    int next = l + 1 < touch->d ? l + 1 : 0;
    touch->kind = CRN_CONTACT_EDGE;
    if (is_driven(s, contact, CRN_PART_CORNER)) {
        return release_own(s, contact, l, next, rate, step);
    }
    crn_states_change_corners(s, contact, l, next);
    return release_part(s, contact, CRN_PART_CORNER, step);
}

/* Pivot on what blocked; false if the basis would become singular. */
static bool pivot(crn_states *s, int block, double step)
{
    double rate = s->tau_rate[block];
    if (s->driven.contact < 0) { /* z0 was falling; what enters the basis is z0 itself, which grows */
        crn_scal(s->inverse.k, -1.0, s->dy);
        rate = -rate;
        step = s->z0;
    }
    if (block < s->n_padded) {
        close_contact(s, block);
        return hold_part(s, block, CRN_PART_NORMAL, rate, step);
    }
    crn_watch watch = s->watch[block - s->n_padded];
    switch (watch.what) {
    case CRN_WATCH_THETA: return event_theta(s, watch.contact, step);
    case CRN_WATCH_HIGH: return event_high(s, watch.contact, step);
    case CRN_WATCH_PHI:
        s->touch[watch.contact].kind = CRN_CONTACT_SLIDE;
        return release_part(s, watch.contact, CRN_PART_EDGE, step);
    case CRN_WATCH_REST: return event_rest(s, watch.contact, rate, step);
    case CRN_WATCH_LAMBDA:
        s->touch[watch.contact].kind = CRN_CONTACT_STICK;
        return hold_part(s, watch.contact, CRN_PART_CORNER, rate, step);
    case CRN_WATCH_NEIGHBOUR: return event_neighbour(s, watch.contact, watch.corner, rate, step);
    case CRN_WATCH_FACET:
    default: return event_facet(s, watch.contact, watch.corner, rate, step);
    }
}

/* --- The walk --- */

/* z0 has reached 0: it leaves the basis, and what was driven stays. */
static void finish(crn_states *s, double step)
{
    crn_states_advance(s, step);
    s->z0 = 0.0;
    if (s->driven.contact < 0) {
        s->is_kept = true;
        return;
    }
    s->is_kept = crn_states_unknown_blocks(s, s->z0_place, step);
    if (!s->is_kept && !s->driven.is_row) { /* the impulses need the driven unknown all the same */
        int place = s->z0_place;
        s->column_id[place] = 3 * s->driven.contact + s->driven.part;
        s->touch[s->driven.contact].column[s->driven.part] = place;
        s->y[place] = crn_states_entering(s, step);
        s->z0_place = -1;
    }
}

static walk_end walk(crn_states *s, int max_pivots, double tol_z0)
{
    s->is_kept = false;
    for (int k = 0; k < max_pivots; ++k) {
        if (s->z0 <= tol_z0) {
            return END_ANSWER;
        }
        if (k % FRESH_EVERY == FRESH_EVERY - 1) {
            crn_states_refresh(s);
        }
        if (!crn_states_direction(s)) {
            return END_LOST;
        }
        crn_states_watch_active(s);
        double step = 0.0;
        int block = crn_states_ratio(s, &step);
        s->run->pivots++;
        if (block == CRN_BLOCK_Z0) {
            finish(s, step);
            return END_ANSWER;
        }
        if (block == CRN_BLOCK_NONE) {
            return s->z0 <= TOL_Z0_LAST ? END_ANSWER : END_RAY;
        }
        if (block == CRN_BLOCK_LOST) {
            return END_LOST;
        }
        int ties = s->trace.tell ? crn_states_ties(s) : 0;
        crn_states_advance(s, step);
        if (!pivot(s, block, step)) {
            return END_LOST;
        }
        if (s->trace.tell) {
            crn_states_tell_pivot(s, block < s->n_padded ? block : s->watch[block - s->n_padded].contact, ties);
        }
        for (int i = 0; i < s->actives; ++i) {
            crn_touch *touch = &s->touch[s->active[i]];
            touch->value[0] = touch->column[0] >= 0 ? s->y[touch->column[0]] : touch->low;
            for (int part = 1; part < 3; ++part) {
                touch->value[part] = touch->column[part] >= 0 ? s->y[touch->column[part]] : 0.0;
            }
        }
    }
    return END_LIMIT;
}

/* --- The answer --- */

crn_contact_state crn_states_shown(const crn_touch *touch)
{
    crn_contact_state state = {touch->kind, 0};
    if (touch->kind == CRN_CONTACT_SLIDE) {
        state.corner = touch->j;
    } else if (touch->kind == CRN_CONTACT_EDGE && touch->d == 2) { /* between the ends of the segment nothing slips */
        state.kind = CRN_CONTACT_STICK;
    } else if (touch->kind == CRN_CONTACT_EDGE) { /* the lower of the two corners, counted round */
        bool is_up = touch->k == touch->j + 1 || (touch->k == 0 && touch->j == touch->d - 1);
        state.corner = is_up ? touch->j : touch->k;
    }
    return state;
}

void crn_states_row_impulses(const crn_states *s, double *l)
{
    for (int row = 0; row < s->rows; ++row) {
        l[row] = s->joint_column[row] >= 0 ? s->unit * s->joint_scale[row] * s->y[s->joint_column[row]] : 0.0;
    }
    for (int b = 0; b < s->bounded; ++b) {
        l[s->bound[b].row] = crn_states_bound_impulse(s, b);
    }
}

/* Impulses in the caller's units. */
static void write_answer(const crn_states *s, double *r, double *l, crn_contact_state *state)
{
    memset(r, 0, 3 * (size_t)s->contacts * sizeof *r);
    for (int i = 0; i < s->actives; ++i) {
        const crn_touch *touch = &s->touch[s->active[i]];
        double x[3], factor = s->unit * touch->scale;
        for (int part = 0; part < 3; ++part) {
            x[part] = touch->column[part] >= 0 ? s->y[touch->column[part]] : 0.0;
        }
        if (x[0] > 0.0 && s->active[i] < s->contacts) {
            double along = touch->mu * x[0] - x[2];
            double *to = r + 3 * (size_t)s->active[i];
            to[0] = factor * x[0];
            to[1] = factor * (along * touch->dj[0] + x[1] * touch->e[0]);
            to[2] = factor * (along * touch->dj[1] + x[1] * touch->e[1]);
        }
    }
    if (s->rows > 0) {
        crn_states_row_impulses(s, l);
    }
    for (int i = 0; i < s->contacts && state; ++i) {
        state[i] = crn_states_shown(&s->touch[i]);
    }
}

static double tol_of_attempt(int attempt)
{
    return attempt < 2 ? TOL_Z0 : attempt < 4 ? TOL_Z0_LATE : TOL_Z0_LAST;
}

/* How much the point at the end violates, with z0 = 0: rows of the basis, and inequalities. */
static double violation(crn_states *s)
{
    crn_states_refresh(s);
    if (crn_max_abs(s->inverse.k, s->y) > HUGE_UNKNOWN) {
        crn_states_polish(s);
    }
    double worst = crn_max(crn_states_point_residual(s), s->z0 * (1.0 + CRN_SHIFT_NORMAL));
    crn_states_watch_active(s);
    for (int i = 0; i < s->n_padded + s->watches; ++i) {
        worst = crn_max(worst, -s->tau[i]);
    }
    return worst;
}

/* One attempt from nothing, with its own shifts. */
static walk_end walk_cold(crn_states *s, int attempt, int limit)
{
    if (s->shifts != attempt) {
        crn_states_choose_shifts(s, attempt);
    }
    int first = begin(s);
    if (s->trace.tell) {
        crn_states_tell_path(s);
    }
    if (first < 0) {
        s->is_kept = true;
        return END_ANSWER;
    }
    /* z0 falls from just above: the first pivot is known. */
    memset(s->dy, 0, (size_t)s->inverse.k * sizeof *s->dy);
    s->tau_rate[first] = -s->shift_n[first];
    if (!pivot(s, first, 0.0)) {
        return END_LOST;
    }
    if (s->trace.tell) {
        crn_states_tell_pivot(s, first, 1);
    }
    return walk(s, limit, tol_of_attempt(attempt));
}

/* One attempt from the guess or the basis that is kept. */
static walk_end walk_warm(crn_states *s, const crn_states_guess *guess, int limit)
{
    s->shifts = -1; /* a warm path has its own */
    if (guess && !crn_states_begin_guess(s, guess)) {
        return END_LOST;
    }
    if (!guess) {
        crn_states_begin_kept(s);
    }
    if (s->trace.tell) {
        crn_states_tell_path(s);
    }
    int patience = WARM_LIMIT + 2 * s->n; /* a longer path than that is better begun afresh */
    return walk(s, patience < limit ? patience : limit, TOL_Z0);
}

/* The frictionless problem first, then friction along the slip that it leaves. */
static walk_end walk_frictionless_first(crn_states *s, int limit)
{
    crn_states_guess guess;
    crn_states_set_friction(s, false);
    walk_end end = walk_cold(s, 0, limit);
    bool is_right = end == END_ANSWER && violation(s) <= TOL_ANSWER && s->z0_place < 0;
    if (is_right) {
        crn_states_guess_friction(s, &guess);
    }
    crn_states_set_friction(s, true);
    return is_right ? walk_warm(s, &guess, limit) : END_LOST;
}

void crn_states_solve(crn_states *s, const crn_states_begin *begin, int max_pivots, double *r, double *l,
                      crn_contact_state *state, crn_run *run)
{
    int limit = max_pivots > 0 ? max_pivots : s->pivots_max;
    int attempts = begin->attempts > 0 ? begin->attempts : ATTEMPTS;
    walk_end end = END_LOST;
    double best = INFINITY;
    bool is_warm = begin->guess || s->is_kept, is_staged = !is_warm && begin->is_frictionless_first;
    memset(run, 0, sizeof *run);
    s->run = run;
    for (int attempt = is_warm || is_staged ? -1 : 0; attempt < attempts && !(best <= TOL_ANSWER); ++attempt) {
        s->may_narrow = attempt <= 0;
        walk_end now = attempt >= 0 ? walk_cold(s, attempt, limit)
                       : is_warm    ? walk_warm(s, begin->guess, limit)
                                    : walk_frictionless_first(s, limit);
        /* A first path that ended as it should is judged by the certificate alone, which is computed anyway. */
        bool is_plain = attempt <= 0 && s->z0_place < 0 && crn_max_abs(s->inverse.k, s->y) <= HUGE_UNKNOWN;
        double worst = now != END_ANSWER ? INFINITY : is_plain ? 0.0 : violation(s);
        worst = s->bounded > 0 ? crn_max(worst, crn_states_narrow_error(s)) : worst;
        if (worst < best || (attempt == 0 && !(best < INFINITY))) {
            write_answer(s, r, l, state);
        }
        best = crn_min(best, worst);
        end = end == END_ANSWER ? end : now;
        run->restarts = attempt > 0 ? attempt : 0;
        run->is_warm = is_warm && attempt < 0;
    }
    if (s->trace.tell && state) {
        crn_states_tell_answer(s, state);
    }
    s->is_kept = s->is_kept && best <= TOL_ANSWER;
    run->outcome = end == END_ANSWER ? CRN_LCP_SOLVED : end == END_RAY ? CRN_LCP_RAY : CRN_LCP_LIMIT;
}
