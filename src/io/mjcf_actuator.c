/* <actuator>: what the actuators of hinges and slides do while their control is 0. With the transmission l = gear q,
 *
 *     motor      f = 0
 *     position   f = -kp l - kv l'
 *     velocity   f = -kv l'
 *     general    f = b0 + b1 l + b2 l'    (biastype affine)        the joint feels gear f
 *
 * so that they are springs, dampers and constant forces of the joint, added to those that it has. Who wants to control the
 * joint changes force and target of its axis. All other kinds and transmissions are warned about. */
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

typedef enum actuator_kind { MOTOR, POSITION, VELOCITY, GENERAL, KINDS } actuator_kind;

static const char *const kind_name[] = {"motor", "position", "velocity", "general"};

/* All kinds share the defaults of attributes that all have. */
static const char *const all_kinds[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                        "damper",  "cylinder", "muscle",   "adhesion", NULL};

/* f = constant - stiffness l - damping l', not beyond limit */
typedef struct rest_law {
    double constant, stiffness, damping, limit;
} rest_law;

static crn_status read_general(const crn_mjcf *mjcf, const crn_mjcf_element *own, rest_law *law)
{
    static const char *const words[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
    int kind = 0;
    double b[3] = {0, 0, 0};
    crn_status status = crn_mjcf_word(mjcf, own, "biastype", words, &kind);
    const char *text = crn_mjcf_text(own, "biasprm");
    if (status != CRN_OK || kind != 1 || text == NULL) {
        return status;
    }
    double *values = NULL; /* up to ten, of which three count */
    int count = 0;
    status = crn_mjcf_array(mjcf, own, "biasprm", &values, &count);
    for (int i = 0; i < 3 && i < count && status == CRN_OK; ++i) {
        b[i] = values[i];
    }
    law->constant = b[0];
    law->stiffness = -b[1];
    law->damping = -b[2];
    return status;
}

static crn_status read_law(const crn_mjcf *mjcf, const crn_mjcf_element *own, actuator_kind kind, rest_law *law)
{
    crn_status status = CRN_OK;
    if (kind == POSITION) {
        law->stiffness = 1.0;
        status = crn_mjcf_number(mjcf, own, "kp", &law->stiffness);
        status = status == CRN_OK ? crn_mjcf_number(mjcf, own, "kv", &law->damping) : status;
    } else if (kind == VELOCITY) {
        law->damping = 1.0;
        status = crn_mjcf_number(mjcf, own, "kv", &law->damping);
    } else if (kind == GENERAL) {
        status = read_general(mjcf, own, law);
    }
    if (status == CRN_OK && (law->stiffness < 0.0 || law->damping < 0.0)) {
        status = crn_mjcf_fail(mjcf, own->node, CRN_ERR_UNSUPPORTED,
                               "pushes away from rest: stiffness %.9g, damping %.9g", law->stiffness, law->damping);
    }
    return status;
}

static crn_status read_limit(crn_mjcf *mjcf, const crn_mjcf_element *shared, rest_law *law)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    int word = 2, given = 0;
    double range[2] = {0, 0};
    crn_status status = crn_mjcf_word(mjcf, shared, "forcelimited", words, &word);
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, shared, "forcerange", 2, 2, range, &given) : status;
    if (status != CRN_OK || word == 0 || (word == 2 && (given == 0 || !mjcf->set.auto_limits))) {
        return status;
    }
    if (!(range[0] < range[1])) {
        return crn_mjcf_fail(mjcf, shared->node, CRN_ERR_FORMAT, " forcerange: %.9g must be less than %.9g", range[0],
                             range[1]);
    }
    law->limit = fmax(fabs(range[0]), fabs(range[1]));
    if (range[0] != -range[1] && law->stiffness + law->damping > 0.0) {
        crn_mjcf_warn(mjcf, shared->node, "forcerange", " forcerange: taken as +-%.9g", law->limit);
    }
    return CRN_OK;
}

/* --- Joints --- */

