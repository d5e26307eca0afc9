/* Energy of one body: its own, and that of the joint above it in a tree. */
#include "step/energy.h"

/* The link that a body is; NULL: it is none. */
static const crn_link *link_of(const crn_stepper *s, const crn_step_body *body, const crn_step_tree **tree)
{
    if (body->tree == 0) {
        return NULL;
    }
    *tree = &s->forest.tree[body->tree - 1];
    return &(*tree)->tree->link[body->link];
}

double crn_energy_kinetic(const crn_stepper *s, int body, const crn_twist *twist, const double *speeds)
{
    const crn_step_body *b = &s->body[body];
    const crn_step_tree *tree;
    const crn_link *link = link_of(s, b, &tree);
    double sum = crn_rigid_kinetic_of(&b->rigid, twist->angular, twist->linear);
    for (int k = 0; link && k < link->freedom; ++k) {
        double speed = speeds[tree->u + link->u + k];
        sum += 0.5 * link->armature[k] * speed * speed;
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
    const crn_step_tree *tree;
    const crn_link *link = link_of(s, &s->body[body], &tree);
    double sum = 0.0;
    bool has_springs = link && s->forest.mechanism[tree->mechanism].has_springs;
    if (has_springs && s->forest.joint[tree->link + s->body[body].link] >= 0) {
        for (int k = 0; k < link->freedom; ++k) {
            sum += crn_trees_spring_energy(s, tree, s->body[body].link, k);
        }
    }
    return sum;
}
