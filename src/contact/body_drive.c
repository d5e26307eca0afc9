/* Which method when.
 *
 *     convex law    the impulses given will do -> Newton from them -> interior point -> Newton
 *     Coulomb       the impulses given will do -> Alart-Curnier Newton from them -> convex law, Newton from its impulses -> descent on
 *                   Coulomb's law from near the best so far, Newton -> its central path, taken up where the descent was, and others,
 *                   followed from far out, Newton. In a step, and in a large island with a start, the convex law comes last. If all
 *                   fail: what came near, unsolved, or the convex solution, labelled as such
 *
 * "Will do" is judged by the certificate with the offsets as given, whatever the methods worked with. */
#include "contact/body_drive.h"

#include <math.h>
#include <string.h>

#include "contact/body_check.h"
#include "contact/friction_cone.h"
#include "contact/body_coulomb.h"
#include "contact/body_descent.h"
#include "contact/body_ipm.h"
#include "contact/body_newton.h"
#include "contact/body_path.h"
#include "contact/body_ray.h"
#include "math/vec.h"

enum {
    NEAR_FACTORIZATIONS = 5,     /* Newton from a start that is near gives up after these */
    TOWARDS_FACTORIZATIONS = 10, /* the same on the way to Coulomb's law: impulses near the start */
    TINY = 6,                    /* contacts: with so few Newton's method is the shorter way from any start */
    COLD_FACTORIZATIONS = 5,     /* from nothing: "all contacts stick" is right soon or never */
    FINAL_FACTORIZATIONS = 30,   /* after the interior point, which as a rule needs a handful */
    SURE_FACTORIZATIONS = 100,   /* from r = 0, when all else has failed */
    COULOMB_FIRST = 8,           /* the same for Coulomb's law: from where it is near enough a handful will do, ... */
    COULOMB_FACTORIZATIONS = 40, /* ... but in a small island they cost little */
    CREEP_FACTORIZATIONS = 25,
    LEVEL_FACTORIZATIONS = 12, /* a handful as a rule */
    DESCENT_MOST = 200,        /* factorisations of a descent: mostly 20 to 100 */
    PATH_MOST =
        1000, /* factorisations along central paths: nine in ten end in 60 to 300, with masses 1 : 1000 in 200 to 600 */
    PATH_LEAST = 200 /* what each of several paths must be given: with less few end, as in piles of a thousand */
};
static const double ATTEMPT_SHARE = 0.1, ATTEMPT_NEAR = 1e-3; /* Newton alone goes on: gained, and near enough */
static const double INSIDE_NEAR = 1e-3; /* a certificate of the interior point from which Newton is worth a trial */
static const double CREEP_NEAR = 1e-5;  /* and from which it is worth while to follow a plateau */
static const double LEVEL_NEAR =
    5.0;                             /* of tol: a plateau so low may be good enough but for how its errors are shared */
static const double OFF_SHARE = 0.1; /* of the items may be off in a start that Newton is to mend */
static const double KAPPA_TRUST = 1.0; /* first penalty times the certificate of the start */
static const double AIM_WARM = 0.001;  /* of tol: when iterating go further, so that the next steps need none */
static const double AIM_FINAL = 0.5;   /* of tol: room for the dead band */

