/* Which solver for which island.
 *
 *     cone      method               solver
 *     polygon   states               contact states
 *               auto                 the same; above LARGE velocities body level comes first, and its answer counts if
 *                                    no contact slips: then disk and polygon ask for the same
 *               structural, reduced  Lloyd's
 *     round     auto                 contact space (delassus.h) if the island is small; then as with
 *               bodies               body level; with auto, up to SMALL contacts it starts from the polygon's solution
 *                                    (unless the caller gives a start that leads to Coulomb's law), which is near enough
 *                                    for Newton to finish, and is the answer if no contact slips or all are planar;
 *                                    up to MIDDLE contacts, if all this does not reach Coulomb's law, aimed polygons
 */
#include "contact/island.h"

#include <math.h>
#include <string.h>

#include "contact/friction_cone.h"
#include "contact/natural_map.h"
#include "math/elementary.h"

/* Round cones: islands with at most this many contacts get their start from the pivoting solver, whose pivots are then
 * cheaper than an interior point. */
#define SMALL 24

/* Round cones: islands with at most this many contacts and this many velocities have aimed polygons to fall back on, whose
 * pivots cost the square of the velocities. */
#define MIDDLE     128
#define MIDDLE_DOF 120

/* Polygons: islands with more velocities than this try the body level first. Pivots cost the square of the velocities,
 * and there are more of them; a stack of fifteen blocks is where the two meet. */
#define LARGE 90

/* A certificate for disks that is sure to be one for polygons too, over the one asked for. */
#define MARGIN 0.5

static bool is_lloyd(const crn_contact_options *options)
{
    return options->method == CRN_CONTACT_STRUCTURAL || options->method == CRN_CONTACT_REDUCED;
}

/* What pivots work on: velocities, or the coordinates of contacts where trees have more velocities than these. */
static bool is_large(const crn_system *system)
{
    int coordinates = 3 * system->contacts + system->rows;
    return system->dof > LARGE && coordinates > LARGE;
}

/* Coulomb's law with disks that may need aimed polygons? */
static bool may_aim(const crn_system *system, const crn_contact_options *options)
{
    bool is_asked = options->cone == CRN_CONE_ROUND && options->method == CRN_CONTACT_AUTO;
    bool is_middle = system->contacts <= MIDDLE && system->dof <= MIDDLE_DOF;
    return is_asked && is_middle && options->law == CRN_LAW_COULOMB;
}

/* Polygons whose path may need others? Lloyd's methods have no states for rows with bounds, and tell no trace. */
static bool may_need_others(const crn_system *system, const crn_contact_options *options)
{
    bool is_asked = options->cone == CRN_CONE_POLYGON && options->method == CRN_CONTACT_AUTO && options->trace == NULL;
    return is_asked && !options->is_brief && system->bounded == 0 && system->contacts <= SMALL;
}

void crn_island_layout(crn_island_solver *solver, const crn_system *system, const crn_contact_options *options,
                       crn_arena *arena)
{
    bool is_round = options->cone == CRN_CONE_ROUND, is_auto = options->method == CRN_CONTACT_AUTO;
    solver->system = system;
    solver->options = options;
    solver->has_lloyd = is_lloyd(options);
    solver->has_bodies = is_round || (is_auto && is_large(system));
    solver->has_states = !solver->has_lloyd && (!is_round || (is_auto && system->contacts <= SMALL));
    bool is_coulomb = is_round && is_auto && options->law == CRN_LAW_COULOMB;
    solver->has_delassus = is_coulomb && options->trace == NULL && crn_delassus_fits(system);
    solver->has_aim = may_aim(system, options);
    solver->has_others = may_need_others(system, options);
    solver->is_loaded = solver->has_rest = solver->is_short = false;
    solver->room = NULL;
    solver->is_answered = false;
    solver->tol_share = 1.0;
    solver->law = options->law;
    solver->method = is_round ? CRN_CONTACT_BODIES : is_auto ? CRN_CONTACT_STATES : options->method;
    if (solver->has_delassus) {
        crn_delassus_layout(&solver->delassus, system, arena);
    }
}

