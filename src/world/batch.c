/* Many worlds at once. A member is a world with what a batch needs of it: a view of all its links, and the snapshot of its
 * beginning. To begin again is to restore that, whatever happened since; so where a motion runs does not change its bits. */
#include "math/elementary.h"
#include "world/robot.h"
#include "world/team.h"

#include <cairn/batch.h>

#include <math.h>
#include <string.h>

enum { CLASSES = 32 }; /* of times that worlds take */

/* Something to be measured, and how many numbers it is. */
typedef struct sensor {
    crn_probe_def def;
    int size;
} sensor;

/* What is kept of a model. */
typedef struct variant {
    sensor *sensor;
    int sensors;
    double dt;
} variant;

typedef struct member {
    crn_world *world;
    crn_robot *robot;
    void *start; /* snapshot of its beginning */
    size_t start_size;
    const variant *of;
    bool has_driven; /* bodies whose places belong to the time */
    double seconds;  /* of its last call of steps */
    int turn;        /* which world is stepped in this place, see take_turns */
} member;

struct crn_batch {
    crn_allocator allocator;
    crn_batch_size size;
    variant *variant;
    member *member;
    crn_team *team;
};

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "batch: out of memory");
}

static void *zeros(const crn_allocator *allocator, int count, size_t size)
{
    void *block = crn_allocate(allocator, (size_t)count, size);
    if (block) {
        memset(block, 0, (size_t)count * size);
    }
    return block;
}

/* --- Life --- */

static crn_status keep_variant(const crn_allocator *allocator, const crn_model *model, variant *v, crn_error *error)
{
    v->sensors = crn_model_probes(model);
    v->dt = crn_model_world_of(model)->dt;
    v->sensor = zeros(allocator, v->sensors + 1, sizeof *v->sensor);
    if (!v->sensor) {
        return no_memory(error);
    }
    for (int i = 0; i < v->sensors; ++i) {
        v->sensor[i] = (sensor){*crn_model_probe(model, i), crn_model_probe_size(model, i)};
        v->sensor[i].def.name = NULL; /* it is the model's */
    }
    return CRN_OK;
}

static int activations_of(const crn_world *w)
{
    int count = 0;
    for (int i = 0; i < w->actuators; ++i) {
        count += w->actuator[i].def.time_constant > 0.0;
    }
    return count;
}

static bool has_driven(const crn_world *w)
{
    bool any = false;
    for (int i = 0; i < w->stepper.bodies; ++i) {
        any = any || w->stepper.body[i].kind == CRN_BODY_DRIVEN;
    }
    return any;
}

static crn_status make_member(crn_batch *b, const crn_model *model, member *m, crn_error *error)
{
    const crn_body_id all = {0, 0};
    crn_status status = crn_world_create_from(model, &b->allocator, &m->world, error);
    status = status == CRN_OK ? crn_robot_create(m->world, all, &m->robot, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    m->has_driven = has_driven(m->world);
    m->start_size = crn_world_snapshot_size(m->world);
    m->start = crn_allocate(&b->allocator, 1, m->start_size);
    return m->start ? crn_world_save(m->world, m->start, m->start_size, error) : no_memory(error);
}

/* What the arrays of the caller hold of a world. */
static crn_batch_size size_of(const member *m)
{
    crn_batch_size size = {.coordinates = crn_robot_coordinates(m->robot),
                           .velocities = crn_robot_velocities(m->robot),
                           .activations = activations_of(m->world),
                           .controls = m->world->actuators};
    size.state = 1 + size.coordinates + size.velocities + size.activations;
    for (int i = 0; i < m->of->sensors; ++i) {
        size.sensors += m->of->sensor[i].size;
    }
    return size;
}

static crn_status check_alike(const crn_batch_size *first, const crn_batch_size *other, int index, crn_error *error)
{
    bool is_alike = first->coordinates == other->coordinates && first->velocities == other->velocities &&
                    first->activations == other->activations && first->controls == other->controls &&
                    first->sensors == other->sensors;
    return is_alike ? CRN_OK
                    : crn_fail(error, CRN_ERR_ARGUMENT,
                               "batch.model[%d]: has %d coordinates, %d controls and %d sensors; model[0] has %d, %d "
                               "and %d",
                               index, other->coordinates, other->controls, other->sensors, first->coordinates,
                               first->controls, first->sensors);
}

static crn_status make_members(crn_batch *b, const crn_batch_def *def, crn_error *error)
{
    for (int i = 0; i < def->models; ++i) {
        crn_status status = keep_variant(&b->allocator, def->model[i], &b->variant[i], error);
        if (status != CRN_OK) {
            return status;
        }
    }
    for (int i = 0; i < def->worlds; ++i) {
        member *m = &b->member[i];
        m->of = &b->variant[i % def->models];
        crn_status status = make_member(b, def->model[i % def->models], m, error);
        crn_batch_size size = status == CRN_OK ? size_of(m) : (crn_batch_size){0};
        if (status == CRN_OK && i == 0) {
            size.worlds = def->worlds;
            size.models = def->models;
            b->size = size;
        }
        status = status == CRN_OK ? check_alike(&b->size, &size, i % def->models, error) : status;
        if (status != CRN_OK) {
            return status;
        }
    }
    return CRN_OK;
}

static crn_status check_def(const crn_batch_def *def, crn_error *error)
{
    if (!def || !def->model || def->models < 1 || def->worlds < 1 || def->threads < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "batch: needs models, worlds >= 1 and threads >= 0");
    }
    for (int i = 0; i < def->models; ++i) {
        if (!def->model[i]) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "batch.model[%d] is NULL", i);
        }
    }
    return CRN_OK;
}

