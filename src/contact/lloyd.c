/* Lemke's method [L05 s4] on the reduced systems of lloyd_basis.c, with all friction rows or with friction on demand.
 *
 * Step 0  z0 comes in for the pair r with the least w/c; the driving variable is z_r.
 * Step 1  The driving variable grows until a basic one reaches 0; none: a ray.
 * Step 2  If that is z0, the basis is complementary and the problem solved. Otherwise exchange the two; the complement of
 *         the variable that left drives next, and its pair is the new r.
 *
 * At the top of the loop the basis is almost complementary and every basic variable is at least -CRN_LLOYD_SLACK. */
#include "contact/lloyd.h"
#include "contact/lloyd_ratio.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/vec.h"

/* All in scaled units: unit normals, largest free speed 1. */
#define TOL_Z0       1e-11 /* z0 times the largest cover below this: the point solves the problem to that accuracy */
#define TOL_Z0_RAY   4e-10 /* the same where the path ends on a ray: nothing better is to come */
#define TOL_NEGATIVE 1e-8  /* an end with a variable further below 0 is no solution */
enum { PIVOTS_PER_PAIR = 10, PIVOTS_MORE = 300 }; /* our own bound */
enum { COVERS = 4 };                              /* covering vectors tried */

void crn_lloyd_layout(crn_lloyd *lloyd, const crn_system *system, crn_arena *arena)
{
    crn_lloyd_basis_layout(&lloyd->basis, system, arena);
    crn_lloyd_point_layout(&lloyd->point, &lloyd->basis, arena);
    crn_lloyd_point_layout(&lloyd->rate, &lloyd->basis, arena);
    lloyd->mark = CRN_TAKE(arena, unsigned char, lloyd->basis.pairs);
}

/* Cover of a pair: c of nu, sigma or gamma. */
static double cover_of_pair(const crn_lloyd_basis *b, int i, int pair)
{
    const double *cover = b->cover + 3 * i;
    return pair == b->first[i] ? cover[0] : pair == b->first[i + 1] - 1 ? cover[2] : cover[1];
}

/* Step 0: the pair with the least w/c, -1 if no w is negative. */
static int choose_first(const crn_lloyd *lloyd)
{
    const crn_lloyd_basis *b = &lloyd->basis;
    double least = 0.0;
    int best = -1;
    for (int i = 0; i < b->system->contacts; ++i) {
        for (int pair = b->first[i]; pair < crn_lloyd_pairs_end(b, i); ++pair) {
            double ratio = lloyd->point.value[pair] / cover_of_pair(b, i, pair);
            if (ratio < least) {
                least = ratio;
                best = pair;
            }
        }
    }
    return best;
}

/* Friction rows of contact i, and their cover  [L05 app. D]: c = 1, or so much more that the least sigma is z0. */
static void open_friction(crn_lloyd *lloyd, int i)
{
    crn_lloyd_basis *b = &lloyd->basis;
    const double z0 = lloyd->point.z0, *corner = b->corner[i];
    double u[3], least = 0.0;
    crn_lloyd_contact_speed(b, i, lloyd->point.velocity, u);
    u[1] += b->offset[3 * i + 1];
    u[2] += b->offset[3 * i + 2];
    double *value = lloyd->point.value + b->first[i] + 1;
    for (int j = 0; j < b->corners[i]; ++j) {
        value[j] = corner[j] * u[1] + corner[b->corners[i] + j] * u[2];
        least = crn_min(least, value[j]);
    }
    const double cover = least + z0 >= 0.0 ? 1.0 : 1.0 - least / z0;
    for (int j = 0; j < b->corners[i]; ++j) {
        value[j] += cover * z0;
    }
    value[b->corners[i]] = cover * z0; /* gamma; theta is still 0 */
    b->cover[3 * i + 1] = b->cover[3 * i + 2] = cover;
    b->is_open[i] = 1;
    lloyd->largest_cover = crn_max(lloyd->largest_cover, cover);
    lloyd->opened++;
}

/* Least basic variable. */
static double least_value(const crn_lloyd_basis *b, const crn_lloyd_point *point)
{
    double least = 0.0;
    for (int pair = 0; pair < b->pairs; ++pair) {
        least = crn_min(least, point->value[pair]);
    }
    return least;
}

