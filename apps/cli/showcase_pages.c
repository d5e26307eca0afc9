/* Pages and cards of the showcase. */
#include "showcase.h"

#include "draw/draw.h"
#include "lessons.h"
#include "sim_scene.h"
#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pictures of the cards [pixels]. */
enum { PICTURE_WIDTH = 480, PICTURE_HEIGHT = 300 };

static const char index_name[] = "index.html";

/* "stack-100" of "gallery:stack-100". */
static const char *name_of(const exhibit *e)
{
    return strchr(e->scene, ':') + 1;
}

crn_status showcase_pages_open(showcase_pages *pages, const char *folder, int limit, crn_error *error)
{
    *pages = (showcase_pages){.folder = folder};
    if (folder == NULL) {
        return CRN_OK;
    }
    crn_status status = web_page_supported(error);
    if (status != CRN_OK) {
        return status;
    }
    pages->card = calloc((size_t)limit + 1, sizeof *pages->card); /* and one of the lessons */
    pages->picture = calloc((size_t)limit, sizeof *pages->picture);
    if (pages->card == NULL || pages->picture == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "showcase: out of memory");
    }
    return cli_folder_make(folder, error);
}

void showcase_pages_plan(showcase_pages *pages, const exhibit *e, sim_request *request, double dt)
{
    char name[80];
    if (pages->folder == NULL) {
        return;
    }
    (void)snprintf(name, sizeof name, "%s.crn", name_of(e));
    request->output = cli_folder_path(pages->folder, name, pages->recording);
    (void)snprintf(name, sizeof name, "%s.html", name_of(e));
    request->page = cli_folder_path(pages->folder, name, pages->page);
    request->home = index_name;
    request->every = web_page_stride(dt);
}

/* --- Cards --- */

static void add_figure(web_card *card, const char *label, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static void add_figure(web_card *card, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)snprintf(card->figure[card->figures].label, sizeof card->figure[0].label, "%s", label);
    (void)vsnprintf(card->figure[card->figures].value, sizeof card->figure[0].value, format, arguments);
    va_end(arguments);
    ++card->figures;
}

static void fill_card(web_card *card, const exhibit *e, const sim_run *run)
{
    const sim_totals *t = &run->totals;
    double seconds = sim_mean(t->seconds_all, t->steps), dt = crn_world_definition(run->world)->dt;
    (void)snprintf(card->title, sizeof card->title, "%s", e->title);
    (void)snprintf(card->about, sizeof card->about, "%s", sim_scene_about(e->scene));
    (void)snprintf(card->address, sizeof card->address, "%s.html", name_of(e));
    add_figure(card, "bodies", "%d", crn_model_bodies(run->model));
    add_figure(card, "contacts, mean", "%.0f", sim_mean(t->contacts, t->steps));
    add_figure(card, "steps certified", "%d of %d", t->certified, t->steps);
    add_figure(card, "worst certificate", "%.1e", t->certificate.value);
    add_figure(card, "worst overlap", "%.1e m", t->penetration.value);
    add_figure(card, "time per step", "%.3g ms", 1e3 * seconds);
    if (seconds > 0.0) {
        add_figure(card, "real time", "%.3g x", dt / seconds);
    }
}

crn_status showcase_pages_add(showcase_pages *pages, const exhibit *e, const sim_run *run, crn_error *error)
{
    if (pages->folder == NULL) {
        return CRN_OK;
    }
    web_card *card = &pages->card[pages->cards];
    draw_bytes *picture = &pages->picture[pages->cards++];
    draw_options options = draw_options_default();
    options.width = PICTURE_WIDTH;
    options.height = PICTURE_HEIGHT;
    crn_status status = draw_card(pages->recording, &options, picture, error);
    if (status == CRN_OK) {
        card->picture = picture->data;
        card->picture_size = picture->size;
        fill_card(card, e, run);
    }
    return status;
}

/* --- Index --- */

/* A card that leads to the lessons, with the picture of the last exhibit. */
static void add_lessons(showcase_pages *pages)
{
    web_card *card = &pages->card[pages->cards];
    *card = (web_card){.title = "Lessons",
                       .about =
                           "Scenes to be touched, with a text beside them: a block on an incline, a table on six legs, "
                           "Newton's cradle and more.",
                       .address = "lessons/index.html",
                       .picture = card[-1].picture,
                       .picture_size = card[-1].picture_size};
    add_figure(card, "lessons", "%d", lessons_count());
    add_figure(card, "live", "every step certified");
}

crn_status showcase_pages_finish(showcase_pages *pages, crn_error *error)
{
    char recording[CLI_PATH_SIZE], page[CLI_PATH_SIZE], name[96];
    if (pages->folder == NULL || pages->cards == 0) {
        return CRN_OK;
    }
    const web_card *first = &pages->card[0];
    add_lessons(pages);
    web_text text = {.title = first->title, .about = first->about, .card = pages->card, .cards = pages->cards + 1};
    text.is_live = web_page_live_supported(NULL) == CRN_OK;
    (void)snprintf(name, sizeof name, "%.*s.crn", (int)strcspn(first->address, "."), first->address);
    return view_write(cli_folder_path(pages->folder, name, recording), cli_folder_path(pages->folder, index_name, page),
                      &text, error);
}

void showcase_pages_free(showcase_pages *pages)
{
    for (int i = 0; i < pages->cards; ++i) {
        free(pages->picture[i].data);
    }
    free(pages->card);
    free(pages->picture);
    *pages = (showcase_pages){.folder = NULL};
}
