/* A progress bar on standard error, shown only if that is a terminal. */
#ifndef CAIRN_CLI_PROGRESS_H
#define CAIRN_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
    const char *label;
    int total;
    bool is_shown;
    double last_drawn; /* seconds */
} cli_progress;

cli_progress cli_progress_begin(const char *label, int total);

/* done of total; redrawn a few times a second at most. */
void cli_progress_update(cli_progress *progress, int done);

/* Wipe the bar, so that other text can be printed; the next update draws it again. */
void cli_progress_clear(cli_progress *progress);

#endif
