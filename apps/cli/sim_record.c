/* The motion on its way into a recording and into a trajectory. */
#include "sim_record.h"

#include "sim_carry.h"

#include <stdint.h>
#include <stdlib.h>

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "sim: out of memory");
}

/* --- Recording --- */

/* Into a file, or into a sink if output is NULL. */
static crn_status open_recorder(sim_record *record, const char *output, crn_io_sink sink, void *user, int every,
                                crn_error *error)
{
    const crn_world_def *def = crn_model_world_of(record->model);
    char *scene = NULL;
    crn_status status = sim_measure_open(&record->measure, record->model, error);
    if (status == CRN_OK) {
        status = crn_io_write_scene_text(record->model, NULL, &scene, NULL, error);
    }
    if (status == CRN_OK) {
        crn_recording_header header = {.scene = scene,
                                       .bodies = record->bodies,
                                       .dt = def->dt,
                                       .every = every,
                                       .is_planar = def->is_planar,
                                       .measure = record->measure.name,
                                       .measures = record->measure.count};
        status = output != NULL ? crn_recorder_create(output, &header, NULL, &record->recorder, error)
                                : crn_recorder_create_into(sink, user, NULL, &header, NULL, &record->recorder, error);
    }
    free(scene);
    return status;
}

/* Where the contact is at the end of the step, if that finds contacts where it begins: it goes along with the surface of a, or of b if a is not free. Steps give it
 * midway between the surfaces, which may be far apart when a long step begins. */
static crn_vec3 place_of(const sim_record *record, const crn_contact *c)
{
    const crn_body_def *a = crn_model_body(record->model, c->a.index1 - 1);
    bool is_on_a = a != NULL && a->kind == CRN_BODY_FREE;
    int body = (is_on_a ? c->a.index1 : c->b.index1) - 1;
    if (!record->is_carried || body < 0) {
        return c->point;
    }
    double shift = (is_on_a ? 0.5 : -0.5) * c->gap;
    crn_vec3 point = {c->point.x + shift * c->normal.x, c->point.y + shift * c->normal.y,
                      c->point.z + shift * c->normal.z};
    return sim_carried(&record->before[body], &record->pose[body], point);
}

/* Contacts that a thin frame has at least, if there are as many: as those of films (web_page.c). */
enum { CONTACTS_KEPT = 64 };

/* The contacts of the last step in the recording's words. */
static crn_status copy_contacts(sim_record *record, const crn_world *world, int *count, crn_error *error)
{
    const crn_contact *contact = crn_world_contacts(world, count);
    if (*count > record->contact_capacity) {
        size_t wanted = (size_t)*count + (size_t)*count / 4;
        crn_recording_contact *grown = realloc(record->contact, wanted * sizeof *grown);
        if (grown == NULL) {
            return no_memory(error);
        }
        record->contact = grown;
        record->contact_capacity = (int)wanted;
    }
    bool is_thin = record->is_thin && *count > CONTACTS_KEPT && record->note_every == 0;
    int all = *count;
    *count = 0;
    for (int i = 0; i < all; ++i) {
        const crn_contact *c = &contact[i];
        if (is_thin && c->kind == CRN_CONTACT_OFF) {
            continue;
        }
        record->contact[(*count)++] = (crn_recording_contact){.a = c->a.index1 - 1,
                                                              .b = c->b.index1 - 1,
                                                              .kind = c->kind,
                                                              .point = place_of(record, c),
                                                              .normal = c->normal,
                                                              .gap = c->gap,
                                                              .impulse = c->impulse};
    }
    return CRN_OK;
}

static crn_status append(sim_record *record, const crn_world *world, int step, const crn_step_stats *stats,
                         crn_error *error)
{
    crn_recording_frame frame = {.step = step,
                                 .time = crn_world_time(world),
                                 .pose = record->pose,
                                 .figures = {.outcome = CRN_LCP_SOLVED},
                                 .measure = sim_measure_take(&record->measure, world)};
    crn_status status = CRN_OK;
    if (stats != NULL) {
        frame.figures = *stats;
        status = copy_contacts(record, world, &frame.contacts, error);
        frame.contact = record->contact;
    }
    if (status == CRN_OK && stats != NULL && record->note_every > 0 && step % record->note_every == 0) {
        crn_error why;
        crn_status noted = sim_note_write(&record->note, world, &why);
        if (noted == CRN_ERR_MEMORY) { /* any other failure costs the note, not the run */
            status = crn_fail(error, noted, "%s", why.text);
        }
        frame.note = record->note.text;
    }
    if (status == CRN_OK) {
        status = crn_recorder_append(record->recorder, &frame, error);
    }
    record->frames += status == CRN_OK;
    return status;
}

