/* What the readers of URDF elements share: memory, warnings, origins, numbers. */
#include "robots/urdf.h"

#include "math/rigid.h"

#include <string.h>

void *crn_urdf_take(crn_urdf *urdf, int count, size_t size)
{
    void *memory = crn_xml_take(urdf->xml, (size_t)count * size);
    if (memory == NULL) {
        (void)crn_fail(urdf->error, CRN_ERR_MEMORY, "%s: no memory for the robot", crn_xml_name(urdf->xml));
    }
    return memory;
}

static bool is_listed(const char *name, const char *const *list)
{
    for (; *list != NULL; ++list) {
        if (strcmp(*list, name) == 0) {
            return true;
        }
    }
    return false;
}

void crn_urdf_warn_rest(crn_urdf *urdf, const crn_xml_node *node, const char *const *known)
{
    for (const crn_xml_node *child = node->child; child != NULL; child = child->next) {
        if (!is_listed(child->name, known)) {
            crn_robot_warn(&urdf->warnings, urdf->xml, child, node->name, child->name, "is not supported and left out");
        }
    }
    for (int i = 0; i < node->attributes; ++i) {
        const crn_xml_attribute *attribute = &node->attribute[i];
        if (!attribute->is_read && strcmp(attribute->name, "name") != 0 && strncmp(attribute->name, "xmlns", 5) != 0) {
            crn_robot_warn(&urdf->warnings, urdf->xml, node, node->name, attribute->name,
                           " %.40s: is not supported and left out", attribute->name);
        }
    }
}

crn_status crn_urdf_origin(crn_urdf *urdf, const crn_xml_node *owner, crn_pose *origin)
{
    *origin = crn_pose_identity();
    crn_xml_node *node = crn_xml_child(owner, "origin", NULL);
    if (node == NULL) {
        return CRN_OK;
    }
    double xyz[3] = {0.0, 0.0, 0.0}, rpy[3] = {0.0, 0.0, 0.0};
    crn_status status = crn_xml_numbers(urdf->xml, node, "xyz", 3, xyz, NULL, urdf->error);
    if (status == CRN_OK) {
        status = crn_xml_numbers(urdf->xml, node, "rpy", 3, rpy, NULL, urdf->error);
    }
    if (status == CRN_OK) {
        /* roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll) */
        crn_quat x = crn_quat_exp(crn_v3(rpy[0], 0.0, 0.0)), y = crn_quat_exp(crn_v3(0.0, rpy[1], 0.0)),
                 z = crn_quat_exp(crn_v3(0.0, 0.0, rpy[2]));
        origin->position = crn_v3_of(xyz);
        origin->rotation = crn_quat_unit(crn_quat_product(z, crn_quat_product(y, x)));
        static const char *const none[] = {NULL};
        crn_urdf_warn_rest(urdf, node, none);
    }
    return status;
}

crn_status crn_urdf_need_numbers(crn_urdf *urdf, crn_xml_node *node, const char *name, int count, double *to)
{
    bool is_there = false;
    crn_status status = crn_xml_numbers(urdf->xml, node, name, count, to, &is_there, urdf->error);
    if (status == CRN_OK && !is_there) {
        status = CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " %s: is missing", name);
    }
    return status;
}

crn_status crn_urdf_value(crn_urdf *urdf, const crn_xml_node *owner, const char *name, double *to)
{
    crn_xml_node *node = crn_xml_child(owner, name, NULL);
    if (node == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_urdf_need_numbers(urdf, node, "value", 1, to);
    if (status == CRN_OK && *to < 0.0) {
        status = CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " value: must be >= 0, but is %.9g", *to);
    }
    return status;
}
