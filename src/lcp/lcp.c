/* The door: check the input, lay out memory, hand over to a method, judge what comes back. */
#include <cairn/lcp.h>

#include "lcp/auto.h"
#include "lcp/input.h"
#include "lcp/methods.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* --- memory --- */

/* Does the method fall through to the tree search when its paths fail? */
static bool has_resort(const crn_job *job)
{
    bool is_ours = job->options.method == CRN_LCP_AUTO || job->options.method == CRN_LCP_SEARCH;
    return is_ours && crn_exhaust_is_possible(job);
}

static void lay_out(crn_frame *f, crn_arena *arena)
{
    crn_job_layout(&f->job, arena);
    if (has_resort(&f->job)) {
        crn_exhaust_layout(&f->exhaust, &f->job, arena);
    }
    crn_method_layout(f, arena);
}

static size_t counted(const crn_arena *arena)
{
    return arena->overflow ? SIZE_MAX : arena->used;
}

/* Bytes for a job whose problem, options and structure are set. */
static size_t frame_size(const crn_job *job)
{
    crn_arena counting = crn_arena_counting();
    crn_frame f;
    f.job = *job;
    f.job.w = NULL; /* nothing is laid out yet */
    lay_out(&f, &counting);
    return counted(&counting);
}

/* Does the method look at the entries of a sparse matrix before anything else? */
static bool needs_structure(const crn_job *job)
{
    bool is_sparse = job->problem->M == NULL && job->problem->n > 0;
    return is_sparse && (job->options.method == CRN_LCP_AUTO || crn_method_of(job->options.method)->is_sparse);
}

/* The most that a step of the plan needs. */
static size_t plan_size(const crn_job *given, const crn_plan_step *plan, int count)
{
    crn_job job = *given;
    size_t most = 0;
    for (int k = 0; k < count; ++k) {
        job.options.method = plan[k].method;
        size_t bytes = frame_size(&job);
        most = bytes > most ? bytes : most;
    }
    return most > SIZE_MAX - CRN_ARENA_ALIGN ? 0 : most + CRN_ARENA_ALIGN;
}

size_t crn_lcp_workspace_size(const crn_lcp_problem *problem, const crn_lcp_options *options)
{
    if (problem == NULL) {
        return 0;
    }
    crn_job job = {.problem = problem};
    crn_plan_step plan[CRN_PLAN_MOST];
    if (problem->n < 0 || problem->n > CRN_MAX_ORDER) {
        return 0;
    }
    job.options = options != NULL ? *options : crn_lcp_options_default(CRN_LCP_AUTO);
    job.structure = needs_structure(&job) ? crn_structure_of(problem) : (crn_structure){0};
    return plan_size(&job, plan, crn_auto_plan(&job, plan));
}

/* --- solving --- */

/* Lay out the frame in the memory at hand; only if that is too small, count and grow. Then scale the problem. */
static crn_status open_frame(crn_frame *f, crn_workspace *workspace, crn_error *error)
{
    crn_arena arena = crn_workspace_present(workspace);
    lay_out(f, &arena);
    if (arena.data == NULL || arena.overflow) {
        size_t bytes = frame_size(&f->job);
        crn_status status = crn_workspace_arena(workspace, bytes, &arena, error);
        if (status != CRN_OK) {
            return status;
        }
        lay_out(f, &arena);
    }
    return crn_view_open(&f->job.view, error);
}

static void copy_out(crn_job *job, const crn_lcp_solution *solution)
{
    const size_t n = (size_t)job->problem->n;
    if (solution->z != NULL) { /* else n = 0 */
        memcpy(solution->z, job->z, n * sizeof *job->z);
    }
    if (solution->w != NULL) {
        memcpy(solution->w, job->w, n * sizeof *job->w);
    }
    if (solution->basis != NULL) {
        memcpy(solution->basis, job->basis, n);
    }
    if (job->result->outcome != CRN_LCP_RAY && job->result->outcome != CRN_LCP_INFEASIBLE) {
        memset(job->ray, 0, n * sizeof *job->ray); /* of an attempt that was given up */
    }
    if (solution->ray != NULL) {
        memcpy(solution->ray, job->ray, n * sizeof *job->ray);
    }
}

static void begin_point(crn_job *job)
{
    for (int i = 0; i < job->problem->n; ++i) {
        job->z[i] = crn_view_start(&job->view, i);
    }
}

