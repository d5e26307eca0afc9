/* cairn sim -- a scene in motion. */
#include "cli.h"
#include "json.h"
#include "sim_loops.h"
#include "sim_report.h"
#include "sim_request.h"
#include "sim_run.h"
#include "sim_scene.h"

#include <stdio.h>

/* --write: the scene as a file. */
static int write_scene(const sim_request *request)
{
    crn_model *model = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = sim_scene_load(request, &model, &error);
    if (status == CRN_OK) {
        sim_request_apply(request, crn_model_world(model));
        status = crn_io_write_scene(request->write, model, &error);
    }
    crn_model_destroy(model);
    if (status != CRN_OK) {
        return cli_fail("%s", error.text);
    }
    if (!request->is_json) {
        printf("written      %s\n", request->write);
    } else {
        cli_json json = cli_json_begin(stdout);
        cli_json_string(&json, "scene", request->scene);
        cli_json_string(&json, "written", request->write);
        cli_json_end(&json);
    }
    return CLI_DONE;
}

/* Meshes that had to be mended, or are open: a line each. */
static void tell_meshes(const sim_run *run)
{
    for (int i = 0; i < crn_model_bodies(run->model); ++i) {
        const crn_body_def *body = crn_model_body(run->model, i);
        for (int k = 0; k < body->shapes; ++k) {
            char text[256];
            if (sim_start_mesh(&body->shape[k].shape, text, sizeof text)) {
                printf("mesh         bodies[%d].shapes[%d]%s%s: %s\n", i, k, body->name != NULL ? " of " : "",
                       body->name != NULL ? body->name : "", text);
            }
        }
    }
}

static const char *name_of(const sim_run *run, crn_body_id id)
{
    const crn_body_def *body = crn_model_body(run->model, (int)id.index1 - 1);
    return body != NULL && body->name != NULL ? body->name : "?";
}

/* Bodies of one mechanism that overlap at the start: a line each. */
static void tell_overlaps(const sim_run *run)
{
    int count = 0;
    const crn_start_overlap *list = crn_world_start_overlaps(run->world, &count);
    for (int i = 0; i < count; ++i) {
        printf("apart        bodies %d (%s) and %d (%s) of one mechanism overlap by %.3g m at the start: %s\n",
               (int)list[i].a.index1 - 1, name_of(run, list[i].a), (int)list[i].b.index1 - 1, name_of(run, list[i].b),
               list[i].depth, list[i].is_excluded ? "they do not touch (pairs can let them)" : "they touch");
    }
}

/* Deep overlap: told before the run, or refused. */
static bool accepts_start(const sim_run *run)
{
    char text[SIM_OVERLAP_SIZE];
    if (!run->start.is_deep) {
        return true;
    }
    if (run->request->is_strict) {
        (void)cli_fail("%s: %s (refused by --strict)", run->request->scene, sim_run_overlap(run, text));
        return false;
    }
    if (!run->request->is_json) {
        printf("overlap      %s; it is undone slowly\n", sim_run_overlap(run, text));
        (void)fflush(stdout);
    }
    return true;
}

static int simulate(const sim_request *request)
{
    sim_run run;
    crn_error error = {.status = CRN_OK};
    int code = CLI_BAD;
    crn_status status = sim_run_prepare(&run, request, &error);
    if (status != CRN_OK) {
        (void)cli_fail("%s", error.text);
    } else if (accepts_start(&run)) {
        if (!request->is_json) {
            tell_meshes(&run);
            tell_overlaps(&run);
            sim_loops_start(&run);
        }
        status = sim_run_go(&run, &error);
        if (status != CRN_OK) {
            (void)cli_fail("%s", error.text);
        } else {
            (request->is_json ? sim_report_json : sim_report_text)(&run);
            code = run.outcome == SIM_SOLVED ? CLI_DONE : CLI_NO;
        }
    }
    sim_run_free(&run);
    return code;
}

int sim_command_run(int argc, char **argv)
{
    sim_request request;
    if (!sim_request_read(&request, argc, argv)) {
        return CLI_BAD;
    }
    if (request.is_list) {
        sim_scene_list(request.is_json);
        return CLI_DONE;
    }
    return request.write != NULL ? write_scene(&request) : simulate(&request);
}
