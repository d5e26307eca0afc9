/* cairn view -- a recording as a page that plays in any browser. */
#include "view.h"

#include "args.h"
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_OUTPUT, OPTION_TITLE, OPTION_FPS, OPTION_COMPARE, OPTION_JSON, OPTION_HELP, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"-o", "FILE", "the page (default: the recording's name with .html)"},
    [OPTION_TITLE] = {"--title", "TEXT", "heading of the page (default: the scene's name)"},
    [OPTION_FPS] = {"--fps", "X", "frames in a second at most (default 60, fewer if the page became too large)"},
    [OPTION_COMPARE] = {"--compare", "FILE",
                        "another recording, drawn beside it: pale bodies, dashed curves, the difference"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static int run(int argc, char **argv);

const cli_command cli_view_command = {
    .name = "view",
    .summary = "write a recording as a page that plays in any browser",
    .usage = "view RECORDING.crn [-o PAGE.html] [OPTIONS]",
    .about = "Write one HTML file that plays the recording: bodies, contact forces, plots of energy, penetration, "
             "pivots and\n"
             "certificate. It needs no server and no network. Of a recording that is cut off or damaged, the page "
             "shows the\n"
             "whole frames and says what is missing.",
    .options = options,
    .option_count = OPTION_COUNT,
    .after = "Exit codes: 0 written, 2 bad usage or bad input.",
    .endings = "crn",
    .run = run,
};

/* --- Recordings --- */

const char *view_warning(const crn_recording *recording, char text[VIEW_WARNING_SIZE])
{
    const char *why = "";
    crn_recording_ending ending = crn_recording_ending_of(recording, &why);
    text[0] = '\0';
    if (ending != CRN_RECORDING_FINISHED) {
        (void)snprintf(text, VIEW_WARNING_SIZE, "the recording is %s (%s); its %d whole frames are used",
                       ending == CRN_RECORDING_CUT ? "cut off" : "damaged", why, crn_recording_frames(recording));
    }
    return text;
}

crn_status view_open(const char *path, crn_recording **recording, crn_error *error)
{
    crn_status status = crn_recording_open(path, NULL, recording, error);
    if (status != CRN_OK) {
        return status;
    }
    char warning[VIEW_WARNING_SIZE];
    if (view_warning(*recording, warning)[0] != '\0') {
        (void)cli_fail("warning: %s: %s", path, warning);
    }
    if (crn_recording_frames(*recording) == 0) {
        crn_recording_close(*recording);
        *recording = NULL;
        return crn_fail(error, CRN_ERR_FORMAT, "%s: there is no whole frame", path);
    }
    return CRN_OK;
}

/* The scene's own name; "" if it has none. Released by free(); NULL: no memory. */
static char *scene_name(const crn_recording *recording)
{
    const char *scene = crn_recording_header_of(recording)->scene;
    crn_model *model = NULL;
    bool has_model = crn_io_read_scene_text(scene, strlen(scene), NULL, NULL, &model, NULL) == CRN_OK;
    const char *name = has_model ? crn_model_name(model) : "";
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, name, size);
    }
    crn_model_destroy(model);
    return copy;
}

/* --- Pages --- */

/* The last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static crn_status write_page(crn_recording *recording, const char *page, const web_text *text, int stride,
                             crn_error *error)
{
    char warning[VIEW_WARNING_SIZE];
    char *name = scene_name(recording);
    web_text complete = *text;
    complete.warning = view_warning(recording, warning);
    if (complete.title == NULL || complete.title[0] == '\0') {
        complete.title = name != NULL && name[0] != '\0' ? name : base_name(page);
    }
    crn_status status = web_page_write(page, &complete, recording, stride, error);
    free(name);
    return status;
}

crn_status view_write(const char *path, const char *page, const web_text *text, crn_error *error)
{
    crn_recording *recording = NULL;
    crn_status status = view_open(path, &recording, error);
    if (status == CRN_OK) {
        status = write_page(recording, page, text, web_page_recording_stride(recording), error);
    }
    crn_recording_close(recording);
    return status;
}

/* --- Command --- */

