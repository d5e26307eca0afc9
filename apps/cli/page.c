/* A report as one HTML page. */
#include "page.h"

#include "svg_plot.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

static const char *const style =
    ":root{color-scheme:light dark;--ink:#1c2330;--soft:#5a6475;--rule:#dfe3ea;--paper:#ffffff;--page:#f4f6f9;"
    "--head:#eef1f6;--good:#0f7a4f;--good-bg:#e0f4ea;--bad:#b3261e;--bad-bg:#fbe6e4;--link:#1d64c8}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8ecf3;--soft:#a3adbd;--rule:#323a47;--paper:#171b22;"
    "--page:#0f1217;--head:#1f252f;--good:#62d8a3;--good-bg:#12352a;--bad:#ff9a90;--bad-bg:#401d1b;--link:#7db3ff}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif}\n"
    "main{max-width:1200px;margin:0 auto;padding:40px 20px 80px}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .4em;letter-spacing:-.01em}\n"
    "h2{font-size:1.3rem;margin:2.4em 0 .5em;letter-spacing:-.01em}\n"
    ".lead{color:var(--soft);font-size:1.08rem;max-width:46em;margin:0 0 1.6em}\n"
    "p{max-width:50em;margin:.6em 0}a{color:var(--link)}\n"
    "figure{margin:1.2em 0;background:var(--paper);border:1px solid var(--rule);border-radius:12px;padding:10px 10px "
    "4px}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    "figcaption{color:var(--soft);font-size:.9rem;padding:4px 10px 10px}\n"
    ".scroll{overflow-x:auto;margin:1.2em 0;border:1px solid var(--rule);border-radius:12px;background:var(--paper)}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:6px 9px;text-align:right}td{white-space:nowrap}\n"
    "th{background:var(--head);font-weight:600;color:var(--soft);border-bottom:1px solid "
    "var(--rule);vertical-align:bottom}\n"
    "th.g{text-align:center;border-left:1px solid var(--rule)}\n"
    "td:first-child,th:first-child{text-align:left}thead tr+tr th{text-align:right!important}tbody tr+tr "
    "td{border-top:1px solid var(--rule)}\n"
    ".aims{list-style:none;margin:1em 0;padding:0;display:grid;gap:10px;grid-template-columns:repeat(auto-fill,"
    "minmax(300px,1fr))}\n"
    ".aims li{background:var(--paper);border:1px solid var(--rule);border-radius:12px;padding:12px 16px}\n"
    ".aims b{display:block;font-size:1.3rem;font-variant-numeric:tabular-nums;letter-spacing:-.01em}\n"
    ".aims span{color:var(--soft);font-size:.9rem;display:block}\n"
    ".aims i{font-style:normal;font-size:.8rem;font-weight:600;border-radius:99px;padding:2px 9px;float:right}\n"
    ".met i{color:var(--good);background:var(--good-bg)}.not i{color:var(--bad);background:var(--bad-bg)}\n"
    ".claims{font-size:.92rem}.claims td{white-space:normal;text-align:left;vertical-align:top}\n"
    ".claims th{text-align:left}.claims td:last-child{white-space:nowrap}.claims td:nth-child(3){font-weight:600}\n"
    ".claims i{font-style:normal;font-size:.8rem;font-weight:600;border-radius:99px;padding:2px 9px}\n"
    ".card{display:block;background:var(--paper);border:1px solid var(--rule);border-radius:12px;padding:16px 20px;"
    "margin:12px 0;color:inherit;text-decoration:none}.card:hover{border-color:var(--link)}\n"
    ".card b{color:var(--link);font-size:1.1rem}.card span{display:block;color:var(--soft)}\n"
    "@media print{body{background:none;font-size:13px}main{padding:0;max-width:none}h2{break-after:avoid}\n"
    "figure,.aims li,tr{break-inside:avoid}.scroll{overflow:visible}i{print-color-adjust:exact}\n"
    "table{font-size:.7rem}th,td{padding:3px 5px}.claims{font-size:.8rem}}\n";

cli_page cli_page_begin(FILE *file, const char *title, const char *lead)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          file);
    cli_svg_text(file, title);
    fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    cli_svg_text(file, title);
    fputs("</h1>\n<p class=\"lead\">", file);
    cli_svg_text(file, lead);
    fputs("</p>\n", file);
    return (cli_page){.file = file};
}

void cli_page_end(cli_page *report)
{
    fputs("</main>\n</body>\n</html>\n", report->file);
}

void cli_page_heading(cli_page *report, const char *text)
{
    fputs("<h2>", report->file);
    cli_svg_text(report->file, text);
    fputs("</h2>\n", report->file);
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

void cli_page_aims(cli_page *report, const cli_aim *aims, int count)
{
    fputs("<ul class=\"aims\">\n", report->file);
    for (int i = 0; i < count; ++i) {
        fprintf(report->file, "<li class=\"%s\"><i>%s</i><b>", aims[i].is_met ? "met" : "not",
                aims[i].is_met ? "\u2713 met" : "\u2717 not met");
        cli_svg_text(report->file, aims[i].got);
        fputs("</b><span>", report->file);
        cli_svg_text(report->file, aims[i].what);
        fputs("</span><span>aim: ", report->file);
        cli_svg_text(report->file, aims[i].wanted);
        fputs("</span></li>\n", report->file);
    }
    fputs("</ul>\n", report->file);
}

void cli_page_claims(cli_page *report, const cli_aim *aims, int count)
{
    fputs("<div class=\"scroll\"><table class=\"claims\">\n<thead><tr><th>what</th><th>the paper</th><th>ours</th>"
          "<th>aim</th><th>verdict</th></tr></thead>\n<tbody>\n",
          report->file);
    for (int i = 0; i < count; ++i) {
        const char *cells[4] = {aims[i].what, aims[i].published, aims[i].got, aims[i].wanted};
        fprintf(report->file, "<tr class=\"%s\">", aims[i].is_met ? "met" : "not");
        for (int c = 0; c < 4; ++c) {
            fputs("<td>", report->file);
            cli_svg_text(report->file, cells[c][0] != '\0' ? cells[c] : "\u2013");
            fputs("</td>", report->file);
        }
        fprintf(report->file, "<td><i>%s</i></td></tr>\n", aims[i].is_met ? "\u2713 met" : "\u2717 not met");
    }
    fputs("</tbody>\n</table></div>\n", report->file);
}

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
    fputs("<div class=\"scroll\"><table>\n<thead>\n<tr>", report->file);
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

void cli_page_link(cli_page *report, const char *address, const char *title, const char *what)
{
    fprintf(report->file, "<a class=\"card\" href=\"%s\"><b>", address);
    cli_svg_text(report->file, title);
    fputs("</b><span>", report->file);
    cli_svg_text(report->file, what);
    fputs("</span></a>\n", report->file);
}

bool cli_make_directory(const char *path)
{
    char part[1024];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        return false;
    }
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(part, path, i);
            part[i] = '\0';
            (void)mkdir(part, 0777); /* the last look tells whether all went well */
        }
    }
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}
