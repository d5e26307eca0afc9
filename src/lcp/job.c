/* What the methods share around their answers. */
#include "lcp/job.h"

#include "math/vec.h"

#include <math.h>

void crn_job_layout(crn_job *job, crn_arena *arena)
{
    const int n = job->problem->n;
    crn_view_layout(&job->view, job->problem, arena);
    job->z = CRN_TAKE(arena, double, n);
    job->w = CRN_TAKE(arena, double, n);
    job->ray = CRN_TAKE(arena, double, n);
    job->low = CRN_TAKE(arena, double, 2 * (size_t)n);
    job->basis = CRN_TAKE(arena, unsigned char, n);
}

crn_lcp_outcome crn_job_accept(crn_job *job)
{
    crn_check_point(&job->view, job->z, job->w, job->low, &job->result->certificate);
    return job->result->certificate.relative <= job->options.tol ? CRN_LCP_SOLVED : CRN_LCP_STALLED;
}

bool crn_job_goes_on(crn_job *job, int every)
{
    const crn_lcp_options *o = &job->options;
    if (job->is_stopped || (o->time_limit == 0.0 && o->progress == NULL)) {
        return !job->is_stopped;
    }
    if (every > 1 && job->result->pivots % every != 0) {
        return true;
    }
    const double seconds = crn_seconds() - job->begin;
    job->is_stopped = o->time_limit > 0.0 && seconds >= o->time_limit;
    if (o->progress != NULL && !o->progress(o->progress_user, job->result->method, job->result->pivots, seconds)) {
        job->is_stopped = true;
    }
    return !job->is_stopped;
}

crn_lcp_outcome crn_job_judge_ray(crn_job *job)
{
    if (crn_check_farkas(&job->view, job->ray, job->low)) {
        job->result->proof = CRN_LCP_FARKAS;
        return CRN_LCP_INFEASIBLE;
    }
    return CRN_LCP_RAY;
}

unsigned char crn_job_cold_state(const crn_job *job, int i)
{
    double l = job->view.lower[i], u = job->view.upper[i];
    if (isinf(l) && isinf(u)) {
        return CRN_LCP_BASIC;
    }
    return fabs(l) <= fabs(u) ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
}

void crn_job_start(const crn_job *job, bool is_warm, unsigned char *state)
{
    for (int i = 0; i < job->view.n; ++i) {
        unsigned char cold = crn_job_cold_state(job, i);
        bool is_free = cold == CRN_LCP_BASIC;
        state[i] = is_warm ? job->options.start[i] : cold;
        if (is_free && state[i] == CRN_LCP_AT_UPPER) {
            state[i] = CRN_LCP_AT_LOWER; /* a free variable is basic or left out (start.h) */
        }
    }
}

double crn_job_bound(const crn_job *job, int i, unsigned char state)
{
    double bound = state == CRN_LCP_AT_UPPER ? job->view.upper[i] : job->view.lower[i];
    return isfinite(bound) ? bound : 0.0;
}

void crn_job_set_point(crn_job *job, const double *z_scaled, const unsigned char *state)
{
    const crn_lcp_problem *p = job->problem;
    for (int i = 0; i < job->view.n; ++i) {
        double l = crn_lower_bound(p, i);
        double u = crn_upper_bound(p, i);
        double z = z_scaled[i] * job->view.c[i] * job->view.s;
        if (state[i] == CRN_LCP_AT_LOWER && isfinite(l)) {
            z = l;
        } else if (state[i] == CRN_LCP_AT_UPPER && isfinite(u)) {
            z = u;
        }
        job->z[i] = crn_clamp(z, l, u);
        job->basis[i] = state[i];
    }
}
