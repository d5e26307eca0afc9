/* Two natural maps. With u~ = u + mu |u_t| e_n and u computed from r with the caller's matrices,
 *
 *     plain    e_i = r_i - Proj_K(r_i - u~_i)                ||e|| / ||q||
 *     scaled   e_i = r_i - Proj_K(r_i - u~_i / delta_i)      max_i max(|e_i| delta_i / U, |e_i| / max(R, U / delta_i))
 *
 * The first is what the collections are measured by. It adds impulses and velocities, so it means nothing by itself: with
 * W = 1e-4 it sees only velocities, with W = 1e+3 only impulses. The second (mean inverse mass delta_i = trace(W_ii)/d,
 * closing speed U, largest impulse R) measures each as a velocity and as an impulse and does not change with the units.
 * An answer counts as solved if both are small; only below eps R / ||q||, where r - (r - u) is rounding, the plain one is
 * not asked for more. Bilateral rows count in both, as velocities. */
#include "contact/cone_judge.h"

#include "contact/cone_law.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An empty vector may be NULL, which memcpy() does not allow. */
static void copy(int n, const double *from, double *to)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

bool crn_cone_judge_build(crn_cone_judge *judge, const crn_cone_problem *problem, crn_cone_global *global,
                          crn_arena *arena)
{
    const int d = problem->dim, n = d * problem->contacts;
    *judge = (crn_cone_judge){.problem = problem, .global = global};
    judge->q = CRN_TAKE(arena, double, n);
    judge->u = CRN_TAKE(arena, double, n);
    judge->delta = CRN_TAKE(arena, double, problem->contacts);
    if (arena->overflow) {
        return false;
    }
    if (global != NULL) {
        crn_cone_global_motion(global, NULL, judge->q);
        crn_cone_global_inverse_masses(global, judge->delta);
    } else {
        copy(n, problem->q, judge->q);
        memset(judge->delta, 0, (size_t)problem->contacts * sizeof *judge->delta);
        for (int j = 0; j < n; ++j) {
            for (int e = problem->W.start[j]; e < problem->W.start[j + 1]; ++e) {
                judge->delta[j / d] += problem->W.row[e] == j ? problem->W.value[e] / d : 0.0;
            }
        }
    }
    crn_cone_mend_masses(problem->contacts, judge->delta);
    judge->speed = crn_cone_speed(d, problem->contacts, judge->q);
    judge->q_norm = crn_cone_size(n, judge->q);
    return true;
}

/* u of r, from the caller's matrices. */
static void respond(crn_cone_judge *judge, const double *r)
{
    const crn_cone_problem *p = judge->problem;
    const int n = p->dim * p->contacts;
    if (judge->global != NULL) {
        crn_cone_global_motion(judge->global, r, judge->u);
        return;
    }
    copy(n, p->q, judge->u);
    for (int j = 0; j < n; ++j) {
        for (int e = p->W.start[j]; e < p->W.start[j + 1]; ++e) {
            judge->u[p->W.row[e]] += p->W.value[e] * r[j];
        }
    }
}

crn_cone_verdict crn_cone_judge_run(crn_cone_judge *judge, const double *r)
{
    const crn_cone_problem *p = judge->problem;
    const int d = p->dim, contacts = p->contacts;
    respond(judge, r);
    double largest = 0.0, sum = 0.0, worst = 0.0, e[CRN_CONE_DIM];
    bool is_number = true;
    for (int i = 0; i < contacts; ++i) {
        largest = crn_max(largest, crn_hypot(r[d * i], crn_cone_tangent(d, r + d * i)));
    }
    for (int i = 0; i < contacts; ++i) {
        const double delta = judge->delta[i];
        const double plain = crn_cone_natural_map(d, p->mu[i], 1.0, r + d * i, judge->u + d * i, e);
        const double scaled = crn_cone_natural_map(d, p->mu[i], 1.0 / delta, r + d * i, judge->u + d * i, e);
        sum += plain / judge->q_norm * (plain / judge->q_norm);
        worst = crn_max(worst, crn_max(scaled * delta / judge->speed, scaled / crn_max(largest, judge->speed / delta)));
        is_number = is_number && isfinite(plain) && isfinite(scaled);
    }
    if (judge->global != NULL) {
        const double rows = crn_cone_global_row_error(judge->global);
        sum += rows / judge->q_norm * (rows / judge->q_norm);
        worst = crn_max(worst, rows / judge->speed);
        is_number = is_number && isfinite(rows);
    }
    crn_cone_verdict verdict = {sqrt(sum), worst, DBL_EPSILON * largest / judge->q_norm};
    if (!is_number || !isfinite(sum) || !isfinite(worst)) {
        verdict.residual = verdict.residual_cone = INFINITY;
    }
    return verdict;
}

bool crn_cone_verdict_is_good(const crn_cone_verdict *verdict, double tol)
{
    return verdict->residual_cone <= tol && verdict->residual <= crn_max(tol, verdict->rounding);
}
