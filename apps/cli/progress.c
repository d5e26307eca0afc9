/* A progress bar on standard error. */
#include "progress.h"

#include <cairn/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 40 };

/* Seconds between two drawings. */
static const double redraw_after = 0.1;

cli_progress cli_progress_begin(const char *label, int total)
{
    return (cli_progress){.label = label, .total = total, .is_shown = isatty(fileno(stderr)) == 1, .last_drawn = -1.0};
}

void cli_progress_update(cli_progress *progress, int done)
{
    double now = crn_seconds();
    if (!progress->is_shown || (progress->last_drawn >= 0.0 && now - progress->last_drawn < redraw_after)) {
        return;
    }
    progress->last_drawn = now;
    int filled = progress->total > 0 ? (int)((long long)WIDTH * done / progress->total) : WIDTH;
    fprintf(stderr, "\r%s [", progress->label);
    for (int i = 0; i < WIDTH; ++i) {
        fputc(i < filled ? '#' : '.', stderr);
    }
    fprintf(stderr, "] %d/%d", done, progress->total);
    fflush(stderr);
}

void cli_progress_tell(cli_progress *progress, const char *format, ...)
{
    double now = crn_seconds();
    if (!progress->is_shown || (progress->last_drawn >= 0.0 && now - progress->last_drawn < redraw_after)) {
        return;
    }
    progress->last_drawn = now;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
}

void cli_progress_clear(cli_progress *progress)
{
    if (progress->is_shown && progress->last_drawn >= 0.0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->last_drawn = -1.0;
    }
}
