/* A simulation that goes on while it is looked at: a scene as text in, frames of a recording out.
 *
 * Frames are those of docs/guide/recordings.md, header first, so that whoever shows recordings shows this. Every setting is a field
 * of the scene: to change one, the scene is opened again and goes on from the motion of the one before. Numbers go in and out by
 * pointers into the module's memory; a call that fails returns NULL or -1, and cairn_message() says why. */
#include "module.h"
#include "pull.h"

#include "apps/cli/sim_record.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double CLOCK_STEP = 1e-4;  /* [s] by which clocks of browsers move */
static const double STEPS_TIMED = 32.0; /* over which the time of a step is a mean */

typedef struct live {
    crn_model *model;
    crn_world *world;
    sim_record record;
    double dt;
    int step, every;
    double step_seconds; /* that a step takes, over the last ones */
    crn_verdict verdict; /* on the last step */
    pull pull;
    uint64_t text;        /* hash of the scene's text: is another one the same? */
    unsigned char *bytes; /* of frames that nobody has taken yet */
    size_t size, capacity;
} live;

static crn_error last;

crn_error *module_error(void)
{
    return &last;
}

EXPORT(cairn_message) const char *cairn_message(void)
{
    return last.text;
}

EXPORT(cairn_alloc) void *cairn_alloc(size_t size)
{
    return malloc(size);
}

EXPORT(cairn_free) void cairn_free(void *block)
{
    free(block);
}

EXPORT(cairn_version) const char *cairn_version(void)
{
    return crn_version();
}

/* --- Bytes on their way out --- */

static bool keep(void *user, const void *bytes, size_t size)
{
    live *l = user;
    if (l->size + size > l->capacity) {
        size_t wanted = 2 * (l->size + size);
        unsigned char *grown = realloc(l->bytes, wanted);
        if (grown == NULL) {
            return false;
        }
        l->bytes = grown;
        l->capacity = wanted;
    }
    memcpy(l->bytes + l->size, bytes, size);
    l->size += size;
    return true;
}

EXPORT(live_bytes) const unsigned char *live_bytes(const live *l)
{
    return l->bytes;
}

EXPORT(live_size) size_t live_size(const live *l)
{
    return l->size;
}

/* The bytes have been taken. */
EXPORT(live_clear) void live_clear(live *l)
{
    l->size = 0;
}

/* --- Life --- */

EXPORT(live_close) void live_close(live *l)
{
    if (l != NULL) {
        sim_record_close(&l->record);
        crn_world_destroy(l->world);
        crn_model_destroy(l->model);
        free(l->bytes);
        free(l);
    }
}

/* Should frames have a solver note? */
EXPORT(live_notes) void live_notes(live *l, int wanted)
{
    l->record.note_every = wanted ? l->every : 0;
}

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Go on from another's motion; the bodies must be the same. Where settings differ, the ledger counts from here on: what a spring or a
 * weight has now that it had not before is the reader's doing. */
static crn_status go_on(live *l, const live *from, crn_error *error)
{
    size_t size = crn_world_snapshot_size(from->world);
    void *motion = malloc(size);
    if (motion == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "out of memory");
    }
    crn_status status = crn_world_save(from->world, motion, size, error);
    if (status == CRN_OK) {
        status = crn_world_restore(l->world, motion, size, error);
    }
    free(motion);
    if (status == CRN_OK && l->text != from->text) {
        status = crn_world_configure(l->world, crn_model_world_of(l->model), error);
    }
    l->step = from->step;
    if (from->pull.body.index1 > 0) {
        l->pull = from->pull;
    }
    return status;
}

static crn_status open(live *l, const char *text, size_t size, const live *from, crn_error *error)
{
    crn_status status = crn_io_read_scene_text(text, size, "scene", NULL, &l->model, error);
    if (status == CRN_OK) {
        status = crn_world_create_from(l->model, NULL, &l->world, error);
    }
    if (status == CRN_OK && from != NULL) {
        status = go_on(l, from, error);
    }
    if (status == CRN_OK) {
        l->dt = crn_model_world_of(l->model)->dt;
        l->dt = l->dt > 0.0 ? l->dt : 0.01;
        status = sim_record_open_into(&l->record, l->model, keep, l, l->every, error);
        l->record.is_thin = true;
    }
    if (status != CRN_OK) {
        return status;
    }
    if (from != NULL) {
        live_notes(l, from->record.note_every > 0);
        return CRN_OK;
    }
    return sim_record_take(&l->record, l->world, 0, NULL, error);
}

