/* Telling how the loops of mechanisms are held. */
#include "sim_loops.h"

#include "sim_scene.h"

#include <math.h>
#include <stdio.h>

static const double fits = 1e-6;      /* [m, rad] a misfit below this is none: repairs leave as much */
static const double rounding = 1e-9;  /* of a clearance: less is not open */
static const double more_room = 10.0; /* clearances: what a message proposes for a mechanism that is jammed */

static const char *joint_name(const sim_run *run, const crn_mechanism_report *r, char text[SIM_NAME_SIZE])
{
    const crn_joint_def *joint = crn_model_joint(run->model, r->joint - 1);
    if (joint != NULL && joint->name != NULL) {
        char shown[61];
        (void)crn_show(joint->name, shown, sizeof shown);
        (void)snprintf(text, SIM_NAME_SIZE, "'%s'", shown);
    } else {
        (void)snprintf(text, SIM_NAME_SIZE, "%d", r->joint - 1);
    }
    return text;
}

static void print_beginning(const sim_run *run, const crn_mechanism_report *r)
{
    char name[SIM_NAME_SIZE];
    printf("mechanism    of %s: ", sim_scene_body(run->model, r->body.index1 - 1, name));
}

/* How many rows there are, how many are needed, and what becomes of the others. */
static void print_rows(const sim_run *run, const crn_mechanism_report *r)
{
    char name[SIM_NAME_SIZE];
    int more = r->rows - r->held;
    print_beginning(run, r);
    printf("%d loop rows, %d needed; %d over-constrain%s it and ", r->rows, r->held, more, more == 1 ? "s" : "");
    if (r->misfit > r->misfit_allowed && r->misfit > fits) {
        printf("do not fit: joint %s stays open by %.3g mm\n", joint_name(run, r, name), 1e3 * r->opening);
    } else if (r->loose > 0) {
        printf("let%s it move within a clearance of %.3g mm\n", more == 1 ? "s" : "", 1e3 * r->clearance);
    } else {
        printf("fit%s exactly\n", more == 1 ? "s" : "");
    }
}

static void print_jam(const sim_run *run, const crn_mechanism_report *r)
{
    char name[SIM_NAME_SIZE];
    print_beginning(run, r);
    printf("JAMMED: joint %s is open by its clearance of %.3g mm; are axes not parallel? --clearance %.2g gives it "
           "%.3g mm\n",
           joint_name(run, r, name), 1e3 * r->clearance, more_room * r->clearance / r->size,
           1e3 * more_room * r->clearance);
}

void sim_loops_start(const sim_run *run)
{
    crn_mechanism_report report;
    for (int i = 0; i < crn_world_mechanisms(run->world); ++i) {
        if (crn_world_mechanism(run->world, i, &report, NULL) == CRN_OK && report.rows > report.held) {
            print_rows(run, &report);
        }
    }
    (void)fflush(stdout);
}

void sim_loops_end(const sim_run *run)
{
    const sim_totals *t = &run->totals;
    crn_mechanism_report report;
    if (crn_world_mechanisms(run->world) > 0) {
        printf("loops        %d rows, %d held to %.3g; ", t->last.loop_rows, t->last.loop_held, t->joint_error.value);
        if (t->loop_used.value > rounding) {
            printf("opened at most by %.3g of the clearance (step %d)\n", t->loop_used.value, t->loop_used.step);
        } else {
            printf("no clearance used\n");
        }
    }
    for (int i = 0; i < crn_world_mechanisms(run->world); ++i) {
        if (crn_world_mechanism(run->world, i, &report, NULL) == CRN_OK && report.is_jammed) {
            print_jam(run, &report);
        }
    }
}

void sim_loops_json(cli_json *json, const sim_run *run)
{
    crn_mechanism_report r;
    cli_json_open(json, "mechanisms", '[');
    for (int i = 0; i < crn_world_mechanisms(run->world); ++i) {
        if (crn_world_mechanism(run->world, i, &r, NULL) != CRN_OK) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_int(json, "body", r.body.index1 - 1);
        cli_json_int(json, "links", r.links);
        cli_json_int(json, "loops", r.loops);
        cli_json_int(json, "rows", r.rows);
        cli_json_int(json, "held", r.held);
        cli_json_int(json, "loose", r.loose);
        cli_json_int(json, "null", r.none);
        cli_json_real(json, "error", r.error);
        cli_json_int(json, "joint", r.joint - 1);
        cli_json_real(json, "opening", r.opening);
        cli_json_real(json, "clearance", r.clearance);
        cli_json_real(json, "misfit", r.misfit);
        cli_json_bool(json, "jammed", r.is_jammed);
        cli_json_shut(json, '}');
    }
    cli_json_shut(json, ']');
}
