/* Telling what a contact solve found: one JSON line, or aligned text. */
#include "contact_report.h"

#include "json.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const state_names[] = {[CRN_CONTACT_OFF] = "off",
                                          [CRN_CONTACT_ON] = "on",
                                          [CRN_CONTACT_SLIDE] = "slide",
                                          [CRN_CONTACT_EDGE] = "edge",
                                          [CRN_CONTACT_STICK] = "stick"};
enum { STATE_COUNT = sizeof state_names / sizeof state_names[0] };

static const char *const answer_names[] = {[CRN_UNDECIDED] = "undecided", [CRN_NO] = "no", [CRN_YES] = "yes"};

/* --- JSON --- */

/* The name of every contact's state. */
static void write_states(cli_json *json, const contact_job *job)
{
    const char **names = calloc((size_t)job->contacts + 1, sizeof *names);
    for (int i = 0; i < job->contacts && names != NULL; ++i) {
        names[i] = state_names[job->state[i].kind];
    }
    cli_json_strings(json, "states", names != NULL ? job->contacts : 0, names);
    free(names);
}

static void write_contact_keys(cli_json *json, const contact_job *job, const contact_request *request)
{
    const crn_contact_result *r = &job->result;
    cli_json_string(json, "kind", job->data.kind == CRN_CONTACT_FILE_RIGID ? "rigid" : "generalized");
    cli_json_string(json, "method", crn_contact_method_name(r->method));
    cli_json_string(json, "cone", contact_cone_name(request->options.cone));
    cli_json_string(json, "law", contact_law_name(r->law));
    cli_json_real(json, "velocity_error", r->certificate.velocity_error);
    cli_json_real(json, "impulse_error", r->certificate.impulse_error);
    cli_json_real(json, "row_error", r->certificate.row_error);
    cli_json_int(json, "islands", r->islands);
    cli_json_int(json, "iterations", r->iterations);
    cli_json_int(json, "refactorizations", r->refactorizations);
    cli_json_int(json, "restarts", r->restarts);
    if (job->has_uniqueness) {
        cli_json_string(json, "motion_unique", answer_names[job->uniqueness.is_motion_unique]);
        cli_json_string(json, "impulses_unique", answer_names[job->uniqueness.is_impulse_unique]);
        cli_json_int(json, "active", job->uniqueness.active);
        cli_json_int(json, "redundant", job->uniqueness.redundant);
    }
    if (job->has_backward) {
        cli_json_real(json, "backward_normal", job->backward.normal);
        cli_json_real(json, "backward_slip", job->backward.slip);
        cli_json_real(json, "backward_row", job->backward.row);
    }
}

static void write_cone_keys(cli_json *json, const contact_job *job)
{
    const crn_cone_result *r = &job->cone_result;
    cli_json_string(json, "kind", job->cone.problem.form == CRN_CONE_LOCAL ? "local" : "global");
    cli_json_string(json, "method", r->route != NULL ? r->route : "none");
    cli_json_string(json, "cone", "round");
    cli_json_string(json, "law", "coulomb");
    cli_json_real(json, "residual_cone", r->residual_cone);
    cli_json_int(json, "iterations", r->iterations);
    cli_json_int(json, "sweeps", r->sweeps);
    cli_json_real(json, "asymmetry", job->cone.asymmetry);
    cli_json_bool(json, "symmetrised", job->cone.is_symmetrised);
}

void contact_report_json(contact_job *job, const contact_request *request)
{
    cli_json json = cli_json_begin(stdout);
    cli_contract contract = {.problem = job->name,
                             .outcome = crn_lcp_outcome_name(contact_job_outcome(job)),
                             .residual = job->is_cone ? job->cone_result.residual : job->result.certificate.relative,
                             .pivots = job->is_cone ? 0 : job->result.pivots,
                             .time_us = 1e6 * cli_times_median(&job->times),
                             .z_count = job->z_count,
                             .z = job->z};
    cli_report_contract(&json, &contract);
    cli_json_reals(&json, "impulses", 3 * job->contacts, job->impulse);
    cli_json_reals(&json, "velocity", job->dof, job->velocity);
    cli_json_reals(&json, "contact_velocity", 3 * job->contacts, job->contact_velocity);
    cli_json_reals(&json, "row_impulses", job->rows, job->row_impulse);
    write_states(&json, job);
    cli_json_int(&json, "contacts", job->contacts);
    cli_json_int(&json, "dof", job->dof);
    cli_json_int(&json, "rows", job->rows);
    if (job->is_cone) {
        write_cone_keys(&json, job);
    } else {
        write_contact_keys(&json, job, request);
    }
    if (request->has_trace) {
        cli_changes_json(&job->trace, &json);
    }
    cli_json_end(&json);
}

void contact_report_json_error(const char *name, const char *message)
{
    cli_json json = cli_json_begin(stdout);
    cli_report_error(&json, name);
    cli_json_reals(&json, "impulses", 0, NULL);
    cli_json_reals(&json, "velocity", 0, NULL);
    cli_json_string(&json, "message", message);
    cli_json_end(&json);
}

/* --- Text --- */

