/* Energy of one body: its own, and that of the joint above it in a tree. */
#ifndef CRN_STEP_ENERGY_H
#define CRN_STEP_ENERGY_H

#include "math/rigid.h"
#include "step/trees.h"

/* Does it count: is it free? */
static inline bool crn_has_energy(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE;
}

/* The tree that a body is a link of; NULL: it is none. */
static inline const crn_step_tree *crn_tree_of(const crn_stepper *s, const crn_step_body *body)
{
    return body->tree == 0 ? NULL : &s->forest.tree[body->tree - 1];
}

/* Of rotors, the one of its joint turning as speeds (of all joints in trees) say. */
double crn_energy_rotors(const crn_step_tree *tree, int link, const double *speeds);

/* What the springs of its joint hold. */
double crn_energy_springs(const crn_stepper *s, int body);

/* Kinetic, with the rotors of its joint. In line: a step asks for it six times for each body. */
static inline double crn_energy_kinetic(const crn_stepper *s, int body, const crn_twist *twist, const double *speeds)
{
    const crn_step_body *b = &s->body[body];
    const crn_step_tree *tree = crn_tree_of(s, b);
    double sum = crn_rigid_kinetic_of(&b->rigid, twist->angular, twist->linear);
    return tree != NULL && tree->has_rotors ? sum + crn_energy_rotors(tree, b->link, speeds) : sum;
}

/* Potential of gravity, with its zero at the origin. */
static inline double crn_energy_height(const crn_stepper *s, int body)
{
    const crn_step_body *b = &s->body[body];
    return -b->rigid.mass * b->gravity_scale * crn_v3_dot(s->def.gravity, b->rigid.pose.position);
}

#endif
