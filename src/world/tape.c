/* A trajectory to be differentiated backwards: snapshots of some steps, and what acted in each, so that the steps between are made again to the
 * last bit. */
#include <math.h>
#include <string.h>

#include "world/gradient.h"

/* A snapshot. */
typedef struct blob {
    unsigned char *data;
    size_t size;
} blob;

struct crn_tape {
    crn_allocator allocator; /* the world may be gone before the tape */
    crn_world *world;
    crn_gradient_options options;
    crn_parameter *parameter;
    int every, steps, bodies, joints, actuators; /* the last three: of the world when it was made */
    double *dt;
    double *input; /* per step: forces and torques of bodies, forces of joints, controls */
    blob *kept;    /* of steps 0, every, 2 every, ... */
    int dt_capacity, input_capacity, kept_capacity, kept_count;
};

static int inputs(const crn_tape *t)
{
    return 6 * t->bodies + CRN_JOINT_COORDINATES_MAX * t->joints + t->actuators;
}

static const crn_allocator *memory(const crn_tape *t)
{
    return &t->allocator;
}

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "tape: out of memory");
}

/* --- Life --- */

crn_status crn_tape_create(crn_world *w, const crn_gradient_options *options, int every, int steps, crn_tape **tape,
                           crn_error *error)
{
    crn_gradient_options own = options ? *options : crn_gradient_options_default();
    crn_clear(error);
    if (!w || !tape || every < 0 || steps < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tape: world or tape is NULL, or every or steps is negative");
    }
    crn_status status = crn_parameters_check(w, own.parameter, own.parameters, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_tape *t = crn_allocate(&w->stepper.allocator, 1, sizeof *t);
    crn_parameter *copy = crn_allocate(&w->stepper.allocator, (size_t)own.parameters, sizeof *copy);
    if (!t || !copy) {
        crn_release(&w->stepper.allocator, t);
        crn_release(&w->stepper.allocator, copy);
        return no_memory(error);
    }
    if (own.parameters > 0) {
        memcpy(copy, own.parameter, (size_t)own.parameters * sizeof *copy);
    }
    int best = (int)ceil(sqrt((double)steps)); /* as many snapshots as steps between two of them */
    *t = (crn_tape){.allocator = w->stepper.allocator,
                    .world = w,
                    .options = own,
                    .parameter = copy,
                    .every = every > 0  ? every
                             : best > 0 ? best
                                        : 1};
    t->options.parameter = copy;
    t->options.continues = true; /* steps are what they were */
    t->bodies = w->stepper.bodies;
    t->joints = w->stepper.joints;
    t->actuators = w->actuators;
    *tape = t;
    return CRN_OK;
}

void crn_tape_destroy(crn_tape *t)
{
    if (!t) {
        return;
    }
    crn_allocator allocator = *memory(t);
    for (int i = 0; i < t->kept_count; ++i) {
        crn_release(&allocator, t->kept[i].data);
    }
    void *all[] = {t->kept, t->dt, t->input, t->parameter, t};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        crn_release(&allocator, all[i]);
    }
}

int crn_tape_steps(const crn_tape *t)
{
    return t ? t->steps : 0;
}

/* --- Inputs of a step --- */

static void read_inputs(const crn_tape *t, double *to)
{
    const crn_stepper *s = &t->world->stepper;
    for (int i = 0; i < t->bodies; ++i, to += 6) {
        crn_v3_to(s->body[i].torque, to);
        crn_v3_to(s->body[i].force, to + 3);
    }
    for (int i = 0; i < t->joints; ++i, to += CRN_JOINT_COORDINATES_MAX) {
        memcpy(to, s->joint[i].force, CRN_JOINT_COORDINATES_MAX * sizeof *to);
    }
    for (int i = 0; i < t->actuators; ++i) {
        to[i] = t->world->actuator[i].control;
    }
}

