/* A report as one HTML page that needs nothing else: headings, text, tables, pictures, aims. Light and dark. */
#ifndef CAIRN_CLI_PAGE_H
#define CAIRN_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_page {
    FILE *file;
    int columns, column; /* of the table being written */
} cli_page;

/* What was wanted, what came out, and whether that is enough. */
typedef struct cli_aim {
    char what[160], wanted[80], got[120];
    char published[160]; /* what the paper says; may be empty */
    bool is_met;
} cli_aim;

/* title: heading; lead: a sentence or two below it. */
cli_page cli_page_begin(FILE *file, const char *title, const char *lead);
void cli_page_end(cli_page *report);

void cli_page_heading(cli_page *report, const char *text);
void cli_page_text(cli_page *report, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void cli_page_aims(cli_page *report, const cli_aim *aims, int count);
/* The same as a table, for aims that are a paper's claims: its words, ours, the aim, the verdict. */
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

/* A card with a link, for a list of reports. */
void cli_page_link(cli_page *report, const char *address, const char *title, const char *what);

/* Text of a number with three digits, as in tables; "-" if it is not finite. buffer has 32 characters. */
const char *cli_page_format(double value, char *buffer);

/* Make a directory and those above it. False if there is none afterwards. */
bool cli_make_directory(const char *path);

#endif
