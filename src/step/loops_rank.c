/* Directions of a mechanism's loops: held, loose, null.
 *
 * Whitened rows Y (a column each) are made orthonormal with one of the longest rests first, Y P = Q R. Where every direction q opens the
 * loops about as fast as it moves them, all of them are held, and they are the rows taken. Else the directions are those of
 *
 *     Y = sum s u w'        u: motion of energy 1/2,  w: how the rows open when it moves, |w| = 1
 *
 * by one-sided Jacobi on the rows of R, which is graded, so that small s have all their digits. With rho the openness of u and
 * rho0 = OPENNESS:
 *
 *     held    rho >= 4 rho0    exactly: projected out, repaired
 *     loose   else             free as far as the clearance goes, of which it has the share phi(rho/rho0): 1 below 1, 0 at 4
 *     null    s or rho is rounding: no motion closes its error
 *
 * Near a singular pose a direction loses its strength. What is held exactly there turns the motion by 90 degrees within a step,
 * or changes branches: so it must not be held for rho below the angle of a step and below the root of the misfit. phi takes the
 * place of hysteresis: where a direction gains strength, its clearance closes while it moves, and nothing jumps. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "step/loops.h"

static const double NULL_LENGTH = 1e-12;  /* of the longest row: what is left of a row that others make up */
static const double NULL_OPENNESS = 1e-9; /* rows of linkages that are planar but for rounding: 1e-10 and less */
static const double OPENNESS = 0.03;      /* rho0: cranks pass their line with least loss, on the same branch */
static const double OPENNESS_PER_CLEARANCE = 3.0; /* rho0 is at least so many clearances */
static const double BAND = 4.0;                   /* times rho0: held from here on */
static const double SHARE_LEAST = 1e-3;           /* of a clearance of 3e-4 is about the repair's tolerance: held */
static const double SAFE_BAND = 1.5;              /* times BAND: openness of pivots is not quite that of directions */
static const double CLEAR_PIVOT = 0.3;            /* of the first: such pivots are not asked for their openness */
/* Times that: such openness does not fall to it while links turn by no more than in a part of the drift [trees_drift.c], or by
 * repairs. So until the next part no pivot is asked that is about as long as one that was so wide open. */
static const double WIDE = 2.0;
static const double ABOUT = 0.9;
/* Of the longest rest: the first row with as much is taken. In their order neighbours of a chain stay together, and far ones
 * do not meet. */
static const double LONG_ENOUGH = 0.5;
static const double CANCELLED = 1e-2;       /* of its square: a row with less left is made orthogonal once more ... */
static const double RECOMPUTE_BELOW = 1e-2; /* ... and its length computed again, not by subtracting squares */
static const double ORTHOGONAL = 1e-15;     /* cosine of directions that Jacobi leaves alone */
enum { SWEEPS_MOST = 30 };                  /* 2 to 4 are usual */

static double *row_of(double *matrix, int i, int columns)
{
    return matrix + (size_t)i * (size_t)columns;
}

/* --- Y P = Q R --- */

typedef struct factor {
    crn_step_closure *c;
    int n;          /* velocities */
    double *square; /* of what is left of each row ... */
    double *known;  /* ... when it was last computed */
    double *whole;  /* of the row as it was */
    double longest; /* of all rows */
} factor;

static void swap_rows(double *a, double *b, int n)
{
    for (int k = 0; k < n; ++k) {
        double keep = a[k];
        a[k] = b[k];
        b[k] = keep;
    }
}

/* Bring the first row whose rest is long enough to place i; its square length. */
static double bring_longest(factor *f, int i)
{
    crn_step_closure *c = f->c;
    int best = i;
    double longest = 0.0;
    for (int j = i; j < c->rows; ++j) {
        longest = crn_max(longest, f->square[j]);
    }
    while (f->square[best] < LONG_ENOUGH * LONG_ENOUGH * longest) {
        best++;
    }
    if (best != i) {
        int keep = c->order[i];
        c->order[i] = c->order[best];
        c->order[best] = keep;
        swap_rows(&f->square[i], &f->square[best], 1);
        swap_rows(&f->known[i], &f->known[best], 1);
        swap_rows(&f->whole[i], &f->whole[best], 1);
        uint64_t trees = c->trees[i];
        c->trees[i] = c->trees[best];
        c->trees[best] = trees;
        swap_rows(row_of(c->Q, i, f->n), row_of(c->Q, best, f->n), f->n);
    }
    return f->square[i];
}

