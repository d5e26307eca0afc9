/* One picture: what is seen at each pixel, and in which colour. */
#ifndef CAIRN_CLI_DRAW_PICTURE_H
#define CAIRN_CLI_DRAW_PICTURE_H

#include "draw_camera.h"
#include "draw_light.h"
#include "draw_scene.h"

enum { DRAW_BAND_ROWS = 32, DRAW_TONES = 4096 };

/* A plane as the camera sees it: eye + ray / (rate . ray) is on it where rate . ray > 0. */
typedef struct draw_seen_plane {
    crn_vec3 origin, u, v, normal; /* world; its axes, the last one out of it */
    crn_vec3 rate;                 /* [1/m]; 0: the camera is behind it */
} draw_seen_plane;

/* Everything that a picture needs, taken once. */
typedef struct draw_picture {
    const draw_scene *scene;
    draw_camera camera;
    draw_light light;
    draw_list list;
    draw_raster raster;
    draw_seen_plane *plane;             /* those of the scene */
    draw_band band;                     /* the rows being drawn */
    unsigned char tone[DRAW_TONES + 1]; /* of a screen, by linear light */
    unsigned char *rgb;                 /* the picture: rows from the top, 3 bytes per pixel */
} draw_picture;

/* Take memory for pictures of the camera's size. Release with draw_picture_free(), also after a failure. */
crn_status draw_picture_begin(draw_picture *picture, crn_error *error);
void draw_picture_free(draw_picture *picture);

/* Draw the triangles of the list, and the planes of the scene where the poses say. */
crn_status draw_picture_draw(draw_picture *picture, const crn_pose *pose, crn_error *error);

#endif
