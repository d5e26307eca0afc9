/* Scenes of mechanisms that are watched at every step; what must hold of all of them.
 *
 *     nothing passes through      cores do not cross, rings stay linked, no overlap beyond 1e-6 m
 *     joints in trees are exact   1e-14 m, from the poses of their bodies
 *     loops                       1e-6 m
 *     energy                      never above its start, 1e-9 relative
 *     every step                  certified */
#ifndef CRN_TEST_MECHANISM_CASE_H
#define CRN_TEST_MECHANISM_CASE_H

#include "tree_case.h"
#include "watch.h"

static const double MECHANISM_SPEED = 0.2; /* of perturbed starts, on every joint [rad/s] */

typedef struct mechanism {
    char name[120]; /* for messages: "hoist, 10 ms, start 3" */
    crn_model *model;
    crn_world *world;
    double h;
    double open; /* worst joint of a tree so far, from poses */
    crn_gallery_watch watch;
} mechanism;

static inline void mechanism_start(mechanism *m, crn_model *model, const char *scene, double h, int start)
{
    (void)snprintf(m->name, sizeof m->name, "%s, %g ms, start %d", scene, 1e3 * h, start);
    m->model = model;
    m->h = h;
    m->open = 0.0;
    crn_model_world(model)->dt = h;
    m->world = tree_world(model);
    if (start > 0) {
        assert_int_equal(crn_gallery_perturb(model, m->world, (uint64_t)start, MECHANISM_SPEED), CRN_OK);
    }
    assert_int_equal(crn_gallery_watch_begin(&m->watch, model, m->world, NULL), CRN_OK);
}

static inline void mechanism_step(mechanism *m)
{
    TREE_CHECK(crn_gallery_watch_step(&m->watch, m->h, true, error));
    const crn_step_stats *s = &m->watch.last;
    TEST_CHECK(s->outcome == CRN_LCP_SOLVED && !s->is_relaxed, "%s, at %g s: outcome %d, certificate %g", m->name,
               s->time, (int)s->outcome, s->certificate);
    TEST_CHECK(m->watch.crossings == 0 && m->watch.below == 0, "%s, at %g s: went through", m->name, s->time);
    TEST_CHECK(m->watch.links_changed == 0, "%s, at %g s: linked otherwise", m->name, s->time);
    for (int j = 0; j < crn_model_joints(m->model); ++j) {
        if (crn_model_joint(m->model, j)->in_tree) {
            m->open = fmax(m->open, tree_opening(m->world, m->model, j));
        }
    }
}

/* What has been seen. Overlap is bounded where there are trees. */
static inline void mechanism_judge(const mechanism *m, bool has_trees)
{
    const crn_gallery_watch *w = &m->watch;
    double scale = crn_gallery_watch_scale(w);
    print_message("%s: %d steps, %.3g contacts, %.3g repairs a step, energy %+.4g of %.4g J, clamped %.3g J\n", m->name,
                  w->steps, w->contacts / w->steps, w->repairs / w->steps, w->now - w->start, scale, w->clamped);
    physics_at_most(m->name, "joints of trees, open by [m]", fmax(m->open, w->joint), 1e-14);
    physics_at_most(m->name, "loops, open by [m]", w->loop, 1e-6);
    physics_at_most(m->name, "energy above the start, relative", (w->highest - w->start) / scale, 1e-9);
    if (has_trees) {
        physics_at_most(m->name, "overlap [m]", w->penetration, 1e-6);
    }
    assert_true(w->contacts > 0.0); /* or nothing was tried */
}

static inline void mechanism_end(mechanism *m)
{
    crn_gallery_watch_end(&m->watch);
    crn_world_destroy(m->world);
    crn_model_destroy(m->model);
}

/* A scene of the gallery, all checks; seconds 0: as long as the scene is. */
static inline void mechanism_run(const char *scene, double h, double seconds, int start)
{
    mechanism m;
    mechanism_start(&m, physics_scene(scene), scene, h, start);
    double time = seconds > 0.0 ? seconds : crn_world_definition(m.world)->duration;
    for (int k = 0; k < (int)lround(time / h); ++k) {
        mechanism_step(&m);
    }
    mechanism_judge(&m, true);
    mechanism_end(&m);
}

#endif
