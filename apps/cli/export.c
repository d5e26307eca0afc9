/* cairn export -- a recording in a format that other programs read, chosen by the ending of the output. */
#include "args.h"
#include "export_picture.h"
#include "json.h"
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is asked for, and what came out. */
typedef struct export_job {
    crn_recording *recording;
    const char *input, *output;
    export_picture_request picture; /* of formats that are pictures */
    export_picture_result pictures; /* 0 of formats that are not */
} export_job;

typedef struct export_format {
    const char *ending; /* of the output: ".csv"; "/" is for folders */
    bool is_picture;    /* takes the options of pictures */
    crn_status (*write)(export_job *job, crn_error *error);
    const char *about;
} export_format;

/* --- Formats --- */

/* The scene of the recording; NULL, after a warning, if it has none that can be read. */
static crn_model *read_scene(const export_job *job)
{
    const char *text = crn_recording_header_of(job->recording)->scene;
    crn_model *model = NULL;
    crn_error error;
    if (text[0] != '\0' && crn_io_read_scene_text(text, strlen(text), "scene", NULL, &model, &error) != CRN_OK) {
        (void)cli_fail("warning: %s: %s; bodies are named by number", job->input, error.text);
    }
    return model;
}

static crn_status write_csv(export_job *job, crn_error *error)
{
    int bodies = crn_recording_header_of(job->recording)->bodies;
    const char **name = calloc((size_t)bodies + 1, sizeof *name);
    if (name == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "export: out of memory");
    }
    crn_model *model = read_scene(job);
    for (int i = 0; model != NULL && i < bodies && i < crn_model_bodies(model); ++i) {
        name[i] = crn_model_body(model, i)->name;
    }
    crn_status status = crn_recording_write_csv(job->recording, job->output, name, error);
    crn_model_destroy(model);
    free(name);
    return status;
}

static crn_status write_gltf(export_job *job, crn_error *error)
{
    return crn_recording_write_gltf(job->recording, job->output, NULL, error);
}

static crn_status write_pictures(export_job *job, crn_error *error)
{
    return export_picture(&job->picture, &job->pictures, error);
}

