/* Derivatives of a world's step: one step that records its choices, and steps from states nearby that replay them [docs/theory/gradients.md]. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "world/gradient.h"

/* Changes of positions and velocities for centred differences [m, rad, m/s]: the square of it is what they leave out, rounding over it what they
 * add. Of steps with problems solved to rounding both are below 1e-9. */
#define CHANGE 1e-6
#define KINK   1e-6
/* Of the energy moved to and fro: clamps that take less are rounding. */
#define CLAMP_LEAST 1e-12

/* The change by which it is checked that steps stay on their branch: solutions of steps are only as good as their certificates. And how far they may
 * be off, of what the change makes. */
#define CHECK_CHANGE 1e-5
#define CHECK_SHARE  0.02

/* A linearisation at work. */
typedef struct work {
    crn_world *world;
    double dt, change;
    const crn_gradient_options *options;
    crn_step_branch branch;
    crn_step_solver solver; /* the world's own */
    void *solver_user;
    unsigned char *snapshot;
    size_t size;
    crn_parameter_kept kept;
    int n;
    double *place;   /* where the step ends */
    double *origin;  /* 3n: the state there, likewise */
    double *side[2]; /* 3n: positions since place, velocities shown and carried */
    double *input;   /* 2n + p */
    bool is_event, is_single;
    bool is_parting; /* steps from nearby do not stay on the branch */
    crn_step_stats stats;
} work;

crn_gradient_options crn_gradient_options_default(void)
{
    return (crn_gradient_options){.kink = KINK, .change = CHANGE};
}

/* --- Memory --- */

static void close_work(work *k)
{
    const crn_allocator *allocator = &k->world->stepper.allocator;
    void *all[] = {k->snapshot, k->place, k->origin, k->side[0], k->side[1], k->input};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        crn_release(allocator, all[i]);
    }
    crn_parameters_free(k->world, &k->kept);
    crn_branch_free(&k->branch);
}

static double *numbers(const work *k, int count)
{
    return crn_allocate(&k->world->stepper.allocator, (size_t)count, sizeof(double));
}

static bool open_work(work *k)
{
    crn_world *w = k->world;
    int p = k->options->parameters;
    k->n = crn_tangent_size(&w->stepper);
    k->size = crn_world_snapshot_size(w);
    k->snapshot = crn_allocate(&w->stepper.allocator, k->size, 1);
    k->place = numbers(k, crn_tangent_places(&w->stepper));
    k->origin = numbers(k, 3 * k->n);
    k->side[0] = numbers(k, 3 * k->n);
    k->side[1] = numbers(k, 3 * k->n);
    k->input = numbers(k, 2 * k->n + p);
    bool has_kept = crn_parameters_keep(w, &k->kept);
    return k->snapshot && k->place && k->origin && k->side[0] && k->side[1] && k->input && has_kept;
}

/* --- One step from a state nearby --- */

static crn_status go_back(work *k, crn_error *error)
{
    crn_parameters_restore(k->world, &k->kept);
    return crn_world_restore(k->world, k->snapshot, k->size, error);
}

static bool is_any(const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        if (x[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Change state and parameters by `by` times the input (2n + p; NULL: nothing). */
static void change(work *k, double by, const double *input)
{
    const crn_gradient_options *o = k->options;
    if (!input) {
        return;
    }
    for (int i = 0; i < o->parameters; ++i) {
        if (input[2 * k->n + i] != 0.0) {
            crn_parameter_add(k->world, &o->parameter[i], by * input[2 * k->n + i]);
        }
    }
    if (is_any(input, 2 * k->n) ||
        k->world->stepper.forest.trees > 0) { /* links are placed again: their masses may be others */
        crn_tangent_move(&k->world->stepper, by, input, input + k->n);
    }
}

static crn_status run(work *k, double by, const double *input, crn_error *error)
{
    crn_stepper *s = &k->world->stepper;
    crn_step_part part = {0, false};
    bool is_taken = false;
    crn_status status = go_back(k, error);
    if (status != CRN_OK) {
        return status;
    }
    change(k, by, input);
    status = crn_branch_begin(&k->branch, k->dt, error);
    if (status == CRN_OK) {
        crn_world_activate(k->world, k->dt);
        status = crn_step_advance(s, k->dt, &part, &k->stats, &is_taken, error);
    }
    return status;
}

/* What the step led to, as 3n numbers since place. */
static void read_state(work *k, double *to)
{
    const crn_stepper *s = &k->world->stepper;
    crn_tangent_since(s, k->place, to);
    crn_tangent_velocities(s, to + k->n, to + 2 * k->n);
    if (k->options->saltation) {
        crn_branch_bounce bounce = crn_branch_delay(s);
        k->is_event = k->is_event || bounce.time > 0.0;
        k->is_single = k->is_single && bounce.is_single;
        crn_tangent_add_delay(s, &bounce, to, to + k->n, to + 2 * k->n);
    }
}

/* Derivative along input: (3n) = (side + - side -) / (2 by). */
static crn_status differentiate(work *k, double by, const double *input, double *to, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int side = 0; side < 2 && status == CRN_OK; ++side) {
        status = run(k, side ? -by : by, input, error);
        if (status == CRN_OK) {
            read_state(k, k->side[side]);
        }
    }
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        to[i] = (k->side[0][i] - k->side[1][i]) / (2.0 * by);
    }
    return status;
}

/* --- The recorded step --- */

static bool is_any_asleep(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->bodies; ++i) {
        any = any || (s->body[i].id.index1 != 0 && s->body[i].asleep != 0);
    }
    return any;
}