void crn_bodies_layout(crn_bodies *b, const crn_system *system, crn_arena *arena)
{
    crn_body_system *s = &b->system;
    crn_body_system_layout(s, system, arena);
    crn_block_matrix_layout(&b->matrix, &s->pattern, true, arena);
    double **items[] = {&b->offset, &b->r,    &b->u,      &b->y,       &b->p,  &b->w,
                        &b->held,   &b->best, &b->convex, &b->coulomb, &b->ray};
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i) {
        *items[i] = CRN_TAKE(arena, double, s->length);
    }
    double **velocities[] = {&b->v, &b->gradient, &b->step, &b->held_v};
    for (size_t i = 0; i < sizeof velocities / sizeof *velocities; ++i) {
        *velocities[i] = CRN_TAKE(arena, double, s->dof);
    }
    b->mu = CRN_TAKE(arena, double, s->contacts);
    b->rho = CRN_TAKE(arena, double, s->contacts + s->rows);
    b->share = CRN_TAKE(arena, double, s->contacts);
    b->emphasis = CRN_TAKE(arena, double, s->contacts + s->rows);
    b->A = CRN_TAKE(arena, double, 9 * (size_t)s->contacts);
    b->weight = CRN_TAKE(arena, double, s->rows);
    b->piece = CRN_TAKE(arena, unsigned char, s->contacts + s->rows);
    b->factor_piece = CRN_TAKE(arena, unsigned char, s->contacts + s->rows);
    b->cone = CRN_TAKE(arena, crn_body_cone_state, s->contacts);
    b->box = CRN_TAKE(arena, crn_body_box_state, s->bounded);
    crn_body_direction *directions[] = {&b->tangent, &b->curve,   &b->correction, &b->from, &b->mark,
                                        &b->kept[0], &b->kept[1], &b->kept[2],    &b->lap};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; ++i) {
        *directions[i] =
            (crn_body_direction){CRN_TAKE(arena, double, s->dof), CRN_TAKE(arena, double, 3 * (size_t)s->contacts),
                                 CRN_TAKE(arena, double, 3 * (size_t)s->contacts), CRN_TAKE(arena, double, s->length),
                                 CRN_TAKE(arena, crn_body_box_state, s->bounded)};
    }
    crn_anderson_layout(&b->anderson, s->length, arena);
    b->is_loaded = false;
    b->start_share = 1.0;
    b->is_brief = false;
    b->paths = 1;
    b->factor_kappa = 0.0;
    b->kappa = INFINITY;
}

void crn_bodies_load(crn_bodies *b, const crn_system *system)
{
    crn_body_system_load(&b->system, system);
    b->is_loaded = true;
    b->factor_kappa = 0.0;
}

/* --- Work --- */

/* Counted by what was done, never by the clock: the same bits on every machine. A factor's panel of s columns and h rows
 * takes s h^2, LU twice that; a step of Newton's method two triangular solves and some passes over the contacts. */
static const double PASS_COST = 300.0;     /* one contact in a Newton step: products, projections, search */
static const double ASSEMBLY_COST = 500.0; /* one contact in the matrix */

/* What may go into Coulomb's law besides the solution of the convex law, which is the answer if all fails. */
static const double LEAST_WORK = 4e8;     /* Newton from the convex law's impulses: about 0.1 s */
static const double SMALL_STEPS = 200.0;  /* an island for which LEAST_WORK buys so many of Newton's steps is small: */
static const double WARM_SHARE = 0.5;     /* it may spend this share before the convex law is tried ... */
static const double WARM_CONVEX = 10.0;   /* ... and others so many of the convex law's steps */
static const double DESCENT_LEAST = 0.01; /* certificate: a descent begins no nearer */
static const double PATH_WARM = 8e9,
                    PATH_COLD = 2e10; /* along the central path: with a start or in a simulation, and from nothing */
static const double PATH_SHARE =
    10.0; /* it begins with slacks of so many U where it does not begin at the convex law's */
static const double PATH_EACH = 0.75; /* of it, for each of several paths: shorter ones fail */
/* Impulses over velocities: with more, as in walls of bricks, other paths end in 9 of 55 cases and levelling does not pay; in pours of
 * spheres there are 1.1, and other paths end in two of three. */
static const double REDUNDANT = 2.0;
enum { PARTINGS = 2 };
static const double PARTING[PARTINGS] = {1e-2,
                                         1e-5}; /* speeds at which a motion shall part all contacts, as shares of U; */
static const double PARTING_SHARE = 1e-2; /* residuals of the interior point that looks for it, as a share of that, */
static const double PARTING_ROWS = 0.1;   /* and what rows may be off by */

