/* Friction problems given by matrices: check, bring into block rows, solve, judge. */
#include <cairn/cone.h>

#include "contact/cone_drive.h"
#include "contact/cone_judge.h"
#include "contact/cone_local.h"

#include <math.h>
#include <string.h>

/* The solver aims at this share of the tolerance, so that the judge, whose sums run in another order, agrees. */
#define AIM 0.1

crn_cone_options crn_cone_options_default(void)
{
    return (crn_cone_options){.tol = 1e-8, .cookie = CRN_COOKIE};
}

/* All memory of a call. */
typedef struct frame {
    crn_cone_global global;
    crn_cone_judge judge;
    crn_cone_blocks blocks; /* the rest: solve only */
    crn_cone_drive drive;
    double *r, *start; /* caller's units; contacts' units */
} frame;

/* Lay out and fill what the arena has room for; if it overflows, it has counted at least one more stage than before. */
static crn_status build(frame *f, const crn_cone_problem *p, bool is_solve, crn_arena *arena, crn_error *error)
{
    crn_cone_global *global = p->form == CRN_CONE_GLOBAL ? &f->global : NULL;
    const int n = p->dim * p->contacts;
    f->r = CRN_TAKE(arena, double, n);
    f->start = CRN_TAKE(arena, double, n);
    if (global != NULL) {
        const crn_status status = crn_cone_global_build(global, p, arena, error);
        if (status != CRN_OK || arena->overflow) {
            return status;
        }
    }
    if (!crn_cone_judge_build(&f->judge, p, global, arena) || !is_solve) {
        return CRN_OK;
    }
    const bool is_built = global != NULL ? crn_cone_global_condense(global, &f->blocks, arena)
                                         : crn_cone_local_build(&f->blocks, p, arena);
    if (is_built) {
        (void)crn_cone_drive_build(&f->drive, &f->blocks, arena);
    }
    return CRN_OK;
}

/* How much memory is needed shows only on the way: where it runs out, take what is known to be needed and begin again.
 * A workspace that served a problem of the same shape is large enough at once. */
static crn_status open_frame(frame *f, const crn_cone_problem *p, bool is_solve, crn_workspace *workspace,
                             crn_error *error)
{
    size_t bytes = 0;
    for (;;) {
        crn_arena arena;
        crn_status status = crn_workspace_arena(workspace, bytes, &arena, error);
        if (status != CRN_OK) {
            return status;
        }
        status = build(f, p, is_solve, &arena, error);
        if (status != CRN_OK || !arena.overflow) {
            return status;
        }
        if (arena.used <= bytes) {
            return crn_fail(error, CRN_ERR_MEMORY, "workspace: the problem does not fit into memory");
        }
        bytes = arena.used;
    }
}

static crn_status check_options(const crn_cone_options *o, int n, crn_error *error)
{
    if (o->cookie != CRN_COOKIE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: not made by crn_cone_options_default()");
    }
    if (!(o->tol > 0.0) || !isfinite(o->tol)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tol: %g is not a positive number", o->tol);
    }
    if (o->max_iterations < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "max_iterations: %d is negative", o->max_iterations);
    }
    for (int i = 0; o->start != NULL && i < n; ++i) {
        if (!isfinite(o->start[i])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "start(%d): %g is not a finite number", i + 1, o->start[i]);
        }
    }
    return CRN_OK;
}

/* Solve in the contacts' units; f->r is the answer in the caller's. */
static void solve(frame *f, const crn_cone_options *options)
{
    const crn_cone_blocks *W = &f->blocks;
    for (int i = 0; options->start != NULL && i < W->n; ++i) {
        f->start[i] = options->start[i] / (W->speed * W->s[i / W->d]);
    }
    crn_cone_drive_run(&f->drive, options->start != NULL ? f->start : NULL, AIM * options->tol,
                       options->max_iterations);
    for (int i = 0; i < W->n; ++i) {
        f->r[i] = f->drive.best[i] * (W->speed * W->s[i / W->d]);
    }
}

static void copy_out(const frame *f, const crn_cone_problem *p, const crn_cone_solution *solution)
{
    const size_t n = (size_t)p->dim * (size_t)p->contacts;
    if (solution->r != NULL && n > 0) {
        memcpy(solution->r, f->r, n * sizeof *f->r);
    }
    if (solution->u != NULL && n > 0) {
        memcpy(solution->u, f->judge.u, n * sizeof *f->judge.u);
    }
    if (p->form == CRN_CONE_GLOBAL && solution->v != NULL && p->dof > 0) {
        memcpy(solution->v, f->global.v, (size_t)p->dof * sizeof *f->global.v);
    }
    if (p->form == CRN_CONE_GLOBAL && solution->l != NULL && p->rows > 0) {
        memcpy(solution->l, f->global.l, (size_t)p->rows * sizeof *f->global.l);
    }
}

crn_status crn_cone_solve(const crn_cone_problem *problem, const crn_cone_options *options, crn_workspace *workspace,
                          const crn_cone_solution *solution, crn_cone_result *result, crn_error *error)
{
    const double begin = crn_seconds();
    const crn_cone_options defaults = crn_cone_options_default();
    crn_cone_result out = {.route = "none", .residual = INFINITY, .residual_cone = INFINITY};
    options = options != NULL ? options : &defaults;
    frame f;
    crn_status status = crn_cone_check(problem, error);
    if (status == CRN_OK) {
        status = check_options(options, problem->dim * problem->contacts, error);
    }
    if (status == CRN_OK) {
        status = open_frame(&f, problem, true, workspace, error);
    }
    if (status == CRN_OK) {
        solve(&f, options);
        const crn_cone_verdict verdict = crn_cone_judge_run(&f.judge, f.r);
        out.outcome = crn_cone_verdict_is_good(&verdict, options->tol) ? CRN_LCP_SOLVED : CRN_LCP_LIMIT;
        out.residual = verdict.residual;
        out.residual_cone = verdict.residual_cone;
        out.iterations = f.drive.newton.steps;
        out.sweeps = f.drive.sweeps;
        out.route = f.drive.route;
        if (solution != NULL) {
            copy_out(&f, problem, solution);
        }
    }
    out.seconds = crn_seconds() - begin;
    if (result != NULL) {
        *result = out;
    }
    return status;
}

crn_status crn_cone_certify(const crn_cone_problem *problem, const double *r, crn_workspace *workspace,
                            crn_cone_result *result, crn_error *error)
{
    const double begin = crn_seconds();
    crn_cone_result out = {.route = "given", .residual = INFINITY, .residual_cone = INFINITY};
    frame f;
    crn_status status = crn_cone_check(problem, error);
    if (status == CRN_OK && r == NULL && problem->contacts > 0) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "r: NULL");
    }
    if (status == CRN_OK) {
        status = open_frame(&f, problem, false, workspace, error);
    }
    if (status == CRN_OK) {
        const crn_cone_verdict verdict = crn_cone_judge_run(&f.judge, r);
        const double tol = crn_cone_options_default().tol;
        out.outcome = crn_cone_verdict_is_good(&verdict, tol) ? CRN_LCP_SOLVED : CRN_LCP_STALLED;
        out.residual = verdict.residual;
        out.residual_cone = verdict.residual_cone;
    }
    out.seconds = crn_seconds() - begin;
    if (result != NULL) {
        *result = out;
    }
    return status;
}
