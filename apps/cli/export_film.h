/* A film, written by ffmpeg from pictures that are piped to it. */
#ifndef CAIRN_CLI_EXPORT_FILM_H
#define CAIRN_CLI_EXPORT_FILM_H

#include <cairn/base.h>

typedef struct export_film export_film;

/* Start ffmpeg. The film appears under its name when it is complete. CRN_ERR_UNSUPPORTED: there is no ffmpeg. */
crn_status export_film_open(const char *path, int width, int height, double fps, export_film **film, crn_error *error);

/* Append a picture: 3 bytes per pixel. False: ffmpeg has ended; closing tells why. */
bool export_film_add(export_film *film, const unsigned char *rgb);

/* Wait for ffmpeg; the message of a failure ends with its last line. */
crn_status export_film_close(export_film *film, crn_error *error);

/* Stop it and leave nothing. */
void export_film_drop(export_film *film);

#endif
