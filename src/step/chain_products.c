/* Products with the chain of a step's linear maps, and with its transpose: chain.h. */
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "math/vec.h"
#include "step/chain_tree.h"

enum { SIX = 6 };

/* --- Vectors --- */

/* From tangent numbers to six of each rigid body and those of trees, and back. */
static void spread_bodies(const crn_step_chain *chain, const double *from, double *to)
{
    int count = crn_chain_width(chain->stepper), first = chain->stepper->def.is_planar ? 2 : 0;
    memset(to, 0, (size_t)(SIX * chain->bodies) * sizeof *to);
    for (int i = 0; i < chain->bodies; ++i) {
        memcpy(to + SIX * i + first, from + count * i, (size_t)count * sizeof *to);
    }
}

static void spread(const crn_step_chain *chain, const double *from, double *to)
{
    spread_bodies(chain, from, to);
    crn_copy_numbers(to + SIX * chain->bodies, from + crn_chain_width(chain->stepper) * chain->bodies,
                     chain->velocities);
}

static void gather_bodies(const crn_step_chain *chain, const double *from, double *to)
{
    int count = crn_chain_width(chain->stepper), first = chain->stepper->def.is_planar ? 2 : 0;
    for (int i = 0; i < chain->bodies; ++i) {
        memcpy(to + count * i, from + SIX * i + first, (size_t)count * sizeof *to);
    }
}

static void gather(const crn_step_chain *chain, const double *from, double *to)
{
    gather_bodies(chain, from, to);
    crn_copy_numbers(to + crn_chain_width(chain->stepper) * chain->bodies, from + SIX * chain->bodies,
                     chain->velocities);
}

/* y += A x and x += A'y, A rows x columns; x is often a unit vector */
static void add_map(int rows, int columns, const double *A, const double *x, double *y)
{
    for (int j = 0; j < columns; ++j) {
        if (x[j] != 0.0) {
            crn_axpy(rows, x[j], A + (size_t)rows * (size_t)j, y);
        }
    }
}

static void add_transposed_map(int rows, int columns, const double *A, const double *y, double *x)
{
    for (int j = 0; j < columns; ++j) {
        x[j] += crn_dot(rows, A + (size_t)rows * (size_t)j, y);
    }
}

/* y += m x and y += m'x, three numbers each */
static void add_times(const crn_mat3 *m, const double *x, double *y)
{
    crn_v3_to(crn_v3_add(crn_v3_of(y), crn_m3_times(m, crn_v3_of(x))), y);
}

static void add_transposed(const crn_mat3 *m, const double *x, double *y)
{
    crn_v3_to(crn_v3_add(crn_v3_of(y), crn_m3_transposed_times(m, crn_v3_of(x))), y);
}

/* --- Contacts --- */

/* At work: by rigid body and link, what places, velocities before and after the kick and places where the step began change by, free velocities
 * of rigid bodies, and impulses; by velocity of the problem; by contact. */
typedef struct scratch {
    double *place, *before, *after, *start, *free, *impulse;
    double *packed[3];
    double *speed;
} scratch;

/* Numbers of both bodies of a contact from a vector of all, 0 of those that the problem does not move; and added to it. */
static void take_both(const crn_chain_contact *c, const double *from, double *x)
{
    memset(x, 0, CRN_CHAIN_BOTH * sizeof *x);
    if (c->a >= 0) {
        memcpy(x, from + SIX * c->a, SIX * sizeof *x);
    }
    if (c->b >= 0) {
        memcpy(x + SIX, from + SIX * c->b, SIX * sizeof *x);
    }
}

static void add_both(const crn_chain_contact *c, const double *x, double *to)
{
    for (int i = 0; i < SIX && c->a >= 0; ++i) {
        to[SIX * c->a + i] += x[i];
    }
    for (int i = 0; i < SIX && c->b >= 0; ++i) {
        to[SIX * c->b + i] += x[SIX + i];
    }
}

/* y += sum of columns by x, and x += columns'y */
static void add_columns(const double column[CRN_CHAIN_BOTH][3], const double *x, double *y)
{
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        for (int i = 0; i < 3; ++i) {
            y[i] += column[j][i] * x[j];
        }
    }
}