static void give_inputs(const crn_tape *t, const double *from)
{
    crn_stepper *s = &t->world->stepper;
    for (int i = 0; i < t->bodies; ++i, from += 6) {
        s->body[i].torque = crn_v3_of(from);
        s->body[i].force = crn_v3_of(from + 3);
    }
    for (int i = 0; i < t->joints; ++i, from += CRN_JOINT_COORDINATES_MAX) {
        memcpy(s->joint[i].force, from, CRN_JOINT_COORDINATES_MAX * sizeof *from);
    }
    for (int i = 0; i < t->actuators; ++i) {
        if (t->world->actuator[i].control != from[i]) {
            (void)crn_world_set_control(t->world, i, from[i]);
        }
    }
}

/* --- Recording --- */

static crn_status save(const crn_tape *t, blob *to, crn_error *error)
{
    to->size = crn_world_snapshot_size(t->world);
    to->data = crn_allocate(memory(t), to->size, 1);
    return to->data ? crn_world_save(t->world, to->data, to->size, error) : no_memory(error);
}

static crn_status load(const crn_tape *t, const blob *from, crn_error *error)
{
    return crn_world_restore(t->world, from->data, from->size, error);
}

#define RESERVE(field, count) \
    crn_reserve(memory(t), (void **)&t->field, &t->field##_capacity, (count), sizeof *t->field)

crn_status crn_tape_step(crn_tape *t, double dt, crn_step_stats *stats, crn_error *error)
{
    crn_clear(error);
    if (!t) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tape is NULL");
    }
    const crn_stepper *s = &t->world->stepper;
    if (s->bodies != t->bodies || s->joints != t->joints || t->world->actuators != t->actuators) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tape: bodies, joints or actuators were added since it was made");
    }
    if (!RESERVE(dt, t->steps + 1) || !RESERVE(input, (t->steps + 1) * inputs(t)) ||
        !RESERVE(kept, t->steps / t->every + 1)) {
        return no_memory(error);
    }
    bool is_kept = t->steps % t->every == 0 && t->kept_count <= t->steps / t->every;
    crn_status status = is_kept ? save(t, &t->kept[t->kept_count++], error) : CRN_OK;
    read_inputs(t, t->input + (size_t)t->steps * (size_t)inputs(t));
    t->dt[t->steps] = dt;
    status = status == CRN_OK ? crn_world_step(t->world, dt, stats, error) : status;
    t->steps += status == CRN_OK;
    return status;
}

/* --- Backwards --- */

/* At work: gradients with respect to positions, velocities shown and carried, and a second set. */
typedef struct sweep {
    crn_tape *tape;
    crn_tape_cost cost;
    void *user;
    int n;
    double *g[3], *next[2];
    double *parameters;
    blob *segment; /* every step of one segment */
    crn_gradient_status worst;
    int unsmooth;
} sweep;

/* Make the steps of a segment again, keeping each. */
static crn_status replay(sweep *w, int first, int count, crn_error *error)
{
    crn_tape *t = w->tape;
    crn_status status = load(t, &t->kept[first / t->every], error);
    for (int k = 0; k < count && status == CRN_OK; ++k) {
        give_inputs(t, t->input + (size_t)(first + k) * (size_t)inputs(t));
        status = save(t, &w->segment[k], error);
        if (status == CRN_OK && k + 1 < count) {
            status = crn_world_step(t->world, t->dt[first + k], NULL, error);
        }
    }
    return status;
}

/* Through one step: the world is where it begins. */
static crn_status go_back(sweep *w, int step, crn_error *error)
{
    crn_tape *t = w->tape;
    size_t p = (size_t)t->options.parameters, n = (size_t)w->n;
    crn_gradient_report report;
    crn_world_change after = {.q = w->g[0], .v = w->g[1], .carried = w->g[2]};
    crn_world_change before = {.q = w->next[0], .v = w->next[1]};
    before.parameter = w->parameters ? w->parameters + p * (size_t)step : NULL;
    crn_status status = crn_world_vjp(t->world, t->dt[step], &t->options, &after, &before, &report, error);
    if (status != CRN_OK) {
        return status;
    }
    w->worst = report.status > w->worst ? report.status : w->worst;
    w->unsmooth += report.status != CRN_GRADIENT_SMOOTH;
    memcpy(w->g[0], w->next[0], n * sizeof(double));
    memcpy(w->g[report.begins_shown ? 1 : 2], w->next[1], n * sizeof(double));
    memset(w->g[report.begins_shown ? 2 : 1], 0, n * sizeof(double));
    if (w->cost) {
        w->cost(w->user, t->world, step, w->g[0], w->g[1]);
    }
    return CRN_OK;
}

