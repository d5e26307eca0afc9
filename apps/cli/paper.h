/* cairn paper: the figures of a published paper, measured again, with the published numbers beside ours. */
#ifndef CAIRN_CLI_PAPER_H
#define CAIRN_CLI_PAPER_H

#include "json.h"
#include "progress.h"
#include "page.h"
#include "svg_plot.h"

#include <cairn/base.h>

#include <stdbool.h>
#include <stdio.h>

enum { PAPER_AIMS_MAX = 16 };

/* One run of the command. */
typedef struct paper {
    const char *name, *directory;
    bool is_quick; /* fewer repetitions and sizes: a look, not a measurement */
    FILE *json, *html;
    bool has_rows;
    cli_page report;
    cli_aim aims[PAPER_AIMS_MAX];
    int aim_count;
    const char *published; /* of the next aim; NULL: nothing */
    cli_progress progress;
    int done;
    crn_workspace work;
    crn_error error;
    bool is_broken; /* out of memory, or a call failed: error says why */
} paper;

/* The papers. Each measures, then writes rows, figures and aims; false if it broke. */
bool paper_lloyd(paper *p);
bool paper_enzenhofer(paper *p);
bool paper_hart(paper *p);
bool paper_yamane(paper *p);

/* Say how many steps there are, and that one more is done. */
void paper_steps(paper *p, int total);
void paper_step(paper *p);

/* A row of the JSON file; end it with cli_json_end(). */
cli_json paper_row(paper *p, const char *figure);

/* What the paper says of the aim that is added next. */
void paper_published(paper *p, const char *claim);

void paper_aim(paper *p, bool is_met, const char *what, const char *wanted, const char *got_format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* A plot into the page and into DIRECTORY/NAME-file.svg. */
void paper_plot(paper *p, const char *file, const cli_plot *plot, const char *caption);

/* Any other picture likewise: draw is called twice. */
void paper_picture(paper *p, const char *file, void (*draw)(FILE *out, const void *what), const void *what,
                   const char *caption);

#endif
