/* From where a picture is seen, and what lies where on it. */
#ifndef CAIRN_CLI_DRAW_CAMERA_H
#define CAIRN_CLI_DRAW_CAMERA_H

#include "draw_list.h"

/* A ball that a picture must show; a point if its radius is 0. */
typedef struct draw_point {
    crn_vec3 at;
    double radius; /* [m] */
} draw_point;

typedef struct draw_camera {
    int width, height;           /* of the picture [pixels] */
    crn_vec3 eye;                /* world [m] */
    crn_vec3 right, up, forward; /* unit, world axes */
    bool is_parallel;            /* no perspective */
    double scale;                /* pixels per metre; perspective: at depth 1 m */
    double close;                /* perspective: nothing nearer than this is seen [m] */
    double range;                /* parallel: depth at which near becomes 0 [m] */
} draw_camera;

/* Look along a direction; up is as near to the world's z (planar: y) as it can be. eye and scale are still to be set. */
draw_camera draw_camera_along(crn_vec3 forward, int width, int height);

/* Perspective: go so far back that all points are on the picture, with a margin (share of its size) around them.
 *  field: angle between the upper and the lower edge of the picture [rad]. */
void draw_camera_fit(draw_camera *camera, const draw_point *points, int count, double field, double margin);

/* Parallel: the same by scale; all points lie between the eye and range. */
void draw_camera_fit_parallel(draw_camera *camera, const draw_point *points, int count, double margin);

/* Find x, y and near of all vertices. Perspective: triangles that reach behind the camera are cut there. */
void draw_camera_project(const draw_camera *camera, draw_list *list);

/* Perspective: the point at this place on the picture is eye + depth * ray. */
crn_vec3 draw_camera_ray(const draw_camera *camera, double x, double y);

#endif
