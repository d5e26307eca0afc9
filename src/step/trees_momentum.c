/* Momentum of mechanisms that nothing holds: a drift must keep it [docs/theory/stepping.md].
 *
 * The drift has no forces, so the momentum (p, L) before and after it is the same and the centre of mass moves straight. The
 * scheme is off by its own error; a rigid motion of the whole mechanism, which no joint and no loop feels, makes up for it. */
#include <string.h>

#include "step/trees.h"

crn_vec3 crn_trees_mass_centre(const crn_stepper *s, const crn_step_mechanism *m, double *mass)
{
    crn_vec3 sum = {0, 0, 0};
    *mass = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_tree *tree = s->forest.tree[t].tree;
        for (int i = 0; i < tree->links; ++i) {
            *mass += tree->link[i].mass;
            sum = crn_v3_axpy(sum, tree->link[i].mass, tree->link[i].frame.position);
        }
    }
    return crn_v3_scale(1.0 / *mass, sum);
}

/* Mass, centre and inertia about it of the whole mechanism. */
static double whole_inertia(const crn_stepper *s, const crn_step_mechanism *m, crn_vec3 *com, crn_mat3 *inertia)
{
    double mass;
    *com = crn_trees_mass_centre(s, m, &mass);
    memset(inertia, 0, sizeof *inertia);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_tree *tree = s->forest.tree[t].tree;
        for (int i = 0; i < tree->links; ++i) {
            const crn_link *link = &tree->link[i];
            for (int k = 0; k < 9; ++k) {
                inertia->m[k] += link->inertia_world.m[k];
            }
            crn_m3_add_mass(inertia, link->mass, crn_v3_sub(link->frame.position, *com));
        }
    }
    return mass;
}

/* The rigid motion about the centre of mass that has a momentum (angular about the origin, linear). */
static crn_twist rigid_motion(const crn_stepper *s, const crn_step_mechanism *m, const double *momentum, crn_vec3 *com)
{
    crn_mat3 inertia;
    crn_vec3 linear = crn_v3_of(momentum + 3);
    double mass = whole_inertia(s, m, com, &inertia);
    crn_vec3 spin = crn_v3_sub(crn_v3_of(momentum), crn_v3_cross(*com, linear));
    bool is_planar = s->forest.tree[m->tree].tree->link[0].kind == CRN_JOINT_PLANAR;
    crn_vec3 w = is_planar ? crn_v3(0, 0, spin.z / inertia.m[8]) : crn_m3_solve(&inertia, spin);
    return (crn_twist){w, crn_v3_scale(1.0 / mass, linear)};
}

/* A root's joint has w, and v of its place on the link. */
void crn_trees_add_to_root(const crn_tree *tree, const crn_twist *twist, crn_vec3 com, double *u)
{
    const crn_link *root = &tree->link[0];
    crn_frame a = crn_frame_product(&tree->base, &root->frame_a), b = crn_frame_product(&root->frame, &root->frame_b);
    crn_vec3 v = crn_v3_add(twist->linear, crn_v3_cross(twist->angular, crn_v3_sub(b.position, com)));
    crn_vec3 wa = crn_m3_transposed_times(&a.rotation, twist->angular), va = crn_m3_transposed_times(&a.rotation, v);
    double all[6] = {wa.x, wa.y, wa.z, va.x, va.y, va.z}, planar[6] = {va.x, va.y, wa.z};
    for (int k = 0; k < root->freedom; ++k) {
        u[root->u + k] += root->kind == CRN_JOINT_FREE ? all[k] : planar[k];
    }
}

void crn_trees_momentum(const crn_stepper *s, const crn_step_mechanism *m, const double *V, double *momentum)
{
    crn_vec3 angular = {0, 0, 0}, linear = {0, 0, 0};
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            const double *at = V + 6 * (size_t)(tree->link + i);
            crn_vec3 p = crn_v3_scale(link->mass, crn_com_velocity(tree->tree, i, at));
            crn_vec3 spin = crn_m3_times(&link->inertia_world, crn_v3_of(at));
            linear = crn_v3_add(linear, p);
            angular = crn_v3_add(angular, crn_v3_add(spin, crn_v3_cross(link->frame.position, p)));
        }
    }
    crn_v3_to(angular, momentum);
    crn_v3_to(linear, momentum + 3);
}

/* What links of one mechanism do to one another leaves its momentum alone. */
void crn_trees_note_touched(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        const crn_step_pair *pair = &s->now.pair[i];
        crn_step_mechanism *a = crn_mechanism_of(s, s->shape[pair->shape_a].body);
        crn_step_mechanism *b = crn_mechanism_of(s, s->shape[pair->shape_b].body);
        bool is_pushed = s->problem.impulse[3 * i] > 0.0 && a != b;
        if (is_pushed && a) {
            a->kept.is_touched = true;
        }
        if (is_pushed && b) {
            b->kept.is_touched = true;
        }
    }
}

void crn_trees_restore_momentum(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    double missing[6];
    crn_vec3 com;
    crn_trees_momentum(s, m, f->V, missing);
    for (int k = 0; k < 6; ++k) {
        missing[k] = m->momentum[k] - missing[k];
    }
    crn_twist twist = rigid_motion(s, m, missing, &com);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        crn_trees_add_to_root(f->tree[t].tree, &twist, com, f->before + f->tree[t].u);
    }
    crn_trees_spread(s, m, f->before, f->V);
}

void crn_trees_shift_centre(crn_stepper *s, crn_step_mechanism *m, crn_vec3 from, double h)
{
    double mass;
    crn_vec3 now = crn_trees_mass_centre(s, m, &mass);
    crn_vec3 off = crn_v3_sub(crn_v3_axpy(from, h / mass, crn_v3_of(m->momentum + 3)), now);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        const crn_link *root = &tree->tree->link[0];
        double *q = s->forest.q + tree->q + root->q;
        crn_mat3 axes = crn_m3_product(&tree->tree->base.rotation, &root->frame_a.rotation);
        crn_vec3 local = crn_m3_transposed_times(&axes, off);
        q[0] += local.x; /* free and planar joints begin with the position */
        q[1] += local.y;
        if (root->kind == CRN_JOINT_FREE) {
            q[2] += local.z;
        }
        crn_tree_move_root(tree->tree, s->forest.q + tree->q);
    }
    m->closure.is_current = false;
}
