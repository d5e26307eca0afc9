/* Tendons of a scene: a list of parts, each of which has the fields of its kind, and what acts along them. */
#include "io/scene.h"

/* Where a sphere or cylinder is, and on which side the tendon goes round it. */
static crn_status read_round(crn_scene_reader *reader, const crn_json_place *place, crn_tendon_part *part)
{
    crn_json_place body = crn_json_find(place, "body"), side = crn_json_find(place, "side");
    crn_status status = crn_scene_body_reference(reader, &body, true, &part->body);
    status = status == CRN_OK ? crn_scene_pose(reader, place, &part->pose) : status;
    if (status == CRN_OK && side.value != NULL) {
        status = crn_scene_site_reference(reader, &side, &part->side);
        part->side++;
    }
    return status;
}

static crn_status read_part(crn_scene_reader *reader, const crn_json_place *place, crn_tendon_part *part)
{
    *part = crn_tendon_part_default();
    crn_json_place kind = crn_json_find(place, "kind");
    crn_status status = crn_scene_open(place, CRN_SCENE_TENDON_PART);
    if (status == CRN_OK && kind.value == NULL) {
        status = crn_json_fail(&kind, "missing");
    }
    status = status == CRN_OK ? crn_scene_fill(reader, place, CRN_SCENE_TENDON_PART, part) : status;
    if (status != CRN_OK) {
        return status;
    }
    crn_json_place joint = crn_json_find(place, "joint"), site = crn_json_find(place, "site");
    switch (part->kind) {
    case CRN_TENDON_JOINT: return crn_scene_joint_reference(reader, &joint, &part->joint);
    case CRN_TENDON_SITE: return crn_scene_site_reference(reader, &site, &part->site);
    case CRN_TENDON_PULLEY: return CRN_OK;
    default: break;
    }
    return read_round(reader, place, part);
}

static crn_status read_parts(crn_scene_reader *reader, const crn_json_place *list, crn_tendon_def *def)
{
    void *memory = NULL;
    crn_status status = list->value != NULL ? crn_json_array(list, &def->parts) : crn_json_fail(list, "missing");
    status = status == CRN_OK ? crn_scene_take(reader, (size_t)def->parts, sizeof(crn_tendon_part), &memory) : status;
    crn_tendon_part *part = memory;
    for (int i = 0; i < def->parts && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_at(list, (size_t)i);
        status = read_part(reader, &place, &part[i]);
    }
    def->part = part;
    return status;
}

/* Two numbers, if they are there. */
static crn_status read_range(const crn_json_place *place, double *lower, double *upper)
{
    double range[2];
    crn_status status = place->value != NULL ? crn_json_reals(place, 2, range) : CRN_OK;
    if (status == CRN_OK && place->value != NULL) {
        *lower = range[0];
        *upper = range[1];
    }
    return status;
}

crn_status crn_scene_read_tendon(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_tendon_def def = crn_tendon_def_default();
    crn_json_place parts = crn_json_find(place, "parts"), limits = crn_json_find(place, "limits"),
                   rest = crn_json_find(place, "rest");
    crn_status status = crn_scene_open(place, CRN_SCENE_TENDON);
    status = status == CRN_OK ? crn_scene_fill(reader, place, CRN_SCENE_TENDON, &def) : status;
    status = status == CRN_OK ? read_range(&limits, &def.lower, &def.upper) : status;
    status = status == CRN_OK ? read_range(&rest, &def.rest_lower, &def.rest_upper) : status;
    status = status == CRN_OK ? read_parts(reader, &parts, &def) : status;
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_tendon(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}