static crn_status make_step(work *k, crn_step_stats *stats, crn_error *error)
{
    crn_world_activate(k->world, k->dt);
    crn_status status = crn_world_advance(k->world, k->dt, stats, error);
    if (status == CRN_OK && stats->verdict != CRN_VERDICT_CERTIFIED) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "the step is not certified (%s): it has no derivative",
                        crn_verdict_name(stats->verdict));
    }
    return status;
}

static crn_status record(work *k, crn_step_stats *stats, crn_error *error)
{
    crn_step_branch *b = &k->branch;
    crn_stepper *s = &k->world->stepper;
    crn_status status = make_step(k, stats, error);
    if (status != CRN_OK) {
        return status;
    }
    b->stepper = s;
    b->solver = k->solver;
    b->solver_user = k->solver_user;
    b->wants_shown = !k->options->continues;
    b->kink = k->options->kink > 0.0 ? k->options->kink : KINK;
    b->has_repairs = stats->repairs > 0 || s->forest.loops > 0; /* a change of state may open loops */
    b->has_clamp = stats->clamped > CLAMP_LEAST * stats->ledger.scale;
    b->is_solved = true;
    b->margin = 1.0;
    s->branch = b;
    s->solver = crn_branch_solve;
    s->solver_user = b;
    status = run(k, 0.0, NULL, error);
    if (status == CRN_OK && !b->is_solved) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "a problem of the step is not solved with even impulses");
    }
    b->is_replaying = true;
    if (status == CRN_OK) {
        status = run(k, 0.0, NULL, error);
    }
    if (status == CRN_OK) {
        crn_tangent_keep(s, k->place);
        read_state(k, k->origin);
        k->is_event = false;
    }
    return status;
}

/* --- Is the step where it was recorded on that branch alone? ---
 *
 * Steps from both sides, along a direction that favours nothing, are made freely and on the branch. Where a choice was about to change, one
 * of them parts from the other: whatever the choice was. */

static void fill_direction(work *k)
{
    crn_random random = crn_random_seed(1);
    for (int i = 0; i < 2 * k->n + k->options->parameters; ++i) {
        k->input[i] =
            i < 2 * k->n ? crn_random_uniform(&random, 0.5, 1.0) * (crn_random_below(&random, 2) ? 1.0 : -1.0) : 0.0;
    }
}

static crn_status run_freely(work *k, double by, crn_error *error)
{
    crn_stepper *s = &k->world->stepper;
    crn_step_stats stats;
    crn_status status = go_back(k, error);
    if (status != CRN_OK) {
        return status;
    }
    change(k, by, k->input);
    status = crn_branch_begin(&k->branch, k->dt, error);
    s->branch = NULL;
    s->solver = k->solver;
    s->solver_user = k->solver_user;
    if (status == CRN_OK && k->branch.begins_shown) {
        status = crn_world_move(k->world, 0.0, NULL, NULL, error);
    }
    if (status == CRN_OK) {
        crn_world_activate(k->world, k->dt);
        status = crn_world_advance(k->world, k->dt, &stats, error);
    }
    s->branch = &k->branch;
    s->solver = crn_branch_solve;
    s->solver_user = &k->branch;
    return status;
}

/* Largest difference of two states, positions counting as what they make of velocities. */
static double apart(const work *k, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < 2 * k->n; ++i) {
        most = crn_fmax(most, fabs(a[i] - b[i]) / (i < k->n ? k->dt : 1.0));
    }
    return most;
}

