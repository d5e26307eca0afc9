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

/* A line instead of a bar, where nobody knows how much is left; redrawn as seldom. */
void cli_progress_tell(cli_progress *progress, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Wipe the bar, so that other text can be printed; the next update draws it again. */
void cli_progress_clear(cli_progress *progress);

#endif
