/* Door 2: check, whiten, split into islands, solve each, judge the whole. */
#include "contact/contact_room.h"

#include <assert.h>
#include <string.h>

#include "contact/canonical.h"
#include "contact/check.h"
#include "contact/compile.h"
#include "contact/island.h"
#include "math/vec.h"

static const char *const method_names[CRN_CONTACT_METHOD_COUNT] = {"auto", "states", "structural", "reduced", "bodies"};

const char *crn_contact_method_name(crn_contact_method method)
{
    return (unsigned)method < CRN_CONTACT_METHOD_COUNT ? method_names[method] : NULL;
}

bool crn_contact_method_find(const char *name, crn_contact_method *method)
{
    for (int i = 0; name && i < CRN_CONTACT_METHOD_COUNT; ++i) {
        if (strcmp(name, method_names[i]) == 0) {
            *method = (crn_contact_method)i;
            return true;
        }
    }
    return false;
}

crn_contact_options crn_contact_options_default(void)
{
    crn_contact_options options;
    memset(&options, 0, sizeof options);
    options.seed = 1;
    options.cookie = CRN_COOKIE;
    return options;
}

#define TOL_POLYGON 1e-9 /* certificates that count as solved if the caller does not say: pivoting ends at rounding, */
#define TOL_ROUND   1e-8 /* Newton's method on round cones a little above it */
#define RESEEDS     4    /* attempts with other shifts when an answer fails its certificate */
#define TURNS       20   /* other orders of the contacts that are tried when all that fails, ... */
#define TURN_WORK   120  /* ... as many as have so many contacts together, ... */
#define TURN_MOST   64   /* ... in problems with at most so many of them */

/* --- The session: everything in one workspace --- */

struct crn_contact_session {
    crn_contact_options options;
    crn_compiled compiled;
    crn_measure measure;
    double *r, *l;                          /* impulses of all islands, in the islands' order */
    double *impulse, *row_impulse;          /* the same in the caller's order */
    double *other, *other_row;              /* a second answer, to keep the better one */
    double *start_impulse, *start_velocity; /* the caller's warm start in the islands' order; state has its states */
    double *start_row;                      /* and the row impulses */
    bool has_start;                         /* until the first solve */
    bool is_other_velocity;                 /* the free velocity is not the problem's */
    crn_contact_state *state, *other_state; /* islands' order */
    crn_island_solver *solver;              /* one per island */
    double seconds_setup;
};

/* Parts whose size is known before islands are. */
static void lay_out_first(crn_contact_session *s, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t contacts = (size_t)problem->contacts, rows = (size_t)problem->rows;
    crn_compiled_layout(&s->compiled, problem, arena);
    crn_measure_layout(&s->measure, problem, arena);
    s->r = CRN_TAKE(arena, double, 3 * contacts);
    s->l = CRN_TAKE(arena, double, rows);
    s->impulse = CRN_TAKE(arena, double, 3 * contacts);
    s->row_impulse = CRN_TAKE(arena, double, rows);
    s->other = CRN_TAKE(arena, double, 3 * contacts);
    s->other_row = CRN_TAKE(arena, double, rows);
    s->start_impulse = CRN_TAKE(arena, double, 3 * contacts);
    s->start_velocity = CRN_TAKE(arena, double, 3 * contacts);
    s->start_row = rows > 0 ? CRN_TAKE(arena, double, rows) : NULL;
    s->state = CRN_TAKE(arena, crn_contact_state, contacts);
    s->other_state = CRN_TAKE(arena, crn_contact_state, contacts);
}

/* Solvers of the islands. */
static void lay_out_solvers(crn_contact_session *s, crn_arena *arena)
{
    crn_island_solver unplaced;
    crn_island_solver *solver = CRN_TAKE(arena, crn_island_solver, (size_t)s->compiled.islands);
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_layout(solver ? &solver[i] : &unplaced, &s->compiled.island[i].system, &s->options, arena);
    }
    s->solver = solver;
}

static crn_status fail_too_large(crn_error *error)
{
    (void)crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    return CRN_ERR_MEMORY;
}