/* Make row i a unit vector, orthogonal once more to those before: R gets what that takes. */
static void finish_direction(factor *f, int i)
{
    crn_step_closure *c = f->c;
    double *q = row_of(c->Q, i, f->n);
    for (int j = 0; j < i && f->square[i] < CANCELLED * f->whole[i]; ++j) {
        const double *other = row_of(c->Q, j, f->n);
        double part = crn_dot(f->n, other, q);
        crn_axpy(f->n, -part, other, q);
        row_of(c->W, j, c->rows)[c->order[i]] += part;
    }
    double length = sqrt(crn_dot(f->n, q, q));
    crn_scal(f->n, 1.0 / length, q);
    row_of(c->W, i, c->rows)[c->order[i]] = length;
}

/* Take direction i out of all rows that are left. */
static void take_out(factor *f, int i)
{
    crn_step_closure *c = f->c;
    const double *q = row_of(c->Q, i, f->n);
    for (int j = i + 1; j < c->rows; ++j) {
        if (!(c->trees[i] & c->trees[j])) {
            continue;
        }
        double *rest = row_of(c->Q, j, f->n);
        double part = crn_dot(f->n, q, rest);
        c->trees[j] |= c->trees[i];
        crn_axpy(f->n, -part, q, rest);
        row_of(c->W, i, c->rows)[c->order[j]] = part;
        f->square[j] -= part * part;
        if (f->square[j] < RECOMPUTE_BELOW * f->known[j]) {
            f->square[j] = f->known[j] = crn_dot(f->n, rest, rest);
        }
    }
}

/* Q and R (into W, rows in their own order); the rank. */
static int factorise(crn_step_closure *c, int n)
{
    factor f = {c, n, c->scratch, c->open, c->share, 0.0}; /* all of them are filled later */
    int rank = 0, most = c->rows < n ? c->rows : n;
    memcpy(c->Q, c->Y, (size_t)c->rows * (size_t)n * sizeof *c->Q);
    for (int j = 0; j < c->rows; ++j) {
        c->order[j] = j;
        f.square[j] = f.known[j] = f.whole[j] = crn_dot(n, row_of(c->Q, j, n), row_of(c->Q, j, n));
        f.longest = crn_max(f.longest, f.square[j]);
    }
    while (rank < most && bring_longest(&f, rank) > NULL_LENGTH * NULL_LENGTH * f.longest) {
        memset(row_of(c->W, rank, c->rows), 0, (size_t)c->rows * sizeof *c->W);
        finish_direction(&f, rank);
        take_out(&f, rank);
        rank++;
    }
    return rank;
}

/* --- Are the rows taken all strong? --- */

static double openness_of(const crn_stepper *s)
{
    return crn_fmax(OPENNESS, OPENNESS_PER_CLEARANCE * crn_loops_clearance(&s->def));
}

/* Is it to be asked how fast it opens the loops? All rows may be rounding: the first one always is. */
static bool is_in_doubt(const crn_step_closure *c, int i, double pivot)
{
    bool is_short = i == 0 || pivot < CLEAR_PIVOT * row_of(c->W, 0, c->rows)[c->order[0]];
    return is_short && !(c->wide > 0.0 && pivot >= ABOUT * c->wide);
}

static bool is_every_pivot_strong(crn_stepper *s, crn_step_mechanism *m, int rank)
{
    crn_step_closure *c = &m->closure;
    double least = SAFE_BAND * BAND * openness_of(s), least_wide = c->wide > 0.0 ? c->wide : INFINITY;
    bool is_strong = true, is_wide = true;
    for (int i = 0; i < rank && is_strong; ++i) {
        double pivot = row_of(c->W, i, c->rows)[c->order[i]];
        if (is_in_doubt(c, i, pivot)) {
            double opening = c->is_angle[c->order[i]] ? CRN_LOOP_PIN * pivot : pivot;
            double needed = least * crn_loops_pin_speed(s, m, row_of(c->Q, i, m->whitened), c->trees[i]);
            is_strong = opening >= needed;
            is_wide = is_wide && opening >= WIDE * needed;
            least_wide = crn_min(least_wide, pivot);
        }
    }
    c->wide = is_strong && is_wide && least_wide < INFINITY ? least_wide : 0.0;
    return is_strong;
}

