/* The page of a run. */
#include "sim_page.h"

#include "lessons.h"
#include "sim_scene.h"
#include "view.h"

#include <stdio.h>
#include <sys/stat.h>

crn_status sim_page_plan(sim_page *page, const sim_request *request, double dt, int *every, crn_error *error)
{
    *page = (sim_page){.recording = ""};
    *every = request->every > 0 ? request->every : 1;
    if (request->page == NULL) {
        return CRN_OK;
    }
    crn_status status = request->is_live ? web_page_live_supported(error) : web_page_supported(error);
    if (request->output == NULL) {
        *every = request->every > 0 ? request->every : web_page_stride(dt);
        status = status == CRN_OK ? cli_folder_scratch(request->page, ".crn", page->recording, error) : status;
        page->recording[0] = status == CRN_OK ? page->recording[0] : '\0';
    }
    page->every = *every * web_page_stride(dt * *every);
    return status;
}

crn_status sim_page_write(sim_page *page, const sim_request *request, const crn_model *model, crn_error *error)
{
    bool is_own = page->recording[0] != '\0';
    struct stat about;
    if (request->page == NULL) {
        return CRN_OK;
    }
    const char *name = crn_model_name(model);
    const lesson *taught = lessons_find(request->scene);
    web_text text = {.title = name[0] != '\0' ? name : request->scene,
                     .about = sim_scene_about(request->scene),
                     .home = request->home,
                     .is_live = request->is_live,
                     .lesson = taught != NULL ? &taught->page : NULL,
                     .card = NULL};
    if (taught != NULL) {
        text.title = taught->title;
        text.about = taught->about;
    }
    crn_status status = view_write(is_own ? page->recording : request->output, request->page, &text, error);
    if (status == CRN_OK) {
        page->megabytes = stat(request->page, &about) == 0 ? 1e-6 * (double)about.st_size : 0.0;
    }
    return status;
}

void sim_page_close(sim_page *page)
{
    if (page->recording[0] != '\0') {
        (void)remove(page->recording);
        page->recording[0] = '\0';
    }
}
