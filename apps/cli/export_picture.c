/* `cairn export` for pictures and films. */
#include "export_picture.h"

#include "export_film.h"
#include "folder.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS_MOST = 9 };

export_picture_request export_picture_request_default(void)
{
    return (export_picture_request){.draw = draw_options_default(), .fps = 30.0};
}

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), tail = strlen(ending);
    return size >= tail && strcmp(text + size - tail, ending) == 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return ends_with(path, "/") || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

bool export_picture_takes(const char *output)
{
    return is_folder(output) || ends_with(output, ".png") || ends_with(output, ".mp4");
}

/* A side: digits only, so that signs and blanks are refused. */
static long read_side(const char **text)
{
    char *end = NULL;
    long side = **text >= '0' && **text <= '9' ? strtol(*text, &end, 10) : -1;
    *text = end != NULL ? end : *text;
    return side;
}

crn_status export_picture_size(const char *text, draw_options *draw, crn_error *error)
{
    const char *at = text;
    long width = read_side(&at);
    bool is_good = *at == 'x';
    at += is_good;
    long height = is_good ? read_side(&at) : -1;
    is_good = is_good && *at == '\0' && width >= DRAW_SIZE_LEAST && width <= DRAW_SIZE_MOST &&
              height >= DRAW_SIZE_LEAST && height <= DRAW_SIZE_MOST;
    if (!is_good) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "'%s' is no size: WIDTHxHEIGHT, each %d to %d pixels", text,
                        DRAW_SIZE_LEAST, DRAW_SIZE_MOST);
    }
    draw->width = (int)width;
    draw->height = (int)height;
    return CRN_OK;
}

/* --- Names of many pictures --- */

/* before, number with leading zeros, after. */
typedef struct name_pattern {
    char before[CLI_PATH_SIZE];
    int digits;
    const char *after;
} name_pattern;

/* folder/frame-0000.png, ... */
static void folder_pattern(const char *folder, int count, name_pattern *pattern)
{
    size_t size = strlen(folder);
    (void)snprintf(pattern->before, sizeof pattern->before, "%s%sframe-", folder,
                   size > 0 && folder[size - 1] == '/' ? "" : "/");
    pattern->digits = 4;
    for (int limit = 10000; count > limit && pattern->digits < DIGITS_MOST; limit *= 10) {
        ++pattern->digits;
    }
    pattern->after = ".png";
}

/* One %d, or %04d and the like. */
static crn_status read_pattern(const char *text, name_pattern *pattern, crn_error *error)
{
    const char *percent = strchr(text, '%'), *at = percent + 1;
    size_t before = (size_t)(percent - text);
    pattern->digits = 1;
    if (*at == '0' && at[1] >= '1' && at[1] <= '9') {
        pattern->digits = at[1] - '0';
        at += 2;
    }
    if (*at != 'd' || strchr(at, '%') != NULL || before >= sizeof pattern->before) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: a pattern has one number, as in frame-%%04d.png", text);
    }
    memcpy(pattern->before, text, before);
    pattern->before[before] = '\0';
    pattern->after = at + 1;
    return CRN_OK;
}

static const char *name_of(const name_pattern *pattern, int i, char path[CLI_PATH_SIZE])
{
    int size = snprintf(path, CLI_PATH_SIZE, "%s%0*d%s", pattern->before, pattern->digits, i, pattern->after);
    return size > 0 && size < CLI_PATH_SIZE ? path : NULL;
}

/* --- One picture, many pictures, a film --- */

static crn_status save_picture(draw_film *film, double time, const char *path, crn_error *error)
{
    draw_bytes png;
    crn_status status = draw_png_at(film, time, &png, error);
    if (status == CRN_OK) {
        status = draw_png_save(path, &png, error);
    }
    free(png.data);
    return status;
}

static crn_status export_one(const export_picture_request *request, draw_film *film, crn_error *error)
{
    double begin = draw_begin_of(film), end = draw_end_of(film), time = request->has_time ? request->time : end;
    if (!(time >= begin && time <= end)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: there is no time %g s: the recording is from %g to %g s",
                        request->recording, time, begin, end);
    }
    return save_picture(film, time, request->output, error);
}