/* A scene, or, with `from`, the same scene with other settings. every: steps from frame to frame. */
EXPORT(live_open) live *live_open(const char *text, size_t size, int every, const live *from)
{
    live *l = calloc(1, sizeof *l);
    if (l == NULL) {
        (void)crn_fail(&last, CRN_ERR_MEMORY, "out of memory");
        return NULL;
    }
    l->every = every > 0 ? every : 1;
    l->step_seconds = from != NULL ? from->step_seconds : CLOCK_STEP;
    l->text = hash_of(text, size);
    if (open(l, text, size, from, &last) != CRN_OK) {
        live_close(l);
        return NULL;
    }
    return l;
}

/* --- Steps --- */

/* Are steps too short to be timed one by one? */
static bool is_short(const live *l)
{
    return l->step_seconds < CLOCK_STEP;
}

static crn_status advance(live *l, crn_error *error)
{
    crn_step_stats stats;
    bool is_taken = (l->step + 1) % l->every == 0;
    crn_status status = is_taken ? sim_record_before(&l->record, l->world, error) : CRN_OK;
    if (status == CRN_OK && l->pull.body.index1 > 0) {
        pull_apply(&l->pull, l->world);
    }
    if (status == CRN_OK) {
        status = crn_world_step(l->world, l->dt, &stats, error);
    }
    if (status == CRN_OK) {
        ++l->step;
        stats.seconds = is_short(l) ? l->step_seconds : stats.seconds;
        l->verdict = stats.verdict;
        status = is_taken ? sim_record_take(&l->record, l->world, l->step, &stats, error) : CRN_OK;
    }
    return status;
}

static int advance_by(live *l, int count)
{
    for (int k = 0; k < count; ++k) {
        if (is_short(l)) {
            module_stop_clock();
        }
        if (advance(l, &last) != CRN_OK) {
            return k;
        }
    }
    return count;
}

/* So many steps. Returns how many were made; -1: the first one failed. */
EXPORT(live_step) int live_step(live *l, int count)
{
    double start = crn_seconds();
    int made = advance_by(l, count);
    module_start_clock();
    double mean = (crn_seconds() - start) / fmax(made, 1.0);
    l->step_seconds += (mean - l->step_seconds) * made / (made + STEPS_TIMED);
    return made > 0 || count <= 0 ? made : -1;
}

EXPORT(live_time) double live_time(const live *l)
{
    return crn_world_time(l->world);
}

EXPORT(live_dt) double live_dt(const live *l)
{
    return l->dt;
}

EXPORT(live_steps) int live_steps(const live *l)
{
    return l->step;
}

/* "certified", or what is wrong with the last step. */
EXPORT(live_verdict) const char *live_verdict(const live *l)
{
    return crn_verdict_name(l->verdict);
}

/* x y z, w x y z of a body; -1: there is none. */
EXPORT(live_pose) int live_pose(const live *l, int body, double *numbers)
{
    crn_pose pose;
    if (crn_body_pose(l->world, crn_world_body(l->world, body + 1), &pose) != CRN_OK) {
        return -1;
    }
    const double found[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                             pose.rotation.x, pose.rotation.y, pose.rotation.z};
    memcpy(numbers, found, sizeof found);
    return 0;
}

EXPORT(live_hash) uint64_t live_hash(const live *l)
{
    return crn_world_hash(l->world);
}

/* --- Hands --- */

EXPORT(live_grab) int live_grab(live *l, int body, double x, double y, double z)
{
    crn_status status = pull_begin(&l->pull, l->model, l->world, body, (crn_vec3){x, y, z}, l->dt);
    return status == CRN_OK ? 0 : -1;
}

EXPORT(live_pull) void live_pull(live *l, double x, double y, double z)
{
    l->pull.target = (crn_vec3){x, y, z};
}

EXPORT(live_let_go) void live_let_go(live *l)
{
    l->pull = (pull){.body = {0, 0}};
}

/* Force of the spring in the last step [N], and the largest that it may have. */
EXPORT(live_force) double live_force(const live *l)
{
    return l->pull.force_now;
}

EXPORT(live_force_most) double live_force_most(const live *l)
{
    return l->pull.force_most;
}

/* A blow at a world point: an impulse [N s], spread over the next step. */
EXPORT(live_push) int live_push(live *l, int body, double x, double y, double z, double px, double py, double pz)
{
    crn_vec3 force = {px / l->dt, py / l->dt, pz / l->dt};
    return crn_body_apply_force(l->world, crn_world_body(l->world, body + 1), force, (crn_vec3){x, y, z}) == CRN_OK
               ? 0
               : -1;
}

EXPORT(live_control) int live_control(live *l, int actuator, double value)
{
    return crn_world_set_control(l->world, actuator, value) == CRN_OK ? 0 : -1;
}