static void add_dots(const double column[CRN_CHAIN_BOTH][3], const double *y, double *x)
{
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        x[j] += column[j][0] * y[0] + column[j][1] * y[1] + column[j][2] * y[2];
    }
}

static void contact_forward(const crn_chain_contact *c, const scratch *w, double *speed)
{
    double x[CRN_CHAIN_BOTH], y[CRN_CHAIN_BOTH] = {0};
    take_both(c, w->place, x);
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        for (int i = 0; i < CRN_CHAIN_BOTH; ++i) {
            y[i] += c->impulse[j][i] * x[j];
        }
    }
    add_both(c, y, w->impulse);
    add_columns(c->speed, x, speed);
    take_both(c, w->after, x);
    add_columns(c->by_after, x, speed);
    if (c->rolls) {
        take_both(c, w->before, x);
        add_columns(c->by_velocity, x, speed);
        take_both(c, w->start, x);
        add_columns(c->by_start, x, speed);
    }
}

static void contact_adjoint(const crn_chain_contact *c, const double *speed, const scratch *w)
{
    double x[CRN_CHAIN_BOTH] = {0}, y[CRN_CHAIN_BOTH], after[CRN_CHAIN_BOTH] = {0};
    take_both(c, w->impulse, y);
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        for (int i = 0; i < CRN_CHAIN_BOTH; ++i) {
            x[j] += c->impulse[j][i] * y[i];
        }
    }
    add_dots(c->speed, speed, x);
    add_both(c, x, w->place);
    add_dots(c->by_after, speed, after);
    add_both(c, after, w->after);
    if (c->rolls) {
        double before[CRN_CHAIN_BOTH] = {0}, start[CRN_CHAIN_BOTH] = {0};
        add_dots(c->by_velocity, speed, before);
        add_both(c, before, w->before);
        add_dots(c->by_start, speed, start);
        add_both(c, start, w->start);
    }
}

/* --- Trees --- */

static const double *tree_part(const crn_step_chain *chain, const double *x, const crn_chain_tree *tree)
{
    return x + SIX * chain->bodies + tree->u;
}

/* What bodies and links do, from the state. */
static void show(const crn_step_chain *chain, const crn_chain_kick *kick, const double *q, const double *v,
                 const double *start, const scratch *w)
{
    int bodies = SIX * chain->bodies, all = bodies + SIX * kick->links;
    double *each[4] = {w->place, w->before, w->start, w->after};
    const double *from[4] = {q, v, start, NULL};
    for (int k = 0; k < 4; ++k) {
        crn_clear_numbers(each[k], all);
        crn_copy_numbers(each[k], from[k], from[k] ? bodies : 0);
    }
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_link *link = &kick->link[i];
        const crn_chain_tree *tree = &kick->tree[link->tree];
        const double *mine = tree_part(chain, q, tree);
        int at = bodies + SIX * i;
        add_map(SIX, tree->n, link->place, mine, w->place + at);
        add_map(SIX, tree->n, link->place, tree_part(chain, v, tree), w->before + at);
        add_map(SIX, tree->n, link->before, mine, w->before + at);
        add_map(SIX, tree->n, link->after, mine, w->after + at);
        add_map(SIX, tree->n, link->start, tree_part(chain, start, tree), w->start + at);
    }
}

/* Gradients with respect to what bodies and links do are added to those with respect to the state. */
static void hide(const crn_step_chain *chain, const crn_chain_kick *kick, double *q, double *v, double *start,
                 const scratch *w)
{
    int bodies = SIX * chain->bodies;
    crn_axpy(bodies, 1.0, w->place, q);
    crn_axpy(bodies, 1.0, w->before, v);
    crn_axpy(bodies, 1.0, w->start, start);
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_link *link = &kick->link[i];
        const crn_chain_tree *tree = &kick->tree[link->tree];
        int at = bodies + SIX * i, mine = bodies + tree->u;
        add_transposed_map(SIX, tree->n, link->place, w->place + at, q + mine);
        add_transposed_map(SIX, tree->n, link->place, w->before + at, v + mine);
        add_transposed_map(SIX, tree->n, link->before, w->before + at, q + mine);
        add_transposed_map(SIX, tree->n, link->after, w->after + at, q + mine);
        add_transposed_map(SIX, tree->n, link->start, w->start + at, start + mine);
    }
}