/* Something to return if the method finds nothing: z = 0 clamped to the bounds, no ray. */
static void begin_answer(crn_job *job)
{
    const size_t n = (size_t)job->problem->n;
    begin_point(job);
    memset(job->ray, 0, n * sizeof *job->ray);
    for (int i = 0; i < job->problem->n; ++i) {
        job->basis[i] = crn_job_cold_state(job, i);
    }
}

/* The method ended without an answer: w and the certificate of whatever point it left, or of the start if that has run
 * away. A point that the judge passes is a solution, however the method came to it. */
static crn_lcp_outcome judge_leftover(crn_job *job, crn_lcp_outcome ending)
{
    for (int i = 0; i < job->problem->n; ++i) {
        if (!isfinite(job->z[i])) {
            begin_point(job);
            break;
        }
    }
    bool is_solved = crn_job_accept(job) == CRN_LCP_SOLVED && ending != CRN_LCP_INFEASIBLE;
    return is_solved ? CRN_LCP_SOLVED : ending;
}

/* Paths found neither a solution nor a proof that there is none: a small problem is decided by looking everywhere. The
 * answer at hand stands unless something better is found. */
static crn_lcp_outcome resort(crn_frame *f, crn_lcp_outcome outcome, const crn_lcp_solution *solution)
{
    crn_lcp_certificate certificate = f->job.result->certificate;
    copy_out(&f->job, solution);
    f->exhaust.margin = 0.0;
    crn_lcp_outcome last = crn_exhaust_run(&f->exhaust, &f->job, 0);
    if (last == CRN_LCP_UNSOLVED) {
        f->job.result->certificate = certificate;
        return outcome;
    }
    if (last == CRN_LCP_INFEASIBLE) {
        (void)judge_leftover(&f->job, last); /* the last point tried */
    }
    f->job.result->outcome = last;
    copy_out(&f->job, solution);
    return last;
}

static crn_status check_call(const crn_job *job, const crn_workspace *workspace, const crn_lcp_solution *solution,
                             crn_error *error)
{
    crn_status status = crn_input_check(job->problem, error);
    status = status == CRN_OK ? crn_input_check_options(&job->options, job->problem->n, error) : status;
    if (status == CRN_OK && (solution == NULL || (solution->z == NULL && job->problem->n > 0))) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "solution: no array for z");
    }
    if (status == CRN_OK && workspace == NULL) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "workspace: NULL");
    }
    return status;
}

/* What a sparse matrix looks like, and whether the method that was asked for can do with it. */
static crn_status look_at_structure(crn_job *job, crn_error *error)
{
    const crn_method *method = crn_method_of(job->options.method);
    if (!method->is_sparse && !method->needs_game && !needs_structure(job)) {
        return CRN_OK;
    }
    crn_status status = crn_lcp_check(job->problem, error);
    if (status == CRN_OK && needs_structure(job)) {
        job->structure = crn_structure_of(job->problem);
    }
    return status == CRN_OK ? crn_method_check(method, job->problem, &job->structure, error) : status;
}

/* Is a workspace that cannot grow large enough for all of the plan? */
static crn_status check_fixed(const crn_job *job, const crn_plan_step *plan, int count, const crn_workspace *workspace,
                              crn_error *error)
{
    size_t bytes = plan_size(job, plan, count);
    return bytes != 0 && workspace->size >= bytes
               ? CRN_OK
               : crn_fail(error, CRN_ERR_WORKSPACE, "workspace: %zu bytes are less than %zu", workspace->size, bytes);
}

static bool is_decided(crn_lcp_outcome outcome)
{
    return outcome == CRN_LCP_SOLVED || outcome == CRN_LCP_INFEASIBLE;
}

/* Lay out and run the method in job->options; again with more memory while its factors need it. */
static crn_status run(crn_frame *f, crn_workspace *workspace, const crn_lcp_solution *solution, crn_error *error)
{
    crn_job *job = &f->job;
    const crn_method *method = crn_method_of(job->options.method);
    for (job->entries = job->entries_needed = 0;; job->entries = job->entries_needed) {
        *job->result = (crn_lcp_result){.method = job->options.method, .certificate = {.worst = -1}};
        job->entries_needed = 0;
        crn_status status = open_frame(f, workspace, error);
        if (status != CRN_OK) {
            return status;
        }
        begin_answer(job);
        job->history = solution->history;
        job->history_size = solution->history_size;
        job->result->ending = job->result->outcome = method->run(f);
        if (job->entries_needed == 0) {
            return CRN_OK;
        }
    }
}

