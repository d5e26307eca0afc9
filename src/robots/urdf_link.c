/* One <link>: its name, its <inertial>, and what <contact> says of its surface. Shapes are read when the body is made.
 *
 * The inertia of <inertial> is about the centre of mass, in axes turned by the rpy of its <origin>: here it is turned into
 * the link's own, I = R I_o R'. */
#include "robots/urdf.h"

#include "math/rigid.h"

/* Moments of less than this share of the largest, or of a mass at this distance [m], are the rounding of a program that wrote the
 * file: less than 0 then means 0. */
static const double NEGLIGIBLE_SHARE = 1e-9, NEGLIGIBLE_LENGTH = 1e-9;

/* No moment is negative but by rounding, which is told. */
static crn_status check_moments(crn_urdf *urdf, const crn_xml_node *node, const crn_urdf_link *link, double v[6])
{
    static const char *const name[3] = {"ixx", "iyy", "izz"};
    double largest = crn_fmax(crn_fmax(v[0], v[1]), v[2]);
    double least = crn_fmax(NEGLIGIBLE_SHARE * largest, NEGLIGIBLE_LENGTH * NEGLIGIBLE_LENGTH * link->mass);
    for (int i = 0; i < 3; ++i) {
        if (v[i] < 0.0 && link->mass > 0.0 && -v[i] > least) {
            return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " %s: must be >= 0, but is %.9g", name[i], v[i]);
        }
        if (v[i] < 0.0) {
            crn_robot_warn(&urdf->warnings, urdf->xml, node, "inertia", "negative", " %s: %.3g is taken as 0", name[i],
                           v[i]);
            v[i] = 0.0;
        }
    }
    return CRN_OK;
}

static crn_status read_inertia(crn_urdf *urdf, const crn_xml_node *inertial, const crn_quat *turn, crn_urdf_link *link)
{
    crn_xml_node *node = crn_xml_child(inertial, "inertia", NULL);
    if (node == NULL) {
        return CRN_OK;
    }
    static const char *const name[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double v[6] = {0.0};
    crn_status status = CRN_OK;
    for (int i = 0; i < 6 && status == CRN_OK; ++i) {
        status = i < 3 ? crn_urdf_need_numbers(urdf, node, name[i], 1, &v[i])
                       : crn_xml_numbers(urdf->xml, node, name[i], 1, &v[i], NULL, urdf->error);
    }
    /* Some exporters write the other half too. */
    (void)crn_xml_get(node, "iyx");
    (void)crn_xml_get(node, "izx");
    (void)crn_xml_get(node, "izy");
    static const char *const none[] = {NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, node, none);
    }
    status = status == CRN_OK ? check_moments(urdf, node, link, v) : status;
    crn_mat3 own = {{v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]}}, axes = crn_quat_matrix(*turn);
    link->inertia = crn_m3_turned(&axes, &own);
    return status;
}

static crn_status read_inertial(crn_urdf *urdf, crn_xml_node *inertial, crn_urdf_link *link)
{
    crn_pose origin;
    crn_status status = crn_urdf_origin(urdf, inertial, &origin);
    link->com = origin.position;
    if (status == CRN_OK) {
        status = crn_urdf_value(urdf, inertial, "mass", &link->mass);
    }
    if (status == CRN_OK) {
        status = read_inertia(urdf, inertial, &origin.rotation, link);
    }
    static const char *const known[] = {"origin", "mass", "inertia", NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, inertial, known);
    }
    return status;
}

/* Not of the standard, but common: Bullet's element. */
static crn_status read_contact(crn_urdf *urdf, crn_xml_node *contact, crn_urdf_link *link)
{
    crn_status status = crn_urdf_value(urdf, contact, "lateral_friction", &link->friction);
    if (status == CRN_OK) {
        status = crn_urdf_value(urdf, contact, "restitution", &link->restitution);
    }
    if (status == CRN_OK && link->restitution > 1.0) {
        status = CRN_URDF_FAIL(urdf, crn_xml_child(contact, "restitution", NULL), CRN_ERR_FORMAT,
                               " value: must be 0 to 1, but is %.9g", link->restitution);
    }
    static const char *const known[] = {"lateral_friction", "restitution", NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, contact, known);
    }
    return status;
}

crn_status crn_urdf_read_link(crn_urdf *urdf, crn_xml_node *node, crn_urdf_link *link)
{
    *link = (crn_urdf_link){.node = node, .name = crn_xml_get(node, "name"), .friction = urdf->options->friction};
    if (link->name == NULL || link->name[0] == '\0') {
        return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, "has no name");
    }
    crn_status status = CRN_OK;
    crn_xml_node *inertial = crn_xml_child(node, "inertial", NULL), *contact = crn_xml_child(node, "contact", NULL);
    if (inertial != NULL) {
        status = read_inertial(urdf, inertial, link);
    }
    if (status == CRN_OK && contact != NULL) {
        status = read_contact(urdf, contact, link);
    }
    (void)crn_xml_get(node, "type"); /* of links without meaning, "laser" and the like */
    static const char *const known[] = {"inertial", "collision", "visual", "contact", NULL};
    if (status == CRN_OK) {
        crn_urdf_warn_rest(urdf, node, known);
    }
    return status;
}
