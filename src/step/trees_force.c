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
#include "step/loops.h"
#include "step/moment.h"
#include "step/tendons.h"

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
        double turning = 1.0 / (1.0 + h * body->angular_damping), moving = 1.0 / (1.0 + h * body->linear_damping);
        crn_vec3 w = crn_v3_axpy(crn_v3_of(V), -turning, crn_v3_of(old));
        crn_vec3 v = crn_v3_axpy(crn_com_velocity(tree->tree, i, V), -moving, crn_com_velocity(tree->tree, i, old));
        crn_vec3 force = crn_v3_axpy(body->load_force, body->gravity_scale * link->mass, s->def.gravity);
        crn_vec3 spin = crn_v3_axpy(crn_m3_times(&link->inertia_world, w), -h * turning, body->load_torque);
        crn_vec3 p = crn_v3_axpy(crn_v3_scale(link->mass, v), -h * moving, force);
        crn_wrench_at_origin(tree->tree, i, spin, p, f->p + 6 * at);
    }
}

/* -g: minus what joints give along their velocities; armature's share is the motor's own. */
static void take_tendon_joints(crn_stepper *s, const crn_step_mechanism *m, int tendon, double impulse)
{
    const crn_step_tendon *t = &s->tendon[tendon - 1];
    for (int i = 0; i < t->pulls && &s->forest.mechanism[t->mechanism] == m; ++i) {
        const crn_step_tree *tree;
        int link;
        if (t->pull[i].body < 0 && crn_step_joint_link(s, t->pull[i].joint, &tree, &link)) {
            s->forest.force[tree->u + tree->tree->link[link].u + t->pull[i].velocity] -= t->pull[i].factor * impulse;
        }
    }
}

