/* Uniqueness of motion and impulses: the public entry.
 *
 * Islands are judged one by one (unique_island.c, unique_motion.c). Where the motion of a problem with friction is not proved
 * unique, the problem is solved a few times with its contacts in other orders (kept, not made canonical as the public door does); a
 * certified solution with another motion proves that it is not. What is neither proved nor refuted stays undecided. */
#include "contact/unique.h"

#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "contact/compile.h"
#include "contact/contact_room.h"
#include "math/vec.h"

/* Impulses with a larger certificate are no solution: questions about them have no meaning. */
#define TOL_SOLUTION 1e-6
/* Only impulses as good as a solver's answer may take part in a proof that there are two motions. */
#define TOL_PROOF 1e-9
/* Relative to U: contact velocities further apart belong to different motions. A thousand times what certificates allow. */
#define TOL_OTHER_MOTION 1e-6

enum { ORDERS = 6 }; /* orders of the contacts that are tried for another motion */

typedef struct judge {
    crn_compiled compiled;
    crn_measure measure;
    crn_unique *island; /* one per island */
    double *u;          /* contact velocities, caller's order */
    double *r, *l;      /* impulses of one island */
    double *mine;       /* contact velocities of one island, or of another solution */
    crn_contact_point *contact;
    int *order;
    bool is_searching;    /* for other motions */
    unsigned char *space; /* workspace of the solves */
    size_t space_bytes;
} judge;

static bool has_friction(const crn_contact_problem *problem)
{
    for (int i = 0; i < problem->contacts; ++i) {
        if (problem->contact[i].mu > 0.0 && problem->contact[i].directions > 0) {
            return true;
        }
    }
    return false;
}

/* Parts whose size is known before islands are. */
static void lay_out_first(judge *j, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t contacts = (size_t)problem->contacts;
    bool can_move = j->is_searching && has_friction(problem);
    crn_compiled_layout(&j->compiled, problem, arena);
    crn_measure_layout(&j->measure, problem, arena);
    j->u = CRN_TAKE(arena, double, 3 * contacts);
    j->r = CRN_TAKE(arena, double, 3 * contacts);
    j->l = CRN_TAKE(arena, double, (size_t)problem->rows);
    j->mine = CRN_TAKE(arena, double, 3 * contacts);
    j->contact = can_move ? CRN_TAKE(arena, crn_contact_point, contacts) : NULL;
    j->order = can_move ? CRN_TAKE(arena, int, contacts) : NULL;
    j->space = can_move ? CRN_TAKE(arena, unsigned char, j->space_bytes) : NULL;
}

static void lay_out_islands(judge *j, crn_arena *arena)
{
    crn_unique counting;
    crn_unique *island = CRN_TAKE(arena, crn_unique, (size_t)j->compiled.islands);
    for (int i = 0; i < j->compiled.islands; ++i) {
        crn_unique_layout(island ? &island[i] : &counting, &j->compiled.island[i].system, arena);
    }
    j->island = island;
}

static crn_status fail_too_large(crn_error *error)
{
    (void)crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    return CRN_ERR_MEMORY;
}

/* Compile into a workspace of at least `bytes`. */
static crn_status compile_into(judge *j, const crn_contact_problem *problem, crn_workspace *workspace, size_t bytes,
                               crn_arena *arena, crn_error *error)
{
    crn_arena counting = crn_arena_counting();
    lay_out_first(j, problem, &counting);
    if (counting.overflow) {
        return fail_too_large(error);
    }
    crn_status status = crn_workspace_arena(workspace, counting.used > bytes ? counting.used : bytes, arena, error);
    if (status == CRN_OK) {
        lay_out_first(j, problem, arena);
        status = crn_compile(&j->compiled, error);
    }
    return status;
}

