/* One run of a scene of [HA03]. Times are of the processor, for this thread: other programs on the machine do not count. */
#include "paper_hart.h"

#include "paper_measure.h"

#include "gallery_worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };

/* --- The scene --- */

static crn_status make_model(const hart_request *request, crn_model **model, crn_error *error)
{
    if (request->scene) {
        return crn_gallery_world(request->scene, model, error);
    }
    crn_gallery_nut nut = {request->dt, request->seed, CRN_SCHEME_CONVEX};
    crn_status status = crn_model_create(NULL, model, error);
    return status == CRN_OK ? crn_gallery_brazil_nut_of(*model, &nut, error) : status;
}

static crn_status make_scene(const hart_request *request, crn_model **model, crn_world **world, crn_error *error)
{
    crn_status status = make_model(request, model, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_world_def *def = crn_model_world(*model);
    def->integrator = CRN_INTEGRATOR_HART;
    def->is_unstabilised = request->variant == HART_UNSTABILISED;
    def->scheme = request->variant == HART_PLAIN ? CRN_SCHEME_PLAIN : def->scheme;
    return crn_world_create_from(*model, NULL, world, error);
}

static bool take_memory(paper *p, hart_run *run)
{
    double **column[COLUMNS] = {&run->time,   &run->overlap,   &run->ms,        &run->contacts,
                                &run->active, &run->large_top, &run->small_top, &run->above};
    run->memory = calloc((size_t)COLUMNS * (size_t)run->steps, sizeof *run->memory);
    if (!run->memory) {
        (void)crn_fail(&p->error, CRN_ERR_MEMORY, "out of memory");
        return false;
    }
    for (int c = 0; c < COLUMNS; ++c) {
        *column[c] = run->memory + (size_t)c * (size_t)run->steps;
    }
    return true;
}

void hart_run_free(hart_run *run)
{
    for (int f = 0; f < run->frames; ++f) {
        free(run->frame[f].body);
    }
    free(run->memory);
    *run = (hart_run){.steps = 0};
}

/* --- Looking at the world --- */

static crn_pose pose_of(const crn_world *world, int body)
{
    crn_pose pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    (void)crn_body_pose(world, crn_world_body(world, body + 1), &pose);
    return pose;
}

static double angle_of(crn_pose pose)
{
    return 2.0 * atan2(pose.rotation.z, pose.rotation.w);
}

/* Half-planes of a body that is not free; its own pose moves them, and never turns them in these scenes. */
static void add_walls(hart_frame *frame, const crn_body_def *def, crn_pose at)
{
    for (int s = 0; s < def->shapes && frame->walls < HART_WALLS_MAX; ++s) {
        crn_pose pose = def->shape[s].pose;
        double angle = angle_of(pose), nx = -sin(angle), ny = cos(angle);
        double x = pose.position.x + at.position.x, y = pose.position.y + at.position.y;
        frame->wall[frame->walls++] = (hart_wall){nx, ny, nx * x + ny * y};
    }
}

static hart_body body_of(const crn_body_def *def, crn_pose pose)
{
    const crn_shape_def *shape = &def->shape[0].shape;
    double ry = shape->kind == CRN_SHAPE_ELLIPSE ? shape->size.y : shape->size.x;
    bool is_large = def->name && strcmp(def->name, "nut") == 0;
    return (hart_body){pose.position.x, pose.position.y, angle_of(pose), shape->size.x, ry, is_large};
}

static bool take_frame(paper *p, hart_run *run, const crn_model *model, const crn_world *world)
{
    hart_frame *frame = &run->frame[run->frames];
    int count = crn_model_bodies(model);
    *frame = (hart_frame){.time = crn_world_time(world), .body = calloc((size_t)count, sizeof *frame->body)};
    if (!frame->body) {
        (void)crn_fail(&p->error, CRN_ERR_MEMORY, "out of memory");
        return false;
    }
    run->frames++;
    for (int i = 0; i < count; ++i) {
        const crn_body_def *def = crn_model_body(model, i);
        if (def->kind == CRN_BODY_FREE) {
            frame->body[frame->bodies++] = body_of(def, pose_of(world, i));
        } else {
            add_walls(frame, def, pose_of(world, i));
        }
    }
    return true;
}

/* How high the nut and the small disks reach, over the floor of the box. */
static void look_at_nut(hart_run *run, int k, const crn_model *model, const crn_world *world)
{
    int nut = crn_model_find_body(model, "nut"), box = crn_model_find_body(model, "box");
    if (nut < 0 || box < 0) {
        return;
    }
    double floor = pose_of(world, box).position.y;
    run->large_top[k] = pose_of(world, nut).position.y + crn_model_body(model, nut)->shape->shape.size.x - floor;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        if (i != nut && i != box) {
            double radius = crn_model_body(model, i)->shape->shape.size.x;
            double top = pose_of(world, i).position.y + radius - floor;
            run->small_top[k] = fmax(run->small_top[k], top);
            run->above[k] += top > run->large_top[k];
            run->small_radius = fmax(run->small_radius, radius);
        }
    }
}