/* The joint that it drives; -1: something else, which is not supported. */
static crn_status find_joint(crn_mjcf *mjcf, crn_xml_node *node, int *joint)
{
    static const char *const others[] = {"tendon",    "site",       "refsite",     "body",
                                         "cranksite", "slidersite", "cranklength", NULL};
    const char *name = crn_xml_get(node, "joint");
    name = name != NULL ? name : crn_xml_get(node, "jointinparent");
    *joint = -1;
    if (name == NULL) {
        for (const char *const *other = others; *other != NULL; ++other) {
            if (crn_xml_get(node, *other) != NULL) {
                crn_mjcf_warn(mjcf, node, "transmission", " %s: only actuators of joints are supported, left out",
                              *other);
            }
        }
        return CRN_OK;
    }
    *joint = crn_mjcf_find_joint(mjcf, name);
    return *joint >= 0 ? CRN_OK : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " joint: there is no joint '%.40s'", name);
}

static void add_law(crn_mjcf_joint *joint, const rest_law *law, double gear)
{
    crn_joint_axis *axis = &joint->axis;
    double added = gear * gear * law->stiffness, sum = axis->stiffness + added;
    if (added > 0.0) { /* at l = 0; MuJoCo's coordinate is ours and whole turns */
        axis->target.value = (axis->stiffness * axis->target.value - added * joint->turns) / sum;
        axis->stiffness = sum;
    }
    axis->damping += gear * gear * law->damping;
    axis->force.value += gear * law->constant;
    if (law->stiffness > 0.0 || law->damping > 0.0) {
        joint->is_actuated = true;
        joint->actuator_limit += fabs(gear) * law->limit;
    }
}

static crn_status read_actuator(crn_mjcf *mjcf, crn_xml_node *node, actuator_kind kind)
{
    crn_mjcf_element own, shared;
    rest_law law = {.limit = INFINITY};
    double gear[6] = {1, 0, 0, 0, 0, 0};
    int joint = -1;
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, NULL, &own);
    status = status == CRN_OK ? crn_mjcf_element_of(mjcf, node, 0, all_kinds, &shared) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, &shared, "gear", 1, 6, gear, NULL) : status;
    status = status == CRN_OK ? read_law(mjcf, &own, kind, &law) : status;
    status = status == CRN_OK ? read_limit(mjcf, &shared, &law) : status;
    status = status == CRN_OK ? find_joint(mjcf, node, &joint) : status;
    if (status != CRN_OK || joint < 0) {
        return status;
    }
    crn_mjcf_joint *driven = &mjcf->joint[joint];
    bool has_coordinate = driven->kind == CRN_MJCF_HINGE || driven->kind == CRN_MJCF_SLIDE;
    if (has_coordinate && gear[0] != 0.0) {
        add_law(driven, &law, gear[0]);
    } else if (!has_coordinate && kind != MOTOR) {
        crn_mjcf_warn(mjcf, node, "ball", "drives a ball or free joint: not supported, left out");
    }
    return CRN_OK;
}

/* One limit for spring and damper together; MuJoCo limits only the actuators. */
static void set_limits(crn_mjcf *mjcf, const double *passive)
{
    for (int i = 0; i < mjcf->joints; ++i) {
        crn_mjcf_joint *joint = &mjcf->joint[i];
        double limit = fmin(joint->actuator_limit, joint->force_limit);
        if (!joint->is_actuated || !isfinite(limit)) {
            continue;
        }
        joint->axis.spring_limit = limit;
        if (passive[i] > 0.0) {
            crn_mjcf_warn(mjcf, joint->node, "limit",
                          "the limit of its actuator counts for the joint's own spring and damper too");
        }
    }
}

crn_status crn_mjcf_read_actuators(crn_mjcf *mjcf)
{
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    double *passive = crn_mjcf_keep(mjcf, root, ((size_t)mjcf->joints + 1) * sizeof *passive);
    if (passive == NULL) {
        return CRN_ERR_MEMORY;
    }
    for (int i = 0; i < mjcf->joints; ++i) {
        passive[i] = mjcf->joint[i].axis.stiffness + mjcf->joint[i].axis.damping;
    }
    crn_status status = CRN_OK;
    int count = 0;
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "actuator", section)) != NULL;) {
        for (crn_xml_node *node = section->child; node != NULL && status == CRN_OK; node = node->next) {
            if (++count > CRN_MJCF_JOINTS_MOST) {
                status = crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d of them", CRN_MJCF_JOINTS_MOST);
            }
            for (int k = 0; k < KINDS && status == CRN_OK; ++k) {
                if (strcmp(node->name, kind_name[k]) == 0) {
                    status = read_actuator(mjcf, node, (actuator_kind)k);
                }
            }
        }
    }
    set_limits(mjcf, passive);
    return status;
}
