/* The template is cut at its data mark; between the halves stand two script elements that the browser does not run:
 * what the page says (JSON), and the recording (deflated, base64). */
#include "web_page.h"

#include "json.h"
#include "web_stream.h"
#include "web_template.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char data_mark[] = "<!--CAIRN-DATA-->";

/* Significant bits that a page keeps: the rest are zeros, which deflate to nothing. Rotations and normals must stay unit to
 * the recording's 1e-6; a point is then wrong by a millionth of its distance, an arrow by a thousandth of its length. */
enum { POSE_BITS = 21, NORMAL_BITS = 21, POINT_BITS = 18, FORCE_BITS = 10, FIGURE_BITS = 20 };

/* Frames in a second that a page has at most, and bytes of the recording that it takes before it takes fewer. */
static const double frames_per_second = 60.0;
static const double bytes_at_most = 30e6;

/* Of frames with more contacts than this, which have no note, those that carry nothing are left out. */
enum { CONTACTS_KEPT = 64 };

crn_status web_page_supported(crn_error *error)
{
    return web_template[0] != '\0'
               ? CRN_OK
               : crn_fail(error, CRN_ERR_UNSUPPORTED,
                          "this program was built without the page: build it where node and npm are (tools/setup)");
}

crn_status web_page_live_supported(crn_error *error)
{
    crn_status status = web_page_supported(error);
    if (status == CRN_OK && strstr(web_template, "id=\"cairn-wasm\"") == NULL) {
        return crn_fail(
            error, CRN_ERR_UNSUPPORTED,
            "this program was built without the solver for pages, which are films then: build it where clang, "
            "wasm-ld and wasi-libc are (tools/setup)");
    }
    return status;
}

int web_page_stride(double seconds)
{
    double stride = seconds > 0.0 ? round(1.0 / (frames_per_second * seconds)) : 1.0;
    return stride < 1.0 ? 1 : stride < 1e6 ? (int)stride : 1000000;
}

int web_page_recording_stride(crn_recording *recording)
{
    const crn_recording_header *header = crn_recording_header_of(recording);
    int stride = web_page_stride(header->dt * header->every), frames = crn_recording_frames(recording);
    double bytes = 0.0;
    for (int i = 0; i < frames; i += stride) {
        crn_recording_frame frame;
        if (crn_recording_read(recording, i, &frame, NULL) == CRN_OK) {
            bytes += 8.0 * (header->figures + header->measures) + 56.0 * header->bodies + 96.0 * frame.figures.active +
                     (frame.note != NULL ? (double)strlen(frame.note) : 0.0);
        }
    }
    return bytes > bytes_at_most ? stride * (int)ceil(bytes / bytes_at_most) : stride;
}

/* --- Rounding --- */

/* x to so many significant bits. */
static double rounded(double x, int bits)
{
    uint64_t word, unit = UINT64_C(1) << (53 - bits);
    if (!isfinite(x)) {
        return x;
    }
    memcpy(&word, &x, sizeof word);
    word = (word + unit / 2) & ~(unit - 1); /* a carry into the exponent is right */
    memcpy(&x, &word, sizeof x);
    return isfinite(x) ? x : 0.0;
}

static crn_vec3 rounded_vec3(crn_vec3 v, int bits)
{
    return (crn_vec3){rounded(v.x, bits), rounded(v.y, bits), rounded(v.z, bits)};
}

static crn_pose rounded_pose(const crn_pose *pose)
{
    const crn_quat *q = &pose->rotation;
    return (crn_pose){
        rounded_vec3(pose->position, POSE_BITS),
        {rounded(q->w, POSE_BITS), rounded(q->x, POSE_BITS), rounded(q->y, POSE_BITS), rounded(q->z, POSE_BITS)}};
}

static crn_recording_contact rounded_contact(const crn_recording_contact *c)
{
    crn_recording_contact r = *c;
    r.point = rounded_vec3(c->point, POINT_BITS);
    r.normal = rounded_vec3(c->normal, NORMAL_BITS);
    r.gap = rounded(c->gap, FORCE_BITS);
    r.impulse = rounded_vec3(c->impulse, FORCE_BITS);
    return r;
}

static void round_figures(crn_step_stats *stats)
{
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        if (figure->kind == CRN_FIGURE_REAL) {
            (void)crn_step_figure_set(figure, rounded(crn_step_figure_get(figure, stats), FIGURE_BITS), stats);
        }
    }
}

/* --- Frames on their way --- */

typedef struct film {
    crn_recorder *recorder;
    crn_pose *pose;
    crn_recording_contact *contact;
    int contact_capacity;
    double measure[CRN_RECORDING_MEASURES_MAX];
} film;

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "page: out of memory");
}

static crn_status film_append(film *f, const crn_recording_frame *frame, const crn_recording_header *header,
                              crn_error *error)
{
    if (frame->contacts > f->contact_capacity) {
        crn_recording_contact *grown = realloc(f->contact, 2 * (size_t)frame->contacts * sizeof *grown);
        if (grown == NULL) {
            return no_memory(error);
        }
        f->contact = grown;
        f->contact_capacity = 2 * frame->contacts;
    }
    for (int i = 0; i < header->bodies; ++i) {
        f->pose[i] = rounded_pose(&frame->pose[i]);
    }
    crn_recording_frame thin = *frame;
    thin.pose = f->pose;
    thin.contact = f->contact;
    thin.contacts = 0;
    for (int i = 0; i < frame->contacts; ++i) {
        if (frame->contacts <= CONTACTS_KEPT || frame->note != NULL || frame->contact[i].kind != CRN_CONTACT_OFF) {
            f->contact[thin.contacts++] = rounded_contact(&frame->contact[i]);
        }
    }
    round_figures(&thin.figures);
    for (int i = 0; i < header->measures && i < CRN_RECORDING_MEASURES_MAX; ++i) {
        f->measure[i] = rounded(frame->measure[i], FIGURE_BITS);
    }
    thin.measure = f->measure;
    return crn_recorder_append(f->recorder, &thin, error);
}

