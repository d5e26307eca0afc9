/* Telling what a run gave as one JSON object. */
#include "sim_report.h"

#include "contact_request.h"
#include "json.h"
#include "sim_loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcome_names[] = {[SIM_SOLVED] = "solved",
                                            [SIM_UNCERTIFIED] = "uncertified",
                                            [SIM_UNSOLVED] = "unsolved",
                                            [SIM_DIVERGED] = "diverged"};

static void write_vec3(cli_json *json, const char *key, const crn_vec3 *v)
{
    cli_json_reals(json, key, 3, (const double[]){v->x, v->y, v->z});
}

/* [[x, y, z, w, x, y, z], ...] */
static void write_poses(cli_json *json, const char *key, int count, const crn_pose *pose)
{
    cli_json_open(json, key, '[');
    for (int i = 0; i < count; ++i) {
        const crn_vec3 *p = &pose[i].position;
        const crn_quat *q = &pose[i].rotation;
        cli_json_reals(json, NULL, 7, (const double[]){p->x, p->y, p->z, q->w, q->x, q->y, q->z});
    }
    cli_json_shut(json, ']');
}

static void write_text(cli_json *json, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        cli_json_string(json, key, text);
    } else {
        cli_json_null(json, key);
    }
}

/* [{"body": 0, "shape": 0, "told": "..."}, ...]: meshes that were mended or have faults. */
static void write_meshes(cli_json *json, const crn_model *model)
{
    char text[256];
    cli_json_open(json, "meshes", '[');
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes; ++k) {
            if (sim_start_mesh(&body->shape[k].shape, text, sizeof text)) {
                cli_json_open(json, NULL, '{');
                cli_json_int(json, "body", i);
                cli_json_int(json, "shape", k);
                cli_json_string(json, "told", text);
                cli_json_shut(json, '}');
            }
        }
    }
    cli_json_shut(json, ']');
}

/* [{"a": 3, "b": 5, "depth": 0.01, "joints": 2, "excluded": true}, ...]: bodies of one mechanism that overlap at the start. */
static void write_overlaps(cli_json *json, const crn_world *world)
{
    int count = 0;
    const crn_start_overlap *list = crn_world_start_overlaps(world, &count);
    cli_json_open(json, "start_overlaps", '[');
    for (int i = 0; i < count; ++i) {
        cli_json_open(json, NULL, '{');
        cli_json_int(json, "a", (int)list[i].a.index1 - 1);
        cli_json_int(json, "b", (int)list[i].b.index1 - 1);
        cli_json_real(json, "depth", list[i].depth);
        cli_json_int(json, "joints", list[i].joints);
        cli_json_bool(json, "excluded", list[i].is_excluded);
        cli_json_shut(json, '}');
    }
    cli_json_shut(json, ']');
}

static void write_run(cli_json *json, const sim_run *run)
{
    const crn_world_def *def = crn_model_world_of(run->model);
    bool is_diverged = run->outcome == SIM_DIVERGED;
    cli_json_string(json, "scene", run->request->scene);
    cli_json_string(json, "name", crn_model_name(run->model));
    cli_json_string(json, "outcome", outcome_names[run->outcome]);
    write_text(json, "message", is_diverged ? run->divergence.text : NULL);
    cli_json_int(json, "steps", run->totals.steps);
    cli_json_int(json, "steps_asked", run->steps);
    cli_json_real(json, "dt", def->dt);
    cli_json_real(json, "time", crn_world_time(run->world));
    cli_json_bool(json, "planar", def->is_planar);
    cli_json_int(json, "bodies", crn_model_bodies(run->model));
    cli_json_int(json, "free_bodies", run->start.free_bodies);
    cli_json_int(json, "joints", crn_model_joints(run->model));
    cli_json_string(json, "scheme", crn_scheme_name(def->scheme));
    cli_json_string(json, "method", crn_contact_method_name(def->method));
    cli_json_string(json, "cone", contact_cone_name(def->cone));
    cli_json_real(json, "overlap_start", run->start.overlap);
    cli_json_open(json, "overlap_bodies", '[');
    for (int k = 0; k < 2 && run->start.overlap > 0.0; ++k) {
        cli_json_int(json, NULL, k == 0 ? run->start.a : run->start.b);
    }
    cli_json_shut(json, ']');
    cli_json_bool(json, "overlap_is_deep", run->start.is_deep);
    write_meshes(json, run->model);
    write_overlaps(json, run->world);
}

/* [{"reason": "overlap", ...}, ...]: those that there are. */
static void write_faults(cli_json *json, const sim_totals *t)
{
    cli_json_open(json, "uncertified", '[');
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        const sim_fault *f = &t->fault[i];
        if (f->steps > 0) {
            cli_json_open(json, NULL, '{');
            cli_json_string(json, "reason", crn_verdict_name((crn_verdict)i));
            cli_json_int(json, "steps", f->steps);
            cli_json_int(json, "first_step", f->first);
            cli_json_real(json, "worst", f->amount.value);
            cli_json_int(json, "worst_step", f->amount.step);
            cli_json_real(json, "allowed", f->allowed);
            cli_json_shut(json, '}');
        }
    }
    cli_json_shut(json, ']');
}

