/* A list of problems, one line of output each. */
#include "batch.h"

#include "cli.h"
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

/* What happened so far. */
typedef struct tally {
    int bad, unsolved;   /* problems that had bad input, or no solution */
    crn_error first_bad; /* what the first bad one said */
    int first_bad_line;
} tally;

static void run_items(const cli_batch *batch, const list *l, tally *t)
{
    cli_progress progress = cli_progress_begin("solving", l->count);
    bool is_mixed = isatty(fileno(stdout)) == 1; /* bar and lines go to the same terminal */
    for (int i = 0; i < l->count; ++i) {
        const list_item *item = &l->items[i];
        crn_error error = {.status = CRN_OK};
        cli_progress_update(&progress, i);
        crn_status status = batch->attempt(batch->user, item, i + 1, &error);
        if (is_mixed) {
            cli_progress_clear(&progress);
        }
        bool is_solved = batch->tell(batch->user, item, status, &error);
        (void)fflush(stdout);
        t->unsolved += status == CRN_OK && !is_solved;
        if (status != CRN_OK && t->bad++ == 0) {
            t->first_bad = error;
            t->first_bad_line = item->line;
        }
    }
    cli_progress_clear(&progress);
}

int cli_batch_run(const cli_batch *batch)
{
    list l;
    crn_error error = {.status = CRN_OK};
    tally t = {.bad = 0};
    bool is_read = list_read(&l, batch->path, &error) == CRN_OK;
    if (is_read) {
        run_items(batch, &l, &t);
    }
    list_free(&l);
    if (!is_read) {
        return cli_fail("%s", error.text);
    }
    if (t.bad > 0) {
        return cli_fail("%s:%d: %s%s", batch->path, t.first_bad_line, t.first_bad.text,
                        t.bad > 1 ? " (and further lines)" : "");
    }
    return t.unsolved > 0 ? CLI_NO : CLI_DONE;
}
