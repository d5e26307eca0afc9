/* Where the numbers of a model's probes are among those of all: crn_world_measure(). */
#include "model/model_room.h"

#include <string.h>

int crn_model_probe_size(const crn_model *model, int probe)
{
    const crn_probe_def *def = crn_model_probe(model, probe);
    if (def == NULL) {
        return -1;
    }
    bool is_of_joint = crn_probe_kind_target(def->kind) == CRN_PROBE_OF_JOINT;
    const crn_joint_def *joint = is_of_joint ? crn_model_joint(model, def->target) : NULL;
    return crn_probe_size(def, crn_model_world_of(model)->is_planar, joint != NULL ? joint->kind : CRN_JOINT_FIXED);
}

int crn_model_probe_first(const crn_model *model, int probe)
{
    int sum = 0;
    if (probe < 0 || probe > crn_model_probes(model)) {
        return -1;
    }
    for (int i = 0; i < probe; ++i) {
        sum += crn_model_probe_size(model, i);
    }
    return sum;
}

int crn_model_find_probe(const crn_model *model, const char *name)
{
    for (int i = 0; name != NULL && i < crn_model_probes(model); ++i) {
        const char *own = crn_model_probe(model, i)->name;
        if (own != NULL && strcmp(own, name) == 0) {
            return i;
        }
    }
    return -1;
}
