/* Light and colour: the sun and its shadows, the sky, the backdrop, the ground. */
#ifndef CAIRN_CLI_DRAW_LIGHT_H
#define CAIRN_CLI_DRAW_LIGHT_H

#include "draw_camera.h"
#include "draw_raster.h"

#include <cairn/base.h>

enum { DRAW_TILE = 16 };

typedef struct draw_light {
    bool is_dark;
    crn_vec3 sun;     /* unit, towards it */
    draw_camera view; /* parallel, from the sun */
    draw_band map;    /* what the sun sees first; near is NULL: no shadows */
    float *tile;      /* the nearest in each square of DRAW_TILE texels of the map */
    crn_vec3 centre;  /* of what the pictures are about [m] */
    double size;      /* of it [m]: the ground fades away with it */
    double grid;      /* distance of the ground's lines [m] */
    draw_raster raster;
    crn_vec3 backdrop[2]; /* colours, linear: at the lower and the upper edge, ... */
    crn_vec3 ground, ink; /* ... of the ground and its lines, ... */
    crn_vec3 shade;       /* ... and what shadows leave of the ground */
} draw_light;

/* A sun over the left shoulder of the camera, colours by light->is_dark; points: what casts shadows. Release with draw_light_free(). */
crn_status draw_light_set(draw_light *light, const draw_camera *camera, const draw_point *points, int count,
                          crn_error *error);
void draw_light_free(draw_light *light);

/* Distance of the lines of a grid on something of this size: 1, 2 or 5 times a power of ten. */
double draw_grid_for(double size);

/* Let the triangles of the list cast their shadows; their x, y and near are overwritten. False: no memory. */
bool draw_light_cast(draw_light *light, draw_list *list, const draw_paint *paints);

/* Colours, linear. */
crn_vec3 draw_light_backdrop(const draw_light *light, double height /* 0 at the lower edge, 1 at the upper */);
crn_vec3 draw_light_surface(const draw_light *light, const draw_paint *paint, crn_vec3 at, crn_vec3 normal,
                            crn_vec3 to_eye);

/* A place on the ground, in coordinates of the ground too. */
typedef struct draw_spot {
    crn_vec3 at, normal;
    double u, v;   /* on the ground [m] */
    double du, dv; /* extent of a pixel there [m] */
    crn_vec3 down; /* to what the pixel below shows */
} draw_spot;
crn_vec3 draw_light_ground(const draw_light *light, const draw_spot *spot, crn_vec3 backdrop);

/* Coverage of a line of a grid in a pixel: 0 to 1; at: coordinate, extent: of a pixel, both in distances of lines. */
double draw_grid_line(double at, double extent);

#endif