/* Bytes of the session and its first parts; 0 if they do not fit. */
static size_t first_bytes(const crn_contact_problem *problem)
{
    crn_arena counting = crn_arena_counting();
    crn_contact_session unplaced;
    CRN_TAKE(&counting, crn_contact_session, 1);
    lay_out_first(&unplaced, problem, &counting);
    return counting.overflow ? 0 : counting.used;
}

static crn_contact_session *place_first(const crn_contact_problem *problem, crn_arena *arena)
{
    crn_contact_session *s = CRN_TAKE(arena, crn_contact_session, 1);
    if (s) {
        lay_out_first(s, problem, arena);
    }
    return s;
}

/* The session and its first parts in the workspace, which grows if need be, and to `bytes` at least. */
static crn_status make_session(const crn_contact_problem *problem, crn_workspace *workspace, size_t bytes,
                               crn_arena *arena, crn_contact_session **session, crn_error *error)
{
    *arena = crn_workspace_present(workspace);
    *session = arena->size >= bytes ? place_first(problem, arena) : NULL;
    if (*session && !arena->overflow) { /* as in nearly every step of a simulation */
        return CRN_OK;
    }
    size_t first = first_bytes(problem), needed = first > bytes ? first : bytes;
    crn_status status = first > 0 ? crn_workspace_arena(workspace, needed, arena, error) : fail_too_large(error);
    if (status == CRN_OK) {
        *session = place_first(problem, arena);
    }
    return status == CRN_OK && !*session ? fail_too_large(error) : status;
}

/* Make room for the first parts, factorise masses, prepare the measure. */
static crn_status begin_session(const crn_contact_problem *problem, const crn_contact_options *options,
                                crn_workspace *workspace, size_t bytes, crn_arena *arena, crn_contact_session **session,
                                crn_error *error)
{
    crn_status status = make_session(problem, workspace, bytes, arena, session, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_contact_session *s = *session;
    s->options = *options;
    s->is_other_velocity = s->has_start = false;
    status = crn_compile_masses(&s->compiled, error);
    if (status == CRN_OK) {
        crn_measure_prepare(&s->measure, s->compiled.mass);
        s->measure.cone = options->cone;
        s->measure.law = options->law;
    }
    return status;
}

/* Bytes that a compiled session needs in all; 0 if they do not fit. */
static size_t bytes_needed(crn_contact_session *session, const crn_arena *first)
{
    crn_arena counting = crn_arena_counting();
    counting.used = first->used;
    lay_out_solvers(session, &counting);
    return counting.overflow ? 0 : counting.used;
}

/* The caller's warm start in the order of islands. */
static void take_start(crn_contact_session *s)
{
    const crn_contact_options *options = &s->options;
    size_t at = 0, row = 0;
    s->has_start = options->start != NULL;
    for (int i = 0; i < s->compiled.islands && s->has_start; ++i) {
        const crn_island *island = &s->compiled.island[i];
        for (int c = 0; c < island->system.contacts; ++c, ++at) {
            size_t from = (size_t)island->contact_of[c];
            s->state[at] = options->start[from];
            memcpy(s->start_impulse + 3 * at, options->start_impulse + 3 * from, 3 * sizeof(double));
            memcpy(s->start_velocity + 3 * at, options->start_velocity + 3 * from, 3 * sizeof(double));
        }
        for (int c = 0; c < island->system.rows && options->start_row_impulse; ++c, ++row) {
            s->start_row[row] = options->start_row_impulse[island->row_of[c]];
        }
    }
}

/* U of an island's free motion; the certificate's where that is the same. */
static double scale_of(const crn_contact_session *s, int island)
{
    return s->compiled.islands == 1 ? s->measure.scale : crn_system_velocity_scale(&s->compiled.island[island].system);
}

/* The body level measures the rows of an island by its own speed and length, the certificate all of them by the same. What
 * the islands are held to is the certificate's. */
static void share_tolerance(crn_contact_session *s)
{
    double longest = 0.0;
    bool is_needed = false;
    for (int i = 0; i < s->compiled.islands && s->compiled.islands > 1; ++i) {
        is_needed = is_needed || (s->solver[i].has_bodies && s->compiled.island[i].system.rows > 0);
    }
    for (int i = 0; i < s->compiled.islands && is_needed; ++i) {
        const crn_system *system = &s->compiled.island[i].system;
        longest = crn_max(longest, system->contacts > 0 ? crn_system_longest_normal(system) : 0.0);
    }
    for (int i = 0; i < s->compiled.islands && longest > 0.0; ++i) {
        const crn_system *system = &s->compiled.island[i].system;
        if (s->solver[i].has_bodies && system->rows > 0) {
            double own = crn_system_longest_normal(system) / scale_of(s, i);
            s->solver[i].tol_share = crn_min(1.0, own * s->measure.scale / longest);
        }
    }
}

/* Columns, islands and their solvers, after what begin_session() left in the arena. turn: order of the
 * contacts (canonical.h). */
static crn_status finish_session(crn_workspace *workspace, crn_arena *arena, int turn, crn_contact_session **session,
                                 crn_error *error)
{
    crn_contact_session *s = *session;
    if (!s) {
        return fail_too_large(error);
    }
    s->compiled.turn = turn;
    crn_compile_columns(&s->compiled);
    crn_arena first = *arena;
    lay_out_solvers(s, arena);
    if (arena->overflow) { /* growing moves everything: once more, then it fits */
        const crn_contact_problem *problem = s->compiled.problem;
        const crn_contact_options options = s->options;
        size_t bytes = bytes_needed(s, &first);
        crn_status status = bytes > 0 ? begin_session(problem, &options, workspace, bytes, arena, session, error)
                                      : fail_too_large(error);
        if (status != CRN_OK || !*session) {
            return status;
        }
        s = *session;
        s->compiled.turn = turn;
        crn_compile_columns(&s->compiled);
        lay_out_solvers(s, arena);
    }
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_load(&s->solver[i], scale_of(s, i));
    }
    share_tolerance(s);
    take_start(s);
    return CRN_OK;
}