static crn_lcp_outcome judge(const crn_lloyd *lloyd)
{
    return least_value(&lloyd->basis, &lloyd->point) >= -TOL_NEGATIVE ? CRN_LCP_SOLVED : CRN_LCP_STALLED;
}

/* z0 has left at the end of an edge of that length: go there, then solve the complementary basis afresh. The fresh
 * solution counts unless that basis is so ill-conditioned that it is worse. */
static crn_lcp_outcome finish(crn_lloyd *lloyd, crn_lloyd_source driving, double length, crn_run *run)
{
    crn_lloyd_basis *b = &lloyd->basis;
    crn_lloyd_point *point = &lloyd->point, *fresh = &lloyd->rate;
    crn_axpy(b->pairs, length, fresh->value, point->value);
    crn_axpy(b->system->rows, length, fresh->row, point->row);
    point->value[b->r] = length;
    b->is_basic[b->r] = driving == CRN_LLOYD_BY_Z;
    b->r = -1;
    run->pivots++;
    run->refactorizations++;
    if (crn_lloyd_basis_factor(b)) {
        crn_lloyd_basis_solve(b, CRN_LLOYD_POINT, fresh);
        if (least_value(b, fresh) >= crn_min(least_value(b, point), -CRN_LLOYD_SLACK)) {
            crn_lloyd_point other = *point;
            *point = *fresh;
            *fresh = other;
        }
    }
    return judge(lloyd);
}

/* Step 2: the driving variable comes in for that of pair leaving, whose complement drives next. */
static crn_lloyd_source exchange(crn_lloyd_basis *b, crn_lloyd_source driving, int leaving)
{
    bool was_z = b->is_basic[leaving];
    b->is_basic[b->r] = driving == CRN_LLOYD_BY_Z;
    b->is_basic[leaving] = 0;
    b->r = leaving;
    return was_z ? CRN_LLOYD_BY_W : CRN_LLOYD_BY_Z;
}

/* Has the path come back to the basis marked last? Marks are set at pivots 1, 2, 4, 8, ... of the path, so that every
 * cycle is found in the end (Brent's way). */
static bool is_cycle(crn_lloyd *lloyd, crn_lloyd_source driving, int pivot)
{
    const crn_lloyd_basis *b = &lloyd->basis;
    if (pivot == lloyd->mark_next) {
        lloyd->mark_next = pivot < INT_MAX / 2 ? 2 * pivot : INT_MAX;
        lloyd->mark_r = b->r;
        lloyd->mark_driving = driving;
        memcpy(lloyd->mark, b->is_basic, (size_t)b->pairs);
        return false;
    }
    return driving == lloyd->mark_driving && b->r == lloyd->mark_r &&
           memcmp(b->is_basic, lloyd->mark, (size_t)b->pairs) == 0;
}

/* One path from the primary ray on. CRN_LCP_LIMIT also if it goes round. */
static crn_lcp_outcome follow_path(crn_lloyd *lloyd, int max_pivots, crn_run *run)
{
    crn_lloyd_basis *b = &lloyd->basis;
    const int before = run->pivots;
    double length = 0.0;
    lloyd->opened = 0;
    lloyd->mark_next = 1;
    run->refactorizations++;
    if (!crn_lloyd_basis_factor(b)) {
        return CRN_LCP_SINGULAR;
    }
    crn_lloyd_basis_solve(b, CRN_LLOYD_POINT, &lloyd->point);
    b->r = choose_first(lloyd);
    if (b->r < 0) {
        return CRN_LCP_SOLVED;
    }
    crn_lloyd_source driving = CRN_LLOYD_BY_Z;
    while (++run->pivots < max_pivots) {
        run->refactorizations++;
        if (!crn_lloyd_basis_factor(b)) {
            return CRN_LCP_SINGULAR;
        }
        crn_lloyd_basis_solve(b, CRN_LLOYD_POINT, &lloyd->point);
        if (lloyd->point.z0 * lloyd->largest_cover <= TOL_Z0) {
            return judge(lloyd);
        }
        if (is_cycle(lloyd, driving, run->pivots - before)) {
            return CRN_LCP_LIMIT;
        }
        if (driving == CRN_LLOYD_BY_Z && b->r == b->first[b->r_contact] && !b->is_open[b->r_contact]) {
            open_friction(lloyd, b->r_contact);
        }
        crn_lloyd_basis_solve(b, driving, &lloyd->rate);
        int leaving = crn_lloyd_ratio(b->pairs, &lloyd->point, &lloyd->rate, &length);
        if (leaving == CRN_LLOYD_Z0) {
            return finish(lloyd, driving, length, run);
        }
        if (leaving == CRN_LLOYD_NONE) {
            return lloyd->point.z0 * lloyd->largest_cover <= TOL_Z0_RAY ? judge(lloyd) : CRN_LCP_RAY;
        }
        driving = exchange(b, driving, leaving);
    }
    return CRN_LCP_LIMIT;
}

