/* Pictures of recordings. */
#include "draw.h"

#include "draw_arrow.h"
#include "draw_picture.h"
#include "draw_view.h"

#include <stdlib.h>
#include <string.h>

struct draw_film {
    draw_options options;
    crn_recording *recording;
    int frames;
    double begin, end; /* [s] */
    double best;       /* moment worth a picture [s], ... */
    int best_frame;    /* ... and its frame */
    draw_scene scene;
    draw_picture picture;
    draw_arrows arrows;
    double rope;               /* half thickness of ropes [m] */
    int follow;                /* body; -1: none */
    crn_vec3 start;            /* where it is at first */
    crn_vec3 eye, sun, centre; /* of camera and light then */
    crn_pose *pose;
};

draw_options draw_options_default(void)
{
    return (draw_options){.width = 960, .height = 600};
}

/* --- Opening --- */

static crn_status check_size(const draw_options *options, crn_error *error)
{
    bool is_good = options->width >= DRAW_SIZE_LEAST && options->width <= DRAW_SIZE_MOST &&
                   options->height >= DRAW_SIZE_LEAST && options->height <= DRAW_SIZE_MOST;
    return is_good ? CRN_OK
                   : crn_fail(error, CRN_ERR_ARGUMENT, "picture size %dx%d: sides must be %d to %d pixels",
                              options->width, options->height, DRAW_SIZE_LEAST, DRAW_SIZE_MOST);
}

static crn_status read_times(draw_film *film, const char *path, crn_error *error)
{
    crn_recording_frame frame;
    film->frames = crn_recording_frames(film->recording);
    if (film->frames == 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the recording has no frames", path);
    }
    crn_status status = crn_recording_read(film->recording, film->frames - 1, &frame, error);
    film->end = frame.time;
    if (status == CRN_OK) {
        status = crn_recording_read(film->recording, 0, &frame, error);
        film->begin = frame.time;
    }
    return status;
}

enum { LOOKS_MOST = 200 };

/* The last frame with half of the greatest kinetic energy; without motion, one in the middle. */
static crn_status find_best(draw_film *film, crn_error *error)
{
    int looks = film->frames < LOOKS_MOST ? film->frames : LOOKS_MOST, index[LOOKS_MOST] = {0};
    double time[LOOKS_MOST] = {0.0}, kinetic[LOOKS_MOST], most = 0.0;
    for (int i = 0; i < looks; ++i) {
        crn_recording_frame frame;
        index[i] = looks > 1 ? (int)((long long)i * (film->frames - 1) / (looks - 1)) : 0;
        crn_status status = crn_recording_read(film->recording, index[i], &frame, error);
        if (status != CRN_OK) {
            return status;
        }
        time[i] = frame.time;
        kinetic[i] = frame.figures.kinetic;
        most = greater(most, kinetic[i]);
    }
    int best = looks / 2;
    for (int i = 0; i < looks && most > 0.0; ++i) {
        best = kinetic[i] >= 0.5 * most ? i : best;
    }
    film->best = time[best];
    film->best_frame = index[best];
    return CRN_OK;
}

static crn_status find_follow(draw_film *film, const char *path, crn_error *error)
{
    const char *name = film->options.follow;
    film->follow = -1;
    if (name == NULL) {
        return CRN_OK;
    }
    char *end = NULL;
    long index = strtol(name, &end, 10);
    film->follow = crn_model_find_body(film->scene.model, name);
    if (film->follow < 0 && end != name && *end == '\0' && index >= 0 && index < film->scene.bodies) {
        film->follow = (int)index;
    }
    return film->follow >= 0 ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "%s: no body '%s' to follow", path, name);
}