static void known_forces(crn_stepper *s, const crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        crn_step_tree *tree = &f->tree[t];
        crn_trees_joint_forces(s, tree, f->before, h); /* h g + armature before, at the beginning of the kick */
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            for (int k = 0; k < link->freedom; ++k) {
                int at = tree->u + link->u + k;
                double implicit = (link->armature[k] + f->extra[at]) * f->solved[at];
                f->force[at] = implicit - f->force[at];
            }
        }
    }
    for (int i = 0; i < s->rows && i < s->last_rows; ++i) {
        const crn_step_tree *tree;
        int link;
        if (s->row[i].tendon > 0) {
            take_tendon_joints(s, m, s->row[i].tendon, s->row[i].scale * s->last_row[i]);
        } else if (s->row[i].velocity >= 0 && crn_step_joint_link(s, s->row[i].joint, &tree, &link) &&
                   &f->mechanism[tree->mechanism] == m) {
            f->force[tree->u + tree->tree->link[link].u + s->row[i].velocity] -= s->last_row[i];
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        const crn_step_tree *tree;
        int link, slot = s->limit[i].slot;
        if (s->limit[i].tendon > 0) {
            double impulse = *crn_step_limit_impulse(s, &s->limit[i]);
            take_tendon_joints(s, m, s->limit[i].tendon, slot & 1 ? -impulse : impulse);
        } else if (s->limit[i].in_tree && crn_step_joint_link(s, s->limit[i].joint, &tree, &link) &&
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

/* Impulses of the rows that held directions gave, Y kappa being what they have of nu: w T^-1 Q'nu, added to kappa. */
static void add_held(const crn_step_mechanism *m, const double *nu, double *kappa)
{
    const crn_step_closure *c = &m->closure;
    int n = m->whitened;
    double *z = c->scratch;
    for (int i = c->held - 1; i >= 0; --i) { /* T z = Q'nu */
        const double *T = c->T + (size_t)i * (size_t)c->most;
        z[i] = crn_dot(n, c->Q + (size_t)i * (size_t)n, nu);
        for (int j = i + 1; j < c->held; ++j) {
            z[i] -= T[j] * z[j];
        }
        z[i] /= T[i];
    }
    for (int i = 0; i < c->held; ++i) {
        if (c->is_turned) {
            crn_axpy(c->rows, z[i], c->W + (size_t)i * (size_t)c->rows, kappa);
        } else {
            kappa[c->order[i]] += z[i];
        }
    }
}

/* Impulses of all rows of a mechanism's loops, in loop sizes. What stops gave
 * is taken out of nu first. Redundant rows are indeterminate: of all answers this is the least. */
static double *row_impulses(crn_stepper *s, crn_step_mechanism *m, double *nu)
{
    crn_step_closure *c = &m->closure;
    double *kappa = c->given;
    memset(kappa, 0, (size_t)c->rows * sizeof *kappa);
    for (int i = 0; i < s->forest.stops; ++i) {
        const crn_step_stop *stop = &s->forest.stop[i];
        if (&s->forest.mechanism[stop->mechanism] == m) {
            crn_loops_add_stop(s, stop, stop->impulse, kappa);
        }
    }
    for (int r = 0; r < c->rows; ++r) {
        crn_axpy(m->whitened, -kappa[r], c->Y + (size_t)r * (size_t)m->whitened, nu);
    }
    add_held(m, nu, kappa);
    return kappa;
}

/* Take the wrenches of loops out of p; that of the joint `wanted` into force and torque. */
static void loop_wrenches(crn_stepper *s, crn_step_mechanism *m, int wanted, crn_vec3 *force, crn_vec3 *torque)
{
    crn_step_forest *f = &s->forest;
    const double *kappa = row_impulses(s, m, f->nu + m->w);
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        const crn_step_loop *loop = &f->loop[i];
        const crn_step_joint *j = &s->joint[loop->joint];
        crn_joint_row row[CRN_JOINT_ROWS_MAX];
        int which[CRN_JOINT_ROWS_MAX];
        int count = j->is_link ? 0 : crn_step_held(s, loop->joint, row, which);
        for (int r = 0; r < count; ++r) {
            double impulse = kappa[loop->first + r] / m->closure.unit[loop->first + r];
            take_row(s, j->a, row[r].a, impulse);
            take_row(s, j->b, row[r].b, impulse);
            if (loop->joint == wanted) {
                *torque = crn_v3_axpy(*torque, impulse, crn_v3_of(row[r].b));
                *force = crn_v3_axpy(*force, impulse, crn_v3_of(row[r].b + 3));
            }
        }
    }
}

/* Motors, friction and limits of joints that are rows between bodies: take them out of p, and tell that of `wanted`. */
static void take_impulse(crn_stepper *s, const crn_step_mechanism *m, int joint, const crn_joint_row *row,
                         double impulse, int wanted, crn_vec3 *force, crn_vec3 *torque)
{
    const crn_step_joint *j = &s->joint[joint];
    bool is_here = (j->a >= 0 && crn_mechanism_of(s, j->a) == m) || (j->b >= 0 && crn_mechanism_of(s, j->b) == m);
    if (!is_here) {
        return;
    }
    take_row(s, j->a, row->a, impulse);
    take_row(s, j->b, row->b, impulse);
    if (joint == wanted) {
        *torque = crn_v3_axpy(*torque, impulse, crn_v3_of(row->b));
        *force = crn_v3_axpy(*force, impulse, crn_v3_of(row->b + 3));
    }
}

/* What a tendon does to links of the mechanism; what it does along joints is between their links, and known_forces() has it. */
static void take_tendon(crn_stepper *s, const crn_step_mechanism *m, int tendon, double impulse)
{
    const crn_step_tendon *t = &s->tendon[tendon - 1];
    for (int i = 0; i < t->pulls && &s->forest.mechanism[t->mechanism] == m; ++i) {
        take_row(s, t->pull[i].body, t->pull[i].row, impulse);
    }
}

static void take_rows_between(crn_stepper *s, const crn_step_mechanism *m, int wanted, crn_vec3 *force,
                              crn_vec3 *torque)
{
    for (int i = 0; i < s->rows && i < s->last_rows; ++i) {
        if (s->row[i].tendon > 0) {
            take_tendon(s, m, s->row[i].tendon, s->row[i].scale * s->last_row[i]);
        } else if (s->row[i].velocity < 0) {
            take_impulse(s, m, s->row[i].joint, &s->row[i].row, s->last_row[i], wanted, force, torque);
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        const crn_step_limit *limit = &s->limit[i];
        if (limit->tendon > 0) {
            double impulse = *crn_step_limit_impulse(s, limit);
            take_tendon(s, m, limit->tendon, limit->slot & 1 ? -impulse : impulse);
        } else if (!limit->in_tree) {
            double impulse = s->joint[limit->joint].limit[limit->slot];
            take_impulse(s, m, limit->joint, &limit->row, impulse, wanted, force, torque);
        }
    }
}

/* --- What the drift takes: centripetal and Coriolis forces --- */

/* Acceleration of a link, about the tree's origin, that its velocity alone makes: of joints that turn with their parent. */
static void bias_acceleration(const crn_tree *tree, int i, const double *V, const double *A, double *to)
{
    static const double none[6] = {0, 0, 0, 0, 0, 0};
    const crn_link *link = &tree->link[i];
    const double *parent = link->parent >= 0 ? V + 6 * link->parent : none;
    const double *above = link->parent >= 0 ? A + 6 * link->parent : none;
    crn_vec3 w = crn_v3_of(parent), v = crn_v3_of(parent + 3);
    crn_vec3 dw = crn_v3_sub(crn_v3_of(V + 6 * i), w), dv = crn_v3_sub(crn_v3_of(V + 6 * i + 3), v);
    crn_vec3 turn = crn_v3_cross(w, dw), shift = crn_v3_add(crn_v3_cross(w, dv), crn_v3_cross(v, dw));
    if (link->kind == CRN_JOINT_FREE || link->kind == CRN_JOINT_PLANAR) { /* v is of the joint's origin on the link */
        crn_vec3 point = crn_frame_point(&link->frame, link->frame_b.position);
        crn_vec3 speed = crn_v3_add(dv, crn_v3_cross(dw, crn_v3_sub(point, tree->origin)));
        shift = crn_v3_add(shift, crn_v3_cross(speed, dw));
    }
    crn_v3_to(crn_v3_add(crn_v3_of(above), turn), to);
    crn_v3_to(crn_v3_add(crn_v3_of(above + 3), shift), to + 3);
}

/* Momentum that a link's acceleration A and velocity V ask for in h, about the tree's origin. */
static void bias_momentum(const crn_tree *tree, int i, const double *V, const double *A, double h, double *to)
{
    const crn_link *link = &tree->link[i];
    crn_vec3 w = crn_v3_of(V), turned = crn_v3_of(A), arm = crn_v3_sub(link->frame.position, tree->origin);
    crn_vec3 com = crn_v3_add(crn_v3_of(A + 3), crn_v3_cross(turned, arm));
    com = crn_v3_add(com, crn_v3_cross(w, crn_com_velocity(tree, i, V)));
    crn_vec3 torque = crn_m3_times(&link->inertia_world, turned);
    torque = crn_v3_add(torque, crn_v3_cross(w, crn_m3_times(&link->inertia_world, w)));
    crn_wrench_at_origin(tree, i, crn_v3_scale(h, torque), crn_v3_scale(h * link->mass, com), to);
}

static void subtract_motion(const crn_tree *tree, const double *V, double *p)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        crn_vec3 spin = crn_m3_times(&link->inertia_world, crn_v3_of(V + 6 * i));
        crn_vec3 linear = crn_v3_scale(link->mass, crn_com_velocity(tree, i, V + 6 * i));
        double wrench[6];
        crn_wrench_at_origin(tree, i, spin, linear, wrench);
        for (int k = 0; k < 6; ++k) {
            p[6 * i + k] -= wrench[k];
        }
    }
}

/* Add to p what joints pass on because links turn: all that the drift does, less what accelerates the joints themselves. */
static void add_bias(crn_stepper *s, crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    crn_trees_spread(s, m, f->shown, f->V);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_tree *tree = f->tree[t].tree;
        size_t first = 6 * (size_t)f->tree[t].link;
        for (int i = 0; i < tree->links; ++i) {
            double bias[6];
            bias_acceleration(tree, i, f->V + first, f->known + first, f->known + first + 6 * (size_t)i);
            bias_momentum(tree, i, f->V + first + 6 * (size_t)i, f->known + first + 6 * (size_t)i, h, bias);
            for (int k = 0; k < 6; ++k) {
                f->p[first + 6 * (size_t)i + (size_t)k] += bias[k];
                f->loop_V[first + 6 * (size_t)i + (size_t)k] = bias[k];
            }
        }
        crn_tree_whiten(tree, f->loop_V + first, NULL, f->nu + f->tree[t].w);
    }
    crn_loops_reduce(m, f->nu + m->w);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        crn_tree_unwhiten(tree->tree, f->nu + tree->w, f->loop_u + tree->u, f->loop_V + 6 * (size_t)tree->link);
        subtract_motion(tree->tree, f->loop_V + 6 * (size_t)tree->link, f->p + 6 * (size_t)tree->link);
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
    crn_trees_spread(s, m, f->solved, f->V);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        missing_momenta(s, &f->tree[t], h);
    }
    add_contacts(s, m);
    crn_trees_note_inertia(s, m);
    crn_loops_update(s, m);
    crn_loops_share(s, m);
    if (s->def.integrator == CRN_INTEGRATOR_REFLECT) { /* the others have Coriolis forces in the kick */
        add_bias(s, m, h);
    }
    take_rows_between(s, m, joint, &impulse, &turn);
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

