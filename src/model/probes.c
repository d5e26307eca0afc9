/* What can be measured: one table of kinds, with what each is measured of and how many numbers it gives. */
#include "model/model_room.h"

#include <string.h>

typedef struct probe_kind {
    const char *name;
    crn_probe_target target;
    int numbers; /* 0: as many as the joint has coordinates */
} probe_kind;

static const probe_kind kinds[CRN_PROBE_KIND_COUNT] = {
    [CRN_PROBE_POSITION] = {"position", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_ROTATION] = {"rotation", CRN_PROBE_OF_BODY, 4}, /* planar: 1 */
    [CRN_PROBE_VELOCITY] = {"velocity", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_ANGULAR] = {"angular", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_CONTACT_FORCE] = {"contact_force", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_JOINT_COORDINATE] = {"joint_coordinate", CRN_PROBE_OF_JOINT, 0},
    [CRN_PROBE_JOINT_SPEED] = {"joint_speed", CRN_PROBE_OF_JOINT, 0},
    [CRN_PROBE_ACTUATOR_FORCE] = {"actuator_force", CRN_PROBE_OF_ACTUATOR, 1},
    [CRN_PROBE_SITE_POSITION] = {"site_position", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_SITE_ROTATION] = {"site_rotation", CRN_PROBE_OF_SITE, 4},
    [CRN_PROBE_SITE_VELOCITY] = {"site_velocity", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_SITE_ANGULAR] = {"site_angular", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_VELOCIMETER] = {"velocimeter", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_GYRO] = {"gyro", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_RANGE] = {"range", CRN_PROBE_OF_SITE, 1},
    [CRN_PROBE_FORCE] = {"force", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_TORQUE] = {"torque", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_TENDON_LENGTH] = {"tendon_length", CRN_PROBE_OF_TENDON, 1},
    [CRN_PROBE_TENDON_SPEED] = {"tendon_speed", CRN_PROBE_OF_TENDON, 1},
    [CRN_PROBE_ACCELEROMETER] = {"accelerometer", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_SUBTREE_CENTRE] = {"subtree_centre", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_SUBTREE_VELOCITY] = {"subtree_velocity", CRN_PROBE_OF_BODY, 3},
    [CRN_PROBE_TOUCH] = {"touch", CRN_PROBE_OF_SITE, 1},
    [CRN_PROBE_SITE_X] = {"site_x", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_SITE_Y] = {"site_y", CRN_PROBE_OF_SITE, 3},
    [CRN_PROBE_SITE_Z] = {"site_z", CRN_PROBE_OF_SITE, 3},
};

const char *crn_probe_kind_name(crn_probe_kind kind)
{
    return (unsigned)kind < CRN_PROBE_KIND_COUNT ? kinds[kind].name : NULL;
}

bool crn_probe_kind_find(const char *name, crn_probe_kind *kind)
{
    for (int i = 0; name != NULL && i < CRN_PROBE_KIND_COUNT; ++i) {
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = (crn_probe_kind)i;
            return true;
        }
    }
    return false;
}

crn_probe_target crn_probe_kind_target(crn_probe_kind kind)
{
    return (unsigned)kind < CRN_PROBE_KIND_COUNT ? kinds[kind].target : CRN_PROBE_OF_BODY;
}

const char *crn_probe_target_name(crn_probe_target target)
{
    static const char *const names[CRN_PROBE_TARGET_COUNT] = {"body", "joint", "site", "actuator", "tendon"};
    return (unsigned)target < CRN_PROBE_TARGET_COUNT ? names[target] : NULL;
}

int crn_probe_size(const crn_probe_def *probe, bool is_planar, crn_joint_kind joint)
{
    if (probe->kind == CRN_PROBE_ROTATION && is_planar) {
        return 1;
    }
    int numbers = kinds[probe->kind].numbers;
    return numbers > 0 ? numbers : probe->only > 0 ? 1 : crn_joint_kind_coordinates(joint);
}
