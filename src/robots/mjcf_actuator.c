/* <actuator>: what drives hinges, slides and tendons. With the transmission l = gear q, q the coordinate or length, and the control c,
 *
 *     motor      f = c
 *     position   f = kp (c - l) - kv l'          dampratio z: kv = 2 z sqrt(kp m), m the inertia at the joint over gear^2
 *     velocity   f = kv (c - l')
 *     general    f = g0 c + b0 + b1 l + b2 l'    (gaintype fixed, biastype affine)        joint or tendon feels gear f
 *
 * What is left with c = 0 are springs, dampers and constant forces of the joint, added to those that it has; what c adds is an actuator
 * of the model. A lag of first order (dyntype filter, timeconst) lies before c. All other kinds and transmissions are warned about. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <math.h>
#include <string.h>

typedef enum actuator_kind { MOTOR, POSITION, VELOCITY, GENERAL, KINDS } actuator_kind;

static const char *const kind_name[] = {"motor", "position", "velocity", "general"};

/* All kinds share the defaults of attributes that all have. */
static const char *const all_kinds[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                        "damper",  "cylinder", "muscle",   "adhesion", NULL};

/* f = gain c + constant - stiffness l - damping l', not beyond limit. damping_ratio > 0: damping is by the inertia, when the joint is
 * known. */
typedef struct actuator_law {
    double constant, stiffness, damping, limit;
    double damping_ratio;
    double gain, time_constant;
    double force[2];  /* the same limit, as it is written */
    bool has_control; /* c acts in a way that is known here */
} actuator_law;

/* The first number of a list; `to` stays without it. */
static crn_status read_first(const crn_mjcf *mjcf, const crn_mjcf_element *own, const char *name, double *to)
{
    double *values = NULL;
    int count = 0;
    crn_status status = crn_mjcf_array(mjcf, own, name, &values, &count);
    *to = status == CRN_OK && count > 0 ? values[0] : *to;
    return status;
}

/* How a control of <general> acts: gain and lag. */
static crn_status read_general_control(crn_mjcf *mjcf, const crn_mjcf_element *own, actuator_law *law)
{
    static const char *const gains[] = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
    static const char *const lags[] = {"none",   "filter", "filterexact", "integrator",
                                       "muscle", "user",   "dcmotor",     NULL};
    int gain = 0, lag = 0;
    double T = 1.0;
    crn_status status = crn_mjcf_word(mjcf, own, "gaintype", gains, &gain);
    status = status == CRN_OK ? crn_mjcf_word(mjcf, own, "dyntype", lags, &lag) : status;
    status = status == CRN_OK ? read_first(mjcf, own, "gainprm", &law->gain) : status;
    status = status == CRN_OK ? read_first(mjcf, own, "dynprm", &T) : status;
    if (status != CRN_OK) {
        return status;
    }
    law->time_constant = lag == 1 || lag == 2 ? T : 0.0;
    law->has_control = gain == 0 && lag <= 2;
    if (!law->has_control) {
        crn_mjcf_warn(mjcf, own->node, "control", " %s: '%s' is not supported, its control is left out",
                      gain != 0 ? "gaintype" : "dyntype", gain != 0 ? gains[gain] : lags[lag]);
    }
    return CRN_OK;
}

