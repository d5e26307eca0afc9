/* Where the camera stands, so that the whole motion is seen. */
#ifndef CAIRN_CLI_DRAW_VIEW_H
#define CAIRN_CLI_DRAW_VIEW_H

#include "draw_camera.h"
#include "draw_scene.h"

#include <cairn/io.h>

/* Points that the picture must show. */
typedef struct draw_points {
    draw_point *at;
    int count;
} draw_points;

/* Collect them from frames spread over first .. last. follow: body that the camera goes along with; -1: none, then points
 * are relative to where it is at first. Release with free(points->at), also after a failure. */
crn_status draw_view_collect(const draw_scene *scene, crn_recording *recording, int first, int last, int follow,
                             draw_points *points, crn_error *error);

/* A camera that shows them from a pleasant side. */
draw_camera draw_view_from(const draw_scene *scene, const draw_points *points, bool is_following, int width,
                           int height);

#endif