static void count_costs(crn_bodies *b)
{
    const crn_block_pattern *p = &b->system.pattern;
    double factor = 0.0, items = b->system.contacts + b->system.rows;
    for (int k = 0; k < p->n; ++k) {
        factor += (double)p->size[k] * p->height[k] * p->height[k];
    }
    b->factor_cost = factor + ASSEMBLY_COST * items;
    b->step_cost = 4.0 * (double)crn_block_values_count(p) + PASS_COST * items;
}

static double work(const crn_bodies *b)
{
    return (b->factorizations + b->unsymmetric) * b->factor_cost + b->iterations * b->step_cost;
}

/* One step of Newton's method on Coulomb's law, with a fresh factor. */
static double coulomb_cost(const crn_bodies *b)
{
    return 2.0 * b->factor_cost + b->step_cost;
}

/* Operations left for attempts at Coulomb's law. */
static double left(const crn_bodies *b)
{
    return crn_max(0.0, b->limit - work(b));
}

/* How many of something that takes `cost` are left, at most `wanted` if that is any. */
static int affordable(const crn_bodies *b, double cost, int wanted)
{
    double most = crn_min(left(b) / crn_max(cost, 1.0), wanted);
    return (int)crn_max(most, 0.0);
}

static bool is_small(const crn_bodies *b)
{
    return SMALL_STEPS * coulomb_cost(b) <= LEAST_WORK;
}

/* Limit before the convex law is solved. */
static double warm_limit(const crn_bodies *b)
{
    return is_small(b) ? WARM_SHARE * LEAST_WORK : WARM_CONVEX * (b->factor_cost + b->step_cost);
}

/* --- The convex law --- */

static double convex_certificate(crn_bodies *b)
{
    return crn_body_check(b, CRN_LAW_CONVEX, b->system.offset);
}

/* Newton from r, whose certificate with the offsets worked with, just taken, is `start`: the nearer, the larger the first
 * penalty. */
static bool newton(crn_bodies *b, double start, double accept, double aim, int factorizations)
{
    crn_newton_plan plan = {accept, aim, crn_max(CRN_KAPPA_FIRST, KAPPA_TRUST / start), factorizations, start};
    (void)crn_body_newton(b, &plan);
    return convex_certificate(b) <= b->tol;
}

/* The first attempt, where it is likely to lead somewhere: from a start that is near, or right but for a few items; and
 * from nothing, where a stack's contacts all stick. On the way to Coulomb's law always, but in large piles: Newton leaves impulses near their
 * start, the interior point in the middle of all that give the same motion. */
static bool newton_from_here(crn_bodies *b, bool has_start)
{
    double start = crn_body_check(b, CRN_LAW_CONVEX, b->offset);
    bool is_near = b->system.contacts <= TINY || start <= CRN_BODIES_NEAR ||
                   b->off <= OFF_SHARE * (b->system.contacts + b->system.rows);
    if (has_start && !is_near && !(b->is_for_coulomb && is_small(b))) {
        return false;
    }
    int most = !has_start ? COLD_FACTORIZATIONS : b->is_for_coulomb ? TOWARDS_FACTORIZATIONS : NEAR_FACTORIZATIONS;
    return newton(b, start, b->tol, AIM_WARM * b->tol, most);
}

/* Interior point from r, or cold, and Newton. */
static bool from_inside(crn_bodies *b, bool is_cold)
{
    crn_ipm_plan inside = {is_cold, CRN_IPM_LEAST, CRN_IPM_MOST, 0.0};
    if (!crn_body_interior_point(b, &inside)) {
        return false;
    }
    double start = crn_body_check(b, CRN_LAW_CONVEX, b->offset), aim = AIM_FINAL * b->tol;
    return newton(b, start, aim, aim, FINAL_FACTORIZATIONS);
}

/* Keep r in `best` if it certifies better than what is there; the better of both. `convex` is not touched: it is the answer
 * if Coulomb's law is not reached. */
static double keep_better(crn_bodies *b, double best)
{
    double certificate = convex_certificate(b);
    if (certificate < best) {
        memcpy(b->best, b->r, (size_t)b->system.length * sizeof *b->r);
        return certificate;
    }
    return best;
}

