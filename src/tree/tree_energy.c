/* Where links are and how they move, energy and momentum.
 *
 *     K = 1/2 sum (m v_c'v_c + w'I w) + 1/2 sum armature u^2,    P = -sum m g'x_c,    momentum: sum (x_c x m v_c + I w; m v_c)
 *
 * Armature counts in the energy; it stands for rotors inside links and has no momentum of its own in space. */
#include "tree/tree_parts.h"

void crn_tree_kinematics(crn_tree *tree, const double *q, const double *u, crn_frame *frame, double *velocity)
{
    if (tree == NULL || q == NULL) {
        return;
    }
    double *V = tree->scratch;
    crn_tree_place(tree, q);
    crn_tree_spread(tree, u, false, NULL, V);
    for (int i = 0; i < tree->links; ++i) {
        const crn_frame *com = &tree->link[i].frame;
        crn_vec3 back = crn_m3_times(&com->rotation, tree->body[i].position);
        crn_vec3 at = crn_v3_sub(com->position, back), w = crn_v3_of(V + 6 * i);
        if (frame != NULL) {
            frame[i] = (crn_frame){com->rotation, at};
        }
        if (velocity != NULL) {
            crn_vec3 v = crn_v3_add(crn_v3_of(V + 6 * i + 3), crn_v3_cross(w, crn_v3_sub(at, tree->origin)));
            crn_v3_to(w, velocity + 6 * i);
            crn_v3_to(v, velocity + 6 * i + 3);
        }
    }
}

void crn_tree_energy(crn_tree *tree, const double *q, const double *u, crn_vec3 gravity, double *kinetic,
                     double *potential, double *momentum)
{
    if (tree == NULL || q == NULL) {
        return;
    }
    double *V = tree->scratch, K = 0.0, P = 0.0;
    crn_vec3 angular = {0, 0, 0}, linear = {0, 0, 0};
    crn_tree_place(tree, q);
    crn_tree_spread(tree, u, false, NULL, V);
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        crn_vec3 x = link->frame.position, w = crn_v3_of(V + 6 * i);
        crn_vec3 v = crn_v3_add(crn_v3_of(V + 6 * i + 3), crn_v3_cross(w, crn_v3_sub(x, tree->origin)));
        crn_vec3 mv = crn_v3_scale(link->mass, v), spin = crn_m3_times(&link->inertia_world, w);
        K += 0.5 * (crn_v3_dot(mv, v) + crn_v3_dot(spin, w));
        P -= link->mass * crn_v3_dot(gravity, x);
        linear = crn_v3_add(linear, mv);
        angular = crn_v3_add(angular, crn_v3_add(spin, crn_v3_cross(x, mv)));
        for (int k = 0; k < link->freedom && u != NULL; ++k) {
            K += 0.5 * link->armature[k] * u[link->u + k] * u[link->u + k];
        }
    }
    if (kinetic != NULL) {
        *kinetic = K;
    }
    if (potential != NULL) {
        *potential = P;
    }
    if (momentum != NULL) {
        crn_v3_to(angular, momentum);
        crn_v3_to(linear, momentum + 3);
    }
}