/* Is the method one for the cone? */
static bool fits(crn_contact_method method, crn_contact_cone cone)
{
    return method == CRN_CONTACT_AUTO || (method == CRN_CONTACT_BODIES) == (cone == CRN_CONE_ROUND);
}

static crn_status check_options(crn_contact_options *options, crn_error *error)
{
    if (options->cookie != CRN_COOKIE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: not made by crn_contact_options_default()");
    }
    if ((unsigned)options->method >= CRN_CONTACT_METHOD_COUNT) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: method %d is unknown", (int)options->method);
    }
    if ((unsigned)options->cone > CRN_CONE_ROUND || (unsigned)options->law > CRN_LAW_CONVEX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: cone %d or law %d is unknown", (int)options->cone,
                        (int)options->law);
    }
    if (!fits(options->method, options->cone)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: method %s does not solve %s cones",
                        crn_contact_method_name(options->method),
                        options->cone == CRN_CONE_ROUND ? "round" : "polygonal");
    }
    if (options->law == CRN_LAW_CONVEX && options->cone != CRN_CONE_ROUND) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: the convex law needs the round cone");
    }
    if (!(options->tol >= 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: tol %g is negative", options->tol);
    }
    if (options->max_pivots < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: max_pivots %d is negative", options->max_pivots);
    }
    int given = (options->start != NULL) + (options->start_impulse != NULL) + (options->start_velocity != NULL);
    if (given != 0 && given != 3) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: a warm start needs start, start_impulse and start_velocity");
    }
    if (!(options->start_share >= 0.0 && options->start_share <= 1.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: start_share %g is not in 0 .. 1", options->start_share);
    }
    if (options->tol == 0.0) {
        options->tol = options->cone == CRN_CONE_ROUND ? TOL_ROUND : TOL_POLYGON;
    }
    if (options->start_share == 0.0) {
        options->start_share = 1.0;
    }
    return CRN_OK;
}

/* Lloyd's methods have no states for rows with bounds. */
static crn_status check_method(const crn_contact_problem *problem, const crn_contact_options *options, crn_error *error)
{
    bool is_lloyd = options->method == CRN_CONTACT_STRUCTURAL || options->method == CRN_CONTACT_REDUCED;
    for (int i = 0; i < problem->rows && is_lloyd; ++i) {
        if (crn_row_is_bounded(&problem->row[i])) {
            return crn_fail(error, CRN_ERR_UNSUPPORTED, "row %d has a bound, which method %s does not know", i,
                            crn_contact_method_name(options->method));
        }
    }
    return CRN_OK;
}

