/* Which figures the frames of a recording hold, and their bytes; recording.h has the layout. */
#include "io/recording.h"

#include "text/bytes.h"

#include <string.h>

/* Versions 1 and 2: counts before the slots, and what is in the slots. */
static const char *const old_counts[] = {"contacts", "active", "outcome", "law", "pivots", "iterations", "relaxed"};
static const char *const old_slots[] = {"certificate", "penetration", "penetration_mean", "joint_error",
                                        "kinetic",     "potential",   "seconds",          NULL};
enum {
    OLD_COUNTS = sizeof old_counts / sizeof old_counts[0],
    OLD_SLOTS = sizeof old_slots / sizeof old_slots[0],
    OLD_COUNTS_AT = 32
};

/* What the lines of measures begin with. */
static const char measure_prefix[] = "measure.";

/* --- Layout --- */

bool crn_recording_measures_are_good(const crn_recording_header *header)
{
    bool is_good = header->measures >= 0 && header->measures <= CRN_RECORDING_MEASURES_MAX;
    for (int i = 0; i < header->measures && is_good; ++i) {
        const char *name = header->measure[i];
        is_good = name != NULL && name[0] != '\0' && strpbrk(name, " \r\n") == NULL;
    }
    return is_good;
}

/* Measures stand behind the figures. */
static bool add_measures(const crn_recording_header *header, crn_recording_layout *layout)
{
    if (layout->slots + header->measures > CRN_RECORDING_FIGURES) {
        return false;
    }
    for (int i = 0; i < header->measures; ++i) {
        layout->measure[layout->slots] = header->measure[i];
        layout->figure[layout->slots++] = NULL;
    }
    layout->measures = header->measures;
    return true;
}

bool crn_recording_layout_of(const crn_recording_header *header, crn_recording_layout *layout)
{
    bool has_all = header->figure == NULL;
    *layout =
        (crn_recording_layout){.bodies = header->bodies, .slots = has_all ? crn_step_figure_count() : header->figures};
    if (layout->slots < 0 || layout->slots > CRN_RECORDING_FIGURES) {
        return false;
    }
    for (int i = 0; i < layout->slots; ++i) {
        layout->figure[i] = has_all ? crn_step_figure_at(i) : header->figure[i];
        if (layout->figure[i] == NULL) {
            return false;
        }
    }
    return add_measures(header, layout);
}

void crn_recording_old_layout(crn_recording_layout *layout)
{
    layout->is_old = true;
    layout->slots = OLD_SLOTS;
    for (int i = 0; i < OLD_SLOTS; ++i) {
        layout->figure[i] = crn_step_figure_find(old_slots[i]);
    }
}

int crn_recording_known(const crn_recording_layout *layout, const crn_step_figure **figure)
{
    int count = 0;
    for (int i = 0; i < OLD_COUNTS && layout->is_old; ++i) {
        figure[count++] = crn_step_figure_find(old_counts[i]);
    }
    for (int i = 0; i < layout->slots; ++i) {
        if (layout->figure[i] != NULL) {
            figure[count++] = layout->figure[i];
        }
    }
    return count;
}

/* --- The list --- */

/* A text of limited room that knows how long it would have become. */
typedef struct text {
    char *start;
    size_t room, length;
} text;

static void add(text *t, const char *part)
{
    size_t length = strlen(part);
    if (t->start != NULL && t->length + length <= t->room) {
        memcpy(t->start + t->length, part, length);
    }
    t->length += length;
}

size_t crn_recording_list(const crn_recording_layout *layout, char *list, size_t room)
{
    text t = {list, room, 0};
    for (int i = 0; i < layout->slots; ++i) {
        const crn_step_figure *figure = layout->figure[i];
        add(&t, figure != NULL ? figure->name : measure_prefix);
        add(&t, figure != NULL ? "" : layout->measure[i]);
        for (int value = 0; figure != NULL && figure->kind == CRN_FIGURE_WORD && figure->word(value) != NULL; ++value) {
            add(&t, " ");
            add(&t, figure->word(value));
        }
        add(&t, "\n");
    }
    return t.length;
}

