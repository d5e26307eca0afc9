/* Derivatives of a world's step: Jacobian, products, reports [docs/theory/gradients.md]. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "world/replay.h"

/* Changes of positions and velocities for centred differences [m, rad, m/s]: the square of it is what they leave out, rounding over it what they
 * add. */
#define CHANGE 1e-6
#define KINK   1e-6

crn_gradient_options crn_gradient_options_default(void)
{
    return (crn_gradient_options){.kink = KINK, .change = CHANGE};
}

/* --- Reports --- */

static crn_gradient_status worse(crn_gradient_status a, crn_gradient_status b)
{
    return a > b ? a : b;
}

static void tell(const crn_replay *k, const crn_step_stats *stats, bool is_asleep, crn_gradient_report *report)
{
    const crn_step_branch *b = &k->branch;
    memset(report, 0, sizeof *report);
    report->status = b->status;
    report->begins_shown = b->begins_shown;
    report->is_saltation = k->is_event;
    report->kinks = b->kinks;
    report->touching = b->touching;
    report->redundant = b->redundant;
    report->changed = b->changed;
    report->margin = b->margin;
    report->residual = b->residual;
    report->step = *stats;
    for (int i = 0; i < b->reports && report->listed < (int)(sizeof report->kink / sizeof *report->kink); ++i) {
        const crn_branch_report *from = &b->report[i];
        report->kink[report->listed++] = (crn_gradient_kink){from->a, from->b, from->point, from->branch};
    }
    report->is_parting = k->is_parting;
    bool is_kink = b->touching > 0 || b->changed > 0 || k->is_parting || (k->is_event && !k->is_single);
    report->status = is_kink ? worse(report->status, CRN_GRADIENT_KINK) : report->status;
    report->status = stats->parts > 1 || is_asleep ? CRN_GRADIENT_UNCOVERED : report->status;
}

/* --- Calls --- */

static crn_status check_call(crn_world *w, double dt, const crn_gradient_options *o, crn_error *error)
{
    crn_clear(error);
    if (!w) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world is NULL");
    }
    if (!(dt > 0.0) || !isfinite(dt)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "dt %g: must be > 0 and finite", dt);
    }
    crn_integrator how = w->stepper.def.integrator;
    if (how != CRN_INTEGRATOR_REFLECT && how != CRN_INTEGRATOR_EULER) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "derivatives are for the integrators reflect and euler");
    }
    if (o->change < 0.0 || o->change > 1e-2 || o->kink < 0.0 || o->kink > 1.0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "change %g or kink %g: out of range", o->change, o->kink);
    }
    crn_status status = crn_step_plant(&w->stepper, error);
    return status == CRN_OK ? crn_parameters_check(w, o->parameter, o->parameters, error) : status;
}

static bool is_any_asleep(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->bodies; ++i) {
        any = any || (s->body[i].id.index1 != 0 && s->body[i].asleep != 0);
    }
    return any;
}

/* While a recorded step is at work, the stepper replays it; afterwards the world is as it was before it. */
static void unhook(crn_replay *k)
{
    crn_stepper *s = &k->world->stepper;
    s->branch = NULL;
    s->solver = k->solver;
    s->solver_user = k->solver_user;
    (void)crn_replay_go_back(k, NULL);
}

static void hook(crn_replay *k)
{
    crn_stepper *s = &k->world->stepper;
    s->branch = &k->branch;
    s->solver = crn_branch_solve;
    s->solver_user = &k->branch;
}

/* Record the step, which is left at work if all went well. */
static crn_status open_step(crn_world *w, double dt, const crn_gradient_options *options, crn_replay *k,
                            crn_step_stats *stats, crn_error *error)
{
    *k = (crn_replay){
        .world = w, .dt = dt, .options = options, .change = options->change > 0.0 ? options->change : CHANGE};
    k->branch.stepper = &w->stepper;
    k->solver = w->stepper.solver;
    k->solver_user = w->stepper.solver_user;
    k->is_single = true;
    if (!crn_replay_open(k)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
    }
    crn_status status = crn_world_save(w, k->snapshot, k->size, error);
    if (status != CRN_OK) {
        return status;
    }
    status = crn_replay_record(k, stats, error);
    if (status == CRN_OK && !options->is_unchecked) {
        status = crn_replay_check_sides(k, error);
    }
    if (status != CRN_OK) {
        unhook(k);
    }
    return status;
}

