/* Coordinates and velocities of trees that have just been planted: from the poses and velocities of their bodies. */
#include <string.h>

#include "math/ldl.h"
#include "math/vec.h"
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

/* --- Velocities --- */

/* Velocity of a body about the tree's origin; of the world and of fixed bodies 0. */
static void velocity_at_origin(const crn_stepper *s, const crn_tree *tree, int body, double *V)
{
    crn_vec3 w = {0, 0, 0}, v = {0, 0, 0};
    if (body >= 0 && s->body[body].kind != CRN_BODY_FIXED) {
        const crn_rigid *rigid = &s->body[body].rigid;
        w = rigid->w;
        v = crn_v3_add(rigid->v, crn_v3_cross(w, crn_v3_sub(tree->origin, rigid->pose.position)));
    }
    crn_v3_to(w, V);
    crn_v3_to(v, V + 3);
}

static const double PARALLEL =
    1e-12; /* columns of a joint nearer to this, of their squares, tell no two speeds apart */

/* Speeds u of a joint whose sides move by V relative to one another: S u = V by least squares. */
static void joint_speeds(const crn_link *link, const double *V, double *u)
{
    double normal[CRN_JOINT_FREEDOM_MAX * CRN_JOINT_FREEDOM_MAX], work[CRN_JOINT_FREEDOM_MAX];
    crn_ldl factor = {.n = link->freedom, .ld = link->freedom, .a = normal, .work = work};
    for (int j = 0; j < link->freedom; ++j) {
        for (int i = 0; i < link->freedom; ++i) {
            normal[i + link->freedom * j] = crn_dot(6, link->S + 6 * i, link->S + 6 * j);
        }
        u[j] = crn_dot(6, link->S + 6 * j, V);
    }
    if (crn_ldl_factor(&factor, PARALLEL)) {
        crn_ldl_solve(&factor, u);
    } else {
        memset(u, 0, (size_t)link->freedom * sizeof *u);
    }
}

/* Links carry the velocities of their bodies, rotors turn with their joints. */
static void take_velocities(crn_stepper *s, const crn_step_tree *tree)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        int body = f->body[tree->link + i],
            parent = link->parent >= 0 ? f->body[tree->link + link->parent] : tree->base;
        double V[6], above[6];
        crn_trees_carry(s, tree, i, s->body[body].rigid.w, s->body[body].rigid.v);
        velocity_at_origin(s, tree->tree, body, V);
        velocity_at_origin(s, tree->tree, parent, above);
        crn_axpy(6, -1.0, above, V);
        joint_speeds(link, V, f->rotor + tree->u + link->u);
    }
}

/* What the mechanism begins with: velocities nearest to what links carry. */
static void begin_with_carried(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    const crn_step_tree *first = &f->tree[m->tree], *last = &f->tree[m->tree + m->trees - 1];
    int count = last->u + last->tree->velocities - first->u;
    crn_trees_project(s, m);
    crn_copy_numbers(f->u + first->u, f->before + first->u, count);
    crn_copy_numbers(f->shown + first->u, f->before + first->u, count);
    m->kept.is_fresh = true;
}

bool crn_trees_fit_velocities(crn_stepper *s, crn_step_mechanism *m)
{
    crn_trees_place(s, m);
    if (!crn_trees_factor(s, m, NULL)) {
        return false;
    }
    crn_trees_show(s, m);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        take_velocities(s, &s->forest.tree[t]);
    }
    begin_with_carried(s, m);
    crn_trees_show(s, m);
    return true;
}

/* --- All trees --- */

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
        begin_with_carried(s, m);
        crn_loops_widen(s, m);
        crn_trees_show(s, m);
    }
    return CRN_OK;
}