/* Check the options, and begin; the problem has been checked. */
static crn_status begin_chosen(const crn_contact_problem *problem, const crn_contact_options *options,
                               crn_workspace *workspace, crn_arena *arena, crn_contact_session **session,
                               crn_error *error)
{
    crn_contact_options chosen = options ? *options : crn_contact_options_default();
    crn_status status = check_options(&chosen, error);
    if (status == CRN_OK) {
        status = check_method(problem, &chosen, error);
    }
    return status == CRN_OK ? begin_session(problem, &chosen, workspace, 0, arena, session, error) : status;
}

static crn_status check_call(const crn_contact_problem *problem, const crn_workspace *workspace, crn_error *error)
{
    crn_clear(error);
    if (!workspace) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "workspace is NULL");
    }
    return crn_contact_check(problem, error);
}

crn_status crn_contact_prepare(const crn_contact_problem *problem, const crn_contact_options *options,
                               crn_workspace *workspace, crn_contact_session **session, crn_error *error)
{
    double start = crn_seconds();
    crn_arena arena;
    if (!session) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "session is NULL");
    }
    crn_status status = check_call(problem, workspace, error);
    if (status == CRN_OK) {
        status = begin_chosen(problem, options, workspace, &arena, session, error);
    }
    if (status == CRN_OK) {
        status = finish_session(workspace, &arena, 0, session, error);
    }
    if (status == CRN_OK) {
        (*session)->seconds_setup = crn_seconds() - start;
    }
    return status;
}

/* --- Solving --- */

static void add_run(const crn_run *run, crn_contact_result *result)
{
    result->pivots += run->pivots;
    result->iterations += run->iterations;
    result->refactorizations += run->refactorizations;
    result->restarts += run->restarts;
    result->is_warm = result->is_warm || run->is_warm;
    if (run->law == CRN_LAW_CONVEX) {
        result->law = CRN_LAW_CONVEX;
    }
    if (run->outcome != CRN_LCP_SOLVED) {
        result->has_solution = run->has_solution && (result->has_solution || result->outcome == CRN_LCP_SOLVED);
        result->outcome = result->outcome == CRN_LCP_SOLVED ? run->outcome : result->outcome;
    }
}

/* An island's impulses in the caller's order. */
static void scatter(crn_contact_session *s, const crn_island *island, const double *r, const double *l)
{
    for (int c = 0; c < island->system.contacts; ++c) {
        memcpy(s->impulse + 3 * (size_t)island->contact_of[c], r + 3 * (size_t)c, 3 * sizeof *r);
    }
    for (int c = 0; c < island->system.rows; ++c) {
        s->row_impulse[island->row_of[c]] = l[c];
    }
}

/* An answer obeys one law. If an island reached only the convex law, those that reached Coulomb's are solved for the convex
 * one too; where nothing slips that is the answer they have. */
static void agree_on_convex(crn_contact_session *s, crn_contact_result *result)
{
    size_t contacts = 0, rows = 0;
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        double *r = s->r + 3 * contacts, *l = s->l + rows;
        if (s->solver[i].law != CRN_LAW_CONVEX && s->solver[i].is_answered) {
            crn_run run;
            crn_island_solve_convex(&s->solver[i], r, l, s->state + contacts, &run);
            add_run(&run, result);
            scatter(s, island, r, l);
        }
        contacts += (size_t)island->system.contacts;
        rows += (size_t)island->system.rows;
    }
}

/* Solve every island into r, l and state, then put the impulses into the caller's order. */
static void solve_islands(crn_contact_session *s, crn_contact_result *result)
{
    size_t contacts = 0, rows = 0;
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        double *r = s->r + 3 * contacts, *l = s->l + rows;
        crn_states_guess guess = {s->state + contacts, s->start_impulse + 3 * contacts,
                                  s->start_velocity + 3 * contacts,
                                  s->options.start_row_impulse ? s->start_row + rows : NULL};
        crn_run run;
        crn_island_solve(&s->solver[i], s->has_start ? &guess : NULL, r, l, s->state + contacts, &run);
        add_run(&run, result);
        scatter(s, island, r, l);
        contacts += (size_t)island->system.contacts;
        rows += (size_t)island->system.rows;
    }
    s->has_start = false;
    if (result->law != s->options.law) {
        agree_on_convex(s, result);
    }
}

