/* cairn contact -- one contact problem, or a list of them. */
#include "batch.h"
#include "cli.h"
#include "contact_job.h"
#include "contact_report.h"
#include "contact_request.h"
#include "folder.h"

/* --- One problem --- */

static crn_status load_and_solve(contact_job *job, const contact_request *request, crn_workspace *workspace,
                                 crn_error *error)
{
    crn_status status = contact_job_load(job, request, request->file, error);
    if (status == CRN_OK) {
        status = contact_job_export(job, request, workspace, error);
    }
    if (status == CRN_OK) {
        status = contact_job_run(job, request, workspace, error);
    }
    if (status == CRN_OK && request->output != NULL && contact_job_is_solved(job)) {
        status = crn_io_write_vector(request->output, job->z_count, job->z, error);
    }
    return status;
}

static int solve_one(const contact_request *request)
{
    contact_job job;
    crn_workspace workspace = {.data = NULL};
    crn_error error = {.status = CRN_OK};
    int code = CLI_BAD;
    if (load_and_solve(&job, request, &workspace, &error) != CRN_OK) {
        (void)cli_fail("%s", error.text);
    } else {
        if (request->is_json) {
            contact_report_json(&job, request);
        } else {
            contact_report_text(&job, request);
        }
        code = contact_job_is_solved(&job) ? CLI_DONE : CLI_NO;
    }
    contact_job_free(&job);
    crn_workspace_free(&workspace);
    return code;
}

/* --- A list --- */

typedef struct state {
    const contact_request *request;
    crn_workspace workspace; /* shared by all problems */
    contact_job job;
} state;

static crn_status attempt(void *user, const list_item *item, int number, crn_error *error)
{
    state *s = user;
    (void)number;
    s->job = (contact_job){.name = item->words[0]};
    if (item->count > 1) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s:%d: %d words, but one file is needed", s->request->batch, item->line,
                        item->count);
    }
    char buffer[CLI_PATH_SIZE];
    const char *file = list_locate(s->request->batch, item->words[0], buffer, sizeof buffer);
    crn_status status = contact_job_load(&s->job, s->request, file, error);
    s->job.name = item->words[0];
    return status == CRN_OK ? contact_job_run(&s->job, s->request, &s->workspace, error) : status;
}

static bool tell(void *user, const list_item *item, crn_status status, const crn_error *error)
{
    state *s = user;
    bool is_solved = status == CRN_OK && contact_job_is_solved(&s->job);
    if (status == CRN_OK) {
        contact_report_json(&s->job, s->request);
    } else {
        contact_report_json_error(item->words[0], error->text);
    }
    contact_job_free(&s->job);
    return is_solved;
}

static int solve_list(const contact_request *request)
{
    state s = {.request = request};
    cli_batch batch = {.path = request->batch, .user = &s, .attempt = attempt, .tell = tell};
    int code = cli_batch_run(&batch);
    crn_workspace_free(&s.workspace);
    return code;
}

int contact_run(int argc, char **argv)
{
    contact_request request;
    if (!contact_request_read(&request, argc, argv)) {
        return CLI_BAD;
    }
    return request.batch != NULL ? solve_list(&request) : solve_one(&request);
}
