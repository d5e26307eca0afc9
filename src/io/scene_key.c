/* Keys of a scene: coordinates and velocities of joints and of bodies that float, controls of actuators. */
#include "io/scene.h"

/* How many numbers q and u have; false if there are none: the model then says why. */
static bool find_sizes(const crn_scene_reader *reader, const crn_key_state *state, int *numbers, int *freedom)
{
    const crn_joint_def *joint = crn_model_joint(reader->model, state->joint);
    crn_joint_kind floating = reader->is_planar ? CRN_JOINT_PLANAR : CRN_JOINT_FREE;
    crn_joint_kind kind = joint != NULL ? joint->kind : floating;
    *numbers = crn_joint_kind_numbers(kind);
    *freedom = crn_joint_kind_freedom(kind);
    return *freedom > 0;
}

static crn_status read_state(crn_scene_reader *reader, const crn_json_place *place, crn_key_state *state)
{
    crn_json_place joint = crn_json_find(place, "joint"), body = crn_json_find(place, "body");
    crn_json_place q = crn_json_find(place, "q"), u = crn_json_find(place, "u");
    int numbers = 0, freedom = 0;
    *state = (crn_key_state){.joint = -1, .body = -1};
    crn_status status = crn_scene_open(place, CRN_SCENE_STATE);
    if (status == CRN_OK && joint.value != NULL && body.value != NULL) {
        status = crn_json_fail(&body, "given beside joint");
    }
    if (status == CRN_OK) {
        status = body.value != NULL ? crn_scene_body_reference(reader, &body, false, &state->body)
                                    : crn_scene_joint_reference(reader, &joint, &state->joint);
    }
    if (status != CRN_OK || !find_sizes(reader, state, &numbers, &freedom)) {
        return status;
    }
    status = crn_json_reals(&q, (size_t)numbers, state->q);
    return status == CRN_OK && u.value != NULL ? crn_json_reals(&u, (size_t)freedom, state->u) : status;
}

static crn_status read_states(crn_scene_reader *reader, const crn_json_place *list, crn_key_def *def)
{
    void *memory = NULL;
    crn_status status = list->value != NULL ? crn_json_array(list, &def->states) : CRN_OK;
    status = status == CRN_OK ? crn_scene_take(reader, (size_t)def->states, sizeof(crn_key_state), &memory) : status;
    crn_key_state *state = memory;
    for (int i = 0; i < def->states && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_at(list, (size_t)i);
        status = read_state(reader, &place, &state[i]);
    }
    def->state = state;
    return status;
}

static crn_status read_controls(crn_scene_reader *reader, const crn_json_place *list, crn_key_def *def)
{
    void *memory = NULL;
    crn_status status = list->value != NULL ? crn_json_array(list, &def->controls) : CRN_OK;
    status = status == CRN_OK ? crn_scene_take(reader, (size_t)def->controls, sizeof(double), &memory) : status;
    def->control = memory;
    return status == CRN_OK && def->controls > 0 ? crn_json_reals(list, (size_t)def->controls, memory) : status;
}

crn_status crn_scene_read_key(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_key_def def = {.states = 0};
    crn_json_place states = crn_json_find(place, "states"), controls = crn_json_find(place, "controls");
    crn_status status = crn_scene_open(place, CRN_SCENE_KEY);
    status = status == CRN_OK ? crn_scene_fill(reader, place, CRN_SCENE_KEY, &def) : status;
    status = status == CRN_OK ? read_states(reader, &states, &def) : status;
    status = status == CRN_OK ? read_controls(reader, &controls, &def) : status;
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_key(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}
