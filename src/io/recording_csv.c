/* A recording as CSV: a heading, then a row per frame. Names that hold a comma, a quote or a line end stand in quotes, and
 * quotes in them are doubled (RFC 4180). */
#include "io/recording.h"
#include "text/number.h"

#include <string.h>

static const char *const parts[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

static void write_text(FILE *file, const char *text, const char *suffix)
{
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
    fputs(is_quoted ? "\"" : "", file);
    for (const char *c = text; *c != '\0'; ++c) {
        fputs(*c == '"' ? "\"" : "", file);
        fputc(*c, file);
    }
    fprintf(file, "%s%s", suffix, is_quoted ? "\"" : "");
}

static void write_heading(FILE *file, const crn_recording_header *header, const char *const *name)
{
    fputs("step,time", file);
    for (int i = 0; i < header->figures; ++i) {
        fprintf(file, ",%s", header->figure[i]->name);
    }
    for (int i = 0; i < header->measures; ++i) {
        fputc(',', file);
        write_text(file, header->measure[i], "");
    }
    for (int i = 0; i < header->bodies; ++i) {
        char number[32], suffix[8];
        (void)snprintf(number, sizeof number, "body%d", i);
        for (int k = 0; k < PART_COUNT; ++k) {
            (void)snprintf(suffix, sizeof suffix, ".%s", parts[k]);
            fputc(',', file);
            write_text(file, name != NULL && name[i] != NULL ? name[i] : number, suffix);
        }
    }
    fputc('\n', file);
}

static void write_reals(FILE *file, int count, const double *values)
{
    for (int i = 0; i < count; ++i) {
        char text[CRN_IO_NUMBER_SIZE];
        crn_io_number_write(values[i], text);
        fprintf(file, ",%s", text);
    }
}

static void write_figure(FILE *file, const crn_step_figure *figure, const crn_step_stats *stats)
{
    const char *word = crn_step_figure_word(figure, stats);
    if (word != NULL) {
        fprintf(file, ",%s", word);
    } else {
        write_reals(file, 1, (const double[]){crn_step_figure_get(figure, stats)});
    }
}

static void write_row(FILE *file, const crn_recording_frame *frame, const crn_recording_header *header)
{
    fprintf(file, "%lld", (long long)frame->step);
    write_reals(file, 1, &frame->time);
    for (int i = 0; i < header->figures; ++i) {
        write_figure(file, header->figure[i], &frame->figures);
    }
    write_reals(file, header->measures, frame->measure);
    for (int i = 0; i < header->bodies; ++i) {
        const crn_vec3 *p = &frame->pose[i].position;
        const crn_quat *q = &frame->pose[i].rotation;
        write_reals(file, PART_COUNT, (const double[]){p->x, p->y, p->z, q->w, q->x, q->y, q->z});
    }
    fputc('\n', file);
}

crn_status crn_recording_write_csv(crn_recording *recording, const char *path, const char *const *name,
                                   crn_error *error)
{
    crn_clear(error);
    if (recording == NULL || path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "recording");
    }
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, path, error);
    if (status != CRN_OK) {
        return status;
    }
    const crn_recording_header *header = crn_recording_header_of(recording);
    crn_error reading = {.status = CRN_OK};
    write_heading(output.file, header, name);
    for (int i = 0; i < crn_recording_frames(recording) && status == CRN_OK; ++i) {
        crn_recording_frame frame;
        status = crn_recording_read(recording, i, &frame, &reading);
        if (status == CRN_OK) {
            write_row(output.file, &frame, header);
        }
    }
    if (status != CRN_OK) {
        (void)crn_fail(error, status, "%s", reading.text);
    }
    return crn_io_output_close(&output, status, error);
}