/* Judge what is in impulse, and say so in the result. */
static void judge(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    s->measure.law = result->law; /* the answer is judged by the law that it claims to obey */
    crn_contact_measure(&s->measure, s->impulse, s->row_impulse, solution->velocity, solution->contact_velocity,
                        &result->certificate);
    if (result->certificate.relative <= s->options.tol) {
        result->outcome = CRN_LCP_SOLVED;
        result->has_solution = false;
    } else if (result->outcome == CRN_LCP_SOLVED) {
        result->outcome = CRN_LCP_STALLED;
    }
}

/* Keep a copy of the answer; take it back if what came after is not solved, or has the larger certificate. */
static void keep_answer(crn_contact_session *s)
{
    const crn_contact_problem *problem = s->compiled.problem;
    memcpy(s->other, s->impulse, 3 * (size_t)problem->contacts * sizeof(double));
    memcpy(s->other_row, s->row_impulse, (size_t)problem->rows * sizeof(double));
    memcpy(s->other_state, s->state, (size_t)problem->contacts * sizeof *s->state);
}

static void take_back(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    const crn_contact_problem *problem = s->compiled.problem;
    memcpy(s->impulse, s->other, 3 * (size_t)problem->contacts * sizeof(double));
    memcpy(s->row_impulse, s->other_row, (size_t)problem->rows * sizeof(double));
    memcpy(s->state, s->other_state, (size_t)problem->contacts * sizeof *s->state);
    judge(s, solution, result);
}

/* --- The trace --- */

static void begin_trace(crn_contact_session *s)
{
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        if (s->solver[i].has_states) {
            crn_states_trace trace = {s->options.trace, s->options.trace_user, island->contact_of, island->row_of,
                                      s->compiled.problem->contacts};
            crn_states_begin_trace(&s->solver[i].states, &trace);
        }
    }
}

/* The answer that was taken back has other states than the path that came after it. */
static void tell_taken_back(crn_contact_session *s)
{
    size_t contacts = 0;
    for (int i = 0; i < s->compiled.islands; ++i) {
        if (s->solver[i].method == CRN_CONTACT_STATES) {
            crn_states_tell_answer(&s->solver[i].states, s->state + contacts);
        }
        contacts += (size_t)s->compiled.island[i].system.contacts;
    }
}

/* --- Better answers --- */

/* The certificate is over the tolerance: other shifts, until it is not. The better answer stays. */
static void solve_again(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    for (int try = 1; try <= RESEEDS && result->outcome != CRN_LCP_SOLVED && result->method == CRN_CONTACT_STATES;
         ++try) {
        crn_contact_certificate before = result->certificate;
        keep_answer(s);
        for (int i = 0; i < s->compiled.islands; ++i) {
            crn_island_reseed(&s->solver[i], s->options.seed + (uint64_t)try);
        }
        result->outcome = CRN_LCP_SOLVED;
        result->is_warm = false;
        result->restarts++;
        solve_islands(s, result);
        judge(s, solution, result);
        if (!(result->certificate.relative <= before.relative)) {
            take_back(s, solution, result);
            if (s->options.trace) {
                tell_taken_back(s);
            }
        }
    }
}

/* Even impulses of a solution; the motion stays, and so must the certificate. */
static void make_even(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    size_t contacts = 0, rows = 0;
    double noise = result->certificate.velocity_error;
    keep_answer(s);
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        crn_island_even(&s->solver[i], noise, s->r + 3 * contacts, s->l + rows, s->state + contacts);
        scatter(s, island, s->r + 3 * contacts, s->l + rows);
        contacts += (size_t)island->system.contacts;
        rows += (size_t)island->system.rows;
    }
    judge(s, solution, result);
    if (result->outcome != CRN_LCP_SOLVED) {
        take_back(s, solution, result);
    }
}