/* What is done with the recorded step. */
typedef crn_status (*use)(crn_replay *k, void *user, crn_error *error);

static crn_status with_step(crn_world *w, double dt, const crn_gradient_options *options, use what, void *user,
                            crn_gradient_report *report, crn_error *error)
{
    crn_gradient_options defaults = crn_gradient_options_default();
    crn_step_stats stats;
    crn_replay k;
    options = options ? options : &defaults;
    crn_status status = check_call(w, dt, options, error);
    if (status != CRN_OK) {
        return status;
    }
    bool is_asleep = is_any_asleep(&w->stepper);
    status = open_step(w, dt, options, &k, &stats, error);
    if (status == CRN_OK) {
        status = what(&k, user, error);
        unhook(&k);
    }
    if (status == CRN_OK && report) {
        tell(&k, &stats, is_asleep, report);
    }
    crn_replay_close(&k);
    return status;
}

/* By how much input j is changed, for one of it. */
static double unit_of(const crn_replay *k, int j)
{
    return j < 2 * k->n ? 1.0 : crn_parameter_unit(k->world, &k->options->parameter[j - 2 * k->n], k->dt);
}

/* Column j of all derivatives: 3n numbers. */
static crn_status column(crn_replay *k, int j, double *to, crn_error *error)
{
    int inputs = 2 * k->n + k->options->parameters;
    double unit = unit_of(k, j);
    memset(k->input, 0, (size_t)inputs * sizeof *k->input);
    if (j >= 2 * k->n && k->is_push[j - 2 * k->n]) {
        crn_chain_input push = crn_replay_push(k, j - 2 * k->n);
        return crn_chain_forward(&k->chain, k->input, &push, to, error);
    }
    k->input[j] = unit;
    if (k->chain.is_covered && j < 2 * k->n) {
        return crn_chain_forward(&k->chain, k->input, NULL, to, error);
    }
    crn_status status = crn_replay_differentiate(k, k->input, to, error);
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        to[i] /= unit;
    }
    return status;
}

/* --- The whole Jacobian --- */

static void put(const crn_replay *k, int j, const double *from, const crn_world_jacobian *to)
{
    size_t n = (size_t)k->n, at = (size_t)j;
    bool is_state = j < 2 * k->n;
    double *state = is_state ? to->state : to->by_parameter, *carried = is_state ? to->carried : to->carried_parameter;
    at = is_state ? at : at - 2 * n;
    if (state) {
        memcpy(state + 2 * n * at, from, 2 * n * sizeof *from);
    }
    if (carried) {
        memcpy(carried + n * at, from + 2 * n, n * sizeof *from);
    }
}

static crn_status fill_jacobian(crn_replay *k, void *user, crn_error *error)
{
    const crn_world_jacobian *to = user;
    bool wants_state = to->state || to->carried;
    bool wants_parameters = to->by_parameter || to->carried_parameter;
    crn_status status = CRN_OK;
    int first = wants_state ? 0 : 2 * k->n, last = wants_parameters ? 2 * k->n + k->options->parameters : 2 * k->n;
    for (int j = first; j < last && status == CRN_OK; ++j) {
        status = column(k, j, k->result, error);
        if (status == CRN_OK) {
            put(k, j, k->result, to);
        }
    }
    return status;
}

crn_status crn_world_linearize(crn_world *world, double dt, const crn_gradient_options *options,
                               const crn_world_jacobian *jacobian, crn_gradient_report *report, crn_error *error)
{
    crn_world_jacobian none = {0};
    crn_world_jacobian to = jacobian ? *jacobian : none;
    return with_step(world, dt, options, fill_jacobian, &to, report, error);
}

/* --- Products --- */

typedef struct product {
    const crn_world_change *before, *after;
} product;

static void take(const double *from, int count, double *to)
{
    if (from) {
        memcpy(to, from, (size_t)count * sizeof *to);
    } else if (count > 0) {
        memset(to, 0, (size_t)count * sizeof *to);
    }
}

