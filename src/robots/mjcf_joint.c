/* One joint: where it is, its limits, spring, damper. Joints of one body are put together in mjcf_chain.c.
 *
 * Our coordinates are MuJoCo's: `ref` is the coordinate at the start, and the frames of the joint are turned or moved by it.
 * Only the whole turns of a ref beyond +-pi are taken out, from limits and spring too. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

#define TWO_PI 6.283185307179586476925

static crn_status read_place(crn_mjcf *mjcf, const crn_mjcf_element *element, const crn_pose *frame,
                             crn_mjcf_joint *joint)
{
    crn_pose read = crn_pose_identity();
    crn_vec3 axis = {0, 0, 1};
    int given = 0;
    crn_status status = crn_mjcf_vector(mjcf, element, "pos", &read.position, &given);
    status = status == CRN_OK ? crn_mjcf_vector(mjcf, element, "axis", &axis, NULL) : status;
    if (status != CRN_OK) {
        return status;
    }
    double largest = crn_fmax(crn_fmax(fabs(axis.x), fabs(axis.y)), fabs(axis.z));
    if (largest == 0.0) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " axis: must not be 0");
    }
    crn_pose pose = crn_mjcf_in_body(mjcf, joint->body, frame, &read);
    axis = crn_v3_unit(crn_v3(axis.x / largest, axis.y / largest, axis.z / largest));
    joint->position = mjcf->set.is_global && given == 0 ? crn_v3(0, 0, 0) : pose.position;
    joint->direction = crn_v3_unit(crn_quat_turn(pose.rotation, axis));
    return CRN_OK;
}

/* --- Limits --- */

/* limited: false, true or auto, the default: if there is a range. */
static crn_status is_limited(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, bool has_range,
                             bool *limited)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    int word = 2;
    crn_status status = crn_mjcf_word(mjcf, element, name, words, &word);
    *limited = word == 1 || (word == 2 && has_range && mjcf->set.auto_limits);
    return status;
}

static crn_status read_limits(crn_mjcf *mjcf, const crn_mjcf_element *element, double unit, crn_mjcf_joint *joint)
{
    double range[2] = {0, 0};
    int given = 0;
    bool limited = false;
    crn_status status = crn_mjcf_numbers(mjcf, element, "range", 2, 2, range, &given);
    status = status == CRN_OK ? is_limited(mjcf, element, "limited", given > 0, &limited) : status;
    if (status != CRN_OK || !limited || joint->kind == CRN_MJCF_FREE || mjcf->set.no_limit) {
        return status;
    }
    if (!(range[0] < range[1])) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " range: %.9g must be less than %.9g", range[0],
                             range[1]);
    }
    if (joint->kind == CRN_MJCF_BALL) { /* held by a tendon: mjcf_tendon.c */
        joint->turn_limit = unit * range[1];
        return CRN_OK;
    }
    joint->axis.lower = unit * range[0];
    joint->axis.upper = unit * range[1];
    return CRN_OK;
}

static crn_status read_force_limit(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_joint *joint)
{
    double range[2] = {0, 0};
    int given = 0;
    bool limited = false;
    crn_status status = crn_mjcf_numbers(mjcf, element, "actuatorfrcrange", 2, 2, range, &given);
    status = status == CRN_OK ? is_limited(mjcf, element, "actuatorfrclimited", given > 0, &limited) : status;
    if (status == CRN_OK && limited) {
        joint->force_limit = crn_fmax(fabs(range[0]), fabs(range[1]));
    }
    return status;
}

/* --- Spring and damper --- */

