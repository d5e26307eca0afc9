/* One <joint>: kind, frames, axis, limits, damping and friction, mimic. Which links it joins is found later.
 *
 *   URDF                    here
 *   revolute, continuous    hinge, with and without limits
 *   prismatic               slider
 *   planar                  planar: the axis is the plane's normal
 *   spherical (not URDF's)  ball
 *   floating                free
 *   fixed                   fixed: makes one body of two links
 */
#include "robots/urdf.h"

#include "math/rigid.h"

#include <string.h>

static crn_status read_kind(crn_urdf *urdf, crn_urdf_joint *joint)
{
    static const struct {
        const char *name;
        crn_joint_kind kind;
    } kinds[] = {{"revolute", CRN_JOINT_HINGE}, {"continuous", CRN_JOINT_HINGE}, {"prismatic", CRN_JOINT_SLIDER},
                 {"fixed", CRN_JOINT_FIXED},    {"floating", CRN_JOINT_FREE},    {"planar", CRN_JOINT_PLANAR},
                 {"spherical", CRN_JOINT_BALL}};
    const char *type = crn_xml_get(joint->node, "type");
    if (type == NULL) {
        return CRN_URDF_FAIL(urdf, joint->node, CRN_ERR_FORMAT, " type: is missing");
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strcmp(type, kinds[i].name) == 0) {
            joint->kind = kinds[i].kind;
            return CRN_OK;
        }
    }
    return CRN_URDF_FAIL(urdf, joint->node, CRN_ERR_FORMAT,
                         " type: '%.24s' is unknown; known: revolute, continuous, prismatic, fixed, floating, planar, "
                         "spherical",
                         type);
}

static crn_status read_axis(crn_urdf *urdf, crn_urdf_joint *joint)
{
    crn_xml_node *node = crn_xml_child(joint->node, "axis", NULL);
    double xyz[3] = {1.0, 0.0, 0.0};
    crn_status status = node != NULL ? crn_urdf_need_numbers(urdf, node, "xyz", 3, xyz) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    crn_vec3 axis = crn_v3_of(xyz);
    bool needs_axis =
        joint->kind == CRN_JOINT_HINGE || joint->kind == CRN_JOINT_SLIDER || joint->kind == CRN_JOINT_PLANAR;
    /* By the largest component first: squares of small and large numbers leave the range of doubles. */
    double largest = crn_fmax(fabs(axis.x), crn_fmax(fabs(axis.y), fabs(axis.z)));
    if (needs_axis && !(largest > 0.0)) {
        return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " xyz: must not be 0");
    }
    joint->direction = largest > 0.0 ? crn_v3_unit(crn_v3(axis.x / largest, axis.y / largest, axis.z / largest))
                                     : crn_v3(1.0, 0.0, 0.0);
    return CRN_OK;
}

/* lower and upper: both or none; the standard's default of 0 for both would lock the joint, which nobody means. */
static crn_status read_range(crn_urdf *urdf, crn_urdf_joint *joint, crn_xml_node *node)
{
    double lower = 0.0, upper = 0.0;
    bool has_lower = false, has_upper = false;
    crn_status status = crn_xml_numbers(urdf->xml, node, "lower", 1, &lower, &has_lower, urdf->error);
    if (status == CRN_OK) {
        status = crn_xml_numbers(urdf->xml, node, "upper", 1, &upper, &has_upper, urdf->error);
    }
    if (status != CRN_OK) {
        return status;
    }
    if (!has_lower && !has_upper) {
        crn_robot_warn(&urdf->warnings, urdf->xml, node, "joint", "no range",
                       "has neither lower nor upper: the joint turns or slides without end");
        return CRN_OK;
    }
    if (lower > upper) {
        crn_robot_warn(&urdf->warnings, urdf->xml, node, "limit", "range",
                       "lower is above upper: %.9g and %.9g: the joint has no limits", lower, upper);
        return CRN_OK;
    }
    joint->axis.lower = lower;
    joint->axis.upper = upper;
    return CRN_OK;
}

static crn_status read_limit(crn_urdf *urdf, crn_urdf_joint *joint, bool is_continuous)
{
    crn_xml_node *node = crn_xml_child(joint->node, "limit", NULL);
    if (node == NULL && !is_continuous) {
        crn_robot_warn(&urdf->warnings, urdf->xml, joint->node, "joint", "no limit",
                       "'%.60s' has no <limit>: it turns or slides without end", joint->name);
    }
    if (node == NULL) {
        return CRN_OK;
    }
    crn_status status = CRN_OK;
    if (is_continuous) {
        (void)crn_xml_get(node, "lower");
        (void)crn_xml_get(node, "upper");
    } else {
        status = read_range(urdf, joint, node);
    }
    double effort = 0.0, velocity = 0.0;
    if (status == CRN_OK) {
        status = crn_xml_numbers(urdf->xml, node, "effort", 1, &effort, NULL, urdf->error);
    }
    if (status == CRN_OK) {
        status = crn_xml_numbers(urdf->xml, node, "velocity", 1, &velocity, NULL, urdf->error);
    }
    if (status == CRN_OK && (effort < 0.0 || velocity < 0.0)) {
        status = CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " %s: must be >= 0, but is %.9g",
                               effort < 0.0 ? "effort" : "velocity", effort < 0.0 ? effort : velocity);
    }
    joint->axis.max_force = effort > 0.0 ? effort : INFINITY; /* 0 is how files say that they do not know */
    static const char *const none[] = {NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, node, none);
    }
    return status;
}

