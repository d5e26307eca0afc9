/* The door: check the input, lay out memory, hand over to a method, judge what comes back. */
#include <cairn/lcp.h>

#include "lcp/auto.h"
#include "lcp/exhaust.h"
#include "lcp/input.h"
#include "lcp/job.h"
#include "lcp/lemke.h"
#include "lcp/yamane.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- memory --- */

/* All memory of a call. Only what the chosen method needs is laid out. */
typedef struct frame {
    crn_job job;
    crn_basis basis; /* search, murty, yamane, auto */
    crn_search search;
    crn_exhaust exhaust; /* search and auto, small problems */
    crn_murty murty;
    crn_lemke lemke;
    crn_yamane yamane;
    crn_pgs pgs;
} frame;

/* Does the method fall through to the tree search when its paths fail? */
static bool has_resort(const crn_job *job)
{
    bool is_ours = job->options.method == CRN_LCP_AUTO || job->options.method == CRN_LCP_SEARCH;
    return is_ours && crn_exhaust_is_possible(job);
}

static void lay_out(frame *f, crn_arena *arena)
{
    crn_job *job = &f->job;
    crn_job_layout(job, arena);
    if (has_resort(job)) {
        crn_exhaust_layout(&f->exhaust, job, arena);
    }
    switch (job->options.method) {
    case CRN_LCP_AUTO:
        crn_pgs_layout(&f->pgs, job, arena);
        if (!crn_auto_is_large(job)) {
            crn_basis_layout(&f->basis, job, arena);
            crn_search_layout(&f->search, job, &f->basis, arena);
            crn_murty_layout(&f->murty, job, &f->basis, arena);
        }
        break;
    case CRN_LCP_SEARCH:
        crn_basis_layout(&f->basis, job, arena);
        crn_search_layout(&f->search, job, &f->basis, arena);
        break;
    case CRN_LCP_MURTY:
        crn_basis_layout(&f->basis, job, arena);
        crn_murty_layout(&f->murty, job, &f->basis, arena);
        break;
    case CRN_LCP_LEMKE:
    case CRN_LCP_LEMKE_LEX: crn_lemke_layout(&f->lemke, job, arena); break;
    case CRN_LCP_YAMANE:
        crn_basis_layout(&f->basis, job, arena);
        crn_yamane_layout(&f->yamane, job, &f->basis, arena);
        break;
    case CRN_LCP_PGS: crn_pgs_layout(&f->pgs, job, arena); break;
    }
}

static size_t counted(const crn_arena *arena)
{
    return arena->overflow ? SIZE_MAX : arena->used;
}

static size_t frame_size(const crn_lcp_problem *problem, const crn_lcp_options *options)
{
    crn_arena counting = crn_arena_counting();
    frame f;
    f.job = (crn_job){.problem = problem, .options = *options};
    lay_out(&f, &counting);
    return counted(&counting);
}

size_t crn_lcp_workspace_size(const crn_lcp_problem *problem, const crn_lcp_options *options)
{
    crn_lcp_options defaults = crn_lcp_options_default(CRN_LCP_AUTO);
    if (problem->n < 0 || problem->n > CRN_MAX_ORDER) {
        return 0;
    }
    size_t bytes = frame_size(problem, options != NULL ? options : &defaults);
    return bytes > SIZE_MAX - CRN_ARENA_ALIGN ? 0 : bytes + CRN_ARENA_ALIGN;
}

/* --- solving --- */

/* Lay out the frame in the memory at hand; only if that is too small, count and grow. Then scale the problem. */
static crn_status open_frame(frame *f, crn_workspace *workspace, crn_error *error)
{
    crn_arena arena = crn_workspace_present(workspace);
    lay_out(f, &arena);
    if (arena.data == NULL || arena.overflow) {
        size_t bytes = frame_size(f->job.problem, &f->job.options);
        crn_status status = crn_workspace_arena(workspace, bytes, &arena, error);
        if (status != CRN_OK) {
            return status;
        }
        lay_out(f, &arena);
    }
    return crn_view_open(&f->job.view, error);
}