/* --- Trajectory --- */

/* Resize a block; it stays as it is if there is no memory. */
static void *resized(void *block, size_t count, size_t size, bool *is_good)
{
    void *grown = count <= SIZE_MAX / size ? realloc(block, count * size) : NULL;
    *is_good = *is_good && grown != NULL;
    return grown != NULL ? grown : block;
}

static bool grow_trajectory(sim_trajectory *t, int bodies)
{
    size_t wanted = 2 * (size_t)t->capacity + 64, each = bodies > 0 ? (size_t)bodies : 1;
    bool is_good = true;
    t->step = resized(t->step, wanted, sizeof *t->step, &is_good);
    t->time = resized(t->time, wanted, sizeof *t->time, &is_good);
    t->pose = resized(t->pose, wanted * each, sizeof *t->pose, &is_good);
    t->capacity = is_good ? (int)wanted : t->capacity;
    return is_good;
}

static crn_status extend(sim_record *record, double time, int step, crn_error *error)
{
    sim_trajectory *t = &record->trajectory;
    if (t->count == t->capacity && !grow_trajectory(t, record->bodies)) {
        return no_memory(error);
    }
    crn_pose *pose = t->pose + (size_t)t->count * (size_t)record->bodies;
    t->step[t->count] = step;
    t->time[t->count++] = time;
    for (int i = 0; i < record->bodies; ++i) {
        pose[i] = record->pose[i];
    }
    return CRN_OK;
}

/* --- Both --- */

static crn_status begin(sim_record *record, const crn_model *model, crn_error *error)
{
    *record = (sim_record){.model = model, .bodies = crn_model_bodies(model)};
    record->is_carried = crn_model_world_of(model)->integrator == CRN_INTEGRATOR_HART;
    record->pose = calloc((size_t)record->bodies + 1, sizeof *record->pose);
    record->before = calloc((size_t)record->bodies + 1, sizeof *record->before);
    return record->pose != NULL && record->before != NULL ? CRN_OK : no_memory(error);
}

crn_status sim_record_open(sim_record *record, const crn_model *model, const char *output, int every,
                           bool has_trajectory, crn_error *error)
{
    crn_status status = begin(record, model, error);
    record->has_trajectory = has_trajectory;
    return status == CRN_OK && output != NULL ? open_recorder(record, output, NULL, NULL, every, error) : status;
}

crn_status sim_record_open_into(sim_record *record, const crn_model *model, crn_io_sink sink, void *user, int every,
                                crn_error *error)
{
    crn_status status = begin(record, model, error);
    return status == CRN_OK ? open_recorder(record, NULL, sink, user, every, error) : status;
}

crn_status sim_record_look(sim_record *record, const crn_world *world, crn_error *error)
{
    for (int i = 0; i < record->bodies; ++i) {
        crn_status status = crn_body_pose(world, crn_world_body(world, i + 1), &record->pose[i]);
        if (status != CRN_OK) {
            return crn_fail(error, status, "bodies[%d]: %s", i, crn_status_name(status));
        }
    }
    return CRN_OK;
}

crn_status sim_record_before(sim_record *record, const crn_world *world, crn_error *error)
{
    if (record->recorder == NULL) {
        return CRN_OK;
    }
    crn_status status = sim_record_look(record, world, error);
    for (int i = 0; i < record->bodies && status == CRN_OK; ++i) {
        record->before[i] = record->pose[i];
    }
    return status;
}

crn_status sim_record_take(sim_record *record, const crn_world *world, int step, const crn_step_stats *stats,
                           crn_error *error)
{
    if (record->recorder == NULL && !record->has_trajectory) {
        return CRN_OK;
    }
    crn_status status = sim_record_look(record, world, error);
    if (status == CRN_OK && record->recorder != NULL) {
        status = append(record, world, step, stats, error);
    }
    if (status == CRN_OK && record->has_trajectory) {
        status = extend(record, crn_world_time(world), step, error);
    }
    return status;
}

crn_status sim_record_finish(sim_record *record, crn_error *error)
{
    crn_status status = crn_recorder_close(record->recorder, error);
    record->recorder = NULL;
    return status;
}

void sim_record_close(sim_record *record)
{
    (void)crn_recorder_close(record->recorder, NULL);
    free(record->pose);
    free(record->before);
    free(record->contact);
    sim_note_free(&record->note);
    sim_measure_close(&record->measure);
    free(record->trajectory.step);
    free(record->trajectory.time);
    free(record->trajectory.pose);
    *record = (sim_record){.bodies = 0};
}
