/* Light and colour. */
#include "draw_light.h"

#include "draw_scene.h"

#include <stdlib.h>
#include <string.h>

enum { MAP_LEAST = 768, MAP_MOST = 3072 };

/* The sun stands this far to the left of the way to the eye, and this high [rad]. */
static const double sun_aside = 0.95, sun_height = 0.92;

/* --- The sun --- */

double draw_grid_for(double size)
{
    double wanted = 0.1 * size, power = pow(10.0, floor(log10(wanted))), share = wanted / power;
    return power * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
}

static void find_extent(draw_light *light, const draw_point *points, int count)
{
    crn_vec3 low = vec(INFINITY, INFINITY, INFINITY), high = scaled(low, -1.0);
    for (int i = 0; i < count; ++i) {
        crn_vec3 p = points[i].at;
        double r = points[i].radius;
        low = vec(lesser(low.x, p.x - r), lesser(low.y, p.y - r), lesser(low.z, p.z - r));
        high = vec(greater(high.x, p.x + r), greater(high.y, p.y + r), greater(high.z, p.z + r));
    }
    light->centre = count > 0 ? scaled(add(low, high), 0.5) : vec(0, 0, 0);
    light->size = count > 0 ? greater(length(sub(high, low)), 1e-6) : 1.0;
    light->grid = draw_grid_for(light->size);
}

static void mix_colours(draw_light *light)
{
    bool is_dark = light->is_dark;
    light->backdrop[0] = draw_linear(is_dark ? 0x23272e : 0xfbfcfd);
    light->backdrop[1] = draw_linear(is_dark ? 0x14171c : 0xdfe6ee);
    light->ground = draw_linear(is_dark ? 0x2b3038 : 0xf3f5f8);
    light->ink = draw_linear(is_dark ? 0x414955 : 0xc9d1db);
    light->shade = is_dark ? vec(0.40, 0.42, 0.46) : vec(0.50, 0.53, 0.59);
}