static crn_status read_general(crn_mjcf *mjcf, const crn_mjcf_element *own, actuator_law *law)
{
    static const char *const words[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
    int kind = 0;
    double b[3] = {0, 0, 0};
    crn_status status = read_general_control(mjcf, own, law);
    status = status == CRN_OK ? crn_mjcf_word(mjcf, own, "biastype", words, &kind) : status;
    const char *text = crn_mjcf_text(own, "biasprm");
    if (status == CRN_OK && kind > 1) {
        crn_mjcf_warn(mjcf, own->node, "biastype", " biastype: '%s' is not supported, has no effect", words[kind]);
    }
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

static crn_status read_law(crn_mjcf *mjcf, const crn_mjcf_element *own, actuator_kind kind, actuator_law *law)
{
    crn_status status = CRN_OK;
    if (kind == POSITION) {
        law->stiffness = 1.0;
        status = crn_mjcf_number(mjcf, own, "kp", &law->stiffness);
        status = status == CRN_OK ? crn_mjcf_number(mjcf, own, "kv", &law->damping) : status;
        status = status == CRN_OK ? crn_mjcf_number(mjcf, own, "dampratio", &law->damping_ratio) : status;
        status = status == CRN_OK ? crn_mjcf_number(mjcf, own, "timeconst", &law->time_constant) : status;
        law->gain = law->stiffness;
        if (status == CRN_OK && (law->damping_ratio < 0.0 || (law->damping_ratio > 0.0 && law->damping > 0.0))) {
            status = crn_mjcf_fail(mjcf, own->node, CRN_ERR_FORMAT, " dampratio: %s",
                                   law->damping_ratio < 0.0 ? "must be >= 0" : "given beside kv");
        }
    } else if (kind == VELOCITY) {
        law->damping = 1.0;
        status = crn_mjcf_number(mjcf, own, "kv", &law->damping);
        law->gain = law->damping;
    } else if (kind == GENERAL) {
        status = read_general(mjcf, own, law);
    }
    if (status == CRN_OK && law->time_constant < 0.0) {
        status = crn_mjcf_fail(mjcf, own->node, CRN_ERR_FORMAT, "time constant: must be >= 0, but is %.9g",
                               law->time_constant);
    }
    if (status == CRN_OK && (law->stiffness < 0.0 || law->damping < 0.0)) {
        status = crn_mjcf_fail(mjcf, own->node, CRN_ERR_UNSUPPORTED,
                               "pushes away from rest: stiffness %.9g, damping %.9g", law->stiffness, law->damping);
    }
    return status;
}

static crn_status read_limit(crn_mjcf *mjcf, const crn_mjcf_element *shared, actuator_law *law)
{
    crn_status status = crn_mjcf_range(mjcf, shared, "forcelimited", "forcerange", law->force);
    if (status != CRN_OK || isinf(law->force[0])) {
        return status;
    }
    law->limit = crn_fmax(fabs(law->force[0]), fabs(law->force[1]));
    if (law->force[0] != -law->force[1] && law->stiffness + law->damping > 0.0) {
        crn_mjcf_warn(mjcf, shared->node, "forcerange", " forcerange: taken as +-%.9g", law->limit);
    } else if (law->damping > 0.0 && !(law->stiffness > 0.0)) {
        crn_mjcf_warn(mjcf, shared->node, "forcerange", " forcerange: counts for control and damper one by one");
    }
    return CRN_OK;
}

/* ctrlrange; or inheritrange: that share of the joint's range about its middle. */
static crn_status read_control_range(crn_mjcf *mjcf, const crn_mjcf_element *own, const crn_mjcf_element *shared,
                                     const crn_mjcf_joint *joint, double range[2])
{
    double share = 0.0;
    crn_status status = crn_mjcf_range(mjcf, shared, "ctrllimited", "ctrlrange", range);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, own, "inheritrange", &share) : status;
    const crn_joint_axis *axis = &joint->axis;
    if (status == CRN_OK && share > 0.0 && axis->lower <= axis->upper) {
        double middle = 0.5 * (axis->lower + axis->upper) + joint->turns;
        double half = 0.5 * share * (axis->upper - axis->lower);
        range[0] = middle - half;
        range[1] = middle + half;
    }
    if (mjcf->set.no_clamp) {
        range[0] = -INFINITY;
        range[1] = INFINITY;
    }
    return status;
}

/* --- Joints --- */

/* The joint or tendon that it drives, the other -1; both: something else, which is not supported. */
static crn_status find_driven(crn_mjcf *mjcf, crn_xml_node *node, int *joint, int *tendon)
{
    static const char *const others[] = {"site", "refsite", "body", "cranksite", "slidersite", "cranklength", NULL};
    const char *name = crn_xml_get(node, "joint"), *string = crn_xml_get(node, "tendon");
    name = name != NULL ? name : crn_xml_get(node, "jointinparent");
    *joint = *tendon = -1;
    if (name != NULL && string != NULL) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " tendon: given beside joint");
    }
    if (name == NULL && string != NULL) {
        *tendon = crn_mjcf_find_tendon(mjcf, string);
        return *tendon >= 0 ? CRN_OK
                            : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " tendon: there is no tendon '%.40s'", string);
    }
    if (name == NULL) {
        for (const char *const *other = others; *other != NULL; ++other) {
            if (crn_xml_get(node, *other) != NULL) {
                crn_mjcf_warn(mjcf, node, "transmission",
                              " %s: only actuators of joints and tendons are supported, left out", *other);
            }
        }
        return CRN_OK;
    }
    *joint = crn_mjcf_find_joint(mjcf, name);
    return *joint >= 0 ? CRN_OK : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " joint: there is no joint '%.40s'", name);
}