void crn_island_layout_rest(crn_island_solver *solver, crn_arena *arena)
{
    const crn_system *system = solver->system;
    const crn_contact_options *options = solver->options;
    solver->has_rest = true;
    if (solver->has_states || solver->has_aim) {
        crn_states_layout(&solver->states, system, arena);
    }
    if (solver->has_aim) {
        crn_aim_layout(&solver->aim, system, arena);
    }
    if (solver->has_aim || solver->has_others) {
        solver->other = CRN_TAKE(arena, double, 3 * (size_t)system->contacts);
        solver->other_row = CRN_TAKE(arena, double, (size_t)system->rows);
    }
    if (solver->has_lloyd || solver->has_others) {
        crn_lloyd_layout(&solver->lloyd, system, arena);
    }
    if (solver->has_others) {
        solver->other_state = CRN_TAKE(arena, crn_contact_state, (size_t)system->contacts);
    }
    if (solver->has_bodies || solver->has_others) {
        crn_bodies_layout(&solver->bodies, system, arena);
        solver->bodies.start_share = options->start_share;
        solver->bodies.is_brief = options->is_brief;
        solver->bodies.paths = options->paths;
    }
    if (options->even) {
        crn_even_layout(&solver->even, system, arena);
    }
    if (options->even || solver->has_others) {
        solver->y = CRN_TAKE(arena, double, (size_t)system->dof);
        solver->u = CRN_TAKE(arena, double, 3 * (size_t)system->contacts);
    }
}

/* Have all solvers memory? */
static bool has_room(crn_island_solver *solver)
{
    if (!solver->has_rest) {
        crn_island_layout_rest(solver, solver->room);
        solver->is_short = solver->room->overflow;
    }
    return !solver->is_short;
}

/* States read the columns when they are first needed. */
static void load_states(crn_island_solver *solver)
{
    if (!solver->is_loaded) {
        crn_states_load(&solver->states, solver->system, solver->options->seed, solver->scale);
        solver->is_loaded = true;
    }
}

void crn_island_load(crn_island_solver *solver, double scale)
{
    solver->scale = scale;
    solver->has_tried = false;
    if (solver->has_states && !solver->has_delassus) {
        load_states(solver);
    }
}

void crn_island_set_velocity(crn_island_solver *solver, double scale)
{
    solver->scale = scale;
    solver->has_tried = false;
    if (solver->is_loaded) {
        crn_states_set_velocity(&solver->states, scale);
    }
}

void crn_island_reseed(crn_island_solver *solver, uint64_t seed)
{
    if (solver->is_loaded) {
        crn_states_reseed(&solver->states, seed);
    }
}

/* --- States from impulses --- */

/* Told from the impulse alone: a share of the limit decides between slip and stick. */
static const double SLIP_SHARE = 1e-9;

static crn_contact_state round_state(double mu, const double *r)
{
    crn_contact_state state = {CRN_CONTACT_OFF, 0};
    if (r[0] > 0.0 && mu == 0.0) {
        state.kind = CRN_CONTACT_ON;
    } else if (r[0] > 0.0) {
        double limit = (1.0 - SLIP_SHARE) * mu * r[0];
        state.kind = r[1] * r[1] + r[2] * r[2] >= limit * limit ? CRN_CONTACT_SLIDE : CRN_CONTACT_STICK;
    }
    return state;
}

static crn_contact_state polygon_state(double mu, int d, const double *r)
{
    crn_contact_state state = {CRN_CONTACT_OFF, 0};
    double limit = mu * r[0];
    if (!(r[0] > 0.0)) {
        return state;
    }
    if (mu == 0.0) {
        state.kind = CRN_CONTACT_ON;
        return state;
    }
    /* The edge that is pressed hardest: the middle of edge j is at the angle (2 j + 1) pi / d. */
    static const double two_pi = 6.283185307179586;
    double angle = crn_atan2(r[2], r[1]) / two_pi * d;
    int edge = (int)floor(angle);
    double middle = two_pi * (edge + 0.5) / d, apothem = crn_cos(0.5 * two_pi / d);
    double pressed = d > 2 ? (crn_cos(middle) * r[1] + crn_sin(middle) * r[2]) / apothem : fabs(r[1]);
    double along = angle - edge; /* 0 at one corner, 1 at the next, about */
    state.kind = pressed < (1.0 - SLIP_SHARE) * limit ? CRN_CONTACT_STICK : CRN_CONTACT_EDGE;
    if (state.kind == CRN_CONTACT_EDGE && (along < SLIP_SHARE || along > 1.0 - SLIP_SHARE)) {
        state.kind = CRN_CONTACT_SLIDE;
        edge += along > 0.5;
    }
    state.corner = state.kind == CRN_CONTACT_STICK ? 0 : ((edge % d) + d) % d;
    return state;
}

