/* The integrators of [YN08]: semi-implicit Euler, and Runge-Kutta of fourth order with a contact problem per stage.
 *
 * Both form Coriolis forces C(q, u). Euler is drift and kick with them,
 *
 *     q := q (+) h u,    H u' = H u + h (f - C) + J'lambda.
 *
 * A stage of Runge-Kutta at (q, u) solves the same kick for the whole h; it gives q' = N(q) u and u' = (u' - u)/h. Quaternions
 * are integrated as four numbers and made unit at the end, which keeps the order. All free bodies are trees here. */
#include <string.h>

#include "step/trees.h"

enum { STAGES = 4 };

bool crn_trees_euler(crn_stepper *s, double h)
{
    crn_step_forest *f = &s->forest;
    bool is_fine = true;
    for (int i = 0; i < f->trees; ++i) {
        const crn_step_tree *tree = &f->tree[i];
        crn_tree_advance(tree->tree, f->q + tree->q, f->u + tree->u, h, f->q + tree->q);
    }
    crn_copy_numbers(f->before, f->u, f->velocities);
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_trees_place(s, &f->mechanism[i]);
        is_fine = crn_trees_factor(s, &f->mechanism[i], NULL) && is_fine;
    }
    return is_fine;
}

/* --- Coordinates as numbers --- */

/* q' of a quaternion whose frame turns by w, in the axes of the joint's a. */
static void quaternion_rate(const double *q, const double *w, double *rate)
{
    crn_quat product = crn_quat_product((crn_quat){0.0, w[0], w[1], w[2]}, (crn_quat){q[0], q[1], q[2], q[3]});
    rate[0] = 0.5 * product.w;
    rate[1] = 0.5 * product.x;
    rate[2] = 0.5 * product.y;
    rate[3] = 0.5 * product.z;
}

static void rates(const crn_tree *tree, const double *q, const double *u, double *rate)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        const double *v = u + link->u;
        if (link->kind == CRN_JOINT_BALL) {
            quaternion_rate(q + link->q, v, rate + link->q);
        } else if (link->kind == CRN_JOINT_FREE) {
            memcpy(rate + link->q, v + 3, 3 * sizeof *v);
            quaternion_rate(q + link->q + 3, v, rate + link->q + 3);
        } else {
            memcpy(rate + link->q, v, (size_t)link->freedom * sizeof *v);
        }
    }
}

static void make_unit(double *q)
{
    crn_quat unit = crn_quat_unit((crn_quat){q[0], q[1], q[2], q[3]});
    q[0] = unit.w;
    q[1] = unit.x;
    q[2] = unit.y;
    q[3] = unit.z;
}

static void make_quaternions_unit(const crn_tree *tree, double *q)
{
    for (int i = 0; i < tree->links; ++i) {
        if (tree->link[i].kind == CRN_JOINT_BALL) {
            make_unit(q + tree->link[i].q);
        } else if (tree->link[i].kind == CRN_JOINT_FREE) {
            make_unit(q + tree->link[i].q + 3);
        }
    }
}

static void add(const double *a, double scale, const double *b, int count, double *to)
{
    for (int i = 0; i < count; ++i) {
        to[i] = a[i] + scale * b[i];
    }
}

/* --- Runge-Kutta --- */

/* Where the stage is: coordinates unit, links placed, mass factored. */
static bool arrive(crn_stepper *s)
{
    crn_step_forest *f = &s->forest;
    bool is_fine = true;
    for (int i = 0; i < f->trees; ++i) {
        make_quaternions_unit(f->tree[i].tree, f->q + f->tree[i].q);
    }
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_trees_place(s, &f->mechanism[i]);
        is_fine = crn_trees_factor(s, &f->mechanism[i], NULL) && is_fine;
    }
    return is_fine;
}

/* The stage's rates into middle and rotor; weighted, they are added to the sums. */
static void sum_stage(crn_stepper *s, double weight, double h)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->trees; ++i) {
        const crn_step_tree *tree = &f->tree[i];
        rates(tree->tree, f->q + tree->q, f->before + tree->u, f->middle + tree->q);
    }
    add(f->u, -1.0, f->before, f->velocities, f->rotor);
    add(f->q_sum, weight * h, f->middle, f->coordinates, f->q_sum);
    add(f->u_sum, weight, f->rotor, f->velocities, f->u_sum);
}

/* Driven coordinates are where their motors say. */
static void set_driven(crn_stepper *s, double h)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->trees; ++i) {
        const crn_step_tree *tree = &f->tree[i];
        for (int k = 0; k < tree->tree->links; ++k) {
            const crn_link *link = &tree->tree->link[k];
            for (int c = 0; link->is_driven && c < link->freedom; ++c) {
                const crn_joint_axis *axis = &s->joint[f->joint[tree->link + k]].def.axis[c];
                double *q = f->q + tree->q + link->q + c, *begin = f->q_begin + tree->q + link->q + c;
                if (axis->is_servo) {
                    *q = crn_profile_at(&axis->target, s->time);
                }
                f->u[tree->u + link->u + c] = (*q - *begin) / h;
            }
        }
    }
}

crn_status crn_trees_runge_kutta(crn_stepper *s, double h, crn_trees_kick kick, crn_step_answer *answer,
                                 crn_error *error)
{
    static const double place[STAGES] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    crn_step_forest *f = &s->forest;
    crn_status status = CRN_OK;
    double time = s->time;
    crn_copy_numbers(f->q_sum, f->q, f->coordinates);
    crn_copy_numbers(f->u_sum, f->u, f->velocities);
    for (int i = 0; i < STAGES && status == CRN_OK; ++i) {
        if (i > 0) { /* middle, rotor: rates of the stage before */
            add(f->q_begin, place[i] * h, f->middle, f->coordinates, f->q);
            add(f->u_begin, place[i], f->rotor, f->velocities, f->before);
        } else {
            crn_copy_numbers(f->before, f->u, f->velocities);
        }
        s->time = time + place[i] * h;
        status = arrive(s) ? kick(s, h, answer, error) : crn_trees_singular(error);
        if (status == CRN_OK) {
            sum_stage(s, weight[i], h);
        }
    }
    s->time = time + h;
    if (status == CRN_OK) {
        crn_copy_numbers(f->q, f->q_sum, f->coordinates);
        crn_copy_numbers(f->u, f->u_sum, f->velocities);
        set_driven(s, h);
        crn_copy_numbers(f->before, f->u, f->velocities);
        status = arrive(s) ? CRN_OK : crn_trees_singular(error);
    }
    return status;
}