/* Is body i the body, or does it hang on it? Parents come first in the list. */
static bool hangs_on(const crn_mjcf *mjcf, int i, int body)
{
    while (i > body) {
        i = mjcf->body[i].parent;
    }
    return i == body;
}

/* Inertia that a hinge or slide moves at the start, armature included: the diagonal of the mass matrix. */
static double inertia_at(const crn_mjcf *mjcf, const crn_mjcf_joint *joint)
{
    const crn_pose *place = &mjcf->body[joint->body].place;
    crn_vec3 at = crn_v3_add(place->position, crn_quat_turn(place->rotation, joint->position));
    crn_vec3 axis = crn_quat_turn(place->rotation, joint->direction);
    double sum = joint->axis.armature;
    for (int i = joint->body; i < mjcf->bodies; ++i) {
        const crn_mass_properties *mass = &mjcf->body[i].mass;
        if (!hangs_on(mjcf, i, joint->body)) {
            continue;
        }
        const crn_pose *there = &mjcf->body[i].place;
        crn_vec3 com = crn_v3_add(there->position, crn_quat_turn(there->rotation, mass->com));
        crn_vec3 own = crn_quat_turn(crn_quat_conjugate(there->rotation), axis);
        crn_vec3 arm = crn_v3_cross(axis, crn_v3_sub(com, at));
        bool is_hinge = joint->kind == CRN_MJCF_HINGE;
        sum += is_hinge ? crn_v3_dot(own, crn_m3_times(&mass->inertia, own)) + mass->mass * crn_v3_dot(arm, arm)
                        : mass->mass;
    }
    return sum;
}

/* What a control adds, as an actuator of the model. */
static crn_status add_control(crn_mjcf *mjcf, crn_xml_node *node, int joint, int tendon, const actuator_law *law,
                              double gear, const double range[2])
{
    crn_status status = crn_mjcf_room(mjcf, node, (void **)&mjcf->actuator, &mjcf->actuator_places, mjcf->actuators,
                                      sizeof *mjcf->actuator, CRN_MJCF_JOINTS_MOST);
    if (status != CRN_OK) {
        return status;
    }
    crn_mjcf_actuator *made = &mjcf->actuator[mjcf->actuators++];
    *made = (crn_mjcf_actuator){.node = node,
                                .name = crn_mjcf_name(mjcf, node, ""),
                                .joint = joint,
                                .tendon = tendon,
                                .control = mjcf->controls - 1,
                                .def = crn_actuator_def_default()};
    made->def.gain = gear * law->gain;
    made->def.moves_target = law->stiffness > 0.0;
    made->def.lower = range[0];
    made->def.upper = range[1];
    made->def.force_lower = gear > 0.0 ? gear * law->force[0] : gear * law->force[1];
    made->def.force_upper = gear > 0.0 ? gear * law->force[1] : gear * law->force[0];
    made->def.time_constant = law->time_constant;
    return CRN_OK;
}

crn_status crn_mjcf_add_actuators(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < mjcf->actuators && status == CRN_OK; ++i) {
        crn_mjcf_actuator *actuator = &mjcf->actuator[i];
        crn_error reason = {.status = CRN_OK};
        status = crn_mjcf_prefixed(mjcf, actuator->node, actuator->name, &actuator->def.name);
        if (actuator->joint >= 0) {
            actuator->def.joint = mjcf->joint[actuator->joint].joint;
            actuator->def.coordinate = mjcf->joint[actuator->joint].coordinate;
        } else {
            actuator->def.tendon = mjcf->tendon[actuator->tendon].index;
        }
        if (status == CRN_OK &&
            crn_model_add_actuator(mjcf->model, &actuator->def, &actuator->index, &reason) != CRN_OK) {
            status = crn_mjcf_blame(mjcf, actuator->node, &reason);
        }
    }
    return status;
}

/* What is left of it with control 0. */
static void add_law(crn_mjcf_joint *joint, const actuator_law *law, double gear)
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