/* The figure whose name is the first word of a line; NULL: not known. */
static const crn_step_figure *figure_of_line(const char *line)
{
    size_t length = strcspn(line, " \n");
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        if (strlen(figure->name) == length && memcmp(figure->name, line, length) == 0) {
            return figure;
        }
    }
    return NULL;
}

/* The name of a measure, ended at its line's end; NULL: the line is of a figure. */
static const char *measure_of_line(char *line, char *end)
{
    size_t prefix = sizeof measure_prefix - 1;
    if ((size_t)(end - line) <= prefix || memcmp(line, measure_prefix, prefix) != 0) {
        return NULL;
    }
    *end = '\0';
    return line + prefix;
}

bool crn_recording_read_list(char *list, crn_recording_layout *layout)
{
    layout->slots = layout->measures = 0;
    for (char *line = list; *line != '\0'; ++line) {
        char *end = strchr(line, '\n');
        if (layout->slots == CRN_RECORDING_FIGURES || end == NULL) {
            return false;
        }
        const char *measure = measure_of_line(line, end);
        layout->figure[layout->slots] = measure == NULL ? figure_of_line(line) : NULL;
        layout->measure[layout->slots++] = measure;
        layout->measures += measure != NULL;
        line = end;
    }
    return true;
}

/* --- Values --- */

const char *crn_recording_figures_fault(const crn_step_stats *figures)
{
    crn_step_stats copy;
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        if (!crn_step_figure_set(figure, crn_step_figure_get(figure, figures), &copy)) {
            return figure->name;
        }
    }
    return NULL;
}

void crn_recording_put_figures(const crn_recording_layout *layout, const crn_step_stats *figures, const double *measure,
                               unsigned char *bytes)
{
    unsigned char *at = bytes + CRN_RECORDING_EXTENT_SIZE;
    int measures = 0;
    for (int i = 0; i < layout->slots; ++i, at += CRN_RECORDING_FIGURE_SIZE) {
        const crn_step_figure *figure = layout->figure[i];
        bool is_measure = layout->measure[i] != NULL && measure != NULL;
        crn_put_f64(at, figure != NULL ? crn_step_figure_get(figure, figures) : is_measure ? measure[measures++] : 0.0);
    }
}

/* Counts of versions 1 and 2. They have no verdict: what their outcome tells of it. */
static const char *get_old_counts(const unsigned char *bytes, crn_step_stats *figures)
{
    for (int i = 0; i < OLD_COUNTS; ++i) {
        const crn_step_figure *figure = crn_step_figure_find(old_counts[i]);
        int32_t value = crn_get_i32(bytes + OLD_COUNTS_AT + 4 * i);
        if (!crn_step_figure_set(figure, value, figures)) {
            return figure->name;
        }
    }
    if (figures->outcome != CRN_LCP_SOLVED) {
        figures->verdict = CRN_VERDICT_PROBLEM;
        figures->failed = 1U << CRN_VERDICT_PROBLEM;
    }
    return NULL;
}

const char *crn_recording_get_figures(const crn_recording_layout *layout, const unsigned char *bytes,
                                      crn_step_stats *figures, double *measure)
{
    int measures = 0;
    *figures = (crn_step_stats){.time = crn_get_f64(bytes + 24)};
    const char *wrong = layout->is_old ? get_old_counts(bytes, figures) : NULL;
    const unsigned char *at = bytes + CRN_RECORDING_EXTENT_SIZE;
    for (int i = 0; i < layout->slots && wrong == NULL; ++i, at += CRN_RECORDING_FIGURE_SIZE) {
        const crn_step_figure *figure = layout->figure[i];
        if (figure != NULL && !crn_step_figure_set(figure, crn_get_f64(at), figures)) {
            wrong = figure->name;
        }
        if (layout->measure[i] != NULL) {
            measure[measures++] = crn_get_f64(at);
        }
    }
    return wrong;
}