static const export_format formats[] = {
    {".csv", false, write_csv, "a row per frame: step, time, figures of the solve, poses"},
    {".glb", false, write_gltf, "binary glTF 2.0: shapes, colours and the motion, for Blender and other 3D programs"},
    {".png", true, write_pictures, "a picture at --time; x-%04d.png: one of every frame"},
    {"/", true, write_pictures, "a folder of pictures, one of every frame"},
    {".mp4", true, write_pictures, "a film; needs ffmpeg"},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static const char *format_ending(int i)
{
    return i < FORMAT_COUNT ? formats[i].ending : NULL;
}

static const char *format_about(int i)
{
    return i < FORMAT_COUNT ? formats[i].about : NULL;
}

static const export_format *format_of(const char *output)
{
    size_t length = strlen(output);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(output + length - ending, formats[i].ending) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

/* --- Command line --- */

enum {
    OPTION_OUTPUT,
    OPTION_TIME,
    OPTION_SIZE,
    OPTION_FPS,
    OPTION_FORCES,
    OPTION_DARK,
    OPTION_FOLLOW,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"-o", "FILE", "what to write; its ending tells the format"},
    [OPTION_TIME] = {"--time", "T", "one picture: at this time [s] (default: the end)"},
    [OPTION_SIZE] = {"--size", "WxH", "pictures and films: pixels (default 960x600)"},
    [OPTION_FPS] = {"--fps", "X", "pictures of every frame and films: pictures per second (default 30)"},
    [OPTION_FORCES] = {"--forces", NULL, "pictures and films: contact forces as arrows"},
    [OPTION_DARK] = {"--dark", NULL, "pictures and films: dark backdrop"},
    [OPTION_FOLLOW] = {"--follow", "BODY", "pictures and films: the camera goes along with this body (name or index)"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static const cli_names names[] = {
    {.option = "-o", .name = format_ending, .title = "endings", .about = format_about},
};

static int run(int argc, char **argv);

const cli_command cli_export_command = {
    .name = "export",
    .summary = "write a recording as CSV, glTF, pictures or a film",
    .usage = "export RECORDING.crn -o FILE [OPTIONS]",
    .about = "Write a recording in a format that other programs read. The ending of FILE tells which. Of a recording "
             "that is\n"
             "cut off or damaged, the whole frames are written, after a warning.",
    .options = options,
    .option_count = OPTION_COUNT,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .after = "Exit codes: 0 written, 2 bad usage, no recording, or the file cannot be written.",
    .endings = "crn",
    .run = run,
};

static int unknown_ending(const char *output)
{
    char list[256] = "";
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", formats[i].ending);
    }
    return cli_fail("export: %s: unknown ending; known are %s", output, list);
}

/* Options of pictures; false after a message. */
static bool read_picture(export_job *job, const export_format *format, const cli_args *args)
{
    export_picture_request *p = &job->picture;
    crn_error error = {.status = CRN_OK};
    for (int i = OPTION_TIME; i <= OPTION_FOLLOW && !format->is_picture; ++i) {
        if (args->given[i] != NULL) {
            (void)cli_fail("export: %s is for pictures and films, not for %s", options[i].name, format->ending);
            return false;
        }
    }
    *p = export_picture_request_default();
    p->recording = job->input;
    p->output = job->output;
    p->has_time = args->given[OPTION_TIME] != NULL;
    p->draw.has_forces = args->given[OPTION_FORCES] != NULL;
    p->draw.is_dark = args->given[OPTION_DARK] != NULL;
    p->draw.follow = args->given[OPTION_FOLLOW];
    if (args->given[OPTION_SIZE] != NULL && export_picture_size(args->given[OPTION_SIZE], &p->draw, &error) != CRN_OK) {
        (void)cli_fail("export: --size: %s", error.text);
        return false;
    }
    return cli_args_real(args, OPTION_TIME, -1e9, 1e9, &p->time) && cli_args_real(args, OPTION_FPS, 1e-3, 1e3, &p->fps);
}

/* --- Running --- */

static const char *ending_name(crn_recording_ending ending)
{
    return ending == CRN_RECORDING_FINISHED ? "finished" : ending == CRN_RECORDING_CUT ? "cut" : "damaged";
}

static void report(const export_job *job, bool is_json)
{
    int frames = crn_recording_frames(job->recording), pictures = job->pictures.pictures;
    if (!is_json) {
        printf("written      %s\nframes       %d\n", job->output, frames);
        if (pictures > 0) {
            printf("pictures     %d of %d x %d pixels\n", pictures, job->pictures.width, job->pictures.height);
        }
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "recording", job->input);
    cli_json_string(&json, "written", job->output);
    cli_json_int(&json, "frames", frames);
    cli_json_int(&json, "bodies", crn_recording_header_of(job->recording)->bodies);
    cli_json_int(&json, "pictures", pictures);
    cli_json_int(&json, "width", job->pictures.width);
    cli_json_int(&json, "height", job->pictures.height);
    cli_json_string(&json, "ending", ending_name(crn_recording_ending_of(job->recording, NULL)));
    cli_json_end(&json);
}

static int export_recording(const export_format *format, export_job *job, bool is_json)
{
    crn_error error = {.status = CRN_OK};
    crn_status status = view_open(job->input, &job->recording, &error);
    if (status == CRN_OK) {
        status = format->write(job, &error);
    }
    if (status == CRN_OK) {
        report(job, is_json);
    }
    crn_recording_close(job->recording);
    return status == CRN_OK ? CLI_DONE : cli_fail("%s", error.text);
}

static int run(int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    export_job job = {.input = NULL};
    cli_args args = {.command = "export",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &job.input,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    job.output = given[OPTION_OUTPUT];
    if (job.input == NULL || job.output == NULL) {
        return cli_fail("export: no %s given; try 'cairn export --help'", job.input == NULL ? "recording" : "-o FILE");
    }
    const export_format *format = format_of(job.output);
    if (format == NULL) {
        return unknown_ending(job.output);
    }
    return read_picture(&job, format, &args) ? export_recording(format, &job, given[OPTION_JSON] != NULL) : CLI_BAD;
}
