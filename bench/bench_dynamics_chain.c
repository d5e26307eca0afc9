/* bench_dynamics_chain.c -- the chains that everybody is given, and our own library behind the peers' interface. */
#include "bench_dynamics.h"

#include <stdlib.h>

#include <cairn/tree.h>

#include "math/rigid.h"

/* --- Chains --- */

static void make_link(crn_random *random, bool is_first, bench_chain_link *l)
{
    crn_vec3 turn = {crn_random_uniform(random, -1.0, 1.0), crn_random_uniform(random, -1.0, 1.0),
                     crn_random_uniform(random, -1.0, 1.0)};
    crn_quat r = crn_quat_exp(turn);
    *l = (bench_chain_link){.position = {is_first ? 0.0 : 0.1, 0.0, 0.0},
                            .rotation = {r.w, r.x, r.y, r.z},
                            .mass = crn_random_uniform(random, 0.5, 1.5),
                            .com = {0.05, 0.01, -0.005},
                            .inertia = {2e-4, 1e-3, 1.1e-3}};
}

bool bench_chain_make(int links, uint64_t seed, bench_chain_problem *problem)
{
    size_t numbers = (size_t)links * BENCH_CHAIN_STATES;
    crn_random random = crn_random_seed(seed);
    problem->link = calloc((size_t)links, sizeof *problem->link);
    problem->q = calloc(numbers, sizeof *problem->q);
    problem->u = calloc(numbers, sizeof *problem->u);
    problem->torque = calloc(numbers, sizeof *problem->torque);
    if (!problem->link || !problem->q || !problem->u || !problem->torque) {
        return false;
    }
    for (int i = 0; i < links; ++i) {
        make_link(&random, i == 0, &problem->link[i]);
    }
    for (size_t k = 0; k < numbers; ++k) {
        problem->q[k] = crn_random_uniform(&random, -1.0, 1.0);
        problem->u[k] = crn_random_uniform(&random, -1.0, 1.0);
        problem->torque[k] = crn_random_uniform(&random, -0.1, 0.1);
    }
    problem->chain = (bench_chain){.links = links, .link = problem->link, .gravity = {0.0, 0.0, -9.81}};
    return true;
}

void bench_chain_free(bench_chain_problem *problem)
{
    free(problem->link);
    free(problem->q);
    free(problem->u);
    free(problem->torque);
}

/* --- Ours --- */

typedef struct model {
    crn_tree *tree;
    crn_vec3 gravity;
} model;

static void destroy(void *data)
{
    model *m = data;
    if (m) {
        crn_tree_destroy(m->tree);
        free(m);
    }
}

static void *create(const bench_chain *chain)
{
    model *m = calloc(1, sizeof *m);
    crn_link_def *def = calloc((size_t)chain->links, sizeof *def);
    crn_error error = {0};
    for (int i = 0; def && i < chain->links; ++i) {
        const bench_chain_link *l = &chain->link[i];
        def[i] = crn_link_def_default();
        def[i].parent = i - 1;
        def[i].kind = CRN_JOINT_HINGE;
        def[i].frame_a =
            (crn_pose){crn_v3_of(l->position), {l->rotation[0], l->rotation[1], l->rotation[2], l->rotation[3]}};
        def[i].mass = l->mass;
        def[i].com = crn_v3_of(l->com);
        def[i].inertia = (crn_mat3){{l->inertia[0], 0, 0, 0, l->inertia[1], 0, 0, 0, l->inertia[2]}};
    }
    bool is_ok = m && def && crn_tree_create(def, chain->links, NULL, &m->tree, &error) == CRN_OK;
    free(def);
    if (!is_ok) {
        fprintf(stderr, "bench_dynamics: %s\n", error.text);
        destroy(m);
        return NULL;
    }
    m->gravity = crn_v3_of(chain->gravity);
    return m;
}

static void accelerate(void *data, const double *q, const double *u, const double *torque, double *acceleration)
{
    const model *m = data;
    crn_tree_load load = {m->gravity, torque, NULL};
    crn_tree_forward(m->tree, q, u, &load, acceleration);
}

const bench_chain_peer bench_chain_cairn = {
    .name = "Cairn", .method = "crn_tree_forward", .create = create, .accelerate = accelerate, .destroy = destroy};
