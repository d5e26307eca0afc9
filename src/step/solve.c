/* Solving the step's problem, and what to do when it has no solution.
 *
 * A body squeezed between two walls that are nearer than its diameter cannot leave both: no velocity satisfies all rows.
 * The solver then ends at the velocity of least violation. The rows it violates are relaxed to what it reached, so that
 * overlap stays where it is instead of growing into impulses without bound, and that problem is solved and certified;
 * stats->is_relaxed tells.
 *
 * Nor has a problem a solution where a motor without bound works against a limit or another motor, or where friction drags a
 * body by a surface that moves, or by the target of what rolls, into a corner that it jams in. All this is in the offsets: of
 * rows without bounds, along tangents, below 0 along normals. Without them v = 0 satisfies all rows and friction does no work on
 * it, so that there is a solution [docs/theory/stepping.md]. They are what is wished, and less of it is wished, down to nothing,
 * in the group of bodies that the violation is in. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/contact_room.h"
#include "math/forest.h"
#include "math/vec.h"
#include "step/lazy.h"
#include "step/parts.h"
#include "step/trees.h"

enum {
    RELAXATIONS = 3,
    WISH_STAGES = 3,         /* by a proof, by another one, all at once */
    WISHES = 2 * WISH_STAGES /* other groups may be unsolved too */
};

enum { ANEW_MOST = 100 };               /* contacts of a problem that is looked at anew where the start led nowhere */
static const double WISH_SHARE = 0.999; /* of what a proof leaves: no solution is at its edge */
static const double WISH_HALF = 0.5;    /* where the impulses prove nothing */

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
    answer->shift = crn_max(answer->shift, part->shift);
}

/* The whole problem, from where the last step ended; where that does not lead to what was asked for, as a stranger would. */
static crn_status solve_whole(crn_stepper *s, const crn_contact_solution *solution, crn_contact_result *result,
                              crn_error *error)
{
    crn_step_problem *p = &s->problem;
    crn_status status = crn_contact_solve_built(&p->problem, &p->options, &p->workspace, solution, result, error);
    if (status == CRN_OK && result->outcome != CRN_LCP_SOLVED && s->kick.purpose == CRN_FOR_KICK &&
        p->problem.contacts <= ANEW_MOST) {
        crn_contact_options cold = p->options;
        crn_contact_result before = *result;
        cold.start = NULL;
        cold.start_impulse = cold.start_velocity = cold.start_row_impulse = NULL;
        status = crn_contact_solve(&p->problem, &cold, &p->workspace, solution, result, error);
        result->pivots += before.pivots;
        result->iterations += before.iterations;
        result->seconds += before.seconds;
    }
    return status;
}

/* Size of the smallest shape that touches [m]; 0 if nothing does. */
static double smallest_size(const crn_stepper *s)
{
    double size = INFINITY;
    for (int i = 0; i < s->now.contacts; ++i) {
        size = crn_min(s->now.pair[i].size, size);
    }
    return size < INFINITY ? size : 0.0;
}

/* An answer that is not solved as well as was asked for may be exact for surfaces that stand elsewhere by less than anybody knows. It is
 * then the answer, moved onto the law, and answer->shift says by how much. */
static crn_status accept_shifted(crn_stepper *s, const crn_contact_solution *solution, crn_contact_result *result,
                                 crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    crn_contact_backward backward = {0};
    crn_contact_solution nearby = *solution;
    nearby.state = NULL;
    bool is_wanted = s->kick.purpose == CRN_FOR_KICK && !(s->def.tol > 0.0); /* who gives a tolerance means it */
    bool is_near = result->outcome == CRN_LCP_LIMIT || result->outcome == CRN_LCP_STALLED;
    if (!is_wanted || !is_near || result->law != p->options.law) {
        return CRN_OK;
    }
    crn_status status = crn_contact_backward_error(&p->problem, &p->options, p->impulse, p->row_impulse, &p->workspace,
                                                   NULL, &backward, error);
    double shift = s->kick.time * crn_max(crn_max(backward.normal, backward.slip), backward.row);
    if (status == CRN_OK && shift <= CRN_SHIFT_MOST * smallest_size(s)) {
        status = crn_contact_backward_error(&p->problem, &p->options, p->impulse, p->row_impulse, &p->workspace,
                                            &nearby, &backward, error);
        result->outcome = CRN_LCP_SOLVED;
        answer->shift = crn_max(answer->shift, shift);
    }
    return status;
}