typedef struct request {
    const char *recording, *page, *title, *other;
    double fps; /* 0: not given */
    bool is_json;
    char default_page[4096];
} request;

/* The recording's name with its ending replaced. */
static bool choose_page(request *r)
{
    bool has_ending = crn_file_format_of(r->recording) == CRN_FILE_RECORDING;
    const char *end = has_ending ? strrchr(r->recording, '.') : r->recording + strlen(r->recording);
    int written =
        snprintf(r->default_page, sizeof r->default_page, "%.*s.html", (int)(end - r->recording), r->recording);
    r->page = r->default_page;
    return written > 0 && (size_t)written < sizeof r->default_page;
}

static bool read_request(request *r, int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    cli_args args = {.command = "view",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &r->recording,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv) || !cli_args_real(&args, OPTION_FPS, 1e-3, 1e6, &r->fps)) {
        return false;
    }
    if (r->recording == NULL) {
        (void)cli_fail("view: no recording given; try 'cairn view --help'");
        return false;
    }
    r->title = given[OPTION_TITLE];
    r->other = given[OPTION_COMPARE];
    r->is_json = given[OPTION_JSON] != NULL;
    r->page = given[OPTION_OUTPUT];
    if (r->page == NULL && !choose_page(r)) {
        (void)cli_fail("view: the name is too long; give -o");
        return false;
    }
    return true;
}

static int stride_of(const request *r, crn_recording *recording)
{
    const crn_recording_header *header = crn_recording_header_of(recording);
    double seconds = header->dt * header->every;
    if (!(r->fps > 0.0) || !(seconds > 0.0)) {
        return web_page_recording_stride(recording);
    }
    double stride = 1.0 / (r->fps * seconds);
    return stride < 1.0 ? 1 : stride < 1e6 ? (int)(stride + 0.5) : 1000000;
}

static void report(const request *r, const crn_recording *recording, int stride)
{
    struct stat about;
    double bytes = stat(r->page, &about) == 0 ? (double)about.st_size : 0.0;
    int frames = (crn_recording_frames(recording) + stride - 1) / stride;
    char warning[VIEW_WARNING_SIZE];
    if (!r->is_json) {
        printf("written      %s: %d of %d frames, %.2f MB\n", r->page, frames, crn_recording_frames(recording),
               bytes / 1e6);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "recording", r->recording);
    cli_json_string(&json, "page", r->page);
    cli_json_int(&json, "frames", frames);
    cli_json_int(&json, "frames_recorded", crn_recording_frames(recording));
    cli_json_int(&json, "bytes", (long long)bytes);
    cli_json_string(&json, "warning", view_warning(recording, warning));
    cli_json_end(&json);
}

static int run(int argc, char **argv)
{
    request r = {.recording = NULL};
    crn_recording *recording = NULL, *other = NULL;
    crn_error error = {.status = CRN_OK};
    if (!read_request(&r, argc, argv)) {
        return CLI_BAD;
    }
    crn_status status = web_page_supported(&error);
    if (status == CRN_OK) {
        status = view_open(r.recording, &recording, &error);
    }
    if (status == CRN_OK && r.other != NULL) {
        status = view_open(r.other, &other, &error);
    }
    if (status == CRN_OK) {
        web_text text = {.title = r.title, .other = other};
        text.other_stride = other != NULL ? stride_of(&r, other) : 1;
        int stride = stride_of(&r, recording);
        status = write_page(recording, r.page, &text, stride, &error);
        if (status == CRN_OK) {
            report(&r, recording, stride);
        }
    }
    crn_recording_close(other);
    crn_recording_close(recording);
    return status == CRN_OK ? CLI_DONE : cli_fail("%s", error.text);
}
