/* A scene made ready for pictures: the surfaces of all bodies as triangles in their own frames, and their paints. */
#ifndef CAIRN_CLI_DRAW_SCENE_H
#define CAIRN_CLI_DRAW_SCENE_H

#include "draw_camera.h"

#include <cairn/model.h>

enum {
    DRAW_PAINT_ARROW = 0, /* contact forces */
    DRAW_PAINT_ROPE,      /* distance joints */
    DRAW_PAINT_BODIES,    /* then for each body: its colour, a second tone, its outline */
    DRAW_PAINTS_PER_BODY = 3,
    DRAW_SUPPORTS = 26 /* at most */
};

/* The triangles of a body, and how far it extends. */
typedef struct draw_body {
    int vertex, vertices, triangle, triangles; /* in the scene's mesh */
    draw_point support[DRAW_SUPPORTS];         /* tell its extent; its frame */
    int supports;
    double radius; /* about its origin [m] */
    double layer;  /* planar: what is larger is drawn over the rest, 0 to 1 */
} draw_body;

/* A plane of a body. */
typedef struct draw_plane {
    int body;
    crn_pose pose; /* in the body's frame; the surface is z = 0 */
} draw_plane;

typedef struct draw_scene {
    crn_model *model; /* owned */
    bool is_planar;
    int bodies;
    draw_body *body;
    draw_list mesh; /* vertices in the frames of their bodies */
    draw_paint *paint;
    draw_plane *plane;
    int planes;
} draw_scene;

/* Read the scene text of a recording, with coarse surfaces; name: what messages call it. Release with draw_scene_free(), also after a failure. */
crn_status draw_scene_read(draw_scene *scene, const char *text, const char *name, bool is_dark, crn_error *error);
void draw_scene_free(draw_scene *scene);

/* Make the surfaces again, as fine as pictures need them on which a pixel has this size [m]. */
crn_status draw_scene_refine(draw_scene *scene, double pixel, crn_error *error);

/* Planar scenes: add half-planes, outlines and marks, for pictures of this scale. line: thickness of lines [m]; reach: half
 * length of half-planes [m]. */
crn_status draw_scene_outline(draw_scene *scene, double line, double reach, crn_error *error);

/* Put all bodies, where the poses say, into a list. */
void draw_scene_place(const draw_scene *scene, const crn_pose *pose, double rope, draw_list *list);

/* Colour of a screen in linear light. */
crn_vec3 draw_linear(unsigned rgb);

#endif