/* From wherever r is. Extreme mass ratios defeat the interior point; then from r = 0, where Newton is slow but sure. */
static bool from_anywhere(crn_bodies *b)
{
    size_t items = (size_t)b->system.length * sizeof *b->r;
    double best = INFINITY;
    for (int attempt = 0; attempt < 2; ++attempt) {
        bool is_cold = attempt > 0 || b->is_for_coulomb;
        if (from_inside(b, is_cold)) {
            return true;
        }
        best = keep_better(b, best);
        memset(b->r, 0, items);
    }
    /* What was nearly right may only need more patience; else from r = 0. */
    if (best < CRN_BODIES_NEAR) {
        memcpy(b->r, b->best, items);
    }
    double start = crn_body_check(b, CRN_LAW_CONVEX, b->offset);
    if (newton(b, start, AIM_FINAL * b->tol, AIM_FINAL * b->tol, SURE_FACTORIZATIONS)) {
        return true;
    }
    if (best < CRN_BODIES_NEAR && keep_better(b, best) == best) {
        memcpy(b->r, b->best, items); /* unsolved, but no worse than an earlier attempt left it */
    }
    return false;
}

/* Solve the convex law from b->r. */
static bool solve_convex(crn_bodies *b, bool has_start, bool *is_warm)
{
    crn_body_set_offsets(b);
    *is_warm = has_start;
    if (convex_certificate(b) <= b->start_share * b->tol || newton_from_here(b, has_start)) {
        return true;
    }
    *is_warm = false;
    return from_anywhere(b);
}

/* --- Coulomb's law --- */

/* Certificate of r for Coulomb's law with the offsets as given; the best r so far is kept. */
static double remember(crn_bodies *b)
{
    double certificate = crn_body_check(b, CRN_LAW_COULOMB, b->system.offset);
    if (certificate < b->reached) {
        b->reached = certificate;
        memcpy(b->coulomb, b->r, (size_t)b->system.length * sizeof *b->r);
    }
    return certificate;
}

static void recall(crn_bodies *b)
{
    memcpy(b->r, b->coulomb, (size_t)b->system.length * sizeof *b->r);
}

/* Alart-Curnier Newton from r; its certificate. */
static double coulomb_from_here(crn_bodies *b, int factorizations)
{
    int most = affordable(b, coulomb_cost(b), factorizations);
    crn_newton_plan plan = {b->tol, AIM_WARM * b->tol, 0.0, most, 0.0};
    (void)crn_body_alart_curnier(b, &plan);
    return remember(b);
}

/* Are there far more impulses than velocities? */
static bool is_redundant(const crn_bodies *b)
{
    return b->system.length > REDUNDANT * b->system.dof;
}

/* From the best so far, if that is off by little: its errors shared better. */
static double coulomb_level(crn_bodies *b)
{
    int most = affordable(b, coulomb_cost(b), LEVEL_FACTORIZATIONS);
    recall(b);
    (void)crn_body_level(b, &(crn_newton_plan){b->tol, b->tol, 0.0, most, 0.0});
    return remember(b);
}

/* Short attempts while they lead nearer by an order. */
static double coulomb_attempt(crn_bodies *b)
{
    int more = is_small(b) ? COULOMB_FACTORIZATIONS : COULOMB_FIRST;
    double before = is_small(b) ? INFINITY : b->reached, now = coulomb_from_here(b, COULOMB_FIRST);
    while (now > b->tol && now <= ATTEMPT_SHARE * before && now < ATTEMPT_NEAR && left(b) >= coulomb_cost(b)) {
        before = now;
        now = coulomb_from_here(b, more);
    }
    bool is_low = now > b->tol && b->reached <= LEVEL_NEAR * b->tol;
    return is_low && !is_redundant(b) ? coulomb_level(b) : now;
}

/* From what is near but for what balances itself. */
static double coulomb_creep(crn_bodies *b)
{
    crn_newton_plan plan = {b->tol, AIM_WARM * b->tol, 0.0, affordable(b, coulomb_cost(b), CREEP_FACTORIZATIONS), 0.0};
    (void)crn_body_creep(b, &plan);
    return remember(b);
}

