/* Derivatives of a world's step: Jacobian, products, reports [docs/theory/gradients.md]. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
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

/* What is done with the recorded step. */
typedef crn_status (*use)(crn_replay *k, void *user, crn_error *error);

static crn_status with_step(crn_world *w, double dt, const crn_gradient_options *options, use what, void *user,
                            crn_gradient_report *report, crn_error *error)
{
    crn_gradient_options defaults = crn_gradient_options_default();
    options = options ? options : &defaults;
    crn_status status = check_call(w, dt, options, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_replay k = {
        .world = w, .dt = dt, .options = options, .change = options->change > 0.0 ? options->change : CHANGE};
    crn_step_stats stats;
    bool is_asleep = is_any_asleep(&w->stepper);
    k.branch.stepper = &w->stepper;
    k.solver = w->stepper.solver;
    k.solver_user = w->stepper.solver_user;
    k.is_single = true;
    if (!crn_replay_open(&k)) {
        crn_replay_close(&k);
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
    }
    status = crn_world_save(w, k.snapshot, k.size, error);
    if (status == CRN_OK) {
        status = crn_replay_record(&k, &stats, error);
        if (status == CRN_OK && !options->is_unchecked) {
            status = crn_replay_check_sides(&k, error);
        }
        status = status == CRN_OK ? what(&k, user, error) : status;
        w->stepper.branch = NULL;
        w->stepper.solver = k.solver;
        w->stepper.solver_user = k.solver_user;
        (void)crn_replay_go_back(&k, NULL);
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
    k->input[j] = unit;
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

static crn_status multiply(crn_replay *k, void *user, crn_error *error)
{
    const product *p = user;
    int n = k->n, parameters = k->options->parameters;
    take(p->before->q, n, k->input);
    take(p->before->v, n, k->input + n);
    take(p->before->parameter, parameters, k->input + 2 * n);
    double size = 0.0;
    for (int j = 0; j < 2 * n + parameters; ++j) {
        size = crn_fmax(size, fabs(k->input[j]) / unit_of(k, j));
    }
    crn_status status = CRN_OK;
    if (size > 0.0) {
        for (int j = 0; j < 2 * n + parameters; ++j) {
            k->input[j] /= size;
        }
        status = crn_replay_differentiate(k, k->input, k->result, error);
    } else {
        memset(k->result, 0, 3 * (size_t)n * sizeof(double));
    }
    for (int i = 0; i < 3 * n && status == CRN_OK; ++i) {
        k->result[i] *= size;
    }
    if (status == CRN_OK) {
        give(k->result, n, p->after->q);
        give(k->result + n, n, p->after->v);
        give(k->result + 2 * n, n, p->after->carried);
    }
    return status;
}

/* Sum over the state after the step: each column of the Jacobian by the gradient. */
static crn_status multiply_transposed(crn_replay *k, void *user, crn_error *error)
{
    const product *p = user;
    int n = k->n, inputs = 2 * n + k->options->parameters;
    const double *seed[3] = {p->after->q, p->after->v, p->after->carried};
    double *to[3] = {p->before->q, p->before->v, p->before->parameter};
    crn_status status = CRN_OK;
    for (int j = 0; j < inputs && status == CRN_OK; ++j) {
        int block = j < n ? 0 : j < 2 * n ? 1 : 2;
        if (!to[block]) {
            continue;
        }
        double sum = 0.0;
        status = column(k, j, k->result, error);
        for (int i = 0; i < 3 * n && status == CRN_OK; ++i) {
            sum += seed[i / n] ? seed[i / n][i % n] * k->result[i] : 0.0;
        }
        to[block][j - n * block] = sum;
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