/* Impulses along the velocities of trees (to: of all), from the state and from those on links. */
static void push_trees(const crn_step_chain *chain, const crn_chain_kick *kick, const double *q, const double *v,
                       const crn_chain_input *input, const scratch *w, double *to)
{
    crn_clear_numbers(to, chain->velocities);
    for (int i = 0; i < chain->trees; ++i) {
        const crn_chain_tree *tree = &kick->tree[i];
        add_map(tree->n, tree->n, tree->by_q, tree_part(chain, q, tree), to + tree->u);
        add_map(tree->n, tree->n, tree->by_v, tree_part(chain, v, tree), to + tree->u);
        for (int k = 0; k < tree->n && input; ++k) {
            to[tree->u + k] += kick->time * input->force[tree->u + k] + tree->by_target[k] * input->target[tree->u + k];
        }
    }
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_tree *tree = &kick->tree[kick->link[i].tree];
        add_transposed_map(SIX, tree->n, kick->link[i].place, w->impulse + SIX * (chain->bodies + i), to + tree->u);
    }
}

/* The other way: v, which is written, q and input, to which is added, and impulses on links, from those along velocities. */
static void push_trees_adjoint(const crn_step_chain *chain, const crn_chain_kick *kick, const double *from, double *q,
                               double *v, const crn_chain_input *input, const scratch *w)
{
    for (int i = 0; i < chain->trees; ++i) {
        const crn_chain_tree *tree = &kick->tree[i];
        const double *mine = from + tree->u;
        int at = SIX * chain->bodies + tree->u;
        crn_clear_numbers(v + at, tree->n);
        add_transposed_map(tree->n, tree->n, tree->by_q, mine, q + at);
        add_transposed_map(tree->n, tree->n, tree->by_v, mine, v + at);
        for (int k = 0; k < tree->n && input; ++k) {
            input->force[tree->u + k] += kick->time * mine[k];
            input->target[tree->u + k] += tree->by_target[k] * mine[k];
        }
    }
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_tree *tree = &kick->tree[kick->link[i].tree];
        add_map(SIX, tree->n, kick->link[i].place, from + tree->u, w->impulse + SIX * (chain->bodies + i));
    }
}

/* --- Kicks --- */

static int limits_of(const crn_chain_kick *kick)
{
    return kick->problem.contacts - kick->contacts;
}

/* v := velocities after the kick, where places change by q, and by start where the step begins. */
static crn_status kick_forward(crn_step_chain *chain, crn_chain_kick *kick, const double *q, const double *start,
                               double *v, const crn_chain_input *input, const scratch *w, crn_error *error)
{
    int bodies = SIX * chain->bodies, packed = crn_chain_width(chain->stepper) * chain->bodies;
    show(chain, kick, q, v, start, w);
    crn_clear_numbers(w->impulse, bodies + SIX * kick->links);
    crn_clear_numbers(w->speed, 3 * kick->problem.contacts);
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_body *body = &kick->body[i];
        for (int k = 0; k < SIX; ++k) {
            w->free[SIX * i + k] = v[SIX * i + k] * (k < 3 ? body->angular : body->linear);
        }
        add_times(&body->push, q + SIX * i, w->free + SIX * i);
        add_times(&body->spin, q + SIX * i, w->impulse + SIX * i);
    }
    for (int i = 0; i < kick->contacts; ++i) {
        contact_forward(&kick->contact[i], w, w->speed + 3 * i);
    }
    for (int i = 0; i < limits_of(kick); ++i) {
        w->speed[3 * (kick->contacts + i)] = kick->limit[i].rate * q[bodies + kick->limit[i].velocity];
    }
    crn_clear_numbers(w->packed[0], packed + chain->velocities); /* free velocities of trees: impulses tell */
    gather_bodies(chain, w->free, w->packed[0]);
    gather_bodies(chain, w->impulse, w->packed[1]);
    push_trees(chain, kick, q, v, input, w, w->packed[1] + packed);
    crn_contact_change_in in = {.velocity = w->packed[0], .impulse = w->packed[1], .contact_velocity = w->speed};
    crn_contact_change_out out = {.velocity = w->packed[2]};
    crn_status status = crn_contact_jvp(kick->linear, &in, &out, NULL, error);
    spread(chain, w->packed[2], v);
    return status;
}