/* What is left of it with control 0, on a tendon; false: it cannot be told, and is left out. */
static bool add_tendon_law(crn_mjcf *mjcf, crn_xml_node *node, crn_mjcf_tendon *tendon, const actuator_law *law,
                           double gear)
{
    crn_tendon_def *def = &tendon->def;
    bool is_spring = law->stiffness > 0.0;
    const char *what = law->damping_ratio > 0.0             ? "dampratio of a tendon"
                       : law->constant != 0.0 && !is_spring ? "a constant force along a tendon"
                       : is_spring && def->stiffness > 0.0  ? "a second spring of a tendon"
                       : isfinite(law->limit) && tendon->is_sprung
                           ? "forcerange beside the tendon's own spring or damper"
                           : NULL;
    if (what != NULL) {
        crn_mjcf_warn(mjcf, node, what, "%s: not supported, left out", what);
        return false;
    }
    if (is_spring) {
        def->stiffness = gear * gear * law->stiffness;
        def->rest_lower = def->rest_upper = law->constant / (gear * law->stiffness) - tendon->turns;
    }
    def->damping += gear * gear * law->damping;
    if (isfinite(law->limit) && (is_spring || law->damping > 0.0)) {
        def->spring_limit += fabs(gear) * law->limit;
    }
    return true;
}

static crn_status read_tendon_actuator(crn_mjcf *mjcf, crn_xml_node *node, const crn_mjcf_element *shared, int tendon,
                                       const actuator_law *law, double gear)
{
    double range[2] = {-INFINITY, INFINITY};
    crn_status status = crn_mjcf_range(mjcf, shared, "ctrllimited", "ctrlrange", range);
    if (status != CRN_OK || gear == 0.0 || !add_tendon_law(mjcf, node, &mjcf->tendon[tendon], law, gear)) {
        return status;
    }
    if (mjcf->set.no_clamp) {
        range[0] = -INFINITY;
        range[1] = INFINITY;
    }
    return law->has_control ? add_control(mjcf, node, -1, tendon, law, gear, range) : CRN_OK;
}

static crn_status read_actuator(crn_mjcf *mjcf, crn_xml_node *node, actuator_kind kind)
{
    crn_mjcf_element own, shared;
    actuator_law law = {.limit = INFINITY, .force = {-INFINITY, INFINITY}, .gain = 1.0, .has_control = true};
    double range[2] = {-INFINITY, INFINITY};
    double gear[6] = {1, 0, 0, 0, 0, 0};
    int joint = -1, tendon = -1;
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, NULL, &own);
    status = status == CRN_OK ? crn_mjcf_element_of(mjcf, node, 0, all_kinds, &shared) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, &shared, "gear", 1, 6, gear, NULL) : status;
    status = status == CRN_OK ? read_law(mjcf, &own, kind, &law) : status;
    status = status == CRN_OK ? read_limit(mjcf, &shared, &law) : status;
    status = status == CRN_OK ? find_driven(mjcf, node, &joint, &tendon) : status;
    if (status == CRN_OK && tendon >= 0) {
        return read_tendon_actuator(mjcf, node, &shared, tendon, &law, gear[0]);
    }
    if (status != CRN_OK || joint < 0) {
        return status;
    }
    crn_mjcf_joint *driven = &mjcf->joint[joint];
    bool has_coordinate = driven->kind == CRN_MJCF_HINGE || driven->kind == CRN_MJCF_SLIDE;
    if (!has_coordinate) {
        crn_mjcf_warn(mjcf, node, "ball", "drives a ball or free joint: not supported, left out");
        return CRN_OK;
    }
    status = read_control_range(mjcf, &own, &shared, driven, range);
    if (status == CRN_OK && gear[0] != 0.0) {
        if (law.damping_ratio > 0.0) {
            law.damping = 2.0 * law.damping_ratio * sqrt(law.stiffness * inertia_at(mjcf, driven)) / fabs(gear[0]);
        }
        add_law(driven, &law, gear[0]);
    }
    return status == CRN_OK && law.has_control ? add_control(mjcf, node, joint, -1, &law, gear[0], range) : status;
}

/* One limit for spring and damper together; MuJoCo limits only the actuators. */
static void set_limits(crn_mjcf *mjcf, const double *passive)
{
    for (int i = 0; i < mjcf->joints; ++i) {
        crn_mjcf_joint *joint = &mjcf->joint[i];
        double limit = crn_fmin(joint->actuator_limit, joint->force_limit);
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
    for (crn_xml_node *section = NULL;
         !mjcf->set.no_actuation && (section = crn_xml_child(root, "actuator", section)) != NULL;) {
        for (crn_xml_node *node = section->child; node != NULL && status == CRN_OK; node = node->next) {
            mjcf->controls++;
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