static void give(const double *from, int count, double *to)
{
    if (to && count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

/* pushed := what parameters push, which are then taken out of the input. */
static void take_pushes(crn_replay *k)
{
    int trees = k->chain.velocities;
    take(NULL, 2 * trees, k->pushed.force);
    for (int i = 0; i < k->options->parameters; ++i) {
        double *by = &k->input[2 * k->n + i];
        for (int c = 0; k->is_push[i] && c < 2 * trees; ++c) {
            k->pushed.force[c] += *by * crn_replay_push(k, i).force[c];
        }
        *by = k->is_push[i] ? 0.0 : *by;
    }
}

/* to += what the input makes by differences, which is what the chain does not know. */
static crn_status add_difference(crn_replay *k, double *to, crn_error *error)
{
    int inputs = 2 * k->n + k->options->parameters;
    double size = 0.0;
    for (int j = 0; j < inputs; ++j) {
        size = crn_fmax(size, fabs(k->input[j]) / unit_of(k, j));
    }
    if (size == 0.0) {
        return CRN_OK;
    }
    for (int j = 0; j < inputs; ++j) {
        k->input[j] /= size;
    }
    crn_status status = crn_replay_differentiate(k, k->input, k->product, error);
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        to[i] += size * k->product[i];
    }
    return status;
}

static crn_status multiply(crn_replay *k, void *user, crn_error *error)
{
    const product *p = user;
    int n = k->n;
    crn_status status = CRN_OK;
    take(p->before->q, n, k->input);
    take(p->before->v, n, k->input + n);
    take(p->before->parameter, k->options->parameters, k->input + 2 * n);
    take(NULL, 3 * n, k->result);
    if (k->chain.is_covered) {
        take_pushes(k);
        status = crn_chain_forward(&k->chain, k->input, &k->pushed, k->result, error);
        take(NULL, 2 * n, k->input);
    }
    status = status == CRN_OK ? add_difference(k, k->result, error) : status;
    if (status == CRN_OK) {
        give(k->result, n, p->after->q);
        give(k->result + n, n, p->after->v);
        give(k->result + 2 * n, n, p->after->carried);
    }
    return status;
}

/* The gradient of one input: its column by the seed (3n), or what the adjoint of the chain says of what it pushes. */
static crn_status dot_column(crn_replay *k, int j, const double *seed, double *to, crn_error *error)
{
    if (j >= 2 * k->n && k->is_push[j - 2 * k->n]) {
        crn_chain_input push = crn_replay_push(k, j - 2 * k->n);
        *to = crn_dot(2 * k->chain.velocities, push.force, k->pushed.force);
        return CRN_OK;
    }
    crn_status status = column(k, j, k->result, error);
    *to = 0.0;
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        *to += seed[i] * k->result[i];
    }
    return status;
}

static crn_status multiply_transposed(crn_replay *k, void *user, crn_error *error)
{
    const product *p = user;
    int n = k->n, parameters = k->options->parameters, first = 0;
    double *seed = k->product, *to = k->gradient;
    crn_status status = CRN_OK;
    take(p->after->q, n, seed);
    take(p->after->v, n, seed + n);
    take(p->after->carried, n, seed + 2 * n);
    if (k->chain.is_covered) {
        status = crn_chain_adjoint(&k->chain, seed, to, &k->pushed, error);
        first = 2 * n;
    }
    int last = p->before->parameter ? 2 * n + parameters : 2 * n;
    for (int j = first; j < last && status == CRN_OK; ++j) {
        bool is_wanted = j >= 2 * n || (j < n ? p->before->q : p->before->v) != NULL;
        status = is_wanted ? dot_column(k, j, seed, &to[j], error) : CRN_OK;
    }
    if (status == CRN_OK) {
        give(to, n, p->before->q);
        give(to + n, n, p->before->v);
        give(to + 2 * n, parameters, p->before->parameter);
    }
    return status;
}

static crn_status check_changes(const crn_world_change *before, const crn_world_change *after, crn_error *error)
{
    return before && after ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "before or after is NULL");
}

