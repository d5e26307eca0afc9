/* Reports from what papers left in memory: a page of each, and one over all of them. */
#include "paper.h"

#include "cli/info.h"
#include "machine.h"

#include <string.h>

/* --- A paper --- */

static void write_lead(FILE *file, const char *text)
{
    fputs("<p class=\"lead\">", file);
    cli_svg_text(file, text);
    fputs("</p>\n", file);
}

/* Claims, how they were measured, and what the paper wrote; broken or not. */
static void write_body(FILE *file, const paper *p)
{
    cli_page page = {.file = file, .anchor = p->name};
    if (p->is_broken) {
        fputs("<p class=\"broken\">This chapter broke and is not complete: ", file);
        cli_svg_text(file, p->error.text);
        fputs("</p>\n", file);
    }
    if (p->is_quick) {
        cli_page_text(&page, "This is a quick run: few repetitions, small sizes.");
    }
    cli_page_claims(&page, p->aims, p->aim_count);
    fwrite(p->html_text, 1, p->html_size, file);
}

static bool write_page(paper *p)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s.html", p->name);
    FILE *file = paper_file(p, name);
    if (!file) {
        return false;
    }
    cli_page_begin(file, p->known->title, p->known->lead);
    fputs("<h2>Claims and measurements</h2>\n", file);
    write_body(file, p);
    cli_page_end(file);
    return fclose(file) == 0;
}

static bool write_rows(paper *p)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s.json", p->name);
    FILE *file = paper_file(p, name);
    if (!file) {
        return false;
    }
    fwrite(p->json_text, 1, p->json_size, file);
    return fclose(file) == 0;
}

bool paper_write(paper *p)
{
    bool has_rows = write_rows(p), has_page = write_page(p);
    return has_rows && has_page;
}

/* --- All of them --- */

static void write_contents(FILE *file, const paper *papers, int count)
{
    fputs("<nav class=\"contents\" aria-label=\"Contents\"><h2>Contents</h2>\n<ol>\n", file);
    for (int i = 0; i < count; ++i) {
        const cli_page *page = &papers[i].report;
        fprintf(file, "<li><a href=\"#%s\">", papers[i].name);
        cli_svg_text(file, papers[i].known->title);
        fputs("</a>", file);
        for (int h = 0; h < page->headings; ++h) {
            fprintf(file, "%s<li><a href=\"#%s-%d\">", h == 0 ? "<ul>" : "", papers[i].name, h + 1);
            cli_svg_text(file, page->heading[h]);
            fputs(h + 1 == page->headings ? "</a></li></ul>" : "</a></li>", file);
        }
        fputs("</li>\n", file);
    }
    fputs("</ol></nav>\n", file);
}

static void write_entry(FILE *file, const char *name, const char *value)
{
    fprintf(file, "<dt>%s</dt><dd>", name);
    cli_svg_text(file, value);
    fputs("</dd>\n", file);
}

static void write_build(FILE *file, bool is_quick)
{
    char processor[128];
    fputs("<dl class=\"build\">\n", file);
    write_entry(file, "Cairn", crn_version());
    write_entry(file, "compiler", cli_info_compiler());
    write_entry(file, "machine", cli_machine_name(processor, sizeof processor));
    write_entry(file, "times", "processor time of one thread, certificate included, unless a row says otherwise");
    write_entry(file, "run", is_quick ? "quick: few repetitions, small sizes; a look, not a measurement" : "full");
    fputs("</dl>\n", file);
}

static void summary_cells(FILE *file, int rows, const int *verdicts)
{
    fprintf(file, "<td>%d</td>", rows);
    for (int v = 0; v < CLI_VERDICTS; ++v) {
        fprintf(file, "<td>%d</td>", verdicts[v]);
    }
    fputs("</tr>\n", file);
}

/* Of a title "Authors: Paper" the authors; all of another one. */
static void write_authors(FILE *file, const char *title)
{
    char authors[96];
    (void)snprintf(authors, sizeof authors, "%.*s", (int)strcspn(title, ":"), title);
    cli_svg_text(file, authors);
}

static void write_summary(FILE *file, const paper *papers, int count)
{
    int rows = 0, total[CLI_VERDICTS] = {0};
    fputs("<h2 id=\"summary\">Summary</h2>\n<div class=\"scroll\"><table class=\"summary\">\n"
          "<thead><tr><th>chapter</th><th>rows</th>",
          file);
    for (int v = 0; v < CLI_VERDICTS; ++v) {
        fprintf(file, "<th>%s</th>", cli_verdict_name((cli_verdict)v));
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (int i = 0; i < count; ++i) {
        int verdicts[CLI_VERDICTS];
        for (int v = 0; v < CLI_VERDICTS; ++v) {
            verdicts[v] = paper_count(&papers[i], (cli_verdict)v);
            total[v] += verdicts[v];
        }
        rows += papers[i].aim_count;
        fprintf(file, "<tr><td><a href=\"#%s\">", papers[i].name);
        write_authors(file, papers[i].known->title);
        fprintf(file, "</a>%s</td>", papers[i].is_broken ? " (broken, not complete)" : "");
        summary_cells(file, papers[i].aim_count, verdicts);
    }
    fputs("</tbody>\n<tfoot><tr><td>all</td>", file);
    summary_cells(file, rows, total);
    fputs("</tfoot>\n</table></div>\n", file);
}

static void write_chapter(FILE *file, const paper *p)
{
    fprintf(file, "<section class=\"chapter\" id=\"%s\">\n<h2>", p->name);
    cli_svg_text(file, p->known->title);
    fputs("</h2>\n", file);
    write_lead(file, p->known->lead);
    write_body(file, p);
    fputs("</section>\n", file);
}

void paper_write_report(FILE *file, const paper *papers, int count)
{
    cli_page_begin(file, "Cairn beside the papers",
                   "Every table and figure of the papers that Cairn is built on, measured again: what was published "
                   "beside what comes out here, with a verdict on each row and how it was measured. The last "
                   "chapter holds scenes whose right answer is known against theirs.");
    write_build(file, count > 0 && papers[0].is_quick);
    write_summary(file, papers, count);
    cli_page page = {.file = file};
    cli_page_text(&page,
                  "Met and not met say whether our figure reaches the aim of its row. The aim is the paper\u2019s "
                  "own figure or sentence where it gives one, else ours. Not comparable: the paper gives nothing to "
                  "hold a figure against, or this run is too short to tell; the row says which. Broken: the "
                  "measurement failed.");
    write_contents(file, papers, count);
    for (int i = 0; i < count; ++i) {
        write_chapter(file, &papers[i]);
    }
    cli_page_end(file);
}
