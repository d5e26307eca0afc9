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
    crn_step_forest *f = &w->stepper.forest;
    f->mechanism[tree->mechanism].kept.is_fresh = true;
    crn_step_place_links(&w->stepper);
    crn_step_wake(&w->stepper, f->body[tree->link]);
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

static bool are_finite(const double *x, int count)
{
    bool is_finite = true;
    for (int i = 0; i < count; ++i) {
        is_finite = is_finite && isfinite(x[i]);
    }
    return is_finite;
}

crn_status crn_joint_set_velocity(crn_world *w, crn_joint_id joint, const double *velocity)
{
    const crn_step_tree *tree;
    int link;
    if (!velocity || !find_link(w, joint, &tree, &link) || !are_finite(velocity, tree->tree->link[link].freedom)) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_link *l = &tree->tree->link[link];
    for (int k = 0; k < l->freedom; ++k) {
        int at = tree->u + l->u + k;
        w->stepper.forest.before[at] = w->stepper.forest.u[at] = velocity[k];
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
    if (count == 0 || !are_finite(value, count)) {
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
    bool is_free = b->link == 0 && tree->is_floating && tree->tree->link[0].kind == CRN_JOINT_FREE;
    return is_free ? tree : NULL;
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
    double *u = w->stepper.forest.u + tree->u + root->u;
    crn_v3_to(crn_m3_transposed_times(&a.rotation, velocity->angular), u);
    crn_v3_to(crn_m3_transposed_times(&a.rotation, v), u + 3);
    memcpy(w->stepper.forest.before + tree->u + root->u, u, 6 * sizeof *u);
    changed(w, tree);
    return CRN_OK;
}