crn_status crn_world_jvp(crn_world *world, double dt, const crn_gradient_options *options,
                         const crn_world_change *before, const crn_world_change *after, crn_gradient_report *report,
                         crn_error *error)
{
    product p = {before, after};
    crn_status status = check_changes(before, after, error);
    return status == CRN_OK ? with_step(world, dt, options, multiply, &p, report, error) : status;
}

crn_status crn_world_vjp(crn_world *world, double dt, const crn_gradient_options *options,
                         const crn_world_change *after, const crn_world_change *before, crn_gradient_report *report,
                         crn_error *error)
{
    product p = {before, after};
    crn_status status = check_changes(before, after, error);
    return status == CRN_OK ? with_step(world, dt, options, multiply_transposed, &p, report, error) : status;
}

/* --- A step that is kept for several products --- */

struct crn_world_linear {
    crn_allocator allocator; /* the world may be gone before it */
    crn_replay replay;
    crn_gradient_options options;
    crn_parameter *parameter; /* copied */
    uint64_t hash;            /* of the world where the step begins */
};

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
}

/* With a copy of the options; NULL without memory. */
static crn_world_linear *take_linear(const crn_world *w, const crn_gradient_options *options)
{
    const crn_allocator *allocator = &w->stepper.allocator;
    crn_world_linear *linear = crn_allocate(allocator, 1, sizeof *linear);
    crn_parameter *copy = crn_allocate(allocator, (size_t)options->parameters, sizeof *copy);
    if (!linear || !copy) {
        crn_release(allocator, linear);
        crn_release(allocator, copy);
        return NULL;
    }
    if (options->parameters > 0) {
        memcpy(copy, options->parameter, (size_t)options->parameters * sizeof *copy);
    }
    *linear = (crn_world_linear){.allocator = *allocator, .options = *options, .parameter = copy};
    linear->options.parameter = copy;
    return linear;
}

crn_status crn_world_linear_create(crn_world *world, double dt, const crn_gradient_options *options,
                                   crn_world_linear **linear, crn_gradient_report *report, crn_error *error)
{
    crn_gradient_options defaults = crn_gradient_options_default();
    crn_step_stats stats;
    options = options ? options : &defaults;
    crn_status status = check_call(world, dt, options, error);
    if (status == CRN_OK && !linear) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "linear is NULL");
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_world_linear *made = take_linear(world, options);
    if (!made) {
        return no_memory(error);
    }
    bool is_asleep = is_any_asleep(&world->stepper);
    made->hash = crn_world_hash(world);
    status = open_step(world, dt, &made->options, &made->replay, &stats, error);
    if (status != CRN_OK) {
        crn_world_linear_destroy(made);
        return status;
    }
    unhook(&made->replay);
    if (report) {
        tell(&made->replay, &stats, is_asleep, report);
    }
    *linear = made;
    return CRN_OK;
}

void crn_world_linear_destroy(crn_world_linear *linear)
{
    if (linear) {
        crn_allocator allocator = linear->allocator;
        crn_replay_close(&linear->replay);
        crn_release(&allocator, linear->parameter);
        crn_release(&allocator, linear);
    }
}

/* A chain needs the world no more; steps that are replayed do. */
static crn_status with_linear(crn_world_linear *linear, use what, product *p, crn_error *error)
{
    crn_clear(error);
    crn_status status = check_changes(p->before, p->after, error);
    if (status == CRN_OK && !linear) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "linear is NULL");
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_replay *k = &linear->replay;
    if (crn_replay_is_known(k, p->before->parameter != NULL)) {
        return what(k, p, error);
    }
    if (crn_world_hash(k->world) != linear->hash) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "the world has changed since the step was linearised");
    }
    hook(k);
    status = what(k, p, error);
    unhook(k);
    return status;
}

crn_status crn_world_linear_jvp(crn_world_linear *linear, const crn_world_change *before, const crn_world_change *after,
                                crn_error *error)
{
    product p = {before, after};
    return with_linear(linear, multiply, &p, error);
}

crn_status crn_world_linear_vjp(crn_world_linear *linear, const crn_world_change *after, const crn_world_change *before,
                                crn_error *error)
{
    product p = {before, after};
    return with_linear(linear, multiply_transposed, &p, error);
}