/* The method that the largest island was solved by. */
static crn_contact_method largest_method(const crn_contact_session *s)
{
    int largest = 0;
    for (int i = 1; i < s->compiled.islands; ++i) {
        bool is_larger = s->compiled.island[i].system.contacts > s->compiled.island[largest].system.contacts;
        largest = is_larger ? i : largest;
    }
    if (s->compiled.islands == 0) {
        return s->options.cone == CRN_CONE_ROUND ? CRN_CONTACT_BODIES : CRN_CONTACT_STATES;
    }
    return s->solver[largest].method;
}

/* States in the caller's order. */
static void write_states(const crn_contact_session *s, crn_contact_state *state)
{
    size_t at = 0;
    for (int i = 0; i < s->compiled.islands; ++i) {
        const crn_island *island = &s->compiled.island[i];
        for (int c = 0; c < island->system.contacts; ++c, ++at) {
            state[island->contact_of[c]] = s->state[at];
        }
    }
}

static void write_solution(const crn_contact_session *s, const crn_contact_solution *solution)
{
    const crn_contact_problem *problem = s->compiled.problem;
    if (solution->impulse) {
        memcpy(solution->impulse, s->impulse, 3 * (size_t)problem->contacts * sizeof(double));
    }
    if (solution->row_impulse) {
        memcpy(solution->row_impulse, s->row_impulse, (size_t)problem->rows * sizeof(double));
    }
    if (solution->state) {
        write_states(s, solution->state);
    }
}

static void set_velocity(crn_contact_session *s, const double *velocity)
{
    crn_compiled_set_velocity(&s->compiled, velocity);
    crn_measure_set_free(&s->measure, velocity);
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_set_velocity(&s->solver[i], scale_of(s, i));
    }
    share_tolerance(s);
}

crn_status crn_contact_again(crn_contact_session *session, const double *velocity, const crn_contact_solution *solution,
                             crn_contact_result *result, crn_error *error)
{
    static const crn_contact_solution nothing;
    double start = crn_seconds();
    crn_contact_result mine;
    crn_clear(error);
    if (!session) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "session is NULL");
    }
    if (velocity && !crn_all_finite(velocity, session->compiled.dof)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "velocity is not finite");
    }
    result = result ? result : &mine;
    solution = solution ? solution : &nothing;
    memset(result, 0, sizeof *result);
    if (velocity || session->is_other_velocity) {
        set_velocity(session, velocity ? velocity : session->compiled.problem->velocity);
        session->is_other_velocity = velocity != NULL;
    }
    result->outcome = CRN_LCP_SOLVED;
    result->law = session->options.law;
    result->islands = session->compiled.islands;
    if (session->options.trace) {
        begin_trace(session);
    }
    solve_islands(session, result);
    result->method = largest_method(session);
    judge(session, solution, result);
    solve_again(session, solution, result);
    if (session->options.even && result->outcome == CRN_LCP_SOLVED) {
        make_even(session, solution, result);
    }
    write_solution(session, solution);
    if (result->outcome == CRN_LCP_SOLVED && result->law != session->options.law) {
        result->outcome = CRN_LCP_CONVEX;
    }
    result->seconds_setup = session->seconds_setup;
    result->seconds = crn_seconds() - start + session->seconds_setup;
    return CRN_OK;
}

/* --- Solving once --- */

/* Without bilateral rows: do the impulses that the caller starts from, made fit, certify as they are? A scene
 * at rest is answered here, without columns, islands' systems or solvers. */
static bool is_start_right(crn_contact_session *s, crn_contact_certificate *certificate)
{
    const crn_contact_problem *problem = s->compiled.problem;
    const crn_contact_options *options = &s->options;
    if (!options->start || options->even || problem->rows > 0) {
        return false;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        const double *start = options->start_impulse + 3 * (size_t)i;
        crn_island_fit(&problem->contact[i], options->cone, start, s->impulse + 3 * (size_t)i);
    }
    return crn_contact_is_within(&s->measure, s->impulse, options->start_share * options->tol, s->other, certificate);
}

