/* Trees of a world: joints by their own coordinates and velocities. */
#include "world/world.h"

#include <math.h>
#include <string.h>

/* --- Joints in trees --- */

/* The tree and link of a joint; false if it is in none. */
static bool find_link(crn_world *w, crn_joint_id joint, const crn_step_tree **tree, int *link)
{
    int i = crn_world_joint_index(w, joint);
    return i >= 0 && crn_step_plant(&w->stepper, NULL) == CRN_OK && crn_step_joint_link(&w->stepper, i, tree, link);
}

static void changed(crn_world *w, const crn_step_tree *tree)
{
    crn_body_id root = w->stepper.body[w->stepper.forest.body[tree->link]].id;
    crn_world_trees_changed(w, &root, 1);
}

void crn_world_trees_changed(crn_world *w, const crn_body_id *body, int count)
{
    crn_step_forest *f = &w->stepper.forest;
    for (int i = 0; i < count; ++i) {
        int tree = w->stepper.body[body[i].index1 - 1].tree;
        if (tree > 0) {
            f->mechanism[f->tree[tree - 1].mechanism].kept.is_fresh = true;
            w->stepper.books.is_closed = false;
        }
    }
    crn_step_place_links(&w->stepper);
    for (int i = 0; i < count; ++i) {
        crn_step_wake(&w->stepper, (int)body[i].index1 - 1);
    }
}

crn_status crn_joint_velocity(const crn_world *w, crn_joint_id joint, double *velocity)
{
    const crn_step_tree *tree;
    int link, i = crn_world_joint_index(w, joint);
    if (i < 0 || !velocity || w->stepper.forest.is_stale || !crn_step_joint_link(&w->stepper, i, &tree, &link)) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *l = &tree->tree->link[link];
    for (int k = 0; k < l->freedom; ++k) {
        int at = tree->u + l->u + k;
        velocity[k] = crn_step_shown(&w->stepper, at);
    }
    return CRN_OK;
}

crn_status crn_joint_set_velocity(crn_world *w, crn_joint_id joint, const double *velocity)
{
    const crn_step_tree *tree;
    int link;
    if (!velocity || !find_link(w, joint, &tree, &link) ||
        !crn_world_are_within(velocity, tree->tree->link[link].freedom, CRN_WORLD_SPEED_MOST)) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *l = &tree->tree->link[link];
    for (int k = 0; k < l->freedom; ++k) {
        int at = tree->u + l->u + k;
        w->stepper.forest.shown[at] = w->stepper.forest.before[at] = w->stepper.forest.u[at] = velocity[k];
    }
    changed(w, tree);
    return CRN_OK;
}

crn_status crn_joint_set_coordinate(crn_world *w, crn_joint_id joint, const double *value)
{
    const crn_step_tree *tree;
    int link;
    if (!value || !find_link(w, joint, &tree, &link)) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *l = &tree->tree->link[link];
    int count = crn_joint_kind_coordinates(l->kind);
    if (count == 0 || !crn_world_are_within(value, count, CRN_WORLD_POSITION_MOST)) {
        return CRN_ERR_ARGUMENT;
    }
    memcpy(w->stepper.forest.q + tree->q + l->q, value, (size_t)count * sizeof *value);
    changed(w, tree);
    return CRN_OK;
}

/* --- Roots that float --- */

bool crn_world_is_link(crn_world *w, int body)
{
    return crn_step_plant(&w->stepper, NULL) == CRN_OK && w->stepper.body[body].tree > 0;
}

static const crn_step_tree *floating_root(const crn_world *w, int body)
{
    const crn_step_body *b = &w->stepper.body[body];
    const crn_step_tree *tree = &w->stepper.forest.tree[b->tree - 1];
    return b->link == 0 && tree->is_floating ? tree : NULL;
}

/* Put the root's joint frame on the link where the pose of the body says. */
crn_status crn_world_set_root_pose(crn_world *w, int body, const crn_pose *pose)
{
    const crn_step_tree *tree = floating_root(w, body);
    if (!tree) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *root = &tree->tree->link[0];
    crn_step_body copy = w->stepper.body[body];
    crn_step_set_body_pose(&copy, pose);
    crn_frame here = {copy.rigid.rotation, copy.rigid.pose.position};
    crn_frame side_a = crn_frame_product(&tree->tree->base, &root->frame_a);
    crn_frame side_b = crn_frame_product(&here, &root->frame_b);
    crn_tree_measure(tree->tree, 0, &side_a, &side_b, w->stepper.forest.q + tree->q + root->q);
    changed(w, tree);
    return CRN_OK;
}

crn_status crn_world_set_root_velocity(crn_world *w, int body, const crn_twist *velocity)
{
    const crn_step_tree *tree = floating_root(w, body);
    if (!tree) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *root = &tree->tree->link[0];
    crn_frame a = crn_frame_product(&tree->tree->base, &root->frame_a);
    crn_vec3 arm = crn_m3_times(&root->frame.rotation, root->frame_b.position);
    crn_vec3 v = crn_v3_add(velocity->linear, crn_v3_cross(velocity->angular, arm));
    crn_vec3 wa = crn_m3_transposed_times(&a.rotation, velocity->angular), va = crn_m3_transposed_times(&a.rotation, v);
    const double all[6] = {wa.x, wa.y, wa.z, va.x, va.y, va.z}, planar[6] = {va.x, va.y, wa.z};
    for (int k = 0; k < root->freedom; ++k) {
        int at = tree->u + root->u + k;
        double speed = root->kind == CRN_JOINT_FREE ? all[k] : planar[k];
        w->stepper.forest.u[at] = w->stepper.forest.before[at] = w->stepper.forest.shown[at] = speed;
    }
    changed(w, tree);
    return CRN_OK;
}

/* --- Mechanisms with loops --- */

int crn_world_mechanisms(crn_world *w)
{
    return w && crn_step_plant(&w->stepper, NULL) == CRN_OK ? crn_step_looped(&w->stepper) : 0;
}

crn_status crn_world_mechanism(crn_world *w, int index, crn_mechanism_report *report, crn_error *error)
{
    crn_clear(error);
    if (!report || index < 0 || index >= crn_world_mechanisms(w)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "mechanism %d: the world has %d with loops", index,
                        crn_world_mechanisms(w));
    }
    int body, joint;
    crn_step_report_mechanism(&w->stepper, index, report, &body, &joint);
    const crn_step_joint *tightest = &w->stepper.joint[joint];
    report->body = w->stepper.body[body].id;
    report->joint = joint + 1;
    report->a = tightest->a >= 0 ? w->stepper.body[tightest->a].id : (crn_body_id){0, 0};
    report->b = tightest->b >= 0 ? w->stepper.body[tightest->b].id : (crn_body_id){0, 0};
    return CRN_OK;
}