/* --- Accelerations --- */

/* What forces gave a link in the kick, and what the drift does to it: the acceleration that its velocity makes, less the part of it that
 * goes into the joints, which is in loop_V after add_bias(). */
static void link_acceleration(crn_stepper *s, int body, double h, crn_twist *to)
{
    crn_step_forest *f = &s->forest;
    crn_step_mechanism *m = crn_mechanism_of(s, body);
    const crn_step_tree *tree = &f->tree[s->body[body].tree - 1];
    size_t at = 6 * (size_t)(tree->link + s->body[body].link);
    if (!m->has_factor) {
        (void)crn_trees_factor(s, m, NULL);
    }
    crn_loops_update(s, m);
    add_bias(s, m, h);
    double A[6];
    for (int k = 0; k < 6; ++k) {
        A[k] = f->known[at + (size_t)k] - f->loop_V[at + (size_t)k] / h;
    }
    const crn_vec3 w = crn_v3_of(f->V + at);
    crn_vec3 turned = crn_v3_cross(w, crn_com_velocity(tree->tree, s->body[body].link, f->V + at));
    to->angular = crn_v3_add(to->angular, crn_v3_of(A));
    to->linear = crn_v3_add(to->linear, crn_v3_add(crn_com_velocity(tree->tree, s->body[body].link, A), turned));
}

