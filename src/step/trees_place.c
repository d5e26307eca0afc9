/* Where links are and how fast: from coordinates and velocities of trees to bodies; what is given of the motion. */
#include <string.h>

#include "step/trees.h"

/* Bodies of a tree where it is placed. */
static void pose_bodies(crn_stepper *s, const crn_step_tree *tree)
{
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        crn_rigid *rigid = &s->body[s->forest.body[tree->link + i]].rigid;
        rigid->pose.position = link->frame.position;
        rigid->pose.rotation = crn_quat_of_matrix(&link->frame.rotation);
        rigid->rotation = link->frame.rotation;
        rigid->inertia_world = link->inertia_world;
    }
}

bool crn_trees_factor(crn_stepper *s, crn_step_mechanism *m, const double *extra)
{
    bool is_positive = true;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        is_positive = crn_tree_factor(tree->tree, extra ? extra + tree->u : NULL) && is_positive;
    }
    m->has_factor = extra == NULL;
    m->closure.is_current = m->closure.is_current && extra != NULL;
    return is_positive;
}

void crn_trees_place(crn_stepper *s, crn_step_mechanism *m)
{
    m->placed = s->forest.q;
    m->drift_time = 0.0;
    m->has_factor = m->closure.is_current = false;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        if (tree->base >= 0) {
            const crn_rigid *base = &s->body[tree->base].rigid;
            tree->tree->base = (crn_frame){base->rotation, base->pose.position};
        }
        crn_tree_place(tree->tree, s->forest.q + tree->q);
        pose_bodies(s, tree);
    }
}

void crn_trees_arrive(crn_stepper *s, crn_step_mechanism *m)
{
    m->drift_time = 0.0;
    bool is_carried = false; /* a driven base ends where its motion says, not quite where its velocity led */
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        is_carried = is_carried || (tree->base >= 0 && s->body[tree->base].kind == CRN_BODY_DRIVEN);
        pose_bodies(s, tree);
    }
    if (is_carried) {
        crn_trees_place(s, m);
    }
}

/* Velocity of a base about its tree's origin. */
static void base_velocity(const crn_step_tree *tree, const double *carried, double *base)
{
    memcpy(base, carried, sizeof tree->carried);
    crn_vec3 turn = crn_v3_cross(crn_v3_of(base), tree->tree->origin);
    crn_v3_to(crn_v3_add(crn_v3_of(base + 3), turn), base + 3);
}

void crn_trees_spread(crn_stepper *s, const crn_step_mechanism *m, const double *u, double *V)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        double base[6];
        base_velocity(tree, tree->carried, base);
        crn_tree_spread(tree->tree, u + tree->u, false, base, V + 6 * (size_t)tree->link);
    }
}

void crn_trees_spread_before(crn_stepper *s, const crn_step_mechanism *m, double *V)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        double base[6];
        base_velocity(tree, tree->carried_before, base);
        crn_tree_spread(tree->tree, s->forest.before + tree->u, false, base, V + 6 * (size_t)tree->link);
    }
}

void crn_trees_known(crn_stepper *s, const crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees && m->is_driven; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        double base[6];
        base_velocity(tree, tree->carried, base);
        crn_tree_spread(tree->tree, f->u + tree->u, true, base, f->known + 6 * (size_t)tree->link);
    }
}

/* --- Velocities of bodies --- */

double crn_step_shown(const crn_stepper *s, int velocity)
{
    return s->forest.shown[velocity];
}

/* Velocities of its bodies from V. */
static void move_bodies(crn_stepper *s, const crn_step_mechanism *m)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const double *V = s->forest.V + 6 * (size_t)(tree->link + i);
            crn_rigid *rigid = &s->body[s->forest.body[tree->link + i]].rigid;
            rigid->w = crn_v3_of(V);
            rigid->v = crn_com_velocity(tree->tree, i, V);
        }
    }
}

void crn_trees_show_before(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        crn_trees_spread_before(s, m, s->forest.V);
        move_bodies(s, m);
    }
}

/* Velocities after the kick, and at its moment, when a base that moves has the mean of both sides. */
static void show_tree(crn_stepper *s, const crn_step_tree *tree)
{
    const crn_step_forest *f = &s->forest;
    double base[6], other[6];
    double *V = f->V + 6 * (size_t)tree->link, *shown = f->p + 6 * (size_t)tree->link;
    base_velocity(tree, tree->carried_before, other);
    base_velocity(tree, tree->carried, base);
    crn_tree_spread(tree->tree, f->u + tree->u, false, base, V);
    for (int k = 0; k < 6; ++k) {
        base[k] = 0.5 * (base[k] + other[k]);
    }
    crn_tree_spread(tree->tree, f->shown + tree->u, false, base, shown);
    for (int i = 0; i < tree->tree->links; ++i) {
        crn_step_body *body = &s->body[f->body[tree->link + i]];
        body->rigid.w = crn_v3_of(V + 6 * (size_t)i);
        body->rigid.v = crn_com_velocity(tree->tree, i, V + 6 * (size_t)i);
        body->shown_w = crn_v3_of(shown + 6 * (size_t)i);
        body->shown_v = crn_com_velocity(tree->tree, i, shown + 6 * (size_t)i);
    }
}

void crn_trees_show(crn_stepper *s, crn_step_mechanism *m)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        show_tree(s, &s->forest.tree[t]);
    }
}

void crn_step_place_links(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_trees_place(s, &s->forest.mechanism[i]);
        crn_trees_show(s, &s->forest.mechanism[i]);
    }
}

/* --- Given motion --- */

/* Speed that a motor without bound gives a coordinate over the step of h that begins now. */
static double driven_speed(const crn_stepper *s, const crn_joint_axis *axis, double value, double h)
{
    return axis->is_servo ? (crn_profile_at(&axis->target, s->time + h) - value) / h
                          : crn_profile_at(&axis->speed, s->time + 0.5 * h); /* of the middle: exact for ramps */
}

static void aim_tree(crn_stepper *s, crn_step_tree *tree, double h)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        for (int k = 0; link->is_driven && k < link->freedom; ++k) {
            const crn_joint_axis *axis = &s->joint[f->joint[tree->link + i]].def.axis[k];
            f->u[tree->u + link->u + k] = driven_speed(s, axis, f->q[tree->q + link->q + k], h);
        }
    }
    memset(tree->carried, 0, sizeof tree->carried);
    if (tree->base >= 0 && s->body[tree->base].kind == CRN_BODY_DRIVEN) {
        const crn_step_body *base = &s->body[tree->base];
        crn_vec3 turn = crn_v3_cross(base->rigid.pose.position, base->next_w);
        crn_v3_to(base->next_w, tree->carried);
        crn_v3_to(crn_v3_add(base->next_v, turn), tree->carried + 3);
    }
}

void crn_trees_keep_bases(crn_stepper *s)
{
    for (int i = 0; i < s->forest.trees; ++i) {
        memcpy(s->forest.tree[i].carried_before, s->forest.tree[i].carried, sizeof s->forest.tree[i].carried);
    }
}

void crn_trees_aim(crn_stepper *s, double h)
{
    for (int i = 0; i < s->forest.trees; ++i) {
        aim_tree(s, &s->forest.tree[i], h);
    }
}