static crn_status read_dynamics(crn_mjcf *mjcf, const crn_mjcf_element *element, double unit, crn_mjcf_joint *joint)
{
    crn_joint_axis *axis = &joint->axis;
    double spring_ref = 0.0;
    crn_status status = crn_mjcf_number(mjcf, element, "stiffness", &axis->stiffness);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "damping", &axis->damping) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "armature", &axis->armature) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "frictionloss", &axis->friction) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "springref", &spring_ref) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "ref", &joint->ref) : status;
    const double part[4] = {axis->stiffness, axis->damping, axis->armature, axis->friction};
    static const char *const name[4] = {"stiffness", "damping", "armature", "frictionloss"};
    for (int i = 0; i < 4 && status == CRN_OK; ++i) {
        if (part[i] < 0.0) {
            return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " %s: must be >= 0, but is %.9g", name[i],
                                 part[i]);
        }
    }
    axis->stiffness = mjcf->set.no_spring ? 0.0 : axis->stiffness;
    axis->damping = mjcf->set.no_damper ? 0.0 : axis->damping;
    axis->friction = mjcf->set.no_friction_loss ? 0.0 : axis->friction;
    joint->ref *= unit;
    axis->target.value = joint->kind == CRN_MJCF_BALL ? 0.0 : unit * spring_ref;
    return status;
}

/* A ref within +-pi. */
static void take_turns(crn_mjcf_joint *joint)
{
    double rest = remainder(joint->ref, TWO_PI), turns = joint->ref - rest;
    joint->ref = rest;
    joint->turns = turns;
    joint->axis.target.value -= turns;
    joint->axis.lower -= turns; /* infinite ones stay */
    joint->axis.upper -= turns;
}

static crn_status read_details(crn_mjcf *mjcf, const crn_mjcf_element *element, const crn_pose *frame,
                               crn_mjcf_joint *joint)
{
    double unit = joint->kind == CRN_MJCF_SLIDE ? 1.0 : mjcf->set.angle;
    crn_status status = read_place(mjcf, element, frame, joint);
    status = status == CRN_OK ? read_dynamics(mjcf, element, unit, joint) : status;
    status = status == CRN_OK ? read_force_limit(mjcf, element, joint) : status;
    status = status == CRN_OK ? read_limits(mjcf, element, unit, joint) : status;
    if (joint->kind == CRN_MJCF_HINGE) {
        take_turns(joint);
    }
    return status;
}

/* A body that floats has no joint of ours. */
static void drop_details(crn_mjcf *mjcf, crn_mjcf_joint *joint)
{
    const crn_joint_axis *axis = &joint->axis;
    if (axis->stiffness != 0.0 || axis->damping != 0.0 || axis->armature != 0.0 || axis->friction != 0.0) {
        crn_mjcf_warn(mjcf, joint->node, "free",
                      "stiffness, damping, armature and frictionloss of free joints are not supported, have no effect");
    }
    joint->axis = crn_joint_def_default().axis[0];
}

crn_status crn_mjcf_read_joint(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame,
                               const char *suffix)
{
    static const char *const kinds[] = {"free", "ball", "slide", "hinge", NULL};
    if (body == 0) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, "the world has no joints");
    }
    crn_mjcf_joint joint = {.node = node,
                            .body = body,
                            .kind = CRN_MJCF_FREE,
                            .axis = crn_joint_def_default().axis[0],
                            .force_limit = INFINITY,
                            .joint = -1};
    joint.name = crn_mjcf_name(mjcf, node, suffix);
    crn_status status = CRN_OK;
    if (strcmp(node->name, "joint") == 0) { /* a freejoint has no defaults */
        crn_mjcf_element element;
        int kind = (int)CRN_MJCF_HINGE;
        status = crn_mjcf_element_of(mjcf, node, class_index, NULL, &element);
        status = status == CRN_OK ? crn_mjcf_word(mjcf, &element, "type", kinds, &kind) : status;
        joint.kind = (crn_mjcf_joint_kind)kind;
        status = status == CRN_OK ? read_details(mjcf, &element, frame, &joint) : status;
    }
    status = status == CRN_OK ? crn_mjcf_room(mjcf, node, (void **)&mjcf->joint, &mjcf->joint_places, mjcf->joints,
                                              sizeof joint, CRN_MJCF_JOINTS_MOST)
                              : status;
    if (status != CRN_OK) {
        return status;
    }
    if (joint.kind == CRN_MJCF_FREE) {
        mjcf->has_free_names = mjcf->has_free_names || joint.name != NULL;
        drop_details(mjcf, &joint);
    }
    mjcf->joint[mjcf->joints++] = joint;
    return CRN_OK;
}