/* A body of its own turns without forces as its gyroscopic torque says. */
static void rigid_acceleration(const crn_step_body *body, crn_twist *to)
{
    crn_rigid push = body->rigid;
    crn_vec3 w = body->shown_w, torque = crn_v3_cross(crn_rigid_spin(&push, w), w), turn, v;
    push.w = push.v = crn_v3(0, 0, 0);
    crn_rigid_push(&push, 1.0, crn_v3(0, 0, 0), torque, 0.0, 0.0, &turn, &v);
    to->angular = crn_v3_add(to->angular, turn);
}

void crn_step_acceleration(crn_stepper *s, int body, double h, crn_twist *to)
{
    const crn_twist *before = &crn_moment_bodies(s, CRN_BEFORE)[body], *after = &crn_moment_bodies(s, CRN_AFTER)[body];
    to->angular = crn_v3_scale(1.0 / h, crn_v3_sub(after->angular, before->angular));
    to->linear = crn_v3_scale(1.0 / h, crn_v3_sub(after->linear, before->linear));
    bool is_reflected = s->def.integrator == CRN_INTEGRATOR_REFLECT; /* the others have Coriolis forces in the kick */
    if (is_reflected && s->body[body].tree > 0) {
        link_acceleration(s, body, h, to);
    } else if (is_reflected) {
        rigid_acceleration(&s->body[body], to);
    }
}