/* The start is the answer; its motion and contact velocities are where is_start_right() left them. */
static void write_start(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    const crn_contact_problem *problem = s->compiled.problem;
    size_t items = 3 * (size_t)problem->contacts * sizeof(double);
    if (solution->impulse) {
        memcpy(solution->impulse, s->impulse, items);
    }
    if (solution->contact_velocity) {
        memcpy(solution->contact_velocity, s->other, items);
    }
    if (solution->velocity) {
        memcpy(solution->velocity, s->measure.v, (size_t)s->compiled.dof * sizeof(double));
    }
    for (int i = 0; solution->state && i < problem->contacts; ++i) {
        solution->state[i] = crn_island_state(&problem->contact[i], s->options.cone, s->impulse + 3 * (size_t)i);
    }
    result->outcome = CRN_LCP_SOLVED;
    result->law = s->options.law;
    result->method = s->options.method;
    if (s->options.method == CRN_CONTACT_AUTO) {
        result->method = s->options.cone == CRN_CONE_ROUND ? CRN_CONTACT_BODIES : CRN_CONTACT_STATES;
    }
    result->islands = crn_compile_islands(&s->compiled);
    result->is_warm = true;
}

/* Solve a problem that has been checked, its contacts in the order of that number. */
static crn_status solve_checked(const crn_contact_problem *problem, const crn_contact_options *options, int turn,
                                crn_workspace *workspace, const crn_contact_solution *solution,
                                crn_contact_result *result, crn_error *error)
{
    double start = crn_seconds();
    crn_contact_session *session = NULL;
    crn_arena arena;
    crn_status status = begin_chosen(problem, options, workspace, &arena, &session, error);
    if (status != CRN_OK || !session) {
        return status;
    }
    if (is_start_right(session, &result->certificate)) {
        write_start(session, solution, result);
        result->seconds = result->seconds_setup = crn_seconds() - start;
        return CRN_OK;
    }
    status = finish_session(workspace, &arena, turn, &session, error);
    if (status != CRN_OK) {
        return status;
    }
    session->seconds_setup = crn_seconds() - start;
    return crn_contact_again(session, NULL, solution, result, error);
}

/* Seconds of the checks, which are part of the setup. */
static void add_checks(double seconds, crn_contact_result *result)
{
    result->seconds += seconds;
    result->seconds_setup += seconds;
}

/* --- Other orders --- */

/* May a problem that is not solved as asked be tried in other orders? Not if it is large, or asked for by someone in a hurry. */
static bool may_turn(const crn_contact_problem *problem, const crn_contact_options *options)
{
    return !options->is_brief && problem->contacts > 1 && problem->contacts <= TURN_MOST;
}

static bool is_open(const crn_contact_result *result)
{
    return result->outcome != CRN_LCP_SOLVED && result->outcome != CRN_LCP_INFEASIBLE;
}

/* What a later attempt took comes on top of what the earlier ones did. */
static void add_attempt(const crn_contact_result *before, crn_contact_result *result)
{
    result->pivots += before->pivots;
    result->iterations += before->iterations;
    result->refactorizations += before->refactorizations;
    result->restarts += before->restarts + 1;
    result->seconds += before->seconds;
    result->seconds_setup += before->seconds_setup;
}

/* How many other orders are worth it: two contacts have one, three have five. */
static int turns_for(int contacts)
{
    int turns = TURN_WORK / contacts < TURNS ? TURN_WORK / contacts : TURNS;
    if (contacts <= 3) {
        turns = contacts == 3 ? 5 : 1;
    }
    return turns;
}

/* An order; every other one has shifts of its own too. */
static crn_status solve_in_order(const crn_contact_problem *problem, const crn_contact_options *options, int order,
                                 crn_workspace *workspace, const crn_contact_solution *solution,
                                 crn_contact_result *result, crn_error *error)
{
    crn_contact_options turned = *options;
    turned.seed += order % 2 == 0 ? (uint64_t)order : 0;
    return solve_checked(problem, &turned, order, workspace, solution, result, error);
}

/* The canonical order did not lead to what was asked for: others, and if none does, the first answer again. An order that needs
 * more memory than there is does not count. Returns the order of the answer. */