/* Camera and light for the whole film. */
static crn_status set_up(draw_film *film, crn_error *error)
{
    draw_picture *picture = &film->picture;
    draw_points points;
    crn_recording_frame first;
    bool is_still = film->options.is_still;
    int from = is_still ? film->best_frame : 0, until = is_still ? film->best_frame : film->frames - 1;
    crn_status status = draw_view_collect(&film->scene, film->recording, from, until, film->follow, &points, error);
    if (status == CRN_OK) {
        picture->scene = &film->scene;
        picture->camera =
            draw_view_from(&film->scene, &points, film->follow >= 0, film->options.width, film->options.height);
        picture->light.is_dark = film->options.is_dark;
        status = draw_light_set(&picture->light, &picture->camera, points.at, points.count, error);
        film->eye = picture->camera.eye;
        film->sun = picture->light.view.eye;
        film->centre = picture->light.centre;
        film->rope = 0.003 * picture->light.size;
    }
    free(points.at);
    if (status == CRN_OK) {
        status = crn_recording_read(film->recording, from, &first, error);
    }
    if (status == CRN_OK && film->follow >= 0) {
        film->start = first.pose[film->follow].position;
    }
    return status == CRN_OK ? draw_picture_begin(picture, error) : status;
}

/* Lines of planar pictures are this thick, for pictures of 400 rows [pixels]. */
static const double line_width = 1.6;