/* Error of a row that is not taken, less what it is off with those that are: e2 - R12' R11^-T e1. z: R11^-T e1. */
static double row_misfit(const crn_step_closure *c, int rank, int row, const double *z)
{
    double error = c->error[row];
    for (int i = 0; i < rank; ++i) {
        error -= row_of(c->W, i, c->rows)[row] * z[i];
    }
    return error;
}

/* Do the rows that are not taken fit? If not, which ones are taken would decide where the mechanism is. */
static bool is_fitting(const crn_stepper *s, crn_step_closure *c, int rank)
{
    double tolerance = crn_repair_tolerance(&s->def), *z = c->scratch;
    for (int i = 0; i < rank; ++i) {
        z[i] = row_misfit(c, i, c->order[i], z) / row_of(c->W, i, c->rows)[c->order[i]];
    }
    bool is_fine = true;
    for (int j = rank; j < c->rows && is_fine; ++j) {
        int row = c->order[j];
        is_fine = fabs(row_misfit(c, rank, row, z)) * c->unit[row] <= tolerance;
    }
    return is_fine;
}

/* Held: the rows taken. */
static void hold_rows(crn_step_closure *c, int rank)
{
    c->is_turned = false;
    c->held = rank;
    c->loose = 0;
    for (int i = 0; i < rank; ++i) {
        const double *R = row_of(c->W, i, c->rows);
        double *T = row_of(c->T, i, c->most);
        for (int j = i; j < rank; ++j) {
            T[j] = R[c->order[j]];
        }
        c->share[i] = 0.0;
    }
}

/* --- Y = sum s u w' --- */

static void rotate(double *a, double *b, int n, double cosine, double sine)
{
    for (int k = 0; k < n; ++k) {
        double keep = a[k];
        a[k] = cosine * keep - sine * b[k];
        b[k] = sine * keep + cosine * b[k];
    }
}

/* Make rows p and q of R orthogonal; the motions turn with them. True if they were not. */
static bool turn_pair(crn_step_closure *c, int n, int p, int q)
{
    double *a = row_of(c->W, p, c->rows), *b = row_of(c->W, q, c->rows);
    double aa = crn_dot(c->rows, a, a), bb = crn_dot(c->rows, b, b), ab = crn_dot(c->rows, a, b);
    if (fabs(ab) <= ORTHOGONAL * sqrt(aa * bb)) {
        return false;
    }
    double zeta = (bb - aa) / (2.0 * ab);
    double tangent = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    double cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = cosine * tangent;
    rotate(a, b, c->rows, cosine, sine);
    rotate(row_of(c->Q, p, n), row_of(c->Q, q, n), n, cosine, sine);
    return true;
}

static void turn_directions(crn_step_closure *c, int n, int rank)
{
    bool is_turned = true;
    for (int sweep = 0; sweep < SWEEPS_MOST && is_turned; ++sweep) {
        is_turned = false;
        for (int p = 0; p < rank; ++p) {
            for (int q = p + 1; q < rank; ++q) {
                is_turned = turn_pair(c, n, p, q) || is_turned;
            }
        }
    }
}

/* Share of the clearance that a direction of this openness has; 0: it is held. */
static double share_of(double x)
{
    double share = x <= 1.0 ? 1.0 : 1.0 - crn_log(x) / crn_log(BAND);
    return share < SHARE_LEAST ? 0.0 : share;
}

/* Openness of direction i, w being unit and s its strength. */
static double openness(crn_stepper *s, const crn_step_mechanism *m, int i, double strength)
{
    const crn_step_closure *c = &m->closure;
    double opening = strength * crn_loops_opening(s, m, row_of(c->W, i, c->rows));
    double speed = crn_loops_pin_speed(s, m, row_of(c->Q, i, m->whitened), UINT64_MAX);
    return speed > 0.0 ? opening / speed : INFINITY;
}

static void swap_directions(crn_step_closure *c, int n, int i, int j)
{
    if (i != j) {
        swap_rows(row_of(c->W, i, c->rows), row_of(c->W, j, c->rows), c->rows);
        swap_rows(row_of(c->Q, i, n), row_of(c->Q, j, n), n);
        swap_rows(&c->share[i], &c->share[j], 1);
        swap_rows(&c->scratch[i], &c->scratch[j], 1);
    }
}

