/* A kick's problem kept for its linearisation, with velocities of trees for whitened ones: chain_tree.h. */
#include <string.h>

#include "base/memory.h"
#include "math/vec.h"
#include "step/chain_tree.h"

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&kick->field, &kick->field##_capacity, (count), sizeof *kick->field)

/* Jacobian (velocities of the body x 3) of a contact on one of its sides. */
static void add_side(const crn_stepper *s, const crn_chain_kick *kick, int body, const crn_contact_point *point,
                     double sign, double *to)
{
    const double *axis[3] = {point->normal, point->t1, point->t2};
    const crn_step_body *b = &s->body[body];
    crn_vec3 arm = crn_v3_sub(crn_v3_of(point->position), b->rigid.pose.position);
    int n = kick->problem_body[b->at].dof, number = crn_chain_number_of(s, kick, body) - s->problem.rigid;
    for (int k = 0; k < 3; ++k) {
        double row[6];
        crn_vec3 d = crn_v3_scale(sign, crn_v3_of(axis[k]));
        crn_v3_to(crn_v3_cross(arm, d), row);
        crn_v3_to(d, row + 3);
        if (b->tree == 0) {
            crn_step_pack_row(s, row, to + n * k);
            continue;
        }
        for (int j = 0; j < n; ++j) {
            to[j + n * k] += crn_dot(6, row, kick->link[number].place + 6 * j);
        }
    }
}

static double *take_columns(const crn_chain_kick *kick, int at, int count, double **space)
{
    double *to = *space;
    int numbers = kick->problem_body[at].dof * count;
    crn_clear_numbers(to, numbers);
    *space += numbers;
    return to;
}

/* A contact with a tree: both sides in one tree are one. */
static void take_contact(const crn_stepper *s, crn_chain_kick *kick, int i, double **space)
{
    const crn_step_pair *pair = &s->now.pair[i];
    crn_contact_point *point = &kick->point[i];
    int body[2] = {s->shape[pair->shape_a].body, s->shape[pair->shape_b].body}, at[2];
    double *columns[2] = {NULL, NULL};
    if (!point->jacobian_a && !point->jacobian_b) {
        return;
    }
    for (int k = 0; k < 2; ++k) {
        at[k] = s->body[body[k]].at;
        bool is_same = k == 1 && at[1] >= 0 && at[1] == at[0];
        if (at[k] >= 0) {
            columns[k] = is_same ? columns[0] : take_columns(kick, at[k], 3, space);
            add_side(s, kick, body[k], point, k == 0 ? 1.0 : -1.0, columns[k]);
        }
    }
    point->a = at[0];
    point->b = at[1] == at[0] ? -1 : at[1];
    point->jacobian_a = columns[0];
    point->jacobian_b = at[1] == at[0] ? NULL : columns[1];
}

/* Place of a joint's velocity among those of all trees; its tree. */
static int velocity_of(const crn_stepper *s, int joint, int velocity, int *tree)
{
    const crn_step_tree *of;
    int link;
    (void)crn_step_joint_link(s, joint, &of, &link);
    *tree = of->mechanism;
    return of->u + of->tree->link[link].u + velocity;
}

static void take_limit(const crn_stepper *s, crn_chain_kick *kick, int i, double h, double **space)
{
    const crn_step_limit *limit = &s->limit[i];
    crn_contact_point *point = &kick->point[s->now.contacts + i];
    double sign = limit->slot & 1 ? -1.0 : 1.0;
    int tree, velocity = velocity_of(s, limit->joint, limit->slot / 2, &tree);
    double *column = take_columns(kick, s->problem.rigid + tree, 3, space);
    column[velocity - kick->tree[tree].u] = sign;
    point->a = s->problem.rigid + tree;
    point->b = -1;
    point->jacobian_a = column;
    point->jacobian_b = NULL;
    kick->limit[i] = (crn_chain_limit){velocity, sign / h};
}

static void take_row(const crn_stepper *s, crn_chain_kick *kick, int i, const crn_contact_row *from, double **space)
{
    int tree, velocity = velocity_of(s, s->row[i].joint, s->row[i].velocity, &tree);
    double *column = take_columns(kick, s->problem.rigid + tree, 1, space);
    column[velocity - kick->tree[tree].u] = 1.0;
    kick->row[i] = (crn_contact_row){s->problem.rigid + tree, -1, column, NULL, from->offset, from->bound};
}

static void take_tree(const crn_stepper *s, crn_chain_kick *kick, int t)
{
    const crn_chain_tree *tree = &kick->tree[t];
    kick->problem_body[s->problem.rigid + t] =
        (crn_contact_body){.kind = CRN_MASS_MATRIX, .dof = tree->n, .matrix = tree->mass, .ld = tree->n};
    crn_copy_numbers(kick->velocity + crn_chain_width(s) * s->problem.rigid + tree->u, s->forest.rotor + tree->u,
                     tree->n);
}

bool crn_chain_take_problem(crn_step_chain *chain, crn_chain_kick *kick, const crn_contact_problem *problem)
{
    crn_stepper *s = chain->stepper;
    int rigid = s->problem.rigid, packed = crn_chain_width(s) * rigid;
    if (!RESERVE(problem_body, problem->bodies) || !RESERVE(point, problem->contacts) || !RESERVE(row, problem->rows) ||
        !RESERVE(velocity, packed + s->forest.velocities) || !RESERVE(found, packed + s->forest.velocities) ||
        !RESERVE(body, rigid) || !RESERVE(contact, s->now.contacts) || !RESERVE(impulse, 3 * problem->contacts) ||
        !RESERVE(limit, s->limits) || !crn_chain_take_trees(chain, kick)) {
        return false;
    }
    kick->problem = *problem;
    kick->problem.body = kick->problem_body;
    kick->problem.contact = kick->point;
    kick->problem.row = kick->row;
    kick->problem.velocity = kick->velocity;
    kick->time = s->kick.time;
    kick->contacts = s->now.contacts;
    if (rigid > 0) {
        memcpy(kick->problem_body, problem->body, (size_t)rigid * sizeof *kick->problem_body);
    }
    if (problem->contacts > 0) {
        memcpy(kick->point, problem->contact, (size_t)problem->contacts * sizeof *kick->point);
    }
    crn_copy_numbers(kick->velocity, problem->velocity, packed);
    for (int t = 0; t < s->forest.trees; ++t) {
        take_tree(s, kick, t);
    }
    double *space = kick->jacobian;
    for (int i = 0; i < s->now.contacts; ++i) {
        take_contact(s, kick, i, &space);
    }
    for (int i = 0; i < s->limits; ++i) {
        take_limit(s, kick, i, chain->h, &space);
    }
    for (int i = 0; i < s->rows; ++i) {
        take_row(s, kick, i, &problem->row[i], &space);
    }
    return true;
}