static crn_status open_judge(judge *j, const crn_contact_problem *problem, crn_workspace *workspace, crn_error *error)
{
    crn_arena arena;
    j->space_bytes = j->is_searching && has_friction(problem) ? crn_contact_workspace_size(problem, NULL) : 0;
    crn_status status = compile_into(j, problem, workspace, 0, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_arena counting = crn_arena_counting();
    counting.used = arena.used;
    lay_out_islands(j, &counting);
    if (counting.overflow) {
        return fail_too_large(error);
    }
    if (counting.used > arena.size) { /* growing moves everything: once more, then it fits */
        status = compile_into(j, problem, workspace, counting.used, &arena, error);
    }
    if (status == CRN_OK) {
        lay_out_islands(j, &arena);
        crn_measure_prepare(&j->measure, j->compiled.mass);
    }
    return status;
}

/* --- Another motion --- */

static void shuffle(crn_random *random, int n, int *order)
{
    for (int i = 0; i < n; ++i) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; --i) {
        int k = crn_random_below(random, i + 1), held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
}

/* Does some order of the contacts lead to another motion? U is the velocity scale. */
static bool finds_other_motion(judge *j, const crn_contact_problem *problem, double U)
{
    crn_random random = crn_random_seed(1);
    crn_contact_problem other = *problem;
    crn_workspace space = crn_workspace_fixed(j->space, j->space_bytes);
    crn_contact_solution solution = {.contact_velocity = j->mine};
    crn_contact_options options = crn_contact_options_default();
    options.tol = TOL_PROOF;
    other.contact = j->contact;
    for (int trial = 0; trial < ORDERS; ++trial) {
        crn_contact_result result;
        double difference = 0.0;
        shuffle(&random, problem->contacts, j->order);
        for (int i = 0; i < problem->contacts; ++i) {
            j->contact[i] = problem->contact[j->order[i]];
        }
        if (crn_contact_solve_built(&other, &options, &space, &solution, &result, NULL) != CRN_OK ||
            result.outcome != CRN_LCP_SOLVED) {
            continue;
        }
        for (int i = 0; i < 3 * problem->contacts; ++i) {
            double u = j->u[3 * j->order[i / 3] + i % 3];
            difference = crn_max(fabs(j->mine[i] - u), difference);
        }
        if (difference > TOL_OTHER_MOTION * U) {
            return true;
        }
    }
    return false;
}

/* --- The entry --- */

static void judge_islands(judge *j, const double *impulse, const double *row_impulse, double noise,
                          crn_contact_uniqueness *answer)
{
    for (int k = 0; k < j->compiled.islands; ++k) {
        const crn_island *island = &j->compiled.island[k];
        for (int i = 0; i < island->system.contacts; ++i) {
            memcpy(j->r + 3 * (size_t)i, impulse + 3 * (size_t)island->contact_of[i], 3 * sizeof *j->r);
            memcpy(j->mine + 3 * (size_t)i, j->u + 3 * (size_t)island->contact_of[i], 3 * sizeof *j->u);
        }
        for (int i = 0; i < island->system.rows; ++i) {
            j->l[i] = row_impulse[island->row_of[i]];
        }
        crn_unique_island(&j->island[k], &island->system, j->r, j->l, j->mine, noise, answer);
    }
}

static crn_status judge_impulses(const crn_contact_problem *problem, const double *impulse, const double *row_impulse,
                                 bool is_searching, crn_workspace *workspace, crn_contact_uniqueness *uniqueness,
                                 crn_error *error)
{
    judge j = {.is_searching = is_searching};
    crn_contact_certificate certificate;
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!workspace || !uniqueness || (problem->contacts && !impulse) || (problem->rows && !row_impulse)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse, row_impulse, workspace or uniqueness is NULL");
    }
    status = open_judge(&j, problem, workspace, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_contact_measure(&j.measure, impulse, row_impulse, NULL, j.u, &certificate);
    if (!(certificate.relative <= TOL_SOLUTION)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse is not a solution: its certificate is %g",
                        certificate.relative);
    }
    *uniqueness = (crn_contact_uniqueness){CRN_YES, CRN_YES, 0, 0};
    judge_islands(&j, impulse, row_impulse, certificate.velocity_error, uniqueness);
    if (is_searching && uniqueness->is_motion_unique == CRN_UNDECIDED && certificate.relative <= TOL_PROOF &&
        finds_other_motion(&j, problem, certificate.scale)) {
        uniqueness->is_motion_unique = CRN_NO;
    }
    return CRN_OK;
}

crn_status crn_contact_uniqueness_of(const crn_contact_problem *problem, const double *impulse,
                                     const double *row_impulse, crn_workspace *workspace,
                                     crn_contact_uniqueness *uniqueness, crn_error *error)
{
    return judge_impulses(problem, impulse, row_impulse, true, workspace, uniqueness, error);
}

crn_status crn_contact_redundancy_of(const crn_contact_problem *problem, const double *impulse,
                                     const double *row_impulse, crn_workspace *workspace,
                                     crn_contact_uniqueness *uniqueness, crn_error *error)
{
    return judge_impulses(problem, impulse, row_impulse, false, workspace, uniqueness, error);
}
