/* The chain of a step's linear maps: what is covered, and products: chain.h. */
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

enum { SIX = 6 };

/* --- What is covered --- */

static bool is_any_load(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->loads; ++i) {
        any = any || s->load[i].is_used;
    }
    return any;
}

void crn_chain_begin(crn_step_chain *chain, crn_stepper *s, double h)
{
    bool has_joints = s->forest.mechanisms > 0 || s->tendons > 0;
    bool is_round = s->def.cone == CRN_CONE_ROUND || s->def.is_planar; /* corners of polygons turn with the slip */
    chain->stepper = s;
    chain->h = h;
    chain->kicks = chain->bodies = 0;
    chain->kick_is_first = false;
    chain->is_covered =
        !has_joints && is_round && s->def.integrator == CRN_INTEGRATOR_REFLECT && !is_any_load(s) && s->limits == 0;
}

void crn_chain_free(crn_step_chain *chain)
{
    if (!chain->stepper) {
        return;
    }
    const crn_allocator *allocator = &chain->stepper->allocator;
    for (int i = 0; i < 2; ++i) {
        crn_chain_kick *kick = &chain->kick[i];
        void *all[] = {kick->problem_body, kick->point, kick->velocity, kick->body, kick->contact};
        for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
            crn_release(allocator, all[k]);
        }
        crn_workspace_free(&kick->workspace);
    }
    crn_release(allocator, chain->drift);
    crn_release(allocator, chain->number);
}

/* --- The end of the step --- */

/* Velocities are those of the problem: nothing was clamped. */
static bool is_as_solved(const crn_stepper *s)
{
    bool is_same = true;
    for (int i = 0; i < s->problem.rigid; ++i) {
        const crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_vec3 w, v;
        crn_step_found(s, s->problem.found, i, &w, &v);
        is_same = is_same && crn_v3_is_same(w, body->rigid.w) && crn_v3_is_same(v, body->rigid.v);
    }
    return is_same;
}

/* Vectors at work: four of bodies, three of the problem's velocities, one of contacts. */
static int most_contacts(const crn_step_chain *chain)
{
    int first = chain->kick[0].problem.contacts, second = chain->kick[1].problem.contacts;
    return chain->kicks > 1 && second > first ? second : first;
}

crn_status crn_chain_end(crn_step_chain *chain, crn_error *error)
{
    crn_stepper *s = chain->stepper;
    int numbers = 7 * SIX * s->problem.rigid + 3 * most_contacts(chain);
    chain->bodies = s->problem.rigid;
    chain->is_covered = chain->is_covered && chain->kicks > 0 && !chain->kick_is_first && is_as_solved(s);
    bool has_room =
        crn_reserve(&s->allocator, (void **)&chain->number, &chain->number_capacity, numbers, sizeof *chain->number);
    return has_room ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
}

/* --- Vectors --- */

/* Numbers of a body in the tangent space and in the problem: in the plane the middle three of six. */
static int width(const crn_step_chain *chain)
{
    return chain->stepper->def.is_planar ? 3 : SIX;
}

static void spread(const crn_step_chain *chain, const double *from, double *to)
{
    int count = width(chain), first = chain->stepper->def.is_planar ? 2 : 0;
    memset(to, 0, (size_t)(SIX * chain->bodies) * sizeof *to);
    for (int i = 0; i < chain->bodies; ++i) {
        memcpy(to + SIX * i + first, from + count * i, (size_t)count * sizeof *to);
    }
}

static void gather(const crn_step_chain *chain, const double *from, double *to)
{
    int count = width(chain), first = chain->stepper->def.is_planar ? 2 : 0;
    for (int i = 0; i < chain->bodies; ++i) {
        memcpy(to + count * i, from + SIX * i + first, (size_t)count * sizeof *to);
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

static void contact_forward(const crn_chain_contact *c, const double *q, const double *v, const double *start,
                            double *impulse, double *speed)
{
    double x[CRN_CHAIN_BOTH], y[CRN_CHAIN_BOTH] = {0};
    take_both(c, q, x);
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        for (int i = 0; i < CRN_CHAIN_BOTH; ++i) {
            y[i] += c->impulse[j][i] * x[j];
        }
    }
    add_both(c, y, impulse);
    add_columns(c->speed, x, speed);
    if (c->rolls) {
        take_both(c, v, x);
        add_columns(c->by_velocity, x, speed);
        take_both(c, start, x);
        add_columns(c->by_start, x, speed);
    }
}

static void contact_adjoint(const crn_chain_contact *c, const double *impulse, const double *speed, double *q,
                            double *v, double *start)
{
    double x[CRN_CHAIN_BOTH] = {0}, y[CRN_CHAIN_BOTH];
    take_both(c, impulse, y);
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        for (int i = 0; i < CRN_CHAIN_BOTH; ++i) {
            x[j] += c->impulse[j][i] * y[i];
        }
    }
    add_dots(c->speed, speed, x);
    add_both(c, x, q);
    if (c->rolls) {
        double by_v[CRN_CHAIN_BOTH] = {0}, by_start[CRN_CHAIN_BOTH] = {0};
        add_dots(c->by_velocity, speed, by_v);
        add_both(c, by_v, v);
        add_dots(c->by_start, speed, by_start);
        add_both(c, by_start, start);
    }
}

/* --- Kicks --- */

/* At work: impulses and free velocities by body, and what the problem has of them. */
typedef struct scratch {
    double *impulse, *free, *packed[2], *speed;
} scratch;