/* Run one method of the plan. What it finds goes out if nothing better did before: *best is the certificate of that. */
static crn_status attempt(crn_frame *f, crn_workspace *workspace, const crn_lcp_solution *solution, double *best,
                          crn_error *error)
{
    crn_job *job = &f->job;
    const crn_lcp_result before = *job->result;
    crn_status status = run(f, workspace, solution, error);
    if (status != CRN_OK) {
        *job->result = before;
        return status;
    }
    if (job->result->outcome != CRN_LCP_SOLVED) {
        job->result->outcome = judge_leftover(job, job->result->ending);
    }
    if (!is_decided(job->result->outcome) && has_resort(job)) {
        job->result->outcome = resort(f, job->result->outcome, solution);
    } else if (is_decided(job->result->outcome) || !(job->result->certificate.relative >= *best)) {
        copy_out(job, solution);
    } else {
        *job->result = before;
    }
    *best = crn_min(job->result->certificate.relative, *best);
    return CRN_OK;
}

crn_status crn_lcp_solve(const crn_lcp_problem *problem, const crn_lcp_options *options, crn_workspace *workspace,
                         const crn_lcp_solution *solution, crn_lcp_result *result, crn_error *error)
{
    crn_lcp_result unused = {.outcome = CRN_LCP_UNSOLVED};
    crn_plan_step plan[CRN_PLAN_MOST];
    crn_frame f; /* its parts are set when they are laid out */
    f.job = (crn_job){.problem = problem, .result = result != NULL ? result : &unused};
    f.job.options = options != NULL ? *options : crn_lcp_options_default(CRN_LCP_AUTO);
    *f.job.result = (crn_lcp_result){.method = f.job.options.method, .certificate = {.worst = -1}};
    crn_clear(error);
    crn_status status = check_call(&f.job, workspace, solution, error);
    if (status != CRN_OK) {
        return status;
    }
    if (problem->n == 0) { /* nothing to find, and nothing that a pointer need lead to */
        f.job.result->outcome = f.job.result->ending = CRN_LCP_SOLVED;
        f.job.result->certificate.scale = 1.0;
        return CRN_OK;
    }
    f.job.begin = crn_seconds();
    status = look_at_structure(&f.job, error);
    const int count = status == CRN_OK ? crn_auto_plan(&f.job, plan) : 0;
    if (count > 0 && workspace->is_fixed) { /* what is found must not depend on how far the memory reaches */
        status = check_fixed(&f.job, plan, count, workspace, error);
    }
    double best = INFINITY;
    bool is_known = false; /* has a method run? */
    for (int k = 0; k < count && status == CRN_OK; ++k) {
        f.job.options.method = plan[k].method;
        f.job.attempts = plan[k].attempts;
        status = attempt(&f, workspace, solution, &best, error);
        is_known = is_known || status == CRN_OK;
        if (status == CRN_OK && (is_decided(f.job.result->outcome) || f.job.is_stopped)) {
            break;
        }
    }
    f.job.result->seconds = crn_seconds() - f.job.begin;
    if (is_known) { /* no memory for a later method: what an earlier one found stands */
        crn_clear(error);
        return CRN_OK;
    }
    return status;
}

crn_status crn_lcp_certify(const crn_lcp_problem *problem, const double *z, crn_workspace *workspace,
                           crn_lcp_certificate *certificate, crn_error *error)
{
    crn_job job = {.problem = problem};
    crn_arena counting = crn_arena_counting(), arena;
    crn_clear(error);
    crn_status status = crn_input_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (certificate == NULL || workspace == NULL || (z == NULL && problem->n > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "z, certificate or workspace: NULL");
    }
    if (problem->n == 0) {
        *certificate = (crn_lcp_certificate){.scale = 1.0, .worst = -1};
        return CRN_OK;
    }
    crn_job_layout(&job, &counting);
    status = crn_workspace_arena(workspace, counted(&counting), &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_job_layout(&job, &arena);
    status = crn_view_open(&job.view, error);
    if (status == CRN_OK) {
        crn_check_point(&job.view, z, job.w, job.low, certificate);
    }
    return status;
}
