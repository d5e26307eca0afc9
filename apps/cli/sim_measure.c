/* Names and values come from one walk over the scene, so that they cannot be in different orders. */
#include "sim_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 32 };

/* Where a walk over all that can be measured is. */
typedef struct walk {
    sim_measure *measure;
    const crn_world *world; /* NULL: names are wanted, not values */
    int next;               /* number of the next measure */
} walk;

static void add(walk *w, const char *what, int index, int part, double value)
{
    sim_measure *m = w->measure;
    int i = w->next++;
    if (i >= m->count) {
        return;
    }
    if (w->world != NULL) {
        m->value[i] = isfinite(value) ? value : 0.0;
        return;
    }
    char *name = m->text + (size_t)i * NAME_SIZE;
    (void)snprintf(name, NAME_SIZE, part >= 0 ? "%s.%d.%d" : "%s.%d", what, index, part);
    m->name[i] = name;
}

static void walk_probes(walk *w)
{
    const sim_measure *m = w->measure;
    int at = 0;
    if (w->world != NULL && crn_world_measure(w->world, m->model, m->scratch) != CRN_OK) {
        memset(m->scratch, 0, (size_t)crn_model_probe_first(m->model, crn_model_probes(m->model)) * sizeof(double));
    }
    for (int i = 0; i < crn_model_probes(m->model); ++i) {
        for (int k = 0; k < crn_model_probe_size(m->model, i); ++k, ++at) {
            add(w, "probe", i, k, w->world != NULL ? m->scratch[at] : 0.0);
        }
    }
}

/* Coordinates of all joints, or their rates. */
static void walk_joints(walk *w, const char *what, crn_probe_kind kind)
{
    const crn_model *model = w->measure->model;
    for (int j = 0; j < crn_model_joints(model); ++j) {
        double value[CRN_PROBE_NUMBERS_MAX] = {0};
        int count = crn_joint_kind_coordinates(crn_model_joint(model, j)->kind);
        if (w->world != NULL) {
            (void)crn_world_probe(w->world, &(crn_probe_def){.kind = kind, .target = j}, value);
        }
        for (int k = 0; k < count && k < CRN_PROBE_NUMBERS_MAX; ++k) {
            add(w, what, j, k, value[k]);
        }
    }
}

static void walk_actuators(walk *w)
{
    const sim_measure *m = w->measure;
    int count = crn_model_actuators(m->model);
    bool is_known = w->world != NULL && crn_world_controls(w->world, m->scratch) == CRN_OK;
    for (int i = 0; i < count; ++i) {
        double force = 0.0;
        if (w->world != NULL) {
            (void)crn_actuator_force(w->world, i, &force);
        }
        add(w, "control", i, -1, is_known ? m->scratch[i] : 0.0);
        add(w, "actuator", i, -1, force);
    }
}

static void walk_all(walk *w)
{
    walk_probes(w);
    walk_joints(w, "joint", CRN_PROBE_JOINT_COORDINATE);
    walk_actuators(w);
    walk_joints(w, "joint_speed", CRN_PROBE_JOINT_SPEED);
}

crn_status sim_measure_open(sim_measure *measure, const crn_model *model, crn_error *error)
{
    *measure = (sim_measure){.model = model};
    walk w = {.measure = measure};
    walk_all(&w); /* there is room for none: they are counted */
    int count = w.next < CRN_RECORDING_MEASURES_MAX ? w.next : CRN_RECORDING_MEASURES_MAX;
    size_t room = (size_t)count + 1, probes = (size_t)crn_model_probe_first(model, crn_model_probes(model));
    measure->name = calloc(room, sizeof *measure->name);
    measure->text = calloc(room, NAME_SIZE);
    measure->value = calloc(room, sizeof *measure->value);
    measure->scratch = calloc(probes + (size_t)crn_model_actuators(model) + 1, sizeof *measure->scratch);
    if (measure->name == NULL || measure->text == NULL || measure->value == NULL || measure->scratch == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "sim: out of memory");
    }
    measure->count = count;
    walk_all(&(walk){.measure = measure});
    return CRN_OK;
}

const double *sim_measure_take(sim_measure *measure, const crn_world *world)
{
    walk_all(&(walk){.measure = measure, .world = world});
    return measure->value;
}

void sim_measure_close(sim_measure *measure)
{
    free(measure->name);
    free(measure->text);
    free(measure->value);
    free(measure->scratch);
    *measure = (sim_measure){.count = 0};
}