/* v := velocities after the kick, where places change by q, and by start where the step begins. */
static crn_status kick_forward(crn_step_chain *chain, crn_chain_kick *kick, double *q, double *start, double *v,
                               const scratch *w, crn_error *error)
{
    size_t numbers = (size_t)(SIX * chain->bodies);
    memset(w->impulse, 0, numbers * sizeof(double));
    memset(w->speed, 0, 3 * (size_t)kick->problem.contacts * sizeof(double));
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_body *body = &kick->body[i];
        for (int k = 0; k < SIX; ++k) {
            w->free[SIX * i + k] = v[SIX * i + k] * (k < 3 ? body->angular : body->linear);
        }
        add_times(&body->push, q + SIX * i, w->free + SIX * i);
        add_times(&body->spin, q + SIX * i, w->impulse + SIX * i);
    }
    for (int i = 0; i < kick->problem.contacts; ++i) {
        contact_forward(&kick->contact[i], q, v, start, w->impulse, w->speed + 3 * i);
    }
    gather(chain, w->free, w->packed[0]);
    gather(chain, w->impulse, w->packed[1]);
    crn_contact_change_in in = {.velocity = w->packed[0], .impulse = w->packed[1], .contact_velocity = w->speed};
    crn_contact_change_out out = {.velocity = w->free};
    crn_status status = crn_contact_jvp(kick->linear, &in, &out, NULL, error);
    memcpy(w->packed[0], w->free, (size_t)(width(chain) * chain->bodies) * sizeof(double));
    spread(chain, w->packed[0], v);
    return status;
}

/* v: gradient with respect to velocities after the kick becomes that with respect to those before it; q and start are added to. */
static crn_status kick_adjoint(crn_step_chain *chain, crn_chain_kick *kick, double *v, double *q, double *start,
                               const scratch *w, crn_error *error)
{
    gather(chain, v, w->free);
    crn_contact_seed seed = {.velocity = w->free};
    crn_contact_gradient to = {.velocity = w->packed[0], .impulse = w->packed[1], .contact_velocity = w->speed};
    crn_status status = crn_contact_vjp(kick->linear, &seed, &to, NULL, error);
    spread(chain, w->packed[0], w->free);
    spread(chain, w->packed[1], w->impulse);
    for (int i = 0; i < chain->bodies; ++i) {
        const crn_chain_body *body = &kick->body[i];
        for (int k = 0; k < SIX; ++k) {
            v[SIX * i + k] = w->free[SIX * i + k] * (k < 3 ? body->angular : body->linear);
        }
        add_transposed(&body->push, w->free + SIX * i, q + SIX * i);
        add_transposed(&body->spin, w->impulse + SIX * i, q + SIX * i);
    }
    for (int i = 0; i < kick->problem.contacts; ++i) {
        contact_adjoint(&kick->contact[i], w->impulse, w->speed + 3 * i, q, v, start);
    }
    return status;
}

/* --- Drifts --- */

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

static scratch scratch_of(const crn_step_chain *chain, double **q, double **v, double **start)
{
    size_t n = (size_t)(SIX * chain->bodies);
    double *at = chain->number;
    *q = at;
    *v = at + n;
    *start = at + 2 * n;
    return (scratch){at + 3 * n, at + 4 * n, {at + 5 * n, at + 6 * n}, at + 7 * n};
}

crn_status crn_chain_forward(crn_step_chain *chain, const double *before, double *after, crn_error *error)
{
    double *q, *v, *start;
    scratch w = scratch_of(chain, &q, &v, &start);
    int n = width(chain) * chain->bodies;
    crn_status status = CRN_OK;
    spread(chain, before, q);
    spread(chain, before, start);
    spread(chain, before + n, v);
    if (chain->kicks > 1) {
        status = kick_forward(chain, &chain->kick[0], q, start, v, &w, error);
    }
    drift_forward(chain, q, v);
    gather(chain, q, after);
    gather(chain, v, after + n);
    if (status == CRN_OK) {
        status = kick_forward(chain, &chain->kick[chain->kicks - 1], q, start, v, &w, error);
    }
    gather(chain, v, after + 2 * n);
    for (int i = 0; i < n; ++i) {
        after[n + i] = 0.5 * (after[n + i] + after[2 * n + i]);
    }
    return status;
}

crn_status crn_chain_adjoint(crn_step_chain *chain, const double *after, double *before, crn_error *error)
{
    double *q, *v, *start;
    scratch w = scratch_of(chain, &q, &v, &start);
    int n = width(chain) * chain->bodies;
    for (int i = 0; i < n; ++i) { /* of the velocity after the kick; before is scratch */
        before[i] = 0.5 * after[n + i] + after[2 * n + i];
        before[n + i] = 0.5 * after[n + i];
    }
    spread(chain, after, q);
    spread(chain, before, v);
    memset(start, 0, (size_t)(SIX * chain->bodies) * sizeof *start);
    crn_status status = kick_adjoint(chain, &chain->kick[chain->kicks - 1], v, q, start, &w, error);
    spread(chain, before + n, w.free); /* of the velocity before it, which is shown too */
    for (int i = 0; i < SIX * chain->bodies; ++i) {
        v[i] += w.free[i];
    }
    drift_adjoint(chain, q, v);
    if (chain->kicks > 1 && status == CRN_OK) {
        status = kick_adjoint(chain, &chain->kick[0], v, q, start, &w, error);
    }
    for (int i = 0; i < SIX * chain->bodies; ++i) {
        q[i] += start[i];
    }
    gather(chain, q, before);
    gather(chain, v, before + n);
    return status;
}