static crn_status save_all(const export_picture_request *request, draw_film *film, const name_pattern *pattern,
                           int count, crn_error *error)
{
    cli_progress progress = cli_progress_begin("pictures", count);
    char path[CLI_PATH_SIZE];
    int done = 0;
    bool *is_new = calloc((size_t)count + 1, sizeof *is_new); /* there was no file of that name */
    crn_status status = is_new != NULL ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "pictures: out of memory");
    for (; done < count && status == CRN_OK; done += status == CRN_OK) {
        const char *name = name_of(pattern, done, path);
        is_new[done] = name != NULL && access(name, F_OK) != 0;
        status = name != NULL ? save_picture(film, draw_begin_of(film) + done / request->fps, name, error)
                              : crn_fail(error, CRN_ERR_ARGUMENT, "%s: the name is too long", request->output);
        cli_progress_update(&progress, done + 1);
    }
    cli_progress_clear(&progress);
    while (status != CRN_OK && done > 0) {
        const char *name = name_of(pattern, --done, path);
        if (is_new[done] && name != NULL) {
            (void)remove(name);
        }
    }
    free(is_new);
    return status;
}

static crn_status export_many(const export_picture_request *request, draw_film *film, int count, crn_error *error)
{
    name_pattern pattern = {.digits = 0};
    bool in_folder = is_folder(request->output), is_new = in_folder && access(request->output, F_OK) != 0;
    crn_status status =
        in_folder ? cli_folder_make(request->output, error) : read_pattern(request->output, &pattern, error);
    if (status != CRN_OK) {
        return status;
    }
    if (in_folder) {
        folder_pattern(request->output, count, &pattern);
    }
    status = save_all(request, film, &pattern, count, error);
    if (status != CRN_OK && is_new) {
        (void)rmdir(request->output);
    }
    return status;
}

static crn_status film_all(const export_picture_request *request, draw_film *film, const draw_options *draw, int count,
                           crn_error *error)
{
    export_film *out;
    crn_status status = export_film_open(request->output, draw->width, draw->height, request->fps, &out, error);
    if (status != CRN_OK) {
        return status;
    }
    cli_progress progress = cli_progress_begin("film", count);
    bool is_taken = true;
    for (int i = 0; i < count && status == CRN_OK && is_taken; ++i) {
        const unsigned char *rgb;
        status = draw_at(film, draw_begin_of(film) + i / request->fps, &rgb, error);
        is_taken = status == CRN_OK && export_film_add(out, rgb); /* if not, closing tells why */
        cli_progress_update(&progress, i + 1);
    }
    cli_progress_clear(&progress);
    if (status != CRN_OK) {
        export_film_drop(out);
        return status;
    }
    return export_film_close(out, error);
}

crn_status export_picture(const export_picture_request *request, export_picture_result *result, crn_error *error)
{
    bool is_film = ends_with(request->output, ".mp4") && !is_folder(request->output);
    bool is_many = is_folder(request->output) || strchr(request->output, '%') != NULL;
    draw_options draw = request->draw;
    draw_film *film;
    if (request->has_time && (is_film || is_many)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: a time is for one PNG, not for all frames", request->output);
    }
    if (is_film) { /* its colours are stored for squares of four pixels */
        draw.width += draw.width % 2;
        draw.height += draw.height % 2;
    }
    crn_status status = draw_open(request->recording, &draw, &film, error);
    if (status != CRN_OK) {
        return status;
    }
    int count = is_film || is_many ? draw_frames(film, request->fps) : 1;
    *result = (export_picture_result){.pictures = count, .width = draw.width, .height = draw.height};
    status = is_film   ? film_all(request, film, &draw, count, error)
             : is_many ? export_many(request, film, count, error)
                       : export_one(request, film, error);
    draw_close(film);
    return status;
}
