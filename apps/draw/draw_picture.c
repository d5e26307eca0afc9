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
    picture->plane = calloc((size_t)picture->scene->planes + 1, sizeof *picture->plane);
    if (picture->plane == NULL || band->near == NULL || band->which == NULL || picture->rgb == NULL) {
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
    free(picture->plane);
    picture->plane = NULL;
    picture->band.near = NULL;
    picture->band.which = NULL;
    picture->rgb = NULL;
}

/* --- Planes --- */

static void see_planes(draw_picture *picture, const crn_pose *pose)
{
    for (int i = 0; i < picture->scene->planes; ++i) {
        const draw_plane *plane = &picture->scene->plane[i];
        crn_pose at = composed(&pose[plane->body], &plane->pose);
        draw_seen_plane *seen = &picture->plane[i];
        seen->origin = at.position;
        seen->u = turned(at.rotation, vec(1, 0, 0));
        seen->v = turned(at.rotation, vec(0, 1, 0));
        seen->normal = turned(at.rotation, vec(0, 0, 1));
        double height = dot(seen->normal, sub(picture->camera.eye, at.position));
        seen->rate = scaled(seen->normal, height > 0.0 ? -1.0 / height : 0.0);
    }
}

/* Put a plane into the band: its near is linear on the screen. */
static void fill_plane(draw_picture *picture, int index)
{
    crn_vec3 rate = picture->plane[index].rate;
    draw_band *band = &picture->band;
    const draw_camera *camera = &picture->camera;
    if (camera->is_parallel || length(rate) == 0.0) {
        return;
    }
    crn_vec3 corner = draw_camera_ray(camera, 0, 0);
    double right = camera->close * dot(rate, camera->right) / camera->scale;
    double down = -camera->close * dot(rate, camera->up) / camera->scale;
    double start = camera->close * dot(rate, corner), offset[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i) {
        offset[i] = right * draw_sample_x[i] + down * draw_sample_y[i];
    }
    for (int y = 0; y < band->height; ++y) {
        double row = start + down * (band->top + y);
        for (int x = 0; x < band->width; ++x) {
            size_t at = ((size_t)y * (size_t)band->width + (size_t)x) * SAMPLES;
            float *near = band->near + at;
            int32_t *which = band->which + at;
            double value = row + right * x;
            for (int i = 0; i < SAMPLES; ++i) {
                float here = (float)(value + offset[i]);
                bool is_nearer = here > near[i];
                near[i] = is_nearer ? here : near[i];
                which[i] = is_nearer ? FIRST_PLANE - index : which[i];
            }
        }
    }
}

/* With p = ray / q and q = rate . ray, where the ray changes by r: p changes by (r - p rate . r) / q. */
static crn_vec3 plane_change(crn_vec3 p, crn_vec3 rate, double q, crn_vec3 r)
{
    return scaled(along(r, -dot(rate, r), p), 1.0 / q);
}

static crn_vec3 plane_colour(const draw_picture *picture, const draw_seen_plane *seen, double x, double y,
                             crn_vec3 backdrop)
{
    const draw_camera *camera = &picture->camera;
    crn_vec3 ray = draw_camera_ray(camera, x, y);
    double q = greater(dot(seen->rate, ray), 1e-12), pixel = 1.0 / camera->scale;
    crn_vec3 p = scaled(ray, 1.0 / q), at = add(camera->eye, p), d = sub(at, seen->origin);
    crn_vec3 right = plane_change(p, seen->rate, q, scaled(camera->right, pixel));
    crn_vec3 down = plane_change(p, seen->rate, q, scaled(camera->up, -pixel));
    draw_spot spot = {.at = at,
                      .normal = seen->normal,
                      .down = down,
                      .u = dot(d, seen->u),
                      .v = dot(d, seen->v),
                      .du = greater(fabs(dot(right, seen->u)), fabs(dot(down, seen->u))),
                      .dv = greater(fabs(dot(right, seen->v)), fabs(dot(down, seen->v)))};
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

static crn_vec3 colour_of(const draw_picture *picture, int which, int pixel_x, int pixel_y, double x, double y)
{
    if (which >= 0) {
        return triangle_colour(picture, which, x, y);
    }
    double middle_x = pixel_x + 0.5, middle_y = pixel_y + 0.5;
    crn_vec3 backdrop = backdrop_colour(picture, middle_x, middle_y);
    return which == DRAW_NOTHING
               ? backdrop
               : plane_colour(picture, &picture->plane[FIRST_PLANE - which], middle_x, middle_y, backdrop);
}

static bool is_one_surface(const int32_t *which)
{
    int32_t different = 0;
    for (int i = 1; i < SAMPLES; ++i) {
        different |= which[i] ^ which[0];
    }
    return different == 0;
}

static crn_vec3 pixel_colour(const draw_picture *picture, int x, int y, const int32_t *which)
{
    if (is_one_surface(which)) {
        return colour_of(picture, which[0], x, y, x + 0.5, y + 0.5);
    }
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
        if (same > 0) {
            sum = along(sum, same, colour_of(picture, which[i], x, y, x + draw_sample_x[i], y + draw_sample_y[i]));
        }
    }
    return scaled(sum, 1.0 / SAMPLES);
}

static unsigned char tone_of(const draw_picture *picture, double light)
{
    return picture->tone[(int)(clamped(light, 0.0, 1.0) * DRAW_TONES + 0.5)];
}

static void colour_band(draw_picture *picture)
{
    const draw_band *band = &picture->band;
    for (int y = 0; y < band->height; ++y) {
        for (int x = 0; x < band->width; ++x) {
            size_t at = (size_t)y * (size_t)band->width + (size_t)x;
            crn_vec3 colour = pixel_colour(picture, x, band->top + y, band->which + at * SAMPLES);
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
    see_planes(picture, pose);
    for (band->top = 0; band->top < picture->camera.height; band->top += DRAW_BAND_ROWS) {
        int left = picture->camera.height - band->top;
        band->height = left < DRAW_BAND_ROWS ? left : DRAW_BAND_ROWS;
        size_t samples = (size_t)band->width * (size_t)band->height * SAMPLES;
        memset(band->near, 0, samples * sizeof *band->near);
        memset(band->which, 0xff, samples * sizeof *band->which); /* DRAW_NOTHING */
        for (int i = 0; i < picture->scene->planes; ++i) {
            fill_plane(picture, i);
        }
        draw_raster_fill(&picture->raster, band);
        colour_band(picture);
    }
    return CRN_OK;
}