static int solve_turned(const crn_contact_problem *problem, const crn_contact_options *options,
                        crn_workspace *workspace, const crn_contact_solution *solution, crn_contact_result *result)
{
    const int turns = turns_for(problem->contacts);
    int order = 0;
    for (int turn = 1; turn <= turns + 1 && is_open(result); ++turn) {
        crn_contact_result before = *result;
        order = turn <= turns ? turn : 0;
        memset(result, 0, sizeof *result);
        if (solve_in_order(problem, options, order, workspace, solution, result, NULL) != CRN_OK) {
            *result = before;
        } else {
            add_attempt(&before, result);
        }
    }
    return order;
}

static void tell_nobody(void *user, const crn_contact_change *change)
{
    (void)user;
    (void)change;
}

/* Solve in the canonical order, or in another one if that fails. A trace tells of the order that led to the answer, in a second
 * solve which gives the same. */
static crn_status solve_in_orders(const crn_contact_problem *problem, const crn_contact_options *options,
                                  crn_workspace *workspace, const crn_contact_solution *solution,
                                  crn_contact_result *result, crn_error *error)
{
    crn_contact_options silent = *options;
    silent.trace = options->trace ? tell_nobody : NULL;
    crn_status status = solve_checked(problem, &silent, 0, workspace, solution, result, error);
    if (status != CRN_OK) {
        return status;
    }
    int order = may_turn(problem, options) ? solve_turned(problem, &silent, workspace, solution, result) : 0;
    if (options->trace) {
        crn_contact_result told = {0};
        status = solve_in_order(problem, options, order, workspace, solution, &told, error);
    }
    return status;
}

crn_status crn_contact_solve(const crn_contact_problem *problem, const crn_contact_options *options,
                             crn_workspace *workspace, const crn_contact_solution *solution, crn_contact_result *result,
                             crn_error *error)
{
    static const crn_contact_solution nothing;
    const crn_contact_options usual = crn_contact_options_default();
    double start = crn_seconds();
    crn_contact_result mine;
    options = options ? options : &usual;
    solution = solution ? solution : &nothing;
    result = result ? result : &mine;
    memset(result, 0, sizeof *result);
    crn_status status = check_call(problem, workspace, error);
    double checks = crn_seconds() - start;
    status = status == CRN_OK ? solve_in_orders(problem, options, workspace, solution, result, error) : status;
    add_checks(checks, result);
    return status;
}

crn_status crn_contact_solve_built(const crn_contact_problem *problem, const crn_contact_options *options,
                                   crn_workspace *workspace, const crn_contact_solution *solution,
                                   crn_contact_result *result, crn_error *error)
{
    double start = crn_seconds();
    memset(result, 0, sizeof *result);
    crn_clear(error);
    crn_status status = crn_contact_is_finite(problem) ? CRN_OK : crn_contact_check(problem, error); /* says where */
    assert(status != CRN_OK || crn_contact_check(problem, NULL) == CRN_OK);
    double checks = crn_seconds() - start;
    status = status == CRN_OK ? solve_checked(problem, options, CRN_ORDER_GIVEN, workspace, solution, result, error)
                              : status;
    add_checks(checks, result);
    return status;
}

size_t crn_contact_workspace_size(const crn_contact_problem *problem, const crn_contact_options *options)
{
    crn_contact_options chosen = options ? *options : crn_contact_options_default();
    crn_workspace scratch = {0};
    crn_arena arena;
    crn_contact_session *session = NULL;
    size_t bytes = 0;
    if (crn_contact_check(problem, NULL) == CRN_OK && check_options(&chosen, NULL) == CRN_OK &&
        check_method(problem, &chosen, NULL) == CRN_OK &&
        begin_session(problem, &chosen, &scratch, 0, &arena, &session, NULL) == CRN_OK) {
        session->compiled.turn = 0;
        crn_compile_columns(&session->compiled);
        bytes = bytes_needed(session, &arena);
    }
    crn_workspace_free(&scratch);
    return bytes == 0 || bytes > SIZE_MAX - CRN_ARENA_ALIGN ? 0 : bytes + CRN_ARENA_ALIGN; /* room to align */
}
