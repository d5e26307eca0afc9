/* Energy of one body: its own, and that of the joint above it in a tree. */
#include "step/energy.h"

double crn_energy_rotors(const crn_step_tree *tree, int link, const double *speeds)
{
    const crn_link *l = &tree->tree->link[link];
    double sum = 0.0;
    for (int k = 0; k < l->freedom; ++k) {
        double speed = speeds[tree->u + l->u + k];
        sum += 0.5 * l->armature[k] * speed * speed;
    }
    return sum;
}

double crn_energy_springs(const crn_stepper *s, int body)
{
    const crn_step_tree *tree = crn_tree_of(s, &s->body[body]);
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