crn_status crn_batch_create(const crn_batch_def *def, const crn_allocator *allocator, crn_batch **batch,
                            crn_error *error)
{
    crn_clear(error);
    if (!batch) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "batch is NULL");
    }
    *batch = NULL;
    crn_status status = check_def(def, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_batch *b = zeros(allocator, 1, sizeof *b);
    if (!b) {
        return no_memory(error);
    }
    b->allocator = allocator ? *allocator : crn_allocator_default();
    b->size.worlds = def->worlds; /* for destroying what was made */
    b->size.models = def->models;
    b->variant = zeros(allocator, def->models, sizeof *b->variant);
    b->member = zeros(allocator, def->worlds, sizeof *b->member);
    b->team = b->variant && b->member ? crn_team_create(def->threads, allocator) : NULL;
    status = b->team ? make_members(b, def, error) : no_memory(error);
    if (status != CRN_OK) {
        crn_batch_destroy(b);
        return status;
    }
    b->size.threads = crn_team_size(b->team);
    *batch = b;
    return CRN_OK;
}

void crn_batch_destroy(crn_batch *b)
{
    if (!b) {
        return;
    }
    crn_allocator allocator = b->allocator;
    crn_team_destroy(b->team);
    for (int i = 0; b->member && i < b->size.worlds; ++i) {
        crn_robot_destroy(b->member[i].robot);
        crn_world_destroy(b->member[i].world);
        crn_release(&allocator, b->member[i].start);
    }
    for (int i = 0; b->variant && i < b->size.models; ++i) {
        crn_release(&allocator, b->variant[i].sensor);
    }
    crn_release(&allocator, b->member);
    crn_release(&allocator, b->variant);
    crn_release(&allocator, b);
}

crn_batch_size crn_batch_size_of(const crn_batch *b)
{
    return b ? b->size : (crn_batch_size){0};
}

crn_world *crn_batch_world(const crn_batch *b, int world)
{
    return b && world >= 0 && world < b->size.worlds ? b->member[world].world : NULL;
}

/* --- States --- */

static void read_state(const crn_batch_size *size, member *m, double *state)
{
    double *q = state + 1, *u = q + size->coordinates, *a = u + size->velocities;
    state[0] = crn_world_time(m->world);
    (void)crn_robot_state(m->robot, q, u);
    for (int i = 0; i < m->world->actuators; ++i) {
        if (m->world->actuator[i].def.time_constant > 0.0) {
            *a++ = m->world->actuator[i].activation;
        }
    }
}

static void read_sensors(const member *m, double *values)
{
    for (int i = 0; i < m->of->sensors; ++i) {
        double now[CRN_PROBE_NUMBERS_MAX] = {0};
        int size = m->of->sensor[i].size;
        (void)crn_world_probe(m->world, &m->of->sensor[i].def, now);
        memcpy(values, now, (size_t)size * sizeof *values);
        values += size;
    }
}