/* The best so far, if it is near. */
static bool plateau(crn_bodies *b)
{
    recall(b);
    return b->reached <= CREEP_NEAR && coulomb_creep(b) <= b->tol;
}

/* Inside the cones all contacts carry something: what is 0 in the end is made so, where a contact parts faster than it carries. */
static void open_idle(crn_bodies *b)
{
    (void)crn_body_check(b, CRN_LAW_COULOMB, b->offset); /* u belongs to r now */
    for (int c = 0; c < b->system.contacts; ++c) {
        double *r = b->r + 3 * (long)c;
        if (r[0] * b->system.delta[c] < b->u[3 * (long)c]) {
            memset(r, 0, 3 * sizeof *r);
        }
    }
}

/* Newton from where a way through the inside ended, if that is near; also if it would do: the next steps start from these impulses. */
static bool coulomb_finish(crn_bodies *b)
{
    crn_body_project(b, b->r);
    open_idle(b);
    double certificate = remember(b);
    if (certificate <= INSIDE_NEAR) {
        certificate = crn_min(certificate, coulomb_attempt(b));
    }
    if (certificate > b->tol && certificate <= CREEP_NEAR && is_small(b)) {
        certificate = coulomb_creep(b);
    }
    if (certificate <= b->tol) {
        recall(b);
    }
    return certificate <= b->tol;
}

/* Newton from the points that a way through the inside offers, in turn. Farther along it succeeds sooner than by more steps from here; so
 * a plateau is followed from the best point, when the way has ended. */
static bool descend(crn_bodies *b)
{
    int last = b->factorizations + DESCENT_MOST;
    recall(b);
    crn_body_descent way = crn_body_descent_begin(b, DESCENT_LEAST);
    while (crn_body_descent_follow(&way, b, last - b->factorizations)) {
        if (coulomb_finish(b)) {
            return true;
        }
    }
    return plateau(b);
}

static bool walk(crn_bodies *b, crn_body_path *path)
{
    int last = b->factorizations + PATH_MOST;
    while (crn_body_path_follow(path, b, affordable(b, coulomb_cost(b), last - b->factorizations))) {
        if (coulomb_finish(b)) {
            return true;
        }
    }
    return plateau(b);
}

/* From the beginning: that of the convex law's path, or if there is none, far out. */
static bool walk_from_beginning(crn_bodies *b, int way)
{
    crn_body_path path = crn_body_path_begin(b, way);
    if (walk(b, &path)) {
        return true;
    }
    if (!path.is_convex || left(b) <= 0.0) {
        return false;
    }
    path = crn_body_path_begin_far(b, PATH_SHARE, way);
    return walk(b, &path);
}

/* From the last point of it that the descent has passed; if it is not found from there, from its beginning. */
static bool coulomb_path(crn_bodies *b)
{
    crn_body_path path = {.is_lost = true};
    if (b->is_marked) {
        path = crn_body_path_resume(b);
        if (walk(b, &path)) {
            return true;
        }
    }
    return path.is_lost && left(b) > 0.0 && walk_from_beginning(b, 0);
}

/* How long a path is, is a matter of luck: one that does not end soon is left for another. Where work does not buy paths that are
 * long enough, or others would not end either, there is only one, with all of it. */
static bool coulomb_paths(crn_bodies *b, double most)
{
    bool are_many = !is_redundant(b) && PATH_EACH * most >= PATH_LEAST * coulomb_cost(b);
    double each = are_many ? PATH_EACH * most : most;
    b->limit = work(b) + each;
    bool is_found = coulomb_path(b);
    for (int way = 1; way < b->paths && are_many && !is_found; ++way) {
        b->limit = work(b) + each;
        is_found = walk_from_beginning(b, way);
    }
    return is_found;
}