/* Sums over the run, by the names of the figures: "friction" of "ledger.friction". */
static void write_ledger(cli_json *json, const sim_totals *t)
{
    cli_json_open(json, "ledger", '{');
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        if (figure->adds_up) {
            cli_json_real(json, strchr(figure->name, '.') + 1, crn_step_figure_get(figure, &t->sum));
        }
    }
    cli_json_shut(json, '}');
    cli_json_real(json, "unexplained_worst", t->unexplained.value);
    cli_json_real(json, "momentum_unexplained_worst", t->momentum.value);
    cli_json_real(json, "gained_worst", t->gained.value);
}

static void write_steps(cli_json *json, const sim_totals *t)
{
    cli_json_int(json, "certified_steps", t->certified);
    write_faults(json, t);
    cli_json_int(json, "unsolved_steps", t->unsolved_steps);
    cli_json_int(json, "coulomb_steps", t->steps - t->convex);
    cli_json_int(json, "convex_steps", t->convex);
    cli_json_int(json, "relaxed_steps", t->relaxed);
    cli_json_real(json, "certificate_worst", t->certificate.value);
    cli_json_real(json, "contacts_mean", sim_mean(t->contacts, t->steps));
    cli_json_int(json, "contacts_max", t->contacts_max);
    cli_json_real(json, "active_mean", sim_mean(t->active, t->steps));
    cli_json_int(json, "pivots", t->pivots);
    cli_json_int(json, "iterations", t->iterations);
    cli_json_real(json, "penetration_worst", t->penetration.value);
    cli_json_real(json, "penetration_mean", sim_mean(t->penetration_mean, t->touching));
    cli_json_real(json, "joint_error_worst", t->joint_error.value);
    cli_json_real(json, "joint_error_last", t->last.joint_error);
    cli_json_real(json, "loop_used_worst", t->loop_used.value);
}

static void write_motion(cli_json *json, const sim_run *run)
{
    const sim_totals *t = &run->totals;
    const crn_step_stats *last = &t->last;
    double start = run->start.kinetic + run->start.potential;
    bool has_moved = t->steps > 0;
    char hash[24];
    (void)snprintf(hash, sizeof hash, "%016llx", (unsigned long long)crn_world_hash(run->world));
    cli_json_real(json, "energy_start", start);
    cli_json_real(json, "energy_end", has_moved ? last->kinetic + last->potential : start);
    cli_json_real(json, "kinetic_end", has_moved ? last->kinetic : run->start.kinetic);
    cli_json_real(json, "potential_end", has_moved ? last->potential : run->start.potential);
    write_ledger(json, t);
    write_vec3(json, "momentum_start", &run->start.momentum);
    write_vec3(json, "momentum_end", has_moved ? &last->momentum : &run->start.momentum);
    write_vec3(json, "angular_momentum_end", &last->angular_momentum);
    cli_json_real(json, "step_ms_mean", 1e3 * sim_mean(t->seconds_all, t->steps));
    cli_json_real(json, "step_ms_worst", 1e3 * t->seconds.value);
    cli_json_real(json, "collide_ms_mean", 1e3 * sim_mean(t->seconds_collide, t->steps));
    cli_json_real(json, "solve_ms_mean", 1e3 * sim_mean(t->seconds_solve, t->steps));
    cli_json_real(json, "real_time_factor", t->seconds_all > 0.0 ? crn_world_time(run->world) / t->seconds_all : NAN);
    cli_json_string(json, "hash", hash);
}

static void write_names(cli_json *json, const sim_run *run)
{
    cli_json_open(json, "body_names", '[');
    for (int i = 0; i < crn_model_bodies(run->model); ++i) {
        write_text(json, NULL, crn_model_body(run->model, i)->name);
    }
    cli_json_shut(json, ']');
}

static void write_trajectory(cli_json *json, const sim_run *run)
{
    const sim_trajectory *t = &run->record.trajectory;
    size_t bodies = (size_t)run->record.bodies;
    cli_json_open(json, "trajectory", '[');
    for (int i = 0; i < t->count; ++i) {
        cli_json_open(json, NULL, '{');
        cli_json_int(json, "step", t->step[i]);
        cli_json_real(json, "time", t->time[i]);
        write_poses(json, "poses", run->record.bodies, t->pose + (size_t)i * bodies);
        cli_json_shut(json, '}');
    }
    cli_json_shut(json, ']');
}

void sim_report_json(const sim_run *run)
{
    cli_json json = cli_json_begin(stdout);
    write_run(&json, run);
    write_steps(&json, &run->totals);
    sim_loops_json(&json, run);
    write_motion(&json, run);
    write_text(&json, "recording", run->request->output);
    cli_json_int(&json, "frames", run->frames);
    write_text(&json, "csv", run->request->csv);
    write_text(&json, "page", run->request->page);
    write_text(&json, "dump", run->dump.path);
    write_names(&json, run);
    write_poses(&json, "poses", run->record.bodies, run->record.pose);
    if (run->record.has_trajectory) {
        write_trajectory(&json, run);
    }
    cli_json_end(&json);
}