static bool is_state(const crn_batch_size *size, const member *m, const double *state)
{
    const double *a = state + 1 + size->coordinates + size->velocities;
    bool is_time = isfinite(state[0]) && (!m->has_driven || state[0] == crn_world_time(m->world));
    return is_time && crn_world_are_within(a, size->activations, CRN_WORLD_FORCE_MOST);
}

/* Activations come back as after a step that failed: from where they were before it. */
static void put_activations(crn_world *w, const double *a)
{
    for (int i = 0; i < w->actuators; ++i) {
        crn_world_actuator *actuator = &w->actuator[i];
        actuator->before = actuator->def.time_constant > 0.0 ? *a++ : actuator->activation;
    }
    crn_world_deactivate(w);
}

/* To its beginning, and from there into a state (NULL: it stays). */
static crn_status begin(const crn_batch_size *size, member *m, const double *state)
{
    crn_status status = crn_world_restore(m->world, m->start, m->start_size, NULL);
    if (status != CRN_OK || !state) {
        return status;
    }
    if (!is_state(size, m, state)) {
        return CRN_ERR_ARGUMENT;
    }
    const double *q = state + 1, *u = q + size->coordinates, *a = u + size->velocities;
    m->world->stepper.time = state[0];
    status = crn_robot_set_state(m->robot, q, u);
    if (status == CRN_OK && size->activations > 0) {
        put_activations(m->world, a);
    }
    return status;
}

crn_status crn_batch_reset(crn_batch *b, const int *world, int count, const double *state, crn_error *error)
{
    crn_clear(error);
    if (!b || count < 0 || (!world && count > b->size.worlds)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "batch: %d worlds cannot be reset", count);
    }
    for (int i = 0; i < count; ++i) {
        int index = world ? world[i] : i;
        if (index < 0 || index >= b->size.worlds) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "world[%d]: there is no world %d", i, index);
        }
        const double *own = state ? state + (size_t)i * (size_t)b->size.state : NULL;
        crn_status status = begin(&b->size, &b->member[index], own);
        if (status != CRN_OK) {
            return crn_fail(error, status,
                            "state[%d]: is not possible (not finite, a quaternion of 0, or another time "
                            "with driven bodies)",
                            i);
        }
    }
    return CRN_OK;
}

crn_status crn_batch_look(crn_batch *b, double *state, double *sensor_values)
{
    if (!b) {
        return CRN_ERR_ARGUMENT;
    }
    for (int i = 0; i < b->size.worlds; ++i) {
        if (state) {
            read_state(&b->size, &b->member[i], state + (size_t)i * (size_t)b->size.state);
        }
        if (sensor_values) {
            read_sensors(&b->member[i], sensor_values + (size_t)i * (size_t)b->size.sensors);
        }
    }
    return CRN_OK;
}

/* --- Steps --- */

typedef struct job {
    crn_batch *batch;
    const crn_batch_run *run;
    const double *state; /* rollouts: where motions begin; NULL: worlds go on */
    int hold;
} job;

/* Row `moment` of motion `item` in an array with so many numbers in a row. */
static size_t row(const job *j, int item, int moment, int numbers)
{
    return ((size_t)item * (size_t)j->run->moments + (size_t)moment) * (size_t)numbers;
}

static void write_down(const job *j, member *m, int item, int moment)
{
    const crn_batch_size *size = &j->batch->size;
    if (j->run->state) {
        read_state(size, m, j->run->state + row(j, item, moment, size->state));
    }
    if (j->run->sensor) {
        read_sensors(m, j->run->sensor + row(j, item, moment, size->sensors));
    }
}

/* Steps with one control; those after a failure are not made. */
static crn_status hold_control(const job *j, member *m, int item, int moment, crn_step_stats *stats, int *certified)
{
    const crn_batch_size *size = &j->batch->size;
    double dt = j->run->dt > 0.0 ? j->run->dt : m->of->dt;
    crn_status status = CRN_OK;
    if (j->run->control && size->controls > 0) {
        status = crn_world_set_controls(m->world, j->run->control + row(j, item, moment, size->controls));
    }
    for (int k = 0; k < j->hold && status == CRN_OK; ++k) {
        status = crn_world_step(m->world, dt, stats, NULL);
        *certified += status == CRN_OK && stats->verdict == CRN_VERDICT_CERTIFIED;
    }
    return status;
}