static crn_status sweep_segment(sweep *w, int first, int count, crn_error *error)
{
    crn_status status = replay(w, first, count, error);
    for (int k = count - 1; k >= 0 && status == CRN_OK; --k) {
        status = load(w->tape, &w->segment[k], error);
        status = status == CRN_OK ? go_back(w, first + k, error) : status;
    }
    for (int k = 0; k < count; ++k) {
        crn_release(memory(w->tape), w->segment[k].data);
        w->segment[k] = (blob){NULL, 0};
    }
    return status;
}

static bool open_sweep(sweep *w, double **block)
{
    crn_tape *t = w->tape;
    size_t n = (size_t)w->n;
    *block = crn_allocate(memory(t), 5 * n, sizeof **block);
    w->segment = crn_allocate(memory(t), (size_t)t->every, sizeof *w->segment);
    if (!*block || !w->segment) {
        return false;
    }
    memset(*block, 0, 5 * n * sizeof **block);
    memset(w->segment, 0, (size_t)t->every * sizeof *w->segment);
    for (int i = 0; i < 3; ++i) {
        w->g[i] = *block + (size_t)i * n;
    }
    w->next[0] = *block + 3 * n;
    w->next[1] = *block + 4 * n;
    return true;
}

static void add_seed(const double *from, int n, double *to)
{
    for (int i = 0; i < n && from; ++i) {
        to[i] += from[i];
    }
}

static crn_status sweep_all(sweep *w, const crn_world_change *after, crn_error *error)
{
    crn_tape *t = w->tape;
    crn_status status = CRN_OK;
    if (after) {
        add_seed(after->q, w->n, w->g[0]);
        add_seed(after->v, w->n, w->g[1]);
        add_seed(after->carried, w->n, w->g[2]);
    }
    if (w->cost) {
        w->cost(w->user, t->world, t->steps, w->g[0], w->g[1]);
    }
    for (int k = t->kept_count - 1; k >= 0 && status == CRN_OK; --k) {
        int first = k * t->every, count = t->steps - first < t->every ? t->steps - first : t->every;
        status = sweep_segment(w, first, count, error);
    }
    return status;
}

static void tell(const sweep *w, const crn_world_change *before)
{
    for (int i = 0; i < w->n && before && before->q; ++i) {
        before->q[i] = w->g[0][i];
    }
    for (int i = 0; i < w->n && before && before->v; ++i) {
        before->v[i] = w->g[1][i] + w->g[2][i];
    }
}

crn_status crn_tape_backward(crn_tape *t, crn_tape_cost cost, void *user, const crn_world_change *after,
                             const crn_world_change *before, double *parameters, crn_gradient_status *worst,
                             int *unsmooth, crn_error *error)
{
    crn_clear(error);
    if (!t || (!cost && !after)) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "tape is NULL, or there is neither a cost nor a gradient to begin with");
    }
    sweep w = {.tape = t, .cost = cost, .user = user, .n = crn_world_tangent(t->world), .parameters = parameters};
    double *block = NULL;
    blob now = {NULL, 0};
    crn_status status = open_sweep(&w, &block) ? save(t, &now, error) : no_memory(error);
    if (status == CRN_OK) {
        status = sweep_all(&w, after, error);
        (void)load(t, &now, NULL);
    }
    if (status == CRN_OK) {
        tell(&w, before);
    }
    if (status == CRN_OK && worst) {
        *worst = w.worst;
    }
    if (status == CRN_OK && unsmooth) {
        *unsmooth = w.unsmooth;
    }
    crn_release(memory(t), now.data);
    crn_release(memory(t), block);
    crn_release(memory(t), w.segment);
    return status;
}
