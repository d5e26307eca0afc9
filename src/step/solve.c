/* Solving the step's problem, and what to do when it has no solution.
 *
 * A body squeezed between two walls that are nearer than its diameter cannot leave both: no velocity satisfies all rows.
 * The solver then ends at the velocity of least violation. The rows it violates are relaxed to what it reached, so that
 * overlap stays where it is instead of growing into impulses without bound, and that problem is solved and certified;
 * stats->is_relaxed tells. */
#include <string.h>

#include "base/memory.h"
#include "contact/contact_room.h"
#include "step/parts.h"

enum { RELAXATIONS = 3 };

static void add_result(const crn_contact_result *result, crn_step_answer *answer)
{
    crn_contact_result *sum = &answer->result;
    if (answer->problems == 0) {
        *sum = *result;
    } else {
        int pivots = sum->pivots + result->pivots, iterations = sum->iterations + result->iterations;
        double seconds = sum->seconds + result->seconds;
        crn_contact_law law = sum->law == CRN_LAW_CONVEX ? sum->law : result->law;
        bool is_worse = result->certificate.relative > sum->certificate.relative ||
                        (sum->outcome == CRN_LCP_SOLVED && result->outcome != CRN_LCP_SOLVED);
        if (is_worse) {
            *sum = *result;
        }
        sum->pivots = pivots;
        sum->iterations = iterations;
        sum->seconds = seconds;
        sum->law = law;
    }
    answer->problems++;
}

void crn_step_add_answer(const crn_step_answer *part, crn_step_answer *answer)
{
    int problems = answer->problems + part->problems;
    bool is_relaxed = answer->is_relaxed || part->is_relaxed;
    if (part->problems > 0) {
        add_result(&part->result, answer);
    } else if (answer->problems == 0) {
        answer->result = part->result;
    }
    answer->problems = problems;
    answer->is_relaxed = is_relaxed;
}

crn_status crn_step_solve_once(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    crn_contact_solution solution = {p->impulse, p->found, p->u, p->row_impulse, p->state};
    crn_contact_result result;
    crn_status status =
        s->solver ? s->solver(s->solver_user, &p->problem, &p->options, &solution, &result, error)
                  : crn_contact_solve_built(&p->problem, &p->options, &p->workspace, &solution, &result, error);
    if (status == CRN_OK) {
        add_result(&result, answer);
    }
    return status;
}

/* Take out of the offsets what no velocity satisfies. False if nothing was violated. */
static bool relax(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    bool is_changed = false;
    for (int i = 0; i < p->problem.contacts; ++i) {
        double violation = -p->u[3 * i];
        if (violation > 0.0 && p->point[i].offset[0] < 0.0) {
            p->point[i].offset[0] += violation;
            is_changed = true;
        }
    }
    return is_changed;
}

/* Did the start, made fit, certify as it was? */
static bool is_start_kept(const crn_contact_result *result)
{
    return result->method == CRN_CONTACT_BODIES && result->is_warm && result->iterations == 0 && result->pivots == 0;
}

crn_status crn_step_solve(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    memset(answer, 0, sizeof *answer);
    s->problem.is_start_kept = false;
    if (s->problem.problem.contacts + s->problem.problem.rows == 0) {
        crn_copy_numbers(s->problem.found, s->problem.velocity, crn_contact_dof(&s->problem.problem));
        answer->result.outcome = CRN_LCP_SOLVED;
        answer->result.law = s->problem.options.law;
        return CRN_OK;
    }
    crn_status status = crn_step_solve_once(s, answer, error);
    for (int i = 0; i < RELAXATIONS && status == CRN_OK && answer->result.outcome != CRN_LCP_SOLVED && relax(s); ++i) {
        crn_step_answer again = {0};
        status = crn_step_solve_once(s, &again, error);
        again.problems += answer->problems;
        again.is_relaxed = true;
        *answer = again;
    }
    s->problem.is_start_kept = status == CRN_OK && !answer->is_relaxed && is_start_kept(&answer->result);
    return status;
}
