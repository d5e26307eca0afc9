/* Jacobians: how frames on links and the centre of mass move per unit velocity of each joint, and what goes with them.
 *
 * With p a point of a link and o the tree's origin, over the joints j on the link's path to the root:
 *
 *     w = sum S_jw u_j,    v_p = sum (S_jv + S_jw x (p - o)) u_j
 *
 * The centre of mass is that of all links: joint j moves the mass m_j that hangs on it, centred at c_j:
 *
 *     v_com = sum_j m_j / m (S_jv + S_jw x (c_j - o)) u_j */
#include "tree/tree_parts.h"

#include <string.h>

/* A point of the link's own frame in the world, at the present place. */
static crn_vec3 point_of(const crn_tree *tree, int link, crn_vec3 local)
{
    const crn_frame *com = &tree->link[link].frame;
    return crn_v3_add(com->position, crn_m3_times(&com->rotation, crn_v3_sub(local, tree->body[link].position)));
}

static crn_vec3 speed_at(const double *S, crn_vec3 arm)
{
    return crn_v3_add(crn_v3_of(S + 3), crn_v3_cross(crn_v3_of(S), arm));
}

void crn_tree_jacobian(crn_tree *tree, const double *q, int link, crn_vec3 point, double *J)
{
    if (tree == NULL || q == NULL || J == NULL || link < 0 || link >= tree->links) {
        return;
    }
    crn_tree_place(tree, q);
    memset(J, 0, 6 * (size_t)tree->velocities * sizeof *J);
    crn_vec3 arm = crn_v3_sub(point_of(tree, link, point), tree->origin);
    for (int i = link; i >= 0; i = tree->link[i].parent) {
        const crn_link *l = &tree->link[i];
        for (int k = 0; k < l->freedom; ++k) {
            const double *S = l->S + 6 * k;
            double *column = J + 6 * (l->u + k);
            crn_v3_to(crn_v3_of(S), column);
            crn_v3_to(speed_at(S, arm), column + 3);
        }
    }
}

double crn_tree_com(crn_tree *tree, const double *q, crn_vec3 *com, double *J)
{
    if (tree == NULL || q == NULL) {
        return 0.0;
    }
    double *mass = tree->scratch, *moment = tree->scratch + tree->links, all = 0.0;
    crn_vec3 sum = {0, 0, 0};
    crn_tree_place(tree, q);
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *l = &tree->link[i];
        crn_vec3 c = crn_v3_scale(l->mass, crn_v3_sub(l->frame.position, tree->origin));
        mass[i] = l->mass;
        crn_v3_to(c, moment + 3 * i);
        all += l->mass;
        sum = crn_v3_add(sum, c);
    }
    double share = all > 0.0 ? 1.0 / all : 0.0;
    if (com != NULL) {
        *com = crn_v3_axpy(tree->origin, share, sum);
    }
    for (int i = tree->links - 1; i >= 0 && J != NULL; --i) {
        const crn_link *l = &tree->link[i];
        crn_vec3 c = crn_v3_of(moment + 3 * i);
        for (int k = 0; k < l->freedom; ++k) {
            const double *S = l->S + 6 * k;
            crn_vec3 v = crn_v3_axpy(crn_v3_cross(crn_v3_of(S), c), mass[i], crn_v3_of(S + 3));
            crn_v3_to(crn_v3_scale(share, v), J + 3 * (l->u + k));
        }
        if (l->parent >= 0) {
            mass[l->parent] += mass[i];
            crn_v3_to(crn_v3_add(crn_v3_of(moment + 3 * l->parent), c), moment + 3 * l->parent);
        }
    }
    return all;
}

void crn_tree_acceleration(crn_tree *tree, const double *q, const double *u, const double *acceleration, int link,
                           crn_vec3 point, double *a)
{
    if (tree == NULL || q == NULL || a == NULL || link < 0 || link >= tree->links) {
        return;
    }
    const crn_tree_load none = {.gravity = {0, 0, 0}};
    crn_tree_outward(tree, q, u, acceleration, &none, false);
    const crn_tree_state *s = &crn_tree_states(tree)[link];
    const crn_link *l = &tree->link[link];
    /* from the joint's origin to the point: both in the link's frame, then in the joint's, then in the world */
    crn_vec3 local = crn_v3_sub(crn_v3_sub(point, tree->body[link].position), l->frame_b.position);
    crn_vec3 arm = crn_m3_times(&s->axes, crn_m3_transposed_times(&l->frame_b.rotation, local));
    crn_vec3 inward = crn_v3_cross(s->w, crn_v3_cross(s->w, arm));
    crn_v3_to(s->turning, a);
    crn_v3_to(crn_v3_add(crn_v3_add(s->pace, crn_v3_cross(s->turning, arm)), inward), a + 3);
}

void crn_tree_joint_forces(crn_tree *tree, const double *q, const double *wrench, double *force)
{
    if (tree == NULL || q == NULL || wrench == NULL || force == NULL) {
        return;
    }
    double *p = tree->scratch;
    crn_tree_place(tree, q);
    for (int i = 0; i < tree->links; ++i) { /* from about the world's origin to about the tree's */
        crn_vec3 f = crn_v3_of(wrench + 6 * i + 3);
        crn_v3_to(crn_v3_sub(crn_v3_of(wrench + 6 * i), crn_v3_cross(tree->origin, f)), p + 6 * i);
        crn_v3_to(f, p + 6 * i + 3);
    }
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *l = &tree->link[i];
        for (int k = 0; k < l->freedom; ++k) {
            force[l->u + k] = crn_sp_dot(l->S + 6 * k, p + 6 * i);
        }
        if (l->parent >= 0) {
            crn_sp_add(1.0, p + 6 * i, p + 6 * l->parent);
        }
    }
}
