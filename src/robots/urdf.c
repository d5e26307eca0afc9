/* A robot from URDF: XML, links and joints, the tree, the model. */
#include "robots/urdf.h"

#include "math/rigid.h"
#include "model/model_room.h"

#include <string.h>

/* Of |quaternion|^2 in options: seven printed digits are near enough. */
static const double UNIT_SLACK = 1e-6;

/* --- The elements --- */

static int count_children(const crn_xml_node *node, const char *name)
{
    int count = 0;
    for (const crn_xml_node *at = crn_xml_child(node, name, NULL); at != NULL; at = crn_xml_child(node, name, at)) {
        ++count;
    }
    return count;
}

static crn_status check_root(crn_urdf *urdf, const crn_xml_node *robot)
{
    if (strcmp(robot->name, "robot") != 0) {
        return CRN_URDF_FAIL(urdf, robot, CRN_ERR_FORMAT, "a URDF file begins with <robot>");
    }
    for (const crn_xml_node *child = robot->child; child != NULL; child = child->next) {
        if (strncmp(child->name, "xacro:", 6) == 0) {
            return CRN_URDF_FAIL(urdf, child, CRN_ERR_UNSUPPORTED,
                                 "is a macro of xacro: run xacro on the file first and read what it writes");
        }
    }
    urdf->links = count_children(robot, "link");
    urdf->joints = count_children(robot, "joint");
    if (urdf->links == 0) {
        return CRN_URDF_FAIL(urdf, robot, CRN_ERR_FORMAT, "has no <link>");
    }
    if (urdf->links > CRN_URDF_LINKS_MOST || urdf->joints > CRN_URDF_LINKS_MOST) {
        return CRN_URDF_FAIL(urdf, robot, CRN_ERR_UNSUPPORTED, "has more than %d links or joints", CRN_URDF_LINKS_MOST);
    }
    return CRN_OK;
}

static crn_status read_elements(crn_urdf *urdf, crn_xml_node *robot)
{
    urdf->link = crn_urdf_take(urdf, urdf->links, sizeof *urdf->link);
    urdf->joint = urdf->link != NULL ? crn_urdf_take(urdf, urdf->joints, sizeof *urdf->joint) : NULL;
    if (urdf->joint == NULL) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = CRN_OK;
    crn_xml_node *node = NULL;
    for (int i = 0; i < urdf->links && status == CRN_OK; ++i) {
        node = crn_xml_child(robot, "link", node);
        status = crn_urdf_read_link(urdf, node, &urdf->link[i]);
    }
    node = NULL;
    for (int i = 0; i < urdf->joints && status == CRN_OK; ++i) {
        node = crn_xml_child(robot, "joint", node);
        status = crn_urdf_read_joint(urdf, node, &urdf->joint[i]);
    }
    static const char *const known[] = {"link", "joint", "material", NULL};
    (void)crn_xml_get(robot, "version");
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, robot, known);
    }
    return status;
}

/* --- Doors --- */

static crn_status check_options(const crn_robot_options *options, const crn_model *model, crn_error *error)
{
    crn_vec3 p = options->pose.position;
    crn_quat r = options->pose.rotation;
    double square = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z) || !(fabs(square - 1.0) <= UNIT_SLACK)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options.pose: must be finite, with a unit quaternion");
    }
    if (!isfinite(options->friction) || options->friction < 0.0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options.friction: must be finite and >= 0, but is %g",
                        options->friction);
    }
    if (crn_model_world_of(model)->is_planar) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "robots move in space, and the model's world is planar");
    }
    return CRN_OK;
}

static crn_status read_robot(crn_xml *xml, const crn_robot_options *options, const crn_allocator *allocator,
                             crn_model *model, crn_error *error)
{
    crn_urdf urdf = {.xml = xml,
                     .options = options,
                     .model = model,
                     .allocator = *allocator,
                     .error = error,
                     .warnings = {.warn = options->warn, .user = options->user, .is_strict = options->is_strict}};
    crn_xml_node *robot = crn_xml_root(xml);
    crn_status status = check_root(&urdf, robot);
    if (status == CRN_OK) {
        status = read_elements(&urdf, robot);
    }
    if (status == CRN_OK) {
        status = crn_urdf_connect(&urdf);
    }
    if (status == CRN_OK) {
        status = crn_urdf_build(&urdf);
    }
    return status == CRN_OK ? crn_robot_refuse(&urdf.warnings, error) : status;
}

/* text NULL: read the file at path. */
static crn_status read_urdf(const char *text, size_t length, const char *path, const crn_robot_options *options,
                            crn_model *model, crn_error *error)
{
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    const crn_robot_options usual = crn_robot_options_default();
    options = options != NULL ? options : &usual;
    crn_status status = check_options(options, model, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_allocator allocator = crn_model_allocator(model);
    crn_xml *xml = NULL;
    status = text != NULL ? crn_xml_parse(text, length, path, &allocator, &xml, error)
                          : crn_xml_read(path, &allocator, &xml, error);
    if (status == CRN_OK) {
        status = read_robot(xml, options, &allocator, model, error);
    }
    crn_xml_free(xml);
    if (status == CRN_OK) {
        crn_clear(error);
    }
    return status;
}

crn_status crn_io_read_urdf(const char *path, const crn_robot_options *options, crn_model *model, crn_error *error)
{
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    return read_urdf(NULL, 0, path, options, model, error);
}

crn_status crn_io_read_urdf_text(const char *text, size_t length, const char *path, const crn_robot_options *options,
                                 crn_model *model, crn_error *error)
{
    if (text == NULL && length > 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "text: NULL");
    }
    return read_urdf(text != NULL ? text : "", length, path != NULL ? path : "urdf", options, model, error);
}
