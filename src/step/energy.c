/* Energy of one body: its own, and that of the joint above it in a tree. */
#include "step/energy.h"

/* The tree that a body is a link of; NULL: it is none. */
static const crn_step_tree *tree_of(const crn_stepper *s, const crn_step_body *body)
{
    return body->tree == 0 ? NULL : &s->forest.tree[body->tree - 1];
}

double crn_energy_kinetic(const crn_stepper *s, int body, const crn_twist *twist, const double *speeds)
{
    const crn_step_body *b = &s->body[body];
    const crn_step_tree *tree = tree_of(s, b);
    double sum = crn_rigid_kinetic_of(&b->rigid, twist->angular, twist->linear);
    if (tree != NULL && tree->has_rotors) {
        const crn_link *link = &tree->tree->link[b->link];
        for (int k = 0; k < link->freedom; ++k) {
            double speed = speeds[tree->u + link->u + k];
            sum += 0.5 * link->armature[k] * speed * speed;
        }
    }
    return sum;
}

double crn_energy_height(const crn_stepper *s, int body)
{
    const crn_step_body *b = &s->body[body];
    return -b->rigid.mass * b->gravity_scale * crn_v3_dot(s->def.gravity, b->rigid.pose.position);
}

double crn_energy_springs(const crn_stepper *s, int body)
{
    const crn_step_tree *tree = tree_of(s, &s->body[body]);
    int link = s->body[body].link;
    double sum = 0.0;
    bool has_springs = tree != NULL && s->forest.mechanism[tree->mechanism].has_springs;
    if (has_springs && s->forest.joint[tree->link + link] >= 0) {
        for (int k = 0; k < tree->tree->link[link].freedom; ++k) {
            sum += crn_trees_spring_energy(s, tree, link, k);
        }
    }
    return sum;
}
