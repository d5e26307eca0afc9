/* A run: steps from the start to the end. */
#include "sim_control.h"
#include "sim_run.h"

#include "progress.h"
#include "sim_scene.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* A run that is this share of a step longer than a whole number of steps ends without one more: T / H is rounded. */
static const double step_slack = 1e-6;

static crn_status count_steps(sim_run *run, crn_error *error)
{
    const crn_world_def *def = crn_model_world_of(run->model);
    if (!(def->dt > 0.0) || !(def->duration > 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: no %s; give %s", run->request->scene,
                        def->dt > 0.0 ? "duration" : "time step", def->dt > 0.0 ? "--time" : "--dt");
    }
    double steps = ceil(def->duration / def->dt - step_slack);
    if (steps > (double)INT_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: %.3g steps are too many", run->request->scene, steps);
    }
    run->steps = steps > 1.0 ? (int)steps : 1;
    return CRN_OK;
}

crn_status sim_run_prepare(sim_run *run, const sim_request *request, crn_error *error)
{
    *run = (sim_run){.request = request, .dump = {.folder = request->dump, .output = request->output}};
    crn_status status = sim_scene_load(request, &run->model, error);
    if (status == CRN_OK) {
        sim_request_apply(request, crn_model_world(run->model));
        status = count_steps(run, error);
    }
    if (status == CRN_OK) {
        status = crn_world_create_from(run->model, NULL, &run->world, error);
    }
    if (status == CRN_OK) {
        status = sim_control_apply(request, run->model, run->world, error);
    }
    return status == CRN_OK ? sim_start_look(run->model, run->world, &run->start, error) : status;
}

/* Files are opened last, when nothing but them can go wrong any more. */
static crn_status open_outputs(sim_run *run, crn_error *error)
{
    const sim_request *r = run->request;
    bool has_trajectory = r->is_json && r->every > 0;
    crn_status status = sim_page_plan(&run->page, r, crn_model_world_of(run->model)->dt, &run->every, error);
    if (status == CRN_OK) {
        status = sim_csv_open(&run->csv, r->csv, run->model, error);
    }
    if (status == CRN_OK) {
        const char *output = run->page.recording[0] != '\0' ? run->page.recording : r->output;
        status = sim_record_open(&run->record, run->model, output, run->every, has_trajectory, error);
        run->record.note_every = r->has_notes ? run->every : run->page.every;
    }
    return status;
}

/* What a step that is not certified means for the run. */
static void judge(sim_run *run, const crn_step_stats *stats, double dt, int step)
{
    bool is_unsolved = (stats->failed & (1U << CRN_VERDICT_PROBLEM)) != 0;
    bool is_other_law = (stats->failed & (1U << CRN_VERDICT_LAW)) != 0;
    sim_outcome outcome = is_unsolved                               ? SIM_UNSOLVED
                          : stats->verdict != CRN_VERDICT_CERTIFIED ? SIM_UNCERTIFIED
                                                                    : SIM_SOLVED;
    run->outcome = outcome > run->outcome ? outcome : run->outcome;
    if (is_unsolved || is_other_law) {
        sim_dump_unsolved(&run->dump, run->world, dt, step);
    }
}

/* One step and its traces; *goes_on: the motion has not diverged. */
static crn_status advance(sim_run *run, int step, double dt, bool *goes_on, crn_error *error)
{
    crn_step_stats stats = {.outcome = CRN_LCP_UNSOLVED};
    bool is_taken = step % run->every == 0;
    crn_status status = is_taken ? sim_record_before(&run->record, run->world, error) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    status = crn_world_step(run->world, dt, &stats, error);
    *goes_on = status != CRN_ERR_DIVERGED;
    if (!*goes_on) {
        run->divergence = *error;
        run->outcome = SIM_DIVERGED;
        sim_dump_diverged(&run->dump, run->world, dt, step);
        return CRN_OK;
    }
    if (status != CRN_OK) {
        return status;
    }
    sim_totals_add(&run->totals, &stats);
    judge(run, &stats, dt, step);
    sim_csv_row(&run->csv, run->model, run->world, step, &stats);
    return is_taken ? sim_record_take(&run->record, run->world, step, &stats, error) : CRN_OK;
}

static crn_status step_to_end(sim_run *run, crn_error *error)
{
    double dt = crn_model_world_of(run->model)->dt;
    cli_progress progress = cli_progress_begin(run->request->scene, run->steps);
    crn_status status = sim_record_take(&run->record, run->world, 0, NULL, error);
    bool goes_on = true;
    for (int step = 1; step <= run->steps && status == CRN_OK && goes_on; ++step) {
        status = advance(run, step, dt, &goes_on, error);
        cli_progress_update(&progress, step);
    }
    cli_progress_clear(&progress);
    return status;
}

crn_status sim_run_go(sim_run *run, crn_error *error)
{
    crn_status status = open_outputs(run, error);
    if (status == CRN_OK) {
        status = step_to_end(run, error);
    }
    if (status == CRN_OK) {
        status = sim_record_look(&run->record, run->world, error);
    }
    run->frames = run->record.frames;
    crn_error closing = {.status = CRN_OK};
    crn_status closed = sim_record_finish(&run->record, &closing);
    crn_status wanted = status != CRN_OK ? status : closed;
    closed = sim_csv_close(&run->csv, wanted, wanted == CRN_OK ? &closing : NULL);
    if (status == CRN_OK && closed == CRN_OK) {
        closed = sim_page_write(&run->page, run->request, run->model, &closing);
    }
    if (status == CRN_OK && closed != CRN_OK) {
        return crn_fail(error, closed, "%s", closing.text);
    }
    return status;
}

void sim_run_free(sim_run *run)
{
    sim_record_close(&run->record);
    (void)sim_csv_close(&run->csv, CRN_ERR_IO, NULL);
    sim_page_close(&run->page);
    crn_world_destroy(run->world);
    crn_model_destroy(run->model);
    run->world = NULL;
    run->model = NULL;
}

const char *sim_run_overlap(const sim_run *run, char text[SIM_OVERLAP_SIZE])
{
    char a[SIM_NAME_SIZE], b[SIM_NAME_SIZE];
    (void)snprintf(text, SIM_OVERLAP_SIZE, "bodies %s and %s overlap by %.3g m at the start",
                   sim_scene_body(run->model, run->start.a, a), sim_scene_body(run->model, run->start.b, b),
                   run->start.overlap);
    return text;
}