crn_status crn_step_solve_once(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    crn_contact_solution solution = {p->impulse, p->found, p->u, p->row_impulse, p->state};
    crn_contact_result result;
    bool is_solved = false;
    crn_status status = crn_lazy_is_worth(s) ? crn_lazy_solve(s, &result, &is_solved, error) : CRN_OK;
    if (status != CRN_OK || is_solved) {
        if (status == CRN_OK) {
            add_result(&result, answer);
        }
        return status;
    }
    status = s->solver ? s->solver(s->solver_user, &p->problem, &p->options, &solution, &result, error)
                       : solve_whole(s, &solution, &result, error);
    if (status == CRN_OK) {
        status = accept_shifted(s, &solution, &result, answer, error);
    }
    if (status == CRN_OK) {
        add_result(&result, answer);
    }
    return status;
}

/* --- Relaxing --- */

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

/* Bodies that contacts and rows connect have the same root. */
static void find_groups(crn_step_problem *p)
{
    for (int i = 0; i < p->problem.bodies; ++i) {
        p->group[i] = i;
    }
    for (int i = 0; i < p->problem.contacts; ++i) {
        if (p->point[i].a >= 0 && p->point[i].b >= 0) {
            (void)crn_forest_join(p->group, p->point[i].a, p->point[i].b);
        }
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        if (p->row[i].a >= 0 && p->row[i].b >= 0) {
            (void)crn_forest_join(p->group, p->row[i].a, p->row[i].b);
        }
    }
}

static int group_of(crn_step_problem *p, int a, int b)
{
    return crn_forest_root(p->group, a >= 0 ? a : b);
}

/* Group of the contact, or contacts + row, that is violated most; -1 if none is. */
static int worst_group(crn_step_problem *p, int worst)
{
    int row = worst - p->problem.contacts;
    if (worst < 0 || row >= p->problem.rows) {
        return -1;
    }
    int a = row < 0 ? p->point[worst].a : p->row[row].a, b = row < 0 ? p->point[worst].b : p->row[row].b;
    return a < 0 && b < 0 ? -1 : group_of(p, a, b);
}

/* --- Wishes ---
 *
 * Impulses d that balance one another, sum_i x_i d_i = 0, prove that there is no solution if  sum_i d_i offset_i < 0. Where a
 * problem has none, the impulses of its answer have grown along such d. So what wishes take from the sum is reduced to what
 * the rest gives: a motor that works against its limit goes as far as the limit. */

/* What is wished in a group, and by which share it is to become less. */
typedef struct wishes {
    crn_step_problem *problem;
    int group;
    bool is_all;  /* every wish, whatever it takes from the sum */
    double given; /* sum of what is positive */
    double taken; /* and of what wishes take */
    double share; /* of them that is left */
    bool is_changed;
} wishes;

static void weigh(wishes *w, double product, bool is_wish)
{
    w->given += product > 0.0 ? product : 0.0;
    w->taken -= product < 0.0 && is_wish ? product : 0.0;
}

static void reduce(wishes *w, double impulse, double *offset, bool is_wish)
{
    if (is_wish && *offset != 0.0 && (w->is_all || impulse * *offset < 0.0)) {
        *offset *= w->share;
        w->is_changed = true;
    }
}

static bool is_of(const wishes *w, int a, int b)
{
    return (a >= 0 || b >= 0) && group_of(w->problem, a, b) == w->group;
}