static crn_status prepare(draw_film *film, const char *path, crn_error *error)
{
    crn_status status = crn_recording_open(path, NULL, &film->recording, error);
    if (status == CRN_OK) {
        status = read_times(film, path, error);
    }
    if (status == CRN_OK) {
        status = find_best(film, error);
    }
    if (status == CRN_OK) {
        const crn_recording_header *header = crn_recording_header_of(film->recording);
        status = draw_scene_read(&film->scene, header->scene, path, film->options.is_dark, error);
        if (status == CRN_OK && header->bodies != film->scene.bodies) {
            status = crn_fail(error, CRN_ERR_FORMAT, "%s: frames have %d bodies, but the scene has %d", path,
                              header->bodies, film->scene.bodies);
        }
    }
    if (status == CRN_OK) {
        status = find_follow(film, path, error);
    }
    if (status == CRN_OK) {
        film->pose = malloc(((size_t)film->scene.bodies + 1) * sizeof *film->pose);
        status = film->pose != NULL ? set_up(film, error) : crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    const draw_camera *camera = &film->picture.camera;
    double size = film->picture.light.size;
    if (status == CRN_OK) {
        double depth = camera->is_parallel ? 1.0 : dot(camera->forward, sub(film->picture.light.centre, camera->eye));
        status = draw_scene_refine(&film->scene, greater(depth, camera->close) / camera->scale, error);
    }
    if (status == CRN_OK && film->scene.is_planar) {
        double line = line_width * fmax(1.0, film->options.height / 400.0) / camera->scale;
        status = draw_scene_outline(&film->scene, line, 100.0 * size, error);
    }
    if (status == CRN_OK && film->options.has_forces) {
        status = draw_arrows_choose(&film->arrows, film->recording, size, film->scene.is_planar, error);
    }
    return status;
}

crn_status draw_open(const char *path, const draw_options *options, draw_film **film, crn_error *error)
{
    crn_status status = check_size(options, error);
    *film = status == CRN_OK ? calloc(1, sizeof **film) : NULL;
    if (*film == NULL) {
        return status != CRN_OK ? status : crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    (*film)->options = *options;
    status = prepare(*film, path, error);
    if (status != CRN_OK) {
        draw_close(*film);
        *film = NULL;
    }
    return status;
}

void draw_close(draw_film *film)
{
    if (film != NULL) {
        draw_picture_free(&film->picture);
        draw_scene_free(&film->scene);
        crn_recording_close(film->recording);
        free(film->pose);
        free(film);
    }
}

/* --- Times --- */

double draw_begin_of(const draw_film *film)
{
    return film->begin;
}

double draw_end_of(const draw_film *film)
{
    return film->end;
}

double draw_best_of(const draw_film *film)
{
    return film->best;
}

int draw_frames(const draw_film *film, double fps)
{
    /* Rounding must not lose the last picture. */
    double count = floor((film->end - film->begin) * fps + 1e-6) + 1.0;
    return (int)clamped(count, 1.0, 1e9);
}

/* The last frame that is not later than time. */
static crn_status find_frame(draw_film *film, double time, int *index, crn_error *error)
{
    int low = 0, high = film->frames;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        crn_recording_frame frame;
        crn_status status = crn_recording_read(film->recording, middle, &frame, error);
        if (status != CRN_OK) {
            return status;
        }
        *(frame.time <= time ? &low : &high) = middle;
    }
    *index = low;
    return CRN_OK;
}

static crn_quat between(crn_quat a, crn_quat b, double t)
{
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0 ? -t : t, rest = 1.0 - t;
    crn_quat q = {rest * a.w + sign * b.w, rest * a.x + sign * b.x, rest * a.y + sign * b.y, rest * a.z + sign * b.z};
    double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (crn_quat){q.w / size, q.x / size, q.y / size, q.z / size};
}

/* film->pose: where all bodies are; arrows go into the list. */
static crn_status find_poses(draw_film *film, double time, crn_error *error)
{
    crn_recording_frame frame;
    int index = 0;
    crn_status status = find_frame(film, time, &index, error);
    if (status == CRN_OK) {
        status = crn_recording_read(film->recording, index, &frame, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    double from = frame.time;
    memcpy(film->pose, frame.pose, (size_t)film->scene.bodies * sizeof *film->pose);
    if (film->options.has_forces) {
        draw_arrows_add(&film->arrows, film->scene.model, &frame, &film->picture.list, DRAW_PAINT_ARROW);
    }
    if (index + 1 < film->frames && time > from) {
        status = crn_recording_read(film->recording, index + 1, &frame, error);
        double t = status == CRN_OK && frame.time > from ? (time - from) / (frame.time - from) : 0.0;
        for (int i = 0; i < film->scene.bodies && t > 0.0; ++i) {
            crn_pose *pose = &film->pose[i];
            pose->position = mixed(pose->position, frame.pose[i].position, t);
            pose->rotation = between(pose->rotation, frame.pose[i].rotation, t);
        }
    }
    return status;
}

/* --- Pictures --- */

/* The camera goes along with the body that it follows, and the light with the camera. */
static void go_along(draw_film *film)
{
    if (film->follow >= 0) {
        crn_vec3 way = sub(film->pose[film->follow].position, film->start);
        film->picture.camera.eye = add(film->eye, way);
        film->picture.light.view.eye = add(film->sun, way);
        film->picture.light.centre = add(film->centre, way);
    }
}

crn_status draw_at(draw_film *film, double time, const unsigned char **rgb, crn_error *error)
{
    draw_list_clear(&film->picture.list);
    crn_status status = find_poses(film, time, error);
    if (status == CRN_OK) {
        go_along(film);
        draw_scene_place(&film->scene, film->pose, film->rope, &film->picture.list);
        status = draw_picture_draw(&film->picture, film->pose, error);
    }
    *rgb = film->picture.rgb;
    return status;
}

crn_status draw_png_at(draw_film *film, double time, draw_bytes *png, crn_error *error)
{
    const unsigned char *rgb;
    *png = (draw_bytes){NULL, 0};
    crn_status status = draw_at(film, time, &rgb, error);
    return status == CRN_OK ? draw_png_encode(rgb, film->options.width, film->options.height, png, error) : status;
}

crn_status draw_card(const char *path, const draw_options *options, draw_bytes *png, crn_error *error)
{
    draw_film *film;
    *png = (draw_bytes){NULL, 0};
    draw_options still = *options;
    still.is_still = true;
    crn_status status = draw_open(path, &still, &film, error);
    if (status == CRN_OK) {
        status = draw_png_at(film, draw_best_of(film), png, error);
    }
    draw_close(film);
    return status;
}
