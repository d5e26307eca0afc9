/* `cairn solve --batch`: one JSON line per problem of a list. */
#include "solve_batch.h"

#include "batch.h"
#include "folder.h"
#include "solve_dump.h"
#include "solve_report.h"

#include <stdio.h>

typedef struct state {
    const solve_request *request;
    crn_workspace workspace; /* shared by all problems */
    solve_job job;
    char folder[CLI_PATH_SIZE]; /* where the job was dumped; empty if it was not */
} state;

/* Read and solve the problem of one line. */
static crn_status solve_item(state *s, const list_item *item, crn_error *error)
{
    if (item->count > 2) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s:%d: %d words, but a pair of .mtx files or one .dat file is needed",
                        s->request->batch, item->line, item->count);
    }
    char buffers[2][CLI_PATH_SIZE];
    const char *files[2] = {NULL, NULL};
    for (int i = 0; i < item->count; ++i) {
        files[i] = list_locate(s->request->batch, item->words[i], buffers[i], CLI_PATH_SIZE);
    }
    crn_status status = solve_job_load(&s->job, s->request, files, item->count, error);
    s->job.name = item->words[0];
    return status == CRN_OK ? solve_job_run(&s->job, s->request, &s->workspace, error) : status;
}

/* If it was not solved and dumps are wanted: into a folder named after its place in the list. */
static crn_status dump(state *s, int number, crn_error *error)
{
    if (s->job.result.outcome == CRN_LCP_SOLVED || s->request->dump == NULL) {
        return CRN_OK;
    }
    crn_status status = cli_folder_make(s->request->dump, error);
    (void)snprintf(s->folder, CLI_PATH_SIZE, "%s/%04d", s->request->dump, number);
    return status == CRN_OK ? solve_dump(s->folder, &s->job, s->request, error) : status;
}

static crn_status attempt(void *user, const list_item *item, int number, crn_error *error)
{
    state *s = user;
    s->job = (solve_job){.name = item->words[0]};
    s->folder[0] = '\0';
    crn_status status = solve_item(s, item, error);
    return status == CRN_OK ? dump(s, number, error) : status;
}

static bool tell(void *user, const list_item *item, crn_status status, const crn_error *error)
{
    state *s = user;
    bool is_solved = status == CRN_OK && s->job.result.outcome == CRN_LCP_SOLVED;
    if (status == CRN_OK) {
        solve_report_json(&s->job, s->request, s->folder[0] != '\0' ? s->folder : NULL);
    } else {
        solve_report_json_error(item->words[0], error->text);
    }
    solve_job_free(&s->job);
    return is_solved;
}

int solve_batch(const solve_request *request)
{
    state s = {.request = request};
    cli_batch batch = {.path = request->batch, .user = &s, .attempt = attempt, .tell = tell};
    int code = cli_batch_run(&batch);
    crn_workspace_free(&s.workspace);
    return code;
}