static bool is_unbounded(const crn_contact_row *row)
{
    return !(row->bound > 0.0 && row->bound < INFINITY);
}

/* The share that leaves as much as the rest of the sum gives. */
static void find_share(wishes *w)
{
    const crn_step_problem *p = w->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        const crn_contact_point *point = &p->point[i];
        for (int k = 0; k < 3 && is_of(w, point->a, point->b); ++k) {
            weigh(w, p->impulse[3 * i + k] * point->offset[k], k > 0 || point->offset[0] < 0.0);
        }
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        if (is_unbounded(&p->row[i]) && is_of(w, p->row[i].a, p->row[i].b)) {
            weigh(w, p->row_impulse[i] * p->row[i].offset, true);
        }
    }
    bool is_proof = w->taken > w->given && isfinite(w->taken);
    w->share = is_proof ? WISH_SHARE * w->given / w->taken : WISH_HALF;
    w->is_all = !is_proof;
}

/* Leave a share of what is wished in a group. False if nothing was. */
static bool wish_less(wishes *w)
{
    crn_step_problem *p = w->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        crn_contact_point *point = &p->point[i];
        for (int k = 0; k < 3 && is_of(w, point->a, point->b); ++k) {
            reduce(w, p->impulse[3 * i + k], &point->offset[k], k > 0 || point->offset[0] < 0.0);
        }
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        if (is_of(w, p->row[i].a, p->row[i].b)) {
            reduce(w, p->row_impulse[i], &p->row[i].offset, is_unbounded(&p->row[i]));
        }
    }
    return w->is_changed;
}

/* Solve again what was relaxed: the new answer takes the place of the old one. */
static crn_status solve_again(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_answer again = {0};
    crn_status status = crn_step_solve_once(s, &again, error);
    again.problems += answer->problems;
    again.is_relaxed = true;
    *answer = again;
    return status;
}

/* Is there nothing to be found? Where a solution is to be expected other wishes are no answer. */
static bool is_hopeless(const crn_step_answer *answer)
{
    return !crn_is_answered(answer->result.outcome) && !answer->result.has_solution;
}

/* One problem, relaxed where it has no solution. */
static crn_status solve(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    int rounds = s->problem.is_positional ? 0 : WISHES; /* a repair that finds no way leaves things where they are */
    int relaxations = crn_is_hart(s) || s->problem.is_positional ? RELAXATIONS : 1;
    crn_status status = crn_step_solve_once(s, answer, error);
    for (int i = 0; i < relaxations && status == CRN_OK && is_hopeless(answer) && relax(s); ++i) {
        status = solve_again(s, answer, error);
    }
    if (is_hopeless(answer)) {
        find_groups(&s->problem);
    }
    for (int i = 0; i < rounds && status == CRN_OK && is_hopeless(answer); ++i) {
        wishes w = {.problem = &s->problem, .is_all = true};
        w.group = worst_group(&s->problem, answer->result.certificate.worst);
        if (i % WISH_STAGES < WISH_STAGES - 1) { /* else nothing is left of them */
            find_share(&w);
        }
        if (w.group < 0 || !wish_less(&w)) {
            break;
        }
        status = solve_again(s, answer, error);
    }
    return status;
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
        return s->branch ? crn_branch_fly(s->branch, error) : CRN_OK;
    }
    crn_status status = solve(s, answer, error);
    s->problem.is_start_kept =
        status == CRN_OK && !answer->is_relaxed && s->round.contacts == 0 && is_start_kept(&answer->result);
    return status;
}

crn_status crn_step_solve_also(crn_stepper *s, crn_step_answer *answer, crn_error *error)
{
    crn_step_answer also = {0};
    crn_status status = solve(s, &also, error);
    if (status == CRN_OK) {
        crn_step_add_answer(&also, answer);
    }
    return status;
}
