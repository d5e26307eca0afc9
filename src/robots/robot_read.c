/* A robot's file of either kind: its first element tells which. */
#include "text/xml.h"

#include <cairn/robot_files.h>

#include <string.h>

bool crn_io_has_xml(void)
{
    return crn_xml_is_there();
}

crn_status crn_io_read_robot(const char *path, const crn_robot_options *options, crn_model *model, crn_error *error)
{
    if (path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path: NULL");
    }
    crn_xml *xml = NULL;
    crn_status status = crn_xml_read(path, NULL, &xml, error);
    if (status != CRN_OK) {
        return status;
    }
    const crn_xml_node *root = crn_xml_root(xml);
    bool is_urdf = strcmp(root->name, "robot") == 0, is_mjcf = strcmp(root->name, "mujoco") == 0;
    if (!is_urdf && !is_mjcf) {
        status = crn_xml_fail(xml, root, CRN_ERR_FORMAT, error, "is neither <robot> (URDF) nor <mujoco> (MJCF)");
    }
    crn_xml_free(xml);
    if (status != CRN_OK) {
        return status;
    }
    return (is_urdf ? crn_io_read_urdf : crn_io_read_mjcf)(path, options, model, error);
}
