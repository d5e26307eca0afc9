/* <sensor>: what is measured, as probes of the model.
 *
 *     jointpos, jointvel          coordinate and speed of a hinge or slide
 *     actuatorfrc                 force of a motor
 *     framepos, framequat,        of a site or, as xbody, of a body's frame; velocities are those of the frame's origin along the
 *     framelinvel, frameangvel,   world's axes, of sites only
 *     framexaxis, -yaxis, -zaxis
 *     velocimeter, gyro,          of a site, along its axes
 *     accelerometer
 *     subtreecom, subtreelinvel   centre of mass of a body and what hangs on it, and its velocity
 *     tendonpos, tendonvel        length of a tendon, and its rate
 *     rangefinder                 along z of a site
 *     touch                       normal forces on the site's body, felt within the site's shape
 *     force, torque               what the parent exerts on the site's body, along the site's axes
 *
 * All others are warned about, each once by name. */
#include "robots/mjcf.h"

#include <string.h>

typedef struct sensor_kind {
    const char *name, *field; /* field: the attribute that names what it is of */
    crn_probe_kind kind;      /* of a site where objtype chooses */
} sensor_kind;

static const sensor_kind kinds[] = {
    {"jointpos", "joint", CRN_PROBE_JOINT_COORDINATE},
    {"jointvel", "joint", CRN_PROBE_JOINT_SPEED},
    {"actuatorfrc", "actuator", CRN_PROBE_ACTUATOR_FORCE},
    {"framepos", "objname", CRN_PROBE_SITE_POSITION},
    {"framequat", "objname", CRN_PROBE_SITE_ROTATION},
    {"framelinvel", "objname", CRN_PROBE_SITE_VELOCITY},
    {"frameangvel", "objname", CRN_PROBE_SITE_ANGULAR},
    {"velocimeter", "site", CRN_PROBE_VELOCIMETER},
    {"gyro", "site", CRN_PROBE_GYRO},
    {"rangefinder", "site", CRN_PROBE_RANGE},
    {"force", "site", CRN_PROBE_FORCE},
    {"torque", "site", CRN_PROBE_TORQUE},
    {"tendonpos", "tendon", CRN_PROBE_TENDON_LENGTH},
    {"tendonvel", "tendon", CRN_PROBE_TENDON_SPEED},
    {"accelerometer", "site", CRN_PROBE_ACCELEROMETER},
    {"subtreecom", "body", CRN_PROBE_SUBTREE_CENTRE},
    {"subtreelinvel", "body", CRN_PROBE_SUBTREE_VELOCITY},
    {"touch", "site", CRN_PROBE_TOUCH},
    {"framexaxis", "objname", CRN_PROBE_SITE_X},
    {"frameyaxis", "objname", CRN_PROBE_SITE_Y},
    {"framezaxis", "objname", CRN_PROBE_SITE_Z},
};

static const sensor_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static crn_status leave_out(crn_mjcf *mjcf, const crn_xml_node *node, const char *why)
{
    crn_mjcf_warn(mjcf, node, why, "%s: not supported, the sensor is left out", why);
    return CRN_OK;
}

static crn_status fail_name(const crn_mjcf *mjcf, const crn_xml_node *node, const char *field, const char *name)
{
    return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: there is no '%.40s'", field, name);
}

/* --- What it is of --- */

/* Sets target and only; *is_known false: left out. */
static crn_status find_joint(crn_mjcf *mjcf, const crn_xml_node *node, const char *name, crn_probe_def *def,
                             bool *is_known)
{
    int joint = crn_mjcf_find_joint(mjcf, name);
    if (joint < 0) {
        return fail_name(mjcf, node, "joint", name);
    }
    crn_mjcf_joint_kind kind = mjcf->joint[joint].kind;
    *is_known = kind == CRN_MJCF_HINGE || kind == CRN_MJCF_SLIDE;
    def->target = mjcf->joint[joint].joint;
    def->only = 1 + mjcf->joint[joint].coordinate;
    return *is_known ? CRN_OK : leave_out(mjcf, node, "of a ball or free joint");
}

/* Does what an actuator drives have a spring or damper? */
static bool is_sprung(const crn_mjcf *mjcf, const crn_mjcf_actuator *actuator)
{
    if (actuator->joint < 0) {
        const crn_tendon_def *tendon = &mjcf->tendon[actuator->tendon].def;
        return tendon->stiffness > 0.0 || tendon->damping > 0.0;
    }
    const crn_joint_axis *axis = &mjcf->joint[actuator->joint].axis;
    return axis->stiffness > 0.0 || axis->damping > 0.0;
}

static crn_status find_tendon(crn_mjcf *mjcf, const crn_xml_node *node, const char *name, crn_probe_def *def,
                              bool *is_known)
{
    int tendon = crn_mjcf_find_tendon(mjcf, name);
    if (tendon < 0) {
        return fail_name(mjcf, node, "tendon", name);
    }
    def->target = mjcf->tendon[tendon].index;
    *is_known = true;
    return CRN_OK;
}

