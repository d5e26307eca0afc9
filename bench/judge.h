/* judge.h -- is z a solution? The same judge for our methods and for the peers. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include <stdbool.h>

#include <cairn/lcp.h>

typedef struct bench_verdict {
    bool is_solution;  /* both tests below are passed */
    bool is_certified; /* crn_lcp_certify(): relative certificate within the tolerance */
    bool is_plain_ok;  /* bench_judge_plain(), which shares no code with the library */
    double relative;   /* the relative certificate; infinity if there is none */
} bench_verdict;

/** Judge z by the library's certificate and by the plain test; not-a-number is never a solution. */
bench_verdict bench_judge(const crn_lcp_problem *problem, const double *z, double tol, crn_workspace *workspace);

/** Test z by the definition, with sums in long double. With Z = max |z_i| and A = max_i (|q_i| + sum_j |M_ij z_j|):
 *  z is within its bounds to tol Z, and w_i <= tol A unless z_i is at its lower bound (to tol Z), and w_i >= -tol A
 *  unless z_i is at its upper bound. This is in the caller's units: where rows differ in scale, either test can be the
 *  stricter, and an answer has to pass both. */
bool bench_judge_plain(const crn_lcp_problem *problem, const double *z, double tol);

#endif