/* --- Stepping --- */

static crn_status make_step(hart_run *run, int k, crn_world *world, crn_error *error)
{
    crn_step_stats stats;
    double start = paper_thread_seconds();
    crn_status status = crn_world_step(world, run->dt, &stats, error);
    run->ms[k] = 1e3 * (paper_thread_seconds() - start);
    if (status != CRN_OK) {
        return status;
    }
    run->time[k] = stats.time;
    run->contacts[k] = stats.contacts;
    run->active[k] = stats.active;
    run->certified += stats.outcome == CRN_LCP_SOLVED;
    run->relaxed += stats.is_relaxed;
    run->most_problems = stats.problems > run->most_problems ? stats.problems : run->most_problems;
    run->certificate = fmax(run->certificate, stats.certificate);
    run->mean_overlap += k < run->shaken ? stats.penetration_mean / run->shaken : 0.0;
    status = crn_world_overlap(world, &run->overlap[k], NULL, NULL);
    run->deepest = fmax(run->deepest, run->overlap[k]);
    return status;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool sum_up_times(paper *p, hart_run *run)
{
    double *sorted = malloc((size_t)run->steps * sizeof *sorted);
    if (!sorted) {
        (void)crn_fail(&p->error, CRN_ERR_MEMORY, "out of memory");
        return false;
    }
    memcpy(sorted, run->ms, (size_t)run->shaken * sizeof *sorted);
    qsort(sorted, (size_t)run->shaken, sizeof *sorted, by_value);
    for (int k = 0; k < run->steps; ++k) {
        run->mean_ms += k < run->shaken ? run->ms[k] / run->shaken : 0.0;
        run->whole_ms += run->ms[k] / run->steps;
        run->worst_ms = fmax(run->worst_ms, run->ms[k]);
    }
    run->p99_ms = sorted[(int)(0.99 * (run->shaken - 1))];
    free(sorted);
    return true;
}

/* All steps, with frames at their times; the first may be at 0. */
static bool step_through(paper *p, const hart_request *request, hart_run *run, const crn_model *model, crn_world *world)
{
    bool ok = true;
    for (int k = 0; k <= run->steps && ok; ++k) {
        double now = k * run->dt;
        while (ok && run->frames < request->frames && request->frame_times[run->frames] < now + 0.5 * run->dt) {
            ok = take_frame(p, run, model, world);
        }
        if (k == run->steps || !ok) {
            break;
        }
        ok = make_step(run, k, world, &p->error) == CRN_OK;
        if (ok) {
            look_at_nut(run, k, model, world);
        }
        if (floor(now + run->dt) > floor(now)) {
            paper_step(p);
        }
    }
    return ok;
}

bool hart_run_make(paper *p, const hart_request *request, hart_run *run)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    *run = (hart_run){.steps = 0};
    bool ok =
        make_scene(request, &model, &world, &p->error) == CRN_OK && paper_keep_scene(p, model, crn_model_name(model));
    if (ok) {
        const crn_world_def *def = crn_model_world_of(model);
        run->dt = def->dt;
        run->steps = (int)lround((request->seconds > 0.0 ? request->seconds : def->duration) / def->dt);
        run->bodies = crn_model_bodies(model) - 1; /* without table or box */
        run->shaken = request->scene ? run->steps : (int)lround(CRN_GALLERY_NUT_SHAKEN / def->dt);
        run->shaken = run->shaken < run->steps ? run->shaken : run->steps;
        ok = take_memory(p, run) && step_through(p, request, run, model, world) && sum_up_times(p, run);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    p->is_broken = p->is_broken || !ok;
    return ok;
}

double hart_largest(const hart_run *run, double from, double until)
{
    double largest = 0.0;
    for (int k = 0; k < run->steps; ++k) {
        bool is_inside = run->time[k] > from + 0.5 * run->dt && run->time[k] < until + 0.5 * run->dt;
        largest = is_inside ? fmax(largest, run->overlap[k]) : largest;
    }
    return largest;
}
