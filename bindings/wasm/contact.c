/* Door 2 in WebAssembly: a contact problem from a file of contact JSON (docs/guide/contact-files.md). */
#include "module.h"

#include <stdlib.h>

/* Numbers before the arrays of an answer. */
enum { CONTACTS, VELOCITIES, ROWS, CERTIFICATE, PIVOTS, ITERATIONS, LAW, OUTCOME, HEAD };

static crn_status solve(const crn_contact_problem *problem, int is_round, double **answer, crn_error *error)
{
    int contacts = problem->contacts, velocities = crn_contact_dof(problem), rows = problem->rows;
    if (contacts > INT32_MAX / 16 || velocities < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "the problem is too large, or a body has no velocities");
    }
    size_t room = HEAD + 7 * (size_t)contacts + (size_t)velocities + (size_t)rows;
    double *block = calloc(room, sizeof *block);
    crn_contact_state *state = calloc((size_t)contacts + 1, sizeof *state);
    crn_contact_options options = crn_contact_options_default();
    crn_workspace workspace = {.data = NULL};
    crn_contact_result result = {.outcome = CRN_LCP_SOLVED};
    crn_status status = block != NULL && state != NULL ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "out of memory");
    options.cone = is_round ? CRN_CONE_ROUND : options.cone;
    if (status == CRN_OK) {
        double *impulse = block + HEAD, *velocity = impulse + 3 * (size_t)contacts, *slip = velocity + velocities;
        crn_contact_solution solution = {impulse, velocity, slip, slip + 3 * (size_t)contacts, state};
        status = crn_contact_solve(problem, &options, &workspace, &solution, &result, error);
    }
    if (status == CRN_OK) {
        const double head[HEAD] = {contacts,      velocities,        rows,       result.certificate.relative,
                                   result.pivots, result.iterations, result.law, result.outcome};
        for (int i = 0; i < HEAD; ++i) {
            block[i] = head[i];
        }
        for (int i = 0; i < contacts; ++i) {
            block[room - (size_t)contacts + (size_t)i] = state[i].kind;
        }
    }
    crn_workspace_free(&workspace);
    free(state);
    if (status != CRN_OK) {
        free(block);
        return status;
    }
    *answer = block;
    return CRN_OK;
}

/* The numbers of the head, then impulses (3 a contact), velocities, contact velocities (3 a contact), impulses of rows, kinds of
 * contacts; release it with cairn_free(). NULL: cairn_message() says why. */
EXPORT(contact_solve) double *contact_solve(const char *path, int is_round)
{
    crn_contact_data data = {.h = 0.0};
    double *answer = NULL;
    crn_status status = crn_io_read_contact_json(path, NULL, &data, module_error());
    if (status == CRN_OK) {
        status = solve(&data.problem, is_round, &answer, module_error());
    }
    crn_contact_data_free(&data);
    return status == CRN_OK ? answer : NULL;
}

EXPORT(outcome_name) const char *outcome_name(int outcome)
{
    return crn_lcp_outcome_name((crn_lcp_outcome)outcome);
}
