/* bench_trees_run.c -- scenes of mechanisms, made, perturbed, stepped and judged. */
#include "bench_trees.h"

#include "gallery_worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"

static const bench_trees_scene scenes[] = {
    {"hoist", {1e-3, 1e-2}, false},       {"net", {1e-3, 1e-2}, false},   {"net-doubled", {1e-3, 1e-2}, false},
    {"ring2", {1e-3, 1e-2}, false},       {"ring3", {1e-3, 1e-2}, false}, {"humanoid", {1e-3, 5e-3, 1e-2}, false},
    {"double-rings", {1e-3, 1e-2}, true},
};

int bench_trees_count(void)
{
    return (int)(sizeof scenes / sizeof *scenes);
}

const bench_trees_scene *bench_trees_at(int i)
{
    return &scenes[i];
}

/* --- Scenes made otherwise --- */

/* The same bodies and joints, friction of all shapes another. */
static crn_status copy_with_friction(const crn_model *from, double friction, crn_model *to, crn_error *error)
{
    crn_status status = CRN_OK;
    *crn_model_world(to) = *crn_model_world_of(from);
    for (int i = 0; i < crn_model_bodies(from) && status == CRN_OK; ++i) {
        crn_body_def def = *crn_model_body(from, i);
        crn_body_shape *shape = calloc((size_t)def.shapes + 1, sizeof *shape);
        if (!shape) {
            return crn_fail(error, CRN_ERR_MEMORY, "out of memory");
        }
        for (int k = 0; k < def.shapes; ++k) {
            shape[k] = def.shape[k];
            shape[k].friction = friction;
        }
        def.shape = def.shapes > 0 ? shape : NULL;
        status = crn_model_add_body(to, &def, NULL, error);
        free(shape);
    }
    for (int j = 0; j < crn_model_joints(from) && status == CRN_OK; ++j) {
        status = crn_model_add_joint(to, crn_model_joint(from, j), NULL, error);
    }
    return status;
}

static crn_status make_plain(const bench_trees_options *options, const char *name, crn_model **model, crn_error *error)
{
    if (strcmp(name, "hoist") != 0 || options->end_mass == 0.0) {
        return crn_gallery_world(name, model, error);
    }
    crn_status status = crn_model_create(NULL, model, error);
    return status == CRN_OK ? crn_gallery_hoist_of(*model, options->end_mass, error) : status;
}

static crn_status make_model(const bench_trees_options *options, const char *name, crn_model **model, crn_error *error)
{
    crn_model *other = NULL;
    crn_status status = make_plain(options, name, model, error);
    if (status == CRN_OK && options->friction >= 0.0) {
        status = crn_model_create(NULL, &other, error);
        if (status == CRN_OK) {
            status = copy_with_friction(*model, options->friction, other, error);
        }
        crn_model_destroy(*model);
        *model = other;
    }
    if (status == CRN_OK) {
        crn_world_def *def = crn_model_world(*model);
        def->repair_tolerance = options->tolerance > 0.0 ? options->tolerance : def->repair_tolerance;
        def->drift_turn = options->turn > 0.0 ? options->turn : def->drift_turn;
        def->cone = options->is_round ? CRN_CONE_ROUND : def->cone;
        def->integrator = options->scheme;
    }
    return status;
}

/* Joints of trees; free bodies that no joint holds turn otherwise. */
static crn_status perturb(const bench_trees_scene *scene, const crn_model *model, crn_world *world, int seed,
                          double speed)
{
    crn_status status = crn_gallery_perturb(model, world, (uint64_t)seed, speed);
    crn_random random = crn_random_seed((uint64_t)seed);
    for (int i = 0; i < crn_model_bodies(model) && scene->is_free && status == CRN_OK; ++i) {
        crn_body_id body = crn_world_body(world, i + 1);
        crn_twist v;
        status = crn_body_velocity(world, body, &v);
        v.angular.x += crn_random_uniform(&random, -speed, speed);
        v.angular.y += crn_random_uniform(&random, -speed, speed);
        v.angular.z += crn_random_uniform(&random, -speed, speed);
        if (status == CRN_OK) {
            status = crn_body_set_velocity(world, body, &v);
        }
    }
    return status;
}

/* --- A run --- */

static void step_through(crn_world *world, const crn_model *model, bench_trees_run *run)
{
    crn_error error = {CRN_OK, ""};
    run->status = crn_gallery_watch_begin(&run->watch, model, world, bench_thread_seconds);
    if (run->status == CRN_OK) {
        for (int k = 0; k < run->wanted && run->status == CRN_OK; ++k) {
            run->status = crn_gallery_watch_step(&run->watch, run->h, true, &error);
        }
        crn_gallery_watch_end(&run->watch);
    }
    (void)snprintf(run->reason, sizeof run->reason, "%s", error.text);
}

bool bench_trees_run_one(const bench_trees_options *options, const bench_trees_scene *scene, double h, int seed,
                         bench_trees_run *run)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    crn_error error = {CRN_OK, ""};
    memset(run, 0, sizeof *run);
    run->scene = scene;
    run->h = h;
    run->seed = seed;
    crn_status status = make_model(options, scene->name, &model, &error);
    if (status == CRN_OK) {
        crn_model_world(model)->dt = h;
        double duration = options->duration > 0.0 ? options->duration : crn_model_world(model)->duration;
        run->wanted = (int)lround(duration / h);
        status = crn_world_create_from(model, NULL, &world, &error);
    }
    if (status == CRN_OK && seed > 0) {
        status = perturb(scene, model, world, seed, options->speed);
    }
    if (status == CRN_OK) {
        step_through(world, model, run);
    } else {
        fprintf(stderr, "bench_trees: %s: %s\n", scene->name, error.text);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    return status == CRN_OK;
}

/* --- What should be --- */

static const double JOINT_MOST = 1e-14;  /* in trees: rounding of a metre or two */
static const double OVERLAP_MOST = 1e-6; /* [m]; of loops too */
static const double GAIN_MOST = 1e-9;    /* of energy, relative */

void bench_trees_verdict(const bench_trees_run *run, char text[BENCH_TREES_TEXT])
{
    const crn_gallery_watch *w = &run->watch;
    const struct {
        bool is_bad;
        const char *name;
    } all[] = {
        {run->status != CRN_OK, "ended"},
        {w->crossings > 0 || w->below > 0 || w->links_changed > 0, "passes"},
        {!(w->joint <= JOINT_MOST), "joints"},
        {!(w->loop <= OVERLAP_MOST), "loops"},
        {!run->scene->is_free && !(w->penetration <= OVERLAP_MOST), "overlap"},
        {!(w->highest - w->start <= GAIN_MOST * crn_gallery_watch_scale(w)), "energy"},
        {w->uncertified > 0, "uncertified"},
        {w->relaxed > 0, "jammed"},
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        size_t used = strlen(text);
        if (all[i].is_bad) {
            (void)snprintf(text + used, BENCH_TREES_TEXT - used, "%s%s", used > 0 ? " " : "", all[i].name);
        }
    }
    if (text[0] == '\0') {
        (void)snprintf(text, BENCH_TREES_TEXT, "ok");
    }
}
