/* One HTML file that plays a recording: the viewer, what the page says, and the recording inside. */
#ifndef CAIRN_CLI_WEB_PAGE_H
#define CAIRN_CLI_WEB_PAGE_H

#include <cairn/cairn.h>

/* A scene on the index page; apps/viewer/src/types.ts has the same. */
typedef struct web_card {
    char title[64], about[200], address[80];
    const unsigned char *picture; /* PNG, or NULL */
    size_t picture_size;
    struct {
        char label[32], value[48];
    } figure[8];
    int figures;
} web_card;

/* The text of a lesson, beside the stage. */
typedef struct web_lesson {
    const char *panel;   /* that is open at the beginning: "live", "solver", "plots" */
    const char *show;    /* what the stage shows besides, and from where: "cones,front" */
    const char *text[6]; /* paragraphs; NULL behind the last */
} web_lesson;

/* What a page says beyond its recording. Every text may be NULL. */
typedef struct web_text {
    const char *title, *about;
    const char *warning;  /* why the recording is not whole */
    const char *home;     /* address of the index page */
    bool is_live;         /* begin with the simulation, not with the film */
    crn_recording *other; /* to be compared with, or NULL; frames 0, other_stride, ... */
    int other_stride;
    const web_lesson *lesson;
    const web_card *card;
    int cards;
} web_text;

/* Was this program built with the viewer? If not, the error says what it needs. */
crn_status web_page_supported(crn_error *error);

/* And with the solver for pages? */
crn_status web_page_live_supported(crn_error *error);

/* Write frames 0, stride, 2 stride, ... of a recording (NULL: a page of cards alone) as a page. Numbers are rounded to what a picture needs, about seven
 * digits. On failure there is no file. */
crn_status web_page_write(const char *path, const web_text *text, crn_recording *recording, int stride,
                          crn_error *error);

/* Steps or frames of `seconds` each from one frame of a page to the next, so that it has about 60 in a second. */
int web_page_stride(double seconds);

/* The same for a recording, but a whole multiple of it if the page became too large otherwise. */
int web_page_recording_stride(crn_recording *recording);

#endif