/* What an outcome other than solved means. */
static const char *explanation(const contact_job *job)
{
    switch (contact_job_outcome(job)) {
    case CRN_LCP_INFEASIBLE: return "proved: no impulses satisfy the bilateral rows and the contacts";
    case CRN_LCP_RAY: return "the path ended on a ray: a solution may exist";
    case CRN_LCP_CONVEX: return "solved by the convex law; Coulomb's, which was asked for, was not reached";
    case CRN_LCP_SINGULAR: return "a factorisation broke down: this method cannot go on";
    case CRN_LCP_LIMIT:
        return !job->is_cone && job->result.has_solution
                   ? "Coulomb's law was not reached to the tolerance; a solution exists: some motion parts all contacts"
                   : "pivots or steps ran out before the certificate was reached";
    default: return "no progress in doubles: the method ended, and its answer fails the certificate";
    }
}

static void print_problem(const contact_job *job)
{
    const char *kind = !job->is_cone ? (job->data.kind == CRN_CONTACT_FILE_RIGID ? "rigid bodies" : "generalised")
                       : job->cone.problem.form == CRN_CONE_LOCAL ? "local friction problem"
                                                                  : "global friction problem";
    printf("problem      %s: %s, %d contacts, %d velocities, %d bilateral rows\n", job->name, kind, job->contacts,
           job->dof, job->rows);
}

static void print_states(const contact_job *job)
{
    int count[STATE_COUNT] = {0};
    for (int i = 0; i < job->contacts; ++i) {
        ++count[job->state[i].kind];
    }
    printf("contacts     %d off, %d sliding, %d sticking", count[CRN_CONTACT_OFF],
           count[CRN_CONTACT_SLIDE] + count[CRN_CONTACT_EDGE], count[CRN_CONTACT_STICK]);
    if (count[CRN_CONTACT_ON] > 0) {
        printf(", %d without friction", count[CRN_CONTACT_ON]);
    }
    printf("\n");
}

static void print_contacts(const contact_job *job, const contact_request *request)
{
    const crn_contact_result *r = &job->result;
    printf("certificate  %.3g relative; %.3g m/s, %.3g N s\n", r->certificate.relative, r->certificate.velocity_error,
           r->certificate.impulse_error);
    if (job->has_backward) {
        printf(
            "backward     exact for offsets changed by %.3g m/s along normals, %.3g m/s along tangents, %.3g in rows\n",
            job->backward.normal, job->backward.slip, job->backward.row);
    }
    print_states(job);
    printf("pivots       %d (%d islands, %d steps, %d factorisations, %d restarts)\n", r->pivots, r->islands,
           r->iterations, r->refactorizations, r->restarts);
    printf("method       %s, %s cone, %s law\n", crn_contact_method_name(r->method),
           contact_cone_name(request->options.cone), contact_law_name(r->law));
    if (job->has_uniqueness) {
        printf("unique       motion %s, impulses %s; %d of %d active constraints redundant\n",
               answer_names[job->uniqueness.is_motion_unique], answer_names[job->uniqueness.is_impulse_unique],
               job->uniqueness.redundant, job->uniqueness.active);
    }
}

/* What the file's matrix lacks of symmetry, if that is more than rounding. */
static void print_asymmetry(const crn_cone_data *cone)
{
    const double rounding = 1e-14; /* of its largest entry */
    const char name = cone->problem.form == CRN_CONE_LOCAL ? 'W' : 'M';
    const int i = cone->asymmetry_row + 1, j = cone->asymmetry_column + 1;
    if (cone->asymmetry > rounding) {
        printf("asymmetry    %c(%d,%d) and %c(%d,%d) differ by %.2g of the largest entry: %s\n", name, i, j, name, j, i,
               cone->asymmetry, cone->is_symmetrised ? "both replaced by their mean" : "solved as given");
    }
}

static void print_cones(const contact_job *job)
{
    const crn_cone_result *r = &job->cone_result;
    print_asymmetry(&job->cone);
    printf("certificate  %.3g relative, %.3g scaled by contact\n", r->residual, r->residual_cone);
    print_states(job);
    printf("steps        %d, and %d sweeps\n", r->iterations, r->sweeps);
    printf("method       %s, round cone, coulomb law\n", r->route != NULL ? r->route : "none");
}

void contact_report_text(contact_job *job, const contact_request *request)
{
    bool is_solved = contact_job_is_solved(job);
    print_problem(job);
    printf("outcome      %s\n", crn_lcp_outcome_name(contact_job_outcome(job)));
    if (!is_solved) {
        printf("meaning      %s\n", explanation(job));
    }
    if (job->is_cone) {
        print_cones(job);
    } else {
        print_contacts(job, request);
    }
    cli_times_print(&job->times);
    const char *written[] = {is_solved ? request->output : NULL, request->export_json, request->export_fclib,
                             request->export_lcp};
    for (size_t i = 0; i < sizeof written / sizeof written[0]; ++i) {
        if (written[i] != NULL) {
            printf("written      %s\n", written[i]);
        }
    }
    if (request->has_trace) {
        cli_changes_print(&job->trace, job->contacts);
    }
}
