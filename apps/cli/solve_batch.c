/* `cairn solve --batch`: one JSON line per problem of a list. */
#include "solve_batch.h"

#include "cli.h"
#include "list.h"
#include "progress.h"
#include "solve_dump.h"
#include "solve_report.h"

#include <stdio.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

typedef struct batch {
    const solve_request *request;
    crn_workspace workspace; /* shared by all problems */
    int bad, unsolved;       /* problems so far that had bad input, or no solution */
    crn_error first_bad;     /* what the first bad one said */
    int first_bad_line;
    cli_progress progress;
    bool is_mixed; /* bar and lines go to the same terminal */
} batch;

/* Read and solve the problem of one line. */
static crn_status attempt(batch *b, const list_item *item, solve_job *job, crn_error *error)
{
    *job = (solve_job){.name = item->words[0]};
    if (item->count > 2) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s:%d: %d words, but a pair of .mtx files or one .dat file is needed",
                        b->request->batch, item->line, item->count);
    }
    char buffers[2][PATH_SIZE];
    const char *files[2] = {NULL, NULL};
    for (int i = 0; i < item->count; ++i) {
        files[i] = list_locate(b->request->batch, item->words[i], buffers[i], PATH_SIZE);
    }
    crn_status status = solve_job_load(job, b->request, files, item->count, error);
    job->name = item->words[0];
    return status == CRN_OK ? solve_job_run(job, b->request, &b->workspace, error) : status;
}

/* If it was not solved and dumps are wanted: into a folder named after its place in the list. */
static crn_status dump(const batch *b, const solve_job *job, int number, char folder[PATH_SIZE], crn_error *error)
{
    folder[0] = '\0';
    if (job->result.outcome == CRN_LCP_SOLVED || b->request->dump == NULL) {
        return CRN_OK;
    }
    crn_status status = solve_dump_folder(b->request->dump, error);
    (void)snprintf(folder, PATH_SIZE, "%s/%04d", b->request->dump, number);
    return status == CRN_OK ? solve_dump(folder, job, b->request, error) : status;
}

/* One line of the list: one line of output. */
static void run_item(batch *b, const list_item *item, int number)
{
    solve_job job;
    crn_error error = {.status = CRN_OK};
    char folder[PATH_SIZE];
    crn_status status = attempt(b, item, &job, &error);
    if (status == CRN_OK) {
        status = dump(b, &job, number, folder, &error);
    }
    if (b->is_mixed) {
        cli_progress_clear(&b->progress);
    }
    if (status == CRN_OK) {
        b->unsolved += job.result.outcome != CRN_LCP_SOLVED;
        solve_report_json(&job, folder[0] != '\0' ? folder : NULL);
    } else {
        if (b->bad++ == 0) {
            b->first_bad = error;
            b->first_bad_line = item->line;
        }
        solve_report_json_error(item->words[0], error.text);
    }
    solve_job_free(&job);
}

static int run_items(batch *b, const list *l)
{
    b->progress = cli_progress_begin("solving", l->count);
    b->is_mixed = isatty(fileno(stdout)) == 1;
    for (int i = 0; i < l->count; ++i) {
        cli_progress_update(&b->progress, i);
        run_item(b, &l->items[i], i + 1);
        (void)fflush(stdout);
    }
    cli_progress_clear(&b->progress);
    if (b->bad > 0) {
        return cli_fail("%s:%d: %s%s", b->request->batch, b->first_bad_line, b->first_bad.text,
                        b->bad > 1 ? " (and further lines)" : "");
    }
    return b->unsolved > 0 ? CLI_NO : CLI_DONE;
}

int solve_batch(const solve_request *request)
{
    list l;
    crn_error error = {.status = CRN_OK};
    batch b = {.request = request};
    int code = list_read(&l, request->batch, &error) == CRN_OK ? run_items(&b, &l) : cli_fail("%s", error.text);
    list_free(&l);
    crn_workspace_free(&b.workspace);
    return code;
}