/* v: gradient with respect to velocities after the kick becomes that with respect to those before it; q, start and input are added to. */
static crn_status kick_adjoint(crn_step_chain *chain, crn_chain_kick *kick, double *v, double *q, double *start,
                               const crn_chain_input *input, const scratch *w, crn_error *error)
{
    int bodies = SIX * chain->bodies, all = bodies + SIX * kick->links;
    double *each[] = {w->place, w->before, w->start, w->after, w->impulse};
    gather(chain, v, w->packed[2]);
    crn_contact_seed seed = {.velocity = w->packed[2]};
    crn_contact_gradient to = {.velocity = w->packed[0], .impulse = w->packed[1], .contact_velocity = w->speed};
    crn_status status = crn_contact_vjp(kick->linear, &seed, &to, NULL, error);
    for (size_t k = 0; k < sizeof each / sizeof *each; ++k) {
        crn_clear_numbers(each[k], all);
    }
    spread_bodies(chain, w->packed[0], w->free);
    spread_bodies(chain, w->packed[1], w->impulse);
    push_trees_adjoint(chain, kick, w->packed[1] + crn_chain_width(chain->stepper) * chain->bodies, q, v, input, w);
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_body *body = &kick->body[i];
        for (int k = 0; k < SIX; ++k) {
            v[SIX * i + k] = w->free[SIX * i + k] * (k < 3 ? body->angular : body->linear);
        }
        add_transposed(&body->push, w->free + SIX * i, q + SIX * i);
        add_transposed(&body->spin, w->impulse + SIX * i, q + SIX * i);
    }
    for (int i = 0; i < kick->contacts; ++i) {
        contact_adjoint(&kick->contact[i], w->speed + 3 * i, w);
    }
    for (int i = 0; i < limits_of(kick); ++i) {
        q[bodies + kick->limit[i].velocity] += kick->limit[i].rate * w->speed[3 * (kick->contacts + i)];
    }
    hide(chain, kick, q, v, start, w);
    return status;
}

/* --- Drifts --- */

/* Coordinates and velocities of trees; which: forward, or transposed. both: room for twice that. */
static void drift_trees(const crn_step_chain *chain, bool is_adjoint, double *q, double *v, double *both)
{
    const double *map = chain->tree_drift;
    for (int i = 0; i < chain->trees; ++i) {
        const crn_chain_tree *tree = &chain->kick[0].tree[i];
        int n = tree->n, at = SIX * chain->bodies + tree->u;
        crn_copy_numbers(both, q + at, n);
        crn_copy_numbers(both + n, v + at, n);
        crn_clear_numbers(both + 2 * n, 2 * n);
        if (is_adjoint) {
            add_transposed_map(2 * n, 2 * n, map, both, both + 2 * n);
        } else {
            add_map(2 * n, 2 * n, map, both, both + 2 * n);
        }
        crn_copy_numbers(q + at, both + 2 * n, n);
        crn_copy_numbers(v + at, both + 3 * n, n);
        map += 4 * n * n;
    }
}

static void drift_forward(const crn_step_chain *chain, double *q, double *v)
{
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_drift *d = &chain->drift[i];
        double *turn = q + SIX * i, *w = v + SIX * i, next[SIX] = {0};
        add_times(&d->turn_by_turn, turn, next);
        add_times(&d->turn_by_w, w, next);
        add_times(&d->w_by_turn, turn, next + 3);
        add_times(&d->w_by_w, w, next + 3);
        for (int k = 0; k < 3; ++k) {
            turn[k] = next[k];
            turn[3 + k] += chain->h * w[3 + k];
            w[k] = next[3 + k];
        }
    }
}

