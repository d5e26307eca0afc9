/* Door 2: solve each island of a session, judge the whole. */
#include "contact/session.h"

#include <string.h>

enum { RESEEDS = 4 }; /* attempts with other shifts when an answer fails its certificate */

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

crn_status crn_contact_again(crn_contact_session *session, const double *velocity, const crn_contact_solution *solution,
                             crn_contact_result *result, crn_error *error)
{
    static const crn_contact_solution nothing;
    crn_contact_result mine;
    crn_clear(error);
    if (!session) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "session is NULL");
    }
    double start = session->is_timed ? crn_seconds() : 0.0;
    if (velocity && !crn_all_finite(velocity, session->compiled.dof)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "velocity is not finite");
    }
    result = result ? result : &mine;
    solution = solution ? solution : &nothing;
    memset(result, 0, sizeof *result);
    if (velocity || session->is_other_velocity) {
        crn_session_set_velocity(session, velocity ? velocity : session->compiled.problem->velocity);
        session->is_other_velocity = velocity != NULL;
    }
    result->outcome = CRN_LCP_SOLVED;
    result->law = session->options.law;
    result->islands = session->compiled.islands;
    if (session->options.trace) {
        begin_trace(session);
    }
    solve_islands(session, result);
    if (crn_session_is_short(session)) {
        return CRN_OK; /* the caller makes room and begins again */
    }
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
    result->seconds = session->is_timed ? crn_seconds() - start + session->seconds_setup : 0.0;
    return CRN_OK;
}
