/* Telling what a solve found: one JSON line, or aligned text. */
#include "solve_report.h"

#include "json.h"
#include "report.h"

#include <stdio.h>

static const char *const proof_names[] = {
    [CRN_LCP_NO_PROOF] = "none", [CRN_LCP_FARKAS] = "farkas", [CRN_LCP_EXHAUSTED] = "exhausted"};

void solve_report_json(solve_job *job, const solve_request *request, const char *dump)
{
    const crn_lcp_result *r = &job->result;
    cli_json json = cli_json_begin(stdout);
    cli_contract contract = {.problem = job->name,
                             .outcome = crn_lcp_outcome_name(r->outcome),
                             .residual = r->certificate.relative,
                             .pivots = r->pivots,
                             .time_us = 1e6 * cli_times_median(&job->times),
                             .z_count = job->data.problem.n,
                             .z = job->z};
    cli_report_contract(&json, &contract);
    cli_json_string(&json, "method", crn_lcp_method_name(r->method));
    cli_json_int(&json, "n", job->data.problem.n);
    cli_json_real(&json, "absolute", r->certificate.absolute);
    cli_json_int(&json, "refactorizations", r->refactorizations);
    cli_json_int(&json, "ties", r->ties);
    cli_json_int(&json, "backtracks", r->backtracks);
    cli_json_int(&json, "restarts", r->restarts);
    cli_json_int(&json, "nodes", r->nodes);
    cli_json_bool(&json, "cycled", r->cycled);
    cli_json_string(&json, "proof", proof_names[r->proof]);
    cli_json_string(&json, "ending", crn_lcp_outcome_name(r->ending));
    if (dump != NULL) {
        cli_json_string(&json, "dump", dump);
    }
    if (request->has_trace) {
        cli_pivots_json(&job->trace, &json);
    }
    cli_json_end(&json);
}

void solve_report_json_error(const char *name, const char *message)
{
    cli_json json = cli_json_begin(stdout);
    cli_report_error(&json, name);
    cli_json_string(&json, "message", message);
    cli_json_end(&json);
}

/* What an outcome other than solved means. */
static const char *explanation(const crn_lcp_result *r)
{
    switch (r->outcome) {
    case CRN_LCP_INFEASIBLE:
        return r->proof == CRN_LCP_EXHAUSTED
                   ? "proved: every choice of complementary sides was refuted by a Farkas vector of its own"
                   : "proved: a Farkas vector, checked on the given data, shows that no z within the bounds gives\n"
                     "             every w the sign it needs";
    case CRN_LCP_RAY: return "ended on a secondary ray, which proves nothing for this M: a solution may exist";
    case CRN_LCP_SINGULAR: return "a pivot block is singular: this method cannot go on";
    case CRN_LCP_LIMIT: return "pivots, iterations or seconds ran out";
    default:
        return r->cycled ? "a basis came back: the method cycles"
                         : "no progress in doubles: the method ended, and its answer fails the certificate";
    }
}

void solve_report_text(solve_job *job, const solve_request *request, const char *dump)
{
    const crn_lcp_result *r = &job->result;
    const crn_lcp_problem *problem = &job->data.problem;
    printf("problem      %s: n = %d, %s%s\n", job->name, problem->n, problem->start != NULL ? "sparse" : "dense",
           problem->lower != NULL || problem->upper != NULL ? ", bounded" : "");
    printf("outcome      %s\n", crn_lcp_outcome_name(r->outcome));
    if (r->outcome == CRN_LCP_SOLVED && r->ending != CRN_LCP_SOLVED) {
        printf("ending       %s: the method itself ended so, at a point that is a solution\n",
               crn_lcp_outcome_name(r->ending));
    }
    if (r->outcome != CRN_LCP_SOLVED) {
        printf("meaning      %s\n", explanation(r));
    }
    printf("certificate  %.3g relative, %.3g absolute\n", r->certificate.relative, r->certificate.absolute);
    printf("pivots       %d (%d factorisations, %d ties, %d backtracks, %d restarts)\n", r->pivots, r->refactorizations,
           r->ties, r->backtracks, r->restarts);
    printf("method       %s\n", crn_lcp_method_name(r->method));
    cli_times_print(&job->times);
    if (r->outcome == CRN_LCP_SOLVED && request->output != NULL) {
        printf("written      %s\n", request->output);
    }
    if (dump != NULL) {
        printf("dumped       %s\n", dump);
    }
    if (request->has_trace) {
        cli_pivots_print(&job->trace, problem->n);
    }
}
