/* What `cairn showcase` shows, and the pages that it leaves. */
#ifndef CAIRN_CLI_SHOWCASE_H
#define CAIRN_CLI_SHOWCASE_H

#include "draw/draw_png.h"
#include "folder.h"
#include "sim_run.h"
#include "web_page.h"

/* A scene and for how long. */
typedef struct exhibit {
    const char *scene; /* "gallery:NAME" */
    const char *title;
    double time; /* [s] */
} exhibit;

/* Pages of the exhibits in a folder: NAME.crn, NAME.html and, last, index.html with a card for each. */
typedef struct showcase_pages {
    const char *folder;                                 /* NULL: no pages */
    char recording[CLI_PATH_SIZE], page[CLI_PATH_SIZE]; /* of the exhibit that is on */
    web_card *card;
    draw_bytes *picture; /* of the cards */
    int cards;
} showcase_pages;

/* Make the folder. limit: of exhibits. folder NULL: nothing will be written. */
crn_status showcase_pages_open(showcase_pages *pages, const char *folder, int limit, crn_error *error);

/* Tell the run of an exhibit, before it starts, where its recording and its page go. */
void showcase_pages_plan(showcase_pages *pages, const exhibit *e, sim_request *request, double dt);

/* After the run: picture and figures of the exhibit's card. */
crn_status showcase_pages_add(showcase_pages *pages, const exhibit *e, const sim_run *run, crn_error *error);

/* Write index.html: the first exhibit plays there. */
crn_status showcase_pages_finish(showcase_pages *pages, crn_error *error);

void showcase_pages_free(showcase_pages *pages);

#endif
