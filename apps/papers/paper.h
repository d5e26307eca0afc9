/* cairn-papers: the figures of published papers, measured again, with the published numbers beside ours. */
#ifndef CAIRN_CLI_PAPER_H
#define CAIRN_CLI_PAPER_H

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "page.h"
#include "svg_plot.h"

#include <cairn/contact.h>
#include <cairn/lcp.h>
#include <cairn/model.h>

#include <stdbool.h>
#include <stdio.h>

enum { PAPER_AIMS_MAX = 40 };

/* The program's one command. */
extern const cli_command papers_command;

/* A paper that can be measured. */
typedef struct paper_known paper_known;

/* Sizes to measure at instead of the paper's own; 0: the paper's. What is measured so has nothing published to be held against. */
typedef struct paper_sizes {
    int contacts, directions; /* lloyd: of the peg */
    int legs;                 /* enzenhofer: of the frame */
    int runs;                 /* lloyd: random wrenches; enzenhofer: loads */
    double dt;                /* hart: of the Brazil nut [s] */
    int seed;                 /* hart: of the Brazil nut; lloyd: of the wrenches */
} paper_sizes;

/* Which of them a paper knows. */
enum {
    PAPER_TAKES_CONTACTS = 1,
    PAPER_TAKES_DIRECTIONS = 2,
    PAPER_TAKES_LEGS = 4,
    PAPER_TAKES_RUNS = 8,
    PAPER_TAKES_DT = 16,
    PAPER_TAKES_SEED = 32
};

/* One paper's run: what it measured, kept until the reports are written. */
typedef struct paper {
    const paper_known *known;
    const char *name, *directory;
    const char *problems; /* folder for the problems that are solved; NULL: they are not wanted */
    int problem_count;
    paper_sizes sizes;
    bool has_sizes; /* one of them is given */
    bool is_quick;  /* fewer repetitions and sizes: a look, not a measurement */
    FILE *json, *html;
    char *json_text, *html_text; /* what was written to these so far */
    size_t json_size, html_size;
    bool has_rows;
    cli_page report;
    cli_aim aims[PAPER_AIMS_MAX];
    int aim_count;
    const char *where, *published; /* of the next aim; NULL: nothing */
    const char *reason;            /* of the next aim, if it is not met; NULL: none is known */
    const char *how;               /* of all aims until it is said anew */
    cli_progress progress;
    char label[48]; /* of the progress bar */
    int done;
    crn_workspace work;
    crn_error error;
    bool is_broken; /* out of memory, or a call failed: error says why */
} paper;

struct paper_known {
    const char *name, *title;
    const char *lead; /* of the report */
    bool (*run)(paper *p);
    unsigned takes; /* sizes that can be given */
};

/* The papers. Each measures, then writes rows, figures and aims; false if it broke. */
bool paper_lloyd(paper *p);
bool paper_enzenhofer(paper *p);
bool paper_hart(paper *p);
bool paper_yamane(paper *p);
bool paper_slides(paper *p);
bool paper_physics(paper *p);

/* --- Life of a run --- */

/* Measure; whatever breaks is told in p. False: not even memory for that. */
bool paper_open(paper *p);
void paper_run(paper *p);
void paper_close(paper *p);

/* Aims with a verdict. */
int paper_count(const paper *p, cli_verdict verdict);

/* A file DIRECTORY/NAME for writing; NULL, and the paper is broken, if there is none. */
FILE *paper_file(paper *p, const char *name);

/* --- Reports --- */

/* NAME.json and NAME.html of one paper. */
bool paper_write(paper *p);

/* One page over all of them: contents, build, summary, a chapter each. */
void paper_write_report(FILE *file, const paper *papers, int count);

/* --- What papers say while they run --- */

/* Say how many steps there are, and that one more is done. */
void paper_steps(paper *p, int total);
void paper_step(paper *p);

/* A row of the JSON file; end it with cli_json_end(). */
cli_json paper_row(paper *p, const char *figure);

/* What the paper says of the aim that is added next, and where. Static texts. */
void paper_published(paper *p, const char *where, const char *claim);

/* Why the aim that is added next is not met, if it is not. Static text. */
void paper_reason(paper *p, const char *reason);

/* How the aims from here on are measured. Static text. */
void paper_how(paper *p, const char *how);

void paper_aim(paper *p, bool is_met, const char *what, const char *wanted, const char *got_format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* A measurement that nothing can be held against, and why. */
void paper_incomparable(paper *p, const char *why, const char *what, const char *got_format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* An aim whose measurement failed: p->error says how and is cleared; the others go on. */
void paper_failed(paper *p, const char *what, const char *wanted);

/* --- Problems as files, where they are wanted: PROBLEMS/NAME-0001-label.json ... --- */

/* A contact problem as contact JSON, an LCP as two Matrix Market files, a scene. False, with p->error: it cannot be written. */
bool paper_keep_contact(paper *p, const crn_contact_problem *problem, const char *label);
bool paper_keep_lcp(paper *p, const crn_lcp_problem *problem, const char *label);
bool paper_keep_scene(paper *p, const crn_model *model, const char *label);

/* A plot into the page and into DIRECTORY/NAME-file.svg. */
void paper_plot(paper *p, const char *file, const cli_plot *plot, const char *caption);

/* Any other picture likewise: draw is called twice. */
void paper_picture(paper *p, const char *file, void (*draw)(FILE *out, const void *what), const void *what,
                   const char *caption);

#endif
