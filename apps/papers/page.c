/* A report as one HTML page. */
#include "page.h"

#include "page_style.h"
#include "svg_plot.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { WIDE_COLUMNS = 11 }; /* tables from here on are set smaller on paper */

void cli_page_begin(FILE *file, const char *title, const char *lead)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          file);
    cli_svg_text(file, title);
    fputs("</title>\n<style>\n", file);
    for (int i = 0; i < CLI_STYLES; ++i) {
        fputs(cli_page_style[i], file);
    }
    fputs("</style>\n</head>\n<body>\n<main>\n<h1>", file);
    cli_svg_text(file, title);
    fputs("</h1>\n<p class=\"lead\">", file);
    cli_svg_text(file, lead);
    fputs("</p>\n", file);
}

void cli_page_end(FILE *file)
{
    fputs("</main>\n</body>\n</html>\n", file);
}

void cli_page_heading(cli_page *report, const char *text)
{
    if (report->anchor && report->headings < CLI_HEADINGS_MAX) {
        (void)snprintf(report->heading[report->headings++], CLI_HEADING_SIZE, "%s", text);
        fprintf(report->file, "<h3 id=\"%s-%d\">", report->anchor, report->headings);
    } else {
        fputs("<h3>", report->file);
    }
    cli_svg_text(report->file, text);
    fputs("</h3>\n", report->file);
}

/* printf into a fixed line, then into the page. */
static void write_formatted(FILE *file, const char *format, va_list arguments)
{
    char text[1200];
    (void)vsnprintf(text, sizeof text, format, arguments);
    cli_svg_text(file, text);
}

void cli_page_text(cli_page *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("<p>", report->file);
    write_formatted(report->file, format, arguments);
    fputs("</p>\n", report->file);
    va_end(arguments);
}

/* --- Claims --- */

const char *cli_verdict_name(cli_verdict verdict)
{
    static const char *const names[CLI_VERDICTS] = {"met", "not met", "not comparable", "broken"};
    return names[verdict];
}

/* The first aim that was measured in the same way. */
static int first_like(const cli_aim *aims, int i)
{
    int first = 0;
    while (aims[first].how != aims[i].how) {
        ++first;
    }
    return first;
}

/* Ways of measuring are numbered 1, 2, ... as they come and each is told once. */
static int how_number(const cli_aim *aims, int i)
{
    int number = 1;
    for (int k = 0; k < first_like(aims, i); ++k) {
        number += first_like(aims, k) == k;
    }
    return number;
}

static void claim_cell(FILE *file, const char *label, const char *text)
{
    fprintf(file, "<td data-label=\"%s\">", label);
    cli_svg_text(file, text && text[0] != '\0' ? text : "\u2013");
    fputs("</td>", file);
}

static void claim_row(const cli_page *report, const cli_aim *aims, int i)
{
    static const char *const kinds[CLI_VERDICTS] = {"met", "not", "open", "fail"};
    static const char *const marks[CLI_VERDICTS] = {"\u2713 ", "\u2717 ", "", "! "};
    const cli_aim *aim = &aims[i];
    int letter = 'a' + how_number(aims, i) - 1;
    fprintf(report->file, "<tr class=\"%s\">", kinds[aim->verdict]);
    claim_cell(report->file, "what", aim->what);
    claim_cell(report->file, "where", aim->where ? aim->where : "not in the paper");
    claim_cell(report->file, "published", aim->published);
    claim_cell(report->file, "ours", aim->got);
    claim_cell(report->file, "aim", aim->wanted);
    fprintf(report->file, "<td class=\"v\" data-label=\"verdict\"><i>%s%s</i>", marks[aim->verdict],
            cli_verdict_name(aim->verdict));
    if (aim->why[0] != '\0') {
        fputs("<small>", report->file);
        cli_svg_text(report->file, aim->why);
        fputs("</small>", report->file);
    }
    fprintf(report->file, "</td><td data-label=\"how\"><a href=\"#%s-how-%c\">%c</a></td></tr>\n", report->anchor,
            letter, letter);
}

static void claim_notes(const cli_page *report, const cli_aim *aims, int count)
{
    int told = 0;
    fputs("<div class=\"how\"><b>How it was measured.</b>\n<ol>\n", report->file);
    for (int i = 0; i < count; ++i) {
        if (how_number(aims, i) > told) {
            fprintf(report->file, "<li id=\"%s-how-%c\">", report->anchor, 'a' + told++);
            cli_svg_text(report->file, aims[i].how);
            fputs("</li>\n", report->file);
        }
    }
    fputs("</ol></div>\n", report->file);
}