/* Friction coefficient, 0 where the contact has no friction. */
static double friction(const crn_contact_point *contact)
{
    return contact->directions > 0 ? contact->mu : 0.0;
}

crn_contact_state crn_island_state(const crn_contact_point *contact, crn_contact_cone cone, const double *r)
{
    double mu = friction(contact);
    return cone == CRN_CONE_ROUND ? round_state(mu, r) : polygon_state(mu, contact->directions, r);
}

void crn_island_fit(const crn_contact_point *contact, crn_contact_cone cone, const double *start, double *r)
{
    int columns = crn_used_columns(contact);
    double y[3] = {start[0], columns > 1 ? start[1] : 0.0, columns > 2 ? start[2] : 0.0};
    if (cone == CRN_CONE_ROUND) {
        (void)crn_cone_project(friction(contact), y, r);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        r[k] = y[0] > 0.0 ? y[k] : 0.0;
    }
}

static void tell_states(const crn_system *system, const double *r, bool is_round, crn_contact_state *state)
{
    for (int i = 0; i < system->contacts; ++i) {
        const double *impulse = r + 3 * (size_t)i;
        state[i] = is_round ? round_state(system->mu[i], impulse)
                            : polygon_state(system->mu[i], system->directions[i], impulse);
    }
}

/* --- Solving --- */

static void add_work(const crn_run *from, crn_run *to)
{
    to->pivots += from->pivots;
    to->iterations += from->iterations;
    to->refactorizations += from->refactorizations;
    to->restarts += from->restarts;
}

static bool is_slip(crn_contact_state state)
{
    return state.kind == CRN_CONTACT_SLIDE || state.kind == CRN_CONTACT_EDGE;
}

/* Does any contact slip? */
static bool slips(const crn_system *system, const crn_contact_state *state)
{
    for (int i = 0; i < system->contacts; ++i) {
        if (is_slip(state[i])) {
            return true;
        }
    }
    return false;
}

/* Has a contact friction in more than one direction? If not, disk and polygon are the same. */
static bool has_disks(const crn_system *system)
{
    for (int i = 0; i < system->contacts; ++i) {
        if (system->directions[i] > 2) {
            return true;
        }
    }
    return false;
}

/* The polygon's answer as a start for round cones; true if it is their answer too. */
static bool start_by_pivots(crn_island_solver *solver, double *r, double *l, crn_contact_state *state, crn_run *run)
{
    crn_states_begin begin = {NULL, solver->options->frictionless_first, 0};
    load_states(solver);
    crn_states_solve(&solver->states, &begin, solver->options->max_pivots, r, l, state, run);
    return run->outcome == CRN_LCP_SOLVED && (!slips(solver->system, state) || !has_disks(solver->system));
}

/* Row impulses to start from: the guess's, or 0. */
static void start_rows(const crn_system *system, const crn_states_guess *guess, double *l)
{
    if (guess && guess->row) {
        memcpy(l, guess->row, (size_t)system->rows * sizeof *l);
    } else {
        memset(l, 0, (size_t)system->rows * sizeof *l);
    }
}

/* Does the answer obey the law that was asked for? */
static bool is_as_asked(const crn_island_solver *solver, const crn_run *run)
{
    return run->outcome == CRN_LCP_SOLVED && run->law == solver->options->law;
}

/* Is there no more to try? A proof that there is no solution does not depend on the start. */
static bool is_decided(const crn_island_solver *solver, const crn_run *run)
{
    return is_as_asked(solver, run) || run->outcome == CRN_LCP_INFEASIBLE;
}