static crn_status find_actuator(crn_mjcf *mjcf, const crn_xml_node *node, const char *name, crn_probe_def *def,
                                bool *is_known)
{
    for (int i = 0; i < mjcf->actuators; ++i) {
        const crn_mjcf_actuator *actuator = &mjcf->actuator[i];
        if (actuator->name != NULL && strcmp(actuator->name, name) == 0) {
            *is_known = !actuator->def.moves_target && !is_sprung(mjcf, actuator);
            def->target = actuator->index;
            return *is_known ? CRN_OK : leave_out(mjcf, node, "of an actuator with a spring or damper");
        }
    }
    return leave_out(mjcf, node, "of an actuator that is left out, or that is not there");
}

static crn_status find_frame(crn_mjcf *mjcf, crn_xml_node *node, const char *name, crn_probe_def *def, bool *is_known)
{
    const char *type = crn_xml_get(node, "objtype");
    bool is_site = type != NULL && strcmp(type, "site") == 0, is_body = type != NULL && strcmp(type, "xbody") == 0;
    bool has_body = def->kind == CRN_PROBE_SITE_POSITION || def->kind == CRN_PROBE_SITE_ROTATION;
    if (crn_xml_get(node, "reftype") != NULL || crn_xml_get(node, "refname") != NULL) {
        return leave_out(mjcf, node, "reftype");
    }
    if (!is_site && !(is_body && has_body)) {
        return leave_out(mjcf, node, "objtype other than site (or xbody, of poses)");
    }
    int index = is_site ? crn_mjcf_find_site(mjcf, name) : crn_mjcf_find_body(mjcf, name);
    if (index < 0) {
        return fail_name(mjcf, node, "objname", name);
    }
    def->target = is_site ? mjcf->site[index].index : mjcf->body[index].index;
    if (is_body) {
        def->kind = def->kind == CRN_PROBE_SITE_POSITION ? CRN_PROBE_POSITION : CRN_PROBE_ROTATION;
    }
    *is_known = def->target >= 0;
    return *is_known ? CRN_OK : leave_out(mjcf, node, "of the world");
}

static crn_status find_site(crn_mjcf *mjcf, const crn_xml_node *node, const char *name, crn_probe_def *def,
                            bool *is_known)
{
    int site = crn_mjcf_find_site(mjcf, name);
    if (site < 0) {
        return fail_name(mjcf, node, "site", name);
    }
    def->target = mjcf->site[site].index;
    *is_known = true;
    return CRN_OK;
}

/* A body that moves, whose tree it is the sum of. */
static crn_status find_body(crn_mjcf *mjcf, const crn_xml_node *node, const char *name, crn_probe_def *def,
                            bool *is_known)
{
    int body = crn_mjcf_find_body(mjcf, name);
    if (body < 0) {
        return fail_name(mjcf, node, "body", name);
    }
    def->target = mjcf->body[body].index;
    *is_known = def->target >= 0 && !mjcf->body[body].is_static;
    return *is_known ? CRN_OK : leave_out(mjcf, node, "of the world");
}

static crn_status find_target(crn_mjcf *mjcf, crn_xml_node *node, const sensor_kind *kind, crn_probe_def *def,
                              bool *is_known)
{
    const char *name = crn_xml_get(node, kind->field);
    if (name == NULL) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: missing", kind->field);
    }
    switch (crn_probe_kind_target(kind->kind)) {
    case CRN_PROBE_OF_JOINT: return find_joint(mjcf, node, name, def, is_known);
    case CRN_PROBE_OF_ACTUATOR: return find_actuator(mjcf, node, name, def, is_known);
    case CRN_PROBE_OF_TENDON: return find_tendon(mjcf, node, name, def, is_known);
    case CRN_PROBE_OF_BODY: return find_body(mjcf, node, name, def, is_known);
    default: break;
    }
    return strcmp(kind->field, "objname") == 0 ? find_frame(mjcf, node, name, def, is_known)
                                               : find_site(mjcf, node, name, def, is_known);
}

/* --- One of them --- */

static crn_status read_sensor(crn_mjcf *mjcf, crn_xml_node *node, const sensor_kind *kind)
{
    crn_probe_def def = {.kind = kind->kind};
    bool is_known = false;
    crn_status status = find_target(mjcf, node, kind, &def, &is_known);
    status = status == CRN_OK ? crn_mjcf_prefixed(mjcf, node, crn_mjcf_name(mjcf, node, ""), &def.name) : status;
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && is_known && crn_model_add_probe(mjcf->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_mjcf_blame(mjcf, node, &reason);
    }
    return status;
}

crn_status crn_mjcf_add_sensors(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    int count = 0;
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "sensor", section)) != NULL;) {
        for (crn_xml_node *node = section->child; node != NULL && status == CRN_OK; node = node->next) {
            const sensor_kind *kind = find_kind(node->name);
            if (++count > CRN_MJCF_JOINTS_MOST) {
                status = crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d of them", CRN_MJCF_JOINTS_MOST);
            } else if (kind != NULL) {
                status = read_sensor(mjcf, node, kind);
            }
        }
    }
    return status;
}