/* Covering values of the next try: 1 at first, then numbers between 1 and 2, one for all sigma of a contact. */
static void set_covers(crn_lloyd *lloyd, int cover)
{
    const double golden = 0.6180339887498949; /* its multiples are spread evenly over (0, 1) */
    crn_lloyd_basis *b = &lloyd->basis;
    lloyd->largest_cover = cover == 0 ? 1.0 : 2.0;
    for (int i = 0; i < 3 * b->system->contacts && cover > 0; ++i) {
        double multiple = golden * (cover + 3.0 * i);
        b->cover[i] = 1.0 + multiple - floor(multiple);
    }
}

/* Paths until one succeeds. One that failed after opening friction rows on its way is followed by one with these rows from
 * the start; one that failed though it was Lemke's own, but for a ray, by one with other covering values. */
static crn_lcp_outcome lemke(crn_lloyd *lloyd, int max_pivots, crn_run *run)
{
    int cover = 0;
    for (;; ++run->restarts) {
        crn_lloyd_basis_restart(&lloyd->basis);
        set_covers(lloyd, cover);
        crn_lcp_outcome outcome = follow_path(lloyd, max_pivots, run);
        if (lloyd->opened == 0) {
            ++cover;
        }
        bool is_final = lloyd->opened == 0 && (outcome == CRN_LCP_RAY || cover == COVERS);
        if (outcome == CRN_LCP_SOLVED || is_final || run->pivots >= max_pivots) {
            return outcome;
        }
    }
}

/* Impulses in the caller's units. */
static void recover(const crn_lloyd *lloyd, double *r, double *l)
{
    const crn_lloyd_basis *b = &lloyd->basis;
    const double *value = lloyd->point.value;
    for (int i = 0; i < b->system->contacts; ++i) {
        const double unit = b->scale[i] * b->speed;
        const int theta = b->first[i];
        double f[3] = {b->is_basic[theta] ? value[theta] : 0.0, 0.0, 0.0};
        for (int j = 0; j < b->corners[i] && b->is_open[i]; ++j) {
            double phi = b->is_basic[theta + 1 + j] ? value[theta + 1 + j] : 0.0;
            f[1] += phi * b->corner[i][j];
            f[2] += phi * b->corner[i][b->corners[i] + j];
        }
        for (int k = 0; k < 3; ++k) {
            r[3 * (size_t)i + (size_t)k] = unit * f[k];
        }
    }
    for (int i = 0; i < b->system->rows; ++i) {
        l[i] = b->row_scale[i] * b->speed * lloyd->point.row[i];
    }
}

void crn_lloyd_solve(crn_lloyd *lloyd, const crn_system *system, bool is_reduced, int max_pivots, double *r, double *l,
                     crn_run *run)
{
    crn_lloyd_basis *b = &lloyd->basis;
    *run = (crn_run){.law = CRN_LAW_COULOMB};
    crn_lloyd_basis_begin(b, system, !is_reduced);
    if (is_reduced) { /* what takes no part stands still */
        memset(lloyd->point.value, 0, (size_t)b->pairs * sizeof(double));
        memset(lloyd->rate.value, 0, (size_t)b->pairs * sizeof(double));
    }
    if (max_pivots <= 0) {
        max_pivots = b->pairs < INT_MAX / (2 * PIVOTS_PER_PAIR) ? PIVOTS_PER_PAIR * b->pairs + PIVOTS_MORE : INT_MAX;
    }
    run->outcome = lemke(lloyd, max_pivots, run);
    if (run->outcome == CRN_LCP_SINGULAR) { /* there is no point that belongs to this basis */
        memset(r, 0, 3 * (size_t)system->contacts * sizeof *r);
        for (int i = 0; i < system->rows; ++i) {
            l[i] = 0.0;
        }
        return;
    }
    recover(lloyd, r, l);
}