static crn_status check_sides(work *k, crn_error *error)
{
    crn_gradient_options plain = *k->options;
    const crn_gradient_options *options = k->options;
    crn_status status = CRN_OK;
    plain.saltation = false;
    k->options = &plain;
    fill_direction(k);
    for (int side = 0; side < 2 && status == CRN_OK; ++side) {
        double by = side ? -CHECK_CHANGE : CHECK_CHANGE, moved = 0.0;
        status = run(k, by, k->input, error);
        if (status == CRN_OK) {
            read_state(k, k->side[0]);
            moved = apart(k, k->side[0], k->origin);
            status = run_freely(k, by, error);
        }
        if (status == CRN_OK) {
            read_state(k, k->side[1]);
            k->is_parting = k->is_parting || apart(k, k->side[0], k->side[1]) > CHECK_SHARE * moved;
        } else if (status == CRN_ERR_DIVERGED) {
            k->is_parting = true;
            status = CRN_OK;
        }
    }
    k->options = options;
    return status;
}

/* --- Reports --- */

static crn_gradient_status worse(crn_gradient_status a, crn_gradient_status b)
{
    return a > b ? a : b;
}

static void tell(const work *k, const crn_step_stats *stats, bool is_asleep, crn_gradient_report *report)
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

/* What is done with the recorded step. */
typedef crn_status (*use)(work *k, void *user, crn_error *error);

static crn_status with_step(crn_world *w, double dt, const crn_gradient_options *options, use what, void *user,
                            crn_gradient_report *report, crn_error *error)
{
    crn_gradient_options defaults = crn_gradient_options_default();
    options = options ? options : &defaults;
    crn_status status = check_call(w, dt, options, error);
    if (status != CRN_OK) {
        return status;
    }
    work k = {.world = w, .dt = dt, .options = options, .change = options->change > 0.0 ? options->change : CHANGE};
    crn_step_stats stats;
    bool is_asleep = is_any_asleep(&w->stepper);
    k.branch.stepper = &w->stepper;
    k.solver = w->stepper.solver;
    k.solver_user = w->stepper.solver_user;
    k.is_single = true;
    if (!open_work(&k)) {
        close_work(&k);
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
    }
    status = crn_world_save(w, k.snapshot, k.size, error);
    if (status == CRN_OK) {
        status = record(&k, &stats, error);
        if (status == CRN_OK && !options->is_unchecked) {
            status = check_sides(&k, error);
        }
        status = status == CRN_OK ? what(&k, user, error) : status;
        w->stepper.branch = NULL;
        w->stepper.solver = k.solver;
        w->stepper.solver_user = k.solver_user;
        (void)go_back(&k, NULL);
    }
    if (status == CRN_OK && report) {
        tell(&k, &stats, is_asleep, report);
    }
    close_work(&k);
    return status;
}

/* By how much input j is changed, for one of it. */
static double unit_of(const work *k, int j)
{
    return j < 2 * k->n ? 1.0 : crn_parameter_unit(k->world, &k->options->parameter[j - 2 * k->n], k->dt);
}

/* Column j of all derivatives: 3n numbers. */
static crn_status column(work *k, int j, double *to, crn_error *error)
{
    int inputs = 2 * k->n + k->options->parameters;
    double unit = unit_of(k, j);
    memset(k->input, 0, (size_t)inputs * sizeof *k->input);
    k->input[j] = unit;
    crn_status status = differentiate(k, k->change, k->input, to, error);
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        to[i] /= unit;
    }
    return status;
}

/* --- The whole Jacobian --- */

static void put(const work *k, int j, const double *from, const crn_world_jacobian *to)
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

static crn_status fill_jacobian(work *k, void *user, crn_error *error)
{
    const crn_world_jacobian *to = user;
    bool wants_state = to->state || to->carried;
    bool wants_parameters = to->by_parameter || to->carried_parameter;
    crn_status status = CRN_OK;
    int first = wants_state ? 0 : 2 * k->n, last = wants_parameters ? 2 * k->n + k->options->parameters : 2 * k->n;
    for (int j = first; j < last && status == CRN_OK; ++j) {
        status = column(k, j, k->side[0], error);
        if (status == CRN_OK) {
            put(k, j, k->side[0], to);
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

static crn_status multiply(work *k, void *user, crn_error *error)
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
        status = differentiate(k, k->change / size, k->input, k->side[0], error);
    } else {
        memset(k->side[0], 0, 3 * (size_t)n * sizeof(double));
    }
    if (status == CRN_OK) {
        give(k->side[0], n, p->after->q);
        give(k->side[0] + n, n, p->after->v);
        give(k->side[0] + 2 * n, n, p->after->carried);
    }
    return status;
}

/* Sum over the state after the step: each column of the Jacobian by the gradient. */
static crn_status multiply_transposed(work *k, void *user, crn_error *error)
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
        status = column(k, j, k->side[0], error);
        for (int i = 0; i < 3 * n && status == CRN_OK; ++i) {
            sum += seed[i / n] ? seed[i / n][i % n] * k->side[0][i] : 0.0;
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