/* Broken ones first, then those that are not met. */
static int verdict_rank(cli_verdict verdict)
{
    static const int rank[CLI_VERDICTS] = {
        [CLI_BROKEN] = 0, [CLI_NOT_MET] = 1, [CLI_MET] = 2, [CLI_NOT_COMPARABLE] = 3};
    return rank[verdict];
}

void cli_aim_order(const cli_aim *aims, int count, int *order)
{
    int placed = 0;
    for (int rank = 0; rank < CLI_VERDICTS; ++rank) {
        for (int i = 0; i < count; ++i) {
            if (verdict_rank(aims[i].verdict) == rank) {
                order[placed++] = i;
            }
        }
    }
}

void cli_page_claims(cli_page *report, const cli_aim *aims, int count)
{
    if (count == 0) {
        return;
    }
    fputs("<div class=\"scroll\"><table class=\"claims\">\n<thead><tr><th>what</th><th>where</th><th>published</th>"
          "<th>ours</th><th>aim</th><th>verdict</th><th>how</th></tr></thead>\n<tbody>\n",
          report->file);
    for (int rank = 0; rank < CLI_VERDICTS; ++rank) {
        for (int i = 0; i < count; ++i) {
            if (verdict_rank(aims[i].verdict) == rank) {
                claim_row(report, aims, i);
            }
        }
    }
    fputs("</tbody>\n</table></div>\n", report->file);
    claim_notes(report, aims, count);
}

/* --- Tables --- */

/* Length of the group's name in a head "group|column"; 0 if it has none. */
static size_t group_length(const char *head)
{
    const char *bar = strchr(head, '|');
    return bar ? (size_t)(bar - head) : 0;
}

static bool is_same_group(const char *a, const char *b)
{
    size_t length = group_length(a);
    return length > 0 && length == group_length(b) && strncmp(a, b, length) == 0;
}

/* The upper row of heads: names of groups, and what belongs to none, which spans both rows. */
static void write_groups(FILE *file, int columns, const char *const *heads)
{
    for (int c = 0; c < columns;) {
        int span = 1;
        while (c + span < columns && is_same_group(heads[c], heads[c + span])) {
            ++span;
        }
        if (group_length(heads[c]) > 0) {
            fprintf(file, "<th class=\"g\" colspan=\"%d\">%.*s</th>", span, (int)group_length(heads[c]), heads[c]);
        } else {
            fprintf(file, "<th rowspan=\"2\">%s</th>", heads[c]);
        }
        c += span;
    }
}

void cli_page_table(cli_page *report, int columns, const char *const *heads)
{
    report->columns = columns;
    report->column = 0;
    fprintf(report->file, "<div class=\"scroll\"><table%s>\n<thead>\n<tr>",
            columns >= WIDE_COLUMNS ? " class=\"wide\"" : "");
    write_groups(report->file, columns, heads);
    fputs("</tr>\n<tr>", report->file);
    for (int c = 0; c < columns; ++c) {
        if (group_length(heads[c]) > 0) {
            fprintf(report->file, "<th>%s</th>", heads[c] + group_length(heads[c]) + 1);
        }
    }
    fputs("</tr>\n</thead>\n<tbody>\n", report->file);
}

void cli_page_cell(cli_page *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(report->column == 0 ? "<tr><td>" : "<td>", report->file);
    write_formatted(report->file, format, arguments);
    fputs("</td>", report->file);
    report->column = (report->column + 1) % report->columns;
    if (report->column == 0) {
        fputs("</tr>\n", report->file);
    }
    va_end(arguments);
}

const char *cli_page_format(double value, char *buffer)
{
    if (!isfinite(value)) {
        (void)snprintf(buffer, 32, "\u2013");
    } else if (value == 0.0) {
        (void)snprintf(buffer, 32, "0");
    } else if (fabs(value) >= 1e6 || fabs(value) < 1e-3) {
        (void)snprintf(buffer, 32, "%.1e", value);
    } else {
        int decimals = 2 - (int)floor(log10(fabs(value)));
        (void)snprintf(buffer, 32, "%.*f", decimals > 0 ? decimals : 0, value);
    }
    return buffer;
}

void cli_page_number(cli_page *report, double value)
{
    char buffer[32];
    cli_page_cell(report, "%s", cli_page_format(value, buffer));
}

void cli_page_table_end(cli_page *report)
{
    fputs("</tbody>\n</table></div>\n", report->file);
}

void cli_page_figure(cli_page *report)
{
    fputs("<figure>\n", report->file);
}

void cli_page_figure_end(cli_page *report, const char *caption)
{
    fputs("<figcaption>", report->file);
    cli_svg_text(report->file, caption);
    fputs("</figcaption>\n</figure>\n", report->file);
}