static crn_status read_dynamics(crn_urdf *urdf, crn_urdf_joint *joint)
{
    crn_xml_node *node = crn_xml_child(joint->node, "dynamics", NULL);
    if (node == NULL) {
        return CRN_OK;
    }
    crn_joint_axis *axis = &joint->axis;
    crn_status status = crn_xml_numbers(urdf->xml, node, "damping", 1, &axis->damping, NULL, urdf->error);
    if (status == CRN_OK) {
        status = crn_xml_numbers(urdf->xml, node, "friction", 1, &axis->friction, NULL, urdf->error);
    }
    if (status == CRN_OK && (axis->damping < 0.0 || axis->friction < 0.0)) {
        bool is_damping = axis->damping < 0.0;
        status = CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " %s: must be >= 0, but is %.9g",
                               is_damping ? "damping" : "friction", is_damping ? axis->damping : axis->friction);
    }
    static const char *const none[] = {NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, node, none);
    }
    return status;
}

static crn_status read_mimic(crn_urdf *urdf, crn_urdf_joint *joint)
{
    joint->mimic = crn_xml_child(joint->node, "mimic", NULL);
    joint->ratio = 1.0;
    if (joint->mimic == NULL) {
        return CRN_OK;
    }
    if (joint->kind == CRN_JOINT_FIXED) {
        crn_robot_warn(&urdf->warnings, urdf->xml, joint->mimic, "mimic", "fixed",
                       "'%.60s' is fixed, and follows nothing: left out", joint->name);
        joint->mimic = NULL;
        return CRN_OK;
    }
    if (joint->kind != CRN_JOINT_HINGE && joint->kind != CRN_JOINT_SLIDER) {
        return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, "is for joints with one coordinate only");
    }
    crn_status status = crn_xml_numbers(urdf->xml, joint->mimic, "multiplier", 1, &joint->ratio, NULL, urdf->error);
    return status == CRN_OK ? crn_xml_numbers(urdf->xml, joint->mimic, "offset", 1, &joint->shift, NULL, urdf->error)
                            : status;
}

/* What the kind of joint has no use for is left out, and said. */
static crn_status read_coordinate(crn_urdf *urdf, crn_urdf_joint *joint)
{
    bool has_one = joint->kind == CRN_JOINT_HINGE || joint->kind == CRN_JOINT_SLIDER;
    bool is_continuous = strcmp(crn_xml_get(joint->node, "type"), "continuous") == 0;
    crn_status status = CRN_OK;
    if (has_one) {
        status = read_limit(urdf, joint, is_continuous);
    }
    if (status == CRN_OK && (has_one || joint->kind == CRN_JOINT_BALL)) {
        status = read_dynamics(urdf, joint);
    }
    /* Fixed joints are often written with limits, and mean nothing by them. */
    bool takes_all = has_one || joint->kind == CRN_JOINT_FIXED, takes_dynamics = joint->kind == CRN_JOINT_BALL;
    const char *known[] = {"origin",
                           "parent",
                           "child",
                           "axis",
                           "mimic",
                           takes_all || takes_dynamics ? "dynamics" : NULL,
                           takes_all ? "limit" : NULL,
                           NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, joint->node, known);
    }
    return status;
}

crn_status crn_urdf_read_joint(crn_urdf *urdf, crn_xml_node *node, crn_urdf_joint *joint)
{
    *joint = (crn_urdf_joint){.node = node,
                              .name = crn_xml_get(node, "name"),
                              .parent = -1,
                              .child = -1,
                              .axis = crn_joint_def_default().axis[0],
                              .leader = -1,
                              .index = -1};
    if (joint->name == NULL || joint->name[0] == '\0') {
        return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, "has no name");
    }
    crn_status status = read_kind(urdf, joint);
    if (status == CRN_OK) {
        status = crn_urdf_origin(urdf, node, &joint->origin);
    }
    if (status == CRN_OK) {
        status = read_axis(urdf, joint);
    }
    if (status == CRN_OK) {
        status = read_mimic(urdf, joint);
    }
    return status == CRN_OK ? read_coordinate(urdf, joint) : status;
}
