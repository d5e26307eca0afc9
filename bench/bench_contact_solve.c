/* bench_contact_solve.c -- solve, time and judge one contact problem. */
#include "bench_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "stats.h"

enum { MAX_REPEAT = 101, MAX_IN_A_ROW = 50 };

static const double tol = 1e-9;            /* relative certificate that counts as solved */
static const double repeat_seconds = 0.03; /* solves are repeated while they all together take less */
static const double clock_seconds = 5e-6;  /* so long a time is measured to a per cent */
static const double warm_change = 0.01;    /* of the free velocity */

void bench_contact_room_free(bench_contact_room *room)
{
    crn_workspace_free(&room->work);
    crn_workspace_free(&room->session_work);
    crn_workspace_free(&room->judge_work);
    free(room->impulse);
    free(room->contact_velocity);
    free(room->velocity);
    free(room->z);
    free(room->state);
    memset(room, 0, sizeof *room);
}

static bool grow(double **array, size_t count)
{
    double *grown = realloc(*array, (count + 1) * sizeof **array);
    *array = grown ? grown : *array;
    return grown != NULL;
}

static bool fit(bench_contact_room *room, const crn_contact_problem *problem)
{
    int dof = crn_contact_dof(problem), n = crn_contact_lcp_size(problem);
    bool is_ok = true;
    if (problem->contacts > room->contacts || !room->impulse) {
        size_t count = (size_t)problem->contacts;
        crn_contact_state *state = realloc(room->state, (count + 1) * sizeof *state);
        room->state = state ? state : room->state;
        is_ok = state && grow(&room->impulse, 3 * count) && grow(&room->contact_velocity, 3 * count);
        room->contacts = problem->contacts;
    }
    if (dof > room->dof || !room->velocity) {
        is_ok = is_ok && grow(&room->velocity, (size_t)dof);
        room->dof = dof;
    }
    if (n > room->n || !room->z) {
        is_ok = is_ok && grow(&room->z, (size_t)n);
        room->n = n;
    }
    if (!is_ok) {
        fprintf(stderr, "bench_contact: no memory\n");
    }
    return is_ok;
}

static bool refused(const crn_error *error)
{
    fprintf(stderr, "bench_contact: %s\n", error->text);
    return false;
}

static int solves_in_a_row(double seconds)
{
    return seconds < clock_seconds / MAX_IN_A_ROW ? MAX_IN_A_ROW : (int)ceil(clock_seconds / seconds);
}

/* Median times of several solves; a slow one is timed once. */
static bool time_solves(const crn_contact_problem *problem, const crn_contact_options *options, int repeat,
                        bench_contact_room *room, bench_contact_answer *answer)
{
    double times[MAX_REPEAT], solving[MAX_REPEAT], begin = crn_seconds();
    crn_contact_result result = {0};
    crn_error error;
    int count = 0, in_a_row = solves_in_a_row(answer->seconds);
    while (count < repeat && count < MAX_REPEAT && crn_seconds() - begin + answer->seconds < repeat_seconds) {
        double start = crn_seconds(), setup = 0.0;
        for (int k = 0; k < in_a_row; ++k) {
            if (crn_contact_solve(problem, options, &room->work, NULL, &result, &error) != CRN_OK) {
                return refused(&error);
            }
            setup += result.seconds_setup;
        }
        times[count] = (crn_seconds() - start) / in_a_row;
        solving[count] = times[count] - setup / in_a_row;
        ++count;
    }
    if (count > 0) {
        answer->seconds = bench_median(times, count);
        answer->solving = bench_median(solving, count);
    }
    return true;
}

bool bench_contact_solve(const crn_contact_problem *problem, int repeat, bench_contact_room *room,
                         bench_contact_answer *answer)
{
    crn_contact_options options = crn_contact_options_default();
    crn_contact_result result = {0};
    crn_error error;
    options.method = CRN_CONTACT_STATES;
    options.tol = tol;
    if (!fit(room, problem)) {
        return false;
    }
    crn_contact_solution solution = {
        .impulse = room->impulse, .contact_velocity = room->contact_velocity, .state = room->state};
    double start = crn_seconds();
    if (crn_contact_solve(problem, &options, &room->work, &solution, &result, &error) != CRN_OK) {
        return refused(&error);
    }
    *answer = (bench_contact_answer){.is_claimed = result.outcome == CRN_LCP_SOLVED,
                                     .restarts = result.restarts,
                                     .pivots = result.pivots,
                                     .relative = result.certificate.relative,
                                     .judged = (double)NAN,
                                     .seconds = crn_seconds() - start};
    answer->solving = answer->seconds - result.seconds_setup;
    answer->is_right = answer->is_claimed && answer->relative <= tol;
    answer->is_false = answer->is_claimed && !answer->is_right;
    return repeat <= 1 || time_solves(problem, &options, repeat, room, answer);
}

bool bench_contact_judge(const crn_contact_problem *problem, const crn_lcp_problem *lcp, bench_contact_room *room,
                         bench_contact_answer *answer)
{
    crn_error error;
    if (crn_contact_to_lcp(problem, room->impulse, room->contact_velocity, NULL, room->z, &error) != CRN_OK) {
        return refused(&error);
    }
    bench_verdict verdict = bench_judge(lcp, room->z, tol, &room->judge_work);
    answer->is_judged = true;
    answer->judged = verdict.relative;
    answer->is_false = answer->is_claimed && !verdict.is_solution;
    answer->is_right = answer->is_claimed && verdict.is_solution && answer->relative <= tol;
    return true;
}

/* room->velocity = the problem's free velocity, changed by warm_change of its norm in a random direction. */
static void change_velocity(const crn_contact_problem *problem, bench_contact_room *room, uint64_t seed)
{
    crn_random random = crn_random_seed(seed);
    double size = 0.0, step = 0.0;
    int dof = crn_contact_dof(problem);
    for (int i = 0; i < dof; ++i) {
        room->velocity[i] = crn_random_normal(&random);
        step += room->velocity[i] * room->velocity[i];
        size += problem->velocity[i] * problem->velocity[i];
    }
    for (int i = 0; i < dof; ++i) {
        room->velocity[i] = problem->velocity[i] + warm_change * sqrt(size / step) * room->velocity[i];
    }
}

bool bench_contact_warm(const crn_contact_problem *problem, int repeat, bench_contact_room *room, double *seconds,
                        double *pivots)
{
    double times[MAX_REPEAT], begin = crn_seconds();
    crn_contact_options options = crn_contact_options_default();
    crn_contact_session *session = NULL;
    crn_contact_result result = {0};
    crn_error error;
    int count = 0, all = 0;
    options.method = CRN_CONTACT_STATES;
    if (!fit(room, problem)) {
        return false;
    }
    change_velocity(problem, room, 1);
    bool is_ok = crn_contact_prepare(problem, &options, &room->session_work, &session, &error) == CRN_OK &&
                 crn_contact_again(session, NULL, NULL, &result, &error) == CRN_OK;
    /* There and back: every step is a change of 1 %. */
    for (int k = 0; is_ok && k < 2 * repeat && k < MAX_REPEAT && (k < 2 || crn_seconds() - begin < repeat_seconds);
         ++k) {
        is_ok = crn_contact_again(session, k % 2 ? NULL : room->velocity, NULL, &result, &error) == CRN_OK;
        times[count++] = result.seconds;
        all += result.pivots;
    }
    *seconds = bench_median(times, count);
    *pivots = count > 0 ? (double)all / count : 0.0;
    return is_ok || refused(&error);
}
