/* Coordinates and velocities of trees that have just been planted: from the poses and velocities of their bodies. */
#include <string.h>

#include "step/loops.h"
#include "step/trees.h"

static crn_frame body_frame(const crn_stepper *s, int body)
{
    if (body < 0) {
        return (crn_frame){{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    }
    return (crn_frame){s->body[body].rigid.rotation, s->body[body].rigid.pose.position};
}

/* Coordinates from the poses of bodies; the bodies then stand where these say. */
static void take_poses(crn_stepper *s, crn_step_tree *tree)
{
    crn_step_forest *f = &s->forest;
    double *q = f->q + tree->q;
    crn_tree_rest(tree->tree, q);
    tree->tree->base = body_frame(s, tree->base);
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        int joint = f->joint[tree->link + i];
        int parent = link->parent >= 0 ? f->body[tree->link + link->parent] : tree->base;
        crn_frame above = body_frame(s, parent), here = body_frame(s, f->body[tree->link + i]);
        crn_frame side_a = crn_frame_product(&above, &link->frame_a), side_b = crn_frame_product(&here, &link->frame_b);
        if (crn_trees_recall_coordinates(s, f->body[tree->link + i], joint, link, q + link->q)) {
            continue;
        }
        if (joint >= 0) { /* turns are counted */
            memcpy(q + link->q, s->joint[joint].last, sizeof(double) * (size_t)crn_joint_kind_coordinates(link->kind));
        }
        crn_tree_measure(tree->tree, i, &side_a, &side_b, q + link->q);
    }
}

static void take_velocities(crn_stepper *s, const crn_step_tree *tree)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_rigid *body = &s->body[f->body[tree->link + i]].rigid;
        crn_trees_carry(s, tree, i, body->w, body->v);
    }
    memset(f->rotor + tree->u, 0, (size_t)tree->tree->velocities * sizeof *f->rotor);
}

crn_status crn_trees_take_states(crn_stepper *s, crn_error *error)
{
    crn_step_forest *f = &s->forest;
    crn_clear_numbers(f->u, f->velocities);
    crn_clear_numbers(f->before, f->velocities);
    crn_clear_numbers(f->nu, f->whitened); /* slack of tendons, too, which no tree writes */
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_step_mechanism *m = &f->mechanism[i];
        m->alike = crn_trees_alike(s, m);
        bool is_kept = crn_trees_is_kept(s, m);
        if (!is_kept) {
            crn_trees_begin_anew(s, m);
        }
        for (int t = m->tree; t < m->tree + m->trees; ++t) {
            take_poses(s, &f->tree[t]);
            crn_tree_place(f->tree[t].tree, f->q + f->tree[t].q);
            take_velocities(s, &f->tree[t]);
        }
        crn_trees_place(s, m);
        if (!crn_trees_factor(s, m, NULL)) {
            return crn_fail(error, CRN_ERR_ARGUMENT,
                            "joints: body %d hangs on a joint that can move without moving mass",
                            f->body[f->tree[m->tree].link]);
        }
        if (is_kept) {
            crn_trees_recall_motion(s, m);
            continue;
        }
        crn_trees_project(s, m);
        memcpy(f->u + f->tree[m->tree].u, f->before + f->tree[m->tree].u,
               (size_t)(f->tree[m->tree + m->trees - 1].u + f->tree[m->tree + m->trees - 1].tree->velocities -
                        f->tree[m->tree].u) *
                   sizeof *f->u);
        memcpy(f->shown + f->tree[m->tree].u, f->before + f->tree[m->tree].u,
               (size_t)(f->tree[m->tree + m->trees - 1].u + f->tree[m->tree + m->trees - 1].tree->velocities -
                        f->tree[m->tree].u) *
                   sizeof *f->u);
        m->kept.is_fresh = true;
        crn_loops_widen(s, m);
        crn_trees_show(s, m);
    }
    return CRN_OK;
}
