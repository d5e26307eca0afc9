/* Forces that joints of mechanisms exerted in the last kick: told when asked for, nothing is computed in the step.
 *
 * Every link obeys  dp = h f + contacts + loops + joint - sum of its children's joints,  with dp its change of momentum.
 * Along its own velocities a joint gives what is known, g: applied forces, springs, motors, friction, limits. So with
 * p = dp - h f - contacts,
 *
 *     L^-T (S'p - g) = Y l
 *
 * tells the impulses l of the loops' rows, by least squares, and then the joints' wrenches follow from the leaves inwards. */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/trees.h"

/* --- What is known --- */

static void add_contacts(crn_stepper *s, const crn_step_mechanism *m)
{
    for (int i = 0; i < s->last.contacts; ++i) {
        const crn_contact *c = &s->last.contact[i];
        const int body[2] = {(int)c->a.index1 - 1, (int)c->b.index1 - 1};
        for (int side = 0; side < 2; ++side) {
            if (crn_mechanism_of(s, body[side]) != m) {
                continue;
            }
            const crn_step_tree *tree = &s->forest.tree[s->body[body[side]].tree - 1];
            crn_vec3 f = crn_v3_scale(side == 0 ? -1.0 : 1.0, c->impulse); /* taken away */
            double *p = s->forest.p + 6 * (size_t)(tree->link + s->body[body[side]].link);
            crn_vec3 torque = crn_v3_cross(crn_v3_sub(c->point, tree->tree->origin), f);
            crn_v3_to(crn_v3_add(crn_v3_of(p), torque), p);
            crn_v3_to(crn_v3_add(crn_v3_of(p + 3), f), p + 3);
        }
    }
}

/* p = dp - h f of every link of a tree. */
static void missing_momenta(crn_stepper *s, const crn_step_tree *tree, double h)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        size_t at = (size_t)tree->link + (size_t)i;
        const crn_step_body *body = &s->body[f->body[at]];
        const double *V = f->V + 6 * at, *old = f->known + 6 * at;
        crn_vec3 w = crn_v3_axpy(crn_v3_of(V), -1.0 / (1.0 + h * body->angular_damping), crn_v3_of(old));
        crn_vec3 v = crn_v3_axpy(crn_com_velocity(tree->tree, i, V), -1.0 / (1.0 + h * body->linear_damping),
                                 crn_com_velocity(tree->tree, i, old));
        crn_vec3 force = crn_v3_axpy(body->load_force, body->gravity_scale * link->mass, s->def.gravity);
        crn_vec3 spin = crn_v3_axpy(crn_m3_times(&link->inertia_world, w), -h, body->load_torque);
        crn_wrench_at_origin(tree->tree, i, spin, crn_v3_axpy(crn_v3_scale(link->mass, v), -h, force), f->p + 6 * at);
    }
}

/* -g: minus what joints give along their velocities; armature's share is the motor's own. */
static void known_forces(crn_stepper *s, const crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        crn_trees_joint_forces(s, tree, f->before, h); /* h g + armature before, at the beginning of the kick */
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            for (int k = 0; k < link->freedom; ++k) {
                int at = tree->u + link->u + k;
                double implicit = (link->armature[k] + f->extra[at]) * f->u[at];
                f->force[at] = implicit - f->force[at];
            }
        }
    }
    for (int i = 0; i < s->rows && i < s->last_rows; ++i) {
        const crn_step_tree *tree;
        int link;
        if (s->row[i].velocity >= 0 && crn_step_joint_link(s, s->row[i].joint, &tree, &link) &&
            &f->mechanism[tree->mechanism] == m) {
            f->force[tree->u + tree->tree->link[link].u + s->row[i].velocity] -= s->last_row[i];
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        const crn_step_tree *tree;
        int link, slot = s->limit[i].slot;
        if (s->limit[i].in_tree && crn_step_joint_link(s, s->limit[i].joint, &tree, &link) &&
            &f->mechanism[tree->mechanism] == m) {
            double impulse = s->joint[s->limit[i].joint].limit[slot];
            f->force[tree->u + tree->tree->link[link].u + slot / 2] += slot & 1 ? impulse : -impulse;
        }
    }
}

/* --- Loops --- */

/* Take scale times a row's wrench on a link out of p. */
static void take_row(crn_stepper *s, int body, const double *row, double scale)
{
    if (body < 0 || s->body[body].tree == 0) {
        return;
    }
    const crn_step_tree *tree = &s->forest.tree[s->body[body].tree - 1];
    double wrench[6], *p = s->forest.p + 6 * (size_t)(tree->link + s->body[body].link);
    crn_wrench_at_origin(tree->tree, s->body[body].link, crn_v3_of(row), crn_v3_of(row + 3), wrench);
    for (int k = 0; k < 6; ++k) {
        p[k] -= scale * wrench[k];
    }
}