/* Classes of all directions: held ones first, then loose ones, null ones are forgotten. strength is in scratch. */
static void classify(crn_stepper *s, crn_step_mechanism *m, int rank)
{
    crn_step_closure *c = &m->closure;
    double least = openness_of(s), *strength = c->scratch;
    bool is_exact = !(crn_loops_clearance(&s->def) > 0.0);
    int count = 0;
    for (int i = 0; i < rank; ++i) {
        double *w = row_of(c->W, i, c->rows);
        strength[i] = sqrt(crn_dot(c->rows, w, w));
        crn_scal(c->rows, 1.0 / strength[i], w);
        double rho = openness(s, m, i, strength[i]);
        c->share[i] = is_exact ? 0.0 : share_of(rho / least);
        if (rho >= NULL_OPENNESS) {
            swap_directions(c, m->whitened, count++, i);
        }
    }
    c->held = 0;
    for (int i = 0; i < count; ++i) {
        if (c->share[i] == 0.0) {
            swap_directions(c, m->whitened, c->held++, i);
        }
    }
    c->loose = count - c->held;
}

/* Y of held directions is Q T; of loose ones Q keeps Y w. */
static void finish_turned(crn_step_closure *c, int n)
{
    const double *strength = c->scratch;
    c->is_turned = true;
    for (int i = 0; i < c->held; ++i) {
        double *T = row_of(c->T, i, c->most);
        for (int j = i; j < c->held; ++j) {
            T[j] = i == j ? strength[i] : 0.0;
        }
    }
    for (int i = c->held; i < c->held + c->loose; ++i) {
        crn_scal(n, strength[i], row_of(c->Q, i, n));
    }
}

void crn_loops_rank(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    int n = m->whitened, rank = factorise(c, n);
    if (is_every_pivot_strong(s, m, rank) && is_fitting(s, c, rank)) {
        hold_rows(c, rank);
        return;
    }
    turn_directions(c, n, rank);
    classify(s, m, rank);
    finish_turned(c, n);
}

void crn_loops_turn(crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    int n = m->whitened, rank = factorise(c, n);
    turn_directions(c, n, rank);
    for (int i = 0; i < rank; ++i) {
        double *w = row_of(c->W, i, c->rows);
        c->scratch[i] = sqrt(crn_dot(c->rows, w, w));
        crn_scal(c->rows, 1.0 / c->scratch[i], w);
        c->share[i] = 0.0;
    }
    c->held = rank;
    c->loose = 0;
    finish_turned(c, n);
}

/* --- The same directions in another metric --- */

double crn_loops_along(const crn_step_closure *c, int direction, const double *row)
{
    if (!c->is_turned) {
        return row[c->order[direction]];
    }
    return crn_dot(c->rows, row_of(c->W, direction, c->rows), row);
}

/* y := Y w */
static void direction_column(const crn_step_closure *c, int n, int direction, double *y)
{
    if (!c->is_turned) {
        memcpy(y, row_of(c->Y, c->order[direction], n), (size_t)n * sizeof *y);
        return;
    }
    const double *w = row_of(c->W, direction, c->rows);
    memset(y, 0, (size_t)n * sizeof *y);
    for (int r = 0; r < c->rows; ++r) {
        crn_axpy(n, w[r], row_of(c->Y, r, n), y);
    }
}

/* Make column i of the held directions orthonormal to those before (Gram and Schmidt, twice). */
static void orthogonalise(crn_step_closure *c, int n, int i)
{
    double *q = row_of(c->Q, i, n), length = sqrt(crn_dot(n, q, q));
    for (int j = 0; j < i; ++j) {
        row_of(c->T, j, c->most)[i] = 0.0;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < i; ++j) {
            const double *other = row_of(c->Q, j, n);
            double part = crn_dot(n, other, q);
            crn_axpy(n, -part, other, q);
            row_of(c->T, j, c->most)[i] += part;
        }
    }
    double rest = sqrt(crn_dot(n, q, q));
    bool is_dependent = !(rest > NULL_LENGTH * length); /* springs so stiff that masses are rounding */
    row_of(c->T, i, c->most)[i] = is_dependent ? INFINITY : rest;
    crn_scal(n, is_dependent ? 0.0 : 1.0 / rest, q);
}

void crn_loops_turn_metric(crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    int n = m->whitened;
    for (int i = 0; i < c->held + c->loose; ++i) {
        direction_column(c, n, i, row_of(c->Q, i, n));
        if (i < c->held) {
            orthogonalise(c, n, i);
        }
    }
}