static void drift_adjoint(const crn_step_chain *chain, double *q, double *v)
{
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_drift *d = &chain->drift[i];
        double *turn = q + SIX * i, *w = v + SIX * i, before[SIX] = {0};
        add_transposed(&d->turn_by_turn, turn, before);
        add_transposed(&d->w_by_turn, w, before);
        add_transposed(&d->turn_by_w, turn, before + 3);
        add_transposed(&d->w_by_w, w, before + 3);
        for (int k = 0; k < 3; ++k) {
            turn[k] = before[k];
            w[k] = before[3 + k];
            w[3 + k] += chain->h * turn[3 + k];
        }
    }
}

/* --- Products --- */

/* A state: (q, v), where it began; and the rest. */
typedef struct work {
    double *q, *v, *start;
    scratch at;
} work;

static work work_of(const crn_step_chain *chain)
{
    size_t state = (size_t)(SIX * chain->bodies + chain->velocities), bodies = (size_t)(SIX * chain->bodies);
    int links = 0;
    for (int i = 0; i < chain->kicks; ++i) {
        links = chain->kick[i].links > links ? chain->kick[i].links : links;
    }
    size_t each = bodies + (size_t)(SIX * links);
    double *n = chain->number, *packed = n + 3 * state, *six = packed + 4 * state;
    return (work){n,
                  n + state,
                  n + 2 * state,
                  {six,
                   six + each,
                   six + 2 * each,
                   six + 3 * each,
                   six + 4 * each,
                   six + 5 * each,
                   {packed, packed + state, packed + 2 * state},
                   six + 6 * each}};
}

static int tangent_size(const crn_step_chain *chain)
{
    return crn_chain_width(chain->stepper) * chain->bodies + chain->velocities;
}

crn_status crn_chain_forward(crn_step_chain *chain, const double *before, const crn_chain_input *input, double *after,
                             crn_error *error)
{
    work w = work_of(chain);
    int n = tangent_size(chain);
    crn_status status = CRN_OK;
    spread(chain, before, w.q);
    spread(chain, before, w.start);
    spread(chain, before + n, w.v);
    if (chain->kicks > 1) {
        status = kick_forward(chain, &chain->kick[0], w.q, w.start, w.v, input, &w.at, error);
    }
    drift_forward(chain, w.q, w.v);
    drift_trees(chain, false, w.q, w.v, w.at.packed[0]);
    gather(chain, w.q, after);
    gather(chain, w.v, after + n);
    if (status == CRN_OK) {
        status = kick_forward(chain, &chain->kick[chain->kicks - 1], w.q, w.start, w.v, input, &w.at, error);
    }
    gather(chain, w.v, after + 2 * n);
    for (int i = 0; i < n; ++i) {
        after[n + i] = 0.5 * (after[n + i] + after[2 * n + i]);
    }
    return status;
}

crn_status crn_chain_adjoint(crn_step_chain *chain, const double *after, double *before, const crn_chain_input *input,
                             crn_error *error)
{
    work w = work_of(chain);
    int n = tangent_size(chain), state = SIX * chain->bodies + chain->velocities;
    for (int i = 0; i < n; ++i) { /* of the velocity after the kick; before is scratch */
        before[i] = 0.5 * after[n + i] + after[2 * n + i];
        before[n + i] = 0.5 * after[n + i];
    }
    if (input) {
        crn_clear_numbers(input->force, chain->velocities);
        crn_clear_numbers(input->target, chain->velocities);
    }
    spread(chain, after, w.q);
    spread(chain, before, w.v);
    crn_clear_numbers(w.start, state);
    crn_status status = kick_adjoint(chain, &chain->kick[chain->kicks - 1], w.v, w.q, w.start, input, &w.at, error);
    spread(chain, before + n, w.at.packed[0]); /* of the velocity before it, which is shown too */
    crn_axpy(state, 1.0, w.at.packed[0], w.v);
    drift_adjoint(chain, w.q, w.v);
    drift_trees(chain, true, w.q, w.v, w.at.packed[0]);
    if (chain->kicks > 1 && status == CRN_OK) {
        status = kick_adjoint(chain, &chain->kick[0], w.v, w.q, w.start, input, &w.at, error);
    }
    crn_axpy(state, 1.0, w.start, w.q);
    gather(chain, w.q, before);
    gather(chain, w.v, before + n);
    return status;
}
