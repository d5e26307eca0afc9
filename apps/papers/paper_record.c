/* What a paper says while it runs: rows, aims, pictures. All of it is kept in memory, so that a paper that breaks halfway still
 * has a chapter, and the others theirs. */
#include "paper.h"

#include <stdarg.h>
#include <stdlib.h>

/* --- Life --- */

bool paper_open(paper *p)
{
    p->json = open_memstream(&p->json_text, &p->json_size);
    p->html = open_memstream(&p->html_text, &p->html_size);
    p->report = (cli_page){.file = p->html, .anchor = p->name};
    p->how = "not said";
    return p->json && p->html;
}

void paper_run(paper *p)
{
    fputs("[\n", p->json);
    bool ok = p->known->run(p) && !p->is_broken;
    cli_progress_clear(&p->progress);
    fputs("]\n", p->json);
    bool is_kept = fflush(p->json) == 0; /* also of a paper that broke */
    is_kept = fflush(p->html) == 0 && is_kept;
    p->is_broken = !ok || !is_kept;
    if (p->is_broken && p->error.text[0] == '\0') {
        (void)crn_fail(&p->error, CRN_ERR_MEMORY, "out of memory");
    }
}

void paper_close(paper *p)
{
    if (p->json) {
        (void)fclose(p->json);
    }
    if (p->html) {
        (void)fclose(p->html);
    }
    free(p->json_text);
    free(p->html_text);
    crn_workspace_free(&p->work);
}

int paper_count(const paper *p, cli_verdict verdict)
{
    int count = 0;
    for (int i = 0; i < p->aim_count; ++i) {
        count += p->aims[i].verdict == verdict;
    }
    return count;
}

/* --- Progress and rows --- */

void paper_steps(paper *p, int total)
{
    p->progress = cli_progress_begin(p->label, total);
    p->done = 0;
}

void paper_step(paper *p)
{
    cli_progress_update(&p->progress, ++p->done);
}

cli_json paper_row(paper *p, const char *figure)
{
    fputs(p->has_rows ? "," : "", p->json);
    p->has_rows = true;
    cli_json row = cli_json_begin(p->json);
    cli_json_string(&row, "figure", figure);
    return row;
}

/* --- Aims --- */

void paper_published(paper *p, const char *where, const char *claim)
{
    p->where = where;
    p->published = claim;
}

void paper_reason(paper *p, const char *reason)
{
    p->reason = reason;
}

void paper_how(paper *p, const char *how)
{
    p->how = how;
}

static void write_text(cli_json *row, const char *key, const char *text)
{
    if (text && text[0] != '\0') {
        cli_json_string(row, key, text);
    } else {
        cli_json_null(row, key);
    }
}

static void write_aim(paper *p, const cli_aim *aim)
{
    cli_json row = paper_row(p, "aim");
    cli_json_string(&row, "what", aim->what);
    write_text(&row, "where", aim->where);
    write_text(&row, "published", aim->published);
    write_text(&row, "got", aim->got);
    write_text(&row, "aim", aim->wanted);
    cli_json_string(&row, "verdict", cli_verdict_name(aim->verdict));
    write_text(&row, "why", aim->why);
    write_text(&row, "how", aim->how);
    cli_json_end(&row);
}

/* The next aim with all but its measurement. More than there is room for are a mistake of ours, which is told. */
static cli_aim *add_aim(paper *p, cli_verdict verdict, const char *what, const char *wanted, const char *why)
{
    if (p->aim_count == PAPER_AIMS_MAX) {
        p->is_broken = true;
        (void)crn_fail(&p->error, CRN_ERR_UNSUPPORTED, "more than %d aims", PAPER_AIMS_MAX);
        return NULL;
    }
    cli_aim *aim = &p->aims[p->aim_count++];
    *aim = (cli_aim){.where = p->where, .published = p->published, .how = p->how, .verdict = verdict};
    (void)snprintf(aim->what, sizeof aim->what, "%s", what);
    (void)snprintf(aim->wanted, sizeof aim->wanted, "%s", wanted);
    (void)snprintf(aim->why, sizeof aim->why, "%s", why);
    p->where = p->published = p->reason = NULL;
    return aim;
}

void paper_aim(paper *p, bool is_met, const char *what, const char *wanted, const char *got_format, ...)
{
    const char *reason = p->reason ? p->reason : "not known";
    cli_aim *aim = add_aim(p, is_met ? CLI_MET : CLI_NOT_MET, what, wanted, is_met ? "" : reason);
    if (aim) {
        va_list arguments;
        va_start(arguments, got_format);
        (void)vsnprintf(aim->got, sizeof aim->got, got_format, arguments);
        va_end(arguments);
        write_aim(p, aim);
    }
}

void paper_incomparable(paper *p, const char *why, const char *what, const char *got_format, ...)
{
    cli_aim *aim = add_aim(p, CLI_NOT_COMPARABLE, what, "", why);
    if (aim) {
        va_list arguments;
        va_start(arguments, got_format);
        (void)vsnprintf(aim->got, sizeof aim->got, got_format, arguments);
        va_end(arguments);
        write_aim(p, aim);
    }
}

void paper_failed(paper *p, const char *what, const char *wanted)
{
    cli_aim *aim = add_aim(p, CLI_BROKEN, what, wanted, p->error.text[0] ? p->error.text : "it broke");
    if (aim) {
        write_aim(p, aim);
    }
    p->error = (crn_error){CRN_OK, ""};
}

/* --- Files and pictures --- */

FILE *paper_file(paper *p, const char *name)
{
    char path[1200];
    int length = snprintf(path, sizeof path, "%s/%s", p->directory, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "w") : NULL;
    if (!file) {
        p->is_broken = true;
        (void)crn_fail(&p->error, CRN_ERR_IO, "%s/%s cannot be written", p->directory, name);
    }
    return file;
}

void paper_picture(paper *p, const char *file, void (*draw)(FILE *out, const void *what), const void *what,
                   const char *caption)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s-%s.svg", p->name, file);
    FILE *svg = paper_file(p, name);
    if (svg) {
        draw(svg, what);
        p->is_broken = fclose(svg) != 0 || p->is_broken;
    }
    cli_page_figure(&p->report);
    draw(p->html, what);
    cli_page_figure_end(&p->report, caption);
}

static void draw_plot(FILE *out, const void *what)
{
    cli_plot_write(what, out);
}

void paper_plot(paper *p, const char *file, const cli_plot *plot, const char *caption)
{
    paper_picture(p, file, draw_plot, plot, caption);
}
