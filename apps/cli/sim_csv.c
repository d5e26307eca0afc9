/* A row per step: its figures, and the probes of the scene. */
#include "sim_csv.h"

#include <errno.h>
#include <string.h>

/* --- Probes --- */

/* The part of a heading that tells number k of a probe from the others. */
static const char *part_name(const crn_probe_def *probe, int size, int k)
{
    static const char *const vector[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"},
                             *const coordinate[] = {"0", "1", "2"};
    if (crn_probe_kind_target(probe->kind) == CRN_PROBE_OF_JOINT) {
        return coordinate[probe->only > 0 ? probe->only - 1 : k];
    }
    if (size == 1) {
        return probe->kind == CRN_PROBE_ROTATION ? "angle" : "0";
    }
    return size == 4 ? quaternion[k] : vector[k];
}

/* A heading, in quotes if it holds a comma, a quote or a line end (RFC 4180). */
static void write_name(FILE *file, const char *name, const char *part)
{
    bool is_quoted = strpbrk(name, ",\"\r\n") != NULL;
    fputs(is_quoted ? ",\"" : ",", file);
    for (const char *c = name; *c != '\0'; ++c) {
        fputs(*c == '"' ? "\"" : "", file);
        fputc(*c, file);
    }
    fprintf(file, ".%s%s", part, is_quoted ? "\"" : "");
}

/* The name of what a probe is of; NULL if it has none. */
static const char *target_name(const crn_model *model, const crn_probe_def *probe)
{
    switch (crn_probe_kind_target(probe->kind)) {
    case CRN_PROBE_OF_BODY: return crn_model_body(model, probe->target)->name;
    case CRN_PROBE_OF_JOINT: return crn_model_joint(model, probe->target)->name;
    case CRN_PROBE_OF_SITE: return crn_model_site(model, probe->target)->name;
    case CRN_PROBE_OF_ACTUATOR: return crn_model_actuator(model, probe->target)->name;
    case CRN_PROBE_OF_TENDON: return crn_model_tendon(model, probe->target)->name;
    }
    return NULL;
}

static void write_probe_names(FILE *file, const crn_model *model, int index)
{
    char made[128];
    const crn_probe_def *probe = crn_model_probe(model, index);
    const char *target = target_name(model, probe), *kind = crn_probe_kind_name(probe->kind);
    if (target != NULL) {
        (void)snprintf(made, sizeof made, "%.80s.%s", target, kind);
    } else {
        (void)snprintf(made, sizeof made, "%s%d.%s", crn_probe_target_name(crn_probe_kind_target(probe->kind)),
                       probe->target, kind);
    }
    int size = crn_model_probe_size(model, index);
    for (int k = 0; k < size; ++k) {
        write_name(file, probe->name != NULL ? probe->name : made, part_name(probe, size, k));
    }
}

static void write_probe(FILE *file, const crn_model *model, const crn_world *world, int index)
{
    double values[CRN_PROBE_NUMBERS_MAX] = {0.0};
    (void)crn_world_probe(world, crn_model_probe(model, index), values);
    int size = crn_model_probe_size(model, index);
    for (int k = 0; k < size; ++k) {
        fprintf(file, ",%.17g", values[k]);
    }
}

/* --- The file --- */

crn_status sim_csv_open(sim_csv *csv, const char *path, const crn_model *model, crn_error *error)
{
    csv->output.file = NULL;
    if (path == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_io_output_open(&csv->output, path, error);
    FILE *file = csv->output.file;
    if (status != CRN_OK) {
        return status;
    }
    fputs("step,time", file);
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        fprintf(file, ",%s", crn_step_figure_at(i)->name);
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        write_probe_names(file, model, i);
    }
    fputc('\n', file);
    return CRN_OK;
}

static void write_figure(FILE *file, const crn_step_figure *figure, const crn_step_stats *stats)
{
    const char *word = crn_step_figure_word(figure, stats);
    if (word != NULL) {
        fprintf(file, ",%s", word);
    } else {
        fprintf(file, ",%.17g", crn_step_figure_get(figure, stats));
    }
}

void sim_csv_row(const sim_csv *csv, const crn_model *model, const crn_world *world, int step, const crn_step_stats *s)
{
    FILE *file = csv->output.file;
    if (file == NULL) {
        return;
    }
    fprintf(file, "%d,%.17g", step, s->time);
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        write_figure(file, crn_step_figure_at(i), s);
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        write_probe(file, model, world, i);
    }
    fputc('\n', file);
}

crn_status sim_csv_close(sim_csv *csv, crn_status status, crn_error *error)
{
    return csv->output.file == NULL ? status : crn_io_output_close(&csv->output, status, error);
}