/* Nothing else has reached Coulomb's law: aimed polygons. If they do not either, the answer at hand stays. */
static void fall_back(crn_island_solver *solver, double tol, double *r, double *l, crn_run *run)
{
    const crn_system *system = solver->system;
    crn_run aimed;
    load_states(solver);
    if (crn_aim_solve(&solver->aim, &solver->states, &solver->bodies, tol, solver->other, solver->other_row, &aimed)) {
        memcpy(r, solver->other, 3 * (size_t)system->contacts * sizeof *r);
        memcpy(l, solver->other_row, (size_t)system->rows * sizeof *l);
        add_work(run, &aimed);
        *run = aimed;
    } else {
        add_work(&aimed, run);
    }
}

/* Round cones: from the caller's impulses, or from the polygon's, or from nothing; if Coulomb's law is not reached from the
 * caller's, from the polygon's; at last by aimed polygons. */
static void solve_round(crn_island_solver *solver, const crn_states_guess *guess, double *r, double *l,
                        crn_contact_state *state, crn_run *run)
{
    const crn_system *system = solver->system;
    const crn_contact_options *options = solver->options;
    bool has_start = guess != NULL || solver->is_answered;
    bool may_pivot = solver->has_states && options->law == CRN_LAW_COULOMB;
    double tol = solver->tol_share * options->tol;
    crn_run before = {0};
    if (!solver->is_answered) {
        start_rows(system, guess, l);
    }
    if (guess) {
        memcpy(r, guess->impulse, 3 * (size_t)system->contacts * sizeof *r);
    }
    if (solver->has_delassus &&
        crn_delassus_solve(&solver->delassus, solver->scale, tol, has_start ? options->start_share : 0.0, r, l, run)) {
        solver->is_answered = true;
        solver->law = run->law;
        tell_states(system, r, true, state);
        return;
    }
    if (!has_room(solver)) {
        return;
    }
    if (has_start || !may_pivot) {
        crn_bodies_solve(&solver->bodies, system, options->law, tol, has_start ? r : NULL, r, l, run);
        run->is_warm = has_start && run->outcome == CRN_LCP_SOLVED;
    }
    if (may_pivot && !(has_start && is_decided(solver, run))) {
        before = *run;
        if (!start_by_pivots(solver, r, l, state, run)) {
            add_work(run, &before);
            crn_bodies_solve(&solver->bodies, system, options->law, tol, run->outcome == CRN_LCP_SOLVED ? r : NULL, r,
                             l, run);
        }
        add_work(&before, run);
    }
    if (solver->has_aim && !is_decided(solver, run)) {
        fall_back(solver, tol, r, l, run);
    }
    solver->is_answered = run->outcome == CRN_LCP_SOLVED;
    solver->law = run->law;
    tell_states(system, r, true, state);
}

void crn_island_solve_convex(crn_island_solver *solver, double *r, double *l, crn_contact_state *state, crn_run *run)
{
    if (!has_room(solver)) {
        *run = (crn_run){.outcome = CRN_LCP_LIMIT, .law = solver->law};
        return;
    }
    crn_bodies_solve(&solver->bodies, solver->system, CRN_LAW_CONVEX, solver->options->tol, r, r, l, run);
    solver->is_answered = run->outcome == CRN_LCP_SOLVED;
    solver->law = run->law;
    tell_states(solver->system, r, true, state);
}

/* Does any contact slip that has these impulses? */
static bool slips_with(const crn_system *system, const double *r)
{
    for (int i = 0; i < system->contacts; ++i) {
        if (is_slip(polygon_state(system->mu[i], system->directions[i], r + 3 * (size_t)i))) {
            return true;
        }
    }
    return false;
}

/* Polygons of a large island: true if the body level's answer, found with disks and the convex law, is one for polygons.
 * Where nothing slips the two laws have the same solutions, and the convex one is sure to be found soon. If it is none, `state`
 * stays: it may hold the guess from which pivoting starts. */
static bool solve_as_round(crn_island_solver *solver, const crn_states_guess *guess, double *r, double *l,
                           crn_contact_state *state, crn_run *run)
{
    const crn_system *system = solver->system;
    start_rows(system, guess, l);
    if (guess) {
        memcpy(r, guess->impulse, 3 * (size_t)system->contacts * sizeof *r);
    }
    crn_bodies_solve(&solver->bodies, system, CRN_LAW_CONVEX, MARGIN * solver->tol_share * solver->options->tol,
                     guess ? r : NULL, r, l, run);
    run->law = CRN_LAW_COULOMB;
    bool is_answer = run->outcome == CRN_LCP_SOLVED && !slips_with(system, r);
    if (is_answer) {
        tell_states(system, r, false, state);
    }
    return is_answer;
}

