/* Door 2: check, whiten, split into islands, solve each, judge the whole. */
#include <cairn/contact.h>

#include <string.h>

#include "contact/check.h"
#include "contact/compile.h"
#include "contact/states.h"

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
    options.tol = 1e-9;
    options.seed = 1;
    return options;
}

#define RESEEDS 4 /* attempts with other shifts when an answer fails its certificate */

/* --- The session: everything in one workspace --- */

struct crn_contact_session {
    crn_contact_options options;
    crn_compiled compiled;
    crn_measure measure;
    double *r, *l;                          /* impulses of all islands, in the islands' order */
    double *impulse, *row_impulse;          /* the same in the caller's order */
    double *other, *other_row;              /* a second answer, to keep the better one */
    double *start_impulse, *start_velocity; /* the caller's warm start in the islands' order; state has its states */
    bool has_start;                         /* until the first solve */
    crn_contact_state *state;               /* islands' order */
    crn_states *states;                     /* one per island */
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
    s->state = CRN_TAKE(arena, crn_contact_state, contacts);
}

/* Solvers of the islands. */
static void lay_out_solvers(crn_contact_session *s, crn_arena *arena)
{
    crn_states counting;
    crn_states *states = CRN_TAKE(arena, crn_states, (size_t)s->compiled.islands);
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_states_layout(states ? &states[i] : &counting, &s->compiled.island[i].system, arena);
    }
    s->states = states;
}

/* Make room for the first parts and compile into them. */
static crn_status compile_into(const crn_contact_problem *problem, crn_workspace *workspace, size_t bytes,
                               crn_arena *arena, crn_contact_session **session, crn_error *error)
{
    crn_arena counting = crn_arena_counting();
    crn_contact_session unplaced;
    CRN_TAKE(&counting, crn_contact_session, 1);
    lay_out_first(&unplaced, problem, &counting);
    if (counting.overflow) {
        return crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    }
    size_t needed = counting.used > bytes ? counting.used : bytes;
    crn_status status = crn_workspace_arena(workspace, needed, arena, error);
    if (status != CRN_OK) {
        return status;
    }
    *session = CRN_TAKE(arena, crn_contact_session, 1);
    lay_out_first(*session, problem, arena);
    status = crn_compile(&(*session)->compiled, error);
    if (status == CRN_OK) {
        crn_measure_prepare(&(*session)->measure, (*session)->compiled.mass);
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
    size_t at = 0;
    s->has_start = options->start != NULL;
    for (int i = 0; i < s->compiled.islands && s->has_start; ++i) {
        const crn_island *island = &s->compiled.island[i];
        for (int c = 0; c < island->system.contacts; ++c, ++at) {
            size_t from = (size_t)island->contact_of[c];
            s->state[at] = options->start[from];
            memcpy(s->start_impulse + 3 * at, options->start_impulse + 3 * from, 3 * sizeof(double));
            memcpy(s->start_velocity + 3 * at, options->start_velocity + 3 * from, 3 * sizeof(double));
        }
    }
}

static crn_status open_session(const crn_contact_problem *problem, const crn_contact_options *options,
                               crn_workspace *workspace, crn_contact_session **session, crn_error *error)
{
    double start = crn_seconds();
    crn_arena arena;
    crn_status status = compile_into(problem, workspace, 0, &arena, session, error);
    if (status != CRN_OK) {
        return status;
    }
    size_t bytes = bytes_needed(*session, &arena);
    if (bytes == 0) {
        return crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    }
    if (bytes > workspace->size) { /* growing moves everything: once more, then it fits */
        status = compile_into(problem, workspace, bytes, &arena, session, error);
        if (status != CRN_OK) {
            return status;
        }
    }
    crn_contact_session *s = *session;
    lay_out_solvers(s, &arena);
    s->options = *options;
    s->measure.cone = options->cone;
    s->measure.law = options->law;
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_states_load(&s->states[i], &s->compiled.island[i].system, options->seed);
    }
    take_start(s);
    s->seconds_setup = crn_seconds() - start;
    return CRN_OK;
}

static crn_status check_options(const crn_contact_options *options, crn_error *error)
{
    if ((unsigned)options->method >= CRN_CONTACT_METHOD_COUNT) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: method %d is unknown", (int)options->method);
    }
    if (!(options->tol > 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: tol %g is not positive", options->tol);
    }
    if (options->max_pivots < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: max_pivots %d is negative", options->max_pivots);
    }
    if (options->law == CRN_LAW_CONVEX && options->cone != CRN_CONE_ROUND) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: the convex law needs the round cone");
    }
    int given = (options->start != NULL) + (options->start_impulse != NULL) + (options->start_velocity != NULL);
    if (given != 0 && given != 3) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: a warm start needs start, start_impulse and start_velocity");
    }
    return CRN_OK;
}