static crn_lcp_outcome run(frame *f)
{
    switch (f->job.options.method) {
    case CRN_LCP_AUTO: return crn_auto_run(&f->search, &f->murty, &f->pgs, &f->job);
    case CRN_LCP_SEARCH: return crn_search_run(&f->search, &f->job);
    case CRN_LCP_LEMKE:
    case CRN_LCP_LEMKE_LEX: return crn_lemke_run(&f->lemke, &f->job);
    case CRN_LCP_YAMANE: return crn_yamane_run(&f->yamane, &f->job);
    case CRN_LCP_MURTY: return crn_murty_run(&f->murty, &f->job);
    case CRN_LCP_PGS: return crn_pgs_run(&f->pgs, &f->job);
    }
    return CRN_LCP_UNSOLVED;
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

/* Something to return if the method finds nothing: z = 0 clamped to the bounds, no ray. */
static void begin_answer(crn_job *job)
{
    const size_t n = (size_t)job->problem->n;
    memcpy(job->z, job->view.z_start, n * sizeof *job->z);
    memset(job->ray, 0, n * sizeof *job->ray);
    for (int i = 0; i < job->problem->n; ++i) {
        job->basis[i] = crn_job_cold_state(job, i);
    }
}

/* Nothing was solved: w and the certificate of whatever point there is, or of the start if that has run away. */
static void judge_leftover(crn_job *job)
{
    for (int i = 0; i < job->problem->n; ++i) {
        if (!isfinite(job->z[i])) {
            memcpy(job->z, job->view.z_start, (size_t)job->problem->n * sizeof *job->z);
            break;
        }
    }
    (void)crn_job_accept(job);
}

/* Paths found neither a solution nor a proof that there is none: a small problem is decided by looking everywhere. The
 * answer at hand stands unless something better is found. */
static crn_lcp_outcome resort(frame *f, crn_lcp_outcome outcome, const crn_lcp_solution *solution)
{
    crn_lcp_certificate certificate = f->job.result->certificate;
    copy_out(&f->job, solution);
    crn_lcp_outcome last = crn_exhaust_run(&f->exhaust, &f->job);
    if (last == CRN_LCP_UNSOLVED) {
        f->job.result->certificate = certificate;
        return outcome;
    }
    if (last == CRN_LCP_INFEASIBLE) {
        judge_leftover(&f->job); /* the last point tried */
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

static bool is_decided(crn_lcp_outcome outcome)
{
    return outcome == CRN_LCP_SOLVED || outcome == CRN_LCP_INFEASIBLE;
}

crn_status crn_lcp_solve(const crn_lcp_problem *problem, const crn_lcp_options *options, crn_workspace *workspace,
                         const crn_lcp_solution *solution, crn_lcp_result *result, crn_error *error)
{
    crn_lcp_result unused = {.outcome = CRN_LCP_UNSOLVED};
    frame f; /* large; its parts are set when they are laid out */
    f.job = (crn_job){.problem = problem, .result = result != NULL ? result : &unused};
    f.job.options = options != NULL ? *options : crn_lcp_options_default(CRN_LCP_AUTO);
    *f.job.result = (crn_lcp_result){.method = f.job.options.method, .certificate = {.worst = -1}};
    crn_clear(error);
    crn_status status = check_call(&f.job, workspace, solution, error);
    if (status != CRN_OK) {
        return status;
    }
    if (problem->n == 0) { /* nothing to find, and nothing that a pointer need lead to */
        f.job.result->outcome = CRN_LCP_SOLVED;
        f.job.result->certificate.scale = 1.0;
        return CRN_OK;
    }
    const double begin = crn_seconds();
    status = open_frame(&f, workspace, error);
    if (status != CRN_OK) {
        return status;
    }
    begin_answer(&f.job);
    f.job.history = solution->history;
    f.job.history_size = solution->history_size;
    f.job.result->outcome = run(&f);
    if (f.job.result->outcome != CRN_LCP_SOLVED) {
        judge_leftover(&f.job);
    }
    if (!is_decided(f.job.result->outcome) && has_resort(&f.job)) {
        f.job.result->outcome = resort(&f, f.job.result->outcome, solution);
    } else {
        copy_out(&f.job, solution);
    }
    f.job.result->seconds = crn_seconds() - begin;
    return CRN_OK;
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
