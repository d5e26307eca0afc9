/* One picture. It is drawn in bands of some rows, so that the samples of large pictures need little memory.
 *
 * In each pixel 8 samples tell what is seen; colours are computed once for every surface in it, weighted by its samples and
 * added as linear light. */
#include "draw_picture.h"

#include <stdlib.h>
#include <string.h>

/* Planes are named DRAW_NOTHING - 1, DRAW_NOTHING - 2, ... among the triangles. */
enum { SAMPLES = DRAW_SAMPLES_MAX, FIRST_PLANE = DRAW_NOTHING - 1 };

crn_status draw_picture_begin(draw_picture *picture, crn_error *error)
{
    size_t width = (size_t)picture->camera.width, height = (size_t)picture->camera.height;
    draw_band *band = &picture->band;
    *band = (draw_band){.width = (int)width, .samples = SAMPLES};
    band->near = malloc(width * DRAW_BAND_ROWS * SAMPLES * sizeof *band->near);
    band->which = malloc(width * DRAW_BAND_ROWS * SAMPLES * sizeof *band->which);
    picture->rgb = malloc(3 * width * height);
    if (band->near == NULL || band->which == NULL || picture->rgb == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    for (int i = 0; i <= DRAW_TONES; ++i) {
        double light = (double)i / DRAW_TONES;
        double tone = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
        picture->tone[i] = (unsigned char)(255.0 * tone + 0.5);
    }
    return CRN_OK;
}

void draw_picture_free(draw_picture *picture)
{
    draw_list_free(&picture->list);
    draw_light_free(&picture->light);
    draw_raster_free(&picture->raster);
    free(picture->band.near);
    free(picture->band.which);
    free(picture->rgb);
    picture->band.near = NULL;
    picture->band.which = NULL;
    picture->rgb = NULL;
}

/* --- Planes --- */

/* A plane as the camera sees it: eye + ray / (rate . ray) is on it where rate . ray > 0. */
typedef struct seen_plane {
    crn_pose pose;   /* world */
    crn_vec3 normal; /* its z axis */
    crn_vec3 rate;   /* [1/m] */
} seen_plane;

/* False: the camera is behind it. */
static bool see_plane(const draw_picture *picture, int index, const crn_pose *pose, seen_plane *seen)
{
    const draw_plane *plane = &picture->scene->plane[index];
    seen->pose = composed(&pose[plane->body], &plane->pose);
    seen->normal = turned(seen->pose.rotation, vec(0, 0, 1));
    double height = dot(seen->normal, sub(picture->camera.eye, seen->pose.position));
    seen->rate = scaled(seen->normal, height > 0.0 ? -1.0 / height : 0.0);
    return height > 0.0;
}

/* Put a plane into the band: its near is linear on the screen. */
static void fill_plane(draw_picture *picture, int index, const crn_pose *pose)
{
    seen_plane seen;
    draw_band *band = &picture->band;
    const draw_camera *camera = &picture->camera;
    if (camera->is_parallel || !see_plane(picture, index, pose, &seen)) {
        return;
    }
    crn_vec3 corner = draw_camera_ray(camera, 0, 0);
    double right = camera->close * dot(seen.rate, camera->right) / camera->scale;
    double down = -camera->close * dot(seen.rate, camera->up) / camera->scale;
    double start = camera->close * dot(seen.rate, corner);
    for (int y = 0; y < band->height; ++y) {
        for (int x = 0; x < band->width; ++x) {
            size_t at = ((size_t)y * (size_t)band->width + (size_t)x) * SAMPLES;
            for (int i = 0; i < SAMPLES; ++i) {
                float near =
                    (float)(start + right * (x + draw_sample_x[i]) + down * (band->top + y + draw_sample_y[i]));
                if (near > band->near[at + (size_t)i]) {
                    band->near[at + (size_t)i] = near;
                    band->which[at + (size_t)i] = FIRST_PLANE - index;
                }
            }
        }
    }
}

/* Coordinates on a plane of what is seen at (x, y). */
static crn_vec3 plane_point(const draw_camera *camera, const seen_plane *seen, double x, double y)
{
    crn_vec3 ray = draw_camera_ray(camera, x, y);
    double rate = greater(dot(seen->rate, ray), 1e-12);
    return along(camera->eye, 1.0 / rate, ray);
}

static crn_vec3 plane_colour(const draw_picture *picture, int index, const crn_pose *pose, double x, double y,
                             crn_vec3 backdrop)
{
    seen_plane seen;
    (void)see_plane(picture, index, pose, &seen);
    crn_vec3 at = plane_point(&picture->camera, &seen, x, y);
    crn_vec3 right = sub(plane_point(&picture->camera, &seen, x + 1.0, y), at);
    crn_vec3 down = sub(plane_point(&picture->camera, &seen, x, y + 1.0), at);
    crn_vec3 u = turned(seen.pose.rotation, vec(1, 0, 0)), v = turned(seen.pose.rotation, vec(0, 1, 0));
    crn_vec3 d = sub(at, seen.pose.position);
    draw_spot spot = {.at = at,
                      .normal = seen.normal,
                      .u = dot(d, u),
                      .v = dot(d, v),
                      .du = greater(fabs(dot(right, u)), fabs(dot(down, u))),
                      .dv = greater(fabs(dot(right, v)), fabs(dot(down, v)))};
    return draw_light_ground(&picture->light, &spot, backdrop);
}

/* --- Triangles --- */

static crn_vec3 triangle_colour(const draw_picture *picture, int which, double x, double y)
{
    const draw_list *list = &picture->list;
    const draw_triangle *triangle = &list->triangle[which];
    const draw_paint *paint = &picture->scene->paint[triangle->paint];
    if (paint->is_flat) {
        return paint->colour;
    }
    double weight[3];
    draw_weights(list, which, x, y, weight);
    crn_vec3 at = vec(0, 0, 0), normal = vec(0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        const draw_vertex *v = &list->vertex[triangle->corner[i]];
        at = along(at, weight[i], v->at);
        normal = along(normal, weight[i], v->normal);
    }
    crn_vec3 to_eye = unit(sub(picture->camera.eye, at));
    normal = unit(normal);
    if (paint->is_two_sided && dot(normal, to_eye) < 0.0) {
        normal = scaled(normal, -1.0);
    }
    return draw_light_surface(&picture->light, paint, at, normal, to_eye);
}

/* --- Backdrop --- */

/* Planar pictures stand on squared paper. */
static crn_vec3 backdrop_colour(const draw_picture *picture, double x, double y)
{
    const draw_camera *camera = &picture->camera;
    const draw_light *light = &picture->light;
    crn_vec3 colour = draw_light_backdrop(light, 1.0 - y / camera->height);
    if (!camera->is_parallel) {
        return colour;
    }
    double grid = light->grid * camera->scale; /* pixels */
    double u = (camera->eye.x * camera->scale + x - 0.5 * camera->width) / grid;
    double v = (camera->eye.y * camera->scale + 0.5 * camera->height - y) / grid;
    double line = greater(draw_grid_line(u, 1.0 / grid), draw_grid_line(v, 1.0 / grid));
    return mixed(colour, light->ink, 0.35 * line);
}

/* --- Pixels --- */

static crn_vec3 colour_of(const draw_picture *picture, int which, const crn_pose *pose, int pixel_x, int pixel_y,
                          double x, double y)
{
    if (which >= 0) {
        return triangle_colour(picture, which, x, y);
    }
    double middle_x = pixel_x + 0.5, middle_y = pixel_y + 0.5;
    crn_vec3 backdrop = backdrop_colour(picture, middle_x, middle_y);
    return which == DRAW_NOTHING ? backdrop
                                 : plane_colour(picture, FIRST_PLANE - which, pose, middle_x, middle_y, backdrop);
}

static crn_vec3 pixel_colour(const draw_picture *picture, const crn_pose *pose, int x, int y, const int32_t *which)
{
    crn_vec3 sum = vec(0, 0, 0);
    bool is_done[SAMPLES] = {false};
    for (int i = 0; i < SAMPLES; ++i) {
        int same = 0;
        for (int k = i; k < SAMPLES && !is_done[i]; ++k) {
            if (which[k] == which[i]) {
                same += 1;
                is_done[k] = k > i;
            }
        }
        if (same > 0) { /* a surface that fills the pixel is met in its middle */
            bool is_all = same == SAMPLES;
            double at_x = x + (is_all ? 0.5 : draw_sample_x[i]), at_y = y + (is_all ? 0.5 : draw_sample_y[i]);
            sum = along(sum, same, colour_of(picture, which[i], pose, x, y, at_x, at_y));
        }
    }
    return scaled(sum, 1.0 / SAMPLES);
}

static unsigned char tone_of(const draw_picture *picture, double light)
{
    return picture->tone[(int)(clamped(light, 0.0, 1.0) * DRAW_TONES + 0.5)];
}

static void colour_band(draw_picture *picture, const crn_pose *pose)
{
    const draw_band *band = &picture->band;
    for (int y = 0; y < band->height; ++y) {
        for (int x = 0; x < band->width; ++x) {
            size_t at = (size_t)y * (size_t)band->width + (size_t)x;
            crn_vec3 colour = pixel_colour(picture, pose, x, band->top + y, band->which + at * SAMPLES);
            unsigned char *rgb = picture->rgb + 3 * ((size_t)band->top * (size_t)band->width + at);
            rgb[0] = tone_of(picture, colour.x);
            rgb[1] = tone_of(picture, colour.y);
            rgb[2] = tone_of(picture, colour.z);
        }
    }
}

crn_status draw_picture_draw(draw_picture *picture, const crn_pose *pose, crn_error *error)
{
    draw_list *list = &picture->list;
    draw_band *band = &picture->band;
    bool is_good = draw_light_cast(&picture->light, list, picture->scene->paint);
    draw_camera_project(&picture->camera, list);
    is_good = is_good && draw_raster_prepare(&picture->raster, list, picture->scene->paint, picture->camera.width,
                                             picture->camera.height, false);
    if (list->is_short || !is_good) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    for (band->top = 0; band->top < picture->camera.height; band->top += DRAW_BAND_ROWS) {
        int left = picture->camera.height - band->top;
        band->height = left < DRAW_BAND_ROWS ? left : DRAW_BAND_ROWS;
        size_t samples = (size_t)band->width * (size_t)band->height * SAMPLES;
        memset(band->near, 0, samples * sizeof *band->near);
        memset(band->which, 0xff, samples * sizeof *band->which); /* DRAW_NOTHING */
        for (int i = 0; i < picture->scene->planes; ++i) {
            fill_plane(picture, i, pose);
        }
        draw_raster_fill(&picture->raster, band);
        colour_band(picture, pose);
    }
    return CRN_OK;
}
