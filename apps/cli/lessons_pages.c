/* Pages of the lessons. */
#include "lessons.h"

#include "draw/draw.h"
#include "folder.h"
#include "sim_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { PICTURE_WIDTH = 480, PICTURE_HEIGHT = 300 };

/* Run the film of a lesson, write its page, and draw the picture of its card. */
static crn_status write_one(const lesson *l, const char *folder, web_card *card, draw_bytes *picture, crn_error *error)
{
    char name[80], page[CLI_PATH_SIZE], recording[CLI_PATH_SIZE], scene[80];
    crn_error unsupported;
    (void)snprintf(scene, sizeof scene, "lesson:%s", l->name);
    (void)snprintf(name, sizeof name, "%s.html", l->name);
    sim_request request = {
        .scene = scene, .time = l->time, .scheme = -1, .method = -1, .cone = -1, .home = "index.html"};
    request.page = cli_folder_path(folder, name, page);
    crn_status status = cli_folder_scratch(request.page, ".crn", recording, error);
    if (status != CRN_OK) {
        return status;
    }
    request.output = recording;
    request.is_live = web_page_live_supported(&unsupported) == CRN_OK;
    sim_run run;
    status = sim_run_prepare(&run, &request, error);
    if (status == CRN_OK) {
        request.every = web_page_stride(crn_model_world_of(run.model)->dt);
        status = sim_run_go(&run, error);
    }
    sim_run_free(&run);
    if (status == CRN_OK) {
        draw_options options = draw_options_default();
        options.width = PICTURE_WIDTH;
        options.height = PICTURE_HEIGHT;
        status = draw_card(recording, &options, picture, error);
    }
    (void)remove(recording);
    (void)snprintf(card->title, sizeof card->title, "%s", l->title);
    (void)snprintf(card->about, sizeof card->about, "%s", l->about);
    (void)snprintf(card->address, sizeof card->address, "%s.html", l->name);
    card->picture = picture->data;
    card->picture_size = picture->size;
    return status;
}

static crn_status write_all(const char *folder, web_card *cards, draw_bytes *pictures, crn_error *error)
{
    char index[CLI_PATH_SIZE];
    crn_status status = cli_folder_make(folder, error);
    for (int i = 0; i < lessons_count() && status == CRN_OK; ++i) {
        status = write_one(lessons_at(i), folder, &cards[i], &pictures[i], error);
    }
    web_text text = {.title = "Lessons",
                     .about = "Scenes to be touched, with a text beside them.",
                     .home = "../index.html",
                     .card = cards,
                     .cards = lessons_count()};
    return status == CRN_OK ? web_page_write(cli_folder_path(folder, "index.html", index), &text, NULL, 1, error)
                            : status;
}

crn_status lessons_write(const char *folder, crn_error *error)
{
    web_card *cards = calloc((size_t)lessons_count(), sizeof *cards);
    draw_bytes *pictures = calloc((size_t)lessons_count(), sizeof *pictures);
    crn_status status = cards != NULL && pictures != NULL ? write_all(folder, cards, pictures, error)
                                                          : crn_fail(error, CRN_ERR_MEMORY, "lessons: out of memory");
    for (int i = 0; i < lessons_count() && pictures != NULL; ++i) {
        free(pictures[i].data);
    }
    free(cards);
    free(pictures);
    return status;
}
