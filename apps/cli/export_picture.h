/* `cairn export` for pictures and films: a PNG, PNGs of all frames, an MP4 by way of ffmpeg. */
#ifndef CAIRN_CLI_EXPORT_PICTURE_H
#define CAIRN_CLI_EXPORT_PICTURE_H

#include "draw/draw.h"

typedef struct export_picture_request {
    const char *recording; /* path */
    const char *output;    /* "x.png", "folder/", "x-%04d.png" or "x.mp4" */
    draw_options draw;     /* size and looks */
    bool has_time;         /* one PNG only ... */
    double time;           /* ... at this time [s]; default: the end */
    double fps;            /* pictures per second of motion */
} export_picture_request;

export_picture_request export_picture_request_default(void); /* 960x600, 30 pictures per second */

typedef struct export_picture_result {
    int pictures;
    int width, height; /* of each; films have even sides: odd ones were made larger by 1 */
} export_picture_result;

/* Does an output of this name belong here? Ends with .png, .mp4 or '/', or is a folder. */
bool export_picture_takes(const char *output);

/* Read "640x400". The message names the text. */
crn_status export_picture_size(const char *text, draw_options *draw, crn_error *error);

/* Do it, with a progress bar for many pictures. On failure nothing new is left. */
crn_status export_picture(const export_picture_request *request, export_picture_result *result, crn_error *error);

#endif