static crn_status film_shoot(film *f, web_stream *stream, crn_recording *recording, int stride, crn_error *error)
{
    crn_recording_header header = *crn_recording_header_of(recording);
    int frames = crn_recording_frames(recording), bodies = header.bodies;
    header.every = header.every <= INT_MAX / stride ? header.every * stride : INT_MAX;
    f->pose = calloc((size_t)bodies + 1, sizeof *f->pose);
    if (f->pose == NULL) {
        return no_memory(error);
    }
    crn_status status = crn_recorder_create_into(web_stream_write, stream, "page", &header, NULL, &f->recorder, error);
    for (int i = 0; i < frames && status == CRN_OK; i += stride) {
        crn_recording_frame frame;
        status = crn_recording_read(recording, i, &frame, error);
        if (status == CRN_OK) {
            status = film_append(f, &frame, &header, error);
        }
    }
    crn_error closing;
    crn_status closed = crn_recorder_close(f->recorder, &closing);
    free(f->pose);
    free(f->contact);
    return status == CRN_OK && closed != CRN_OK ? crn_fail(error, closed, "%s", closing.text) : status;
}

/* --- The file --- */

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* A picture as an address that holds it. */
static void write_picture(cli_json *json, const web_card *card)
{
    cli_json_open(json, "picture", '"');
    if (card->picture != NULL) {
        fputs("data:image/png;base64,", json->file);
        (void)web_base64(json->file, card->picture, card->picture_size);
    }
    cli_json_shut(json, '"');
}

static void write_card(cli_json *json, const web_card *card)
{
    cli_json_open(json, NULL, '{');
    cli_json_string(json, "title", card->title);
    cli_json_string(json, "about", card->about);
    cli_json_string(json, "address", card->address);
    write_picture(json, card);
    cli_json_open(json, "figures", '[');
    for (int i = 0; i < card->figures; ++i) {
        const char *pair[2] = {card->figure[i].label, card->figure[i].value};
        cli_json_strings(json, NULL, 2, pair);
    }
    cli_json_shut(json, ']');
    cli_json_shut(json, '}');
}

static void write_lesson(cli_json *json, const web_lesson *lesson)
{
    cli_json_open(json, "lesson", '{');
    cli_json_string(json, "panel", lesson->panel);
    cli_json_string(json, "show", lesson->show);
    cli_json_open(json, "text", '[');
    for (size_t i = 0; i < sizeof lesson->text / sizeof lesson->text[0] && lesson->text[i] != NULL; ++i) {
        cli_json_string(json, NULL, lesson->text[i]);
    }
    cli_json_shut(json, ']');
    cli_json_shut(json, '}');
}

/* "</" cannot occur: the writer of JSON strings escapes '/' after '<'. */
static void write_text(FILE *file, const web_text *text)
{
    fputs("<script type=\"application/json\" id=\"cairn-page\">", file);
    cli_json json = cli_json_begin(file);
    cli_json_string(&json, "title", or_empty(text->title));
    cli_json_string(&json, "about", or_empty(text->about));
    cli_json_string(&json, "warning", or_empty(text->warning));
    cli_json_string(&json, "home", or_empty(text->home));
    cli_json_bool(&json, "live", text->is_live);
    if (text->lesson != NULL) {
        write_lesson(&json, text->lesson);
    }
    cli_json_open(&json, "cards", '[');
    for (int i = 0; i < text->cards; ++i) {
        write_card(&json, &text->card[i]);
    }
    cli_json_shut(&json, ']');
    cli_json_end(&json);
    fputs("</script>\n", file);
}

static crn_status write_recording(FILE *file, const char *id, crn_recording *recording, int stride, crn_error *error)
{
    fprintf(file, "<script type=\"text/plain\" id=\"%s\" data-encoding=\"deflate-base64\">", id);
    web_stream *stream = web_stream_open(file);
    if (stream == NULL) {
        return no_memory(error);
    }
    film f = {.recorder = NULL};
    crn_status status = film_shoot(&f, stream, recording, stride, error);
    bool is_written = web_stream_close(stream);
    fputs("</script>\n", file);
    return status == CRN_OK && !is_written ? crn_fail(error, CRN_ERR_IO, "page: cannot be written") : status;
}

static crn_status write_page(FILE *file, const web_text *text, crn_recording *recording, int stride, crn_error *error)
{
    const char *mark = strstr(web_template, data_mark);
    if (mark == NULL) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "page: the template has no place for data");
    }
    (void)fwrite(web_template, 1, (size_t)(mark - web_template), file);
    write_text(file, text);
    crn_status status = recording != NULL ? write_recording(file, "cairn-recording", recording, stride, error) : CRN_OK;
    if (status == CRN_OK && text->other != NULL) {
        status = write_recording(file, "cairn-other", text->other, text->other_stride, error);
    }
    fputs(mark + (sizeof data_mark - 1), file);
    return status;
}

crn_status web_page_write(const char *path, const web_text *text, crn_recording *recording, int stride,
                          crn_error *error)
{
    crn_status status = web_page_supported(error);
    if (status != CRN_OK) {
        return status;
    }
    crn_io_output output;
    status = crn_io_output_open(&output, path, error);
    if (status == CRN_OK) {
        status = crn_io_output_close(&output, write_page(output.file, text, recording, stride, error), error);
    }
    return status;
}