crn_status draw_light_set(draw_light *light, const draw_camera *camera, const draw_point *points, int count,
                          crn_error *error)
{
    double azimuth = atan2(-camera->forward.y, -camera->forward.x) - sun_aside;
    light->sun = vec(cos(sun_height) * cos(azimuth), cos(sun_height) * sin(azimuth), sin(sun_height));
    find_extent(light, points, count);
    mix_colours(light);
    if (camera->is_parallel) {
        return CRN_OK;
    }
    int tiles = (int)clamped(1.25 * greater(camera->width, camera->height), MAP_LEAST, MAP_MOST) / DRAW_TILE;
    int side = tiles * DRAW_TILE;
    light->map = (draw_band){.width = side, .height = side, .samples = 1};
    light->map.near = malloc((size_t)side * (size_t)side * sizeof *light->map.near);
    light->tile = malloc((size_t)tiles * (size_t)tiles * sizeof *light->tile);
    if (light->map.near == NULL || light->tile == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    light->view = draw_camera_along(scaled(light->sun, -1.0), side, side);
    draw_camera_fit_parallel(&light->view, points, count, 0.01);
    return CRN_OK;
}

void draw_light_free(draw_light *light)
{
    free(light->map.near);
    draw_raster_free(&light->raster);
    free(light->tile);
    light->map.near = NULL;
    light->tile = NULL;
}

/* The nearest of each tile: what is nearer than all tiles around it needs no closer look. */
static void find_tiles(draw_light *light)
{
    int tiles = light->map.width / DRAW_TILE;
    memset(light->tile, 0, (size_t)tiles * (size_t)tiles * sizeof *light->tile);
    for (int y = 0; y < light->map.height; ++y) {
        const float *row = light->map.near + (size_t)y * (size_t)light->map.width;
        float *tile = light->tile + (size_t)(y / DRAW_TILE) * (size_t)tiles;
        for (int x = 0; x < light->map.width; ++x) {
            tile[x / DRAW_TILE] = row[x] > tile[x / DRAW_TILE] ? row[x] : tile[x / DRAW_TILE];
        }
    }
}

bool draw_light_cast(draw_light *light, draw_list *list, const draw_paint *paints)
{
    if (light->map.near == NULL) {
        return true;
    }
    memset(light->map.near, 0, (size_t)light->map.width * (size_t)light->map.height * sizeof *light->map.near);
    draw_camera_project(&light->view, list);
    bool is_good = draw_raster_prepare(&light->raster, list, paints, light->map.width, light->map.height, true);
    draw_raster_fill(&light->raster, &light->map);
    find_tiles(light);
    return is_good;
}

enum { TAPS = 5 }; /* the filter is 4 texels wide, between the middles of 5 */

/* Is nothing nearer to the sun in the taps at (x, y)? */
static bool is_first(const draw_light *light, int x, int y, float near)
{
    int tiles = light->map.width / DRAW_TILE, right = (x + TAPS - 1) / DRAW_TILE, low = (y + TAPS - 1) / DRAW_TILE;
    const float *upper = light->tile + (size_t)(y / DRAW_TILE) * (size_t)tiles;
    const float *lower = light->tile + (size_t)low * (size_t)tiles;
    x /= DRAW_TILE;
    return upper[x] <= near && upper[right] <= near && lower[x] <= near && lower[right] <= near;
}

/* How much of the sun is seen, 0 to 1: the share of a square of texels around the place that are lit. The place is lifted
 * off its surface by two texels, else the surface would shade itself. */
static double sunlight(const draw_light *light, crn_vec3 at, crn_vec3 normal)
{
    const draw_camera *view = &light->view;
    if (light->map.near == NULL) {
        return 1.0;
    }
    double texel = 1.0 / view->scale, slope = 1.0 - clamped(dot(normal, light->sun), 0.0, 1.0);
    crn_vec3 d = sub(along(along(at, texel * (1.0 + 2.0 * slope), normal), 2.0 * texel, light->sun), view->eye);
    float near =
        (float)greater(1.0 - dot(d, view->forward) / view->range, 0.0); /* behind everything: where nothing is */
    double x = 0.5 * view->width + view->scale * dot(d, view->right) - 0.5 * TAPS;
    double y = 0.5 * view->height - view->scale * dot(d, view->up) - 0.5 * TAPS;
    if (!(x >= 0.0 && y >= 0.0 && x < view->width - TAPS && y < view->height - TAPS)) {
        return 1.0;
    }
    int x_low = (int)x, y_low = (int)y;
    if (is_first(light, x_low, y_low, near)) {
        return 1.0;
    }
    double fx = x - x_low, fy = y - y_low, sum = 0.0;
    for (int j = 0; j < TAPS; ++j) {
        const float *row = light->map.near + (size_t)(y_low + j) * (size_t)light->map.width + (size_t)x_low;
        double lit = (row[0] <= near ? 1.0 - fx : 0.0) + (row[TAPS - 1] <= near ? fx : 0.0);
        for (int i = 1; i < TAPS - 1; ++i) {
            lit += row[i] <= near ? 1.0 : 0.0;
        }
        sum += lit * (j == 0 ? 1.0 - fy : j == TAPS - 1 ? fy : 1.0);
    }
    return sum / ((TAPS - 1) * (TAPS - 1));
}

/* --- Surfaces --- */

static crn_vec3 product(crn_vec3 a, crn_vec3 b)
{
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* x^32 */
static double shine(double x)
{
    x *= x;
    x *= x;
    x *= x;
    x *= x;
    return x * x;
}

crn_vec3 draw_light_surface(const draw_light *light, const draw_paint *paint, crn_vec3 at, crn_vec3 normal,
                            crn_vec3 to_eye)
{
    if (paint->is_flat) {
        return paint->colour;
    }
    double facing = dot(normal, light->sun), seen = facing > 0.0 ? sunlight(light, at, normal) : 0.0;
    crn_vec3 sky = vec(0.42, 0.46, 0.52), earth = vec(0.24, 0.22, 0.20), sun = vec(0.82, 0.78, 0.70);
    crn_vec3 fill = vec(0.12, 0.12, 0.13); /* from the camera, so that faces in the shade keep their form */
    crn_vec3 light_here = mixed(earth, sky, 0.5 + 0.5 * normal.z);
    light_here = along(light_here, greater(facing, 0.0) * seen, sun);
    light_here = along(light_here, greater(dot(normal, to_eye), 0.0), fill);
    double gleam = shine(greater(dot(normal, unit(add(light->sun, to_eye))), 0.0)) * seen;
    double rim = 1.0 - greater(dot(normal, to_eye), 0.0);
    crn_vec3 colour = product(paint->colour, light_here);
    return along(colour, 0.12 * gleam + 0.05 * rim * rim * rim * rim, vec(1.0, 1.0, 1.0));
}

/* --- Backdrop and ground --- */

crn_vec3 draw_light_backdrop(const draw_light *light, double height)
{
    return mixed(light->backdrop[0], light->backdrop[1], clamped(height, 0.0, 1.0));
}

double draw_grid_line(double at, double extent)
{
    double away = fabs(at - floor(at + 0.5));
    if (away >= 1.1 * extent) { /* most places */
        return 0.0;
    }
    double covered = lesser(1.1 - away / extent, 1.0);
    return covered * (1.0 - smooth_step(0.12, 0.4, extent)); /* lines too near to each other melt into nothing */
}

/* Seen at a low angle a pixel reaches far over the ground: its light is the mean along it. */
static double sunlight_along(const draw_light *light, const draw_spot *spot)
{
    int taps = (int)clamped(length(spot->down) * light->view.scale / TAPS, 1.0, 8.0);
    double sum = 0.0;
    for (int i = 0; i < taps; ++i) {
        sum += sunlight(light, along(spot->at, (i + 0.5) / taps - 0.5, spot->down), spot->normal);
    }
    return sum / taps;
}

crn_vec3 draw_light_ground(const draw_light *light, const draw_spot *spot, crn_vec3 backdrop)
{
    crn_vec3 away = sub(spot->at, light->centre);
    away = along(away, -dot(away, spot->normal), spot->normal);
    double fade = 1.0 - smooth_step(0.55, 2.6, length(away) / light->size);
    if (fade <= 0.0) {
        return backdrop;
    }
    double per_line = 1.0 / light->grid, u = per_line * spot->u, v = per_line * spot->v;
    double line = greater(draw_grid_line(u, per_line * spot->du), draw_grid_line(v, per_line * spot->dv));
    double bold =
        greater(draw_grid_line(0.2 * u, 0.2 * per_line * spot->du), draw_grid_line(0.2 * v, 0.2 * per_line * spot->dv));
    crn_vec3 ground = mixed(light->ground, light->ink, clamped(0.55 * line + 0.45 * bold, 0.0, 1.0));
    double seen = sunlight_along(light, spot);
    return mixed(backdrop, product(ground, mixed(light->shade, vec(1.0, 1.0, 1.0), seen)), fade);
}