/* The path of states once more, from the answer for disks. */
static void follow_disks(crn_island_solver *solver, crn_run *run)
{
    const crn_system *system = solver->system;
    double *r = solver->other, *l = solver->other_row, tol = solver->tol_share * solver->options->tol;
    crn_run disks;
    crn_bodies_solve(&solver->bodies, system, CRN_LAW_COULOMB, tol, NULL, r, l, &disks);
    crn_system_motion(system, r, l, solver->y);
    crn_system_contact_velocity(system, solver->y, solver->u);
    tell_states(system, r, false, solver->other_state);
    crn_states_guess guess = {solver->other_state, r, solver->u, l};
    crn_states_begin begin = {&guess, false, 1};
    crn_states_solve(&solver->states, &begin, solver->options->max_pivots, r, l, solver->other_state, run);
    add_work(&disks, run);
}

/* The path ended on a ray or broke down: Lloyd's have other covers, and disks are near. If these end so too, the answer at hand
 * stays. */
static void try_others(crn_island_solver *solver, double *r, double *l, crn_contact_state *state, crn_run *run)
{
    static const crn_contact_method others[] = {CRN_CONTACT_REDUCED, CRN_CONTACT_STRUCTURAL, CRN_CONTACT_STATES};
    const crn_system *system = solver->system;
    for (size_t i = 0; i < sizeof others / sizeof *others && run->outcome != CRN_LCP_SOLVED; ++i) {
        crn_run other;
        if (others[i] == CRN_CONTACT_STATES) {
            follow_disks(solver, &other);
        } else {
            crn_lloyd_solve(&solver->lloyd, system, others[i] == CRN_CONTACT_REDUCED, solver->options->max_pivots,
                            solver->other, solver->other_row, &other);
        }
        if (other.outcome == CRN_LCP_SOLVED) {
            add_work(run, &other);
            memcpy(r, solver->other, 3 * (size_t)system->contacts * sizeof *r);
            memcpy(l, solver->other_row, (size_t)system->rows * sizeof *l);
            tell_states(system, r, false, state);
            solver->method = others[i];
            *run = other;
        } else {
            add_work(&other, run);
        }
    }
}

void crn_island_solve(crn_island_solver *solver, const crn_states_guess *guess, double *r, double *l,
                      crn_contact_state *state, crn_run *run)
{
    const crn_contact_options *options = solver->options;
    crn_run before = {0};
    memset(run, 0, sizeof *run);
    if (options->cone == CRN_CONE_ROUND) {
        solve_round(solver, guess, r, l, state, run);
        return;
    }
    if (solver->has_lloyd) {
        crn_lloyd_solve(&solver->lloyd, solver->system, options->method == CRN_CONTACT_REDUCED, options->max_pivots, r,
                        l, run);
        tell_states(solver->system, r, false, state);
        return;
    }
    solver->method = CRN_CONTACT_BODIES;
    if (solver->has_bodies && solve_as_round(solver, guess, r, l, state, &before)) {
        *run = before;
        return;
    }
    solver->method = CRN_CONTACT_STATES;
    crn_states_begin begin = {guess, options->frictionless_first, 0};
    crn_states_solve(&solver->states, &begin, options->max_pivots, r, l, state, run);
    add_work(&before, run);
    bool is_open = run->outcome != CRN_LCP_SOLVED && run->outcome != CRN_LCP_INFEASIBLE;
    if (is_open && solver->has_others && !solver->has_tried) {
        solver->has_tried = true; /* other shifts of the path do not change what the others find */
        try_others(solver, r, l, state, run);
    }
}

void crn_island_even(crn_island_solver *solver, double noise, double *r, double *l, crn_contact_state *state)
{
    const crn_system *system = solver->system;
    crn_system_motion(system, r, l, solver->y);
    crn_system_contact_velocity(system, solver->y, solver->u);
    if (crn_even_impulses(&solver->even, system, solver->options->cone, solver->options->law, r, l, solver->u, noise)) {
        tell_states(system, r, solver->options->cone == CRN_CONE_ROUND, state);
    }
}