/* Impulses of a mechanism's loop rows, one joint after the other: each row's part of what is left of nu that no earlier row
 * could have taken. Goes over the rows repeatedly (Kaczmarz), which ends at the least squares of least size. */
enum { SWEEPS_MOST = 2000 };

static void loop_wrenches(crn_stepper *s, crn_step_mechanism *m, int wanted, crn_vec3 *force, crn_vec3 *torque)
{
    const double done_below = 1e-13; /* of what was there at first */
    crn_step_forest *f = &s->forest;
    int n = m->whitened;
    double *nu = f->nu + m->w, first = sqrt(crn_dot(n, nu, nu));
    for (int sweep = 0; sweep < SWEEPS_MOST; ++sweep) {
        double taken = 0.0;
        for (int i = 0; i < m->loops; ++i) {
            int joint = f->loop[m->loop + i];
            const crn_step_joint *j = &s->joint[joint];
            crn_joint_row row[CRN_JOINT_ROWS_MAX];
            int which[CRN_JOINT_ROWS_MAX];
            int count = j->def.in_tree ? 0 : crn_step_held(s, joint, row, which);
            for (int r = 0; r < count; ++r) {
                double *y = s->column + f->whitened;
                memset(y, 0, (size_t)n * sizeof *y);
                if (j->a >= 0 && s->body[j->a].tree > 0) {
                    crn_trees_add_column(s, j->a, row[r].a, 1.0, y);
                }
                if (j->b >= 0 && s->body[j->b].tree > 0) {
                    crn_trees_add_column(s, j->b, row[r].b, 1.0, y);
                }
                double square = crn_dot(n, y, y), impulse = square > 0.0 ? crn_dot(n, y, nu) / square : 0.0;
                crn_axpy(n, -impulse, y, nu);
                take_row(s, j->a, row[r].a, impulse);
                take_row(s, j->b, row[r].b, impulse);
                if (joint == wanted) {
                    *torque = crn_v3_axpy(*torque, impulse, crn_v3_of(row[r].b));
                    *force = crn_v3_axpy(*force, impulse, crn_v3_of(row[r].b + 3));
                }
                taken = fmax(taken, fabs(impulse) * sqrt(square));
            }
        }
        if (!(taken > done_below * first)) {
            break;
        }
    }
}

/* --- Joints --- */

/* Wrench that the joint of `wanted` passes on: all that the links beyond it miss. */
static void joint_wrench(crn_stepper *s, const crn_step_tree *tree, int wanted, double *wrench)
{
    double *p = s->forest.p + 6 * (size_t)tree->link;
    for (int i = tree->tree->links - 1; i > wanted; --i) {
        int parent = tree->tree->link[i].parent;
        for (int k = 0; parent >= 0 && k < 6; ++k) {
            p[6 * parent + k] += p[6 * i + k];
        }
    }
    memcpy(wrench, p + 6 * (size_t)wanted, 6 * sizeof *wrench);
}

void crn_step_mechanism_force(crn_stepper *s, int joint, double h, crn_vec3 *force, crn_vec3 *torque)
{
    crn_step_forest *f = &s->forest;
    const crn_step_joint *j = &s->joint[joint];
    crn_step_mechanism *m = crn_mechanism_of(s, j->b >= 0 && s->body[j->b].tree > 0 ? j->b : j->a);
    crn_vec3 impulse = {0, 0, 0}, turn = {0, 0, 0};
    crn_trees_spread_before(s, m, f->known);
    crn_trees_spread(s, m, f->u, f->V);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        missing_momenta(s, &f->tree[t], h);
    }
    add_contacts(s, m);
    if (m->loops > 0) {
        known_forces(s, m, h);
        for (int t = m->tree; t < m->tree + m->trees; ++t) {
            const crn_step_tree *tree = &f->tree[t];
            memcpy(f->carry, f->p + 6 * (size_t)tree->link, 6 * (size_t)tree->tree->links * sizeof *f->p);
            crn_tree_whiten(tree->tree, f->carry, f->force + tree->u, f->nu + tree->w);
        }
        loop_wrenches(s, m, joint, &impulse, &turn);
    }
    const crn_step_tree *tree;
    int link;
    crn_joint_sides sides = crn_step_joint_sides(s, j);
    if (crn_step_joint_link(s, joint, &tree, &link)) {
        double wrench[6];
        joint_wrench(s, tree, link, wrench);
        impulse = crn_v3_of(wrench + 3);
        crn_vec3 arm = crn_v3_sub(tree->tree->origin, sides.b.position);
        turn = crn_v3_add(crn_v3_of(wrench), crn_v3_cross(arm, impulse));
    } else {
        turn = crn_v3_sub(turn, crn_v3_cross(crn_v3_sub(sides.b.position, sides.com_b), impulse));
    }
    *force = crn_v3_scale(1.0 / h, impulse);
    *torque = crn_v3_scale(1.0 / h, turn);
    crn_trees_known(s, m);
}