static void run_motion(const job *j, member *m, int item)
{
    const double *start = j->state ? j->state + (size_t)item * (size_t)j->batch->size.state : NULL;
    crn_step_stats stats = {0};
    int certified = 0;
    crn_status status = start ? begin(&j->batch->size, m, start) : CRN_OK;
    for (int i = 0; i < j->run->moments; ++i) {
        status = status == CRN_OK ? hold_control(j, m, item, i, &stats, &certified) : status;
        write_down(j, m, item, i);
    }
    if (j->run->stats) {
        j->run->stats[item] = stats;
    }
    if (j->run->certified) {
        j->run->certified[item] = certified;
    }
    if (j->run->status) {
        j->run->status[item] = (unsigned char)status;
    }
}

/* 0 for those that took longest. */
static int class_of(double seconds, double most)
{
    return most > 0.0 ? (int)((CLASSES - 1) * (1.0 - seconds / most)) : 0;
}

/* Worlds that took long the last time come first, so that no thread waits for one at the end (longest processing time
 * first [G69]); a counting sort. Where and when a world is stepped does not change its bits. */
static void take_turns(crn_batch *b)
{
    int first[CLASSES + 1] = {0};
    double most = 0.0;
    for (int i = 0; i < b->size.worlds; ++i) {
        most = crn_fmax(most, b->member[i].seconds);
    }
    for (int i = 0; i < b->size.worlds; ++i) {
        first[class_of(b->member[i].seconds, most) + 1]++;
    }
    for (int k = 0; k < CLASSES; ++k) {
        first[k + 1] += first[k];
    }
    for (int i = 0; i < b->size.worlds; ++i) {
        b->member[first[class_of(b->member[i].seconds, most)]++].turn = i;
    }
}

static void step_world(void *user, int place, int worker)
{
    const job *j = user;
    int item = j->batch->member[place].turn;
    member *m = &j->batch->member[item];
    double start = crn_seconds();
    (void)worker;
    run_motion(j, m, item);
    m->seconds = crn_seconds() - start;
}

/* On the worker's own world of the model. */
static void roll_out(void *user, int item, int worker)
{
    const job *j = user;
    int models = j->batch->size.models;
    run_motion(j, &j->batch->member[item % models + models * worker], item);
}

static crn_status check_run(const crn_batch *b, const crn_batch_run *run, int motions, crn_error *error)
{
    if (!b || !run || run->moments < 1 || run->hold < 0 || motions < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "batch: needs run.moments >= 1 and run.hold >= 0");
    }
    if (!(run->dt >= 0.0) || !isfinite(run->dt)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "run.dt %g: must be > 0 and finite, or 0", run->dt);
    }
    size_t controls = (size_t)motions * (size_t)run->moments * (size_t)b->size.controls;
    for (size_t i = 0; run->control && i < controls; ++i) {
        if (!(fabs(run->control[i]) <= CRN_WORLD_FORCE_MOST)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "run.control[%zu]: %g is not finite or too large", i,
                            run->control[i]);
        }
    }
    return CRN_OK;
}

crn_status crn_batch_step(crn_batch *b, const crn_batch_run *run, crn_error *error)
{
    crn_clear(error);
    crn_status status = check_run(b, run, b ? b->size.worlds : 0, error);
    if (status == CRN_OK) {
        job j = {b, run, NULL, run->hold > 0 ? run->hold : 1};
        take_turns(b);
        crn_team_run(b->team, b->size.worlds, step_world, &j);
    }
    return status;
}

crn_status crn_batch_rollout(crn_batch *b, int motions, const double *state, const crn_batch_run *run, crn_error *error)
{
    crn_clear(error);
    crn_status status = check_run(b, run, motions, error);
    if (status == CRN_OK && !state && motions > 0) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "state is NULL");
    }
    if (status == CRN_OK && b->size.worlds < b->size.models * b->size.threads) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "batch: rollouts of %d models on %d threads need %d worlds",
                          b->size.models, b->size.threads, b->size.models * b->size.threads);
    }
    if (status == CRN_OK) {
        job j = {b, run, state, run->hold > 0 ? run->hold : 1};
        crn_team_run(b->team, motions, roll_out, &j);
    }
    return status;
}