/* Through the inside: down from the best so far, and if that does not end along the path. */
static bool coulomb_inside(crn_bodies *b, bool is_brief)
{
    b->limit = work(b) + DESCENT_MOST * coulomb_cost(b);
    return descend(b) || coulomb_paths(b, is_brief ? PATH_WARM : PATH_COLD);
}

/* Is b->v a motion with all u_i inside K*, by at least that speed, and the rows at 0? */
static bool parts_contacts(crn_bodies *b, double margin)
{
    const crn_body_system *s = &b->system;
    bool is_inside = true;
    crn_body_slip(s, b->v, s->offset, b->u);
    for (int c = 0; c < s->contacts; ++c) {
        const double *u = b->u + 3 * (long)c;
        is_inside = is_inside && u[0] - s->mu[c] * crn_cone_length(u + 1) >= margin;
    }
    for (int c = 0; c < s->rows; ++c) {
        double speed = s->row_factor[c] * fabs(b->u[3 * s->contacts + c]);
        is_inside = is_inside && (s->bound[c] < INFINITY || speed <= PARTING_ROWS * margin);
    }
    return is_inside;
}

/* A motion that parts all contacts proves that Coulomb's law has a solution. An interior point on the convex law with offsets
 * lowered by a margin leads to one, if there is one. b->r and b->v are not kept. */
static bool is_proved_solvable(crn_bodies *b)
{
    bool is_proved = false;
    for (int k = 0; k < PARTINGS && !is_proved; ++k) {
        double margin = PARTING[k] * b->scale;
        crn_ipm_plan inside = {true, CRN_IPM_LEAST, CRN_IPM_MOST, PARTING_SHARE * PARTING[k]};
        crn_body_set_offsets(b);
        for (int c = 0; c < b->system.contacts; ++c) {
            b->offset[3 * c] -= margin;
        }
        memset(b->r, 0, (size_t)b->system.length * sizeof *b->r);
        is_proved = crn_body_interior_point(b, &inside) && parts_contacts(b, 0.5 * margin);
    }
    crn_body_set_offsets(b);
    return is_proved;
}

/* Not reached. In a pile what came near is the better answer to a step that failed: the convex law lifts what slides, and the
 * next step starts from impulses that are far off. */
static crn_lcp_outcome not_reached(crn_bodies *b, bool is_pile, bool is_convex, crn_run *run)
{
    if (is_convex && !(is_pile && b->reached <= CRN_BODIES_NEAR)) {
        memcpy(b->r, b->convex, (size_t)b->system.length * sizeof *b->r);
        run->law = CRN_LAW_CONVEX;
        return CRN_LCP_SOLVED;
    }
    run->has_solution = is_proved_solvable(b);
    recall(b);
    return CRN_LCP_LIMIT;
}

/* From the convex law's impulses, which are near where little slides. */
static bool coulomb_from_convex(crn_bodies *b)
{
    b->limit = work(b) + LEAST_WORK;
    return remember(b) <= b->tol || coulomb_attempt(b) <= b->tol;
}

static crn_lcp_outcome solve_coulomb(crn_bodies *b, bool has_start, crn_run *run)
{
    bool is_pile = has_start && !is_small(b), is_step = has_start && (is_pile || b->is_brief);
    crn_body_set_offsets(b);
    b->reached = INFINITY;
    b->limit = warm_limit(b);
    run->is_warm = has_start;
    if (remember(b) <= b->start_share * b->tol || (has_start && coulomb_attempt(b) <= b->tol) ||
        (is_step && coulomb_inside(b, true))) {
        return CRN_LCP_SOLVED;
    }
    bool is_convex = solve_convex(b, has_start, &run->is_warm);
    memcpy(b->convex, b->r, (size_t)b->system.length * sizeof *b->r);
    if (!is_pile && (coulomb_from_convex(b) || (!is_step && coulomb_inside(b, has_start || b->is_brief)))) {
        return CRN_LCP_SOLVED;
    }
    return not_reached(b, is_pile, is_convex, run);
}

/* --- No solution --- */

/* Is there a proof? For Coulomb's law it must be made of normal impulses: if the ray at hand is none, look for one
 * without friction. r stays. */
