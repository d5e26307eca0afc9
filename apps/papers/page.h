/* A report as one HTML page that needs nothing else: headings, text, tables, pictures, claims. Light and dark on a screen,
 * black on white on paper. */
#ifndef CAIRN_CLI_PAGE_H
#define CAIRN_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_HEADINGS_MAX = 16, CLI_HEADING_SIZE = 96 };

typedef struct cli_page {
    FILE *file;
    int columns, column; /* of the table being written */
    const char *anchor;  /* headings are at anchor-1, anchor-2, ...; NULL: headings cannot be linked to */
    int headings;
    char heading[CLI_HEADINGS_MAX][CLI_HEADING_SIZE]; /* for a table of contents */
} cli_page;

/* What comes of comparing a claim with a measurement. */
typedef enum cli_verdict {
    CLI_MET = 0,
    CLI_NOT_MET,
    CLI_NOT_COMPARABLE, /* there is nothing to compare with, or this run cannot tell: `why` says so */
    CLI_BROKEN          /* the measurement failed: `why` says how */
} cli_verdict;
enum { CLI_VERDICTS = CLI_BROKEN + 1 };

const char *cli_verdict_name(cli_verdict verdict); /* "met", "not met", "not comparable", "broken" */

/* A claim beside a measurement. Texts by pointer are static. */
typedef struct cli_aim {
    char what[160], wanted[120], got[200];
    const char *where;     /* in the paper: table, figure, equation, section; NULL: not in it */
    const char *published; /* what the paper says there; NULL: nothing */
    const char *how;       /* measured: problems, repetitions, time of what, certificate */
    char why[260];         /* of a verdict other than met */
    cli_verdict verdict;
} cli_aim;

/* Places of the aims in the order in which they are told: broken, not met, met, not comparable. */
void cli_aim_order(const cli_aim *aims, int count, int *order);

/* --- Whole pages --- */

/* title: heading; lead: a sentence or two below it. */
void cli_page_begin(FILE *file, const char *title, const char *lead);
void cli_page_end(FILE *file);

/* --- What pages are made of --- */

void cli_page_heading(cli_page *report, const char *text);
void cli_page_text(cli_page *report, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Claims as a table: where the paper makes them, its words, ours, the aim, the verdict; below it how they were measured. */
void cli_page_claims(cli_page *report, const cli_aim *aims, int count);

/* Cells fill the table row after row. The first column is text, the others are numbers. A head of the form "a|b" is
 * column b of the group a. */
void cli_page_table(cli_page *report, int columns, const char *const *heads);
void cli_page_cell(cli_page *report, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void cli_page_number(cli_page *report, double value); /* three digits; a dash if it is not finite */
void cli_page_table_end(cli_page *report);

/* Between the two the caller writes one <svg> element to report->file. */
void cli_page_figure(cli_page *report);
void cli_page_figure_end(cli_page *report, const char *caption);

/* Text of a number with three digits, as in tables; "-" if it is not finite. buffer has 32 characters. */
const char *cli_page_format(double value, char *buffer);

#endif