crn_status crn_contact_prepare(const crn_contact_problem *problem, const crn_contact_options *options,
                               crn_workspace *workspace, crn_contact_session **session, crn_error *error)
{
    crn_contact_options chosen = options ? *options : crn_contact_options_default();
    crn_clear(error);
    if (!workspace || !session) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "workspace or session is NULL");
    }
    crn_status status = crn_contact_check(problem, error);
    if (status == CRN_OK) {
        status = check_options(&chosen, error);
    }
    return status == CRN_OK ? open_session(problem, &chosen, workspace, session, error) : status;
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
    if (result->outcome == CRN_LCP_SOLVED && run->outcome != CRN_LCP_SOLVED) {
        result->outcome = run->outcome;
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
                                  s->start_velocity + 3 * contacts};
        crn_run run;
        crn_states_solve(&s->states[i], s->has_start ? &guess : NULL, s->options.max_pivots, r, l, s->state + contacts,
                         &run);
        add_run(&run, result);
        for (int c = 0; c < island->system.contacts; ++c) {
            memcpy(s->impulse + 3 * (size_t)island->contact_of[c], r + 3 * (size_t)c, 3 * sizeof *r);
        }
        for (int c = 0; c < island->system.rows; ++c) {
            s->row_impulse[island->row_of[c]] = l[c];
        }
        contacts += (size_t)island->system.contacts;
        rows += (size_t)island->system.rows;
    }
    s->has_start = false;
}

/* Judge what is in impulse, and say so in the result. */
static void judge(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    crn_contact_measure(&s->measure, s->impulse, s->row_impulse, solution->velocity, solution->contact_velocity,
                        &result->certificate);
    if (result->certificate.relative <= s->options.tol) {
        result->outcome = CRN_LCP_SOLVED;
    } else if (result->outcome == CRN_LCP_SOLVED) {
        result->outcome = CRN_LCP_ERROR;
    }
}

/* The certificate is over the tolerance: other shifts, until it is not. The better answer stays. */
static void solve_again(crn_contact_session *s, const crn_contact_solution *solution, crn_contact_result *result)
{
    const crn_contact_problem *problem = s->compiled.problem;
    size_t impulses = 3 * (size_t)problem->contacts * sizeof(double), rows = (size_t)problem->rows * sizeof(double);
    for (int try = 1; try <= RESEEDS && result->outcome != CRN_LCP_SOLVED; ++try) {
        crn_contact_certificate before = result->certificate;
        memcpy(s->other, s->impulse, impulses);
        memcpy(s->other_row, s->row_impulse, rows);
        for (int i = 0; i < s->compiled.islands; ++i) {
            crn_states_reseed(&s->states[i], s->options.seed + (uint64_t)try);
        }
        result->outcome = CRN_LCP_SOLVED;
        result->restarts++;
        solve_islands(s, result);
        judge(s, solution, result);
        if (!(result->certificate.relative <= before.relative)) {
            memcpy(s->impulse, s->other, impulses);
            memcpy(s->row_impulse, s->other_row, rows);
            judge(s, solution, result);
        }
    }
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
        crn_states_set_velocity(&s->states[i]);
    }
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
    result = result ? result : &mine;
    solution = solution ? solution : &nothing;
    memset(result, 0, sizeof *result);
    if (velocity) {
        set_velocity(session, velocity);
    }
    result->outcome = CRN_LCP_SOLVED;
    result->method = CRN_CONTACT_STATES;
    result->law = session->options.law;
    result->islands = session->compiled.islands;
    solve_islands(session, result);
    judge(session, solution, result);
    solve_again(session, solution, result);
    write_solution(session, solution);
    result->seconds_setup = session->seconds_setup;
    result->seconds = crn_seconds() - start + session->seconds_setup;
    return CRN_OK;
}

crn_status crn_contact_solve(const crn_contact_problem *problem, const crn_contact_options *options,
                             crn_workspace *workspace, const crn_contact_solution *solution, crn_contact_result *result,
                             crn_error *error)
{
    crn_contact_session *session = NULL;
    if (result) {
        memset(result, 0, sizeof *result);
    }
    crn_status status = crn_contact_prepare(problem, options, workspace, &session, error);
    return status == CRN_OK ? crn_contact_again(session, NULL, solution, result, error) : status;
}

size_t crn_contact_workspace_size(const crn_contact_problem *problem, const crn_contact_options *options)
{
    crn_workspace scratch = {0};
    crn_arena arena;
    crn_contact_session *session;
    size_t bytes = 0;
    (void)options;
    if (crn_contact_check(problem, NULL) == CRN_OK &&
        compile_into(problem, &scratch, 0, &arena, &session, NULL) == CRN_OK) {
        bytes = bytes_needed(session, &arena);
    }
    crn_workspace_free(&scratch);
    return bytes;
}