static bool is_proved_infeasible(crn_bodies *b, crn_contact_law law)
{
    crn_body_system *s = &b->system;
    if (crn_body_ray(b, law)) {
        return true;
    }
    if (law != CRN_LAW_COULOMB) {
        return false;
    }
    size_t contacts = (size_t)s->contacts * sizeof *s->mu, items = (size_t)s->length * sizeof *b->r;
    memcpy(b->coulomb, b->r, items);
    memcpy(b->mu, s->mu, contacts);
    memset(s->mu, 0, contacts);
    b->factor_kappa = 0.0;
    crn_body_project(b, b->r);
    bool is_proved = !from_anywhere(b) && crn_body_ray(b, law);
    memcpy(s->mu, b->mu, contacts);
    memcpy(b->r, b->coulomb, items);
    b->factor_kappa = 0.0;
    return is_proved;
}

/* --- */

/* b->r := the start, made fit; 0 if there is none. */
static void set_start(crn_bodies *b, const double *start, const double *l)
{
    const crn_body_system *s = &b->system;
    if (!start) {
        memset(b->r, 0, (size_t)s->length * sizeof *b->r);
        return;
    }
    crn_body_items_in(s, start, l, b->r);
    for (int c = 0; c < s->contacts; ++c) {
        for (int j = s->columns[c]; j < 3; ++j) {
            b->r[3 * c + j] = 0.0;
        }
    }
    crn_body_project(b, b->r);
}

static void begin(crn_bodies *b, const crn_system *system, crn_contact_law law, double tol, crn_run *run)
{
    b->matrix.pattern = &b->system.pattern; /* the struct may have been moved */
    if (!b->is_loaded) {
        crn_bodies_load(b, system);
    }
    crn_body_system_begin(&b->system, system);
    b->tol = tol;
    b->scale = crn_system_velocity_scale(system);
    b->iterations = b->factorizations = b->unsymmetric = 0;
    count_costs(b);
    b->is_infeasible = false;
    b->is_for_coulomb = law == CRN_LAW_COULOMB;
    memset(b->ray, 0, (size_t)b->system.length * sizeof *b->ray);
    memset(run, 0, sizeof *run);
    run->law = law;
}

static void end(crn_bodies *b, double *r, double *l, crn_run *run)
{
    run->iterations = b->iterations;
    run->refactorizations = b->factorizations;
    crn_body_items_out(&b->system, b->r, r, l);
}

void crn_bodies_solve(crn_bodies *b, const crn_system *system, crn_contact_law law, double tol, const double *start,
                      double *r, double *l, crn_run *run)
{
    begin(b, system, law, tol, run);
    set_start(b, start, l);
    bool is_warm = start && crn_dot(b->system.length, b->r, b->r) > 0.0; /* impulses of 0 are none */
    if (law == CRN_LAW_COULOMB) {
        run->outcome = solve_coulomb(b, is_warm, run);
    } else {
        run->outcome = solve_convex(b, is_warm, &run->is_warm) ? CRN_LCP_SOLVED : CRN_LCP_LIMIT;
    }
    if (run->outcome != CRN_LCP_SOLVED && is_proved_infeasible(b, law)) {
        b->is_infeasible = true;
        run->outcome = CRN_LCP_INFEASIBLE;
    }
    end(b, r, l, run);
}

bool crn_bodies_finish(crn_bodies *b, const crn_system *system, double tol, double *r, double *l, crn_run *run)
{
    begin(b, system, CRN_LAW_COULOMB, tol, run);
    set_start(b, r, l);
    crn_body_set_offsets(b);
    b->reached = INFINITY;
    b->limit = warm_limit(b);
    bool is_reached = remember(b) <= tol || coulomb_attempt(b) <= tol;
    run->outcome = is_reached ? CRN_LCP_SOLVED : CRN_LCP_LIMIT;
    run->iterations = b->iterations;
    run->refactorizations = b->factorizations;
    if (is_reached) {
        end(b, r, l, run);
    }
    return is_reached;
}
