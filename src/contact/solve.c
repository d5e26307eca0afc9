/* A problem solved once: by its warm start as it is, in the canonical order of its contacts, or in others where that fails. */
#include "contact/session.h"

#include <assert.h>
#include <string.h>

#include "contact/canonical.h"

enum {
    TURNS = 20,      /* other orders of the contacts that are tried when all else fails, ... */
    TURN_WORK = 120, /* ... as many as have so many contacts together, ... */
    TURN_MOST = 64   /* ... in problems with at most so many of them */
};

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

/* A problem that has been checked, to be solved. */
typedef struct task {
    const crn_contact_problem *problem;
    const crn_contact_options *options;
    int turn;      /* number of the order of its contacts */
    bool is_timed; /* not in steps of a world: reading the clock would take as long as a small problem */
    crn_workspace *workspace;
    const crn_contact_solution *solution;
} task;

/* is_all, is_short: crn_session_finish(). */
static crn_status solve_with(const task *t, bool is_all, crn_contact_result *result, bool *is_short, crn_error *error)
{
    double start = t->is_timed ? crn_seconds() : 0.0;
    crn_contact_session *session = NULL;
    crn_arena arena;
    *is_short = false;
    crn_status status = crn_session_begin(t->problem, t->options, t->workspace, &arena, &session, error);
    if (status != CRN_OK || !session) {
        return status;
    }
    if (is_start_right(session, &result->certificate)) {
        write_start(session, t->solution, result);
        result->seconds = result->seconds_setup = t->is_timed ? crn_seconds() - start : 0.0;
        return CRN_OK;
    }
    status = crn_session_finish(t->workspace, &arena, t->turn, is_all, &session, error);
    if (status != CRN_OK) {
        return status;
    }
    session->is_timed = t->is_timed;
    session->seconds_setup = t->is_timed ? crn_seconds() - start : 0.0;
    status = crn_contact_again(session, NULL, t->solution, result, error);
    *is_short = crn_session_is_short(session);
    return status;
}

/* With the solvers that come first; with all of them where others were needed and the workspace was too small. */
static crn_status solve_checked(const task *t, crn_contact_result *result, crn_error *error)
{
    bool is_short;
    crn_status status = solve_with(t, false, result, &is_short, error);
    return is_short ? solve_with(t, true, result, &is_short, error) : status;
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
    task t = {problem, &turned, order, true, workspace, solution};
    return solve_checked(&t, result, error);
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
    task t = {problem, &silent, 0, true, workspace, solution};
    crn_status status = solve_checked(&t, result, error);
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
    crn_status status = crn_session_check_call(problem, workspace, error);
    double checks = crn_seconds() - start;
    status = status == CRN_OK ? solve_in_orders(problem, options, workspace, solution, result, error) : status;
    add_checks(checks, result);
    return status;
}

crn_status crn_contact_solve_built(const crn_contact_problem *problem, const crn_contact_options *options,
                                   crn_workspace *workspace, const crn_contact_solution *solution,
                                   crn_contact_result *result, crn_error *error)
{
    task t = {problem, options, CRN_ORDER_GIVEN, false, workspace, solution};
    memset(result, 0, sizeof *result);
    crn_clear(error);
    crn_status status = crn_contact_is_finite(problem) ? CRN_OK : crn_contact_check(problem, error); /* says where */
    assert(status != CRN_OK || crn_contact_check(problem, NULL) == CRN_OK);
    return status == CRN_OK ? solve_checked(&t, result, error) : status;
}
